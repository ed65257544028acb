"""Step 5 of 5: runs steps 2 to 4, then makes the context, its receipt, and the record for the ledger.

All steps are pure: the same material and the same request give the same bytes."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache

from aforesaid.context.anthropic import count_before_first_user
from aforesaid.context.context import Budget, Context, Section, SectionItem
from aforesaid.context.fit import FittedPlan, fit
from aforesaid.context.gather import Material
from aforesaid.context.pack_quotes import QuoteCosts
from aforesaid.context.plan import ContextPlan, PlanInput, receipt_item
from aforesaid.context.quote import blockquote
from aforesaid.context.receipt import EXPECTED_REASONS, EXPIRED, Receipt, ReceiptItem
from aforesaid.context.recipe import FillStrategy
from aforesaid.context.render import chronological, join_sections, profile_lines
from aforesaid.context.request import ContextRequest
from aforesaid.context.stable_history import flatten
from aforesaid.context.stored_receipt import rounded
from aforesaid.context.strategies import balanced, client_history, project, retrieval, rolling, window
from aforesaid.context.tokens import TokenCounter
from aforesaid.context.turn import to_openai
from aforesaid.models.retrieval import Retrieval, RetrievalRecord
from aforesaid.text.masking import JsonMask, no_mask
from aforesaid.text.validate import compact_json

CUT_NOTE = ", cut to fit"
TOP_SCORES = 3  # scores in the record of a retrieval
STRATEGIES: Mapping[FillStrategy, Callable[[PlanInput], ContextPlan]] = {
    "balanced": balanced,
    "window": window,
    "project": project,
    "rolling": rolling,
    "retrieval": retrieval,
}


@dataclass(frozen=True, slots=True)
class ReceiptStamp:
    """The id and the time of a receipt."""

    id: str
    at: datetime


def build(
    request: ContextRequest,
    material: Material,
    count: Callable[[str], int],
    stamp: ReceiptStamp,
    mask: JsonMask = no_mask,
    *,
    others: Mapping[str, JsonMask] | None = None,
) -> Context:
    """The stamp does not change the bytes of the context. `others` are the masks of other spaces."""
    inputs = PlanInput(request, material, TokenCounter(count), mask, others=others or {})
    strategy = STRATEGIES[request.recipe.fill] if request.since is None else client_history
    plan = strategy(inputs)
    return _assemble(inputs, fit(inputs, plan), stamp)


def _assemble(inputs: PlanInput, fitted: FittedPlan, stamp: ReceiptStamp) -> Context:
    plan, ordered, request, material = fitted.plan, fitted.ordered, inputs.request, inputs.material
    tokens = sum(fitted.sections.values())
    warnings = (*material.warnings, *plan.found.warnings, *plan.warnings)
    warnings += (*_omission_warnings(plan.omitted), *_anthropic_warnings(fitted))
    history, newest = flatten(plan.history), inputs.newest
    items: dict[str, tuple[SectionItem, ...]] = {
        "system": inputs.system_texts,
        "profile": plan.profile,
        "pins": plan.pins,
        "summaries": plan.summaries,
        "history": history,
        "recalled": plan.recalled,
        "newest": ((newest,) if newest else ()) + flatten(plan.live),
    }
    context = Context(
        sections=tuple(Section(name, items[name], size) for name, size in fitted.sections.items()),
        tokens=tokens,
        budget=Budget(request.max_tokens, plan.reserved, tokens, max(0, request.max_tokens - plan.reserved)),
        system=ordered.turns[0].text if ordered.system else "",
        history=history,
        recent=history + ((newest.message,) if newest and newest.message and request.include_newest else ()),
        profile=plan.profile,
        pins=plan.pins,
        summaries=plan.summaries,
        recalled=plan.recalled,
        newest=newest,
        turns=ordered.turns,
        prefix=ordered.prefix,
        prefix_tokens=sum(map(inputs.costs.turn, ordered.turns[: ordered.prefix])),
        warnings=warnings,
        degraded=(*material.degraded, *plan.found.degraded),
        make_receipt=cache(lambda: _receipt(inputs, fitted, stamp, context)),
        milliseconds=plan.found.milliseconds,
    )
    return context


def _receipt(inputs: PlanInput, fitted: FittedPlan, stamp: ReceiptStamp, context: Context) -> Receipt:
    request, material, turns = inputs.request, inputs.material, context.turns
    return Receipt(
        id=stamp.id,
        at=stamp.at,
        space=material.space,
        conversation=material.conversation,
        call=request,
        question=inputs.current_turn.question,
        tokens=context.tokens,
        prefix_tokens=context.prefix_tokens,
        sections=fitted.sections,
        items=tuple(map(rounded, (*_shown_items(inputs, fitted), *fitted.plan.omitted, *_expired_items(material)))),
        warnings=context.warnings,
        degraded=context.degraded,
        digest=hashlib.sha256(compact_json(to_openai(turns)).encode()).hexdigest(),
        text=None if request.sent is None else "\n\n".join(turn.text for turn in turns),
    )


def _expired_items(material: Material) -> Iterator[ReceiptItem]:
    """Counts the expired messages and does not name them, because their erasure deletes the receipts that do."""
    if material.expired:
        yield ReceiptItem("history", "message", f"{material.expired} of the space", None, False, EXPIRED)


def _omission_warnings(omitted: tuple[ReceiptItem, ...]) -> list[str]:
    """The numbers of items that did not fit or could not be sent, by section and reason."""
    counts = Counter((item.section, item.reason) for item in omitted if item.reason not in EXPECTED_REASONS)
    return [f"{section}: {number} left out, {reason}" for (section, reason), number in counts.items()]


def _anthropic_warnings(fitted: FittedPlan) -> list[str]:
    number = count_before_first_user(fitted.ordered.turns)
    messages = "1 message" if number == 1 else f"{number} messages"
    return [f"history: to_anthropic() leaves out {messages} before the first of the user's"] if number else []


def _shown_items(inputs: PlanInput, fitted: FittedPlan) -> Iterator[ReceiptItem]:
    yield from _system_items(inputs, fitted)
    yield from _history_items(inputs, fitted)
    yield from _recalled_items(inputs, fitted.plan)
    yield from _newest_items(inputs, fitted)


def _system_items(inputs: PlanInput, fitted: FittedPlan) -> Iterator[ReceiptItem]:
    plan, costs = fitted.plan, inputs.costs
    if inputs.system_texts:
        reason = "given" if inputs.request.system or not inputs.current_turn.lead else "the conversation begins with it"
        reason += CUT_NOTE if fitted.ordered.system and 0 in fitted.cut else ""
        tokens = costs.text(join_sections(inputs.system_texts))
        yield ReceiptItem("system", "text", "system", None, True, reason, tokens)
    for field in plan.profile:
        reason = f"known since {field.set_at.date().isoformat()}, from the {field.source}"
        yield receipt_item(field, reason, costs.text("\n".join(profile_lines(field))))
    for pin in plan.pins:
        reason = f"pinned, importance {pin.importance:.2f}" + (f", {pin.reason}" if pin.reason else "")
        yield receipt_item(pin, reason, costs.text("\n".join(blockquote("pin", pin.content))))
    for summary in plan.summaries:
        reason = f"{summary.kind} of messages {summary.first_seq} to {summary.last_seq}"
        yield receipt_item(summary, reason, costs.text("\n".join(blockquote("0-0", summary.text))))


def _history_items(inputs: PlanInput, fitted: FittedPlan) -> Iterator[ReceiptItem]:
    plan = fitted.plan
    messages = flatten(plan.history)
    always = len(flatten(plan.history[len(plan.history) - plan.kept :]))
    for at, message in enumerate(messages):
        reason = f"one of the last {always}" if at >= len(messages) - always else "recent"
        reason += CUT_NOTE if at + int(fitted.ordered.system) in fitted.cut else ""
        yield receipt_item(message, reason, inputs.costs.message(message))


def _recalled_items(inputs: PlanInput, plan: ContextPlan) -> Iterator[ReceiptItem]:
    rank = {quote.key: at for at, quote in enumerate(plan.recalled, 1)}
    tally = QuoteCosts(inputs)
    for quote in chronological(plan.recalled):
        tokens = tally.cost(quote)
        tally.take(quote)
        own_pin = quote.kind == "pin" and quote.space is None
        reason = "a pin of words that have no authority" if own_pin else f"rank {rank[quote.key]}"
        reason += f", an excerpt of {quote.words[0]} of {quote.words[1]} words" if quote.words else ""
        reason += ", a part of the message" if not quote.whole and not quote.words else ""
        yield receipt_item(quote, reason + (", marked untrusted" if quote.untrusted else ""), tokens)


def _newest_items(inputs: PlanInput, fitted: FittedPlan) -> Iterator[ReceiptItem]:
    newest, place = inputs.newest, fitted.ordered.prefix
    if newest is not None:
        reason = "current question" + (CUT_NOTE if place in fitted.cut else "")
        if newest.message is None:
            yield ReceiptItem("newest", "query", "query", None, True, reason, inputs.costs.turn(newest.turn))
        else:
            yield receipt_item(newest.message, reason, inputs.costs.message(newest.message), section="newest")
    for at, message in enumerate(flatten(fitted.plan.live), place + 1):
        reason = "since the newest message" + (CUT_NOTE if at in fitted.cut else "")
        yield receipt_item(message, reason, inputs.costs.message(message), section="newest")


def retrieval_record(
    receipt: Receipt,
    flags: Mapping[str, bool | int | float | str],
    milliseconds: Mapping[str, float],
    other: str | None = None,
) -> RetrievalRecord:
    """The ledger's record of a context: its numbers, and the ids of the recalled messages and facts. With `other`, that
    of what came from another space."""
    found = [item for item in receipt.items if item.included and item.section == "recalled" and item.score]
    recalled = [item for item in found if item.space == other]
    scores = sorted((item.score.total for item in recalled if item.score), reverse=True)
    retrieval = Retrieval(
        id=receipt.id,
        space=other or receipt.space,
        conversation=None if other else receipt.conversation,
        at=receipt.at,
        kind="context",
        hits=len(recalled),
        sources=dict(Counter(source for item in recalled for source in item.sources)),
        content=dict(Counter(item.kind for item in recalled)),
        milliseconds=milliseconds,
        top_scores=tuple(scores[:TOP_SCORES]),
        flags=flags,
        degraded=receipt.degraded,
        tokens=None if other else receipt.tokens,
        budget=None if other else receipt.max_tokens,
        prefix_tokens=None if other else receipt.prefix_tokens,
    )
    ids = {kind: tuple(item.id for item in recalled if item.kind == kind) for kind in ("message", "fact")}
    return RetrievalRecord(retrieval, ids["message"], ids["fact"])
