"""The evidence gate for a model's claims: the quote must be in the user's message word for word, asserted in the
user's own words, and its sentence must say the claim."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Generic, Literal, TypeVar

from aforesaid.distill.facts.assertion import TextSpan, asserted_sentences, is_own_words
from aforesaid.distill.facts.entailment import Passage, entails, fits_slot, has_words, proves_slot
from aforesaid.distill.facts.slots import has_credential
from aforesaid.models.fact import Claim
from aforesaid.models.message import Utterance
from aforesaid.text.injection import looks_like_injection
from aforesaid.text.memory_blocks import memory_block_spans
from aforesaid.text.sentences import HIDDEN_MARK, ProseSentence

if TYPE_CHECKING:
    from aforesaid.distill.llm.structured_output import FactAnswer, ModelClaim

ClaimRejection = Literal[
    "no such message", "not the user's", "empty", "not in the message", "injected", "secret", "orders",
    "not own words", "not stated", "unsupported", "repeated",
]  # fmt: skip

T = TypeVar("T")
LOOKBACK = 4  # messages before that of a quote that name whom a pronoun means
LONGEST_BEFORE = 2_000  # characters of them
LEAST_QUOTE_LETTERS = 3  # letters and digits; a shorter quote is found anywhere

_WORDS = re.compile(r"\S+")
_LETTERS = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class ProvenClaim:
    """A claim, and the message whose words prove it."""

    message_id: str
    claim: Claim
    given: ModelClaim
    passage: Passage
    sure: bool  # False if the rules cannot decide whether the passage says the claim


@dataclass(frozen=True, slots=True)
class Verdicts(Generic[T]):
    """The accepted claims or episodes of a model, and the number of rejected ones by reason."""

    proven: tuple[T, ...]
    dropped: Mapping[str, int]


def verify_claims(answer: FactAnswer, utterances: Sequence[Utterance]) -> Verdicts[ProvenClaim]:
    """The claims of an answer to `fact_prompt(utterances)` that pass the gate. The stored quote is the message's own
    text, which may differ from the model's quote in white space."""
    proven: dict[tuple[object, ...], ProvenClaim] = {}
    dropped: Counter[str] = Counter()
    for claim in answer.claims:
        result = _verify(claim, utterances)
        if isinstance(result, str):
            dropped[result] += 1
        elif (key := _key(result)) in proven:
            dropped["repeated"] += 1
        else:
            proven[key] = result
    return Verdicts(tuple(proven.values()), dict(dropped))


def has_letters(quote: str) -> bool:
    return len(_LETTERS.findall(quote)) >= LEAST_QUOTE_LETTERS


def find_quote(text: str, quote: str) -> TextSpan | None:
    """The span of a quote in a text, where any white space equals one space; None if the text does not contain it."""
    at = text.find(quote)
    if at >= 0:
        return at, at + len(quote)
    spans = [match.span() for match in _WORDS.finditer(text)]
    words = [text[start:stop] for start, stop in spans]
    starts = [0, *accumulate(len(word) + 1 for word in words)]  # of each word if one space separates them
    first = " ".join(words).find(plain := " ".join(quote.split()))
    if first < 0 or not plain:
        return None
    last = first + len(plain) - 1
    low, high = (bisect_right(starts, place) - 1 for place in (first, last))
    return spans[low][0] + first - starts[low], spans[high][0] + last - starts[high] + 1


def _verify(claim: ModelClaim, utterances: Sequence[Utterance]) -> ProvenClaim | ClaimRejection:
    if not 1 <= claim.message <= len(utterances):
        return "no such message"
    if not claim.text.strip() or not claim.subject.strip():
        return "empty"
    words = f"{claim.text} {claim.attribute or ''} {claim.value or ''}"
    place = locate_quote(claim.quote, words, utterances[claim.message - 1])
    return place if isinstance(place, str) else ground_claim(claim, utterances[: claim.message], place)


def locate_quote(quote: str, words: str, utterance: Utterance) -> TextSpan | ClaimRejection:
    """The span of a quote in a user's message, or why `words` cannot be proven by it."""
    if utterance.role != "user":
        return "not the user's"
    if not has_letters(quote):
        return "empty"
    place = find_quote(utterance.text, quote.strip())
    if place is None:
        return "not in the message"
    return _rejection(words, utterance.text, place) or place


