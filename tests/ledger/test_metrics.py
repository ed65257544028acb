"""Tests the aggregate metrics of retrievals."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aforesaid import Metrics, Percentiles, Retrieval
from aforesaid.ledger.metrics import measure, percentile

AT = datetime(2026, 3, 1, tzinfo=UTC)
TIMES = st.lists(st.floats(0, 1e6), min_size=1, max_size=300)


def retrieval(**rest) -> Retrieval:
    given = {"hits": 0, "sources": {}, "content": {}, "milliseconds": {}, "top_scores": (), "flags": {}}
    return Retrieval("r", "s", None, AT, "recall", **(given | rest))


def test_without_retrievals_there_are_no_shares_and_means():
    assert measure([]) == Metrics(0, None, None, None, None, 0, {}, {}, {}, {})


@pytest.mark.req("D2")
def test_shares_means_and_sums_use_only_retrievals_with_the_value():
    found = measure(
        [
            retrieval(hits=2, sources={"dense": 2, "lexical": 1}, content={"message": 2}, top_scores=(0.8, 0.1)),
            retrieval(hits=1, sources={"dense": 1}, content={"chunk": 1}, top_scores=(0.4,), degraded=("lexical",)),
            retrieval(tokens=300, budget=1000, prefix_tokens=150),
            retrieval(tokens=0, budget=0, prefix_tokens=0),
        ]
    )
    assert (found.count, found.hit_rate, found.degraded) == (4, 0.5, 1)
    assert found.top_score == pytest.approx(0.6)
    assert (found.budget_use, found.prefix_share) == (0.3, 0.5)
    assert found.sources == {"dense": 3, "lexical": 1}
    assert found.content == {"chunk": 1, "message": 2}


def test_flags_are_shares_of_all_retrievals():
    found = measure(
        [
            retrieval(flags={"hybrid": True, "token_budget": 1000}),
            retrieval(flags={"hybrid": False, "token_budget": 0, "model": ""}),
        ]
    )
    assert found.flags == {"hybrid": 0.5, "model": 0.0, "token_budget": 0.5}


@pytest.mark.req("D2")
def test_percentiles_are_computed_by_stage():
    found = measure(
        [retrieval(milliseconds={"total": n, "dense": 1} if n % 2 else {"total": n}) for n in range(1, 101)]
    )
    assert found.milliseconds == {"dense": Percentiles(1, 1, 1), "total": Percentiles(50, 95, 99)}


@given(TIMES, st.floats(0.001, 1))
def test_a_percentile_is_the_smallest_measured_value_that_covers_its_share(times, share):
    ordered = sorted(times)
    found = percentile(ordered, share)
    assert found in ordered
    assert sum(value <= found for value in ordered) >= len(ordered) * share - 1e-6
    assert sum(value < found for value in ordered) < len(ordered) * share


@given(TIMES)
def test_percentiles_are_in_ascending_order(times):
    taken = measure([retrieval(milliseconds={"total": value}) for value in times]).milliseconds["total"]
    assert min(times) <= taken.p50 <= taken.p95 <= taken.p99 <= max(times)
