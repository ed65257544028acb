"""Orders a context: system text, profile, pins, summaries, history, recalled block, newest message.

What rarely changes comes first, so that a provider can cache it. The recalled block changes with each question, so it
is inside the message with the question, before its text.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from aforesaid.context.plan import ContextPlan, PlanInput
from aforesaid.context.render import GAP, join_sections, pins_section, profile_section, summaries_section
from aforesaid.context.tokens import REPLY_TOKENS, TokenCounter
from aforesaid.context.turn import ChatTurn, to_turn

SECTIONS = ("system", "profile", "pins", "summaries", "history", "recalled", "newest")


@dataclass(frozen=True, slots=True)
class OrderedTurns:
    """The turns of a request. The first `prefix` turns do not change with the question. `system` is True if the first
    turn is the system text. The last `live` turns follow the newest message."""

    turns: tuple[ChatTurn, ...]
    prefix: int
    system: bool
    live: int = 0

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
    history = [to_turn(message) for group in plan.history for message in group.messages]
    newest = newest_turn(inputs, plan)
    live = [to_turn(message) for group in plan.live for message in group.messages]
    turns = (*system, *history, *([newest] if newest else []), *live)
    return OrderedTurns(turns, len(system) + len(history), bool(system), len(live))


def plan_tokens(inputs: PlanInput, plan: ContextPlan) -> int:
    """The exact tokens of the request that a plan becomes."""
    text, newest = system_text(inputs, plan), newest_turn(inputs, plan)
    system = inputs.costs.turn(ChatTurn("system", text)) if text else 0
    messages = sum(inputs.costs.messages(group.messages) for group in (*plan.history, *plan.live))
    total = system + messages + (inputs.costs.turn(newest) if newest else 0)
    return total + REPLY_TOKENS if text or newest or plan.history or plan.live else 0


def system_text(inputs: PlanInput, plan: ContextPlan) -> str:
    profile, pins, summaries = profile_section(plan.profile), pins_section(plan.pins), summaries_section(plan.summaries)
    return join_sections((*inputs.system_texts, profile, pins, summaries))


def newest_turn(inputs: PlanInput, plan: ContextPlan) -> ChatTurn | None:
    """The message to answer, with the recalled block before its text. The block alone if the caller sends the
    message."""
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
    costs = inputs.costs
    tokens: dict[str, int] = {}
    shown = ContextPlan()
    before = 0
    for name in ("system", "profile", "pins", "summaries"):
        if name != "system":
            shown = replace(shown, **{name: getattr(plan, name)})
        text = system_text(inputs, shown)
        after = costs.turn(ChatTurn("system", text)) if text else 0
        tokens[name], before = after - before, after
    tokens["history"] = sum(costs.messages(group.messages) for group in plan.history)
    whole, bare = newest_turn(inputs, plan), newest_turn(inputs, replace(plan, recalled=()))
    newest = costs.turn(bare) if bare else 0
    tokens["recalled"] = (costs.turn(whole) if whole else 0) - newest
    tokens["newest"] = newest + sum(costs.messages(group.messages) for group in plan.live)
    return _with_reply(tokens)


def _with_reply(tokens: dict[str, int]) -> dict[str, int]:
    shown = [name for name in SECTIONS if tokens.get(name)]
    return {name: tokens[name] + (REPLY_TOKENS if name == shown[-1] else 0) for name in shown}
