"""Step 2 of 5: the fill strategies. Each selects the items of a plan from the material, within the token budget."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from aforesaid.context import receipt, stable_history
from aforesaid.context.excerpt import excerpt
from aforesaid.context.order import newest_cost, plan_tokens, system_cost
from aforesaid.context.pack_quotes import PackedQuotes, QuoteCosts, pack_quotes, select_quotes
from aforesaid.context.plan import ContextPlan, PlanInput, omitted
from aforesaid.context.quote import Quote, blockquote, is_external
from aforesaid.context.receipt import NO_ROOM
from aforesaid.context.render import pins_section, profile_section, summaries_section
from aforesaid.context.stable_history import MessageGroup, flatten, tail_start_within
from aforesaid.context.tokens import REPLY_TOKENS
from aforesaid.models.pin import Pin
from aforesaid.models.summary import Summary

T = TypeVar("T")
P = TypeVar("P", Pin, Summary)

JOIN_TOKENS = 8  # tokens that joining the recalled block to a message may add
AGE_PENALTY = 0.01  # priority that each older item loses
EXCERPTS_BELOW = 400  # tokens of room for the recalled block; with more, messages are shown whole
DEFAULT_BLOCK = 1000  # tokens of the recalled block, if neither the recipe nor the settings say


def base_plan(inputs: PlanInput) -> ContextPlan:
    """The part of a plan that every strategy shares: the last messages, the newest tool calls, and the profile."""
    current_turn, recipe = inputs.current_turn, inputs.request.recipe
    always = recipe.always if recipe.recent is None else min(recipe.always, recipe.recent)
    at = stable_history.tail_start_covering(current_turn.past, always - len(flatten(current_turn.live)))
    left_out = [omitted(invalid.message, invalid.reason) for invalid in current_turn.invalid_messages]
    if inputs.request.system:
        left_out += [omitted(message, receipt.REPLACED, section="system") for message in current_turn.lead]
    else:
        imported = filter(is_external, current_turn.lead)
        left_out += [omitted(message, receipt.NO_AUTHORITY, section="system") for message in imported]
    left_out += [omitted(summary, receipt.LOOKS_LIKE_INSTRUCTIONS) for summary in inputs.untrusted_summaries]
    if current_turn.newest and current_turn.newest.message and inputs.newest is None:
        left_out.append(omitted(current_turn.newest.message, receipt.SENT_BY_CALLER, section="newest"))
    kept = len(current_turn.past) - at
    plan = ContextPlan(history=current_turn.past[at:], live=current_turn.live, kept=kept).omit(*left_out)
    return _with_profile(inputs, plan, round(inputs.request.max_tokens * recipe.profile_share))


def _fitting(items: Iterable[T], cost: Callable[[Sequence[T]], int], room: int) -> tuple[tuple[T, ...], list[T]]:
    """Splits items into those that together cost at most `room`, and the rest."""
    taken: list[T] = []
    rest: list[T] = []
    for item in items:
        (taken if cost([*taken, item]) <= room else rest).append(item)
    return tuple(taken), rest


def _with_profile(inputs: PlanInput, plan: ContextPlan, room: int) -> ContextPlan:
    """The plan with the profile fields that fit into `room`, the free text first."""
    fields, rest = _fitting(inputs.trusted_profile, lambda taken: inputs.costs.text(profile_section(taken)), room)
    untrusted = [omitted(field, receipt.PROFILE_NO_AUTHORITY) for field in inputs.untrusted_profile]
    return replace(plan, profile=fields).omit(*untrusted, *(omitted(field, NO_ROOM) for field in rest))


def with_pins(inputs: PlanInput, plan: ContextPlan, room: int) -> ContextPlan:
    """The plan with the pins that fit into `room`, by importance."""
    pins, rest = _fitting(inputs.trusted_pins, lambda taken: inputs.costs.text(pins_section(taken)), room)
    return replace(plan, pins=pins).omit(*(omitted(pin, NO_ROOM, inputs.costs.text(pin.content)) for pin in rest))


def with_summaries(inputs: PlanInput, plan: ContextPlan, settled: Sequence[Summary], room: int) -> ContextPlan:
    """The plan with the last of the summaries that fit into `room`, at most as many as the recipe shows."""
    newest_first = inputs.last_of(settled)[::-1]
    taken, rest = _fitting(newest_first, lambda taken: inputs.costs.text(summaries_section(reversed(taken))), room)
    return replace(plan, summaries=taken[::-1]).omit(*(omitted(summary, NO_ROOM) for summary in rest))


def with_history(inputs: PlanInput, plan: ContextPlan, at: int, reason: str = receipt.OLDER) -> ContextPlan:
    """The plan with the history from group `at` on, and at least the groups that are never removed."""
    past = inputs.current_turn.past
    at = min(at, len(past) - plan.kept)
    known = {item.id for item in plan.omitted}
    older = [message for message in flatten(past[:at]) if message.id not in known]
    left_out = (omitted(message, reason, inputs.costs.message(message)) for message in older)
    return replace(plan, history=past[at:]).omit(*left_out)


def eligible_quotes(
    inputs: PlanInput, plan: ContextPlan, room: int, shown: Iterable[str] = ()
) -> tuple[ContextPlan, PackedQuotes]:
    """Searches for as much as fits into `room`. Returns the plan with the hits, and the quotes of messages that are
    neither in the plan nor `shown` elsewhere."""
    newest, here = inputs.current_turn.newest, flatten((*plan.history, *plan.live))
    here += (newest.message,) if newest and newest.message else ()
    hits = inputs.material.find(room, here)
    return replace(plan, found=hits), select_quotes(inputs, hits, [*shown, *(message.id for message in here)])


def with_recalled(
    inputs: PlanInput, plan: ContextPlan, room: int, *, stop: bool = False, shown: Iterable[str] = ()
) -> ContextPlan:
    """The plan with the recalled block. It takes at most `room` tokens, and at most the free tokens of the plan."""
    free = inputs.request.max_tokens - plan_tokens(inputs, plan) - JOIN_TOKENS
    limit = inputs.request.recipe.recalled_tokens
    room = min(room, free) if limit is None else min(room, free, limit)
    plan, eligible = eligible_quotes(inputs, plan, room, shown)
    packed = pack_quotes(inputs, eligible.quotes, room, stop=stop)
    if room < EXCERPTS_BELOW and packed.omitted:
        packed = _pack_excerpts(inputs, plan, eligible.quotes, room, stop=stop)
    return replace(plan, recalled=packed.quotes).omit(*eligible.omitted, *packed.omitted)


def _pack_excerpts(
    inputs: PlanInput, plan: ContextPlan, quotes: Sequence[Quote], room: int, *, stop: bool
) -> PackedQuotes:
    """Packs excerpts of the quotes. Then shows the best ones whole, as far as the room allows. Quotes are masked before
    they are shortened, because a secret may need the sentence before it to be one."""
    own = inputs.material.space
    messages = {(hit.space or own, hit.id): hit.message.text for hit in plan.found if hit.message and hit.chunk}
    question = inputs.current_turn.question or ""
    whole = {quote.key: inputs.mask_quote(quote) for quote in quotes}
    said = [messages.get((quote.space or own, quote.id), quote.text) for quote in quotes]
    excerpts = [excerpt(whole[quote.key], text, question) for quote, text in zip(quotes, said, strict=True)]
    packed = pack_quotes(inputs, excerpts, room, stop=stop)
    taken = list(packed.quotes)
    for at, quote in enumerate(taken):
        larger = (*taken[:at], whole[quote.key], *taken[at + 1 :])
        if quote.words and inputs.costs.text(inputs.block(larger)) <= room:
            taken[at] = whole[quote.key]
    return replace(packed, quotes=tuple(taken))


def balanced(inputs: PlanInput) -> ContextPlan:
    """The start of the history depends on neither the question nor a newest message that fits into its reserve."""
    recipe, limit = inputs.request.recipe, inputs.request.max_tokens
    recalled = recipe.kept_for_recalled(limit)
    newest_reserve = round(limit * recipe.newest_share)
    summaries_room = round(limit * recipe.summaries_share) if inputs.material.summaries else 0
    plan = with_pins(inputs, base_plan(inputs), round(limit * recipe.pins_share))
    plan = replace(plan, reserved=recalled + newest_reserve)
    fixed = REPLY_TOKENS + system_cost(inputs, plan) + summaries_room + recalled
    plan = _with_stable_history(inputs, plan, max(0, limit - fixed - newest_reserve))
    plan = _make_room_for_newest(inputs, plan, limit - fixed, newest_reserve)
    first = plan.history[0].messages[0].seq if plan.history else None
    settled = [summary for summary in inputs.trusted_summaries if first is not None and summary.last_seq < first]
    return with_recalled(inputs, with_summaries(inputs, plan, settled, summaries_room), limit)


def _with_stable_history(inputs: PlanInput, plan: ContextPlan, room: int) -> ContextPlan:
    """The plan with a history whose start stays the same until it exceeds the high-water mark."""
    recipe, material = inputs.request.recipe, inputs.material
    marks = stable_history.WaterMarks(int(room * recipe.high_water), int(room * recipe.low_water))
    place = stable_history.token_positions(material.messages, material.end)
    newest = inputs.current_turn.newest
    end = place[newest.message.id] if newest and newest.message else material.end
    start = stable_history.first_group(inputs.current_turn.past, place, stable_history.cut_position(end, marks))
    return with_history(inputs, plan, start)


def _make_room_for_newest(inputs: PlanInput, plan: ContextPlan, room: int, reserve: int) -> ContextPlan:
    """Removes older messages if the newest message is larger than its reserve."""
    cost = newest_cost(inputs, plan)
    if cost <= reserve:
        return plan
    at = tail_start_within(plan.history, max(0, room - cost), inputs.costs.messages)
    if at > 0:
        at = min(stable_history.next_turn(plan.history, at), len(plan.history) - plan.kept)
    if at == 0:
        return plan
    removed = len(flatten(plan.history[:at]))
    reason = f"gave way to the newest one, which takes {cost} tokens of {reserve} kept for it"
    shorter = with_history(inputs, plan, len(inputs.current_turn.past) - len(plan.history) + at)
    return replace(shorter, warnings=(*plan.warnings, f"history: {removed} messages {reason}"))


def client_history(inputs: PlanInput) -> ContextPlan:
    """No history, and nothing from the messages that the caller sends: no quote, pin or summary of them. Nothing that
    the caller's prompt already quotes."""
    recipe, limit, since = inputs.request.recipe, inputs.request.max_tokens, inputs.request.since or 0
    sent = {*(message.id for message in inputs.material.messages), *(inputs.request.sent or ())}
    plan = with_pins(inputs, base_plan(inputs), round(limit * recipe.pins_share))
    plan = replace(plan, profile=tuple(field for field in plan.profile if field.name not in sent))
    repeated = tuple(pin for pin in plan.pins if pin.source_message_id in sent or pin.id in sent)
    pins = tuple(pin for pin in plan.pins if pin not in repeated)
    plan = replace(plan, pins=pins).omit(*(omitted(pin, receipt.SHOWN) for pin in repeated))
    before = [summary for summary in inputs.trusted_summaries if summary.last_seq < since and summary.id not in sent]
    plan = with_summaries(inputs, plan, before, round(limit * recipe.summaries_share))
    return with_recalled(inputs, plan, limit, shown=sent)


