"""Moments found by patterns: the sentences of a message that say that something has just happened."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

import regex

from recollect.distill.extract.claims import spoken
from recollect.distill.extract.language import Compiled, Language, finder, may_hold
from recollect.distill.extract.prose import HIDDEN, Sentence, sentences, voice
from recollect.distill.moments.languages import WAYS
from recollect.distill.moments.ways import Ways
from recollect.models import EPISODE_TYPES, EpisodeType
from recollect.records import Utterance

PASSING: tuple[EpisodeType, ...] = ("problem_solved", "breakthrough")  # what may turn out not to be so
BY_ASSISTANT: tuple[EpisodeType, ...] = ("issue_identified",)  # what an assistant says it did proves nothing
MOST = 4  # moments of one message: who tells more at once tells a story of long ago

_PAUSE = regex.compile(r"[,;:(–—]\s*")


@dataclass(frozen=True, slots=True)
class Moment:
    """A sentence that says so: as it stands in its message, from `at` on the clause that says it. `strong` says that it
    is said with emphasis, `hedged` that its speaker is not sure."""

    type: EpisodeType
    utterance: Utterance
    sentence: str
    at: int
    strong: bool
    hedged: bool


def moments(utterance: Utterance) -> list[Moment]:
    """What the message says has happened, in its order, a sentence once. Questions, hypotheses, wishes, negations,
    reports of others, quotes, code and lists give none; nor does anything that a tool says, nor what an assistant says
    that it did."""
    if utterance.role not in ("user", "assistant"):
        return []
    own = voice(utterance.text)
    for language in spoken(own):
        if language.code in WAYS and (found := list(_in_language(language, own, utterance))):
            return found[:MOST]
    return []


def stated(language: Language, own: str) -> Iterator[Sentence]:
    """The sentences that say something in earnest, up to where another's words begin."""
    if finder(language, language.irony, own).search(own):
        return
    for sentence in sentences(own):
        if finder(language, language.frame, sentence.text).search(sentence.text):
            return
        if not sentence.asks and not finder(language, language.question, sentence.text).match(sentence.text):
            yield sentence


def _in_language(language: Language, own: str, utterance: Utterance) -> Iterator[Moment]:
    ways = WAYS[language.code]
    known = EPISODE_TYPES if utterance.role == "user" else BY_ASSISTANT
    types = [type for type in known if may_hold(ways.says[type], own)]
    said = list(stated(language, own)) if types else []
    for sentence, following in zip_longest(said, said[1:]):
        for type in types:
            at = _said(language, ways, type, sentence.text)
            if at is not None and type in PASSING and _undone(language, ways, sentence.text[at:], following):
                break
            if at is not None:
                yield _moment(language, ways, type, (sentence, at, utterance))
                break


def _said(language: Language, ways: Ways, type: EpisodeType, text: str) -> int | None:
    """Where the clause begins that says so."""
    for match in finder(language, ways.says[type], text).finditer(text):
        clause = _clause_before(finder(language, ways.breaks, text), text, match.start())
        doubted = finder(language, language.doubt, text).search(text, 0, match.start())
        denied = finder(language, ways.denied, clause).search(clause)
        if doubted or denied or HIDDEN in match[0] or _mistaken(language, ways, text, match.start()):
            continue
        return int(match.start()) - len(clause)
    return None


def _mistaken(language: Language, ways: Ways, text: str, stop: int) -> bool:
    """Whether it is what somebody believed, no more."""
    believed = finder(language, ways.believed, text)
    breaks = finder(language, ways.breaks, text)
    return any(not breaks.search(text, one.end(), stop) for one in believed.finditer(text, 0, stop))


def _undone(language: Language, ways: Ways, said: str, following: Sentence | None) -> bool:
    """Whether the words that go on from there take it back, or those that the next sentence begins with."""
    later = "" if following is None else following.text
    return bool(finder(language, ways.undone, said).search(said) or finder(language, ways.undone, later).match(later))


def _clause_before(breaks: Compiled, text: str, stop: int) -> str:
    """The words of its clause that stand before it."""
    ends = [end.end() for form in (_PAUSE, breaks) for end in form.finditer(text, 0, stop)]
    return text[max(ends, default=0) : stop]


def _moment(language: Language, ways: Ways, type: EpisodeType, found: tuple[Sentence, int, Utterance]) -> Moment:
    sentence, at, utterance = found
    verbatim = utterance.text[sentence.start : sentence.start + len(sentence.text)]
    strong = finder(language, ways.strong, sentence.text).search(sentence.text) is not None or sentence.text.endswith(
        "!"
    )
    hedged = finder(language, language.hedge, sentence.text).search(sentence.text) is not None
    return Moment(type, utterance, verbatim, at, strong, hedged)
