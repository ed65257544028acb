"""Whether pgvector can be used: makes its extension and its column where they are missing and this role may."""

from __future__ import annotations

from dataclasses import dataclass

from psycopg import Connection, errors

from recollect.stores.database import Row

LEAST_VERSION = (0, 8)  # the first that goes on searching where what it found is not let through

ALONE = "SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || ' migrations', 0))"
ONE_AT_A_TIME = "SELECT pg_advisory_xact_lock(hashtextextended('recollect extension', 0))"
COLUMN = (
    "SELECT EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = c.oid AND attname = 'vector' AND NOT attisdropped)"
    ", pg_has_role(c.relowner, 'MEMBER') FROM pg_class c WHERE c.oid = to_regclass('near')"
)
INSTALLED = (
    "SELECT e.extversion, quote_ident(n.nspname) FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace"
    " WHERE e.extname = 'vector'"
)


@dataclass(frozen=True, slots=True)
class Means:
    """Why pgvector cannot be used (None: it can), and whether this role may make indexes."""

    reason: str | None
    owner: bool


def means(connection: Connection[Row]) -> Means:
    reason = None
    found = connection.execute(COLUMN).fetchall()
    if not found:
        return Means("the table `near` is missing: run `recollect doctor --repair`", False)
    ((there, owner),) = found
    if not there:
        reason = _unmade(connection, owner)
    ((version, _), *_) = connection.execute(INSTALLED).fetchall() or [("", "")]
    if reason is None and _number(version) < LEAST_VERSION:
        reason = f"pgvector {version} is too old: let a superuser run ALTER EXTENSION vector UPDATE (0.8 or later)"
    return Means(reason, owner)


def _unmade(connection: Connection[Row], owner: bool) -> str | None:
    """Makes the extension and the column; says why not."""
    try:
        with connection.transaction():
            connection.execute(ONE_AT_A_TIME)
            if not connection.execute(INSTALLED).fetchall():
                connection.execute("CREATE EXTENSION IF NOT EXISTS vector SCHEMA public")
    except errors.InsufficientPrivilege:
        return (
            "this role may not install pgvector: let a superuser run CREATE EXTENSION vector, then open the store anew"
        )
    except (errors.FeatureNotSupported, errors.UndefinedFile):
        return "pgvector is not on the server: install it there, then open the store anew"
    if not owner:
        return "pgvector is there, but not prepared: open the store once as the owner of its tables"
    _add_column(connection)
    return None


def _add_column(connection: Connection[Row]) -> None:
    with connection.transaction():
        connection.execute(ALONE)
        if connection.execute(COLUMN).fetchall() == [(True, True)]:
            return
        ((_, schema),) = connection.execute(INSTALLED).fetchall()
        connection.execute("SET LOCAL recollect.whole = 'on'")
        connection.execute("TRUNCATE near, near_spaces")  # what an extension that was dropped has left
        connection.execute(f"ALTER TABLE near ADD COLUMN vector {schema}.halfvec NOT NULL")


def _number(version: str) -> tuple[int, ...]:
    return tuple(int(piece) for piece in version.split(".")[:2] if piece.isdigit())