@dataclass(frozen=True, slots=True)
class TokenClaim:
    """An item that competes for the tokens of a section."""

    priority: float
    section: str
    tokens: int
    item: MessageGroup | Quote | Summary


def project(inputs: PlanInput) -> ContextPlan:
    """Recent messages, recalled messages and summaries compete by priority for the tokens after the reserves."""
    request, recipe = inputs.request, inputs.request.recipe
    scale = min(1.0, request.max_tokens / max(1, recipe.max_tokens))
    system_reserve, working_reserve = round(recipe.system_reserve * scale), round(recipe.working_reserve * scale)
    reserved = system_reserve + working_reserve
    plan = replace(base_plan(inputs), reserved=reserved)
    plan = with_pins(inputs, plan, max(working_reserve, round(request.max_tokens * recipe.pins_share)))
    excess = max(0, REPLY_TOKENS + system_cost(inputs, plan) - system_reserve)
    excess += max(0, newest_cost(inputs, plan) - working_reserve)
    available = max(0, request.max_tokens - reserved - excess)
    start = 0 if recipe.recent is None else tail_start_within(inputs.current_turn.past, recipe.recent, len)
    history = with_history(inputs, plan, start).history
    found, eligible = eligible_quotes(inputs, replace(plan, history=history), available)
    plan = replace(plan, found=found.found)
    eligible = replace(eligible, quotes=tuple(map(inputs.mask_quote, eligible.quotes)))
    taken, short = _spend(inputs, list(_token_claims(inputs, start, eligible.quotes)), available)
    left_out = (omitted(quote, NO_ROOM, tokens, missing=missing) for quote, tokens, missing in short)
    return _project_plan(inputs, plan, eligible, taken).omit(*left_out)


