"""Tool calls and their results are one group: in together, in order, or out together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from recollect.context.cost import estimate
from recollect.context.reasons import NO_CALL, NO_RESULT, ODD_CALL
from recollect.context.turn import calls
from recollect.models import Message


@dataclass(frozen=True, slots=True)
class Group:
    """A message, or tool calls with their results."""

    messages: tuple[Message, ...]

    @property
    def estimate(self) -> int:
        return sum(map(estimate, self.messages))

    @property
    def opens_a_turn(self) -> bool:
        return self.messages[0].role == "user"


@dataclass(frozen=True, slots=True)
class Fault:
    """A message that no chat API would take where it stands, and why."""

    message: Message
    reason: str


def group(messages: Sequence[Message]) -> tuple[tuple[Group, ...], tuple[Fault, ...]]:
    """The groups in order, and what belongs to none. A result counts only where it follows its call at once."""
    groups: list[Group] = []
    faults: list[Fault] = []
    at = 0
    while at < len(messages):
        stop = _end(messages, at)
        run = tuple(messages[at:stop])
        reason = _reason(run)
        if reason is None:
            groups.append(Group(run))
        else:
            faults += [Fault(message, reason) for message in run]
        at = stop
    return tuple(groups), tuple(faults)


def _end(messages: Sequence[Message], at: int) -> int:
    """Where the run ends that begins here: a call takes the results that follow and are its own."""
    wanted = [call.id for call in calls(messages[at]) or ()]
    stop = at + 1
    while stop < len(messages) and messages[stop].role == "tool" and messages[stop].tool_call_id in wanted:
        wanted.remove(str(messages[stop].tool_call_id))
        stop += 1
    return stop


def _reason(run: Sequence[Message]) -> str | None:
    first = run[0]
    if first.role == "tool":
        return NO_CALL
    asked = calls(first)
    if asked is None:
        return ODD_CALL
    if asked and first.role != "assistant":
        return ODD_CALL
    if len(asked) != len(run) - 1:
        return NO_RESULT
    return None


def last(groups: Sequence[Group], messages: int) -> int:
    """The index of the group from which on there are at least so many messages."""
    at = len(groups)
    while at > 0 and messages > 0:
        at -= 1
        messages -= len(groups[at].messages)
    return at
