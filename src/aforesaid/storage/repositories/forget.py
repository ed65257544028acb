"""Forgets or edits messages, with everything that was made from them, inside the caller's transaction. Returns the
counts.
"""

from __future__ import annotations

from collections.abc import Iterable

from aforesaid.errors import NotFound
from aforesaid.ids import microseconds
from aforesaid.models.erasure import ErasureRequest
from aforesaid.models.message import Message, MessageDraft
from aforesaid.storage import queries
from aforesaid.storage.database import Row, Session, first
from aforesaid.storage.repositories import append, cascade, chunks, erasers, fact_changes, jobs, lineage
from aforesaid.storage.repositories.append import message_columns, message_from_row
from aforesaid.storage.repositories.erasers import ErasedMessage, ErasureCounts, ErasureScope
from aforesaid.storage.repositories.space_keys import ConversationKeys

SQL = queries.named("forget")
VECTORS = queries.named("vectors")

REQUESTED = "asked for"


def forget_target(session: Session, space_key: int, asked: ErasureRequest) -> ErasureCounts:
    """Raises NotFound if there is no such target."""
    if asked.target == "fact":
        return _forget_fact(session, space_key, asked.id or "")
    tally = ErasureCounts()
    scope = _scope(session, space_key, asked)
    erase_derived(session, scope, tally)
    for message in scope.messages:
        _remove(session, message, tally)
    session.execute(VECTORS["unreach"])  # a message key that is free may be used again
    _shrink(session, scope)
    erasers.erase_receipts(session, scope, tally)
    before = erasers.count_retrievals(session, scope)
    for key in scope.conversations:
        tally.erased["conversation", REQUESTED] += 1
        cascade.delete_conversation(session, space_key, key)
    tally.kept["audit entry", erasers.APPEND_ONLY] += erasers.count_audit_entries(session, scope)
    tally.kept["retrieval", erasers.NUMBERS] += erasers.count_retrievals(session, scope)
    tally.erased["retrieval", "of a conversation that went"] += before - erasers.count_retrievals(session, scope)
    queue_recomputation(session, scope, tally, microseconds(asked.at))
    return tally


def _forget_fact(session: Session, space_key: int, id: str) -> ErasureCounts:
    """Erases a fact with its evidence and relations; the messages that state it stay."""
    tally = ErasureCounts(ids={id})
    row = first(session.fetch(SQL["fact"], {"space_key": space_key, "id": id}))
    if row is None:
        raise NotFound(f"there is no fact {id!r} to forget")
    made = lineage.made_from(session, space_key, [("fact", row.fact_key)])
    fact_changes.remove_fact(session, space_key, row.fact_key)
    tally.erased["fact", REQUESTED] += 1
    tally.erased["quote", "evidence of it"] += row.proofs
    tally.kept["message", "the words themselves; forget the message to erase them"] += row.proofs
    scope = ErasureScope(space_key)
    erasers.withdraw_derived(session, scope, tally, made)
    erasers.erase_receipts(session, scope, tally, [row.text])
    tally.kept["retrieval", erasers.NUMBERS] += erasers.count_retrievals(session, scope)
    return tally


def erase_derived(session: Session, scope: ErasureScope, tally: ErasureCounts) -> None:
    """Erases everything that was made from these messages, and not the messages."""
    for eraser in erasers.ERASERS:
        eraser(session, scope, tally)


def queue_recomputation(
    session: Session, scope: ErasureScope, tally: ErasureCounts, at: int, *, learn: bool = False
) -> None:
    """Lets the steps read a conversation again from where something was withdrawn. With `learn`, facts are extracted
    again too: other facts lose nothing by an erased message. A model looks for episodes again from the start of the
    first withdrawn one, and only if there is one, because its calls cost money."""
    seqs: dict[int, int] = {}
    for message in scope.messages:
        seqs[message.conversation] = min(message.seq, seqs.get(message.conversation, message.seq))
    for key in tally.again - set(scope.conversations):
        read = {"conversation_key": key, "reached": seqs.get(key, 0) - 1, "learn": learn}
        session.execute(SQL["read_again"] if read["reached"] >= 0 else SQL["begin_again"], read)
        if key in tally.episodes_from:
            narrated = {"conversation_key": key, "reached": tally.episodes_from[key] - 1}
            session.execute(SQL["narrate_again"] if narrated["reached"] >= 0 else SQL["narrate_anew"], narrated)
        jobs.insert(session, "distill", scope.space_key, key, at)


