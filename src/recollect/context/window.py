"""The last messages, the top pins, the last summaries; over the limit, the last three messages come first."""

from __future__ import annotations

from dataclasses import replace

from recollect.context.fill import last_within, opening, with_history, with_retrieved
from recollect.context.order import measure
from recollect.context.plan import Case, Plan, pin_left, summary_left
from recollect.context.reasons import BEYOND, OVER


def window(case: Case) -> Plan:
    """All of it where it fits. Else the last messages that always stay, then pins by importance, then the newest
    summaries, each kind up to the first that does not fit; older messages are out."""
    recipe = case.ask.recipe
    stays = opening(case)
    recent = recipe.recent or 0
    if case.ask.include_newest and case.scene.newest and case.scene.newest.message:
        recent -= 1
    whole = with_history(case, stays, last_within(case.scene.past, recent), BEYOND)
    whole = replace(whole, pins=case.trusted_pins, summaries=case.last_summaries)
    if measure(case, whole) > case.ask.max_tokens:
        whole = _summaries(case, _pins(case, with_history(case, stays, len(case.scene.past), OVER)))
    return with_retrieved(case, whole, case.ask.max_tokens)


def _pins(case: Case, plan: Plan) -> Plan:
    for at, pin in enumerate(case.trusted_pins):
        more = replace(plan, pins=(*plan.pins, pin))
        if measure(case, more) > case.ask.max_tokens:
            return plan.without(*(pin_left(pin, OVER) for pin in case.trusted_pins[at:]))
        plan = more
    return plan


def _summaries(case: Case, plan: Plan) -> Plan:
    newest_first = case.last_summaries[::-1]
    for at, summary in enumerate(newest_first):
        more = replace(plan, summaries=(summary, *plan.summaries))
        if measure(case, more) > case.ask.max_tokens:
            return plan.without(*(summary_left(summary, OVER) for summary in newest_first[at:]))
        plan = more
    return plan
