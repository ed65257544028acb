"""Tests retrieval metrics and the debug endpoints over HTTP."""

from __future__ import annotations

import pytest
from tests.server.conftest import bearer


@pytest.fixture
def filled(store):
    alice = store.space("alice")
    alice.conversation("c1").add("user", "We call `parse_config()` at the start. " + "Then more words follow. " * 300)
    alice.conversation("c1").add("user", "A plain answer about seats")
    store.space("bob").conversation("c").add("user", "bob's seats")
    store.flush()
    return store


@pytest.mark.req("D2", "D15")
def test_metrics_cover_the_space_or_all_spaces_for_an_admin_key(serve, filled, clock):
    filled.space("alice").recall("seats")
    filled.space("alice").conversation("c1").context("seats?")
    filled.space("bob").recall("seats")
    reader = bearer(filled.create_key("r", access="read", spaces=["alice"]).secret)
    admin = bearer(filled.create_key("a", access="admin").secret)
    clock.forward(hours=1)
    http = serve()
    mine = http.get("/api/memory/metrics", headers=reader).json()
    assert (mine["count"], mine["hit_rate"]) == (2, 0.5)  # the history of the context held every hit
    assert set(mine["milliseconds"]["total"]) == {"p50", "p95", "p99"}
    assert mine["budget_use"] > 0
    assert (
        http.get("/api/memory/metrics", params={"since": "2026-03-02T00:00:00Z"}, headers=reader).json()["count"] == 0
    )
    assert http.get("/api/memory/metrics", params={"all": True}, headers=reader).status_code == 403
    assert http.get("/api/memory/metrics", params={"all": True}, headers=admin).json()["count"] == 3
    assert http.get("/api/memory/metrics", headers=admin).json()["count"] == 0
    periods = http.get("/api/memory/activity", headers=reader, params={"step": 43200}).json()["items"]
    assert [(one["retrievals"]["count"], one["embedded"]) for one in periods] == [(0, 0), (2, 2)]
    assert http.get("/api/memory/activity", headers=reader, params={"all": True}).status_code == 403
    assert len(http.get("/api/memory/activity", headers=admin, params={"all": True}).json()["items"]) == 48
    early = http.get("/api/memory/activity", headers=reader, params={"until": "0001-01-01T00:00:00Z"})
    assert early.status_code == 422
    each = http.get("/api/memory/retrievals", headers=reader).json()["items"]
    assert sorted(one["kind"] for one in each) == ["context", "recall"]
    assert {one["space"] for one in each} == {"alice"}
    assert http.get("/api/memory/metrics", params={"since": "soon"}, headers=admin).status_code == 422


@pytest.mark.req("D16")
def test_debug_retrieval_has_the_specified_shape(http, filled):
    answer = http.get("debug/retrieval", params={"space": "alice", "q": "parse_config", "conversationId": "c1"}).json()
    assert set(answer) == {"query", "results", "metrics", "flags", "degraded"}
    assert answer["query"] == "parse_config"
    best = answer["results"][0]
    assert {"content", "score", "source", "type"} <= set(best)
    assert (best["type"], best["conversationId"]) == ("chunk", "c1")
    assert "fts" in best["sources"]
    assert best["source"] in best["sources"]
    assert set(answer["metrics"]) == {"totalMs", "denseMs", "ftsMs", "rerankMs"}
    assert answer["metrics"]["totalMs"] > 0
    assert answer["flags"] == {"hybrid": True, "chunking": True, "tokenBudget": 1000}
    filled.space("alice").set("hybrid", False)
    wide = http.get("debug/retrieval", params={"space": "alice", "q": "seats", "limit": 1}).json()
    assert (len(wide["results"]), wide["flags"]["hybrid"]) == (1, False)
    assert http.get("debug/retrieval").status_code == 422


@pytest.mark.req("D16")
def test_debug_stats_has_the_specified_shape(http, filled):
    alice = filled.space("alice")
    alice.grant_consent()
    alice.conversation("c1").summarize()
    held = alice.stats()
    answer = http.get("debug/stats", params={"space": "alice"}).json()
    sizes = answer.pop("indexSizes")
    assert answer == {
        "totalMessages": 2,
        "totalConversations": 1,
        "totalChunks": held.chunks,
        "totalSummaries": 1,
        "profileConsent": True,
    }
    assert held.chunks > 2
    assert sizes["messages"] == f"{held.bytes['text'] / 1000:.1f} kB"
    assert set(sizes) == {"messages", "embeddings", "fts"}
    assert http.get("debug/stats", params={"space": "nobody"}).json()["indexSizes"]["fts"] == "0 B"
