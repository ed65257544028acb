"""What Memory puts together once and its spaces and conversations share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from recollect.context.ask import Ask
from recollect.context.build import Stamp, build
from recollect.context.context import Context
from recollect.context.gather import Gather, Search, Sources
from recollect.context.recipe import Recipe
from recollect.ids import Ids
from recollect.ingest.append import Drafts
from recollect.jobs import Worker
from recollect.models import Hits, StoredReceipt
from recollect.ports import Clock, Receipts, Store, Tokenizer
from recollect.recall.candidates import Scope
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
    receipts: Receipts
    tokenizer: Tokenizer
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

    def context(self, space: str, conversation: str, ask: Ask) -> Context:
        """What the model will see. Nothing is written."""
        recipe = self._with_settings(space, ask.recipe)
        sources = Sources(self.store.conversations, self.store.messages, self.store.pins, self._summaries)
        search = self._search(Scope(space, conversation), recipe)
        asked = replace(ask, recipe=recipe)
        material = Gather(sources, space, conversation).gather(asked, search)
        now = self.clock()
        return build(asked, material, self.tokenizer.count, Stamp(self.ids.make(now), now))

    def keep(self, context: Context) -> Context:
        """Keeps a context's receipt."""
        receipt = context.receipt
        body = receipt.to_json()
        self.receipts.add(StoredReceipt(receipt.id, receipt.space, receipt.conversation, receipt.at, body))
        return context

    def _search(self, scope: Scope, recipe: Recipe) -> Search:
        """Recall as a context asks for it. `recipe.weights` waits for a recall that blends by them."""

        def near(question: str, limit: int) -> Hits:
            return self.recall.widening(scope, self.request(scope.space, question, limit))

        def wide(question: str, limit: int) -> Hits:
            return self.recall.within(Scope(scope.space), self.request(scope.space, question, limit))

        return Search(near, wide)

    def _with_settings(self, space: str, recipe: Recipe) -> Recipe:
        """The block of the recipe `retrieval` is as large as the space's settings say, unless the recipe says."""
        if recipe.fill != "retrieval" or recipe.retrieved_tokens is not None:
            return recipe
        return replace(recipe, retrieved_tokens=self.settings(space).whole("token_budget"))
