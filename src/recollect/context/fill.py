"""What every way of filling has in common."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from recollect.context.groups import Group, last
from recollect.context.order import measure, newest_turn, system_text
from recollect.context.pack import Packed, eligible, pack
from recollect.context.plan import Case, Plan, message_left, pin_left, profile_left, summary_left
from recollect.context.reasons import CALLERS, GIVES_ORDERS, NO_AUTHORITY, NO_ROOM, OLDER, REPLACED, UNHEARD
from recollect.context.receipt import ReceiptItem
from recollect.context.render import known, pinned, summarised
from recollect.context.turn import Turn
from recollect.models import Pin, ProfileField, Summary

SEAM = 8  # tokens that joining a block to a message may cost beside both


def opening(case: Case) -> Plan:
    """What stays whatever happens: the last messages, and what an agent has done since the newest one."""
    scene, recipe = case.scene, case.ask.recipe
    always = recipe.always if recipe.recent is None else min(recipe.always, recipe.recent)
    since = sum(len(group.messages) for group in scene.live)
    at = last(scene.past, max(0, always - since))
    faults = tuple(message_left("history", fault.message, fault.reason) for fault in scene.faults)
    unused = [message_left("system", message, NO_AUTHORITY) for message in case.unheard]
    if case.ask.system:
        unused = [message_left("system", message, REPLACED) for message in scene.lead]
    orders = tuple(summary_left(summary, GIVES_ORDERS) for summary in case.doubted_summaries)
    unsent = scene.newest.message if scene.newest and case.newest is None else None
    caller = (message_left("newest", unsent, CALLERS),) if unsent else ()
    left = faults + tuple(unused) + orders + caller
    plan = Plan(history=scene.past[at:], live=scene.live, kept=len(scene.past) - at, left=left)
    return _with_profile(case, plan, round(case.ask.max_tokens * recipe.profile_share))


def _with_profile(case: Case, plan: Plan, room: int) -> Plan:
    """The plan with the fields of the profile that fit into `room`, the free text first."""
    taken: list[ProfileField] = []
    left = [profile_left(field, UNHEARD) for field in case.doubted_profile]
    for field in case.trusted_profile:
        if case.costs.text(known([*taken, field])) <= room:
            taken.append(field)
        else:
            left.append(profile_left(field, NO_ROOM))
    return replace(plan, profile=tuple(taken)).without(*left)


def newest_cost(case: Case, plan: Plan) -> int:
    """The tokens of the message being answered, and of what has been done since."""
    newest = newest_turn(case, replace(plan, retrieved=()))
    since = sum(case.costs.messages(group.messages) for group in plan.live)
    return (case.costs.turn(newest) if newest else 0) + since


def system_cost(case: Case, plan: Plan) -> int:
    """The tokens of the system text with the plan's pins and summaries."""
    text = system_text(case, plan)
    return case.costs.turn(Turn("system", text)) if text else 0


def with_pins(case: Case, plan: Plan, room: int) -> Plan:
    """The plan with the pins that fit into `room`, by importance."""
    taken: list[Pin] = []
    left: list[ReceiptItem] = []
    for pin in case.trusted_pins:
        if case.costs.text(pinned([*taken, pin])) <= room:
            taken.append(pin)
        else:
            left.append(pin_left(pin, NO_ROOM, case.costs.text(pin.content)))
    return replace(plan, pins=tuple(taken)).without(*left)


def with_summaries(case: Case, plan: Plan, settled: Sequence[Summary], room: int) -> Plan:
    """The plan with the last of these summaries that fit into `room`, as many as the recipe shows."""
    taken: list[Summary] = []
    left: list[ReceiptItem] = []
    for summary in reversed(case.last_of(settled)):
        if case.costs.text(summarised([summary, *taken])) <= room:
            taken.insert(0, summary)
        else:
            left.append(summary_left(summary, NO_ROOM))
    return replace(plan, summaries=tuple(taken)).without(*left)


def with_history(case: Case, plan: Plan, at: int, reason: str = OLDER) -> Plan:
    """The plan with the history from group `at` on, and never less than what stays."""
    past = case.scene.past
    at = min(at, len(past) - plan.kept)
    older = [message for group in past[:at] for message in group.messages]
    known = {item.id for item in plan.left}
    left = [message_left("history", m, reason, case.costs.message(m)) for m in older if m.id not in known]
    return replace(plan, history=past[at:]).without(*left)


def newest_first(groups: Sequence[Group], room: int, case: Case) -> int:
    """The index of the first group of the longest end that fits into `room`."""
    at, used = len(groups), 0
    while at > 0:
        used += case.costs.messages(groups[at - 1].messages)
        if used > room:
            break
        at -= 1
    return at


def last_within(groups: Sequence[Group], messages: int) -> int:
    """The index of the first group of the longest end with at most so many messages."""
    at = len(groups)
    while at > 0 and len(groups[at - 1].messages) <= messages:
        at -= 1
        messages -= len(groups[at].messages)
    return at


def candidates(case: Case, plan: Plan, shown: Iterable[str] = ()) -> Packed:
    """The quotes that say something which neither the plan nor the messages `shown` elsewhere say yet."""
    newest = case.scene.newest
    here = [message.id for group in (*plan.history, *plan.live) for message in group.messages]
    return eligible(case, [*shown, *here, *([newest.message.id] if newest and newest.message else [])])


def with_retrieved(case: Case, plan: Plan, room: int, *, stop: bool = False, shown: Iterable[str] = ()) -> Plan:
    """The plan with the recalled block, of at most `room` tokens and what is left of the context's."""
    found = candidates(case, plan, shown)
    free = case.ask.max_tokens - measure(case, plan) - SEAM
    most = case.ask.recipe.retrieved_tokens
    room = min(room, free) if most is None else min(room, free, most)
    packed = pack(case, found.quotes, room, stop=stop)
    return replace(plan, retrieved=packed.quotes).without(*found.left, *packed.left)
