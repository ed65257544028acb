"""Tests `memory.activity`: embeddings, summaries, and retrievals counted per period."""

from __future__ import annotations

from datetime import timedelta

import pytest

from aforesaid import InvalidInput

pytestmark = pytest.mark.req("D15")


def test_each_period_counts_only_its_own_events(memory, clock):
    space, start = memory.space("alice"), clock()
    chat = space.conversation("trip")
    for number in range(4):
        chat.add("user" if number % 2 == 0 else "assistant", f"message {number} about Lisbon")
    memory.flush()
    space.recall("Lisbon")
    clock.forward(hours=2)
    chat.summarize()
    chat.context("where to?")
    space.recall("Lisbon")
    clock.forward(hours=1)
    first, second, third = memory.activity("alice", since=start, until=clock(), step=timedelta(hours=1))
    assert (first.start, first.stop, third.stop) == (start, second.start, clock())
    assert (first.embedded, first.summaries, first.retrievals.count) == (4, 0, 1)
    assert first.embedding is not None
    assert 0 < first.embedding.p50 <= first.embedding.p99
    assert (second.embedded, second.summaries, second.retrievals.count) == (0, 0, 0)
    assert second.embedding is second.summarising is second.retrievals.hit_rate is None
    assert (third.embedded, third.summaries, third.failed_summaries, third.retrievals.count) == (0, 1, 0, 2)
    assert third.summarising is not None
    assert third.retrievals.hit_rate == 0.5  # everything the context could recall is already in its history


def test_activity_is_counted_per_space_and_for_the_whole_store(memory, clock):
    for name in ("alice", "bob"):
        memory.space(name).conversation("c").add("user", "hello Lisbon")
    memory.flush()
    memory.space("bob").recall("Lisbon")
    clock.forward(minutes=1)

    def total(space: str | None) -> tuple[int, int]:
        periods = memory.activity(space)
        return sum(one.embedded for one in periods), sum(one.retrievals.count for one in periods)

    assert (total("alice"), total("bob"), total("nobody"), total(None)) == ((1, 0), (1, 1), (0, 0), (2, 1))


def test_periods_cover_the_time_range_without_gap_or_overlap(memory, clock):
    since, until = clock() - timedelta(hours=5), clock()
    periods = memory.activity(since=since, until=until, step=timedelta(hours=2))
    assert [one.start for one in periods[1:]] == [one.stop for one in periods[:-1]]
    assert (periods[0].start, periods[-1].stop, len(periods)) == (since, until, 3)
    assert len(memory.activity()) == 48


@pytest.mark.parametrize("step", [timedelta(0), timedelta(seconds=-1), timedelta(seconds=1)])
def test_an_invalid_step_is_rejected(memory, step):
    with pytest.raises(InvalidInput, match="longer step"):
        memory.activity(step=step)


def test_an_empty_time_range_is_rejected(memory, clock):
    with pytest.raises(InvalidInput, match="later"):
        memory.activity(since=clock(), until=clock())
