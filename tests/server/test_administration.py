"""Tests settings, erasure, spaces, store maintenance, keys and health checks over HTTP."""

from __future__ import annotations

from contextlib import closing
from urllib.parse import quote

import apsw
import pytest
from tests.server.conftest import bearer

import aforesaid
from aforesaid.settings import SETTING_DEFINITIONS

WHOLE = (
    ("get", "status"),
    ("get", "size"),
    ("get", "jobs"),
    ("post", "flush"),
    ("get", "doctor"),
    ("post", "doctor"),
    ("get", "cost/total"),
    ("get", "cost/allowance"),
    ("post", "verify-erasure"),
    ("get", "keys"),
    ("post", "keys"),
    ("delete", "keys/x"),
)


@pytest.mark.req("D3")
def test_settings_are_listed_with_their_source_changed_and_unset(http):
    shown = {one["name"]: one for one in http.get("settings").json()["items"]}
    assert list(shown) == [row.name for row in SETTING_DEFINITIONS]
    assert shown["chunk_tokens"] == {
        "name": "chunk_tokens",
        "value": 500,
        "source": "default",
        "default": 500,
        "help": "Most tokens of a chunk.",
        "variable": "AFORESAID_CHUNK_TOKENS",
        "least": 16,
        "most": 8000,
        "choices": [],
    }
    assert "rolling" in shown["summaries"]["choices"]
    changed = shown["chunk_tokens"] | {"value": 300, "source": "space"}
    assert http.put("settings/chunk_tokens", json={"value": 300}).json() == changed
    assert changed in http.get("settings").json()["items"]
    assert http.put("settings/hybrid", json={"value": False}).json()["value"] is False
    for name, value in (("chunk_tokens", 1), ("chunk_tokens", "many"), ("hybrid", 1), ("colour", "red")):
        assert http.put(f"settings/{name}", json={"value": value}).status_code == 422
    assert http.delete("settings/chunk_tokens").json()["source"] == "default"
    assert http.post("rechunk").json() == {"changed": 0}


@pytest.mark.req("X4")
def test_forget_has_a_dry_run_returns_a_receipt_and_is_verifiable(http, store):
    said = store.conversation("trip").add("user", "my passport is zanzibarian")
    store.conversation("trip").add("user", "hello there")
    seen = http.post("forget", json={"message": said.id, "dry_run": True}).json()
    assert (seen["dry_run"], seen["target"]) == (True, "message")
    assert len(http.get("conversations/trip/messages").json()["items"]) == 2
    assert http.post("verify-erasure", json={"text": "zanzibarian"}).json()["found"]
    done = http.post("forget", json={"message": said.id}).json()
    assert {"kind": "message", "count": 1} in [{k: one[k] for k in ("kind", "count")} for one in done["erased"]]
    store.flush()
    receipt = http.get("erasures").json()["items"][0]
    assert (receipt["id"], receipt["pending"]) == (done["id"], [])
    assert "zanzibarian" not in str(receipt)
    assert http.post("verify-erasure", json={"text": "zanzibarian"}).json()["found"] == []
    for bad in ({}, {"message": "a", "fact": "b"}, {"before": "yesterday"}, {"everything": "all"}):
        assert http.post("forget", json=bad).status_code == 422
    assert http.post("forget", json={"message": "nowhere"}).status_code == 404


@pytest.mark.req("X17")
def test_space_administration_requires_an_admin_key(serve, store):
    store.space("alice").conversation("c").add("user", "hello")
    writer = serve(headers=bearer(store.create_key("app", spaces=["alice"]).secret))
    for answer in (
        writer.put("/api/memory/settings/hybrid", json={"value": False}),
        writer.delete("/api/memory/settings/hybrid"),
        writer.post("/api/memory/forget", json={"everything": True}),
        writer.post("/api/memory/rechunk"),
        writer.get("/api/memory/export"),
        writer.post("/api/memory/import", content=b""),
        writer.delete("/api/memory/spaces/alice"),
    ):
        assert answer.status_code == 403
    assert store.space("alice").info().messages == 1


@pytest.mark.req("X17")
def test_store_administration_requires_an_admin_key_to_all_spaces(serve, store):
    http = serve()
    scoped = bearer(store.create_key("scoped", access="admin", spaces=["alice"]).secret)
    writer = bearer(store.create_key("writer").secret)
    for method, place in WHOLE:
        for headers in (scoped, writer):
            assert http.request(method, f"/api/memory/{place}", headers=headers).status_code == 403, place