def _token_claims(inputs: PlanInput, start: int, quotes: Sequence[Quote]) -> Iterator[TokenClaim]:
    recipe, costs = inputs.request.recipe, inputs.costs
    for age, group in enumerate(reversed(inputs.current_turn.past[start:])):
        priority = recipe.recent_priority - AGE_PENALTY * age
        yield TokenClaim(priority, "history", costs.messages(group.messages), group)
    for quote in quotes:
        priority = recipe.recent_priority if quote.score is None else quote.score.total
        yield TokenClaim(priority, "recalled", QuoteCosts(inputs).cost(quote), quote)
    for age, summary in enumerate(reversed(inputs.last_summaries)):
        tokens = costs.text("\n".join(blockquote("0000-0000", summary.text)))
        yield TokenClaim(recipe.summary_priority - AGE_PENALTY * age, "summaries", tokens, summary)


def _spend(
    inputs: PlanInput, claims: list[TokenClaim], available: int
) -> tuple[list[TokenClaim], list[tuple[Quote, int, int]]]:
    """The claims that fit, and each quote that does not, with its tokens and those that it lacks."""
    recipe = inputs.request.recipe
    room = {
        "history": round(available * recipe.recent_share),
        "recalled": round(available * recipe.recalled_share),
        "summaries": available,
    }
    taken: list[TokenClaim] = []
    short: list[tuple[Quote, int, int]] = []
    for claim in sorted(claims, key=lambda claim: -claim.priority):
        left = min(room[claim.section], available)
        if claim.tokens > left:
            if isinstance(claim.item, Quote):
                short.append((claim.item, claim.tokens, claim.tokens - left))
            if claim.section == "history":
                room["history"] = 0  # the history has no gaps
            continue
        room[claim.section] -= claim.tokens
        available -= claim.tokens
        taken.append(claim)
    return taken, short


