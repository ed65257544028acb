"""`aforesaid bench proxy`: milliseconds that the proxy adds to a request, without and with memory.

Each turn of a conversation is sent three times, in changing order: directly to the model service, through the proxy
with memory off, and through the proxy with memory. So load on the machine affects all three."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass, field
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

from aforesaid import Memory, Percentiles
from aforesaid.bench import Progress
from aforesaid.bench.charts import Caption, grouped_bar_chart
from aforesaid.bench.extract import utterances
from aforesaid.bench.load import running_server
from aforesaid.bench.report import percentiles
from aforesaid.bench.scripted_upstream import scripted_upstream
from aforesaid.bench.synthetic_chat import ChatGenerator
from aforesaid.errors import StateError

ROUTES = ("direct", "off", "memory")
NAMES = {"direct": "direct", "off": "proxy, memory off", "memory": "proxy, memory"}
MEASURES = ("whole answer", "stream, first byte", "stream, whole")
LIMIT = 15.0  # milliseconds that memory may add at the median, in a space of 1,000 messages on an idle machine
CONVERSATION_MESSAGES = 20  # of each stored conversation
STRIDE = 7  # between two utterances, so that neighbours differ
WARM_UP_TURNS = 4  # not counted: they fill the caches
NOTE = "milliseconds at the 50th and at the 95th percentile"

ChatTurn = dict[str, str]


@dataclass(frozen=True, slots=True)
class ProxyBenchOptions:
    """`turns` in all, in conversations of `turns_each`. The benchmark ends after `seconds`, whatever is left."""

    messages: int = 1000
    turns: int = 200
    turns_each: int = 8
    seconds: float = 300.0


@dataclass(frozen=True, slots=True)
class Elapsed:
    """Milliseconds until the first byte of the answer's body and until its end."""

    first: float
    whole: float
    text: str


@dataclass(frozen=True, slots=True)
class ProxyFigure:
    """The milliseconds of one measure by each route, and what the proxy adds to the direct request of the same turn."""

    measure: str
    turns: int
    milliseconds: Mapping[str, Percentiles]
    added: Mapping[str, Percentiles]

    @property
    def kept(self) -> bool:
        return self.added["memory"].p50 <= LIMIT


@dataclass(frozen=True, slots=True)
class ProxyReport:
    messages: int
    figures: tuple[ProxyFigure, ...]
    limit: float = LIMIT

    def to_json(self) -> str:
        rows = [asdict(figure) | {"kept": figure.kept} for figure in self.figures]
        return json.dumps({"messages": self.messages, "limit": self.limit, "figures": rows}, indent=2)

    def pictures(self, source: str) -> dict[str, str]:
        rows = {
            f"{figure.measure}, {name}": {
                NAMES[route]: getattr(figure.milliseconds[route], name) for route in reversed(ROUTES)
            }  # a chart highlights the first bar of a group
            for figure in self.figures
            for name in ("p50", "p95")
        }
        return {"": grouped_bar_chart(Caption("aforesaid bench proxy", NOTE, source), rows)}


class ChatClient:
    """One keep-alive connection to a model service or to the proxy."""

    def __init__(self, url: str, headers: Mapping[str, str]) -> None:
        place = urlsplit(url)
        self._path = f"{place.path}/chat/completions"
        self._headers = {"Content-Type": "application/json", "Authorization": "Bearer scripted", **headers}
        self._connection = HTTPConnection(place.netloc, timeout=60)

    def ask(self, messages: Sequence[ChatTurn], *, stream: bool) -> Elapsed:
        body = json.dumps({"model": "scripted", "messages": messages, "stream": stream})
        begin = time.perf_counter()
        self._connection.request("POST", self._path, body, self._headers)
        answer = self._connection.getresponse()
        read = answer.read(1)
        first = time.perf_counter()
        read += answer.read()
        end = time.perf_counter()
        if answer.status != 200:
            raise StateError(f"the server answered {answer.status}: {read[:200]!r}", status=str(answer.status))
        return Elapsed((first - begin) * 1000, (end - begin) * 1000, _answer_text(read, stream=stream))

    def close(self) -> None:
        self._connection.close()


