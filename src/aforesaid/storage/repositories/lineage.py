"""Lineage: which records were made from which sources. Written inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Iterable

from aforesaid.storage import queries
from aforesaid.storage.database import Session

SQL = queries.named("lineage")

DerivedKey = tuple[str, int]  # the kind of the record ("summary", "episode"), and its key
SourceKey = tuple[str, int]  # the kind of the source ("message", "summary", "fact"), and its key


def put(session: Session, space_key: int, made: DerivedKey, sources: Iterable[SourceKey]) -> None:
    """Adds sources to those that are recorded for a record."""
    derived, derived_key = made
    scope = {"space_key": space_key, "derived": derived, "derived_key": derived_key}
    session.execute_each(SQL["put"], [{**scope, "source": kind, "source_key": key} for kind, key in sources])


def made_from(session: Session, space_key: int, sources: Iterable[SourceKey]) -> list[DerivedKey]:
    """Returns everything that was made from any of these, directly or not; each once, the nearest first."""
    derived: dict[DerivedKey, None] = {}
    waiting = list(sources)
    while waiting:
        kind, key = waiting.pop(0)
        for row in session.fetch(SQL["made_from"], {"space_key": space_key, "source": kind, "source_key": key}):
            if (made := (row.derived, row.derived_key)) not in derived:
                derived[made] = None
                waiting.append(made)
    return list(derived)


def remove(session: Session, space_key: int, made: DerivedKey) -> None:
    """Removes the sources of something, and itself as a source."""
    kind, key = made
    scope = {"space_key": space_key, "kind": kind, "key": key}
    session.execute(SQL["remove"], scope)
    session.execute(SQL["remove_source"], scope)


def remove_sources(session: Session, space_key: int, kind: str, keys: Iterable[int]) -> None:
    """Removes these as sources, before they are deleted."""
    session.execute_each(SQL["remove_source"], [{"space_key": space_key, "kind": kind, "key": key} for key in keys])
