"""A Pydantic AI agent whose second conversation remembers the first.

    pip install "aforesaid[pydantic-ai]"
    python examples/pydantic_ai_memory.py                                 # offline: a function takes the model's place
    MODEL=openai:gpt-5 python examples/pydantic_ai_memory.py              # also: pip install "pydantic-ai-slim[openai]"

It prints:

    ana, monday> Our budget for Lisbon is 900 €.
    Noted.
    ana, friday> What is our budget for Lisbon?
    900 €.
    ana, friday> And per day, for three days?
    300 €.
    bob, friday> What is our budget for Lisbon?
    I do not know.

`memory.history` returns the messages of a conversation, also after a restart. The capability adds what other
conversations say on the question, and stores the new messages after the run.
"""

import asyncio
import os
from dataclasses import dataclass

from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, TextPart, UserPromptPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from aforesaid import AsyncMemory
from aforesaid.integrations.pydantic_ai import AforesaidMemory


@dataclass
class User:
    id: str


def script(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    """What the scripted model answers."""
    request = messages[-1]
    assert isinstance(request, ModelRequest)
    question = next(str(part.content) for part in request.parts if isinstance(part, UserPromptPart))
    known = "900 €" in f"{messages} {info.instructions}"
    answer = ("300 €." if "per day" in question else "900 €.") if known else "I do not know."
    return ModelResponse([TextPart(answer if question.endswith("?") else "Noted.")])


async def main() -> None:
    async with AsyncMemory("pydantic_ai_memory.db") as mem:
        memory = AforesaidMemory[User](mem, space=lambda user: user.id)
        model = os.environ.get("MODEL") or FunctionModel(script)
        agent = Agent(model, deps_type=User, instructions="Plan trips.", capabilities=[memory])
        for name, conversation, question in (
            ("ana", "monday", "Our budget for Lisbon is 900 €."),
            ("ana", "friday", "What is our budget for Lisbon?"),
            ("ana", "friday", "And per day, for three days?"),
            ("bob", "friday", "What is our budget for Lisbon?"),
        ):
            print(f"{name}, {conversation}> {question}")
            user = User(name)
            history = await memory.history(conversation, deps=user)
            result = await agent.run(question, deps=user, message_history=history, conversation_id=conversation)
            print(result.output)


asyncio.run(main())
