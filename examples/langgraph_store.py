"""A graph that remembers what each user likes: run it twice. It needs no key: the model is scripted.

pip install "aforesaid[langgraph]" && python examples/langgraph_store.py
"""

from langchain_core.language_models import FakeListChatModel
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.runtime import Runtime

from aforesaid import Memory
from aforesaid.integrations.langgraph import AforesaidStore

model = FakeListChatModel(responses=["Try the night train from Porto to Madrid."])


def answer(state: MessagesState, runtime: Runtime) -> dict[str, list]:
    question = state["messages"][-1].text
    known = [item.value["text"] for item in runtime.store.search(("users", "ana"), query=question, limit=3)]
    print("The model also gets:", known)
    runtime.store.put(("users", "ana"), state["messages"][-1].id, {"text": question})
    return {"messages": [model.invoke([("system", "\n".join(known)), *state["messages"]])]}


with Memory("langgraph.db") as mem:
    builder = StateGraph(MessagesState).add_node(answer).add_edge(START, "answer")
    graph = builder.compile(store=AforesaidStore(mem.space("travel"), ttl={"default_ttl": 60 * 24 * 30}))
    for question in ("I like trains better than planes", "How do I get to Madrid by train?"):
        print(graph.invoke({"messages": [("user", question)]})["messages"][-1].text)
