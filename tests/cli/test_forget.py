"""Tests `aforesaid forget` and `aforesaid verify-erasure`."""

from __future__ import annotations

import pytest

SECRET = "My sister Zephyrine moved to Quetzaltenango"


@pytest.fixture
def secret(data) -> str:
    data("add", "trip", "It rains.")
    return data("add", "trip", SECRET)["id"]


@pytest.mark.req("X3")
def test_forget_shows_a_preview_and_asks_for_confirmation(run, secret):
    refused = run("forget", "--message", secret, input="n\n")
    assert refused.exit_code != 0
    assert "vector" in refused.stdout
    assert run("verify-erasure", SECRET).exit_code == 1
    done = run("forget", "--message", secret, input="y\n")
    assert done.exit_code == 0
    assert "erased" in done.stderr
    clean = run("verify-erasure", SECRET)
    assert clean.exit_code == 0
    assert "no trace" in clean.stderr
    assert "It rains." in run("messages", "trip").stdout


@pytest.mark.req("X3")
def test_forget_prints_its_result_as_json(run, data, secret):
    seen = data("forget", "trip", "--dry-run")
    assert seen["dry_run"] is True
    done = data("forget", "trip", "--yes")
    assert {part["kind"]: part["count"] for part in done["erased"]}["message"] == 2
    assert done["pending"] == []
    assert run("forget", "trip", "--yes").exit_code == 3
    found = data("verify-erasure", SECRET)
    assert found["found"] == []


def test_forget_takes_exactly_one_target(run, secret):
    assert run("forget", "--yes").exit_code == 2
    assert run("forget", "--message", secret, "--everything", "--yes").exit_code == 2
    assert run("forget", "--before", "yesterday", "--yes").exit_code == 2
    assert run("forget", "--everything", "--yes", "--space", "nobody").exit_code == 3
    assert run("verify-erasure", SECRET).exit_code == 1


@pytest.mark.req("X3")
def test_forget_takes_everything_or_a_date(run, secret):
    assert run("forget", "--before", "2000-01-01T00:00:00Z", "--yes").exit_code == 0
    assert run("verify-erasure", SECRET, "--space", "default").exit_code == 1
    assert run("forget", "--everything", "--yes").exit_code == 0
    assert run("verify-erasure", SECRET).exit_code == 0


@pytest.mark.req("X24")
def test_a_hold_is_placed_shown_and_released(run, data):
    data("add", "trip", "We settled on Lisbon.", "--space", "alice")
    placed = data("hold", "case 114", "--space", "alice")
    assert (placed["reason"], placed["by"]) == ("case 114", "caller")
    assert data("hold", "--space", "alice") == placed
    refused = run("forget", "trip", "--space", "alice", "--yes")
    assert refused.exit_code == 10
    assert "on hold" in refused.stderr
    assert data("hold", "--release", "--space", "alice") == {"space": "alice", "released": True}
    assert data("hold", "--space", "alice") is None


@pytest.mark.req("X24")
def test_a_conversation_expires_at_a_time(data):
    data("add", "trip", "We settled on Lisbon.")
    assert data("expire", "trip", "2126-03-01T09:30:00Z")["expires_at"] == "2126-03-01T09:30:00+00:00"
    assert data("expire", "trip", "never")["expires_at"] is None
    assert data("remember", "Likes opera", "--expires", "2126-03-01")["expires_at"].startswith("2126-03-01T23:59:59")
