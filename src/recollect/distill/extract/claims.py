"""Claims found by patterns: what a user says of themselves and of their work, and no more than that."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import regex

from recollect.distill.extract.language import (
    Compiled,
    Language,
    Pattern,
    candidates,
    compiled,
    finder,
    openings,
)
from recollect.distill.extract.languages import LANGUAGES
from recollect.distill.extract.prose import HIDDEN, Sentence, sentences, voice
from recollect.distill.extract.slots import SLOTS
from recollect.distill.extract.validity import validity
from recollect.distill.extract.values import filled, secret
from recollect.records import Claim, Utterance

MOST = 16  # claims of one message: who says more of themselves at once has pasted a form
HEDGED = 0.6  # of its confidence is left to a claim that is hedged
TOLD = 3  # words of a language that are enough for it to be one of those that are spoken

_WORD = regex.compile(r"[\p{L}\p{M}']+")


def claims(utterance: Utterance) -> list[Claim]:
    """What the message claims, in the order of its text; nothing for any role but `user`.

    Each claim's quote stands in the message from its `start` on, word for word. Questions, hypotheses, wishes, reports,
    quotes, code, lists, role-play, irony that is marked, credentials and recollect's own text give none. The first
    twenty thousand characters are read, sixteen claims are kept. The same message gives the same claims.
    """
    if utterance.role != "user":
        return []
    own = voice(utterance.text)
    found: dict[tuple[str, str | None, str | None], Claim] = {}
    for language in spoken(own):
        before = list(found.values())
        for claim in _in_language(language, own, utterance):
            if not secret(claim.quote) and not _read_already(claim, before):
                found.setdefault((claim.subject, _fold(claim.attribute), _fold(claim.value)), claim)
    return sorted(found.values(), key=lambda claim: (claim.start, claim.attribute or ""))[:MOST]


def spoken(text: str) -> list[Language]:
    """The languages that a text may be in: those whose frequent words it has most of, the likeliest first."""
    words = set(_WORD.findall(text.lower()))
    marks = {language: len(language.marks & words) for language in LANGUAGES}
    most = max(marks.values())
    least = min(most, TOLD) if most > 1 else 0
    likely = [language for language in LANGUAGES if not language.spaced or marks[language] >= least]
    return sorted(likely, key=lambda language: -marks[language])


def _read_already(claim: Claim, before: Iterable[Claim]) -> bool:
    """Whether a likelier language has read these words, and made a claim of the same kind of them."""
    return any(
        other.kind == claim.kind
        and other.start < claim.start + len(claim.quote)
        and claim.start < other.start + len(other.quote)
        for other in before
    )


def _in_language(language: Language, own: str, utterance: Utterance) -> Iterator[Claim]:
    if not candidates(language, own):
        return
    read = [(each, () if each.asks else candidates(language, each.text)) for each in sentences(own)]
    if not any(patterns for _, patterns in read) or finder(language, language.irony, own).search(own):
        return
    for sentence, patterns in read:
        frame = finder(language, language.frame, sentence.text).search(sentence.text)
        if patterns and not finder(language, language.question, sentence.text).match(sentence.text):
            for claim in _in_sentence(language, patterns, sentence, utterance):
                if frame is None or claim.start + len(claim.quote) <= sentence.start + frame.start():
                    yield claim
        if frame is not None:
            return


def _in_sentence(
    language: Language, patterns: Iterable[Pattern], sentence: Sentence, utterance: Utterance
) -> Iterator[Claim]:
    text = sentence.text
    doubt, hedge = finder(language, language.doubt, text), finder(language, language.hedge, text)
    for pattern, match, made in _matches(language, patterns, text):
        if doubt.search(text, 0, match.start()) or doubt.search(_inner(match)):
            continue
        hedged = hedge.search(text, 0, match.start()) is not None
        for claim in made:
            yield _placed(claim, sentence, utterance, (pattern, match, hedged))


def _matches(
    language: Language, patterns: Iterable[Pattern], text: str
) -> Iterator[tuple[Pattern, regex.Match[str], list[Claim]]]:
    """At each place where a clause begins, the first pattern that makes something of it, and those that say more."""
    found = list(openings(language).finditer(text))
    starts = sorted({opening.end("edge") for opening in found} | {opening.end() for opening in found})
    taken: set[int] = set()
    for pattern in patterns:
        form = compiled(language, pattern)
        for match in form.finditer(text) if pattern.anywhere else _at(form, text, starts):
            if (match.start() not in taken or pattern.also or pattern.anywhere) and HIDDEN not in match[0]:
                made = list(filled(language, pattern, match))
                if made:
                    taken.add(match.start())
                    yield pattern, match, made


def _at(form: Compiled, text: str, starts: list[int]) -> Iterator[regex.Match[str]]:
    for start in starts:
        if match := form.match(text, start):
            yield match


def _inner(match: regex.Match[str]) -> str:
    """The words of the match before what they give the slot."""
    return match.string[match.start() : match.start("value")] if "value" in match.groupdict() else ""


def _placed(
    claim: Claim, sentence: Sentence, utterance: Utterance, how: tuple[Pattern, regex.Match[str], bool]
) -> Claim:
    pattern, match, hedged = how
    start = sentence.start + match.start()
    since, until = validity(sentence.text[match.start() :], utterance.at, pattern.begins)
    return replace(
        claim,
        quote=utterance.text[start : start + len(match[0].rstrip())],
        start=start,
        confidence=round(claim.confidence * (HEDGED if hedged else 1), 3),
        category=SLOTS[pattern.slot].category,
        valid_from=since,
        valid_until=until,
    )


def _fold(value: str | None) -> str | None:
    return value and value.casefold()
