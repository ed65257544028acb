"""An episode that somebody noted by hand: checked, and filled in from the conversation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from recollect.distill.cut import Count
from recollect.distill.extractive import summarise
from recollect.errors import InvalidInput
from recollect.models import EPISODE_TYPES, Episode
from recollect.ports import Messages
from recollect.records import Utterance
from recollect.text import accept
from recollect.text.given import several

READ = 400  # messages of a noted episode that are read for its summary and participants
SUMMARY_TOKENS = 100


@dataclass(frozen=True, slots=True)
class Noted:
    """What the caller said of an episode. `first` and `last` are seqs; without them it is about the newest message."""

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
class Where:
    """The conversation that it happened in, and the seq of its newest message; −1 where it has none."""

    space: str
    conversation: str
    newest: int


def noted(given: Noted, where: Where, messages: Messages, count: Count, stamp: tuple[str, datetime]) -> Episode:
    """The episode; InvalidInput where a value is not possible, or the conversation has no such messages."""
    first, last = _span(given, where.newest)
    said = messages.utterances(where.space, where.conversation, first - 1, READ)
    within = [one for one in said if one.seq <= last]
    summary = accept.words(given.summary, "summary") if given.summary else summarise(within, count, SUMMARY_TOKENS)
    return Episode(
        id=stamp[0],
        space=where.space,
        conversation=where.conversation,
        type=accept.choice(given.type, EPISODE_TYPES, "an episode's type"),
        title=accept.words(given.title, "title"),
        summary=summary,
        context="",
        participants=_speakers(within),
        outcome=None if given.outcome is None else accept.words(given.outcome, "outcome"),
        valence=accept.balance(given.valence, "valence"),
        significance=accept.share(given.significance, "significance"),
        facts=tuple(accept.name(fact, "a fact's id") for fact in several(given.facts, "facts")),
        first_seq=first,
        last_seq=last,
        method="manual",
        model=None,
        tokens=count(summary),
        created_at=stamp[1],
        at=within[-1].at if within else stamp[1],
    )


def _span(given: Noted, newest: int) -> tuple[int, int]:
    if newest < 0:
        raise InvalidInput("the conversation has no messages yet; an episode is about some")
    last = newest if given.last is None else accept.count(given.last, "last", 0)
    first = last if given.first is None else accept.count(given.first, "first", 0)
    if not first <= last <= newest:
        raise InvalidInput(f"first {first} and last {last} must be seqs in order, from 0 to {newest}")
    return first, last


def _speakers(said: Sequence[Utterance]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.speaker for one in said if one.role != "tool"))
