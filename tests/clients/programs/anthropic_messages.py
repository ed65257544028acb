"""Anthropic's client, messages, with a tool and cache breakpoints."""

import json
import sys

from anthropic import Anthropic

TOOL = {
    "name": "list_files",
    "description": "Lists the files of a folder",
    "input_schema": {"type": "object", "properties": {"folder": {"type": "string"}}, "required": ["folder"]},
}
SYSTEM = [{"type": "text", "text": "You are a helpful assistant.", "cache_control": {"type": "ephemeral"}}]
client = Anthropic()
messages: list = []
answers = []
for turn in json.load(sys.stdin):
    messages.append({"role": "user", "content": turn})
    while True:
        reply = client.messages.create(model="m-1", max_tokens=1000, system=SYSTEM, messages=messages, tools=[TOOL])
        messages.append(
            {"role": "assistant", "content": [block.model_dump(exclude_none=True) for block in reply.content]}
        )
        calls = [block for block in reply.content if block.type == "tool_use"]
        if not calls:
            break
        results = [{"type": "tool_result", "tool_use_id": call.id, "content": "README.md stable.py"} for call in calls]
        messages.append({"role": "user", "content": results})
    answers.append("".join(block.text for block in reply.content if block.type == "text"))
print(json.dumps(answers))
