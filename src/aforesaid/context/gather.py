"""Step 1 of 5: reads the material of a context, and opens the search. Step 2 runs the search, because only then the
room for hits is known. Nothing else reads. Failed reads are reported."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import takewhile
from typing import TypeVar

from aforesaid.context.current_turn import CurrentTurn, NewestMessage, current_turn
from aforesaid.context.request import ContextRequest
from aforesaid.context.tokens import MESSAGE_OVERHEAD, estimate_tokens
from aforesaid.errors import ProviderError, StoreBusy, StoreDamaged, StoreError
from aforesaid.models.conversation import LineSize
from aforesaid.models.message import Message
from aforesaid.models.pin import Pin
from aforesaid.models.profile import Profile, ProfileField
from aforesaid.models.recall import Hits
from aforesaid.models.summary import Summary, SummaryKind
from aforesaid.storage.repositories.conversations import Conversations
from aforesaid.storage.repositories.messages import Messages
from aforesaid.storage.repositories.pins import Pins

MIN_MESSAGES, MAX_MESSAGES = 16, 256  # messages in the first read
TYPICAL_TOKENS = 40  # tokens of a message, to estimate how many to read
MAX_LEADING = 4  # system messages at the start of a conversation
NO_SEQ = 2**62  # greater than any seq
MAX_SENT = 1000  # messages that the caller sends and that are not recalled again
MIN_HITS = 3  # hits outside the history; with fewer, the whole space is searched
MIN_HIT_TOKENS = 16  # fewest tokens of a recalled message

T = TypeVar("T")
OpenSearch = Callable[[str, Collection[int]], "QuestionSearch"]  # the question, and the seqs of what asks it
FindHits = Callable[[int, Collection[Message]], Hits]  # the tokens to fill, and the messages that are shown anyway
ListSummaries = Callable[[str, str, SummaryKind, int, int], Sequence[Summary]]  # how many before a seq; all after it


@dataclass(frozen=True, slots=True)
class QuestionSearch:
    """Searches for one question. Both functions take the maximum number of hits, the tokens to fill, and the seqs of
    the messages that fill none: `near` searches the conversation first, `wide` the whole space, and the other spaces of
    the call. The first call embeds the question: call it outside a snapshot."""

    near: Callable[[int, int, Collection[int]], Hits]
    wide: Callable[[int, int, Collection[int]], Hits]


def find_nothing(_room: int, _shown: Collection[Message]) -> Hits:
    """The search of a context without a question."""
    return Hits()


@dataclass(frozen=True, slots=True)
class Material:
    """The material of a context. `messages` is the end of the conversation, `end` the estimated tokens of all of it.
    `pinned` are the messages that pins come from. The free text is first in `profile`. For a `muted` conversation,
    nothing is recalled. `expired` messages of the space are not erased yet. `asked` are the seqs of the newest message
    and of the tool calls after it. `find` runs the search."""

    space: str
    conversation: str
    messages: tuple[Message, ...] = ()
    end: int = 0
    current_turn: CurrentTurn = field(default_factory=CurrentTurn)
    pins: tuple[Pin, ...] = ()
    pinned: tuple[Message, ...] = ()
    summaries: tuple[Summary, ...] = ()
    find: FindHits = field(default=find_nothing, repr=False, compare=False)
    degraded: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    profile: tuple[ProfileField, ...] = ()
    muted: bool = False
    expired: int = 0
    asked: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class ContextSources:
    conversations: Conversations
    messages: Messages
    pins: Pins
    summaries: ListSummaries
    profile: Callable[[str], Profile]
    snapshot: Callable[[str], AbstractContextManager[None]]


class ContextReader:
    """Reads for one call. The last messages must be readable. Any other failure makes the context smaller."""

    def __init__(self, sources: ContextSources, space: str, conversation: str) -> None:
        self._sources = sources
        self._where = (space, conversation)
        self._degraded: list[str] = []
        self._warnings: list[str] = []

    def gather(self, request: ContextRequest, open_search: OpenSearch) -> Material:
        """Reads in one snapshot. If the store fails meanwhile, reads again without a snapshot."""
        try:
            with self._sources.snapshot(self._where[0]):
                material = self._read(request)
                search = self._open(request, open_search, material)
        except StoreBusy:  # the store already waited as long as it may
            raise
        except StoreError:
            self._degraded, self._warnings = [], []
            material = self._read(request)
            search = self._open(request, open_search, material)
        find: FindHits = partial(self._find, request, search, material.messages) if search else find_nothing
        return replace(material, find=find, degraded=tuple(self._degraded), warnings=tuple(self._warnings))

    def _read(self, request: ContextRequest) -> Material:
        size = self._sources.conversations.size(*self._where)
        recipe = request.recipe
        messages: tuple[Message, ...] = ()
        if size is not None:
            messages = self._tail(request) if request.since is None else self._sent(request, size)
        turn = current_turn(messages, request.query, self._lead(messages) if request.since is None else ())
        asked = turn.seqs
        if request.since is not None:  # the caller sends the messages, so only the question is needed
            turn = CurrentTurn(newest=NewestMessage(turn.question) if turn.question else None)
        pins = self._pins(recipe.pins) if size and recipe.pins else ()
        kind: SummaryKind = "rolling" if recipe.fill == "rolling" else "segment"
        first = messages[0].seq if messages and recipe.fill == "balanced" else NO_SEQ  # these may not be shown
        summaries = self._summaries(kind, recipe.summaries, first) if size and recipe.summaries else ()
        end = size.tokens + MESSAGE_OVERHEAD * size.messages if size else 0
        muted = size is not None and size.muted
        profile = self._profile() if recipe.profile_share and not muted else ()
        pinned = self._pinned(pins, messages)
        read = Material(*self._where, messages, end, turn, pins, pinned, summaries, profile=profile)
        return replace(read, muted=muted, asked=asked)

    def _tail(self, request: ContextRequest) -> tuple[Message, ...]:
        """The last messages: a few more than the recipe shows, or as many as can fit."""
        recent, room = request.recipe.recent, request.max_tokens - request.recipe.kept_for_recalled(request.max_tokens)
        limit = min(MAX_MESSAGES, max(MIN_MESSAGES, room // TYPICAL_TOKENS))
        if recent is not None:
            limit = 2 * recent + MIN_MESSAGES
        damaged: list[StoreDamaged] = []
        messages = self._sources.messages.recent(*self._where, limit, 0, damaged=damaged)
        cost = sum(map(estimate_tokens, messages))
        while recent is None and messages and messages[0].seq > 0 and cost < room:
            more = (room - cost) * len(messages) // cost + MIN_MESSAGES
            page = self._sources.messages.page(*self._where, more, None, messages[0].seq, damaged=damaged)
            if not page:
                break
            cost += sum(map(estimate_tokens, page))
            messages = page + messages
        self._warnings += [f"left out: {exc}" for exc in damaged]
        return tuple(messages)

    def _sent(self, request: ContextRequest, size: LineSize) -> tuple[Message, ...]:
        """The messages that the caller sends: those from a seq on, at most the last `MAX_SENT`."""
        start = max(request.since or 0, size.messages - MAX_SENT)
        page = self._page(2 * MAX_SENT, start - 1)
        sent = None if request.sent is None else set(request.sent)
        return tuple(message for message in page if sent is None or message.id in sent)

    def _page(self, limit: int, after: int) -> list[Message]:
        damaged: list[StoreDamaged] = []
        messages = self._sources.messages.page(*self._where, limit, after, None, damaged=damaged)
        self._warnings += [text for exc in damaged if (text := f"left out: {exc}") not in self._warnings]
        return messages

    def _lead(self, messages: Sequence[Message]) -> tuple[Message, ...]:
        if not messages:
            return ()
        first = messages if messages[0].seq == 0 else self._page(MAX_LEADING, -1)
        return tuple(takewhile(lambda message: message.role == "system", first))

    def _pins(self, limit: int) -> tuple[Pin, ...]:
        return self._try("pins", lambda: tuple(self._sources.pins.list(*self._where, limit)), ())

    def _pinned(self, pins: Sequence[Pin], messages: Sequence[Message]) -> tuple[Message, ...]:
        known = {message.id: message for message in messages}
        ids = [pin.source_message_id for pin in pins if pin.source_message_id is not None]
        read = partial(self._sources.messages.get, *self._where)
        sources = [known.get(id) or self._try("pins", partial(read, id), None) for id in dict.fromkeys(ids)]
        return tuple(message for message in sources if message is not None)

    def _summaries(self, kind: SummaryKind, limit: int, since: int) -> tuple[Summary, ...]:
        """The last summaries that end before a seq, and those after them, newest last. The latest rolling summary
        covers all earlier ones."""
        count = 1 if kind == "rolling" else limit
        return self._try("summaries", lambda: tuple(self._sources.summaries(*self._where, kind, count, since)), ())

    def _profile(self) -> tuple[ProfileField, ...]:
        profile = self._try("profile", lambda: self._sources.profile(self._where[0]), Profile(self._where[0]))
        return (*([profile.free] if profile.free else []), *profile.fields)

    def _open(self, request: ContextRequest, open_search: OpenSearch, material: Material) -> QuestionSearch | None:
        question = material.current_turn.question
        if material.muted or question is None or request.recipe.recalled == 0:
            return None
        return self._try("recall", lambda: open_search(question, material.asked), None)

    def _find(
        self,
        request: ContextRequest,
        search: QuestionSearch,
        read: Sequence[Message],
        room: int,
        shown: Collection[Message],
    ) -> Hits:
        """Messages that are shown anyway are found too. With `conversation_first`, the space is searched if the
        conversation has too few hits outside its last messages."""
        recipe = request.recipe
        room = max(room, request.max_tokens if recipe.code_first else 0)  # code of a lower rank comes first
        limit = max(1, min(recipe.recalled, max(10, room // MIN_HIT_TOKENS)))
        sought = limit, room, {message.seq for message in shown}
        try:
            if not recipe.conversation_first:
                return search.wide(*sought)
            near, here = search.near(*sought), {message.id for message in read}
            enough = sum(here.isdisjoint({hit.id, *hit.messages}) for hit in near) >= min(MIN_HITS, limit)
            if near.degraded or (enough and request.spaces is None):
                return near
            return _joined(near, search.wide(*sought))
        except (StoreError, ProviderError) as exc:
            return Hits(degraded=("recall",), warnings=(f"recall left out: {exc}",))

    def _try(self, what: str, read: Callable[[], T], otherwise: T) -> T:
        try:
            return read()
        except (StoreError, ProviderError) as exc:
            if what not in self._degraded:
                self._degraded.append(what)
                self._warnings.append(f"{what} left out: {exc}")
            return otherwise


def _joined(near: Hits, wide: Hits) -> Hits:
    known = {(hit.space, hit.id) for hit in near}
    more = tuple(hit for hit in wide if (hit.space, hit.id) not in known)
    both = {stage: taken + near.milliseconds.get(stage, 0.0) for stage, taken in wide.milliseconds.items()}
    return Hits((*near, *more), wide.degraded, wide.warnings, milliseconds=both)
