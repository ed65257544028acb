"""The recalled block within its tokens: by rank, with the true cost of each line."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from recollect.context.cost import Costs
from recollect.context.plan import Case, LeftOut, quote_left
from recollect.context.quote import Quote, of_hit
from recollect.context.render import header, lines_of, recalled

TOO_LARGE = "does not fit"
SHOWN = "already in the history"
PINNED = "already pinned"
WEAK = "below the threshold"


@dataclass(frozen=True, slots=True)
class Packed:
    quotes: tuple[Quote, ...] = ()
    left: tuple[LeftOut, ...] = ()


def eligible(case: Case, shown: Iterable[str]) -> Packed:
    """The quotes worth packing, best first, and those that would say what the context says already."""
    recipe, seen = case.ask.recipe, set(shown)
    doubted = case.doubted
    pinned = {(pin.source_message_id, pin.content) for pin in case.material.pins}
    quotes, left = list(doubted), []
    for hit in case.material.hits:
        quote = of_hit(hit)
        reason = None
        if quote.id in seen:
            reason = SHOWN
        elif (quote.id, hit.message.text) in pinned:
            reason = PINNED
        elif hit.score.total < recipe.threshold:
            reason = WEAK
        if reason is None:
            quotes.append(quote)
        else:
            left.append(quote_left(quote, reason))
    if recipe.code_first and asks_for_code(case.scene.question or ""):
        quotes.sort(key=lambda quote: not quote.code)
    return Packed(tuple(quotes), tuple(left))


def pack(quotes: Sequence[Quote], room: int, costs: Costs, here: str, *, stop: bool = False) -> Packed:
    """Never more than `room` tokens. What is too large is left out, not cut; smaller ones may still follow, unless
    `stop` ends the packing at the first that does not fit."""
    taken: list[Quote] = []
    near: defaultdict[str, list[Quote]] = defaultdict(list)
    left: list[LeftOut] = []
    used = costs.text(recalled(quotes[:1], here)) - cost_of(quotes[0], costs, here, ()) if quotes else 0
    full = False
    for quote in quotes:
        cost = cost_of(quote, costs, here, near[quote.conversation])
        if full or used + cost > room:
            left.append(quote_left(quote, TOO_LARGE, cost))
            full = stop
        else:
            taken.append(quote)
            near[quote.conversation].append(quote)
            used += cost
    while taken and costs.text(recalled(taken, here)) > room:
        out = taken.pop()
        left.append(quote_left(out, TOO_LARGE, cost_of(out, costs, here, taken)))
    return Packed(tuple(taken), tuple(left))


def asks_for_code(question: str) -> bool:
    """As the seed has it: a word in camel case, or one of four words of code."""
    return re.search(r"[A-Z][a-z]+[A-Z]|function|class|const|import", question) is not None


def cost_of(quote: Quote, costs: Costs, here: str, taken: Sequence[Quote]) -> int:
    """A quote's lines, and its conversation's, day's and speaker's where none of those that are taken has them."""
    lines = lines_of(quote)
    near = [other for other in taken if other.conversation == quote.conversation]
    if not near:
        lines.insert(0, header([quote], here))
    elif all(other.at.date() != quote.at.date() for other in near):
        lines.insert(0, f"# {quote.at.date().isoformat()}")
    if near and quote.name and all(other.name != quote.name for other in near):
        lines.append(f", {quote.name}={quote.role}")
    return costs.text("\n".join(lines) + "\n")
