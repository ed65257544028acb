"""`aforesaid bench load`: requests per second over HTTP, next to the same calls in-process."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Barrier
from urllib.parse import urlsplit

from aforesaid import Memory, Percentiles
from aforesaid.bench.report import grouped_bar_chart
from aforesaid.bench.synthetic_chat import ChatGenerator
from aforesaid.bench.timing import percentiles
from aforesaid.errors import StateError

READY_LINE = re.compile(r"(?<= at )http://[^\s;]+")


class BenchClient:
    """One keep-alive connection to the space `bench`."""

    def __init__(self, url: str) -> None:
        self._connection = HTTPConnection(urlsplit(url).netloc, timeout=60)

    def post(self, path: str, body: dict[str, str]) -> bytes:
        head = {"Content-Type": "application/json", "X-Aforesaid-Space": "bench"}
        self._connection.request("POST", f"/api/memory/{path}", json.dumps(body), head)
        answer = self._connection.getresponse()
        read = answer.read()
        if answer.status >= 300:
            raise StateError(f"the server answered {answer.status}: {read[:200]!r}", status=str(answer.status))
        return read

    def close(self) -> None:
        self._connection.close()


@dataclass(frozen=True, slots=True)
class ServerProcess:
    """A server's address, and its first process."""

    url: str
    process: int


@contextmanager
def running_server(store: Path | str, *options: str) -> Iterator[ServerProcess]:
    """`aforesaid serve` on a store, as long as the context is open."""
    command = [sys.executable, "-m", "aforesaid", "serve", "--port", "0", *options]
    environment = {**os.environ, "AFORESAID_STORE": str(store)}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stderr is not None
        said: list[str] = []
        found = None
        while found is None and (line := process.stderr.readline()):  # it may have something to warn of first
            said.append(line)
            found = READY_LINE.search(line)
        try:
            if found is None:
                raise StateError(f"the server did not start: {''.join(said).strip()}", status="stopped")
            yield ServerProcess(found[0], process.pid)
        finally:
            process.terminate()
            process.wait()


Progress = Callable[[int, int], None]  # done, total
BenchCall = Callable[[], object]
BenchCaller = Callable[[int], BenchCall]  # the call of one client, by its number

CALLS = ("add", "recall", "context")
NOTE = "milliseconds at the middle and at the 95th percentile; the first bar is over HTTP"


@dataclass(frozen=True, slots=True)
class Throughput:
    """Calls per second, and milliseconds per call."""

    per_second: float
    milliseconds: Percentiles


@dataclass(frozen=True, slots=True)
class LoadComparison:
    """One call by a number of clients: over HTTP, and in threads of one process."""

    call: str
    clients: int
    http: Throughput
    direct: Throughput

    @property
    def ratio(self) -> float:
        """The throughput over HTTP as a share of the throughput in-process."""
        return self.http.per_second / self.direct.per_second


@dataclass(frozen=True, slots=True)
class LoadReport:
    messages: int
    seconds: float
    loads: tuple[LoadComparison, ...]

    def to_json(self) -> str:
        rows = [asdict(load) | {"ratio": load.ratio} for load in self.loads]
        return json.dumps({"messages": self.messages, "seconds": self.seconds, "loads": rows}, indent=2)

    def write(self, folder: Path) -> list[Path]:
        """Writes a JSON file and a chart."""
        folder.mkdir(parents=True, exist_ok=True)
        data, picture = folder / "load.json", folder / "load.svg"
        data.write_text(self.to_json() + "\n", "utf-8")
        picture.write_text(
            grouped_bar_chart("aforesaid bench load", dict(map(_chart_rows, self.loads)), note=NOTE), "utf-8"
        )
        return [data, picture]


def run(clients: Sequence[int], messages: int, seconds: float, progress: Progress) -> LoadReport:
    """Each call by each number of clients, alternately over HTTP and in-process, on equal files."""
    with TemporaryDirectory(prefix="aforesaid-bench-") as folder:
        files = [Path(folder) / "http.db", Path(folder) / "direct.db"]
        for file in files:
            _fill(file, messages)
        loads, total = [], len(CALLS) * len(clients)
        with running_server(files[0]) as server, Memory(files[1]) as memory:
            for call in CALLS:
                for number in clients:
                    with over_http(server.url, call) as http:
                        taken = run_clients(http, number, seconds)
                    loads.append(
                        LoadComparison(call, number, taken, run_clients(in_process(memory, call), number, seconds))
                    )
                    progress(len(loads), total)
    return LoadReport(messages, seconds, tuple(loads))


def run_clients(
    caller: BenchCaller, clients: int, seconds: float, begins: Callable[[], None] | None = None
) -> Throughput:
    """Each client calls as fast as it is answered, until the time is over. `begins` is called when all are ready."""
    begin = Barrier(clients, begins)

    def one(number: int) -> list[float]:
        call, taken = caller(number), []
        call()  # what is loaded once is not counted
        begin.wait()
        end = time.perf_counter() + seconds
        while (before := time.perf_counter()) < end:
            call()
            taken.append((time.perf_counter() - before) * 1000)
        return taken

    with ThreadPoolExecutor(clients) as pool:
        every = [taken for times in pool.map(one, range(clients)) for taken in times]
    return Throughput(len(every) / seconds, percentiles(every))


def in_process(memory: Memory, call: str) -> BenchCaller:
    space, said = memory.space("bench"), count()

    def caller(number: int) -> BenchCall:
        talk, chat = ChatGenerator(number), space.conversation(f"c{number}")
        calls: dict[str, BenchCall] = {
            "add": lambda: space.conversation(f"new{next(said) % 64}").add("user", talk.message()),
            "recall": lambda: space.recall(talk.question()),
            "context": lambda: chat.context(talk.question()),
        }
        return calls[call]

    return caller


@contextmanager
def over_http(server: str, call: str) -> Iterator[BenchCaller]:
    """The same calls as requests; each client has its own keep-alive connection."""
    said, opened = count(), list[BenchClient]()

    def caller(number: int) -> BenchCall:
        talk, client = ChatGenerator(number), BenchClient(server)
        opened.append(client)
        calls: dict[str, BenchCall] = {
            "add": lambda: client.post(
                f"conversations/new{next(said) % 64}/messages", {"role": "user", "content": talk.message()}
            ),
            "recall": lambda: client.post("recall", {"query": talk.question()}),
            "context": lambda: client.post(f"conversations/c{number}/context", {"query": talk.question()}),
        }
        return calls[call]

    yield caller
    for client in opened:
        client.close()


def _fill(file: Path, messages: int) -> None:
    """Stores messages in 32 conversations, with their vectors."""
    talk, each = ChatGenerator(seed=1), max(1, messages // 32)
    with Memory(file, worker=False, synchronous="normal") as memory:
        for number in range(32):
            memory.space("bench").conversation(f"c{number}").add_many(talk.messages(each))
        memory.flush(3600)


def _chart_rows(load: LoadComparison) -> tuple[str, dict[str, float]]:
    http, direct = load.http.milliseconds, load.direct.milliseconds
    name = f"{load.call}, {load.clients} client{'s' if load.clients > 1 else ''}"
    return name, {
        "HTTP, p50": http.p50,
        "HTTP, p95": http.p95,
        "in-process, p50": direct.p50,
        "in-process, p95": direct.p95,
    }
