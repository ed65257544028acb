"""Salience: how likely a sentence says something that is asked for later. It is a logistic function of cheap features
of the sentence. The salience of a message is that of its best sentence.

`salience.toml` has the words of each language, and the weights, which tools/train_salience.py fits. Pure."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

LONGEST = 4_000  # characters of a message that are read
SHORT = 4  # words; a shorter sentence says little
MOST_WORDS = 2.0  # of one class that count in a sentence
MOST_NAMES = 3
WORDS = (
    "first", "possessive", "kin", "life", "time", "number", "preference", "hedge", "request", "courtesy", "intent",
)  # fmt: skip
FEATURES = (
    *WORDS, "digits", "money", "names", "list", "question", "length", "short", "person", "other_length",
)  # fmt: skip

_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
# A pattern that begins with a set of characters skips all others fast, so these ask what is before them afterwards.
_END = re.compile(r"[.!?…。！？\n](?:(?<=[.!?…])[\"'”’)\]]*\s+|(?<=[。！？])|(?<=\n)\n*)")
_DIGIT = re.compile(r"\d")
_MONEY = re.compile(r"[$€£%]")
_CLOCK = re.compile(r"\d\d:\d\d")
_CAPITAL = "A-ZÀ-ÖØ-Þ"
_NAME = re.compile(rf"[{_CAPITAL}](?<=[^.!?:…\s\"“(*] [{_CAPITAL}])(?<!I(?!\w))[\w'’-]+")  # does not begin a sentence
_LIST_ITEM = re.compile(r"\s*(?:[-*•+#>]|\d{1,2}[.)])\s")
_DENSE_SCRIPT = "\u2e80", "\uffef"  # the first and the last character of scripts with about two characters in a word
_ASKS = ("?", "？", "؟")


def message_salience(text: str, *, person: bool) -> float:
    """The salience of the best sentence, between 0 and 1. `person`: a person wrote it, not an assistant or a tool."""
    weights, bias = _weights()
    logits = (
        sum(map(float.__mul__, weights, sentence_features(sentence, person=person))) for sentence in sentences(text)
    )
    return 1 / (1 + math.exp(-bias - max(logits, default=-math.inf))) if text.strip() else 0.0


def sentences(text: str) -> list[str]:
    """The sentences that are scored."""
    text, start, found = text[:LONGEST], 0, []
    for end in _END.finditer(text):
        found.append(text[start : end.start() + (end[0][0] != "\n")])
        start = end.end()
    return [sentence for sentence in (*found, text[start:]) if sentence and not sentence.isspace()]


def sentence_features(sentence: str, *, person: bool) -> Sequence[float]:
    """One number for each of `FEATURES`."""
    words = _WORD.findall(sentence.replace("’", "'"))
    counts, classes = [0.0] * len(WORDS), _classes()
    for word in words:
        for number in classes.get(word.lower(), ()):
            counts[number] = min(counts[number] + 1.0, MOST_WORDS)
    length = len(words)
    if length < SHORT and not sentence.isascii():
        first, last = _DENSE_SCRIPT
        length = max(length, sum(first <= character <= last for character in sentence) // 2)
    size, digits = math.log1p(length), _DIGIT.search(sentence) is not None
    return [
        *counts,
        float(digits),
        float(_MONEY.search(sentence) is not None or (digits and _CLOCK.search(sentence) is not None)),
        float(min(len(_NAME.findall(sentence)), MOST_NAMES)),
        float(_LIST_ITEM.match(sentence) is not None),
        float(sentence.rstrip().endswith(_ASKS)),
        size,
        float(length < SHORT),
        float(person),
        0.0 if person else size,
    ]


@cache
def _table() -> Mapping[str, Mapping[str, str | float]]:
    return tomllib.loads(files(__package__).joinpath("salience.toml").read_text("utf-8"))


@cache
def _weights() -> tuple[tuple[float, ...], float]:
    weights = _table()["weights"]
    return tuple(float(weights[name]) for name in FEATURES), float(weights["bias"])


@cache
def _classes() -> Mapping[str, tuple[int, ...]]:
    """The classes of each word, by their numbers."""
    classes: dict[str, tuple[int, ...]] = {}
    for language, table in _table().items():
        if language != "weights":
            for name, words in table.items():
                for word in str(words).split():
                    classes[word] = (*classes.get(word, ()), WORDS.index(name))
    return {word: tuple(sorted(set(numbers))) for word, numbers in classes.items()}
