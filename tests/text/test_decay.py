from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aforesaid.text.decay import decay

NOW = datetime(2026, 3, 1, tzinfo=UTC)

pytestmark = pytest.mark.req("B7")


@pytest.mark.parametrize(
    ("days", "accesses", "left"), [(0, 0, 1.0), (30, 0, 0.5), (60, 0, 0.25), (60, 2, 0.45), (60, 9, 0.75), (30, 9, 1.0)]
)
def test_decay_halves_every_thirty_days_and_accesses_raise_it(days: int, accesses: int, left: float):
    assert decay(NOW - timedelta(days=days), accesses, NOW) == pytest.approx(left)


@given(st.floats(-1e4, 1e5), st.integers(0, 10**9))
def test_decay_is_between_zero_and_one(days: float, accesses: int):
    assert 0 <= decay(NOW - timedelta(days=days), accesses, NOW) <= 1
