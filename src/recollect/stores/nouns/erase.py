"""Removes a conversation or a space from every table and index, inside the caller's transaction."""

from __future__ import annotations

import apsw

from recollect.stores import queries
from recollect.stores.nouns import chunks, forget_facts, jobs, lineage, mentions, notes, scrub, vectors
from recollect.stores.sqlite.database import fetch

ACCESSES = queries.named("sqlite", "accesses")
CONVERSATIONS = queries.named("sqlite", "conversations")
EPISODES = queries.named("sqlite", "episodes")
MESSAGES = queries.named("sqlite", "messages")
PROFILES = queries.named("sqlite", "profiles")
RECEIPTS = queries.named("sqlite", "receipts")
RETRIEVALS = queries.named("sqlite", "retrievals")
VECTORS = queries.named("sqlite", "vectors")
SUMMARIES = queries.named("sqlite", "summaries")
SPACES = queries.named("sqlite", "spaces")


def space(connection: apsw.Connection, space_key: int) -> None:
    found = fetch(connection, SPACES["conversation_keys"], {"space_key": space_key})
    for (conversation_key,) in found:
        conversation(connection, space_key, conversation_key)
    with scrub.leaving_nothing(connection):
        connection.execute(PROFILES["erase"], {"space_key": space_key})
    notes.remove_space(connection, space_key)
    connection.execute(SPACES["delete"], {"space_key": space_key})


def conversation(connection: apsw.Connection, space_key: int, conversation_key: int) -> None:
    scope = {"conversation_key": conversation_key}
    messages = fetch(connection, MESSAGES["ranges"], scope)
    for _, first, last in messages:
        chunks.remove(connection, first, last)
    keys = {key for key, _, _ in messages}
    vectors.remove(connection, space_key, keys)
    mentions.remove(connection, space_key, keys)
    jobs.remove(connection, "message", keys)
    jobs.remove(connection, "conversation", [conversation_key])
    notes.remove_conversation(connection, space_key, conversation_key)
    forget_facts.said_in(connection, space_key, keys)
    for (key,) in fetch(connection, EPISODES["keys"], scope):
        lineage.remove(connection, space_key, ("episode", key))
    lineage.remove_sources(connection, space_key, "message", keys)
    with scrub.leaving_nothing(connection):
        connection.execute(PROFILES["erase_from"], {"space_key": space_key, **scope})
    for (summary,) in fetch(connection, SUMMARIES["keys"], scope):
        lineage.remove(connection, space_key, ("summary", summary))
    for sql in (ACCESSES["delete"], RETRIEVALS["delete"], RECEIPTS["delete"]):
        connection.execute(sql, {"space_key": space_key, **scope})
    connection.execute(MESSAGES["delete"], scope)
    connection.execute(VECTORS["unreach"])  # a message key that is free may be used again
    connection.execute(CONVERSATIONS["delete"], scope)  # its pins, summaries and episodes go with it
