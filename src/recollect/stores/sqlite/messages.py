"""Messages in SQLite: the one transaction in which a message comes in, and how messages are read back."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

import apsw

from recollect.errors import ConflictError
from recollect.ids import microseconds
from recollect.models import Chunk, Message, MessageDraft
from recollect.ports import Clock
from recollect.stores import queries, rows
from recollect.stores.sqlite import chunks, conversations, jobs, spaces
from recollect.stores.sqlite.database import Database, Row, fetch
from recollect.stores.sqlite.recent import RecentMessages

SQL = queries.named("sqlite", "messages")
CONVERSATIONS = queries.named("sqlite", "conversations")
CHUNKS = queries.named("sqlite", "chunks")

log = logging.getLogger(__name__)


class SqliteMessages:
    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._recent = RecentMessages(database, clock)

    def append(self, space: str, conversation: str, drafts: Sequence[MessageDraft], at: datetime) -> list[Message]:
        def work(connection: apsw.Connection) -> list[Message]:
            return Append(connection, space, conversation, at).run(drafts)

        return self._database.write(work)

    def get(self, space: str, conversation: str, id: str) -> Message | None:
        with self._database.read() as connection:
            row = _row(connection, space, conversation, id)
        return None if row is None else rows.message(space, row)

    def recent(self, space: str, conversation: str, limit: int, skip_newest: int) -> list[Message]:
        return self._recent.get(space, conversation, limit, skip_newest)

    def page(self, space: str, conversation: str, limit: int, after: int | None, before: int | None) -> list[Message]:
        with self._database.read() as connection:
            keys = conversations.keys_of(connection, space, conversation)
            if keys is None:
                return []
            scope = {"conversation_key": keys[1], "conversation": conversation, "limit": limit}
            if after is not None:
                found = fetch(connection, SQL["after"], scope | {"after": after})
                found = [row for row in found if before is None or row[2] < before]
            elif before is not None:
                found = fetch(connection, SQL["before"], scope | {"before": before})[::-1]
            else:
                found = fetch(connection, SQL["recent"], scope | {"skip": 0})[::-1]
        return [rows.message(space, row) for row in found]

    def chunks(self, space: str, conversation: str, id: str) -> list[Chunk]:
        with self._database.read() as connection:
            row = _row(connection, space, conversation, id)
            found = [] if row is None else _chunk_rows(connection, row)
        return [rows.chunk(id, row[4], chunk) for chunk in found] if row else []

    def by_chunk(self, space: str, keys: Sequence[int]) -> Mapping[int, tuple[Message, Chunk]]:
        found: dict[int, tuple[Message, Chunk]] = {}
        with self._database.read() as connection:
            space_key = spaces.key_of(connection, space)
            for key in keys:
                for chunk in fetch(connection, CHUNKS["get"], {"chunk_key": key}):
                    scope = {"message_key": chunk[0], "space_key": space_key}
                    for row in fetch(connection, SQL["by_key"], scope):
                        message = rows.message(space, row)
                        found[key] = (message, rows.chunk(message.id, row[4], chunk))
        return found

    def drafts(self, space: str) -> Iterator[tuple[str, MessageDraft]]:
        with self._database.read() as connection:
            space_key = spaces.key_of(connection, space)
            for row in connection.execute(SQL["of_space"], {"space_key": space_key}):
                parts = tuple(rows.chunk_draft(chunk, ()) for chunk in _chunk_rows(connection, row))
                yield row[1], rows.draft(space, row, parts)


class Append:
    """Adds messages to one conversation, inside the caller's transaction."""

    def __init__(self, connection: apsw.Connection, space: str, conversation: str, at: datetime) -> None:
        self._connection = connection
        self._space = space
        self._conversation = conversation
        self._at = at
        self._keys = (0, 0)
        self._next_seq = 0

    def run(self, drafts: Sequence[MessageDraft]) -> list[Message]:
        model = next((draft.model for draft in reversed(drafts) if draft.model), None)
        fresh = rows.fresh_conversation(self._space, self._conversation, model, self._at)
        self._keys = conversations.keys_or_make(self._connection, fresh)
        scope = {"conversation_key": self._keys[1]}
        self._next_seq = fetch(self._connection, CONVERSATIONS["next_seq"], scope)[0][0]
        added: list[MessageDraft] = []
        messages = [self._known(draft) or self._new(draft, added) for draft in drafts]
        if added:
            self._grow(added, model)
        return messages

    def _known(self, draft: MessageDraft) -> Message | None:
        if not draft.named:
            return None
        scope = {"space_key": self._keys[0], "id": draft.id}
        for row in fetch(self._connection, SQL["by_id"], scope):
            old = rows.message(self._space, row)
            if not rows.same(old, self._conversation, draft):
                raise ConflictError(
                    f"message id {draft.id!r} is taken in conversation {old.conversation!r} by other content; "
                    "use a new id for a new message",
                    id=draft.id,
                )
            return old
        return None

    def _new(self, draft: MessageDraft, added: list[MessageDraft]) -> Message:
        seq = self._seq(draft)
        keys = chunks.keys_for(self._connection, draft.chunks)
        values = rows.columns(draft) | {
            "space_key": self._keys[0],
            "conversation_key": self._keys[1],
            "seq": seq,
            "first_chunk": keys[0] if keys else None,
            "last_chunk": keys[-1] if keys else None,
        }
        message_key = fetch(self._connection, SQL["insert"], values)[0][0]
        chunks.insert(self._connection, message_key, keys, draft.chunks)
        if draft.indexed and keys:
            self._index(message_key, keys, draft)
        for kind in draft.jobs:
            jobs.insert(self._connection, kind, (*self._keys, message_key), microseconds(self._at))
        self._next_seq = max(self._next_seq, seq + 1)
        added.append(draft)
        return rows.stored(self._space, self._conversation, seq, draft)

    def _seq(self, draft: MessageDraft) -> int:
        if draft.seq is None:
            return self._next_seq
        scope = {"conversation_key": self._keys[1], "seq": draft.seq}
        for (id,) in fetch(self._connection, SQL["seq_taken"], scope):
            raise ConflictError(
                f"message {draft.id!r} belongs at seq {draft.seq} of conversation {self._conversation!r}, "
                f"where {id!r} stands; import into another space",
                id=draft.id,
            )
        return draft.seq

    def _index(self, message_key: int, keys: Sequence[int], draft: MessageDraft) -> None:
        """A damaged index delays being found, never the message: the index job stays until it is mended."""
        try:
            chunks.index(self._connection, self._keys, keys, [chunk.terms for chunk in draft.chunks])
        except (apsw.SQLError, apsw.CorruptError) as exc:
            log.warning("full-text index not writable", extra={"action": "index_delayed", "error": str(exc)})
            jobs.insert(self._connection, "index", (*self._keys, message_key), microseconds(self._at))

    def _grow(self, added: Sequence[MessageDraft], model: str | None) -> None:
        restoring = added[0].seq is not None
        self._connection.execute(
            CONVERSATIONS["restore" if restoring else "grow"],
            {
                "conversation_key": self._keys[1],
                "next_seq": self._next_seq,
                "messages": len(added),
                "turns": sum(draft.role == "user" for draft in added),
                "tokens": sum(draft.tokens for draft in added),
            }
            | ({} if restoring else {"model": model, "at": microseconds(self._at)}),
        )


def _row(connection: apsw.Connection, space: str, conversation: str, id: str) -> Row | None:
    space_key = spaces.key_of(connection, space)
    found = fetch(connection, SQL["by_id"], {"space_key": space_key, "id": id})
    return found[0] if found and found[0][1] == conversation else None


def _chunk_rows(connection: apsw.Connection, row: Row) -> list[Row]:
    if row[14] is None:
        return []
    return fetch(connection, CHUNKS["of_message"], {"first_chunk": row[14], "last_chunk": row[15]})
