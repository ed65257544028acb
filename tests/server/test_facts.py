"""Tests facts, their review, relations and consolidation over HTTP."""

from __future__ import annotations

import pytest
from tests.server.conftest import bearer

REFUSED = (
    {},
    {"text": ""},
    {"text": "a\0b"},
    {"text": "x" * 10_001},
    {"text": "x", "kind": "rumour"},
    {"text": "x", "importance": 2},
    {"text": "x", "tags": "home"},
    {"text": "x", "tags": None},
    {"text": "x", "valid_from": "yesterday"},
    {"text": "x", "valid_from": "2026-03-02T00:00:00Z", "valid_until": "2026-03-01T00:00:00Z"},
    {"text": "x", "colour": "green"},
    {"text": "x", "source": "no such message"},
)


@pytest.fixture
def lisbon(http):
    body = {"text": "Lives in Lisbon", "attribute": "home", "value": "Lisbon", "tags": ["home"], "category": "person"}
    return http.post("facts", json=body).json()


@pytest.mark.req("B6", "B19")
def test_a_corrected_fact_supersedes_the_old_one(http, clock, lisbon):
    assert (lisbon["status"], lisbon["method"], lisbon["value"]) == ("active", "manual", "Lisbon")
    assert http.get(f"facts/{lisbon['id']}").json() == lisbon
    clock.forward(days=2)
    moved = http.post("facts", json={"text": "Lives in Porto", "attribute": "home", "value": "Porto"})
    assert moved.status_code == 201
    assert moved.headers["Location"] == f"/api/memory/facts/{moved.json()['id']}"
    assert texts(http) == ["Lives in Porto"]
    assert texts(http, status="superseded") == ["Lives in Lisbon"]
    assert texts(http, status="any") == ["Lives in Lisbon", "Lives in Porto"]
    assert texts(http, as_of="2026-03-02") == ["Lives in Lisbon"]
    assert texts(http, known_at="2026-03-02T00:00:00Z") == ["Lives in Lisbon"]
    undone = http.post(f"facts/{lisbon['id']}/undo").json()
    assert undone["status"] == "active"


def test_facts_are_filtered_by_kind_category_tag_and_subject(http, lisbon):
    http.post("facts", json={"text": "Never flies", "kind": "preference", "subject": "Ana"})
    assert texts(http, kind="preference") == texts(http, subject="Ana") == ["Never flies"]
    assert texts(http, tag="home") == texts(http, category="person") == ["Lives in Lisbon"]
    assert texts(http, tag="other") == []


def test_facts_are_paginated(http):
    for number in range(5):
        http.post("facts", json={"text": f"Fact number {number}"})
    first = http.get("facts", params={"limit": 3}).json()
    rest = http.get("facts", params={"limit": 3, "after": first["next"]}).json()
    assert [one["text"][-1] for one in first["items"] + rest["items"]] == ["0", "1", "2", "3", "4"]
    assert rest["next"] is None


@pytest.mark.req("B14")
def test_pending_facts_are_promoted_rejected_or_archived(http, store, clock):
    store.space("default").set("fact_threshold", 1.0)
    for text in ("I live in Lisbon.", "I am allergic to peanuts.", "My favourite colour is green."):
        store.conversation("c").add("user", text)
    store.flush()
    waiting = {one["text"]: one["id"] for one in http.get("review").json()["items"]}
    assert len(waiting) >= 2
    good, bad, *_ = waiting.values()
    assert http.post(f"facts/{good}/promote").json()["status"] == "active"
    assert http.post(f"facts/{bad}/reject").json()["status"] == "rejected"
    assert http.post(f"facts/{good}/archive").json()["status"] == "archived"
    assert {good, bad}.isdisjoint(one["id"] for one in http.get("review").json()["items"])


@pytest.mark.req("X4")
@pytest.mark.parametrize("verb", ["archive", "reject"])
def test_a_reason_is_kept_until_the_decision_is_undone(http, lisbon, verb):
    gone = http.post(f"facts/{lisbon['id']}/{verb}", json={"reason": "She moved"}).json()
    assert (gone["reason"], gone["withdrawn_from"]) == ("She moved", "active")
    assert http.get(f"facts/{lisbon['id']}").json() == gone
    assert http.post(f"facts/{lisbon['id']}/undo").json()["reason"] is None
    assert http.post(f"facts/{lisbon['id']}/{verb}", json={"reason": " "}).status_code == 422
    assert http.post(f"facts/{lisbon['id']}/{verb}", json={"why": "x"}).status_code == 422


@pytest.mark.req("X9")
def test_words_and_value_change_together_or_not_at_all(http):
    home = {"text": "Lives in Lisbon", "attribute": "home", "value": "Lisbon"}
    fact = http.post("facts", json=home).json()
    edited = http.patch(f"facts/{fact['id']}", json={"text": "Lives in Faro"}).json()
    assert (edited["value"], edited["confidence"]) == ("Faro", 1)
    refused = http.patch(f"facts/{edited['id']}", json={"text": "Has moved away"})
    assert (refused.status_code, "change the value too" in refused.text) == (422, True)
    plain = http.patch(f"facts/{edited['id']}", json={"text": "Has moved away", "attribute": None}).json()
    assert (plain["attribute"], plain["value"]) == (None, None)


