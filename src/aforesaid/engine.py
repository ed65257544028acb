"""What Memory puts together once and its spaces and conversations share."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from functools import cache, partial

from aforesaid.answering.responder import Responder
from aforesaid.context.build import ReceiptStamp, build, retrieval_record
from aforesaid.context.context import Context
from aforesaid.context.gather import ContextReader, ContextSources, Material, OpenSearch, QuestionSearch
from aforesaid.context.receipt import Receipt, Replay, compare
from aforesaid.context.recipe import Recipe
from aforesaid.context.request import ContextRequest
from aforesaid.distill.consolidation import Consolidator
from aforesaid.distill.episodes.arc import arc
from aforesaid.distill.episodes.manual_episode import ConversationEnd, ManualEpisode, manual_episode
from aforesaid.distill.facts.curation import FactEditor
from aforesaid.distill.llm.llm_call import LLMClient
from aforesaid.distill.llm.model_router import ModelRouter
from aforesaid.distill.pins import pin_marks
from aforesaid.distill.profile import ProfileAccess, ProfileUpdate
from aforesaid.distill.summaries.due import ROLLING_AFTER
from aforesaid.distill.summaries.rolling import RollingSummaries
from aforesaid.distill.summaries.segments import SegmentSummaries
from aforesaid.errors import InvalidInput, NoModel, NotFound, ProviderError
from aforesaid.forget import ForgetRequest as ForgetWish
from aforesaid.forget import Forgetter
from aforesaid.ids import Ids
from aforesaid.ingest.draft import DraftBuilder, IngestOptions, MessageInput
from aforesaid.jobs.notifier import ChangeNotifier
from aforesaid.jobs.worker import WorkerPool
from aforesaid.ledger.ledger import RecallContext, RetrievalLedger, recall_entry
from aforesaid.models.conversation import ConversationInfo
from aforesaid.models.episode import Arc, Episode
from aforesaid.models.erasure import Erasure
from aforesaid.models.json import Json
from aforesaid.models.message import Content, Message, MessageDraft
from aforesaid.models.profile import Profile, Revocation
from aforesaid.models.recall import Hits
from aforesaid.models.retrieval import StoredReceipt
from aforesaid.models.summary import Summary, SummaryKind
from aforesaid.ports import Clock, Tokenizer
from aforesaid.recall.candidates import embed
from aforesaid.recall.filters import RecallFilter, RecallOptions, SearchScope
from aforesaid.recall.fuse import Weights
from aforesaid.recall.recall import Recall, RecallRequest
from aforesaid.settings import Settings, SettingValue
from aforesaid.storage.database import StaleSettings
from aforesaid.storage.store import Store
from aforesaid.text import validate
from aforesaid.text.masking import JsonMask, mask_json, mask_secrets, no_mask
from aforesaid.text.validate import instance_of

NO_ROLLING_SUMMARIES = (
    "no rolling summaries are made in this space: the history is shown as it is. "
    'Switch them on with space.set("summaries", "rolling")'
)
NO_MODEL_CONFIGURED = (
    "no language model is configured; name one: AFORESAID_MODEL=ollama:MODEL (or openai:MODEL, anthropic:MODEL, "
    "http://HOST/v1#MODEL) in the environment, Memory(model=…), or model=… in the call"
)
RECORDED_SETTINGS = ("hybrid", "chunking", "token_budget")  # settings that a retrieval's record names


def no_progress(done: int, total: int) -> None:
    """Progress that nobody looks at."""


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False)
class Engine:
    store: Store
    drafts: DraftBuilder
    recall: Recall
    worker: WorkerPool
    ledger: RetrievalLedger
    forgetter: Forgetter
    notifier: ChangeNotifier
    model_router: ModelRouter
    facts: FactEditor
    consolidator: Consolidator
    profile_access: ProfileAccess
    segments: SegmentSummaries
    rolling: RollingSummaries
    tokenizer: Tokenizer
    ids: Ids
    clock: Clock
    environment: Mapping[str, SettingValue]
    added: Callable[[], None]

    def settings(self, space: str) -> Settings:
        """The space's settings as they are now."""
        return Settings(self.environment, self.store.preferences.all(space))

    def llm_client(self, space: str, own: str | None) -> LLMClient | None:
        """Who thinks for a conversation that is held with the model `own`; None where nobody does."""
        return self.model_router.client(own, masked=self.settings(space).flag("mask_sent"))

    def voice(self, space: str, asked: str | None, own: str | None) -> Responder:
        """Who answers in a conversation that was held with the model `own`; NoModel where nobody can."""
        name = self.model_router.reply_model(asked, own)
        if name is None:
            raise NoModel(NO_MODEL_CONFIGURED)
        try:
            model = self.model_router.models.find(name)
        except ProviderError as exc:
            raise NoModel(str(exc)) from exc
        return Responder(model, self.model_router.token_budget, self.tokenizer, _sent_mask(self.settings(space)))

    def rested(self, info: ConversationInfo) -> None:
        """Lets what was said be learned to its end, where a model reads in larger stretches."""
        if self.model_router.background_model(info.model) is not None:
            self.queue_distill(info)

    def queue_distill(self, info: ConversationInfo) -> None:
        """Has what was left alone distilled."""
        self.store.jobs.queue("distill", info.space, info.id, self.clock())
        self.added()

    def recalled(
        self, scope: SearchScope, query: str, limit: int, bounds: RecallOptions, *, widen: bool = False
    ) -> Hits:
        """Hits for a query. The ledger records how the recall went and which messages it returned, not the query."""
        settings = self.settings(scope.space)
        request = _recall_request(settings, query, limit, bounds)
        hits = self.recall.search_wider(scope, request) if widen else self.recall.search(scope, request)
        now, flags = self.clock(), _flags(settings)
        occasion = RecallContext(self.ids.make(now), scope.space, scope.conversation, now, flags, hits.milliseconds)
        self.ledger.record(recall_entry(occasion, hits))
        named = tuple(hit.id for hit in hits if hit.kind == "profile")
        if named:
            self.ledger.record(self.profile_access.use(scope.space, named, "recall"))
        return hits

    def profile(
        self, space: str, as_of: datetime | str | None, known_at: datetime | str | None, by: str | None
    ) -> Profile:
        """A profile for the caller, noted in the audit."""
        found = self.profile_access.read(space, as_of, known_at)
        if found.consent:
            names = [field.name for field in (*found.fields, *([found.free] if found.free else []))]
            self.ledger.record(self.profile_access.use(space, names, "profile", by))
        return found

    def set_profile(self, space: str, wish: ProfileUpdate, by: str | None) -> Profile:
        self.profile_access.set(space, wish, by, partial(self.storable, space))
        return self.profile_access.read(space)

    def revoked(self, space: str, by: str | None) -> Revocation:
        """Revokes consent. What reading it left in memory is written before, and goes with the rest."""
        self.ledger.write()
        done = self.profile_access.revoke(space, by)
        self.recall.forget()
        return done

    def forget(self, space: str, wish: ForgetWish, *, dry_run: bool) -> Erasure:
        """What reading left in memory is written before, and goes with the rest."""
        self.ledger.write()
        done = self.forgetter.forget(space, wish, dry_run=dry_run)
        self.recall.forget()
        self.added()
        return done

    def edit(self, message: Message, content: Content) -> Message:
        """The message with other words."""
        given = self.ingest_options(message.space, message.model)
        draft = self.drafts.make(MessageInput.edited(message, content), given)
        self.ledger.write()
        edited = self.forgetter.edit(message.space, draft, pin_marks(draft.text))
        self.recall.forget()
        self.added()
        return edited

    def source(self, space: str, given: Message | str | None) -> Message | None:
        """The message that something comes from, by itself or by its id."""
        if isinstance(given, str):
            found = self.store.messages.known(space, [validate.name(given, "source")]).get(given)
            if found is None:
                raise NotFound(f"space {space!r} has no message {given!r} to come from")
            return found
        if given is None:
            return None
        instance_of(given, Message, "the source must be a Message or its id")
        if given != self.store.messages.get(space, given.conversation, given.id):
            raise InvalidInput(f"the source must be a message of space {space!r}, as it is stored")
        return given

    def needs_summary(self, space: str, conversation: str) -> bool:
        rule = self.settings(space).word("summaries")
        if rule == "rolling":
            return self.rolling.plan(space, conversation) is not None
        return self.segments.due(space, conversation, "window" if rule == "off" else rule) is not None

    def ingest_options(self, space: str, model: str | None) -> IngestOptions:
        """How a message comes in now."""
        return self._under(self.settings(space), model)

    def add(
        self, space: str, conversation: str, model: str | None, messages: MessageInput | Sequence[Mapping[str, Json]]
    ) -> list[Message]:
        """Stores one message, or several chat messages. They are made with the settings that this process read last,
        and made again if those have changed."""
        given = self._cached_ingest_options(space, model)
        try:
            return self.append(space, conversation, self.drafts.make_all(messages, given), given)
        except StaleSettings:
            given = self.ingest_options(space, model)
            return self.append(space, conversation, self.drafts.make_all(messages, given), given)

    def append(
        self, space: str, conversation: str, drafts: Sequence[MessageDraft], given: IngestOptions
    ) -> list[Message]:
        if not drafts:
            return []
        messages = self.store.messages.append(space, conversation, drafts, given.now, given.under)
        self.added()
        return messages

    def _cached_ingest_options(self, space: str, model: str | None) -> IngestOptions:
        seen = self.store.preferences.seen(space)
        if seen is None:
            return self.ingest_options(space, model)
        return replace(self._under(Settings(self.environment, seen), model), under=seen)

    def _under(self, settings: Settings, model: str | None) -> IngestOptions:
        most = settings.whole("chunk_tokens") if settings.flag("chunking") else None
        return IngestOptions(self.clock(), most, model, settings.flag("mask_stored"))

    def masks_stored(self, space: str) -> bool:
        """Whether secrets are masked before anything is stored."""
        return self.settings(space).flag("mask_stored")

    def storable(self, space: str, text: str) -> str:
        """The text as this space may store it; what is no text is left to those who refuse it."""
        return mask_secrets(text) if isinstance(text, str) and self.masks_stored(space) else text

    def context(self, space: str, conversation: str, ask: ContextRequest, *, keep: bool = True) -> Context:
        """Builds a context. With `keep`, stores its receipt and records in the ledger how it went and which messages
        it recalled."""
        now, begin = self.clock(), time.perf_counter()  # before it reads: what is forgotten since makes it void
        settings = self.settings(space)
        recipe = _with_settings(ask.recipe, settings)
        store = self.store
        sources = ContextSources(
            store.conversations, store.messages, store.pins, self._summaries, self.profile_access.read, store.snapshot
        )
        search = self._search(SearchScope(space, conversation), recipe, settings)
        asked = replace(ask, recipe=recipe)
        material = ContextReader(sources, space, conversation).gather(asked, search)
        if material.profile and not self.profile_access.consent(space).granted:  # revoked since it was read
            material = replace(material, profile=())
        material = _warned(recipe, settings, material)
        gathered = time.perf_counter()
        made = build(asked, material, self.tokenizer.count, ReceiptStamp(self.ids.make(now), now), _sent_mask(settings))
        end = time.perf_counter()
        if made.profile:
            named = tuple(field.name for field in made.profile)
            self.ledger.record(self.profile_access.use(space, named, "context", context=made.receipt.id))
        spent = {"gather": gathered - begin, "build": end - gathered, "total": end - begin}
        recalled = {stage: taken for stage, taken in material.hits.milliseconds.items() if stage != "total"}
        made = replace(made, milliseconds=recalled | {stage: taken * 1000 for stage, taken in spent.items()})
        if keep:
            self._keep(made, settings)
        return made

    def _keep(self, context: Context, settings: Settings) -> None:
        receipt = _masked_receipt(context.receipt, settings)
        where = receipt.id, receipt.space, receipt.conversation, receipt.at
        self.ledger.record(lambda: StoredReceipt(*where, receipt.to_json()))
        self.ledger.record(retrieval_record(receipt, _flags(settings), context.milliseconds))

    def receipt(self, id: str, space: str | None = None) -> Receipt:
        """A receipt that was kept, of this space or of any; NotFound where there is none, or no longer."""
        found = self.ledger.receipt(validate.name(id, "id"))
        if found is None or space not in (None, found.space):
            raise NotFound(f"there is no receipt {id!r}; they are kept for 30 days")
        return Receipt.from_json(found.body)

    def replay(self, before: Receipt) -> Replay:
        """A context built again, with what the store holds now. Nothing is kept of it."""
        return compare(before, self.rebuild(before).receipt)

    def rebuild(self, before: Receipt) -> Context:
        """What the call that left a receipt gives now. Nothing is kept of it."""
        return self.context(before.space, before.conversation, before.call, keep=False)

    def noted(self, look: Callable[[], ConversationInfo], given: ManualEpisode) -> Episode:
        """Stores an episode of a conversation, noted by hand; made again where a message goes meanwhile. `look` says
        what the conversation is now."""
        while True:
            now, info = self.clock(), look()
            seen = self.store.spaces.revision(info.space)
            where = ConversationEnd(info.space, info.id, self._newest(info))
            made = manual_episode(given, where, self.store.messages, self.tokenizer.count, (self.ids.make(now), now))
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

    def _search(self, scope: SearchScope, recipe: Recipe, settings: Settings) -> OpenSearch:
        """Recall as a context uses it. A question is embedded once, by the first search for it."""

        def open_search(question: str) -> QuestionSearch:
            plan = self.recall.plan(scope.space, question)
            query = cache(lambda: embed(plan))

            def request(limit: int, room: int) -> RecallRequest:
                return replace(_context_recall_request(recipe, settings, question, limit), room=room)

            def near(limit: int, room: int) -> Hits:
                return self.recall.search_wider(scope, request(limit, room), query())

            def wide(limit: int, room: int) -> Hits:
                embedded = replace(query(), milliseconds=0.0) if recipe.conversation_first else query()
                return self.recall.search(SearchScope(scope.space), request(limit, room), embedded)

            return QuestionSearch(near, wide)

        return open_search


