"""Whether a name or a title is the one that somebody looks for."""

from __future__ import annotations

from recollect.text.scripts import fold, normal


def words(query: str) -> tuple[str, ...]:
    """What a query asks for, without case and marks."""
    return tuple(fold(normal(query)).split())


def has(wanted: tuple[str, ...], *texts: str | None) -> bool:
    """Whether each wanted word stands somewhere in the texts, whole or as part of another."""
    there = fold(normal("\n".join(text for text in texts if text)))
    return all(word in there for word in wanted)
