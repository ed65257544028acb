"""Whether a space may keep a profile."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from recollect.cli.opening import reading, refuse_unknown, writing
from recollect.cli.options import SPACE, STORE, AsJson, Store
from recollect.cli.options import Space as SpaceName
from recollect.cli.output import note, print_json, say
from recollect.cli.text import moment

if TYPE_CHECKING:
    from recollect import Consent, Memory, Revocation


def consent(
    action: Annotated[Literal["show", "grant", "revoke"], typer.Argument(help="What to do.")] = "show",
    *,
    by: Annotated[str | None, typer.Option(metavar="NAME", help="Who says so.")] = None,
    note_: Annotated[str | None, typer.Option("--note", metavar="TEXT", help="grant: how it was given.")] = None,
    space: SpaceName = SPACE,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Show, grant or revoke consent to a profile.

    Revoking erases the profile, its history and every trace of both in the store's files.

    Example: recollect consent grant --by ann --space alice
    """
    with (writing if action == "grant" else reading)(store) as memory:
        if action == "revoke":
            refuse_unknown(memory, space)
            _revoke(memory.space(space).revoke_consent(by=by), as_json)
            return
        found = memory.space(space).grant_consent(by=by, note=note_) if action == "grant" else _shown(memory, space)
    if as_json:
        print_json(found)
    elif found.at is None:
        say("never asked")
    else:
        say(f"{'granted' if found.granted else 'revoked'} {moment(found.at)} by {found.by}")


def _shown(memory: Memory, space: str) -> Consent:
    refuse_unknown(memory, space)
    return memory.space(space).consent()


def _revoke(done: Revocation, as_json: bool) -> None:
    if as_json:
        print_json(done)
    else:
        say(f"revoked; erased {done.entries} entries of {len(done.fields)} fields, and {done.receipts} receipts")
    if not done.scrubbed:
        note("another process is reading: the log still has the erased bytes; revoke again when it is done")
