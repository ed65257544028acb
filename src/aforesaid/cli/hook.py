"""The command `hook`: what the hooks of a coding agent call, and the state of the hooks."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Annotated

import typer

from aforesaid.cli.options import AsJson
from aforesaid.cli.output import Table, note, print_json, show
from aforesaid.errors import InvalidInput
from aforesaid.hooks.agents import HOOK_PROTOCOLS
from aforesaid.hooks.data_folder import default_store
from aforesaid.hooks.entry import parse_call, run
from aforesaid.hooks.log import log_path, read_lines
from aforesaid.hooks.project import PERSON, project_space
from aforesaid.hooks.running_server import find_server, stop_resident

EVENTS_SHOWN = 20
COLUMNS = ("at", "agent", "event", "space", "stored", "recalled", "error")
UNWRAPPED = ("at", "agent", "event", "space")


def hook(
    agent: Annotated[
        str | None, typer.Argument(help=f"One of: {', '.join(HOOK_PROTOCOLS)}.", show_default=False)
    ] = None,
    *,
    status: Annotated[bool, typer.Option("--status", help="Show the last events and errors, and the spaces.")] = False,
    stop: Annotated[bool, typer.Option("--stop", help="End the process that keeps the store open for hooks.")] = False,
    direct: Annotated[
        bool, typer.Option("--direct", help="Handle the event in this process, without the one that stays.")
    ] = False,
    store: Annotated[
        str | None, typer.Option("--store", metavar="PATH", help="The store to use. Default: in your data folder.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Handle an event of a coding agent: its hooks call this, with the event as JSON on standard input.

    Stores what you typed and what the agent answered, and prints what the memory has on your prompt, in the form of
    the agent, or nothing. It never fails: errors go to a log beside the store, which --status shows.

    Example: aforesaid hook --status
    """
    address = parse_call(["", "--store", store or default_store()]).store
    if status:
        _show_status(address, as_json)
    elif stop:
        note("stopped" if stop_resident(address) else "no process to stop")
    elif agent is None:
        raise InvalidInput(f"name the agent, one of: {', '.join(HOOK_PROTOCOLS)}; or use --status")
    else:
        run([agent, "--store", address, *(["--direct"] if direct else [])])


def _show_status(store: str, as_json: bool) -> None:
    server = find_server(store)
    state = {
        "store": store,
        "log": log_path(store),
        "process": None if server is None else server.pid,
        "project": project_space(os.getcwd()),
        "person": PERSON,
    }
    events = read_lines(log_path(store), EVENTS_SHOWN)
    if as_json:
        print_json({**state, "events": events})
        return
    show(Table(("", ""), state.items()))
    if events:
        show(Table(COLUMNS, map(_row, events), right=("stored", "recalled"), unwrapped=UNWRAPPED))
    errors = sum("error" in event for event in events)
    note(f"errors in the last {len(events)} events: {errors}" if events else "no hook has been called yet")


def _row(event: Mapping[str, object]) -> tuple[object, ...]:
    return str(event.get("at", ""))[5:19].replace("T", " "), *(event.get(column, "") for column in COLUMNS[1:])
