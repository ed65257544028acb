"""Step 2 of forgetting: erases the records that were made from erased messages. One function per kind of record, inside
the caller's transaction.

A record that also has other sources is withdrawn, and its conversation is queued so that it is made again without
the erased messages. Receipts that quote erased words are deleted. Text that a person wrote by hand is kept and
counted.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from aforesaid.models.erasure import ErasureCount
from aforesaid.models.json import Json
from aforesaid.storage import queries
from aforesaid.storage.columns import json_text
from aforesaid.storage.database import Row, Session, scalar
from aforesaid.storage.repositories import cascade, episodes, fact_changes, items, lineage, notes, summaries
from aforesaid.storage.repositories.ledger import message_keys
from aforesaid.text.analyzer import index_terms

SQL = queries.named("forget")
FORGET_FACTS = queries.named("forget_facts")
MESSAGES = queries.named("messages")
PROFILES = queries.named("profiles")

BY_HAND = "has the same words, but a person wrote it; edit it yourself"
NUMBERS = "numbers only"
APPEND_ONLY = "names the source only; the audit log is append-only"

MOST_KNOWN_SPACES, MOST_KNOWN_RECEIPTS = 16, 2_000  # in a memo of receipts

DERIVED = "derived from an erased message"
RECOMPUTED = "withdrawn; computed again from the remaining messages"


@dataclass(frozen=True, slots=True)
class ErasedMessage:
    """A message to erase."""

    key: int
    conversation: int
    seq: int
    id: str
    text: str
    first_chunk: int | None
    last_chunk: int | None


@dataclass(slots=True)
class ErasureCounts:
    """The counts of an erasure, filled step by step. `ids` are those of all erased records: a record that quotes one of
    them is erased too. `recompute` are the conversations that something is recomputed for; `episodes_from` is the first
    seq of the first episode to recompute in each."""

    erased: Counter[tuple[str, str]] = field(default_factory=Counter)
    recomputed: Counter[tuple[str, str]] = field(default_factory=Counter)
    kept: Counter[tuple[str, str]] = field(default_factory=Counter)
    ids: set[str] = field(default_factory=set)
    recompute: set[int] = field(default_factory=set)
    episodes_from: dict[int, int] = field(default_factory=dict)

    def portions(self) -> tuple[tuple[ErasureCount, ...], tuple[ErasureCount, ...], tuple[ErasureCount, ...]]:
        """Returns the counts of erased, recomputed and kept records."""
        return _portions(self.erased), _portions(self.recomputed), _portions(self.kept)


def _portions(counted: Mapping[tuple[str, str], int]) -> tuple[ErasureCount, ...]:
    return tuple(ErasureCount(kind, count, reason) for (kind, reason), count in sorted(counted.items()) if count)


@dataclass(frozen=True, slots=True)
class ReceiptSources:
    """What a receipt names: hashes of the ids of its items and of the terms in its question and its call, and the keys
    of messages."""

    ids: frozenset[int]
    terms: frozenset[int]
    messages: frozenset[int]

    def quotes(self, keys: set[int], ids: set[str], gone: set[str]) -> bool:
        named = not self.messages.isdisjoint(keys) or not self.ids.isdisjoint(map(hash, ids))
        return named or not self.terms.isdisjoint(map(hash, gone))


class ReceiptMemo:
    """What the receipts of spaces name, so that a program that removes messages often parses a receipt once. It has no
    text, and drops what it knows of a receipt that is deleted."""

    def __init__(self) -> None:
        self._spaces: dict[int, dict[str, ReceiptSources | None]] = {}

    def of_space(self, session: Session, space_key: int) -> Mapping[str, ReceiptSources | None]:
        """The sources of each receipt of a space, by its id; None for a damaged one."""
        known = self._spaces.get(space_key, {})
        stored = [row.id for row in session.fetch(SQL["receipts"], {"space_key": space_key})]
        missing = json_text([id for id in stored if id not in known])
        rows = session.fetch(SQL["receipt_bodies"], {"space_key": space_key, "ids": missing}) if missing != "[]" else []
        known = {id: known[id] for id in stored if id in known} | {row.id: _sources(row) for row in rows}
        if len(self._spaces) >= MOST_KNOWN_SPACES:
            self._spaces = {}
        self._spaces[space_key] = dict(islice(known.items(), MOST_KNOWN_RECEIPTS))
        return known


@dataclass(frozen=True, slots=True)
class ErasureScope:
    """What to erase: messages of a space, and whole conversations (by key, with their ids). Everything that was made
    before `before` is erased too. The pins of the `new_text` of an edited message stay, and its `marks`."""

    space_key: int
    messages: tuple[ErasedMessage, ...] = ()
    conversations: Mapping[int, str] = field(default_factory=dict)
    before: int | None = None
    everything: bool = False
    new_text: str = ""
    marks: tuple[str, ...] = ()
    receipts: ReceiptMemo = field(default_factory=ReceiptMemo)

    @property
    def keys(self) -> set[int]:
        return {message.key for message in self.messages}


def erase_receipts(session: Session, scope: ErasureScope, counts: ErasureCounts, texts: Sequence[str] = ()) -> None:
    """Call it after the messages, and other `texts`, are removed from the index."""
    gone = _erased_terms(session, scope, texts)
    names = set(scope.conversations.values())
    keys, known = scope.keys, scope.receipts.of_space(session, scope.space_key)
    for row in session.fetch(SQL["receipts"], {"space_key": scope.space_key}):
        whole = scope.everything or row.conversation in names or (scope.before is not None and row.at < scope.before)
        sources = known[row.id]  # a damaged receipt may quote anything
        if whole or sources is None or sources.quotes(keys, counts.ids, gone):
            session.execute(SQL["delete_receipt"], {"receipt_key": row.receipt_key})
            counts.erased["receipt", "quotes an erased message"] += 1
    for kind, text in _handwritten_texts(session, scope):
        if gone & set(index_terms(text)):
            counts.kept[kind, BY_HAND] += 1


def count_retrievals(session: Session, scope: ErasureScope) -> int:
    """The number of retrievals of the space that are kept: they contain no question and no answer."""
    return int(scalar(session.fetch(SQL["retrievals"], {"space_key": scope.space_key})))


def count_audit_entries(session: Session, scope: ErasureScope) -> int:
    """The number of audit entries that name an erased conversation or message."""
    messages = [message.id for message in scope.messages]
    names = {"conversations": json_text(list(scope.conversations.values())), "messages": json_text(messages)}
    return int(scalar(session.fetch(SQL["audited"], {"space_key": scope.space_key, **names})))


def _erased_terms(session: Session, scope: ErasureScope, texts: Sequence[str]) -> set[str]:
    """The terms that only these messages had."""
    if scope.everything:
        return set()
    words = [*(message.text for message in scope.messages), *texts]
    terms = {term for text in words for term in index_terms(text)}
    return {term for term in terms if not session.fetch(SQL["posted"], {"term": f"{scope.space_key}{term}"})}


def _sources(row: Row) -> ReceiptSources | None:
    try:
        receipt = json.loads(row.body)
        named = {id for item in receipt["items"] for id in _named_ids(item) if id is not None}
        texts = [receipt.get("question"), receipt["call"], receipt["warnings"]]
        messages = frozenset(message_keys(row))
    except (ValueError, LookupError, TypeError):
        return None
    terms = {term for text in _strings(texts) for term in index_terms(text)}
    return ReceiptSources(frozenset(map(hash, named)), frozenset(map(hash, terms)), messages)


def _named_ids(item: Json) -> tuple[str, str, str]:
    return item["id"], str(item["id"]).rpartition("#")[0], item.get("source_message_id")


def _strings(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        inner: Iterable[Json] = value.values() if isinstance(value, dict) else value
        for element in inner:
            yield from _strings(element)


def _handwritten_texts(session: Session, scope: ErasureScope) -> Iterator[tuple[str, str]]:
    for id, text in session.fetch(SQL["titles"], {"space_key": scope.space_key}):
        if id not in scope.conversations.values():
            yield "title, outcome or metadata", text
    for row in session.fetch(SQL["pins"], {"space_key": scope.space_key}):
        yield "pin", row.content


def erase_summaries_and_episodes(session: Session, scope: ErasureScope, counts: ErasureCounts) -> None:
    """Finds them by lineage, over any number of steps, and by the range of messages that they cover."""
    sources = [("message", key) for key in scope.keys]
    derived = dict.fromkeys(lineage.made_from(session, scope.space_key, sources))
    for message in scope.messages:
        over = {"conversation_key": message.conversation, "seq": message.seq}
        derived |= {("summary", key): None for (key,) in session.fetch(SQL["summaries_over"], over)}
        derived |= {("episode", key): None for (key,) in session.fetch(SQL["episodes_over"], over)}
    withdraw_derived(session, scope, counts, derived)


def withdraw_derived(
    session: Session, scope: ErasureScope, counts: ErasureCounts, derived: Iterable[lineage.DerivedKey]
) -> None:
    """Withdraws summaries and episodes by their keys."""
    for kind, key in derived:
        for row in session.fetch(SQL[kind], {"key": key}):
            WITHDRAWALS[kind](session, scope.space_key, key)
            _count_withdrawn(session, scope, counts, kind, row)


def _count_withdrawn(session: Session, scope: ErasureScope, counts: ErasureCounts, kind: str, row: Row) -> None:
    """A record is recomputed if some message of its range remains, and erased for good otherwise."""
    _, conversation, id, first, last, made_again = row
    counts.ids.add(id)
    gone = {message.seq for message in scope.messages if message.conversation == conversation}
    if made_again and conversation not in scope.conversations and _remains(session, conversation, first, last, gone):
        counts.recomputed[kind, RECOMPUTED] += 1
        counts.recompute.add(conversation)
        if kind == "episode":
            counts.episodes_from[conversation] = min(first, counts.episodes_from.get(conversation, first))
    else:
        counts.erased[kind, DERIVED] += 1


def _remains(session: Session, conversation: int, first: int, last: int, gone: set[int]) -> bool:
    span = {"conversation_key": conversation, "first_seq": first, "last_seq": last}
    return any(row.seq not in gone for row in session.fetch(MESSAGES["in_range"], span))


def erase_facts(session: Session, scope: ErasureScope, counts: ErasureCounts) -> None:
    """Erases the facts that no other message states. A fact that others state is reworded after them."""
    where = {"space_key": scope.space_key, "messages": json_text(sorted(scope.keys))}
    stated = {int(key) for (key,) in session.fetch(FORGET_FACTS["of_messages"], where)}
    ids = {row.fact_key: row.id for row in session.fetch(SQL["facts"], {"keys": json_text(sorted(stated))})}
    fact_changes.remove_evidence(session, scope.space_key, scope.keys)
    stay = {row.fact_key for row in session.fetch(SQL["facts"], {"keys": json_text(sorted(stated))})}
    counts.kept["fact", "other messages say it; the quote was erased"] += len(stay)
    _count_erased_facts(counts, [ids[key] for key in stated - stay])
    by_hand = {"space_key": scope.space_key, "before": scope.before, "everything": scope.everything}
    for key, id in session.fetch(SQL["facts_by_hand"], by_hand) if scope.before or scope.everything else ():
        fact_changes.remove_fact(session, scope.space_key, key)
        _count_erased_facts(counts, [id])


def _count_erased_facts(counts: ErasureCounts, ids: Sequence[str]) -> None:
    counts.erased["fact", DERIVED] += len(ids)
    counts.ids |= set(ids)


def erase_pins(session: Session, scope: ErasureScope, counts: ErasureCounts) -> None:
    """Erases pins that name a message as their source, or that repeat its text or a part of it."""
    sources = {message.id for message in scope.messages}
    marks = json_text(scope.marks)
    messages = [{"conversation_key": message.conversation, "id": message.id} for message in scope.messages]
    session.execute_each(SQL["pin_marks"], [message | {"marks": marks} for message in messages])
    new_text = _normalized(scope.new_text)
    texts = [_normalized(message.text) for message in scope.messages if message.text.strip()]
    for row in session.fetch(SQL["pins"], {"space_key": scope.space_key}):
        whole = scope.everything or row.conversation_key in scope.conversations
        old = scope.before is not None and row.created_at < scope.before
        content = _normalized(row.content)
        if content in new_text:  # the edited message still says it
            continue
        repeats = any(content in text or text in content for text in texts)
        if whole or old or repeats or row.source_message_id in sources:
            session.execute(SQL["delete_pin"], {"pin_key": row.pin_key})
            notes.remove_notes(session, scope.space_key, "pin", [row.id])
            counts.ids.add(row.id)
            counts.erased["pin", DERIVED if not whole else "its conversation or space was erased"] += 1


def erase_items(session: Session, rows: Sequence[Row], counts: ErasureCounts, reason: str) -> list[str]:
    """Erases items. Returns their texts."""
    items.remove(session, rows)
    counts.erased["item", reason] += len(rows)
    return [text for row in rows for text in (row.value, row.text) if text]


def _normalized(text: str) -> str:
    return " ".join(text.casefold().split())


def erase_profiles(session: Session, scope: ErasureScope, counts: ErasureCounts) -> None:
    """Erases the profile entries from these messages, with their history."""
    if scope.everything:
        counts.erased["profile entry", DERIVED] += session.changed(PROFILES["erase"], {"space_key": scope.space_key})
    for message in scope.messages:
        counts.erased["profile entry", DERIVED] += session.changed(
            SQL["profile_from"], {"space_key": scope.space_key, "id": message.id}
        )


def erase_index(session: Session, scope: ErasureScope, counts: ErasureCounts) -> None:
    """Erases chunks with their terms, vectors, mentions of time, accesses and jobs."""
    spans = {message.key: (message.first_chunk, message.last_chunk) for message in scope.messages}
    for kind, count in cascade.remove_index_entries(session, scope.space_key, spans).items():
        counts.erased[kind, "part of an erased message" if kind == "chunk" else DERIVED] += count
    session.execute(SQL["quiet_jobs"], {"space_key": scope.space_key})


WITHDRAWALS: Mapping[str, Callable[[Session, int, int], object]] = {
    "summary": summaries.withdraw,
    "episode": episodes.withdraw,
}


def erase_derived(session: Session, scope: ErasureScope, counts: ErasureCounts) -> None:
    """Erases everything that was made from these messages, and not the messages."""
    for erase in (erase_summaries_and_episodes, erase_facts, erase_pins, erase_profiles, erase_index):
        erase(session, scope, counts)