def _project_plan(inputs: PlanInput, plan: ContextPlan, eligible: PackedQuotes, taken: list[TokenClaim]) -> ContextPlan:
    recent = sum(isinstance(claim.item, MessageGroup) for claim in taken)
    plan = with_history(inputs, plan, len(inputs.current_turn.past) - recent)
    chosen = {claim.item.id for claim in taken if isinstance(claim.item, Summary)}
    packed = {claim.item.key for claim in taken if isinstance(claim.item, Quote)}
    quotes = tuple(quote for quote in eligible.quotes if quote.key in packed)
    summaries = tuple(summary for summary in inputs.last_summaries if summary.id in chosen)
    rest = [summary for summary in inputs.trusted_summaries if summary.id not in chosen]
    return replace(plan, recalled=quotes, summaries=summaries).omit(
        *eligible.omitted,
        *(omitted(summary, NO_ROOM) for summary in rest),
    )


def retrieval(inputs: PlanInput) -> ContextPlan:
    """Chunks by rank, code first if the question is about code, up to the first that does not fit."""
    recipe, past, limit = inputs.request.recipe, inputs.current_turn.past, inputs.request.max_tokens
    block = DEFAULT_BLOCK if recipe.recalled_tokens is None else recipe.recalled_tokens
    plan = with_pins(inputs, base_plan(inputs), round(limit * recipe.pins_share))
    room = limit - plan_tokens(inputs, replace(plan, history=())) - block
    recent = len(past) if recipe.recent is None else recipe.recent
    start = max(tail_start_within(past, recent, len), tail_start_within(past, room, inputs.costs.messages))
    return with_recalled(inputs, with_history(inputs, plan, start), block, stop=True)


