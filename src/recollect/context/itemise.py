"""The items of a receipt, in the order in which a model reads them; then what was left out."""

from __future__ import annotations

from collections.abc import Iterator

from recollect.context.fit import Fitted
from recollect.context.pack import Tally
from recollect.context.plan import Case, Plan
from recollect.context.quote import quoted
from recollect.context.receipt import ReceiptItem
from recollect.context.render import joined, ordered, profile_lines
from recollect.models import Message

CUT = ", cut to fit"


def items(case: Case, fitted: Fitted) -> tuple[ReceiptItem, ...]:
    shown = (*_system(case, fitted), *_history(case, fitted), *_retrieved(case, fitted.plan), *_end(case, fitted))
    return shown + fitted.plan.left


def _system(case: Case, fitted: Fitted) -> Iterator[ReceiptItem]:
    plan, costs = fitted.plan, case.costs
    if case.persona:
        said = "given" if case.ask.system or not case.scene.lead else "the conversation begins with it"
        cut = CUT if fitted.ordered.system and 0 in fitted.cut else ""
        yield ReceiptItem("system", "text", "system", None, True, said + cut, costs.text(joined(case.persona)))
    for field in plan.profile:
        tokens = costs.text("\n".join(profile_lines(field)))
        said = f"known since {field.set_at.date().isoformat()}, from the {field.source}"
        yield ReceiptItem("profile", "profile", field.name or "text", field.message_id, True, said, tokens)
    for pin in plan.pins:
        tokens = costs.text("\n".join(quoted("pin", pin.content)))
        said = f"pinned, importance {pin.importance:.2f}" + (f", {pin.reason}" if pin.reason else "")
        yield ReceiptItem("pins", "pin", pin.id, pin.source_message_id, True, said, tokens)
    for summary in plan.summaries:
        tokens = costs.text("\n".join(quoted("0-0", summary.text)))
        said = f"{summary.kind} of messages {summary.first_seq} to {summary.last_seq}"
        yield ReceiptItem("summaries", "summary", summary.id, None, True, said, tokens)


def _history(case: Case, fitted: Fitted) -> Iterator[ReceiptItem]:
    plan = fitted.plan
    messages = [message for group in plan.history for message in group.messages]
    kept = sum(len(group.messages) for group in plan.history[len(plan.history) - plan.kept :])
    for at, message in enumerate(messages):
        said = f"one of the last {kept}" if at >= len(messages) - kept else "recent"
        place = at + int(fitted.ordered.system)
        yield _message("history", message, said + (CUT if place in fitted.cut else ""), case)


def _retrieved(case: Case, plan: Plan) -> Iterator[ReceiptItem]:
    rank = {quote.id: at for at, quote in enumerate(plan.retrieved, 1)}
    tally = Tally(case.costs, case.material.conversation)
    for quote in ordered(plan.retrieved):
        tokens = tally.cost(quote)
        tally.take(quote)
        said = f"rank {rank[quote.id]}" if quote.kind != "pin" else "a pin of words that have no authority"
        if quote.untrusted:
            said += ", marked untrusted"
        source = quote.source_message_id
        yield ReceiptItem("retrieved", quote.kind, quote.id, source, True, said, tokens, quote.score, quote.sources)


def _end(case: Case, fitted: Fitted) -> Iterator[ReceiptItem]:
    newest = case.newest
    place = fitted.ordered.prefix
    if newest is not None:
        cut = CUT if place in fitted.cut else ""
        if newest.message is None:
            tokens = case.costs.turn(newest.turn)
            yield ReceiptItem("newest", "query", "query", None, True, "being answered" + cut, tokens)
        else:
            yield _message("newest", newest.message, "being answered" + cut, case)
    for at, message in enumerate((m for group in fitted.plan.live for m in group.messages), place + 1):
        yield _message("newest", message, "since the newest message" + (CUT if at in fitted.cut else ""), case)


def _message(section: str, message: Message, reason: str, case: Case) -> ReceiptItem:
    return ReceiptItem(section, "message", message.id, message.id, True, reason, case.costs.message(message))
