"""Erasures. Step 1 of forgetting: one transaction chooses and erases the messages, and records the counts.

Read these modules in order:

1. `erasures.py`: the public methods, and the order of work inside the transaction. `same_words.py` finds what else
   states the words.
2. `erasers.py`: erases the records that were made from the messages, one function per kind of record.
3. `cascade.py`: deletes index entries, whole conversations and whole spaces.
4. `scrub.py`: removes the deleted bytes from the files after the commit.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from datetime import datetime, timedelta
from typing import TypeVar

from aforesaid.errors import ConflictError, NotFound
from aforesaid.ids import microseconds
from aforesaid.models.erasure import Erasure, ErasureCount, ErasureRequest, Verification
from aforesaid.models.message import Message, MessageDraft, MessageRange
from aforesaid.ports import Clock
from aforesaid.storage import queries
from aforesaid.storage.columns import from_row, to_columns
from aforesaid.storage.database import Database, Row, Session, first
from aforesaid.storage.repositories import (
    append,
    cascade,
    chunks,
    erasers,
    fact_changes,
    items,
    jobs,
    lineage,
    same_words,
    scrub,
    space_keys,
)
from aforesaid.storage.repositories.base import Repository
from aforesaid.storage.repositories.erasers import ErasedMessage, ErasureCounts, ErasureScope
from aforesaid.storage.repositories.space_keys import ConversationKeys

SQL = queries.named("erasures")
FORGET = queries.named("forget")
IN_RANGE = queries.named("messages")["in_range"]
RETENTION = queries.named("retention")
VECTORS = queries.named("vectors")

PORTIONS = ("erased", "recomputed", "kept")
REQUESTED = "requested"
EXPIRED = "expired"
SOURCE = "the source of the fact; forget the message to erase its text"
SAME_WORDS = "states the same words"
REPEATED = "stated the same words"
BATCH = 500  # expired messages, conversations, facts or items that are erased together
HEAD_START = timedelta(minutes=1)  # for the process that erases to scrub the files itself
SCRUB_WITHIN = timedelta(
    hours=1
)  # after messages are removed: a scrub rewrites the files, so one follows many removals
NEWEST_SEQ = 2**53

T = TypeVar("T")


class Erasures(Repository):
    """Erasure of data. Each erasure is one transaction with its record. Then the store's files are scrubbed:
    immediately, or by the job `scrub` if that is impossible."""

    def __init__(self, database: Database, clock: Clock) -> None:
        super().__init__(database)
        self._scrubber = scrub.Scrubber(database, clock)
        self._receipts = erasers.ReceiptMemo()

    def forget(self, space: str, request: ErasureRequest) -> Erasure:
        """Erases the target and everything derived from it. Raises NotFound if there is no such target, OnHold if the
        space is on hold."""
        erasure, _ = self._erase(space, request, lambda session, key: (_forget(session, key, request), None))
        return erasure

    def preview(self, space: str, request: ErasureRequest) -> Erasure:
        """Returns what `forget` would do. Changes nothing."""

        def work(session: Session) -> Erasure:
            counts = _forget(session, _key(session, space), request)
            raise _PreviewRollback(replace(_erasure(space, request, counts, ()), dry_run=True))

        try:
            return self._database.write(work, space)
        except _PreviewRollback as rollback:
            return rollback.erasure

    def edit(self, space: str, draft: MessageDraft, request: ErasureRequest) -> Message:
        """Gives a message the text of the draft; erases the records derived from the old text as `forget` does."""
        _, row = self._erase(space, request, lambda session, key: _edit(session, key, draft, request))
        return append.message_from_row(space, row)

    def remove(
        self,
        space: str,
        conversation: str,
        request: ErasureRequest,
        messages: MessageRange,
        *,
        drafts: Sequence[MessageDraft] = (),
        expires_at: datetime | None = None,
    ) -> Removal:
        """Erases messages of a conversation and everything derived from them, and adds the drafts. The files are
        scrubbed later, by the job. A conversation that the drafts create expires at `expires_at`."""

        def work(session: Session) -> Removal:
            rows = _rows_of(session, space, conversation, messages)
            newest = append.message_from_row(space, rows[-1]) if messages.newest and rows else None
            if rows:
                space_keys.refuse_if_held(session, space)
                key, counts = _key(session, space), ErasureCounts()
                scope = ErasureScope(key, _messages(rows), receipts=self._receipts)
                _erase_messages(session, scope, counts, request)
                self._record(session, key, _erasure(space, request, counts, self._steps()), SCRUB_WITHIN)
            added = append.Append(session, space, conversation, request.at, expires_at=expires_at).run(drafts)
            return Removal(len(rows), newest, added)

        return scrub.scrubbed_write(self._database, work, space)

    @property
    def scrubs(self) -> bool:
        """True if this process may scrub: on a server, only the owner of the tables may."""
        return self._database.can_scrub

    def scrub(self) -> Mapping[str, str]:
        """Continues scrubbing. Returns the steps that are left, each with the reason."""
        return self._scrubber.run()

    def list(self, space: str, limit: int) -> Sequence[Erasure]:
        """Returns the newest first."""
        rows = self._database.query(SQL["list"], {"space": space, "limit": limit}, space)
        return [_erasure_from_row(row) for row in rows]

    def verify(self, text: str, space: str | None) -> Verification:
        """Searches for a text in every table and in the bytes of every file."""
        return self._database.verify(text, space)

    def _erase(
        self, space: str, request: ErasureRequest, erase: Callable[[Session, int], tuple[ErasureCounts, T]]
    ) -> tuple[Erasure, T]:
        def work(session: Session) -> tuple[Erasure, T]:
            key = _key(session, space)
            space_keys.refuse_if_held(session, space)
            counts, result = erase(session, key)
            erasure = _erasure(space, request, counts, self._steps())
            self._record(session, key, erasure, HEAD_START)
            return erasure, result

        erasure, result = scrub.scrubbed_write(self._database, work, space)
        if request.target == "expired":  # in batches; the job scrubs once, after the last one
            return erasure, result
        return replace(erasure, pending=tuple(self._scrubber.try_run(erasure.pending))), result

    def _steps(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self._database.scrubs)

    def _record(self, session: Session, space_key: int, erasure: Erasure, scrubbed_within: timedelta) -> None:
        portions = {name: [astuple(portion) for portion in getattr(erasure, name)] for name in PORTIONS}
        columns = to_columns(erasure, *PORTIONS)
        session.execute(SQL["add"], {"space_key": space_key, **columns, "portions": json.dumps(portions)})
        scrub.queue_scrub(session, erasure.at + scrubbed_within)


@dataclass(frozen=True, slots=True)
class Removal:
    """How many messages were removed, the newest of them if only that was to be removed, and the added ones."""

    removed: int
    newest: Message | None
    added: list[Message]


class _PreviewRollback(Exception):
    """Rolls back the transaction of a preview."""

    def __init__(self, erasure: Erasure) -> None:
        self.erasure = erasure


def _erasure_from_row(row: Row) -> Erasure:
    portions = json.loads(row.portions)
    counts = {name: tuple(ErasureCount(*portion) for portion in portions[name]) for name in PORTIONS}
    return from_row(Erasure, row, dry_run=False, **counts)


def _key(session: Session, space: str) -> int:
    key = session.key_of(space)
    if key is None:
        raise NotFound(f"there is no space {space!r}")
    return key


def _erasure(space: str, request: ErasureRequest, counts: ErasureCounts, pending: tuple[str, ...]) -> Erasure:
    return Erasure(request.erasure, space, request.at, request.target, *counts.portions(), pending=pending)


def _forget(session: Session, space_key: int, request: ErasureRequest) -> ErasureCounts:
    """Raises NotFound if there is no such target."""
    if request.target == "fact":
        return _forget_fact(session, space_key, request)
    scope, counts = _scope(session, space_key, request), ErasureCounts()
    words = [message.text for message in scope.messages] if request.target == "message" else []
    others = _others(session, scope, words)
    if request.same_words:
        scope = replace(scope, messages=scope.messages + others)
    _erase_messages(session, scope, counts, request)
    _treat_same_words(session, scope, counts, words, [] if request.same_words else others, erase=request.same_words)
    return counts


def _others(session: Session, scope: ErasureScope, words: Sequence[str]) -> tuple[ErasedMessage, ...]:
    """The other messages that state these words."""
    found = _messages(same_words.messages_with(session, scope.space_key, words))
    return tuple(message for message in found if message.key not in scope.keys)


def _treat_same_words(
    session: Session,
    scope: ErasureScope,
    counts: ErasureCounts,
    words: Sequence[str],
    others: Sequence[ErasedMessage],
    *,
    erase: bool,
) -> None:
    """Erases the facts, summaries and episodes that still state the words, or counts them and the other messages as
    kept. Call it after the target is erased."""
    if not words:
        return
    counts.kept["message", SAME_WORDS] += len(others)
    for kind, key in list(same_words.records_with(session, scope.space_key, words)):
        if not erase:
            counts.kept[kind, SAME_WORDS] += 1
        elif kind == "fact":
            derived = lineage.made_from(session, scope.space_key, [("fact", key)])
            fact_changes.remove_fact(session, scope.space_key, key)
            counts.erased["fact", REPEATED] += 1
            erasers.withdraw_derived(session, scope, counts, derived)
        else:
            erasers.withdraw_derived(session, scope, counts, [(kind, key)])


def _erase_messages(session: Session, scope: ErasureScope, counts: ErasureCounts, request: ErasureRequest) -> None:
    """Erases the messages and the conversations of a scope, with everything derived from them."""
    texts = _forget_expired_facts(session, scope, counts, request) if request.target == "expired" else []
    asked = EXPIRED if request.target == "expired" else REQUESTED
    texts += erasers.erase_items(session, items.to_erase(session, scope.space_key, request, BATCH), counts, asked)
    erasers.erase_derived(session, scope, counts)
    for message in scope.messages:
        counts.ids.add(message.id)
        counts.erased["message", asked] += 1
        session.execute(FORGET["delete_message"], {"message_key": message.key})
        append.keep_gap(session, message.conversation, message.seq, message.seq)
    session.execute(VECTORS["unreach"])  # a message key that is free may be used again
    for key in {message.conversation for message in scope.messages} - set(scope.conversations):
        session.execute(FORGET["recount"], {"conversation_key": key})
    erasers.erase_receipts(session, scope, counts, texts)
    before = erasers.count_retrievals(session, scope)
    for key in scope.conversations:
        counts.erased["conversation", asked] += 1
        cascade.delete_conversation(session, scope.space_key, key)
    counts.kept["audit entry", erasers.APPEND_ONLY] += erasers.count_audit_entries(session, scope)
    after = erasers.count_retrievals(session, scope)
    counts.kept["retrieval", erasers.NUMBERS] += after
    counts.erased["retrieval", "the conversation was erased"] += before - after
    _queue_recomputation(session, scope, counts, microseconds(request.at))
    if request.target == "expired":
        session.execute(RETENTION["reschedule"], {"space_key": scope.space_key})


def _forget_expired_facts(
    session: Session, scope: ErasureScope, counts: ErasureCounts, request: ErasureRequest
) -> list[str]:
    """Returns the texts of the facts."""
    due = {"space_key": scope.space_key, "now": microseconds(request.at), "limit": BATCH}
    rows = session.fetch(RETENTION["due_facts"], due)
    for row in rows:
        derived = lineage.made_from(session, scope.space_key, [("fact", row.fact_key)])
        fact_changes.remove_fact(session, scope.space_key, row.fact_key)
        counts.ids.add(row.id)
        counts.erased["fact", EXPIRED] += 1
        erasers.withdraw_derived(session, scope, counts, derived)
    return [row.text for row in rows]


def _forget_fact(session: Session, space_key: int, request: ErasureRequest) -> ErasureCounts:
    """Erases a fact with its evidence and relations; the messages that state it stay, unless they are to go too."""
    id = request.id or ""
    counts = ErasureCounts(ids={id})
    row = first(session.fetch(FORGET["fact"], {"space_key": space_key, "id": id}))
    if row is None:
        raise NotFound(f"there is no fact {id!r} to forget")
    quotes = session.fetch(FORGET["quotes"], {"space_key": space_key, "fact_key": row.fact_key})
    sources = _messages(_by_keys(session, space_key, [quote.message_key for quote in quotes]))
    words = [row.text, *(quote.quote for quote in quotes if quote.quote)]
    scope = ErasureScope(space_key, sources)
    others = _others(session, scope, words)
    derived = lineage.made_from(session, space_key, [("fact", row.fact_key)])
    fact_changes.remove_fact(session, space_key, row.fact_key)
    counts.erased["fact", REQUESTED] += 1
    counts.erased["quote", "evidence of the fact"] += row.proofs
    if request.same_words:
        scope = replace(scope, messages=sources + others)
        erasers.withdraw_derived(session, scope, counts, derived)
        _erase_messages(session, scope, counts, request)
        _treat_same_words(session, scope, counts, words, [], erase=True)
    else:
        scope = ErasureScope(space_key)
        erasers.withdraw_derived(session, scope, counts, derived)
        counts.kept["message", SOURCE] += row.proofs
        counts.kept["retrieval", erasers.NUMBERS] += erasers.count_retrievals(session, scope)
        _treat_same_words(session, scope, counts, words, others, erase=False)
    erasers.erase_receipts(session, scope, counts, [row.text])
    return counts


def _by_keys(session: Session, space_key: int, keys: Sequence[int]) -> Sequence[Row]:
    return session.fetch(FORGET["by_keys"], {"space_key": space_key, "messages": json.dumps(sorted(set(keys)))})


def _edit(session: Session, space_key: int, draft: MessageDraft, request: ErasureRequest) -> tuple[ErasureCounts, Row]:
    """Gives a message the content of `draft`, and returns its row. It keeps its key, id, seq, time and role."""
    old = _messages(session.fetch(FORGET["message"], {"space_key": space_key, "id": draft.id}))
    if not old:
        raise NotFound(f"there is no message {draft.id!r} to edit")
    at = microseconds(request.at)
    scope = ErasureScope(space_key, old, new_text=draft.text, marks=request.marks)
    counts = ErasureCounts(ids={draft.id})
    erasers.erase_derived(session, scope, counts)
    counts.erased["message text", REQUESTED] += 1
    for message in old:
        _rewrite(session, ConversationKeys(space_key, message.conversation), message.key, draft)
        counts.recompute.add(message.conversation)
        for kind in draft.jobs:
            jobs.insert(session, kind, space_key, message.key, at)
        session.execute(FORGET["recount"], {"conversation_key": message.conversation})
    erasers.erase_receipts(session, scope, counts)
    counts.kept["retrieval", erasers.NUMBERS] += erasers.count_retrievals(session, scope)
    _queue_recomputation(session, scope, counts, at, learn=True)
    append.seal(session, session.fetch(append.SQL["by_id"], {"space_key": space_key, "id": draft.id}))
    (row,) = session.fetch(append.SQL["by_id"], {"space_key": space_key, "id": draft.id})
    return counts, row


def _rewrite(session: Session, owner: ConversationKeys, message_key: int, draft: MessageDraft) -> None:
    keys = chunks.keys_for(session, owner.space_key, draft.chunks)
    columns = append.message_columns(draft) | {"message_key": message_key} | chunks.span(keys)
    session.execute(FORGET["rewrite"], columns)
    chunks.insert(session, owner.space_key, message_key, keys, draft.chunks)
    if draft.indexed and keys:
        chunks.index(session, owner, keys, [chunk.terms for chunk in draft.chunks])


def _queue_recomputation(
    session: Session, scope: ErasureScope, counts: ErasureCounts, at: int, *, learn: bool = False
) -> None:
    """Lets the steps read a conversation again from where something was withdrawn. With `learn`, facts are extracted
    again too: other facts lose nothing by an erased message. A model looks for episodes again from the start of the
    first withdrawn one, and only if there is one, because its calls cost money."""
    seqs: dict[int, int] = {}
    for message in scope.messages:
        seqs[message.conversation] = min(message.seq, seqs.get(message.conversation, message.seq))
    for key in counts.recompute - set(scope.conversations):
        progress = {"conversation_key": key, "reached": seqs.get(key, 0) - 1, "learn": learn}
        session.execute(FORGET["read_again" if progress["reached"] >= 0 else "begin_again"], progress)
        if key in counts.episodes_from:
            narrated = {"conversation_key": key, "reached": counts.episodes_from[key] - 1}
            session.execute(FORGET["narrate_again" if narrated["reached"] >= 0 else "narrate_anew"], narrated)
        jobs.insert(session, "distill", scope.space_key, key, at)


def _messages(rows: Iterable[Row]) -> tuple[ErasedMessage, ...]:
    return tuple(from_row(ErasedMessage, row, key=row.message_key, conversation=row.conversation_key) for row in rows)


def _rows_of(session: Session, space: str, conversation: str, messages: MessageRange) -> Sequence[Row]:
    """Returns the rows of the messages to remove. Raises ConflictError if a branch shares one of them."""
    keys = space_keys.conversation_keys(session, space, conversation)
    if keys is None:
        return []
    last = NEWEST_SEQ if messages.last is None else messages.last
    query = FORGET["newest"] if messages.newest else FORGET["range"]
    rows = session.fetch(query, keys._asdict() | {"first": messages.first, "last": last})
    if not (messages.newest and rows):
        _refuse_shared(session, space, conversation, (messages.first, last))
    return rows


def _refuse_shared(session: Session, space: str, conversation: str, span: tuple[int, int]) -> None:
    """Raises ConflictError if messages of the span are shared with an ancestor."""
    first_seq, last_seq = span
    key = session.key_of(space)
    for segment in space_keys.conversation_line(session, space, conversation)[:-1]:
        scope = {**segment._asdict(), "space_key": key, "first_seq": first_seq}
        if session.fetch(IN_RANGE, scope | {"last_seq": min(last_seq, segment.last_seq)}):
            raise ConflictError(
                f"branch {conversation!r} shares these messages with {segment.conversation!r}: remove them there, or "
                "fork before them",
                id=segment.conversation,
            )


def _scope(session: Session, space_key: int, request: ErasureRequest) -> ErasureScope:
    names: dict[str, str | int | None] = {"space_key": space_key, "id": request.id}
    if request.target == "message":
        messages = _messages(session.fetch(FORGET["message"], names))
        if not messages:
            raise NotFound(f"there is no message {request.id!r} to forget")
        return ErasureScope(space_key, messages)
    if request.target == "before":
        before = microseconds(request.before) if request.before is not None else 0
        names["before"] = before
        emptied = {row.conversation_key: row.id for row in session.fetch(FORGET["emptied"], names)}
        return ErasureScope(space_key, _messages(session.fetch(FORGET["before"], names)), emptied, before)
    if request.target == "expired":
        due = {"space_key": space_key, "now": microseconds(request.at), "limit": BATCH}
        whole = {row.conversation_key: row.id for row in session.fetch(RETENTION["due_conversations"], due)}
        results = [session.fetch(FORGET["of_conversation"], {"conversation_key": key}) for key in whole]
        rows = [row for rows in (*results, session.fetch(RETENTION["due_messages"], due)) for row in rows]
        return ErasureScope(space_key, _messages({row.message_key: row for row in rows}.values()), whole)
    if request.target == "items":
        return ErasureScope(space_key)
    query = FORGET["conversations" if request.target == "everything" else "conversation"]
    whole = {row.conversation_key: row.id for row in session.fetch(query, names)}
    if request.target != "everything" and not whole:
        raise NotFound(f"there is no conversation {request.id!r} to forget")
    results = [session.fetch(FORGET["of_conversation"], {"conversation_key": key}) for key in whole]
    messages = _messages(row for rows in results for row in rows)
    return ErasureScope(space_key, messages, whole, everything=request.target == "everything")
