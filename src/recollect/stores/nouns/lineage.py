"""What was made from what, inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Iterable

from recollect.stores import queries
from recollect.stores.database import Session

SQL = queries.named("lineage")

Made = tuple[str, int]  # what it is ("summary", "episode"), and its key
Source = tuple[str, int]  # what it is ("message", "summary", "fact"), and its key


def put(session: Session, space_key: int, made: Made, sources: Iterable[Source]) -> None:
    """Says what something was made from, besides what is said already."""
    scope = {"space_key": space_key, "derived": made[0], "derived_key": made[1]}
    session.execute_each(SQL["put"], [{**scope, "source": kind, "source_key": key} for kind, key in sources])


def made_from(session: Session, space_key: int, sources: Iterable[Source]) -> list[Made]:
    """Everything that was made from any of these, at however many removes; each once, the nearest first."""
    found: dict[Made, None] = {}
    waiting = list(sources)
    while waiting:
        kind, key = waiting.pop(0)
        for row in session.fetch(SQL["made_from"], {"space_key": space_key, "source": kind, "source_key": key}):
            made = str(row[0]), int(row[1])
            if made not in found:
                found[made] = None
                waiting.append(made)
    return list(found)


def remove(session: Session, space_key: int, made: Made) -> None:
    """Forgets what something was made from, and that anything was made from it."""
    scope = {"space_key": space_key, "kind": made[0], "key": made[1]}
    session.execute(SQL["remove"], scope)
    session.execute(SQL["remove_source"], scope)


def remove_sources(session: Session, space_key: int, kind: str, keys: Iterable[int]) -> None:
    """Forgets that anything was made from these: they are going."""
    session.execute_each(SQL["remove_source"], [{"space_key": space_key, "kind": kind, "key": key} for key in keys])
