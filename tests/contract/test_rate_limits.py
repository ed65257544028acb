"""Tests rate limits that are counted in the store."""

import pytest

from aforesaid import InvalidInput, Memory


def test_allotments_do_not_exceed_the_rate(memory: Memory, clock):
    assert [memory.allot("ann", 5, 60, wanted=2) for _ in range(4)] == [2, 2, 1, 0]
    assert memory.allot("ben", 5, 60) == 1
    clock.forward(seconds=29)
    assert memory.allot("ann", 5, 60) == 0


def test_earlier_allotments_decay_over_time(memory: Memory, clock):
    """The share of the previous window decreases as the current window elapses."""
    assert memory.allot("ann", 10, 60, wanted=10) == 10
    clock.forward(seconds=60)
    assert memory.allot("ann", 10, 60, wanted=10) == 0
    clock.forward(seconds=30)
    assert memory.allot("ann", 10, 60, wanted=10) == 5
    clock.forward(seconds=120)
    assert memory.allot("ann", 10, 60, wanted=10) == 10


@pytest.mark.parametrize(("most", "seconds", "wanted"), [(0, 60, 1), (5, -1, 1), (5, 60, 0)])
def test_an_invalid_rate_is_rejected(memory: Memory, most, seconds, wanted):
    with pytest.raises(InvalidInput):
        memory.allot("ann", most, seconds, wanted=wanted)
