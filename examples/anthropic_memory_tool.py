"""Two sessions of an assistant with Anthropic's memory tool, whose files are in the space of a user.

    pip install "aforesaid[anthropic]"
    python examples/anthropic_memory_tool.py                                     # offline: the model is scripted
    MODEL=claude-sonnet-5-5 ANTHROPIC_API_KEY=… python examples/anthropic_memory_tool.py

It prints:

    Ana> Remember that I like green tea.
      memory({"command": "create", "path": "/memories/tea.md", "file_text": "Ana likes green tea.\\n"})
    Noted.
    Ana> What do I like to drink?
      memory({"command": "view", "path": "/memories/tea.md"})
    You like green tea.
    In the store: tea.md 'Ana likes green tea.\\n'
"""

import json
import os
from collections.abc import Iterator

import httpx2
from anthropic import Anthropic

from aforesaid import Memory
from aforesaid.integrations.anthropic import MemoryTool

MODEL = os.environ.get("MODEL", "scripted")
SCRIPT: list[dict[str, str] | str] = [
    {"command": "create", "path": "/memories/tea.md", "file_text": "Ana likes green tea.\n"},
    "Noted.",
    {"command": "view", "path": "/memories/tea.md"},
    "You like green tea.",
]


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


def client() -> Anthropic:
    if "MODEL" in os.environ:
        return Anthropic()
    return Anthropic(api_key="none", http_client=httpx2.Client(transport=scripted(iter(SCRIPT))))


with Memory("anthropic_memory_tool.db") as mem:
    ana, anthropic = mem.space("ana"), client()
    for question in ("Remember that I like green tea.", "What do I like to drink?"):  # each is a session of its own
        print(f"Ana> {question}")
        runner = anthropic.beta.messages.tool_runner(
            model=MODEL,
            max_tokens=1000,
            messages=[{"role": "user", "content": question}],
            tools=[MemoryTool(ana)],
        )
        for message in runner:
            for block in message.content:
                if block.type == "tool_use":
                    print(f"  {block.name}({json.dumps(block.input)})")
                elif block.type == "text":
                    print(block.text)
    for hit in ana.items("memories").search():
        print(f"In the store: {hit.item.key} {hit.item.value!r}")
