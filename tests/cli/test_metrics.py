"""Tests `aforesaid metrics`."""

from datetime import UTC, datetime, timedelta

import pytest

from aforesaid import InvalidInput
from aforesaid.cli.metrics import since_when

NOW = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)


@pytest.fixture
def asked(run):
    run("add", "trip", "We settled on Lisbon.", "--space", "alice")
    run("recall", "Lisbon", "--space", "alice")
    run("recall", "Lisbon", "--space", "alice", "--limit", "1")


@pytest.mark.req("D2")
def test_retrievals_of_other_processes_are_counted(run, asked):
    shown = run("metrics").stdout
    for line in ("retrievals", "with hits", "100%", "hits by source", "2 lexical", "2 message", "total", "p95"):
        assert line in shown


def test_json_has_every_figure(data, asked):
    found = data("metrics", "--space", "alice")
    assert (found["count"], found["hit_rate"], found["content"]) == (2, 1.0, {"message": 2})
    assert set(found["milliseconds"]["total"]) == {"p50", "p95", "p99"}
    assert found["budget_use"] is None


def test_no_retrievals_and_an_unknown_space_are_distinguished(run, asked):
    future = (datetime.now(UTC) + timedelta(days=1)).isoformat()
    nothing = run("metrics", "--since", future)
    assert (nothing.exit_code, nothing.stdout, nothing.stderr) == (0, "", "no retrievals in that time\n")
    assert run("metrics", "--space", "bob").exit_code == 3
    wrong = run("metrics", "--since", "yesterday")
    assert wrong.exit_code == 2
    assert "'yesterday' is not a time" in wrong.stderr


@pytest.mark.parametrize(
    ("text", "before"),
    [("30m", timedelta(minutes=30)), ("12h", timedelta(hours=12)), (" 7d", timedelta(days=7)), ("2w", timedelta(14))],
)
def test_a_duration_is_subtracted_from_now(text, before):
    assert since_when(text, NOW) == NOW - before


def test_other_text_is_a_time_and_a_duration_that_is_too_long_is_rejected():
    assert since_when("2026-03-01T09:30:00+01:00", NOW) == "2026-03-01T09:30:00+01:00"
    with pytest.raises(InvalidInput, match="before the year 1"):
        since_when("999999w", NOW)
