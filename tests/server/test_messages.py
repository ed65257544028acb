"""Tests editing, scoring, caching and validation of messages over HTTP."""

from __future__ import annotations

import pytest
from tests.server.conftest import bearer

HERE = "conversations/trip/messages"


def said(http, *texts: str, **rest) -> list[str]:
    body = {"messages": [{"role": "user", "content": text} | rest for text in texts]}
    return [one["id"] for one in http.post(HERE, json=body).json()["items"]]


@pytest.mark.req("X3")
def test_an_edited_message_keeps_its_position_and_its_old_text_is_erased(http, store):
    first, second = said(http, "We settled on Zanzibar", "Noted")
    answer = http.put(f"{HERE}/{first}", json={"content": "We settled on Lisbon"})
    assert (answer.status_code, answer.json()["seq"], answer.json()["content"]) == (200, 0, "We settled on Lisbon")
    assert "Zanzibar" not in http.get("recall", params={"q": "Where did we settle?"}).text
    store.flush()
    assert store.verify_erasure("We settled on Zanzibar").clean
    assert http.put(f"{HERE}/nobody", json={"content": "x"}).status_code == 404
    assert http.put(f"{HERE}/{second}", json={"content": " "}).json()["code"] == "invalid_input"


@pytest.mark.req("D9", "X4", "B18")
def test_a_message_has_chunks_times_and_accesses(http, store):
    text = "Look:\n\n```python\nprint(1)\n```\n\nWe did it yesterday."
    (id,) = said(http, text, at="2026-03-05T10:00:00Z")
    chunks = http.get(f"{HERE}/{id}/chunks").json()["items"]
    assert "".join(one["content"] for one in chunks) == text
    store.flush()
    (when,) = http.get(f"{HERE}/{id}/times").json()["items"]
    assert (when["start"][:10], when["text"]) == ("2026-03-04", "yesterday")
    assert http.get(f"{HERE}/{id}/accesses").json() == {"access": None}
    http.get("recall", params={"q": "print"})
    assert http.get(f"{HERE}/{id}/accesses").json()["access"]["count"] == 1
    for part in ("chunks", "times", "accesses"):
        assert http.get(f"{HERE}/nobody/{part}").status_code == 404


@pytest.mark.req("A18", "A7")
def test_messages_are_scored_by_rules(http, store):
    ids = said(http, "What does `tick()` do?", "Hello", importance=0.1)
    dry = http.post("trip/score-messages", json={"dry_run": True}).json()["items"]
    assert [one["importance"] for one in dry] == [0.85, 0.5]
    assert store.conversation("trip").message(ids[0]).importance == 0.1
    (one,) = http.post("trip/score-messages", json={"messageIds": [ids[0]]}).json()["items"]
    assert one == {
        "message_id": ids[0],
        "seq": 0,
        "importance": 0.85,
        "before": 0.1,
        "rules": ["question", "code"],
    }
    assert [one["before"] for one in http.post("trip/score-messages").json()["items"]] == [0.85, 0.1]
    assert http.post("trip/score-messages", json={"ids": ["nobody"]}).status_code == 404
    assert http.post("nothing/score-messages").json() == {"items": []}


@pytest.mark.req("A1")
def test_recent_messages_exclude_the_newest_by_default(http):
    ids = said(http, *map(str, range(10)))
    assert [one["id"] for one in http.get("conversations/trip/recent").json()["items"]] == ids[1:9]
    asked = http.get("conversations/trip/recent", params={"limit": 2, "include_newest": True}).json()["items"]
    assert [one["id"] for one in asked] == ids[8:]


def test_a_created_message_has_a_location_header(http):
    answer = http.post(HERE.replace("trip", "a%2Fb"), json={"role": "user", "content": "hello"})
    assert answer.status_code == 201
    place = answer.headers["Location"]
    assert place.startswith("/api/memory/conversations/a%2Fb/messages/")
    assert http.get(http.base_url.join(place)).json() == answer.json()["items"][0]


def test_an_unchanged_resource_gets_304(http):
    said(http, "one")
    for path in ("conversations/trip", HERE, "conversations"):
        first = http.get(path)
        again = http.get(path, headers={"If-None-Match": f'"other", W/{first.headers["ETag"]}'})
        assert (again.status_code, again.content) == (304, b"")
        assert "content-length" not in again.headers or again.headers["content-length"] == "0"
    tag = http.get(HERE).headers["ETag"]
    said(http, "two")
    assert http.get(HERE, headers={"If-None-Match": tag}).status_code == 200
    assert "ETag" not in http.get(f"{HERE}/nobody").headers


