"""The command `aforesaid hook AGENT`. It always succeeds, and prints the agent's JSON or nothing.

It imports no more than it needs: with a running server, only the standard library. An error goes to the log, which
`aforesaid hook --status` shows.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from aforesaid.hooks.agents import (
    HOOK_PROTOCOLS,
    NAMES,
    SESSIONS,
    TEXTS,
    TURNS,
    HookEvent,
    event_kind,
    first_text,
    hook_output,
    project_folder,
)
from aforesaid.hooks.data_folder import default_store
from aforesaid.hooks.log import log_path, write_line
from aforesaid.hooks.project import project_space
from aforesaid.hooks.running_server import ask_server

LONGEST_ERROR = 500
STDOUT = 1


@dataclass(frozen=True, slots=True)
class HookCall:
    agent: str
    store: str
    direct: bool = False  # in this process: uses and starts no other


def run(arguments: Sequence[str]) -> None:
    """Handles the event on standard input. Never raises."""
    began = time.process_time()
    call = parse_call(arguments)
    record: dict[str, object] = {"agent": call.agent}
    try:
        _handle(call, record)
    except (Exception, KeyboardInterrupt) as exc:  # noqa: BLE001 (an agent must not fail because of its memory)
        record["error"] = f"{type(exc).__name__}: {exc}"[:LONGEST_ERROR]
    record["cpu_ms"] = round((time.process_time() - began) * 1000)
    if len(record) > 2:  # not for an event of somebody else
        write_line(log_path(call.store), record)


def parse_call(arguments: Sequence[str]) -> HookCall:
    """`AGENT`, `--store PATH` and `--direct`. The command line of a hook is written by `aforesaid install`."""
    rest = list(arguments)
    store = default_store()
    for at, argument in enumerate(rest):
        if argument == "--store" and at + 1 < len(rest):
            store = rest[at + 1]
        elif argument.startswith("--store="):
            store = argument.partition("=")[2]
    if "://" not in store:
        store = os.path.abspath(os.path.expanduser(store))
    return HookCall(rest[0] if rest else "", store, "--direct" in rest)


def _handle(call: HookCall, record: dict[str, object]) -> None:
    if call.agent not in HOOK_PROTOCOLS:
        raise ValueError(f"there is no agent {call.agent!r}; use one of: {', '.join(HOOK_PROTOCOLS)}")
    raw = json.loads(sys.stdin.buffer.read().decode("utf-8", "replace"))
    event = to_event(call.agent, raw if isinstance(raw, dict) else {}, os.environ)
    if event is None:
        return
    record |= {"event": first_text(raw, NAMES), "space": event.space}
    if "://" not in call.store:
        os.makedirs(os.path.dirname(call.store), mode=0o700, exist_ok=True)
    answer = None if call.direct else ask_server(call.store, event.record())
    record["direct"] = answer is None
    if answer is None:
        answer = _handle_here(call.store, event)
    text = answer.pop("text", "")
    record |= answer
    if isinstance(text, str) and text:
        printed = json.dumps(hook_output(call.agent, first_text(raw, NAMES), text)) + "\n"
        os.write(STDOUT, printed.encode())  # not through a buffer, which would fail again at the end of the process


def to_event(agent: str, raw: Mapping[str, object], environment: Mapping[str, str]) -> HookEvent | None:
    """The event of an agent, with the space of its project. None if it is not for us."""
    kind = event_kind(agent, raw, environment)
    session = first_text(raw, SESSIONS)
    if kind is None or not session:
        return None
    text = first_text(raw, TEXTS.get(kind, ()))
    if kind == "answer" and not text:
        from aforesaid.hooks.transcript import last_answer

        text = last_answer(first_text(raw, ("transcript_path",)))
    space = project_space(project_folder(agent, raw, environment, os.getcwd()))
    return HookEvent(agent, kind, session, space, first_text(raw, TURNS), _valid(text), first_text(raw, ("source",)))


def _valid(text: str) -> str:
    """The text without lone surrogates, which cannot be stored."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _handle_here(store: str, event: HookEvent) -> dict[str, object]:
    from dataclasses import asdict

    from aforesaid.hooks.handle import handle
    from aforesaid.memory import Memory

    with Memory(store, worker=False) as memory:
        return asdict(handle(memory, event))
