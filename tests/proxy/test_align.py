"""Tests the alignment of sent messages with stored ones."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aforesaid.proxy.align import MAX_GAP, align, first_seq

KEYS = st.lists(st.sampled_from("abcde"), max_size=12)


@given(KEYS, KEYS)
def test_aligned_messages_are_equal_and_in_order(stored, sent):
    found = align(stored, sent, [True] * len(stored))
    assert len(found) == len(sent)
    places = [place for place in found if place is not None]
    assert places == sorted(set(places))
    assert all(place is None or stored[place] == key for place, key in zip(found, sent, strict=True))


@given(KEYS, KEYS)
def test_a_longer_history_is_aligned_completely(stored, more):
    assert align(stored, [*stored, *more], [True] * len(stored))[: len(stored)] == list(range(len(stored)))


@given(KEYS, st.lists(st.sampled_from("fgh"), min_size=1, max_size=4), st.integers(2, 12))
def test_a_moving_window_is_aligned_with_the_end(stored, more, window):
    sent = [*stored, *more][-window:]
    old = max(0, len(sent) - len(more))
    found = align(stored, sent, [True] * len(stored))
    assert found == [*range(len(stored) - old, len(stored)), *([None] * (len(sent) - old))]


@pytest.mark.parametrize(
    ("stored", "sent", "habit", "found"),
    [
        ("Ax", "A", "part", [None]),  # repeated on purpose
        ("AxA", "A", "part", [2]),  # not answered yet
        ("AxBy", "A", "part", [None]),
        ("AxBy", "B", "part", [None]),
        ("AxBy", "B", "again", [2]),
        ("AxBy", "A", "again", [None]),  # from another turn
        ("AxAx", "AxA", "part", [2, 3, None]),
        ("AxAx", "AxA", "again", [0, 1, 2]),
        ("AxBxAx", "xB", "part", [5, None]),
        ("AxBxA", "AxB", "part", [4, None, None]),  # the last answer is not stored
        ("AxByCz", "AxByD", "part", [0, 1, 2, 3, None]),
    ],
)
def test_repeated_messages_count_as_new(stored, sent, habit, found):
    assert align(stored, sent, [key.isupper() for key in stored], kind=habit) == found


@pytest.mark.parametrize(
    ("seqs", "begin"),
    [
        ([], None),
        ([None, None], None),
        ([3, 4, 5], 3),
        ([0, 1, 40, 41, None, 43], 40),  # the first turn kept, the middle dropped
        ([0, 5, 6], 0),  # other answers in between
        ([7, 2, 3], 2),
        ([0, MAX_GAP + 1], MAX_GAP + 1),
    ],
)
def test_a_history_begins_at_its_last_contiguous_part(seqs, begin):
    assert first_seq(seqs) == begin
