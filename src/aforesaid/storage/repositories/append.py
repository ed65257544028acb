"""Appends messages to a conversation: in the caller's transaction, or as one JSON value for an engine that appends a
batch in one statement.

On PostgreSQL each statement is a round trip, so the database function that appends runs as its own transaction and
locks the space only while the server works. If the conversation is new or an id is taken, it does nothing and the
usual append decides. If the answer is lost, the append looks for the ids. It also checks that the settings the
process saw last still hold.

If the full-text index is broken, the message is stored with an `index` job that waits for a repair. An id of the
caller is unique in its space. A message to a paused or ended conversation makes it active. A forgotten seq is never
used again and leaves no row; it is recorded as a gap.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from datetime import datetime
from typing import Any

from aforesaid.errors import ConflictError, StoreDamaged
from aforesaid.ids import microseconds
from aforesaid.models.json import Json
from aforesaid.models.message import Message, MessageDraft
from aforesaid.storage import checksums, queries
from aforesaid.storage.columns import json_or_none, json_text, moment, to_columns, unreadable
from aforesaid.storage.database import HasExpired, IndexBroken, Row, Session, first, scalar
from aforesaid.storage.repositories import chunks, conversations, jobs
from aforesaid.storage.repositories.space_keys import ConversationKeys, conversation_line, on_line
from aforesaid.text.salience import message_salience

SQL = queries.named("messages")
CHECK = queries.named("check")
CONVERSATIONS = queries.named("conversations")
FORGET = queries.named("forget")

SEALED_TOGETHER = 500  # messages that are read at once

log = logging.getLogger(__name__)


def message_from_row(space: str, row: Row) -> Message:
    """Raises StoreDamaged if the row is not what was written."""
    if not checksums.is_intact(row):
        raise checksums.damaged_message(space, row)
    return verified_message(space, row)


def verified_message(space: str, row: Row) -> Message:
    """The message of a row whose checksum was compared."""
    try:
        return Message(
            row.id,
            space,
            row.conversation,
            row.seq,
            row.role,
            row.text if row.parts is None else json.loads(row.parts),
            row.name,
            None if row.tool_calls is None else json.loads(row.tool_calls),
            row.tool_call_id,
            row.model,
            row.importance,
            row.tokens,
            moment(row.created_at),
            json.loads(row.metadata) if row.metadata else {},
            None if row.expires_at is None else moment(row.expires_at),
            row.raw,
        )
    except (TypeError, ValueError, OverflowError) as exc:
        raise unreadable("Message", row) from exc


def intact_messages(space: str, rows: Iterable[Row], damaged: list[StoreDamaged] | None) -> list[Message]:
    """The messages of these rows. Adds the damaged ones to `damaged`; raises StoreDamaged if that is None."""
    messages = []
    for row in rows:
        try:
            messages.append(message_from_row(space, row))
        except StoreDamaged as exc:
            if damaged is None:
                raise
            damaged.append(exc)
    return messages


def seal(session: Session, rows: Iterable[Row]) -> None:
    """Stores the checksums and the saliences of messages as they are now."""
    values = [
        {"message_key": row.message_key, "checksum": checksums.of_row(row), "salience": _salience(row)} for row in rows
    ]
    session.execute_each(SQL["seal"], values)


def seal_all(session: Session) -> None:
    """Seals the messages that an older version has stored."""
    while rows := session.fetch(CHECK["unsealed"], {"limit": SEALED_TOGETHER}):
        seal(session, rows)


def message_columns(draft: MessageDraft) -> dict[str, Json]:
    """With the checksum of the content."""
    columns = to_columns(draft, "content", "chunks", "named", "indexed", "jobs", "seq") | {
        "importance": float(draft.importance),
        "parts": None if isinstance(draft.content, str) else json.dumps(draft.content, ensure_ascii=False),
        "tool_calls": json_or_none(draft.tool_calls),
        "metadata": json_or_none(draft.metadata),
    }
    return columns | {"checksum": checksums.of_content(columns), "salience": _salience(draft)}


def _salience(message: MessageDraft | Row) -> float:
    """A message with a name was written by a person, unless it is a tool's."""
    person = message.role == "user" or (message.role == "assistant" and message.name is not None)
    return message_salience(message.text, person=person)


def stored_message(space: str, conversation: str, seq: int, draft: MessageDraft) -> Message:
    """The message that a draft becomes."""
    return Message(space=space, conversation=conversation, seq=seq, **shared_fields(draft))


def shared_fields(message: Message | MessageDraft) -> dict[str, Any]:
    """Returns the fields that a message and its draft have in common, except the seq: a new draft has none."""
    return {name: getattr(message, name) for name in _SHARED}