def _warned(recipe: Recipe, settings: Settings, material: Material) -> Material:
    """Adds a warning if the recipe needs a rolling summary, one is due, and the space makes none."""
    due = recipe.fill == "rolling" and material.messages and material.messages[-1].seq >= ROLLING_AFTER
    if not due or settings.word("summaries") == "rolling":
        return material
    return replace(material, warnings=(*material.warnings, NO_ROLLING_SUMMARIES))


def _recall_request(settings: Settings, query: str, limit: int, bounds: RecallOptions | None = None) -> RecallRequest:
    weights = Weights(*(settings.number(f"weight_{part.name}") for part in fields(Weights)))
    flags = settings.flag("hybrid"), settings.flag("rank_fusion")
    asked = bounds or RecallOptions()
    boost = asked.get("boost")
    return RecallRequest(
        query,
        validate.count(limit, "limit"),
        weights,
        *flags,
        bounds=RecallFilter.of(asked),
        boost=None if boost is None else validate.non_blank(boost, "boost"),
        explain=bool(asked.get("explain", False)),
    )


def _masked_receipt(receipt: Receipt, settings: Settings) -> Receipt:
    """The receipt as its space may keep it: what the caller said is in it."""
    if not settings.flag("mask_stored"):
        return receipt
    return replace(receipt, question=mask_json(receipt.question), call=receipt.call.masked(mask_secrets))


def _sent_mask(settings: Settings) -> JsonMask:
    """What becomes of secrets in words that are sent to a model."""
    return mask_json if settings.flag("mask_sent") else no_mask


def _context_recall_request(recipe: Recipe, settings: Settings, question: str, limit: int) -> RecallRequest:
    request = replace(_recall_request(settings, question, limit), bounds=RecallFilter(kinds=("message", "fact")))
    if recipe.weights is None:
        return request
    semantic, keyword, recency, importance, access = recipe.weights
    return replace(request, weights=Weights(semantic, keyword, 0.0, recency, importance, access))


def _with_settings(recipe: Recipe, settings: Settings) -> Recipe:
    """The block of the recipe `retrieval` is as large as the space's settings say, unless the recipe says."""
    if recipe.fill != "retrieval" or recipe.recalled_tokens is not None:
        return recipe
    return replace(recipe, recalled_tokens=settings.whole("token_budget"))


def _flags(settings: Settings) -> dict[str, SettingValue]:
    return {name: settings.get(name).value for name in RECORDED_SETTINGS}
