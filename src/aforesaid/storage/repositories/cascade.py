"""Deletes a conversation or a space from every table and index, inside the caller's transaction."""

from __future__ import annotations

from aforesaid.storage import queries
from aforesaid.storage.database import Session
from aforesaid.storage.repositories import chunks, fact_changes, jobs, lineage, mentions, notes, vectors

ACCESSES = queries.named("accesses")
CONVERSATIONS = queries.named("conversations")
EPISODES = queries.named("episodes")
FORGET = queries.named("forget")
MESSAGES = queries.named("messages")
PROFILES = queries.named("profiles")
RECEIPTS = queries.named("receipts")
RETRIEVALS = queries.named("retrievals")
VECTORS = queries.named("vectors")
SUMMARIES = queries.named("summaries")
SPACES = queries.named("spaces")


def delete_space(session: Session, space_key: int) -> None:
    for row in session.fetch(FORGET["conversations"], {"space_key": space_key}):
        delete_conversation(session, space_key, row.conversation_key)
    with session.secure_delete():
        session.execute(PROFILES["erase"], {"space_key": space_key})
    notes.remove_space(session, space_key)
    session.execute(SPACES["delete"], {"space_key": space_key})


def delete_conversation(session: Session, space_key: int, conversation_key: int) -> None:
    scope = {"conversation_key": conversation_key}
    messages = session.fetch(MESSAGES["ranges"], scope)
    for _, first, last in messages:
        chunks.remove(session, space_key, first, last)
    keys = {key for key, _, _ in messages}
    vectors.remove(session, space_key, keys)
    mentions.remove(session, space_key, keys)
    jobs.remove(session, "message", keys)
    jobs.remove(session, "conversation", [conversation_key])
    notes.remove_conversation(session, space_key, conversation_key)
    fact_changes.remove_evidence(session, space_key, keys)
    for (key,) in session.fetch(EPISODES["keys"], scope):
        lineage.remove(session, space_key, ("episode", key))
    lineage.remove_sources(session, space_key, "message", keys)
    with session.secure_delete():
        session.execute(PROFILES["erase_from"], {"space_key": space_key, **scope})
    for (summary,) in session.fetch(SUMMARIES["keys"], scope):
        lineage.remove(session, space_key, ("summary", summary))
    for sql in (ACCESSES["delete"], RETRIEVALS["delete"], RECEIPTS["delete"]):
        session.execute(sql, {"space_key": space_key, **scope})
    session.execute(MESSAGES["delete"], scope)
    session.execute(VECTORS["unreach"])  # a message key that is free may be used again
    session.execute(CONVERSATIONS["delete"], scope)  # its pins, summaries and episodes go with it
