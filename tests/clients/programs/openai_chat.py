"""OpenAI's client, chat completions, with a tool."""

import json
import sys

from openai import OpenAI

TOOL = {
    "type": "function",
    "function": {
        "name": "list_files",
        "description": "Lists the files of a folder",
        "parameters": {"type": "object", "properties": {"folder": {"type": "string"}}, "required": ["folder"]},
    },
}
client = OpenAI()
messages = [{"role": "system", "content": "You are a helpful assistant."}]
answers = []
for turn in json.load(sys.stdin):
    messages.append({"role": "user", "content": turn})
    while True:
        choice = client.chat.completions.create(model="m-1", messages=messages, tools=[TOOL]).choices[0].message
        messages.append(choice.model_dump(exclude_none=True))
        if not choice.tool_calls:
            break
        messages += [
            {"role": "tool", "tool_call_id": call.id, "content": "README.md stable.py"} for call in choice.tool_calls
        ]
    answers.append(choice.content)
print(json.dumps(answers))
