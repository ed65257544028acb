"""Finds which messages of a request are already stored. Pure.

Messages are matched by role, text without white space, and tool calls. Messages after the last match are new; missing
messages before it stay missing, so forgetting holds. The id of a new message derives from the one before it and its
text, so two requests at once store it once.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Literal

HistoryKind = Literal["part", "again"]  # a part of the history, or a retry
SMALL_WINDOW = 3  # messages; such a small window is only compared with the end of the history
MAX_GAP = 16  # messages between two of a history: other answers, or turns that were removed


def align(
    stored: Sequence[str], sent: Sequence[str], user: Sequence[bool], *, kind: HistoryKind = "part"
) -> list[int | None]:
    """Returns the index in `stored` of each key in `sent`, in order; None if it is not stored. `user` marks the stored
    messages of the user.

    A single message matches only if nothing follows it, or in a retry; otherwise the user repeats it. A window whose
    messages are the last ones stored matches there, also if they occur earlier.
    """
    again = [] if kind == "part" else _resent(stored, sent, user)
    if again:
        return again
    if len(sent) == 1:
        return [len(stored) - 1 if stored and stored[-1] == sent[0] else None]
    matched = _matched(stored, sent)
    known = sum(index is not None for index in matched)
    overlap = _overlap(stored, sent)
    enough = 1 if len(sent) <= SMALL_WINDOW else min(known, len(sent) - 1)
    if overlap and overlap >= enough:
        return [*range(len(stored) - overlap, len(stored)), *(None for _ in sent[overlap:])]
    return matched


def first_seq(seqs: Sequence[int | None]) -> int | None:
    """Returns the seq at which the unbroken end of a history begins, or None if nothing is stored."""
    first: int | None = None
    for seq in reversed(seqs):
        if seq is None:
            continue
        if first is not None and not first - MAX_GAP <= seq <= first:
            break
        first = seq
    return first


def _matched(stored: Sequence[str], sent: Sequence[str]) -> list[int | None]:
    """Matches the common prefix, then the longest common blocks."""
    pairs = enumerate(zip(stored, sent, strict=False))
    prefix = next((at for at, (old, new) in pairs if old != new), min(len(stored), len(sent)))
    matched: list[int | None] = [*range(prefix), *(None for _ in sent[prefix:])]
    for block in SequenceMatcher(None, stored[prefix:], sent[prefix:], autojunk=False).get_matching_blocks():
        for step in range(block.size):
            matched[prefix + block.b + step] = prefix + block.a + step
    return matched


def _overlap(stored: Sequence[str], sent: Sequence[str]) -> int:
    """Returns the size of the longest end of `stored` that `sent` begins with."""
    most = min(len(stored), len(sent))
    return next((size for size in range(most, 0, -1) if stored[-size:] == sent[:size]), 0)


def _resent(stored: Sequence[str], sent: Sequence[str], user: Sequence[bool]) -> list[int | None]:
    """Returns the indexes of a request that was sent before and ends in the last turn; empty if there is none."""
    turn = max((at for at, is_user in enumerate(user) if is_user), default=0)
    ends = range(len(stored), max(turn, len(sent) - 1), -1)
    return next(([*range(end - len(sent), end)] for end in ends if stored[end - len(sent) : end] == sent), [])
