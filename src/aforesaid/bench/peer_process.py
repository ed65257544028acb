"""Environments and processes of the stores that `aforesaid bench peers` compares.

A process runs a file of `drivers` by the Python of the peer's environment, and answers one request at a time. It gets
no variable of the caller that could hold a key, and a home folder of its own.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from aforesaid import Embedder
from aforesaid.models.json import Json

DRIVERS = Path(__file__).with_name("drivers")
SECONDS_PER_REQUEST = 1800.0
NEVER_INSTALLED = "torch<0\n"  # several GB, and no peer needs it with vectors of ours
KEPT_VARIABLES = ("PATH", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR", "LANG", "LC_ALL")
OPT_OUTS = {
    "ANONYMIZED_TELEMETRY": "False",
    "DO_NOT_TRACK": "1",
    "HF_HUB_OFFLINE": "1",
    "LANGSMITH_TRACING": "false",
    "MEM0_TELEMETRY": "False",
    "POSTHOG_DISABLED": "1",
    "PYTHONUTF8": "1",
}


class PeerFailed(Exception):
    """A peer cannot be installed, or its process failed. The message is the reason."""


@dataclass(frozen=True, slots=True)
class Peer:
    """A store to compare. `driver` is a file in `drivers`. Without requirements, it runs in this environment."""

    name: str
    driver: str
    requirements: tuple[str, ...] = ()


def python_of(peer: Peer, cache: Path) -> Path:
    """The Python of the peer's environment, which is made in `cache` on the first call. Raises PeerFailed."""
    if not peer.requirements:
        return Path(sys.executable)
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    digest = hashlib.sha256("\n".join((version, *peer.requirements)).encode()).hexdigest()[:8]
    folder = cache.absolute() / f"{peer.name}-{digest}"
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    ready = folder / "ready"  # written last: an environment without it is made again
    if not ready.exists():
        _install(folder, python, peer.requirements)
        ready.write_text("\n".join(peer.requirements) + "\n", "utf-8")
    return python


def _install(folder: Path, python: Path, requirements: Sequence[str]) -> None:
    uv = shutil.which("uv")
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    constraints = folder.parent / "constraints.txt"
    constraints.write_text(NEVER_INSTALLED, "utf-8")
    if uv:
        create = [uv, "venv", "--quiet", "--python", sys.executable, str(folder)]
        install = [uv, "pip", "install", "--quiet", "--python", str(python)]
    else:
        create = [sys.executable, "-m", "venv", str(folder)]
        install = [str(python), "-m", "pip", "install", "--quiet"]
    for command in (create, [*install, "--constraint", str(constraints), *requirements]):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise PeerFailed(f"cannot be installed: {_last_line(done.stderr)}")


def _last_line(text: str) -> str:
    return next((line.strip()[:200] for line in reversed(text.splitlines()) if line.strip()), "no reason given")


@dataclass(frozen=True, slots=True)
class PeerFiles:
    """The folder of a store, and the beginning of the names of the files with the vectors."""

    store: Path
    vectors: Path

    @classmethod
    def create(cls, folder: Path, texts: Sequence[str], embedder: Embedder) -> PeerFiles:
        """Computes the vectors of the texts and writes them beside the folder of the store."""
        files = cls(folder / "store", folder / "vectors")
        files.store.mkdir(parents=True)
        files.vectors.with_suffix(".json").write_text(json.dumps(texts), "utf-8")
        files.vectors.with_suffix(".f32").write_bytes(embedder.embed(texts).astype("<f4").tobytes())
        return files

    @property
    def disk_bytes(self) -> int:
        return sum(file.stat().st_size for file in self.store.rglob("*") if file.is_file())


class PeerProcess:
    """A running driver. `send` and `receive` are separate, so that several processes can work at the same time."""

    def __init__(self, process: subprocess.Popen[str], log: Path, embedder: Embedder) -> None:
        self._process, self._log, self._embedder = process, log, embedder
        self.other_texts = 0  # texts without a vector in the files

    def call(self, name: str, **arguments: Json) -> dict[str, Json]:
        """The answer to a request. Raises PeerFailed if the driver answers with an error, ends, or takes too long."""
        self.send(name, **arguments)
        return self.receive()

    def send(self, name: str, **arguments: Json) -> None:
        self._write({"call": name, **arguments})

    def receive(self) -> dict[str, Json]:
        timer = threading.Timer(SECONDS_PER_REQUEST, self._process.kill)
        timer.start()
        try:
            answer = self._read()
            while "embed" in answer:
                self.other_texts += len(answer["embed"])
                self._write({"vectors": self._embedder.embed(answer["embed"]).tolist()})
                answer = self._read()
        finally:
            timer.cancel()
        if "error" in answer:
            raise PeerFailed(answer["error"])
        return answer

    def _write(self, request: dict[str, Json]) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
        except OSError as exc:
            raise PeerFailed(self._end()) from exc

    def _read(self) -> dict[str, Json]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise PeerFailed(self._end())
        answer: dict[str, Json] = json.loads(line)
        return answer

    def _end(self) -> str:
        return f"ended with {self._process.wait()}: {_last_line(self._log.read_text('utf-8', 'replace'))}"


@contextmanager
def running_peer(python: Path, peer: Peer, files: PeerFiles, embedder: Embedder) -> Iterator[PeerProcess]:
    """A driver process on the store of `files`, as long as the context is open."""
    home = files.vectors.parent / "home"
    home.mkdir(exist_ok=True)
    variables = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
    homes = {"HOME": str(home), "USERPROFILE": str(home), "MEM0_DIR": str(home / "mem0")}
    command = [str(python), str(DRIVERS / peer.driver), str(files.store), str(files.vectors)]
    log = files.vectors.with_suffix(".log")
    with log.open("ab") as errors:
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            encoding="utf-8",
            env={**variables, **OPT_OUTS, **homes},
            cwd=home,
        )
    try:
        yield PeerProcess(process, log, embedder)
    finally:
        process.kill()
        with suppress(BrokenPipeError), process:  # a request that it never read
            pass
