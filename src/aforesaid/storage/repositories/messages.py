"""Messages: appends them, and reads them in every order that is needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from functools import partial
from itertools import groupby
from operator import itemgetter

from aforesaid.errors import NotFound, StoreDamaged
from aforesaid.ids import microseconds
from aforesaid.models.json import Json
from aforesaid.models.message import Chunk, Message, MessageDraft, Utterance
from aforesaid.models.store import CommitStamp
from aforesaid.ports import Clock
from aforesaid.storage import checksums, queries
from aforesaid.storage.checksums import is_intact
from aforesaid.storage.columns import json_or_none, json_text, moment
from aforesaid.storage.database import CommitUnknown, Database, Row, Session, StaleSettings, first
from aforesaid.storage.lru_cache import LruCache
from aforesaid.storage.repositories import append, chunks, conversations, jobs, preferences, space_keys, vectors
from aforesaid.storage.repositories.append import (
    SQL,
    Append,
    intact_messages,
    message_from_row,
    shared_fields,
    verified_message,
)
from aforesaid.storage.repositories.base import Repository, transaction
from aforesaid.storage.repositories.chunks import chunk_from_row
from aforesaid.storage.repositories.scrub import scrubbed_write
from aforesaid.storage.repositories.space_keys import (
    ConversationKeys,
    conversation_key,
    conversation_line,
    on_line,
)

CONVERSATIONS = queries.named("conversations")
SPACES = queries.named("spaces")

CACHE_TTL = timedelta(seconds=5)
MAX_CACHED = 256
MAX_RETRIES = 3  # of an append that may or may not be stored
PAGE = 200  # messages that are read together

RecentKey = tuple[str, str, int, int]
NEVER = 2**62  # microseconds; later than every time that can be stored


@dataclass(frozen=True, slots=True)
class _CachedRows:
    """Rows of messages that were read at a time. The first of them expires at `expires_at`."""

    stamp: CommitStamp
    at: datetime
    intact: list[Row]
    damaged: list[Row]
    expires_at: int

    @classmethod
    def of(cls, stamp: CommitStamp, at: datetime, rows: Sequence[Row]) -> _CachedRows:
        intact: list[Row] = []
        damaged: list[Row] = []
        for row in rows:
            (intact if is_intact(row) else damaged).append(row)
        expiries = (expiry for row in rows for expiry in (row.expires_at, row.conversation_expires_at))
        return cls(stamp, at, intact, damaged, min((at for at in expiries if at is not None), default=NEVER))

    def is_valid(self, stamp: CommitStamp, now: datetime) -> bool:
        return self.stamp == stamp and abs(now - self.at) < CACHE_TTL and microseconds(now) < self.expires_at


class RecentMessages(Repository):
    """Caches the last messages of a conversation for a few seconds while nothing is written. Compares the checksum of
    a message when it is read."""

    def __init__(self, database: Database, clock: Clock) -> None:
        super().__init__(database)
        self._clock = clock
        self._cache: LruCache[RecentKey, _CachedRows] = LruCache(MAX_CACHED)

    def get(
        self, space: str, conversation: str, limit: int, skip: int, damaged: list[StoreDamaged] | None
    ) -> list[Message]:
        """Returns new values to every caller: a change of one is not seen by another."""
        key = (space, conversation, limit, skip)
        stamp, now = self._database.stamp(space), self._clock()
        cached = self._cache.get(key)
        if cached is None or not cached.is_valid(stamp, now):
            values = {"limit": limit, "skip": skip}
            rows = self._along_line(SQL["recent"], space, conversation, values)[::-1]
            cached = _CachedRows.of(stamp, now, rows)
            self._cache.put(key, cached)
        intact_messages(space, cached.damaged, damaged)
        return [verified_message(space, row) for row in cached.intact]


class Messages(Repository):
    def __init__(self, database: Database, clock: Clock) -> None:
        super().__init__(database)
        self._recent = RecentMessages(database, clock)

    def append(
        self,
        space: str,
        conversation: str,
        drafts: Sequence[MessageDraft],
        at: datetime,
        under: Mapping[str, Json] | None = None,
        *,
        expires_at: datetime | None = None,
    ) -> list[Message]:
        """Stores all drafts or none, with their chunks, index rows and jobs. A conversation that this creates expires
        at `expires_at`.

        A draft whose id is stored with equal content returns the stored message; with other content it raises
        ConflictError. `under`: the space's preferences that the drafts were made with; raises StaleSettings if they
        have changed. Raises HasExpired if the conversation, or a message with the id of a draft, has expired and is not
        erased yet.
        """

        def work(session: Session, *, again: bool = False) -> list[Message]:
            if under is not None and preferences.stored(session, space) != under:
                raise StaleSettings
            return Append(session, space, conversation, at, again=again, expires_at=expires_at).run(drafts)

        try:
            stored = self._append_batch(space, conversation, drafts, at, under) if self._database.remote else None
            return self._database.write(work, space) if stored is None else stored
        except CommitUnknown:  # from now on, messages that are stored already are recognized by their ids
            for _ in range(MAX_RETRIES - 1):
                with suppress(CommitUnknown):
                    return self._database.write(partial(work, again=True), space)
            return self._database.write(partial(work, again=True), space)

    def _append_batch(
        self,
        space: str,
        conversation: str,
        drafts: Sequence[MessageDraft],
        at: datetime,
        under: Mapping[str, Json] | None,
    ) -> list[Message] | None:
        """Returns None if the messages need more than one statement."""
        if len({draft.id for draft in drafts}) < len(drafts) or any(draft.seq is not None for draft in drafts):
            return None
        seq = self._database.append(space, append.batch_json(conversation, drafts, at, under))
        if seq is None:
            return None
        if seq < 0:
            raise StaleSettings
        return [append.stored_message(space, conversation, at, draft) for at, draft in enumerate(drafts, seq)]

    def get(self, space: str, conversation: str, id: str) -> Message | None:
        with self._database.read(space) as session:
            row = _row(session, space, conversation, id)
        return None if row is None else message_from_row(space, row)

    def known(self, space: str, ids: Sequence[str]) -> Mapping[str, Message]:
        """Returns the messages of the space with these ids, in any conversation."""
        with self._database.read(space) as session:
            space_key = session.key_of(space)
            results = session.fetch_each(SQL["by_id"], [{"space_key": space_key, "id": id} for id in ids])
        return {row.id: message_from_row(space, row) for rows in results for row in rows}

    def recent(
        self,
        space: str,
        conversation: str,
        limit: int,
        skip_newest: int,
        *,
        damaged: list[StoreDamaged] | None = None,
    ) -> list[Message]:
        """Returns the last messages, oldest first. Answered from a cache while nothing is written. Adds damaged ones to
        `damaged`; raises StoreDamaged if that is None."""
        return self._recent.get(space, conversation, limit, skip_newest, damaged)

    def page(
        self,
        space: str,
        conversation: str,
        limit: int,
        after: int | None,
        before: int | None,
        *,
        damaged: list[StoreDamaged] | None = None,
    ) -> list[Message]:
        """Returns messages oldest first: those after seq `after`, or the last ones before seq `before`. Adds damaged
        ones to `damaged`; raises StoreDamaged if that is None."""
        values = {"limit": limit, "skip": 0, "after": after, "before": before}
        query = "after" if after is not None else "before" if before is not None else "recent"
        rows = self._along_line(SQL[query], space, conversation, values, oldest_first=after is not None)
        if after is None:
            rows.reverse()
        elif before is not None:
            rows = [row for row in rows if row.seq < before]
        return intact_messages(space, rows, damaged)

    def stream(self, space: str, conversation: str, after: int, before: int | None) -> Iterator[Message]:
        """Yields the messages between two seqs, oldest first, in pages."""
        while page := self.page(space, conversation, PAGE, after, None):
            for message in page:
                if before is not None and message.seq >= before:
                    return
                yield message
            after = page[-1].seq

    def chunks(self, space: str, conversation: str, id: str) -> list[Chunk]:
        with self._database.read(space) as session:
            row = _row(session, space, conversation, id)
            pieces = _chunk_rows(session, row) if row else []
        if row is not None:
            message_from_row(space, row)  # refuses a damaged one
        return [chunk_from_row(id, row.text, piece, piece.tokens) for piece in pieces] if row else []

    def texts(self, space: str, keys: Sequence[int]) -> Mapping[int, str]:
        """Returns the texts of messages by their keys in the directory, for ranking. They are not verified."""
        rows = self._database.query(SQL["texts"], {"keys": json_text(list(keys))}, space)
        return {row.message_key: row.text for row in rows}

    def by_chunk(
        self, space: str, keys: Sequence[int], damaged: list[StoreDamaged]
    ) -> Mapping[int, tuple[Message, Chunk]]:
        """Adds damaged messages to `damaged`."""
        found = {}
        for row in self._database.query(SQL["by_chunk"], {"keys": json_text(list(keys))}, space):
            if is_intact(row):
                chunk = chunk_from_row(row.id, row.text, row, row.chunk_tokens)
                found[row.chunk_key] = verified_message(space, row), chunk
            else:
                damaged.append(checksums.damaged_message(space, row))
        return found

    def utterances(self, space: str, conversation: str, after: int, limit: int) -> list[Utterance]:
        """Returns the messages with text after a seq, oldest first, without system messages."""
        values = {"after": after, "limit": limit}
        rows = self._along_line(SQL["utterances"], space, conversation, values, oldest_first=True)
        return [_utterance_from_row(space, row) for row in rows]

    def model_before(self, space: str, conversation: str, seq: int) -> str | None:
        """Returns the model that was named last before this seq."""
        row = first(self._along_line(SQL["model_before"], space, conversation, {"seq": seq, "limit": 1}))
        return str(row.model) if row else None

    def models(self, space: str, conversation: str, last: int) -> list[str]:
        """Returns the models that messages up to a seq have named, the latest last."""
        rows = self._along_line(SQL["models"], space, conversation, {"last": last}, oldest_first=True)
        return list(dict.fromkeys(row.model for row in reversed(rows)))[::-1]

    @transaction()
    def rechunk(self, session: Session, space: str, drafts: Sequence[MessageDraft], at: datetime) -> None:
        """Replaces the chunks of stored messages, with their index rows and vectors."""
        space_key = session.key_of(space)
        for draft in drafts:
            for row in session.fetch(SQL["by_id"], {"space_key": space_key, "id": draft.id}):
                _rechunk(session, row, draft, microseconds(at))

    @transaction()
    def weigh(
        self,
        session: Session,
        space: str,
        conversation: str,
        ids: Sequence[str],
        importance: Callable[[str, str], float],
    ) -> list[Message]:
        """Sets the importance of messages to the result of a function of their role and text, in one transaction.
        Returns the messages as they were before; leaves out deleted ones."""
        rows = [row for id in ids if (row := _row(session, space, conversation, id)) is not None]
        before = [message_from_row(space, row) for row in rows]
        weights = [importance(message.role, message.text) for message in before]
        changed = [
            {
                "message_key": row.message_key,
                "importance": float(weight),
                "checksum": checksums.of_changed(row, importance=float(weight)),
            }
            for row, weight in zip(rows, weights, strict=True)
            if weight != row.importance
        ]
        if changed:
            session.execute_each(SQL["weigh"], changed)
            session.execute(SPACES["changed"], {"space_key": session.key_of(space)})
        return before

    def annotate(self, message: Message, metadata: Mapping[str, Json], raw: str | None) -> Message:
        """Replaces the metadata and the raw form of a message. Its text, and what is derived from it, stay. Raises
        NotFound if it was deleted, OnHold if its space is on hold."""
        space = message.space

        def work(session: Session) -> Row:
            space_keys.refuse_if_held(session, space)
            row = _row(session, space, message.conversation, message.id)
            if row is None:
                raise NotFound(f"there is no message {message.id!r} to edit")
            message_from_row(space, row)  # refuses a damaged one
            change = {"metadata": json_or_none(metadata), "raw": raw}
            key = {"space_key": session.key_of(space), "message_key": row.message_key}
            session.execute(SQL["annotate"], change | key | {"checksum": checksums.of_changed(row, **change)})
            (changed,) = session.fetch(SQL["by_id"], {"space_key": key["space_key"], "id": message.id})
            return changed

        return message_from_row(space, scrubbed_write(self._database, work, space))

    def drafts(self, space: str, damaged: list[StoreDamaged] | None = None) -> Iterator[tuple[str, MessageDraft]]:
        """Yields every message of the space with its conversation and its chunks (without terms), in stored order. Adds
        damaged ones to `damaged`; raises StoreDamaged if that is None."""
        after = 0
        while rows := self._page_of_rows(space, after):
            for row, pieces in rows:
                for message in intact_messages(space, [row], damaged):
                    yield row.conversation, _draft_from_row(message, row, pieces)
            after = max(row.message_key for row, _ in rows)

    def _page_of_rows(self, space: str, after: int) -> list[tuple[Row, list[Row]]]:
        """Each with those of its chunks."""
        with self._database.read(space) as session:
            scope = {"space_key": session.key_of(space), "after": after, "limit": PAGE}
            return [(row, _chunk_rows(session, row)) for row in session.fetch(SQL["of_space"], scope)]

    @transaction()
    def restore(
        self,
        session: Session,
        space: str,
        drafts: Sequence[tuple[str, MessageDraft]],
        read: Mapping[str, Mapping[str, int]],
    ) -> None:
        """Like `append`, for messages of several conversations that keep their own seqs. `read` is how far the
        distillation steps had read each conversation: none of these messages is read again up to there."""
        for conversation, group in groupby(drafts, key=itemgetter(0)):
            batch = [draft for _, draft in group]
            Append(session, space, conversation, batch[-1].created_at).run(batch)
            _count_as_read(session, (space, conversation), read.get(conversation, {}), batch[-1].seq or 0)


def _draft_from_row(message: Message, row: Row, pieces: Sequence[Row]) -> MessageDraft:
    return MessageDraft(
        **shared_fields(message),
        text=row.text,
        chunks=tuple(chunks.draft_from_row(piece) for piece in pieces),
        indexed=message.role != "system",
        utc_offset=row.utc_offset,
        seq=message.seq,
    )


def _utterance_from_row(space: str, row: Row) -> Utterance:
    if not checksums.is_intact(row):
        raise checksums.damaged_message(space, row)
    at = moment(row.created_at).astimezone(timezone(timedelta(seconds=row.utc_offset)))
    return Utterance(row.id, row.seq, row.role, row.name or row.role, row.text, at, row.model, row.tokens)


def _count_as_read(session: Session, place: tuple[str, str], read: Mapping[str, int], newest: int) -> None:
    """Records that the steps have read the restored messages, up to `newest`."""
    key = conversation_key(session, *place)
    if key is not None:
        for step, reached in read.items():
            conversations.advance_progress(session, key, step, min(reached, newest))


def _rechunk(session: Session, row: Row, draft: MessageDraft, at: int) -> None:
    message_key = row.message_key
    (owner,) = session.fetch(SQL["by_key"], {"message_key": message_key})
    old = _chunk_rows(session, row)
    chunks.remove(session, owner.space_key, row.first_chunk, row.last_chunk)
    vectors.remove(session, owner.space_key, {message_key})
    keys = chunks.keys_for(session, owner.space_key, draft.chunks)
    chunks.insert(session, owner.space_key, message_key, keys, draft.chunks)
    conversation = ConversationKeys(owner.space_key, owner.conversation_key)
    chunks.index(session, conversation, keys, [chunk.terms for chunk in draft.chunks])
    session.execute(SQL["rechunk"], {"message_key": message_key, **chunks.span(keys)})
    now, before = append.weight([draft]), {"chunks": len(old), "terms": sum(chunk.terms for chunk in old)}
    more = {name: now[name] - before[name] for name in now}
    session.execute(CONVERSATIONS["reweigh"], more | {"conversation_key": owner.conversation_key})
    jobs.insert(session, "embed", owner.space_key, message_key, at)


def _row(session: Session, space: str, conversation: str, id: str) -> Row | None:
    row = first(session.fetch(SQL["by_id"], {"space_key": session.key_of(space), "id": id}))
    if row is None or row.conversation == conversation:
        return row
    return row if on_line(conversation_line(session, space, conversation), row.conversation, row.seq) else None


def _chunk_rows(session: Session, row: Row) -> list[Row]:
    if row.first_chunk is None:
        return []
    scope = {"first_chunk": row.first_chunk, "last_chunk": row.last_chunk}
    return session.fetch(chunks.SQL["of_message"], scope)
