"""How much a space holds, and what that takes."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from recollect.cli.opening import reading, refuse_unknown
from recollect.cli.options import SPACE, STORE, AsJson, Store
from recollect.cli.options import Space as SpaceName
from recollect.cli.output import output, print_json, table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recollect import Stats

COUNTS = ("conversations", "messages", "chunks", "summaries", "pins", "facts", "episodes")
BYTES = {"text": "messages", "full_text": "full-text index", "vectors": "vectors"}


def stats(space: SpaceName = SPACE, store: Store = STORE, as_json: AsJson = False) -> None:
    """Say how much a space holds, and the bytes that it takes.

    Of the whole store, `recollect status` speaks.

    Example: recollect stats --space alice
    """
    with reading(store) as memory:
        refuse_unknown(memory, space)
        found, consent = memory.space(space).stats(), memory.space(space).consent().granted
    if as_json:
        print_json({"space": space, **asdict(found), "profile_consent": consent})
    else:
        made = table(("", ""), _rows(found, consent))
        made.show_header = False
        output().print(made)


def _rows(found: Stats, consent: bool) -> Iterator[tuple[str, str]]:
    for name in COUNTS:
        yield name, f"{getattr(found, name):,}"
    for name, label in BYTES.items():
        yield f"bytes of {label}", f"{found.bytes[name]:,}"
    yield "profile", "kept, with consent" if consent else "no consent"
