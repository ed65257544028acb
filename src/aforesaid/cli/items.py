"""The `items` commands: JSON values under a namespace and a key."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated

import typer

from aforesaid import Item, Items
from aforesaid.cli.options import SPACE, STORE, AsJson, ExpiresOption, Limit, SpaceName, Store
from aforesaid.cli.output import Table, format_time, print_result, shorten
from aforesaid.cli.store import open_or_create, open_space
from aforesaid.errors import InvalidInput, NotFound
from aforesaid.models.json import Json

app = typer.Typer(
    help="Store, list, search and delete JSON values under a namespace and a key.\n\n"
    "Example: aforesaid items put theme '\"dark\"' --namespace users --namespace ana",
    no_args_is_help=True,
)

Key = Annotated[str, typer.Argument(help="The key of the item.", show_default=False)]
Namespace = Annotated[
    list[str] | None,
    typer.Option("--namespace", metavar="NAME", help="A segment of the namespace, outermost first; repeatable."),
]
ToNamespace = Annotated[
    list[str] | None,
    typer.Option("--to", metavar="NAME", help="A segment of the new namespace, outermost first; repeatable."),
]
FilterOption = Annotated[
    str | None,
    typer.Option("--filter", metavar="JSON", help='Conditions on values: {"theme": "dark", "n": {"$gte": 3}}.'),
]
Offset = Annotated[int, typer.Option("--offset", metavar="N", min=0, help="The number of items to skip.")]


@app.command()
def put(
    key: Key,
    value: Annotated[str, typer.Argument(help="Any JSON value; - reads standard input.", show_default=False)],
    *,
    namespace: Namespace = None,
    text: Annotated[str | None, typer.Option(help="What a search finds it by; else every text in the value.")] = None,
    index: Annotated[
        list[str] | None, typer.Option(metavar="FIELD", help="A field of the value to search instead; repeatable.")
    ] = None,
    no_index: Annotated[bool, typer.Option("--no-index", help="No search finds it.")] = False,
    expires: ExpiresOption = None,
    space: SpaceName = SPACE,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Store a JSON value, in place of the one with this namespace and key.

    Example: aforesaid items put settings '{"theme": "dark"}' --namespace users --namespace ana
    """
    if no_index and index:
        raise InvalidInput("give --index or --no-index, not both")
    parsed = _parse("VALUE", sys.stdin.read() if value == "-" else value)
    with open_or_create(store) as memory:
        items = memory.space(space).items(namespace or ())
        item = items.put(key, parsed, text=text, index=False if no_index else index or None, expires=expires)
    print_result(item, as_json, f"stored {_written(item)}")


@app.command()
def get(
    key: Key, namespace: Namespace = None, space: SpaceName = SPACE, store: Store = STORE, as_json: AsJson = False
) -> None:
    """Print the value of an item as JSON; with --json the whole item.

    Example: aforesaid items get settings --namespace users --namespace ana
    """
    with _items(store, space, namespace) as items:
        item = items.get(key)
    if item is None:
        raise NotFound(f"there is no item {key!r} in this namespace of space {space!r}")
    print_result(item, as_json, json.dumps(item.value, ensure_ascii=False))


