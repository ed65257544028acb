"""How often somebody may ask, counted in the store."""

import pytest

from aforesaid import InvalidInput, Memory


def test_no_more_is_given_than_the_rate(memory: Memory, clock):
    assert [memory.allot("ann", 5, 60, wanted=2) for _ in range(4)] == [2, 2, 1, 0]
    assert memory.allot("ben", 5, 60) == 1
    clock.forward(seconds=29)
    assert memory.allot("ann", 5, 60) == 0


def test_what_was_given_before_fades(memory: Memory, clock):
    """The stretch that begins at 9:31 counts on from the one before, less and less."""
    assert memory.allot("ann", 10, 60, wanted=10) == 10
    clock.forward(seconds=60)
    assert memory.allot("ann", 10, 60, wanted=10) == 0
    clock.forward(seconds=30)
    assert memory.allot("ann", 10, 60, wanted=10) == 5
    clock.forward(seconds=120)
    assert memory.allot("ann", 10, 60, wanted=10) == 10


@pytest.mark.parametrize(("most", "seconds", "wanted"), [(0, 60, 1), (5, -1, 1), (5, 60, 0)])
def test_a_rate_that_makes_no_sense_is_refused(memory: Memory, most, seconds, wanted):
    with pytest.raises(InvalidInput):
        memory.allot("ann", most, seconds, wanted=wanted)
