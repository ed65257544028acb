"""What a conversation is about, in a few of its own words: those that come back in message after message.

Names and identifiers weigh more than common words. Of scripts without spaces the stretches count that are repeated.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

import regex

from recollect.distill.common import COMMON
from recollect.distill.sayings import sayings
from recollect.records import Utterance
from recollect.text.identifiers import identifiers
from recollect.text.scripts import fold, normal, runs
from recollect.text.secrets import masked
from recollect.text.terms import index_terms

MOST = 5
LONGEST = 40  # characters of a topic
LEAST_LETTERS = 4  # of a common word; shorter ones are mostly grammar, in any language that has spaces
STRETCHES = (4, 3, 2)  # characters of a repeated stretch of a script without spaces, the longest first
NAME = 2.0  # how much more a name weighs than a common word

_MASKED = regex.compile(r"\[masked: [a-z ]++\]")
_WORD = regex.compile(r"[\p{L}\p{N}][\p{L}\p{M}\p{N}_.'’-]*+")


def topics(utterances: Sequence[Utterance], most: int = MOST) -> tuple[str, ...]:
    """At most so many, the weightiest first, as they were written most often. None where nothing tells it apart.
    No secret is one: topics are names, which nobody masks."""
    weights: defaultdict[str, float] = defaultdict(float)
    written: defaultdict[str, Counter[str]] = defaultdict(Counter)
    heard: set[tuple[str, int]] = set()
    for one in sayings(utterances):
        for key, form, weight in _words(_MASKED.sub(" ", masked(one.text))):
            written[key][form] += 1
            weights[key] += weight * (1.0 if (key, one.place) not in heard else 0.3)
            heard.add((key, one.place))
    spread = Counter(key for key, _ in heard)
    repeated = {key: weight for key, weight in weights.items() if spread[key] > 1 or weight > 1} or weights
    ranked = sorted(repeated, key=lambda key: (-repeated[key] * spread[key] ** 0.5, key))
    return _apart([written[key].most_common(1)[0][0] for key in ranked[: 4 * most]], most)


def _words(sentence: str) -> Iterator[tuple[str, str, float]]:
    """Each word that may be a topic: what it counts as, how it is written, what it weighs."""
    for number, (dense, token) in enumerate(runs(normal(sentence))):
        if dense:
            yield from _stretches(dense)
            continue
        for match in _WORD.finditer(token[: 4 * LONGEST]):
            word = match[0].strip("._'’-").removesuffix("'s").removesuffix("’s")
            weight = _weight(word, opening=number == 0)
            terms = index_terms(word) if weight else ()
            if terms:
                yield terms[-1], word[:LONGEST], weight


def _weight(word: str, *, opening: bool) -> float:
    if fold(word) in COMMON or word.isdigit():
        return 0.0
    if identifiers(word) or (len(word) > 1 and word[0].isupper() and not opening):
        return NAME
    return 1.0 if len(word) >= LEAST_LETTERS and not word[0].isdigit() else 0.0


def _stretches(run: str) -> Iterator[tuple[str, str, float]]:
    for size in STRETCHES:
        for begin in range(len(run) - size + 1):
            stretch = run[begin : begin + size]
            yield stretch, stretch, size / 4


def _apart(words: Sequence[str], most: int) -> tuple[str, ...]:
    """Without those that another one contains, or is contained in."""
    kept: list[str] = []
    for word in words:
        folded = fold(word)
        if not any(folded in fold(other) or fold(other) in folded for other in kept):
            kept.append(word)
    return tuple(kept[:most])
