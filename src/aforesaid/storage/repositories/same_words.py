"""Finds what else in a space states the words of an erasure: other messages, facts, summaries and episodes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from aforesaid.storage import queries
from aforesaid.storage.columns import json_text
from aforesaid.storage.database import Row, Session
from aforesaid.storage.repositories.lexical import SQL as CHUNKS
from aforesaid.storage.repositories.lexical import fetch_postings
from aforesaid.text.analyzer import index_terms

SQL = queries.named("forget")

LEAST_TERMS = 3  # of words that are searched inside other texts; fewer count only as a whole text
SEPARATORS = " \t\n.,;:!?…。！？\"'“”‘’«»()[]"


def messages_with(session: Session, space_key: int, words: Iterable[str]) -> list[Row]:
    """Returns the messages that state one of these texts, in order. Only texts in the full-text index are found."""
    states, found = stating(words), {}
    for text in words:
        for row in _candidates(session, space_key, text):
            if states(row.text):
                found[row.message_key] = row
    return [found[key] for key in sorted(found)]


def records_with(session: Session, space_key: int, words: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Yields the kind and the key of the facts, summaries and episodes that state one of these texts."""
    states = stating(words)
    for row in session.fetch(SQL["derived_texts"], {"space_key": space_key}):
        if states(row.text):
            yield row.kind, row.record_key


def stating(words: Iterable[str]) -> Callable[[str], bool]:
    """A test whether a text has one of these texts, in any case and spacing, between the bounds of words. A short one
    must be the whole text."""
    texts = {text: len(set(index_terms(text))) for text in map(_folded, words) if text}
    whole = {text for text, terms in texts.items() if terms < LEAST_TERMS}
    inside = sorted(set(texts) - whole)
    pattern = re.compile("|".join(_bounded(text) for text in inside)) if inside else None

    def states(text: str) -> bool:
        folded = _folded(text)
        return folded in whole or (pattern is not None and pattern.search(folded) is not None)

    return states


def _bounded(text: str) -> str:
    before, after = (r"(?<!\w)" if text[0].isalnum() else ""), (r"(?!\w)" if text[-1].isalnum() else "")
    return f"{before}{re.escape(text)}{after}"


def _folded(text: str) -> str:
    return " ".join(text.casefold().split()).strip(SEPARATORS)


def _candidates(session: Session, space_key: int, text: str) -> Sequence[Row]:
    """The messages that have the rarest term of a text."""
    terms = [f"{space_key}{term}" for term in sorted(set(index_terms(text)))]
    if not terms:
        return []
    chunk_keys = min(fetch_postings(session, CHUNKS, terms), key=len)
    scope = {"space_key": space_key, "chunks": json_text([int(key) for key in chunk_keys])}
    return session.fetch(SQL["of_chunks"], scope)
