"""Tests reading, rendering, replaying and comparing receipts over HTTP."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.req("X1")
CHAT = "conversations/trip"


@pytest.fixture
def shown(http, store) -> list[str]:
    chat = store.conversation("trip")
    ids = []
    for text in ("Is <b>Lisbon</b> fine?", "And Porto?"):
        chat.add("user", text)
        ids.append(http.post(f"{CHAT}/context", json={"system": "Plan."}).json()["receipt"])
    return ids


def test_a_receipt_is_read_listed_and_rendered_as_html(http, store, shown):
    answer = http.get(f"receipts/{shown[0]}").json()
    kept = store.receipt(shown[0])
    assert (answer["digest"], len(answer["items"])) == (kept.digest, len(kept.items))
    assert answer["call"]["system"] == "Plan."
    listed = http.get("receipts").json()["items"]
    assert sorted(one["id"] for one in listed) == sorted(shown)
    assert "items" not in listed[0]
    counts = store.receipt(listed[0]["id"]).counts
    assert (listed[0]["counts"], counts["message"]) == (counts, sum(counts.values()) - counts["text"])
    assert {one["question"] for one in listed} == {"Is <b>Lisbon</b> fine?", "And Porto?"}
    assert http.get("receipts", params={"conversation": "other"}).json() == {"items": []}
    page = http.get(f"receipts/{shown[0]}", headers={"Accept": "text/html"})
    both = http.get(f"receipts/{shown[0]}", headers={"Accept": "application/json, text/html;q=0.5"})
    assert both.json() == answer
    assert page.headers["content-type"].startswith("text/html")
    assert "default-src 'none'" in page.headers["Content-Security-Policy"]
    assert "&lt;b&gt;Lisbon&lt;/b&gt;" in page.text
    assert "<b>Lisbon" not in page.text
    assert "<script" not in page.text


def test_a_receipt_is_replayed_and_compared(http, store, shown):
    assert http.get(f"receipts/{shown[1]}/replay").json()["same"] is True
    store.conversation("trip").add("user", "Rather Faro?")
    again = http.get(f"receipts/{shown[1]}/replay").json()
    assert again["same"] is False
    assert again["added"]
    compared = http.get(f"receipts/{shown[0]}/compare", params={"other": shown[1]}).json()
    assert (compared["before"]["id"], compared["after"]["id"], compared["same"]) == (*shown, False)
    assert len(http.get("receipts").json()["items"]) == 2


def test_a_receipts_context_is_rebuilt_without_a_new_receipt(http, shown):
    again = http.get(f"receipts/{shown[0]}/context").json()
    assert again["receipt"] == shown[0]
    assert again["system"] == "Plan."
    said = [item for section in again["sections"] for item in section["items"] if section["name"] == "newest"]
    assert said[0]["text"] == "And Porto?"
    payload = http.get(f"receipts/{shown[0]}/context", params={"format": "openai"}).json()["payload"]
    assert payload["messages"][-1]["content"].endswith("And Porto?")
    cached = http.get(f"receipts/{shown[0]}/context", params={"format": "anthropic", "cache": True}).json()["payload"]
    assert cached["system"][0]["cache_control"] == {"type": "ephemeral"}
    assert len(http.get("receipts").json()["items"]) == 2


@pytest.mark.req("X17")
def test_a_receipt_of_another_space_gets_the_same_response_as_an_unknown_one(http, store, shown):
    mine = store.space("bob").conversation("c")
    mine.add("user", "hi")
    own = mine.context().receipt.id
    paths = ("", "/replay", "/context", "/compare", "/items")
    for path in (f"receipts/{{}}{rest}" for rest in paths):
        answers = [http.get(path.format(id), params={"space": "bob", "other": own}) for id in (shown[0], "nobody")]
        assert {answer.status_code for answer in answers} == {404}
        assert answers[0].text.replace(shown[0], "nobody") == answers[1].text
    turned = http.get(f"receipts/{own}/compare", params={"space": "bob", "other": shown[0]})
    assert turned.status_code == 404
    assert http.get("receipts", params={"space": "bob"}).json()["items"][0]["id"] == own


@pytest.mark.req("X34", "X17")
def test_a_context_of_several_spaces_and_its_receipt_need_a_key_to_all_of_them(http, store):
    store.space("alice").conversation("trip").add("user", "Let us plan.")
    store.space("team").conversation("t").add("user", "The heron lives in Quimper")
    store.flush()
    both = store.create_key("both", access="read", spaces=["alice", "team"]).secret
    one = store.create_key("one", access="read", spaces=["alice"]).secret
    asked = {"query": "Where does the heron live?", "spaces": ["team"], "format": "text"}

    def sent(secret, path, **options):
        headers = {"Authorization": f"Bearer {secret}", "X-Aforesaid-Space": "alice"}
        return http.request("POST" if options else "GET", path, headers=headers, **options)

    assert sent(one, f"{CHAT}/context", json=asked).status_code == 403
    built = sent(both, f"{CHAT}/context", json=asked).json()
    assert "# team: t, " in built["payload"]["text"]
    other = sent(one, f"{CHAT}/context", json=asked | {"spaces": []}).json()["receipt"]
    rests = ("", "/replay", "/context", "/items", f"/compare?other={other}")
    paths = [f"receipts/{built['receipt']}{rest}" for rest in rests]
    paths.append(f"receipts/{other}/compare?other={built['receipt']}")
    for path in paths:
        assert sent(one, path).status_code == 403, path
        assert "Quimper" not in sent(one, path).text
        assert sent(both, path).status_code == 200, path
    named = [item["space"] for item in sent(both, paths[0]).json()["items"] if item["section"] == "recalled"]
    assert named == ["team"]


@pytest.mark.req("X31", "X1")
def test_a_message_of_a_receipt_is_explained_over_http(http, store, shown):
    told = http.post(f"receipts/{shown[1]}/why", json={"message": "is lisbon fine"}).json()
    assert (told["included"], told["cause"], told["section"]) == (True, "included", "history")
    assert told["message"]["content"] == "Is <b>Lisbon</b> fine?"
    assert told == store.why(shown[1], told["message"]["id"]).to_dict() | {"message": told["message"]}
    unknown = http.post(f"receipts/{shown[1]}/why", json={"message": "nobody said so"})
    assert (unknown.status_code, unknown.json()["cause"], unknown.json()["message"]) == (200, "unknown", None)
    assert http.post("receipts/nobody/why", json={"message": "x"}).status_code == 404
    assert http.post(f"receipts/{shown[1]}/why", json={"message": ""}).status_code == 422
    everywhere = http.post(
        f"receipts/{shown[1]}/why", params={"space": "bob"}, json={"message": "is lisbon fine", "all": True}
    )
    assert everywhere.json() == told
    store.space("bob").conversation("c").add("user", "hi")
    reader = {"Authorization": f"Bearer {store.create_key('one', access='read', spaces=['bob']).secret}"}
    refused = http.post(f"receipts/{shown[1]}/why", json={"message": "is lisbon fine", "all": True}, headers=reader)
    assert refused.status_code == 403


@pytest.mark.req("X31", "X1")
def test_the_items_of_a_receipt_have_their_words(http, store, shown):
    items = http.get(f"receipts/{shown[1]}/items").json()["items"]
    assert [one["item"]["id"] for one in items] == [item.id for item in store.receipt(shown[1]).items]
    said = next(one for one in items if one["item"]["section"] == "history")
    assert (said["text"], said["speaker"], said["conversation"], said["seq"]) == (
        "Is <b>Lisbon</b> fine?",
        "user",
        "trip",
        0,
    )


@pytest.mark.req("X31", "X17")
def test_a_message_of_another_space_is_explained_only_with_a_key_to_it(http, store, shown):
    said = store.space("team").conversation("t").add("user", "The heron lives in Quimper")
    one = store.create_key("one", access="read", spaces=["default"]).secret
    both = store.create_key("both", access="read", spaces=["default", "team"]).secret
    body, place = {"message": said.id, "message_space": "team"}, {"space": "default"}
    answers = [
        http.post(f"receipts/{shown[0]}/why", json=body, params=place, headers={"Authorization": f"Bearer {key}"})
        for key in (one, both)
    ]
    assert [answer.status_code for answer in answers] == [403, 200]
    assert answers[1].json()["cause"] == "other_space"
    assert "Quimper" not in answers[0].text
