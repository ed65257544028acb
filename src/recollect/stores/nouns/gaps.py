"""Where messages stood that are forgotten, inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Iterable

from recollect.stores import queries
from recollect.stores.database import Session

SQL = queries.named("forget")


def keep(session: Session, conversation_key: int, first: int, last: int) -> None:
    """Says that no message is missing there."""
    values = {"conversation_key": conversation_key, "first_seq": first, "last_seq": last}
    session.execute(SQL["gap"], values)


def between(session: Session, conversation_key: int, seqs: Iterable[int]) -> None:
    """Takes over the gaps of messages that are put back where they were, in their order."""
    for seq in sorted(seqs):
        found = session.fetch(SQL["last_before"], {"conversation_key": conversation_key, "seq": seq})
        before = -1 if found[0][0] is None else int(found[0][0])
        if before + 1 < seq:
            keep(session, conversation_key, before + 1, seq - 1)
