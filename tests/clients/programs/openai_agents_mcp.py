"""An agent of OpenAI's Agents SDK with an MCP server. With the argument `strict`, every argument is required."""

import asyncio
import json
import os
import sys

from agents import Agent, Runner, SQLiteSession, set_default_openai_api, set_tracing_disabled
from agents.mcp import MCPServerStdio


async def main() -> None:
    set_tracing_disabled(True)
    set_default_openai_api("chat_completions")
    command, *arguments = json.loads(os.environ["MCP_COMMAND"])
    config = {"convert_schemas_to_strict": sys.argv[1] == "strict"}
    turns = json.load(sys.stdin)
    async with MCPServerStdio(
        params={"command": command, "args": arguments}, client_session_timeout_seconds=30
    ) as server:
        agent = Agent("assistant", instructions="Be brief.", model="m-1", mcp_servers=[server], mcp_config=config)
        session = SQLiteSession("one")
        print(json.dumps([(await Runner.run(agent, turn, session=session)).final_output for turn in turns]))


asyncio.run(main())
