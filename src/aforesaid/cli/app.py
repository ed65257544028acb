"""The table of commands, the version, and the errors: one line and an exit code, never a traceback.

The module of a command is imported when the command is used."""

from __future__ import annotations

import errno
import inspect
from collections.abc import Iterator, Mapping, MutableMapping
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from aforesaid.cli import exit_codes
from aforesaid.cli.options import AsJson
from aforesaid.cli.output import note, print_json, print_version, versions
from aforesaid.errors import AforesaidError

# Each command, in the order of the help, and the module that has its function.
COMMANDS: Mapping[str, str] = {
    "init": "maintenance", "chat": "chat", "add": "messages", "recall": "recall", "feedback": "feedback",
    "context": "context",
    "explain": "context", "why": "context", "messages": "messages", "edit": "messages",
    "remove": "messages", "pins": "pins", "pin": "pins", "unpin": "pins",
    "summaries": "summaries", "episodes": "episodes", "arc": "episodes", "conversations": "conversations",
    "rename": "conversations", "pause": "conversations", "resume": "conversations", "end": "conversations",
    "expire": "conversations", "fork": "conversations", "branches": "conversations",
    "mute": "conversations", "unmute": "conversations", "facts": "facts",
    "remember": "facts", "promote": "facts", "reject": "facts", "archive": "facts", "undo": "facts",
    "learn": "records", "records": "records",
    "spaces": "status", "about": "profile", "profile": "profile", "consent": "profile", "audit": "profile",
    "consolidate": "maintenance",
    "forget": "forget", "delete": "forget", "hold": "forget", "verify-erasure": "forget", "settings": "settings",
    "status": "status", "stats": "status", "jobs": "jobs", "metrics": "metrics", "cost": "metrics",
    "export": "import_export", "import": "import_export", "copy": "backup", "backup": "backup", "restore": "backup",
    "rekey": "backup", "rechunk": "maintenance", "tune": "bench", "doctor": "maintenance", "serve": "serve",
    "proxy": "serve", "mcp": "mcp", "install": "install", "uninstall": "install", "hook": "hook", "worker": "jobs",
    "version": "app", "demo": "demo", "search": "recall",
}  # fmt: skip
GROUPS = ("items", "keys", "bench")  # modules with commands of their own
FUNCTIONS = {"search": "recall", "import": "import_"}  # where the name differs


def version(as_json: AsJson = False) -> None:
    """Show the versions of aforesaid and Python.

    Example: aforesaid version --json
    """
    if as_json:
        print_json(versions())
    else:
        print_version()


class LazyCommands(MutableMapping[str, Any]):
    """The commands by name. A command is imported and built when it is first read."""

    def __init__(self) -> None:
        self._built: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 (typer's own copy of click has no public type)
        if name not in self._built:
            if name not in COMMANDS and name not in GROUPS:
                raise KeyError(name)
            self._built[name] = _group(name) if name in GROUPS else _command(name)
        return self._built[name]

    def __setitem__(self, name: str, command: Any) -> None:  # noqa: ANN401
        self._built[name] = command

    def __delitem__(self, name: str) -> None:
        del self._built[name]

    def __iter__(self) -> Iterator[str]:
        return iter((*COMMANDS, *GROUPS))

    def __len__(self) -> int:
        return len(COMMANDS) + len(GROUPS)


def _command(name: str) -> object:
    function = getattr(import_module(f"aforesaid.cli.{COMMANDS[name]}"), FUNCTIONS.get(name, name.replace("-", "_")))
    help = inspect.cleandoc(function.__doc__ or "").replace("Example: aforesaid recall", f"Example: aforesaid {name}")
    single = typer.Typer(add_completion=False, pretty_exceptions_show_locals=False)
    single.command(name, help=help, deprecated=hasattr(function, "__deprecated__"))(function)
    return typer.main.get_command(single)


def _group(name: str) -> object:
    group = typer.main.get_group(import_module(f"aforesaid.cli.{name}").app)
    group.name = name
    return group


class CommandGroup(TyperGroup):
    """Turns an expected error into one line on standard error and an exit code."""

    def __init__(self, **attributes: Any) -> None:  # noqa: ANN401 (those of typer)
        super().__init__(**attributes)
        self.commands = LazyCommands()

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
        print_version()
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