@app.command("list")
def list_items(
    *,
    namespace: Namespace = None,
    filter: FilterOption = None,
    limit: Limit = 50,
    offset: Offset = 0,
    space: SpaceName = SPACE,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """List the items of a namespace and below it, the latest update first.

    Example: aforesaid items list --namespace users --filter '{"theme": "dark"}'
    """
    with _items(store, space, namespace) as items:
        found = [hit.item for hit in items.search(filter=_filter(filter), limit=limit, offset=offset)]
    rows = ((_place(item), item.key, format_time(item.updated_at), _short(item)) for item in found)
    print_result(found, as_json, Table(("namespace", "key", "updated", "value"), rows), "there are no items")


@app.command()
def search(
    query: Annotated[str, typer.Argument(help="What to search for.", show_default=False)],
    *,
    namespace: Namespace = None,
    filter: FilterOption = None,
    limit: Limit = 10,
    offset: Offset = 0,
    space: SpaceName = SPACE,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Search the items of a namespace and below it, by words and by meaning, best first.

    Example: aforesaid items search "which colours does she like?" --namespace users
    """
    with _items(store, space, namespace) as items:
        hits = items.search(query, filter=_filter(filter), limit=limit, offset=offset)
    rows = ((f"{hit.score:.2f}", _place(hit.item), hit.item.key, _short(hit.item)) for hit in hits)
    table = Table(("score", "namespace", "key", "value"), rows, right=("score",))
    print_result(hits, as_json, table, "no item matches")


@app.command()
def namespaces(
    *,
    namespace: Namespace = None,
    max_depth: Annotated[int | None, typer.Option(metavar="N", min=1, help="Cut them to so many segments.")] = None,
    limit: Limit = 100,
    space: SpaceName = SPACE,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """List the namespaces that have items, one per line, as JSON lists.

    Example: aforesaid items namespaces --max-depth 1
    """
    with _items(store, space, namespace) as items:
        found = items.namespaces(max_depth=max_depth, limit=limit)
    rows = ((json.dumps(each, ensure_ascii=False),) for each in found)
    print_result(found, as_json, Table(("namespace",), rows), "there are no items")


@app.command()
def delete(
    key: Key, namespace: Namespace = None, space: SpaceName = SPACE, store: Store = STORE, as_json: AsJson = False
) -> None:
    """Delete an item. It does not scrub the files: `aforesaid forget --items` does that.

    Example: aforesaid items delete settings --namespace users --namespace ana
    """
    with _items(store, space, namespace) as items:
        deleted = items.delete(key)
    print_result({"key": key, "deleted": deleted}, as_json, f"deleted {key}" if deleted else f"there is no item {key}")


@app.command()
def rename(
    key: Key,
    new_key: Annotated[str, typer.Argument(help="The new key.", show_default=False)],
    *,
    namespace: Namespace = None,
    to: ToNamespace = None,
    space: SpaceName = SPACE,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Give an item another key, and with --to another namespace.

    Example: aforesaid items rename settings preferences --namespace users --namespace ana
    """
    with _items(store, space, namespace) as items:
        item = items.rename(key, new_key, namespace=to)
    print_result(item, as_json, f"renamed {key} to {_written(item)}")


@app.command()
def move(
    *,
    namespace: Namespace = None,
    to: ToNamespace = None,
    space: SpaceName = SPACE,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Move every item of a namespace and below it to another namespace.

    Example: aforesaid items move --namespace users --namespace ana --to users --to anna
    """
    with _items(store, space, namespace) as items:
        moved = items.move(to or ())
    print_result({"moved": moved}, as_json, f"moved {moved} items")


@app.command()
def clear(
    *,
    namespace: Namespace = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    space: SpaceName = SPACE,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Delete every item of a namespace and below it; without a namespace, of the space. Asks first.

    Example: aforesaid items clear --namespace users --yes
    """
    with _items(store, space, namespace) as items:
        if not yes:
            typer.confirm(f"Delete every item in {'/'.join(items.namespace) or 'the space'}?", abort=True, err=True)
        removed = items.clear()
    print_result({"removed": removed}, as_json, f"deleted {removed} items")


@contextmanager
def _items(store: str, space: str, namespace: Sequence[str] | None) -> Iterator[Items]:
    with open_space(store, space) as known:
        yield known.items(namespace or ())


def _parse(name: str, text: str) -> Json:
    try:
        return json.loads(text)
    except ValueError as exc:
        raise InvalidInput(f"{name} is not valid JSON: {exc}; write a text as '\"text\"'") from exc


def _filter(text: str | None) -> dict[str, Json] | None:
    value = None if text is None else _parse("--filter", text)
    if value is not None and not isinstance(value, dict):
        raise InvalidInput("""--filter takes a JSON object, such as '{"theme": "dark"}'""")
    return value


def _place(item: Item) -> str:
    return "/".join(item.namespace)


def _written(item: Item) -> str:
    return "/".join((*item.namespace, item.key))


def _short(item: Item) -> str:
    return shorten(json.dumps(item.value, ensure_ascii=False), 80)
