"""Finds event mentions, the sentences that say that something has just happened, and groups them into episodes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise

import regex

from aforesaid.distill.facts.claims import likely_languages
from aforesaid.distill.grammar import ClaimGrammar, EpisodeGrammar, compile_search, may_match_text, search
from aforesaid.distill.languages import EPISODE_GRAMMARS
from aforesaid.distill.summaries.topics import CHAT_STOPWORDS
from aforesaid.models.episode import EPISODE_TYPES, EpisodeType
from aforesaid.models.message import Utterance
from aforesaid.text.analyzer import index_terms
from aforesaid.text.normalize import fold
from aforesaid.text.sentences import HIDDEN_MARK, ProseSentence, own_prose, prose_sentences

RESOLUTIONS: tuple[EpisodeType, ...] = ("problem_solved", "breakthrough")  # of a problem that is said elsewhere
MOST_MENTIONS = 4  # of one message; one with more tells an old story
LEAST_WORDS = 2  # of content in a clause that says what happened, with its verb
NEAR_WORDS = 3  # after the event, among which a pronoun is its object
ADJACENT = 2  # most characters between two sentences of a paragraph

_PAUSE = regex.compile(r"[,;:(–—]\s*|\s-\s+")
_WORD = regex.compile(r"\p{L}[\p{L}\p{M}\p{N}'_-]+")
_NEAR = regex.compile(rf"(?:\W*[\w'-]+){{0,{NEAR_WORDS}}}")


@dataclass(frozen=True, slots=True)
class EventMention:
    """The text of a message that mentions an event. The clause with the event begins at `at`, and has the `terms` after
    the event's own words. `named`: the text says what the event is about."""

    type: EpisodeType
    utterance: Utterance
    text: str
    at: int
    terms: frozenset[str]
    named: bool


def event_mentions(utterance: Utterance) -> list[EventMention]:
    """The events that a user's message mentions, in order, at most one per sentence. Questions, hypotheses, hedges,
    wishes, negations, reports, quotes, code and lists give none."""
    if utterance.role != "user":
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


@dataclass(frozen=True, slots=True)
class EventClause:
    """The offsets of a clause with an event: where it begins, and the start and the end of the event's own words."""

    at: int
    start: int
    stop: int


def _in_language(language: ClaimGrammar, prose: str, utterance: Utterance) -> Iterator[EventMention]:
    grammar = EPISODE_GRAMMARS[language.code]
    types = [type for type in EPISODE_TYPES if may_match_text(grammar.event_patterns[type], prose)]
    sentences = list(statements(language, prose)) if types else []
    for number, sentence in enumerate(sentences):
        for type in types:
            event = _event_clause(language, type, sentence.text)
            if event is not None:
                following = "".join(other.text for other in sentences[number + 1 : number + 2])
                if not _is_revoked(language, sentence.text[event.at :], following):
                    named = _names_object(language, sentence.text, event)
                    unknown = not named and type in RESOLUTIONS
                    problem = _with_problem(language, sentences, number) if unknown else None
                    first, last = problem or (sentence, sentence)
                    verbatim = utterance.text[first.start : last.start + len(last.text)]
                    at = event.at if first is sentence else 0
                    terms = frozenset(index_terms(sentence.text[event.stop :]))
                    yield EventMention(type, utterance, verbatim, at, terms, named or problem is not None)
                break


def _event_clause(language: ClaimGrammar, type: EpisodeType, text: str) -> EventClause | None:
    """The first clause that mentions an event of this type."""
    grammar = EPISODE_GRAMMARS[language.code]
    if search(language, language.hedge, text):
        return None
    for match in compile_search(language, grammar.event_patterns[type], text).finditer(text):
        patterns = _PAUSE, compile_search(language, grammar.breaks, text)
        ends = [end.end() for pattern in patterns for end in pattern.finditer(text, 0, match.start())]
        clause = text[max(ends, default=0) : match.start()]
        doubted = compile_search(language, language.doubt, text).search(text, 0, match.start())
        rejected = doubted or search(language, grammar.denied, clause) or HIDDEN_MARK in match[0]
        if not rejected and not _is_belief(language, grammar, text, match.start()):
            return EventClause(match.start() - len(clause), match.start(), match.end())
    return None


def _is_belief(language: ClaimGrammar, grammar: EpisodeGrammar, text: str, stop: int) -> bool:
    """Returns True if the words before `stop` call it a mistaken belief."""
    believed = compile_search(language, grammar.believed, text)
    breaks = compile_search(language, grammar.breaks, text)
    return any(not breaks.search(text, match.end(), stop) for match in believed.finditer(text, 0, stop))


def _is_revoked(language: ClaimGrammar, clause: str, following: str) -> bool:
    """Returns True if the clause, or the beginning of the following sentence, revokes the event."""
    undone = EPISODE_GRAMMARS[language.code].undone
    return bool(compile_search(language, undone, following).match(following) or search(language, undone, clause))


def _names_object(language: ClaimGrammar, text: str, event: EventClause) -> bool:
    """Returns True if the clause of an event, or an explanation after a colon, says what the event is about. A clause
    with a pronoun as its object does not."""
    colon = text.find(": ", event.stop)
    if colon >= 0 and _has_content(language, text[colon:]):
        return True
    near = _NEAR.match(text, event.stop)
    pronouns = compile_search(language, EPISODE_GRAMMARS[language.code].pronouns, text)
    if near and any(match.start() < near.end() for match in pronouns.finditer(text, event.start)):
        return False
    pause = _PAUSE.search(text, event.stop)
    return _has_content(language, text[event.at : pause.start() if pause else len(text)])


