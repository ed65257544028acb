"""Selects the quotes that fit into the token budget, in rank order, with the exact cost of each line."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from aforesaid.context.plan import PlanInput, omitted
from aforesaid.context.quote import Quote, quote_fact, quote_found_pin, quote_hit
from aforesaid.context.receipt import NO_ROOM, PINNED, SHOWN, WEAK, ReceiptItem
from aforesaid.context.render import EMPTY_RECALLED_BLOCK, header, named_role
from aforesaid.models.recall import Hit

MIN_QUOTE_TOKENS = 6  # tokens of the shortest line of a quote: with fewer left, nothing fits


@dataclass(frozen=True, slots=True)
class PackedQuotes:
    quotes: tuple[Quote, ...] = ()
    omitted: tuple[ReceiptItem, ...] = ()


def select_quotes(inputs: PlanInput, hits: Iterable[Hit], shown: Iterable[str]) -> PackedQuotes:
    """The quotes to pack, best first. Omits repeated messages and pins, and quotes below the threshold."""
    recipe, own = inputs.request.recipe, inputs.material.space
    seen: set[tuple[str | None, str]] = {(None, id) for id in shown}
    pinned = {(pin.source_message_id, pin.content) for pin in inputs.material.pins}
    quotes, left_out = list(inputs.untrusted_pins), []
    for hit in hits:
        quote = _quote(hit)
        if quote is None:
            continue
        quote = replace(quote, space=None if hit.space in (own, "") else hit.space)
        keys = {(quote.space, id) for id in (quote.id, *hit.messages)}
        if seen & keys:
            left_out.append(omitted(quote, SHOWN))
        elif quote.space is None and hit.message is not None and (quote.id, hit.message.text) in pinned:
            left_out.append(omitted(quote, PINNED))
        elif hit.score.total < recipe.threshold:
            left_out.append(omitted(quote, WEAK))
        else:
            seen |= keys
            quotes.append(quote)
    if recipe.code_first and asks_for_code(inputs.current_turn.question or ""):
        quotes.sort(key=lambda quote: not quote.code)
    return PackedQuotes(tuple(quotes), tuple(left_out))


def _quote(hit: Hit) -> Quote | None:
    if hit.fact is not None:
        return quote_fact(hit, hit.fact)
    if hit.kind == "pin" and hit.at is not None:
        return quote_found_pin(hit, hit.at)
    return None if hit.message is None or hit.chunk is None else quote_hit(hit, hit.message, hit.chunk)


class QuoteCosts:
    """Counts the tokens that each further quote adds to a block: its lines, and each header that is new with it."""

    def __init__(self, inputs: PlanInput) -> None:
        self._costs = inputs.costs
        self._here = inputs.material.conversation
        self._lines = inputs.lines
        self._days: defaultdict[tuple[str, str], set[date]] = defaultdict(set)
        self._speakers: set[str] = set()

    def cost(self, quote: Quote) -> int:
        """The tokens of the quote's lines, and of the headers of its conversation, day and speaker that are new."""
        text, days, day = self._costs.text, self._days[quote.place], quote.at.date()
        cost = text(self._lines(quote) + "\n")
        if not days:
            cost += text(header(quote, self._here) + "\n")
        elif day not in days:
            cost += text(f"# {day.isoformat()}\n")
        speaker = named_role(quote)
        return cost + text(f", {speaker}") if speaker and speaker not in self._speakers else cost

    def take(self, quote: Quote) -> None:
        self._days[quote.place].add(quote.at.date())
        self._speakers.add(named_role(quote))


def pack_quotes(inputs: PlanInput, quotes: Sequence[Quote], room: int, *, stop: bool = False) -> PackedQuotes:
    """Never takes more than `room` tokens. A quote that is too large is omitted, not cut; smaller ones may follow it,
    unless `stop` is set. Secrets are masked before anything is counted."""
    costs, tally = inputs.costs, QuoteCosts(inputs)
    taken: list[Quote] = []
    left_out: list[ReceiptItem] = []
    used = costs.text(EMPTY_RECALLED_BLOCK)
    full = False
    for unmasked in quotes:
        if full or used + MIN_QUOTE_TOKENS > room:
            missing = max(0, used + max(unmasked.tokens, MIN_QUOTE_TOKENS) - room)
            left_out.append(omitted(unmasked, NO_ROOM, unmasked.tokens, missing=missing))
            continue
        quote = inputs.mask_quote(unmasked)
        cost = tally.cost(quote)
        if used + cost > room:
            left_out.append(omitted(quote, NO_ROOM, cost, missing=used + cost - room))
            full = stop
        else:
            taken.append(quote)
            tally.take(quote)
            used += cost
    while taken and (size := costs.text(inputs.block(tuple(taken)))) > room:
        last = taken.pop()
        left_out.append(omitted(last, NO_ROOM, tally.cost(last), missing=size - room))
    return PackedQuotes(tuple(taken), tuple(left_out))


def asks_for_code(question: str) -> bool:
    """True if the question has a word in camel case, or one of four words of code."""
    return re.search(r"[A-Z][a-z]+[A-Z]|function|class|const|import", question) is not None
