"""How much a story matters, and how it feels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from recollect.distill.moments.find import Moment
from recollect.distill.moments.group import ENDS, Story
from recollect.distill.moments.tone import tone
from recollect.models import EpisodeType
from recollect.records import Utterance

SIGNIFICANCE: Mapping[EpisodeType, float] = {
    "breakthrough": 0.7,
    "pivot": 0.65,
    "problem_solved": 0.6,
    "decision_made": 0.55,
    "task_completed": 0.5,
    "issue_identified": 0.45,
}
VALENCE: Mapping[EpisodeType, float] = {
    "breakthrough": 0.5,
    "problem_solved": 0.4,
    "task_completed": 0.3,
    "decision_made": 0.1,
    "pivot": 0.0,
    "issue_identified": -0.4,
}
LEAST = 0.4  # what matters less is no episode
EMPHASIS = 0.1  # said with emphasis
ENDED = 0.1  # an issue and how it ended
REPEATED = 0.05  # for each further message that says so, up to two
LONG, LENGTH = 0.05, 8  # it took so many messages
HEARSAY = -0.15  # only an assistant says so
UNSURE = -0.25  # who says so is not sure: "I think I'll take the second" is no episode


def key(story: Story) -> Moment:
    """The moment that gives the story its type: the weightiest, the last of those."""
    return max(story.moments, key=lambda one: (SIGNIFICANCE[one.type], one.utterance.seq))


def significance(story: Story) -> float:
    """From 0 to 1: what its type weighs, and what is added for how it was told."""
    types = {moment.type for moment in story.moments}
    messages = {moment.utterance.seq for moment in story.moments}
    best = key(story)
    added = (
        EMPHASIS * any(moment.strong for moment in story.moments),
        ENDED * ("issue_identified" in types and not types.isdisjoint(ENDS)),
        REPEATED * min(2, len(messages) - 1),
        LONG * (story.last - story.first + 1 >= LENGTH),
        HEARSAY * all(moment.utterance.role == "assistant" for moment in story.moments),
        UNSURE * best.hedged,
    )
    return round(min(1.0, max(0.0, SIGNIFICANCE[best.type] + sum(added))), 3)


def valence(story: Story, told: Sequence[Utterance]) -> float:
    """From −1 to 1: what its type is like, and half of how the users' words feel."""
    felt = tone(one.text for one in told if one.role == "user")
    return round(min(1.0, max(-1.0, VALENCE[key(story).type] + 0.5 * felt)), 3)
