"""The commands `install` and `uninstall`: give a coding agent or a desktop app its memory, or remove it."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

import typer

from aforesaid.cli.exit_codes import OTHER
from aforesaid.cli.options import AsJson, Yes
from aforesaid.cli.output import UNSAFE, note, print_json
from aforesaid.errors import InvalidInput
from aforesaid.hooks.data_folder import default_store
from aforesaid.install.clients import INSTALL_CLIENTS, InstallOptions
from aforesaid.install.plan import FileChange, plan_install, plan_uninstall

ClientName = Literal["claude-code", "codex", "cursor", "opencode", "gemini-cli", "vscode", "claude-desktop"]
ClientArgument = Annotated[ClientName, typer.Argument(help="The agent or app.", show_default=False)]
ProjectOption = Annotated[bool, typer.Option("--project", help="Only for the project in the current folder.")]
PrintOption = Annotated[bool, typer.Option("--print", help="Show the change, and change nothing.")]
CODEX_REVIEW = (
    "Codex runs a hook only after you trust it: start Codex and enter /hooks. `codex exec` skips the hooks until then. "
    "To trust them now, run this again with --trust"
)


def install(
    client: ClientArgument,
    *,
    project: ProjectOption = False,
    store: Annotated[
        str | None, typer.Option("--store", metavar="PATH", help="The store to use. Default: in your data folder.")
    ] = None,
    trust: Annotated[bool, typer.Option("--trust", help="Mark the hooks as reviewed by you (Codex only).")] = False,
    print_: PrintOption = False,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Give a coding agent or a desktop app its memory: writes its hooks and its MCP entry.

    The command first shows the change, and asks. It keeps a copy of each file that it changes (`.before-aforesaid`),
    and changes nothing of yours. Repeat it to update the entries.

    Example: aforesaid install claude-code --print
    """
    if trust and client != "codex":
        raise InvalidInput("--trust is for codex; no other client asks")
    options = _options(client, project, store or default_store(), trust=trust)
    changes = plan_install(INSTALL_CLIENTS[client].files(options))
    for line in (INSTALL_CLIENTS[client].note, CODEX_REVIEW if client == "codex" and not trust else ""):
        if line:
            note(line)
    _show(changes, as_json, f"{client} is up to date")
    if changes and not print_:
        _make(changes, yes, f"{client} has its memory in {options.store}")


def uninstall(
    client: ClientArgument,
    *,
    project: ProjectOption = False,
    print_: PrintOption = False,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Remove what `install` added to a client. Everything else stays, and so does the memory.

    A file that did not change since is restored byte by byte.

    Example: aforesaid uninstall claude-code
    """
    options = _options(client, project, default_store(), trust=True)
    changes = plan_uninstall(INSTALL_CLIENTS[client].files(options))
    _show(changes, as_json, f"{client} has nothing of aforesaid")
    if changes and not print_:
        _make(changes, yes, f"{client} is as before; the memory stays")


def _options(client: str, project: bool, store: str, *, trust: bool) -> InstallOptions:
    if project and not INSTALL_CLIENTS[client].per_project:
        raise InvalidInput(f"{client} has no settings of a project; omit --project")
    address = store if "://" in store else os.path.abspath(os.path.expanduser(store))
    folder = Path.cwd() if project else None
    return InstallOptions(_own_command(), address, folder, trust=trust)


def _own_command() -> Sequence[str]:
    """The command that starts this aforesaid, with its full path: clients do not read the settings of a shell."""
    beside = shutil.which("aforesaid", path=os.path.dirname(sys.executable))
    return [beside] if beside else [sys.executable, "-m", "aforesaid"]


def _show(changes: Sequence[FileChange], as_json: bool, nothing: str) -> None:
    if as_json:
        print_json([{"path": str(change.path), "diff": change.diff()} for change in changes])
        return
    for change in changes:
        print(UNSAFE.sub(lambda match: {"\r": "", "\t": "\t"}.get(match[0], "?"), change.diff()), end="")
    if not changes:
        note(nothing)


def _make(changes: Sequence[FileChange], yes: bool, done: str) -> None:
    if not yes and not typer.confirm("Make this change?", err=True):
        raise typer.Exit(OTHER)
    for change in changes:
        change.make()
        if change.copy is not None:
            note(f"a copy is in {change.copy}")
    note(f"{done}; restart the client")
