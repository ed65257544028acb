"""A conversation: what is said in it, what is pinned, and where it stands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Unpack

from aforesaid.answering.answer import Answer
from aforesaid.context.context import Context
from aforesaid.context.recipe import Recipe
from aforesaid.context.request import ContextArguments
from aforesaid.distill.episodes.manual_episode import ManualEpisode
from aforesaid.engine import Engine
from aforesaid.errors import NoModel, NotFound
from aforesaid.ingest.draft import IngestOptions, MessageInput
from aforesaid.ingest.reprocess import rescore
from aforesaid.models.conversation import CONVERSATION_STATES, ConversationInfo, ConversationStatus
from aforesaid.models.cost import ResponderInfo
from aforesaid.models.episode import EPISODE_TYPES, Arc, Episode, EpisodeType
from aforesaid.models.json import Json
from aforesaid.models.message import Chunk, Content, Message, MessageScore, TimeSpan
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
from aforesaid.text import validate
from aforesaid.text.validate import sequence

DEFAULT_RECENT = 8  # messages that a context shows by default
MAX_ANSWER_TOKENS = 4096  # tokens of an answer, with what a model thinks before it


class Conversation:
    """One conversation of a space. Nothing is stored until something is written."""

    def __init__(self, engine: Engine, space: str, id: str, model: str | None = None) -> None:
        self._engine = engine
        self._store = engine.store
        self.space = validate.name(space, "space")
        self.id = validate.name(id, "conversation")
        self.model = None if model is None else validate.name(model, "model")

    def __repr__(self) -> str:
        return f"Conversation({self.id!r}, space={self.space!r})"

    # What is said

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
    ) -> Message:
        """Stores a message. Durable and findable by its words when this returns; no model is called.

        With an `id` it can be repeated: the same content gives back the stored message, other content raises
        ConflictError. A message added to a paused or ended conversation resumes it.
        """
        incoming = MessageInput(role, content, id, name, tool_calls, tool_call_id, model, at, importance, metadata)
        return self._engine.add(self.space, self.id, self.model, incoming)[0]

    def add_many(self, messages: Iterable[Mapping[str, Json]]) -> list[Message]:
        """Stores chat messages in order, all of them or none. Each has `role`, `content`, and what `add` takes."""
        said = sequence(messages, "messages")
        return self._engine.add(self.space, self.id, self.model, said)

    def edit(self, id: str, content: Content) -> Message:
        """Gives a message other words. It keeps its id, place, time and role; everything that came from the old words
        is erased or made anew, and the store's files are scrubbed, as by `space.forget`."""
        return self._engine.edit(self.message(id), content)

    def message(self, id: str) -> Message:
        """The message with this id; NotFound where there is none."""
        found = self._store.messages.get(self.space, self.id, validate.name(id, "id"))
        if found is None:
            raise NotFound(f"conversation {self.id!r} has no message {id!r}")
        return found

    def messages(self, limit: int = 50, *, after: int | None = None, before: int | None = None) -> list[Message]:
        """Messages, oldest first: the last ones, the last ones before seq `before`, or those after seq `after`."""
        after = None if after is None else validate.count(after, "after", -1)
        before = None if before is None else validate.count(before, "before", 0)
        return self._store.messages.page(self.space, self.id, validate.count(limit, "limit"), after, before)

    def recent(self, limit: int = DEFAULT_RECENT, *, include_newest: bool = False) -> list[Message]:
        """The last messages, oldest first, without the newest (the one being answered) unless asked for."""
        skip = 0 if include_newest else 1
        return self._store.messages.recent(self.space, self.id, validate.count(limit, "limit"), skip)

    def chunks(self, id: str) -> list[Chunk]:
        """The chunks of a message; put together they are its text."""
        return self._store.messages.chunks(self.space, self.id, self.message(id).id)

    def times(self, id: str) -> tuple[TimeSpan, ...]:
        """What a message says about time, as seen from when it was said, once the background work has read it."""
        found = self.message(id).id
        return self._store.mentions.of_messages(self.space, [found])[found]

    def recall(self, query: str, limit: int = 10, **bounds: Unpack[RecallOptions]) -> Hits:
        """What answers a query: of this conversation first, of its space where it gives fewer than three."""
        return self._engine.recalled(SearchScope(self.space, self.id), query, limit, bounds, widen=True)

    def score(self, ids: Sequence[str] | None = None, *, dry_run: bool = False) -> list[MessageScore]:
        """Gives messages the importance that the rules say now, in place of what they had or the caller gave: these,
        or all. With `dry_run`, only says it. NotFound, and nothing changed, where an id is not there."""
        wanted = None if ids is None else [validate.name(id, "id") for id in sequence(ids, "ids")]
        place = self.space, self.id
        return rescore(self._store.messages, self._engine.drafts, place, wanted, dry_run=dry_run)

    def accesses(self, id: str) -> Access | None:
        """How often a message was handed out by a retrieval, and when last; None where it never was."""
        return self._engine.ledger.access(self.space, self.message(id).id)

    # What was distilled

    def summaries(
        self,
        kind: SummaryKind | None = None,
        status: SummaryStatus | None = "completed",
        limit: int = 50,
        *,
        replaced: bool = False,
    ) -> list[Summary]:
        """The last summaries by the messages that they reach, the earliest first; `status=None` gives all states,
        `replaced=True` also those that were made anew or merged."""
        wanted = None if kind is None else validate.choice(kind, SUMMARY_KINDS, "a summary's kind")
        state = None if status is None else validate.choice(status, SUMMARY_STATES, "a summary's status")
        read = self._store.summaries.list if replaced else self._store.summaries.standing
        return list(read(self.space, self.id, wanted, state, validate.count(limit, "limit")))

    def summary(self, id: str) -> Summary:
        """The summary with this id, of any state; NotFound where there is none."""
        found = self._store.summaries.get(self.space, self.id, validate.name(id, "id"))
        if found is None:
            raise NotFound(f"conversation {self.id!r} has no summary {id!r}")
        return found

    def summarize(self, first: int | str | None = None, last: int | str | None = None) -> Summary:
        """Sums up messages, each end given by seq or by id: now, in this thread, by a model where one is at hand.

        Without an end it goes from where the segments end to the newest message. NotFound where nothing is there.
        """
        return self._engine.segments.summarise(self.space, self.id, self._seq(first, "first"), self._seq(last, "last"))

    def needs_summary(self) -> bool:
        """Whether a summary is due by the space's setting `summaries`; where that is off, whether 15 messages are
        not summed up."""
        return self._engine.needs_summary(self.space, self.id)

    def chain(self, id: str | None = None, limit: int = 50) -> list[Summary]:
        """A rolling summary, the one that it goes on from, and so on; from the latest one without an id."""
        latest = None if id is not None else self._store.summaries.latest(self.space, self.id, "rolling")
        begin = latest.id if latest else validate.name(id, "id") if id is not None else None
        if begin is None:
            return []
        return list(self._store.summaries.chain(self.space, self.id, begin, validate.count(limit, "limit")))

    def window(self) -> RollingSummaryState:
        """How far the rolling summary has come, what it took, and whether it is stuck."""
        return self._engine.rolling.window(self.space, self.id)

    def episodes(
        self, type: EpisodeType | None = None, *, min_significance: float = 0.0, limit: int = 50
    ) -> list[Episode]:
        """What happened, in the order of the conversation, at least so significant."""
        wanted = None if type is None else validate.choice(type, EPISODE_TYPES, "an episode's type")
        least = validate.share(min_significance, "min_significance")
        return list(self._store.episodes.list(self.space, self.id, wanted, least, validate.count(limit, "limit")))

    def episode(self, id: str) -> Episode:
        """The episode with this id, merged ones too; NotFound where there is none."""
        found = self._store.episodes.get(self.space, self.id, validate.name(id, "id"))
        if found is None:
            raise NotFound(f"conversation {self.id!r} has no episode {id!r}")
        return found

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
        """Notes by hand what happened from message `first` to `last` (seqs); without them, with the newest message."""
        said = [None if text is None else self._engine.storable(self.space, text) for text in (title, summary, outcome)]
        given = ManualEpisode(said[0] or title, type, first, last, said[1], said[2], valence, significance, facts)
        return self._engine.noted(self.info, given)

    def remove_episode(self, id: str) -> None:
        """Removes an episode. Nothing is found to have happened in its messages any more."""
        if not self._store.episodes.delete(self.space, self.id, validate.name(id, "id")):
            raise NotFound(f"conversation {self.id!r} has no episode {id!r}")

    def arc(self) -> Arc:
        """How the conversation went, in thirds, and its key moments; NotFound before the first write."""
        return self._engine.arc(self.info())

    # What the model will see

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
    ) -> Context:
        """What the model will see, in at most `max_tokens`: system text, pins, summaries, history, what was recalled
        for the question, the message being answered. A new conversation gives an empty context.

        The question is `query`, or the newest user message. What cannot be had makes the context smaller, and is
        named in it. What must stay and does not fit raises BudgetExceeded, or is cut with `overflow="truncate"`.

        With `since`, the caller sends the messages from that seq on: the context is what stands beside them, with no
        history and nothing that they say.
        """
        wish = ContextArguments(query, recipe, max_tokens, system, domain, include_newest, overflow, since)
        return self._engine.context(self.space, self.id, wish.validated())

    # What a model answers

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
        """Stores the user's message, and asks a language model for an answer that comes in pieces: iterate it.

        Who answers is `model`, else the conversation's own, else the Memory's; NoModel, and nothing stored, where
        nobody can. The model sees what `context` gives, in at most `max_tokens`; its answer has at most
        `answer_tokens`, and is stored when it has come to its end. With an `id` it can be repeated: the message is
        stored once.
        """
        most, given = validate.count(answer_tokens, "answer_tokens"), self._circumstances()
        voice = self._engine.voice(self.space, self._named(model), self._own())
        draft = self._engine.drafts.make(MessageInput("user", content, id, model=voice.name), given)
        query = draft.text if draft.text.strip() else None
        asked = ContextArguments(query, recipe, max_tokens, system, domain, overflow=overflow).validated()
        question = self._engine.append(self.space, self.id, [draft], given)[0]
        made = self._engine.context(self.space, self.id, asked)

        def keep(text: str, metadata: Mapping[str, Json]) -> Message:
            return self.add("assistant", text, model=voice.name, metadata=metadata)

        return Answer(question, made, voice.name, voice.begin(made, most), keep)

    def answerer(self, model: str | None = None) -> ResponderInfo:
        """Who answers here, were `reply` called with this `model`. Nobody is asked."""
        try:
            voice = self._engine.voice(self.space, self._named(model), self._own())
        except NoModel as exc:
            return ResponderInfo(None, reason=str(exc))
        return ResponderInfo(voice.name, voice.model.local)

    # What is pinned

    def pin(
        self,
        content: str | Message,
        *,
        importance: float = 0.8,
        type: PinType = "manual",
        source: str | None = None,
    ) -> Pin:
        """Keeps a text, or a message, in view until `unpin`."""
        text = content.text if isinstance(content, Message) else content
        if isinstance(content, Message):
            source = content.id
        if source is not None:
            source = self.message(source).id
        now = self._engine.clock()
        pin = Pin(
            self._engine.ids.make(now),
            self._engine.storable(self.space, validate.non_blank(text, "a pin's content")),
            validate.share(importance, "importance"),
            validate.choice(type, PIN_TYPES, "a pin's type"),
            source,
            now,
        )
        return self._store.pins.save(self.space, self.id, pin)

    def pins(self, limit: int | None = None) -> list[Pin]:
        """Pins by importance, the newer first among equals. `pins(5)` are those that a context shows."""
        return self._store.pins.list(self.space, self.id, None if limit is None else validate.count(limit, "limit"))

    def pinned(self, id: str) -> Pin:
        """The pin with this id; NotFound where there is none."""
        found = self._store.pins.get(self.space, self.id, validate.name(id, "id"))
        if found is None:
            raise NotFound(f"conversation {self.id!r} has no pin {id!r}")
        return found

    def edit_pin(
        self,
        id: str,
        *,
        content: str | None = None,
        importance: float | None = None,
        type: PinType | None = None,
    ) -> Pin:
        """Changes what is given and keeps the rest."""
        pin = self.pinned(id)
        text = pin.content if content is None else validate.non_blank(content, "a pin's content")
        changed = replace(
            pin,
            content=self._engine.storable(self.space, text),
            importance=pin.importance if importance is None else validate.share(importance, "importance"),
            type=pin.type if type is None else validate.choice(type, PIN_TYPES, "a pin's type"),
        )
        return self._store.pins.save(self.space, self.id, changed)

    def unpin(self, id: str) -> None:
        """Takes a pin away; the message that it was made of stays. NotFound where there is none."""
        if not self._store.pins.delete(self.space, self.id, validate.name(id, "id")):
            raise NotFound(f"conversation {self.id!r} has no pin {id!r}")

    # Where it stands

    def start(self, *, title: str | None = None, metadata: Mapping[str, Json] | None = None) -> ConversationInfo:
        """Makes the conversation before its first message. One that is there already stays as it is."""
        now = self._engine.clock()
        info = ConversationInfo(
            self.id,
            self.space,
            "active",
            None if title is None else validate.non_blank(title, "title"),
            None,
            self.model,
            0,
            0,
            0,
            now,
            now,
            None,
            validate.record(metadata, "metadata"),
        )
        return self._store.conversations.start(info)

    def info(self) -> ConversationInfo:
        """Status, counts and times; NotFound before the first write."""
        found = self._store.conversations.get(self.space, self.id)
        if found is None:
            raise NotFound(f"space {self.space!r} has no conversation {self.id!r}; add a message first")
        return found

    def pause(self) -> ConversationInfo:
        """Lets the conversation rest; the next message resumes it. StateError unless it is active."""
        info = self._move(("active",), {"status": "paused"})
        self._engine.rested(info)
        return info

    def resume(self) -> ConversationInfo:
        """Goes on with a conversation that was paused or ended. StateError where it is active."""
        return self._move(("paused", "ended"), {"status": "active", "ended_at": None})

    def end(self, outcome: str | None = None) -> ConversationInfo:
        """Ends the conversation and says what came of it."""
        words = None if outcome is None else validate.non_blank(outcome, "outcome")
        change = {"status": "ended", "outcome": words, "ended_at": self._engine.clock()}
        info = self._move(("active", "paused"), change)
        self._engine.rested(info)
        return info

    def rename(self, title: str) -> ConversationInfo:
        """Gives the conversation another title; its id stays."""
        return self._move(CONVERSATION_STATES, {"title": validate.non_blank(title, "title")})

    def mute(self) -> ConversationInfo:
        """What is said here stays here: it is not recalled elsewhere, nothing is distilled from it, and contexts hold
        nothing from outside. What was distilled before stays."""
        return self._move(CONVERSATION_STATES, {"muted": True})

    def unmute(self) -> ConversationInfo:
        """Takes it back. What was said meanwhile is recalled and distilled like all else."""
        info = self._move(CONVERSATION_STATES, {"muted": False})
        self._engine.queue_distill(info)
        return info

    def delete(self) -> bool:
        """Removes the conversation and all that came from it. False where there was none."""
        self._engine.ledger.write()
        return self._store.conversations.delete(self.space, self.id)

    def _own(self) -> str | None:
        """The model that the conversation is held with."""
        if self.model is not None:
            return self.model
        found = self._store.conversations.get(self.space, self.id)
        return found.model if found else None

    def _named(self, model: str | None) -> str | None:
        return None if model is None else validate.name(model, "model").strip()

    def _circumstances(self) -> IngestOptions:
        return self._engine.ingest_options(self.space, self.model)

    def _seq(self, end: int | str | None, what: str) -> int | None:
        if isinstance(end, str):
            return self.message(end).seq
        return None if end is None else validate.count(end, what, 0)

    def _move(self, allowed: Sequence[ConversationStatus], change: Mapping[str, Json]) -> ConversationInfo:
        stamped = {"updated_at": self._engine.clock(), **change}
        return self._store.conversations.move(self.space, self.id, allowed, stamped)
