"""A SQLite database: connections, and group commit of writes.

Messages commit with synchronous=FULL. Derived work, such as vectors and job claims, commits with NORMAL: a power cut
can undo it as a whole, and it is made again from the messages.
"""

from __future__ import annotations

import logging
import os
import secrets
import shutil
import tempfile
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, TypeVar

import apsw

from aforesaid.errors import ClosedError, InvalidInput, NotFound, StoreBusy, StoreError, StoreFull
from aforesaid.models.erasure import Verification
from aforesaid.models.store import CommitStamp
from aforesaid.storage import checksums, migrate
from aforesaid.storage.database import AnnIndexBuilder, QueryClock, Row, ScrubStep, Values, WrongRow, only
from aforesaid.storage.group_commit import GroupCommit, WriteTask
from aforesaid.storage.queries import NamedQuery
from aforesaid.storage.sqlite import erasure_trace, row_checksums
from aforesaid.storage.sqlite.connections import CLOSED, ReaderPool
from aforesaid.storage.sqlite.encryption import StoreKey, open_file, unlock
from aforesaid.storage.sqlite.erasure_trace import SqliteTracer
from aforesaid.storage.sqlite.errors import translate_errors
from aforesaid.storage.sqlite.open_files import OpenFiles, refuse_foreign_log, refuse_leftover_log
from aforesaid.storage.sqlite.row_checksums import RowChecksums
from aforesaid.storage.sqlite.schema import APPLICATION_ID, FULL_TEXT, SqliteSchema
from aforesaid.storage.sqlite.session import SqliteSession
from aforesaid.text import validate

T = TypeVar("T")
SqliteWork = Callable[[SqliteSession], Any]

log = logging.getLogger(__name__)

IN_MEMORY = ":memory:"
LOG = "-wal"
PIECE = 1 << 20  # bytes of the log that are written again at once
BUSY_MILLISECONDS = 60_000  # longer than any transaction; a writer that waits this long has met a hung process
LOG_MILLISECONDS = 5_000  # to wait for readers of other processes before the log is emptied
SHARED_COMMIT = 256  # tasks in one commit, at most
LOOK_SECONDS = 0.05  # between two polls for commits of other processes
TURN_SECONDS = 0.01  # between two attempts to get a lock that SQLite does not wait for
CHECKPOINT_PAGES = 4_000  # 16 MB of log between checkpoints: few pauses, and a small log
ROOM = 256 << 10  # free bytes that a disk needs to count as not full: enough for a few messages
WRITER_CACHE, READER_CACHE = 16_384, 4_096  # kibibytes per connection; every thread that reads has one


class ForkGuard:
    """Keeps SQLite connections out of forked children.

    SQLite connections do not survive a fork: a child that kept them would void the locks of the connections that it
    opens itself. So every database is held while the process forks, and the child closes the connections that it
    inherited. The list of open databases is the only global state, because Python's fork hooks belong to the process.
    """

    def __init__(self) -> None:
        self._open: weakref.WeakSet[SqliteDatabase] = weakref.WeakSet()
        self._held: list[SqliteDatabase] = []
        self._hooked = False

    def watch(self, database: SqliteDatabase) -> None:
        if not self._hooked and hasattr(os, "register_at_fork"):  # Windows cannot fork
            self._hooked = True
            os.register_at_fork(before=self._before, after_in_parent=self._in_parent, after_in_child=self._in_child)
        self._open.add(database)

    def forget(self, database: SqliteDatabase) -> None:
        self._open.discard(database)

    def _before(self) -> None:
        self._held = list(self._open)
        for database in self._held:
            database.hold()

    def _in_parent(self) -> None:
        for database in self._held:
            database.release()
        self._held = []

    def _in_child(self) -> None:
        for database in self._held:
            database.abandon()
            database.release()
            self._open.discard(database)
        self._held = []


FORK_GUARD = ForkGuard()


