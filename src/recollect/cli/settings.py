"""The settings of a space."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli.opening import reading, writing
from recollect.cli.options import SPACE, STORE, AsJson, Store
from recollect.cli.options import Space as SpaceName
from recollect.cli.output import output, print_json, table
from recollect.errors import InvalidInput

if TYPE_CHECKING:
    from recollect import Setting, Space


def settings(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="Which; all of them.")] = None,
    value: Annotated[str | None, typer.Argument(metavar="VALUE", help="What it shall be.")] = None,
    *,
    unset: Annotated[bool, typer.Option("--unset", help="Go back to the environment's value, or the default.")] = False,
    space: SpaceName = SPACE,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Show the settings of a space, or change one.

    A change takes effect at once, in every process.

    Example: recollect settings chunk_tokens 300 --space alice
    """
    if unset and (name is None or value is not None):
        raise InvalidInput("--unset takes the name of a setting and no value")
    with reading(store) if value is None else writing(store) as memory:
        found = _settings(memory.space(space), name, value, unset)
    if as_json:
        print_json(found if name is None else found[0])
    else:
        _print(found)


def _settings(space: Space, name: str | None, value: str | None, unset: bool) -> Sequence[Setting]:
    from recollect.settings import definition, parse

    if name is None:
        return space.settings()
    row = definition(name)
    if unset:
        return [space.unset(name)]
    if value is not None:
        return [space.set(name, parse(row, value, name))]
    return [setting for setting in space.settings() if setting.name == name]


def _print(found: Sequence[Setting]) -> None:
    from recollect.settings import definition

    rows = ((one.name, _written(one.value), one.source, definition(one.name).help) for one in found)
    output().print(table(("setting", "value", "from", "what it does"), rows, right=("value",)))


def _written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
