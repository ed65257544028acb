"""What Memory puts together once and its spaces and conversations share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from recollect.ids import Ids
from recollect.ingest.append import Drafts
from recollect.jobs import Worker
from recollect.ports import Clock, Store
from recollect.recall.fuse import Weights
from recollect.recall.recall import Recall, Request
from recollect.settings import Settings, Value
from recollect.text import accept


def unwatched(done: int, total: int) -> None:
    """Progress that nobody looks at."""


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False)
class Engine:
    store: Store
    drafts: Drafts
    recall: Recall
    worker: Worker
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

    def chunk_tokens(self, space: str) -> int | None:
        """How large a chunk of a new message may be; None where messages stay whole."""
        settings = self.settings(space)
        return settings.whole("chunk_tokens") if settings.flag("chunking") else None
