"""Step 3 of 5: removes items until a plan fits into `max_tokens`, and truncates texts as a last resort.

The request is counted as it is sent. It never takes more than `max_tokens`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from aforesaid.context.order import OrderedTurns, order_turns, plan_tokens, section_tokens
from aforesaid.context.pack_quotes import QuoteCosts
from aforesaid.context.plan import ContextPlan, PlanInput, omitted
from aforesaid.context.receipt import NO_ROOM
from aforesaid.context.stable_history import flatten, next_turn, tail_start_covering
from aforesaid.context.tokens import REPLY_TOKENS, TokenCounter
from aforesaid.context.turn import ChatTurn
from aforesaid.errors import BudgetExceeded

CUT_MARK = "\n[… cut …]\n"


def truncate(
    turns: Sequence[ChatTurn], limit: int, costs: TokenCounter
) -> tuple[tuple[ChatTurn, ...], frozenset[int]] | None:
    """Shortens the longest texts so that the turns take at most `limit` tokens; None if the turns without texts take
    more. Removes other parts than text first. Returns the turns and the indexes of the changed ones."""
    plain = [replace(turn, text=_plain_text(turn), parts=()) for turn in turns]
    room = limit - REPLY_TOKENS - sum(costs.turn(replace(turn, text="")) for turn in plain)
    if room < 0:
        return None
    sizes = [costs.text(turn.text) for turn in plain]
    largest = _text_limit(sizes, room)
    cut = {at for at, size in enumerate(sizes) if size > largest}
    short = (replace(t, text=shorten(t.text, largest, costs)) if at in cut else t for at, t in enumerate(plain))
    return tuple(short), frozenset(cut | {at for at, turn in enumerate(turns) if turn.parts})


def shorten(text: str, limit: int, costs: TokenCounter) -> str:
    """The beginning and the end of a text around a mark, in at most `limit` tokens; else an ellipsis or nothing."""
    low, high, best = 0, len(text), ""
    for shortest in ("…", CUT_MARK):
        best = shortest if costs.text(shortest) <= limit else best
    while low < high:
        length = (low + high + 1) // 2
        head = -(-length * 2 // 3)
        candidate = text[:head] + CUT_MARK + text[len(text) - (length - head) :]
        if costs.text(candidate) <= limit:
            low, best = length, candidate
        else:
            high = length - 1
    return best


def _text_limit(sizes: Sequence[int], room: int) -> int:
    """The largest size to which all texts can be cut so that together they fit into the room."""
    rest = sorted(sizes)
    while rest and rest[0] * len(rest) <= room:
        room -= rest.pop(0)
    return room // len(rest) if rest else max(sizes, default=0)


def _plain_text(turn: ChatTurn) -> str:
    others = [f"[{part['type']} left out]" for part in turn.parts if part["type"] != "text"]
    return "\n".join([text for text in (turn.text, *others) if text])


@dataclass(frozen=True, slots=True)
class FittedPlan:
    """A plan that fits, its turns, and the tokens of each section. `cut` are the indexes of shortened turns."""

    plan: ContextPlan
    ordered: OrderedTurns
    sections: dict[str, int]
    cut: frozenset[int] = frozenset()


def fit(inputs: PlanInput, plan: ContextPlan) -> FittedPlan:
    """Raises BudgetExceeded if the items that must stay do not fit, unless `overflow` is "truncate"."""
    limit = inputs.request.max_tokens
    needed = plan_tokens(inputs, plan)
    while needed > limit and (smaller := _reduce(inputs, plan, needed - limit)) is not None:
        plan = smaller
        needed = plan_tokens(inputs, plan)
    if needed <= limit:
        return FittedPlan(plan, order_turns(inputs, plan), section_tokens(inputs, plan))
    if inputs.request.overflow == "raise":
        needs = f"the system text, the newest message and the last messages need {needed} tokens"
        advice = f'max_tokens is {limit}; give more, or overflow="truncate"'
        raise BudgetExceeded(f"{needs}, and {advice}", needed=needed, budget=limit)
    return _truncate_plan(inputs, plan, needed)


def _reduce(inputs: PlanInput, plan: ContextPlan, excess: int) -> ContextPlan | None:
    """The plan without its least important item; None if the rest must stay."""
    if plan.recalled:
        return _fewer_quotes(inputs, plan, excess)
    if plan.summaries:
        first, *rest = plan.summaries
        return replace(plan, summaries=tuple(rest)).omit(omitted(first, NO_ROOM))
    optional = len(plan.history) - plan.kept
    if optional > 0:
        return _without_oldest(inputs, plan, min(next_turn(plan.history, 1), optional))
    for section in ("pins", "profile"):
        if items := getattr(plan, section):
            return replace(plan, **{section: items[:-1]}).omit(omitted(items[-1], NO_ROOM))
    if tail_start_covering(plan.live, inputs.request.recipe.always) > 0:
        return _without_oldest_live(inputs, plan)
    return None


def _fewer_quotes(inputs: PlanInput, plan: ContextPlan, excess: int) -> ContextPlan:
    quotes, left_out, tally = list(plan.recalled), [], QuoteCosts(inputs)
    while quotes and excess > 0:
        quote = quotes.pop()
        cost = tally.cost(quote)
        left_out.append(omitted(quote, NO_ROOM, cost, missing=min(cost, excess)))
        excess -= cost
    return replace(plan, recalled=tuple(quotes)).omit(*left_out)


def _without_oldest(inputs: PlanInput, plan: ContextPlan, groups: int) -> ContextPlan:
    dropped = flatten(plan.history[:groups])
    left_out = [omitted(message, NO_ROOM, inputs.costs.message(message)) for message in dropped]
    return replace(plan, history=plan.history[groups:]).omit(*left_out)


def _without_oldest_live(inputs: PlanInput, plan: ContextPlan) -> ContextPlan:
    dropped = plan.live[0].messages
    left_out = [omitted(message, NO_ROOM, inputs.costs.message(message), section="newest") for message in dropped]
    return replace(plan, live=plan.live[1:]).omit(*left_out)


def _truncate_plan(inputs: PlanInput, plan: ContextPlan, needed: int) -> FittedPlan:
    """Shortens the longest texts. Removes the oldest messages if that is not enough."""
    limit = inputs.request.max_tokens
    for smaller in _smaller_plans(inputs, plan):
        ordered = order_turns(inputs, smaller)
        truncated = truncate(ordered.turns, limit, inputs.costs)
        if truncated is not None:
            turns, cut = truncated
            warning = f"{len(cut)} of the messages that must stay were cut to fit into {limit} tokens"
            ordered = replace(ordered, turns=turns)
            warned = replace(smaller, warnings=(*smaller.warnings, warning))
            return FittedPlan(warned, ordered, ordered.sections(inputs.costs), cut)
    problem = f"{limit} tokens are too few for any message; a request of one takes more"
    raise BudgetExceeded(problem, needed=needed, budget=limit)


def _smaller_plans(inputs: PlanInput, plan: ContextPlan) -> Iterator[ContextPlan]:
    yield plan
    while plan.history or plan.live:
        plan = _without_oldest(inputs, plan, 1) if plan.history else _without_oldest_live(inputs, plan)
        plan = replace(plan, kept=len(plan.history))
        yield plan
