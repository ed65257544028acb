"""What Memory puts together once and its spaces and conversations share."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace

from recollect.context.ask import Ask
from recollect.context.build import Stamp, build
from recollect.context.context import Context
from recollect.context.gather import Gather, Search, Sources
from recollect.context.receipt import Receipt
from recollect.context.recipe import Recipe
from recollect.context.trace import trace
from recollect.distill.arc import arc
from recollect.distill.noted import Noted, Where, noted
from recollect.errors import NotFound
from recollect.ids import Ids
from recollect.ingest.append import Drafts
from recollect.lanes import Lanes
from recollect.ledger.entries import Occasion, of_recall
from recollect.ledger.ledger import Ledger
from recollect.models import Arc, ConversationInfo, Episode, Hits, Summary, SummaryKind
from recollect.ports import Clock, Store, Tokenizer
from recollect.recall.filters import Bounds, Filter, Scope
from recollect.recall.fuse import Weights
from recollect.recall.recall import Recall, Request
from recollect.records import StoredReceipt
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
    worker: Lanes
    ledger: Ledger
    tokenizer: Tokenizer
    ids: Ids
    clock: Clock
    environment: Mapping[str, Value]
    added: Callable[[], None]

    def settings(self, space: str) -> Settings:
        """The space's settings as they are now."""
        return Settings(self.environment, self.store.preferences.all(space))

    def request(self, space: str, query: str, limit: int, bounds: Bounds | None = None) -> Request:
        settings = self.settings(space)
        weights = Weights(*(settings.number(f"weight_{part.name}") for part in fields(Weights)))
        flags = settings.flag("hybrid"), settings.flag("rank_fusion")
        asked = bounds or Bounds()
        boost = asked.get("boost")
        return Request(
            query,
            accept.count(limit, "limit"),
            weights,
            *flags,
            bounds=Filter.of(asked),
            boost=None if boost is None else accept.words(boost, "boost"),
            explain=bool(asked.get("explain", False)),
        )

    def recalled(self, scope: Scope, request: Request, *, widen: bool = False) -> Hits:
        """The answer to a request, noted in the ledger."""
        hits = self.recall.widening(scope, request) if widen else self.recall.within(scope, request)
        self.retrieved(scope, hits, hits.milliseconds)
        return hits

    def retrieved(self, scope: Scope, hits: Hits, milliseconds: Mapping[str, float]) -> None:
        """Notes how a recall went and which messages it handed out; nothing of the question."""
        now = self.clock()
        flags = self._flags(scope.space)
        occasion = Occasion(self.ids.make(now), scope.space, scope.conversation, now, flags, milliseconds)
        self.ledger.note(of_recall(occasion, hits))

    def chunk_tokens(self, space: str) -> int | None:
        """How large a chunk of a new message may be; None where messages stay whole."""
        settings = self.settings(space)
        return settings.whole("chunk_tokens") if settings.flag("chunking") else None

    def context(self, space: str, conversation: str, ask: Ask) -> Context:
        """What the model will see. Nothing is written."""
        recipe = self._with_settings(space, ask.recipe)
        sources = Sources(self.store.conversations, self.store.messages, self.store.pins, self._summaries)
        search = self._search(Scope(space, conversation), recipe)
        asked = replace(ask, recipe=recipe)
        begin = time.perf_counter()
        material = Gather(sources, space, conversation).gather(asked, search)
        now, gathered = self.clock(), time.perf_counter()
        made = build(asked, material, self.tokenizer.count, Stamp(self.ids.make(now), now))
        end = time.perf_counter()
        spent = {"gather": gathered - begin, "build": end - gathered, "total": end - begin}
        recalled = {stage: taken for stage, taken in material.hits.milliseconds.items() if stage != "total"}
        return replace(made, milliseconds=recalled | {stage: taken * 1000 for stage, taken in spent.items()})

    def keep(self, context: Context) -> None:
        """Notes a context's receipt, how it went, and which messages it recalled."""
        receipt = context.receipt
        where = receipt.id, receipt.space, receipt.conversation, receipt.at
        self.ledger.note(lambda: StoredReceipt(*where, receipt.to_json()))
        self.ledger.note(trace(receipt, self._flags(receipt.space), context.milliseconds))

    def receipt(self, id: str) -> Receipt:
        """A receipt that was kept; NotFound where there is none, or no longer."""
        found = self.ledger.receipt(accept.name(id, "id"))
        if found is None:
            raise NotFound(f"there is no receipt {id!r}; they are kept for 30 days")
        return Receipt.from_json(found.body)

    def noted(self, info: ConversationInfo, given: Noted) -> Episode:
        """An episode of a conversation, noted by hand; not stored yet."""
        now = self.clock()
        where = Where(info.space, info.id, info.messages)
        return noted(given, where, self.store.messages, self.tokenizer.count, (self.ids.make(now), now))

    def arc(self, info: ConversationInfo) -> Arc:
        found = self.store.episodes.list(info.space, info.id, None, 0.0, None)
        return arc(self.store.messages, (info.space, info.id), info.messages, found, self.tokenizer.count)

    def _flags(self, space: str) -> dict[str, Value]:
        settings = self.settings(space)
        return {name: settings.get(name).value for name in FLAGS}

    def _summaries(self, space: str, conversation: str, kind: SummaryKind, limit: int) -> list[Summary]:
        return self.store.summaries.list(space, conversation, kind, "completed", limit)

    def _search(self, scope: Scope, recipe: Recipe) -> Search:
        """Recall as a context asks for it."""

        def near(question: str, limit: int, room: int) -> Hits:
            return self.recall.widening(scope, replace(self._asked(scope, recipe, question, limit), room=room))

        def wide(question: str, limit: int, room: int) -> Hits:
            asked = replace(self._asked(scope, recipe, question, limit), room=room)
            return self.recall.within(Scope(scope.space), asked)

        return Search(near, wide)

    def _asked(self, scope: Scope, recipe: Recipe, question: str, limit: int) -> Request:
        request = replace(self.request(scope.space, question, limit), bounds=Filter(kinds=("message",)))
        if recipe.weights is None:
            return request
        semantic, keyword, recency, importance, access = recipe.weights
        return replace(request, weights=Weights(semantic, keyword, 0.0, recency, importance, access))

    def _with_settings(self, space: str, recipe: Recipe) -> Recipe:
        """The block of the recipe `retrieval` is as large as the space's settings say, unless the recipe says."""
        if recipe.fill != "retrieval" or recipe.retrieved_tokens is not None:
            return recipe
        return replace(recipe, retrieved_tokens=self.settings(space).whole("token_budget"))
