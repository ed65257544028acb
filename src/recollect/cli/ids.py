"""Ids as people type them: whole, or the beginning of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recollect import Fact, Space

PAGE = 1000  # facts read at once
NAMED = 3  # ids that an error names


def fact_id(space: Space, given: str) -> str:
    """The id of the fact that is meant: the one that is given, else the only one that begins so."""
    found = [fact.id for fact in _all(space) if fact.id.startswith(given)] if given.strip() else []
    if given in found or len(found) == 1:
        return given if given in found else found[0]
    if found:
        named = ", ".join(found[:NAMED]) + (", …" if len(found) > NAMED else "")
        raise InvalidInput(f"{given!r} begins the ids of {len(found)} facts ({named}); give more of it")
    raise NotFound(f"space {space.id!r} has no fact {given!r}")


def _all(space: Space) -> Iterator[Fact]:
    page = space.facts(PAGE, status=None)
    while page:
        yield from page
        page = space.facts(PAGE, status=None, after=page[-1].id)
