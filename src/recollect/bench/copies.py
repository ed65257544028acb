"""A space again and again inside its own tables, by the server itself: a large table in minutes, with the rows, the
indexes and the spread of a filled one."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from psycopg import Connection

Progress = Callable[[int, int], None]  # done, total

STEP = 10**9  # between the keys of one copy and of the next
OWN = ("model_key", "chunk_key")  # of all spaces, and of each: these do not move
AT_ONCE = 10  # copies
TABLES = """
SELECT c.relname, array_agg(a.attname ORDER BY a.attnum), array_agg(format_type(a.atttypid, NULL) ORDER BY a.attnum)
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
WHERE c.relnamespace = quote_ident(current_schema())::regnamespace AND c.relkind = 'r' AND c.relname <> 'spaces'
GROUP BY c.oid, c.relname HAVING bool_or(a.attname = 'space_key')
ORDER BY c.relname <> 'conversations', c.relname <> 'messages', c.relname
"""  # what others refer to comes first
SLOW_TO_GROW = """
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
TERMS = """(SELECT array_to_tsvector(array_agg(CASE
  WHEN word LIKE 'c%%' THEN 'c' || substr(word, 2)::bigint + (k - %(original)s) * {step}
  ELSE k || substr(word, length(%(original)s::text) + 1) END))
  FROM unnest(tsvector_to_array(o.{name})) word)"""  # a term carries its space, or is a conversation's


def copy(store: str, space: str, copies: int, progress: Progress) -> None:
    """Fills `copies` other spaces with what this one has, under the same ids and other keys. The owner of the tables is
    needed, and nobody else may use them meanwhile."""
    import psycopg

    with psycopg.connect(store, autocommit=True) as connection:
        connection.execute("SET recollect.whole = 'on'")
        tables = connection.execute(TABLES).fetchall()
        names = ["spaces", *(name for name, _, _ in tables)]
        with _bare(connection, names):
            original = connection.execute(ORIGINAL, (space,)).fetchall()[0][0]
            made = [key for (key,) in connection.execute(COPIES, (copies, space)).fetchall()]
            for start in range(0, copies, AT_ONCE):
                for name, columns, types in tables:
                    values = {"original": original, "keys": made[start : start + AT_ONCE]}
                    connection.execute(_filling(name, columns, types).encode(), values)
                progress(min(start + AT_ONCE, copies), copies)
        settle(store)


def settle(store: str) -> None:
    """Lets the server count what its tables hold, as it does by itself in time."""
    import psycopg

    with psycopg.connect(store, autocommit=True) as connection:
        for name, _, _ in connection.execute(TABLES).fetchall():
            connection.execute(f"VACUUM (ANALYZE) {name}".encode())
        connection.execute("VACUUM (ANALYZE) spaces")


@contextmanager
def _bare(connection: Connection[Any], names: list[str]) -> Iterator[None]:
    """Tables without triggers, and without the indexes that are made many times faster than they grow."""
    indexes = connection.execute(SLOW_TO_GROW).fetchall()
    for name in names:
        connection.execute(f"ALTER TABLE {name} DISABLE TRIGGER USER".encode())
    for index, _ in indexes:
        connection.execute(f"DROP INDEX {index}".encode())
    yield
    for _, definition in indexes:
        connection.execute(definition.encode())
    for name in names:
        connection.execute(f"ALTER TABLE {name} ENABLE TRIGGER USER".encode())


def _filling(table: str, columns: list[str], types: list[str]) -> str:
    taken = ", ".join(_moved(name, kind) for name, kind in zip(columns, types, strict=True))
    into = ", ".join(f'"{name}"' for name in columns)
    return (
        f"INSERT INTO {table} ({into}) SELECT {taken} FROM unnest(%(keys)s::bigint[]) k, {table} o "
        "WHERE o.space_key = %(original)s"
    )


def _moved(name: str, kind: str) -> str:
    if name == "space_key":
        return "k"
    if kind == "tsvector":
        return TERMS.format(name=name, step=STEP)
    moves = (name.endswith("_key") and name not in OWN) or name == "target"  # of a job
    return f'o."{name}" + (k - %(original)s) * {STEP}' if moves and kind == "bigint" else f'o."{name}"'
