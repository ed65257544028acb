"""What a question asks for: its terms and its identifiers."""

from __future__ import annotations

from dataclasses import dataclass

from recollect.text import accept
from recollect.text.identifiers import identifiers
from recollect.text.terms import query_terms

LONGEST = 20_000  # characters of a question that are looked at


@dataclass(frozen=True, slots=True)
class Query:
    text: str
    terms: tuple[str, ...]
    identifiers: tuple[str, ...]


def understand(text: str) -> Query:
    """Reads a question. Full-text syntax in it has no meaning: it is read as words."""
    looked_at = accept.words(text, "query")[:LONGEST]
    return Query(looked_at, query_terms(looked_at), identifiers(looked_at))
