"""Groups hits: by the session, or by the turn, that they are in.

A *session* is a part of one conversation without a long pause, as the directory defines it. A *turn* is a user's
message and the messages that answer it; it comes with the message before it and the one after it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np

from aforesaid.errors import StoreDamaged
from aforesaid.models.index import Directory
from aforesaid.models.message import Message
from aforesaid.models.recall import GroupKind, Hit, HitGroup, Hits
from aforesaid.recall.filters import RecallFilter
from aforesaid.recall.intent import USER
from aforesaid.storage.store import Store

FOLLOWING_SHARE = 0.5  # what each further hit adds, as a share of what the one before it adds
MAX_TURN = 32  # messages on each side of a hit that can be in its turn
MAX_MESSAGES = 1000  # of a group that are read


@dataclass(frozen=True, slots=True)
class MessageSpan:
    """The messages of a group: a range of one conversation, both ends included."""

    first: int
    last: int


def group_score(relevances: Sequence[float], floor: float) -> float:
    """The score of a group, from the relevances of its hits. The best counts fully. Each further one adds what it has
    above `floor`, the lowest relevance of all hits, with half the weight of the one before it."""
    best, *others = sorted(relevances, reverse=True)
    return best + sum((relevance - floor) * FOLLOWING_SHARE**rank for rank, relevance in enumerate(others, 1))


def session_span(directory: Directory, at: int) -> MessageSpan:
    """The session of the message at a position."""
    seqs = directory.seqs[directory.sessions == directory.sessions[at]]
    return MessageSpan(int(seqs.min()), int(seqs.max()))


def turn_span(directory: Directory, at: int) -> MessageSpan:
    """The turn of the message at a position, with the message before it and the one after it."""
    none, first, last = len(directory), at, at
    for _ in range(MAX_TURN):
        if directory.roles[first] == USER or directory.previous[first] == none:
            break
        first = int(directory.previous[first])
    for _ in range(MAX_TURN):
        after = int(directory.following[last])
        if after == none or directory.roles[after] == USER:
            break
        last = after
    ends = (end for end in (int(directory.previous[first]), first, last, int(directory.following[last])) if end != none)
    seqs = [int(directory.seqs[end]) for end in ends]
    return MessageSpan(min(seqs), max(seqs))


SPANS = {"session": session_span, "turn": turn_span}


class HitGrouper:
    def __init__(self, store: Store) -> None:
        self._store = store

    def group(
        self, hits: Hits, kind: GroupKind, limit: int, bounds: RecallFilter, seen_from: str | None = None
    ) -> Hits:
        """The best groups, and the hits in them. A group has its messages as far as they can be read, and none later
        than `as_of` and `known_at`. A group on the line of the branch `seen_from` goes on as that branch does."""
        members: dict[tuple[str, str, MessageSpan], list[Hit]] = defaultdict(list)
        for hit, span in self._spans([hit for hit in hits if hit.message is not None], kind):
            members[hit.space, hit.conversation, span].append(hit)
        floor = min((hit.score.relevance for hit in hits), default=0.0)
        scored = [(group_score([hit.score.relevance for hit in own], floor), place) for place, own in members.items()]
        best = sorted(scored, key=lambda one: -one[0])[:limit]
        latest = min((at for at in (bounds.as_of, bounds.known_at) if at is not None), default=None)
        groups = []
        for score, place in best:
            space, conversation, span = place
            through = self._through(space, seen_from, members[place][0]) or conversation
            messages = self._messages(space, through, span, latest)
            groups.append(HitGroup(kind, space, conversation, messages, tuple(members[place]), score))
        return replace(hits, hits=tuple(hit for group in groups for hit in group.hits), groups=tuple(groups))

    def _spans(self, hits: Sequence[Hit], kind: GroupKind) -> Iterable[tuple[Hit, MessageSpan]]:
        for space in dict.fromkeys(hit.space for hit in hits):
            own = [hit for hit in hits if hit.space == space]
            with self._store.snapshot(space):
                directory = self._store.directories.get(space)
                keys = self._store.metadata.message_keys(space, [hit.id for hit in own])
            if directory is None:
                continue
            order = np.argsort(directory.messages)
            for hit in own:
                found = np.searchsorted(directory.messages, keys.get(hit.id, -1), sorter=order)
                at = int(order[min(int(found), len(order) - 1)])
                if directory.messages[at] == keys.get(hit.id):
                    yield hit, SPANS[kind](directory, at)

    def _through(self, space: str, seen_from: str | None, hit: Hit) -> str | None:
        """The searching branch if a hit is on its line."""
        if seen_from is None or not self._store.directories.forks(space):
            return None
        return seen_from if self._store.messages.get(space, seen_from, hit.id) is not None else None

    def _messages(
        self, space: str, conversation: str, span: MessageSpan, latest: datetime | None
    ) -> tuple[Message, ...]:
        damaged: list[StoreDamaged] = []
        most = min(span.last - span.first + 1, MAX_MESSAGES)
        page = self._store.messages.page(space, conversation, most, span.first - 1, span.last + 1, damaged=damaged)
        return tuple(message for message in page if latest is None or message.created_at <= latest)
