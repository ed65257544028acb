"""Gives a message other words, inside the caller's transaction: what came from the old ones goes or is made anew."""

from __future__ import annotations

from datetime import datetime

import apsw

from recollect.errors import NotFound
from recollect.ids import microseconds
from recollect.models import Message
from recollect.records import MessageDraft
from recollect.stores import queries, rows
from recollect.stores.nouns import chunks, forget, jobs, quotes
from recollect.stores.nouns.tally import Scope, Tally
from recollect.stores.sqlite.database import fetch

SQL = queries.named("sqlite", "forget")
MESSAGES = queries.named("sqlite", "messages")
VECTORS = queries.named("sqlite", "vectors")


def edit(
    connection: apsw.Connection, space: tuple[str, int], draft: MessageDraft, at: datetime
) -> tuple[Tally, Message]:
    """The message as it is now; `draft` is what it becomes. It keeps its key, id, seq, time and role."""
    name, space_key = space
    old = forget.doomed(fetch(connection, SQL["message"], {"space_key": space_key, "id": draft.id}))
    if not old:
        raise NotFound(f"there is no message {draft.id!r} to edit")
    scope, tally = Scope(space_key, old), Tally(ids={draft.id})
    forget.derived(connection, scope, tally)
    tally.erased["message text", "asked for"] += 1
    for message in old:
        _write(connection, (space_key, message.conversation), message.key, draft)
        tally.again.add(message.conversation)
        for kind in draft.jobs:
            jobs.insert(connection, kind, space_key, message.key, microseconds(at))
        connection.execute(SQL["recount"], {"conversation_key": message.conversation})
    quotes.erase(connection, scope, tally)
    tally.kept["retrieval", quotes.NUMBERS] += quotes.numbers(connection, scope)
    forget.make_anew(connection, scope, tally, microseconds(at), learn=True)
    found = fetch(connection, MESSAGES["by_id"], {"space_key": space_key, "id": draft.id})
    return tally, rows.message(name, found[0])


def _write(connection: apsw.Connection, scope: tuple[int, int], message_key: int, draft: MessageDraft) -> None:
    keys = chunks.keys_for(connection, draft.chunks)
    columns = rows.columns(draft)
    changed = {name: columns[name] for name in ("text", "parts", "importance", "tokens")}
    span = {"first_chunk": keys[0] if keys else None, "last_chunk": keys[-1] if keys else None}
    connection.execute(SQL["rewrite"], {"message_key": message_key, **changed, **span})
    chunks.insert(connection, message_key, keys, draft.chunks)
    if draft.indexed and keys:
        chunks.index(connection, scope, keys, [chunk.terms for chunk in draft.chunks])
