"""How a language says that something happened, that something shall be remembered, and how it feels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from recollect.models import EpisodeType


@dataclass(frozen=True, eq=False)
class Ways:
    """A language's words. A space in a pattern is any white space, and a pattern matches whole words.

    `says` has a pattern a type. `denied` finds words that, before it in the clause, take it back or put it off ("not",
    "until"). `breaks` are the words at which a clause ends. `strong` finds what makes it weigh more. `remember` begins
    a sentence that shall be kept in mind, `events` are what one has an appointment for. `past` finds what says that it
    is long over, `elsewhere` what else makes a sentence no appointment. `glad` and `sad` are words of good and of bad
    things, without endings: a word counts that begins so. `believed` finds what says, before it, that somebody was
    mistaken ("I thought"), and `undone` what says, after it, that it was not so, or not for long ("but it came back").
    """

    code: str
    says: Mapping[EpisodeType, str]
    denied: str
    breaks: str
    strong: str
    remember: str
    events: str
    past: str
    glad: tuple[str, ...]
    sad: tuple[str, ...]
    elsewhere: str = ""
    believed: str = ""
    undone: str = ""


def stems(text: str) -> tuple[str, ...]:
    return tuple(text.split())
