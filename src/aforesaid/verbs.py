"""The public verbs, and how each door offers them: REST, the command line and MCP.

The table imports no door. `tests/test_verbs.py` holds the three nouns, their async twins, the REST API, the commands,
the MCP tools and the reference pages to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Exclusion:
    """Why a door does not offer a verb."""

    reason: str


@dataclass(frozen=True, slots=True)
class Doors:
    """Where a verb is found.

    `rest` has one or more operations, separated by a comma; a path is below `/api/memory` unless it begins with `/api`.
    `cli` is a command, with an option if the option does the work. `mcp` is a tool.
    """

    rest: str | Exclusion
    cli: str | Exclusion
    mcp: str | Exclusion

    @property
    def operations(self) -> tuple[str, ...]:
        """The REST operations with their full paths."""
        if isinstance(self.rest, Exclusion):
            return ()
        return tuple(_full_path(operation) for operation in self.rest.split(", "))


def _full_path(operation: str) -> str:
    method, path = operation.split()
    return operation if path.startswith("/api/") else f"{method} /api/memory{path}"


THIS_PROCESS = Exclusion("this process only")
PROGRAMS = Exclusion("for programs: use Python or REST")
PAGE = Exclusion("the page shows it")
LISTED = Exclusion("another command lists it")
FEW_TOOLS = Exclusion("an assistant gets few tools")
RESOURCE = Exclusion("a resource, not a tool")
ADMIN = Exclusion("for the people who run the store, not for an assistant")

_CHAT = "/conversations/{conversation}"

MEMORY: Mapping[str, Doors] = {
    "activity": Doors("GET /activity", PAGE, ADMIN),
    "allot": Doors(THIS_PROCESS, THIS_PROCESS, THIS_PROCESS),
    "allowance": Doors("GET /cost, GET /cost/allowance", "cost", ADMIN),
    "backup": Doors("GET /backup", "backup", ADMIN),
    "check_key": Doors(THIS_PROCESS, THIS_PROCESS, THIS_PROCESS),
    "close": Doors(THIS_PROCESS, THIS_PROCESS, THIS_PROCESS),
    "conversation": Doors(THIS_PROCESS, THIS_PROCESS, THIS_PROCESS),
    "copy_to": Doors(Exclusion("a server has one store"), "copy", ADMIN),
    "costs": Doors("GET /cost, GET /cost/total", "cost", ADMIN),
    "create_key": Doors("POST /keys", "keys create", ADMIN),
    "doctor": Doors("GET /doctor, POST /doctor", "doctor", ADMIN),
    "flush": Doors("POST /flush", "worker --once", ADMIN),
    "import_space": Doors("POST /import", "import", ADMIN),
    "jobs": Doors("GET /jobs", "jobs", ADMIN),
    "keys": Doors("GET /keys", "keys list", ADMIN),
    "metrics": Doors("GET /metrics", "metrics", ADMIN),
    "on_change": Doors("GET /events", PROGRAMS, FEW_TOOLS),
    "ready": Doors("GET /api/ready", Exclusion("a probe of a server"), ADMIN),
    "receipt": Doors("GET /receipts/{id}", "explain --receipt", FEW_TOOLS),
    "replay": Doors("GET /receipts/{id}/replay", PAGE, FEW_TOOLS),
    "restore": Doors(Exclusion("a server has its store open"), "restore", ADMIN),
    "retrievals": Doors("GET /retrievals, GET /debug/retrieval", Exclusion("`metrics` sums them up"), ADMIN),
    "revoke_key": Doors("DELETE /keys/{id}", "keys revoke", ADMIN),
    "size": Doors("GET /size", PROGRAMS, ADMIN),
    "space": Doors(THIS_PROCESS, THIS_PROCESS, THIS_PROCESS),
    "spaces": Doors("GET /spaces", "spaces", ADMIN),
    "status": Doors("GET /status", "status", ADMIN),
    "verify_erasure": Doors("POST /verify-erasure", "verify-erasure", ADMIN),
    "watch": Doors("GET /events", PROGRAMS, FEW_TOOLS),
    "work": Doors(Exclusion("a server runs its own worker"), "worker", ADMIN),
}

SPACE: Mapping[str, Doors] = {
    "archive": Doors("POST /facts/{id}/archive", "archive", FEW_TOOLS),
    "audit": Doors("GET /audit", "audit", ADMIN),
    "changes": Doors("GET /changes", PROGRAMS, FEW_TOOLS),
    "compare": Doors("GET /receipts/{id}/compare", PAGE, FEW_TOOLS),
    "consent": Doors("GET /consent", "consent", ADMIN),
    "consolidate": Doors("POST /consolidations", "consolidate", ADMIN),
    "consolidations": Doors("GET /consolidations", PAGE, ADMIN),
    "conversation": Doors(THIS_PROCESS, THIS_PROCESS, THIS_PROCESS),
    "conversations": Doors("GET /conversations", "conversations", RESOURCE),
    "delete": Doors("DELETE /spaces/{name}", "delete --whole-space", ADMIN),
    "edit_fact": Doors("PATCH /facts/{id}", PROGRAMS, FEW_TOOLS),
    "episodes": Doors("GET /episodes", "episodes", "timeline"),
    "erasures": Doors("GET /erasures", PROGRAMS, ADMIN),
    "export": Doors("GET /export", "export", ADMIN),
    "fact": Doors("GET /facts/{id}", LISTED, RESOURCE),
    "facts": Doors("GET /facts", "facts", RESOURCE),
    "forget": Doors("POST /forget", "forget", "forget"),
    "grant_consent": Doors("PUT /consent", "consent", ADMIN),
    "import_chats": Doors("POST /import-chats", "import", ADMIN),
    "info": Doors("GET /spaces/{name}", LISTED, FEW_TOOLS),
    "locate": Doors(THIS_PROCESS, THIS_PROCESS, THIS_PROCESS),
    "profile": Doors("GET /profile", "profile", RESOURCE),
    "promote": Doors("POST /facts/{id}/promote", "promote", FEW_TOOLS),
    "rebuild": Doors("GET /receipts/{id}/context", PAGE, FEW_TOOLS),
    "recall": Doors("POST /recall, GET /recall", "recall", "recall"),
    "receipt": Doors("GET /receipts/{id}", "explain --receipt", FEW_TOOLS),
    "receipts": Doors("GET /receipts", PAGE, FEW_TOOLS),
    "rechunk": Doors("POST /rechunk", "rechunk", ADMIN),
    "reject": Doors("POST /facts/{id}/reject", "reject", FEW_TOOLS),
    "relate": Doors("POST /relations", PROGRAMS, FEW_TOOLS),
    "relations": Doors("GET /relations", PAGE, FEW_TOOLS),
    "remember": Doors("POST /facts", "remember", "remember"),
    "remove_profile": Doors("DELETE /profile", "profile", ADMIN),
    "replay": Doors("GET /receipts/{id}/replay", PAGE, FEW_TOOLS),
    "review": Doors("GET /review", "facts --review", FEW_TOOLS),
    "revoke_consent": Doors("PUT /consent", "consent", ADMIN),
    "set": Doors("PUT /settings/{name}", "settings", ADMIN),
    "set_profile": Doors("PUT /profile", "profile", ADMIN),
    "settings": Doors("GET /settings", "settings", ADMIN),
    "stats": Doors("GET /debug/stats", "stats", ADMIN),
    "undo": Doors("POST /facts/{id}/undo", "undo", FEW_TOOLS),
    "undo_consolidation": Doors("POST /consolidations/undo", "consolidate --undo", ADMIN),
    "unrelate": Doors("DELETE /relations", PROGRAMS, FEW_TOOLS),
    "unset": Doors("DELETE /settings/{name}", "settings --unset", ADMIN),
}

CONVERSATION: Mapping[str, Doors] = {
    "accesses": Doors(f"GET {_CHAT}/messages/{{id}}/accesses", PROGRAMS, FEW_TOOLS),
    "add": Doors(f"POST {_CHAT}/messages", "add", "remember"),
    "add_many": Doors(f"POST {_CHAT}/messages", "add --jsonl", FEW_TOOLS),
    "answerer": Doors(f"GET {_CHAT}/answerer", "chat", FEW_TOOLS),
    "arc": Doors(f"GET {_CHAT}/arc", "arc", "timeline"),
    "chain": Doors(f"GET {_CHAT}/chain, GET {_CHAT}/summaries/{{id}}/chain", "summaries --chain", FEW_TOOLS),
    "chunks": Doors(f"GET {_CHAT}/messages/{{id}}/chunks", PROGRAMS, FEW_TOOLS),
    "context": Doors(f"POST {_CHAT}/context", "context", "context"),
    "delete": Doors(f"DELETE {_CHAT}", "delete", FEW_TOOLS),
    "edit": Doors(f"PUT {_CHAT}/messages/{{id}}", "edit", FEW_TOOLS),
    "edit_pin": Doors(f"PATCH {_CHAT}/pins/{{id}}", PROGRAMS, FEW_TOOLS),
    "end": Doors(f"PATCH {_CHAT}", "end", FEW_TOOLS),
    "episode": Doors(f"GET {_CHAT}/episodes/{{id}}", LISTED, FEW_TOOLS),
    "episodes": Doors(f"GET {_CHAT}/episodes", "episodes", "timeline"),
    "info": Doors(f"GET {_CHAT}", LISTED, RESOURCE),
    "message": Doors(f"GET {_CHAT}/messages/{{id}}", LISTED, RESOURCE),
    "messages": Doors(f"GET {_CHAT}/messages", "messages", RESOURCE),
    "mute": Doors(f"PATCH {_CHAT}", "mute", FEW_TOOLS),
    "needs_summary": Doors(f"GET {_CHAT}/needs-summary", PROGRAMS, FEW_TOOLS),
    "note_episode": Doors(f"POST {_CHAT}/episodes", PROGRAMS, FEW_TOOLS),
    "pause": Doors(f"PATCH {_CHAT}", "pause", FEW_TOOLS),
    "pin": Doors(f"POST {_CHAT}/pins, POST /pins", "pin", "pin"),
    "pinned": Doors(f"GET {_CHAT}/pins/{{id}}", LISTED, FEW_TOOLS),
    "pins": Doors(f"GET {_CHAT}/pins", "pins", FEW_TOOLS),
    "recall": Doors(f"POST {_CHAT}/recall", "recall --conversation", "recall"),
    "recent": Doors(f"GET {_CHAT}/recent", PROGRAMS, FEW_TOOLS),
    "remove_episode": Doors(f"DELETE {_CHAT}/episodes/{{id}}", "episodes --remove", FEW_TOOLS),
    "rename": Doors(f"PATCH {_CHAT}", "rename", FEW_TOOLS),
    "reply": Doors(f"POST {_CHAT}/reply", "chat", Exclusion("the client has its own model")),
    "resume": Doors(f"PATCH {_CHAT}", "resume", FEW_TOOLS),
    "score": Doors("POST /{conversation}/score-messages", PROGRAMS, ADMIN),
    "start": Doors(f"PUT {_CHAT}", Exclusion("`add` starts a conversation"), FEW_TOOLS),
    "summaries": Doors(f"GET {_CHAT}/summaries", "summaries", FEW_TOOLS),
    "summarize": Doors(f"POST {_CHAT}/summaries, POST /summaries", "summaries --now", FEW_TOOLS),
    "summary": Doors(f"GET {_CHAT}/summaries/{{id}}", LISTED, FEW_TOOLS),
    "times": Doors(f"GET {_CHAT}/messages/{{id}}/times", PROGRAMS, FEW_TOOLS),
    "unmute": Doors(f"PATCH {_CHAT}", "unmute", FEW_TOOLS),
    "unpin": Doors(f"DELETE {_CHAT}/pins/{{id}}", "unpin", "unpin"),
    "window": Doors(f"GET {_CHAT}/window", "summaries --window", FEW_TOOLS),
}

VERBS: Mapping[str, Mapping[str, Doors]] = {"Memory": MEMORY, "Space": SPACE, "Conversation": CONVERSATION}

# What the doors offer that is not a verb, and what it is for. Paths are complete.
OTHER_OPERATIONS: Mapping[str, str] = {
    "GET /api/health": "shows that the process answers",
    "GET /api/version": "shows which aforesaid answers",
    "GET /metrics": "for Prometheus",
}
OTHER_COMMANDS: Mapping[str, str] = {
    "init": "creates a store and shows what to do next",
    "search": "another name of `recall`",
    "serve": "the REST door",
    "proxy": "the memory proxy",
    "mcp": "the MCP door",
    "tune": "finds the weights of recall",
    "version": "shows which aforesaid this is",
    "demo": "a tour",
    "bench latency": "measures add, recall and context",
    "bench locomo": "measures recall on LoCoMo",
    "bench longmemeval": "measures recall on LongMemEval",
    "bench prefix": "measures the stable prefix of prompts",
    "bench load": "measures a server",
    "bench extract": "measures the extraction of facts",
    "bench episodes": "measures the extraction of episodes",
}
