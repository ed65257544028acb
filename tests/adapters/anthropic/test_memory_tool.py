"""Tests the memory tool with the SDK's tool runner on a scripted model, and beside the SDK's own file-system tool."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import anyio
import pytest
from anthropic import Anthropic, AsyncAnthropic
from anthropic.lib.tools import ToolError
from anthropic.lib.tools._beta_builtin_memory_tool import BetaLocalFilesystemMemoryTool

from aforesaid import AsyncMemory, Memory
from aforesaid.integrations.anthropic import AsyncMemoryTool, MemoryTool

Script = Sequence[dict[str, Any] | str]
WISH = [{"role": "user", "content": "Remember that I like green tea."}]
COMMANDS: Script = (
    {"command": "view", "path": "/memories"},
    {"command": "create", "path": "/memories/tea.md", "file_text": "She likes tea.\n"},
    {"command": "str_replace", "path": "/memories/tea.md", "old_str": "tea", "new_str": "green tea"},
    {"command": "insert", "path": "/memories/tea.md", "insert_line": 1, "insert_text": "No sugar."},
    {"command": "create", "path": "/memories/tea.md", "file_text": "again"},
    {"command": "rename", "old_path": "/memories/tea.md", "new_path": "/memories/drinks/tea.md"},
    {"command": "view", "path": "/memories/drinks/tea.md", "view_range": [1, 2]},
    {"command": "delete", "path": "/memories/none"},
    "I know now.",
)
RESULTS = [
    "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items:\n0B\t/memories",
    "File created successfully at: /memories/tea.md",
    "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n"
    "     1\tShe likes green tea.\n     2\t",
    "The file /memories/tea.md has been edited.",
    "File /memories/tea.md already exists",
    "Successfully renamed /memories/tea.md to /memories/drinks/tea.md",
    "Here's the content of /memories/drinks/tea.md with line numbers:\n     1\tShe likes green tea.\n     2\tNo sugar.",
    "The path /memories/none does not exist",
]


class Model(ThreadingHTTPServer):
    """A model service on the loopback interface that answers by a script, and keeps what it was told."""

    def __init__(self, script: Script) -> None:
        self.script, self.requests = list(script), list[dict[str, Any]]()
        super().__init__(("127.0.0.1", 0), Answer)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def results(self) -> list[dict[str, Any]]:
        """The results of the tool, as the model got them."""
        return [block for request in self.requests[1:] for block in request["messages"][-1]["content"]]


class Answer(BaseHTTPRequestHandler):
    server: Model

    def do_POST(self) -> None:
        self.server.requests.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        turn = self.server.script.pop(0)
        done = isinstance(turn, str)
        block = {"type": "text", "text": turn} if done else {"type": "tool_use", "name": "memory", "input": turn}
        content = [block if done else block | {"id": f"call{len(self.server.requests)}"}]
        body = json.dumps({
            "id": "msg", "type": "message", "role": "assistant", "model": "scripted", "content": content,
            "stop_reason": "end_turn" if done else "tool_use", "stop_sequence": None,
            "usage": {"input_tokens": 1, "output_tokens": 1},
        }).encode()  # fmt: skip
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def model() -> Iterator[Model]:
    with Model(COMMANDS) as server:
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def check(model: Model) -> None:
    assert [result["content"] for result in model.results()] == RESULTS
    assert [bool(result.get("is_error")) for result in model.results()] == [False] * 4 + [True, False, False, True]
    assert model.requests[0]["tools"] == [{"type": "memory_20250818", "name": "memory"}]


def test_the_tool_runner_uses_it(memory: Memory, model: Model):
    with Anthropic(api_key="none", base_url=model.url) as client:
        tools = [MemoryTool(memory.space("ana"))]
        runner = client.beta.messages.tool_runner(model="scripted", max_tokens=100, messages=WISH, tools=tools)
        assert runner.until_done().content[0].text == "I know now."
    check(model)
    item = memory.space("ana").items(("memories", "drinks")).get("tea.md")
    assert item is not None
    assert item.value == "She likes green tea.\nNo sugar.\n"


@pytest.mark.parametrize("kind", ["plain", "async"])
def test_the_async_tool_runner_uses_it(tmp_path: Path, model: Model, kind: str):
    async def run() -> str:
        with Memory(tmp_path / "a.db", environment={}) as near:
            async with AsyncMemory(tmp_path / "a.db", environment={}) as mem, client:
                tools = [AsyncMemoryTool(mem.space("ana") if kind == "async" else near.space("ana"))]
                runner = client.beta.messages.tool_runner(model="scripted", max_tokens=100, messages=WISH, tools=tools)
                return (await runner.until_done()).content[0].text

    client = AsyncAnthropic(api_key="none", base_url=model.url)
    assert anyio.run(run) == "I know now."
    check(model)


def test_cache_control_and_clearing(memory: Memory):
    tool = MemoryTool(memory.space("ana"), namespace=("agent", "files"), cache_control={"type": "ephemeral"})
    assert tool.to_dict() == {"type": "memory_20250818", "name": "memory", "cache_control": {"type": "ephemeral"}}
    tool.call({"command": "create", "path": "/memories/f", "file_text": "text"})
    assert memory.space("ana").items().namespaces() == [("agent", "files")]
    assert tool.clear_all_memory() == "All memory cleared"
    assert memory.space("ana").items().namespaces() == []


def random_command(pick: random.Random) -> dict[str, Any]:
    """A command on a few paths. Each folder keeps a file, because a folder without files does not exist here."""
    paths = ["/memories/a", "/memories/b.txt", "/memories/d/c", "/memories/d/e/f", "/memories/new/x"]
    odd = ["/memories/d/../b.txt", "/memories//d/./c", "/memories/../../etc", "/else", "/memories/none", "/memories"]
    path, other = pick.choice(paths + odd), pick.choice(paths + odd)
    text = pick.choice(["one\ntwo\none", "two\n", "", "x\r\ny\n", "ü\n" * 7])
    part = pick.choice(["one", "two", "ü", "x\r", "\n"])
    return pick.choice([
        {"command": "create", "path": path, "file_text": text},
        {"command": "view", "path": pick.choice(paths), "view_range": pick.choice([None, [1, 2], [2, -1], [0, 99]])},
        {"command": "str_replace", "path": path, "old_str": part, "new_str": pick.choice(["three", "", "a\nb"])},
        {"command": "insert", "path": path, "insert_line": pick.randrange(-1, 9), "insert_text": text},
        {"command": "delete", "path": pick.choice([*paths, "/memories", "/memories/d/.."])},
        {"command": "rename", "old_path": pick.choice(paths), "new_path": other},
    ])  # fmt: skip


def outcome(call: Callable[[dict[str, Any]], Any], command: dict[str, Any]) -> tuple[str, str]:
    try:
        return "result", call(command)
    except ToolError as error:
        return "error", str(error)


@pytest.mark.parametrize("seed", range(6))
def test_it_answers_as_the_file_system_tool_of_the_sdk(tmp_path: Path, seed: int):
    pick = random.Random(seed)
    with Memory(tmp_path / "app.db", environment={}) as near:
        ours, theirs = MemoryTool(near.space("ana")), BetaLocalFilesystemMemoryTool(str(tmp_path / "theirs"))
        for folder in ("", "d/", "d/e/", "new/"):
            keep = {"command": "create", "path": f"/memories/{folder}keep", "file_text": "k"}
            assert ours.call(keep) == theirs.call(keep)
        for _ in range(200):
            command = random_command(pick)
            assert outcome(ours.call, command) == outcome(theirs.call, command), command
