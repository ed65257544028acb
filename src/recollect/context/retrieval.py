"""A block of recalled chunks that never exceeds its own tokens, beside the last messages."""

from __future__ import annotations

from dataclasses import replace

from recollect.context.fill import last_within, newest_first, opening, with_history, with_pins, with_retrieved
from recollect.context.order import measure
from recollect.context.plan import Case, Plan

BLOCK = 1000  # tokens, where neither the recipe nor the settings say


def retrieval(case: Case) -> Plan:
    """Chunks in the order of their rank, code first for a question about code, up to the first that does not fit."""
    recipe, past = case.ask.recipe, case.scene.past
    block = BLOCK if recipe.retrieved_tokens is None else recipe.retrieved_tokens
    plan = with_pins(case, opening(case), round(case.ask.max_tokens * recipe.pins_share))
    room = case.ask.max_tokens - measure(case, replace(plan, history=())) - block
    recent = len(past) if recipe.recent is None else recipe.recent
    plan = with_history(case, plan, max(last_within(past, recent), newest_first(past, room, case)))
    return with_retrieved(case, plan, block, stop=True)