@dataclass(slots=True)
class Measurements:
    """The milliseconds of every turn, by measure and route."""

    taken: dict[str, dict[str, list[float]]] = field(
        default_factory=lambda: {measure: {route: [] for route in ROUTES} for measure in MEASURES}
    )

    def add(self, route: str, elapsed: Elapsed, *, stream: bool) -> None:
        if stream:
            self.taken["stream, first byte"][route].append(elapsed.first)
            self.taken["stream, whole"][route].append(elapsed.whole)
        else:
            self.taken["whole answer"][route].append(elapsed.whole)

    def figures(self) -> Iterator[ProxyFigure]:
        for measure, routes in self.taken.items():
            if not routes["direct"]:
                continue
            direct = routes["direct"]
            added = {
                route: percentiles([ours - base for ours, base in zip(routes[route], direct, strict=True)])
                for route in ("off", "memory")
            }
            taken = {route: percentiles(values) for route, values in routes.items()}
            yield ProxyFigure(measure, len(direct), taken, added)


def run(options: ProxyBenchOptions, progress: Progress) -> ProxyReport:
    with TemporaryDirectory(prefix="aforesaid-bench-") as folder, ExitStack() as stack:
        store = Path(folder) / "proxy.db"
        fill_store(store, options.messages)
        upstream = stack.enter_context(scripted_upstream())
        proxy = stack.enter_context(running_server(store, "--upstream", upstream)).url + "/v1"
        space = {"X-Aforesaid-Space": "bench"}
        clients = {
            "direct": ChatClient(upstream, {}),
            "off": ChatClient(proxy, space | {"X-Aforesaid-Memory": "off"}),
            "memory": ChatClient(proxy, space),
        }
        for client in clients.values():
            stack.enter_context(closing(client))
        return ProxyReport(options.messages, tuple(measure(clients, options, progress).figures()))


def measure(clients: Mapping[str, ChatClient], options: ProxyBenchOptions, progress: Progress) -> Measurements:
    """Growing conversations: each one is streamed or not, and the next one is new to the memory."""
    asked, taken = bench_questions(seed=4), Measurements()
    history: list[ChatTurn] = []
    end = time.perf_counter() + options.seconds
    for number in range(-WARM_UP_TURNS, options.turns):
        if time.perf_counter() > end:
            break
        conversation, turn = divmod(number, options.turns_each)
        history = [*(history if turn else ()), {"role": "user", "content": next(asked)}]
        stream, answer = conversation % 2 == 1, ""
        for route in (*ROUTES[number % 3 :], *ROUTES[: number % 3]):
            elapsed = clients[route].ask(history, stream=stream)
            answer = elapsed.text if route == "memory" else answer
            if number >= 0:
                taken.add(route, elapsed, stream=stream)
        history.append({"role": "assistant", "content": answer})
        progress(max(0, number + 1), options.turns)
    return taken


def fill_store(file: Path, messages: int) -> None:
    """Stores conversations with everything that is derived from them."""
    asked, talk = bench_questions(seed=1), ChatGenerator(seed=2)
    with Memory(file, worker=False, synchronous="normal") as memory:
        for start in range(0, messages, CONVERSATION_MESSAGES):
            roles = ["assistant" if at % 2 else "user" for at in range(min(CONVERSATION_MESSAGES, messages - start))]
            chat = memory.space("bench").conversation(f"c{start}")
            chat.add_many(
                {"role": role, "content": next(asked) if role == "user" else talk.message()} for role in roles
            )
        memory.flush(3600)


def bench_questions(seed: int) -> Iterator[str]:
    """Users' messages without end: an utterance of `bench extract`, most of which state a fact, and a question."""
    said, talk = [one.text for one in utterances() if one.language == "en"], ChatGenerator(seed)
    for at in count(seed, STRIDE):
        yield f"{said[at % len(said)]} {talk.question()}"


def _answer_text(read: bytes, *, stream: bool) -> str:
    if not stream:
        return str(json.loads(read)["choices"][0]["message"]["content"])
    events = [json.loads(line[6:]) for line in read.split(b"\n") if line.startswith(b"data: {")]
    return "".join(event["choices"][0]["delta"].get("content", "") for event in events)
