"""Makes an index for each large space.

One of a space's own, since one of many spaces, filtered, loses hits or time. Only the owner of the tables can make one,
and only outside a transaction; what is written meanwhile is not held up.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from psycopg import Connection

from recollect.errors import StoreBusy, StoreError
from recollect.stores.database import Place, Row
from recollect.stores.postgres.failures import translated
from recollect.stores.postgres.near_means import INSTALLED, Means, means

MOST_DIMENSIONS = 4_000  # that pgvector indexes
MOST_MEMORY = 1 << 20  # kB; a graph that does not fit takes several times as long
PATIENCE = 1.0  # seconds that a worker waits for an index before it looks for other work
EXACTLY = "vectors are searched exactly, without an index of the database's"

TAKE = "SELECT pg_try_advisory_lock(hashtextextended(current_schema() || ' near', 0))"
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


class NearIndex:
    """`least` is from how many vectors on a space gets an index."""

    def __init__(self, connect: Callable[[], Connection[Row]], path: str, least: int) -> None:
        self._connect = connect
        self._path = path
        self._means = Means("the store is not open yet", False)
        self._lock = threading.Lock()
        self._making: Making | None = None
        self.least = least

    @property
    def reason(self) -> str | None:
        return self._means.reason

    @property
    def builds(self) -> bool:
        return self._means.reason is None and self._means.owner

    def prepare(self, connection: Connection[Row]) -> None:
        """Makes what is missing, where that may be. Says once what cannot be had."""
        self._means = means(connection)
        if self._means.reason is not None:
            log.warning(
                "%s: %s", EXACTLY, self._means.reason, extra={"action": "near_missing", "error": self._means.reason}
            )

    def fits(self, dimension: int) -> bool:
        return dimension <= MOST_DIMENSIONS

    def build(self, place: Place) -> bool:
        """Has a place's index made, and waits for a moment; says whether it is there. Raises StoreBusy while another
        process is making one."""
        with self._lock:
            if self._making is None:
                self._making = Making(place, self._connect, self._path)
            making = self._making
        if not making.ended(PATIENCE):
            return False
        with self._lock:
            self._making = None
        if making.error is not None:
            raise making.error
        return making.place == place

    def tidy(self) -> int:
        """Drops the indexes of spaces and models that are gone; says how many."""
        with translated(self._path), self._connect() as connection:
            connection.execute("SET recollect.whole = 'on'")
            found = connection.execute(LEFT_OVER, ()).fetchall()
            for (name,) in found:
                connection.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
        return len(found)


class Making:
    """One index on its way, in a thread and on a connection of its own: nobody has to wait for it. If the process ends
    first, the server goes on; what it has not finished is made anew."""

    def __init__(self, place: Place, connect: Callable[[], Connection[Row]], path: str) -> None:
        self.place = place
        self.error: StoreError | None = None
        self._connect = connect
        self._path = path
        self._thread = threading.Thread(target=self._run, name="recollect-near", daemon=True)
        self._thread.start()

    def ended(self, seconds: float) -> bool:
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _run(self) -> None:
        try:
            with translated(self._path), self._connect() as connection:
                self._build(connection, f"near_{self.place.space}_{self.place.model}")
        except StoreError as exc:
            self.error = exc

    def _build(self, connection: Connection[Row], name: str) -> None:
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
        ((count,),) = connection.execute(SIZE, (self.place.space, self.place.model)).fetchall()
        needed = count * (4 * self.place.dimension + 800) // 1024
        connection.execute("SET max_parallel_maintenance_workers = 0")  # others are to be answered meanwhile
        connection.execute(f"SET maintenance_work_mem = {max(65_536, min(needed, MOST_MEMORY))}")
        ((_, schema),) = connection.execute(INSTALLED).fetchall()
        values = {"name": name, "schema": schema, "space": self.place.space, "model": self.place.model}
        connection.execute(INDEX.format(dimension=self.place.dimension, **values).encode())
