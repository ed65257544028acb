"""Byte-pair encoding: joins neighbours, the pair of the lowest rank first, until no pair has a rank."""

from __future__ import annotations

from collections.abc import Callable
from heapq import heapify, heappop, heappush

Rank = Callable[[str, str], tuple[int, ...] | None]


def merge_pairs(word: str, rank: Rank) -> list[str]:
    """The parts of a word. Of equal ranks, the leftmost pair is joined first. Takes n log n steps for n characters."""
    count, parts = len(word), list(word)
    before, after = list(range(-1, count - 1)), list(range(1, count + 1))

    def candidate(at: int) -> tuple[tuple[int, ...], int] | None:
        if at < 0 or after[at] >= count:
            return None
        found = rank(parts[at], parts[after[at]])
        return None if found is None else (found, at)

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
