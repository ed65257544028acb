"""How a stretch of talk feels, by words of good and of bad things."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import regex

from recollect.distill.extract.claims import spoken
from recollect.distill.extract.language import Compiled, finder
from recollect.distill.extract.prose import sentences, voice
from recollect.distill.moments.languages import WAYS

DOUBTFUL = 2  # words of either kind that are assumed beside those found: one word alone does not make a mood


def tone(texts: Iterable[str]) -> float:
    """From −1 (all bad) to 1 (all good); 0 where nothing tells. A word that is denied in its sentence counts for the
    other side."""
    good = bad = 0
    for text in texts:
        for glad, sad in _counted(voice(text)):
            good, bad = good + glad, bad + sad
    return (good - bad) / (good + bad + DOUBTFUL)


def _counted(own: str) -> list[tuple[int, int]]:
    language = next((language for language in spoken(own) if language.code in WAYS), None)
    if language is None:
        return []
    glad, sad = _words(language.code)
    nay = finder(language, _NOT, own)
    found = []
    for sentence in sentences(own):
        pair = len(glad.findall(sentence.text)), len(sad.findall(sentence.text))
        found.append(pair[::-1] if nay.search(sentence.text) else pair)
    return found


_NOT = (
    r"not|never|no longer|isn't|wasn't|don't|didn't|doesn't|aren't|nicht|nie|kein\w*|pas|jamais|plus de|no|nunca|non"
    r"|mai|não|niet|nooit|geen"
)


@cache
def _words(code: str) -> tuple[Compiled, Compiled]:
    ways = WAYS[code]
    return _beginning(ways.glad), _beginning(ways.sad)


def _beginning(words: tuple[str, ...]) -> Compiled:
    return regex.compile(rf"\b(?:{'|'.join(map(regex.escape, words))})\w*", regex.IGNORECASE)
