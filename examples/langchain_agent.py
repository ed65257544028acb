"""A LangChain agent that remembers what its users said in other threads.

    pip install "aforesaid[langchain]"
    python examples/langchain_agent.py                             # offline: the model is scripted
    MODEL=openai:gpt-5 python examples/langchain_agent.py          # also: pip install langchain-openai

It prints:

    ana, monday> I keep three herons on my balcony in Porto.
    Noted.
    ana, friday> Where are my herons?
    On your balcony in Porto.
    bob, friday> Where are my herons?
    Which herons?
    ana, friday: ['Where are my herons?', 'On your balcony in Porto.']

Before a question, the model gets what the user said on it, from all threads. What it gets is not stored; the last line
shows what is.
"""

import os
from typing import Any

from langchain.agents import create_agent
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import RunnableConfig

from aforesaid import Memory
from aforesaid.integrations.langchain import MemoryMiddleware


class ScriptedModel(BaseChatModel):
    """Stands in for a model: it looks for the answer in what it receives."""

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        known, asked = "balcony in Porto" in messages[-1].text, messages[-1].text.endswith("?")
        answer = ("On your balcony in Porto." if known else "Which herons?") if asked else "Noted."
        return ChatResult(generations=[ChatGeneration(message=AIMessage(answer))])


with Memory("langchain_agent.db") as mem:
    model = os.environ.get("MODEL") or ScriptedModel()
    agent = create_agent(model, middleware=[MemoryMiddleware(mem)], system_prompt="Answer in one sentence.")
    for user, thread, question in (
        ("ana", "monday", "I keep three herons on my balcony in Porto."),
        ("ana", "friday", "Where are my herons?"),
        ("bob", "friday", "Where are my herons?"),
    ):
        print(f"{user}, {thread}> {question}")
        config = RunnableConfig(configurable={"thread_id": thread})
        state = agent.invoke({"messages": [HumanMessage(question)]}, config, context={"user_id": user})
        print(state["messages"][-1].text)
        mem.flush()  # optional: waits for the vectors; words are found at once
    print("ana, friday:", [message.text for message in mem.space("ana").conversation("friday")])
