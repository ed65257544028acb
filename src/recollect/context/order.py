"""The order in which a model reads: system, profile, pins, summaries, history, what was recalled, the newest message.

What changes rarely stands first, so that a provider may serve it from its cache; what was recalled for this question
stands inside the message that asks it, before its words.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from recollect.context.cost import REPLY, Costs
from recollect.context.plan import Case, Plan
from recollect.context.render import GAP, joined, known, pinned, summarised
from recollect.context.turn import Turn, turn

SECTIONS = ("system", "profile", "pins", "summaries", "history", "retrieved", "newest")


@dataclass(frozen=True, slots=True)
class Ordered:
    """The turns of a request. `prefix` of them, from the first on, are there before anything that changes with every
    question; `system` says whether the first one is the system text. `live` of them follow the newest message."""

    turns: tuple[Turn, ...]
    prefix: int
    system: bool
    live: int = 0

    def sections(self, costs: Costs) -> dict[str, int]:
        """The tokens of the system text, the history and the newest message, as they are in the turns."""
        start = int(self.system)
        parts = {
            "system": self.turns[:start],
            "history": self.turns[start : self.prefix],
            "newest": self.turns[self.prefix :],
        }
        return _with_reply({name: sum(map(costs.turn, turns)) for name, turns in parts.items()})


def order(case: Case, plan: Plan) -> Ordered:
    """The turns of a plan, in order."""
    text = system_text(case, plan)
    system = [Turn("system", text)] if text else []
    history = [turn(message) for group in plan.history for message in group.messages]
    newest = newest_turn(case, plan)
    live = [turn(message) for group in plan.live for message in group.messages]
    turns = (*system, *history, *([newest] if newest else []), *live)
    return Ordered(turns, len(system) + len(history), bool(system), len(live))


def measure(case: Case, plan: Plan) -> int:
    """The tokens of the request that a plan becomes: exact."""
    text, newest = system_text(case, plan), newest_turn(case, plan)
    system = case.costs.turn(Turn("system", text)) if text else 0
    said = sum(case.costs.messages(group.messages) for group in (*plan.history, *plan.live))
    total = system + said + (case.costs.turn(newest) if newest else 0)
    return total + REPLY if text or newest or plan.history or plan.live else 0


def system_text(case: Case, plan: Plan) -> str:
    return joined((*case.persona, known(plan.profile), pinned(plan.pins), summarised(plan.summaries)))


def newest_turn(case: Case, plan: Plan) -> Turn | None:
    """The message being answered, with what was recalled before its words; alone where the caller sends the message."""
    block = case.block(plan.retrieved)
    newest = case.newest
    if newest is None:
        return Turn("user", block) if block else None
    said = newest.turn
    if not block:
        return said
    if said.parts:
        return replace(said, text=block + GAP + said.text, parts=({"type": "text", "text": block}, *said.parts))
    return replace(said, text=block + GAP + said.text)


def sections(case: Case, plan: Plan) -> dict[str, int]:
    """The tokens of each section. Together they are the whole; the reply's three count with the last one."""
    costs = case.costs
    texts = {
        "system": joined(case.persona),
        "profile": joined((*case.persona, known(plan.profile))),
        "pins": joined((*case.persona, known(plan.profile), pinned(plan.pins))),
        "summaries": system_text(case, plan),
    }
    found: dict[str, int] = {}
    before = 0
    for name, text in texts.items():
        after = costs.turn(Turn("system", text)) if text else 0
        found[name], before = after - before, after
    found["history"] = sum(costs.messages(group.messages) for group in plan.history)
    whole, bare = newest_turn(case, plan), newest_turn(case, replace(plan, retrieved=()))
    asked = costs.turn(bare) if bare else 0
    found["retrieved"] = (costs.turn(whole) if whole else 0) - asked
    found["newest"] = asked + sum(costs.messages(group.messages) for group in plan.live)
    return _with_reply(found)


def _with_reply(found: dict[str, int]) -> dict[str, int]:
    shown = [name for name in SECTIONS if found.get(name)]
    return {name: found[name] + (REPLY if name == shown[-1] else 0) for name in shown}
