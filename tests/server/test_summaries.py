"""Tests summaries over HTTP."""

from __future__ import annotations

import pytest

CHAT = "conversations/trip"
HERE = f"{CHAT}/summaries"


@pytest.fixture
def ids(store) -> list[str]:
    store.space("default").set("summaries", "window")
    chat = store.conversation("trip")
    return [chat.add("user", f"We talked about the ferry to island {number}.").id for number in range(16)]


@pytest.mark.req("A3", "A8", "A14", "A18")
def test_a_range_is_summarized_by_seq_by_id_or_with_alternative_field_names(http, store, ids):
    assert http.get(f"{CHAT}/needs-summary").json() == {"needed": True}
    made = http.post(HERE, json={"first": 0, "last": 4})
    assert made.status_code == 201
    one = made.json()
    assert (one["first_seq"], one["last_seq"], one["message_count"], one["importance"]) == (0, 4, 5, 0.7)
    assert http.get(http.base_url.join(made.headers["Location"])).json() == one
    seeds = {"session_id": "trip", "start_message_id": ids[5], "end_message_id": ids[9], "message_count": 5}
    assert http.post("summaries", json=seeds).json()["last_seq"] == 9
    assert http.post(HERE).json()["last_seq"] == 15
    assert http.get(f"{CHAT}/needs-summary").json() == {"needed": False}
    listed = http.get(HERE).json()["items"]
    assert [item["first_seq"] for item in listed] == [0, 5, 10]
    assert [item.id for item in store.conversation("trip").summaries()] == [item["id"] for item in listed]
    assert http.get(HERE, params={"limit": 1, "status": "any"}).json()["items"] == listed[-1:]
    assert http.get(HERE, params={"status": "failed"}).json() == http.get(HERE, params={"kind": "rolling"}).json()


@pytest.mark.req("C2", "C8", "C9")
def test_the_chain_and_window_of_a_rolling_summary_are_returned(http, store, ids):
    store.space("default").set("summaries", "rolling")
    store.conversation("trip").add("user", "And now?")
    store.flush()
    chain = http.get(f"{CHAT}/chain").json()["items"]
    window = http.get(f"{CHAT}/window").json()
    assert window["latest"] == chain[0]
    assert (window["size"], window["stuck"], window["timings"]["completed"]) == (14, False, len(chain))
    assert http.get(f"{HERE}/{chain[0]['id']}/chain").json()["items"] == chain
    assert http.get(HERE, params={"kind": "rolling"}).json()["items"][-1] == chain[0]


def test_summaries_of_unknown_records_are_not_found(http, ids):
    assert http.post("conversations/new/summaries").status_code == 404
    assert http.post(HERE, json={"first": "nobody"}).status_code == 404
    assert http.get(f"{HERE}/nobody").status_code == 404
    assert http.post(HERE, json={"first": -1}).status_code == 422
    assert http.get(f"{CHAT}/chain").json() == {"items": []}
    assert http.get("conversations/new/window").json()["latest"] is None
