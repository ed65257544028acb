"""What was said, sentence by sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import regex

from recollect.distill.cut import safe
from recollect.records import Utterance
from recollect.text.terms import index_terms

LONGEST = 20_000  # characters of a message that are looked at, from its beginning and from its end each
SPOKEN = ("user", "assistant")

_CODE = regex.compile(r"(?ms)^[ \t]*+(?P<fence>`{3,}+|~{3,}+).*?(?:^[ \t]*+(?P=fence)[^\n]*+$|\Z)")
_MARKUP = regex.compile(r"^(?:[-*+>#•]{1,6}[ \t]++|[0-9]{1,3}[.)][ \t]++)++|\*\*|__")
_SPACE = regex.compile(r"\s+")
_END = regex.compile(
    r"""
    (?<!\b(?:\p{Lu}|Mr|Mrs|Ms|Dr|Prof|St|No|Nr|vs|etc|e\.g|i\.e|z\.\s?B|ca|bzw|usw))
    [.!?…]++["'”’»)\]]*+\s+(?!\p{Ll})
    | [。！？｡．؟۔।॥။።][\"'”’»」』）)\]]*+\s*
    | [\n\r\u2028\u2029]\s*
    """,
    regex.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Saying:
    """One sentence, in one line: of message number `place`, by `speaker`. `terms` are what it is about, each once."""

    place: int
    speaker: str
    role: str
    text: str
    terms: tuple[str, ...]


def spoken(utterances: Sequence[Utterance]) -> tuple[Utterance, ...]:
    """What user and assistant said in words; neither instructions nor what tools answered."""
    return tuple(one for one in utterances if one.role in SPOKEN and one.text.strip())


def sayings(utterances: Sequence[Utterance]) -> list[Saying]:
    """The sentences of user and assistant in their order, without code."""
    found: list[Saying] = []
    for place, one in enumerate(spoken(utterances)):
        speaker = _named(one)
        for sentence in sentences(one.text):
            found.append(Saying(place, speaker, one.role, sentence, tuple(dict.fromkeys(index_terms(sentence)))))
    return found


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text in any script, each in one line, without code and list marks."""
    if len(text) > 2 * LONGEST:
        text = f"{text[:LONGEST]}\n{text[-LONGEST:]}"
    for piece in _pieces(_CODE.sub("\n", safe(text))):
        sentence = _SPACE.sub(" ", _MARKUP.sub("", piece.strip())).strip()
        if sentence:
            yield sentence


def _pieces(text: str) -> Iterator[str]:
    begin = 0
    for match in _END.finditer(text):
        yield text[begin : match.end()]
        begin = match.end()
    yield text[begin:]


def _named(utterance: Utterance) -> str:
    """The speaker's name in one line, without what would end it."""
    name = _SPACE.sub(" ", safe(utterance.speaker)).replace("]", ")").strip()
    return name[:40] or utterance.role
