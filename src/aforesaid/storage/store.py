"""A store: all repositories on one database."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime
from pathlib import Path

from aforesaid.models.store import Backup, Finding, Status
from aforesaid.ports import Clock, Progress
from aforesaid.storage import queries
from aforesaid.storage.database import Database, scalar
from aforesaid.storage.repositories.audit import Audit
from aforesaid.storage.repositories.consolidations import Consolidations
from aforesaid.storage.repositories.conversations import Conversations, DistillProgress
from aforesaid.storage.repositories.copies import Copies
from aforesaid.storage.repositories.costs import Costs
from aforesaid.storage.repositories.directories import Directories
from aforesaid.storage.repositories.episodes import Episodes
from aforesaid.storage.repositories.erasures import Erasures
from aforesaid.storage.repositories.facts import Facts
from aforesaid.storage.repositories.feed import Feed
from aforesaid.storage.repositories.feedback import FeedbackLog
from aforesaid.storage.repositories.integrity_checks import IntegrityChecker
from aforesaid.storage.repositories.items import ItemRecords
from aforesaid.storage.repositories.jobs import SQL as JOBS
from aforesaid.storage.repositories.jobs import Jobs
from aforesaid.storage.repositories.keys import Keys, Rates
from aforesaid.storage.repositories.ledger import Accesses, LedgerWriter, Receipts, Retrievals
from aforesaid.storage.repositories.lexical import Lexical
from aforesaid.storage.repositories.mentions import Mentions
from aforesaid.storage.repositories.messages import Messages
from aforesaid.storage.repositories.metadata import MetadataIndex
from aforesaid.storage.repositories.note_index import NoteIndex
from aforesaid.storage.repositories.pins import Pins
from aforesaid.storage.repositories.preferences import Preferences
from aforesaid.storage.repositories.profiles import Profiles
from aforesaid.storage.repositories.retention import Retention
from aforesaid.storage.repositories.running_answers import RunningAnswers
from aforesaid.storage.repositories.spaces import Spaces, SpaceStats
from aforesaid.storage.repositories.summaries import Summaries
from aforesaid.storage.repositories.transfer import Transfer
from aforesaid.storage.repositories.vectors import VectorIndex
from aforesaid.temporary_files import TemporaryFiles

SQL = queries.named("store")


class Store(ABC):
    """One attribute per repository; each method of a repository is one transaction.

    A store answers or raises; it never turns a failure into an empty answer. Safe for any number of threads and
    processes. `address` is a path, or a server's address without its password. `database` is the engine underneath.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        self.database = database
        database.clock.read = clock
        self.address = database.path
        self.spaces = Spaces(self.database)
        self.conversations = Conversations(self.database)
        self.messages = Messages(self.database, clock)
        self.directories = Directories(self.database)
        self.pins = Pins(self.database)
        self.lexical = Lexical(self.database)
        self.vectors = VectorIndex(self.database)
        self.notes = NoteIndex(self.database)
        self.mentions = Mentions(self.database)
        self.metadata = MetadataIndex(self.database)
        self.items = ItemRecords(self.database)
        self.jobs = Jobs(self.database)
        self.running_answers = RunningAnswers(self.database)
        self.progress = DistillProgress(self.database)
        self.preferences = Preferences(self.database)
        self.summaries = Summaries(self.database)
        self.facts = Facts(self.database)
        self.consolidations = Consolidations(self.database)
        self.costs = Costs(self.database)
        self.keys = Keys(self.database)
        self.rates = Rates(self.database)
        self.profiles = Profiles(self.database)
        self.audit = Audit(self.database)
        self.episodes = Episodes(self.database)
        self.ledger = LedgerWriter(self.database)
        self.accesses = Accesses(self.database)
        self.feedback = FeedbackLog(self.database)
        self.retrievals = Retrievals(self.database)
        self.receipts = Receipts(self.database)
        self.stats = SpaceStats(self.database)
        self.erasures = Erasures(self.database, clock)
        self.retention = Retention(self.database)
        self.feed = Feed(self.database)
        self.transfer = Transfer(self.database, self.facts)
        self.copies = Copies(self.database)
        self.temporary_files = TemporaryFiles(self.address, encrypted=database.encrypted)
        self.temporary_files.clean()

    def snapshot(self, space: str | None = None) -> AbstractContextManager[None]:
        """While it lasts, everything that this thread reads is of the same state, mostly of `space`. Do nothing slow
        inside, such as calling a model."""
        return self.database.snapshot(space)

    def current(self) -> bool:
        """Returns True if the schema is the one of this version."""
        return self.database.behind() == 0

    def check_room(self) -> None:
        """Raises StoreFull if the disk has no room for a message, as far as this process can know."""
        self.database.check_room()

    def status(self) -> Status:
        models = tuple(self.vectors.models())
        with self.database.read() as session:
            ((spaces, conversations, messages, chunks),) = session.fetch(SQL["counts"])
            jobs = {state: count for state, count in session.fetch(JOBS["counts"])}  # noqa: C416 (rows are no pairs)
            version = scalar(session.fetch(SQL["version"]))
        return Status(spaces, conversations, messages, chunks, jobs, models, version)

    def bytes(self) -> Mapping[str, int]:
        """Returns the size of the whole store, of the full-text index, of the vectors and of the messages' text."""
        with self.database.read() as session:
            sizes = {name: size for name, size in session.fetch(SQL["size"])}  # noqa: C416 (rows are no pairs)
            text = int(scalar(session.fetch(SQL["text_bytes"])))
        return {
            "file": sum(sizes.values()),
            "text": text,
            "full_text": sum(size for name, size in sizes.items() if name.startswith(("chunk_terms", "note_terms"))),
            "vectors": sum(size for name, size in sizes.items() if name.startswith(("vector", "note_vectors", "near"))),
        }

    def check(self, repair: bool, at: datetime, progress: Progress, backup: Path | None = None) -> list[Finding]:
        """Says of each damaged record whether `backup` has it intact."""
        with nullcontext() if backup is None else self.database.open_backup(backup) as reader:
            return [*IntegrityChecker(self.database, at, progress, reader).run(repair), self._check_leftovers(repair)]

    def _check_leftovers(self, repair: bool) -> Finding:
        found = self.temporary_files.leftovers()
        if found and repair:
            self.temporary_files.clean()
        repaired = bool(found) and repair and not self.temporary_files.leftovers()
        detail = f"a killed process left {', '.join(found)}" if found else "ok"
        return Finding("leftover files", not found, len(found), detail, repaired)

    @abstractmethod
    def backup(self, destination: Path, force: bool, damaged: bool, progress: Progress) -> Backup:
        """Writes everything that was committed when it began to a file that appears complete or not at all. Raises
        StoreDamaged if a record is damaged, unless `damaged`."""

    def close(self) -> None:
        self.database.close()
