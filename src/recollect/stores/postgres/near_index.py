"""Makes what pgvector needs, where it may: its extension, a column, and an index for each large space.

An index of a space's own, since one of many spaces, filtered, loses hits or time. Only the owner of the tables can make
one, and only outside a transaction; what is written meanwhile is not held up.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass

from psycopg import Connection, errors

from recollect.errors import StoreBusy
from recollect.stores.database import Place, Row
from recollect.stores.postgres.failures import translated

LEAST_VERSION = (0, 8)  # the first that goes on searching where what it found is not let through
MOST_DIMENSIONS = 4_000  # that pgvector indexes
MOST_MEMORY = 1 << 20  # kB; a graph that does not fit takes several times as long
EXACTLY = "vectors are searched exactly, without an index of the database's"

ALONE = "SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || ' migrations', 0))"
ONE_AT_A_TIME = "SELECT pg_advisory_xact_lock(hashtextextended('recollect extension', 0))"
TAKE = "SELECT pg_try_advisory_lock(hashtextextended(current_schema() || ' near', 0))"
COLUMN = (
    "SELECT EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = c.oid AND attname = 'vector' AND NOT attisdropped)"
    ", pg_has_role(c.relowner, 'MEMBER') FROM pg_class c WHERE c.oid = to_regclass('near')"
)
INSTALLED = (
    "SELECT e.extversion, quote_ident(n.nspname) FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace"
    " WHERE e.extname = 'vector'"
)
SIZE = "SELECT count(*) FROM near WHERE space_key = %s AND model_key = %s"
VALID = "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(%s)"
INDEX = (
    "CREATE INDEX CONCURRENTLY {name} ON near USING hnsw ((vector::{schema}.halfvec({dimension}))"
    " {schema}.halfvec_cosine_ops) WHERE space_key = {space} AND model_key = {model}"
)
LEFT_OVER = (
    "SELECT quote_ident(c.relname) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid"
    r" WHERE i.indrelid = to_regclass('near') AND c.relname ~ '^near_\d+_\d+$' AND NOT EXISTS ("
    " SELECT 1 FROM near_spaces n WHERE c.relname = format('near_%%s_%%s', n.space_key, n.model_key))"
)

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Means:
    """Why pgvector cannot be used (None: it can), and whether this role may make indexes."""

    reason: str | None
    owner: bool


class NearIndex:
    """`least` is from how many vectors on a space gets an index."""

    def __init__(self, connect: Callable[[], Connection[Row]], path: str, least: int) -> None:
        self._connect = connect
        self._path = path
        self._means = Means("the store is not open yet", False)
        self.least = least

    @property
    def reason(self) -> str | None:
        return self._means.reason

    @property
    def builds(self) -> bool:
        return self._means.reason is None and self._means.owner

    def prepare(self, connection: Connection[Row]) -> None:
        """Makes what is missing, where that may be. Says once what cannot be had."""
        self._means = _means(connection)
        if self._means.reason is not None:
            log.warning(
                "%s: %s", EXACTLY, self._means.reason, extra={"action": "near_missing", "error": self._means.reason}
            )

    def fits(self, dimension: int) -> bool:
        return dimension <= MOST_DIMENSIONS

    def build(self, place: Place) -> None:
        """Makes a place's index, unless it is there. Raises StoreBusy while another process is making one."""
        name = f"near_{place.space}_{place.model}"
        with translated(self._path), self._connect() as connection:
            connection.execute("SET statement_timeout = 0")
            connection.execute("SET lock_timeout = 0")
            connection.execute("SET recollect.whole = 'on'")
            if connection.execute(TAKE).fetchall() != [(True,)]:
                raise StoreBusy(f"{self._path}: another process is making an index; this one waits for it")
            found = connection.execute(VALID, (name,)).fetchall()
            if found == [(True,)]:
                return
            if found:  # whoever began it was killed
                connection.execute(f"DROP INDEX CONCURRENTLY {name}")
            self._make(connection, place, name)

    def tidy(self) -> int:
        """Drops the indexes of spaces and models that are gone; says how many."""
        with translated(self._path), self._connect() as connection:
            connection.execute("SET recollect.whole = 'on'")
            found = connection.execute(LEFT_OVER, ()).fetchall()
            for (name,) in found:
                connection.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
        return len(found)

    def _make(self, connection: Connection[Row], place: Place, name: str) -> None:
        ((count,),) = connection.execute(SIZE, (place.space, place.model)).fetchall()
        needed = count * (4 * place.dimension + 800) // 1024
        connection.execute("SET max_parallel_maintenance_workers = 0")  # others are to be answered meanwhile
        connection.execute(f"SET maintenance_work_mem = {max(65_536, min(needed, MOST_MEMORY))}")
        ((_, schema),) = connection.execute(INSTALLED).fetchall()
        values = {"name": name, "schema": schema, "space": place.space, "model": place.model}
        connection.execute(INDEX.format(dimension=place.dimension, **values).encode())


def _means(connection: Connection[Row]) -> Means:
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
