"""What stands beside a history that the caller sends: what lies before it, and what was said elsewhere."""

from __future__ import annotations

from dataclasses import replace

from recollect.context.fill import opening, with_pins, with_retrieved, with_summaries
from recollect.context.plan import Case, Plan, pin_left
from recollect.context.reasons import SHOWN


def beside(case: Case) -> Plan:
    """No history, and nothing that the caller's own messages say: neither quoted, nor pinned, nor summed up."""
    recipe, most, since = case.ask.recipe, case.ask.max_tokens, case.ask.since or 0
    sent = {message.id for message in case.material.messages}
    plan = _without_sent(with_pins(case, opening(case), round(most * recipe.pins_share)), sent)
    before = [summary for summary in case.trusted_summaries if summary.last_seq < since]
    plan = with_summaries(case, plan, before, round(most * recipe.summaries_share))
    return with_retrieved(case, plan, most, shown=sent)


def _without_sent(plan: Plan, sent: set[str]) -> Plan:
    """The plan without the pins of messages that are in view anyhow."""
    twice = tuple(pin for pin in plan.pins if pin.source_message_id in sent)
    kept = tuple(pin for pin in plan.pins if pin not in twice)
    return replace(plan, pins=kept).without(*(pin_left(pin, SHOWN) for pin in twice))
