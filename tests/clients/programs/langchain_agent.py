"""LangChain's agent, with a tool. The argument is the kind of model: openai or anthropic."""

import json
import os
import sys

from langchain.agents import create_agent
from langchain_core.tools import tool


@tool
def list_files(folder: str) -> str:
    """Lists the files of a folder."""
    return "README.md stable.py"


if sys.argv[1] == "anthropic":
    from langchain_anthropic import ChatAnthropic

    model = ChatAnthropic(model_name="m-1", base_url=os.environ["ANTHROPIC_BASE_URL"])
else:
    from langchain_openai import ChatOpenAI

    model = ChatOpenAI(model="m-1")
agent = create_agent(model, [list_files], system_prompt="You are a helpful assistant.")
messages: list = []
answers = []
for turn in json.load(sys.stdin):
    messages = agent.invoke({"messages": [*messages, {"role": "user", "content": turn}]})["messages"]
    answers.append(str(messages[-1].text))
print(json.dumps(answers))
