"""`recollect bench load`: how many requests a second the server takes, beside the same calls in-process."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Barrier

from recollect import Memory, Percentiles
from recollect.bench.client import Client, served
from recollect.bench.picture import groups
from recollect.bench.speed import percentiles
from recollect.bench.talk import Talk

Progress = Callable[[int, int], None]  # done, total
Call = Callable[[], object]
Caller = Callable[[int], Call]  # the call of one client, by its number

CALLS = ("add", "recall", "context")
NOTE = "milliseconds at the middle and at the 95th percentile; the first bar is over HTTP"


@dataclass(frozen=True, slots=True)
class Taken:
    """What so many clients got in a time: calls a second, and milliseconds each."""

    per_second: float
    milliseconds: Percentiles


@dataclass(frozen=True, slots=True)
class Load:
    """One call, by so many clients at once: over HTTP, and in threads of one process."""

    call: str
    clients: int
    http: Taken
    direct: Taken

    @property
    def ratio(self) -> float:
        """The share of the in-process calls a second that come through HTTP."""
        return self.http.per_second / self.direct.per_second


@dataclass(frozen=True, slots=True)
class LoadReport:
    messages: int
    seconds: float
    loads: tuple[Load, ...]

    def to_json(self) -> str:
        rows = [asdict(load) | {"ratio": load.ratio} for load in self.loads]
        return json.dumps({"messages": self.messages, "seconds": self.seconds, "loads": rows}, indent=2)

    def write(self, folder: Path) -> list[Path]:
        """A JSON file and a picture."""
        folder.mkdir(parents=True, exist_ok=True)
        data, picture = folder / "load.json", folder / "load.svg"
        data.write_text(self.to_json() + "\n", "utf-8")
        picture.write_text(groups("recollect bench load", dict(map(_bars, self.loads)), note=NOTE), "utf-8")
        return [data, picture]


def run(clients: Sequence[int], messages: int, seconds: float, progress: Progress) -> LoadReport:
    """Each call by each number of clients, over HTTP and in-process turn about, on files that hold the same."""
    with TemporaryDirectory(prefix="recollect-bench-") as folder:
        files = [Path(folder) / "http.db", Path(folder) / "direct.db"]
        for file in files:
            _fill(file, messages)
        loads, total = [], len(CALLS) * len(clients)
        with served(files[0]) as server, Memory(files[1]) as memory:
            for call in CALLS:
                for number in clients:
                    with over_http(server.url, call) as http:
                        taken = hammer(http, number, seconds)
                    loads.append(Load(call, number, taken, hammer(directly(memory, call), number, seconds)))
                    progress(len(loads), total)
    return LoadReport(messages, seconds, tuple(loads))


def hammer(caller: Caller, clients: int, seconds: float, begins: Callable[[], None] | None = None) -> Taken:
    """So many clients, each calling as fast as it is answered, until the time is over. `begins` is called when all of
    them are ready."""
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
    return Taken(len(every) / seconds, percentiles(every))


def directly(memory: Memory, call: str) -> Caller:
    space, said = memory.space("bench"), count()

    def caller(number: int) -> Call:
        talk, chat = Talk(number), space.conversation(f"c{number}")
        calls: dict[str, Call] = {
            "add": lambda: space.conversation(f"new{next(said) % 64}").add("user", talk.message()),
            "recall": lambda: space.recall(talk.question()),
            "context": lambda: chat.context(talk.question()),
        }
        return calls[call]

    return caller


@contextmanager
def over_http(server: str, call: str) -> Iterator[Caller]:
    """The same calls as requests, each client on a connection of its own that is kept open."""
    said, opened = count(), list[Client]()

    def caller(number: int) -> Call:
        talk, client = Talk(number), Client(server)
        opened.append(client)
        calls: dict[str, Call] = {
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
    """A space of so many messages in 32 conversations, embedded."""
    talk, each = Talk(seed=1), max(1, messages // 32)
    with Memory(file, worker=False, synchronous="normal") as memory:
        for number in range(32):
            memory.space("bench").conversation(f"c{number}").add_many(talk.messages(each))
        memory.flush(3600)


def _bars(load: Load) -> tuple[str, dict[str, float]]:
    http, direct = load.http.milliseconds, load.direct.milliseconds
    name = f"{load.call}, {load.clients} client{'s' if load.clients > 1 else ''}"
    return name, {
        "HTTP, p50": http.p50,
        "HTTP, p95": http.p95,
        "in-process, p50": direct.p50,
        "in-process, p95": direct.p95,
    }
