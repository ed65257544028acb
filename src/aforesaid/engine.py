"""Orchestrates the parts for one Memory. `memory.py` wires one Engine; spaces and conversations share it.

A method belongs here if it needs several parts, for example a recall that the ledger records. The logic of each part is
in that part. The methods are grouped by noun: settings and models, messages, recall, contexts, episodes and summaries,
the profile, erasure.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from functools import cache, partial
from hashlib import sha256
from typing import TypeVar

from aforesaid.answering.lease import AnswerLease
from aforesaid.answering.responder import Responder
from aforesaid.context.about import AboutMaterial, build_about
from aforesaid.context.build import ReceiptStamp, build, retrieval_record
from aforesaid.context.context import Context
from aforesaid.context.gather import ContextReader, ContextSources, Material, OpenSearch, QuestionSearch
from aforesaid.context.receipt import Receipt, ReceiptItem, Replay, compare
from aforesaid.context.recipe import Recipe
from aforesaid.context.request import ContextRequest
from aforesaid.context.stored_receipt import from_stored, to_stored
from aforesaid.context.why import ReceiptEntry, Why
from aforesaid.distill.consolidation import Consolidator
from aforesaid.distill.episodes.arc import arc
from aforesaid.distill.episodes.manual_episode import ConversationEnd, ManualEpisode, manual_episode
from aforesaid.distill.facts.curation import FactEditor, fact_filter
from aforesaid.distill.llm.llm_call import LLMClient
from aforesaid.distill.llm.model_router import ModelRouter
from aforesaid.distill.pins import pin_marks
from aforesaid.distill.profile import ProfileAccess, ProfileUpdate
from aforesaid.distill.records.definitions import Schemas
from aforesaid.distill.summaries.due import ROLLING_AFTER
from aforesaid.distill.summaries.rolling import RollingSummaries
from aforesaid.distill.summaries.segments import SegmentSummaries
from aforesaid.errors import ConflictError, InvalidInput, NoModel, NotFound, OnHold, ProviderError, StoreDamaged
from aforesaid.explain import AskedMessage, ContextCase, ContextExplainer
from aforesaid.forget import Expiry, ForgetRequest, Forgetter
from aforesaid.ids import Ids
from aforesaid.ingest.draft import DraftBuilder, IngestOptions, MessageInput, checked_annotations
from aforesaid.jobs.foreground import ForegroundCalls
from aforesaid.jobs.notifier import ChangeNotifier
from aforesaid.jobs.worker import WorkerPool
from aforesaid.ledger.ledger import RetrievalLedger, recall_record
from aforesaid.models.about import About
from aforesaid.models.answer import AnswerClaim
from aforesaid.models.conversation import ConversationInfo
from aforesaid.models.episode import Arc, Episode
from aforesaid.models.erasure import Erasure
from aforesaid.models.feedback import Feedback, RatedMessage, Verdict
from aforesaid.models.item import ItemQuery
from aforesaid.models.json import Json
from aforesaid.models.message import Content, Message, MessageDraft, MessageRange
from aforesaid.models.profile import Profile, Revocation
from aforesaid.models.recall import GROUP_KINDS, Hit, HitKind, Hits
from aforesaid.models.record import Schema
from aforesaid.models.retrieval import StoredReceipt
from aforesaid.models.space import Hold
from aforesaid.ports import Clock, Tokenizer
from aforesaid.recall.candidates import embed
from aforesaid.recall.feedback import hashed_terms, is_quoted, summarize_feedback
from aforesaid.recall.filters import RecallFilter, RecallOptions, SearchScope
from aforesaid.recall.fuse import Weights
from aforesaid.recall.metadata_filter import parse_filter
from aforesaid.recall.recall import LEARNED, WEIGHTED, Recall, RecallRequest, SearchTrace
from aforesaid.settings import Settings, SettingValue, definition
from aforesaid.storage.database import HasExpired, StaleSettings
from aforesaid.storage.lru_cache import LruCache
from aforesaid.storage.repositories.erasures import Removal
from aforesaid.storage.store import Store
from aforesaid.text import validate
from aforesaid.text.masking import CachedMask, JsonMask, mask_json, mask_record, mask_secrets, no_mask
from aforesaid.text.memo import TextMemo
from aforesaid.text.validate import instance_of

NO_ROLLING_SUMMARIES = (
    "this space has no rolling summaries, so the context shows the history itself. "
    'Turn them on with space.set("summaries", "rolling")'
)
NO_MODEL_CONFIGURED = (
    "no language model is configured; name one: AFORESAID_MODEL=ollama:MODEL (or openai:MODEL, anthropic:MODEL, "
    "http://HOST/v1#MODEL) in the environment, Memory(model=…), or model=… in the call"
)
T = TypeVar("T")
DEFAULT_WEIGHTS = Weights(*(float(definition(f"weight_{part.name}").default) for part in fields(Weights)))

MAX_ABOUT_FACTS = 200  # that a portrait chooses from
TOKENS_PER_SALIENT = 5  # a portrait chooses from one message for each 5 tokens …
FEWEST_SALIENT, MOST_SALIENT = 50, 1000  # … but from no fewer and no more than these
KNOWN_RECEIPT_ITEMS = 20_000  # in the receipts that are kept as they were parsed
OTHER_KINDS: tuple[HitKind, ...] = ("message", "fact", "pin")  # what a context recalls from other spaces
MAX_OTHER_PINS = 10_000
CONVERSATIONS_QUEUED = 200  # that are read together
HITS_PER_GROUP = 10  # messages that are searched for each session or turn to return
KNOWN_OPTIONS = 1_000  # spaces whose options for new messages are kept
RECORDED_SETTINGS = ("hybrid", "chunking", "token_budget")  # settings stored in the record of a retrieval


def no_progress(done: int, total: int) -> None:
    """Ignores progress reports."""


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False)
class Engine:
    store: Store
    drafts: DraftBuilder
    searcher: Recall
    worker: WorkerPool
    foreground: ForegroundCalls
    ledger: RetrievalLedger
    forgetter: Forgetter
    expiry: Expiry
    notifier: ChangeNotifier
    model_router: ModelRouter
    facts: FactEditor
    schemas: Schemas
    consolidator: Consolidator
    profile_access: ProfileAccess
    segments: SegmentSummaries
    rolling: RollingSummaries
    tokenizer: Tokenizer
    ids: Ids
    clock: Clock
    environment: Mapping[str, SettingValue]
    count_tokens: TextMemo[int]
    text_mask: CachedMask = field(default_factory=CachedMask)
    known_receipts: LruCache[str, tuple[StoredReceipt, Receipt]] = field(
        default_factory=lambda: LruCache(KNOWN_RECEIPT_ITEMS, lambda known: len(known[1].items) + 1)
    )
    known_options: LruCache[str, IngestOptions] = field(default_factory=lambda: LruCache(KNOWN_OPTIONS, lambda _: 1))

    # Settings and models

    def settings(self, space: str) -> Settings:
        """The current settings of a space."""
        return Settings(self.environment, self.store.preferences.all(space))

    def mask_for_storage(self, space: str, text: str) -> str:
        """Masks secrets if the space stores masked text. Leaves a value that is not text to validation."""
        masks = isinstance(text, str) and self.settings(space).flag("mask_stored")
        return mask_secrets(text) if masks else text

    def llm_client(self, space: str, conversation_model: str | None) -> LLMClient | None:
        """The client of the model for background work on a conversation; None if there is no such model."""
        return self.model_router.client(conversation_model, masked=self.settings(space).flag("mask_sent"))

    def responder(self, space: str, requested_model: str | None, conversation_model: str | None) -> Responder:
        """The model that answers in a conversation. Raises NoModel if none can."""
        name = self.model_router.reply_model(requested_model, conversation_model)
        if name is None:
            raise NoModel(NO_MODEL_CONFIGURED)
        try:
            model = self.model_router.models.find(name)
        except ProviderError as exc:
            raise NoModel(str(exc)) from exc
        return Responder(model, self.model_router.token_budget, self.tokenizer, _sent_mask(self.settings(space)))

    def learn(self, schema: Schema, space: str, *, past: bool) -> Schema:
        """Stores a schema for the background model, and queues the reading of what is stored. Raises NoModel if there
        is no such model."""
        if self.model_router.models.default is None:
            raise NoModel(f"records are extracted by a language model, and {NO_MODEL_CONFIGURED}")
        self.schemas.learn(space, schema, past=past)
        if past:
            self._queue_all(space)
        return schema

    def _queue_all(self, space: str) -> None:
        """Queues the distilling of all conversations of a space."""
        after: str | None = None
        while page := self.store.conversations.list(space, CONVERSATIONS_QUEUED, after, None):
            for info in page:
                self.store.jobs.queue("distill", space, info.id, self.clock())
            after = page[-1].id
        self.worker.wake()

    # Messages

    def ingest_options(self, space: str, model: str | None) -> IngestOptions:
        """The current options for new messages of a space."""
        return self._make_ingest_options(self.settings(space), model)

    def add(
        self, space: str, conversation: str, model: str | None, messages: MessageInput | Sequence[Mapping[str, Json]]
    ) -> list[Message]:
        """Stores one message, or several chat messages. Makes the drafts with the preferences that this process read
        last, and makes them again if the preferences have changed."""
        messages = messages if isinstance(messages, MessageInput) else list(messages)
        options = self._cached_ingest_options(space, model)
        try:
            return self.append(space, conversation, self.drafts.make_all(messages, options), options)
        except StaleSettings:
            options = self.ingest_options(space, model)
            return self.append(space, conversation, self.drafts.make_all(messages, options), options)

    def append(
        self, space: str, conversation: str, drafts: Sequence[MessageDraft], options: IngestOptions
    ) -> list[Message]:
        if not drafts:
            return []
        expires_at = options.expiry("conversations", None, options.now)
        given = space, conversation, drafts, options.now, options.preferences
        with self.foreground:
            messages = self.write_anew(space, partial(self.store.messages.append, *given, expires_at=expires_at))
            self.ledger.messages_written(space)
        self.worker.wake()
        return messages

    def write_anew(self, space: str, write: Callable[[], T]) -> T:
        """Writes a record. If one with the same id has expired and is still stored, erases it first."""
        try:
            return write()
        except HasExpired:
            self.ledger.write()
            with suppress(OnHold):
                self.forgetter.expire(space)
            self.drop_texts()
            return write()

    def drop_texts(self) -> None:
        """Empties the caches that hold texts, after something was erased."""
        self.searcher.forget()
        self.count_tokens.forget()
        self.text_mask.forget()

    def edit(
        self, message: Message, content: Content | None, metadata: Mapping[str, Json] | None, raw: str | None
    ) -> Message:
        """Replaces the content, the metadata or the raw form of a stored message."""
        if content is None and metadata is None and raw is None:
            raise InvalidInput("say what to change: content, metadata or raw")
        options = self.ingest_options(message.space, message.model)
        if content is None:
            metadata = message.metadata if metadata is None else metadata
            raw = message.raw if raw is None else raw
            return self.store.messages.annotate(message, *checked_annotations(metadata, raw, options))
        draft = self.drafts.make(MessageInput.from_edit(message, content, metadata, raw), options)
        self.ledger.write()
        edited = self.forgetter.edit(message.space, draft, pin_marks(draft.text))
        self.drop_texts()
        self.worker.wake()
        return edited

    def remove(self, space: str, conversation: str, messages: MessageRange) -> Removal:
        """Removes messages of a conversation with everything derived from them."""
        self.ledger.write()
        removal = self.forgetter.remove(space, conversation, messages)
        if removal.removed:
            self.drop_texts()
            self.worker.wake()
        return removal

    def replace(
        self,
        space: str,
        conversation: str,
        model: str | None,
        old: MessageRange,
        messages: Sequence[Mapping[str, Json]],
    ) -> list[Message]:
        """Removes messages as `remove` does, and adds others, in one transaction."""
        options = self.ingest_options(space, model)
        drafts = self.drafts.make_all(messages, options)
        expires_at = options.expiry("conversations", None, options.now)
        self.ledger.write()
        removal = self.write_anew(
            space, partial(self.forgetter.remove, space, conversation, old, drafts=drafts, expires_at=expires_at)
        )
        self.drop_texts()
        self.ledger.messages_written(space)
        self.worker.wake()
        return removal.added

    def find_source(self, space: str, source: Message | str | None) -> Message | None:
        """The stored message that a fact or a profile field comes from, given as a message or its id."""
        if isinstance(source, str):
            message = self.store.messages.known(space, [validate.name(source, "source")]).get(source)
            if message is None:
                raise NotFound(f"space {space!r} has no message {source!r} to use as the source")
            return message
        if source is None:
            return None
        instance_of(source, Message, "the source must be a Message or its id")
        if source != self.store.messages.get(space, source.conversation, source.id):
            raise InvalidInput(f"the source must be a message of space {space!r}, as it is stored")
        return source

    def fork(self, space: str, conversation: str, at: int | str | None, name: str | None) -> ConversationInfo:
        """Makes a branch of a conversation at a message, with a name or the next free one."""
        options = self.ingest_options(space, None)
        now = options.now
        new = ConversationInfo(
            name or conversation, space, "active", None, None, None, 0, 0, 0, now, now, None, {},
            expires_at=options.expiry("conversations", None, now),
        )  # fmt: skip
        return self.store.conversations.fork(new, conversation, at, name)

    def lease_answer(self, conversation: str, question: Message, model: str) -> AnswerLease:
        """Claims the answer to a message in a conversation. Raises ConflictError if it is being written, or stored."""
        holder = self.ids.make(self.clock())
        claim = AnswerClaim(question.space, conversation, question.id, holder, model)
        lease = AnswerLease(self.store.running_answers, claim, self.clock)
        id = answer_id(conversation, question)
        if id in self.store.messages.known(question.space, [id]):
            lease.release()
            raise ConflictError(
                f"message {question.id!r} is answered already; fork the conversation at the message to answer it anew",
                id=id,
            )
        return lease

    def queue_distill(self, info: ConversationInfo) -> None:
        self.store.jobs.queue("distill", info.space, info.id, self.clock())
        self.worker.wake()

    def queue_final_distill(self, info: ConversationInfo) -> None:
        """Queues what is done with the last messages of a conversation that pauses or ends: the last summary if it has
        ended, and a background model's last reading, because the model reads longer segments."""
        if info.status == "ended" or self.model_router.background_model(info.model) is not None:
            self.queue_distill(info)

    def _cached_ingest_options(self, space: str, model: str | None) -> IngestOptions:
        preferences = self.store.preferences.seen(space)
        if preferences is None:
            return self.ingest_options(space, model)
        known = self.known_options.get(space)
        if known is None or known.preferences is not preferences:
            known = self._make_ingest_options(Settings(self.environment, preferences), None, preferences)
            self.known_options.put(space, known)
        return replace(known, now=self.clock(), model=model)

    def _make_ingest_options(
        self, settings: Settings, model: str | None, preferences: Mapping[str, Json] | None = None
    ) -> IngestOptions:
        chunk_tokens = settings.whole("chunk_tokens") if settings.flag("chunking") else None
        masked, retention = settings.flag("mask_stored"), settings.retention()
        return IngestOptions(self.clock(), chunk_tokens, model, masked, preferences, retention)

    # Recall

    def recall(
        self, scope: SearchScope, query: str, limit: int, options: RecallOptions, *, widen: bool = False
    ) -> Hits:
        """The hits for a query. The ledger records the durations and the returned messages, not the query."""
        settings = self.settings(scope.space)
        request = _recall_request(settings, query, limit, options)
        with self.foreground:
            hits = self.searcher.search_wider(scope, request) if widen else self.searcher.search(scope, request)
            hits = self._group(hits, request, limit, options, scope.conversation)
            hits = self._with_items(hits, {scope: request}, limit, options)
        self._record_recall(scope, settings, hits)
        return self._rateable(hits, query)

    def recall_spaces(self, spaces: Sequence[str], query: str, limit: int, options: RecallOptions) -> Hits:
        """The hits of several spaces. Each space records the hits that come from it."""
        settings = {space: self.settings(space) for space in spaces}
        requests = {SearchScope(space): _recall_request(settings[space], query, limit, options) for space in spaces}
        with self.foreground:
            hits = self.searcher.search_spaces(requests)
            hits = self._group(hits, next(iter(requests.values())), limit, options)
            hits = self._with_items(hits, requests, limit, options)
        for space in spaces:
            own = replace(hits, hits=tuple(hit for hit in hits if hit.space == space))
            self._record_recall(SearchScope(space), settings[space], own)
        return self._rateable(hits, query)

    def _group(
        self,
        hits: Hits,
        request: RecallRequest,
        limit: int,
        options: RecallOptions,
        seen_from: str | None = None,
    ) -> Hits:
        kind = options.get("group")
        return hits if kind is None else self.searcher.group(hits, kind, limit, request.bounds, seen_from)

    def _with_items(
        self, hits: Hits, requests: Mapping[SearchScope, RecallRequest], limit: int, options: RecallOptions
    ) -> Hits:
        """Adds the items that the caller asks for, and keeps the best."""
        asked = options.get("items")
        if asked is None or asked is False or options.get("group") is not None:
            return hits
        namespace = () if asked is True else validate.namespace(asked)
        found = list(hits)
        for scope, request in requests.items():
            query = ItemQuery(namespace, request.text, limit=limit)
            items = self.searcher.items.recall(scope.space, query, request.weights)
            found += [hit for hit in items if hit.score.relevance >= request.min_score]
        found.sort(key=lambda hit: -hit.score.relevance)
        return replace(hits, hits=tuple(found[:limit]))

    def _record_recall(self, scope: SearchScope, settings: Settings, hits: Hits) -> None:
        now = self.clock()
        place = scope.space, scope.conversation
        self.ledger.record(recall_record(self.ids.make(now), place, now, _recorded_settings(settings), hits))
        profile_fields = tuple(hit.id for hit in hits if hit.kind == "profile")
        if profile_fields:
            self.ledger.record(self.profile_access.use(scope.space, profile_fields, "recall"))

    # Feedback

    def _rateable(self, hits: Hits, query: str) -> Hits:
        """The hits, which now take feedback as answers to the query."""
        for hit in hits:
            hit.rate_with(partial(self._rate, hit, query))
        return hits

    def _rate(self, hit: Hit, query: str, useful: bool) -> list[Feedback]:
        return self.feedback(hit.space, query, hit, useful=useful)

    def feedback(self, space: str, query: str, hit: Hit | Message | str, *, useful: bool) -> list[Feedback]:
        """Stores a verdict on a message, or on the source messages of another hit, as an answer to a question."""
        ids = _rated_messages(hit)
        known = self.store.messages.known(space, ids)
        for id in ids:
            if id not in known:
                raise NotFound(f"space {space!r} has no message {id!r} to rate")
        terms = hashed_terms(validate.non_blank(query, "query"))
        verdict: Verdict = "useful" if instance_of(useful, bool, "useful must be True or False") else "useless"
        feedback = [Feedback(id, verdict, terms, self.clock()) for id in ids]
        self.store.feedback.add(space, feedback)
        return feedback

    def feedback_given(self, space: str, query: str | None) -> list[RatedMessage]:
        """The rated messages, the strongest correction first."""
        terms = None if query is None else hashed_terms(validate.non_blank(query, "query"))
        feedback = [one for own in self.store.feedback.latest(space).values() for one in own]
        return summarize_feedback(feedback, terms, self.clock())

    def note_quotes(self, context: Context, question: str, answer: str) -> None:
        """Notes which recalled messages an answer quotes, if feedback has a weight in the space."""
        space = context.receipt.space
        if not self.settings(space).number("weight_feedback"):
            return
        quotes = [quote for quote in context.recalled if is_quoted(quote.text, question, answer)]
        ids = dict.fromkeys(quote.source_message_id for quote in quotes if quote.source_message_id is not None)
        terms = hashed_terms(question)
        feedback = [Feedback(id, "quoted", terms, self.clock()) for id in ids]
        if feedback:
            self.store.feedback.add(space, feedback)

    # Contexts and receipts

    def context(
        self,
        space: str,
        conversation: str,
        request: ContextRequest,
        *,
        record: bool = True,
        trace: Callable[[SearchTrace], object] | None = None,
    ) -> Context:
        """Builds a context. With `record`, stores its receipt, and records its durations and messages in the ledger.
        `trace` is told of each search."""
        now = self.clock()  # before the reads: a later erasure voids the receipt
        begin = time.perf_counter()
        settings = self.settings(space)
        others = tuple(name for name in request.spaces or () if name != space) or None
        request = replace(request, recipe=_apply_settings(request.recipe, settings), spaces=others)
        with self.foreground:
            material = self._gather(space, conversation, request, settings, trace)
            gathered = time.perf_counter()
            stamp = ReceiptStamp(self.ids.make(now), now)
            mask = self._context_mask(settings)
            masks = {name: self._context_mask(self.settings(name)) for name in others or ()}
            context = build(request, material, self.count_tokens, stamp, mask, others=masks)
            if context.profile and not self.profile_access.consent(space).granted:  # revoked since the read
                context = build(request, replace(material, profile=()), self.count_tokens, stamp, mask, others=masks)
        end = time.perf_counter()
        if context.profile:
            names = tuple(field.name for field in context.profile)
            self.ledger.record(self.profile_access.use(space, names, "context", context=stamp.id))
        stages = {stage: taken for stage, taken in context.milliseconds.items() if stage != "total"}
        search = context.milliseconds.get("total", 0.0)
        gather, whole = (gathered - begin) * 1000 + search, (end - begin) * 1000
        stages |= {"gather": gather, "build": whole - gather, "total": whole}
        ask = partial(self._why_of, context)
        context = replace(context, milliseconds=stages, ask_why=ask)
        if record and request.sent is not None:  # the next request reads the receipt, maybe in another process
            self.ledger.write_with_messages(space)
        if record:
            self._record_context(stamp.id, context, settings)
        return context

    def receipt(self, id: str, space: str | None = None) -> Receipt:
        """A stored receipt, of this space or of any. Raises NotFound if there is none, or no longer."""
        stored = self.ledger.receipt(validate.name(id, "id"))
        if stored is None:
            self.known_receipts.put(id, None)
        if stored is None or space not in (None, stored.space):
            raise NotFound(f"there is no receipt {id!r}; receipts are kept for 30 days, and erased with what they name")
        return self.read_receipt(stored)

    def read_receipt(self, stored: StoredReceipt) -> Receipt:
        """Raises StoreDamaged if the receipt is damaged. Leaves out what is no longer stored."""
        receipt = self._parsed_receipt(stored)
        if receipt.call.spaces is None:
            return receipt
        gone = {item for space in receipt.call.spaces for item in self._erased_items(space, receipt)}
        return replace(receipt, items=tuple(item for item in receipt.items if item not in gone))

    def _erased_items(self, space: str, receipt: Receipt) -> list[ReceiptItem]:
        """The items of another space that it no longer has: an erasure reaches the receipts of its own space only."""
        items = [item for item in receipt.items if item.space == space]
        if not items:
            return []
        stored: dict[str, Collection[str]] = {
            "message": self.store.messages.known(space, [item.id for item in items if item.kind == "message"]),
            "fact": self.store.facts.named(space, [item.id for item in items if item.kind == "fact"]),
            "pin": {pin.id for _, pin in self.store.pins.within(space, None, MAX_OTHER_PINS)},
        }
        return [item for item in items if item.id not in stored[item.kind]]

    def _parsed_receipt(self, stored: StoredReceipt) -> Receipt:
        """Parses a receipt once while it does not change."""
        known = self.known_receipts.get(stored.id)
        if known is not None and known[0] == stored:
            return known[1]
        try:
            receipt = from_stored(stored)
        except (ValueError, LookupError, TypeError, zlib.error) as exc:
            detail = f"receipt {stored.id!r} is damaged; run `aforesaid doctor`"
            raise StoreDamaged(detail, table="receipts", id=stored.id, space=stored.space) from exc
        self.known_receipts.put(stored.id, (stored, receipt))
        return receipt

    def replay(self, receipt: Receipt) -> Replay:
        """Builds a context again from the current store and compares the two. Records nothing."""
        return compare(receipt, self.rebuild(receipt).receipt)

    def rebuild(self, receipt: Receipt) -> Context:
        """Repeats the call that made a receipt, on the current store. Records nothing."""
        return self.context(receipt.space, receipt.conversation, receipt.call, record=False)

    def why(self, receipt: Receipt, message: Message | str, message_space: str | None = None) -> Why:
        """Why a message is in a context, or what kept it out. Makes the call again on the current store, with the
        question of the receipt. Records nothing."""
        asked = _asked_message(receipt, message, message_space)
        traces: list[SearchTrace] = []
        place, call = (receipt.space, receipt.conversation), receipt.call
        again = self.context(*place, call, record=False, trace=traces.append)
        if again.receipt.question != receipt.question:
            traces.clear()
            call = replace(call, query=receipt.question)
            again = self.context(*place, call, record=False, trace=traces.append)

        def build(max_tokens: int) -> Context:
            return self.context(*place, replace(call, max_tokens=max_tokens), record=False)

        return self._explainer.why(ContextCase(receipt, again, traces, build), asked)

    def _why_of(self, context: Context, message: Message | str, message_space: str | None) -> Why:
        return self.why(context.receipt, message, message_space)

    def receipt_entries(self, receipt: Receipt) -> list[ReceiptEntry]:
        """The items of a receipt with their words, masked as the model sees them."""
        masks = {space: self._context_mask(self.settings(space)) for space in receipt.spaces}
        return self._explainer.entries(receipt, masks, partial(self.profile_access.read, receipt.space))

    @property
    def _explainer(self) -> ContextExplainer:
        return ContextExplainer(self.store, self.searcher, self.clock)

    def _gather(
        self,
        space: str,
        conversation: str,
        request: ContextRequest,
        settings: Settings,
        trace: Callable[[SearchTrace], object] | None,
    ) -> Material:
        store, recipe = self.store, request.recipe
        sources = ContextSources(
            store.conversations,
            store.messages,
            store.pins,
            store.summaries.before,
            self.profile_access.read,
            store.snapshot,
        )
        search = self._context_search(SearchScope(space, conversation), request, settings, trace)
        material = ContextReader(sources, space, conversation).gather(request, search)
        if self.store.directories.may_expire(space):
            material = replace(material, expired=len(self.store.directories.expired(space).messages))
        needs_rolling = recipe.fill == "rolling" and material.messages and material.messages[-1].seq >= ROLLING_AFTER
        if needs_rolling and settings.word("summaries") != "rolling":
            material = replace(material, warnings=(*material.warnings, NO_ROLLING_SUMMARIES))
        return material

    def _context_search(
        self,
        scope: SearchScope,
        call: ContextRequest,
        settings: Settings,
        trace: Callable[[SearchTrace], object] | None,
    ) -> OpenSearch:
        """The searches of a context. The first search for a question embeds it; the others reuse the vector."""
        recipe, metadata = call.recipe, parse_filter(call.filter or {})

        def open_search(question: str, asked: Collection[int]) -> QuestionSearch:
            plan = self.searcher.plan(scope.space, question)
            query = cache(lambda: embed(plan))

            def request(limit: int, room: int, shown: Collection[int]) -> RecallRequest:
                made = _context_recall_request(recipe, settings, question, limit)
                bounds, place = replace(made.bounds, metadata=metadata), scope.conversation or ""
                made = replace(made, shown=(place, shown), asked=(place, asked))
                return replace(made, bounds=bounds, room=room, trace=trace)

            def near(limit: int, room: int, shown: Collection[int]) -> Hits:
                return self.searcher.search_wider(scope, request(limit, room, shown), query())

            def wide(limit: int, room: int, shown: Collection[int]) -> Hits:
                embedded = replace(query(), milliseconds=0.0) if recipe.conversation_first else query()
                rest, own = SearchScope(scope.space, seen_from=scope.conversation), request(limit, room, shown)
                if call.spaces is None:
                    return self.searcher.search(rest, own, embedded)
                requests = {rest: own}
                for name in call.spaces:
                    other = _context_recall_request(recipe, self.settings(name), question, limit)
                    bounds = RecallFilter(kinds=OTHER_KINDS, metadata=metadata)
                    requests[SearchScope(name)] = replace(other, bounds=bounds, room=room, trace=trace)
                return self._with_pin_sources(self.searcher.search_spaces(requests, embedded))

            return QuestionSearch(near, wide)

        return open_search

    def _with_pin_sources(self, hits: Hits) -> Hits:
        """The hits; those that are pins with the message that the pin comes from."""

        def with_source(hit: Hit) -> Hit:
            if hit.kind != "pin" or not hit.messages:
                return hit
            return replace(hit, message=self.store.messages.known(hit.space, hit.messages[:1]).get(hit.messages[0]))

        return replace(hits, hits=tuple(map(with_source, hits)))

    def _context_mask(self, settings: Settings) -> JsonMask:
        return self.text_mask if settings.flag("mask_sent") else no_mask

    def masked(self, space: str, records: T, *, masked: bool) -> T:
        """The records with their secrets masked as in a context of the space, if they are to be `masked`."""
        return mask_record(records, self._context_mask(self.settings(space))) if masked else records

    def _record_context(self, id: str, context: Context, settings: Settings) -> None:
        masked, flags = settings.flag("mask_stored"), _recorded_settings(settings)
        self.ledger.record(partial(self._stored_receipt, context, masked=masked), id)
        self.ledger.record(lambda: retrieval_record(context.receipt, flags, context.milliseconds))
        for other in context.receipt.call.spaces or ():
            self.ledger.record(retrieval_record(context.receipt, flags, context.milliseconds, other))

    def _stored_receipt(self, context: Context, *, masked: bool) -> StoredReceipt:
        receipt = context.receipt
        if masked:
            question, text = mask_json(receipt.question), mask_json(receipt.text)
            receipt = replace(receipt, question=question, text=text, call=receipt.call.masked(mask_secrets))
        stored = to_stored(receipt)
        self.known_receipts.put(receipt.id, (stored, receipt))
        return stored

    # Episodes and summaries

    def note_episode(self, read_info: Callable[[], ConversationInfo], episode: ManualEpisode) -> Episode:
        """Stores a caller's episode. If a message is erased meanwhile, makes it again with the new `read_info()`."""
        while True:
            now, info = self.clock(), read_info()
            revision = self.store.spaces.revision(info.space)
            end = ConversationEnd(info.space, info.id, self._newest_seq(info))
            stamp = self.ids.make(now), now
            stored = manual_episode(episode, end, self.store.messages, self.tokenizer.count, stamp)
            known = self.store.facts.named(info.space, stored.facts)
            for id in stored.facts:
                if id not in known:
                    raise NotFound(f"space {info.space!r} has no fact {id!r}")
            if revision is not None and self.store.episodes.keep(stored, revision):
                return stored

    def arc(self, info: ConversationInfo) -> Arc:
        episodes = self.store.episodes.list(info.space, info.id, None, 0.0, None)
        stop = self._newest_seq(info) + 1
        return arc(self.store.messages, (info.space, info.id), stop, episodes, self.tokenizer.count)

    def needs_summary(self, space: str, conversation: str) -> bool:
        rule = self.settings(space).word("summaries")
        if rule == "rolling":
            return self.rolling.plan(space, conversation) is not None
        return self.segments.due(space, conversation, "window" if rule == "off" else rule) is not None

    def _newest_seq(self, info: ConversationInfo) -> int:
        """The seq of the newest message; −1 if there is none. Forgotten messages leave gaps, so this is not a count."""
        newest = self.store.messages.recent(info.space, info.id, 1, 0)
        return newest[0].seq if newest else -1

    # The profile

    def profile(
        self, space: str, as_of: datetime | str | None, known_at: datetime | str | None, by: str | None
    ) -> Profile:
        """Reads the profile and records the read in the audit log."""
        profile = self.profile_access.read(space, as_of, known_at)
        if profile.consent:
            names = [field.name for field in (*profile.fields, *([profile.free] if profile.free else []))]
            self.ledger.record(self.profile_access.use(space, names, "profile", by))
        return profile

    def about(self, space: str, tokens: int, by: str | None) -> About:
        """The portrait of a space. Records the profile fields that it shows in the audit log."""
        settings = self.settings(space)
        profile = self.profile_access.read(space)
        fields = (*profile.fields, *([profile.free] if profile.free else []))
        facts = self.store.facts.list(space, fact_filter({}, self.clock()), MAX_ABOUT_FACTS, None)
        facts.sort(key=lambda fact: (fact.importance, fact.created_at), reverse=True)
        messages = self.searcher.salient(space, min(max(FEWEST_SALIENT, tokens // TOKENS_PER_SALIENT), MOST_SALIENT))
        mask = self.text_mask if settings.flag("mask_sent") else no_mask
        about = build_about(AboutMaterial(fields, facts, messages), tokens, self.count_tokens, mask)
        names = [item.source for item in about.items if item.kind == "profile"]
        if names:
            self.ledger.record(self.profile_access.use(space, names, "profile", by))
        return about

    def set_profile(self, space: str, update: ProfileUpdate, by: str | None) -> Profile:
        self.profile_access.set(space, update, by, partial(self.mask_for_storage, space))
        return self.profile_access.read(space)

    def revoke_consent(self, space: str, by: str | None) -> Revocation:
        """Revokes consent. Writes the queued ledger entries first, so that they are erased too."""
        self.ledger.write()
        revocation = self.profile_access.revoke(space, by)
        self.drop_texts()
        return revocation

    # Erasure

    def hold(self, space: str, reason: str, by: str | None) -> Hold:
        text = validate.non_blank(reason, "reason")
        entry = self.profile_access.entry(space, "hold", by, {"reason": text})
        return self.store.retention.place(Hold(space, entry.at, entry.actor, text), entry)

    def release_hold(self, space: str, by: str | None) -> bool:
        """Ends a hold, and queues the erasure of what expired meanwhile."""
        released = self.store.retention.release(self.profile_access.entry(space, "release", by, {}))
        self.expiry.queue()
        self.worker.wake()
        return released is not None

    def forget(self, space: str, request: ForgetRequest, *, dry_run: bool) -> Erasure:
        """Erases records. Writes the queued ledger entries first, so that they are erased too."""
        self.ledger.write()
        erasure = self.forgetter.forget(space, request, dry_run=dry_run)
        self.drop_texts()
        self.worker.wake()
        return erasure


def answer_id(conversation: str, question: Message) -> str:
    """The id of the stored answer to a message in a conversation. An id is stored once, so there is one answer, even if
    two processes believe that they hold the lease."""
    return "answer-" + sha256("\0".join((conversation, question.id)).encode()).hexdigest()[:32]


def _asked_message(receipt: Receipt, message: Message | str, space: str | None) -> AskedMessage:
    if isinstance(message, Message):
        return AskedMessage(message, message.space)
    text = validate.non_blank(message, "message")
    if space is None or space == receipt.space:
        return AskedMessage(text)
    return AskedMessage(text, validate.name(space, "message_space"))


def _rated_messages(hit: Hit | Message | str) -> list[str]:
    if isinstance(hit, str):
        return [validate.name(hit, "a message's id")]
    if isinstance(hit, Message):
        return [hit.id]
    instance_of(hit, Hit, "rate a hit, a message, or the id of a message")
    ids = [hit.message.id] if hit.message is not None else list(hit.messages)
    if not ids:
        raise InvalidInput(f"this {hit.kind} comes from no message, so it cannot be rated")
    return ids


def _recall_request(settings: Settings, query: str, limit: int, options: RecallOptions | None = None) -> RecallRequest:
    options = options or RecallOptions()
    boost = options.get("boost")
    most = validate.count(limit, "limit")
    if options.get("group") is not None:
        validate.choice(options["group"], GROUP_KINDS, "group")
        most *= HITS_PER_GROUP
    weights = Weights(*(settings.number(f"weight_{part.name}") for part in fields(Weights)))
    fusion = str(settings.get("fusion").value)
    return RecallRequest(
        query,
        most,
        weights,
        settings.flag("hybrid"),
        WEIGHTED if fusion == LEARNED and weights != DEFAULT_WEIGHTS else fusion,
        bounds=RecallFilter.of(options),
        min_score=validate.share(options.get("min_score", 0.0), "min_score"),
        boost=None if boost is None else validate.non_blank(boost, "boost"),
        explain=bool(options.get("explain", False)),
        feedback=settings.number("weight_feedback"),
    )


def _context_recall_request(recipe: Recipe, settings: Settings, question: str, limit: int) -> RecallRequest:
    bounds = RecallFilter(kinds=("message", "fact"))
    request = replace(_recall_request(settings, question, limit), bounds=bounds, floor=True)
    if recipe.weights is None:
        return request
    semantic, keyword, recency, importance, access = recipe.weights
    weights = Weights(semantic, keyword, 0.0, recency, importance, access)
    return replace(request, weights=weights, fusion=WEIGHTED)


def _apply_settings(recipe: Recipe, settings: Settings) -> Recipe:
    """A recipe without a limit for recalled text takes it from the setting `token_budget`, if it is set. Its default
    is for the recipe `retrieval` only: the others take the room that they have."""
    budget = settings.get("token_budget")
    if recipe.recalled_tokens is not None or (recipe.fill != "retrieval" and budget.source == "default"):
        return recipe
    return replace(recipe, recalled_tokens=settings.whole("token_budget"))


def _sent_mask(settings: Settings) -> JsonMask:
    """The mask for text that is sent to a model."""
    return mask_json if settings.flag("mask_sent") else no_mask


def _recorded_settings(settings: Settings) -> dict[str, SettingValue]:
    return {name: settings.get(name).value for name in RECORDED_SETTINGS}
