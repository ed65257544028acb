"""Two conversations of a Pydantic AI agent, the second of which remembers the first. Runs offline with a function in
place of a model; use a real one by its name: Agent("openai:gpt-5", …).

pip install "aforesaid[pydantic-ai]"
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from aforesaid import AsyncMemory
from aforesaid.integrations.pydantic_ai import AforesaidMemory


@dataclass
class User:
    id: str


def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    return ModelResponse([TextPart(f"{len(messages)} messages, and these instructions:\n{info.instructions}")])


async def main() -> None:
    user = User("ana")
    async with AsyncMemory("agents.db") as mem:
        memory: AforesaidMemory[User] = AforesaidMemory(mem, space=lambda deps: deps.id)
        agent = Agent(FunctionModel(answer), deps_type=User, instructions="Plan trips.", capabilities=[memory])
        for name, question in (
            ("monday", "Our budget for Lisbon is 900 €."),
            ("friday", "What is our budget for Lisbon?"),
            ("friday", "And for Porto?"),
        ):
            history = await memory.history(name, deps=user)
            result = await agent.run(question, deps=user, message_history=history, conversation_id=name)
            print(f"{name}: {result.output}\n")


asyncio.run(main())
