"""What becomes of facts when messages go, inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Collection

from recollect.stores import queries
from recollect.stores.database import Session
from recollect.stores.fact_rows import key_or_none
from recollect.stores.ledger_rows import written
from recollect.stores.nouns import fact_changes, fact_notes, lineage

SQL = queries.named("forget_facts")


def said_in(session: Session, space_key: int, messages: Collection[int]) -> None:
    """Removes the evidence that lies in these messages. A fact without other evidence goes; one with other evidence
    says what that alone says."""
    scope = {"space_key": space_key, "messages": written(sorted(messages))}
    concerned = [int(key) for (key,) in session.fetch(SQL["of_messages"], scope)]
    session.execute(SQL["unprove"], scope)
    unsaid = session.fetch(SQL["unsaid"], {"space_key": space_key, "facts": written(concerned)})
    gone = {int(key) for (key,) in unsaid}
    _adopt(session, space_key, [key for key in concerned if key not in gone])
    for fact_key in concerned:
        if fact_key not in gone:
            _reword(session, space_key, fact_key)
    for fact_key in sorted(gone, reverse=True):
        remove(session, space_key, fact_key)
    for fact_key in concerned:
        if fact_key not in gone:
            fact_notes.note(session, space_key, fact_key)


def remove(session: Session, space_key: int, fact_key: int) -> None:
    """Removes a fact with its evidence and relations. What it had closed is open again, or closed by its successor."""
    scope = {"space_key": space_key, "fact_key": fact_key}
    reopened = fact_notes.closed_by(session, space_key, fact_key)
    session.execute(SQL["last"], scope)
    session.execute(SQL["hand_on"], scope)
    session.execute(SQL["reopen"], scope)
    lineage.remove_sources(session, space_key, "fact", [fact_key])
    fact_notes.remove(session, space_key, fact_key)
    session.execute(SQL["delete"], scope)
    for key in reopened:
        fact_notes.note(session, space_key, key)


def _adopt(session: Session, space_key: int, facts: list[int]) -> None:
    """Lets a fact that has only what was copied from a merged one keep that for good: the two never part again."""
    session.execute(SQL["adopt"], {"space_key": space_key, "facts": written(facts)})


def _reword(session: Session, space_key: int, fact_key: int) -> None:
    for text, value in session.fetch(SQL["reword"], {"space_key": space_key, "fact_key": fact_key}):
        session.execute(SQL["rekey"], {"fact_key": fact_key, "value_key": key_or_none(value)})
        fact_changes.mark(session, space_key, fact_key, text)
