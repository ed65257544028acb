"""When the next summary of a conversation is due, and which messages it is about.

The range follows from the messages alone, not from when someone looked: a backlog is cut into the same segments as a
conversation that was followed all along.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from recollect.distill.pace import LATEST, SOONEST, paces
from recollect.models import Message

WINDOW = 15  # messages in a segment of the recipe `window`
STANDING = 20  # messages that stand by themselves in the recipe `project` …
CHUNK = 10  # … before the oldest of them become a chunk
MOST_CHUNKS = 40  # chunks that stand; at 200 tokens each they take 8,000 of the recipe's 128,000 …
MERGED = 5  # … and with more, so many of the oldest become one: each keeps a sentence or two in it
ROLLING_WINDOW = 14
ROLLING_AFTER = 5  # the seq from which on a rolling summary is made
LONGEST = 200  # messages in a segment, where assistants are counted and hardly any speaks


@dataclass(frozen=True, slots=True)
class Range:
    """Messages from `first` to `last`, by seq, both included."""

    first: int
    last: int


def reached(ranges: Iterable[Range], end: int = -1) -> int:
    """How far the segments reach without a gap, where they are known to reach `end`; −1: not even one message."""
    for one in sorted(ranges, key=lambda one: one.first):
        if one.first > end + 1:
            break
        end = max(end, one.last)
    return end


def needed(rule: str, frequency: int) -> int:
    """How many messages must be read to see whether a segment is due."""
    sizes = {"window": WINDOW, "project": STANDING + 1, "balanced": LATEST, "retrieval": LONGEST if frequency else 0}
    return sizes.get(rule, 0)


def segment(rule: str, end: int, heard: Sequence[Message], frequency: int) -> Range | None:
    """The next segment, from after `end` on, where `heard` are the messages from there; None while it is not due."""
    last = _last(rule, heard, frequency)
    return None if last is None else Range(end + 1, last.seq)


def rolling(tail: Sequence[Message], reach: int | None) -> Range | None:
    """The next rolling summary, where `tail` are the last messages and `reach` is where the one before ends.

    It begins with a user's message and ends with an answer; None while there is no new answer.
    """
    last = _answer(tail)
    if last is None or last < ROLLING_AFTER or (reach is not None and last <= reach):
        return None
    first = max(0, last - ROLLING_WINDOW + 1)
    users = [one.seq for one in tail if one.role == "user" and first <= one.seq <= last]
    return Range(users[0] if first and users else first, last)


def _last(rule: str, heard: Sequence[Message], frequency: int) -> Message | None:
    if rule == "window" and len(heard) >= WINDOW:
        return heard[WINDOW - 1]
    if rule == "project" and len(heard) > STANDING:
        return heard[CHUNK - 1]
    if rule == "retrieval" and frequency:
        answers = [one for one in heard if one.role == "assistant"]
        if len(answers) >= frequency:
            return answers[frequency - 1]
        return heard[LONGEST - 1] if len(heard) >= LONGEST else None
    if rule == "balanced" and len(heard) >= SOONEST:
        sizes = enumerate(paces(heard[:LATEST]), 1)
        return next((heard[size - 1] for size, wanted in sizes if size >= SOONEST and wanted <= size), None)
    return None


def _answer(tail: Sequence[Message]) -> int | None:
    """The last message that leaves nothing open: not a question, not a call whose result is to come. Where no
    assistant speaks, the newest."""
    for one in reversed(tail):
        if one.role == "assistant" and not one.tool_calls:
            return one.seq
    return tail[-1].seq if tail and not any(one.role in ("assistant", "tool") for one in tail) else None
