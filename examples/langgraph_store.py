"""A LangGraph graph that keeps what each user likes in a store, and finds it by words and meaning.

    pip install "aforesaid[langgraph]"
    python examples/langgraph_store.py                             # offline: the model is scripted
    MODEL=openai:gpt-5 python examples/langgraph_store.py          # also: pip install langchain langchain-openai

It prints:

    ana> I like trains better than planes.
    Noted.
    ana> How do I get to Madrid?
    With the night train.
    bob> How do I get to Madrid?
    Fly.
    ana: ['I like trains better than planes.'] bob: []

The likes are items of a space in a file: they are still there when you run it again.
"""

import os
from dataclasses import dataclass

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.runtime import Runtime

from aforesaid import Memory
from aforesaid.integrations.langgraph import AforesaidStore


@dataclass
class User:
    id: str


def ask_model(notes: list[str], messages: list[AnyMessage]) -> str:
    if "MODEL" in os.environ:
        from langchain.chat_models import init_chat_model

        system = "Answer in one sentence. The user said before:\n" + "\n".join(notes)
        return init_chat_model(os.environ["MODEL"]).invoke([("system", system), *messages]).text
    if not messages[-1].text.endswith("?"):
        return "Noted."
    return "With the night train." if any("trains" in note for note in notes) else "Fly."


def answer(state: MessagesState, runtime: Runtime[User]) -> dict[str, list[AnyMessage]]:
    assert runtime.store
    likes, question = ("users", runtime.context.id, "likes"), state["messages"][-1].text
    notes = [item.value["text"] for item in runtime.store.search(likes, query=question, limit=3)]
    if " like " in question:
        runtime.store.put(likes, question, {"text": question})
    return {"messages": [AIMessage(ask_model(notes, state["messages"]))]}


with Memory("langgraph_store.db") as mem:
    store = AforesaidStore(mem.space("travel"), ttl={"default_ttl": 60 * 24 * 365})  # minutes
    graph = StateGraph(MessagesState, User).add_node(answer).add_edge(START, "answer").compile(store=store)
    for user, question in (
        ("ana", "I like trains better than planes."),
        ("ana", "How do I get to Madrid?"),
        ("bob", "How do I get to Madrid?"),
    ):
        print(f"{user}> {question}")
        state = graph.invoke({"messages": [HumanMessage(question)]}, context=User(user))
        print(state["messages"][-1].text)
        mem.flush()  # optional: waits for the vectors; words are found at once
    likes = {user: [item.key for item in store.search(("users", user))] for user in ("ana", "bob")}
    print(*(f"{user}: {texts}" for user, texts in likes.items()))
