"""Facts that say the same become one, inside the caller's transaction. Both stay stored."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from recollect.models import Consolidated
from recollect.stores import queries
from recollect.stores.database import Row, Session
from recollect.stores.nouns import fact_notes
from recollect.text.likeness import key

SQL = queries.named("consolidations")
PAGE = 1000

Scope = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Merge:
    """A record that goes into another, by their keys, and what is told of it."""

    key: int
    into_key: int
    told: Consolidated


def doubles(session: Session, scope: Scope) -> list[Merge]:
    """What says the same as an earlier fact. Active ones come first, so that none is merged into a pending one."""
    said: dict[bytes, tuple[int, str]] = {}
    found = []
    for fact_key, id, subject, attribute, value, text, tokens in _spoken(session, scope):
        slot = (subject, attribute, value) if attribute and value else (subject, "", key(text))
        first = said.setdefault(blake2b(json.dumps(slot).encode(), digest_size=16).digest(), (fact_key, id))
        if first[0] != fact_key:
            found.append(Merge(fact_key, first[0], Consolidated("merged", "fact", id, first[1], text, tokens, None)))
    return found


def merge(session: Session, scope: Scope, merge: Merge) -> None:
    """Copies the evidence. The caller archives what is merged."""
    values = scope | {"fact_key": merge.key, "into_key": merge.into_key}
    copied = [message_key for (message_key,) in session.fetch(SQL["lacking"], values)]
    for query in ("copy", "relate", "step"):
        session.execute(SQL[query], values | {"copied": json.dumps(copied)})
    fact_notes.note(session, scope["space_key"], merge.into_key)


def part(session: Session, scope: Scope) -> None:
    """Takes back what was copied. The caller restores what was merged."""
    for record_key, into_key, copied in session.fetch(SQL["merges"], scope):
        values = scope | {"record_key": record_key, "into_key": into_key, "copied": copied}
        session.execute(SQL["uncopy"], values)
        session.execute(SQL["unrelate"], values)
        fact_notes.note(session, scope["space_key"], into_key)


def tell(session: Session, scope: Scope) -> None:
    """Brings the notes of all that was archived or restored in line."""
    for (fact_key,) in session.fetch(SQL["fact_steps"], scope):
        fact_notes.note(session, scope["space_key"], fact_key)


def _spoken(session: Session, scope: Scope) -> Iterator[Row]:
    """What is neither weak nor over, a page at a time."""
    for status in ("active", "pending"):
        after = 0
        while page := session.fetch(SQL["spoken"], scope | {"status": status, "after": after, "limit": PAGE}):
            yield from page
            after = page[-1][0]
