"""The arc of a conversation: its beginning, middle and end, and the most significant episodes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from aforesaid.distill.summaries.extractive import summarise
from aforesaid.distill.summaries.topics import topics
from aforesaid.distill.truncate import CountTokens
from aforesaid.models.episode import Arc, ArcPart, Episode
from aforesaid.models.message import Utterance
from aforesaid.storage.repositories.messages import Messages
from aforesaid.text.masking import mask_secrets
from aforesaid.text.normalize import storable_text

KEY_SIGNIFICANCE = 0.7  # of a key moment
READ = 60  # messages read from the beginning and from the end of each third
SUMMARY_TOKENS = 120


def arc(messages: Messages, place: tuple[str, str], total: int, episodes: Sequence[Episode], count: CountTokens) -> Arc:
    """The arc of the messages with a seq below `total`. Its cost does not depend on the length of the conversation."""
    edges = [total * part // 3 for part in range(4)]
    placed = [(_seq(messages, place, episode, edges), episode) for episode in episodes]

    def third(first: int, stop: int) -> ArcPart:
        read = _read(messages, place, first, stop)
        inside = tuple(episode for seq, episode in placed if first <= seq < stop)
        return ArcPart(first, stop - 1, summarise(read, count, SUMMARY_TOKENS) if read else "", topics(read), inside)

    beginning, middle, end = (third(first, stop) for first, stop in pairwise(edges))
    key_moments = tuple(episode for episode in episodes if episode.significance >= KEY_SIGNIFICANCE)
    return Arc(beginning, middle, end, key_moments)


def _seq(messages: Messages, place: tuple[str, str], episode: Episode, edges: Sequence[int]) -> int:
    """The seq that decides the third of an episode: that of its outcome if it crosses an edge, else its first one."""
    if episode.outcome and any(episode.first_seq < edge <= episode.last_seq for edge in edges):
        outcome = _plain(episode.outcome)
        for message in messages.utterances(*place, episode.first_seq - 1, READ):
            if message.seq <= episode.last_seq and outcome in _plain(mask_secrets(storable_text(message.text))):
                return message.seq
    return episode.first_seq


def _plain(text: str) -> str:
    return " ".join(text.split())


def _read(messages: Messages, place: tuple[str, str], first: int, stop: int) -> list[Utterance]:
    head = messages.utterances(*place, first - 1, READ)
    reached = head[-1].seq if head else first
    tail = messages.utterances(*place, max(reached, stop - READ - 1), READ)
    return [message for message in (*head, *tail) if first <= message.seq < stop]