@pytest.mark.req("X17")
def test_a_key_lists_only_its_own_spaces(serve, store):
    for name in ("alice", "bob", "ål/ice"):
        store.space(name).conversation("c").add("user", "hello")
    http = serve(headers=bearer(store.create_key("a", access="admin", spaces=["ål/ice", "alice", "new"]).secret))
    assert [one["id"] for one in http.get("/api/memory/spaces").json()["items"]] == ["ål/ice", "alice"]
    first = http.get("/api/memory/spaces", params={"limit": 1}).json()
    assert http.get("/api/memory/spaces", params={"after": first["next"]}).json()["items"][0]["id"] == "alice"
    assert http.get("/api/memory/spaces", params={"after": "bob"}).json()["items"] == []
    own = quote("ål/ice", safe="")
    assert http.get(f"/api/memory/spaces/{own}").json()["messages"] == 1
    assert http.get("/api/memory/spaces/new").status_code == 404
    assert http.get("/api/memory/spaces/bob").text == http.get("/api/memory/spaces/nobody").text
    assert http.delete("/api/memory/spaces/bob").status_code == 403
    assert http.delete(f"/api/memory/spaces/{own}").json() == {"deleted": True}
    assert http.delete(f"/api/memory/spaces/{own}").json() == {"deleted": False}
    assert [one.id for one in store.spaces()] == ["alice", "bob"]


def test_store_status_jobs_flush_and_doctor_work(http, store):
    store.conversation("trip").add("user", "hello")
    queued = http.get("jobs", params={"state": "queued", "limit": 1000}).json()["items"]
    assert {one["state"] for one in queued} == {"queued"}
    assert http.get("jobs", params={"state": "lost"}).status_code == 422
    assert http.post("flush", json={"timeout": 0}).json() == {"done": False}
    assert http.post("flush", json={}).json() == {"done": True}
    assert http.get("jobs", params={"state": "queued"}).json()["items"] == []
    assert http.get("status").json()["messages"] == 1
    assert http.get("size").json()["bytes"]["file"] > 0
    assert all(one["ok"] for one in http.get("doctor").json()["items"])
    assert all(one["ok"] or one["repaired"] for one in http.post("doctor").json()["items"])
    assert [one["id"] for one in http.get("spaces").json()["items"]] == ["default"]


@pytest.mark.req("X16")
def test_cost_is_reported_per_space_and_in_total(http):
    assert http.get("cost").json() == http.get("cost/total").json() == {"items": []}
    assert http.get("cost", params={"since": "then"}).status_code == 422
    assert http.get("cost/allowance").json()["cap"] is None


@pytest.mark.req("X17")
def test_keys_are_created_listed_and_revoked_and_the_secret_is_shown_once(serve, store):
    http = serve()
    made = http.post("/api/memory/keys", json={"name": "desk", "access": "admin"}).json()
    assert http.get("/api/memory/keys").status_code == 401
    mine = bearer(made["secret"])
    app = http.post("/api/memory/keys", json={"name": "app", "spaces": ["alice"]}, headers=mine).json()
    told = http.get("/api/memory/keys", headers=mine)
    assert [one["name"] for one in told.json()["items"]] == ["desk", "app"]
    assert made["secret"] not in told.text
    assert "secret" not in told.text
    theirs = bearer(app["secret"])
    assert http.get("/api/memory/conversations", headers=theirs).status_code == 200
    assert http.delete(f"/api/memory/keys/{app['key']['id']}", headers=mine).json()["revoked_at"]
    assert http.get("/api/memory/conversations", headers=theirs).status_code == 401
    assert http.delete("/api/memory/keys/nobody", headers=mine).status_code == 404
    for bad in (
        {"name": ""},
        {"name": "x", "access": "all"},
        {"name": "x", "spaces": []},
        {"name": "x", "spaces": "a"},
    ):
        assert http.post("/api/memory/keys", json=bad, headers=mine).status_code == 422


def test_health_and_readiness_need_no_key_and_expose_no_data(serve, store):
    made = store.create_key("a")
    http = serve()
    assert http.get("/api/health").json() == {"ok": True}
    ready = {"ready": True, "store": True, "schema": True, "worker": "elsewhere"}
    assert http.get("/api/ready").json() == ready
    assert http.get("/api/version").status_code == 401
    assert http.get("/api/version", headers=bearer(made.secret)).json() == {"version": aforesaid.__version__}
    store.close()
    assert http.get("/api/health").status_code == 200
    answer = http.get("/api/ready")
    assert (answer.status_code, answer.json()["ready"], answer.json()["store"]) == (503, False, False)


def test_a_store_with_a_newer_schema_is_not_ready(http, store, path):
    with closing(apsw.Connection(path)) as newer:  # not `sqlite3`: a second SQLite in a process voids the first's locks
        newer.execute("INSERT INTO migrations VALUES (9999, 'later', 0)")
    answer = http.get(http.base_url.join("/api/ready"))
    assert (answer.status_code, answer.json()["store"], answer.json()["schema"]) == (503, True, False)


def test_readiness_reports_the_worker_state(open_memory):
    memory = open_memory(worker=True)
    assert memory.ready().worker == "running"
    assert memory.ready().ready
    memory.close()
    assert (memory.ready().worker, memory.ready().ready) == ("stopped", False)
