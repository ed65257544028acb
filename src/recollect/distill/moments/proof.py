"""A model's episode counts only with words that say so, found where they are said to stand."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from recollect.distill.extract.earnest import own
from recollect.distill.extract.evidence import FEWEST, find
from recollect.distill.moments.find import BY_ASSISTANT
from recollect.distill.moments.model import Answer, ModelEpisode
from recollect.distill.moments.weigh import LEAST
from recollect.records import Utterance
from recollect.text.orders import orders

Reason = Literal[
    "no such messages", "not the user's", "empty", "not in the message", "not own words", "orders", "slight"
]

_LETTERS = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class Proven:
    """An episode as the model gave it, its messages, and the words of `proof` that say how it came out."""

    given: ModelEpisode
    said: Sequence[Utterance]
    proof: Utterance
    quote: str


@dataclass(frozen=True, slots=True)
class Judged:
    """What came through, and how many did not, by reason."""

    proven: tuple[Proven, ...]
    dropped: Mapping[Reason, int]


def judged(answer: Answer, utterances: Sequence[Utterance]) -> Judged:
    """The episodes of an answer to `prompt(utterances)` whose quotes stand word for word in one of their messages, said
    by the user in their own voice; of an issue, by the user or the assistant.

    White space alone may differ from the quote that was given; the proven quote is the message's own stretch.
    """
    results = [_judged(given, utterances) for given in answer.episodes]
    proven = tuple(result for result in results if isinstance(result, Proven))
    return Judged(proven, dict(Counter(result for result in results if not isinstance(result, Proven))))


def _judged(given: ModelEpisode, utterances: Sequence[Utterance]) -> Proven | Reason:
    if not 1 <= given.first <= given.message <= given.last <= len(utterances):
        return "no such messages"
    proof = utterances[given.message - 1]
    if proof.role != "user" and not (proof.role == "assistant" and given.type in BY_ASSISTANT):
        return "not the user's"
    if len(_LETTERS.findall(given.quote)) < FEWEST:
        return "empty"
    place = find(proof.text, given.quote.strip())
    if place is None:
        return "not in the message"
    return _objection(given, proof.text, place) or Proven(
        given, utterances[given.first - 1 : given.last], proof, proof.text[slice(*place)]
    )


def _objection(given: ModelEpisode, text: str, place: tuple[int, int]) -> Reason | None:
    """What speaks against an episode although its quote was found."""
    if not own(text, place):
        return "not own words"
    if orders(text[slice(*place)]):
        return "orders"
    return "slight" if given.significance < LEAST else None
