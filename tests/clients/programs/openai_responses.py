"""OpenAI's client, Responses, with a tool and the whole history."""

import json
import sys

from openai import OpenAI

TOOL = {
    "type": "function",
    "name": "list_files",
    "description": "Lists the files of a folder",
    "parameters": {"type": "object", "properties": {"folder": {"type": "string"}}, "required": ["folder"]},
}
client = OpenAI()
items: list = []
answers = []
for turn in json.load(sys.stdin):
    items.append({"role": "user", "content": turn})
    while True:
        response = client.responses.create(
            model="m-1", instructions="You are a helpful assistant.", input=items, tools=[TOOL], store=False
        )
        items += [item.model_dump(exclude_none=True) for item in response.output if item.type != "reasoning"]
        calls = [item for item in response.output if item.type == "function_call"]
        if not calls:
            break
        items += [
            {"type": "function_call_output", "call_id": call.call_id, "output": "README.md stable.py"} for call in calls
        ]
    answers.append(response.output_text)
print(json.dumps(answers))
