"""The evidence gate: a claim counts only with words that the user wrote, found where they are said to stand."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

from recollect.distill.extract.earnest import own
from recollect.distill.extract.model import Answer, ModelClaim
from recollect.distill.extract.values import secret
from recollect.distill.extract.worded import worded
from recollect.records import Claim, Utterance
from recollect.text.injected import injected
from recollect.text.orders import orders

Reason = Literal[
    "no such message", "not the user's", "empty", "not in the message", "injected", "secret", "orders",
    "not own words", "not stated", "unsupported", "repeated",
]  # fmt: skip

FEWEST = 3  # letters and figures of a quote: with fewer, anything is found anywhere

_WORDS = re.compile(r"\S+")
_LETTERS = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class Proven:
    """A claim, and the message whose words prove it."""

    message_id: str
    claim: Claim


@dataclass(frozen=True, slots=True)
class Gated:
    """What came through, and how many claims did not, by reason."""

    proven: tuple[Proven, ...]
    dropped: Mapping[Reason, int]


def gated(answer: Answer, utterances: Sequence[Utterance]) -> Gated:
    """The claims of an answer to `prompt(utterances)` whose quotes stand in the user's messages word for word, said in
    earnest and in the user's own voice, and whose texts keep to what was said.

    White space alone may differ from the quote that was given; the claim's quote is the message's own stretch. Where a
    text does not keep to what was said and its value does, the user's own sentence stands in its place.
    """
    proven: dict[tuple[object, ...], Proven] = {}
    dropped: Counter[Reason] = Counter()
    for given in answer.claims:
        result = _judged(given, utterances)
        if isinstance(result, str):
            dropped[result] += 1
        elif (key := _key(result)) in proven:
            dropped["repeated"] += 1
        else:
            proven[key] = result
    return Gated(tuple(proven.values()), dict(dropped))


def find(text: str, quote: str) -> tuple[int, int] | None:
    """Where a quote stands in a text, white space counting as one blank; None where it does not."""
    at = text.find(quote)
    if at >= 0:
        return at, at + len(quote)
    spans = [match.span() for match in _WORDS.finditer(text)]
    words = [text[start:stop] for start, stop in spans]
    starts = [0, *accumulate(len(word) + 1 for word in words)]  # of each word where one blank stands between
    first = " ".join(words).find(wanted := " ".join(quote.split()))
    if first < 0 or not wanted:
        return None
    last = first + len(wanted) - 1
    low, high = (bisect_right(starts, place) - 1 for place in (first, last))
    return spans[low][0] + first - starts[low], spans[high][0] + last - starts[high] + 1


def _judged(given: ModelClaim, utterances: Sequence[Utterance]) -> Proven | Reason:
    if not 1 <= given.message <= len(utterances):
        return "no such message"
    utterance = utterances[given.message - 1]
    if utterance.role != "user":
        return "not the user's"
    if len(_LETTERS.findall(given.quote)) < FEWEST or not given.text.strip() or not given.subject.strip():
        return "empty"
    place = find(utterance.text, given.quote.strip())
    if place is None:
        return "not in the message"
    kept = _objection(given, utterance.text, place) or worded(given, utterance, place)
    return Proven(utterance.id, kept) if isinstance(kept, Claim) else kept


def _objection(given: ModelClaim, text: str, place: tuple[int, int]) -> Reason | None:
    """What speaks against a claim although its quote was found."""
    quote, told = text[slice(*place)], f"{given.text} {given.attribute or ''} {given.value or ''}"
    if any(start < place[1] and place[0] < stop for start, stop in injected(text)):
        return "injected"
    if secret(quote) or secret(told):
        return "secret"
    if orders(quote) or orders(told) or injected(given.text):
        return "orders"
    return None if own(text, place) else "not own words"


def _key(proven: Proven) -> tuple[object, ...]:
    claim = proven.claim
    if claim.attribute is None:
        return proven.message_id, claim.kind, claim.subject, claim.text.casefold()
    return proven.message_id, claim.subject, claim.attribute.casefold(), (claim.value or "").casefold()
