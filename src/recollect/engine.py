"""What Memory puts together once and its spaces and conversations share."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from functools import partial

from recollect.answering.voice import Voice
from recollect.context.ask import Ask
from recollect.context.build import Stamp, build
from recollect.context.context import Context
from recollect.context.gather import Gather, Material, Search, Sources
from recollect.context.receipt import Receipt
from recollect.context.recipe import Recipe
from recollect.context.replay import Replay, compare
from recollect.context.trace import trace
from recollect.context.veil import Mask, bare
from recollect.distill.arc import arc
from recollect.distill.autopin import said_again
from recollect.distill.consolidate import Consolidating
from recollect.distill.curate import Curating
from recollect.distill.due import ROLLING_AFTER
from recollect.distill.noted import Noted, Where, noted
from recollect.distill.profile import Keeper, Wish
from recollect.distill.rolling import Rolling
from recollect.distill.segments import Segments
from recollect.distill.think import Thinker
from recollect.distill.thinkers import Thinkers
from recollect.errors import InvalidInput, NoModel, NotFound, ProviderError
from recollect.forget import Forgetting
from recollect.forget import Wish as ForgetWish
from recollect.ids import Ids
from recollect.ingest.append import Circumstances, Drafts, Incoming
from recollect.ingest.mask import mask
from recollect.lanes import Lanes
from recollect.ledger.entries import Occasion, of_recall
from recollect.ledger.ledger import Ledger
from recollect.models import (
    Arc,
    Content,
    ConversationInfo,
    Episode,
    Erasure,
    Hits,
    Message,
    Profile,
    Revocation,
    Summary,
    SummaryKind,
)
from recollect.ports import Clock, Outdated, Store, Tokenizer
from recollect.recall.filters import Bounds, Filter, Scope
from recollect.recall.fuse import Weights
from recollect.recall.recall import Recall, Request
from recollect.records import MessageDraft, StoredReceipt
from recollect.settings import Settings, Value
from recollect.text import accept
from recollect.text.given import one
from recollect.text.secrets import masked
from recollect.watching import Watching

NOT_ROLLING = (
    "no rolling summaries are made in this space: the history is shown as it is. "
    'Switch them on with space.set("summaries", "rolling")'
)
NOBODY_ANSWERS = (
    "no language model is configured; name one: RECOLLECT_MODEL=ollama:MODEL (or openai:MODEL, anthropic:MODEL, "
    "http://HOST/v1#MODEL) in the environment, Memory(model=…), or model=… in the call"
)
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
    forgetting: Forgetting
    watching: Watching
    thinkers: Thinkers
    facts: Curating
    consolidating: Consolidating
    keeper: Keeper
    segments: Segments
    rolling: Rolling
    tokenizer: Tokenizer
    ids: Ids
    clock: Clock
    environment: Mapping[str, Value]
    added: Callable[[], None]

    def settings(self, space: str) -> Settings:
        """The space's settings as they are now."""
        return Settings(self.environment, self.store.preferences.all(space))

    def thinker(self, space: str, own: str | None) -> Thinker | None:
        """Who thinks for a conversation that is held with the model `own`; None where nobody does."""
        return self.thinkers.of(own, masked=self.settings(space).flag("mask_sent"))

    def voice(self, space: str, asked: str | None, own: str | None) -> Voice:
        """Who answers in a conversation that was held with the model `own`; NoModel where nobody can."""
        name = self.thinkers.answerer(asked, own)
        if name is None:
            raise NoModel(NOBODY_ANSWERS)
        try:
            model = self.thinkers.models.find(name)
        except ProviderError as exc:
            raise NoModel(str(exc)) from exc
        return Voice(model, self.thinkers.purse, self.tokenizer, _mask(self.settings(space)))

    def rested(self, info: ConversationInfo) -> None:
        """Lets what was said be learned to its end, where a model reads in larger stretches."""
        if self.thinkers.name(info.model) is not None:
            self.look_again(info)

    def look_again(self, info: ConversationInfo) -> None:
        """Has what was left alone distilled."""
        self.store.jobs.queue("distill", info.space, info.id, self.clock())
        self.added()

    def request(self, space: str, query: str, limit: int, bounds: Bounds | None = None) -> Request:
        return _request(self.settings(space), query, limit, bounds)

    def recalled(self, scope: Scope, request: Request, *, widen: bool = False) -> Hits:
        """The answer to a request, noted in the ledger."""
        hits = self.recall.widening(scope, request) if widen else self.recall.within(scope, request)
        self.retrieved(scope, hits, hits.milliseconds)
        named = tuple(hit.id for hit in hits if hit.kind == "profile")
        if named:
            self.ledger.note(self.keeper.use(scope.space, named, "recall"))
        return hits

    def retrieved(self, scope: Scope, hits: Hits, milliseconds: Mapping[str, float]) -> None:
        """Notes how a recall went and which messages it handed out; nothing of the question."""
        now = self.clock()
        flags = _flags(self.settings(scope.space))
        occasion = Occasion(self.ids.make(now), scope.space, scope.conversation, now, flags, milliseconds)
        self.ledger.note(of_recall(occasion, hits))

    def profile(
        self, space: str, as_of: datetime | str | None, known_at: datetime | str | None, by: str | None
    ) -> Profile:
        """A profile for the caller, noted in the audit."""
        found = self.keeper.read(space, as_of, known_at)
        if found.consent:
            names = [field.name for field in (*found.fields, *([found.free] if found.free else []))]
            self.ledger.note(self.keeper.use(space, names, "profile", by))
        return found

    def set_profile(self, space: str, wish: Wish, by: str | None) -> Profile:
        self.keeper.set(space, wish, by, partial(self.storable, space))
        return self.keeper.read(space)

    def revoked(self, space: str, by: str | None) -> Revocation:
        """Revokes consent. What reading it left in memory is written before, and goes with the rest."""
        self.ledger.write()
        done = self.keeper.revoke(space, by)
        self.recall.forget()
        return done

    def forget(self, space: str, wish: ForgetWish, *, dry_run: bool) -> Erasure:
        """What reading left in memory is written before, and goes with the rest."""
        self.ledger.write()
        done = self.forgetting.forget(space, wish, dry_run=dry_run)
        self.recall.forget()
        self.added()
        return done

    def edit(self, message: Message, content: Content) -> Message:
        """The message with other words."""
        given = self.circumstances(message.space, message.model)
        kept = message.name, message.tool_calls, message.tool_call_id, message.model, message.created_at
        draft = self.drafts.make(Incoming(message.role, content, message.id, *kept), given)
        self.ledger.write()
        edited = self.forgetting.edit(message.space, draft, said_again(draft.text))
        self.recall.forget()
        self.added()
        return edited

    def source(self, space: str, given: Message | str | None) -> Message | None:
        """The message that something comes from, by itself or by its id."""
        if isinstance(given, str):
            found = self.store.messages.known(space, [accept.name(given, "source")]).get(given)
            if found is None:
                raise NotFound(f"space {space!r} has no message {given!r} to come from")
            return found
        if given is None:
            return None
        one(given, Message, "the source must be a Message or its id")
        if given != self.store.messages.get(space, given.conversation, given.id):
            raise InvalidInput(f"the source must be a message of space {space!r}, as it is stored")
        return given

    def needs_summary(self, space: str, conversation: str) -> bool:
        rule = self.settings(space).word("summaries")
        if rule == "rolling":
            return self.rolling.plan(space, conversation) is not None
        return self.segments.due(space, conversation, "window" if rule == "off" else rule) is not None

    def circumstances(self, space: str, model: str | None) -> Circumstances:
        """How a message comes in now."""
        return self._under(self.settings(space), model)

    def add(
        self,
        space: str,
        conversation: str,
        model: str | None,
        make: Callable[[Circumstances], Sequence[MessageDraft]],
    ) -> list[Message]:
        """Stores what is made under the space's settings as they were last seen: the store looks whether they still
        are, and what is made under old ones is made anew."""
        given = self._presumed(space, model)
        try:
            return self.append(space, conversation, make(given), given)
        except Outdated:
            given = self.circumstances(space, model)
            return self.append(space, conversation, make(given), given)

    def append(
        self, space: str, conversation: str, drafts: Sequence[MessageDraft], given: Circumstances
    ) -> list[Message]:
        if not drafts:
            return []
        messages = self.store.messages.append(space, conversation, drafts, given.now, given.under)
        self.added()
        return messages

    def _presumed(self, space: str, model: str | None) -> Circumstances:
        seen = self.store.preferences.seen(space)
        if seen is None:
            return self.circumstances(space, model)
        return replace(self._under(Settings(self.environment, seen), model), under=seen)

    def _under(self, settings: Settings, model: str | None) -> Circumstances:
        most = settings.whole("chunk_tokens") if settings.flag("chunking") else None
        return Circumstances(self.clock(), most, model, settings.flag("mask_stored"))

    def masks_stored(self, space: str) -> bool:
        """Whether secrets are masked before anything is stored."""
        return self.settings(space).flag("mask_stored")

    def storable(self, space: str, text: str) -> str:
        """The text as this space may store it; what is no text is left to those who refuse it."""
        return masked(text) if isinstance(text, str) and self.masks_stored(space) else text

    def context(self, space: str, conversation: str, ask: Ask) -> Context:
        """What the model will see. Nothing is written."""
        now, begin = self.clock(), time.perf_counter()  # before it reads: what is forgotten since makes it void
        settings = self.settings(space)
        recipe = _with_settings(ask.recipe, settings)
        store = self.store
        sources = Sources(
            store.conversations, store.messages, store.pins, self._summaries, self.keeper.read, store.still
        )
        search = self._search(Scope(space, conversation), recipe, settings)
        asked = replace(ask, recipe=recipe)
        material = Gather(sources, space, conversation).gather(asked, search)
        if material.profile and not self.keeper.consent(space).granted:  # revoked since it was read
            material = replace(material, profile=())
        material = self._warned(recipe, material)
        gathered = time.perf_counter()
        made = build(asked, material, self.tokenizer.count, Stamp(self.ids.make(now), now), _mask(settings))
        end = time.perf_counter()
        if made.profile:
            named = tuple(field.name for field in made.profile)
            self.ledger.note(self.keeper.use(space, named, "context", context=made.receipt.id))
        spent = {"gather": gathered - begin, "build": end - gathered, "total": end - begin}
        recalled = {stage: taken for stage, taken in material.hits.milliseconds.items() if stage != "total"}
        return replace(made, milliseconds=recalled | {stage: taken * 1000 for stage, taken in spent.items()})

    def _warned(self, recipe: Recipe, material: Material) -> Material:
        """Says so where the recipe wants a rolling summary, it is time for one, and nobody makes any."""
        wanted = recipe.fill == "rolling" and material.messages and material.messages[-1].seq >= ROLLING_AFTER
        if not wanted or self.settings(material.space).word("summaries") == "rolling":
            return material
        return replace(material, warnings=(*material.warnings, NOT_ROLLING))

    def keep(self, context: Context) -> None:
        """Notes a context's receipt, how it went, and which messages it recalled."""
        settings = self.settings(context.receipt.space)
        receipt = _storable(context.receipt, settings)
        where = receipt.id, receipt.space, receipt.conversation, receipt.at
        self.ledger.note(lambda: StoredReceipt(*where, receipt.to_json()))
        self.ledger.note(trace(receipt, _flags(settings), context.milliseconds))

    def receipt(self, id: str, space: str | None = None) -> Receipt:
        """A receipt that was kept, of this space or of any; NotFound where there is none, or no longer."""
        found = self.ledger.receipt(accept.name(id, "id"))
        if found is None or space not in (None, found.space):
            raise NotFound(f"there is no receipt {id!r}; they are kept for 30 days")
        return Receipt.from_json(found.body)

    def replay(self, before: Receipt) -> Replay:
        """A context built again, with what the store holds now. Nothing is kept of it."""
        return compare(before, self.rebuild(before).receipt)

    def rebuild(self, before: Receipt) -> Context:
        """What the call that left a receipt gives now. Nothing is kept of it."""
        return self.context(before.space, before.conversation, before.call)

    def noted(self, look: Callable[[], ConversationInfo], given: Noted) -> Episode:
        """Stores an episode of a conversation, noted by hand; made again where a message goes meanwhile. `look` says
        what the conversation is now."""
        while True:
            now, info = self.clock(), look()
            seen = self.store.spaces.revision(info.space)
            where = Where(info.space, info.id, self._newest(info))
            made = noted(given, where, self.store.messages, self.tokenizer.count, (self.ids.make(now), now))
            self._refuse_unknown(info.space, made.facts)
            if seen is not None and self.store.episodes.keep(made, seen):
                return made

    def _refuse_unknown(self, space: str, facts: Sequence[str]) -> None:
        known = self.store.facts.named(space, facts)
        for id in facts:
            if id not in known:
                raise NotFound(f"space {space!r} has no fact {id!r}")

    def arc(self, info: ConversationInfo) -> Arc:
        found = self.store.episodes.list(info.space, info.id, None, 0.0, None)
        return arc(self.store.messages, (info.space, info.id), self._newest(info) + 1, found, self.tokenizer.count)

    def _newest(self, info: ConversationInfo) -> int:
        """The seq of the newest message, which is no count of messages once one was forgotten; −1 where there is
        none."""
        found = self.store.messages.recent(info.space, info.id, 1, 0)
        return found[0].seq if found else -1

    def _summaries(self, space: str, conversation: str, kind: SummaryKind, limit: int) -> Sequence[Summary]:
        return self.store.summaries.standing(space, conversation, kind, "completed", limit)

    def _search(self, scope: Scope, recipe: Recipe, settings: Settings) -> Search:
        """Recall as a context asks for it."""

        def near(question: str, limit: int, room: int) -> Hits:
            return self.recall.widening(scope, replace(_asked(recipe, settings, question, limit), room=room))

        def wide(question: str, limit: int, room: int) -> Hits:
            asked = replace(_asked(recipe, settings, question, limit), room=room)
            return self.recall.within(Scope(scope.space), asked)

        return Search(near, wide)


