"""The one step that reads: everything a context may be made of, and what could not be read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

from recollect.context.ask import Ask
from recollect.context.cost import ESTIMATE, estimate
from recollect.context.scene import Newest, Scene, scene
from recollect.errors import ProviderError, StoreError
from recollect.models import ConversationInfo, Hits, Message, Pin, Profile, ProfileField, Summary, SummaryKind
from recollect.ports import Conversations, Messages, Pins

LEAST, MOST = 16, 256  # messages in the first read
TYPICAL = 40  # tokens of a message, to guess how many to read
LEADING = 4  # system messages at a conversation's beginning
SEGMENT = 3  # messages that a summary is about at the least; those of what is read may not be settled
SENT = 1000  # messages that the caller sends, and that are not recalled beside them
FEW = 3  # hits outside the history; with fewer, the whole space is searched
HIT = 16  # tokens that a recalled message takes at the least

T = TypeVar("T")
ListSummaries = Callable[[str, str, SummaryKind, int], Sequence[Summary]]


@dataclass(frozen=True, slots=True)
class Search:
    """How to ask for so many hits, or for fewer that fill so many tokens: the conversation first (`near`), or the whole
    space."""

    near: Callable[[str, int, int], Hits]
    wide: Callable[[str, int, int], Hits]


@dataclass(frozen=True, slots=True)
class Material:
    """What was read. `end` is the tokens of the whole conversation, by estimate; `messages` is its end."""

    space: str
    conversation: str
    messages: tuple[Message, ...] = ()
    end: int = 0
    scene: Scene = field(default_factory=Scene)
    pins: tuple[Pin, ...] = ()
    pinned: tuple[Message, ...] = ()  # the messages that pins come from
    summaries: tuple[Summary, ...] = ()
    hits: Hits = field(default_factory=Hits)
    degraded: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    profile: tuple[ProfileField, ...] = ()  # the free text first
    muted: bool = False  # the conversation: nothing is recalled for it


@dataclass(frozen=True, slots=True)
class Sources:
    """Where to read."""

    conversations: Conversations
    messages: Messages
    pins: Pins
    summaries: ListSummaries
    profile: Callable[[str], Profile]
    still: Callable[[str], AbstractContextManager[None]]


class Gather:
    """Reads for one call. The last messages must be readable; whatever else fails makes the context smaller."""

    def __init__(self, sources: Sources, space: str, conversation: str) -> None:
        self._sources = sources
        self._where = (space, conversation)
        self._degraded: list[str] = []
        self._warnings: list[str] = []

    def gather(self, ask: Ask, search: Search) -> Material:
        """What is not searched for is read of one moment, or piece by piece where the store goes away meanwhile."""
        try:
            with self._sources.still(self._where[0]):
                material = self._read(ask)
        except StoreError:
            material = self._read(ask)
        hits = Hits() if material.muted else self._hits(ask, search, material.scene, material.messages)
        degraded, warnings = (*self._degraded, *hits.degraded), (*self._warnings, *hits.warnings)
        return replace(material, hits=hits, degraded=degraded, warnings=warnings)

    def _read(self, ask: Ask) -> Material:
        info = self._sources.conversations.get(*self._where)
        messages = () if info is None else self._tail(ask) if ask.since is None else self._sent(ask.since, info)
        recipe = ask.recipe
        shown = scene(messages, ask.query, self._lead(messages)) if ask.since is None else _asked(messages, ask.query)
        pins = self._pins(recipe.pins) if info and recipe.pins else ()
        kind: SummaryKind = "rolling" if recipe.fill == "rolling" else "segment"
        covered = len(messages) // SEGMENT if recipe.fill == "balanced" else 0
        summaries = self._summaries(kind, recipe.summaries + covered) if info and recipe.summaries else ()
        end = info.tokens + ESTIMATE * info.messages if info else 0
        muted = info is not None and info.muted
        profile = self._profile() if recipe.profile_share and not muted else ()
        pinned = self._pinned(pins, messages)
        return Material(*self._where, messages, end, shown, pins, pinned, summaries, profile=profile, muted=muted)

    def _tail(self, ask: Ask) -> tuple[Message, ...]:
        """The last messages: a few more than the recipe shows, or as many as could ever fit."""
        most, room = ask.recipe.recent, ask.max_tokens - ask.recipe.kept_for_recalled(ask.max_tokens)
        first = 2 * most + LEAST if most is not None else min(MOST, max(LEAST, room // TYPICAL))
        found = self._sources.messages.recent(*self._where, first, 0)
        cost = sum(map(estimate, found))
        while most is None and found and found[0].seq > 0 and cost < room:
            more = (room - cost) * len(found) // cost + LEAST
            page = self._sources.messages.page(*self._where, more, None, found[0].seq)
            if not page:
                break
            cost += sum(map(estimate, page))
            found = page + found
        return tuple(found)

    def _sent(self, since: int, info: ConversationInfo) -> tuple[Message, ...]:
        """What the caller sends: the messages from this seq on, the last thousand at least."""
        start = max(since, info.messages - SENT)
        return tuple(self._sources.messages.page(*self._where, 2 * SENT, start - 1, None))

    def _lead(self, messages: Sequence[Message]) -> tuple[Message, ...]:
        if not messages:
            return ()
        first = messages if messages[0].seq == 0 else self._sources.messages.page(*self._where, LEADING, -1, None)
        lead: list[Message] = []
        for message in first:
            if message.role != "system":
                break
            lead.append(message)
        return tuple(lead)

    def _pins(self, limit: int) -> tuple[Pin, ...]:
        return self._try("pins", lambda: tuple(self._sources.pins.list(*self._where, limit)), ())

    def _pinned(self, pins: Sequence[Pin], messages: Sequence[Message]) -> tuple[Message, ...]:
        known = {message.id: message for message in messages}
        ids = [pin.source_message_id for pin in pins if pin.source_message_id is not None]
        read = partial(self._sources.messages.get, *self._where)
        found = [known.get(id) or self._try("pins", partial(read, id), None) for id in dict.fromkeys(ids)]
        return tuple(message for message in found if message is not None)

    def _summaries(self, kind: SummaryKind, limit: int) -> tuple[Summary, ...]:
        """Newest last. Of a rolling summary, the latest says all."""
        wanted = 1 if kind == "rolling" else limit
        return self._try("summaries", lambda: tuple(self._sources.summaries(*self._where, kind, wanted)), ())

    def _profile(self) -> tuple[ProfileField, ...]:
        found = self._try("profile", lambda: self._sources.profile(self._where[0]), Profile(self._where[0]))
        return (*([found.free] if found.free else []), *found.fields)

    def _hits(self, ask: Ask, search: Search, shown: Scene, messages: Sequence[Message]) -> Hits:
        recipe, question = ask.recipe, shown.question
        if question is None or recipe.retrieved == 0:
            return Hits()
        room = recipe.retrieved_tokens if recipe.retrieved_tokens is not None else ask.max_tokens
        limit = max(1, min(recipe.retrieved, max(10, room // HIT)))
        room += sum(message.tokens for message in messages)  # what the history shows is found too, and left out
        if not recipe.conversation_first:
            return self._try("recall", lambda: search.wide(question, limit, room), Hits())
        near = self._try("recall", lambda: search.near(question, limit, room), Hits())
        here = {message.id for message in messages}
        if near.degraded or sum(here.isdisjoint({hit.id, *hit.messages}) for hit in near) >= min(FEW, limit):
            return near
        wide = self._try("recall", lambda: search.wide(question, limit, room), Hits())
        known = {hit.id for hit in near}
        more = tuple(hit for hit in wide if hit.id not in known)
        both = {stage: taken + near.milliseconds.get(stage, 0.0) for stage, taken in wide.milliseconds.items()}
        return Hits((*near, *more), wide.degraded, wide.warnings, milliseconds=both)

    def _try(self, what: str, read: Callable[[], T], otherwise: T) -> T:
        try:
            return read()
        except (StoreError, ProviderError) as exc:
            if what not in self._degraded:
                self._degraded.append(what)
                self._warnings.append(f"{what} left out: {exc}")
            return otherwise


def _asked(messages: Sequence[Message], query: str | None) -> Scene:
    """The question alone: whoever asks it sends it, with what came before."""
    said = scene(messages, query).question
    return Scene(newest=Newest(said) if said else None)
