"""The checks that `aforesaid doctor` runs on a store, and the repair of everything that can be rebuilt from the
messages.

`IntegrityChecker` has the table of checks. Each check counts what is wrong and describes it. Most checks read in one
transaction and repair in another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import TypeVar

import numpy as np

from aforesaid.errors import StoreError, log_text
from aforesaid.ids import microseconds
from aforesaid.models.pin import Pin
from aforesaid.models.store import DamagedRecord, Finding
from aforesaid.ports import Progress
from aforesaid.storage import checksums, queries
from aforesaid.storage.columns import from_row
from aforesaid.storage.database import AnnIndexBuilder, BackupReader, Database, Row, Session, scalar, sum_of_terms
from aforesaid.storage.queries import NamedQuery
from aforesaid.storage.repositories import ann, append, chunks, items, jobs, lexical, notes, pins, vectors
from aforesaid.storage.repositories.base import UNREADABLE
from aforesaid.storage.repositories.space_keys import ConversationKeys
from aforesaid.storage.repositories.vector_blocks import TARGET_DTYPE
from aforesaid.text.analyzer import index_terms

SQL = queries.named("check")
CHUNKS = queries.named("chunks")
JOBS = queries.named("jobs")
NEAR = queries.named("near")

SLICE = 500  # rows repaired in one transaction
NO_LIMIT = {"limit": -1}
NAMED = 10  # damaged records in the text of a finding
CHUNK_TABLES = ("chunk_terms",)
NOTE_TABLES = ("note_terms", "note_vectors")

T = TypeVar("T")
Problems = tuple[int, str]  # their number and a description


@dataclass(frozen=True, slots=True)
class IntegrityCheck:
    """One check, which counts and describes the problems, or names the damaged records. `repair` is None if only a
    person can repair the problems. `ok` is the detail if there are none."""

    name: str
    find: Callable[[], Problems | list[DamagedRecord]]
    repair: Callable[[], object] | None = None
    ok: str = "ok"


class IntegrityChecker:
    def __init__(self, database: Database, at: datetime, progress: Progress, backup: BackupReader | None) -> None:
        self._database = database
        self._backup = backup
        self._at = microseconds(at)
        self._progress = progress

    def run(self, repair: bool) -> list[Finding]:
        return [_run(check, repair) for check in self._checks()]

    def _checks(self) -> list[IntegrityCheck]:
        read, count, write, run, at = self._read, self._count, self._write, self._execute, self._at
        vector_tables = ["vectors", "vector_blocks", *(["near"] if self._database.ann.available else [])]
        return [
            IntegrityCheck("file", self._find_file_errors),
            IntegrityCheck("schema", lambda: (self._database.behind(), "close and open the store to migrate it")),
            IntegrityCheck("messages", self._find_damaged_messages, write(append.seal_all)),
            IntegrityCheck("other records", self._find_damaged_rows, self._database.mend_rows),
            *self._page_checks(),
            IntegrityCheck("full-text table", lambda: self._find_missing(CHUNK_TABLES), self._rebuild_terms),
            IntegrityCheck("full-text rows", read(find_wrong_terms), self._fill_terms),
            IntegrityCheck("full-text words", self._find_wrong_words, self._rebuild_terms),
            IntegrityCheck("vector tables", lambda: self._find_missing(vector_tables), write(create_vector_tables)),
            IntegrityCheck("vectors", read(find_missing_vectors), write(partial(queue_missing_vectors, at=at))),
            IntegrityCheck("orphan vectors", read(find_orphan_vectors), write(remove_orphan_vectors)),
            *self._ann_checks(),
            IntegrityCheck("note tables", lambda: self._find_missing(NOTE_TABLES), write(rebuild_note_terms)),
            IntegrityCheck("words of notes", self._find_wrong_note_words, write(rebuild_note_terms)),
            IntegrityCheck("notes", read(find_wrong_notes), write(repair_notes)),
            IntegrityCheck("note rows", read(find_wrong_note_rows), write(partial(repair_note_rows, at=at))),
            IntegrityCheck(
                "orphan mentions",
                count("orphan_mentions", "mentions belong to no message"),
                run(SQL["remove_orphan_mentions"]),
            ),
            IntegrityCheck(
                "metadata index",
                count("wrong_metadata", "values differ from the metadata"),
                run(SQL["mend_metadata"]),
            ),
            IntegrityCheck(
                "conversation counts",
                count("stale_conversations", "differ from the log"),
                run(SQL["mend_conversations"]),
            ),
            IntegrityCheck("message order", count("gaps", "differ from the log")),
            IntegrityCheck("failed jobs", count("failed_jobs", "were given up; last reason: {}"), run(JOBS["revive"])),
            IntegrityCheck("late jobs", count("late_jobs", "lost their worker; the next worker takes them over")),
            IntegrityCheck("erasures", count("unscrubbed", "may have left old bytes: {}")),
        ]

    def _page_checks(self) -> list[IntegrityCheck]:
        told = self._database.page_checksums()
        return [] if told is None else [IntegrityCheck("page checksums", lambda: (0, ""), ok=told)]

    def _find_damaged_messages(self) -> list[DamagedRecord]:
        return list(self._damaged_messages())

    def _damaged_messages(self) -> Iterator[DamagedRecord]:
        with self._database.read() as session:
            for row, record in damaged_messages(session):
                if self._backup is not None:
                    known = record.space is not None and row.checksum is not None
                    held = known and self._backup.has_message(record.space or "", record.id, row.checksum)
                    record = replace(record, in_backup=held)  # noqa: PLW2901
                yield record

    def _find_damaged_rows(self) -> list[DamagedRecord]:
        backup = self._backup
        return [
            DamagedRecord(row.table, row.id, in_backup=None if backup is None else backup.has_row(row))
            for row in self._database.wrong_rows()
        ]

    def _find_wrong_words(self) -> Problems:
        indexed = self._database.indexed_terms("chunk_terms")
        if indexed is None:
            return 0, ""
        wrong, after, read, text = 0, 0, None, ""
        with self._database.read() as session:
            while rows := session.fetch(SQL["indexed_chunks"], _after(after)):
                for row in rows:
                    if row.message_key != read:  # once for all its chunks: a text can have megabytes
                        read = row.message_key
                        place = {"space_key": row.space_key, "message_key": read}
                        text = "".join(found for (found,) in session.fetch(SQL["text"], place))
                    terms = chunks.index_terms_of(_keys(row), index_terms(text[row.start : row.stop]))
                    if indexed.get(row.chunk_key, 0) != sum_of_terms(set(terms)):
                        wrong += bool(session.fetch(SQL["has_terms"], {"chunk_key": row.chunk_key}))
                after = rows[-1].chunk_key
        return wrong, "chunks are indexed under other words than those of their text"

    def _find_wrong_note_words(self) -> Problems:
        indexed = self._database.indexed_terms("note_terms")
        if indexed is None:
            return 0, ""
        with self._database.read() as session:
            wrong = sum(
                indexed.get(row.note_key, 0)
                != sum_of_terms(
                    {f"{notes.term_prefix(row.space_key, row.kind)}{term}" for term in index_terms(row.text)}
                )
                for row in session.fetch(SQL["indexed_notes"])
            )
        return wrong, "notes are indexed under other words than those of their text"

    def _ann_checks(self) -> list[IntegrityCheck]:
        index = self._database.ann
        if not index.available:
            return []
        find = self._read(partial(find_missing_indexes, index=index))
        repair = self._write(partial(queue_missing_indexes, index=index, at=self._at))
        ok = "ok" if index.reason is None else f"not needed yet; {index.reason}"
        return [IntegrityCheck("vector index", find, repair, ok)]

    def _read(self, find: Callable[[Session], T]) -> Callable[[], T]:
        def run() -> T:
            with self._database.read() as session:
                return find(session)

        return run

    def _count(self, query: str, detail: str) -> Callable[[], Problems]:
        """For a query that returns the number of problems, and perhaps a reason for the detail."""

        def find(session: Session) -> Problems:
            ((count, *reason),) = session.fetch(SQL[query], {"at": self._at})
            return int(count), detail.format(*reason)

        return self._read(find)

    def _write(self, repair: Callable[[Session], object]) -> Callable[[], object]:
        return lambda: self._database.write(repair, alone=True)

    def _execute(self, query: NamedQuery) -> Callable[[], object]:
        return self._write(lambda session: session.execute(query, {"at": self._at}))

    def _find_file_errors(self) -> Problems:
        errors = self._database.integrity_errors()
        return len(errors), f"restore a backup: {'; '.join(errors)}"

    def _find_missing(self, tables: Sequence[str]) -> Problems:
        missing = self._database.missing_tables(tables)
        return len(missing), f"missing: {', '.join(missing)}"

    def _rebuild_terms(self) -> None:
        """Drops the full-text index of messages and builds it again."""
        self._database.write(lambda session: session.create_derived_tables(CHUNK_TABLES), alone=True)
        self._fill_terms()

    def _fill_terms(self) -> None:
        """Adds missing full-text rows and removes those whose chunk is gone."""
        (total, _), done, after = self._read(find_wrong_terms)(), 0, 0
        while after >= 0:
            after, added = self._database.write(partial(_fill_terms, after=after), alone=True)
            done += added
            self._progress(min(done, total), total)
        while self._database.write(_remove_orphan_terms, alone=True):
            pass


def _run(check: IntegrityCheck, repair: bool) -> Finding:
    finding = _find(check)
    if finding.ok or not repair or check.repair is None:
        return finding
    try:
        check.repair()
    except (StoreError, *UNREADABLE) as exc:
        return replace(finding, detail=f"{finding.detail}; it cannot be repaired: {log_text(exc)}")
    return replace(finding, repaired=_find(check).ok)


def _find(check: IntegrityCheck) -> Finding:
    try:
        found = check.find()
    except StoreError as exc:
        return Finding(check.name, False, 1, str(exc))
    except UNREADABLE as exc:
        return Finding(check.name, False, 1, f"damaged records cannot be checked: {type(exc).__name__}")
    if isinstance(found, list):
        detail = describe_damaged(found) if found else check.ok
        return Finding(check.name, not found, len(found), detail, damaged=tuple(found))
    count, detail = found
    return Finding(check.name, count == 0, count, detail if count else check.ok)


def damaged_messages(session: Session) -> Iterator[tuple[Row, DamagedRecord]]:
    """Yields the messages that differ from their checksum or have none."""
    after = 0
    while rows := session.fetch(SQL["messages"], _after(after)):
        for row in rows:
            if row.checksum is None or not checksums.is_intact(row):
                yield row, DamagedRecord("messages", str(row.id), row.space, row.conversation, row.seq)
        after = rows[-1].message_key


def describe_damaged(records: Sequence[DamagedRecord]) -> str:
    """Names the first records, and says what a backup has."""
    names = [
        f"message {record.id} (space {record.space!r}, conversation {record.conversation!r}, seq {record.seq})"
        if record.table == "messages"
        else f"{record.table} {record.id}"
        for record in records[:NAMED]
    ]
    more = [f"{len(records) - NAMED} more"] if len(records) > NAMED else []
    held = sum(record.in_backup or False for record in records)
    backup = "" if records[0].in_backup is None else f"; the backup has {held} of {len(records)} intact"
    return f"not what was written: {', '.join(names + more)}{backup}"


def _after(key: int) -> dict[str, int]:
    return {"after": key, "limit": SLICE}


def find_wrong_terms(session: Session) -> Problems:
    missing = int(scalar(session.fetch(SQL["missing_terms"])))
    orphans = len(session.fetch(SQL["orphan_terms"], NO_LIMIT))
    return missing + orphans, f"{missing} chunks are not indexed, {orphans} index rows have no chunk"


def _fill_terms(session: Session, after: int) -> tuple[int, int]:
    """Returns the last chunk that was read, or -1 at the end, and the number of added rows."""
    rows = session.fetch(SQL["next_chunks"], {"after": after, "limit": SLICE})
    added = sum(
        lexical.index_chunk(session, _keys(row), row.chunk_key, row.text[row.start : row.stop])
        for row in rows
        if row.role != "system"
    )
    return (rows[-1].chunk_key if rows else -1), added


def _remove_orphan_terms(session: Session) -> int:
    rows = session.fetch(SQL["orphan_terms"], {"limit": SLICE})
    for space_key, key in rows:
        session.execute(CHUNKS["unindex"], {"space_key": space_key, "chunk_key": key})
    return len(rows)


def create_vector_tables(session: Session) -> None:
    session.create_derived_tables()
    session.execute(SQL["unreached"])


def find_missing_vectors(session: Session) -> Problems:
    return len(_missing_vectors(session)), "messages have no vector and no job that will make one"


def queue_missing_vectors(session: Session, at: int) -> None:
    vectors.queue_embedding(session, _missing_vectors(session), at)


def _missing_vectors(session: Session) -> set[int]:
    for row in session.fetch(vectors.SQL["models"]):
        if row.state == "serving":
            queued = {target for (target,) in session.fetch(SQL["awaited"])}
            return vectors.messages_without_vector(session, row.model_key) - queued
    return set()


def find_orphan_vectors(session: Session) -> Problems:
    return len(_orphan_vectors(session)), "vectors belong to no message"


def remove_orphan_vectors(session: Session) -> None:
    orphans = _orphan_vectors(session)
    for space_key in {space_key for space_key, _ in orphans}:
        vectors.remove(session, space_key, {message_key for owner, message_key in orphans if owner == space_key})


def _orphan_vectors(session: Session) -> set[tuple[int, int]]:
    owners = {(row.space_key, row.message_key) for row in session.fetch(SQL["vector_messages"])}
    for space_key, targets in session.fetch(SQL["all_block_targets"]):
        owners.update((space_key, int(key)) for key in np.frombuffer(targets, TARGET_DTYPE)["message"])
    known = {row.message_key for row in session.fetch(vectors.SQL["embeddable"])}
    return {(space_key, message_key) for space_key, message_key in owners if message_key not in known}


def find_missing_indexes(session: Session, index: AnnIndexBuilder) -> Problems:
    count = len(_spaces_without_index(session, index)) + len(session.fetch(NEAR["uneven"]))
    reason = index.reason or "the index is missing, or is not that of their vectors"
    return count, f"large spaces are searched exactly: {reason}"


def queue_missing_indexes(session: Session, index: AnnIndexBuilder, at: int) -> None:
    uneven = session.fetch(NEAR["uneven"])
    for space_key, model_key in uneven:
        session.execute(NEAR["leave"], {"space_key": space_key, "model_key": model_key})
    if index.reason is None:
        for space_key in sorted({row.space_key for row in uneven} | _spaces_without_index(session, index)):
            jobs.insert(session, "near", space_key, space_key, at)


def _spaces_without_index(session: Session, index: AnnIndexBuilder) -> set[int]:
    """Returns large spaces without an index and without a job that builds one."""
    model = ann.serving_model(session)
    if model is None or not index.fits(model.dimension):
        return set()
    return {
        place.space
        for place in ann.large_partitions(session, index, model)
        if not ann.ready(session, place) and not session.fetch(NEAR["awaited"], ann.partition_keys(place))
    }


def rebuild_note_terms(session: Session) -> None:
    """Builds the full-text rows of notes again; creates the table of vectors if it is missing."""
    session.create_derived_tables(["note_terms"])
    _index_missing_notes(session)


UNNOTED: Mapping[str, Callable[[Session, Row], None]] = {  # the records without a note, and what makes it
    "unnoted_pins": lambda session, row: pins.note_pin(session, _keys(row), from_row(Pin, row)),
    "unnoted_summaries": lambda session, row: notes.note_summaries(session, _keys(row)._asdict()),
    "unnoted_facts": lambda session, row: notes.note_fact(session, row.space_key, row.fact_key),
    "unnoted_episodes": lambda session, row: notes.note_episode(session, row.space_key, row.episode_key),
    "unnoted_items": items.note_again,
}


def _keys(row: Row) -> ConversationKeys:
    return ConversationKeys(row.space_key, row.conversation_key)


def find_wrong_notes(session: Session) -> Problems:
    strays = len(session.fetch(SQL["stray_notes"]))
    missing = sum(len(session.fetch(SQL[query])) for query in UNNOTED)
    return strays + missing, f"{missing} records have no note, {strays} notes differ from their record"


def repair_notes(session: Session) -> None:
    notes.remove_keys(session, [key for (key,) in session.fetch(SQL["stray_notes"])])
    for query, put_note in UNNOTED.items():
        for row in session.fetch(SQL[query]):
            put_note(session, row)


def find_wrong_note_rows(session: Session) -> Problems:
    names = ("unindexed_notes", "orphan_note_terms", "unembedded_notes", "orphan_note_vectors")
    bare, terms, blind, orphans = (len(session.fetch(SQL[name], NO_LIMIT)) for name in names)
    detail = f"{bare} notes have no terms, {blind} no vector and no job; {terms} terms, {orphans} vectors no note"
    return bare + terms + blind + orphans, detail


def repair_note_rows(session: Session, at: int) -> None:
    _index_missing_notes(session)
    for (key,) in session.fetch(SQL["orphan_note_terms"], NO_LIMIT):
        session.execute(notes.SQL["unindex"], {"note_key": key})
    for (key,) in session.fetch(SQL["orphan_note_vectors"], NO_LIMIT):
        session.execute(notes.SQL["remove_vectors"], {"note_key": key})
    for key, space_key in session.fetch(SQL["unembedded_notes"], NO_LIMIT):
        jobs.insert(session, "note", space_key, key, at)


def _index_missing_notes(session: Session) -> None:
    for key, space_key, kind, text in session.fetch(SQL["unindexed_notes"], NO_LIMIT):
        notes.index_note(session, space_key, key, kind, text)
