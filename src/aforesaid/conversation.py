"""The public class `Conversation`: its messages, contexts, replies, distilled records, pins and state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import TypeVar, Unpack, overload

from aforesaid.answering.answer import Answer
from aforesaid.answering.responder import Responder
from aforesaid.context.context import Context
from aforesaid.context.recipe import Recipe
from aforesaid.context.request import ContextArguments
from aforesaid.distill.episodes.manual_episode import ManualEpisode
from aforesaid.engine import Engine, answer_id
from aforesaid.errors import InvalidInput, NoModel, NotFound
from aforesaid.ingest.draft import MessageInput
from aforesaid.ingest.reprocess import rescore
from aforesaid.models.answer import RunningAnswer
from aforesaid.models.conversation import CONVERSATION_STATES, ConversationInfo, ConversationStatus
from aforesaid.models.cost import ResponderInfo
from aforesaid.models.episode import EPISODE_TYPES, Arc, Episode, EpisodeType
from aforesaid.models.json import Json
from aforesaid.models.message import Chunk, Content, Expires, Message, MessageRange, MessageScore, TimeSpan
from aforesaid.models.pin import PIN_TYPES, Pin, PinType
from aforesaid.models.recall import Hits
from aforesaid.models.retrieval import Access
from aforesaid.models.summary import (
    SUMMARY_KINDS,
    SUMMARY_STATES,
    RollingSummaryState,
    Summary,
    SummaryKind,
    SummaryStatus,
)
from aforesaid.recall.filters import RecallOptions, SearchScope
from aforesaid.remote.rest import over_rest
from aforesaid.remote.verb import Scope, branch_name
from aforesaid.text import validate

DEFAULT_LIMIT = 50  # messages that `messages` returns by default
DEFAULT_RECENT = 8  # messages that a context shows by default
MAX_ANSWER_TOKENS = 4096  # tokens of an answer, including the model's reasoning

T = TypeVar("T")


class Conversation:
    """One conversation of a space. The first write creates it."""

    def __init__(self, engine: Engine, space: str, id: str, model: str | None = None) -> None:
        self._engine = engine
        self._store = engine.store
        self.space = validate.name(space, "space")
        self.id = validate.name(id, "conversation")
        self.model = None if model is None else validate.name(model, "model")

    def __repr__(self) -> str:
        return f"Conversation({self.id!r}, space={self.space!r})"

    # Messages

    def add(
        self,
        role: str,
        content: Content | None = None,
        *,
        id: str | None = None,
        name: str | None = None,
        tool_calls: Sequence[Mapping[str, Json]] | None = None,
        tool_call_id: str | None = None,
        model: str | None = None,
        at: datetime | str | None = None,
        importance: float | None = None,
        metadata: Mapping[str, Json] | None = None,
        expires: Expires | None = None,
        raw: str | None = None,
    ) -> Message:
        """Stores a message. When this returns, the message is on disk and full-text search finds it. Calls no model.

        With an `id`, you can repeat the call: the same content returns the stored message, other content raises
        ConflictError. A message resumes a paused or ended conversation.

        At `expires`, the message disappears and is forgotten, with everything derived from it: a datetime, a timedelta
        from the time of the message, or text such as "30d" or "never". The default is the space's `retention_…`.

        `raw` is the message as a framework wrote it: JSON text, which is kept byte for byte. It is not searched.
        """
        incoming = MessageInput(
            role, content, id, name, tool_calls, tool_call_id, model, at, importance, metadata, expires, raw
        )
        return self._engine.add(self.space, self.id, self.model, incoming)[0]

    def add_many(self, messages: Iterable[Mapping[str, Json]]) -> list[Message]:
        """Stores chat messages in order, all of them or none. Each is a mapping with the arguments of `add`."""
        return self._engine.add(self.space, self.id, self.model, validate.sequence(messages, "messages"))

    def edit(
        self,
        id: str,
        content: Content | None = None,
        *,
        metadata: Mapping[str, Json] | None = None,
        raw: str | None = None,
    ) -> Message:
        """Replaces the content of a message, its metadata or its raw form; what is None stays. Its id, seq, time and
        role stay too.

        Everything derived from old content is erased or made again, and the files are scrubbed, as by `space.forget`.
        The raw form of the old content is removed, unless you give the new one. Other metadata, or another raw form,
        derives nothing again. Raises OnHold if the space is on hold.
        """
        return self._engine.edit(self.message(id), content, metadata, raw)

    def pop(self) -> Message | None:
        """Removes the newest message, and returns it; None if there is none.

        Everything derived from it is erased in the same transaction, as by `space.forget`, and nothing finds it from
        then on. A background job scrubs the files later, once for all that was removed until then, because that takes
        longer: use `space.forget` if the bytes must be gone at once. Raises OnHold if the space is on hold,
        ConflictError if a branch shares the message.
        """
        return self._engine.remove(self.space, self.id, MessageRange(newest=True)).newest

    def clear(self) -> int:
        """Removes all messages, each as `pop` does, and returns their number. The conversation stays."""
        return self._engine.remove(self.space, self.id, MessageRange()).removed

    def remove(self, first: Message | str | int, last: Message | str | int | None = None) -> int:
        """Removes the messages from `first` to `last`, each as `pop` does, and returns their number. Both are messages,
        ids or seqs; the default of `last` is the newest message."""
        return self._engine.remove(self.space, self.id, self._range(first, last)).removed

    def replace(self, first: Message | str | int, messages: Iterable[Mapping[str, Json]]) -> list[Message]:
        """Removes the messages from `first` to the newest one, as `remove` does, and stores others, as `add_many` does:
        both, or nothing."""
        new = validate.sequence(messages, "messages")
        return self._engine.replace(self.space, self.id, self.model, self._range(first, None), new)

    def message(self, id: str) -> Message:
        """The message with this id. Raises NotFound if there is none."""
        return self._require(self._store.messages.get(self.space, self.id, validate.name(id, "id")), "message", id)

    @overload
    def messages(
        self,
        limit: int = DEFAULT_LIMIT,
        *,
        after: int | None = None,
        before: int | None = None,
        masked: bool = False,
    ) -> list[Message]: ...
    @overload
    def messages(
        self, limit: None, *, after: int | None = None, before: int | None = None, masked: bool = False
    ) -> Iterator[Message]: ...
    def messages(
        self,
        limit: int | None = DEFAULT_LIMIT,
        *,
        after: int | None = None,
        before: int | None = None,
        masked: bool = False,
    ) -> list[Message] | Iterator[Message]:
        """Messages, the oldest first: the last ones, the last ones before seq `before`, or those after seq `after`.

        With `limit=None`, an iterator over all of them, which reads a page at a time. So does `for message in chat`.
        `masked` masks secrets as in a context.
        """
        after = None if after is None else validate.count(after, "after", -1)
        before = None if before is None else validate.count(before, "before", 0)
        if limit is None:
            stream = self._store.messages.stream(self.space, self.id, -1 if after is None else after, before)
            return (self._masked(message, masked=masked) for message in stream) if masked else stream
        page = self._store.messages.page(self.space, self.id, validate.count(limit, "limit"), after, before)
        return self._masked(page, masked=masked)

    def __iter__(self) -> Iterator[Message]:
        return self.messages(None)

    def recent(self, limit: int = DEFAULT_RECENT, *, include_newest: bool = False) -> list[Message]:
        """The last messages, the oldest first. The newest one, which is to be answered, only with `include_newest`."""
        skip = 0 if include_newest else 1
        return self._store.messages.recent(self.space, self.id, validate.count(limit, "limit"), skip)

    def chunks(self, id: str) -> list[Chunk]:
        """The chunks of a message. Joined, they are its text."""
        return self._store.messages.chunks(self.space, self.id, self.message(id).id)

    def times(self, id: str) -> tuple[TimeSpan, ...]:
        """The time spans that a message mentions, relative to the time of the message. A background job finds them."""
        message = self.message(id).id
        return self._store.mentions.of_messages(self.space, [message])[message]

    def recall(self, query: str, limit: int = 10, **options: Unpack[RecallOptions]) -> Hits:
        """The hits for a query in this conversation; in the whole space if there are fewer than three."""
        return self._engine.recall(SearchScope(self.space, self.id), query, limit, options, widen=True)

    def score(self, ids: Sequence[str] | None = None, *, dry_run: bool = False) -> list[MessageScore]:
        """Computes the importance of all messages, or of these, again by the current rules, and replaces the stored
        values. With `dry_run`, only reports it. Raises NotFound, and changes nothing, if an id does not exist."""
        names = None if ids is None else [validate.name(id, "id") for id in validate.sequence(ids, "ids")]
        place = self.space, self.id
        return rescore(self._store.messages, self._engine.drafts, place, names, dry_run=dry_run)

    def accesses(self, id: str) -> Access | None:
        """How often a message was retrieved, and when last; None if never."""
        return self._engine.ledger.access(self.space, self.message(id).id)

    # Summaries and episodes

    def summaries(
        self,
        kind: SummaryKind | None = None,
        status: SummaryStatus | None = "completed",
        limit: int = 50,
        *,
        replaced: bool = False,
        masked: bool = False,
    ) -> list[Summary]:
        """The last summaries, in the order of their messages. `status=None` returns those of any status,
        `replaced=True` also those that were made again or merged. `masked` masks secrets as in a context."""
        valid_kind = None if kind is None else validate.choice(kind, SUMMARY_KINDS, "a summary's kind")
        state = None if status is None else validate.choice(status, SUMMARY_STATES, "a summary's status")
        read = self._store.summaries.list if replaced else self._store.summaries.standing
        found = list(read(self.space, self.id, valid_kind, state, validate.count(limit, "limit")))
        return self._masked(found, masked=masked)

    def summary(self, id: str) -> Summary:
        """The summary with this id, of any status. Raises NotFound if there is none."""
        return self._require(self._store.summaries.get(self.space, self.id, validate.name(id, "id")), "summary", id)

    def summarize(self, first: int | str | None = None, last: int | str | None = None) -> Summary:
        """Summarizes a range of messages in this thread, with a model if one is configured. `first` and `last` are seqs
        or ids.

        The default range is from the end of the last segment to the newest message. Raises NotFound if it is empty.
        """
        return self._engine.segments.summarise(self.space, self.id, self._seq(first, "first"), self._seq(last, "last"))

    def needs_summary(self) -> bool:
        """True if a summary is due by the setting `summaries`; if that is off, after 15 messages without one."""
        return self._engine.needs_summary(self.space, self.id)

    def chain(self, id: str | None = None, limit: int = 50, *, masked: bool = False) -> list[Summary]:
        """A rolling summary and the summaries that it continues, the latest first. The default is the latest one.
        `masked` masks secrets as in a context."""
        if id is not None:
            begin = validate.name(id, "id")
        elif latest := self._store.summaries.latest(self.space, self.id, "rolling"):
            begin = latest.id
        else:
            return []
        found = list(self._store.summaries.chain(self.space, self.id, begin, validate.count(limit, "limit")))
        return self._masked(found, masked=masked)

    def window(self) -> RollingSummaryState:
        """The state of the rolling summary: its progress, its timings, and whether it is stuck."""
        return self._engine.rolling.window(self.space, self.id)

    def episodes(
        self,
        type: EpisodeType | None = None,
        *,
        min_significance: float = 0.0,
        limit: int = 50,
        masked: bool = False,
    ) -> list[Episode]:
        """The episodes with at least this significance, in the order of the conversation. `masked` masks secrets as in
        a context."""
        valid_type = None if type is None else validate.choice(type, EPISODE_TYPES, "an episode's type")
        least = validate.share(min_significance, "min_significance")
        found = list(self._store.episodes.list(self.space, self.id, valid_type, least, validate.count(limit, "limit")))
        return self._masked(found, masked=masked)

    def episode(self, id: str) -> Episode:
        """The episode with this id, also a merged one. Raises NotFound if there is none."""
        return self._require(self._store.episodes.get(self.space, self.id, validate.name(id, "id")), "episode", id)

    def note_episode(
        self,
        title: str,
        *,
        type: EpisodeType,
        first: int | None = None,
        last: int | None = None,
        summary: str | None = None,
        outcome: str | None = None,
        valence: float = 0.0,
        significance: float = 0.5,
        facts: Sequence[str] = (),
    ) -> Episode:
        """Stores an episode for the messages from seq `first` to `last`; the default is the newest message."""
        mask = partial(self._engine.mask_for_storage, self.space)
        summary = None if summary is None else mask(summary)
        outcome = None if outcome is None else mask(outcome)
        episode = ManualEpisode(mask(title), type, first, last, summary, outcome, valence, significance, facts)
        return self._engine.note_episode(self.info, episode)

    def remove_episode(self, id: str) -> None:
        """Deletes an episode. Distilling finds no other episode in its messages."""
        self._require(self._store.episodes.delete(self.space, self.id, validate.name(id, "id")), "episode", id)

    def arc(self, *, masked: bool = False) -> Arc:
        """The conversation in thirds, and its key moments. `masked` masks secrets as in a context. Raises NotFound
        before the first write."""
        return self._masked(self._engine.arc(self.info()), masked=masked)

    # Contexts and replies

    def context(
        self,
        query: str | None = None,
        *,
        recipe: str | Recipe = "balanced",
        max_tokens: int | None = None,
        system: str | None = None,
        domain: str | None = None,
        include_newest: bool | None = None,
        overflow: str = "raise",
        since: int | None = None,
        sent: Sequence[str] | None = None,
        filter: Mapping[str, Json] | None = None,
        spaces: Sequence[str] | None = None,
        dry_run: bool = False,
    ) -> Context:
        """Builds the input of a model in at most `max_tokens`: system text, pins, summaries, history, recalled text,
        newest message. A new conversation gives an empty context.

        The question is `query`, or the newest user message. If a search fails, the context is smaller and its warnings
        say why. If the required parts do not fit, raises BudgetExceeded; `overflow="truncate"` cuts them instead.

        With `since`, the caller sends the messages from that seq on: the context has no history, and repeats nothing
        from those messages. With `sent`, only the messages with these ids count as sent; the last one is the message to
        answer. The receipt then keeps the text of the context, so that the caller can send it again.

        With a `filter` over metadata, only what matches it is recalled. The other parts stay the same.

        With `spaces`, messages, facts and pins of these spaces are recalled too. Each quote names its space, and each
        item of the receipt has it. Profile, summaries and history are those of this space only.

        With `dry_run`, no receipt is stored and nothing is measured: for trying out questions, recipes and limits.
        """
        options = system, domain, include_newest, overflow, since, sent, filter, spaces
        arguments = ContextArguments(query, recipe, max_tokens, *options)
        return self._engine.context(self.space, self.id, arguments.validated(), record=not dry_run)

    def reply(
        self,
        content: Content,
        *,
        id: str | None = None,
        model: str | None = None,
        recipe: str | Recipe = "balanced",
        max_tokens: int | None = None,
        system: str | None = None,
        domain: str | None = None,
        overflow: str = "raise",
        answer_tokens: int = MAX_ANSWER_TOKENS,
    ) -> Answer:
        """Stores the user's message, and streams the answer of a language model: iterate over the result.

        The model is `model`, else that of the conversation, else that of the Memory. Raises NoModel, and stores
        nothing, if there is none. The model receives a `context` of at most `max_tokens`. Its answer has at most
        `answer_tokens`, and is stored when it is complete.

        With an `id`, you can repeat the call: the message is stored once, and so is its answer. Raises ConflictError if
        the answer is being written, in any process, or stored. If the process that writes it dies, you can ask again
        after 20 seconds.
        """
        most = validate.count(answer_tokens, "answer_tokens")
        options = self._engine.ingest_options(self.space, self.model)
        responder = self._responder(model)
        draft = self._engine.drafts.make(MessageInput("user", content, id, model=responder.name), options)
        query = draft.text if draft.text.strip() else None
        request = ContextArguments(query, recipe, max_tokens, system, domain, overflow=overflow).validated()
        question = self._engine.append(self.space, self.id, [draft], options)[0]
        lease = self._engine.lease_answer(self.id, question, responder.name)
        try:
            context = self._engine.context(self.space, self.id, request)
            source = responder.begin(context, most)
        except BaseException:
            lease.release()
            raise

        def store(text: str, metadata: Mapping[str, Json]) -> Message:
            id = answer_id(self.id, question)
            answer = self.add("assistant", text, id=id, model=responder.name, metadata=metadata)
            self._engine.note_quotes(context, draft.text, text)
            return answer

        reply = Answer(question, context, responder.name, source, store, lease=lease)
        lease.follow(reply)
        return reply

    def running_answers(self) -> list[RunningAnswer]:
        """The answers that a model writes now, in any process, the oldest first."""
        return self._store.running_answers.list(self.space, self.id, self._engine.clock())

    def stop_answer(self, question: str) -> bool:
        """Stops the answer that a model writes now to this message, in any process, within a second. What was written
        so far is stored, with `stopped` in its metadata. Returns False if no model answers it."""
        id = validate.name(question, "question")
        return self._store.running_answers.stop(self.space, self.id, id, self._engine.clock())

    def answerer(self, model: str | None = None) -> ResponderInfo:
        """The model that `reply` uses with this `model`. Calls no model."""
        try:
            responder = self._responder(model)
        except NoModel as exc:
            return ResponderInfo(None, reason=str(exc))
        return ResponderInfo(responder.name, responder.model.local)

    # Pins

    def pin(
        self, content: str | Message, *, importance: float = 0.8, type: PinType = "manual", source: str | None = None
    ) -> Pin:
        """Adds a text, or a message, to every context of the conversation until `unpin`."""
        if isinstance(content, Message):
            source = content.id
            content = content.text
        if source is not None:
            source = self.message(source).id
        now = self._engine.clock()
        pin = Pin(
            self._engine.ids.make(now),
            self._engine.mask_for_storage(self.space, validate.non_blank(content, "a pin's content")),
            validate.share(importance, "importance"),
            validate.choice(type, PIN_TYPES, "a pin's type"),
            source,
            now,
        )
        return self._engine.write_anew(self.space, partial(self._store.pins.save, self.space, self.id, pin))

    def pins(self, limit: int | None = None) -> list[Pin]:
        """Pins by importance; of equal importance, the newer first. A context shows `pins(5)`."""
        return self._store.pins.list(self.space, self.id, None if limit is None else validate.count(limit, "limit"))

    def pinned(self, id: str) -> Pin:
        """The pin with this id. Raises NotFound if there is none."""
        return self._require(self._store.pins.get(self.space, self.id, validate.name(id, "id")), "pin", id)

    def edit_pin(
        self, id: str, *, content: str | None = None, importance: float | None = None, type: PinType | None = None
    ) -> Pin:
        """Changes only the given values."""
        pin = self.pinned(id)
        text = pin.content if content is None else validate.non_blank(content, "a pin's content")
        changed = replace(
            pin,
            content=self._engine.mask_for_storage(self.space, text),
            importance=pin.importance if importance is None else validate.share(importance, "importance"),
            type=pin.type if type is None else validate.choice(type, PIN_TYPES, "a pin's type"),
        )
        return self._store.pins.save(self.space, self.id, changed)

    def unpin(self, id: str) -> None:
        """Deletes a pin; its source message stays. Raises NotFound if there is none."""
        self._require(self._store.pins.delete(self.space, self.id, validate.name(id, "id")), "pin", id)

    # The conversation itself

    def start(
        self,
        *,
        title: str | None = None,
        metadata: Mapping[str, Json] | None = None,
        expires: Expires | None = None,
    ) -> ConversationInfo:
        """Creates the conversation before its first message. An existing one stays unchanged. `expires` is as in
        `expire`."""
        options = self._engine.ingest_options(self.space, self.model)
        now = options.now
        info = ConversationInfo(
            id=self.id,
            space=self.space,
            status="active",
            title=None if title is None else validate.non_blank(title, "title"),
            outcome=None,
            model=self.model,
            messages=0,
            turns=0,
            tokens=0,
            created_at=now,
            updated_at=now,
            ended_at=None,
            metadata=validate.record(metadata, "metadata"),
            expires_at=options.expiry("conversations", expires, now),
        )
        return self._engine.write_anew(self.space, partial(self._store.conversations.start, info))

    def expire(self, expires: Expires) -> ConversationInfo:
        """Sets when the conversation disappears and is forgotten, with all of its messages and everything derived from
        them: a datetime, a timedelta from now, or text such as "30d"; "never" keeps it."""
        now = self._engine.clock()
        expires_at = validate.expiry(expires, "expires", now)
        return self._update(CONVERSATION_STATES, {"expires_at": expires_at})

    def fork(self, at: Message | str | int | None = None, *, id: str | None = None) -> Conversation:
        """Starts a branch: a conversation that shares the messages up to and with `at`, by reference, and goes on for
        itself. `at` is a message, its id, or a seq (-1 shares none); the default is the newest message.

        Each branch sees its own line only: messages, contexts, recalls and summaries have nothing that was said in the
        parent after the fork, or in another branch. A shared message that is edited or forgotten changes in every
        branch. The branch has the parent's title, model and metadata, and the name `id`, or the next free one, such as
        `trip~2`. With an `id`, you can repeat the call. Raises NotFound if the message is not on this line.
        """
        name = None if id is None else validate.name(id, "id")
        fork = partial(self._engine.fork, self.space, self.id, fork_place(self.space, at), name)
        return Conversation(self._engine, self.space, self._engine.write_anew(self.space, fork).id, self.model)

    def branches(self) -> list[ConversationInfo]:
        """The branches that were forked from this conversation, in the order they were made."""
        return list(self._store.conversations.branches(self.space, self.id))

    def info(self) -> ConversationInfo:
        """Status, counts and times. Raises NotFound before the first write."""
        info = self._store.conversations.get(self.space, self.id)
        if info is None:
            raise NotFound(f"space {self.space!r} has no conversation {self.id!r}; add a message first")
        return info

    def pause(self) -> ConversationInfo:
        """Pauses the conversation; the next message resumes it. Raises StateError unless it is active."""
        info = self._update(("active",), {"status": "paused"})
        self._engine.queue_final_distill(info)
        return info

    def resume(self) -> ConversationInfo:
        """Resumes a paused or ended conversation. Raises StateError if it is active."""
        return self._update(("paused", "ended"), {"status": "active", "ended_at": None})

    def end(self, outcome: str | None = None) -> ConversationInfo:
        """Ends the conversation and stores its outcome. Its last messages are summarised in the background."""
        text = None if outcome is None else validate.non_blank(outcome, "outcome")
        info = self._update(
            ("active", "paused"), {"status": "ended", "outcome": text, "ended_at": self._engine.clock()}
        )
        self._engine.queue_final_distill(info)
        return info

    def rename(self, title: str) -> ConversationInfo:
        """Changes the title; the id stays."""
        return self._update(CONVERSATION_STATES, {"title": validate.non_blank(title, "title")})

    def mute(self) -> ConversationInfo:
        """Isolates the conversation: other conversations do not recall it, nothing is distilled from it, and its
        contexts contain nothing from outside. Earlier facts, episodes and summaries stay."""
        return self._update(CONVERSATION_STATES, {"muted": True})

    def unmute(self) -> ConversationInfo:
        """Ends the isolation. Messages that were added meanwhile are recalled and distilled from now on."""
        info = self._update(CONVERSATION_STATES, {"muted": False})
        self._engine.queue_distill(info)
        return info

    def delete(self) -> bool:
        """Deletes the conversation and everything derived from it. Returns False if there was none. Raises OnHold if
        the space is on hold, ConflictError if branches share its messages: delete those first."""
        self._engine.ledger.write()
        return self._store.conversations.delete(self.space, self.id)

    def _masked(self, records: T, *, masked: bool) -> T:
        return self._engine.masked(self.space, records, masked=masked)

    def _require(self, record: T | None, kind: str, id: str) -> T:
        if not record:
            raise NotFound(f"conversation {self.id!r} has no {kind} {id!r}")
        return record

    def _responder(self, model: str | None) -> Responder:
        requested = None if model is None else validate.name(model, "model").strip()
        stored = None if self.model is not None else self._store.conversations.get(self.space, self.id)
        return self._engine.responder(self.space, requested, stored.model if stored else self.model)

    def _seq(self, end: int | str | None, what: str) -> int | None:
        if isinstance(end, str):
            return self.message(end).seq
        return None if end is None else validate.count(end, what, 0)

    def _range(self, first: Message | str | int, last: Message | str | int | None) -> MessageRange:
        begin = self._place(first, "first")
        end = None if last is None else self._place(last, "last")
        if end is not None and end < begin:
            raise InvalidInput(f"last (seq {end}) is before first (seq {begin})")
        return MessageRange(begin, end)

    def _place(self, message: Message | str | int, what: str) -> int:
        """The seq of a message of this conversation."""
        if isinstance(message, Message):
            message = message.id
        return self.message(message).seq if isinstance(message, str) else validate.count(message, what, 0)

    def _update(self, allowed: Sequence[ConversationStatus], change: Mapping[str, Json]) -> ConversationInfo:
        """Changes the conversation. Raises StateError unless its status is one of `allowed`."""
        stamped = {"updated_at": self._engine.clock(), **change}
        return self._store.conversations.move(self.space, self.id, allowed, stamped)


def fork_place(space: str, at: Message | str | int | None) -> str | int | None:
    """Where to fork: the id of a message, a seq, or None for the newest message."""
    if isinstance(at, Message):
        if at.space != space:
            raise InvalidInput(f"fork at a message of space {space!r}; this one is of space {at.space!r}")
        return at.id
    if isinstance(at, str):
        return validate.name(at, "at")
    return None if at is None else validate.count(at, "at", -1)


@over_rest
class RemoteConversation(Conversation):
    """A conversation of a store behind a server."""

    def __init__(self, scope: Scope, id: str, model: str | None = None) -> None:
        self.space = validate.name(scope.space or "", "space")
        self.id = validate.name(id, "conversation")
        self.model = None if model is None else validate.name(model, "model")
        self._scope = replace(scope, conversation=self.id, model=self.model)

    def fork(self, at: Message | str | int | None = None, *, id: str | None = None) -> Conversation:
        name = branch_name(self._scope, fork_place(self.space, at), id)
        return RemoteConversation(replace(self._scope, conversation=None), name, self.model)