def rolling(inputs: PlanInput) -> ContextPlan:
    """The latest rolling summary and the messages since."""
    recipe, past, limit = inputs.request.recipe, inputs.current_turn.past, inputs.request.max_tokens
    latest = inputs.last_summaries[-1:]
    after = latest[0].last_seq if latest else -1
    plan = with_pins(inputs, replace(base_plan(inputs), summaries=latest), round(limit * recipe.pins_share))
    start = next((at for at, group in enumerate(past) if group.messages[0].seq > after), len(past))
    plan = replace(plan, history=(), kept=min(plan.kept, len(past) - start))
    fits = tail_start_within(past, limit - plan_tokens(inputs, plan), inputs.costs.messages)
    plan = with_history(inputs, plan, max(start, fits), receipt.SUMMED_UP if fits <= start else NO_ROOM)
    return with_recalled(inputs, plan, limit)


def window(inputs: PlanInput) -> ContextPlan:
    """Everything if it fits, else the last messages, pins by importance, and the newest summaries, each up to the first
    that does not fit."""
    base, recent = base_plan(inputs), inputs.request.recipe.recent or 0
    newest, past, limit = inputs.current_turn.newest, inputs.current_turn.past, inputs.request.max_tokens
    if inputs.request.include_newest and newest and newest.message:
        recent -= 1
    plan = with_history(inputs, base, tail_start_within(past, recent, len), receipt.BEYOND)
    plan = replace(plan, pins=inputs.trusted_pins, summaries=inputs.last_summaries)
    if plan_tokens(inputs, plan) > limit:
        plan = with_history(inputs, base, len(past), receipt.OVER)
        plan = _until_full(inputs, plan, inputs.trusted_pins, lambda plan, pin: replace(plan, pins=(*plan.pins, pin)))
        newest_first = inputs.last_summaries[::-1]
        plan = _until_full(inputs, plan, newest_first, lambda p, summary: replace(p, summaries=(summary, *p.summaries)))
    return with_recalled(inputs, plan, limit)


def _until_full(
    inputs: PlanInput, plan: ContextPlan, items: Sequence[P], add: Callable[[ContextPlan, P], ContextPlan]
) -> ContextPlan:
    """Adds items up to the first that does not fit."""
    for at, item in enumerate(items):
        more = add(plan, item)
        if plan_tokens(inputs, more) > inputs.request.max_tokens:
            return plan.omit(*(omitted(rest, receipt.OVER) for rest in items[at:]))
        plan = more
    return plan
