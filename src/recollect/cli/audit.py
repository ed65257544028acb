"""Who did what with a profile."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli.opening import reading, refuse_unknown
from recollect.cli.options import SPACE, STORE, AfterId, AsJson, Limit, Store
from recollect.cli.options import Space as SpaceName
from recollect.cli.output import output, print_json, table
from recollect.cli.text import moment
from recollect.models import AUDIT_ACTIONS, AuditAction

if TYPE_CHECKING:
    from recollect import AuditEntry


def audit(
    *,
    limit: Limit = 100,
    after: AfterId = None,
    since: Annotated[
        str | None, typer.Option(metavar="TIME", help="From then on: a day, or a time with an offset.")
    ] = None,
    action: Annotated[
        AuditAction | None, typer.Option(metavar="ACTION", help=f"Only these: {', '.join(AUDIT_ACTIONS)}.")
    ] = None,
    space: SpaceName = SPACE,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """List who granted, revoked, read and changed a profile, the newest first. Values are not in it.

    Example: recollect audit --action read --space alice
    """
    with reading(store) as memory:
        refuse_unknown(memory, space)
        found = memory.space(space).audit(limit, after=after, since=since, action=action)
    if as_json:
        print_json(found)
    else:
        rows = ((moment(one.at), one.actor, _action(one), _detail(one)) for one in found)
        output().print(table(("when", "who", "what", "detail"), rows))


def _action(entry: AuditEntry) -> str:
    return f"{entry.action} (imported)" if entry.imported else entry.action


def _detail(entry: AuditEntry) -> str:
    said = {name: ", ".join(value) if isinstance(value, list) else value for name, value in entry.detail.items()}
    return "; ".join(f"{name}: {value}" for name, value in said.items() if value not in ("", False, None))
