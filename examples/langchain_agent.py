"""An agent that remembers what its users said in other conversations. It needs no key: the model is scripted.

pip install "aforesaid[langchain]" && python examples/langchain_agent.py
"""

from langchain.agents import create_agent
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import BaseMessage

from aforesaid import Memory
from aforesaid.integrations.langchain import MemoryMiddleware


class ScriptedModel(GenericFakeChatModel):
    """Shows what it receives, and gives the next answer of its script."""

    def _generate(self, messages: list[BaseMessage], *args: object, **options: object) -> object:
        print("The model receives:", messages[-1].text, sep="\n", end="\n\n")
        return super()._generate(messages, *args, **options)


def ask(agent: object, thread: str, question: str) -> str:
    config = {"configurable": {"thread_id": thread}}
    answer = agent.invoke({"messages": [("user", question)]}, config, context={"user_id": "ana"})
    return answer["messages"][-1].text


with Memory("langchain.db") as mem:
    model = ScriptedModel(messages=iter(["Noted.", "Look on your balcony in Porto."]))
    agent = create_agent(model, middleware=[MemoryMiddleware(mem)], system_prompt="You are kind.")
    ask(agent, "monday", "I keep three herons on my balcony in Porto.")
    mem.flush()  # waits for the vectors; words are found at once
    print("It answers:", ask(agent, "friday", "Where are my herons?"))
