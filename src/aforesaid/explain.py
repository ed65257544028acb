"""Explains a context: why a message is in it or not, and the words of each item of its receipt.

The receipt says what the context had. The rest is read from the store as it is now: the call is made again, and so is
each of its searches, for the rank and the score of the message."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from aforesaid.context.context import Context
from aforesaid.context.receipt import NO_ROOM, PINNED, SHOWN, WEAK, Receipt, ReceiptItem
from aforesaid.context.stored_receipt import rounded
from aforesaid.context.why import Cause, ReceiptEntry, Why, sentence
from aforesaid.models.message import Message
from aforesaid.models.profile import Profile
from aforesaid.models.recall import Score
from aforesaid.recall.recall import Recall, SearchTrace
from aforesaid.recall.standing import Standing
from aforesaid.storage.store import Store
from aforesaid.text.masking import JsonMask

MOST_PINS = 10_000  # of a space that are looked through
MORE_TOKENS = 16  # times the budget: the most that is tried
FINE = 100  # the tokens that are enough are found to a part of this many
BY_TOKENS = frozenset({"no_room", "ranked_low", "not_read"})  # causes that more tokens may remove
BY_HISTORY = frozenset({"not_searched", "not_found", "weak", "unanswered"})  # the same, where the history may grow


@dataclass(frozen=True, slots=True)
class AskedMessage:
    """The message that is asked about: the message, its id, or words of it. `space` is its space, if that is known."""

    message: Message | str
    space: str | None = None


@dataclass(frozen=True, slots=True)
class FoundMessage:
    message: Message | None = None
    matches: int = 0
    foreign: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class ContextCase:
    """A receipt, the context that its call gives now, and the searches that were made for that. `build` gives the
    context that it gives with other tokens."""

    receipt: Receipt
    now: Context
    searches: Sequence[SearchTrace]
    build: Callable[[int], Context]

    @property
    def changed(self) -> bool:
        return self.now.receipt.digest != self.receipt.digest


class ContextExplainer:
    def __init__(self, store: Store, searcher: Recall, clock: Callable[[], datetime]) -> None:
        self._store = store
        self._searcher = searcher
        self._clock = clock

    def why(self, case: ContextCase, asked: AskedMessage) -> Why:
        found = self._find(case.receipt, asked)
        why = Why(case.receipt.id, included=False, cause="unknown", sentence="", matches=found.matches)
        why = replace(why, message=found.message, changed=case.changed)
        if found.message is None or found.foreign:
            cause = self._absent(case.receipt, asked, found)
            return _said(replace(why, items=_about(case.receipt, asked.message, None), cause=cause))
        why = self._explained(case, why, found.message)
        if why.included and _lacks_words(case, asked, found.message):
            why = replace(why, cause="cut")
        return _said(replace(why, enough=_enough_tokens(case, why, found.message)))

    def _find(self, receipt: Receipt, asked: AskedMessage) -> FoundMessage:
        """The stored message: by its id, else by its words."""
        spaces = receipt.spaces if asked.space is None else (asked.space,)
        foreign = asked.space is not None and asked.space not in receipt.spaces
        id = asked.message.id if isinstance(asked.message, Message) else asked.message
        for space in spaces:
            if (message := self._store.messages.known(space, [id]).get(id)) is not None:
                return FoundMessage(message, 1, foreign)
        if isinstance(asked.message, Message):
            return FoundMessage()
        here = {receipt.space: receipt.conversation}
        fits = [self._searcher.pasted.find(space, here.get(space), id, self._clock()) for space in spaces]
        best = max(fits, key=lambda fit: fit.likeness)
        return FoundMessage(best.message, best.matches, foreign)

    def _absent(self, receipt: Receipt, asked: AskedMessage, found: FoundMessage) -> Cause:
        if found.foreign and found.message is not None:
            return "other_space"
        message = asked.message
        expires = message.expires_at if isinstance(message, Message) else None
        listed = isinstance(message, str) and any(item.id == message for item in receipt.items)
        return "expired" if listed or (expires is not None and expires <= self._clock()) else "unknown"

    def _explained(self, case: ContextCase, why: Why, message: Message) -> Why:
        receipt = case.receipt
        other = None if message.space == receipt.space else message.space
        items = _about(receipt, message, other)
        shown = next((item for item in items if item.included and item.id == message.id), None)
        left_out = _left_out(items)
        line = shown or left_out
        standing, trace = self._standing(case, message)
        last = _last(receipt, other)
        if line is None or line.score is None:
            last = self._rescored(case, trace, last)
        score = line.score if line is not None and line.score is not None else standing.score
        why = replace(
            why,
            included=shown is not None,
            section=None if line is None else line.section,
            items=items,
            rank=standing.rank,
            first_rank=standing.first_rank,
            found=standing.found,
            read=standing.read,
            wanted=standing.wanted,
            least=standing.least,
            score=None if score is None else Score(*(round(part, 3) for part in score.to_dict().values())),
            last=last,
            tokens=0 if line is None else line.tokens,
            missing=0 if line is None else line.missing,
            similarity=standing.similarity,
            shared=standing.shared,
            included_now=_has(case.now, message, other),
        )
        if not standing.indexed:
            why = replace(why, job=self._store.jobs.state_of("embed", message.space, message.id))
        return self._with_cause(case, why, standing)

    def _standing(self, case: ContextCase, message: Message) -> tuple[Standing, SearchTrace | None]:
        """How the message did in the first search that it was not kept out of, else in the last one."""
        standing, trace = Standing(), None
        for trace in case.searches:
            if trace.scope.space == message.space:
                standing = self._searcher.standing(trace, message)
                if standing.barrier is None:
                    break
        return standing, trace

    def _rescored(self, case: ContextCase, trace: SearchTrace | None, last: ReceiptItem | None) -> ReceiptItem | None:
        """The item with the score of its own search: a context of several spaces scales the scores."""
        if not case.receipt.call.spaces or trace is None or last is None or last.kind != "message":
            return last
        message = self._store.messages.known(trace.scope.space, [last.id]).get(last.id)
        score = None if message is None else self._searcher.standing(trace, message).score
        return last if score is None else rounded(replace(last, score=score))

    def _with_cause(self, case: ContextCase, why: Why, standing: Standing) -> Why:
        line, stands_for = _left_out(why.items), next((item for item in why.items if item.included), None)
        if why.included or _sends(case, why.message):
            return replace(why, cause="included" if why.included else "sent")
        if stands_for is not None:
            return replace(why, cause="stated", other=stands_for)
        if line is not None and line.section == "recalled":
            other = self._source_of(case, why.message) if line.reason in (SHOWN, PINNED) else None
            return replace(why, cause="stated" if other else _line_cause(line), other=other)
        if line is not None and line.section in ("newest", "system"):
            return replace(why, cause="left_out")
        if why.message is not None and why.message.created_at > case.receipt.at and line is None:
            return replace(why, cause="later")
        return self._search_cause(case, why, standing)

    def _source_of(self, case: ContextCase, message: Message | None) -> ReceiptItem | None:
        """The pin or the fact that is in the context and comes from a message."""
        shown = [item for item in case.receipt.items if item.included and item.kind in ("pin", "fact")]
        space = case.receipt.space if message is None else message.space
        facts = self._store.facts.named(space, [item.id for item in shown if item.kind == "fact"])
        id = "" if message is None else message.id
        said = {fact.id for fact in facts.values() if any(one.message_id == id for one in fact.evidence)}
        return next((item for item in shown if item.source_message_id == id or item.id in said), None)

    def _search_cause(self, case: ContextCase, why: Why, standing: Standing) -> Why:
        """Why the search did not return a message that the receipt does not list as recalled."""
        if not case.searches:
            return replace(why, cause=self._unsearched(case))
        if standing.barrier is not None or standing.rank is None:
            return replace(why, cause=standing.barrier or ("not_found" if standing.indexed else "not_indexed"))
        relevance = 0.0 if standing.score is None else standing.score.relevance
        if not standing.answerable or relevance < standing.least:
            return replace(why, cause="weak" if standing.answerable else "unanswered")
        same = standing.duplicate
        if same is None:
            unread = (standing.first_rank or 0) > standing.read and standing.rank <= standing.wanted
            return replace(why, cause="not_read" if unread else "ranked_low")
        listed = [item for item in case.receipt.items if item.kind == "message" and item.id == same.id]
        other = next(iter(listed), ReceiptItem("recalled", "message", same.id, same.id, False, "not returned"))
        return replace(why, cause="duplicate", other=other)

    def _unsearched(self, case: ContextCase) -> Cause:
        receipt = case.receipt
        info = self._store.conversations.get(receipt.space, receipt.conversation)
        if receipt.question is None:
            return "no_question"
        if receipt.call.recipe.recalled == 0:
            return "not_searched"
        return "muted" if info is not None and info.muted else "search_failed"

    # The words of a receipt's items

    def entries(
        self, receipt: Receipt, masks: Mapping[str, JsonMask], profile: Callable[[], Profile]
    ) -> list[ReceiptEntry]:
        """Each item with its words. `masks` are those of the spaces."""
        words = {space: self._words(space, receipt, profile) for space in receipt.spaces}
        entries = []
        for item in receipt.items:
            space = item.space or receipt.space
            entry = words[space].get((item.kind, item.id), ReceiptEntry(item))
            entries.append(replace(entry, item=item, text=masks[space](entry.text)))
        return entries

    def _words(
        self, space: str, receipt: Receipt, profile: Callable[[], Profile]
    ) -> dict[tuple[str, str], ReceiptEntry]:
        own = space == receipt.space
        items = [item for item in receipt.items if (item.space or receipt.space) == space]
        ids: dict[str, list[str]] = {}
        for item in items:
            ids.setdefault(item.kind, []).append(item.id)
        by_item = {(item.kind, item.id): item for item in items}
        sources = [item.source_message_id for item in items if item.source_message_id is not None]
        messages = self._store.messages.known(space, list(dict.fromkeys(sources)))
        texts = {("message", id): message.text for id, message in messages.items()}
        if "fact" in ids:
            texts |= {("fact", id): fact.text for id, fact in self._store.facts.named(space, ids["fact"]).items()}
        if "pin" in ids:
            texts |= {("pin", pin.id): pin.content for _, pin in self._store.pins.within(space, None, MOST_PINS)}
        if own:
            texts |= self._own_texts(receipt, ids, profile)
        found = {}
        for name, item in by_item.items():
            source = messages.get(item.source_message_id or "")
            found[name] = _entry(item, texts.get(name, ""), source)
        return found

    def _own_texts(
        self, receipt: Receipt, ids: Mapping[str, Sequence[str]], profile: Callable[[], Profile]
    ) -> dict[tuple[str, str], str]:
        """The texts of what only the context's own space gives."""
        texts = {("query", "query"): receipt.question or "", ("text", "system"): receipt.call.system or ""}
        for id in ids.get("summary", ()):
            summary = self._store.summaries.get(receipt.space, receipt.conversation, id)
            texts["summary", id] = "" if summary is None else summary.text
        if "profile" in ids:
            known = profile()
            values = {
                field.name or "text": field.value for field in (*([known.free] if known.free else []), *known.fields)
            }
            texts |= {("profile", name): str(values.get(name, "")) for name in ids["profile"]}
        return texts


