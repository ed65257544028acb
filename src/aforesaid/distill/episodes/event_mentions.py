"""Finds event mentions, the sentences that say that something has just happened, and groups them into episodes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import zip_longest

import regex

from aforesaid.distill.facts.claims import likely_languages
from aforesaid.distill.grammar import ClaimGrammar, EpisodeGrammar, compile_search, may_match_text, search
from aforesaid.distill.languages import EPISODE_GRAMMARS
from aforesaid.models.episode import EPISODE_TYPES, EpisodeType
from aforesaid.models.message import Utterance
from aforesaid.text.analyzer import index_terms
from aforesaid.text.sentences import HIDDEN_MARK, ProseSentence, own_prose, prose_sentences

RESOLUTIONS: tuple[EpisodeType, ...] = ("problem_solved", "breakthrough")  # they resolve an issue, and can be revoked
BY_ASSISTANT: tuple[EpisodeType, ...] = ("issue_identified",)  # an assistant can prove nothing else
MOST_MENTIONS = 4  # of one message; one with more tells an old story

_PAUSE = regex.compile(r"[,;:(–—]\s*")


@dataclass(frozen=True, slots=True)
class EventMention:
    """A sentence that mentions an event. The clause with the mention begins at `at`."""

    type: EpisodeType
    utterance: Utterance
    sentence: str
    at: int
    strong: bool
    hedged: bool


def event_mentions(utterance: Utterance) -> list[EventMention]:
    """The events that a message mentions, in order, at most one per sentence. Questions, hypotheses, wishes, negations,
    reports, quotes, code and lists give none. An assistant can mention issues only."""
    if utterance.role not in ("user", "assistant"):
        return []
    prose = own_prose(utterance.text)
    for language in likely_languages(prose):
        if language.code in EPISODE_GRAMMARS and (mentions := list(_in_language(language, prose, utterance))):
            return mentions[:MOST_MENTIONS]
    return []


def statements(language: ClaimGrammar, prose: str) -> Iterator[ProseSentence]:
    """The sentences that the author asserts, up to the first text of somebody else."""
    if search(language, language.irony, prose):
        return
    for sentence in prose_sentences(prose):
        if search(language, language.frame, sentence.text):
            return
        if not sentence.asks and not compile_search(language, language.question, sentence.text).match(sentence.text):
            yield sentence


def _in_language(language: ClaimGrammar, prose: str, utterance: Utterance) -> Iterator[EventMention]:
    grammar = EPISODE_GRAMMARS[language.code]
    known = EPISODE_TYPES if utterance.role == "user" else BY_ASSISTANT
    types = [type for type in known if may_match_text(grammar.event_patterns[type], prose)]
    sentences = list(statements(language, prose)) if types else []
    for sentence, following in zip_longest(sentences, sentences[1:]):
        for type in types:
            text, at = sentence.text, _clause_start(language, grammar, type, sentence.text)
            if at is not None:
                if type not in RESOLUTIONS or not _is_undone(language, grammar, text[at:], following):
                    verbatim = utterance.text[sentence.start : sentence.start + len(text)]
                    strong = bool(search(language, grammar.strong, text)) or text.endswith("!")
                    hedged = search(language, language.hedge, text) is not None
                    yield EventMention(type, utterance, verbatim, at, strong, hedged)
                break


def _clause_start(language: ClaimGrammar, grammar: EpisodeGrammar, type: EpisodeType, text: str) -> int | None:
    """The start of the clause that mentions an event of this type."""
    for match in compile_search(language, grammar.event_patterns[type], text).finditer(text):
        patterns = _PAUSE, compile_search(language, grammar.breaks, text)
        ends = [end.end() for pattern in patterns for end in pattern.finditer(text, 0, match.start())]
        clause = text[max(ends, default=0) : match.start()]
        doubted = compile_search(language, language.doubt, text).search(text, 0, match.start())
        rejected = doubted or search(language, grammar.denied, clause) or HIDDEN_MARK in match[0]
        if not rejected and not _is_belief(language, grammar, text, match.start()):
            return int(match.start()) - len(clause)
    return None


def _is_belief(language: ClaimGrammar, grammar: EpisodeGrammar, text: str, stop: int) -> bool:
    """Returns True if the words before `stop` call it a mistaken belief."""
    believed = compile_search(language, grammar.believed, text)
    breaks = compile_search(language, grammar.breaks, text)
    return any(not breaks.search(text, match.end(), stop) for match in believed.finditer(text, 0, stop))


def _is_undone(language: ClaimGrammar, grammar: EpisodeGrammar, clause: str, following: ProseSentence | None) -> bool:
    """Returns True if the clause, or the beginning of the following sentence, revokes the event."""
    later = "" if following is None else following.text
    revoked = compile_search(language, grammar.undone, later).match(later)
    return bool(revoked or search(language, grammar.undone, clause))


BACK = 10  # messages before a mention that belong to the episode
AFTER = 1  # messages after it
APART = 8  # most messages between two mentions of one episode
LONGEST_EPISODE = 40  # messages
SIDE = 4  # messages on either side of a topic shift that are compared
LEAST_SIDE = 3  # fewer messages are not enough to compare
LEAST_TERMS = 16  # nor are fewer terms
LEAST_OVERLAP = 0.04  # share of common terms within one topic
PAUSE = timedelta(hours=4)


@dataclass(frozen=True, slots=True)
class EpisodeDraft:
    """Mentions that belong together, and the seqs of the first and the last message of the episode."""

    mentions: tuple[EventMention, ...]
    first: int
    last: int


def group_mentions(window: Sequence[Utterance], mentions: Sequence[EventMention]) -> list[EpisodeDraft]:
    """The episodes of these messages, in order, without overlap."""
    shifts = topic_shifts(window)
    groups: list[list[EventMention]] = []
    for mention in mentions:
        if groups and _together(groups[-1], mention, shifts):
            groups[-1].append(mention)
        else:
            groups.append([mention])
    drafts: list[EpisodeDraft] = []
    for place, group in enumerate(groups):
        later = groups[place + 1][0].utterance.seq if place + 1 < len(groups) else window[-1].seq + 1
        earlier = drafts[-1].last if drafts else -1
        drafts.append(_episode_draft(window, shifts, group, (earlier, later)))
    return drafts


def topic_shifts(window: Sequence[Utterance]) -> frozenset[int]:
    """The seqs at which a new topic begins: after a pause, or where hardly any term is used again."""
    terms = [frozenset(index_terms(utterance.text[:4000])) for utterance in window]
    shifts = set()
    for at in range(1, len(window)):
        before = frozenset().union(*terms[max(0, at - SIDE) : at])
        after = frozenset().union(*terms[at : at + SIDE])
        fewest = min(len(before), len(after))
        enough = min(at, len(window) - at) >= LEAST_SIDE and fewest >= LEAST_TERMS
        apart = enough and len(before & after) / fewest < LEAST_OVERLAP
        if apart or window[at].at - window[at - 1].at >= PAUSE:
            shifts.add(window[at].seq)
    return frozenset(shifts)


def _together(group: Sequence[EventMention], mention: EventMention, shifts: frozenset[int]) -> bool:
    last, seq = group[-1], mention.utterance.seq
    distance = seq - last.utterance.seq
    if distance > APART or seq - group[0].utterance.seq > LONGEST_EPISODE:
        return False
    if any(last.utterance.seq < shift <= seq for shift in shifts):
        return False
    resolves = mention.type in RESOLUTIONS and any(other.type == "issue_identified" for other in group)
    shared = set(index_terms(last.sentence)) & set(index_terms(mention.sentence))
    return distance <= 1 or resolves or (bool(shared) and mention.type != "pivot")


def _episode_draft(
    window: Sequence[Utterance], shifts: frozenset[int], group: Sequence[EventMention], between: tuple[int, int]
) -> EpisodeDraft:
    start, stop = group[0].utterance.seq, group[-1].utterance.seq
    first = max([start - BACK, between[0] + 1, *(shift for shift in shifts if shift <= start)])
    last = min([stop + AFTER, between[1] - 1, *(shift - 1 for shift in shifts if shift > stop)])
    seqs = [utterance.seq for utterance in window if first <= utterance.seq <= max(stop, last)]
    return EpisodeDraft(tuple(group), seqs[0], seqs[-1])
