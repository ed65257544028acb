"""Messages: the one transaction in which a message comes in, and how messages are read back."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from itertools import groupby
from operator import itemgetter

from recollect.errors import ConflictError
from recollect.ids import microseconds
from recollect.models import Chunk, Json, Message
from recollect.ports import Clock, Outdated
from recollect.records import MessageDraft, Utterance
from recollect.stores import queries, rows
from recollect.stores.database import Brief, Database, FateUnknown, IndexBroken, Row, Session
from recollect.stores.nouns import appending, chunks, conversations, gaps, jobs, preferences, progress, spaces, vectors
from recollect.stores.nouns.recent import RecentMessages

SQL = queries.named("messages")
CONVERSATIONS = queries.named("conversations")
CHUNKS = queries.named("chunks")
PREFERENCES = queries.named("preferences")
SPACES = queries.named("spaces")
VECTORS = queries.named("vectors")

REPEATS = 3  # of an append of which it is not known whether it was stored
PAGE = 200  # messages read at once where all of them are wanted

log = logging.getLogger(__name__)


class Messages:
    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._recent = RecentMessages(database, clock)

    def append(
        self,
        space: str,
        conversation: str,
        drafts: Sequence[MessageDraft],
        at: datetime,
        under: Mapping[str, Json] | None = None,
    ) -> list[Message]:
        def work(session: Session, *, again: bool = False) -> list[Message]:
            if under is not None and preferences.stored(session.fetch(PREFERENCES["all"], {"space": space})) != under:
                raise Outdated
            return Append(session, space, conversation, at, again=again).run(drafts)

        brief = _brief(space, conversation, drafts, partial(appending.written, conversation, drafts, at, under))
        for repeats in range(REPEATS):
            try:
                return self._database.write(partial(work, again=repeats > 0), space, brief=None if repeats else brief)
            except FateUnknown:  # what is stored already is known by its ids
                continue
        return self._database.write(partial(work, again=True), space)

    def get(self, space: str, conversation: str, id: str) -> Message | None:
        with self._database.read(space) as session:
            row = _row(session, space, conversation, id)
        return None if row is None else rows.message(space, row)

    def known(self, space: str, ids: Sequence[str]) -> Mapping[str, Message]:
        with self._database.read(space) as session:
            space_key = spaces.key_of(session, space)
            found = session.fetch_each(SQL["by_id"], [{"space_key": space_key, "id": id} for id in ids])
        return {row[0]: rows.message(space, row) for each in found for row in each}

    def recent(self, space: str, conversation: str, limit: int, skip_newest: int) -> list[Message]:
        return self._recent.get(space, conversation, limit, skip_newest)

    def page(self, space: str, conversation: str, limit: int, after: int | None, before: int | None) -> list[Message]:
        with self._database.read(space) as session:
            keys = conversations.keys_of(session, space, conversation)
            if keys is None:
                return []
            scope = {"conversation_key": keys[1], "conversation": conversation, "limit": limit}
            if after is not None:
                found = session.fetch(SQL["after"], scope | {"after": after})
                found = [row for row in found if before is None or row[2] < before]
            elif before is not None:
                found = session.fetch(SQL["before"], scope | {"before": before})[::-1]
            else:
                found = session.fetch(SQL["recent"], scope | {"skip": 0})[::-1]
        return [rows.message(space, row) for row in found]

    def chunks(self, space: str, conversation: str, id: str) -> list[Chunk]:
        with self._database.read(space) as session:
            row = _row(session, space, conversation, id)
            found = [] if row is None else _chunk_rows(session, row)
        return [rows.chunk(id, row[4], chunk) for chunk in found] if row else []

    def texts(self, space: str, keys: Sequence[int]) -> Mapping[int, str]:
        with self._database.read(space) as session:
            scope = {"space_key": spaces.key_of(session, space), "keys": json.dumps(list(keys))}
            return dict(session.fetch(SQL["texts"], scope))

    def by_chunk(self, space: str, keys: Sequence[int]) -> Mapping[int, tuple[Message, Chunk]]:
        with self._database.read(space) as session:
            space_key = spaces.key_of(session, space)
            found = session.fetch(CHUNKS["of_keys"], {"keys": json.dumps(list(keys))})
            owners = json.dumps(sorted({row[0] for row in found}))
            texts = session.fetch(SQL["of_keys"], {"keys": owners, "space_key": space_key})
        owner = {row[16]: (rows.message(space, row), row[4]) for row in texts}
        answer: dict[int, tuple[Message, Chunk]] = {}
        for row in found:
            if row[0] in owner:
                message, text = owner[row[0]]
                answer[row[7]] = (message, rows.chunk(message.id, text, row))
        return answer

    def utterances(self, space: str, conversation: str, after: int, limit: int) -> list[Utterance]:
        with self._database.read(space) as session:
            keys = conversations.keys_of(session, space, conversation)
            scope = {"conversation_key": keys[1] if keys else None, "after": after, "limit": limit}
            return [rows.utterance(row) for row in session.fetch(SQL["utterances"], scope)]

    def model_before(self, space: str, conversation: str, seq: int) -> str | None:
        with self._database.read(space) as session:
            keys = conversations.keys_of(session, space, conversation)
            scope = {"conversation_key": keys[1] if keys else None, "seq": seq}
            found = session.fetch(SQL["model_before"], scope)
        return str(found[0][0]) if found else None

    def models(self, space: str, conversation: str, last: int) -> list[str]:
        with self._database.read(space) as session:
            keys = conversations.keys_of(session, space, conversation)
            scope = {"conversation_key": keys[1] if keys else None, "last": last}
            return [model for (model,) in session.fetch(SQL["models"], scope)]

    def rechunk(self, space: str, drafts: Sequence[MessageDraft], at: datetime) -> None:
        def work(session: Session) -> None:
            space_key = spaces.key_of(session, space)
            for draft in drafts:
                for row in session.fetch(SQL["by_id"], {"space_key": space_key, "id": draft.id}):
                    _rechunk(session, row, draft, microseconds(at))

        self._database.write(work, space)

    def weigh(
        self, space: str, conversation: str, ids: Sequence[str], importance: Callable[[str, str], float]
    ) -> list[Message]:
        def work(session: Session) -> list[Message]:
            found = [row for id in ids if (row := _row(session, space, conversation, id)) is not None]
            before = [rows.message(space, row) for row in found]
            weights = [importance(message.role, message.text) for message in before]
            changed = [
                {"message_key": row[16], "importance": now}
                for row, message, now in zip(found, before, weights, strict=True)
                if now != message.importance
            ]
            if changed:
                session.execute_each(SQL["weigh"], changed)
                session.execute(SPACES["changed"], {"space_key": spaces.key_of(session, space)})
            return before

        return self._database.write(work, space)

    def drafts(self, space: str) -> Iterator[tuple[str, MessageDraft]]:
        after = 0
        while page := self._page_of_drafts(space, after):
            yield from ((conversation, draft) for _, conversation, draft in page)
            after = page[-1][0]

    def _page_of_drafts(self, space: str, after: int) -> list[tuple[int, str, MessageDraft]]:
        """Each with its key and its conversation."""
        with self._database.read(space) as session:
            scope = {"space_key": spaces.key_of(session, space), "after": after, "limit": PAGE}
            found = [(row, _chunk_rows(session, row)) for row in session.fetch(SQL["of_space"], scope)]
        return [
            (row[16], row[1], rows.draft(space, row, tuple(rows.chunk_draft(chunk, ()) for chunk in chunks)))
            for row, chunks in found
        ]

    def restore(
        self, space: str, drafts: Sequence[tuple[str, MessageDraft]], read: Mapping[str, Mapping[str, int]]
    ) -> None:
        def work(session: Session) -> None:
            for conversation, group in groupby(drafts, key=itemgetter(0)):
                said = [draft for _, draft in group]
                Append(session, space, conversation, said[-1].created_at).run(said)
                _count_as_read(session, (space, conversation), read.get(conversation, {}), said[-1].seq or 0)

        self._database.write(work, space)


class Append:
    """Adds messages to one conversation, inside the caller's transaction. `again`: they may be there already, those too
    whose ids nobody but us has made."""

    def __init__(self, session: Session, space: str, conversation: str, at: datetime, *, again: bool = False) -> None:
        self._again = again
        self._session = session
        self._space = space
        self._conversation = conversation
        self._at = at
        self._keys = (0, 0)

    def run(self, drafts: Sequence[MessageDraft]) -> list[Message]:
        known = self._known([draft for draft in drafts if draft.named or self._again])
        new = {draft.id: draft for draft in drafts if draft.id not in known}  # an id that stands twice counts once
        if new:
            first = self._restore(new.values()) if drafts[0].seq is not None else self._grow(new.values())
            for seq, draft in enumerate(new.values(), first):
                known[draft.id] = self._insert(draft, seq if draft.seq is None else self._free(draft.seq, draft.id))
            seqs = [draft.seq for draft in new.values() if draft.seq is not None]
            gaps.between(self._session, self._keys[1], seqs)
            if appending.asks_to_distill(new.values()):
                jobs.insert(self._session, "distill", *self._keys, microseconds(self._at))
        messages = [known[draft.id] for draft in drafts]
        for message, draft in zip(messages, drafts, strict=True):
            if draft.named and not rows.same(message, self._conversation, draft):
                raise ConflictError(
                    f"message id {draft.id!r} is taken in conversation {message.conversation!r} by other content; "
                    "use a new id for a new message",
                    id=draft.id,
                )
        return messages

    def _known(self, drafts: Sequence[MessageDraft]) -> dict[str, Message]:
        if not drafts:
            return {}
        space_key = spaces.key_of(self._session, self._space)
        named = [{"space_key": space_key, "id": draft.id} for draft in drafts]
        found = self._session.fetch_each(SQL["by_id"], named)
        return {row[0]: rows.message(self._space, row) for each in found for row in each}

    def _grow(self, drafts: Collection[MessageDraft]) -> int:
        """Takes the next seqs for new messages, making the conversation where there is none; says the first."""
        growth = appending.growth(drafts, self._at)
        values = growth | {"space": self._space, "conversation": self._conversation}
        found = self._session.fetch(CONVERSATIONS["grow"], values)
        if not found:
            fresh = rows.fresh_conversation(self._space, self._conversation, growth["model"], self._at)
            conversations.keys_or_make(self._session, fresh)
            found = self._session.fetch(CONVERSATIONS["grow"], values)
        space_key, conversation_key, first = found[0]
        self._keys = (space_key, conversation_key)
        return int(first)

    def _restore(self, drafts: Collection[MessageDraft]) -> int:
        """Counts messages that are put back where they were; the conversation's state stays as it is."""
        fresh = rows.fresh_conversation(self._space, self._conversation, None, self._at)
        self._keys = conversations.keys_or_make(self._session, fresh)
        values = {
            "conversation_key": self._keys[1],
            "next_seq": max(draft.seq or 0 for draft in drafts) + 1,
            **appending.extent(drafts),
        }
        self._session.execute(CONVERSATIONS["restore"], values)
        return 0

    def _free(self, seq: int, id: str) -> int:
        scope = {"conversation_key": self._keys[1], "seq": seq}
        for (other,) in self._session.fetch(SQL["seq_taken"], scope):
            raise ConflictError(
                f"message {id!r} belongs at seq {seq} of conversation {self._conversation!r}, "
                f"where {other!r} stands; import into another space",
                id=id,
            )
        return seq

    def _insert(self, draft: MessageDraft, seq: int) -> Message:
        keys = chunks.keys_for(self._session, self._keys[0], draft.chunks)
        values = rows.columns(draft) | {
            "space_key": self._keys[0],
            "conversation_key": self._keys[1],
            "seq": seq,
            "first_chunk": keys[0] if keys else None,
            "last_chunk": keys[-1] if keys else None,
        }
        message_key = self._session.fetch(SQL["insert"], values)[0][0]
        chunks.insert(self._session, (self._keys[0], message_key), keys, draft.chunks)
        if draft.indexed and keys:
            self._index(message_key, keys, draft)
        for kind in draft.jobs:
            jobs.insert(self._session, kind, self._keys[0], message_key, microseconds(self._at))
        return rows.stored(self._space, self._conversation, seq, draft)

    def _index(self, message_key: int, keys: Sequence[int], draft: MessageDraft) -> None:
        """A damaged index delays being found, never the message: the index job stays until it is mended."""
        try:
            with self._session.indexing():
                chunks.index(self._session, self._keys, keys, [chunk.terms for chunk in draft.chunks])
        except IndexBroken as exc:
            log.warning("full-text index not writable", extra={"action": "index_delayed", "error": str(exc)})
            jobs.insert(self._session, "index", self._keys[0], message_key, microseconds(self._at))


