"""Step 4 of 5: puts the items of a plan into chat turns, and counts them. Steps 2 and 3 count the same turns.

The order is: system text, profile, pins, summaries, history, recalled block, newest message. Items that rarely change
come first, so that a provider can cache them. The recalled block is inside the newest message, before its text."""

from __future__ import annotations

from dataclasses import dataclass, replace

from aforesaid.context.plan import ContextPlan, PlanInput
from aforesaid.context.render import GAP, join_sections, pins_section, profile_section, summaries_section
from aforesaid.context.stable_history import flatten
from aforesaid.context.tokens import REPLY_TOKENS, TokenCounter
from aforesaid.context.turn import ChatTurn, to_turn

SECTIONS = ("system", "profile", "pins", "summaries", "history", "recalled", "newest")


@dataclass(frozen=True, slots=True)
class OrderedTurns:
    """The turns of a request. The first `prefix` turns do not change with the question. `system` is True if the first
    turn is the system text."""

    turns: tuple[ChatTurn, ...]
    prefix: int
    system: bool

    def sections(self, costs: TokenCounter) -> dict[str, int]:
        """The tokens of the system text, the history and the newest message, as they are in the turns."""
        start = int(self.system)
        parts = {
            "system": self.turns[:start],
            "history": self.turns[start : self.prefix],
            "newest": self.turns[self.prefix :],
        }
        return _with_reply({name: sum(map(costs.turn, turns)) for name, turns in parts.items()})


def order_turns(inputs: PlanInput, plan: ContextPlan) -> OrderedTurns:
    text = system_text(inputs, plan)
    system = [ChatTurn("system", text)] if text else []
    history, live = (list(map(to_turn, flatten(groups))) for groups in (plan.history, plan.live))
    newest = newest_turn(inputs, plan)
    turns = (*system, *history, *([newest] if newest else []), *live)
    return OrderedTurns(turns, len(system) + len(history), bool(system))


def plan_tokens(inputs: PlanInput, plan: ContextPlan) -> int:
    """The exact tokens of the request that a plan becomes."""
    total = system_cost(inputs, plan) + inputs.costs.messages(flatten(plan.history)) + newest_cost(inputs, plan)
    return total + REPLY_TOKENS if total else 0


def system_cost(inputs: PlanInput, plan: ContextPlan) -> int:
    """The tokens of the system text with the plan's profile, pins and summaries."""
    text = system_text(inputs, plan)
    return inputs.costs.turn(ChatTurn("system", text)) if text else 0


def newest_cost(inputs: PlanInput, plan: ContextPlan) -> int:
    """The tokens of the recalled block, of the message to answer, and of the tool calls since."""
    newest = newest_turn(inputs, plan)
    return (inputs.costs.turn(newest) if newest else 0) + inputs.costs.messages(flatten(plan.live))


def system_text(inputs: PlanInput, plan: ContextPlan) -> str:
    """Cached by the names of its items."""
    fields, pins = tuple(field.name for field in plan.profile), tuple(pin.id for pin in plan.pins)
    key = "system", fields, pins, tuple(summary.id for summary in plan.summaries)
    if key not in inputs.blocks:
        sections = profile_section(plan.profile), pins_section(plan.pins), summaries_section(plan.summaries)
        inputs.blocks[key] = join_sections((*inputs.system_texts, *sections))
    return inputs.blocks[key]


def newest_turn(inputs: PlanInput, plan: ContextPlan) -> ChatTurn | None:
    """The message to answer, after the recalled block; the block alone if the caller sends the message."""
    block = inputs.block(plan.recalled)
    if inputs.newest is None:
        return ChatTurn("user", block) if block else None
    turn = inputs.newest.turn
    if not block:
        return turn
    parts = ({"type": "text", "text": block}, *turn.parts) if turn.parts else ()
    return replace(turn, text=block + GAP + turn.text, parts=parts)


def section_tokens(inputs: PlanInput, plan: ContextPlan) -> dict[str, int]:
    """The tokens of each section. They add up to the whole; the tokens of the reply's start count for the last one."""
    shown = ContextPlan()
    tokens = {"system": system_cost(inputs, shown)}
    for name in ("profile", "pins", "summaries"):
        shown = replace(shown, **{name: getattr(plan, name)})
        tokens[name] = system_cost(inputs, shown) - sum(tokens.values())
    tokens["history"] = inputs.costs.messages(flatten(plan.history))
    tokens["newest"] = newest_cost(inputs, replace(plan, recalled=()))
    tokens["recalled"] = newest_cost(inputs, plan) - tokens["newest"]
    return _with_reply(tokens)


def _with_reply(tokens: dict[str, int]) -> dict[str, int]:
    shown = [name for name in SECTIONS if tokens.get(name)]
    return {name: tokens[name] + (REPLY_TOKENS if name == shown[-1] else 0) for name in shown}
