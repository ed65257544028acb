"""Tests conversations and messages over HTTP."""

from __future__ import annotations

from urllib.parse import quote

import pytest

NAMES = ["trip", "a/b", "50%25", "日本語 ✈", "?x#y", "%2F", "..a", " x "]


@pytest.mark.parametrize("name", NAMES)
def test_a_conversation_may_have_any_name(http, store, name):
    place = f"conversations/{quote(name, safe='')}"
    assert http.put(place, json={"title": "T"}).status_code == 200
    made = http.post(f"{place}/messages", json={"role": "user", "content": "hello"}).json()["items"][0]
    assert made["conversation"] == name
    assert store.conversation(name).message(made["id"]).text == "hello"
    assert http.get(f"{place}/messages/{made['id']}").json() == made
    assert http.get(place).json()["id"] == name


def test_a_conversation_is_renamed_paused_ended_and_deleted(http):
    http.put("conversations/trip", json={"title": "Lisbon", "metadata": {"a": 1}})
    assert http.patch("conversations/trip", json={"title": "Porto", "status": "paused"}).json()["status"] == "paused"
    assert http.patch("conversations/trip", json={"status": "active"}).json()["title"] == "Porto"
    ended = http.patch("conversations/trip", json={"status": "ended", "outcome": "booked"}).json()
    assert (ended["status"], ended["outcome"], ended["metadata"]) == ("ended", "booked", {"a": 1})
    assert http.patch("conversations/trip", json={"status": "ended"}).json() == ended
    assert http.delete("conversations/trip").json() == {"deleted": True}
    assert http.delete("conversations/trip").json() == {"deleted": False}
    assert http.get("conversations/trip").status_code == 404


def test_conversations_are_paginated(http):
    for number in range(5):
        http.put(f"conversations/c{number}", json={})
    first = http.get("conversations", params={"limit": 3}).json()
    rest = http.get("conversations", params={"limit": 3, "after": first["next"]}).json()
    assert [one["id"] for one in first["items"] + rest["items"]] == ["c0", "c1", "c2", "c3", "c4"]
    assert rest["next"] is None


def test_a_conversation_is_muted_and_unmuted(http):
    http.put("conversations/quiet", json={})
    assert http.patch("conversations/quiet", json={"muted": True}).json()["muted"] is True
    http.post("conversations/quiet/messages", json={"role": "user", "content": "the heron boat is sold"})
    assert http.post("recall", json={"query": "heron boat"}).json()["items"] == []
    assert http.get("conversations").json()["items"][0]["muted"] is True
    assert http.patch("conversations/quiet", json={"muted": False, "title": "Boats"}).json()["muted"] is False
    found = http.post("recall", json={"query": "heron boat"}).json()["items"]
    assert [hit["text"] for hit in found] == ["the heron boat is sold"]


def test_a_conversation_is_found_by_its_new_title(http):
    for number in range(3):
        http.put(f"conversations/c{number}", json={"title": "Lisbon"})
    http.patch("conversations/c1", json={"title": "Porto in March"})
    assert [one["id"] for one in http.get("conversations", params={"q": "march"}).json()["items"]] == ["c1"]
    first = http.get("conversations", params={"q": "lisbon", "limit": 1}).json()
    rest = http.get("conversations", params={"q": "lisbon", "limit": 1, "after": first["next"]}).json()
    assert [one["id"] for one in first["items"] + rest["items"]] == ["c0", "c2"]
    assert http.get("conversations", params={"q": " "}).status_code == 422


def test_a_repeated_message_id_is_stored_once_and_other_content_conflicts(http):
    place = "conversations/trip/messages"
    said = {"role": "user", "content": "hello", "id": "m1"}
    assert http.post(place, json=said).json() == http.post(place, json=said).json()
    assert len(http.get(place).json()["items"]) == 1
    answer = http.post(place, json=said | {"content": "other"})
    assert (answer.status_code, answer.json()["code"]) == (409, "conflict")
    assert answer.headers["content-type"] == "application/problem+json"


def test_a_batch_is_stored_atomically(http):
    place = "conversations/trip/messages"
    bad = {"messages": [{"role": "user", "content": "one"}, {"role": "nobody", "content": "two"}]}
    assert http.post(place, json=bad).status_code == 422
    assert http.get(place).json() == {"items": []}
    good = {"messages": [{"role": "user", "content": str(n), "at": f"2026-03-0{n}T00:00:00Z"} for n in range(1, 4)]}
    assert [one["seq"] for one in http.post(place, json=good).json()["items"]] == [0, 1, 2]
    assert [one["seq"] for one in http.get(place, params={"after": 0}).json()["items"]] == [1, 2]
    assert [one["seq"] for one in http.get(place, params={"before": 2, "limit": 1}).json()["items"]] == [1]


def test_a_validation_error_does_not_repeat_the_content(http):
    answer = http.post("conversations/trip/messages", json={"role": "user", "content": {"my": "secret words"}})
    assert answer.status_code == 422
    assert "secret" not in answer.text


@pytest.mark.req("X24")
def test_messages_facts_and_conversations_expire(http):
    http.put("conversations/trip", json={"expires": "2126-03-01"})
    assert http.get("conversations/trip").json()["expires_at"].startswith("2126-03-01T23:59:59.999999")
    assert http.patch("conversations/trip", json={"expires": "never"}).json()["expires_at"] is None
    message = http.post("conversations/trip/messages", json={"role": "user", "content": "a", "expires": "36500d"})
    assert message.json()["items"][0]["expires_at"] is not None
    fact = http.post("facts", json={"text": "Likes opera", "expires": "36500d"}).json()
    assert fact["expires_at"] is not None
    assert http.patch(f"facts/{fact['id']}", json={"expires": "never"}).json()["expires_at"] is None
    refused = http.post("conversations/trip/messages", json={"role": "user", "content": "b", "expires": "soon"})
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_input")


@pytest.mark.req("X24")
def test_a_hold_is_placed_and_released(http):
    http.post("conversations/trip/messages", json={"role": "user", "content": "a"})
    assert http.get("hold").json() == {"hold": None}
    assert http.put("hold", json={"reason": "case 114"}).json()["hold"]["reason"] == "case 114"
    refused = http.post("forget", json={"conversation": "trip"})
    assert (refused.status_code, refused.json()["code"]) == (409, "on_hold")
    assert http.delete("conversations/trip").status_code == 409
    assert http.delete("hold").json() == {"released": True}
    assert http.post("forget", json={"conversation": "trip"}).status_code == 200


@pytest.mark.req("X27")
def test_a_branch_is_started_at_a_seq_or_an_id_and_listed(http):
    for number in range(3):
        http.post("conversations/trip/messages", json={"role": "user", "content": f"{number}", "id": f"m{number}"})
    made = http.post("conversations/trip/fork", json={"at": "m1"})
    assert (made.status_code, made.json()["id"], made.json()["parent"], made.json()["forked_at"]) == (
        201, "trip~2", "trip", 1,
    )  # fmt: skip
    assert http.post("conversations/trip/fork", json={"at": -1, "id": "anew"}).json()["forked_at"] == -1
    assert [one["id"] for one in http.get("conversations/trip/branches").json()["items"]] == ["trip~2", "anew"]
    assert http.post("conversations/trip/fork", json={"at": 9}).status_code == 404
    assert http.delete("conversations/trip").status_code == 409
