"""The latest rolling summary and the messages after it; until there is one, the messages themselves."""

from __future__ import annotations

from dataclasses import replace

from recollect.context.fill import newest_first, opening, with_history, with_pins, with_retrieved
from recollect.context.order import measure
from recollect.context.plan import Case, Plan
from recollect.context.reasons import NO_ROOM, SUMMED_UP


def rolling(case: Case) -> Plan:
    recipe, past = case.ask.recipe, case.scene.past
    latest = case.last_summaries[-1:]
    after = latest[0].last_seq if latest else -1
    stays = replace(opening(case), summaries=latest)
    plan = with_pins(case, stays, round(case.ask.max_tokens * recipe.pins_share))
    gap = next((at for at, group in enumerate(past) if group.messages[0].seq > after), len(past))
    plan = replace(plan, history=(), kept=min(plan.kept, len(past) - gap))
    fits = newest_first(past, case.ask.max_tokens - measure(case, plan), case)
    plan = with_history(case, plan, max(gap, fits), SUMMED_UP if fits <= gap else NO_ROOM)
    return with_retrieved(case, plan, case.ask.max_tokens)
