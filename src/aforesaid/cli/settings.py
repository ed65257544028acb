"""The `settings` command: shows and changes the settings of a space."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from aforesaid import Setting, Space
from aforesaid.cli.options import SPACE, STORE, AsJson, SpaceName, Store
from aforesaid.cli.output import Table, print_result
from aforesaid.cli.store import open_existing, open_or_create
from aforesaid.errors import InvalidInput
from aforesaid.settings import definition, parse


def settings(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="One setting; else all of them.")] = None,
    value: Annotated[str | None, typer.Argument(metavar="VALUE", help="The new value.")] = None,
    *,
    unset: Annotated[bool, typer.Option("--unset", help="Return to the environment's value, or the default.")] = False,
    space: SpaceName = SPACE,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Show the settings of a space, or change one. A change takes effect immediately, in every process.

    Example: aforesaid settings chunk_tokens 300 --space alice
    """
    if unset and (name is None or value is not None):
        raise InvalidInput("--unset takes the name of a setting and no value")
    with open_existing(store) if value is None else open_or_create(store) as memory:
        values = _settings(memory.space(space), name, value, unset)
    rows = ((row.name, _format(row.value), row.source, definition(row.name).help) for row in values)
    shown = Table(("setting", "value", "from", "what it does"), rows, right=("value",))
    print_result(values if name is None else values[0], as_json, shown)


def _settings(space: Space, name: str | None, value: str | None, unset: bool) -> Sequence[Setting]:
    if name is None:
        return space.settings()
    row = definition(name)
    if unset:
        return [space.unset(name)]
    if value is not None:
        return [space.set(name, parse(row, value, name))]
    return [setting for setting in space.settings() if setting.name == name]


def _format(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
