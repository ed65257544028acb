"""Tests pins over HTTP."""

from __future__ import annotations

import pytest

HERE = "conversations/trip/pins"


@pytest.mark.req("A2", "A15", "A18")
def test_pins_are_created_listed_changed_and_removed(http, store):
    low = http.post(HERE, json={"content": "Bring a hat", "importance": 0.3}).json()
    made = http.post(HERE, json={"content": "Budget is 900 €"})
    assert (made.status_code, made.json()["importance"], made.json()["type"]) == (201, 0.8, "manual")
    assert http.get(http.base_url.join(made.headers["Location"])).json() == made.json()
    assert [one["id"] for one in http.get(HERE).json()["items"]] == [made.json()["id"], low["id"]]
    assert len(http.get(HERE, params={"limit": 1}).json()["items"]) == 1
    changed = http.patch(f"{HERE}/{low['id']}", json={"importance": 0.9, "type": "concept"}).json()
    assert changed == low | {"importance": 0.9, "type": "concept"}
    assert [pin.id for pin in store.conversation("trip").pins()] == [low["id"], made.json()["id"]]
    gone = http.delete(f"{HERE}/{low['id']}")
    assert (gone.status_code, gone.content) == (204, b"")
    for answer in (http.delete(f"{HERE}/{low['id']}"), http.get(f"{HERE}/{low['id']}")):
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


@pytest.mark.req("A15", "A18")
def test_a_pin_accepts_the_alternative_field_names(http, store):
    said = store.conversation("session_abc123").add("user", "The appointment is on Oct 20")
    body = {
        "session_id": "session_abc123",
        "content": "Appointment: Oct 20",
        "source_message_id": said.id,
        "importance_score": 0.95,
        "pin_type": "manual",
    }
    answer = http.post("pins", json=body)
    assert answer.status_code == 201
    (pin,) = store.conversation("session_abc123").pins()
    assert answer.json()["id"] == pin.id
    assert (pin.content, pin.importance, pin.source_message_id) == ("Appointment: Oct 20", 0.95, said.id)
    for name in ("conversation", "conversationId", "sessionId"):
        assert http.post("pins", json={name: "c", "content": "x"}).status_code == 201


def test_a_message_is_pinned_by_its_id(http, store):
    said = store.conversation("trip").add("user", "We leave at nine")
    pin = http.post("pins", json={"conversation": "trip", "source": said.id}).json()
    assert (pin["content"], pin["source_message_id"]) == ("We leave at nine", said.id)
    assert http.post(HERE, json={"source": "nobody"}).status_code == 404
    assert http.post(HERE, json={"content": "x", "source": "nobody"}).status_code == 404


@pytest.mark.parametrize(
    "body", [{}, {"content": " "}, {"content": "x", "importance": 2}, {"content": "x", "type": "odd"}, {"text": "x"}]
)
def test_an_invalid_pin_is_rejected(http, store, body):
    assert http.post(HERE, json=body).status_code == 422
    assert http.post("pins", json=body | {"conversation": "trip"}).status_code == 422
    assert http.post("pins", json={"content": "of no conversation"}).status_code == 422
    assert store.spaces() == []
