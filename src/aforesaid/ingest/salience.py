"""Salience: how likely a message holds something that is asked for later, from 0 to 1.

A logistic regression over simple features of the text: length, numbers, times, names, and classes of words such as kin,
life events, preferences, hedges and requests. The words of seven languages are in salience.toml, the weights were
fitted on our own corpus and LongMemEval by tools/train_recall.py."""

from __future__ import annotations

import math
import tomllib
from collections import Counter
from functools import cache
from importlib.resources import files

import regex

from aforesaid.text.questions import question_share
from aforesaid.text.time_expressions import mentions_time

READ = 4_000  # characters of a message that are read
SATURATION = 3  # words of a class that count; more of them say no more
_WORD = regex.compile(r"[\p{L}\p{M}]+(?:['’-]\p{L}+)*")
_NUMBER = regex.compile(r"\p{N}+(?:[.,:]\p{N}+)*")
_NAME = regex.compile(r"(?<![.!?…:\n•*#>\-]\s)(?<!^)(?<![\p{L}'’])\p{Lu}[\p{Ll}\p{M}]{2,}")
_MONEY = regex.compile(
    r"\p{Sc}\s?\p{N}|\p{N}\s?(?:\p{Sc}|%|km\b|kg\b|miles\b|hours?\b|minutes?\b|years?\b|months?\b|weeks?\b|days?\b)"
)
_LIST = regex.compile(r"^\s*(?:[-*•]|\d+[.)])\s", regex.MULTILINE)
_QUOTED = regex.compile(r"[\"“«„][^\"”»“]{2,60}[\"”»“]")
CLASSES = (
    "number",
    "possessive",
    "first",
    "kin",
    "event",
    "life",
    "preference",
    "hedge",
    "request",
    "intent",
    "courtesy",
)


def features(role: str, text: str) -> dict[str, float]:
    head = text[:READ]
    words = _WORD.findall(head.lower().replace("’", "'"))
    classes = _classes()
    counts = Counter(classes[word] for word in words if word in classes)
    length = len(text.split())
    user = float(role != "assistant")
    row = {name: min(counts[name], SATURATION) / SATURATION for name in CLASSES}
    row |= {
        f"{name}_share": counts[name] / (len(words) + 5) for name in ("first", "request", "hedge", "courtesy", "event")
    }
    row |= {
        "user": user,
        "length": math.log1p(length),
        "length_user": user * math.log1p(length),
        "short": float(length < 5),
        "long": float(length > 150),
        "digits": min(len(_NUMBER.findall(head)), SATURATION) / SATURATION,
        "money": float(_MONEY.search(head) is not None),
        "time": float(mentions_time(head)),
        "names": min(len(_NAME.findall(head)), SATURATION) / SATURATION,
        "quoted": float(_QUOTED.search(head) is not None),
        "list": float(_LIST.search(head) is not None),
        "code": float("```" in head),
        "question": question_share(head),
        "exclamation": float("!" in head),
    }
    return row


@cache
def _classes() -> dict[str, str]:
    """The class of each word, in all languages."""
    tables = tomllib.loads(files(__package__).joinpath("salience.toml").read_text("utf-8"))
    return {word: name for table in tables.values() for name, words in table.items() for word in words.split()}
