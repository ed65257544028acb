"""Tests recall and its filters over HTTP."""

from __future__ import annotations

import typing

import pytest

from aforesaid import RecallOptions
from aforesaid.server.routes.recall import RecallBody


@pytest.fixture
def filled(store):
    chat = store.conversation("trip")
    chat.add("user", "I like the window seat", at="2026-02-01T09:00:00Z", metadata={"tags": ["travel"]})
    store.conversation("other").add("user", "The aisle seat is fine too", at="2026-02-20T09:00:00Z", importance=0.9)
    store.space("default").remember("Prefers window seats", kind="preference", category="travel")
    store.flush()
    return store


def test_every_recall_option_is_a_field_of_the_body():
    assert set(RecallBody.model_fields) == {"query", "limit", *typing.get_type_hints(RecallOptions)}


@pytest.mark.req("B11", "B13", "D7")
def test_recall_returns_the_same_hits_as_in_python(http, filled):
    answer = http.post("recall", json={"query": "seat", "limit": 5, "explain": True}).json()
    hits = filled.space("default").recall("seat", 5, explain=True)
    assert [(one["kind"], one["id"], one["score"]["total"]) for one in answer["items"]] == [
        (hit.kind, hit.id, hit.score.total) for hit in hits
    ]
    assert answer["explanation"]["terms"] == list(hits.explanation.terms)
    assert answer["milliseconds"]["total"] > 0
    assert http.get("recall", params={"q": "seat", "limit": 5}).json()["items"] == answer["items"]


@pytest.mark.req("B13", "B19", "X4")
@pytest.mark.parametrize(
    ("bounds", "texts"),
    [
        ({"kinds": ["fact"]}, ["Prefers window seats"]),
        ({"types": ["preference"]}, ["Prefers window seats"]),
        ({"kinds": ["message"], "since": "2026-02-10"}, ["The aisle seat is fine too"]),
        ({"kinds": ["message"], "until": "2026-02-01"}, ["I like the window seat"]),
        ({"kinds": ["message"], "as_of": "2026-02-10T00:00:00Z"}, ["I like the window seat"]),
        ({"kinds": ["message"], "known_at": "2026-02-10"}, ["I like the window seat"]),
        ({"tags": ["travel"]}, ["I like the window seat"]),
        ({"filter": {"tags": {"$in": ["travel", "work"]}}}, ["I like the window seat"]),
        ({"filter": {"$not": {"tags": "travel"}}}, ["The aisle seat is fine too"]),
        ({"kinds": ["message"], "min_importance": 0.9}, ["The aisle seat is fine too"]),
        ({"kinds": ["message"], "conversation": "other"}, ["The aisle seat is fine too"]),
        ({"kinds": ["message"], "limit": 1, "boost": "aisle"}, ["The aisle seat is fine too"]),
        ({"kinds": ["episode"], "include_episodes": False}, []),
    ],
)
def test_filters_limit_the_hits(http, filled, bounds, texts):
    answer = http.post("recall", json={"query": "seat", **bounds})
    assert [one["text"] for one in answer.json()["items"]] == texts, answer.text


@pytest.mark.req("D1")
def test_recall_in_a_conversation_ranks_its_hits_first_and_falls_back_to_the_space(http, filled):
    answer = http.post("conversations/other/recall", json={"query": "seat", "kinds": ["message"]}).json()
    assert [one["conversation"] for one in answer["items"]] == ["other", "trip"]
    assert (
        http.get("recall", params={"q": "seat", "conversation": "other", "kind": "message"}).json()["items"]
        == (answer["items"][:1])
    )


