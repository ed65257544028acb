"""Merges message hits and note hits into one ranked list, and finds near-duplicate texts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TypeVar

from aforesaid.models.recall import Hit
from aforesaid.text.identifiers import PUNCTUATION
from aforesaid.text.stopwords import STOPWORDS

T = TypeVar("T")

MIN_OVERLAP = 0.9  # of the words of two near-duplicates
MIN_WORDS = 6  # a text of fewer words is a duplicate only of the same text
LONGEST_WORDS = 3  # longest words of a text: only texts that share two of them are compared
MAX_CHARACTERS = 4_000  # of a text that are compared


def mark_duplicates(texts: Iterable[tuple[T, str]]) -> Iterator[tuple[T, bool]]:
    """Each item, with True if an earlier text says nearly the same."""
    seen: set[str] = set()
    by_words: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for item, text in texts:
        words = text[:MAX_CHARACTERS].casefold().split()
        plain = " ".join(words)
        longest = list(combinations(sorted(sorted(words, key=len, reverse=True)[:LONGEST_WORDS]), 2))
        others = {other for pair in longest for other in by_words[pair]}
        duplicate = plain in seen or (bool(others) and _is_duplicate(plain, others))
        seen.add(plain)
        if not duplicate:
            for pair in longest:
                by_words[pair].append(plain)
        yield item, duplicate


def duplicated_row(texts: Sequence[str], row: int) -> int | None:
    """The first row whose text says nearly the same as that of `row`, if `mark_duplicates` marks it; else None."""
    marked = [duplicate for _, duplicate in mark_duplicates(enumerate(texts[: row + 1]))]
    if not marked[row]:
        return None
    *earlier, own = (" ".join(text[:MAX_CHARACTERS].casefold().split()) for text in texts[: row + 1])
    return next(at for at, other in enumerate(earlier) if other == own or _is_duplicate(own, {other}))


def _is_duplicate(plain: str, others: set[str]) -> bool:
    words = _content_words(plain)
    if len(words) < MIN_WORDS:
        return False
    return any(len(words & other) >= MIN_OVERLAP * len(words | other) for other in map(_content_words, others))


def _content_words(plain: str) -> frozenset[str]:
    bare = (word.strip(PUNCTUATION) for word in plain.split())
    return frozenset(word for word in bare if word not in STOPWORDS)


def merge_hits(messages: Sequence[Hit], notes: Sequence[Hit]) -> tuple[Hit, ...]:
    """The hits, best first. A note that repeats the text of a message hit is left out. A fact, an episode, or a pin in
    the words of its message is merged into the message's hit, without changing its rank."""
    texts = {hit.text for hit in messages} | {hit.message.text for hit in messages if hit.message}
    places = {hit.id: at for at, hit in enumerate(messages)}
    merged, separate = list(messages), []
    for note in notes:
        owners = [places[id] for id in note.messages if id in places and _stands_for(messages[places[id]], note)]
        if owners:
            at = min(owners)
            merged[at] = replace(merged[at], notes=(*merged[at].notes, note.id))
        elif note.text not in texts:
            separate.append(note)
    return tuple(sorted([*merged, *separate], key=lambda hit: -hit.score.relevance))


def _stands_for(hit: Hit, note: Hit) -> bool:
    return note.kind != "pin" or (hit.message is not None and note.text in hit.message.text)
