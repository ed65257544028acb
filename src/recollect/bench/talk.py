"""Made-up chat: the same every time, with words as unequal in frequency as real ones."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import accumulate

WORDS = 20_000
COMMON_WORDS = """
the of and a to in is you that it he was for on are as with his they at be this have from or one had by word but not
what all were we when your can said there use an each which she do how their if will up other about out many
"""
COMMON = COMMON_WORDS.split()
SYLLABLES = ("ba", "ko", "ri", "mu", "sen", "tal", "vo", "lin", "der", "sha", "mo", "pel", "ka", "ru", "ni", "ves")


def vocabulary(rng: random.Random) -> list[str]:
    made = {"".join(rng.choices(SYLLABLES, k=rng.randint(2, 4))) for _ in range(WORDS * 2)}
    return [*COMMON, *sorted(made)[: WORDS - len(COMMON)]]


class Talk:
    """Messages of 5 to 45 words, by Zipf's law."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)
        words = vocabulary(random.Random(0))
        head, tail = words[: len(COMMON)], words[len(COMMON) :]
        random.Random(1).shuffle(tail)
        self._words = head + tail
        self._weights = list(accumulate(1 / (rank + 2) for rank in range(len(self._words))))

    def message(self) -> str:
        chosen = self._rng.choices(self._words, cum_weights=self._weights, k=self._rng.randint(5, 45))
        return " ".join(chosen).capitalize() + "."

    def messages(self, count: int) -> Iterator[dict[str, str]]:
        for at in range(count):
            yield {"role": "assistant" if at % 2 else "user", "content": self.message()}

    def question(self) -> str:
        rare = self._rng.choices(self._words[200:5000], k=3)
        return f"what did we say about {' '.join(rare)}?"
