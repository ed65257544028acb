"""A PostgreSQL database: connections, transactions and locks per space."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, NoReturn, TypeVar
from weakref import WeakValueDictionary

import psycopg
from psycopg import Connection, Pipeline, errors
from psycopg_pool import PoolTimeout

from aforesaid.errors import ClosedError, InvalidInput, StoreBusy, StoreError, StoreFull
from aforesaid.models.erasure import Verification
from aforesaid.models.store import CommitStamp
from aforesaid.storage import migrate
from aforesaid.storage.database import CommitUnknown, QueryClock, Row, ScrubStep, Values, WrongRow, first, only, scalar
from aforesaid.storage.group_commit import GroupCommit, WriteTask
from aforesaid.storage.postgres.connection import address_without_password, make_pool, named_row, parse_address
from aforesaid.storage.postgres.erasure_trace import PostgresTracer
from aforesaid.storage.postgres.errors import connection_lost, translate_errors
from aforesaid.storage.postgres.notify import PostgresNotifier
from aforesaid.storage.postgres.pgvector import PgvectorIndexBuilder
from aforesaid.storage.postgres.schema import PostgresSchema
from aforesaid.storage.postgres.session import PostgresSession, texts
from aforesaid.storage.queries import NamedQuery

T = TypeVar("T")
PostgresWork = Callable[[PostgresSession], Any] | str  # a string is the payload of an append

SHARED_COMMIT = 64  # tasks in one commit, at most
PAUSE_SECONDS = 0.1  # between two attempts to reach the server
ASK_SECONDS = 1.0  # between two attempts to connect to a server that is down
COLLISIONS = 8  # attempts of a transaction that collides with others
AFTER_COLLISION = (errors.DeadlockDetected, errors.SerializationFailure)
NOT_BATCHED = (psycopg.IntegrityError, psycopg.DataError, errors.ProgramLimitExceeded)  # too large for one JSON value
CLOSED = "this Memory is closed"
MAKE = "make another one: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0"
UNKNOWN = "the connection broke during the commit: it may be stored or not; check before you try again"
ABOUT = "SELECT set_config('aforesaid.space', %s, true), set_config('aforesaid.whole', %s, true)"
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
BEGIN_SNAPSHOT = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
PERSONAL = ("profiles", "receipts")  # the tables with data of profiles
PLAIN = frozenset({NamedQuery("preferences", "all")})  # functions that need no space to be set
STAMP = "SELECT space_key, version FROM spaces WHERE id = %s"


class PostgresDatabase:
    """A database, or a schema in one. Safe for any number of threads."""

    remote = True
    supports_notify = True
    encrypted = False  # the server encrypts its disk, or does not
    can_scrub = False

    def __init__(self, address: str, *, synchronous: str) -> None:
        if synchronous not in ("full", "normal"):
            raise InvalidInput(f"synchronous must be 'full' or 'normal', not {synchronous!r}")
        self._durable = synchronous == "full"
        self._conninfo, self._limits = parse_address(address)
        self.path = address_without_password(self._conninfo)
        self.clock = QueryClock()
        self._process = os.getpid()
        self._closed = False
        self._full = False  # the last write that failed did not fit
        self._local = threading.local()
        self._changed = threading.Event()
        self._commits = 0
        self._notifier = PostgresNotifier(self._connect, self._changed.set)
        self._lock = threading.Lock()
        self._groups: WeakValueDictionary[str, GroupCommit[PostgresWork]] = WeakValueDictionary()
        self.ann = PgvectorIndexBuilder(self._connect, self.path, self._limits.near_from)
        self._pool = make_pool(self._conninfo, self._limits)
        with translate_errors(self.path), self._connect() as connection:  # fails immediately if the server is down
            _refuse_encoding(connection, self.path)
            self._pool.open()

    def write(
        self, work: Callable[[PostgresSession], T], *spaces: str | None, alone: bool = False, durable: bool = True
    ) -> T:
        names = sorted({space for space in spaces if space is not None})
        if len(names) != 1 or alone:
            return self._write(work, names, alone, durable)
        result: T = self._group(names[0]).run(WriteTask(work, names[0], durable))
        return result

    def append(self, space: str, payload: str) -> int | None:
        seq: int | None = self._group(space).run(WriteTask(payload, space))
        return seq

    def waiting(self, space: str) -> int:
        return self._group(space).waiting

    def _group(self, space: str) -> GroupCommit[PostgresWork]:
        self._usable()
        with self._lock:
            group = self._groups.get(space) or GroupCommit(self._share, SHARED_COMMIT)
            self._groups[space] = group
            return group

    def write_best_effort(self, work: Callable[[PostgresSession], None], *spaces: str) -> None:
        names = sorted(set(spaces))
        self._retry(lambda connection: self._write_quietly(connection, work, names))

    def _write(self, work: Callable[[PostgresSession], T], names: Sequence[str], alone: bool, durable: bool) -> T:
        return self._retry(lambda connection: self._transact(connection, work, names, alone, durable))

    def _retry(self, run: Callable[[Connection[Row]], T]) -> T:
        """Runs something on a connection, and again if it collides with other transactions."""
        for _ in range(COLLISIONS):
            try:
                with translate_errors(self.path):
                    return self._run(run)
            except StoreError as exc:
                self._full = self._full or isinstance(exc, StoreFull)
                if not isinstance(exc.__cause__, AFTER_COLLISION):
                    raise
        raise StoreBusy(f"{self.path}: transactions kept waiting for each other; try again")

    @contextmanager
    def read(self, space: str | None = None) -> Iterator[PostgresSession]:
        self._usable()
        snapshot: PostgresSession | None = getattr(self._local, "session", None)
        with translate_errors(self.path):
            if snapshot is not None:
                if snapshot.failed:
                    self._restart(snapshot)
                if snapshot.failed or snapshot.space != space:
                    self._local.session = snapshot = self._read_session(snapshot.connection, snapshot.pipeline, space)
                try:
                    yield snapshot
                except psycopg.Error:
                    snapshot.failed = True
                    raise
                return
            session = self._run(lambda connection: self._begin_reading(connection, space), keep=True)
            try:
                yield session
            finally:
                _end_reading(session.connection, session.entered)
                self._pool.putconn(session.connection)

    @contextmanager
    def snapshot(self, space: str | None = None) -> Iterator[None]:
        if getattr(self._local, "session", None) is not None:
            yield
            return
        with self.read(space) as session:
            self._local.session = session
            try:
                yield
            finally:
                self._local.session = None

    def query(self, query: NamedQuery, values: Values | None = None, space: str | None = None) -> list[Row]:
        if query in PLAIN and getattr(self._local, "session", None) is None:
            with translate_errors(self.path):
                return self._run(lambda connection: connection.execute(texts()[query][-1], values).fetchall())
        return self._ask(space, lambda session: session.send(query, values))

    def stamp(self, space: str) -> CommitStamp:
        snapshot: PostgresSession | None = getattr(self._local, "session", None)
        if snapshot is not None and snapshot.space == space:
            return snapshot.stamp
        row = first(self._ask(space, lambda session: session.connection.execute(STAMP, (space,))))
        return (int(row.space_key), int(row.version)) if row else (0, 0)

    def wait(self, seen: CommitStamp | None, seconds: float) -> CommitStamp:
        self._usable()
        self._notifier.listen()
        deadline = time.monotonic() + seconds
        while True:
            self._changed.clear()
            stamp, rest = (self._commits, self._notifier.heard), deadline - time.monotonic()
            self._usable()
            if stamp != seen or rest <= 0:
                return stamp
            self._changed.wait(rest)

    @contextmanager
    def connection(self) -> Iterator[Connection[Row]]:
        """Lends a connection of the pool."""
        with self._pool.connection() as connection:
            yield connection

    def truncate_log(self) -> bool:
        """Cleans the tables that hold profiles. The server's own log stays (see docs/caveats.md)."""
        try:
            self._vacuum(PERSONAL)
        except StoreError:
            return False
        return True

    @property
    def scrubs(self) -> Sequence[ScrubStep]:
        """PostgreSQL leaves deleted rows in the pages until they are vacuumed."""
        return (("tables", self._vacuum),)

    def verify(self, text: str, space: str | None) -> Verification:
        with self.read() as session:
            return PostgresTracer(session, text, space).look()

    def integrity_errors(self) -> list[str]:
        with self.read() as session:
            every_page = "SELECT sum(octet_length(text) + octet_length(coalesce(parts, ''))) FROM messages"
            session.raw(every_page)
        return []

    def check_room(self) -> None:
        """Writes a megabyte to a temporary table, but only after a write did not fit."""
        if self._full:
            self._retry(_fill_temporary_table)
            self._full = False

    def page_checksums(self) -> str:
        with self.read() as session:
            on = scalar(session.raw("SELECT current_setting('data_checksums')")) == "on"
        return "on" if on else "off; turn them on with pg_checksums, so that the server notices damaged pages"

    def is_damaged(self) -> bool:
        """The server refuses damaged pages itself."""
        return False

    def wrong_rows(self) -> list[WrongRow]:
        """The server checks its own pages."""
        return []

    def mend_rows(self) -> None:
        """There is nothing to mend."""

    def indexed_terms(self, table: str) -> None:
        """The server checks its own pages."""

    def open_backup(self, path: Path) -> NoReturn:  # noqa: ARG002
        raise InvalidInput("backups are for files; restore a server's backup with its own tools, and compare there")

    def behind(self) -> int:
        with translate_errors(self.path):
            version = self._run(lambda connection: PostgresSchema(connection).version())
            return migrate.newest(migrate.known("postgres")) - version

    def migrate(self, at: int) -> bool:
        """Creates or migrates the schema if needed, and returns True if so. Other processes wait for the first."""

        def run(connection: Connection[Row]) -> bool:
            schema, migrations = PostgresSchema(connection), migrate.known("postgres")
            needed = migrate.needed(schema.version(), migrations)
            if needed:
                migrate.apply(schema, migrations, at)
            self.can_scrub = all(own for _, own in connection.execute(TABLES).fetchall())
            self.ann.prepare(connection)
            return needed

        with translate_errors(self.path):
            return self._run(run)

    def missing_tables(self, names: Sequence[str]) -> list[str]:
        with self.read() as session:
            oid = "SELECT to_regclass(:name)"
            return [name for name in names if scalar(session.raw(oid, {"name": name})) is None]

    def close(self) -> None:
        """Waits for work in progress. Does nothing in a forked child."""
        if os.getpid() != self._process or self._closed:
            return
        self._closed = True
        self._changed.set()
        self._notifier.stop()
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
                session.space_key = scalar(key.fetchall())
            result = work(session)
        self._committed()
        return result

    def _write_quietly(
        self, connection: Connection[Row], work: Callable[[PostgresSession], None], names: Sequence[str]
    ) -> None:
        """A transaction that locks its spaces and leaves their stamps unchanged."""
        with self._transaction(connection, names) as session:
            connection.execute("SET LOCAL synchronous_commit = off")
            self._set_space(connection, session.space)
            connection.execute(TOGETHER)
            connection.execute(HOLD, (names,))
            work(session)

    @contextmanager
    def _transaction(self, connection: Connection[Row], names: Sequence[str]) -> Iterator[PostgresSession]:
        """Commits at its end, or rolls back. Raises CommitUnknown if the connection breaks during the commit."""
        committing = False
        try:
            with connection.pipeline() as pipeline:
                connection.execute("BEGIN")
                yield PostgresSession(connection, pipeline, only(names), self.clock)
                committing = True
                connection.execute("COMMIT")
        except BaseException as exc:
            _roll_back(connection)
            if committing and connection_lost(exc):
                raise CommitUnknown(f"{self.path}: {UNKNOWN}") from exc
            raise

    def _committed(self) -> None:
        self._commits += 1
        self._changed.set()
        self._notifier.notify()

    def _share(self, tasks: Sequence[WriteTask[PostgresWork]]) -> None:
        """Does the work of several threads on one space: the appends in one statement, the rest in one transaction. A
        task that fails fails alone."""
        names, durable = [str(tasks[0].space)], any(task.durable for task in tasks)
        self._append_all([task for task in tasks if isinstance(task.work, str)])
        others = [(task, task.work) for task in tasks if not isinstance(task.work, str)]
        if len(others) == 1:
            for task, work in others:
                task.result = self._write(work, names, False, durable)
        elif others:

            def attempt_each(session: PostgresSession) -> None:
                for task, work in others:
                    self._attempt(session, task, work)

            self._write(attempt_each, names, False, durable)

    def _append_all(self, tasks: Sequence[WriteTask[PostgresWork]]) -> None:
        """Appends the messages of several threads in one statement, a transaction of its own. The result stays None for
        a task that needs more than that, and for all of them if the statement is refused."""
        if not tasks:
            return
        values = (tasks[0].space, f"[{','.join(str(task.work) for task in tasks)}]", self._durable)

        def append(connection: Connection[Row]) -> list[Row]:
            try:
                return connection.execute(APPEND, values).fetchall()
            except psycopg.Error as exc:
                if connection_lost(exc):
                    raise CommitUnknown(f"{self.path}: {UNKNOWN}") from exc
                raise

        try:
            seqs = self._retry(append)
        except StoreError as exc:
            for task in tasks:
                task.error = None if isinstance(exc.__cause__, NOT_BATCHED) else exc
        else:
            self._committed()
            for task, (seq,) in zip(tasks, seqs, strict=True):
                task.result = seq
        finally:
            for task in tasks:
                task.done = True  # whatever becomes of the rest

    def _attempt(
        self, session: PostgresSession, task: WriteTask[PostgresWork], work: Callable[[PostgresSession], Any]
    ) -> None:
        task.error = None
        session.space_key = None  # the task before may have created or deleted the space
        session.connection.execute("SAVEPOINT task")
        try:
            with translate_errors(self.path):
                task.result = work(session)
                session.pipeline.sync()
        except Exception as exc:  # noqa: BLE001 (raised again by the thread that asked for the work)
            cause = exc.__cause__ or exc
            if session.connection.closed or connection_lost(cause) or isinstance(cause, AFTER_COLLISION):
                raise cause from None
            task.error = exc
            session.connection.execute("ROLLBACK TO task")
        session.connection.execute("RELEASE task")

    def _ask(self, space: str | None, send: Callable[[PostgresSession], psycopg.Cursor[Row]]) -> list[Row]:
        """Returns the rows of one statement, in one round trip. All that is sent before a sync is one transaction."""
        if getattr(self._local, "session", None) is not None:
            with self.read(space) as session:
                return session.answer(send(session))

        def ask(connection: Connection[Row]) -> list[Row]:
            with connection.pipeline() as pipeline:  # waits at its end
                self._set_space(connection, space)
                sent = send(PostgresSession(connection, pipeline, space, self.clock))
            return sent.fetchall()

        with translate_errors(self.path):
            return self._run(ask)

    def _begin_reading(self, connection: Connection[Row], space: str | None) -> PostgresSession:
        entered = ExitStack()
        pipeline = entered.enter_context(connection.pipeline())
        try:
            connection.execute(BEGIN_SNAPSHOT)
            session = self._read_session(connection, pipeline, space)
            session.entered = entered
            return session
        except BaseException:
            _end_reading(connection, entered)
            raise

    def _restart(self, failed: PostgresSession) -> None:
        """Starts a new snapshot after a failed statement, which ended the transaction."""
        with suppress(psycopg.Error):
            failed.pipeline.sync()
        failed.connection.execute("ROLLBACK")
        failed.connection.execute(BEGIN_SNAPSHOT)

    def _read_session(self, connection: Connection[Row], pipeline: Pipeline, space: str | None) -> PostgresSession:
        """Returns a session of one space, or of all, in the same transaction."""
        self._set_space(connection, space)
        session = PostgresSession(connection, pipeline, space, self.clock)
        session.lookups = {}
        if space is not None:
            for key, version in session.answer(connection.execute(STAMP, (space,))):
                session.space_key, session.stamp = int(key), (int(key), int(version))
        else:
            pipeline.sync()
        return session

    def _set_space(self, connection: Connection[Row], space: str | None) -> None:
        connection.execute(ABOUT, (space or "", "on" if space is None else ""))

    def _run(self, run: Callable[[Connection[Row]], T], *, keep: bool = False) -> T:
        """Runs something on a connection, and again for a while if the server is down. What may have been committed is
        not run again."""
        deadline = time.monotonic() + self._limits.seconds
        while True:
            self._usable()
            connection = self._next_connection(deadline)
            done = False
            try:
                result = run(connection)
                done = keep
                return result
            except psycopg.Error as exc:
                if not connection_lost(exc) or time.monotonic() >= deadline:
                    raise
                connection.close()
                time.sleep(PAUSE_SECONDS)
            finally:
                if not done:
                    self._pool.putconn(connection)

    def _next_connection(self, deadline: float) -> Connection[Row]:
        """Returns a free connection. Tries every second if the server is down; the pool alone doubles its waits."""
        while True:
            rest = deadline - time.monotonic()
            try:
                return self._pool.getconn(timeout=max(0.0, min(ASK_SECONDS, rest)))
            except PoolTimeout as exc:
                if rest <= ASK_SECONDS:
                    raise PoolTimeout(f"waited for {self._limits.seconds:g} s") from exc

    def _vacuum(self, names: Collection[str] = ()) -> None:
        """Vacuums these tables, or all, and their indexes, even if little was deleted."""
        with translate_errors(self.path), self._connect() as connection:
            rows = connection.execute(TABLES).fetchall()
            tables = {name: own for name, own in rows if not names or name in names}
            if not all(tables.values()):  # the server would only warn, and skip them
                raise StoreError(f"{self.path}: only the owner of the tables can clean them; run a worker as that role")
            for name in tables:
                connection.execute(f"VACUUM (FREEZE, INDEX_CLEANUP ON) {name}")

    def _connect(self) -> Connection[Row]:
        return psycopg.connect(self._conninfo, autocommit=True, row_factory=named_row)

    def _usable(self) -> None:
        if os.getpid() != self._process:
            raise ClosedError("this Memory was opened before a fork; open it again in the child with Memory(address)")
        if self._closed:
            raise ClosedError(CLOSED)


def _refuse_encoding(connection: Connection[Row], path: str) -> None:
    encoding = connection.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        raise StoreError(f"{path}: the database is in {encoding}, and must be UTF8; {MAKE}")


def _roll_back(connection: Connection[Row]) -> None:
    if not connection.closed:
        try:
            connection.execute("ROLLBACK")
        except psycopg.Error:
            connection.close()


def _end_reading(connection: Connection[Row], entered: ExitStack) -> None:
    """Ends a read transaction."""
    try:
        connection.execute("ROLLBACK")
        entered.close()
    except psycopg.Error:  # the failed statement has raised already
        with suppress(psycopg.Error):
            entered.close()
        _roll_back(connection)


def _fill_temporary_table(connection: Connection[Row]) -> None:
    with suppress(errors.InsufficientPrivilege):  # then the next write tells
        connection.execute(
            "CREATE TEMPORARY TABLE room ON COMMIT DROP AS "
            "SELECT md5(random()::text) AS filler FROM generate_series(1, 20000)"
        )
