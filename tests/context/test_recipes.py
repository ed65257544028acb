"""Tests that each recipe has its documented behavior and numbers."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.context.world import O200K, context, hit, material, message, pin, summary, turns

from aforesaid import RECIPES, InvalidInput, Recipe
from aforesaid.context.quote import quote_hit
from aforesaid.context.render import recalled_block

PINS = [pin(number, f"note {number}", 1 - number / 10) for number in range(5)]
SUMMARIES = [summary(first, first + 1, f"summary {first}") for first in range(0, 6, 2)]
WINDOW, PROJECT, ROLLING, RETRIEVAL = (RECIPES[name] for name in ("window", "project", "rolling", "retrieval"))


@pytest.mark.req("A1", "A2", "A3", "A4", "A6")
def test_window_shows_eight_recent_messages_five_pins_and_three_summaries():
    assert (WINDOW.recent, WINDOW.pins, WINDOW.summaries, WINDOW.max_tokens, WINDOW.always) == (8, 5, 3, 3000, 3)
    log = [*turns(10), message(20, "user", "now this")]
    ctx = context(material(log, pins=PINS, summaries=SUMMARIES), recipe="window")
    assert [one.seq for one in ctx.recent] == list(range(12, 20))
    assert ctx.pins == tuple(PINS)
    assert ctx.summaries == tuple(SUMMARIES)
    assert ctx.recalled == ()
    assert ctx.to_openai()[-1]["content"] == "now this"
    assert {section.name: section.tokens > 0 for section in ctx.sections} == dict.fromkeys(
        ("pins", "summaries", "history", "newest"), True
    )


@pytest.mark.req("A1")
def test_include_newest_adds_the_newest_message_to_the_recent_ones_or_omits_it():
    log = [*turns(10), message(20, "user", "now this")]
    assert [one.seq for one in context(material(log), recipe="window", include_newest=True).recent] == [*range(13, 21)]
    without = context(material(log), recipe="window", include_newest=False)
    assert [one["content"] for one in without.to_openai()] == [one.content for one in log[12:20]]


@pytest.mark.req("A5")
def test_window_over_its_limit_keeps_three_messages_then_pins_then_summaries():
    log = [*turns(10, "quite a few words to fill the window " * 4), message(20, "user", "now this")]
    read = material(log, pins=PINS, summaries=SUMMARIES)
    whole = context(read, recipe="window").tokens
    seen = []
    for limit in range(whole, 0, -1):
        ctx = context(read, recipe="window", max_tokens=limit, overflow="truncate")
        if any("cut to fit" in warning for warning in ctx.warnings):
            break
        seen.append((len(ctx.history), len(ctx.pins), len(ctx.summaries)))
        assert ctx.pins == tuple(PINS[: len(ctx.pins)])
        assert ctx.summaries == tuple(SUMMARIES[len(SUMMARIES) - len(ctx.summaries) :])
    steps = list(dict.fromkeys(seen))
    assert steps == [(8, 5, 3), *((3, 5, number) for number in (3, 2, 1, 0)), *((3, n, 0) for n in (4, 3, 2, 1, 0))]


@pytest.mark.req("A5")
def test_window_stops_at_the_first_pin_that_does_not_fit():
    log = [*turns(10, "quite a few words to fill the window " * 4), message(20, "user", "now this")]
    pins = [pin(0, "small", 0.9), pin(1, "large " * 100, 0.8), pin(2, "small too", 0.7)]
    ctx = context(material(log, pins=pins), recipe="window", max_tokens=230)
    assert ctx.pins == (pins[0],)
    assert "pins: 2 left out, over the limit" in ctx.warnings


@pytest.mark.req("B2", "B22")
def test_project_has_its_documented_numbers():
    assert PROJECT.to_dict() | {
        "max_tokens": 128_000, "working_reserve": 8_000, "system_reserve": 2_000, "chunk_size": 10, "recent": 20,
        "short_term_turns": 50, "consolidation_days": 30, "max_episodes": 100, "recalled": 10, "threshold": 0.3,
        "recency_weight": 0.3, "importance_weight": 0.4, "weights": [0.4, 0.3, 0.2, 0.1, 0.0],
        "recent_share": 0.6, "recalled_share": 0.4, "recent_priority": 0.9, "summary_priority": 0.5,
    } == PROJECT.to_dict()  # fmt: skip


@pytest.mark.req("B1", "B2", "B10")
def test_project_fills_shares_of_the_budget_without_its_reserves():
    log = [*turns(20), message(40, "user", "now this")]
    hits = [hit(seq, f"memory {seq}", 0.9 - seq / 10) for seq in range(9)]
    ctx = context(material(log, pins=PINS, summaries=SUMMARIES, hits=hits), recipe="project", system="You plan.")
    assert (ctx.budget.total, ctx.budget.reserved, ctx.budget.available) == (128_000, 10_000, 118_000)
    assert ctx.budget.used == ctx.tokens
    assert len(ctx.recent) == 20
    assert [quote.id for quote in ctx.recalled] == [f"old-{seq}" for seq in range(7)]
    assert {item.id for item in ctx.receipt.items if item.reason == "below the threshold"} == {"old-7", "old-8"}
    assert ctx.summaries == tuple(SUMMARIES)
    assert ctx.pins == tuple(PINS)


@pytest.mark.req("B10")
def test_project_limits_each_section_to_its_share_and_warns_of_omitted_items():
    log = [*turns(10, "some words that take a few tokens each " * 2), message(20, "user", "now this")]
    hits = [hit(seq, f"memory {seq} " * 20, 0.9 - seq / 100) for seq in range(10)]
    many = [summary(first, first + 1, "what was said " * 10) for first in range(0, 20, 2)]
    ctx = context(material(log, summaries=many, hits=hits), recipe="project", max_tokens=800)
    tokens = {section.name: section.tokens for section in ctx.sections}
    assert tokens["history"] <= 0.6 * ctx.budget.available + 30
    assert tokens["recalled"] <= 0.4 * ctx.budget.available + 30
    assert ctx.tokens <= 800
    assert {warning.split(":")[0] for warning in ctx.warnings} == {"history", "recalled", "summaries"} - (
        set() if len(ctx.history) < 20 else {"history"}
    )
    assert [one.seq for one in ctx.history] == list(range(20 - len(ctx.history), 20))


@pytest.mark.req("C5")
def test_rolling_shows_the_latest_summary_and_later_messages():
    assert (ROLLING.rolling_window, ROLLING.rolling_after) == (14, 5)
    log = [*turns(5), message(10, "user", "now this")]
    rolled = [summary(0, 5, "all that was said", "rolling")]
    ctx = context(material(log, summaries=rolled), recipe="rolling")
    assert ctx.summaries == tuple(rolled)
    assert [one.seq for one in ctx.history] == [6, 7, 8, 9]
    assert ctx.to_openai()[-1]["content"] == "now this"


@pytest.mark.req("C5")
def test_rolling_shows_messages_until_there_is_a_summary():
    log = [*turns(5), message(10, "user", "now this")]
    ctx = context(material(log), recipe="rolling")
    assert [one.seq for one in ctx.history] == list(range(10))
    short = context(material(turns(200)), recipe="rolling", max_tokens=300)
    assert short.tokens <= 300
    assert short.history[-1].seq == 397


@pytest.mark.req("D10")
@pytest.mark.parametrize("budget", [40, 60, 100, 333, 1000])
def test_retrieval_never_exceeds_the_budget_of_the_recalled_block(budget):
    hits = [hit(seq, f"memory {seq} " + "word " * (seq % 13), conversation=f"c{seq % 4}") for seq in range(120)]
    recipe = replace(RETRIEVAL, recalled_tokens=budget)
    ctx = context(material(turns(6), "which memory?", hits=hits), "which memory?", recipe)
    block = recalled_block(ctx.recalled, "here")
    assert O200K(block) <= budget if block else budget < 60
    assert [quote.id for quote in ctx.recalled] == [one.message.id for one in hits[: len(ctx.recalled)]]
    assert any(warning.startswith("recalled: ") for warning in ctx.warnings)


@pytest.mark.req("D10")
def test_retrieval_stops_at_the_first_chunk_that_does_not_fit_and_balanced_skips_it():
    hits = [hit(0, "small"), hit(1, "large " * 300), hit(2, "small again")]
    recipe = replace(RETRIEVAL, recalled_tokens=100)
    assert [q.id for q in context(material((), "q?", hits=hits), "q?", recipe).recalled] == ["old-0"]
    on = context(material((), "q?", hits=hits), "q?", max_tokens=200)
    assert [quote.id for quote in on.recalled] == ["old-0", "old-2"]


@pytest.mark.req("D10")
@pytest.mark.parametrize(
    ("question", "first"), [("where is MyClass used?", "old-1"), ("which function?", "old-1"), ("where to?", "old-0")]
)
def test_code_ranks_first_for_a_question_about_code(question, first):
    hits = [hit(0, "we talked"), hit(1, "class MyClass: ...", kind="code")]
    ctx = context(material((), question, hits=hits), question, "retrieval")
    assert ctx.recalled[0].id == first


def test_a_hit_in_the_history_is_not_repeated():
    log = turns(3)
    hits = [hit(seq, log[seq].text, conversation="here") for seq in range(6)]
    ctx = context(material(log, "and?", hits=[*hits, hit(9, "elsewhere")]), "and?")
    assert [quote.id for quote in ctx.recalled] == ["old-9"]
    assert sum(item.reason == "already in the history" for item in ctx.receipt.items) == 6


def test_an_empty_conversation_fills_the_budget_with_recalled_messages():
    hits = [hit(seq, f"a memory of some length, number {seq}") for seq in range(200)]
    ctx = context(material((), "which?", hits=hits), "which?", max_tokens=1000)
    assert ctx.tokens > 950
    assert ctx.recalled


def test_a_custom_recipe_is_applied_and_round_trips_through_a_dict():
    mine = replace(RECIPES["balanced"], name="mine", recalled_tokens=50, pins=1)
    hits = [hit(seq, f"memory {seq}") for seq in range(20)]
    ctx = context(material(turns(3), "and?", hits=hits, pins=PINS[:1]), "and?", mine)
    assert (
        O200K(recalled_block([quote_hit(one, one.message, one.chunk) for one in hits[: len(ctx.recalled)]], "here"))
        <= 50
    )
    assert Recipe.from_dict(mine.to_dict()) == mine == ctx.receipt.call.recipe


@pytest.mark.parametrize(
    "wrong",
    [
        "unheard-of",
        replace(RECIPES["balanced"], fill="magic"),
        replace(RECIPES["balanced"], low_water=1.0),
        replace(RECIPES["balanced"], newest_share=-0.1),
        replace(RECIPES["balanced"], pins=-1),
    ],
)
def test_an_invalid_recipe_is_rejected(wrong):
    with pytest.raises(InvalidInput, match="recipe"):
        context(material(), recipe=wrong)
