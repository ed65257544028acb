"""Tests items over HTTP."""

from __future__ import annotations

import pytest

ANA = {"namespace": ["users", "ana"]}


@pytest.mark.req("X26")
def test_items_are_stored_found_renamed_and_deleted(http, store):
    made = http.put("items/a%2Fb", json=ANA | {"value": {"z": 1.0, "a": None}, "expires": "30d"})
    assert made.status_code == 200
    assert '"value":{"z":1.0,"a":null}' in made.text
    assert http.get(http.base_url.join(made.headers["Location"])).json() == made.json()
    entries = [{"key": "k", "value": "herons"}, {"key": "l", "value": 3, "namespace": ["deep"]}]
    assert len(http.post("items", json=ANA | {"entries": entries}).json()["items"]) == 2
    found = http.post("items/search", json={"namespace": ["users"], "query": "herons", "limit": 1}).json()["items"]
    assert (found[0]["item"]["key"], found[0]["score"] > 0) == ("k", True)
    listed = http.post("items/search", json={"filter": {"z": {"$gte": 1}}}).json()["items"]
    assert [one["item"]["key"] for one in listed] == ["a/b"]
    assert http.get("namespaces", params={"max_depth": 1}).json() == {"items": [["users"]]}
    assert http.post("items/k/rename", json=ANA | {"new_key": "m"}).json()["key"] == "m"
    taken = http.post("items/m/rename", json=ANA | {"new_key": "a/b"})
    assert (taken.status_code, taken.json()["code"]) == (409, "conflict")
    read = http.get("items/m", params=ANA).json()
    assert http.put("items/m", json=ANA | {"value": 1, "replaces": read}).status_code == 200
    for replaces in (read, None):
        refused = http.put("items/m", json=ANA | {"value": 2, "replaces": replaces})
        assert (refused.status_code, refused.json()["code"]) == (409, "conflict")
    assert http.post("namespaces/move", json=ANA | {"new_namespace": ["bob"]}).json() == {"moved": 3}
    assert http.post("namespaces/move", json={"namespace": ["bob"], "new_namespace": ["users", "ana"]}).is_success
    assert http.post("items/m/touch", json=ANA | {"expires": "never"}).json()["expires_at"] is None
    assert http.delete("items/m", params=ANA).json() == {"deleted": True}
    assert http.get("items/m", params=ANA).status_code == 404
    assert http.put("items/n", json={"value": 1, "ttl": 3}).status_code == 422
    assert http.post("forget", json={"items": ["users", "ana"], "key": "a/b"}).json()["erased"][0]["kind"] == "item"
    assert http.delete("items").json() == {"removed": 1}
    assert store.space("default").items().search() == []
