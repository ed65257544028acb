"""The last messages, the top pins, the last summaries; over the limit, the last three messages come first."""

from __future__ import annotations

from dataclasses import replace

from recollect.context.fill import last_within, opening, with_history
from recollect.context.order import measure
from recollect.context.plan import Case, LeftOut, Plan

OVER = "over the limit"
BEYOND = "beyond the last messages"


def window(case: Case) -> Plan:
    """All of it where it fits. Else the last messages that always stay, then pins by importance, then the newest
    summaries, each kind up to the first that does not fit; older messages are out."""
    recipe = case.ask.recipe
    stays = opening(case)
    recent = recipe.recent or 0
    if case.ask.include_newest and case.scene.newest and case.scene.newest.message:
        recent -= 1
    whole = with_history(case, stays, last_within(case.scene.past, recent), BEYOND)
    pins, summaries = case.trusted_pins, case.trusted_summaries[-recipe.summaries :] if recipe.summaries else ()
    whole = replace(whole, pins=pins, summaries=summaries)
    if measure(case, whole) <= case.ask.max_tokens:
        return whole
    plan = with_history(case, stays, len(case.scene.past), OVER)
    return _summaries(case, _pins(case, plan))


def _pins(case: Case, plan: Plan) -> Plan:
    for at, pin in enumerate(case.trusted_pins):
        more = replace(plan, pins=(*plan.pins, pin))
        if measure(case, more) > case.ask.max_tokens:
            rest = case.trusted_pins[at:]
            return plan.without(*(LeftOut("pins", "pin", p.id, OVER, p.source_message_id) for p in rest))
        plan = more
    return plan


def _summaries(case: Case, plan: Plan) -> Plan:
    newest_first = case.trusted_summaries[-case.ask.recipe.summaries :][::-1]
    for at, summary in enumerate(newest_first):
        more = replace(plan, summaries=(summary, *plan.summaries))
        if measure(case, more) > case.ask.max_tokens:
            rest = newest_first[at:]
            return plan.without(*(LeftOut("summaries", "summary", s.id, OVER, None, s.tokens) for s in rest))
        plan = more
    return plan
