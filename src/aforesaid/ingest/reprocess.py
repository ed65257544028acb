"""Chunks or scores stored messages again with the current settings and rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from aforesaid.errors import NotFound
from aforesaid.ingest.draft import DraftBuilder, IngestOptions
from aforesaid.models.message import Message, MessageDraft, MessageScore
from aforesaid.ports import Progress
from aforesaid.storage.repositories.messages import Messages
from aforesaid.storage.store import Store

RECHUNK_BATCH = 100  # messages in one transaction


def rechunk(store: Store, drafts: DraftBuilder, space: str, given: IngestOptions, progress: Progress) -> int:
    """Replaces the chunks of every message of the space that would be split otherwise today; says how many.

    What is done is done: when it was interrupted, the next call goes on from there.
    """
    info = store.spaces.get(space)
    changed, batch = 0, list[MessageDraft]()
    for done, (_, draft) in enumerate(store.messages.drafts(space), 1):
        anew = drafts.rechunked(draft, given.chunk_tokens)
        if anew is not None:
            batch.append(anew)
        if len(batch) == RECHUNK_BATCH:
            store.messages.rechunk(space, batch, given.now)
            changed += len(batch)
            batch.clear()
        progress(done, info.messages if info else done)
    if batch:
        store.messages.rechunk(space, batch, given.now)
    return changed + len(batch)


RESCORE_BATCH = 200  # messages in one transaction


def rescore(
    messages: Messages, drafts: DraftBuilder, place: tuple[str, str], ids: Sequence[str] | None, *, dry_run: bool
) -> list[MessageScore]:
    """Gives messages of a conversation the importance that the rules say: these, in their order, or all of them. With
    `dry_run`, only says it. NotFound, and nothing changed, where an id is not there."""
    scored: list[MessageScore] = []
    for batch in _by_id(messages, place, ids) if ids is not None else _all(messages, place):
        found = batch
        if not dry_run:
            found = messages.weigh(*place, [message.id for message in batch], drafts.importance)
        scored += [_message_score(drafts, message) for message in found]
    return scored


def _message_score(drafts: DraftBuilder, before: Message) -> MessageScore:
    now, rules = drafts.importance(before.role, before.text), drafts.rules_for(before.role, before.text)
    return MessageScore(before.id, before.seq, now, before.importance, rules)


def _by_id(messages: Messages, place: tuple[str, str], ids: Sequence[str]) -> Iterator[list[Message]]:
    found = [_get(messages, place, id) for id in dict.fromkeys(ids)]
    yield from (found[at : at + RESCORE_BATCH] for at in range(0, len(found), RESCORE_BATCH))


def _get(messages: Messages, place: tuple[str, str], id: str) -> Message:
    found = messages.get(*place, id)
    if found is None:
        raise NotFound(f"conversation {place[1]!r} has no message {id!r}")
    return found


def _all(messages: Messages, place: tuple[str, str]) -> Iterator[list[Message]]:
    after = -1
    while batch := messages.page(*place, RESCORE_BATCH, after, None):
        yield batch
        after = batch[-1].seq
