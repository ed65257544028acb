"""A LlamaIndex function agent with a tool and a context."""

import asyncio
import json
import sys

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.workflow import Context
from llama_index.llms.openai import OpenAI


def list_files(folder: str) -> str:
    """Lists the files of a folder."""
    return "README.md stable.py"


async def main() -> None:
    agent = FunctionAgent(tools=[list_files], llm=OpenAI(model="gpt-4o"), system_prompt="You are a helpful assistant.")
    context = Context(agent)
    turns = json.load(sys.stdin)
    print(json.dumps([str(await agent.run(turn, ctx=context)) for turn in turns]))


asyncio.run(main())
