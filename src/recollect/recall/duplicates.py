"""Near-duplicates: the same thing said again takes no second place."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import TypeVar

from recollect.text.identifiers import PUNCTUATION
from recollect.text.stopwords import STOPWORDS

T = TypeVar("T")

ALIKE = 0.9  # of two texts' words in common
FEW = 6  # a text of fewer words is a duplicate only when it is word for word the same
LONGEST = 3  # words by which texts meet: only those that share two of them are compared
COMPARED = 4_000  # characters


def distinct(texts: Iterable[tuple[T, str]]) -> Iterator[tuple[T, bool]]:
    """Each item, and whether one before it says nearly the same."""
    said: set[str] = set()
    met: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for item, text in texts:
        words = text[:COMPARED].casefold().split()
        plain = " ".join(words)
        longest = list(combinations(sorted(sorted(words, key=len, reverse=True)[:LONGEST]), 2))
        others = {other for pair in longest for other in met[pair]}
        again = plain in said or (bool(others) and _said(plain, others))
        said.add(plain)
        if not again:
            for pair in longest:
                met[pair].append(plain)
        yield item, again


def _said(plain: str, others: set[str]) -> bool:
    words = _telling(plain)
    return len(words) >= FEW and any(_alike(words, _telling(other)) for other in others)


def _telling(plain: str) -> frozenset[str]:
    bare = (word.strip(PUNCTUATION) for word in plain.split())
    return frozenset(word for word in bare if word not in STOPWORDS)


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return len(one & other) >= ALIKE * len(one | other)
