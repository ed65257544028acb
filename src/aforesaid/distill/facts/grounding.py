"""The evidence gate for a model's claims: the quote must be in the user's message word for word, asserted in the
user's own words, and the claim must use the user's words; at most a third may be new."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, takewhile
from typing import TYPE_CHECKING, Generic, Literal, TypeVar

import regex

from aforesaid.distill.facts.assertion import TextSpan, asserted_sentences, detect_language, is_own_words, same_polarity
from aforesaid.distill.facts.slots import has_credential
from aforesaid.models.fact import Claim
from aforesaid.models.message import Utterance
from aforesaid.text.analyzer import index_terms
from aforesaid.text.injection import looks_like_injection
from aforesaid.text.memory_blocks import memory_block_spans
from aforesaid.text.normalize import fold, normalize
from aforesaid.text.sentences import HIDDEN_MARK, ProseSentence

if TYPE_CHECKING:
    from aforesaid.distill.llm.structured_output import FactAnswer, ModelClaim

ClaimRejection = Literal[
    "no such message", "not the user's", "empty", "not in the message", "injected", "secret", "orders",
    "not own words", "not stated", "unsupported", "repeated",
]  # fmt: skip

T = TypeVar("T")
LEAST_QUOTE_LETTERS = 3  # letters and digits; a shorter quote is found anywhere

_WORDS = re.compile(r"\S+")
_LETTERS = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class ProvenClaim:
    """A claim, and the message whose words prove it."""

    message_id: str
    claim: Claim


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
    utterance = utterances[claim.message - 1]
    if utterance.role != "user":
        return "not the user's"
    if not has_letters(claim.quote) or not claim.text.strip() or not claim.subject.strip():
        return "empty"
    place = find_quote(utterance.text, claim.quote.strip())
    if place is None:
        return "not in the message"
    result = _rejection(claim, utterance.text, place) or ground_claim(claim, utterance, place)
    return ProvenClaim(utterance.id, result) if isinstance(result, Claim) else result


def _rejection(claim: ModelClaim, text: str, place: TextSpan) -> ClaimRejection | None:
    """Why a claim is rejected although its quote is in the message."""
    quote, words = text[slice(*place)], f"{claim.text} {claim.attribute or ''} {claim.value or ''}"
    if any(start < place[1] and place[0] < stop for start, stop in memory_block_spans(text)):
        return "injected"
    if has_credential(quote) or has_credential(words):
        return "secret"
    if looks_like_injection(quote) or looks_like_injection(words) or memory_block_spans(claim.text):
        return "orders"
    return None if is_own_words(text, place) else "not own words"


def _key(proven: ProvenClaim) -> tuple[object, ...]:
    claim = proven.claim
    if claim.attribute is None:
        return proven.message_id, claim.kind, claim.subject, claim.text.casefold()
    return proven.message_id, claim.subject, claim.attribute.casefold(), (claim.value or "").casefold()


JUDGMENT_VALUES = frozenset({"likes", "dislikes", "yes", "no", "not"})  # values that the quote says in other words
LONGEST_SENTENCE = 300  # characters of a sentence that can replace the text of a claim
LEAST_WORD_LETTERS = 4  # letters of a word by which a claim is located in its quote


def ground_claim(
    claim: ModelClaim, utterance: Utterance, place: TextSpan
) -> Claim | Literal["not stated", "unsupported"]:
    """The claim, with the user's own sentence as its text if only its value is grounded."""
    quote, asserted = utterance.text[slice(*place)], asserted_sentences(utterance.text)
    near = [each for each in asserted if each.start < place[1] and place[0] < each.start + len(each.text)]
    if not near:
        return "not stated"
    years = " ".join(str(utterance.at.year + apart) for apart in (-1, 0, 1))  # a model may add the year
    source = f"{years} {_joined(asserted)}"
    value = _grounded_value(claim.value, quote, source)
    if claim.value and value is None:
        return "unsupported"
    sentence, at = _anchor(claim, near, place)
    if not same_polarity(f"{claim.text} {value or ''}", sentence, at):
        return "not stated"
    text = claim.text
    if not is_grounded(text, source, near=_joined(near)):
        if value is None or _is_judgment(value):
            return "unsupported"
        text = _verbatim(sentence, utterance.text) or quote
    return Claim(
        kind=claim.kind,
        subject=" ".join(claim.subject.lower().split()),
        attribute=" ".join((claim.attribute or "").split()) or None,
        value=value,
        text=" ".join(text.split()),
        quote=quote,
        start=place[0],
        confidence=claim.confidence,
    )


def _grounded_value(raw: str | None, quote: str, source: str) -> str | None:
    """The value, or its part before the first comma, if the quote supports it."""
    whole = " ".join((raw or "").split())
    for value in (whole, whole.partition(",")[0]):
        if value and (
            _is_judgment(value) or value.casefold() in quote.casefold() or is_grounded(value, source, near=quote)
        ):
            return value
    return None


