"""Byte-pair encoding: joins neighbours, the pair of the lowest rank first, until no pair has a rank."""

from __future__ import annotations

from collections.abc import Callable
from heapq import heapify, heappop, heappush
from itertools import pairwise

NO_RANK = 1 << 62
SHORT = 64  # characters; up to here, searching a list takes less time than a queue

Rank = Callable[[str, str], int]  # of two neighbours; NO_RANK if they are never joined


def merge_pairs(word: str, rank: Rank) -> list[str]:
    """The parts of a word. Of equal ranks, the leftmost pair is joined first. Takes n log n steps for n characters."""
    return _merge_short(word, rank) if len(word) <= SHORT else _merge_long(word, rank)


def _merge_short(word: str, rank: Rank) -> list[str]:
    parts = list(word)
    ranks = [rank(left, right) for left, right in pairwise(parts)]
    while ranks and (best := min(ranks)) < NO_RANK:
        at = ranks.index(best)
        parts[at] += parts.pop(at + 1)
        del ranks[at]
        if at < len(ranks):
            ranks[at] = rank(parts[at], parts[at + 1])
        if at:
            ranks[at - 1] = rank(parts[at - 1], parts[at])
    return parts


def _merge_long(word: str, rank: Rank) -> list[str]:
    count, parts = len(word), list(word)
    before, after = list(range(-1, count - 1)), list(range(1, count + 1))

    def candidate(at: int) -> tuple[int, int] | None:
        if at < 0 or after[at] >= count:
            return None
        found = rank(parts[at], parts[after[at]])
        return None if found == NO_RANK else (found, at)

    queue = [found for at in range(count) if (found := candidate(at))]
    heapify(queue)
    while queue:
        best = heappop(queue)
        at = best[1]
        if not parts[at] or candidate(at) != best:  # a neighbour was joined with another part
            continue
        gone = after[at]
        parts[at] += parts[gone]
        parts[gone] = ""
        after[at] = after[gone]
        if after[at] < count:
            before[after[at]] = at
        for changed in (before[at], at):
            if found := candidate(changed):
                heappush(queue, found)
    return [part for part in parts if part]
