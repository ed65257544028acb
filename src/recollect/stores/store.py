"""A store: every noun on one database."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from datetime import datetime

from recollect.models import Finding, Status
from recollect.ports import Clock, Progress
from recollect.stores import queries
from recollect.stores.database import Database
from recollect.stores.nouns.accesses import Accesses
from recollect.stores.nouns.audit import Audit
from recollect.stores.nouns.check import Doctor
from recollect.stores.nouns.consolidations import Consolidations
from recollect.stores.nouns.conversations import Conversations
from recollect.stores.nouns.copies import Copies
from recollect.stores.nouns.costs import Costs
from recollect.stores.nouns.directories import Directories
from recollect.stores.nouns.episodes import Episodes
from recollect.stores.nouns.erasures import Erasures
from recollect.stores.nouns.facts import Facts
from recollect.stores.nouns.feed import Feed
from recollect.stores.nouns.jobs import SQL as JOBS
from recollect.stores.nouns.jobs import Jobs
from recollect.stores.nouns.keys import Keys
from recollect.stores.nouns.ledger import Ledger
from recollect.stores.nouns.lexical import Lexical
from recollect.stores.nouns.mentions import Mentions
from recollect.stores.nouns.messages import Messages
from recollect.stores.nouns.moving import Moving
from recollect.stores.nouns.note_index import Notes
from recollect.stores.nouns.pins import Pins
from recollect.stores.nouns.preferences import Preferences
from recollect.stores.nouns.profiles import Profiles
from recollect.stores.nouns.progress import Reached
from recollect.stores.nouns.rates import Rates
from recollect.stores.nouns.receipts import Receipts
from recollect.stores.nouns.retrievals import Retrievals
from recollect.stores.nouns.spaces import Spaces
from recollect.stores.nouns.stats import SpaceStats
from recollect.stores.nouns.summaries import Summaries
from recollect.stores.nouns.vectors import VectorIndex

SQL = queries.named("store")


class DatabaseStore:
    """Safe for any number of threads and processes."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self.address = database.path
        self.spaces = Spaces(self._database)
        self.conversations = Conversations(self._database)
        self.messages = Messages(self._database, clock)
        self.directories = Directories(self._database)
        self.pins = Pins(self._database)
        self.lexical = Lexical(self._database)
        self.vectors = VectorIndex(self._database)
        self.notes = Notes(self._database)
        self.mentions = Mentions(self._database)
        self.jobs = Jobs(self._database)
        self.progress = Reached(self._database)
        self.preferences = Preferences(self._database)
        self.summaries = Summaries(self._database)
        self.facts = Facts(self._database)
        self.consolidations = Consolidations(self._database)
        self.costs = Costs(self._database)
        self.keys = Keys(self._database)
        self.rates = Rates(self._database)
        self.profiles = Profiles(self._database)
        self.audit = Audit(self._database)
        self.episodes = Episodes(self._database)
        self.ledger = Ledger(self._database)
        self.accesses = Accesses(self._database)
        self.retrievals = Retrievals(self._database)
        self.receipts = Receipts(self._database)
        self.stats = SpaceStats(self._database)
        self.erasures = Erasures(self._database, clock)
        self.feed = Feed(self._database)
        self.moving = Moving(self._database, self.facts)
        self.copies = Copies(self._database)

    def still(self, space: str | None = None) -> AbstractContextManager[None]:
        return self._database.still(space)

    def current(self) -> bool:
        return self._database.behind() == 0

    def status(self) -> Status:
        models = tuple(self.vectors.models())
        with self._database.read() as session:
            spaces, conversations, messages, chunks = session.fetch(SQL["counts"])[0]
            jobs: dict[str, int] = dict(session.fetch(JOBS["counts"]))
            ((version,),) = session.fetch(SQL["version"])
        return Status(spaces, conversations, messages, chunks, jobs, models, version)

    def bytes(self) -> Mapping[str, int]:
        with self._database.read() as session:
            sizes: dict[str, int] = dict(session.fetch(SQL["size"]))
            text = int(session.fetch(SQL["text_bytes"])[0][0])
        return {
            "file": sum(sizes.values()),
            "text": text,
            "full_text": sum(size for name, size in sizes.items() if name.startswith(("chunk_terms", "note_terms"))),
            "vectors": sum(size for name, size in sizes.items() if name.startswith(("vector", "note_vectors", "near"))),
        }

    def check(self, repair: bool, at: datetime, progress: Progress) -> list[Finding]:
        return Doctor(self._database, at, progress).run(repair)

    def close(self) -> None:
        self._database.close()