def messages_to_erase(rows: Iterable[Row]) -> tuple[ErasedMessage, ...]:
    return tuple(
        ErasedMessage(row.message_key, row.conversation_key, row.seq, row.id, row.text, row.first_chunk, row.last_chunk)
        for row in rows
    )


def _scope(session: Session, space_key: int, asked: ErasureRequest) -> ErasureScope:
    names: dict[str, str | int | None] = {"space_key": space_key, "id": asked.id}
    if asked.target == "message":
        messages = messages_to_erase(session.fetch(SQL["message"], names))
        if not messages:
            raise NotFound(f"there is no message {asked.id!r} to forget")
        return ErasureScope(space_key, messages)
    if asked.target == "before":
        before = microseconds(asked.before) if asked.before is not None else 0
        names["before"] = before
        emptied = {row.conversation_key: row.id for row in session.fetch(SQL["emptied"], names)}
        return ErasureScope(space_key, messages_to_erase(session.fetch(SQL["before"], names)), emptied, before)
    query = SQL["conversations" if asked.target == "everything" else "conversation"]
    whole = {row.conversation_key: row.id for row in session.fetch(query, names)}
    if asked.target != "everything" and not whole:
        raise NotFound(f"there is no conversation {asked.id!r} to forget")
    results = [session.fetch(SQL["of_conversation"], {"conversation_key": key}) for key in whole]
    messages = messages_to_erase(row for rows in results for row in rows)
    return ErasureScope(space_key, messages, whole, everything=asked.target == "everything")


def _remove(session: Session, message: ErasedMessage, tally: ErasureCounts) -> None:
    tally.ids.add(message.id)
    tally.erased["message", REQUESTED] += 1
    session.execute(SQL["delete_message"], {"message_key": message.key})
    append.keep_gap(session, message.conversation, message.seq, message.seq)


def _shrink(session: Session, scope: ErasureScope) -> None:
    """Recounts the messages of the conversations that stay."""
    for key in {message.conversation for message in scope.messages} - set(scope.conversations):
        session.execute(SQL["recount"], {"conversation_key": key})


def edit_message(
    session: Session, space: tuple[str, int], draft: MessageDraft, asked: ErasureRequest
) -> tuple[ErasureCounts, Message]:
    """Gives a message the content of `draft`, and returns it. It keeps its key, id, seq, time and role."""
    name, space_key = space
    old = messages_to_erase(session.fetch(SQL["message"], {"space_key": space_key, "id": draft.id}))
    if not old:
        raise NotFound(f"there is no message {draft.id!r} to edit")
    at = asked.at
    scope, tally = ErasureScope(space_key, old, said=draft.text, marks=asked.marks), ErasureCounts(ids={draft.id})
    erase_derived(session, scope, tally)
    tally.erased["message text", "asked for"] += 1
    for message in old:
        _rewrite(session, ConversationKeys(space_key, message.conversation), message.key, draft)
        tally.again.add(message.conversation)
        for kind in draft.jobs:
            jobs.insert(session, kind, space_key, message.key, microseconds(at))
        session.execute(SQL["recount"], {"conversation_key": message.conversation})
    erasers.erase_receipts(session, scope, tally)
    tally.kept["retrieval", erasers.NUMBERS] += erasers.count_retrievals(session, scope)
    queue_recomputation(session, scope, tally, microseconds(at), learn=True)
    (row,) = session.fetch(append.SQL["by_id"], {"space_key": space_key, "id": draft.id})
    return tally, message_from_row(name, row)


def _rewrite(session: Session, owner: ConversationKeys, message_key: int, draft: MessageDraft) -> None:
    keys = chunks.keys_for(session, owner.space_key, draft.chunks)
    columns = message_columns(draft)
    changed = {name: columns[name] for name in ("text", "parts", "importance", "tokens")}
    session.execute(SQL["rewrite"], {"message_key": message_key, **changed, **chunks.span(keys)})
    chunks.insert(session, owner.space_key, message_key, keys, draft.chunks)
    if draft.indexed and keys:
        chunks.index(session, owner, keys, [chunk.terms for chunk in draft.chunks])
