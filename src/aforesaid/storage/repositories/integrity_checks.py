"""The checks that `aforesaid doctor` runs on a store, and the repair of everything that can be rebuilt from the
messages.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

import numpy as np

from aforesaid.errors import StoreError
from aforesaid.ids import microseconds
from aforesaid.models.store import Finding
from aforesaid.ports import Progress
from aforesaid.storage import queries
from aforesaid.storage.database import AnnIndexBuilder, Database, Row, Session, VectorPartition, scalar
from aforesaid.storage.repositories import ann, chunks, jobs, notes, vectors
from aforesaid.storage.repositories.ann import serving_model
from aforesaid.storage.repositories.space_keys import ConversationKeys
from aforesaid.storage.repositories.vector_blocks import TARGET_DTYPE
from aforesaid.text.analyzer import index_terms

SQL = queries.named("check")
CHUNKS = queries.named("chunks")
JOBS = queries.named("jobs")
NEAR = queries.named("near")

SLICE = 500
NOTE_TABLES = ("note_terms", "note_vectors")
NOTED_RECORDS = ("pins", "summaries")  # whose notes can be made in SQL
NO_LIMIT = {"limit": -1}


class LexicalCheck:
    def __init__(self, database: Database, progress: Progress) -> None:
        self._database = database
        self._progress = progress

    def look(self) -> tuple[int, str]:
        with self._database.read() as session:
            missing = int(scalar(session.fetch(SQL["missing_terms"])))
            orphans = int(scalar(session.fetch(SQL["orphan_terms"])))
        return missing + orphans, f"{missing} chunks are not indexed, {orphans} index rows have no chunk"

    def rebuild(self) -> None:
        """Drops the index and builds it again from the messages."""

        def work(session: Session) -> None:
            session.create_derived_tables(["chunk_terms"])

        self._database.write(work, alone=True)
        self.fill()

    def fill(self) -> None:
        """Adds missing rows and removes those whose chunk is gone."""
        (total, _), done, after = self.look(), 0, 0
        while True:
            after, added = self._database.write(partial(_fill_terms, after=after), alone=True)
            done += added
            self._progress(min(done, total), total)
            if after < 0:
                break
        while self._database.write(_remove_orphan_terms, alone=True):
            pass


def _fill_terms(session: Session, after: int) -> tuple[int, int]:
    rows = session.fetch(SQL["next_chunks"], {"after": after, "limit": SLICE})
    added = sum(_index_chunk(session, row) for row in rows)
    return (rows[-1].chunk_key if rows else -1), added


def _index_chunk(session: Session, row: Row) -> int:
    key = {"space_key": row.space_key, "chunk_key": row.chunk_key}
    if row.role == "system" or session.fetch(SQL["has_terms"], key):
        return 0
    owner = ConversationKeys(row.space_key, row.conversation_key)
    chunks.index(session, owner, [row.chunk_key], [index_terms(row.text[row.start : row.stop])])
    return 1


def _remove_orphan_terms(session: Session) -> int:
    rows = session.fetch(SQL["orphan_term_keys"], {"limit": SLICE})
    for space_key, key in rows:
        session.execute(CHUNKS["unindex"], {"space_key": space_key, "chunk_key": key})
    return len(rows)


class VectorCheck:
    def __init__(self, database: Database, at: datetime) -> None:
        self._database = database
        self._at = at

    def look_tables(self) -> tuple[int, str]:
        missing = self._database.missing_tables([name for (name,) in self._database.query(SQL["vector_tables"])])
        return len(missing), f"missing: {', '.join(missing)}"

    def make_tables(self) -> None:
        def work(session: Session) -> None:
            session.create_derived_tables()
            session.execute(SQL["unreached"])

        self._database.write(work, alone=True)

    def look_missing(self) -> tuple[int, str]:
        with self._database.read() as session:
            return len(_missing_vectors(session)), "messages have no vector and no job that will make one"

    def queue_missing(self) -> None:
        def work(session: Session) -> None:
            for key in sorted(_missing_vectors(session)):
                (owner,) = session.fetch(SQL["owner"], {"message_key": key})
                jobs.insert(session, "embed", owner.space_key, key, microseconds(self._at))

        self._database.write(work, alone=True)

    def look_orphans(self) -> tuple[int, str]:
        with self._database.read() as session:
            return len(_orphan_vectors(session)), "vectors belong to no message"

    def remove_orphans(self) -> None:
        def work(session: Session) -> None:
            by_space: dict[int, set[int]] = {}
            for space_key, message_key in _orphan_vectors(session):
                by_space.setdefault(space_key, set()).add(message_key)
            for space_key, messages in by_space.items():
                vectors.remove(session, space_key, messages)

        self._database.write(work, alone=True)


def _missing_vectors(session: Session) -> set[int]:
    for row in session.fetch(vectors.SQL["models"]):
        if row.state == "serving":
            queued = {target for (target,) in session.fetch(SQL["awaited"])}
            return vectors.messages_without_vector(session, row.model_key) - queued
    return set()


def _orphan_vectors(session: Session) -> set[tuple[int, int]]:
    owners = {(row.space_key, row.message_key) for row in session.fetch(SQL["vector_messages"])}
    for space_key, targets in session.fetch(SQL["all_block_targets"]):
        owners.update((space_key, int(key)) for key in np.frombuffer(targets, TARGET_DTYPE)["message"])
    known = {row.message_key for row in session.fetch(vectors.SQL["embeddable"])}
    return {(space_key, message_key) for space_key, message_key in owners if message_key not in known}


class AnnIndexCheck:
    def __init__(self, database: Database, index: AnnIndexBuilder, at: datetime) -> None:
        self._database = database
        self._index = index
        self._at = at

    def note(self) -> str:
        """The message if nothing is wrong."""
        return "ok" if self._index.reason is None else f"not needed yet; {self._index.reason}"

    def look(self) -> tuple[int, str]:
        with self._database.read() as session:
            count = len(self._without(session)) + len(session.fetch(NEAR["uneven"]))
        reason = self._index.reason or "the index is missing, or is not that of their vectors"
        return count, f"large spaces are searched exactly: {reason}"

    def queue(self) -> None:
        def work(session: Session) -> None:
            spaces = {space_key for space_key, _ in session.fetch(NEAR["uneven"])}
            for space_key, model_key in session.fetch(NEAR["uneven"]):
                session.execute(NEAR["leave"], {"space_key": space_key, "model_key": model_key})
            if self._index.reason is None:
                for space_key in sorted(spaces | {place.space for place in self._without(session)}):
                    jobs.insert(session, "near", space_key, space_key, microseconds(self._at))

        self._database.write(work, alone=True)

    def _without(self, session: Session) -> list[VectorPartition]:
        """Returns large spaces without an index and without a job that builds one."""
        model = serving_model(session)
        if model is None or not self._index.fits(model.dimension):
            return []
        large = session.fetch(NEAR["large"], {"model_key": model.model_key, "least": self._index.least})
        places = [VectorPartition(row.space_key, model.model_key, model.dimension) for row in large]
        return [
            place
            for place in places
            if not ann.ready(session, place) and not session.fetch(NEAR["awaited"], ann.partition_keys(place))
        ]


class NoteCheck:
    def __init__(self, database: Database, at: datetime) -> None:
        self._database = database
        self._at = at

    def look_tables(self) -> tuple[int, str]:
        missing = self._database.missing_tables(NOTE_TABLES)
        return len(missing), f"missing: {', '.join(missing)}"

    def rebuild(self) -> None:
        """Builds the full-text rows of notes again; creates the table of vectors if it is missing."""

        def work(session: Session) -> None:
            session.create_derived_tables(["note_terms"])
            index_missing_notes(session)

        self._database.write(work, alone=True)

    def look_records(self) -> tuple[int, str]:
        with self._database.read() as session:
            strays = len(session.fetch(SQL["stray_notes"]))
            missing = sum(int(scalar(session.fetch(SQL[f"{record}_without_note"]))) for record in NOTED_RECORDS)
            missing += len(session.fetch(SQL["unnoted_facts"])) + len(session.fetch(SQL["unnoted_episodes"]))
        return strays + missing, f"{missing} records have no note, {strays} notes differ from their record"

    def mend_records(self) -> None:
        def work(session: Session) -> None:
            notes.remove_keys(session, [key for (key,) in session.fetch(SQL["stray_notes"])])
            for record in NOTED_RECORDS:
                session.execute(SQL[f"note_{record}"])
            for space_key, fact_key in session.fetch(SQL["unnoted_facts"]):
                notes.note_fact(session, space_key, fact_key)
            for space_key, episode_key in session.fetch(SQL["unnoted_episodes"]):
                notes.note_episode(session, space_key, episode_key)
            index_missing_notes(session)

        self._database.write(work, alone=True)

    def look_rows(self) -> tuple[int, str]:
        with self._database.read() as session:
            names = ("unindexed_notes", "orphan_note_terms", "unembedded_notes", "orphan_note_vectors")
            bare, terms, blind, vectors = (len(session.fetch(SQL[name], NO_LIMIT)) for name in names)
        detail = f"{bare} notes have no terms, {blind} no vector and no job; {terms} terms, {vectors} vectors no note"
        return bare + terms + blind + vectors, detail

    def mend_rows(self) -> None:
        def work(session: Session) -> None:
            index_missing_notes(session)
            for (key,) in session.fetch(SQL["orphan_note_terms"], NO_LIMIT):
                session.execute(notes.SQL["unindex"], {"note_key": key})
            for (key,) in session.fetch(SQL["orphan_note_vectors"], NO_LIMIT):
                session.execute(notes.SQL["remove_vectors"], {"note_key": key})
            for key, space_key in session.fetch(SQL["unembedded_notes"], NO_LIMIT):
                jobs.insert(session, "note", space_key, key, microseconds(self._at))

        self._database.write(work, alone=True)


def index_missing_notes(session: Session) -> None:
    """Writes the full-text rows of the notes that have none."""
    for key, space_key, text in session.fetch(SQL["unindexed_notes"], NO_LIMIT):
        notes.index_note(session, space_key, key, text)


@dataclass(frozen=True, slots=True)
class IntegrityCheck:
    """One check. `mend` is None if only a person can repair it."""

    name: str
    look: Callable[[], tuple[int, str]]
    mend: Callable[[], None] | None
    note: Callable[[], str] = lambda: "ok"  # the message if nothing is wrong


class IntegrityChecker:
    def __init__(self, database: Database, at: datetime, progress: Progress) -> None:
        self._database = database
        self._at = at
        self._reindex = LexicalCheck(database, progress)
        self._vectors = VectorCheck(database, at)
        self._notes = NoteCheck(database, at)

    def run(self, repair: bool) -> list[Finding]:
        return [self._run(check, repair) for check in self._checks()]

    def _checks(self) -> list[IntegrityCheck]:
        return [
            IntegrityCheck("file", self._file, None),
            IntegrityCheck("schema", self._schema, None),
            IntegrityCheck("full-text table", self._lexical_tables, self._reindex.rebuild),
            IntegrityCheck("full-text rows", self._reindex.look, self._reindex.fill),
            IntegrityCheck("vector tables", self._vectors.look_tables, self._vectors.make_tables),
            IntegrityCheck("vectors", self._vectors.look_missing, self._vectors.queue_missing),
            IntegrityCheck("orphan vectors", self._vectors.look_orphans, self._vectors.remove_orphans),
            *self._near(),
            IntegrityCheck("note tables", self._notes.look_tables, self._notes.rebuild),
            IntegrityCheck("notes", self._notes.look_records, self._notes.mend_records),
            IntegrityCheck("note rows", self._notes.look_rows, self._notes.mend_rows),
            IntegrityCheck("orphan mentions", self._orphan_mentions, self._write("remove_orphan_mentions")),
            IntegrityCheck(
                "conversation counts", self._counted("stale_conversations"), self._write("mend_conversations")
            ),
            IntegrityCheck("message order", self._counted("gaps"), None),
            IntegrityCheck("failed jobs", self._failed, self._revive),
            IntegrityCheck("late jobs", self._late, None),
            IntegrityCheck("erasures", self._unscrubbed, None),
        ]

    def _near(self) -> list[IntegrityCheck]:
        if not self._database.ann.available:
            return []
        ann = AnnIndexCheck(self._database, self._database.ann, self._at)
        return [IntegrityCheck("vector index", ann.look, ann.queue, ann.note)]

    def _run(self, check: IntegrityCheck, repair: bool) -> Finding:
        finding = self._look(check)
        if finding.ok or not repair or check.mend is None:
            return finding
        check.mend()
        after = self._look(check)
        return replace(finding, repaired=after.ok)

    def _look(self, check: IntegrityCheck) -> Finding:
        try:
            count, detail = check.look()
        except StoreError as exc:
            return Finding(check.name, False, 1, str(exc))
        return Finding(check.name, count == 0, count, detail if count else check.note())

    def _file(self) -> tuple[int, str]:
        wrong = self._database.integrity_errors()
        return len(wrong), f"restore a backup: {'; '.join(wrong)}"

    def _schema(self) -> tuple[int, str]:
        return self._database.behind(), "close and open the store to migrate it"

    def _lexical_tables(self) -> tuple[int, str]:
        missing = self._database.missing_tables(["chunk_terms"])
        return len(missing), f"missing: {', '.join(missing)}"

    def _orphan_mentions(self) -> tuple[int, str]:
        with self._database.read() as session:
            return int(scalar(session.fetch(SQL["orphan_mentions"]))), "mentions belong to no message"

    def _counted(self, query: str) -> Callable[[], tuple[int, str]]:
        def look() -> tuple[int, str]:
            with self._database.read() as session:
                return int(scalar(session.fetch(SQL[query]))), "differ from the log"

        return look

    def _write(self, query: str) -> Callable[[], None]:
        def mend() -> None:
            self._database.write(lambda session: session.fetch(SQL[query]), alone=True)

        return mend

    def _failed(self) -> tuple[int, str]:
        with self._database.read() as session:
            ((count, error),) = session.fetch(SQL["failed_jobs"])
        return int(count), f"were given up; last reason: {error}"

    def _revive(self) -> None:
        values = {"at": microseconds(self._at)}
        self._database.write(lambda session: session.fetch(JOBS["revive"], values), alone=True)

    def _late(self) -> tuple[int, str]:
        with self._database.read() as session:
            count = scalar(session.fetch(SQL["late_jobs"], {"at": microseconds(self._at)}))
        return int(count), "lost their worker; the next worker takes them over"

    def _unscrubbed(self) -> tuple[int, str]:
        with self._database.read() as session:
            ((count, error),) = session.fetch(SQL["unscrubbed"])
        return int(count), f"may have left old bytes: {error}"