def _is_judgment(value: str) -> bool:
    return set(value.casefold().split()) <= JUDGMENT_VALUES


def _anchor(claim: ModelClaim, near: Sequence[ProseSentence], place: TextSpan) -> tuple[ProseSentence, int]:
    """The offset in the quote of the claim's value, or of its first word that is there; else the end of the quote."""
    words = f"{claim.value or ''} {claim.text}".split()
    long = [word for word in words if len(word) >= LEAST_WORD_LETTERS or not word.isascii()]
    for word in ([claim.value] if claim.value else []) + long:
        for sentence in near:
            first = max(place[0] - sentence.start, 0)
            at = sentence.text.lower().find(word.lower(), first, place[1] - sentence.start)
            if at >= 0:
                return sentence, sentence.start + at
    return near[-1], place[1]


def _verbatim(sentence: ProseSentence, text: str) -> str | None:
    """A sentence as its author wrote it; None if it is long, or contains a credential or an injection."""
    words = text[sentence.start : sentence.start + len(sentence.text)]
    unsafe = HIDDEN_MARK in sentence.text or has_credential(words) or looks_like_injection(words)
    return None if len(words) > LONGEST_SENTENCE or unsafe else words


def _joined(sentences: Sequence[ProseSentence]) -> str:
    return " ".join(sentence.text for sentence in sentences)


MOST_NEW = 1 / 3  # share of a note's words that may be the model's own; one word always may
LEAST_SIMILARITY = 0.6  # common beginning of two forms of a word, as a share of the longer one
SHORTEST_STEM = 4  # letters of that beginning

_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+(?:['’.\-][\p{L}\p{M}\p{N}]+)*")
# One form of each word: the terms are stems.
_NOTE_WORDS = """
user person project team name called known lives resides located based home works employed job occupation profession
role owns likes loves enjoys prefers favourite favorite interested dislikes hates avoids wants needs requires plans
goal aims intends wishes decided decision chose chosen chooses picked uses speaks comes originally born age years old
rides drives goes go currently says said states mentions identifies considers nutzer nutzerin benutzer anwender
utilisateur utilisatrice usuario usuaria utente gebruiker
"""
_CONFIRMATION_WORDS = """
yes yeah yep yup sure okay right exactly correct indeed true absolutely definitely certainly agreed thanks please lol
haha genau stimmt richtig klar sicher danke oui exact exactement bien vrai merci claro exacto cierto vale gracias
certo esatto giusto vero grazie isso obrigado obrigada klopt precies zeker bedankt
"""
NOTE_TERMS = frozenset(index_terms(_NOTE_WORDS))
CONFIRMATION_TERMS = frozenset(index_terms(_CONFIRMATION_WORDS))  # agreement with somebody else proves nothing


@dataclass(frozen=True, slots=True)
class NoteWord:
    """A word of a note by its term. `exact` words are numbers and names, which only the user can know."""

    term: str
    exact: bool


@dataclass(frozen=True, slots=True)
class SourceTerms:
    """A text, and its terms by their beginning."""

    text: str
    terms: Mapping[str, set[str]]

    def has(self, term: str) -> bool:
        """Returns True if the text has the term or another form of it. Numbers must be equal."""
        others = self.terms.get(term[: SHORTEST_STEM + 1], set())
        if term in others or (not term.isascii() and term[1:] in self.text):
            return True
        return not any(map(str.isdigit, term)) and any(_similar(term, other) for other in others)


def is_grounded(note: str, source: str, *, near: str) -> bool:
    """Returns True if the source has all numbers and names of the note and most of its other words, and `near` has at
    least one, apart from confirmations. Words of any note ("user lives in") count only if there are no others."""
    words = list(_note_words(note))
    specific = [word for word in words if word.term not in NOTE_TERMS] or words
    known, close = _source_terms(source), _source_terms(near)
    new = [word for word in specific if not known.has(word.term)]
    if any(word.exact for word in new) or len(new) > max(1, MOST_NEW * len(specific)):
        return False
    return any(close.has(word.term) for word in specific if word.term not in CONFIRMATION_TERMS)


def _note_words(note: str) -> Iterator[NoteWord]:
    common = detect_language(note).marks
    for match in _WORD.finditer(note):
        name = match[0][0].isupper() and note[: match.start()].strip() != ""
        for term in index_terms(match[0]):
            number = any(map(str.isdigit, term))
            if term[0] == "w" and (number or name or (len(term) > 3 or not term.isascii())) and term[1:] not in common:
                yield NoteWord(term, number or (name and term not in NOTE_TERMS))


def _source_terms(text: str) -> SourceTerms:
    terms: dict[str, set[str]] = {}
    for term in index_terms(text):
        terms.setdefault(term[: SHORTEST_STEM + 1], set()).add(term)
    return SourceTerms(fold(normalize(text)), terms)


def _similar(term: str, other: str) -> bool:
    alike = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(term[1:], other[1:], strict=False)))
    return alike >= max(SHORTEST_STEM, LEAST_SIMILARITY * (max(len(term), len(other)) - 1))
