"""An agent of the OpenAI Agents SDK whose second conversation remembers the first.

    pip install "aforesaid[openai-agents]"
    python examples/openai_agents_session.py                              # offline: the model is scripted
    MODEL=gpt-5 OPENAI_API_KEY=… python examples/openai_agents_session.py

It prints:

    ana, monday> Our budget for Lisbon is 900 €.
    Noted.
    ana, friday> What is our budget for Lisbon?
    900 €.
    bob, friday> What is our budget for Lisbon?
    I do not know.
    ana, friday: ['What is our budget for Lisbon?', '900 €.']

A session keeps the items of a conversation. The filter adds what other conversations say on the question, to the
request only. One session object serves all users: `space` is a function of the context of the run.
"""

import asyncio
import os
from dataclasses import dataclass
from typing import Any

from agents import Agent, Model, OpenAIChatCompletionsModel, RunConfig, Runner, set_tracing_disabled
from openai import AsyncOpenAI
from scripted_model import scripted_model

from aforesaid import AsyncMemory
from aforesaid.integrations.openai_agents import AforesaidSession


@dataclass
class User:
    id: str


def script(messages: list[dict[str, Any]]) -> str:
    """What the scripted model answers."""
    if not messages[-1]["content"].endswith("?"):
        return "Noted."
    return "900 €." if "900 €" in str(messages) else "I do not know."


def model() -> str | Model:
    if name := os.environ.get("MODEL"):
        return name
    client = AsyncOpenAI(base_url=scripted_model(script), api_key="none")
    return OpenAIChatCompletionsModel("scripted", client)


async def main() -> None:
    set_tracing_disabled(True)
    agent: Agent[User] = Agent(name="planner", instructions="You plan trips.", model=model())
    async with AsyncMemory("openai_agents_session.db") as mem:
        for user, conversation, question in (
            ("ana", "monday", "Our budget for Lisbon is 900 €."),
            ("ana", "friday", "What is our budget for Lisbon?"),
            ("bob", "friday", "What is our budget for Lisbon?"),
        ):
            print(f"{user}, {conversation}> {question}")
            session = AforesaidSession(conversation, mem, space=lambda user: user.id)
            config = RunConfig(call_model_input_filter=session.recall_filter())
            result = await Runner.run(agent, question, context=User(user), session=session, run_config=config)
            print(result.final_output)
        friday = mem.space("ana").conversation("friday")
        print("ana, friday:", [message.text async for message in friday])


asyncio.run(main())
