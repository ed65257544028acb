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
from contextlib import ExitStack, closing, contextmanager
from dataclasses import asdict, dataclass
from http.client import HTTPConnection, HTTPResponse
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Barrier
from urllib.parse import urlsplit

from aforesaid import Memory, Percentiles
from aforesaid.bench import Progress
from aforesaid.bench.charts import Caption, grouped_bar_chart
from aforesaid.bench.report import percentiles
from aforesaid.bench.synthetic_chat import ChatGenerator
from aforesaid.errors import StateError

READY_LINE = re.compile(r"(?<= at )http://[^\s;]+")


class BenchClient:
    """One keep-alive connection to the space `bench`. Connects again if the server has closed it while it was idle."""

    def __init__(self, url: str) -> None:
        self._connection = HTTPConnection(urlsplit(url).netloc, timeout=60)

    def post(self, path: str, body: dict[str, str]) -> bytes:
        head = {"Content-Type": "application/json", "X-Aforesaid-Space": "bench"}
        request = ("POST", f"/api/memory/{path}", json.dumps(body), head)
        try:
            answer = self._send(*request)
        except ConnectionError:  # includes RemoteDisconnected
            self._connection.close()
            answer = self._send(*request)
        read = answer.read()
        if answer.status >= 300:
            raise StateError(f"the server answered {answer.status}: {read[:200]!r}", status=str(answer.status))
        return read

    def close(self) -> None:
        self._connection.close()

    def _send(self, method: str, path: str, body: str, head: dict[str, str]) -> HTTPResponse:
        self._connection.request(method, path, body, head)
        return self._connection.getresponse()


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
        lines: list[str] = []
        url = None
        while url is None and (line := process.stderr.readline()):  # warnings may come first
            lines.append(line)
            url = READY_LINE.search(line)
        try:
            if url is None:
                raise StateError(f"the server did not start: {''.join(lines).strip()}", status="stopped")
            yield ServerProcess(url[0], process.pid)
        finally:
            process.terminate()
            process.wait()


BenchCall = Callable[[], object]
BenchCaller = Callable[[int], BenchCall]  # the call of one client, by its number

CALLS = ("add", "recall", "context")
NOTE = "milliseconds at the 50th and at the 95th percentile; the first bar is over HTTP"


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

    def pictures(self, source: str) -> dict[str, str]:
        caption = Caption("aforesaid bench load", NOTE, source)
        return {"": grouped_bar_chart(caption, dict(map(_chart_rows, self.loads)))}


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
                    with over_http(server.url, call) as caller:
                        http = run_clients(caller, number, seconds)
                    direct = run_clients(in_process(memory, call), number, seconds)
                    loads.append(LoadComparison(call, number, http, direct))
                    progress(len(loads), total)
    return LoadReport(messages, seconds, tuple(loads))


def run_clients(
    caller: BenchCaller, clients: int, seconds: float, begins: Callable[[], None] | None = None
) -> Throughput:
    """Each client calls as fast as it is answered, until the time is over. `begins` is called when all are ready."""
    begin = Barrier(clients, begins)

    def run_client(number: int) -> list[float]:
        call, taken = caller(number), []
        call()  # the first call fills the caches, and is not counted
        begin.wait()
        end = time.perf_counter() + seconds
        while (before := time.perf_counter()) < end:
            call()
            taken.append((time.perf_counter() - before) * 1000)
        return taken

    with ThreadPoolExecutor(clients) as pool:
        taken = [milliseconds for times in pool.map(run_client, range(clients)) for milliseconds in times]
    return Throughput(len(taken) / seconds, percentiles(taken))


def in_process(memory: Memory, call: str) -> BenchCaller:
    space, numbers = memory.space("bench"), count()

    def caller(number: int) -> BenchCall:
        talk, chat = ChatGenerator(number), space.conversation(f"c{number}")
        calls: dict[str, BenchCall] = {
            "add": lambda: space.conversation(f"new{next(numbers) % 64}").add("user", talk.message()),
            "recall": lambda: space.recall(talk.question()),
            "context": lambda: chat.context(talk.question()),
        }
        return calls[call]

    return caller


@contextmanager
def over_http(server: str, call: str) -> Iterator[BenchCaller]:
    """The same calls as requests; each client has its own keep-alive connection."""
    numbers = count()
    with ExitStack() as connections:

        def caller(number: int) -> BenchCall:
            talk, client = ChatGenerator(number), connections.enter_context(closing(BenchClient(server)))
            calls: dict[str, BenchCall] = {
                "add": lambda: client.post(
                    f"conversations/new{next(numbers) % 64}/messages", {"role": "user", "content": talk.message()}
                ),
                "recall": lambda: client.post("recall", {"query": talk.question()}),
                "context": lambda: client.post(f"conversations/c{number}/context", {"query": talk.question()}),
            }
            return calls[call]

        yield caller


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
