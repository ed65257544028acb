"""Step 3 of forgetting: deletes index entries, conversations and spaces, inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Mapping

from aforesaid.storage import queries
from aforesaid.storage.database import Session
from aforesaid.storage.repositories import chunks, fact_changes, jobs, lineage, mentions, notes, vectors

ACCESSES = queries.named("accesses")
FEEDBACK = queries.named("feedback")
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
    """Its branches become branches of its parent; what they shared with it alone is gone."""
    scope = {"conversation_key": conversation_key}
    session.execute(CONVERSATIONS["reattach"], {"space_key": space_key, **scope})
    messages = {key: (first, last) for key, first, last in session.fetch(MESSAGES["ranges"], scope)}
    remove_index_entries(session, space_key, messages)
    jobs.remove(session, "conversation", [conversation_key])
    notes.remove_conversation(session, space_key, conversation_key)
    fact_changes.remove_evidence(session, space_key, messages)
    for (key,) in session.fetch(EPISODES["keys"], scope):
        lineage.remove(session, space_key, ("episode", key))
    with session.secure_delete():
        session.execute(PROFILES["erase_from"], {"space_key": space_key, **scope})
    for (summary,) in session.fetch(SUMMARIES["keys"], scope):
        lineage.remove(session, space_key, ("summary", summary))
    session.execute(RETRIEVALS["delete"], {"space_key": space_key, **scope})
    session.execute(RECEIPTS["delete"], {"space_key": space_key, **scope})
    session.execute(MESSAGES["delete"], scope)
    session.execute(VECTORS["unreach"])  # a message key that is free may be used again
    session.execute(CONVERSATIONS["delete"], scope)  # deletes its pins, summaries and episodes too


def remove_index_entries(
    session: Session, space_key: int, messages: Mapping[int, tuple[int | None, int | None]]
) -> Mapping[str, int]:
    """Removes the index entries, the jobs and the lineage of messages, by the key and the first and last chunk of each.
    Returns the number of removed entries of each kind."""
    keys = set(messages)
    named = [{"space_key": space_key, "message_key": key} for key in keys]
    counts = {
        "chunk": sum(chunks.remove(session, space_key, *span) for span in messages.values()),
        "access": session.changed_each(ACCESSES["delete"], named),
        "feedback": session.changed_each(FEEDBACK["delete"], named),
        "mention of time": mentions.remove(session, space_key, keys),
        "vector": vectors.remove(session, space_key, keys),
    }
    jobs.remove(session, "message", keys)
    lineage.remove_sources(session, space_key, "message", keys)
    return counts