def _rejection(words: str, text: str, place: TextSpan) -> ClaimRejection | None:
    """Why a claim is rejected although its quote is in the message."""
    quote = text[slice(*place)]
    if any(start < place[1] and place[0] < stop for start, stop in memory_block_spans(text)):
        return "injected"
    if has_credential(quote) or has_credential(words):
        return "secret"
    if looks_like_injection(quote) or looks_like_injection(words) or memory_block_spans(words):
        return "orders"
    return None if is_own_words(text, place) else "not own words"


def _key(proven: ProvenClaim) -> tuple[object, ...]:
    claim = proven.claim
    if claim.attribute is None:
        return proven.message_id, claim.kind, claim.subject, claim.text.casefold()
    return proven.message_id, claim.subject, claim.attribute.casefold(), (claim.value or "").casefold()


JUDGMENT_VALUES = frozenset({"likes", "dislikes", "yes", "no", "not"})  # values that the quote says in other words
LONGEST_SENTENCE = 300  # characters of a sentence that can replace the text of a claim


def ground_claim(claim: ModelClaim, messages: Sequence[Utterance], place: TextSpan) -> ProvenClaim | ClaimRejection:
    """The claim, with the user's own sentence as its text if only its value is grounded."""
    utterance = messages[-1]
    near = _asserted_near(utterance.text, place)
    if not near:
        return "not stated"
    passage = _passage(messages, near, place)
    value = _grounded_value(claim.value, passage)
    attribute = " ".join((claim.attribute or "").split())
    slot = proves_slot(attribute, passage)
    verdict = entails(claim.text, f"{claim.kind} {attribute} {value or ''}", passage)
    if verdict == "not said":
        return "not stated"
    text: str | None = claim.text
    if verdict == "unsupported":
        text = None if value is None or _is_judgment(value) else _verbatim(near, utterance.text) or passage.quoted
    if slot == "unsupported" or text is None or (claim.value and value is None):
        return "unsupported"
    grounded = Claim(
        kind=claim.kind,
        subject=" ".join(claim.subject.lower().split()),
        attribute=attribute or None,
        value=value,
        text=" ".join(text.split()),
        quote=utterance.text[slice(*place)],
        start=place[0],
        confidence=claim.confidence,
    )
    fit = fits_slot(grounded, passage)
    if fit == "not said":
        return "not stated"
    return ProvenClaim(utterance.id, grounded, claim, passage, sure=verdict == slot == fit == "said")


def _asserted_near(text: str, place: TextSpan) -> list[ProseSentence]:
    asserted = asserted_sentences(text)
    return [each for each in asserted if each.start < place[1] and place[0] < each.start + len(each.text)]


def quoted_passage(messages: Sequence[Utterance], place: TextSpan) -> Passage | None:
    """The sentences of a quote in the last message; None if its author asserts none of them."""
    near = _asserted_near(messages[-1].text, place)
    return _passage(messages, near, place) if near else None


def _passage(messages: Sequence[Utterance], near: Sequence[ProseSentence], place: TextSpan) -> Passage:
    """The sentences of a quote with what was said before them; years that a model may add come from the date."""
    *earlier, utterance = messages
    start, stop = near[0].start, near[-1].start + len(near[-1].text)
    text = utterance.text[start:stop]
    before = [message.text for message in earlier[-LOOKBACK:] if message.role in ("user", "assistant")]
    years = " ".join(str(utterance.at.year + apart) for apart in (-1, 0, 1))
    span = max(place[0] - start, 0), min(place[1], stop) - start
    return Passage(text, span, "\n".join([*before, utterance.text[:start]])[-LONGEST_BEFORE:], years)


def _grounded_value(raw: str | None, passage: Passage) -> str | None:
    """The value, or its part before the first comma, if the passage has its words."""
    whole = " ".join((raw or "").split())
    for value in (whole, whole.partition(",")[0]):
        if value and (
            _is_judgment(value) or value.casefold() in passage.quoted.casefold() or has_words(value, passage)
        ):
            return value
    return None


def _is_judgment(value: str) -> bool:
    return set(value.casefold().split()) <= JUDGMENT_VALUES


def _verbatim(near: Sequence[ProseSentence], text: str) -> str | None:
    """A sentence as its author wrote it; None if it is long, or contains a credential or an injection."""
    words = text[near[0].start : near[0].start + len(near[0].text)]
    unsafe = HIDDEN_MARK in near[0].text or has_credential(words) or looks_like_injection(words)
    return None if len(words) > LONGEST_SENTENCE or unsafe else words
