"""Groups messages with their tool results, and finds the start of the history.

A tool call and its results are included together or left out together. The start of the history depends on the log
only: the history grows until it passes the high-water mark, and is then cut to the low-water mark. The position of a
message is the sum of the tokens before it, so it never changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from aforesaid.context.receipt import NO_CALL, NO_RESULT, ODD_CALL
from aforesaid.context.tokens import estimate_tokens
from aforesaid.context.turn import tool_calls
from aforesaid.models.message import Message


@dataclass(frozen=True, slots=True)
class MessageGroup:
    """A message, or tool calls with their results."""

    messages: tuple[Message, ...]

    @property
    def starts_turn(self) -> bool:
        return self.messages[0].role == "user"


def flatten(groups: Iterable[MessageGroup]) -> tuple[Message, ...]:
    return tuple(message for group in groups for message in group.messages)


@dataclass(frozen=True, slots=True)
class InvalidMessage:
    """A message that chat APIs refuse at its position, and the reason."""

    message: Message
    reason: str


def group_messages(messages: Sequence[Message]) -> tuple[tuple[MessageGroup, ...], tuple[InvalidMessage, ...]]:
    """The groups in order, and the messages that belong to none. A tool result must directly follow its call."""
    groups: list[MessageGroup] = []
    invalid_messages: list[InvalidMessage] = []
    at = 0
    while at < len(messages):
        if messages[at].role != "tool" and not messages[at].tool_calls:
            groups.append(MessageGroup((messages[at],)))
            at += 1
            continue
        stop = _end(messages, at)
        run = tuple(messages[at:stop])
        reason = _reason(run)
        if reason is None:
            groups.append(MessageGroup(run))
        else:
            invalid_messages += [InvalidMessage(message, reason) for message in run]
        at = stop
    return tuple(groups), tuple(invalid_messages)


def _end(messages: Sequence[Message], at: int) -> int:
    """The end of the group that starts here: a message, with the results of its tool calls that follow it."""
    open_calls = [call.id for call in tool_calls(messages[at]) or ()]
    stop = at + 1
    while stop < len(messages) and messages[stop].role == "tool" and messages[stop].tool_call_id in open_calls:
        open_calls.remove(str(messages[stop].tool_call_id))
        stop += 1
    return stop


def _reason(run: Sequence[Message]) -> str | None:
    """Why chat APIs refuse a group; None if they accept it."""
    first = run[0]
    if first.role == "tool":
        return NO_CALL
    calls = tool_calls(first)
    if calls is None or (calls and first.role != "assistant"):
        return ODD_CALL
    return NO_RESULT if len(calls) != len(run) - 1 else None


def tail_start_covering(groups: Sequence[MessageGroup], messages: int) -> int:
    """The index of the first group of the shortest tail with at least this many messages."""
    at = len(groups)
    while at > 0 and messages > 0:
        at -= 1
        messages -= len(groups[at].messages)
    return at


def tail_start_within(groups: Sequence[MessageGroup], limit: int, cost: Callable[[Sequence[Message]], int]) -> int:
    """The index of the first group of the longest tail whose groups together cost at most `limit`."""
    at = len(groups)
    while at > 0 and (limit := limit - cost(groups[at - 1].messages)) >= 0:
        at -= 1
    return at


@dataclass(frozen=True, slots=True)
class WaterMarks:
    """The most tokens of history, and the tokens that are left when it is cut."""

    high: int
    low: int

    @property
    def step(self) -> int:
        return max(1, self.high - self.low)


def cut_position(end: int, marks: WaterMarks) -> int:
    """The position where the shown history starts. Between it and `end` are more than low and at most high tokens."""
    if end <= marks.high:
        return 0
    return marks.step * -(-(end - marks.high) // marks.step)


def token_positions(messages: Sequence[Message], end: int) -> dict[str, int]:
    """The tokens before each message, by id. `end` is the position after the last message."""
    places: dict[str, int] = {}
    for message in reversed(messages):
        end -= estimate_tokens(message)
        places[message.id] = end
    return places


def first_group(groups: Sequence[MessageGroup], place: Mapping[str, int], start: int) -> int:
    """The index of the first group at or after the position `start`, moved to the next user's turn if there is one."""
    if start == 0:
        return 0
    at = next((index for index, group in enumerate(groups) if place[group.messages[0].id] >= start), len(groups))
    return next_turn(groups, at)


def next_turn(groups: Sequence[MessageGroup], at: int) -> int:
    """The index of the first group from `at` on that starts a user's turn; `at` if there is none."""
    return next((index for index in range(at, len(groups)) if groups[index].starts_turn), at)
