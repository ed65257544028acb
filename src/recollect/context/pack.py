"""The recalled block within its tokens: by rank, with the true cost of each line."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from recollect.context.cost import Costs
from recollect.context.plan import Case, quote_left
from recollect.context.quote import Quote, of_fact, of_hit
from recollect.context.reasons import NO_ROOM, PINNED, SHOWN, WEAK
from recollect.context.receipt import ReceiptItem
from recollect.context.render import CLOSE, NOTE, OPEN, header, lines_of, named_role, recalled
from recollect.models import Hit

LEAST = 6  # tokens of the shortest quote's line: where fewer are left, nothing fits


@dataclass(frozen=True, slots=True)
class Packed:
    quotes: tuple[Quote, ...] = ()
    left: tuple[ReceiptItem, ...] = ()


def eligible(case: Case, shown: Iterable[str]) -> Packed:
    """The quotes worth packing, best first, and those that would say what the context says already."""
    recipe, seen = case.ask.recipe, set(shown)
    pinned = {(pin.source_message_id, pin.content) for pin in case.material.pins}
    quotes, left = list(case.doubted_pins), []
    for hit in case.material.hits:
        quote = _quote(hit)
        if quote is None:
            continue
        reason = None
        if seen & {quote.id, *hit.messages}:
            reason = SHOWN
        elif hit.message is not None and (quote.id, hit.message.text) in pinned:
            reason = PINNED
        elif hit.score.total < recipe.threshold:
            reason = WEAK
        if reason is None:
            seen |= {quote.id, *hit.messages}
            quotes.append(quote)
        else:
            left.append(quote_left(quote, reason))
    if recipe.code_first and asks_for_code(case.scene.question or ""):
        quotes.sort(key=lambda quote: not quote.code)
    return Packed(tuple(quotes), tuple(left))


def _quote(hit: Hit) -> Quote | None:
    if hit.fact is not None:
        return of_fact(hit, hit.fact)
    return None if hit.message is None or hit.chunk is None else of_hit(hit, hit.message, hit.chunk)


class Tally:
    """What quotes cost in a block, one after another: their lines, and whatever else is new with them."""

    def __init__(self, costs: Costs, here: str) -> None:
        self._costs = costs
        self._here = here
        self._days: defaultdict[str, set[date]] = defaultdict(set)
        self._speakers: set[str] = set()

    def cost(self, quote: Quote) -> int:
        """The quote's lines, and its conversation's, its day's and its speaker's where they are not there yet."""
        lines, days, day = lines_of(quote), self._days[quote.conversation], quote.at.date()
        if not days:
            lines.insert(0, header(quote, self._here))
        elif day not in days:
            lines.insert(0, f"# {day.isoformat()}")
        speaker = named_role(quote)
        new = self._costs.text(f", {speaker}") if speaker and speaker not in self._speakers else 0
        return self._costs.text("\n".join(lines) + "\n") + new

    def take(self, quote: Quote) -> None:
        """What is new with this quote is not new with the next."""
        self._days[quote.conversation].add(quote.at.date())
        self._speakers.add(named_role(quote))


def pack(case: Case, quotes: Sequence[Quote], room: int, *, stop: bool = False) -> Packed:
    """Never more than `room` tokens. What is too large is left out, not cut; smaller ones may still follow, unless
    `stop` ends the packing at the first that does not fit. Secrets are masked before anything is counted."""
    costs, here = case.costs, case.material.conversation
    tally = Tally(costs, here)
    taken: list[Quote] = []
    left: list[ReceiptItem] = []
    used = costs.text("\n".join((OPEN, NOTE, CLOSE)))
    full = False
    for found in quotes:
        if full or used + LEAST > room:
            left.append(quote_left(found, NO_ROOM, found.tokens))
            continue
        quote = case.veiled(found)
        cost = tally.cost(quote)
        if used + cost > room:
            left.append(quote_left(quote, NO_ROOM, cost))
            full = stop
        else:
            taken.append(quote)
            tally.take(quote)
            used += cost
    while taken and costs.text(recalled(taken, here)) > room:
        out = taken.pop()
        left.append(quote_left(out, NO_ROOM, tally.cost(out)))
    return Packed(tuple(taken), tuple(left))


def asks_for_code(question: str) -> bool:
    """As the seed has it: a word in camel case, or one of four words of code."""
    return re.search(r"[A-Z][a-z]+[A-Z]|function|class|const|import", question) is not None