def _with_problem(
    language: ClaimGrammar, sentences: Sequence[ProseSentence], number: int
) -> tuple[ProseSentence, ProseSentence] | None:
    """A resolution and the sentence before or after it, in order, if that sentence may name the problem."""
    for first in (number - 1, number):
        if 0 <= first < len(sentences) - 1:
            pair, other = (sentences[first], sentences[first + 1]), sentences[2 * first + 1 - number]
            gap = pair[1].start - pair[0].start - len(pair[0].text)
            if gap <= ADJACENT and _has_content(language, other.text):
                return pair
    return None


def _has_content(language: ClaimGrammar, text: str) -> bool:
    generic = compile_search(language, EPISODE_GRAMMARS[language.code].generic, text)
    words = {fold(word) for word in _WORD.findall(generic.sub(" ", text))}
    return len(words - CHAT_STOPWORDS - language.marks) >= LEAST_WORDS


BACK = 6  # messages before a mention that belong to the episode
AFTER = 1  # messages after it
APART = 8  # most messages between two mentions of one episode
LONGEST_EPISODE = 40  # messages
SAME_TERMS = 0.6  # share of the terms of two mentions of one event
PAUSE = timedelta(hours=4)  # begins a new topic


@dataclass(frozen=True, slots=True)
class EpisodeDraft:
    """Mentions that belong together, and the seqs of the first and the last message of the episode. `main` gives it its
    type, `topic` its title: the same, or the issue that `main` resolves without naming it."""

    mentions: tuple[EventMention, ...]
    main: EventMention
    topic: EventMention
    first: int
    last: int


def group_mentions(window: Sequence[Utterance], mentions: Sequence[EventMention]) -> list[EpisodeDraft]:
    """The episodes of these messages, in order, without overlap. A mention that names nothing belongs to the episode of
    an issue, and gives none by itself; one that repeats an earlier mention gives no second one."""
    pauses = [later.seq for earlier, later in pairwise(window) if later.at - earlier.at >= PAUSE]
    groups: list[list[EventMention]] = []
    seen: list[EventMention] = []
    for mention in mentions:
        if any(_same_event(mention, other) for other in seen):
            continue
        if groups and _together(groups[-1], mention, pauses):
            groups[-1].append(mention)
        elif mention.named:
            groups.append([mention])
        else:
            continue
        seen.append(mention)
    drafts: list[EpisodeDraft] = []
    for place, group in enumerate(groups):
        later = groups[place + 1][0].utterance.seq if place + 1 < len(groups) else window[-1].seq + 1
        earlier = drafts[-1].last if drafts else -1
        drafts.append(_episode_draft(window, pauses, group, (earlier, later)))
    return drafts


def _same_event(mention: EventMention, other: EventMention) -> bool:
    """Returns True if a mention repeats that of another message."""
    fewest, shared = min(len(mention.terms), len(other.terms)), len(mention.terms & other.terms)
    alike = mention.type == other.type and fewest > 0 and shared >= SAME_TERMS * fewest
    return alike and mention.utterance.seq != other.utterance.seq


def _together(group: Sequence[EventMention], mention: EventMention, pauses: Sequence[int]) -> bool:
    last, seq = group[-1], mention.utterance.seq
    distance = seq - last.utterance.seq
    if distance > APART or seq - group[0].utterance.seq > LONGEST_EPISODE:
        return False
    if any(last.utterance.seq < pause <= seq for pause in pauses):
        return False
    if not mention.named:
        return mention.type in RESOLUTIONS and group[-1].type == "issue_identified"
    resolves = mention.type in RESOLUTIONS and any(other.type == "issue_identified" for other in group)
    shared = set(index_terms(last.text)) & set(index_terms(mention.text))
    return distance <= 1 or resolves or (bool(shared) and mention.type != "pivot")


def _episode_draft(
    window: Sequence[Utterance], pauses: Sequence[int], group: Sequence[EventMention], between: tuple[int, int]
) -> EpisodeDraft:
    start, stop = group[0].utterance.seq, group[-1].utterance.seq
    first = max([start - BACK, between[0] + 1, *(pause for pause in pauses if pause <= start)])
    last = min([stop + AFTER, between[1] - 1, *(pause - 1 for pause in pauses if pause > stop)])
    seqs = [utterance.seq for utterance in window if first <= utterance.seq <= max(stop, last)]
    main = max(group, key=lambda mention: (SIGNIFICANCE[mention.type], mention.utterance.seq))
    topic = main if main.named else next(mention for mention in reversed(group) if mention.named)
    return EpisodeDraft(tuple(group), main, topic, seqs[0], seqs[-1])


SIGNIFICANCE: Mapping[EpisodeType, float] = {
    "breakthrough": 0.7, "pivot": 0.65, "problem_solved": 0.6, "decision_made": 0.55, "task_completed": 0.5,
    "issue_identified": 0.45,
}  # fmt: skip
VALENCE: Mapping[EpisodeType, float] = {
    "breakthrough": 0.5, "problem_solved": 0.4, "task_completed": 0.3, "decision_made": 0.1, "pivot": 0.0,
    "issue_identified": -0.4,
}  # fmt: skip
RESOLVED = 0.1  # added for an issue with its resolution
REPEATED = 0.05  # for each further message that mentions it, up to two


def significance(draft: EpisodeDraft) -> float:
    """From 0 to 1, by the type of the episode. An issue with its resolution, and repetition, add to it."""
    types = {mention.type for mention in draft.mentions}
    messages = {mention.utterance.seq for mention in draft.mentions}
    resolved = "issue_identified" in types and not types.isdisjoint(RESOLUTIONS)
    return round(SIGNIFICANCE[draft.main.type] + RESOLVED * resolved + REPEATED * min(2, len(messages) - 1), 3)
