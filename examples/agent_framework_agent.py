"""An agent of Microsoft Agent Framework that knows what was said in earlier sessions.

    pip install "aforesaid[agent-framework]"
    python examples/agent_framework_agent.py                       # offline: the client is scripted
    MODEL=gpt-5 python examples/agent_framework_agent.py           # also: pip install agent-framework-openai

It prints:

    ana, monday> We settled on Lisbon in May.
    Noted.
    ana, friday> Where are we going in May?
    To Lisbon.
    bob, friday> Where are we going in May?
    I do not know.
    ana, friday: ['Where are we going in May?', 'To Lisbon.']
"""

import asyncio
import os
from collections.abc import Sequence
from typing import Any

from agent_framework import Agent, BaseChatClient, ChatResponse, FunctionInvocationLayer, Message

from aforesaid import Memory
from aforesaid.integrations.agent_framework import AforesaidContextProvider, AforesaidHistoryProvider


class ScriptedClient(FunctionInvocationLayer, BaseChatClient):
    """Stands in for a client of a model: it looks for the answer in what it receives."""

    async def _inner_get_response(self, *, messages: Sequence[Message], **_: Any) -> ChatResponse:
        asked, known = messages[-1].text.endswith("?"), any("Lisbon in May." in one.text for one in messages)
        answer = ("To Lisbon." if known else "I do not know.") if asked else "Noted."
        return ChatResponse(messages=[Message("assistant", [answer])])


def client() -> Any:
    if "MODEL" in os.environ:
        from agent_framework.openai import OpenAIChatClient  # pyright: ignore[reportAttributeAccessIssue]

        return OpenAIChatClient(model=os.environ["MODEL"])
    return ScriptedClient()


async def main() -> None:
    with Memory("agent_framework_agent.db") as mem:
        for user, session, question in (
            ("ana", "monday", "We settled on Lisbon in May."),
            ("ana", "friday", "Where are we going in May?"),
            ("bob", "friday", "Where are we going in May?"),
        ):
            print(f"{user}, {session}> {question}")
            providers = [AforesaidHistoryProvider(mem, user), AforesaidContextProvider(mem, user)]
            agent = Agent(client(), context_providers=providers)
            print((await agent.run(question, session=agent.create_session(session_id=session))).text)
        print("ana, friday:", [message.text for message in mem.space("ana").conversation("friday")])


asyncio.run(main())
