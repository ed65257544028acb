"""The command `mcp`: the MCP server on standard input and output."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

import typer

from aforesaid.cli.options import SPACE, STORE, SpaceName, Store
from aforesaid.hooks.project import project_space

if TYPE_CHECKING:
    from aforesaid import Memory


def mcp(
    space: SpaceName = SPACE,
    project: Annotated[
        bool, typer.Option("--project", help="The space of the project that the command is started in.")
    ] = False,
    read_only: Annotated[
        bool, typer.Option("--read-only", help="Only tools that read; none that store, pin or forget.")
    ] = False,
    store: Store = STORE,
) -> None:
    """Serve one space to an MCP client, such as a desktop assistant or an editor. The client starts this command.

    Speaks the protocol on standard input and output until the client disconnects. Give the full path of the store: a
    client starts the command in a folder of its own. `aforesaid serve` offers the same at /mcp, over HTTP.

    Example: aforesaid mcp --store /home/ann/memory.db --space ann
    """
    from aforesaid.mcp_server.stdio import serve_stdio

    def open_memory() -> Memory:
        """Imported here: it takes longer than the answers that a client waits for at the start."""
        from aforesaid import Memory
        from aforesaid.cli.store import open_existing

        return open_existing(store) if read_only else Memory(store)

    serve_stdio(open_memory, project_space(os.getcwd()) if project else space, read_only=read_only)
