"""A Strands agent whose second session knows what was said in the first.

    pip install "aforesaid[strands]"
    python examples/strands_agent.py                               # offline: the model is scripted
    MODEL=us.anthropic.claude-sonnet-5-v1:0 python examples/strands_agent.py   # a model of Bedrock

It prints:

    ana, monday> We settled on Lisbon in May.
    Noted.
    ana, friday> Where are we going in May?
    To Lisbon.
    bob, friday> Where are we going in May?
    I do not know.
    ana, friday: ['Where are we going in May?', 'To Lisbon.']

The repository stores the messages of a session; the memory store adds what all sessions say on a question.
"""

import os
from collections.abc import AsyncGenerator, AsyncIterable
from typing import Any

from strands import Agent
from strands.memory import MemoryManager
from strands.models.model import Model
from strands.session.repository_session_manager import RepositorySessionManager
from strands.types.content import Messages
from strands.types.streaming import StreamEvent

from aforesaid import Memory
from aforesaid.integrations.strands import AforesaidMemoryStore, AforesaidSessionRepository


class ScriptedModel(Model):
    """Stands in for a model: it looks for the answer in what it receives."""

    def update_config(self, **model_config: Any) -> None: ...

    def get_config(self) -> dict[str, Any]:
        return {}

    async def structured_output(self, *_: Any, **__: Any) -> AsyncGenerator[dict[str, Any], None]:
        raise NotImplementedError
        yield {}

    async def stream(self, messages: Messages, *_: Any, **__: Any) -> AsyncIterable[StreamEvent]:
        asked = messages[-1]["content"][0].get("text", "").endswith("?")  # the memory is in the blocks after it
        known = "We settled on Lisbon in May." in str(messages)
        answer = ("To Lisbon." if known else "I do not know.") if asked else "Noted."
        yield {"messageStart": {"role": "assistant"}}
        yield {"contentBlockDelta": {"delta": {"text": answer}}}
        yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "end_turn"}}


with Memory("strands_agent.db") as mem:
    for user, session, question in (
        ("ana", "monday", "We settled on Lisbon in May."),
        ("ana", "friday", "Where are we going in May?"),
        ("bob", "friday", "Where are we going in May?"),
    ):
        print(f"{user}, {session}> {question}")
        agent = Agent(
            os.environ.get("MODEL") or ScriptedModel(),
            session_manager=RepositorySessionManager(session, AforesaidSessionRepository(mem, user)),
            memory_manager=MemoryManager([AforesaidMemoryStore(mem, user)]),
            callback_handler=None,
        )
        print(str(agent(question)).strip())
    print("ana, friday:", [message.text for message in mem.space("ana").conversation("friday/default")])