_SHARED = [field.name for field in fields(Message) if field.name in MessageDraft.__slots__ and field.name != "seq"]


class Append:
    """Adds messages to one conversation. `again`: they may be stored already, even those without an id of the
    caller's. A conversation that this creates expires at `expires_at`."""

    def __init__(
        self,
        session: Session,
        space: str,
        conversation: str,
        at: datetime,
        *,
        again: bool = False,
        expires_at: datetime | None = None,
    ) -> None:
        self._again = again
        self._expires_at = expires_at
        self._session = session
        self._space = space
        self._conversation = conversation
        self._at = at
        self._keys = ConversationKeys(0, 0)
        self._unindexed: list[tuple[int, Sequence[int], MessageDraft]] = []

    def run(self, drafts: Sequence[MessageDraft]) -> list[Message]:
        messages = self._stored([draft for draft in drafts if draft.named or self._again])
        new = {draft.id: draft for draft in drafts if draft.id not in messages}  # an id that occurs twice counts once
        if new:
            next_seq = self._restore(new.values()) if drafts[0].seq is not None else self._grow(new.values())
            for seq, draft in enumerate(new.values(), next_seq):
                messages[draft.id] = self._insert(draft, seq if draft.seq is None else self._free(draft.seq, draft.id))
            for unindexed in self._unindexed:  # together: a statement about another table ends a segment of the index
                self._index(*unindexed)
            seqs = [draft.seq for draft in new.values() if draft.seq is not None]
            keep_gaps_before(self._session, self._keys.conversation_key, seqs)
            if _needs_distillation(new.values()):
                jobs.insert(self._session, "distill", *self._keys, microseconds(self._at))
        for draft in drafts:
            message = messages[draft.id]
            if draft.seq is None and draft.id not in new and _expired(message, self._at):
                raise HasExpired(f"message {draft.id!r}")
            if draft.named and not (_same(message, draft) and self._holds(message)):
                raise ConflictError(
                    f"message id {draft.id!r} is taken in conversation {message.conversation!r} by other content; "
                    "use a new id for a new message",
                    id=draft.id,
                )
        return [messages[draft.id] for draft in drafts]

    def _holds(self, message: Message) -> bool:
        """Returns True if a message is in the conversation, or in the past that it shares."""
        if message.conversation == self._conversation:
            return True
        line = conversation_line(self._session, self._space, self._conversation)
        return on_line(line, message.conversation, message.seq)

    def _stored(self, drafts: Sequence[MessageDraft]) -> dict[str, Message]:
        if not drafts:
            return {}
        space_key = self._session.key_of(self._space)
        results = self._session.fetch_each(SQL["stored"], [{"space_key": space_key, "id": one.id} for one in drafts])
        return {row.id: message_from_row(self._space, row) for rows in results for row in rows}

    def _grow(self, drafts: Collection[MessageDraft]) -> int:
        """Takes the next seqs for new messages; creates the conversation if there is none. Returns the first seq."""
        growth = _growth(drafts, self._at)
        values = growth | {"space": self._space, "conversation": self._conversation}
        row = first(self._session.fetch(CONVERSATIONS["grow"], values))
        if row is None:
            fresh = conversations.new_conversation(self._space, self._conversation, growth["model"], self._at)
            conversations.keys_or_create(self._session, replace(fresh, expires_at=self._expires_at))
            (row,) = self._session.fetch(CONVERSATIONS["grow"], values)
        self._keys = ConversationKeys(row.space_key, row.conversation_key)
        return int(row.first)

    def _restore(self, drafts: Collection[MessageDraft]) -> int:
        """Counts messages that keep their own seqs; the state of the conversation does not change."""
        fresh = conversations.new_conversation(self._space, self._conversation, None, self._at)
        self._keys = conversations.keys_or_create(self._session, fresh)
        values = {
            "conversation_key": self._keys.conversation_key,
            "next_seq": max(draft.seq or 0 for draft in drafts) + 1,
            **_extent(drafts),
        }
        self._session.execute(CONVERSATIONS["restore"], values)
        return 0

    def _free(self, seq: int, id: str) -> int:
        scope = {"conversation_key": self._keys.conversation_key, "seq": seq}
        for (other,) in self._session.fetch(SQL["seq_taken"], scope):
            raise ConflictError(
                f"message {id!r} belongs at seq {seq} of conversation {self._conversation!r}, "
                f"which {other!r} has already; import into another space",
                id=id,
            )
        return seq

    def _insert(self, draft: MessageDraft, seq: int) -> Message:
        space_key = self._keys.space_key
        keys = chunks.keys_for(self._session, space_key, draft.chunks)
        values = message_columns(draft) | self._keys._asdict() | {"seq": seq} | chunks.span(keys)
        values["checksum"] = checksums.of_message(values["checksum"], self._keys.conversation_key, seq)
        message_key = scalar(self._session.fetch(SQL["insert"], values))
        chunks.insert(self._session, space_key, message_key, keys, draft.chunks)
        if draft.indexed and keys:
            self._unindexed.append((message_key, keys, draft))
        for kind in draft.jobs:
            jobs.insert(self._session, kind, space_key, message_key, microseconds(self._at))
        return stored_message(self._space, self._conversation, seq, draft)

    def _index(self, message_key: int, keys: Sequence[int], draft: MessageDraft) -> None:
        """A damaged index delays the search, never the message: the index job stays until it is repaired."""
        try:
            with self._session.index_savepoint():
                chunks.index(self._session, self._keys, keys, [chunk.terms for chunk in draft.chunks])
        except IndexBroken as exc:
            log.warning("full-text index not writable", extra={"action": "index_delayed", "error": str(exc)})
            jobs.insert(self._session, "index", self._keys.space_key, message_key, microseconds(self._at))


