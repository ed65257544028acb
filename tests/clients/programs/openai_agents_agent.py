"""An agent of OpenAI's Agents SDK with a tool and a session. The argument is the API: chat_completions or responses."""

import asyncio
import json
import sys

from agents import Agent, Runner, SQLiteSession, function_tool, set_default_openai_api, set_tracing_disabled


@function_tool
def list_files(folder: str) -> str:
    """Lists the files of a folder."""
    return "README.md stable.py"


async def main() -> None:
    set_tracing_disabled(True)
    set_default_openai_api(sys.argv[1])
    agent = Agent("assistant", instructions="You are a helpful assistant.", model="m-1", tools=[list_files])
    session = SQLiteSession("one")
    turns = json.load(sys.stdin)
    print(json.dumps([(await Runner.run(agent, turn, session=session)).final_output for turn in turns]))


asyncio.run(main())
