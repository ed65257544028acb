"""Tests the commands that rename, pause, mute, end, edit and delete conversations."""

import pytest


@pytest.fixture
def trip(run):
    run("add", "trip", "We settled on Lisbon.")


def test_a_conversation_is_renamed_paused_resumed_and_ended(run, data, trip):
    assert data("rename", "trip", "Lisbon in May")["title"] == "Lisbon in May"
    assert data("pause", "trip")["status"] == "paused"
    assert run("pause", "trip").exit_code == 5
    assert data("resume", "trip")["status"] == "active"
    ended = data("end", "trip", "--outcome", "Flights are booked.")
    assert (ended["status"], ended["outcome"]) == ("ended", "Flights are booked.")
    assert "Lisbon in May" in run("resume", "trip").stdout


def test_a_conversation_is_muted_and_unmuted(run, data):
    run("add", "quiet", "The heron boat is sold.")
    assert data("mute", "quiet")["muted"] is True
    assert "active, muted" in run("conversations").stdout
    assert data("recall", "heron")["hits"] == []
    assert data("unmute", "quiet")["muted"] is False
    assert len(data("recall", "heron", "--kind", "message")["hits"]) == 1


@pytest.mark.req("X27")
def test_a_branch_is_started_and_listed(run, data, trip):
    assert data("fork", "trip", "--at", "0")["id"] == "trip~2"
    assert data("fork", "trip", "--at", "-1", "--id", "anew")["forked_at"] == -1
    assert [one["id"] for one in data("branches", "trip")] == ["trip~2", "anew"]
    assert "branch of trip at 0" in run("branches", "trip").stdout
    assert [one["content"] for one in data("messages", "trip~2")] == ["We settled on Lisbon."]
    assert run("fork", "trip", "--at", "7").exit_code == 3


@pytest.mark.parametrize(
    "command",
    [["rename", "tirp", "x"], ["pause", "tirp"], ["end", "tirp"], ["delete", "tirp", "--yes"]],
)
def test_a_mistyped_conversation_is_not_found(run, trip, command):
    result = run(*command)
    assert result.exit_code == 3
    assert "tirp" in result.stderr


def test_deleting_a_conversation_asks_for_confirmation(run, data, trip):
    run("add", "work", "The release is on Friday.")
    refused = run("delete", "trip", input="n\n")
    assert refused.exit_code == 1
    assert "conversation trip with 1 messages" in refused.stderr
    assert data("delete", "trip", "--yes") == {"space": "default", "conversation": "trip", "deleted": True}
    assert [info["id"] for info in data("conversations")] == ["work"]


def test_deleting_a_space_requires_whole_space(run, data, trip):
    run("add", "trip", "hello", "--space", "alice")
    assert run("delete", "--space", "alice", "--yes").exit_code == 2
    assert run("delete", "trip", "--space", "alice", "--whole-space", "--yes").exit_code == 2
    assert run("delete", "--whole-space", "--space", "alice", input="y\n").exit_code == 0
    assert [info["id"] for info in data("spaces")] == ["default"]
    assert run("delete", "--whole-space", "--space", "alice", "--yes").exit_code == 3


def test_an_edited_message_has_its_old_text_erased(run, data, trip):
    (message,) = data("messages", "trip")
    edited = data("edit", "trip", message["id"], "We settled on Porto.")
    assert (edited["id"], edited["seq"], edited["content"]) == (message["id"], 0, "We settled on Porto.")
    assert data("edit", "trip", message["id"], input="We settled on Faro.\n")["content"] == "We settled on Faro."
    assert run("verify-erasure", "Lisbon").exit_code == 0
    assert run("edit", "trip", "none", "x").exit_code == 3


def test_search_is_an_alias_of_recall(data, trip):
    assert data("search", "Lisbon")["hits"][0]["text"] == data("recall", "Lisbon")["hits"][0]["text"]
