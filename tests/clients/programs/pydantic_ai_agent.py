"""A Pydantic AI agent with a tool. The argument is the model: openai-chat:m-1, openai:m-1 or anthropic:m-1."""

import json
import sys

from pydantic_ai import Agent

agent = Agent(sys.argv[1], instructions="You are a helpful assistant.")


@agent.tool_plain
def list_files(folder: str) -> str:
    """Lists the files of a folder."""
    return "README.md stable.py"


history: list = []
answers = []
for turn in json.load(sys.stdin):
    result = agent.run_sync(turn, message_history=history)
    history = result.all_messages()
    answers.append(result.output)
print(json.dumps(answers))
