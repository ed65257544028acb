"""Tests how stored text and times are formatted for a terminal."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aforesaid.cli.output import escape_text, format_time, shorten, single_line


@given(st.text())
def test_control_characters_are_escaped(text):
    left = set(escape_text(text))
    assert not left & {chr(number) for number in (*range(10), *range(11, 32), *range(127, 160))}
    assert not left & set("\u2028\u2029\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


@pytest.mark.req("X13")
@pytest.mark.parametrize(
    "text", ["駅の近くのホテル", "مرحبا بالعالم", "می‌خواهم", "नमस्ते", "👩‍👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿", "Graça é lá", "two\nlines"]
)
def test_text_in_every_language_is_unchanged(text):
    assert escape_text(text) == text


@given(st.text(), st.integers(1, 50))
def test_a_shortened_text_is_one_line_of_limited_length(text, most):
    short = shorten(text, most)
    assert len(short) <= most
    assert "\n" not in short


def test_a_shortened_text_ends_with_an_ellipsis():
    assert shorten("We settled on Lisbon", 12) == "We settled…"
    assert shorten("We  settled\n on", 13) == "We settled on"


def test_tabs_and_windows_line_endings_are_normalized():
    assert escape_text("if x:\r\n\treturn") == "if x:\n    return"
    assert single_line("a\r\n\tb") == "a b"


@pytest.mark.parametrize("name", ["America/New_York", "Asia/Tokyo", "UTC"])
def test_the_earliest_and_latest_times_can_be_formatted(zone, name):
    zone(name)
    assert format_time(datetime.min.replace(tzinfo=UTC)).startswith("0001-01-01 ")
    assert format_time(datetime.max.replace(tzinfo=UTC)).startswith("9999-12-31 ")


def test_a_time_is_shown_in_the_local_time_zone(zone):
    zone("Asia/Tokyo")
    assert format_time(datetime(2026, 3, 1, 23, 30, 5, 999, tzinfo=UTC)) == "2026-03-02 08:30:05"
