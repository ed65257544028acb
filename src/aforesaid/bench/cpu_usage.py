"""CPU usage by process during a measurement, as far as the operating system reports it."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")
SATURATED = 0.9  # of all cores; above it, none is free
OTHERS = "others"
LOCAL = "SELECT pg_backend_pid(), coalesce(host(inet_server_addr()), '') IN ('', '127.0.0.1', '::1')"


@dataclass(frozen=True, slots=True)
class CpuUsage:
    """The cores that each process kept busy during `name`, of `cores`, at `per_second` calls. Processes that could not
    be measured are in `unknown`."""

    name: str
    cores: int
    per_second: float
    by: Mapping[str, float]
    unknown: tuple[str, ...] = ()

    @property
    def total(self) -> float:
        return sum(self.by.values())

    @property
    def milliseconds(self) -> Mapping[str, float]:
        """The CPU milliseconds of one call, by process."""
        calls = max(self.per_second, 1e-9)
        return {who: 1000 * cores / calls for who, cores in self.by.items() if who != OTHERS}

    @property
    def most(self) -> float:
        """The calls per second that all cores allow."""
        return 1000 * self.cores / max(sum(self.milliseconds.values()), 1e-9)

    @property
    def said(self) -> str:
        """A sentence about the usage."""
        parts = ", ".join(f"{who} {cores:.2f}" for who, cores in self.by.items())
        full = "; no core was free" if self.total >= SATURATED * self.cores else ""
        unknown = f"; not known: {', '.join(self.unknown)}" if self.unknown else ""
        each = ", ".join(f"{who} {taken:.1f}" for who, taken in self.milliseconds.items())
        return (
            f"{self.name}: {self.total:.1f} of {self.cores} cores were busy ({parts}){full}{unknown}; "
            f"{self.per_second:.0f} calls a second, each {sum(self.milliseconds.values()):.1f} ms of a core ({each}): "
            f"more than {self.most:.0f} a second the cores cannot give"
        )


class CpuMonitor:
    """Measures from `begin` to `end`. A process includes its descendants; None is a process on another machine."""

    def __init__(self, **processes: int | None) -> None:
        self._processes = processes
        self._before: dict[str, float] = {}
        self._since = 0.0

    def begin(self) -> None:
        self._since, self._before = time.perf_counter(), self._spent()

    def end(self, name: str, per_second: float) -> CpuUsage:
        spent, passed = self._spent(), time.perf_counter() - self._since
        by = {who: (spent[who] - before) / passed for who, before in self._before.items() if who in spent}
        if OTHERS in by:
            by[OTHERS] = max(0.0, by[OTHERS] - sum(cores for who, cores in by.items() if who != OTHERS))
        unknown = [who for who in (*self._processes, OTHERS) if who not in by]
        return CpuUsage(name, cores(), per_second, by, tuple(unknown))

    def _spent(self) -> dict[str, float]:
        """CPU seconds so far: of each process, of this one, and (as `others`) of all."""
        clients = os.times()
        spent = {who: _tree_seconds(pid) for who, pid in self._processes.items() if pid is not None and _has_proc()}
        spent["clients"] = clients.user + clients.system
        if _has_proc():
            spent[OTHERS] = _machine_seconds()
        return spent


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def postmaster(store: str) -> int | None:
    """The first process of a PostgreSQL server; None if it runs on another machine or is not visible."""
    import psycopg

    with psycopg.connect(store) as connection:
        ((backend, here),) = connection.execute(LOCAL).fetchall()
        if not here or not _has_proc():
            return None
        with suppress(OSError):
            command = (PROC / str(backend) / "comm").read_text().strip()
            return _stat(backend)[0] if command == "postgres" else None
    return None


def _has_proc() -> bool:
    return (PROC / "stat").exists()


def _tree_seconds(root: int) -> float:
    """CPU seconds of a process, its descendants, and its descendants that have ended."""
    stats: dict[int, tuple[int, float, float]] = {}
    for pid in (int(entry.name) for entry in PROC.iterdir() if entry.name.isdigit()):
        with suppress(OSError):  # it has just ended
            stats[pid] = _stat(pid)
    tree, added = {root}, {root}
    while added:
        added = {pid for pid, (parent, _, _) in stats.items() if parent in tree} - tree
        tree |= added
    return sum(own + ended for pid, (_, own, ended) in stats.items() if pid in tree)


def _stat(pid: int) -> tuple[int, float, float]:
    """The parent, the CPU seconds, and the CPU seconds of children that have ended."""
    fields = (PROC / str(pid) / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()
    ticks = os.sysconf("SC_CLK_TCK")
    user, system, ended_user, ended_system = (int(value) / ticks for value in fields[11:15])
    return int(fields[1]), user + system, ended_user + ended_system


def _machine_seconds() -> float:
    """CPU seconds of everything that runs, with stolen time."""
    first = (PROC / "stat").read_text().split("\n", 1)[0].split()[1:9]
    user, nice, system, _, _, interrupts, soft, stolen = (int(value) for value in first)
    return (user + nice + system + interrupts + soft + stolen) / os.sysconf("SC_CLK_TCK")
