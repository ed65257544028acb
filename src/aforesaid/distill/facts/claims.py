"""Extracts claims from a user's message by patterns, with the time in which each is valid."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import regex

from aforesaid.distill import grammar
from aforesaid.distill.facts.slots import SLOTS, claims_of_match, has_credential
from aforesaid.distill.grammar import ClaimGrammar, ClaimPattern, candidate_patterns, compile_search, search
from aforesaid.distill.languages import CLAIM_GRAMMARS
from aforesaid.models.fact import Claim
from aforesaid.models.message import TimeSpan, Utterance
from aforesaid.text.sentences import HIDDEN_MARK, ProseSentence, own_prose, prose_sentences
from aforesaid.text.time_expressions import time_mentions

MOST_CLAIMS = 16  # claims of one message; one with more is a pasted form
HEDGED_FACTOR = 0.6  # a hedged claim keeps this share of its confidence
LEAST_MARKS = 3  # frequent words that are enough for a language to be a candidate
_STATEMENT_ENDS = (".", "!", "。", "！")
DAY, WEEK = timedelta(days=1), timedelta(days=7)

_WORD = regex.compile(r"[\p{L}\p{M}']+")
_CLAUSE = re.compile(r"[,;.!?](?=\s|$)")
_SINCE = re.compile(r"(?:since|as of|starting|from|seit|ab|depuis|desde|dal|da|sinds|vanaf)\b", re.IGNORECASE)
_UNTIL = re.compile(r"(?:until|till|through|bis|jusqu|hasta|fino|até|tot)\b", re.IGNORECASE)
_BEFORE = re.compile(r"([\w']+)(?:\s+(?:the|le|dem|den|zum|el|al|o|de|in|à))*\s*\Z", re.IGNORECASE)


def claims(utterance: Utterance) -> list[Claim]:
    """The claims of a user's message, in the order of its text; none for other roles.

    Each quote is in the message word for word, from `start` on. Questions, hypotheses, wishes, reports, quotes, code,
    lists, role-play, marked irony, credentials and inserted memory blocks give no claims. At most the first 20,000
    characters are read and 16 claims are kept.
    """
    if utterance.role != "user":
        return []
    prose = own_prose(utterance.text)
    by_key: dict[tuple[str, str | None, str | None], Claim] = {}
    for language in likely_languages(prose):
        before = list(by_key.values())
        for claim in _claims_in_language(language, prose, utterance):
            if not has_credential(claim.quote) and not _overlaps(claim, before):
                by_key.setdefault((claim.subject, _fold(claim.attribute), _fold(claim.value)), claim)
    return sorted(by_key.values(), key=lambda claim: (claim.start, claim.attribute or ""))[:MOST_CLAIMS]


def likely_languages(text: str) -> list[ClaimGrammar]:
    """The languages that a text may be in, by the number of their frequent words in it, the most likely first."""
    words = set(_WORD.findall(text.lower()))
    marks = {language: len(language.marks & words) for language in CLAIM_GRAMMARS}
    most = max(marks.values())
    least = min(most, LEAST_MARKS) if most > 1 else 0
    likely = [language for language in CLAIM_GRAMMARS if not language.spaced or marks[language] >= least]
    return sorted(likely, key=lambda language: -marks[language])


def _overlaps(claim: Claim, others: Iterable[Claim]) -> bool:
    """Returns True if a more likely language has found a claim of the same kind in these words."""
    return any(
        other.kind == claim.kind
        and other.start < claim.start + len(claim.quote)
        and claim.start < other.start + len(other.quote)
        for other in others
    )


def _claims_in_language(language: ClaimGrammar, prose: str, utterance: Utterance) -> Iterator[Claim]:
    if not candidate_patterns(language, prose):
        return
    read = [(each, candidate_patterns(language, each.text)) for each in prose_sentences(prose)]
    if not any(patterns for _, patterns in read) or search(language, language.irony, prose):
        return
    for sentence, patterns in read:
        frame = search(language, language.frame, sentence.text)
        for claim in _claims_in_sentence(language, patterns, sentence, utterance) if patterns else ():
            if frame is None or claim.start + len(claim.quote) <= sentence.start + frame.start():
                yield claim
        if frame is not None:
            return


def asserted_part(language: ClaimGrammar, sentence: ProseSentence) -> str:
    """The sentence up to the clause that asks. A sentence that asks in no clause of its own, or begins with a question
    and has no closing mark, gives an empty text."""
    text = sentence.text.partition("¿")[0]
    if not sentence.asks and text.rstrip().endswith(_STATEMENT_ENDS):
        return text
    opens = compile_search(language, language.question, text)
    for start in grammar.clause_starts(language).finditer(text):
        begins = opens.match(text, start.end()) or opens.match(text, start.end("edge"))
        if begins and (sentence.asks or start.start() == 0):
            return text[: start.start()]
    return text if not sentence.asks or "¿" in sentence.text else ""


def _claims_in_sentence(
    language: ClaimGrammar, patterns: Iterable[ClaimPattern], sentence: ProseSentence, utterance: Utterance
) -> Iterator[Claim]:
    text = asserted_part(language, sentence)
    doubt, hedge = compile_search(language, language.doubt, text), compile_search(language, language.hedge, text)
    for match in _matches(language, patterns, text):
        if doubt.search(text, 0, match.start) or doubt.search(match.lead):
            continue
        factor = HEDGED_FACTOR if hedge.search(text, 0, match.start) else 1
        start = sentence.start + match.start
        clause = _CLAUSE.split(text[match.start :], maxsplit=1)[0]
        since, until = validity(clause, utterance.at, match.pattern.begins)
        for claim in match.claims:
            yield replace(
                claim,
                quote=utterance.text[start : start + len(match.words)],
                start=start,
                confidence=round(claim.confidence * factor, 3),
                category=SLOTS[match.pattern.slot].category,
                valid_from=since,
                valid_until=until,
                replaces=claim.kind == "fact" and search(language, language.change, clause) is not None,
            )


@dataclass(frozen=True, slots=True)
class PatternMatch:
    """The words of a sentence that a pattern matches, from `start` on. `lead` are those before the value."""

    pattern: ClaimPattern
    start: int
    words: str
    lead: str
    claims: tuple[Claim, ...]


def _matches(language: ClaimGrammar, patterns: Iterable[ClaimPattern], text: str) -> Iterator[PatternMatch]:
    """At each start of a clause, and anywhere for some, the first pattern of each slot that gives claims."""
    starts = _clause_starts(language, text)
    taken: set[tuple[int, str]] = set()
    for pattern in patterns:
        form = grammar.compile_pattern(language, pattern)
        for start, subject in [(0, "")] if pattern.anywhere else starts:
            words = subject + text[start:]
            found = form.finditer(words) if pattern.anywhere else filter(None, [form.match(words)])
            for match in found:
                at = start + match.start()
                claims = tuple(claims_of_match(language, pattern, match))
                if claims and HIDDEN_MARK not in match[0] and (at, pattern.slot) not in taken:
                    taken.add((at, pattern.slot))
                    lead = words[match.start() : match.start("value")] if "value" in match.groupdict() else ""
                    yield PatternMatch(pattern, at, match[0][len(subject) :].rstrip(), lead, claims)


def _clause_starts(language: ClaimGrammar, text: str) -> list[tuple[int, str]]:
    """Where a clause may begin, in order, with the subject that it leaves out; empty for none."""
    openings = list(grammar.clause_starts(language).finditer(text))
    starts = [(start, "") for start in sorted({at for one in openings for at in (one.end("edge"), one.end())})]
    for join in compile_search(language, language.lists.get("joint", ""), text).finditer(text):
        subjects = compile_search(language, language.lists["subject"], text).finditer(text, 0, join.start())
        last = max((subject.end() for subject in subjects), default=None)
        verb = not text[join.end() + 1 : join.end() + 2].isupper()  # no name
        if last is not None and verb and not search(language, language.lists["others"], text[last : join.start()]):
            starts += [(join.end() + 1, subject) for subject in language.elided]
    return starts


def validity(clause: str, at: datetime, begins: bool) -> tuple[datetime | None, datetime | None]:
    """The start and the end that a clause states, relative to `at`; None if open. With `begins`, a past time is a start
    ("we moved last spring")."""
    since = until = None
    for span in time_mentions(clause, at):
        lead = _lead(clause, span.text)
        if _UNTIL.match(lead):
            until = until or _end(span, at)
        elif _SINCE.match(lead) or (begins and span.start <= at):
            since = since or span.start
    return since, until if until is None or since is None or until > since else None


def _end(span: TimeSpan, at: datetime) -> datetime | None:
    """The end of a span. A past weekday means the next one; any other past span gives None."""
    if span.stop > at:
        return span.stop
    coming = span.stop + WEEK
    return coming if span.stop - span.start == DAY and coming > at else None


def _lead(clause: str, words: str) -> str:
    """The word that a time expression begins with or follows."""
    if _SINCE.match(words) or _UNTIL.match(words):
        return words
    before = _BEFORE.search(clause[: clause.find(words)])
    return before[1] if before else ""


def _fold(value: str | None) -> str | None:
    return value and value.casefold()
