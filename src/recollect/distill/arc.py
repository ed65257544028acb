"""How a conversation went: its beginning, its middle, its end, and what mattered most."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from recollect.distill.cut import Count, safe
from recollect.distill.extractive import summarise
from recollect.distill.topics import topics
from recollect.models import Arc, Episode, Third
from recollect.ports import Messages
from recollect.records import Utterance
from recollect.text.secrets import masked

KEY = 0.7  # how significant a key moment is, at least
READ = 60  # messages of a third that are read, from its beginning and from its end each
SUMMARY_TOKENS = 120


def arc(messages: Messages, place: tuple[str, str], total: int, episodes: Sequence[Episode], count: Count) -> Arc:
    """The arc of the messages whose seq is under `total`. What it takes does not grow with the conversation."""
    edges = [total * part // 3 for part in range(4)]
    said = [(_seq(messages, place, one, edges), one) for one in episodes]
    beginning, middle, end = (
        _third((first, last - 1), _read(messages, place, first, last), said, count) for first, last in pairwise(edges)
    )
    return Arc(beginning, middle, end, tuple(one for one in episodes if one.significance >= KEY))


def _seq(messages: Messages, place: tuple[str, str], episode: Episode, edges: Sequence[int]) -> int:
    """The message that says how an episode came out, where it goes over the edge of a third; else its first one."""
    if episode.outcome and any(episode.first_seq < edge <= episode.last_seq for edge in edges):
        for one in messages.utterances(*place, episode.first_seq - 1, READ):
            if one.seq <= episode.last_seq and _plain(episode.outcome) in _plain(masked(safe(one.text))):
                return one.seq
    return episode.first_seq


def _plain(text: str) -> str:
    return " ".join(text.split())


def _read(messages: Messages, place: tuple[str, str], first: int, last: int) -> list[Utterance]:
    head = messages.utterances(*place, first - 1, READ)
    reached = head[-1].seq if head else first
    tail = messages.utterances(*place, max(reached, last - READ - 1), READ)
    return [one for one in (*head, *tail) if first <= one.seq < last]


def _third(
    span: tuple[int, int], said: Sequence[Utterance], episodes: Sequence[tuple[int, Episode]], count: Count
) -> Third:
    first, last = span
    inside = tuple(one for seq, one in episodes if first <= seq <= last)
    return Third(first, last, summarise(said, count, SUMMARY_TOKENS) if said else "", topics(said), inside)
