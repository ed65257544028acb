"""Tests profile, consent and audit over HTTP."""

from __future__ import annotations

import pytest
from tests.server.conftest import bearer


@pytest.mark.req("D9", "D10")
def test_a_profile_needs_consent_and_revocation_erases_it(http):
    assert http.get("consent").json()["granted"] is False
    refused = http.put("profile", json={"fields": {"city": "Lisbon"}})
    assert (refused.status_code, refused.json()["code"]) == (403, "consent_needed")
    granted = http.put("consent", json={"granted": True, "note": "asked in the app"}).json()
    assert (granted["granted"], granted["by"], granted["note"]) == (True, "caller", "asked in the app")
    kept = http.put("profile", json={"fields": {"city": "Lisbon", "age": 41, "vegan": True}, "text": "Likes trains."})
    assert {one["name"]: one["value"] for one in kept.json()["fields"]} == {"age": 41, "city": "Lisbon", "vegan": True}
    assert http.get("profile").json()["free"]["value"] == "Likes trains."
    revoked = http.put("consent", json={"granted": False}).json()
    assert (revoked["granted"], sorted(revoked["revocation"]["fields"])) == (False, ["", "age", "city", "vegan"])
    assert http.get("consent").json()["revocation"] is None
    assert http.get("profile").json()["fields"] == []


def test_profile_fields_have_a_source_and_a_validity_period(http, clock, store):
    http.put("consent", json={"granted": True})
    said = store.conversation("c").add("user", "I live in Lisbon.")
    source = {"conversation": "c", "message": said.id}
    http.put("profile", json={"fields": {"city": "Lisbon"}, "source": source, "since": "2026-02-01"})
    clock.forward(days=1)
    http.put("profile", json={"fields": {"city": "Porto"}})
    assert values(http.get("profile").json()) == {"city": "Porto"}
    old = http.get("profile", params={"as_of": "2026-02-05"}).json()
    assert (values(old), old["fields"][0]["message_id"]) == ({"city": "Lisbon"}, said.id)
    assert http.put("profile", json={"fields": {"a": 1}, "source": source | {"message": "x"}}).status_code == 404
    assert values(http.delete("profile", params={"field": "city"}).json()) == {}
    assert http.delete("profile", params={"field": "city"}).status_code == 404
    assert http.delete("profile").status_code == 422
    assert http.put("profile", json={}).status_code == 422
    assert http.put("profile", json={"fields": {"a": None}}).status_code == 422


@pytest.mark.req("X17", "D10")
def test_the_audit_records_the_key_and_only_an_admin_may_name_another_actor(serve, store):
    store.space("alice").grant_consent(by="alice")
    admin = serve(headers=bearer(store.create_key("desk", access="admin", spaces=["alice"]).secret))
    writer = serve(headers=bearer(store.create_key("app", spaces=["alice"]).secret))
    path = "/api/memory/profile"
    assert writer.put(path, json={"fields": {"city": "Lisbon"}}).status_code == 200
    assert writer.get(path, params={"by": "app"}).status_code == 200
    for forged in (
        writer.put(path, params={"by": "desk"}, json={"fields": {"city": "Porto"}}),
        writer.get(path, params={"by": "desk"}),
        writer.delete(path, params={"by": "desk", "field": "city"}),
    ):
        assert (forged.status_code, forged.json()["code"]) == (403, "forbidden")
    assert admin.delete(path, params={"by": "alice herself", "field": "city"}).status_code == 200
    assert admin.get("/api/memory/export").status_code == 200
    entries = admin.get("/api/memory/audit").json()["items"]
    assert sorted((one["action"], one["actor"]) for one in entries) == [
        ("change", "app"), ("export", "desk"), ("grant", "alice"), ("read", "app"), ("remove", "alice herself"),
    ]  # fmt: skip
    assert "Lisbon" not in str(entries)
    assert [one["actor"] for one in admin.get("/api/memory/audit", params={"action": "grant"}).json()["items"]] == [
        "alice"
    ]
    first = admin.get("/api/memory/audit", params={"limit": 3}).json()
    second = admin.get("/api/memory/audit", params={"limit": 3, "after": first["next"]}).json()
    assert (first["items"] + second["items"], second["next"]) == (entries, None)
    assert admin.get("/api/memory/audit", params={"after": "nothing"}).status_code == 404


@pytest.mark.req("X17")
def test_consent_audit_and_erasure_require_an_admin_key(serve, store):
    store.space("alice").grant_consent()
    store.space("alice").set_profile({"city": "Lisbon"})
    writer = serve(headers=bearer(store.create_key("app", spaces=["alice"]).secret))
    assert writer.put("/api/memory/consent", json={"granted": False}).status_code == 403
    assert writer.get("/api/memory/audit").status_code == 403
    erase = {"field": "city", "erase": True}
    assert writer.delete("/api/memory/profile", params=erase).status_code == 403
    assert store.space("alice").profile().values == {"city": "Lisbon"}
    admin = serve(headers=bearer(store.create_key("desk", access="admin", spaces=["alice"]).secret))
    assert admin.delete("/api/memory/profile", params=erase).json()["fields"] == []


def values(profile):
    return {one["name"]: one["value"] for one in profile["fields"]}


def test_the_portrait_names_its_sources_and_its_reader_is_audited(http):
    said = "My sister Marta had a baby girl in Porto on 3 May."
    sent = http.post("conversations/c/messages", json={"role": "user", "content": said}).json()["items"]
    http.put("consent", json={"granted": True})
    http.put("profile", json={"fields": {"city": "Lisbon"}})
    about = http.get("about", params={"tokens": 100}).json()
    shown = [(item["kind"], item["text"], item["source"]) for item in about["items"]]
    assert shown[0] == ("profile", "Lisbon", "city")
    assert shown[-1] == ("message", said, sent[0]["id"])
    assert about["tokens"] <= 100
    assert said in about["text"]
    assert [entry["actor"] for entry in http.get("audit", params={"action": "read"}).json()["items"]] == ["caller"]
    assert http.get("about", params={"tokens": 0}).status_code == 422
