"""Tests that the start of the history moves rarely, in large steps, and depends only on the log."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.context.world import call, context, material, message, result, summary, turns

from aforesaid.context.stable_history import WaterMarks, cut_position, first_group, group_messages, token_positions
from aforesaid.text.validate import compact_json

MARKS = st.tuples(st.integers(1, 5000), st.floats(0, 0.9)).map(lambda pair: WaterMarks(pair[0], int(pair[0] * pair[1])))


@given(st.integers(0, 100_000), MARKS)
def test_the_kept_history_is_between_the_low_and_high_water_marks(end: int, marks: WaterMarks):
    place = cut_position(end, marks)
    assert place % marks.step == 0
    assert end - place <= marks.high
    assert place == 0 or end - place > marks.high - marks.step


@given(st.integers(0, 100_000), st.integers(0, 500), MARKS)
def test_the_start_never_moves_back_and_moves_by_whole_steps(end: int, more: int, marks: WaterMarks):
    before, after = cut_position(end, marks), cut_position(end + more, marks)
    assert after >= before
    assert (after - before) % marks.step == 0


def test_the_history_never_starts_inside_a_tool_group():
    log = [message(0, "user", "go"), call(1, "a", "b"), result(2, "a"), result(3, "b"), message(4, "assistant", "so")]
    log += [message(5, "user", "next"), message(6, "assistant", "done")]
    groups, _ = group_messages(log)
    place = token_positions(log, 1000)
    for start in range(1, 1001):
        first = first_group(groups, place, start)
        assert first == len(groups) or groups[first].messages[0].seq in (0, 5, 6)


def test_token_positions_of_the_last_messages_do_not_need_earlier_ones():
    log = turns(10)
    whole = token_positions(log, 777)
    assert token_positions(log[12:], 777) == {one.id: whole[one.id] for one in log[12:]}


@pytest.mark.req("X2")
def test_the_prefix_rarely_changes_over_two_hundred_turns():
    log, before, epochs, repeated, total = [], "", [], 0, 0
    for number in range(200):
        log.append(message(len(log), "user", f"question {number} " + "with some words " * (number % 9)))
        ctx = context(material(log), max_tokens=1500, system="You are a planner.")
        sent = ctx.to_openai()
        prefix = compact_json(sent[: ctx.prefix])[:-1]
        if not compact_json(sent).startswith(before):
            epochs.append(number)
        else:
            repeated += ctx.prefix_tokens
        total += ctx.tokens
        before = prefix
        log.append(message(len(log), "assistant", f"answer {number} " + "that goes on " * (number % 5)))
    assert 3 <= len(epochs) <= 25
    assert min(after - first for first, after in pairwise(epochs)) >= 5
    assert repeated / total > 0.75


@pytest.mark.req("X2")
def test_the_question_does_not_change_the_history():
    log = turns(80)
    plain, other = (context(material(log, q), q, max_tokens=1500) for q in ("why?", "why " * 60))
    assert plain.history == other.history
    assert plain.system == other.system
    assert 0 < len(plain.history) < len(log)


def test_a_newest_message_over_its_reserve_shortens_the_history_with_a_warning():
    log = turns(80)
    huge = "a great many words " * 400
    ctx = context(material(log, huge), huge, max_tokens=3000)
    assert 3 <= len(ctx.history) < len(context(material(log, "why?"), "why?", max_tokens=3000).history)
    assert ctx.history[0].role == "user"
    assert any("gave way to the newest" in warning for warning in ctx.warnings)


@pytest.mark.req("A3")
def test_only_summaries_before_the_history_are_shown_in_order():
    log = turns(120)
    summaries = [summary(first, first + 14, f"part {first}") for first in range(0, 225, 15)]
    ctx = context(material(log, "why?", summaries=summaries), "why?")
    first = ctx.history[0].seq
    settled = [one for one in summaries if one.last_seq < first]
    assert list(ctx.summaries) == settled[-3:]
    assert ctx.system.index(ctx.summaries[0].text) < ctx.system.index(ctx.summaries[-1].text)


def test_a_tool_loop_keeps_the_last_user_message_as_the_newest():
    log = [*turns(3), message(6, "user", "look it up"), call(7, "a"), result(8, "a")]
    ctx = context(material(log))
    roles = [one["role"] for one in ctx.to_openai()]
    assert roles[-3:] == ["user", "assistant", "tool"]
    assert ctx.newest is not None
    assert ctx.newest.text == "look it up"
    assert ctx.prefix == 6


def test_a_tool_loop_over_the_budget_keeps_the_question_and_the_last_calls():
    log = [message(0, "user", "look it all up")]
    for number in range(30):
        log += [call(len(log), f"c{number}"), result(len(log) + 1, f"c{number}", "a long answer " * 20)]
    ctx = context(material(log), max_tokens=500)
    sent = ctx.to_openai()
    assert sent[0]["content"] == "look it all up"
    assert sent[-1]["tool_call_id"] == "c29"
    assert ctx.tokens <= 500
