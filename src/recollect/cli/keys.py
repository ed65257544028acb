"""Keys to the doors: the server, the proxy, MCP over HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli.ids import key_id
from recollect.cli.opening import reading, writing
from recollect.cli.options import STORE, AsJson, Store
from recollect.cli.output import note, output, print_json, say, table
from recollect.cli.text import moment
from recollect.models import KeyAccess

if TYPE_CHECKING:
    from recollect import Key

app = typer.Typer(
    help="Make, list and revoke keys for the server, the proxy and MCP.\n\n"
    "Example: recollect keys create laptop --space alice",
    no_args_is_help=True,
)


@app.command()
def create(
    name: Annotated[str, typer.Argument(help="Whose key it is; stands in the audit.", show_default=False)],
    *,
    access: Annotated[KeyAccess, typer.Option(help="What it may do; each may what those before it may.")] = "write",
    space: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A space that it opens; repeatable. None: all.")
    ] = None,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Make a key. Its secret is printed now and kept nowhere.

    Example: recollect keys create laptop --access read --space alice
    """
    with writing(store) as memory:
        made = memory.create_key(name, access=access, spaces=space or None)
    note(f"key {made.key.id} for {_scope(made.key)}; keep the secret: it is shown only now")
    if as_json:
        print_json(made)
    else:
        say(made.secret)


@app.command("list")
def list_keys(store: Store = STORE, as_json: AsJson = False) -> None:
    """List every key, revoked ones too. Never their secrets.

    Example: recollect keys list --store app.db
    """
    with reading(store) as memory:
        found = memory.keys()
    if as_json:
        print_json(found)
        return
    rows = (
        (
            one.id,
            one.name,
            one.access,
            _scope(one),
            moment(one.created_at),
            moment(one.revoked_at) if one.revoked_at else "",
        )
        for one in found
    )
    made = table(("key", "name", "access", "spaces", "since", "revoked"), rows)
    made.columns[0].no_wrap = True
    output().print(made)


@app.command()
def revoke(
    key: Annotated[
        str,
        typer.Argument(metavar="KEY", help="Its id, as `list` shows it, or the beginning.", show_default=False),
    ],
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Let a key open nothing from now on, in any process.

    Example: recollect keys revoke 0198c0ffee
    """
    with reading(store) as memory:
        revoked = memory.revoke_key(key_id(memory, key))
    if as_json:
        print_json(revoked)
    else:
        say(f"revoked {revoked.id} ({revoked.name})")


def _scope(key: Key) -> str:
    return "all spaces" if key.spaces is None else ", ".join(key.spaces)
