"""The table of commands, the version, and the errors: one line and an exit code, never a traceback."""

from __future__ import annotations

import errno
import inspect
from collections.abc import Callable, Mapping
from typing import Annotated

import typer
from typer.core import TyperGroup

from aforesaid.cli import bench, exit_codes, keys, show_version, versions
from aforesaid.cli.backup import backup, copy, restore
from aforesaid.cli.bench import tune
from aforesaid.cli.chat import chat
from aforesaid.cli.context import context, explain
from aforesaid.cli.conversations import conversations, end, mute, pause, rename, resume, unmute
from aforesaid.cli.demo import demo
from aforesaid.cli.episodes import arc, episodes
from aforesaid.cli.facts import archive, facts, promote, reject, remember, undo
from aforesaid.cli.forget import delete, forget, verify_erasure
from aforesaid.cli.import_export import export, import_
from aforesaid.cli.jobs import jobs, worker
from aforesaid.cli.maintenance import consolidate, doctor, init, rechunk
from aforesaid.cli.messages import add, edit, messages
from aforesaid.cli.metrics import cost, metrics
from aforesaid.cli.options import AsJson
from aforesaid.cli.output import note, print_json
from aforesaid.cli.pins import pin, pins, unpin
from aforesaid.cli.profile import audit, consent, profile
from aforesaid.cli.recall import recall
from aforesaid.cli.serve import mcp, proxy, serve
from aforesaid.cli.settings import settings
from aforesaid.cli.status import spaces, stats, status
from aforesaid.cli.summaries import summaries
from aforesaid.errors import AforesaidError


def version(as_json: AsJson = False) -> None:
    """Show the versions of aforesaid and Python.

    Example: aforesaid version --json
    """
    if as_json:
        print_json(versions())
    else:
        show_version()


COMMANDS: Mapping[str, Callable[..., None]] = {
    command.__name__.strip("_").replace("_", "-"): command
    for command in (
        init, chat, add, recall, context, explain, messages, edit, pins, pin, unpin, summaries, episodes, arc,
        conversations, rename, pause, resume, end, mute, unmute, facts, remember, promote, reject, archive, undo,
        spaces, profile, consent, audit, consolidate, forget, delete, verify_erasure, settings, status, stats, jobs,
        metrics, cost, export, import_, copy, backup, restore, rechunk, tune, doctor, serve, proxy, mcp, worker,
        version, demo,
    )
} | {"search": recall}  # fmt: skip


class CommandGroup(TyperGroup):
    """Turns an expected error into one line on standard error and an exit code."""

    def invoke(self, ctx: typer.Context) -> object:  # type: ignore[override]
        try:
            return super().invoke(ctx)
        except AforesaidError as exc:
            note(f"error: {exc}")
            raise typer.Exit(exit_codes.code(exc)) from exc
        except OSError as exc:
            if exc.errno == errno.EPIPE:  # the reader of a pipe has gone; typer ends quietly
                raise
            note(f"error: {exc}")
            raise typer.Exit(exit_codes.OTHER) from exc


app = typer.Typer(cls=CommandGroup, no_args_is_help=True, pretty_exceptions_show_locals=False)


def _print_version(requested: bool) -> None:
    if requested:
        version()
        raise typer.Exit


@app.callback()
def aforesaid(
    _version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_print_version, help="Show the version and exit.")
    ] = False,
) -> None:
    """Conversation memory for LLM applications, in one SQLite file or PostgreSQL.

    Example: aforesaid add trip "We settled on Lisbon in May."
    """


for name, command in COMMANDS.items():
    help = inspect.cleandoc(command.__doc__ or "")
    app.command(name, help=help.replace("Example: aforesaid recall", f"Example: aforesaid {name}"))(command)
app.add_typer(keys.app, name="keys")
app.add_typer(bench.app, name="bench")
