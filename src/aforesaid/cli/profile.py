"""The commands `about`, `profile`, `consent` and `audit`. A profile needs consent; every access is audited."""

from __future__ import annotations

import json
from typing import Annotated, Literal

import typer

from aforesaid import AuditEntry, Profile, ProfileField
from aforesaid.cli.options import SPACE, STORE, AfterId, AsJson, Limit, SpaceName, Store, TimeOption
from aforesaid.cli.output import Table, escape_text, format_time, make_console, note, print_json, print_result, show
from aforesaid.cli.store import open_existing, open_or_create, open_space, require_space
from aforesaid.errors import InvalidInput
from aforesaid.models.profile import AUDIT_ACTIONS, AuditAction

FieldValue = str | int | float | bool


def about(
    *,
    tokens: Annotated[int, typer.Option(min=1, metavar="N", help="The most tokens.")] = 600,
    space: SpaceName = SPACE,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Show what is known about a person or a project: the profile, facts, and what people said that matters most.

    Example: aforesaid about --space alice --tokens 300
    """
    with open_existing(store) as memory:
        found = require_space(memory, space).about(tokens)
    if as_json:
        print_json(found)
    elif found.text:
        make_console().print(escape_text(found.text), soft_wrap=True)
    else:
        note("nothing is known yet")


def profile(
    action: Annotated[Literal["show", "set", "remove"], typer.Argument(help="The action.")] = "show",
    fields: Annotated[list[str] | None, typer.Argument(metavar="[NAME=VALUE | NAME]...", help="The fields.")] = None,
    *,
    text: Annotated[str | None, typer.Option(metavar="TEXT", help="set: the free text; empty removes it.")] = None,
    since: TimeOption = None,
    expires: TimeOption = None,
    as_of: TimeOption = None,
    known_at: TimeOption = None,
    erase: Annotated[bool, typer.Option("--erase", help="remove: also erase the history of the fields.")] = False,
    space: SpaceName = SPACE,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Show or change the profile of a person. Needs consent.

    NAME=VALUE is text; NAME:=VALUE is JSON: a number, true or false.

    Example: aforesaid profile set city=Lisbon age:=41 --space alice
    """
    with (open_existing if action == "show" else open_or_create)(store) as memory:
        if action == "show":
            state = require_space(memory, space).profile(as_of=as_of, known_at=known_at)
        elif action == "set":
            values = dict(map(_parse_field, fields or ()))
            state = memory.space(space).set_profile(values, text=text, since=since, expires=expires)
        elif fields:
            state = memory.space(space).remove_profile(*fields, erase=erase)
        else:
            raise InvalidInput("name the fields to remove")
    if as_json:
        print_json({"consent": state.consent, "fields": state.fields, "text": state.free})
    else:
        _print_profile(state)


def _parse_field(argument: str) -> tuple[str, FieldValue]:
    name, equals, value = argument.partition("=")
    if not equals:
        raise InvalidInput(f"{argument!r} is not NAME=VALUE")
    if not name.endswith(":"):
        return name, value
    try:
        parsed: FieldValue = json.loads(value)
    except ValueError as exc:
        raise InvalidInput(f"{argument!r}: the value is not JSON; write {name[:-1]}={value} for text") from exc
    return name[:-1], parsed


def _print_profile(profile: Profile) -> None:
    if not profile.consent:
        note("no consent, so there is no profile; `aforesaid consent grant` gives consent")
        return
    fields = [*profile.fields, *([profile.free] if profile.free else [])]
    show(Table(("field", "value", "from", "since", "expires"), map(_profile_row, fields)))


def _profile_row(field: ProfileField) -> tuple[object, ...]:
    expires = "" if field.expires_at is None else format_time(field.expires_at)
    return field.name or "(text)", field.value, field.source, format_time(field.since), expires


def consent(
    action: Annotated[Literal["show", "grant", "revoke"], typer.Argument(help="The action.")] = "show",
    *,
    by: Annotated[
        str | None, typer.Option(metavar="NAME", help="The name of the person who decides, for the audit.")
    ] = None,
    note_: Annotated[str | None, typer.Option("--note", metavar="TEXT", help="grant: how it was given.")] = None,
    space: SpaceName = SPACE,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Show, grant or revoke consent to a profile.

    Revoking erases the profile, its history and every trace of both in the store's files.

    Example: aforesaid consent grant --by ann --space alice
    """
    if action == "revoke":
        _revoke(store, space, by, as_json)
        return
    with (open_or_create if action == "grant" else open_existing)(store) as memory:
        if action == "grant":
            state = memory.space(space).grant_consent(by=by, note=note_)
        else:
            state = require_space(memory, space).consent()
    verb = "granted" if state.granted else "revoked"
    line = "never asked" if state.at is None else f"{verb} {format_time(state.at)} by {state.by}"
    print_result(state, as_json, line)


def _revoke(store: str, space: str, by: str | None, as_json: bool) -> None:
    with open_space(store, space) as known:
        done = known.revoke_consent(by=by)
    line = f"revoked; erased {done.entries} entries of {len(done.fields)} fields, and {done.receipts} receipts"
    print_result(done, as_json, line)
    if not done.scrubbed:
        note("another process is reading: the log still has the erased bytes; revoke again later")


def audit(
    *,
    limit: Limit = 100,
    after: AfterId = None,
    since: TimeOption = None,
    action: Annotated[
        AuditAction | None, typer.Option(metavar="ACTION", help=f"Only these: {', '.join(AUDIT_ACTIONS)}.")
    ] = None,
    space: SpaceName = SPACE,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """List who granted, revoked, read and changed a profile, newest first. It contains no values.

    Example: aforesaid audit --action read --space alice
    """
    with open_space(store, space) as known:
        entries = known.audit(limit, after=after, since=since, action=action)
    print_result(entries, as_json, Table(("when", "who", "what", "detail"), map(_audit_row, entries)))


def _audit_row(entry: AuditEntry) -> tuple[str, ...]:
    action = f"{entry.action} (imported)" if entry.imported else entry.action
    parts = {name: ", ".join(value) if isinstance(value, list) else value for name, value in entry.detail.items()}
    detail = "; ".join(f"{name}: {value}" for name, value in parts.items() if value not in ("", False, None))
    return format_time(entry.at), entry.actor, action, detail
