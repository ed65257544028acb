"""Tells what of a batch is new, by the ids."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from recollect.imports.exported import Said
from recollect.imports.names import digest
from recollect.models import Message
from recollect.records import MessageDraft

Named = tuple[str, Said]  # a message with the id that it comes with
Make = Callable[[str, Said], MessageDraft | None]


@dataclass(frozen=True, slots=True)
class Sorting:
    """What a batch brings: new messages, those that are there, how many are there with other words, and how many
    cannot be messages."""

    new: Sequence[MessageDraft]
    known: Sequence[Message | MessageDraft]
    changed: int
    refused: int


def sort(conversation: str, batch: Sequence[Named], stored: Mapping[str, Message], make: Make) -> Sorting:
    """An id that stands twice counts once. What is there in the same words is not made anew to be compared."""
    new: dict[str, MessageDraft] = {}
    known: list[Message | MessageDraft] = []
    changed = refused = 0
    for given, said in batch:
        id = _own(conversation, given, stored)
        twin = stored.get(id) or new.get(id)
        if twin is not None and _words(twin) == _words(said):
            known.append(twin)
        elif (made := make(id, said)) is None:
            refused += 1
        elif twin is None:
            new[id] = made
        elif _words(twin) == _words(made):
            known.append(twin)
        else:
            changed += 1
    return Sorting(tuple(new.values()), tuple(known), changed, refused)


def asked_for(conversation: str, batch: Sequence[Named]) -> list[str]:
    """The ids under which the messages of a batch may be stored."""
    return [id for given, _ in batch for id in (given, _other(conversation, given))]


def _own(conversation: str, id: str, stored: Mapping[str, Message]) -> str:
    """The id, or another one, always the same, where a conversation of the space has it already: one that was branched
    off from another carries its messages along."""
    other = _other(conversation, id)
    taken = id in stored and stored[id].conversation != conversation
    return other if taken or other in stored else id


def _other(conversation: str, id: str) -> str:
    return digest(conversation, id)


def _words(one: Message | MessageDraft | Said) -> tuple[object, ...]:
    return one.role, one.content, one.name, one.tool_calls or None, one.tool_call_id
