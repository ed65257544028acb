"""Splits messages that are stored already anew, as the settings are today."""

from __future__ import annotations

from recollect.ingest.append import Circumstances, Drafts
from recollect.ports import Progress, Store
from recollect.records import MessageDraft

BATCH = 100  # messages in one transaction


def rechunk(store: Store, drafts: Drafts, space: str, given: Circumstances, progress: Progress) -> int:
    """Replaces the chunks of every message of the space that would be split otherwise today; says how many.

    What is done is done: when it was interrupted, the next call goes on from there.
    """
    info = store.spaces.get(space)
    changed, batch = 0, list[MessageDraft]()
    for done, (_, draft) in enumerate(store.messages.drafts(space), 1):
        anew = drafts.rechunked(draft, given.chunk_tokens)
        if anew is not None:
            batch.append(anew)
        if len(batch) == BATCH:
            store.messages.rechunk(space, batch, given.now)
            changed += len(batch)
            batch.clear()
        progress(done, info.messages if info else done)
    if batch:
        store.messages.rechunk(space, batch, given.now)
    return changed + len(batch)
