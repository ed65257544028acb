"""What Memory puts together once and its spaces and conversations share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from recollect.ids import Ids
from recollect.ingest.append import Drafts
from recollect.jobs import Worker
from recollect.ledger.entries import Occasion, of_recall
from recollect.ledger.ledger import Ledger
from recollect.models import Hits
from recollect.ports import Clock, Store
from recollect.recall.candidates import Scope
from recollect.recall.fuse import Weights
from recollect.recall.recall import Recall, Request
from recollect.settings import Settings, Value
from recollect.text import accept

FLAGS = ("hybrid", "chunking", "token_budget")  # settings that a retrieval's record names


def unwatched(done: int, total: int) -> None:
    """Progress that nobody looks at."""


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False)
class Engine:
    store: Store
    drafts: Drafts
    recall: Recall
    worker: Worker
    ledger: Ledger
    ids: Ids
    clock: Clock
    environment: Mapping[str, Value]
    added: Callable[[], None]

    def settings(self, space: str) -> Settings:
        """The space's settings as they are now."""
        return Settings(self.environment, self.store.preferences.all(space))

    def request(self, space: str, query: str, limit: int) -> Request:
        settings = self.settings(space)
        weights = Weights(*(settings.number(f"weight_{part}") for part in ("dense", "lexical", "identifier")))
        return Request(query, accept.count(limit, "limit"), weights, settings.flag("hybrid"))

    def retrieved(self, scope: Scope, hits: Hits, milliseconds: Mapping[str, float]) -> None:
        """Notes how a recall went and which messages it handed out; nothing of the question."""
        settings, now = self.settings(scope.space), self.clock()
        flags = {name: settings.get(name).value for name in FLAGS}
        occasion = Occasion(self.ids.make(now), scope.space, scope.conversation, now, flags, milliseconds)
        self.ledger.note(of_recall(occasion, hits))

    def chunk_tokens(self, space: str) -> int | None:
        """How large a chunk of a new message may be; None where messages stay whole."""
        settings = self.settings(space)
        return settings.whole("chunk_tokens") if settings.flag("chunking") else None
