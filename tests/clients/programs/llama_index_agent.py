"""A LlamaIndex function agent with a tool and a memory of its own."""

import asyncio
import json
import sys

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.memory import Memory
from llama_index.llms.openai import OpenAI


def list_files(folder: str) -> str:
    """Lists the files of a folder."""
    return "README.md stable.py"


async def main() -> None:
    agent = FunctionAgent(tools=[list_files], llm=OpenAI(model="gpt-4o"), system_prompt="You are a helpful assistant.")
    memory = Memory.from_defaults(session_id="one")
    turns = json.load(sys.stdin)
    print(json.dumps([str(await agent.run(turn, memory=memory)) for turn in turns]))


asyncio.run(main())
