"""Weighs messages that are stored already anew, by the rules as they are today."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from recollect.errors import NotFound
from recollect.ingest.append import Drafts
from recollect.models import Message, Scored
from recollect.ports import Messages

BATCH = 200  # messages in one transaction


def rescore(
    messages: Messages, drafts: Drafts, place: tuple[str, str], ids: Sequence[str] | None, *, dry_run: bool
) -> list[Scored]:
    """Gives messages of a conversation the importance that the rules say: these, in their order, or all of them. With
    `dry_run`, only says it. NotFound, and nothing changed, where an id is not there."""
    scored: list[Scored] = []
    for batch in _named(messages, place, ids) if ids is not None else _all(messages, place):
        found = batch
        if not dry_run:
            found = messages.weigh(*place, [message.id for message in batch], drafts.importance)
        scored += [_scored(drafts, message) for message in found]
    return scored


def _scored(drafts: Drafts, before: Message) -> Scored:
    now, rules = drafts.importance(before.role, before.text), drafts.rules_for(before.role, before.text)
    return Scored(before.id, before.seq, now, before.importance, rules)


def _named(messages: Messages, place: tuple[str, str], ids: Sequence[str]) -> Iterator[list[Message]]:
    found = [_get(messages, place, id) for id in dict.fromkeys(ids)]
    yield from (found[at : at + BATCH] for at in range(0, len(found), BATCH))


def _get(messages: Messages, place: tuple[str, str], id: str) -> Message:
    found = messages.get(*place, id)
    if found is None:
        raise NotFound(f"conversation {place[1]!r} has no message {id!r}")
    return found


def _all(messages: Messages, place: tuple[str, str]) -> Iterator[list[Message]]:
    after = -1
    while batch := messages.page(*place, BATCH, after, None):
        yield batch
        after = batch[-1].seq
