"""Tests `aforesaid episodes`, `aforesaid arc` and `aforesaid pins`."""

from __future__ import annotations

import pytest


@pytest.fixture
def story(open_memory) -> None:
    memory = open_memory(embedder="none")
    chat = memory.conversation("trip")
    chat.add("user", "Lisbon or Porto?")
    chat.add("assistant", "Porto is smaller.")
    chat.add("user", "We finally decided to go to Porto! Remember that we travel by train only.")
    memory.flush()
    memory.close()


@pytest.mark.usefixtures("story")
def test_episodes_are_listed_by_conversation_and_by_space(run, data):
    assert [one["type"] for one in data("episodes", "trip", "--json")] == ["decision_made"]
    assert [one["conversation"] for one in data("episodes", "--json")] == ["trip"]
    assert data("episodes", "trip", "--type", "pivot", "--json") == []
    assert data("episodes", "trip", "--significance", "0.9", "--json") == []
    assert "We finally decided" in run("episodes", "trip").stdout
    assert run("episodes", "nowhere").exit_code == 3


@pytest.mark.usefixtures("story")
def test_an_episode_is_removed_by_its_id(run, data):
    [one] = data("episodes", "trip", "--json")
    assert data("episodes", "trip", "--remove", one["id"], "--json") == []
    assert run("episodes", "trip", "--remove", one["id"]).exit_code == 3
    assert run("episodes", "--remove", one["id"]).exit_code == 2


@pytest.mark.usefixtures("story")
def test_an_arc_is_shown(run, data):
    assert [data("arc", "trip", "--json")[name]["first_seq"] for name in ("beginning", "middle", "end")] == [0, 1, 2]
    assert "Porto is smaller" in run("arc", "trip").stdout


@pytest.mark.usefixtures("story")
def test_pins_are_shown_with_their_reason(run, data):
    reasons = {one["content"]: one["reason"] for one in data("pins", "trip", "--json")}
    assert reasons["Remember that we travel by train only."] == "a reminder"
    pin = data("pins", "trip", "--json")[0]
    data("unpin", "trip", pin["id"])
    assert pin["id"] not in {one["id"] for one in data("pins", "trip", "--json")}
    assert "reason" in run("pins", "trip").stdout
