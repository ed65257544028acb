"""A small coding agent that calls hooks at the events of a session, as Claude Code does, and so has a memory.

    pip install aforesaid openai
    python examples/coding_agent.py                                # offline: the model is scripted
    MODEL=gpt-5 OPENAI_API_KEY=… python examples/coding_agent.py   # runs what the model writes, in a temporary folder

It prints:

    > Always run the tests with `python -m unittest -q`.
    Noted.
    > Fix the sum in calc.py, and run the tests.
      added by the hook: user> Always run the tests with `python -m unittest -q`.
      read_file({"path": "calc.py"})
      write_file({"path": "calc.py", "text": "def add(a, b):\\n    return a + b\\n"})
      run({"command": "python -m unittest -q"})
    It is fixed, and the tests pass.

The two prompts are two sessions: what the second one knows of the first comes from the hook. `aforesaid install` adds
the same hooks to Claude Code, Codex, Cursor and others.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any
from uuid import uuid4

from openai import OpenAI
from openai.types.chat import ChatCompletionToolUnionParam
from scripted_model import scripted_model

from aforesaid import Memory

STORE = "memory.db"  # in the project; without --store, all agents share one store in the user's data folder
HOOK = [sys.executable, "-m", "aforesaid", "hook"]


def hook(event: str, session: str, folder: Path, **fields: str) -> str:
    """Tells the memory about an event. Returns the text to add to the conversation, if any."""
    command = [*HOOK, "claude-code", "--store", str(folder / STORE)]
    told = {"hook_event_name": event, "session_id": session, "cwd": str(folder), **fields}
    printed = subprocess.run(command, input=json.dumps(told), capture_output=True, text=True, check=False).stdout
    return json.loads(printed)["hookSpecificOutput"]["additionalContext"] if printed else ""


def tool(name: str, *arguments: str) -> ChatCompletionToolUnionParam:
    schema: dict[str, object] = {"type": "object", "properties": {one: {"type": "string"} for one in arguments}}
    return {"type": "function", "function": {"name": name, "parameters": schema | {"required": arguments}}}


TOOLS = [tool("read_file", "path"), tool("write_file", "path", "text"), tool("run", "command")]


def call(folder: Path, name: str, arguments: dict[str, str]) -> str:
    """Runs a tool. Returns what the model sees of it."""
    if name == "read_file":
        return (folder / arguments["path"]).read_text("utf-8")
    if name == "write_file":
        return f"{(folder / arguments['path']).write_text(arguments['text'], 'utf-8')} characters written"
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        arguments["command"],
        shell=True,
        cwd=folder,
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    return f"exit code {done.returncode}\n{done.stdout}{done.stderr}"


def session(folder: Path, prompt: str) -> None:
    """A session with one prompt: the model calls tools until it has an answer."""
    print(f"> {prompt}")
    id = str(uuid4())
    start = hook("SessionStart", id, folder, source="startup")
    added = hook("UserPromptSubmit", id, folder, prompt=prompt)
    for line in (start + added).splitlines():
        if line.startswith("user>"):
            print(f"  added by the hook: {line}")
    messages: list[Any] = [
        {"role": "system", "content": f"You are a coding agent.\n{start}"},
        {"role": "user", "content": f"{added}\n{prompt}"},
    ]
    answer = None
    while answer is None:
        response = client.chat.completions.create(model=MODEL, messages=messages, tools=TOOLS)
        message = response.choices[0].message
        messages.append(message)
        for each in message.tool_calls or ():
            if each.type == "function":
                print(f"  {each.function.name}({each.function.arguments})")
                result = call(folder, each.function.name, json.loads(each.function.arguments))
                messages.append({"role": "tool", "tool_call_id": each.id, "content": result})
        answer = None if message.tool_calls else message.content or ""
    hook("Stop", id, folder, last_assistant_message=answer)
    hook("SessionEnd", id, folder)
    print(answer)


def script(messages: list[dict[str, Any]]) -> str | dict[str, Any]:
    """What the scripted model answers. It runs the tests only if it knows how."""
    prompt = next(message["content"] for message in messages if message["role"] == "user")
    results = [message["content"] for message in messages if message["role"] == "tool"]
    if "Fix" not in prompt:
        return "Noted."
    steps: list[dict[str, str]] = [
        {"name": "read_file", "path": "calc.py"},
        {"name": "write_file", "path": "calc.py", "text": "def add(a, b):\n    return a + b\n"},
        {"name": "run", "command": "python -m unittest -q" if "python -m unittest -q" in prompt else "make test"},
    ]
    if len(results) < len(steps):
        return steps[len(results)]
    return "It is fixed, and the tests pass." if results[-1].startswith("exit code 0") else "The tests fail."


MODEL = os.environ.get("MODEL", "scripted")
client = OpenAI() if "MODEL" in os.environ else OpenAI(base_url=scripted_model(script), api_key="none")

with tempfile.TemporaryDirectory() as name:
    project = Path(name)
    (project / "calc.py").write_text("def add(a, b):\n    return a - b\n", "utf-8")
    (project / "test_calc.py").write_text(
        "import unittest\nfrom calc import add\n\n\nclass Adds(unittest.TestCase):\n"
        "    def test_adds(self):\n        self.assertEqual(add(2, 3), 5)\n",
        "utf-8",
    )
    session(project, "Always run the tests with `python -m unittest -q`.")
    with Memory(project / STORE) as mem:
        mem.flush()  # waits for the background work: a person would take longer
    session(project, "Fix the sum in calc.py, and run the tests.")
    subprocess.run(
        [*HOOK, "--stop", "--store", str(project / STORE)], check=True, capture_output=True
    )  # ends the process of the hooks
