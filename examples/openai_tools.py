"""An assistant on OpenAI's API that calls tools, and knows what was said in other conversations.

    pip install aforesaid openai
    python examples/openai_tools.py                                # offline: the model is scripted
    MODEL=gpt-5 OPENAI_API_KEY=… python examples/openai_tools.py   # OPENAI_BASE_URL names another service

It prints:

    monday> I never ride my bike in the rain.
    Noted.
    friday> Do I take the bike in Porto today?
      weather({"city": "Porto"}) -> rain, 14 °C
    Walk: it rains, and you never ride in the rain.
    There are 4 messages: user, assistant, tool, assistant.

Calls and results are messages of the conversation. Each request is built from it, within a budget: a call with its
result, and with what other conversations say on the question.
"""

import json
import os
from typing import Any

from openai import OpenAI
from openai.types.chat import ChatCompletionToolUnionParam
from scripted_model import scripted_model

from aforesaid import Conversation, Memory

SYSTEM = "You are an assistant. Answer in one sentence."
TOOLS: list[ChatCompletionToolUnionParam] = [
    {
        "type": "function",
        "function": {
            "name": "weather",
            "description": "The weather in a city now.",
            "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
        },
    },
]


def weather(city: str) -> str:
    return {"Porto": "rain, 14 °C"}.get(city, "sunny, 21 °C")


def ask(chat: Conversation, question: str) -> str:
    """Answers a question. The model can call tools, one round after another."""
    chat.add("user", question)
    while True:
        context = chat.context(system=SYSTEM, max_tokens=8000)
        response = client.chat.completions.create(model=MODEL, messages=context.to_openai(), tools=TOOLS)
        message = response.choices[0].message
        calls = [call for call in message.tool_calls or () if call.type == "function"]
        chat.add("assistant", message.content, tool_calls=[call.to_dict() for call in calls], model=MODEL)
        if not calls:
            return message.content or ""
        for call in calls:
            result = weather(**json.loads(call.function.arguments))
            print(f"  {call.function.name}({call.function.arguments}) -> {result}")
            chat.add("tool", result, tool_call_id=call.id)


def script(messages: list[dict[str, Any]]) -> str | dict[str, Any]:
    """What the scripted model answers."""
    newest = str(messages[-1]["content"])
    if newest.endswith("today?"):
        return {"name": "weather", "city": "Porto"}
    known = "never ride my bike in the rain" in str(messages[:-1])
    return "Walk: it rains, and you never ride in the rain." if newest.startswith("rain") and known else "Noted."


MODEL = os.environ.get("MODEL", "scripted")
client = OpenAI() if "MODEL" in os.environ else OpenAI(base_url=scripted_model(script), api_key="none")

with Memory("openai_tools.db") as mem:
    ana = mem.space("ana")
    print("monday> I never ride my bike in the rain.")
    print(ask(ana.conversation("monday"), "I never ride my bike in the rain."))
    friday = ana.conversation("friday")
    print("friday> Do I take the bike in Porto today?")
    print(ask(friday, "Do I take the bike in Porto today?"))
    roles = [message.role for message in friday]
    print(f"There are {len(roles)} messages: {', '.join(roles)}.")