class SqliteDatabase:
    """A SQLite file, or a database in memory. Safe for any number of threads."""

    remote = False
    supports_notify = False
    can_scrub = True
    ann = AnnIndexBuilder()

    def __init__(self, path: str, *, synchronous: str, key: StoreKey | None = None) -> None:
        if synchronous not in ("full", "normal"):
            raise InvalidInput(f"synchronous must be 'full' or 'normal', not {synchronous!r}")
        self.path = path
        self.clock = QueryClock()
        self._synchronous = self._level = synchronous
        self._in_memory = path == IN_MEMORY
        self._process = os.getpid()
        self._closed = False
        self._full = False  # the last write did not fit
        self._group: GroupCommit[SqliteWork] = GroupCommit(self._commit, SHARED_COMMIT)
        self._watch_lock = threading.Lock()
        self._commits = 0
        self._changed = threading.Event()
        self._readers = ReaderPool(self._reader)
        self._local = threading.local()
        self._files: OpenFiles | None = None
        self._log_pages = 0
        self._log_lost = False  # a sync of the log failed, and the system may have dropped what it could not write
        with translate_errors(path):
            _refuse_unusable(path)
            self.file_key = None if self._in_memory else unlock(path, key)
            try:
                self._writer = self._open()
            except (apsw.NotADBError, apsw.CorruptError):
                if key is None:
                    raise
                self.file_key = unlock(path, key)  # another process created the file meanwhile, with another salt
                self._writer = self._open()
            self._checksums = RowChecksums(self._writer)
            if not self._in_memory:
                self._files = OpenFiles(path, self._writer)
            self._watch = self._writer if self._in_memory else self._reader()
        FORK_GUARD.watch(self)

    @property
    def encrypted(self) -> bool:
        return self.file_key is not None

    def write(
        self,
        work: Callable[[SqliteSession], T],
        *spaces: str | None,
        alone: bool = False,  # noqa: ARG002 (a file has one writer at a time)
        durable: bool = True,
    ) -> T:
        self._usable()
        result: T = self._group.run(WriteTask(work, only(spaces), durable))
        return result

    def append(self, space: str, payload: str) -> int | None:  # noqa: ARG002
        return None

    def write_best_effort(self, work: Callable[[SqliteSession], None], *spaces: str) -> None:
        self.write(work, *spaces, durable=False)

    @contextmanager
    def read(self, space: str | None = None) -> Iterator[SqliteSession]:
        snapshot = self._snapshot()
        with self._reading() as connection:
            if snapshot is not None:
                same = snapshot.space == space
                yield snapshot if same else SqliteSession(connection, space, snapshot.lookups, clock=self.clock)
            elif self._in_memory:
                yield SqliteSession(connection, space, {}, clock=self.clock)
            else:
                connection.execute("BEGIN")
                try:
                    yield SqliteSession(connection, space, {}, clock=self.clock)
                finally:
                    connection.execute("ROLLBACK")

    @contextmanager
    def snapshot(self, space: str | None = None) -> Iterator[None]:
        if self._snapshot() is not None:
            yield
            return
        stamp = self._stamp()  # first: a commit in between causes one needless read, and no missed one
        with self.read(space) as session:
            self._local.session, self._local.stamp = session, stamp
            try:
                yield
            finally:
                self._local.session = None

    def query(self, query: NamedQuery, values: Values | None = None, space: str | None = None) -> list[Row]:
        snapshot = self._snapshot()
        with self._reading() as connection:
            if snapshot is not None and snapshot.space == space:
                return snapshot.fetch(query, values)
            return SqliteSession(connection, space, clock=self.clock).fetch(query, values)

    def stamp(self, space: str) -> CommitStamp:  # noqa: ARG002 (SQLite tells of the whole file)
        stamp: CommitStamp = self._stamp() if self._snapshot() is None else self._local.stamp
        return stamp

    def _stamp(self) -> CommitStamp:
        self._usable()
        if self._in_memory:
            return self._commits, 0
        with self._watch_lock, translate_errors(self.path):
            self._usable()
            return self._commits, int(self._watch.pragma("data_version"))

    def wait(self, seen: CommitStamp | None, seconds: float) -> CommitStamp:
        deadline = time.monotonic() + seconds
        while True:
            self._changed.clear()
            stamp, rest = self._stamp(), deadline - time.monotonic()
            if stamp != seen or rest <= 0:
                return stamp
            self._changed.wait(min(rest, LOOK_SECONDS))

    def waiting(self, space: str) -> int:  # noqa: ARG002
        return self._group.waiting

    def truncate_log(self) -> bool:
        """Moves all commits into the file and empties the log. Returns False if a reader of another process blocks
        it for more than a few seconds."""
        self._usable()
        return self._in_memory or self._truncate_log(LOG_MILLISECONDS)

    def _truncate_log(self, milliseconds: int) -> bool:
        with self._group.lock, self._writing():
            self._usable()
            self._check_files(self._writer)
            self._writer.set_busy_timeout(milliseconds)
            try:
                self._writer.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
            except (apsw.BusyError, apsw.LockedError):
                return False
            finally:
                self._writer.set_busy_timeout(BUSY_MILLISECONDS)
            return True

    @property
    def scrubs(self) -> Sequence[ScrubStep]:
        """SQLite leaves deleted data in the file: terms in the full-text index until its segments are merged, rows in
        free pages and in the free space of split pages."""
        return ("full-text index", self._merge_indexes), ("file", self._rewrite), ("log", self._log_emptied)

    def verify(self, text: str, space: str | None) -> Verification:
        files = [] if self._in_memory else erasure_trace.store_files(self.path)
        with self.read() as session:
            return SqliteTracer(session, files, text, space, encrypted=self.encrypted).look()

    def integrity_errors(self) -> list[str]:
        self._readers.renew()  # FTS5 checks what a connection has cached of its index, not the file
        with self._reading() as connection:
            rows = connection.execute("PRAGMA integrity_check(10)").fetchall()
        return [str(text) for (text,) in rows if text != "ok"]

    def check_room(self) -> None:
        if self._in_memory:
            return
        folder = os.path.dirname(os.path.abspath(self.path))
        try:
            if shutil.disk_usage(folder).free < ROOM:
                self._truncate_log(0)  # a write that did not fit leaves a large log
            fits = shutil.disk_usage(folder).free >= ROOM
            if fits and self._full:  # a quota can be smaller than the disk
                with tempfile.TemporaryFile(dir=folder, buffering=0) as probe:
                    fits = probe.write(secrets.token_bytes(ROOM)) == ROOM
        except OSError as exc:
            raise StoreFull(f"{self.path}: nothing can be written beside it ({exc.strerror}); make room") from exc
        if not fits:
            raise StoreFull(f"{self.path}: the disk is full; make room")
        self._full = False

    def page_checksums(self) -> None:
        """SQLite keeps none."""

    def is_damaged(self) -> bool:
        return bool(self.integrity_errors() or self.wrong_rows())

    def wrong_rows(self) -> list[WrongRow]:
        with self._reading() as connection:
            return list(row_checksums.wrong_rows(connection))

    def mend_rows(self) -> None:
        def work(session: SqliteSession) -> None:
            row_checksums.mend_rows(session.connection)
            self._checksums.seal()

        self.write(work)

    def indexed_terms(self, table: str) -> Mapping[int, int]:
        sums: dict[int, int] = {}
        with self._reading() as connection:
            for term, key in connection.execute(f"SELECT term, doc FROM {FULL_TEXT[table]}"):
                sums[key] = sums.get(key, 0) + hash(term)
        return sums

    @contextmanager
    def open_backup(self, path: Path) -> Iterator[SqliteBackup]:
        if not path.is_file():
            raise NotFound(f"there is no backup at {str(path)!r}")
        flags = apsw.SQLITE_OPEN_READONLY
        with translate_errors(str(path)), closing(open_file(str(path), self.file_key, flags)) as connection:
            refuse_foreign(connection)
            yield SqliteBackup(connection, self.clock)

    def behind(self) -> int:
        with self._reading() as connection:
            return migrate.newest(migrate.known("sqlite")) - SqliteSchema(connection).version()

    def needs_migration(self) -> bool:
        """Raises SchemaTooNew for a file of a newer version."""
        with self._reading() as connection:
            return migrate.needed(SqliteSchema(connection).version(), migrate.known("sqlite"))

    def migrate(self, at: int, seal_messages: Callable[[SqliteSession], object]) -> None:
        """Creates or migrates the schema, and seals every record that has no checksum."""

        def work(session: SqliteSession) -> None:
            migrate.apply(SqliteSchema(session.connection), migrate.known("sqlite"), at)
            seal_messages(session)
            self._checksums.seal()

        self.write(work)

    def missing_tables(self, names: Sequence[str]) -> list[str]:
        def work(session: SqliteSession) -> list[str]:
            missing = [name for name in names if not SqliteSchema(session.connection).has_table(name)]
            for name in names:
                if name in FULL_TEXT and not missing:
                    session.connection.execute(f"INSERT INTO {name} ({name}) VALUES ('integrity-check')")
            return missing

        return self.write(work)

    def _merge_indexes(self) -> None:
        def work(session: SqliteSession) -> None:
            with session.secure_delete():
                for name in FULL_TEXT:
                    session.connection.execute(f"INSERT INTO {name} ({name}) VALUES ('optimize')")

        self.write(work)

    def _log_emptied(self) -> None:
        if not self.truncate_log():
            raise StoreBusy(f"{self.path}: another process reads old data, so the log cannot be emptied")

    def _rewrite(self) -> None:
        """Rewrites the whole file, so that free pages and free space keep nothing of deleted data."""
        self._usable()
        with self._group.lock, self._writing():
            self._usable()
            self._check_files(self._writer)
            self._writer.execute("VACUUM")
            self._commits += 1

    def close(self) -> None:
        """Waits for work in progress. Does nothing in a forked child."""
        if os.getpid() != self._process:
            return
        with self._group.lock:
            if not self._closed:
                self._closed = True
                self._readers.close()  # first, because readers may ask for the stamp
                with self._watch_lock:
                    self._watch.close()
                if self._files is None:
                    self._writer.close()
                else:
                    self._files.close(self._writer)
                FORK_GUARD.forget(self)

    def hold(self) -> None:
        """Waits until no thread uses the database, and blocks all of them until `release`."""
        self._group.lock.acquire()
        self._readers.hold()  # before the stamp, as in `close`
        self._watch_lock.acquire()

    def release(self) -> None:
        self._watch_lock.release()
        self._readers.release()
        self._group.lock.release()

    def abandon(self) -> None:
        """Closes every connection of a database that is held."""
        self._readers.abandon()
        self._watch.close()
        self._writer.close()

    @contextmanager
    def _reading(self) -> Iterator[apsw.Connection]:
        self._usable()
        snapshot = self._snapshot()
        if self._in_memory:
            with self._group.lock, translate_errors(self.path):
                self._usable()
                yield self._writer
        elif snapshot is not None:
            with translate_errors(self.path):
                yield snapshot.connection
        else:
            with translate_errors(self.path), self._readers.lend() as connection:
                self._check_files(connection)
                yield connection

    def _snapshot(self) -> SqliteSession | None:
        """The session of the snapshot that this thread is in."""
        return getattr(self._local, "session", None)

    def _usable(self) -> None:
        if os.getpid() != self._process:
            raise ClosedError("this Memory was opened before a fork; open it again in the child with Memory(path)")
        if self._closed:
            raise ClosedError(CLOSED)

    def _check_files(self, connection: apsw.Connection) -> None:
        if self._files is not None:
            self._files.check(connection)

    def _open(self) -> apsw.Connection:
        connection = self._connect(WRITER_CACHE)
        try:
            refuse_foreign(connection)
            _keep_a_log(connection)
            connection.pragma("synchronous", self._synchronous)
            connection.pragma("foreign_keys", True)
            connection.set_wal_hook(self._note_log)  # in place of automatic checkpoints, which hide a failed sync
        except BaseException:
            connection.close()
            raise
        return connection

    def _reader(self) -> apsw.Connection:
        connection = self._connect(READER_CACHE)
        connection.pragma("query_only", True)
        return connection

    def _connect(self, cache: int) -> apsw.Connection:
        connection = open_file(self.path, self.file_key)
        try:
            refuse_foreign_log(connection)
            self._check_files(connection)
        except BaseException:
            connection.close()
            raise
        if connection.readonly("main"):
            connection.close()
            raise StoreError(f"{self.path}: the file cannot be written; check its permissions and its folder's")
        connection.set_busy_timeout(BUSY_MILLISECONDS)
        connection.pragma("cache_size", -cache)
        return connection

    def _commit(self, tasks: Sequence[WriteTask[SqliteWork]]) -> None:
        connection = self._writer
        try:
            with self._writing():
                self._usable()
                self._check_files(connection)
                self._wait_for_disk(any(task.durable for task in tasks))
                connection.execute("BEGIN IMMEDIATE")
                if self._log_lost:
                    self._write_log_again()
                self._checksums.begin()
                for task in tasks:
                    self._attempt(connection, task, alone=len(tasks) == 1)
                self._checksums.write()
                connection.execute("COMMIT")
                self._check_files(connection)  # again: nothing is acknowledged that went into a removed file
                self._commits += 1
                self._changed.set()
            self._checkpoint()
        except StoreFull:
            self._full = True
            raise
        finally:
            if not self._closed and connection.in_transaction:
                connection.execute("ROLLBACK")

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with translate_errors(self.path):
            try:
                yield
            except apsw.IOError as exc:
                self._log_lost |= getattr(exc, "extendedresult", None) == apsw.SQLITE_IOERR_FSYNC
                raise

    def _note_log(self, _connection: apsw.Connection, _name: str, pages: int) -> int:
        self._log_pages = pages
        return apsw.SQLITE_OK

    def _checkpoint(self) -> None:
        """Moves a long log into the file. The commits are stored already, so a failure only waits for the next one."""
        if self._log_pages < CHECKPOINT_PAGES:
            return
        try:
            with self._writing():
                self._writer.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
        except StoreBusy:  # another process does it
            return
        except StoreError as exc:
            log.warning("checkpoint failed", extra={"action": "checkpoint_failed", "error": str(exc)})

    def _write_log_again(self) -> None:
        """Makes the log durable after a sync of it failed. The system then counts its pages as written, so that the
        next sync would succeed without them, and a power cut would lose the messages behind them. Call it inside a
        transaction: no other process changes the log then. It writes the bytes that are there, so a power cut in the
        middle changes nothing."""
        try:
            with Path(self.path + LOG).open("r+b") as file:
                while piece := file.read(PIECE):
                    file.seek(-len(piece), os.SEEK_CUR)
                    file.write(piece)
                file.flush()
                os.fsync(file.fileno())
        except OSError as exc:
            raise StoreError(f"{self.path}: the log cannot be written; check the disk ({exc.strerror})") from exc
        self._log_lost = False

    def _wait_for_disk(self, durable: bool) -> None:
        level = self._synchronous if durable else "normal"
        if level != self._level:
            self._writer.pragma("synchronous", level)
            self._level = level

    def _attempt(self, connection: apsw.Connection, task: WriteTask[SqliteWork], *, alone: bool) -> None:
        if alone:
            task.result = task.work(SqliteSession(connection, task.space, clock=self.clock))
            return
        connection.execute("SAVEPOINT task")
        try:
            with translate_errors(self.path):
                task.result = task.work(SqliteSession(connection, task.space, clock=self.clock))
        except Exception as exc:
            if not connection.in_transaction:  # SQLite has rolled back the whole transaction
                raise
            task.error = exc
            connection.execute("ROLLBACK TO task")
        connection.execute("RELEASE task")


