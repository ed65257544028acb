"""Validates an episode that a caller adds by hand, and completes it from the conversation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from aforesaid.distill.summaries.extractive import summarise
from aforesaid.distill.truncate import CountTokens
from aforesaid.errors import InvalidInput
from aforesaid.models.episode import EPISODE_TYPES, Episode
from aforesaid.storage.repositories.messages import Messages
from aforesaid.text import validate
from aforesaid.text.validate import sequence

READ = 400  # messages read for the summary and the participants
SUMMARY_TOKENS = 100


@dataclass(frozen=True, slots=True)
class ManualEpisode:
    """An episode as a caller gives it. `first` and `last` are seqs; the default is the newest message."""

    title: str
    type: str
    first: int | None
    last: int | None
    summary: str | None
    outcome: str | None
    valence: float
    significance: float
    facts: Sequence[str]


@dataclass(frozen=True, slots=True)
class ConversationEnd:
    """A conversation, and the seq of its newest message; −1 if it has none."""

    space: str
    conversation: str
    newest: int


def manual_episode(
    episode: ManualEpisode, where: ConversationEnd, messages: Messages, count: CountTokens, stamp: tuple[str, datetime]
) -> Episode:
    """The episode. Raises InvalidInput if a value is invalid, or the conversation has no such messages."""
    first, last = _span(episode, where.newest)
    read = messages.utterances(where.space, where.conversation, first - 1, READ)
    within = [message for message in read if message.seq <= last]
    summary = validate.non_blank(episode.summary, "summary") if episode.summary else ""
    summary = summary or summarise(within, count, SUMMARY_TOKENS)
    return Episode(
        id=stamp[0],
        space=where.space,
        conversation=where.conversation,
        type=validate.choice(episode.type, EPISODE_TYPES, "an episode's type"),
        title=validate.non_blank(episode.title, "title"),
        summary=summary,
        context="",
        participants=tuple(dict.fromkeys(message.speaker for message in within if message.role != "tool")),
        outcome=None if episode.outcome is None else validate.non_blank(episode.outcome, "outcome"),
        valence=validate.signed_share(episode.valence, "valence"),
        significance=validate.share(episode.significance, "significance"),
        facts=tuple(validate.name(fact, "a fact's id") for fact in sequence(episode.facts, "facts")),
        first_seq=first,
        last_seq=last,
        method="manual",
        model=None,
        tokens=count(summary),
        created_at=stamp[1],
        at=within[-1].at if within else stamp[1],
    )


def _span(episode: ManualEpisode, newest: int) -> tuple[int, int]:
    if newest < 0:
        raise InvalidInput("the conversation has no messages yet; an episode needs some")
    last = newest if episode.last is None else validate.count(episode.last, "last", 0)
    first = last if episode.first is None else validate.count(episode.first, "first", 0)
    if not first <= last <= newest:
        raise InvalidInput(f"first {first} and last {last} must be seqs in order, from 0 to {newest}")
    return first, last
