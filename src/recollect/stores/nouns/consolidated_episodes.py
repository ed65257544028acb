"""Episodes of a type that tell of the same messages become one, inside the caller's transaction."""

from __future__ import annotations

import json

from recollect.models import Consolidated
from recollect.stores import queries
from recollect.stores.database import Session
from recollect.stores.nouns import episode_notes
from recollect.stores.nouns.consolidated_facts import Merge, Scope

SQL = queries.named("consolidations")


def overlapping(session: Session, scope: Scope) -> list[Merge]:
    """Those that share half of the shorter one's messages with a more significant one that stays."""
    merges: dict[int, Merge] = {}
    for into_key, into, key, id, title, tokens in session.fetch(SQL["overlapping"], scope):
        if key not in merges and into_key not in merges:
            merges[key] = Merge(key, into_key, Consolidated("merged", "episode", id, into, title, tokens, None))
    return list(merges.values())


def merge(session: Session, scope: Scope, merge: Merge) -> None:
    """The one that stays tells of the messages of both, and was made from them."""
    values = scope | {"episode_key": merge.key, "into_key": merge.into_key}
    for query in ("episode_step", "widen", "inherit", "merge_episode"):
        session.execute(SQL[query], values)
    _tell(session, scope, merge.key, merge.into_key)


def part(session: Session, scope: Scope) -> None:
    for key, into_key, before in reversed(session.fetch(SQL["episode_steps"], scope)):
        first, last = json.loads(before)
        session.execute(SQL["part_episode"], {"episode_key": key})
        session.execute(SQL["narrow"], {"into_key": into_key, "first_seq": first, "last_seq": last})
        _tell(session, scope, key, into_key)


def _tell(session: Session, scope: Scope, *keys: int) -> None:
    for key in keys:
        episode_notes.note(session, scope["space_key"], key)
