"""Near-duplicates: the same thing said again takes no second place."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import TypeVar

from recollect.text.identifiers import PUNCTUATION
from recollect.text.stopwords import STOPWORDS

T = TypeVar("T")

ALIKE = 0.9  # of two texts' words in common
FEW = 6  # a text of fewer words is a duplicate only when it is word for word the same
COMPARED = 4_000  # characters


def distinct(texts: Iterable[tuple[T, str]]) -> Iterator[tuple[T, bool]]:
    """Each item, and whether one before it says nearly the same."""
    said: set[str] = set()
    alike = Alike()
    for item, text in texts:
        words = text[:COMPARED].casefold().split()
        plain = " ".join(words)
        telling = (word.strip(PUNCTUATION) for word in words)
        again = plain in said or alike.seen(frozenset(word for word in telling if word not in STOPWORDS))
        said.add(plain)
        yield item, again


class Alike:
    """Sets of words that nearly equal one seen before.

    Two sets that share nine tenths of their words share one of the first tenth of either, in any fixed order, so only
    sets that meet there are compared.
    """

    def __init__(self) -> None:
        self._by_word: defaultdict[str, list[frozenset[str]]] = defaultdict(list)

    def seen(self, words: frozenset[str]) -> bool:
        if len(words) < FEW:
            return False
        rare = sorted(words, key=lambda word: (-len(word), word))  # long words are rare, so few sets meet there
        first = rare[: len(words) - math.ceil(ALIKE * len(words)) + 1]
        if any(_alike(words, other) for word in first for other in self._by_word[word]):
            return True
        for word in first:
            self._by_word[word].append(words)
        return False


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return len(one & other) >= ALIKE * len(one | other)
