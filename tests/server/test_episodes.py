"""Tests episodes and the arc of a conversation over HTTP."""

from __future__ import annotations

import pytest

CHAT = "conversations/trip"
HERE = f"{CHAT}/episodes"


@pytest.mark.req("B8", "B9")
def test_episodes_are_created_listed_and_removed_and_shape_the_arc(http, store):
    chat = store.conversation("trip")
    for number in range(6):
        chat.add("user", f"Message {number} about the trip.")
    body = {"title": "Lisbon it is", "type": "decision_made", "first": 1, "last": 2, "significance": 0.9}
    made = http.post(HERE, json=body)
    assert made.status_code == 201
    assert http.get(http.base_url.join(made.headers["Location"])).json() == made.json()
    minor = http.post(HERE, json={"title": "A hitch", "type": "issue_identified", "valence": -0.5}).json()
    assert (minor["first_seq"], minor["valence"]) == (5, -0.5)
    assert [one["title"] for one in http.get(HERE).json()["items"]] == ["Lisbon it is", "A hitch"]
    assert http.get(HERE, params={"min_significance": 0.7}).json() == {"items": [made.json()]}
    assert http.get(HERE, params={"type": "pivot"}).json() == {"items": []}
    assert [one["title"] for one in http.get("episodes").json()["items"]] == ["A hitch", "Lisbon it is"]
    arc = http.get(f"{CHAT}/arc").json()
    assert [one["title"] for one in arc["key_moments"]] == ["Lisbon it is"]
    assert (arc["beginning"]["first_seq"], arc["end"]["last_seq"]) == (0, 5)
    assert http.delete(f"{HERE}/{minor['id']}").status_code == 204
    assert http.delete(f"{HERE}/{minor['id']}").status_code == 404
    assert len(http.get("episodes").json()["items"]) == 1


def test_an_invalid_episode_is_rejected(http, store):
    assert http.post(HERE, json={"title": "x", "type": "pivot"}).status_code == 404
    store.conversation("trip").add("user", "Hello")
    assert http.post(HERE, json={"title": "x", "type": "party"}).status_code == 422
    assert http.post(HERE, json={"title": "x", "type": "pivot", "first": 7, "last": 9}).status_code in (404, 422)
    assert http.post(HERE, json={"title": " ", "type": "pivot"}).status_code == 422
    assert http.get(HERE).json() == {"items": []}
    assert http.get("conversations/new/arc").status_code == 404
