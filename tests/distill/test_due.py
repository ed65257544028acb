"""Tests when a summary is due and which messages it covers."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.distill.world import messages

from aforesaid.context.recipe import RECIPES
from aforesaid.distill.consolidation import OLD_DAYS
from aforesaid.distill.summaries import due
from aforesaid.distill.summaries.due import (
    SeqRange,
    covered_until,
    messages_needed,
    next_rolling,
    next_segment,
    segment_sizes,
)


def segments(rule: str, heard, frequency: int = 5) -> list[tuple[int, int]]:
    """Returns all due segments of the messages, in order."""
    found, end = [], -1
    while span := next_segment(rule, end, heard[end + 1 : end + 1 + messages_needed(rule, frequency)], frequency):
        found.append((span.first, span.last))
        end = span.last
    return found


@pytest.mark.req("A13")
def test_a_window_has_fifteen_messages_and_a_backlog_is_split_into_windows():
    assert segments("window", messages("ua" * 7)) == []
    assert segments("window", messages("ua" * 7 + "u")) == [(0, 14)]
    assert segments("window", messages("ua" * 24)) == [(0, 14), (15, 29), (30, 44)]


@pytest.mark.req("D4")
def test_the_retrieval_recipe_counts_assistant_messages():
    assert segments("retrieval", messages("ua" * 4)) == []
    assert segments("retrieval", messages("ua" * 12)) == [(0, 9), (10, 19)]
    assert segments("retrieval", messages("uctauctaa"), 2) == [(0, 3), (4, 7)]
    assert segments("retrieval", messages("ua" * 12), 0) == []
    assert segments("retrieval", messages("u" * 450)) == [(0, 199), (200, 399)]


@pytest.mark.req("B4")
def test_a_chunk_is_the_oldest_ten_of_more_than_twenty_messages():
    assert segments("project", messages("ua" * 10)) == []
    assert segments("project", messages("ua" * 10 + "u")) == [(0, 9)]
    assert segments("project", messages("ua" * 25)) == [(0, 9), (10, 19), (20, 29)]


@pytest.mark.req("A22")
def test_long_technical_messages_are_summarized_sooner_than_small_talk():
    small = messages("ua" * 15, "Haha, nice weather again!", 6)
    technical = messages("ua" * 15, "TypeError in parse_config():\n```py\nload(path)\n```", 200)
    mixed = messages("ua" * 15, "The heater draws 2 kW and reports HTTP errors.", 20)
    assert [list(segment_sizes(each))[-1] for each in (technical, small)] == [10, 20]
    assert 10 < list(segment_sizes(mixed))[-1] < 20
    assert segments("balanced", small) == [(0, 19)]
    assert segments("balanced", technical) == [(0, 9), (10, 19), (20, 29)]


def test_no_segment_is_due_when_segment_summaries_are_off():
    assert segments("off", messages("ua" * 50)) == segments("rolling", messages("ua" * 50)) == []


@pytest.mark.req("C1")
@pytest.mark.req("C4")
@pytest.mark.parametrize(("newest", "span"), [(5, (0, 5)), (9, (0, 9)), (13, (0, 13)), (15, (2, 15)), (19, (6, 19))])
def test_the_rolling_window_has_fourteen_messages_and_keeps_pairs_together(newest, span):
    assert next_rolling(messages("ua" * 10)[: newest + 1], None) == SeqRange(*span)


@pytest.mark.req("C1")
def test_a_rolling_summary_starts_at_seq_five_and_waits_for_a_reply():
    assert next_rolling(messages("uaua"), None) is None
    assert next_rolling(messages("uauau"), None) is None
    assert next_rolling(messages("uauaua"), 5) is None
    assert next_rolling(messages("uauauau"), None) == SeqRange(0, 5)
    assert next_rolling(messages("uauauau"), 5) is None
    assert next_rolling(messages("uauauauct"), 5) is None
    assert next_rolling(messages("uauauaucta"), 5) == SeqRange(0, 9)
    assert next_rolling([], None) is None


def test_without_an_assistant_the_window_ends_at_the_newest_message():
    assert next_rolling(messages("u" * 20), None) == SeqRange(6, 19)


@settings(deadline=None)
@given(st.text("uactas", min_size=6, max_size=60), st.integers(-1, 60))
def test_a_window_starts_at_the_conversation_start_or_a_user_message(roles, reach):
    heard = messages(roles)
    span = next_rolling(heard, reach)
    if span is not None:
        assert 0 <= span.first <= span.last
        assert span.last > reach
        assert span.last - span.first < 14
        users = any(one.role == "user" for one in heard[max(0, span.last - 13) : span.last + 1])
        assert span.first == 0 or heard[span.first].role == "user" or not users


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 10)), max_size=12))
def test_the_covered_range_has_no_gap(spans):
    ranges = [SeqRange(first, first + size) for first, size in spans]
    end = covered_until(ranges)
    covered = {seq for one in ranges for seq in range(one.first, one.last + 1)}
    assert all(seq in covered for seq in range(end + 1))
    assert end + 1 not in covered


@settings(deadline=None)
@given(st.text("uacts", min_size=1, max_size=120), st.sampled_from(["window", "balanced", "project", "retrieval"]))
def test_segments_are_contiguous_and_do_not_depend_on_when_they_are_computed(roles, rule):
    heard = messages(roles)
    found = segments(rule, heard)
    assert [first for first, _ in found] == [0, *[last + 1 for _, last in found[:-1]]][: len(found)]
    early = [span for end in range(len(heard) + 1) for span in segments(rule, heard[:end])]
    assert set(early) == set(found)


@pytest.mark.req("B22")
def test_the_constants_match_the_recipes():
    project, follows = RECIPES["project"], RECIPES["rolling"]
    assert (project.recent, project.chunk_size) == (due.UNSUMMARISED, due.CHUNK)
    assert project.consolidation_days == OLD_DAYS
    assert (follows.rolling_window, follows.rolling_after) == (due.ROLLING_WINDOW, due.ROLLING_AFTER)
    assert project.summaries > due.MOST_CHUNKS
