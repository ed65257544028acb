"""A LangGraph agent with two memories: it notes what users tell it, and knows their earlier threads.

    pip install "aforesaid[langgraph]" langchain
    python examples/langgraph_agent.py                             # offline: the model is scripted
    MODEL=openai:gpt-5 python examples/langgraph_agent.py          # also: pip install langchain-openai

It prints:

    ana, monday> Please note that I'm vegetarian.
      [tool] noted
      [answer] Noted.
    ana, friday> Where do we eat in Porto?
      [answer] At a vegetarian place.
    ana, friday> And on Sunday?
      [answer] At a vegetarian place.
    bob, friday> Where do we eat in Porto?
      [answer] Wherever you like.
    Notes: ana ["I'm vegetarian."] bob []

The checkpointer keeps the state of a thread. The store keeps the notes of a user. The middleware stores what was said,
and adds what is relevant to a question, from all threads of the user.
"""

import os
from dataclasses import dataclass
from typing import Any

from langchain.agents import create_agent
from langchain.tools import ToolRuntime, tool
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver

from aforesaid import Memory
from aforesaid.integrations.langchain import MemoryMiddleware
from aforesaid.integrations.langgraph import AforesaidStore


@dataclass
class User:
    user_id: str


@tool
def note(text: str, runtime: ToolRuntime[User]) -> str:
    """Keeps a note about the user."""
    assert runtime.store
    runtime.store.put(("notes", runtime.context.user_id), text, {"text": text})
    return "noted"


class ScriptedModel(BaseChatModel):
    """Stands in for a model: it looks for what it needs in what it receives."""

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, *_: Any, **__: Any) -> "ScriptedModel":
        return self

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        known, question = "vegetarian" in str(messages), messages[-1].text
        answer = AIMessage("At a vegetarian place." if known else "Wherever you like.")
        if isinstance(messages[-1], ToolMessage):
            answer = AIMessage("Noted.")
        elif "note that" in question.splitlines()[-1]:
            call = {"name": "note", "args": {"text": "I'm vegetarian."}, "id": "call-1"}
            answer = AIMessage("", tool_calls=[call])
        return ChatResult(generations=[ChatGeneration(message=answer)])


with Memory("langgraph_agent.db") as mem:
    store = AforesaidStore(mem.space("notes"))
    agent = create_agent(
        os.environ.get("MODEL") or ScriptedModel(),
        tools=[note],
        system_prompt="You plan trips.",
        middleware=[MemoryMiddleware(mem)],
        context_schema=User,
        checkpointer=InMemorySaver(),
        store=store,
    )
    for user, thread, question in (
        ("ana", "monday", "Please note that I'm vegetarian."),
        ("ana", "friday", "Where do we eat in Porto?"),
        ("ana", "friday", "And on Sunday?"),
        ("bob", "friday", "Where do we eat in Porto?"),
    ):
        print(f"{user}, {thread}> {question}")
        config = RunnableConfig(configurable={"thread_id": f"{user}-{thread}"})
        state = agent.invoke({"messages": [HumanMessage(question)]}, config, context=User(user))
        for message in state["messages"]:
            if message.type == "tool":
                print(f"  [tool] {message.text}")
        print(f"  [answer] {state['messages'][-1].text}")
        mem.flush()  # optional: waits for the vectors; words are found at once
    notes = {user: [item.value["text"] for item in store.search(("notes", user))] for user in ("ana", "bob")}
    print("Notes:", *(f"{user} {texts}" for user, texts in notes.items()))
