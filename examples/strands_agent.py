"""A Strands agent whose second session knows what was said in the first. Runs offline: the model is scripted."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

from strands import Agent
from strands.memory import MemoryManager
from strands.models.model import Model
from strands.session.repository_session_manager import RepositorySessionManager

from aforesaid import Memory
from aforesaid.integrations.strands import AforesaidMemoryStore, AforesaidSessionRepository


class EchoModel(Model):
    """Says what memory it was given. Use one of `strands.models` instead."""

    def update_config(self, **model_config: Any) -> None: ...

    def get_config(self) -> dict[str, Any]:
        return {}

    async def structured_output(self, *_: Any, **__: Any) -> AsyncIterator[dict[str, Any]]:
        raise NotImplementedError
        yield {}

    async def stream(self, messages: list[Any], *_: Any, **__: Any) -> AsyncIterator[dict[str, Any]]:
        known = "We settled on Lisbon in May." in json.dumps(messages[-1])
        yield {"messageStart": {"role": "assistant"}}
        yield {"contentBlockDelta": {"delta": {"text": "To Lisbon." if known else "Noted."}}}
        yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "end_turn"}}


def agent(memory: Memory, user: str, session: str) -> Agent:
    return Agent(
        EchoModel(),
        session_manager=RepositorySessionManager(session, AforesaidSessionRepository(memory, user)),
        memory_manager=MemoryManager([AforesaidMemoryStore(memory, user)], add_tool_config=True),
        callback_handler=None,
    )


with Memory("app.db") as memory:
    agent(memory, "ana", "monday")("Remember the trip.")
    agent(memory, "ana", "tuesday")("We settled on Lisbon in May.")
    print(agent(memory, "ana", "friday")("Where are we going in May?"))
    print(agent(memory, "bob", "friday")("Where are we going in May?"))
    print(asyncio.run(AforesaidMemoryStore(memory, "ana").search("what did we settle on?"))[0].content)