class SqliteBackup:
    """Looks for records in a backup."""

    def __init__(self, connection: apsw.Connection, clock: QueryClock) -> None:
        self._connection = connection
        self._session = SqliteSession(connection, None, clock=clock)
        columns = {row[1] for row in connection.execute("PRAGMA table_info(messages)")}
        self._has_checksums = {"checksum", "expires_at"} <= columns

    def has_message(self, space: str, id: str, checksum: int) -> bool:
        if not self._has_checksums:
            return False
        keys = {"space_key": self._session.key_of(space), "id": id}
        rows = self._session.fetch(NamedQuery("messages", "by_id"), keys)
        return any(row.checksum == checksum and checksums.is_intact(row) for row in rows)

    def has_row(self, row: WrongRow) -> bool:
        return self._has_checksums and row_checksums.has_row(self._connection, row)


def _keep_a_log(connection: apsw.Connection) -> None:
    """Switches to write-ahead logging. SQLite does not wait for a process that does the same, so this does."""
    deadline = time.monotonic() + BUSY_MILLISECONDS / 1000
    while True:
        try:
            connection.pragma("journal_mode", "wal")
        except apsw.BusyError:
            if time.monotonic() >= deadline:
                raise
            time.sleep(TURN_SECONDS)
        else:
            return


def _refuse_unusable(path: str) -> None:
    if path == IN_MEMORY:
        return
    if not path:
        raise InvalidInput("the store needs a file path, ':memory:' or a postgresql:// address")
    place = Path(validate.text(path, "the store's path"))
    try:
        is_folder, has_folder = place.is_dir(), place.parent.is_dir()
    except OSError as exc:
        raise StoreError(
            f"{path}: it cannot be opened; check its name and the permissions of its folder ({exc})"
        ) from exc
    if is_folder:
        raise InvalidInput(f"{path!r} is a directory; name a file in it, such as {str(place / 'memory.db')!r}")
    if not has_folder:
        advice = "`~` is not expanded: name the whole path" if path.startswith("~") else "make it first"
        raise InvalidInput(f"the folder {str(place.parent)!r} does not exist; {advice}")
    refuse_leftover_log(path)


def refuse_foreign(connection: apsw.Connection) -> None:
    """Raises StoreError unless the file is ours or empty. Call it before anything is written."""
    used = connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchall()
    if used and connection.pragma("application_id") != APPLICATION_ID:
        raise StoreError(f"{connection.filename}: a SQLite database of another program; name another file")