def test_editing_the_text_creates_a_version_and_null_clears_valid_until(http, lisbon):
    edited = http.patch(f"facts/{lisbon['id']}", json={"importance": 0.9, "valid_until": "2027-01-01T00:00:00Z"}).json()
    assert (edited["importance"], edited["text"]) == (0.9, "Lives in Lisbon")
    again = http.patch(f"facts/{edited['id']}", json={"text": "Lives in Lisboa", "valid_until": None}).json()
    assert (again["valid_until"], again["importance"], again["tags"]) == (None, 0.9, ["home"])
    assert again["id"] != lisbon["id"]


@pytest.mark.req("B20")
def test_facts_are_linked_and_unlinked(http, lisbon):
    other = http.post("facts", json={"text": "Works at the harbour"}).json()
    link = {"source": other["id"], "kind": "depends_on", "target": lisbon["id"], "strength": 0.5}
    assert http.post("relations", json=link).status_code == 201
    found = http.get("relations", params={"fact": lisbon["id"]}).json()["items"]
    assert [(one["source"], one["strength"]) for one in found] == [(other["id"], 0.5)]
    assert http.get("relations").json()["items"] == found
    named = {name: link[name] for name in ("source", "kind", "target")}
    assert http.delete("relations", params=named).json() == {"removed": True}
    assert http.delete("relations", params=named).json() == {"removed": False}
    assert http.post("relations", json=link | {"target": other["id"]}).status_code == 422
    assert http.post("relations", json=link | {"target": "nobody"}).status_code == 404


@pytest.mark.req("B15")
def test_consolidation_has_a_dry_run_and_can_be_undone(http, clock):
    weak = http.post("facts", json={"text": "Had soup for lunch", "importance": 0.1}).json()["id"]
    clock.forward(days=90)
    shown = http.post("consolidations", json={"dry_run": True}).json()
    assert (shown["archived"], [one["id"] for one in shown["records"]]) == (1, [weak])
    assert http.get("consolidations").json() == {"items": []}
    assert http.post("consolidations", json={}).json()["archived"] == 1
    assert http.get(f"facts/{weak}").json()["status"] == "archived"
    assert http.post("consolidations/undo").json()["undone_at"]
    assert http.get(f"facts/{weak}").json()["status"] == "active"
    assert http.post("consolidations/undo").status_code == 404


def test_an_invalid_fact_is_rejected(http):
    for body in REFUSED:
        answer = http.post("facts", json=body)
        assert answer.status_code in (404, 422), body
        assert answer.headers["content-type"] == "application/problem+json"
    assert texts(http, status="any") == []


def test_a_lone_surrogate_is_rejected(http):
    answer = http.post("facts", content=b'{"text": "\\ud800"}', headers={"Content-Type": "application/json"})
    assert answer.status_code == 422


@pytest.mark.req("X17")
def test_a_fact_of_another_space_is_not_found(serve, store):
    theirs = store.space("bob").remember("Bob's secret")
    http = serve(headers=bearer(store.create_key("a", access="admin", spaces=["alice"]).secret))
    nowhere = http.get("/api/memory/facts/nowhere")
    found = http.get(f"/api/memory/facts/{theirs.id}")
    assert (found.status_code, found.text.replace(theirs.id, "nowhere")) == (404, nowhere.text)
    for verb in ("promote", "reject", "archive", "undo"):
        assert http.post(f"/api/memory/facts/{theirs.id}/{verb}").status_code == 404
    assert http.patch(f"/api/memory/facts/{theirs.id}", json={"text": "mine"}).status_code == 404
    after = [http.get("/api/memory/facts", params={"after": id}) for id in ("nowhere", theirs.id)]
    assert {(one.status_code, one.text.replace(theirs.id, "nowhere")) for one in after} == {(404, after[0].text)}
    assert store.space("bob").fact(theirs.id) == theirs


@pytest.mark.req("X17")
def test_a_read_key_cannot_change_facts(serve, store):
    fact = store.space("alice").remember("Lives in Lisbon")
    http = serve(headers=bearer(store.create_key("a", access="read", spaces=["alice"]).secret))
    assert http.get(f"/api/memory/facts/{fact.id}").status_code == 200
    for verb in ("promote", "reject", "archive", "undo"):
        assert http.post(f"/api/memory/facts/{fact.id}/{verb}").status_code == 403
    assert http.post("/api/memory/facts", json={"text": "x"}).status_code == 403
    assert http.post("/api/memory/consolidations", json={}).status_code == 403


def texts(http, **wanted):
    return [one["text"] for one in http.get("facts", params=wanted).json()["items"]]
