"""The commands `learn` and `records`: the schemas of a space, and the records that are extracted by them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Literal

import typer

from aforesaid import Record, Schema, Space
from aforesaid.cli.options import SPACE, STORE, AfterId, AsJson, Limit, SpaceName, Store
from aforesaid.cli.output import Table, note, print_result
from aforesaid.cli.store import open_existing, open_or_create, open_space
from aforesaid.errors import InvalidInput
from aforesaid.models.json import Json

RecordStatusName = Literal["active", "pending", "superseded", "archived", "rejected", "all"]


def learn(
    *,
    schema: Annotated[Path | None, typer.Option("--schema", metavar="FILE", help="A JSON schema of an object.")] = None,
    name: Annotated[str | None, typer.Option(metavar="NAME", help="Its name; default: its title.")] = None,
    instructions: Annotated[str, typer.Option(metavar="TEXT", help="What the model is to look for.")] = "",
    key: Annotated[
        list[str] | None, typer.Option(metavar="FIELD", help="A field that identifies a record; repeatable.")
    ] = None,
    past: Annotated[bool, typer.Option("--past", help="Also read the messages that are stored already.")] = False,
    remove: Annotated[str | None, typer.Option(metavar="NAME", help="Remove a schema; its records stay.")] = None,
    space: SpaceName = SPACE,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Let the background model extract records of a schema, or list the schemas of a space.

    Example: aforesaid learn --schema task.json --key title
    """
    if schema is not None and remove is not None:
        raise InvalidInput("give --schema or --remove, not both")
    with open_or_create(store) if schema is not None else open_existing(store) as memory:
        known = memory.space(space)
        if schema is not None:
            known.learn(_read(schema), instructions=instructions, name=name, key=key or None, past=past)
        elif remove is not None and not known.unlearn(remove):
            note(f"there was no schema {remove!r}")
        print_result(known.schemas(), as_json, _schemas_table(known))


def records(
    schema: Annotated[str, typer.Argument(metavar="SCHEMA", help="The schema's name.", show_default=False)],
    *,
    status: Annotated[RecordStatusName, typer.Option(help="Only records in this state.")] = "active",
    limit: Limit = 50,
    after: AfterId = None,
    space: SpaceName = SPACE,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """List the records of a schema with the quotes that support them, oldest first.

    Example: aforesaid records Task --space alice
    """
    with open_space(store, space) as known:
        page = known.records(schema, limit, after=after, status=None if status == "all" else status)
    rows = ((record.id, json.dumps(record.value, ensure_ascii=False), _quotes(record)) for record in page)
    print_result(page, as_json, Table(("id", "record", "evidence"), rows))


def _read(file: Path) -> dict[str, Json]:
    try:
        schema = json.loads(file.read_text("utf-8"))
    except (ValueError, RecursionError) as exc:
        raise InvalidInput(f"{file} is not JSON: {exc}") from exc
    if not isinstance(schema, dict):
        raise InvalidInput(f"{file} is not a JSON schema: it must be an object")
    return schema


def _schemas_table(space: Space) -> Table:
    rows = ((schema.name, _key(schema), schema.instructions) for schema in space.schemas())
    return Table(("schema", "key", "instructions"), rows)


def _key(schema: Schema) -> str:
    return "" if schema.key is None else ", ".join(schema.key) or "one per person"


def _quotes(record: Record[dict[str, Json]]) -> str:
    return "\n".join(each.quote for each in record.evidence)
