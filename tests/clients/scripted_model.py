"""A model service on the loopback interface that follows a script, whoever the client is.

The script reads the newest turn, in any of the wire formats:

- "run ls" gives a tool call, if the client has a tool for it, and then, after the result, a text;
- "run ls 3 times" gives three calls, one after the other;
- what there is to remember or to recall gives a call of an MCP tool for it, if the client has one;
- a question about the horse is answered with its name if the name is anywhere in the request, otherwise with
  "I do not know.";
- a request for structured output gets an object that fits the schema;
- everything else is answered with "Noted."
"""

from __future__ import annotations

import gzip
import json
import re
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

from tests.loopback import Handler, Service
from tests.proxy.upstream import BODIES, STREAMS, Answer, sse

NAME = "Zanzibar"
TOLD = f"My horse is called {NAME}."
ASKED = "What is my horse called?"
KNOWN = f"Your horse is called {NAME}."
UNKNOWN = "I do not know."
COMMAND = "ls"
ORDER = "Count the files of the project."
INTENTS = re.compile(
    r"(?P<command>[Rr]un ls(?: (?P<times>\d+) times)?)|(?P<agent>subagent)"
    rf"|(?P<told>{re.escape(TOLD)})|(?P<asked>{re.escape(ASKED)})"
)
# What memory added, in JSON: not the words of the user. Gemini CLI puts it into a tag of its own.
QUOTED = re.compile(r"<(recalled|hook_context)>.*?</\1>|(?<=\\n)\w*> .*?(?=\\n|\")")
WAIT = "WaitForMcpServers"  # a tool of Claude Code, as long as a server has not started
PATIENCE = 3  # calls of it in one turn
# For each intent, the tools that serve it, the best first, with the arguments. An MCP tool's name has a prefix.
TOOLS: dict[str, dict[str, dict[str, Any]]] = {
    "command": {
        "Bash": {"command": COMMAND, "description": "List the files"},
        "bash": {"command": COMMAND, "description": "List the files"},
        "exec_command": {"cmd": COMMAND},
        "shell": {"command": ["bash", "-lc", COMMAND]},
        "run_shell_command": {"command": COMMAND, "description": "List the files"},
        "list_files": {"folder": "."},
    },
    "told": {"remember": {"text": TOLD}},
    "asked": {"recall": {"query": ASKED}},
    "agent": {
        "Agent": {"description": "Count files", "prompt": ORDER, "subagent_type": "Explore"},
        "task": {"description": "Count files", "prompt": ORDER, "subagent_type": "general"},
        "spawn_agent": {"message": ORDER},
    },
}


@dataclass(frozen=True)
class Exchange:
    """A request as it arrived, and when it arrived and was answered, in seconds of the monotonic clock."""

    method: str
    path: str
    headers: tuple[tuple[str, str], ...]
    raw: bytes
    began: float
    ended: float = 0.0

    @property
    def body(self) -> Any:
        try:
            return json.loads(self.raw) if self.raw else None
        except ValueError:
            return None


def unpack(raw: bytes, encoding: str) -> bytes:
    if encoding == "gzip":
        return gzip.decompress(raw)
    if encoding == "zstd":
        import zstandard

        return zstandard.ZstdDecompressor().decompressobj().decompress(raw)
    return raw


