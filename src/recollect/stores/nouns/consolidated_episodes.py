"""Episodes of a type that tell of the same messages become one, in SQLite, inside the caller's transaction."""

from __future__ import annotations

import json

import apsw

from recollect.models import Consolidated
from recollect.stores import queries
from recollect.stores.nouns import episode_notes
from recollect.stores.nouns.consolidated_facts import Merge, Scope
from recollect.stores.sqlite.database import fetch

SQL = queries.named("sqlite", "consolidations")


def overlapping(connection: apsw.Connection, scope: Scope) -> list[Merge]:
    """Those that share half of the shorter one's messages with a more significant one that stays."""
    merges: dict[int, Merge] = {}
    for into_key, into, key, id, title, tokens in fetch(connection, SQL["overlapping"], scope):
        if key not in merges and into_key not in merges:
            merges[key] = Merge(key, into_key, Consolidated("merged", "episode", id, into, title, tokens, None))
    return list(merges.values())


def merge(connection: apsw.Connection, scope: Scope, merge: Merge) -> None:
    """The one that stays tells of the messages of both, and was made from them."""
    values = scope | {"episode_key": merge.key, "into_key": merge.into_key}
    for query in ("episode_step", "widen", "inherit", "merge_episode"):
        connection.execute(SQL[query], values)
    _tell(connection, scope, merge.key, merge.into_key)


def part(connection: apsw.Connection, scope: Scope) -> None:
    for key, into_key, before in reversed(fetch(connection, SQL["episode_steps"], scope)):
        first, last = json.loads(before)
        connection.execute(SQL["part_episode"], {"episode_key": key})
        connection.execute(SQL["narrow"], {"into_key": into_key, "first_seq": first, "last_seq": last})
        _tell(connection, scope, key, into_key)


def _tell(connection: apsw.Connection, scope: Scope, *keys: int) -> None:
    for key in keys:
        episode_notes.note(connection, scope["space_key"], key)
