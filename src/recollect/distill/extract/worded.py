"""A model's claim in words that can be kept: its own where they were said, else the user's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from recollect.distill.extract.earnest import Place, agrees, meeting, stated
from recollect.distill.extract.model import ModelClaim
from recollect.distill.extract.prose import HIDDEN, Sentence
from recollect.distill.extract.said import said
from recollect.distill.extract.values import secret
from recollect.records import Claim, Utterance
from recollect.text.orders import orders

GIVEN = frozenset({"likes", "dislikes", "yes", "no", "not"})  # values that name what the quote says in its own words
LONGEST = 300  # characters of a sentence that stands as it is for a claim
TELLING = 4  # letters of a word by which a claim is found in its quote, at least


def worded(given: ModelClaim, utterance: Utterance, place: Place) -> Claim | Literal["not stated", "unsupported"]:
    """The claim. Where its text does not keep to what was said and its value does, the user's own sentence stands in
    its place; where neither does, or the user says it in no earnest, there is none."""
    quote, told = utterance.text[slice(*place)], stated(utterance.text)
    near = meeting(told, place)
    if not near:
        return "not stated"
    heard = f"{_years(utterance)} {_joined(told)}"
    value = _value(given.value, quote, heard)
    if given.value and value is None:
        return "unsupported"
    sentence, at = _anchor(given, near, place)
    if not agrees(f"{given.text} {value or ''}", sentence, at):
        return "not stated"
    if said(given.text, heard, near=_joined(near)):
        return _claim(given, value, given.text, (quote, place[0]))
    if value is None or _judges(value):
        return "unsupported"
    return _claim(given, value, _verbatim(sentence, utterance.text) or quote, (quote, place[0]))


def _value(given: str | None, quote: str, heard: str) -> str | None:
    """A value as far as it keeps to the quote: all of it, or what stands before its first comma."""
    whole = " ".join((given or "").split())
    first = whole.partition(",")[0]
    return next((value for value in (whole, first) if value and _supported(value, quote, heard)), None)


def _supported(value: str, quote: str, heard: str) -> bool:
    return _judges(value) or value.casefold() in quote.casefold() or said(value, heard, near=quote)


def _judges(value: str) -> bool:
    return set(value.casefold().split()) <= GIVEN


def _anchor(given: ModelClaim, near: Sequence[Sentence], place: Place) -> tuple[Sentence, int]:
    """Where the quote has the claim's value, or the first of its words that it has; else its end."""
    words = [word for word in f"{given.value or ''} {given.text}".split() if len(word) >= TELLING or not word.isascii()]
    for word in ([given.value] if given.value else []) + words:
        for sentence in near:
            first = max(place[0] - sentence.start, 0)
            at = sentence.text.lower().find(word.lower(), first, place[1] - sentence.start)
            if at >= 0:
                return sentence, sentence.start + at
    return near[-1], place[1]


def _verbatim(sentence: Sentence, text: str) -> str | None:
    """A sentence as its author wrote it; None where it is long, or has more in it than may be kept."""
    words = text[sentence.start : sentence.start + len(sentence.text)]
    return None if len(words) > LONGEST or HIDDEN in sentence.text or secret(words) or orders(words) else words


def _joined(sentences: Sequence[Sentence]) -> str:
    return " ".join(sentence.text for sentence in sentences)


def _years(utterance: Utterance) -> str:
    """The years that a message is near to: a model may name them where its user did not."""
    return " ".join(str(utterance.at.year + apart) for apart in (-1, 0, 1))


def _claim(given: ModelClaim, value: str | None, text: str, quoted: tuple[str, int]) -> Claim:
    return Claim(
        kind=given.kind,
        subject=" ".join(given.subject.lower().split()),
        attribute=" ".join((given.attribute or "").split()) or None,
        value=value,
        text=" ".join(text.split()),
        quote=quoted[0],
        start=quoted[1],
        confidence=given.confidence,
    )
