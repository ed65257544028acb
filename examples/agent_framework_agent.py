"""An agent of Microsoft Agent Framework that knows what was said in earlier sessions. Runs offline: the client is
scripted."""

import asyncio
from collections.abc import Sequence
from typing import Any

from agent_framework import Agent, BaseChatClient, ChatResponse, FunctionInvocationLayer, Message

from aforesaid import Memory
from aforesaid.integrations.agent_framework import AforesaidContextProvider, AforesaidHistoryProvider


class EchoClient(FunctionInvocationLayer, BaseChatClient):
    """Says if it was given the answer. Use a client of a model instead."""

    async def _inner_get_response(self, *, messages: Sequence[Message], **_: Any) -> ChatResponse:
        known = any("We settled on Lisbon in May." in message.text for message in messages[:-1])
        return ChatResponse(messages=[Message("assistant", ["To Lisbon." if known else "Noted."])])


async def ask(memory: Memory, user: str, session: str, words: str) -> None:
    providers = [AforesaidHistoryProvider(memory, user), AforesaidContextProvider(memory, user)]
    agent = Agent(EchoClient(), context_providers=providers)
    answer = await agent.run(words, session=agent.create_session(session_id=session))
    print(f"{user}, {session}> {answer.text}")


async def main() -> None:
    with Memory("app.db") as memory:
        await ask(memory, "ana", "monday", "We settled on Lisbon in May.")
        await ask(memory, "ana", "friday", "Where are we going in May?")
        await ask(memory, "bob", "friday", "Where are we going in May?")
        for message in memory.space("ana").conversation("friday"):
            print(message.seq, message.role, message.text)


asyncio.run(main())
