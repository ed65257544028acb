"""A context is made: gather → plan → fit → order → receipt. All but the first step are pure."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from recollect.context.anthropic import before_the_first_user
from recollect.context.ask import Ask
from recollect.context.balanced import balanced
from recollect.context.beside import beside
from recollect.context.budget import Budget
from recollect.context.context import Context, Item, Section
from recollect.context.cost import Costs
from recollect.context.fit import Fitted, fit
from recollect.context.gather import Material
from recollect.context.itemise import items
from recollect.context.plan import Case, Plan
from recollect.context.project import project
from recollect.context.reasons import AS_IT_SHOULD_BE
from recollect.context.receipt import Receipt, ReceiptItem
from recollect.context.recipe import Fill
from recollect.context.retrieval import retrieval
from recollect.context.rolling import rolling
from recollect.context.turn import openai
from recollect.context.veil import Mask, bare
from recollect.context.window import window
from recollect.models import Message
from recollect.text.accept import written

WAYS: Mapping[Fill, Callable[[Case], Plan]] = {
    "balanced": balanced,
    "window": window,
    "project": project,
    "rolling": rolling,
    "retrieval": retrieval,
}


@dataclass(frozen=True, slots=True)
class Stamp:
    """A receipt's own name and time."""

    id: str
    at: datetime


def build(ask: Ask, material: Material, count: Callable[[str], int], stamp: Stamp, mask: Mask = bare) -> Context:
    """The same material and the same call give the same bytes, whatever the stamp."""
    case = Case(ask, material, Costs(count), mask)
    way = WAYS[ask.recipe.fill] if ask.since is None else beside
    return context(case, fit(case, way(case)), stamp)


def context(case: Case, fitted: Fitted, stamp: Stamp) -> Context:
    plan, made, ask = fitted.plan, fitted.ordered, case.ask
    tokens = sum(fitted.sections.values())
    prefix = sum(map(case.costs.turn, made.turns[: made.prefix]))
    warnings = (*case.material.warnings, *plan.warnings, *_left_out(plan.left), *_for_anthropic(fitted))
    history = tuple(message for group in plan.history for message in group.messages)
    newest = case.newest
    receipt = Receipt(
        id=stamp.id,
        at=stamp.at,
        space=case.material.space,
        conversation=case.material.conversation,
        call=ask,
        question=case.scene.question,
        tokens=tokens,
        prefix_tokens=prefix,
        sections=fitted.sections,
        items=items(case, fitted),
        warnings=warnings,
        degraded=case.material.degraded,
        digest=digest(fitted),
    )
    asked = (newest.message,) if newest and newest.message and ask.include_newest else ()
    return Context(
        sections=tuple(Section(name, _items(name, case, plan, history), n) for name, n in fitted.sections.items()),
        tokens=tokens,
        budget=Budget(ask.max_tokens, plan.reserved, tokens, max(0, ask.max_tokens - plan.reserved)),
        system=made.turns[0].text if made.system else "",
        history=history,
        recent=history + asked,
        profile=plan.profile,
        pins=plan.pins,
        summaries=plan.summaries,
        retrieved=plan.retrieved,
        newest=newest,
        turns=made.turns,
        prefix=made.prefix,
        prefix_tokens=prefix,
        warnings=warnings,
        degraded=case.material.degraded,
        receipt=receipt,
    )


def digest(fitted: Fitted) -> str:
    """The SHA-256 of the request as JSON."""
    return hashlib.sha256(written(openai(fitted.ordered.turns)).encode()).hexdigest()


def _items(section: str, case: Case, plan: Plan, history: tuple[Message, ...]) -> tuple[Item, ...]:
    newest = case.newest
    live = tuple(message for group in plan.live for message in group.messages)
    shown: dict[str, tuple[Item, ...]] = {
        "system": case.persona,
        "profile": plan.profile,
        "pins": plan.pins,
        "summaries": plan.summaries,
        "history": history,
        "retrieved": plan.retrieved,
        "newest": ((newest,) if newest else ()) + live,
    }
    return shown[section]


def _left_out(left: tuple[ReceiptItem, ...]) -> list[str]:
    """What did not fit, or could not be sent, as counts."""
    counts = Counter((out.section, out.reason) for out in left if out.reason not in AS_IT_SHOULD_BE)
    return [f"{section}: {number} left out, {reason}" for (section, reason), number in counts.items()]


def _for_anthropic(fitted: Fitted) -> list[str]:
    number = before_the_first_user(fitted.ordered.turns)
    said = f"history: to_anthropic() leaves out {number} messages before the first of the user's"
    return [said] if number else []
