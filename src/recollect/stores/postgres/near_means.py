"""Whether pgvector can be used: makes its extension and its column where they are missing and this role may."""

from __future__ import annotations

from dataclasses import dataclass

from psycopg import Connection, errors

from recollect.stores.database import Row

THEN = "then open the store anew"
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
    found = connection.execute(COLUMN).fetchall()
    if not found:
        return Means("the table `near` is missing: run `recollect doctor --repair`", False)
    ((there, owner),) = found
    try:
        return Means(_prepared(connection, there, owner), owner)
    except errors.ReadOnlySqlTransaction:
        return Means("this server only reads: open the store once on the one that writes", owner)
    except (errors.InsufficientPrivilege, errors.InvalidSchemaName):
        return Means(f"this role cannot install pgvector: let a superuser run CREATE EXTENSION vector, {THEN}", owner)
    except (errors.FeatureNotSupported, errors.UndefinedFile):
        return Means(f"pgvector is not on the server: install it there, {THEN}", owner)


def _prepared(connection: Connection[Row], there: bool, owner: bool) -> str | None:
    """Makes the extension and the column; says why not."""
    version = _installed(connection)
    if _number(version) < LEAST_VERSION:
        return f"pgvector {version} is too old: let a superuser run ALTER EXTENSION vector UPDATE, to 0.8 or later"
    if there:
        return None
    if not owner:
        return "pgvector is there, but not prepared: open the store once as the owner of its tables"
    _add_column(connection)
    return None


def _installed(connection: Connection[Row]) -> str:
    """The extension's version. Not made in a schema that somebody may drop with one store of many."""
    found = connection.execute(INSTALLED).fetchall()
    if not found:
        with connection.transaction():
            connection.execute(ONE_AT_A_TIME)
            connection.execute("CREATE EXTENSION IF NOT EXISTS vector SCHEMA public")
            found = connection.execute(INSTALLED).fetchall()
    return str(found[0][0])


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
