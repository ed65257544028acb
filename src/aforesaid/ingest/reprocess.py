"""Chunks or scores stored messages again with the current settings and rules."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence

from aforesaid.errors import NotFound, StoreDamaged
from aforesaid.ingest.draft import DraftBuilder, IngestOptions
from aforesaid.models.message import Message, MessageDraft, MessageScore
from aforesaid.ports import Progress
from aforesaid.storage.repositories.messages import Messages
from aforesaid.storage.store import Store

log = logging.getLogger(__name__)

RECHUNK_BATCH = 100  # messages in one transaction


def rechunk(store: Store, drafts: DraftBuilder, space: str, options: IngestOptions, progress: Progress) -> int:
    """Replaces the chunks of all messages that the current settings chunk differently. Returns the number of changed
    messages. Damaged messages keep their chunks. After an interruption, the next call continues."""
    info = store.spaces.get(space)
    changed, batch, damaged = 0, list[MessageDraft](), list[StoreDamaged]()
    for number, (_, draft) in enumerate(store.messages.drafts(space, damaged), 1):
        rechunked = drafts.rechunk(draft, options.chunk_tokens)
        if rechunked is not None:
            batch.append(rechunked)
        if len(batch) == RECHUNK_BATCH:
            store.messages.rechunk(space, batch, options.now)
            changed += len(batch)
            batch.clear()
        progress(number, info.messages if info else number)
    if batch:
        store.messages.rechunk(space, batch, options.now)
    if damaged:
        log.warning("damaged messages keep their chunks", extra={"action": "rechunk_damaged", "count": len(damaged)})
    return changed + len(batch)


RESCORE_BATCH = 200  # messages in one transaction


def rescore(
    messages: Messages, drafts: DraftBuilder, place: tuple[str, str], ids: Sequence[str] | None, *, dry_run: bool
) -> list[MessageScore]:
    """Computes the importance of all messages of a conversation, or of these, again by the current rules. With
    `dry_run`, only reports it. Raises NotFound, and changes nothing, if an id does not exist."""
    scored: list[MessageScore] = []
    for batch in _read_selected(messages, place, ids) if ids is not None else _read_all(messages, place):
        stored = batch if dry_run else messages.weigh(*place, [each.id for each in batch], drafts.importance)
        scored += [_message_score(drafts, message) for message in stored]
    return scored


def _message_score(drafts: DraftBuilder, before: Message) -> MessageScore:
    now, rules = drafts.importance(before.role, before.text), drafts.rules_for(before.role, before.text)
    return MessageScore(before.id, before.seq, now, before.importance, rules)


def _read_selected(messages: Messages, place: tuple[str, str], ids: Sequence[str]) -> Iterator[list[Message]]:
    selected = []
    for id in dict.fromkeys(ids):
        message = messages.get(*place, id)
        if message is None:
            raise NotFound(f"conversation {place[1]!r} has no message {id!r}")
        selected.append(message)
    yield from (selected[at : at + RESCORE_BATCH] for at in range(0, len(selected), RESCORE_BATCH))


def _read_all(messages: Messages, place: tuple[str, str]) -> Iterator[list[Message]]:
    after = -1
    while batch := messages.page(*place, RESCORE_BATCH, after, None):
        yield batch
        after = batch[-1].seq
