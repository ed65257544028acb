"""The default: a stable beginning, history in epochs, and what was recalled in the message that asks."""

from __future__ import annotations

from dataclasses import replace

from recollect.context.cost import REPLY
from recollect.context.epoch import Marks, begin, cut, places, turn_from
from recollect.context.fill import (
    newest_cost,
    newest_first,
    opening,
    system_cost,
    with_history,
    with_pins,
    with_retrieved,
    with_summaries,
)
from recollect.context.plan import Case, Plan


def balanced(case: Case) -> Plan:
    """Nothing here that decides where the history begins depends on the question or the newest message, as long as
    that keeps to its reserve."""
    recipe, most = case.ask.recipe, case.ask.max_tokens
    recalled = recipe.kept_for_recalled(most)
    answered = round(most * recipe.newest_share)
    summarised_room = round(most * recipe.summaries_share) if case.material.summaries else 0
    plan = with_pins(case, opening(case), round(most * recipe.pins_share))
    plan = replace(plan, reserved=recalled + answered)
    fixed = REPLY + system_cost(case, plan) + summarised_room + recalled
    plan = _history(case, plan, max(0, most - fixed - answered))
    plan = _beside_newest(case, plan, most - fixed, answered)
    plan = _settled(case, plan, summarised_room)
    return with_retrieved(case, plan, most)


def _history(case: Case, plan: Plan, room: int) -> Plan:
    recipe, material = case.ask.recipe, case.material
    marks = Marks(int(room * recipe.high_water), int(room * recipe.low_water))
    place = places(material.messages, material.end)
    newest = case.scene.newest
    end = place[newest.message.id] if newest and newest.message else material.end
    return with_history(case, plan, begin(case.scene.past, place, cut(end, marks)))


def _beside_newest(case: Case, plan: Plan, room: int, reserve: int) -> Plan:
    """Cuts the history further where the newest message is larger than what is kept free for it."""
    cost = newest_cost(case, plan)
    if cost <= reserve:
        return plan
    at = newest_first(plan.history, max(0, room - cost), case)
    if at == 0:
        return plan
    at = min(turn_from(plan.history, at), len(plan.history) - plan.kept)
    if at == 0:
        return plan
    gone = sum(len(group.messages) for group in plan.history[:at])
    shorter = with_history(case, plan, len(case.scene.past) - len(plan.history) + at)
    said = f"history: {gone} messages gave way to the newest one, which takes {cost} tokens of {reserve} kept for it"
    return replace(shorter, warnings=(*plan.warnings, said))


def _settled(case: Case, plan: Plan, room: int) -> Plan:
    """The last summaries of what lies before the history: they change only when its beginning does."""
    first = plan.history[0].messages[0].seq if plan.history else None
    settled = [s for s in case.trusted_summaries if first is not None and s.last_seq < first]
    return with_summaries(case, plan, settled, room)
