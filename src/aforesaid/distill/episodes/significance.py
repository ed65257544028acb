"""Computes the significance, the sentiment and the valence of an episode."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache

import regex

from aforesaid.distill.episodes.event_mentions import RESOLUTIONS, EpisodeDraft, EventMention
from aforesaid.distill.facts.claims import likely_languages
from aforesaid.distill.grammar import CompiledPattern, compile_search
from aforesaid.distill.languages import EPISODE_GRAMMARS
from aforesaid.models.episode import EpisodeType
from aforesaid.models.message import Utterance
from aforesaid.text.sentences import own_prose, prose_sentences

SIGNIFICANCE: Mapping[EpisodeType, float] = {
    "breakthrough": 0.7, "pivot": 0.65, "problem_solved": 0.6, "decision_made": 0.55, "task_completed": 0.5,
    "issue_identified": 0.45,
}  # fmt: skip
VALENCE: Mapping[EpisodeType, float] = {
    "breakthrough": 0.5, "problem_solved": 0.4, "task_completed": 0.3, "decision_made": 0.1, "pivot": 0.0,
    "issue_identified": -0.4,
}  # fmt: skip
LEAST_SIGNIFICANCE = 0.4
EMPHASIS = 0.1
RESOLVED = 0.1  # an issue with its resolution
REPEATED = 0.05  # for each further message that mentions it, up to two
LONG, LENGTH = 0.05, 8  # an episode of at least so many messages
HEARSAY = -0.15  # only an assistant says so
UNSURE = -0.25  # "I think I'll take the second" is no episode
SMOOTHING = 2  # words added to the count, so that one word alone is no strong sentiment

_NOT = (
    r"not|never|no longer|isn't|wasn't|don't|didn't|doesn't|aren't|nicht|nie|kein\w*|pas|jamais|plus de|no|nunca|non"
    r"|mai|não|niet|nooit|geen"
)


def main_mention(draft: EpisodeDraft) -> EventMention:
    """The mention that gives the episode its type: the last of the most significant type."""
    return max(draft.mentions, key=lambda mention: (SIGNIFICANCE[mention.type], mention.utterance.seq))


def significance(draft: EpisodeDraft) -> float:
    """From 0 to 1, by the type of the episode, and by emphasis, repetition, length and certainty."""
    types = {mention.type for mention in draft.mentions}
    messages = {mention.utterance.seq for mention in draft.mentions}
    main = main_mention(draft)
    added = (
        EMPHASIS * any(mention.strong for mention in draft.mentions),
        RESOLVED * ("issue_identified" in types and not types.isdisjoint(RESOLUTIONS)),
        REPEATED * min(2, len(messages) - 1),
        LONG * (draft.last - draft.first + 1 >= LENGTH),
        HEARSAY * all(mention.utterance.role == "assistant" for mention in draft.mentions),
        UNSURE * main.hedged,
    )
    return round(min(1.0, max(0.0, SIGNIFICANCE[main.type] + sum(added))), 3)


def valence(draft: EpisodeDraft, messages: Sequence[Utterance]) -> float:
    """From −1 to 1, by the type of the episode and the sentiment of the user's messages."""
    felt = sentiment(message.text for message in messages if message.role == "user")
    return round(min(1.0, max(-1.0, VALENCE[main_mention(draft).type] + 0.5 * felt)), 3)


def sentiment(texts: Iterable[str]) -> float:
    """From −1 (negative) to 1 (positive); 0 without sentiment words. A negation in a sentence inverts its words."""
    counts = [pair for text in texts for pair in _sentiment_counts(own_prose(text))]
    good, bad = sum(positive for positive, _ in counts), sum(negative for _, negative in counts)
    return (good - bad) / (good + bad + SMOOTHING)


def _sentiment_counts(prose: str) -> list[tuple[int, int]]:
    """The numbers of positive and negative words of each sentence."""
    language = next((language for language in likely_languages(prose) if language.code in EPISODE_GRAMMARS), None)
    if language is None:
        return []
    grammar = EPISODE_GRAMMARS[language.code]
    positive, negative = _any_stem(grammar.positive), _any_stem(grammar.negative)
    negation = compile_search(language, _NOT, prose)
    counts = []
    for sentence in prose_sentences(prose):
        pair = len(positive.findall(sentence.text)), len(negative.findall(sentence.text))
        counts.append(pair[::-1] if negation.search(sentence.text) else pair)
    return counts


@cache
def _any_stem(stems: str) -> CompiledPattern:
    return regex.compile(rf"\b(?:{'|'.join(map(regex.escape, stems.split()))})\w*", regex.IGNORECASE)
