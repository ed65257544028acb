"""Messages in PostgreSQL by hand: the rows that recollect writes, and those that one would write in an afternoon."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from contextlib import ExitStack

from recollect.bench.rooms import execute

TABLES = (
    "CREATE TABLE hand_conversations (id text PRIMARY KEY, next_seq bigint NOT NULL)",
    "CREATE TABLE hand_messages (id uuid PRIMARY KEY, conversation text NOT NULL, seq bigint NOT NULL,"
    " role text NOT NULL, content text NOT NULL, created_at timestamptz NOT NULL, UNIQUE (conversation, seq))",
    "CREATE TABLE hand_terms (id uuid PRIMARY KEY, terms tsvector NOT NULL)",
    "CREATE INDEX ON hand_terms USING gin (terms)",
    "CREATE TABLE hand_jobs (id uuid, kind text, due_at timestamptz NOT NULL, PRIMARY KEY (kind, id))",
)
NEXT = """
INSERT INTO hand_conversations VALUES (%s, 1)
ON CONFLICT (id) DO UPDATE SET next_seq = hand_conversations.next_seq + 1 RETURNING next_seq - 1
"""
MESSAGE = "INSERT INTO hand_messages VALUES (%s, %s, %s, 'user', %s, now())"
TERMS = "INSERT INTO hand_terms VALUES (%s, to_tsvector('english', %s))"
JOBS = "INSERT INTO hand_jobs VALUES (%s, 'embed', now()), (%s, 'distill', now())"
SAME = (
    "spaces",
    "conversations",
    "messages",
    "chunks",
    "chunk_terms",
    "jobs",
    "changes",
)  # tables, as recollect has them
SAME_SPACE = """
INSERT INTO same_spaces (id, created_at) VALUES (%s, 0)
ON CONFLICT (id) DO UPDATE SET version = same_spaces.version + 1 RETURNING space_key
"""
SAME_CONVERSATION = """
INSERT INTO same_conversations (space_key, id, status, next_seq, messages, turns, created_at, updated_at)
VALUES (%s, %s, 'active', 1, 1, 1, %s, %s)
ON CONFLICT (space_key, id) DO UPDATE SET next_seq = same_conversations.next_seq + 1,
  messages = same_conversations.messages + 1, turns = same_conversations.turns + 1, updated_at = excluded.updated_at
RETURNING conversation_key, next_seq - 1
"""
SAME_MESSAGE = """
INSERT INTO same_messages (space_key, conversation_key, seq, id, role, text, importance, tokens, created_at)
VALUES (%s, %s, %s, %s, 'user', %s, 0.5, 10, %s) RETURNING message_key
"""
SAME_CHUNK = "INSERT INTO same_chunks VALUES (%s, %s, %s, 0, 'prose', NULL, 0, %s, 10, 10)"
SAME_TERMS = "INSERT INTO same_chunk_terms VALUES (%s, %s, to_tsvector('english', %s))"
SAME_JOBS = """
INSERT INTO same_jobs (space_key, state, kind, target, about, due_at, created_at)
VALUES (%s, 'queued', 'embed', %s, 'message', %s, %s), (%s, 'queued', 'distill', %s, 'conversation', %s, %s)
ON CONFLICT DO NOTHING
"""
SAME_CHANGE = "INSERT INTO same_changes VALUES (%s, %s, 'message', 'added', %s, %s, %s, %s)"
BARE = "INSERT INTO hand_messages VALUES (%s, %s, nextval('hand_seq'), 'user', %s, now())"


class ServerByHand:
    """A connection a client. The store has recollect's tables already."""

    def __init__(self, store: str) -> None:
        same = (f"CREATE TABLE same_{name} (LIKE {name} INCLUDING ALL)" for name in SAME)
        execute(store, *TABLES, *same, "CREATE SEQUENCE hand_seq START 1000000000")
        self._store = store
        self._open = ExitStack()

    def adding(self, conversation: str) -> Callable[[str], object]:
        """A message with its number, what it is found by, and its jobs, in one transaction."""
        import psycopg

        connection = self._open.enter_context(psycopg.connect(self._store, autocommit=True))

        def add(text: str) -> None:
            id = uuid.uuid4()
            with connection.transaction():
                found = connection.execute(NEXT, (conversation,)).fetchone()
                connection.execute(MESSAGE, (id, conversation, found[0] if found else 0, text))
                connection.execute(TERMS, (id, text))
                connection.execute(JOBS, (id, id))

        return add

    def same(self, space: str, conversation: str) -> Callable[[str], object]:
        """Each row that recollect writes, into a table of the same columns, checks and indexes: a statement a table."""
        import psycopg

        connection = self._open.enter_context(psycopg.connect(self._store, autocommit=True))

        def add(text: str) -> None:
            at = time.time_ns() // 1000
            with connection.transaction():
                ((own,),) = connection.execute(SAME_SPACE, (space,))
                ((place, seq),) = connection.execute(SAME_CONVERSATION, (own, conversation, at, at))
                ((key,),) = connection.execute(SAME_MESSAGE, (own, place, seq, str(uuid.uuid4()), text, at))
                connection.execute(SAME_CHUNK, (own, key, key, len(text)))
                connection.execute(SAME_TERMS, (own, key, text))
                connection.execute(SAME_JOBS, (own, key, at, at, own, place, at, at))
                connection.execute(SAME_CHANGE, (own, key, place, key, seq, at))

        return add

    def bare(self, conversation: str) -> Callable[[str], object]:
        """One row, one statement."""
        import psycopg

        connection = self._open.enter_context(psycopg.connect(self._store, autocommit=True))
        return lambda text: connection.execute(BARE, (uuid.uuid4(), conversation, text))

    def close(self) -> None:
        self._open.close()
