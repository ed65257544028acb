"""Sets up pgvector, and builds one index for each large space.

The extension and its column are created if they are missing and the role may create them. An index covers one
space, because a filtered index over many spaces loses hits or time. Only the owner of the tables can build one,
outside a transaction; writers are not blocked.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass

from psycopg import Connection, errors

from aforesaid.errors import StoreBusy, StoreError
from aforesaid.storage.database import AnnIndexBuilder, Row, VectorPartition, first, scalar
from aforesaid.storage.postgres.errors import translate_errors

REOPEN_HINT = "then open the store again"
LEAST_VERSION = (0, 8)  # the first that continues the search if a filter drops its results

# Until the transaction ends: behind a connection pooler, others use this session next, and must not see all spaces.
WHOLE = "SET LOCAL aforesaid.whole = 'on'"
ALONE = "SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || ' migrations', 0))"
ONE_AT_A_TIME = "SELECT pg_advisory_xact_lock(hashtextextended('aforesaid extension', 0))"
COLUMN = (
    "SELECT EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = c.oid AND attname = 'vector' AND NOT attisdropped)"
    ", pg_has_role(c.relowner, 'MEMBER') FROM pg_class c WHERE c.oid = to_regclass('near')"
)
INSTALLED = (
    "SELECT e.extversion, quote_ident(n.nspname) FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace"
    " WHERE e.extname = 'vector'"
)


@dataclass(frozen=True, slots=True)
class PgvectorSupport:
    """`reason` says why pgvector cannot be used; None if it can. `owner` is True if this role may build indexes."""

    reason: str | None
    owner: bool


def pgvector_support(connection: Connection[Row]) -> PgvectorSupport:
    rows = connection.execute(COLUMN).fetchall()
    if not rows:
        return PgvectorSupport("the table `near` is missing: run `aforesaid doctor --repair`", False)
    ((there, owner),) = rows
    try:
        return PgvectorSupport(_prepared(connection, there, owner), owner)
    except errors.ReadOnlySqlTransaction:
        return PgvectorSupport("this server only reads: open the store once on the one that writes", owner)
    except (errors.InsufficientPrivilege, errors.InvalidSchemaName):
        return PgvectorSupport(
            f"this role cannot install pgvector: let a superuser run CREATE EXTENSION vector, {REOPEN_HINT}", owner
        )
    except (errors.FeatureNotSupported, errors.UndefinedFile):
        return PgvectorSupport(f"pgvector is not on the server: install it there, {REOPEN_HINT}", owner)


def _prepared(connection: Connection[Row], there: bool, owner: bool) -> str | None:
    """Creates the extension and the column. Returns the reason if it cannot."""
    version = _installed(connection)
    if tuple(int(piece) for piece in version.split(".")[:2] if piece.isdigit()) < LEAST_VERSION:
        return f"pgvector {version} is too old: let a superuser run ALTER EXTENSION vector UPDATE, to 0.8 or later"
    if there:
        return None
    if not owner:
        return "pgvector is there, but not prepared: open the store once as the owner of its tables"
    _add_column(connection)
    return None


def _installed(connection: Connection[Row]) -> str:
    """Returns the version of the extension. Creates it in `public`: another schema may be dropped."""
    rows = connection.execute(INSTALLED).fetchall()
    if not rows:
        with connection.transaction():
            connection.execute(ONE_AT_A_TIME)
            connection.execute("CREATE EXTENSION IF NOT EXISTS vector SCHEMA public")
            rows = connection.execute(INSTALLED).fetchall()
    ((version, _),) = rows
    return str(version)


def _add_column(connection: Connection[Row]) -> None:
    with connection.transaction():
        connection.execute(ALONE)
        ((there, owner),) = connection.execute(COLUMN).fetchall()
        if there and owner:
            return
        ((_, schema),) = connection.execute(INSTALLED).fetchall()
        connection.execute(WHOLE)
        connection.execute("TRUNCATE near, near_spaces")  # left over from a dropped extension
        connection.execute(f"ALTER TABLE near ADD COLUMN vector {schema}.halfvec NOT NULL")


MOST_DIMENSIONS = 4_000  # that pgvector indexes
MOST_MEMORY = 1 << 20  # kB; a graph that does not fit takes several times longer
BUILD_WAIT_SECONDS = 1.0  # before a worker looks for other work
EXACTLY = "vectors are searched exactly, without an index of the database's"

TRY_LOCK = "SELECT pg_try_advisory_lock(hashtextextended(current_schema() || ' near', 0))"
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


class PgvectorIndexBuilder(AnnIndexBuilder):
    available = True

    def __init__(self, connect: Callable[[], Connection[Row]], path: str, least: int) -> None:
        self._connect = connect
        self._path = path
        self._support = PgvectorSupport("the store is not open yet", False)
        self._lock = threading.Lock()
        self._building: IndexBuild | None = None
        self.least = least

    @property
    def reason(self) -> str | None:
        return self._support.reason

    @property
    def builds(self) -> bool:
        return self._support.reason is None and self._support.owner

    def prepare(self, connection: Connection[Row]) -> None:
        """Creates the extension and its column if they are missing and this role may. Logs a warning if it may not."""
        self._support = pgvector_support(connection)
        if self._support.reason is not None:
            log.warning(
                "%s: %s", EXACTLY, self._support.reason, extra={"action": "near_missing", "error": self._support.reason}
            )

    def fits(self, dimension: int) -> bool:
        return dimension <= MOST_DIMENSIONS

    def build(self, place: VectorPartition) -> bool:
        """Starts to build an index and waits for a short time. Returns True if it is ready. Raises StoreBusy while
        another process builds one."""
        with self._lock:
            if self._building is None:
                self._building = IndexBuild(place, self._connect, self._path)
            building = self._building
        if not building.ended(BUILD_WAIT_SECONDS):
            return False
        with self._lock:
            self._building = None
        if building.error is not None:
            raise building.error
        return building.place == place

    def drop_unused(self) -> int:
        with translate_errors(self._path), self._connect() as connection:
            with connection.transaction():
                connection.execute(WHOLE)
                rows = connection.execute(LEFT_OVER, ()).fetchall()
            for (name,) in rows:
                connection.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
        return len(rows)


class IndexBuild:
    """The build of one index, in a thread and on a connection of its own. If the process ends first, the server
    continues; an unfinished index is built again."""

    def __init__(self, place: VectorPartition, connect: Callable[[], Connection[Row]], path: str) -> None:
        self.place = place
        self.error: StoreError | None = None
        self._connect = connect
        self._path = path
        self._thread = threading.Thread(target=self._run, name="aforesaid-near", daemon=True)
        self._thread.start()

    def ended(self, seconds: float) -> bool:
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _run(self) -> None:
        try:
            with translate_errors(self._path), self._connect() as connection:
                self._build(connection, f"near_{self.place.space}_{self.place.model}")
        except StoreError as exc:
            self.error = exc

    def _build(self, connection: Connection[Row], name: str) -> None:
        connection.execute("SET statement_timeout = 0")
        connection.execute("SET lock_timeout = 0")
        if not scalar(connection.execute(TRY_LOCK).fetchall()):
            raise StoreBusy(f"{self._path}: another process builds an index; this one waits for it")
        state = first(connection.execute(VALID, (name,)).fetchall())
        if state and state.indisvalid:
            return
        if state:  # the process that began it was killed
            connection.execute(f"DROP INDEX CONCURRENTLY {name}")
        with connection.transaction():
            connection.execute(WHOLE)
            count = scalar(connection.execute(SIZE, (self.place.space, self.place.model)).fetchall())
        needed = count * (4 * self.place.dimension + 800) // 1024
        connection.execute("SET max_parallel_maintenance_workers = 0")  # leaves the processors to queries
        connection.execute(f"SET maintenance_work_mem = {max(65_536, min(needed, MOST_MEMORY))}")
        ((_, schema),) = connection.execute(INSTALLED).fetchall()
        values = {"name": name, "schema": schema, "space": self.place.space, "model": self.place.model}
        connection.execute(INDEX.format(dimension=self.place.dimension, **values).encode())
