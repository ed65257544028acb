"""What the doctor looks at in a store, and how it mends what can be rebuilt from the log."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from recollect.errors import StoreError
from recollect.ids import microseconds
from recollect.models import Finding
from recollect.ports import Progress
from recollect.stores import queries
from recollect.stores.database import Database
from recollect.stores.nouns.check_near import NearCheck
from recollect.stores.nouns.check_notes import NoteCheck
from recollect.stores.nouns.check_vectors import VectorCheck
from recollect.stores.nouns.reindex import Reindex

SQL = queries.named("check")
JOBS = queries.named("jobs")


@dataclass(frozen=True, slots=True)
class Check:
    """One thing to look at. `mend` is None where only a person can help."""

    name: str
    look: Callable[[], tuple[int, str]]
    mend: Callable[[], None] | None
    note: Callable[[], str] = lambda: "ok"  # what is said where nothing is wrong


class Doctor:
    def __init__(self, database: Database, at: datetime, progress: Progress) -> None:
        self._database = database
        self._at = at
        self._reindex = Reindex(database, progress)
        self._vectors = VectorCheck(database, at)
        self._notes = NoteCheck(database, at)

    def run(self, repair: bool) -> list[Finding]:
        return [self._run(check, repair) for check in self._checks()]

    def _checks(self) -> list[Check]:
        return [
            Check("file", self._file, None),
            Check("schema", self._schema, None),
            Check("full-text table", self._lexical_tables, self._reindex.rebuild),
            Check("full-text rows", self._reindex.look, self._reindex.fill),
            Check("vector tables", self._vectors.look_tables, self._vectors.make_tables),
            Check("vectors", self._vectors.look_missing, self._vectors.queue_missing),
            Check("orphan vectors", self._vectors.look_orphans, self._vectors.remove_orphans),
            *self._near(),
            Check("note tables", self._notes.look_tables, self._notes.rebuild),
            Check("notes", self._notes.look_records, self._notes.mend_records),
            Check("note rows", self._notes.look_rows, self._notes.mend_rows),
            Check("orphan mentions", self._orphan_mentions, self._write("remove_orphan_mentions")),
            Check("conversation counts", self._counted("stale_conversations"), self._write("mend_conversations")),
            Check("message order", self._counted("gaps"), None),
            Check("failed jobs", self._failed, self._revive),
            Check("late jobs", self._late, None),
            Check("erasures", self._unscrubbed, None),
        ]

    def _near(self) -> list[Check]:
        if self._database.near is None:
            return []
        near = NearCheck(self._database, self._database.near, self._at)
        return [Check("vector index", near.look, near.queue, near.note)]

    def _run(self, check: Check, repair: bool) -> Finding:
        finding = self._look(check)
        if finding.ok or not repair or check.mend is None:
            return finding
        check.mend()
        after = self._look(check)
        return replace(finding, repaired=after.ok)

    def _look(self, check: Check) -> Finding:
        try:
            count, detail = check.look()
        except StoreError as exc:
            return Finding(check.name, False, 1, str(exc))
        return Finding(check.name, count == 0, count, detail if count else check.note())

    def _file(self) -> tuple[int, str]:
        wrong = self._database.damages()
        return len(wrong), f"restore a backup: {'; '.join(wrong)}"

    def _schema(self) -> tuple[int, str]:
        return self._database.behind(), "close and open the store to migrate it"

    def _lexical_tables(self) -> tuple[int, str]:
        missing = self._database.missing_tables(["chunk_terms"])
        return len(missing), f"missing: {', '.join(missing)}"

    def _orphan_mentions(self) -> tuple[int, str]:
        with self._database.read() as session:
            return int(session.fetch(SQL["orphan_mentions"])[0][0]), "mentions belong to no message"

    def _counted(self, query: str) -> Callable[[], tuple[int, str]]:
        def look() -> tuple[int, str]:
            with self._database.read() as session:
                return int(session.fetch(SQL[query])[0][0]), "differ from the log"

        return look

    def _write(self, query: str) -> Callable[[], None]:
        def mend() -> None:
            self._database.write(lambda session: session.fetch(SQL[query]), alone=True)

        return mend

    def _failed(self) -> tuple[int, str]:
        with self._database.read() as session:
            count, error = session.fetch(SQL["failed_jobs"])[0]
        return int(count), f"were given up; last reason: {error}"

    def _revive(self) -> None:
        values = {"at": microseconds(self._at)}
        self._database.write(lambda session: session.fetch(JOBS["revive"], values), alone=True)

    def _late(self) -> tuple[int, str]:
        with self._database.read() as session:
            found = session.fetch(SQL["late_jobs"], {"at": microseconds(self._at)})
        return int(found[0][0]), "lost their worker; the next worker takes them over"

    def _unscrubbed(self) -> tuple[int, str]:
        with self._database.read() as session:
            count, error = session.fetch(SQL["unscrubbed"])[0]
        return int(count), f"may have left old bytes: {error}"
