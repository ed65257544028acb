"""Every verb of the three nouns is reached over HTTP, or is of this process alone."""

from __future__ import annotations

import inspect

import pytest
from tests.server.operations import ENDLESS, OPERATIONS

from recollect import Conversation, Memory, Space

CHAT = "/conversations/{conversation}"
REACHED = {
    Memory: {
        "activity": "GET /activity", "allowance": "GET /cost", "backup": "GET /backup", "costs": "GET /cost",
        "create_key": "POST /keys", "doctor": "GET /doctor", "flush": "POST /flush", "import_space": "POST /import",
        "jobs": "GET /jobs", "keys": "GET /keys", "metrics": "GET /metrics", "receipt": "GET /receipts/{id}",
        "replay": "GET /receipts/{id}/replay", "retrievals": "GET /retrievals", "revoke_key": "DELETE /keys/{id}",
        "size": "GET /size", "spaces": "GET /spaces", "status": "GET /status", "verify_erasure": "POST /verify-erasure",
        "watch": "GET /events", "on_change": "GET /events", "ready": "GET /api/ready",
    },
    Space: {
        "archive": "POST /facts/{id}/archive", "audit": "GET /audit", "changes": "GET /changes",
        "compare": "GET /receipts/{id}/compare", "consent": "GET /consent", "consolidate": "POST /consolidations",
        "consolidations": "GET /consolidations", "conversations": "GET /conversations",
        "delete": "DELETE /spaces/{name}",
        "edit_fact": "PATCH /facts/{id}", "episodes": "GET /episodes", "erasures": "GET /erasures",
        "export": "GET /export", "fact": "GET /facts/{id}", "facts": "GET /facts", "forget": "POST /forget",
        "grant_consent": "PUT /consent", "import_chats": "POST /import-chats", "info": "GET /spaces/{name}",
        "profile": "GET /profile", "promote": "POST /facts/{id}/promote", "recall": "POST /recall",
        "rebuild": "GET /receipts/{id}/context",
        "receipt": "GET /receipts/{id}", "receipts": "GET /receipts", "rechunk": "POST /rechunk",
        "reject": "POST /facts/{id}/reject", "relate": "POST /relations", "relations": "GET /relations",
        "remember": "POST /facts", "remove_profile": "DELETE /profile", "replay": "GET /receipts/{id}/replay",
        "review": "GET /review", "revoke_consent": "PUT /consent", "set": "PUT /settings/{name}",
        "set_profile": "PUT /profile", "settings": "GET /settings", "stats": "GET /debug/stats",
        "undo": "POST /facts/{id}/undo", "undo_consolidation": "POST /consolidations/undo",
        "unrelate": "DELETE /relations", "unset": "DELETE /settings/{name}",
    },
    Conversation: {
        "answerer": f"GET {CHAT}/answerer", "reply": f"POST {CHAT}/reply",
        "accesses": f"GET {CHAT}/messages/{{id}}/accesses", "add": f"POST {CHAT}/messages",
        "add_many": f"POST {CHAT}/messages", "arc": f"GET {CHAT}/arc", "chain": f"GET {CHAT}/chain",
        "chunks": f"GET {CHAT}/messages/{{id}}/chunks", "context": f"POST {CHAT}/context", "delete": f"DELETE {CHAT}",
        "edit": f"PUT {CHAT}/messages/{{id}}", "edit_pin": f"PATCH {CHAT}/pins/{{id}}", "end": f"PATCH {CHAT}",
        "episode": f"GET {CHAT}/episodes/{{id}}", "episodes": f"GET {CHAT}/episodes", "info": f"GET {CHAT}",
        "message": f"GET {CHAT}/messages/{{id}}", "messages": f"GET {CHAT}/messages",
        "mute": f"PATCH {CHAT}", "unmute": f"PATCH {CHAT}",
        "needs_summary": f"GET {CHAT}/needs-summary", "note_episode": f"POST {CHAT}/episodes", "pause": f"PATCH {CHAT}",
        "pin": f"POST {CHAT}/pins", "pinned": f"GET {CHAT}/pins/{{id}}", "pins": f"GET {CHAT}/pins",
        "recall": f"POST {CHAT}/recall", "recent": f"GET {CHAT}/recent",
        "remove_episode": f"DELETE {CHAT}/episodes/{{id}}", "rename": f"PATCH {CHAT}", "resume": f"PATCH {CHAT}",
        "score": "POST /{conversation}/score-messages", "start": f"PUT {CHAT}", "summaries": f"GET {CHAT}/summaries",
        "summarize": f"POST {CHAT}/summaries", "summary": f"GET {CHAT}/summaries/{{id}}",
        "times": f"GET {CHAT}/messages/{{id}}/times", "unpin": f"DELETE {CHAT}/pins/{{id}}",
        "window": f"GET {CHAT}/window",
    },
}  # fmt: skip
HERE = {
    "allot",
    "check_key",
    "close",
    "conversation",
    "copy_to",
    "locate",
    "restore",
    "space",
    "work",
}  # of the process that has the store


def verbs(noun: type) -> set[str]:
    return {name for name, _ in inspect.getmembers(noun, inspect.isfunction) if not name.startswith("_")} - HERE


@pytest.mark.parametrize("noun", REACHED, ids=lambda noun: noun.__name__)
def test_every_verb_is_reached(noun):
    assert set(REACHED[noun]) == verbs(noun)


@pytest.mark.parametrize("noun", REACHED, ids=lambda noun: noun.__name__)
def test_what_reaches_it_exists(noun):
    known = {str(operation) for operation in OPERATIONS} | {f"GET {path}" for path in ENDLESS}
    for verb, place in REACHED[noun].items():
        method, path = place.split()
        full = path if path.startswith("/api/") else f"/api/memory{path}"
        assert f"{method} {full}" in known, verb