def _brief(
    space: str, conversation: str, drafts: Sequence[MessageDraft], given: Callable[[], str]
) -> Brief[list[Message]] | None:
    """What stands twice, or is put back where it was, takes more than one statement."""
    if len({draft.id for draft in drafts}) < len(drafts) or any(draft.seq is not None for draft in drafts):
        return None

    def made(first: int) -> list[Message]:
        if first < 0:
            raise Outdated
        return [rows.stored(space, conversation, seq, draft) for seq, draft in enumerate(drafts, first)]

    return Brief(given, made)


def _count_as_read(session: Session, place: tuple[str, str], read: Mapping[str, int], newest: int) -> None:
    """Says of messages that are put back, up to `newest`, which steps had read them."""
    keys = conversations.keys_of(session, *place)
    if keys is not None:
        for step, reached in read.items():
            progress.advance(session, keys[1], step, min(reached, newest))


def _rechunk(session: Session, row: Row, draft: MessageDraft, at: int) -> None:
    message_key = row[16]
    (space_key, conversation_key, *_), *_ = session.fetch(VECTORS["owner"], {"message_key": message_key})
    old = _chunk_rows(session, row)
    chunks.remove(session, space_key, row[14], row[15])
    vectors.remove(session, space_key, {message_key})
    keys = chunks.keys_for(session, space_key, draft.chunks)
    chunks.insert(session, (space_key, message_key), keys, draft.chunks)
    chunks.index(session, (space_key, conversation_key), keys, [chunk.terms for chunk in draft.chunks])
    span = {"message_key": message_key, "first_chunk": keys[0], "last_chunk": keys[-1]}
    session.execute(SQL["rechunk"], span)
    now, before = appending.weight([draft]), {"chunks": len(old), "terms": sum(chunk[7] for chunk in old)}
    more = {name: now[name] - before[name] for name in now}
    session.execute(CONVERSATIONS["reweigh"], more | {"conversation_key": conversation_key})
    jobs.insert(session, "embed", space_key, message_key, at)


def _row(session: Session, space: str, conversation: str, id: str) -> Row | None:
    space_key = spaces.key_of(session, space)
    found = session.fetch(SQL["by_id"], {"space_key": space_key, "id": id})
    return found[0] if found and found[0][1] == conversation else None


def _chunk_rows(session: Session, row: Row) -> list[Row]:
    if row[14] is None:
        return []
    return session.fetch(CHUNKS["of_message"], {"first_chunk": row[14], "last_chunk": row[15]})
