"""The public methods, and how each interface offers them: REST, the command line and MCP.

`tests/test_verbs.py` compares this table with the three public classes, their async versions, the REST API, the
commands, the MCP tools and the reference pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar


@dataclass(frozen=True, slots=True)
class Exclusion:
    """Why an interface does not offer a method."""

    reason: str


@dataclass(frozen=True, slots=True)
class Interfaces:
    """How each interface offers a method.

    `rest` has one or more operations, separated by a comma; a path is below `/api/memory` unless it begins with `/api`.
    `cli` is a command, with an option if the option calls the method. `mcp` is a tool.
    """

    rest: str | Exclusion
    cli: str | Exclusion
    mcp: str | Exclusion

    @property
    def operations(self) -> tuple[str, ...]:
        """The REST operations with their full paths."""
        if isinstance(self.rest, Exclusion):
            return ()
        operations = self.rest.split(", ")
        return tuple(each if " /api/" in each else each.replace(" ", " /api/memory", 1) for each in operations)


Method = TypeVar("Method", bound=Callable[..., object])


def warn_alike(local: Callable[..., object], method: Method) -> Method:
    """`method` warns its caller as `local` does, if `local` has the decorator `deprecated`."""
    message: str | None = getattr(local, "__deprecated__", None)
    if message is None:
        return method
    from typing_extensions import deprecated

    return deprecated(message)(method)


THIS_PROCESS = Exclusion("this process only")
PROGRAMS = Exclusion("for programs: use Python or REST")
PAGE = Exclusion("the page shows it")
LISTED = Exclusion("another command lists it")
FEW_TOOLS = Exclusion("an assistant gets few tools")
RESOURCE = Exclusion("a resource, not a tool")
ADMIN = Exclusion("for the people who run the store, not for an assistant")

_CHAT = "/conversations/{conversation}"

MEMORY: Mapping[str, Interfaces] = {
    "activity": Interfaces("GET /activity", PAGE, ADMIN),
    "allot": Interfaces(THIS_PROCESS, THIS_PROCESS, THIS_PROCESS),
    "allowance": Interfaces("GET /cost, GET /cost/allowance", "cost", ADMIN),
    "backup": Interfaces("POST /backup", "backup", ADMIN),
    "check_key": Interfaces(THIS_PROCESS, THIS_PROCESS, THIS_PROCESS),
    "close": Interfaces(THIS_PROCESS, THIS_PROCESS, THIS_PROCESS),
    "conversation": Interfaces(THIS_PROCESS, THIS_PROCESS, THIS_PROCESS),
    "copy_to": Interfaces(Exclusion("a server has one store"), "copy", ADMIN),
    "costs": Interfaces("GET /cost, GET /cost/total", "cost", ADMIN),
    "create_key": Interfaces("POST /keys", "keys create", ADMIN),
    "doctor": Interfaces("GET /doctor, POST /doctor", "doctor", ADMIN),
    "flush": Interfaces("POST /flush", "worker --once", ADMIN),
    "import_space": Interfaces("POST /import", "import", ADMIN),
    "jobs": Interfaces("GET /jobs", "jobs", ADMIN),
    "keys": Interfaces("GET /keys", "keys list", ADMIN),
    "metrics": Interfaces("GET /metrics", "metrics", ADMIN),
    "now": Interfaces(THIS_PROCESS, THIS_PROCESS, THIS_PROCESS),
    "on_change": Interfaces("GET /events", PROGRAMS, FEW_TOOLS),
    "ready": Interfaces("GET /api/ready", Exclusion("a probe of a server"), ADMIN),
    "recall": Interfaces("POST /spaces/recall", "recall --also", FEW_TOOLS),
    "receipt": Interfaces("GET /receipts/{id}", "explain --receipt", FEW_TOOLS),
    "replay": Interfaces("GET /receipts/{id}/replay", PAGE, FEW_TOOLS),
    "rekey": Interfaces(Exclusion("a server has its store open"), "rekey", ADMIN),
    "restore": Interfaces(Exclusion("a server has its store open"), "restore", ADMIN),
    "retrievals": Interfaces("GET /retrievals, GET /debug/retrieval", Exclusion("`metrics` sums them up"), ADMIN),
    "revoke_key": Interfaces("DELETE /keys/{id}", "keys revoke", ADMIN),
    "size": Interfaces("GET /size", PROGRAMS, ADMIN),
    "space": Interfaces(THIS_PROCESS, THIS_PROCESS, THIS_PROCESS),
    "spaces": Interfaces("GET /spaces", "spaces", ADMIN),
    "status": Interfaces("GET /status", "status", ADMIN),
    "verify_erasure": Interfaces("POST /verify-erasure", "verify-erasure", ADMIN),
    "watch": Interfaces("GET /events", PROGRAMS, FEW_TOOLS),
    "why": Interfaces("POST /receipts/{id}/why", "why", FEW_TOOLS),
    "work": Interfaces(Exclusion("a server runs its own worker"), "worker", ADMIN),
}

SPACE: Mapping[str, Interfaces] = {
    "about": Interfaces("GET /about", "about", RESOURCE),
    "archive": Interfaces("POST /facts/{id}/archive", "archive", FEW_TOOLS),
    "audit": Interfaces("GET /audit", "audit", ADMIN),
    "changes": Interfaces("GET /changes", PROGRAMS, FEW_TOOLS),
    "compare": Interfaces("GET /receipts/{id}/compare", PAGE, FEW_TOOLS),
    "consent": Interfaces("GET /consent", "consent", ADMIN),
    "consolidate": Interfaces("POST /consolidations", "consolidate", ADMIN),
    "consolidations": Interfaces("GET /consolidations", PAGE, ADMIN),
    "conversation": Interfaces(THIS_PROCESS, THIS_PROCESS, THIS_PROCESS),
    "conversations": Interfaces("GET /conversations", "conversations", RESOURCE),
    "delete": Interfaces("DELETE /spaces/{name}", "delete --whole-space", ADMIN),
    "edit_fact": Interfaces("PATCH /facts/{id}", PROGRAMS, FEW_TOOLS),
    "episodes": Interfaces("GET /episodes", "episodes", "timeline"),
    "erasures": Interfaces("GET /erasures", PROGRAMS, ADMIN),
    "export": Interfaces("GET /export", "export", ADMIN),
    "fact": Interfaces("GET /facts/{id}", LISTED, RESOURCE),
    "facts": Interfaces("GET /facts", "facts", RESOURCE),
    "feedback": Interfaces("POST /feedback", "feedback", FEW_TOOLS),
    "feedback_given": Interfaces("GET /feedback", "feedback", FEW_TOOLS),
    "forget": Interfaces("POST /forget", "forget", "forget"),
    "grant_consent": Interfaces("PUT /consent", "consent", ADMIN),
    "held": Interfaces("GET /hold", "hold", ADMIN),
    "hold": Interfaces("PUT /hold", "hold", ADMIN),
    "import_chats": Interfaces("POST /import-chats", "import", ADMIN),
    "info": Interfaces("GET /spaces/{name}", LISTED, FEW_TOOLS),
    "items": Interfaces(THIS_PROCESS, THIS_PROCESS, THIS_PROCESS),
    "learn": Interfaces("PUT /schemas/{name}", "learn", ADMIN),
    "locate": Interfaces("POST /messages/locate", PROGRAMS, FEW_TOOLS),
    "profile": Interfaces("GET /profile", "profile", RESOURCE),
    "promote": Interfaces("POST /facts/{id}/promote", "promote", FEW_TOOLS),
    "rebuild": Interfaces("GET /receipts/{id}/context", PAGE, FEW_TOOLS),
    "recall": Interfaces("POST /recall, GET /recall", "recall", "recall"),
    "receipt": Interfaces("GET /receipts/{id}", "explain --receipt", FEW_TOOLS),
    "receipt_items": Interfaces("GET /receipts/{id}/items", "explain --words", FEW_TOOLS),
    "receipts": Interfaces("GET /receipts", PAGE, FEW_TOOLS),
    "rechunk": Interfaces("POST /rechunk", "rechunk", ADMIN),
    "reject": Interfaces("POST /facts/{id}/reject", "reject", FEW_TOOLS),
    "records": Interfaces("GET /records", "records", FEW_TOOLS),
    "relate": Interfaces("POST /relations", PROGRAMS, FEW_TOOLS),
    "relations": Interfaces("GET /relations", PAGE, FEW_TOOLS),
    "release_hold": Interfaces("DELETE /hold", "hold --release", ADMIN),
    "remember": Interfaces("POST /facts", "remember", "remember"),
    "remove_profile": Interfaces("DELETE /profile", "profile", ADMIN),
    "replay": Interfaces("GET /receipts/{id}/replay", PAGE, FEW_TOOLS),
    "reset_feedback": Interfaces("DELETE /feedback", "feedback --reset", ADMIN),
    "review": Interfaces("GET /review", "facts --review", FEW_TOOLS),
    "revoke_consent": Interfaces("PUT /consent", "consent", ADMIN),
    "schemas": Interfaces("GET /schemas", "learn", FEW_TOOLS),
    "set": Interfaces("PUT /settings/{name}", "settings", ADMIN),
    "set_profile": Interfaces("PUT /profile", "profile", ADMIN),
    "settings": Interfaces("GET /settings", "settings", ADMIN),
    "stats": Interfaces("GET /stats, GET /debug/stats", "stats", ADMIN),
    "undo": Interfaces("POST /facts/{id}/undo", "undo", FEW_TOOLS),
    "undo_consolidation": Interfaces("POST /consolidations/undo", "consolidate --undo", ADMIN),
    "unlearn": Interfaces("DELETE /schemas/{name}", "learn --remove", ADMIN),
    "unrelate": Interfaces("DELETE /relations", PROGRAMS, FEW_TOOLS),
    "unset": Interfaces("DELETE /settings/{name}", "settings --unset", ADMIN),
    "why": Interfaces("POST /receipts/{id}/why", "why --receipt", FEW_TOOLS),
}

CONVERSATION: Mapping[str, Interfaces] = {
    "accesses": Interfaces(f"GET {_CHAT}/messages/{{id}}/accesses", PROGRAMS, FEW_TOOLS),
    "add": Interfaces(f"POST {_CHAT}/messages", "add", "add_message"),
    "add_many": Interfaces(f"POST {_CHAT}/messages", "add --jsonl", FEW_TOOLS),
    "answerer": Interfaces(f"GET {_CHAT}/answerer", "chat", FEW_TOOLS),
    "arc": Interfaces(f"GET {_CHAT}/arc", "arc", "timeline"),
    "branches": Interfaces(f"GET {_CHAT}/branches", "branches", FEW_TOOLS),
    "chain": Interfaces(f"GET {_CHAT}/chain, GET {_CHAT}/summaries/{{id}}/chain", "summaries --chain", FEW_TOOLS),
    "chunks": Interfaces(f"GET {_CHAT}/messages/{{id}}/chunks", PROGRAMS, FEW_TOOLS),
    "clear": Interfaces(f"DELETE {_CHAT}/messages", "remove --all", FEW_TOOLS),
    "context": Interfaces(f"POST {_CHAT}/context", "context", "context"),
    "delete": Interfaces(f"DELETE {_CHAT}", "delete", FEW_TOOLS),
    "edit": Interfaces(f"PUT {_CHAT}/messages/{{id}}", "edit", FEW_TOOLS),
    "edit_pin": Interfaces(f"PATCH {_CHAT}/pins/{{id}}", PROGRAMS, FEW_TOOLS),
    "end": Interfaces(f"PATCH {_CHAT}", "end", FEW_TOOLS),
    "episode": Interfaces(f"GET {_CHAT}/episodes/{{id}}", LISTED, FEW_TOOLS),
    "episodes": Interfaces(f"GET {_CHAT}/episodes", "episodes", "timeline"),
    "expire": Interfaces(f"PATCH {_CHAT}", "expire", FEW_TOOLS),
    "fork": Interfaces(f"POST {_CHAT}/fork", "fork", FEW_TOOLS),
    "info": Interfaces(f"GET {_CHAT}", LISTED, RESOURCE),
    "message": Interfaces(f"GET {_CHAT}/messages/{{id}}", LISTED, RESOURCE),
    "messages": Interfaces(f"GET {_CHAT}/messages", "messages", RESOURCE),
    "mute": Interfaces(f"PATCH {_CHAT}", "mute", FEW_TOOLS),
    "needs_summary": Interfaces(f"GET {_CHAT}/needs-summary", PROGRAMS, FEW_TOOLS),
    "note_episode": Interfaces(f"POST {_CHAT}/episodes", PROGRAMS, FEW_TOOLS),
    "pause": Interfaces(f"PATCH {_CHAT}", "pause", FEW_TOOLS),
    "pin": Interfaces(f"POST {_CHAT}/pins, POST /pins", "pin", "pin"),
    "pinned": Interfaces(f"GET {_CHAT}/pins/{{id}}", LISTED, FEW_TOOLS),
    "pins": Interfaces(f"GET {_CHAT}/pins", "pins", FEW_TOOLS),
    "pop": Interfaces(f"POST {_CHAT}/messages/pop", "remove --newest", FEW_TOOLS),
    "recall": Interfaces(f"POST {_CHAT}/recall", "recall --conversation", "recall"),
    "recent": Interfaces(f"GET {_CHAT}/recent", PROGRAMS, FEW_TOOLS),
    "remove": Interfaces(f"POST {_CHAT}/messages/remove", "remove", FEW_TOOLS),
    "remove_episode": Interfaces(f"DELETE {_CHAT}/episodes/{{id}}", "episodes --remove", FEW_TOOLS),
    "rename": Interfaces(f"PATCH {_CHAT}", "rename", FEW_TOOLS),
    "replace": Interfaces(f"POST {_CHAT}/messages/replace", PROGRAMS, FEW_TOOLS),
    "reply": Interfaces(f"POST {_CHAT}/reply", "chat", Exclusion("the client has its own model")),
    "resume": Interfaces(f"PATCH {_CHAT}", "resume", FEW_TOOLS),
    "running_answers": Interfaces(f"GET {_CHAT}/answers", PROGRAMS, FEW_TOOLS),
    "score": Interfaces("POST /{conversation}/score-messages", PROGRAMS, ADMIN),
    "start": Interfaces(f"PUT {_CHAT}", Exclusion("`add` starts a conversation"), FEW_TOOLS),
    "stop_answer": Interfaces(f"POST {_CHAT}/answers/{{id}}/stop", PROGRAMS, FEW_TOOLS),
    "summaries": Interfaces(f"GET {_CHAT}/summaries", "summaries", FEW_TOOLS),
    "summarize": Interfaces(f"POST {_CHAT}/summaries, POST /summaries", "summaries --now", FEW_TOOLS),
    "summary": Interfaces(f"GET {_CHAT}/summaries/{{id}}", LISTED, FEW_TOOLS),
    "times": Interfaces(f"GET {_CHAT}/messages/{{id}}/times", PROGRAMS, FEW_TOOLS),
    "unmute": Interfaces(f"PATCH {_CHAT}", "unmute", FEW_TOOLS),
    "unpin": Interfaces(f"DELETE {_CHAT}/pins/{{id}}", "unpin", "unpin"),
    "window": Interfaces(f"GET {_CHAT}/window", "summaries --window", FEW_TOOLS),
}

ITEMS: Mapping[str, Interfaces] = {
    "clear": Interfaces("DELETE /items", "items clear", FEW_TOOLS),
    "delete": Interfaces("DELETE /items/{key}", "items delete", FEW_TOOLS),
    "get": Interfaces("GET /items/{key}", "items get", FEW_TOOLS),
    "move": Interfaces("POST /namespaces/move", "items move", FEW_TOOLS),
    "namespaces": Interfaces("GET /namespaces", "items namespaces", FEW_TOOLS),
    "put": Interfaces("PUT /items/{key}", "items put", FEW_TOOLS),
    "put_many": Interfaces("POST /items", PROGRAMS, FEW_TOOLS),
    "rename": Interfaces("POST /items/{key}/rename", "items rename", FEW_TOOLS),
    "search": Interfaces("POST /items/search", "items search", FEW_TOOLS),
    "touch": Interfaces("POST /items/{key}/touch", PROGRAMS, FEW_TOOLS),
}

VERBS: Mapping[str, Mapping[str, Interfaces]] = {
    "Memory": MEMORY,
    "Space": SPACE,
    "Conversation": CONVERSATION,
    "Items": ITEMS,
}

# Operations and commands that call no public method, and their purpose. Paths are complete.
OTHER_OPERATIONS: Mapping[str, str] = {
    "GET /api/health": "shows that the process answers",
    "GET /api/version": "shows which aforesaid answers",
    "GET /metrics": "for Prometheus",
    "GET /api/memory/conversations/{conversation}/answers/{id}": "for the page; a program iterates over its own answer",
    "POST /api/memory/hooks": "for the hooks of coding agents",
}
OTHER_COMMANDS: Mapping[str, str] = {
    "init": "creates a store and shows what to do next",
    "search": "another name of `recall`",
    "items list": "`items search` without a query",
    "serve": "the REST server",
    "proxy": "the memory proxy",
    "mcp": "the MCP server",
    "install": "gives a coding agent or a desktop app its memory",
    "uninstall": "removes what `install` added",
    "hook": "what the hooks of a coding agent call",
    "tune": "finds the weights of recall",
    "version": "shows which aforesaid this is",
    "demo": "a tour",
    "bench latency": "measures add, recall and context",
    "bench locomo": "measures recall on LoCoMo",
    "bench longmemeval": "measures recall on LongMemEval",
    "bench beam": "measures recall on BEAM",
    "bench own": "measures recall on the project's own corpus",
    "bench all": "measures recall on several benchmarks",
    "bench peers": "compares other memory stores",
    "bench prefix": "measures the stable prefix of prompts",
    "bench load": "measures a server",
    "bench proxy": "measures what the proxy adds to a request",
    "bench extract": "measures the extraction of facts",
    "bench episodes": "measures the extraction of episodes",
    "bench distill": "measures what distillation earns",
    "bench foreign": "measures what questions to the wrong space get",
    "bench draw": "draws the pictures of a benchmark's result",
}
