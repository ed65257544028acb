"""instructor, which forces a tool call and reads an object from it."""

import json
import sys

import instructor
from openai import OpenAI
from pydantic import BaseModel


class Reply(BaseModel):
    text: str


client = instructor.from_openai(OpenAI())
messages: list = [{"role": "system", "content": "You are a helpful assistant."}]
answers = []
for turn in json.load(sys.stdin):
    messages.append({"role": "user", "content": turn})
    reply = client.chat.completions.create(model="m-1", response_model=Reply, messages=messages)
    answers.append(reply.text)
    messages.append({"role": "assistant", "content": reply.text})
print(json.dumps(answers))
