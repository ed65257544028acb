"""Handles an event of a coding agent's session: stores what was said, and returns the text to add, if any.

A prompt and its answer are stored in the space of the project. A prompt in which people state something about
themselves is stored in the space `me` too; every project recalls from there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime

from aforesaid.context.quote import Quote, quote_fact, quote_hit
from aforesaid.context.render import recalled_block
from aforesaid.distill.facts.claims import claims
from aforesaid.errors import ConflictError, NotFound, StateError
from aforesaid.hooks.agents import HookEvent
from aforesaid.hooks.project import PERSON
from aforesaid.hooks.relevance import relevant_hits
from aforesaid.memory import Memory
from aforesaid.models.episode import Episode
from aforesaid.models.fact import Fact
from aforesaid.models.message import Message, Utterance
from aforesaid.models.recall import Hit, Score
from aforesaid.space import Space, mask_of
from aforesaid.text.harness import side_request, typed_text
from aforesaid.text.injection import looks_like_injection

MAX_TOKENS = 800  # of the text that a prompt gets
MAX_START_TOKENS = 300  # of the text at the start of a session
QUOTE_TOKENS = 12  # for the lines around a quote
SEARCHED = 10  # hits of each space
REPEATED_AFTER = 10  # prompts after which a session gets the same quote again
LASTING: Mapping[str, tuple[str, ...]] = {  # kinds of facts that matter from the start, of the person and the project
    PERSON: ("preference", "constraint"), "": ("preference", "constraint", "decision", "procedure"),
}  # fmt: skip
MAX_DECISIONS = 20  # the latest, at the start of a session
MAX_FACTS = 500  # facts that are read at the start of a session
RESUMED = "resume"  # the source of a session that still has its earlier context

_COMMAND = re.compile(r"/[\w:.-]+(?:\s|\Z)")  # such as /compact: for the agent, not for the model


@dataclass(frozen=True, slots=True)
class HookResult:
    """The text to add (empty: none), and what was done, for the log."""

    text: str = ""
    stored: int = 0
    recalled: int = 0


def handle(memory: Memory, event: HookEvent) -> HookResult:
    match event.kind:
        case "start":
            return HookResult() if event.source == RESUMED else _start(memory, event)
        case "prompt":
            return _prompt(memory, event)
        case "answer":
            return HookResult(stored=_store(memory.space(event.space), event, "assistant", event.text))
        case _:
            with suppress(NotFound, StateError):  # nothing was said, or it is paused already
                memory.space(event.space).conversation(event.conversation).pause()
            return HookResult()


def _start(memory: Memory, event: HookEvent) -> HookResult:
    """What holds in every session: preferences, constraints, decisions."""
    quotes: dict[str, Quote] = {}  # by text: both spaces have what a person states
    for space in _spaces(memory, event):
        kinds = LASTING.get(space.id, LASTING[""])
        facts = [fact for fact in space.facts(MAX_FACTS) if fact.kind in kinds]
        facts.sort(key=lambda fact: (fact.importance, fact.created_at), reverse=True)
        for fact in facts:
            quotes.setdefault(fact.text, _quote_lasting(fact))
        for episode in space.episodes("decision_made", limit=MAX_DECISIONS):
            quotes.setdefault(episode.title, _quote_decision(episode))
    fitting = _fitting(quotes.values(), MAX_START_TOKENS)
    return HookResult(_render(memory.space(event.space), event, fitting), recalled=len(fitting))


def _quote_lasting(fact: Fact) -> Quote:
    return quote_fact(Hit("fact", fact.id, fact.text, Score(0.0), (), ""), fact)


def _quote_decision(episode: Episode) -> Quote:
    text = episode.outcome or episode.summary
    untrusted = looks_like_injection(text)
    return Quote("fact", episode.id, None, episode.conversation, episode.at, (0, 0), text, "user", untrusted=untrusted)


def _prompt(memory: Memory, event: HookEvent) -> HookResult:
    text = typed_text(event.text)
    if not text or _COMMAND.match(text) or side_request("", text):
        return HookResult()
    space = memory.space(event.space)
    quotes = _fitting(_relevant_quotes(memory, event, text), MAX_TOKENS)
    shown = {"recalled": [quote.id for quote in quotes]} if quotes else {}
    stored = _store(space, event, "user", text, shown)
    if stored and _states_something_personal(text):
        _store(memory.space(PERSON), event, "user", text)
    return HookResult(_render(space, event, quotes), stored, len(quotes))


def _relevant_quotes(memory: Memory, event: HookEvent, text: str) -> list[Quote]:
    """What both spaces have to say to a prompt, without what the session already has."""
    seen = _recalled_before(memory.space(event.space), event)
    quotes: dict[str, Quote] = {}  # by text: both spaces have what a person states
    for space in _spaces(memory, event):
        for hit in relevant_hits(text, space.recall(text, SEARCHED, kinds=("message", "fact"))):
            quote = None if hit.conversation == event.conversation else _quote(hit)
            if quote is not None and not seen & {quote.id, quote.source_message_id}:
                quotes.setdefault(quote.text, quote)
    return list(quotes.values())


def _spaces(memory: Memory, event: HookEvent) -> Iterable[Space]:
    """The spaces to recall from. A space that does not exist yet has nothing."""
    for id in dict.fromkeys((event.space, PERSON)):
        space = memory.space(id)
        if space.info() is not None:
            yield space


def _recalled_before(space: Space, event: HookEvent) -> set[str | None]:
    """The ids that this session got with its last prompts."""
    messages: Sequence[Message] = ()
    with suppress(NotFound):
        messages = space.conversation(event.conversation).messages(2 * REPEATED_AFTER)
    ids = (message.metadata.get("recalled") for message in messages if message.id != event.message_id)
    return {id for listed in ids if isinstance(listed, list) for id in listed if isinstance(id, str)}


def _quote(hit: Hit) -> Quote | None:
    if hit.fact is not None:
        return quote_fact(hit, hit.fact)
    return None if hit.message is None or hit.chunk is None else quote_hit(hit, hit.message, hit.chunk)


def _render(space: Space, event: HookEvent, quotes: Sequence[Quote]) -> str:
    return mask_of(space)(recalled_block(quotes, event.conversation)) if quotes else ""


def _fitting(quotes: Iterable[Quote], most: int) -> list[Quote]:
    """The first quotes that fit together; one that is too long is left out, not cut."""
    fitting = []
    for quote in quotes:
        tokens = quote.tokens + QUOTE_TOKENS
        if tokens <= most:
            most -= tokens
            fitting.append(quote)
    return fitting


def _store(
    space: Space, event: HookEvent, role: str, text: str, metadata: Mapping[str, list[str]] | None = None
) -> int:
    """Stores a message once. Returns 0 if it is empty or already stored."""
    if not text.strip():
        return 0
    chat = space.conversation(event.conversation)
    with suppress(NotFound):
        chat.message(event.message_id)
        return 0
    details = {"agent": event.agent, **(metadata or {})}
    with suppress(ConflictError):  # the same event at the same time
        chat.add(role, text.replace("\0", "\ufffd"), id=event.message_id, metadata=details)
        return 1
    return 0


def _states_something_personal(text: str) -> bool:
    """True if a fact about the speaker would be distilled from the text; False for one about the project."""
    utterance = Utterance("", 0, "user", "user", text, datetime.now(UTC), None, 0)
    return any(claim.subject != "project" for claim in claims(utterance))