def _request(settings: Settings, query: str, limit: int, bounds: Bounds | None = None) -> Request:
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


def _storable(receipt: Receipt, settings: Settings) -> Receipt:
    """The receipt as its space may keep it: what the caller said is in it."""
    if not settings.flag("mask_stored"):
        return receipt
    return replace(receipt, question=mask(receipt.question), call=receipt.call.masked(masked))


def _mask(settings: Settings) -> Mask:
    """What becomes of secrets in words that are sent to a model."""
    return mask if settings.flag("mask_sent") else bare


def _asked(recipe: Recipe, settings: Settings, question: str, limit: int) -> Request:
    request = replace(_request(settings, question, limit), bounds=Filter(kinds=("message", "fact")))
    if recipe.weights is None:
        return request
    semantic, keyword, recency, importance, access = recipe.weights
    return replace(request, weights=Weights(semantic, keyword, 0.0, recency, importance, access))


def _with_settings(recipe: Recipe, settings: Settings) -> Recipe:
    """The block of the recipe `retrieval` is as large as the space's settings say, unless the recipe says."""
    if recipe.fill != "retrieval" or recipe.retrieved_tokens is not None:
        return recipe
    return replace(recipe, retrieved_tokens=settings.whole("token_budget"))


def _flags(settings: Settings) -> dict[str, Value]:
    return {name: settings.get(name).value for name in FLAGS}
