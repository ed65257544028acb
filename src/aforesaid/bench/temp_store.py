"""Temporary stores to measure in: in memory, or in a PostgreSQL schema that is dropped afterwards.

`replicate_space` copies a space inside its tables, which makes a large table in minutes."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from aforesaid.bench import Progress
from aforesaid.errors import InvalidInput

if TYPE_CHECKING:
    from psycopg import Connection

IN_MEMORY = ":memory:"


@contextmanager
def temp_store(store: str = IN_MEMORY) -> Iterator[str]:
    """The address of an empty store of its own."""
    if store == IN_MEMORY:
        yield store
        return
    name = f"aforesaid_bench_{secrets.token_hex(6)}"
    execute_statements(store, f"CREATE SCHEMA {name}")
    try:
        yield f"{store}{'&' if '?' in store else '?'}options={quote(f'-csearch_path={name}')}"
    finally:
        execute_statements(store, f"DROP SCHEMA {name} CASCADE")


def execute_statements(store: str, *statements: str) -> None:
    if not store.startswith(("postgresql://", "postgres://")):
        raise InvalidInput("--store takes postgresql://… here, nothing else")
    try:
        import psycopg
    except ImportError as exc:
        raise InvalidInput("a postgresql:// address needs the extra: pip install 'aforesaid[postgres]'") from exc
    try:
        with psycopg.connect(store, autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement.encode())
    except psycopg.Error as exc:
        raise InvalidInput(f"the server does not allow this measurement: {str(exc).splitlines()[0]}") from exc


KEY_STEP = 10**9  # between the keys of one copy and of the next
FIXED_KEYS = ("model_key", "chunk_key")  # the same in every copy
COPIES_PER_STATEMENT = 10
TABLES = """
SELECT c.relname, array_agg(a.attname ORDER BY a.attnum), array_agg(format_type(a.atttypid, NULL) ORDER BY a.attnum)
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
WHERE c.relnamespace = quote_ident(current_schema())::regnamespace AND c.relkind = 'r' AND c.relname <> 'spaces'
GROUP BY c.oid, c.relname HAVING bool_or(a.attname = 'space_key')
ORDER BY c.relname <> 'conversations', c.relname <> 'messages', c.relname
"""  # referenced tables come first
NON_BTREE_INDEXES = """
SELECT i.relname, pg_get_indexdef(i.oid) FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
JOIN pg_class t ON t.oid = x.indrelid JOIN pg_am a ON a.oid = i.relam
WHERE t.relnamespace = quote_ident(current_schema())::regnamespace AND a.amname <> 'btree'
"""
ORIGINAL = "SELECT space_key FROM spaces WHERE id = %s"
COPIES = """
INSERT INTO spaces (id, created_at, revision, version)
SELECT s.id || ' ' || n, s.created_at, s.revision, s.version FROM spaces s, generate_series(1, %s) n WHERE s.id = %s
RETURNING space_key
"""
SHIFTED_TERMS = """(SELECT array_to_tsvector(array_agg(CASE
  WHEN word LIKE 'c%%' THEN 'c' || substr(word, 2)::bigint + (k - %(original)s) * {step}
  ELSE k || substr(word, length(%(original)s::text) + 1) END))
  FROM unnest(tsvector_to_array(o.{name})) word)"""  # a term begins with the key of its space or conversation
MOVED_CHECKSUM = """o.checksum # (o.conversation_key * 16777216 + o.seq)
  # ((o.conversation_key + (k - %(original)s) * {step}) * 16777216 + o.seq)"""  # see storage/checksums.py


def replicate_space(store: str, space: str, copies: int, progress: Progress) -> None:
    """Copies the records of a space into `copies` new spaces, with the same ids and other keys. Needs the owner of the
    tables. Nobody else may use them meanwhile."""
    import psycopg

    with psycopg.connect(store, autocommit=True) as connection:
        connection.execute("SET aforesaid.whole = 'on'")
        tables = connection.execute(TABLES).fetchall()
        names = ["spaces", *(name for name, _, _ in tables)]
        with _without_triggers(connection, names):
            original = connection.execute(ORIGINAL, (space,)).fetchall()[0][0]
            keys = [key for (key,) in connection.execute(COPIES, (copies, space)).fetchall()]
            for start in range(0, copies, COPIES_PER_STATEMENT):
                for name, columns, types in tables:
                    values = {"original": original, "keys": keys[start : start + COPIES_PER_STATEMENT]}
                    connection.execute(_insert_statement(name, columns, types).encode(), values)
                progress(min(start + COPIES_PER_STATEMENT, copies), copies)
        vacuum_analyze(store)


def vacuum_analyze(store: str) -> None:
    """Updates the statistics of the tables, as the server does by itself in time."""
    import psycopg

    with psycopg.connect(store, autocommit=True) as connection:
        for name, _, _ in connection.execute(TABLES).fetchall():
            connection.execute(f"VACUUM (ANALYZE) {name}".encode())
        connection.execute("VACUUM (ANALYZE) spaces")


@contextmanager
def _without_triggers(connection: Connection[Any], names: list[str]) -> Iterator[None]:
    """Drops triggers, and indexes that are built much faster than updated, for the time of the context."""
    indexes = connection.execute(NON_BTREE_INDEXES).fetchall()
    for name in names:
        connection.execute(f"ALTER TABLE {name} DISABLE TRIGGER USER".encode())
    for index, _ in indexes:
        connection.execute(f"DROP INDEX {index}".encode())
    yield
    for _, definition in indexes:
        connection.execute(definition.encode())
    for name in names:
        connection.execute(f"ALTER TABLE {name} ENABLE TRIGGER USER".encode())


def _insert_statement(table: str, columns: list[str], types: list[str]) -> str:
    shifted = ", ".join(_shifted_column(name, kind) for name, kind in zip(columns, types, strict=True))
    names = ", ".join(f'"{name}"' for name in columns)
    return (
        f"INSERT INTO {table} ({names}) SELECT {shifted} FROM unnest(%(keys)s::bigint[]) k, {table} o "
        "WHERE o.space_key = %(original)s"
    )


def _shifted_column(name: str, kind: str) -> str:
    if name == "space_key":
        return "k"
    if name == "checksum":
        return MOVED_CHECKSUM.format(step=KEY_STEP)
    if kind == "tsvector":
        return SHIFTED_TERMS.format(name=name, step=KEY_STEP)
    moves = (name.endswith("_key") and name not in FIXED_KEYS) or name == "target"  # the key that a job is about
    return f'o."{name}" + (k - %(original)s) * {KEY_STEP}' if moves and kind == "bigint" else f'o."{name}"'
