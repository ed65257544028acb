"""Two conversations of an agent of the OpenAI Agents SDK, the second of which remembers the first. Runs offline with a
scripted model; use a real one by its name: Agent(name="planner", model="gpt-5").

pip install "aforesaid[openai-agents]"
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from agents import Agent, RunConfig, Runner, set_tracing_disabled
from agents.testing import ScriptedModel, assistant_message

from aforesaid import AsyncMemory
from aforesaid.integrations.openai_agents import AforesaidSession


@dataclass
class User:
    id: str


async def main() -> None:
    set_tracing_disabled(True)
    model = ScriptedModel(steps=[[assistant_message("Noted.")], [assistant_message("900 €.")]])
    agent: Agent[User] = Agent(name="planner", model=model)
    async with AsyncMemory("agents.db") as mem:
        for name, question in (
            ("monday", "Our budget for Lisbon is 900 €."),
            ("friday", "What is our budget for Lisbon?"),
        ):
            session = AforesaidSession(name, mem, space=lambda user: user.id)
            config = RunConfig(call_model_input_filter=session.recall_filter())
            result = await Runner.run(agent, question, context=User("ana"), session=session, run_config=config)
            print(f"{name}: {result.final_output}")
        assert model.last_call is not None
        print(model.last_call.input)  # the memory of monday, before the question of friday


asyncio.run(main())