def items(body: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns the turns of a request of any wire format."""
    found = body.get("messages") or body.get("input") or body.get("contents") or []
    return [{"role": "user", "content": found}] if isinstance(found, str) else [i for i in found if isinstance(i, dict)]


def blocks(item: dict[str, Any]) -> list[dict[str, Any]]:
    parts = item.get("content") or item.get("parts") or ()
    return [part for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []


def words(item: dict[str, Any]) -> Any:
    """Returns the content of an item without tool results."""
    texts = [one for one in blocks(item) if one.get("type") != "tool_result" and "functionResponse" not in one]
    return texts or (item.get("content") if isinstance(item.get("content"), str) else None)


def calls(item: dict[str, Any]) -> list[str]:
    """Returns the names of the tools that an item calls."""
    if item.get("type") == "function_call":
        return [item["name"]]
    chat = [call["function"]["name"] for call in item.get("tool_calls") or ()]
    messages = [block["name"] for block in blocks(item) if block.get("type") == "tool_use"]
    return chat + messages + [block["functionCall"]["name"] for block in blocks(item) if "functionCall" in block]


def is_final(item: dict[str, Any]) -> bool:
    """Whether an item is an answer of the model without a tool call, so that the next turn begins after it."""
    return item.get("role") in ("assistant", "model") and not calls(item)


def newest_turn(body: dict[str, Any]) -> list[dict[str, Any]]:
    turn: list[dict[str, Any]] = []
    for item in reversed(items(body)):
        if is_final(item):
            break
        turn.append(item)
    return turn[::-1]


@dataclass(frozen=True)
class Tool:
    """A tool of a request. In the Responses API, it can have a namespace."""

    name: str
    schema: dict[str, Any]
    namespace: str = ""

    def call(self, arguments: dict[str, Any], id: str) -> Answer:
        """Returns a call with these arguments, and empty values for the other required ones."""
        empty = {name: empty_value(self.schema["properties"][name]) for name in self.schema.get("required") or ()}
        return Answer("", ((id, self.name, json.dumps(empty | arguments)),))


def tools_of(body: dict[str, Any]) -> Iterator[Tool]:
    for tool in body.get("tools") or ():
        inner = tool.get("functionDeclarations") or (tool["tools"] if tool.get("type") == "namespace" else None)
        for one in inner or [tool.get("function") or tool]:
            schema = one.get("parameters") or one.get("input_schema") or one.get("parametersJsonSchema") or {}
            yield Tool(str(one.get("name") or one.get("type")), schema, tool["name"] if "tools" in tool else "")


def empty_value(schema: dict[str, Any]) -> Any:
    """Returns what a model sends for an argument that it does not need: null, an empty text or list, the default."""
    kinds = [one.get("type") for one in schema.get("anyOf") or [schema]]
    kinds = [kind for one in kinds for kind in (one if isinstance(one, list) else [one])]
    if "null" in kinds:
        return None
    if "default" in schema or "enum" in schema:
        return schema.get("default", (schema.get("enum") or [None])[0])
    return {"array": [], "boolean": False, "integer": 1, "number": 1, "object": {}}.get(str(kinds[0]), "")


def schema_of(body: dict[str, Any]) -> dict[str, Any] | None:
    """Returns the schema that the answer is to have, if the request has one."""
    chat = (body.get("response_format") or {}).get("json_schema", {}).get("schema")
    responses = ((body.get("text") or {}).get("format") or {}).get("schema")
    messages = ((body.get("output_config") or {}).get("format") or body.get("output_format") or {}).get("schema")
    gemini = (body.get("generationConfig") or {}).get("responseJsonSchema")
    found: dict[str, Any] | None = chat or responses or messages or gemini
    return found


def example(schema: dict[str, Any], text: str) -> Any:
    """Returns a value that fits a simple schema, with `text` for each string."""
    kind = schema.get("type")
    if "enum" in schema:
        return schema["enum"][0]
    if kind == "object" or "properties" in schema:
        return {name: example(one, text) for name, one in schema.get("properties", {}).items()}
    return {"array": [], "boolean": False, "integer": 1, "number": 1, "null": None}.get(str(kind), text)


def answer_to(body: dict[str, Any], *, remembers: bool = True) -> Answer:
    """Returns what the script says to a request. Without `remembers`, it calls no tool of the memory."""
    turn = newest_turn(body)
    said = json.dumps([words(item) for item in turn if item.get("role") == "user"], ensure_ascii=False)
    last = list(INTENTS.finditer(QUOTED.sub("", said)))[-1:]
    intent = str(last[0].lastgroup) if last else ""
    text = "I have listed the files." if intent == "command" else "Noted."
    if intent == "asked":
        text = KNOWN if NAME in json.dumps(body, ensure_ascii=False) else UNKNOWN
    if schema := schema_of(body):
        return Answer(json.dumps(example(schema, text)))
    times = int(last[0]["times"] or 1) if intent == "command" else 1
    if not remembers and intent in ("told", "asked"):
        return Answer(text)
    return forced_call(body, text) or wanted_call(body, intent, times) or Answer(text)


def wanted_call(body: dict[str, Any], intent: str, times: int) -> Answer | None:
    """Returns the call of the tool for an intent, if the client has it and has not called it often enough."""
    turn, tools = newest_turn(body), {tool.name: tool for tool in tools_of(body)}
    wanted = {**TOOLS.get(intent, {}), **{name: {} for name in tools if name == WAIT and intent in ("told", "asked")}}
    for ending, arguments in wanted.items():
        name = next((name for name in tools if name == ending or name.endswith(f"_{ending}")), None)
        called = [call for item in turn for call in calls(item)].count(name or "")
        if name and called < (PATIENCE if name == WAIT else times):
            return tools[name].call(arguments, f"call_{called}_{len(items(body))}")
        if name:
            return None
    return None


def forced_call(body: dict[str, Any], text: str) -> Answer | None:
    """Returns a call of the first tool if the request demands a call."""
    if body.get("tool_choice") in (None, "auto", "none", {"type": "auto"}, {"type": "none"}):
        return None
    tool = next(tools_of(body), None)
    return tool.call(example(tool.schema, text), "call_forced") if tool else None


def gemini_body(answer: Answer) -> dict[str, Any]:
    parts: list[dict[str, Any]] = [{"text": answer.text}] if answer.text else []
    parts += [{"functionCall": {"name": name, "args": json.loads(given)}} for _, name, given in answer.calls]
    candidate = {"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}
    used = {"promptTokenCount": 11, "candidatesTokenCount": 7, "totalTokenCount": 18}
    return {"candidates": [candidate], "usageMetadata": used, "modelVersion": "m-1", "responseId": answer.id}


def reply_to(path: str, body: dict[str, Any], answer: Answer) -> tuple[str, bytes]:
    """Returns the content type and the bytes of the answer to a POST."""
    wire = path.partition("/v1/")[2]
    if path.endswith(":streamGenerateContent"):
        return "text/event-stream", sse(gemini_body(answer), named=False)
    if path.endswith(":generateContent"):
        return "application/json", json.dumps(gemini_body(answer)).encode()
    if wire in BODIES and body.get("stream"):
        return "text/event-stream; charset=utf-8", named(b"".join(STREAMS[wire](answer)), body)
    if wire in BODIES:
        return "application/json", named(json.dumps(BODIES[wire](answer)).encode(), body)
    if path.endswith(("count_tokens", ":countTokens")):
        return "application/json", b'{"input_tokens": 11, "totalTokens": 11}'
    return "application/json", b"{}"


def named(payload: bytes, body: dict[str, Any]) -> bytes:
    """Returns the payload with the namespaces of the tools that it calls."""
    for tool in tools_of(body):
        if tool.namespace:
            name = f'"name": "{tool.name}"'
            payload = payload.replace(name.encode(), f'"namespace": "{tool.namespace}", {name}'.encode())
    return payload


class Scripted(Handler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Any

    def handle(self) -> None:
        with suppress(ConnectionError):  # the client left
            super().handle()

    def do_POST(self) -> None:  # noqa: N802 (the name that the base class expects)
        began = time.perf_counter()
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        raw = unpack(raw, self.headers.get("Content-Encoding", ""))
        exchange = Exchange(self.command, self.path, tuple(self.headers.items()), raw, began)
        body = exchange.body
        answer = answer_to(body if isinstance(body, dict) else {}, remembers=self.server.owner.remembers)
        kind, payload = reply_to(urlsplit(self.path).path, body or {}, replace(answer, id=uuid4().hex))
        self.reply(200, payload, headers={"Content-Type": kind})
        self.server.owner.keep(exchange)

    def do_GET(self) -> None:  # noqa: N802 (the name that the base class expects)
        self.server.owner.keep(Exchange(self.command, self.path, tuple(self.headers.items()), b"", time.perf_counter()))
        self.reply(200, json.dumps({"object": "list", "data": [{"id": "m-1", "object": "model"}]}).encode())

    do_HEAD = do_GET  # noqa: N815 (the name that the base class expects)


class ScriptedModel(Service):
    """Follows the script, and keeps every exchange in the order of the answers. Without `remembers`, it calls no tool
    of the memory."""

    handler = Scripted

    def __init__(self, *, remembers: bool = True) -> None:
        self.remembers = remembers
        self.exchanges: list[Exchange] = []
        self._keeping = threading.Lock()
        super().__init__()

    def keep(self, exchange: Exchange) -> None:
        with self._keeping:
            self.exchanges.append(replace(exchange, ended=time.perf_counter()))
