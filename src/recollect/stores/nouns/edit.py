"""Gives a message other words, inside the caller's transaction: what came from the old ones goes or is made anew."""

from __future__ import annotations

from recollect.errors import NotFound
from recollect.ids import microseconds
from recollect.models import Message
from recollect.records import Forget, MessageDraft
from recollect.stores import queries, rows
from recollect.stores.database import Session
from recollect.stores.nouns import chunks, forget, jobs, quotes
from recollect.stores.nouns.tally import Scope, Tally

SQL = queries.named("forget")
MESSAGES = queries.named("messages")
VECTORS = queries.named("vectors")


def edit(session: Session, space: tuple[str, int], draft: MessageDraft, asked: Forget) -> tuple[Tally, Message]:
    """The message as it is now; `draft` is what it becomes. It keeps its key, id, seq, time and role."""
    name, space_key = space
    old = forget.doomed(session.fetch(SQL["message"], {"space_key": space_key, "id": draft.id}))
    if not old:
        raise NotFound(f"there is no message {draft.id!r} to edit")
    at = asked.at
    scope, tally = Scope(space_key, old, said=draft.text, marks=asked.marks), Tally(ids={draft.id})
    forget.derived(session, scope, tally)
    tally.erased["message text", "asked for"] += 1
    for message in old:
        _write(session, (space_key, message.conversation), message.key, draft)
        tally.again.add(message.conversation)
        for kind in draft.jobs:
            jobs.insert(session, kind, space_key, message.key, microseconds(at))
        session.execute(SQL["recount"], {"conversation_key": message.conversation})
    quotes.erase(session, scope, tally)
    tally.kept["retrieval", quotes.NUMBERS] += quotes.numbers(session, scope)
    forget.make_anew(session, scope, tally, microseconds(at), learn=True)
    found = session.fetch(MESSAGES["by_id"], {"space_key": space_key, "id": draft.id})
    return tally, rows.message(name, found[0])


def _write(session: Session, scope: tuple[int, int], message_key: int, draft: MessageDraft) -> None:
    keys = chunks.keys_for(session, scope[0], draft.chunks)
    columns = rows.columns(draft)
    changed = {name: columns[name] for name in ("text", "parts", "importance", "tokens")}
    span = {"first_chunk": keys[0] if keys else None, "last_chunk": keys[-1] if keys else None}
    session.execute(SQL["rewrite"], {"message_key": message_key, **changed, **span})
    chunks.insert(session, (scope[0], message_key), keys, draft.chunks)
    if draft.indexed and keys:
        chunks.index(session, scope, keys, [chunk.terms for chunk in draft.chunks])
