"""A budget with reserves and shares, filled by priority until it is spent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from recollect.context.cost import REPLY
from recollect.context.fill import (
    candidates,
    last_within,
    newest_cost,
    opening,
    system_cost,
    with_history,
    with_pins,
)
from recollect.context.groups import Group
from recollect.context.pack import Packed, Tally
from recollect.context.plan import Case, Plan, quote_left, summary_left
from recollect.context.quote import Quote, quoted
from recollect.context.reasons import NO_ROOM
from recollect.models import Summary

LESS = 0.01  # how much less the next older one matters


@dataclass(frozen=True, slots=True)
class Claim:
    """Something that asks for tokens of a section."""

    priority: float
    section: str
    tokens: int
    what: Group | Quote | Summary


def project(case: Case) -> Plan:
    """System text and newest message from their reserves; recent messages, recalled ones and summaries from the
    rest, in the order of their priorities, the first two within their shares of it."""
    ask, recipe = case.ask, case.ask.recipe
    scale = min(1.0, ask.max_tokens / max(1, recipe.max_tokens))
    reserves = round(recipe.system_reserve * scale), round(recipe.working_reserve * scale)
    plan = replace(opening(case), reserved=sum(reserves))
    plan = with_pins(case, plan, max(reserves[1], round(ask.max_tokens * recipe.pins_share)))
    beyond = max(0, REPLY + system_cost(case, plan) - reserves[0]) + max(0, newest_cost(case, plan) - reserves[1])
    available = max(0, ask.max_tokens - sum(reserves) - beyond)
    found = candidates(case, with_history(case, plan, _begin(case)))
    found = replace(found, quotes=tuple(map(case.veiled, found.quotes)))
    taken = _spend(case, list(_claims(case, found)), available)
    return _plan(case, plan, found, taken)


def _claims(case: Case, found: Packed) -> Iterator[Claim]:
    recipe, costs, here = case.ask.recipe, case.costs, case.material.conversation
    for age, group in enumerate(reversed(case.scene.past[_begin(case) :])):
        priority = recipe.recent_priority - LESS * age
        yield Claim(priority, "history", costs.messages(group.messages), group)
    for quote in found.quotes:
        priority = recipe.recent_priority if quote.score is None else quote.score.total
        yield Claim(priority, "retrieved", Tally(costs, here).cost(quote), quote)
    for age, summary in enumerate(reversed(case.last_summaries)):
        tokens = costs.text("\n".join(quoted("0000-0000", summary.text)))
        yield Claim(recipe.summary_priority - LESS * age, "summaries", tokens, summary)


def _begin(case: Case) -> int:
    """The first group among the last messages that the recipe looks at."""
    past, most = case.scene.past, case.ask.recipe.recent
    return 0 if most is None else last_within(past, most)


def _spend(case: Case, claims: list[Claim], available: int) -> list[Claim]:
    recipe = case.ask.recipe
    room = {
        "history": round(available * recipe.recent_share),
        "retrieved": round(available * recipe.retrieved_share),
        "summaries": available,
    }
    taken: list[Claim] = []
    for claim in sorted(claims, key=lambda claim: -claim.priority):
        if claim.tokens > min(room[claim.section], available):
            if claim.section == "history":
                room["history"] = 0  # no message stands before a gap
            continue
        room[claim.section] -= claim.tokens
        available -= claim.tokens
        taken.append(claim)
    return taken


def _plan(case: Case, plan: Plan, found: Packed, taken: list[Claim]) -> Plan:
    recent = sum(isinstance(claim.what, Group) for claim in taken)
    plan = with_history(case, plan, len(case.scene.past) - recent)
    chosen = {claim.what.id for claim in taken if not isinstance(claim.what, Group)}
    quotes = tuple(quote for quote in found.quotes if quote.id in chosen)
    summaries = tuple(summary for summary in case.last_summaries if summary.id in chosen)
    return replace(plan, retrieved=quotes, summaries=summaries).without(
        *found.left,
        *(quote_left(quote, NO_ROOM) for quote in found.quotes if quote.id not in chosen),
        *(summary_left(summary, NO_ROOM) for summary in case.trusted_summaries if summary.id not in chosen),
    )
