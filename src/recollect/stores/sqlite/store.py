"""The embedded store: one SQLite file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from functools import partial
from pathlib import Path

import apsw

from recollect.ids import microseconds
from recollect.models import Backup, Finding, Status
from recollect.ports import Clock, Progress
from recollect.stores import queries
from recollect.stores.sqlite import check_notes, migrate
from recollect.stores.sqlite.accesses import SqliteAccesses
from recollect.stores.sqlite.audit import SqliteAudit
from recollect.stores.sqlite.backup import backup
from recollect.stores.sqlite.check import Doctor
from recollect.stores.sqlite.consolidations import SqliteConsolidations
from recollect.stores.sqlite.conversations import SqliteConversations
from recollect.stores.sqlite.costs import SqliteCosts
from recollect.stores.sqlite.database import Database, fetch
from recollect.stores.sqlite.directories import SqliteDirectories
from recollect.stores.sqlite.episodes import SqliteEpisodes
from recollect.stores.sqlite.erasures import SqliteErasures
from recollect.stores.sqlite.facts import SqliteFacts
from recollect.stores.sqlite.feed import SqliteFeed
from recollect.stores.sqlite.jobs import SQL as JOBS
from recollect.stores.sqlite.jobs import SqliteJobs
from recollect.stores.sqlite.keys import SqliteKeys
from recollect.stores.sqlite.ledger import SqliteLedger
from recollect.stores.sqlite.lexical import SqliteLexical
from recollect.stores.sqlite.mentions import SqliteMentions
from recollect.stores.sqlite.messages import SqliteMessages
from recollect.stores.sqlite.moving import SqliteMoving
from recollect.stores.sqlite.note_index import SqliteNotes
from recollect.stores.sqlite.pins import SqlitePins
from recollect.stores.sqlite.preferences import SqlitePreferences
from recollect.stores.sqlite.profiles import SqliteProfiles
from recollect.stores.sqlite.progress import SqliteProgress
from recollect.stores.sqlite.receipts import SqliteReceipts
from recollect.stores.sqlite.retrievals import SqliteRetrievals
from recollect.stores.sqlite.spaces import SqliteSpaces
from recollect.stores.sqlite.stats import SqliteStats
from recollect.stores.sqlite.summaries import SqliteSummaries
from recollect.stores.sqlite.vectors import SqliteVectors

SQL = queries.named("sqlite", "store")


class SqliteStore:
    """Opens the file, making or migrating it where needed. Safe for any number of threads and processes."""

    def __init__(self, path: str, *, synchronous: str, clock: Clock) -> None:
        self._database = Database(path, synchronous=synchronous)
        self._migrate(clock())
        self.spaces = SqliteSpaces(self._database)
        self.conversations = SqliteConversations(self._database)
        self.messages = SqliteMessages(self._database, clock)
        self.directories = SqliteDirectories(self._database)
        self.pins = SqlitePins(self._database)
        self.lexical = SqliteLexical(self._database)
        self.vectors = SqliteVectors(self._database)
        self.notes = SqliteNotes(self._database)
        self.mentions = SqliteMentions(self._database)
        self.jobs = SqliteJobs(self._database)
        self.progress = SqliteProgress(self._database)
        self.preferences = SqlitePreferences(self._database)
        self.summaries = SqliteSummaries(self._database)
        self.facts = SqliteFacts(self._database)
        self.consolidations = SqliteConsolidations(self._database)
        self.costs = SqliteCosts(self._database)
        self.keys = SqliteKeys(self._database)
        self.profiles = SqliteProfiles(self._database)
        self.audit = SqliteAudit(self._database)
        self.episodes = SqliteEpisodes(self._database)
        self.ledger = SqliteLedger(self._database)
        self.accesses = SqliteAccesses(self._database)
        self.retrievals = SqliteRetrievals(self._database)
        self.receipts = SqliteReceipts(self._database)
        self.stats = SqliteStats(self._database)
        self.erasures = SqliteErasures(self._database, clock)
        self.feed = SqliteFeed(self._database)
        self.moving = SqliteMoving(self._database, self.facts)

    def still(self) -> AbstractContextManager[None]:
        return self._database.still()

    def current(self) -> bool:
        with self._database.read() as connection:
            return migrate.version(connection) == self._version

    def status(self) -> Status:
        models = tuple(self.vectors.models())
        with self._database.read() as connection:
            spaces, conversations, messages, chunks = fetch(connection, SQL["counts"])[0]
            jobs: dict[str, int] = dict(fetch(connection, JOBS["counts"]))
            version = migrate.version(connection)
        return Status(spaces, conversations, messages, chunks, jobs, models, version)

    def bytes(self) -> Mapping[str, int]:
        with self._database.read() as connection:
            sizes: dict[str, int] = dict(fetch(connection, SQL["size"]))
            text = int(fetch(connection, SQL["text_bytes"])[0][0])
        return {
            "file": sum(sizes.values()),
            "text": text,
            "full_text": sum(size for name, size in sizes.items() if name.startswith(("chunk_terms", "note_terms"))),
            "vectors": sum(size for name, size in sizes.items() if name.startswith(("vector", "note_vectors"))),
        }

    def check(self, repair: bool, at: datetime, progress: Progress) -> list[Finding]:
        return Doctor(self._database, at, progress).run(repair)

    def backup(self, destination: Path, force: bool, progress: Progress) -> Backup:
        return backup(self._database, destination, force, progress)

    def close(self) -> None:
        self._database.close()

    def _migrate(self, at: datetime) -> None:
        migrations = migrate.known()
        self._version = migrations[-1].version
        try:
            with self._database.read() as connection:
                needed = migrate.needed(connection, migrations)
            if needed:
                self._database.write(partial(_apply, migrations=migrations, at=at))
        except BaseException:
            self._database.close()
            raise


def _apply(connection: apsw.Connection, migrations: Sequence[migrate.Migration], at: datetime) -> None:
    migrate.apply(connection, migrations, microseconds(at))
    check_notes.index_missing(connection)  # a migration cannot make terms
