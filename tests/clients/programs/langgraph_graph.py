"""A LangGraph graph with a checkpointer and a tool node, streamed."""

import json
import sys

from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition


@tool
def list_files(folder: str) -> str:
    """Lists the files of a folder."""
    return "README.md stable.py"


model = ChatOpenAI(model="m-1", streaming=True).bind_tools([list_files])
builder = StateGraph(MessagesState)
builder.add_node("model", lambda state: {"messages": [model.invoke(state["messages"])]})
builder.add_node("tools", ToolNode([list_files]))
builder.add_edge(START, "model")
builder.add_conditional_edges("model", tools_condition)
builder.add_edge("tools", "model")
graph = builder.compile(checkpointer=InMemorySaver())
answers = []
for turn in json.load(sys.stdin):
    state = graph.invoke({"messages": [("user", turn)]}, {"configurable": {"thread_id": "1"}, "recursion_limit": 50})
    answers.append(str(state["messages"][-1].text))
print(json.dumps(answers))
