"""What a space knows of its person."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from recollect.cli.opening import reading, refuse_unknown, writing
from recollect.cli.options import SPACE, STORE, AsJson, Store
from recollect.cli.options import Space as SpaceName
from recollect.cli.output import note, output, print_json, table
from recollect.cli.text import moment
from recollect.errors import InvalidInput

if TYPE_CHECKING:
    from recollect import Profile, ProfileField

Value = str | int | float | bool
Moment = Annotated[str | None, typer.Option(metavar="TIME", help="With an offset, or a day.")]


def profile(
    action: Annotated[Literal["show", "set", "remove"], typer.Argument(help="What to do.")] = "show",
    fields: Annotated[list[str] | None, typer.Argument(metavar="[NAME=VALUE | NAME]...", help="Which fields.")] = None,
    *,
    text: Annotated[str | None, typer.Option(metavar="TEXT", help="set: the free text; empty takes it away.")] = None,
    since: Moment = None,
    expires: Moment = None,
    as_of: Moment = None,
    known_at: Moment = None,
    erase: Annotated[bool, typer.Option("--erase", help="remove: the field's history too.")] = False,
    space: SpaceName = SPACE,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Show or change what is known of a person. Needs consent.

    NAME=VALUE is text; NAME:=VALUE is JSON: a number, true or false.

    Example: recollect profile set city=Lisbon age:=41 --space alice
    """
    with (reading if action == "show" else writing)(store) as memory:
        if action == "show":
            refuse_unknown(memory, space)
            found = memory.space(space).profile(as_of=as_of, known_at=known_at)
        elif action == "set":
            given = dict(map(_field, fields or ()))
            found = memory.space(space).set_profile(given, text=text, since=since, expires=expires)
        else:
            found = memory.space(space).remove_profile(*_names(fields), erase=erase)
    if as_json:
        print_json({"consent": found.consent, "fields": found.fields, "text": found.free})
    else:
        _print(found)


def _field(given: str) -> tuple[str, Value]:
    name, equals, value = given.partition("=")
    if not equals:
        raise InvalidInput(f"{given!r} is not NAME=VALUE")
    if not name.endswith(":"):
        return name, value
    try:
        read: Value = json.loads(value)
    except ValueError as exc:
        raise InvalidInput(f"{given!r}: the value is not JSON; write {name[:-1]}={value} for text") from exc
    return name[:-1], read


def _names(fields: Sequence[str] | None) -> Sequence[str]:
    if not fields:
        raise InvalidInput("name the fields to remove")
    return fields


def _print(found: Profile) -> None:
    if not found.consent:
        note("no consent, so no profile: `recollect consent grant` gives it")
        return
    fields = [*found.fields, *([found.free] if found.free else [])]
    rows = ((one.name or "(text)", one.value, one.source, moment(one.since), _end(one)) for one in fields)
    output().print(table(("field", "value", "from", "since", "expires"), rows))


def _end(field: ProfileField) -> str:
    return "" if field.expires_at is None else moment(field.expires_at)