@pytest.mark.req("X17")
@pytest.mark.parametrize("model", ["http://127.0.0.1:9/v1#x", "HTTPS://evil.example/v1#x", " http://127.0.0.1/v1#x"])
def test_only_an_admin_key_may_name_a_model_by_url(serve, store, model):
    writer, admin = (bearer(store.create_key(access, access=access).secret) for access in ("write", "admin"))
    http = serve()
    calls = [
        ("PUT", "/api/memory/conversations/c", {"model": model}),
        ("POST", "/api/memory/conversations/c/messages", {"role": "user", "content": "hi", "model": model}),
        (
            "POST",
            "/api/memory/conversations/c/messages",
            {"messages": [{"role": "user", "content": "hi"}, {"role": "user", "content": "hi", "model": model}]},
        ),
    ]
    for method, path, body in calls:
        assert http.request(method, path, json=body, headers=writer).status_code == 403
    asked = {"content": "hi", "model": model}
    assert http.post("/api/memory/conversations/c/reply", json=asked, headers=writer).status_code == 403
    assert store.spaces() == []
    for method, path, body in calls:
        assert http.request(method, path, json=body, headers=admin).status_code in (200, 201)
    plain = {"role": "user", "content": "hi", "model": "ollama:qwen3"}
    assert http.post("/api/memory/conversations/d/messages", json=plain, headers=writer).status_code == 201


@pytest.mark.parametrize(
    "body",
    [
        b'{"role": "user", "content": "\\ud800"}',
        b'{"role": "user", "content": "a\\u0000b"}',
        b'{"role": "user", "content": "x", "\\ud800": 1}',
        b'{"role": "user", "content": "x", "metadata": {"a": NaN}}',
        b'{"role": "user", "content": "x", "importance": NaN}',
        b"[" * 100_000,
        b"\xff\xfe",
        b"null",
        b"",
    ],
)
def test_a_body_that_cannot_be_stored_is_rejected(http, store, body):
    answer = http.post(HERE, content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code in (400, 422), answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert store.spaces() == []


def test_an_unknown_field_is_rejected(http):
    assert http.put("conversations/c", json={"titel": "x"}).status_code == 422
    assert http.patch("conversations/c", json={"state": "ended"}).status_code == 422


@pytest.mark.req("B3")
def test_an_outcome_is_rejected_unless_it_ends_the_conversation(http):
    http.put("conversations/c", json={})
    assert http.patch("conversations/c", json={"outcome": "booked"}).status_code == 422
    assert http.patch("conversations/c", json={"status": "ended"}).json()["outcome"] is None
    answer = http.patch("conversations/c", json={"status": "ended", "outcome": "booked"})
    assert (answer.status_code, answer.json()["code"]) == (409, "wrong_state")


FORM = "application/x-www-form-urlencoded"


@pytest.mark.parametrize(
    ("headers", "said"),
    [
        ({"Content-Type": "text/plain"}, "has the Content-Type text/plain"),
        (
            {"Content-Type": "application/x-www-form-urlencoded"},
            "has the Content-Type application/x-www-form-urlencoded",
        ),
        ({}, "has no Content-Type"),
    ],
    ids=["text", "form", "none"],
)
def test_json_without_the_json_content_type_gets_a_clear_error(http, headers, said):
    body = b'{"role": "user", "content": "We settled on Lisbon."}'
    assert http.post("conversations/trip/messages", content=body, headers=headers).status_code == 415
    named = {**headers, "X-Aforesaid-Space": "alice"}  # no web page of another origin can send this header
    answer = http.post("conversations/trip/messages", content=body, headers=named)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_input")
    detail = answer.json()["detail"]
    assert detail == f"the body {said} and was not parsed; send JSON with the header Content-Type: application/json"


def test_a_validation_error_of_json_does_not_mention_the_content_type(http):
    answer = http.post("conversations/trip/messages", json="We settled on Lisbon.")
    assert answer.status_code == 422
    assert "Content-Type" not in answer.json()["detail"]


@pytest.mark.req("X7")
def test_messages_are_annotated_removed_and_replaced(http, store):
    first, *_ = said(http, "one", "two", "three", "four", raw='{ "a": 1.0 }')
    edited = http.put(f"{HERE}/{first}", json={"metadata": {"n": 1}}).json()
    assert (edited["content"], edited["metadata"], edited["raw"]) == ("one", {"n": 1}, '{ "a": 1.0 }')
    assert http.put(f"{HERE}/{first}", json={}).status_code == 422
    assert http.post(f"{HERE}/pop").json()["message"]["content"] == "four"
    new = {"first": 2, "messages": [{"role": "user", "content": "new", "raw": "[1]"}]}
    assert [(one["content"], one["raw"]) for one in http.post(f"{HERE}/replace", json=new).json()["items"]] == [
        ("new", "[1]")
    ]
    assert http.post(f"{HERE}/remove", json={"first": first, "last": 1}).json() == {"removed": 2}
    assert http.delete(HERE).json() == {"removed": 1}
    assert http.post(f"{HERE}/pop").json() == {"message": None}
