"""A disk that fails on demand. It stands below SQLite and below Python, in the calls of the C library: `faulty_disk.c`
is loaded into a child process with LD_PRELOAD.

A VFS of apsw cannot do this: apsw raises the error of a failed operation even where SQLite continues without an error,
such as at a checkpoint after a commit.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(__file__).with_name("faulty_disk.c")
ROOT = SOURCE.parents[2]
HEAD = struct.Struct("=c?qIII")
KINDS = {
    b"c": "create",
    b"w": "write",
    b"t": "truncate",
    b"s": "sync",
    b"d": "delete",
    b"l": "link",
    b"r": "rename",
    b"f": "sync folder",
}


@dataclass(frozen=True, slots=True)
class Change:
    """A change of a file. `offset` is the place of a write, or the new size. `other` is the new name. A change that
    `failed` did nothing."""

    kind: str
    name: str
    offset: int = 0
    data: bytes = b""
    other: str = ""
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Fault:
    """How the change number `at`, of all or of one kind, fails. `half`: a write stores its first half. `lasting`: so do
    all changes after it."""

    at: int
    error: int = errno.EIO
    half: bool = False
    lasting: bool = False
    kind: str = ""

    def __str__(self) -> str:
        details = [errno.errorcode[self.error], *(["half written"] * self.half), *(["lasting"] * self.lasting)]
        return f"change {self.at} fails: {', '.join(details)}"


class FaultyDisk:
    """Watches the files of one folder. Works only in a process that `run_on_faulty_disk` has started."""

    def __init__(self, folder: Path) -> None:
        self._shim = ctypes.CDLL(os.environ["LD_PRELOAD"])
        self._shim.faulty_disk_changes.restype = ctypes.c_long
        self._shim.faulty_disk_unreported.restype = ctypes.c_long
        self._shim.faulty_disk_length.restype = ctypes.c_long
        self._shim.faulty_disk_recorded.restype = ctypes.c_size_t
        self._shim.faulty_disk_watch(os.fsencode(f"{folder.resolve()}/"))

    def fail(self, fault: Fault) -> None:
        """Plans a fault, counted from now."""
        kind = next((ord(code) for code, kind in KINDS.items() if kind == fault.kind), 0)
        self._shim.faulty_disk_fail(ctypes.c_long(fault.at), kind, fault.error, fault.half, fault.lasting)

    def mend(self) -> None:
        """Ends all faults, and counts from 0 again."""
        self.fail(Fault(0))

    @property
    def changes(self) -> int:
        """The number of changes since the last call of `fail` or `mend`."""
        return int(self._shim.faulty_disk_changes())

    @property
    def unreported(self) -> bool:
        """True if a sync failed, and another open descriptor of the file has still to report it."""
        return bool(self._shim.faulty_disk_unreported())

    def record(self, on: bool = True) -> None:
        """Starts a new record of all changes, or ends it."""
        self._shim.faulty_disk_record(on)

    @property
    def length(self) -> int:
        """The number of recorded changes."""
        return int(self._shim.faulty_disk_length())

    def recorded(self) -> list[Change]:
        start = ctypes.c_char_p()
        size = self._shim.faulty_disk_recorded(ctypes.byref(start))
        raw = ctypes.string_at(start, size) if size else b""
        changes, at = [], 0
        while at < len(raw):
            kind, failed, offset, *lengths = HEAD.unpack_from(raw, at)
            at += HEAD.size
            name, other, data = (raw[at + sum(lengths[:n]) : at + sum(lengths[: n + 1])] for n in range(3))
            at += sum(lengths)
            changes.append(Change(KINDS[kind], name.decode(), offset, data, other.decode(), failed))
        return changes


def run_on_faulty_disk(part: str, arguments: Sequence[object]) -> subprocess.CompletedProcess[str]:
    """Runs a module of this folder in a process that has the shim. Its files are in a new folder, in memory if there is
    such a file system: the shim, not the disk, says what is durable."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(prefix="aforesaid-faults-", dir=memory if memory.is_dir() else None) as folder:
        shim = Path(folder) / "faulty_disk.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", shim, SOURCE, "-ldl"], check=True)
        environment = {"LD_PRELOAD": str(shim), "FAULTS_FOLDER": folder, "SQLITE_TMPDIR": folder, "PYTHONHASHSEED": "0"}
        command = [sys.executable, "-m", f"tests.faults.{part}", *map(str, arguments)]
        return subprocess.run(command, cwd=ROOT, env=os.environ | environment, text=True, check=False)
