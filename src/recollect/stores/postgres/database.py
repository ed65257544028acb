"""A PostgreSQL database: connections, and how writes take turns.

Whoever writes to a space holds it until the end of the transaction, so that in a space all is as if there were one
writer: keys rise in the order in which they are committed, and what was decided is decided about the newest state.
Spaces do not wait for each other. Every transaction says what it is about, and the database shows it nothing else.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from typing import Any, TypeVar

import psycopg
from psycopg import Connection, Pipeline, errors
from psycopg_pool import PoolTimeout

from recollect.errors import ClosedError, InvalidInput, StoreError
from recollect.models import Verification
from recollect.ports import Outdated
from recollect.records import Stamp
from recollect.stores.database import Brief, FateUnknown, Row, Scrub, Values
from recollect.stores.postgres import migrate
from recollect.stores.postgres.address import addressed, shown
from recollect.stores.postgres.bell import Bell
from recollect.stores.postgres.failures import lost, translated
from recollect.stores.postgres.near_index import NearIndex
from recollect.stores.postgres.pool import pool
from recollect.stores.postgres.session import PostgresSession, texts
from recollect.stores.postgres.trace import Trace
from recollect.stores.postgres.turns import Task, Turns
from recollect.stores.queries import Query

T = TypeVar("T")

PAUSE_SECONDS = 0.1  # between two attempts to reach it
ASK_SECONDS = 1.0  # how often a server that is away is asked whether it is back
COLLISIONS = 8  # times that a transaction is begun anew where others are in its way
AFTER_COLLISION = (errors.DeadlockDetected, errors.SerializationFailure)
NOT_BRIEFLY = (psycopg.IntegrityError, psycopg.DataError, errors.ProgramLimitExceeded)  # too much for one JSON value
CLOSED = "this Memory is closed"
MAKE = "make another one: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0"
UNKNOWN = "the connection broke while this was being committed: it may be stored or not; ask before you try again"
ABOUT = "SELECT set_config('recollect.space', %s, true), set_config('recollect.whole', %s, true)"
BEGIN = "SELECT begin_write(%s::text[], %s, %s)"
APPEND = "SELECT append_all(%s, %s, %s)"
TOGETHER = "SELECT pg_advisory_xact_lock_shared(hashtextextended(current_schema() || ' store', 0))"
HOLD = (
    "SELECT pg_advisory_xact_lock(k) FROM (SELECT DISTINCT hashtextextended(current_schema() || ' space ' || s, 0) AS k"
    " FROM unnest(%s::text[]) s ORDER BY k) t"
)
TABLES = (
    "SELECT format('%I', relname), pg_has_role(relowner, 'MEMBER') FROM pg_class"
    " WHERE relnamespace = quote_ident(current_schema())::regnamespace AND relkind = 'r' ORDER BY relname"
)
OF_ONE_MOMENT = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
PERSONAL = ("profiles", "receipts")  # where a profile may have been
PLAIN = frozenset({Query("preferences", "all")})  # functions that say themselves what they are about
STAMP = "SELECT space_key, version FROM spaces WHERE id = %s"


class Database:
    """A database, or a schema in one, that any number of threads may use."""

    far = True
    rings = True
    cleans = False

    def __init__(self, address: str, *, synchronous: str) -> None:
        if synchronous not in ("full", "normal"):
            raise InvalidInput(f"synchronous must be 'full' or 'normal', not {synchronous!r}")
        self._durable = synchronous == "full"
        self._conninfo, self._limits = addressed(address)
        self.path = shown(self._conninfo)
        self._process = os.getpid()
        self._closed = False
        self._kept = threading.local()
        self._moved = threading.Event()
        self._commits = 0
        self._bell = Bell(self._connect, self._moved.set)
        self._turns = Turns(self._share)
        self.near = NearIndex(self._connect, self.path, self._limits.near_from)
        self._pool = pool(self._conninfo, self._limits)
        with translated(self.path), self._connect() as connection:  # says at once why it cannot be reached
            _refuse_encoding(connection, self.path)
            self._pool.open()

    def write(
        self,
        work: Callable[[PostgresSession], T],
        *spaces: str | None,
        alone: bool = False,
        durable: bool = True,
        brief: Brief[T] | None = None,
    ) -> T:
        names = sorted({space for space in spaces if space is not None})
        if len(names) == 1 and not alone:
            self._usable()
            return self._turns.take(names[0], Task(work, durable, brief))
        return self._write(work, names, alone, durable)

    def jot(self, work: Callable[[PostgresSession], None], *spaces: str) -> None:
        names = sorted(set(spaces))
        self._anew(lambda connection: self._jot(connection, work, names))

    def _write(self, work: Callable[[PostgresSession], T], names: Sequence[str], alone: bool, durable: bool) -> T:
        return self._anew(lambda connection: self._transact(connection, work, names, alone, durable))

    def _anew(self, run: Callable[[Connection[Row]], T]) -> T:
        """Runs something on a connection; anew where other transactions are in its way."""
        for _ in range(COLLISIONS):
            try:
                with translated(self.path):
                    return self._reached(run)
            except StoreError as exc:
                if not isinstance(exc.__cause__, AFTER_COLLISION):
                    raise
        raise StoreError(f"{self.path}: transactions kept waiting for each other; try again")

    @contextmanager
    def read(self, space: str | None = None) -> Iterator[PostgresSession]:
        self._usable()
        still: PostgresSession | None = getattr(self._kept, "session", None)
        with translated(self.path):
            if still is not None:
                if still.failed:
                    self._begin_anew(still)
                if still.failed or still.space != space:
                    self._kept.session = still = self._look_at(still.connection, still.pipeline, space)
                try:
                    yield still
                except psycopg.Error:
                    still.failed = True
                    raise
                return
            session = self._reached(lambda connection: self._begin_reading(connection, space), keep=True)
            try:
                yield session
            finally:
                _leave(session.connection, session.entered)
                self._pool.putconn(session.connection)

    @contextmanager
    def still(self, space: str | None = None) -> Iterator[None]:
        if getattr(self._kept, "session", None) is not None:
            yield
            return
        with self.read(space) as session:
            self._kept.session = session
            try:
                yield
            finally:
                self._kept.session = None

    def query(self, query: Query, values: Values | None = None, space: str | None = None) -> list[Row]:
        if query in PLAIN and getattr(self._kept, "session", None) is None:
            with translated(self.path):
                return self._reached(lambda connection: connection.execute(texts()[query][-1], values).fetchall())
        return self._asked(space, lambda session: session.send(query, values))

    def stamp(self, space: str) -> Stamp:
        still: PostgresSession | None = getattr(self._kept, "session", None)
        if still is not None and still.space == space:
            return still.stamp
        found = self._asked(space, lambda session: session.connection.execute(STAMP, (space,)))
        return (int(found[0][0]), int(found[0][1])) if found else (0, 0)

    def wait(self, seen: Stamp | None, seconds: float) -> Stamp:
        self._usable()
        self._bell.listen()
        deadline = time.monotonic() + seconds
        while True:
            self._moved.clear()
            stamp, rest = (self._commits, self._bell.heard), deadline - time.monotonic()
            self._usable()
            if stamp != seen or rest <= 0:
                return stamp
            self._moved.wait(rest)

    def empty_log(self) -> bool:
        """The server's log is the server's (see docs/caveats.md); what a profile leaves in its tables is cleaned."""
        try:
            self._vacuum(PERSONAL)
        except StoreError:
            return False
        return True

    @property
    def scrubs(self) -> Sequence[Scrub]:
        """What PostgreSQL deletes it leaves in the pages until they are cleaned."""
        return (("tables", self._vacuum),)

    def verify(self, text: str, space: str | None) -> Verification:
        with self.read() as session:
            return Trace(session, text, space).look()

    def damages(self) -> list[str]:
        with self.read() as session:
            session.raw(
                "SELECT sum(octet_length(text) + octet_length(coalesce(parts, ''))) FROM messages"
            )  # every page
        return []

    def behind(self) -> int:
        with translated(self.path):
            return migrate.known()[-1].version - self._reached(migrate.version)

    def migrate(self, at: int) -> None:
        """Makes or migrates the schema where needed; processes that come at once wait for the first."""

        def run(connection: Connection[Row]) -> None:
            if migrate.needed(connection, migrate.known()):
                migrate.apply(connection, migrate.known(), at)
            self.cleans = all(own for _, own in connection.execute(TABLES).fetchall())
            self.near.prepare(connection)

        with translated(self.path):
            self._reached(run)

    def missing_tables(self, names: Sequence[str]) -> list[str]:
        with self.read() as session:
            return [name for name in names if session.raw("SELECT to_regclass(:name)", {"name": name}) == [(None,)]]

    def close(self) -> None:
        """Lets what is under way end. Does nothing in a child of the process that opened it."""
        if os.getpid() != self._process or self._closed:
            return
        self._closed = True
        self._moved.set()
        self._bell.stop()
        self._pool.close()

    def _transact(
        self,
        connection: Connection[Row],
        work: Callable[[PostgresSession], T],
        names: Sequence[str],
        alone: bool,
        durable: bool,
    ) -> T:
        with self._transaction(connection, names) as session:
            key = connection.execute(BEGIN, (names, alone, durable and self._durable))
            if names:
                session.pipeline.sync()
                session.space_key = key.fetchall()[0][0]
            result = work(session)
        self._committed()
        return result

    def _jot(self, connection: Connection[Row], work: Callable[[PostgresSession], None], names: Sequence[str]) -> None:
        """A transaction that holds its spaces, and leaves their numbers as they are."""
        with self._transaction(connection, names) as session:
            connection.execute("SET LOCAL synchronous_commit = off")
            self._say(connection, session.space)
            connection.execute(TOGETHER)
            connection.execute(HOLD, (names,))
            work(session)

    @contextmanager
    def _transaction(self, connection: Connection[Row], names: Sequence[str]) -> Iterator[PostgresSession]:
        """Committed at its end, or gone. A connection that breaks while it is being committed is FateUnknown."""
        committing = False
        try:
            with connection.pipeline() as pipeline:
                connection.execute("BEGIN")
                yield PostgresSession(connection, pipeline, names[0] if len(names) == 1 else None)
                committing = True
                connection.execute("COMMIT")
        except BaseException as exc:
            _roll_back(connection)
            if committing and lost(exc):
                raise FateUnknown(f"{self.path}: {UNKNOWN}") from exc
            raise

    def _committed(self) -> None:
        self._commits += 1
        self._moved.set()
        self._bell.ring()

    def _share(self, space: str, tasks: Sequence[Task[Any]]) -> None:
        """Does the work of several threads in one transaction. One that fails takes nobody along."""
        durable = any(task.durable for task in tasks)
        left = self._briefly(space, tasks, durable)
        if len(left) == 1:
            left[0].result = self._write(left[0].work, [space], False, durable)
        elif left:
            self._write(partial(self._attempt_each, tasks=left), [space], False, durable)

    def _briefly(self, space: str, tasks: Sequence[Task[Any]], durable: bool) -> Sequence[Task[Any]]:
        """Does all of them in one statement, a transaction of its own; gives those that need more than that."""
        briefs = [task.brief for task in tasks if task.brief is not None]
        if len(briefs) < len(tasks):
            return tasks
        values = (space, f"[{','.join(brief.given() for brief in briefs)}]", durable and self._durable)

        def append(connection: Connection[Row]) -> list[Row]:
            try:
                return connection.execute(APPEND, values).fetchall()
            except psycopg.Error as exc:
                if lost(exc):
                    raise FateUnknown(f"{self.path}: {UNKNOWN}") from exc
                raise

        try:
            firsts = self._anew(append)
        except StoreError as exc:
            if isinstance(exc.__cause__, NOT_BRIEFLY):
                return tasks  # so that it is told to the one whose it is
            raise
        self._committed()
        for task, brief, (first,) in zip(tasks, briefs, firsts, strict=True):
            if first is not None:
                try:
                    task.result = brief.made(first)
                except Outdated as exc:
                    task.error = exc
                task.done = True
        return [task for task in tasks if not task.done]

    def _attempt_each(self, session: PostgresSession, tasks: Sequence[Task[Any]]) -> None:
        for task in tasks:
            self._attempt(session, task)

    def _attempt(self, session: PostgresSession, task: Task[Any]) -> None:
        task.error = None
        session.space_key = None  # the one before may have made the space, or taken it away
        session.connection.execute("SAVEPOINT task")
        try:
            with translated(self.path):
                task.result = task.work(session)
                session.pipeline.sync()
        except Exception as exc:  # noqa: BLE001 (raised again by the thread that asked for the work)
            cause = exc.__cause__ or exc
            if session.connection.closed or lost(cause) or isinstance(cause, AFTER_COLLISION):
                raise cause from None
            task.error = exc
            session.connection.execute("ROLLBACK TO task")
        session.connection.execute("RELEASE task")

    def _asked(self, space: str | None, send: Callable[[PostgresSession], psycopg.Cursor[Row]]) -> list[Row]:
        """The rows of one statement, in one journey. What is sent before the server is asked for an answer is one
        transaction."""
        if getattr(self._kept, "session", None) is not None:
            with self.read(space) as session:
                return session.answer(send(session))

        def ask(connection: Connection[Row]) -> list[Row]:
            with connection.pipeline() as pipeline:  # whose end is waited for
                self._say(connection, space)
                sent = send(PostgresSession(connection, pipeline, space))
            return sent.fetchall()

        with translated(self.path):
            return self._reached(ask)

    def _begin_reading(self, connection: Connection[Row], space: str | None) -> PostgresSession:
        entered = ExitStack()
        pipeline = entered.enter_context(connection.pipeline())
        try:
            connection.execute(OF_ONE_MOMENT)
            session = self._look_at(connection, pipeline, space)
            session.entered = entered
            return session
        except BaseException:
            _leave(connection, entered)
            raise

    def _begin_anew(self, failed: PostgresSession) -> None:
        """A statement that fails ends its transaction: whoever goes on without its answer reads of a later moment."""
        with suppress(psycopg.Error):
            failed.pipeline.sync()
        failed.connection.execute("ROLLBACK")
        failed.connection.execute(OF_ONE_MOMENT)

    def _look_at(self, connection: Connection[Row], pipeline: Pipeline, space: str | None) -> PostgresSession:
        """Turns a transaction to one space or to all."""
        self._say(connection, space)
        session = PostgresSession(connection, pipeline, space)
        if space is not None:
            for key, version in session.answer(connection.execute(STAMP, (space,))):
                session.space_key, session.stamp = int(key), (int(key), int(version))
        else:
            pipeline.sync()
        return session

    def _say(self, connection: Connection[Row], space: str | None) -> None:
        connection.execute(ABOUT, (space or "", "on" if space is None else ""))

    def _reached(self, run: Callable[[Connection[Row]], T], *, keep: bool = False) -> T:
        """Runs something on a connection; anew, for a while, where the server was away. What may have been committed is
        not run twice."""
        deadline = time.monotonic() + self._limits.seconds
        while True:
            self._usable()
            connection = self._free(deadline)
            done = False
            try:
                result = run(connection)
                done = keep
                return result
            except psycopg.Error as exc:
                if not lost(exc) or time.monotonic() >= deadline:
                    raise
                connection.close()
                time.sleep(PAUSE_SECONDS)
            finally:
                if not done:
                    self._pool.putconn(connection)

    def _free(self, deadline: float) -> Connection[Row]:
        """The next connection that is free. A server that is away is asked every second: the pool by itself would wait
        twice as long each time."""
        while True:
            rest = deadline - time.monotonic()
            try:
                return self._pool.getconn(timeout=max(0.0, min(ASK_SECONDS, rest)))
            except PoolTimeout as exc:
                if rest <= ASK_SECONDS:
                    raise PoolTimeout(f"waited for {self._limits.seconds:g} s") from exc

    def _vacuum(self, names: Collection[str] = ()) -> None:
        """Cleans these tables, or all, and their indexes: the server itself spares those where little was deleted."""
        with translated(self.path), self._connect() as connection:
            every = connection.execute(TABLES).fetchall()
            found = [row for row in every if not names or row[0] in names]
            if not all(own for _, own in found):  # the server would pass over them with no more than a warning
                raise StoreError(f"{self.path}: only the owner of the tables can clean them; run a worker as that role")
            for name, _ in found:
                connection.execute(f"VACUUM (FREEZE, INDEX_CLEANUP ON) {name}")

    def _connect(self) -> Connection[Row]:
        return psycopg.connect(self._conninfo, autocommit=True)

    def _usable(self) -> None:
        if os.getpid() != self._process:
            raise ClosedError("this Memory was opened before a fork; open it anew in the child with Memory(address)")
        if self._closed:
            raise ClosedError(CLOSED)


def _refuse_encoding(connection: Connection[Row], path: str) -> None:
    """What people write is in every script there is."""
    found = connection.info.parameter_status("server_encoding")
    if found != "UTF8":
        raise StoreError(f"{path}: the database is in {found}, and must be UTF8; {MAKE}")


def _roll_back(connection: Connection[Row]) -> None:
    if not connection.closed:
        try:
            connection.execute("ROLLBACK")
        except psycopg.Error:
            connection.close()


def _leave(connection: Connection[Row], entered: ExitStack) -> None:
    """Ends a transaction that only read."""
    try:
        connection.execute("ROLLBACK")
        entered.close()
    except psycopg.Error:  # told already by the statement that failed
        with suppress(psycopg.Error):
            entered.close()
        _roll_back(connection)
