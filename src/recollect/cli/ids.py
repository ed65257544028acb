"""Ids as people type them: whole, or the beginning of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from recollect import Fact, Memory, Space

PAGE = 1000  # facts read at once
NAMED = 3  # ids that an error names


def fact_id(space: Space, given: str) -> str:
    """The id of the fact that is meant."""
    return _meant((fact.id for fact in _all(space)), given, "fact", f"space {space.id!r} has no fact {given!r}")


def key_id(memory: Memory, given: str) -> str:
    """The id of the key that is meant."""
    every = memory.keys()
    return _meant((key.id for key in every), given, "key", f"there is no key {given!r}")


def _meant(ids: Iterable[str], given: str, what: str, missing: str) -> str:
    """The id that is given, else the only one that begins so."""
    found = [id for id in ids if id.startswith(given)] if given.strip() else []
    if given in found:
        return given
    if not found:
        raise NotFound(missing)
    if len(found) > 1:
        named = ", ".join(found[:NAMED]) + (", …" if len(found) > NAMED else "")
        raise InvalidInput(f"{given!r} begins the ids of {len(found)} {what}s ({named}); give more of it")
    return found[0]


def _all(space: Space) -> Iterator[Fact]:
    page = space.facts(PAGE, status=None)
    while page:
        yield from page
        page = space.facts(PAGE, status=None, after=page[-1].id)
