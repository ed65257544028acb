"""`aforesaid bench peers`: other memory stores beside aforesaid, with the same messages, vectors and questions.

Each peer runs in processes of its own, by the Python of an environment that is made for it. `drivers/` has one file per
peer; aforesaid never imports them. A peer that cannot be installed or fails is in the report with the reason.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path
from statistics import fmean, median
from tempfile import TemporaryDirectory

from aforesaid import Embedder, Memory
from aforesaid.bench import Progress, metrics
from aforesaid.bench.charts import Caption, grouped_bar_chart
from aforesaid.bench.dataset import Haystack, MessageRecord, prompt_line
from aforesaid.bench.peer_process import Peer, PeerFailed, PeerFiles, PeerProcess, python_of, running_peer
from aforesaid.bench.suite import BenchmarkData
from aforesaid.bench.synthetic_chat import ChatGenerator
from aforesaid.bench.systems import embedder_of
from aforesaid.errors import InvalidInput

HITS = 10
THREADS, THREAD_ADDS = 8, 400
PROCESSES, PROCESS_ADDS = 4, 200
NOTE = "each measure has a scale of its own; recall: longer is better, all others: shorter is better"


EXTENSIBLE_SQLITE = () if hasattr(sqlite3.Connection, "enable_load_extension") else ("pysqlite3-binary==0.5.4",)
OURS = Peer("aforesaid", "aforesaid_store.py")
PEERS = (
    Peer("mem0", "mem0_store.py", ("mem0ai==2.2.1", "langchain")),
    Peer("langgraph", "langgraph_store.py", ("langgraph-checkpoint-sqlite==3.1.2", *EXTENSIBLE_SQLITE)),
    Peer("chroma", "chroma_store.py", ("chromadb==1.5.9",)),
    Peer("mempalace", "mempalace_store.py", ("mempalace==3.11.0",)),
    Peer("fts5", "fts5_store.py"),
)


@dataclass(frozen=True, slots=True)
class WriteOutcome:
    """Concurrent adds: how many raised an error, and how many raised none but are not in the store afterwards."""

    adds: int
    errors: int
    lost: int
    first_error: str = ""

    @property
    def failed(self) -> int:
        return self.errors + self.lost

    @property
    def remark(self) -> str:
        first = f"; first error: {self.first_error}" if self.first_error else ""
        return f"of {self.adds} adds, {self.errors} raised an error and {self.lost} were lost without one{first}"


@dataclass(frozen=True, slots=True)
class PeerFigures:
    recall: float
    add_milliseconds: float
    search_milliseconds: float
    disk_bytes: int
    changed_texts: int  # texts that the store changed before it asked for their vectors
    threads: WriteOutcome
    processes: WriteOutcome


@dataclass(frozen=True, slots=True)
class HaystackFigures:
    """One value per question, per add and per search in one haystack."""

    recalls: Sequence[float]
    adds: Sequence[float]
    searches: Sequence[float]
    disk_bytes: int
    changed_texts: int


@dataclass(frozen=True, slots=True)
class PeerResult:
    """Either figures, or the reason why there are none."""

    name: str
    requirements: tuple[str, ...]
    figures: PeerFigures | None
    failure: str = ""

    @property
    def remarks(self) -> list[str]:
        """What a reader should know beside the figures."""
        if self.figures is None:
            return [f"{self.name} failed: {self.failure}"]
        outcomes = {f"{THREADS} threads": self.figures.threads, f"{PROCESSES} processes": self.figures.processes}
        remarks = [f"{self.name}, {name}: {outcome.remark}" for name, outcome in outcomes.items() if outcome.failed]
        if self.figures.changed_texts:
            remarks.append(f"{self.name} changed {self.figures.changed_texts:,} texts before it embedded them")
        return remarks


@dataclass(frozen=True, slots=True)
class PeersReport:
    title: str
    messages: int
    questions: int
    results: tuple[PeerResult, ...]

    @property
    def remarks(self) -> list[str]:
        return [remark for result in self.results for remark in result.remarks]

    def to_json(self) -> str:
        return json.dumps(asdict(self), indent=2)

    def pictures(self, source: str) -> dict[str, str]:
        title = f"aforesaid bench peers: {self.title}, {self.messages:,} messages, {self.questions:,} questions"
        return {"": grouped_bar_chart(Caption(title, NOTE, source), self._chart_rows(), own_scales=True)}

    def _chart_rows(self) -> dict[str, dict[str, float]]:
        measures: dict[str, Callable[[PeerFigures], float]] = {
            f"recall@{HITS}": lambda figures: figures.recall,
            "add, p50 ms": lambda figures: figures.add_milliseconds,
            "search, p50 ms": lambda figures: figures.search_milliseconds,
            "disk, MB": lambda figures: figures.disk_bytes / 1e6,
            f"adds failed, {THREADS} threads, of {THREAD_ADDS}": lambda figures: figures.threads.failed,
            f"adds failed, {PROCESSES} processes, of {PROCESS_ADDS}": lambda figures: figures.processes.failed,
        }
        return {
            name: {result.name: measure(result.figures) for result in self.results if result.figures}
            for name, measure in measures.items()
        }


def selected_peers(names: str | None) -> tuple[Peer, ...]:
    """The peers of a list such as "chroma,langgraph"; all for None."""
    known = {peer.name: peer for peer in PEERS}
    wanted = list(known) if names is None else [name.strip() for name in names.split(",")]
    unknown = [name for name in wanted if name not in known]
    if unknown:
        raise InvalidInput(f"--only takes names of {', '.join(known)}, not {unknown[0]!r}")
    return tuple(known[name] for name in dict.fromkeys(wanted))


def run(data: BenchmarkData, peers: Sequence[Peer], cache: Path, progress: Progress) -> PeersReport:
    """Measures aforesaid and the peers. Each haystack is measured in all stores before the next one, so that what else
    the machine does meanwhile changes all times alike. The environments are in `cache` and remain there."""
    haystacks = [haystack for haystack in data.haystacks if any(question.gold for question in haystack.questions)]
    if not haystacks:
        raise InvalidInput("no question of the file names the messages that answer it; use a file with evidence")
    systems, ticks, model = (OURS, *peers), count(1), default_embedder()
    total = len(systems) * (len(haystacks) + 1)
    results = []
    with TemporaryDirectory(prefix="aforesaid-bench-", ignore_cleanup_errors=True) as folder:
        runs = [PeerRun(peer, Path(folder) / peer.name, cache, model) for peer in systems]
        for haystack in haystacks:
            for one in runs:
                one.measure(haystack)
                progress(next(ticks), total)
        for one in runs:
            results.append(one.result())
            progress(next(ticks), total)
    messages = sum(len(session.messages) for haystack in haystacks for session in haystack.sessions)
    questions = sum(bool(question.gold) for haystack in haystacks for question in haystack.questions)
    return PeersReport(data.benchmark.title, messages, questions, tuple(results))


def default_embedder() -> Embedder:
    with Memory(":memory:", worker=False, environment={}) as memory:
        model = embedder_of(memory)
    if model is None:
        raise InvalidInput("the default embedder is not available, so the peers have no vectors")
    return model


class PeerRun:
    """The measurement of one peer. Stores are in `folder`, environments in `cache`. After a failure, nothing more is
    measured."""

    def __init__(self, peer: Peer, folder: Path, cache: Path, embedder: Embedder) -> None:
        self._peer, self._folder, self._cache, self._embedder = peer, folder, cache, embedder
        self._parts: list[HaystackFigures] = []
        self._failure = ""

    def measure(self, haystack: Haystack) -> None:
        """Adds the messages of a haystack to a new store one by one, then asks its questions."""
        if not self._failure:
            try:
                self._parts.append(self._haystack_figures(haystack))
            except PeerFailed as failure:
                self._failure = str(failure)

    def result(self) -> PeerResult:
        """The figures of all haystacks and of concurrent adds, or the first failure."""
        figures = None
        if not self._failure:
            try:
                figures = self._figures()
            except PeerFailed as failure:
                self._failure = str(failure)
        return PeerResult(self._peer.name, self._peer.requirements, figures, self._failure)

    def _figures(self) -> PeerFigures:
        parts = self._parts
        return PeerFigures(
            recall=fmean(recall for part in parts for recall in part.recalls),
            add_milliseconds=median(taken for part in parts for taken in part.adds),
            search_milliseconds=median(taken for part in parts for taken in part.searches),
            disk_bytes=sum(part.disk_bytes for part in parts),
            changed_texts=sum(part.changed_texts for part in parts),
            threads=self._concurrent(1, THREAD_ADDS),
            processes=self._concurrent(PROCESSES, PROCESS_ADDS),
        )

    def _haystack_figures(self, haystack: Haystack) -> HaystackFigures:
        questions = [question for question in haystack.questions if question.gold]
        asked = [question.text for question in questions]
        files = self._files(f"{len(self._parts)}", [*map(prompt_line, haystack.messages()), *asked])
        with self._process(files) as process:
            process.call("open", now=haystack.now.isoformat() if haystack.now else None)
            before = process.other_texts
            added = process.call("add", messages=_records(haystack), threads=1)
            if added["failures"]:
                raise PeerFailed(f"{len(added['failures'])} adds failed: {added['failures'][0]}")
            found = process.call("search", questions=asked, limit=HITS)
            process.call("close")
        rankings = zip(found["rankings"], questions, strict=True)
        recalls = [metrics.recall(ranking, question.gold, HITS) for ranking, question in rankings]
        changed = process.other_texts - before
        return HaystackFigures(recalls, added["milliseconds"], found["milliseconds"], files.disk_bytes, changed)

    def _concurrent(self, processes: int, adds: int) -> WriteOutcome:
        """Adds messages to an existing store: by one process with several threads, or by several processes. Then a new
        process lists what is stored."""
        messages = _generated_messages(adds)
        files = self._files(f"{processes}-processes", [message["text"] for message in messages])
        with self._process(files) as first:
            first.call("open", now=None)
            first.call("close")
        with ExitStack() as running:
            drivers = [running.enter_context(self._process(files)) for _ in range(processes)]
            failures = _add_together(drivers, messages, THREADS if processes == 1 else 1)
        with self._process(files) as reader:
            reader.call("open", now=None)
            stored = set(reader.call("ids")["ids"])
        lost = max(0, adds - len(failures) - len(stored))
        return WriteOutcome(adds, len(failures), lost, failures[0] if failures else "")

    def _files(self, name: str, texts: Sequence[str]) -> PeerFiles:
        return PeerFiles.create(self._folder / name, list(dict.fromkeys(texts)), self._embedder)

    def _process(self, files: PeerFiles) -> AbstractContextManager[PeerProcess]:
        return running_peer(python_of(self._peer, self._cache), self._peer, files, self._embedder)


def _add_together(drivers: Sequence[PeerProcess], messages: Sequence[MessageRecord], threads: int) -> list[str]:
    """Each driver adds its share of the messages at the same time. Returns the error of each add that failed."""
    shares = [list(messages[at :: len(drivers)]) for at in range(len(drivers))]
    failures: list[str] = []
    working = []
    for driver in drivers:
        driver.send("open", now=None)
    for driver, share in zip(drivers, shares, strict=True):
        try:
            driver.receive()
            working.append((driver, share))
        except PeerFailed as failure:
            failures += [str(failure)] * len(share)
    for driver, share in working:
        driver.send("add", messages=share, threads=threads)
    for driver, share in working:
        try:
            failures += driver.receive()["failures"]
            driver.call("close")
        except PeerFailed as failure:  # it ended before it answered: what is stored shows what was lost
            failures.append(f"{failure} (of {len(share)} adds)")
    return failures


def _generated_messages(number: int) -> list[MessageRecord]:
    talk = ChatGenerator(seed=1)
    texts = [f"{talk.message()} ({at})" for at in range(number)]
    return [
        {"id": f"m{at}", "session": f"c{at % THREADS}", "role": "user", "content": text, "text": text}
        for at, text in enumerate(texts)
    ]


def _records(haystack: Haystack) -> list[MessageRecord]:
    """The messages with what a store without roles and names gets (`text`)."""
    return [
        {**message, "text": prompt_line(message), "session": session.id}
        for session in haystack.sessions
        for message in session.messages
    ]
