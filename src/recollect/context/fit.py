"""The last word on the budget: counted as it will be sent, and made lighter until it fits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from recollect.context.epoch import turn_from
from recollect.context.groups import last
from recollect.context.order import Ordered, measure, order, sections
from recollect.context.pack import Tally
from recollect.context.plan import Case, Plan, message_left, pin_left, profile_left, quote_left, summary_left
from recollect.context.reasons import NO_ROOM
from recollect.context.truncate import truncate
from recollect.errors import BudgetExceeded


@dataclass(frozen=True, slots=True)
class Fitted:
    """A plan that fits, its turns, and the tokens of each section. `cut` are the turns whose text was shortened."""

    plan: Plan
    ordered: Ordered
    sections: dict[str, int]
    cut: frozenset[int] = frozenset()


def fit(case: Case, plan: Plan) -> Fitted:
    """Never more than `max_tokens`: BudgetExceeded where what must stay does not fit, unless it may be cut."""
    most = case.ask.max_tokens
    needed = measure(case, plan)
    while needed > most and (lighter := _lighter(case, plan, needed - most)) is not None:
        plan = lighter
        needed = measure(case, plan)
    if needed <= most:
        return Fitted(plan, order(case, plan), sections(case, plan))
    if case.ask.overflow == "raise":
        raise BudgetExceeded(
            f"the system text, the newest message and the last messages need {needed} tokens, "
            f'and max_tokens is {most}; give more, or overflow="truncate"',
            needed=needed,
            budget=most,
        )
    return _cut(case, plan, needed)


def _lighter(case: Case, plan: Plan, over: int) -> Plan | None:
    """The plan without the least of what it shows; None where only what must stay is left."""
    if plan.retrieved:
        return _fewer_quotes(case, plan, over)
    if plan.summaries:
        return replace(plan, summaries=plan.summaries[1:]).without(summary_left(plan.summaries[0], NO_ROOM))
    optional = len(plan.history) - plan.kept
    if optional > 0:
        return _shorter(case, plan, min(turn_from(plan.history, 1), optional))
    if plan.pins or plan.profile:
        return _less_kept(plan)
    if last(plan.live, case.ask.recipe.always) > 0:
        return _shorter_loop(case, plan)
    return None


def _less_kept(plan: Plan) -> Plan:
    """Without the last pin; where none is left, without the last field of the profile."""
    if plan.pins:
        return replace(plan, pins=plan.pins[:-1]).without(pin_left(plan.pins[-1], NO_ROOM))
    return replace(plan, profile=plan.profile[:-1]).without(profile_left(plan.profile[-1], NO_ROOM))


def _fewer_quotes(case: Case, plan: Plan, over: int) -> Plan:
    quotes, left, tally = list(plan.retrieved), [], Tally(case.costs, case.material.conversation)
    while quotes and over > 0:
        quote = quotes.pop()
        cost = tally.cost(quote)
        over -= cost
        left.append(quote_left(quote, NO_ROOM, cost))
    return replace(plan, retrieved=tuple(quotes)).without(*left)


def _shorter(case: Case, plan: Plan, groups: int) -> Plan:
    gone = [message for group in plan.history[:groups] for message in group.messages]
    left = [message_left("history", message, NO_ROOM, case.costs.message(message)) for message in gone]
    return replace(plan, history=plan.history[groups:]).without(*left)


def _shorter_loop(case: Case, plan: Plan) -> Plan:
    gone = plan.live[0].messages
    left = [message_left("newest", message, NO_ROOM, case.costs.message(message)) for message in gone]
    return replace(plan, live=plan.live[1:]).without(*left)


def _cut(case: Case, plan: Plan, needed: int) -> Fitted:
    """Shortens the longest texts of what must stay; where even their frames are too much, the oldest goes."""
    for smaller in _ever_smaller(case, plan):
        ordered = order(case, smaller)
        found = truncate(ordered.turns, case.ask.max_tokens, case.costs)
        if found is not None:
            said = f"{len(found.cut)} of the messages that must stay were cut to fit into {case.ask.max_tokens} tokens"
            warned = replace(smaller, warnings=(*smaller.warnings, said))
            made = replace(ordered, turns=found.turns)
            return Fitted(warned, made, made.sections(case.costs), found.cut)
    raise BudgetExceeded(
        f"{case.ask.max_tokens} tokens are too few for any message; a request of one takes more",
        needed=needed,
        budget=case.ask.max_tokens,
    )


def _ever_smaller(case: Case, plan: Plan) -> Iterator[Plan]:
    yield plan
    while plan.history or plan.live:
        plan = _shorter(case, plan, 1) if plan.history else _shorter_loop(case, plan)
        plan = replace(plan, kept=len(plan.history))
        yield plan
