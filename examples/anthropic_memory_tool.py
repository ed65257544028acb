"""Two sessions of an assistant with Anthropic's memory tool on a space. Runs offline, with a scripted model; with
ANTHROPIC_API_KEY set, it asks Claude.

    pip install "aforesaid[anthropic]" && python examples/anthropic_memory_tool.py
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import httpx2
from anthropic import Anthropic

from aforesaid import Memory
from aforesaid.integrations.anthropic import MemoryTool

MODEL = "claude-sonnet-5-5"
FIRST = ({"command": "create", "path": "/memories/tea.md", "file_text": "Ana likes green tea.\n"}, "Noted.")
SECOND = ({"command": "view", "path": "/memories/tea.md"}, "You like green tea.")


def scripted(turns: Iterator[dict[str, str] | str]) -> httpx2.MockTransport:
    """Answers each request with the next turn: a command of the memory tool, or text."""

    def answer(_: httpx2.Request) -> httpx2.Response:
        turn = next(turns)
        block = {"type": "text", "text": turn}
        if not isinstance(turn, str):
            block = {"type": "tool_use", "id": "call", "name": "memory", "input": turn}
        reason = "end_turn" if isinstance(turn, str) else "tool_use"
        usage = {"input_tokens": 0, "output_tokens": 0}
        body = {"id": "m", "type": "message", "role": "assistant", "model": MODEL, "content": [block], "usage": usage}
        return httpx2.Response(200, json=body | {"stop_reason": reason, "stop_sequence": None})

    return httpx2.MockTransport(answer)


def client(*turns: dict[str, str] | str) -> Anthropic:
    if "ANTHROPIC_API_KEY" in os.environ:
        return Anthropic()
    return Anthropic(api_key="none", http_client=httpx2.Client(transport=scripted(iter(turns))))


def session(mem: Memory, anthropic: Anthropic, wish: str) -> None:
    print(f"Ana: {wish}")
    runner = anthropic.beta.messages.tool_runner(
        model=MODEL,
        max_tokens=1000,
        messages=[{"role": "user", "content": wish}],
        tools=[MemoryTool(mem.space("ana"))],
    )
    for message in runner:
        for block in message.content:
            print("Claude:", block.text if block.type == "text" else json.dumps(getattr(block, "input", block.type)))


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, Memory(Path(folder) / "app.db") as mem:
        session(mem, client(*FIRST), "Remember that I like green tea.")
        session(mem, client(*SECOND), "What do I like to drink?")
        for hit in mem.space("ana").items("memories").search():
            print(f"{hit.item.key}: {hit.item.value!r}")


if __name__ == "__main__":
    main()