@pytest.mark.req("X13")
@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("我们在里斯本见面", "里斯本"),
        ("मुझे खिड़की वाली सीट पसंद है", "खिड़की"),
        ("أحب المقعد", "المقعد"),
        ("party 🎉 tonight", "🎉"),
        ("créé à Évora", "evora"),
    ],
)
def test_text_in_every_script_is_found(http, text, query):
    http.post("conversations/c/messages", json={"messages": [{"role": "user", "content": c} for c in (text, "Hello")]})
    for found in (http.post("recall", json={"query": query}), http.get("recall", params={"q": query})):
        best = found.json()["items"][0]
        assert (best["text"], "lexical" in best["sources"]) == (text, True)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"query": "x", "kinds": ["nobody"]},
        {"query": "x", "since": "soon"},
        {"query": "x", "limit": 0},
        {"query": "x", "min_importance": 2},
        {"query": "x", "kind": "fact"},
        {"query": "a\x00b"},
        {"query": "x", "tags": "travel"},
    ],
)
def test_an_invalid_query_is_rejected(http, body):
    assert http.post("recall", json=body).status_code == 422


def test_recall_in_an_empty_space_returns_no_hits(http):
    assert http.post("recall", json={"query": "x"}).json()["items"] == []
    assert http.post("conversations/new/recall", json={"query": "x"}).json()["items"] == []


@pytest.mark.parametrize(("call", "query"), [("debug/retrieval", {"q": " "}), ("recall", {"q": ""})])
def test_an_empty_query_gets_a_clear_error(http, call, query):
    answer = http.get(call, params=query)
    assert answer.status_code == 422
    assert answer.json()["detail"] == "query is empty or only white space; give it at least one visible character"


@pytest.mark.req("B13")
def test_an_invalid_filter_is_a_problem_that_says_what_to_do(http, filled):
    for path in ("recall", "conversations/trip/context"):
        answer = http.post(path, json={"query": "seat", "filter": {"topic": {"$like": "x"}}})
        assert answer.status_code == 422
        assert "use one of $eq" in answer.json()["detail"]


@pytest.mark.req("X34", "X17")
def test_several_spaces_are_searched_only_if_the_key_opens_all_of_them(http, store, filled):
    store.space("team").conversation("c").add("user", "The team prefers the aisle seat")
    answer = http.post("spaces/recall", json={"query": "seat", "spaces": ["default", "team"], "kinds": ["message"]})
    assert {one["space"] for one in answer.json()["items"]} == {"default", "team"}
    assert http.post("spaces/recall", json={"query": "seat", "spaces": []}).status_code == 422
    secret = store.create_key("one", access="read", spaces=["team", "default"]).secret
    narrow = store.create_key("two", access="read", spaces=["team"]).secret
    for key, status in ((secret, 200), (narrow, 403)):
        headers = {"Authorization": f"Bearer {key}"}
        asked = http.post("spaces/recall", json={"query": "seat", "spaces": ["team", "default"]}, headers=headers)
        assert asked.status_code == status, asked.text


def test_feedback_is_stored_listed_and_deleted(http, filled):
    (hit,) = http.post("recall", json={"query": "window seat", "kinds": ["message"], "limit": 1}).json()["items"]
    stored = http.post("feedback", json={"query": "window seat", "message": hit["id"]})
    assert [one["verdict"] for one in stored.json()["items"]] == ["useful"]
    (rated,) = http.get("feedback").json()["items"]
    assert (rated["message_id"], round(rated["correction"], 2)) == (hit["id"], 0.5)
    assert http.get("feedback", params={"query": "something else"}).json()["items"][0]["correction"] == 0
    assert http.post("feedback", json={"query": "seat", "message": "nothing"}).status_code == 404
    assert http.delete("feedback").json() == {"removed": 1}


@pytest.mark.req("B11")
def test_groups_are_returned_with_their_messages(http, filled):
    answer = http.post("recall", json={"query": "window seat", "group": "session", "limit": 1}).json()
    (group,) = answer["groups"]
    assert (group["kind"], group["conversation"]) == ("session", "trip")
    assert [one["content"] for one in group["messages"]] == ["I like the window seat"]
    assert answer["items"] == group["hits"]
    assert http.post("recall", json={"query": "seat", "group": "day"}).status_code == 422
