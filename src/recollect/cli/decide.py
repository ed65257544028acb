"""Decisions about a fact."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli.facts import facts_table
from recollect.cli.ids import fact_id
from recollect.cli.opening import reading
from recollect.cli.options import SPACE, STORE, AsJson, Space, Store
from recollect.cli.output import output, print_json

if TYPE_CHECKING:
    from recollect import Fact

FactId = Annotated[str, typer.Argument(metavar="FACT", help="The fact's id, or its beginning.", show_default=False)]


def promote(fact: FactId, *, space: Space = SPACE, store: Store = STORE, as_json: AsJson = False) -> None:
    """Say that a fact is true: it is active from now on, in place of what it excludes.

    Example: recollect promote 019ca6b1-dc00-7000-800d-8e84327e27e2
    """
    with reading(store) as memory:
        known = memory.space(space)
        _show(known.promote(fact_id(known, fact)), as_json)


def reject(fact: FactId, *, space: Space = SPACE, store: Store = STORE, as_json: AsJson = False) -> None:
    """Say that a fact is wrong: it is not proposed again, and what it had superseded is valid again.

    Example: recollect reject 019ca6b1-dc00-7000-800d-8e84327e27e2
    """
    with reading(store) as memory:
        known = memory.space(space)
        _show(known.reject(fact_id(known, fact)), as_json)


def _show(fact: Fact, as_json: bool) -> None:
    if as_json:
        print_json(fact)
    else:
        output().print(facts_table([fact]))
