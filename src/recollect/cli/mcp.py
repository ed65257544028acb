"""The MCP server on standard input and output."""

from __future__ import annotations

from typing import Annotated

import typer

from recollect.cli.extras import need
from recollect.cli.options import SPACE, STORE, Store
from recollect.cli.options import Space as SpaceName


def mcp(
    space: SpaceName = SPACE,
    read_only: Annotated[bool, typer.Option("--read-only", help="Only recall; keep, pin and forget nothing.")] = False,
    store: Store = STORE,
) -> None:
    """Serve one space to an MCP client, such as a desktop assistant or an editor, which starts this command itself.

    Speaks the protocol on standard input and output until the client goes away. Name the store by its whole path:
    clients start the command in a folder of their own. `recollect serve` has the same at /mcp, over HTTP.

    Example: recollect mcp --store /home/ann/memory.db --space ann
    """
    need("mcp")
    from recollect.cli.opening import reading
    from recollect.mcp_server.caller import local
    from recollect.mcp_server.stdio import serve
    from recollect.memory import Memory

    with reading(store) if read_only else Memory(store) as memory:
        serve(local(memory, memory.space(space).id, read_only=read_only))