def _entry(item: ReceiptItem, text: str, source: Message | None) -> ReceiptEntry:
    if source is None:
        return ReceiptEntry(item, text)
    return ReceiptEntry(item, text, source.name or source.role, source.created_at, source.conversation, source.seq)


def _has(context: Context, message: Message, other: str | None) -> bool:
    return any(item.included and item.id == message.id for item in _about(context.receipt, message, other))


def _lacks_words(case: ContextCase, asked: AskedMessage, message: Message) -> bool:
    """True if the words that are asked about are in the message, and the context has only another part of it."""
    words, text, shown = (
        " ".join(each.lower().split()) for each in (str(asked.message), message.text, _shown_text(case.now, message))
    )
    return isinstance(asked.message, str) and shown != "" and words in text and words not in shown


def _shown_text(context: Context, message: Message) -> str:
    """What a context quotes of a message; empty if it does not, or has it as a whole."""
    parts = [quote for quote in context.recalled if quote.kind == "message" and quote.id == message.id]
    return " ".join(quote.text for quote in parts) if parts and not parts[0].whole else ""


def _enough_tokens(case: ContextCase, why: Why, message: Message) -> int | None:
    """A budget with which the same call includes a message. The tokens that were missing are tried first."""
    here = message.space == case.receipt.space and message.conversation == case.receipt.conversation
    if why.included_now or (why.cause not in BY_TOKENS and not (here and why.cause in BY_HISTORY)):
        return None
    other, low = None if message.space == case.receipt.space else message.space, case.receipt.max_tokens
    if why.missing > 0 and _has(case.build(low + why.missing), message, other):
        return low + why.missing
    high = low * MORE_TOKENS
    if not _has(case.build(high), message, other):
        return None
    while high - low > max(1, low // FINE):
        between = min(max(round((low * high) ** 0.5), low + 1), high - 1)
        low, high = (low, between) if _has(case.build(between), message, other) else (between, high)
    return high


def _said(why: Why) -> Why:
    return replace(why, sentence=sentence(why))


def _about(receipt: Receipt, message: Message | str, space: str | None) -> tuple[ReceiptItem, ...]:
    """The lines about a message, and about what comes from it."""
    id = message.id if isinstance(message, Message) else message
    return tuple(item for item in receipt.items if item.space == space and id in (item.id, item.source_message_id))


def _left_out(items: Sequence[ReceiptItem]) -> ReceiptItem | None:
    """The line that left a message out of the recalled text, else that of another section."""
    out = [item for item in items if not item.included and item.kind == "message"]
    return next((item for item in out if item.section == "recalled"), next(iter(out), None))


def _line_cause(line: ReceiptItem) -> Cause:
    causes: Mapping[str, Cause] = {NO_ROOM: "no_room", WEAK: "weak"}
    return causes.get(line.reason, "left_out")


def _sends(case: ContextCase, message: Message | None) -> bool:
    """True for a message that the caller of the context sends itself."""
    call, receipt = case.receipt.call, case.receipt
    if message is None or call.since is None or message.conversation != receipt.conversation:
        return False
    return message.seq >= call.since and (call.sent is None or message.id in call.sent)


def _last(receipt: Receipt, space: str | None) -> ReceiptItem | None:
    """The recalled item of a space that got in last: that of the last rank."""
    taken = [item for item in receipt.items if item.included and item.section == "recalled" and item.space == space]
    ranked = [(rank, item) for item in taken if item.score and (rank := _rank(item)) is not None]
    return max(ranked, key=lambda pair: pair[0])[1] if ranked else None


def _rank(item: ReceiptItem) -> int | None:
    words = item.reason.replace(",", "").split()
    return int(words[1]) if words[:1] == ["rank"] else None