def keep_gap(session: Session, conversation_key: int, first_seq: int, last_seq: int) -> None:
    """Records that no message is missing there."""
    values = {"conversation_key": conversation_key, "first_seq": first_seq, "last_seq": last_seq}
    session.execute(FORGET["gap"], values)


def keep_gaps_before(session: Session, conversation_key: int, seqs: Iterable[int]) -> None:
    """Records the gaps before messages that keep their own seqs."""
    for seq in sorted(seqs):
        last = scalar(session.fetch(FORGET["last_before"], {"conversation_key": conversation_key, "seq": seq}))
        start = 0 if last is None else int(last) + 1
        if start < seq:
            keep_gap(session, conversation_key, start, seq - 1)


def _expired(message: Message, at: datetime) -> bool:
    return message.expires_at is not None and message.expires_at <= at


def _same(old: Message, draft: MessageDraft) -> bool:
    """Returns True if a stored message has the content of the draft."""
    return (old.role, old.content, old.name, old.tool_calls, old.tool_call_id, old.raw) == (
        draft.role, draft.content, draft.name, draft.tool_calls, draft.tool_call_id, draft.raw,
    )  # fmt: skip


def batch_json(
    conversation: str, drafts: Sequence[MessageDraft], at: datetime, under: Mapping[str, Json] | None = None
) -> str:
    """The argument of the SQL function `append_messages`."""
    return json_text(
        {
            "conversation": conversation,
            "under": under,
            "named": [draft.id for draft in drafts if draft.named],
            "drafts": list(_records(drafts)),
            **_growth(drafts, at),
        }
    )


def _records(drafts: Sequence[MessageDraft]) -> Iterator[Mapping[str, Json]]:
    """Chunk keys start at 0: the function adds the space's last one."""
    number, distill = 0, ["distill"] if _needs_distillation(drafts) else []
    for draft in drafts:
        keys = chunks.keys_from(number, draft.chunks)
        number += len(keys)
        pieces = chunks.columns(keys, draft.chunks)
        if draft.indexed:  # each term has a blank before it, where the function writes the space's key
            terms = [chunks.with_frequencies(chunk.terms) for chunk in draft.chunks]
            words = ["".join(f" {term}" for term in some) for some in terms]
            pieces = [piece | {"words": some} for piece, some in zip(pieces, words, strict=True)]
        yield message_columns(draft) | chunks.span(keys) | {"pieces": pieces, "jobs": [*draft.jobs, *distill]}
        distill = []


def _growth(drafts: Collection[MessageDraft], at: datetime) -> dict[str, Json]:
    """What new messages change in their conversation."""
    return {
        **_extent(drafts),
        "model": next((draft.model for draft in reversed(list(drafts)) if draft.model), None),
        "at": microseconds(at),
    }


def _extent(drafts: Collection[MessageDraft]) -> dict[str, int]:
    return {
        "messages": len(drafts),
        "turns": sum(draft.role == "user" for draft in drafts),
        "tokens": sum(draft.tokens for draft in drafts),
        **weight(drafts),
    }


def weight(drafts: Collection[MessageDraft]) -> dict[str, int]:
    """The number of chunks that can be searched, and of their terms."""
    indexed = [chunk for draft in drafts if draft.indexed for chunk in draft.chunks]
    return {"chunks": len(indexed), "terms": sum(len(chunk.terms) for chunk in indexed)}


def _needs_distillation(drafts: Collection[MessageDraft]) -> bool:
    return any(draft.indexed and draft.text for draft in drafts)
