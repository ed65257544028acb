"""Messages in PostgreSQL by hand: the rows that one would write in an afternoon without a library."""

from __future__ import annotations

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
BARE = "INSERT INTO hand_messages VALUES (%s, %s, nextval('hand_seq'), 'user', %s, now())"


class ServerByHand:
    """A connection a client."""

    def __init__(self, store: str) -> None:
        execute(store, *TABLES, "CREATE SEQUENCE hand_seq START 1000000000")
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

    def bare(self, conversation: str) -> Callable[[str], object]:
        """One row, one statement."""
        import psycopg

        connection = self._open.enter_context(psycopg.connect(self._store, autocommit=True))
        return lambda text: connection.execute(BARE, (uuid.uuid4(), conversation, text))

    def close(self) -> None:
        self._open.close()
