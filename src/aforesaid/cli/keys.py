"""The `keys` commands: create, list and revoke API keys."""

from __future__ import annotations

from typing import Annotated

import typer

from aforesaid import Key
from aforesaid.cli.options import STORE, AsJson, Store
from aforesaid.cli.output import Table, format_time, note, print_result
from aforesaid.cli.store import open_existing, open_or_create, resolve_key_id
from aforesaid.models.key import KeyAccess

app = typer.Typer(
    help="Create, list and revoke keys for the server, the proxy and MCP.\n\n"
    "Example: aforesaid keys create laptop --space alice",
    no_args_is_help=True,
)


@app.command()
def create(
    name: Annotated[str, typer.Argument(help="The owner of the key; the audit names it.", show_default=False)],
    *,
    access: Annotated[KeyAccess, typer.Option(help="The access level; each level includes the lower ones.")] = "write",
    space: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A space that it opens; repeatable. Else all spaces.")
    ] = None,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Create a key. Its secret is printed once and is not stored.

    Example: aforesaid keys create laptop --access read --space alice
    """
    with open_or_create(store) as memory:
        made = memory.create_key(name, access=access, spaces=space or None)
    note(f"key {made.key.id} for {_scope(made.key)}; keep the secret: it is shown only now")
    print_result(made, as_json, made.secret)


@app.command("list")
def list_keys(store: Store = STORE, as_json: AsJson = False) -> None:
    """List every key, also revoked ones. Secrets are never shown.

    Example: aforesaid keys list --store app.db
    """
    with open_existing(store) as memory:
        keys = memory.keys()
    columns = ("key", "name", "access", "spaces", "since", "revoked")
    print_result(keys, as_json, Table(columns, map(_row, keys), unwrapped=("key",)))


def _row(key: Key) -> tuple[str, ...]:
    revoked = format_time(key.revoked_at) if key.revoked_at else ""
    return key.id, key.name, key.access, _scope(key), format_time(key.created_at), revoked


@app.command()
def revoke(
    key: Annotated[str, typer.Argument(metavar="KEY", help="The key's id, or its beginning.", show_default=False)],
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Revoke a key. From now on, no process accepts it.

    Example: aforesaid keys revoke 0198c0ffee
    """
    with open_existing(store) as memory:
        revoked = memory.revoke_key(resolve_key_id(memory, key))
    print_result(revoked, as_json, f"revoked {revoked.id} ({revoked.name})")


def _scope(key: Key) -> str:
    return "all spaces" if key.spaces is None else ", ".join(key.spaces)
