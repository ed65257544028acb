"""`aforesaid bench latency`: latency of add, recall and context, and the size of the store.

The baselines of recall and context use FTS5 and numpy. Calls that are compared alternate, so that load on the machine
affects all of them."""

from __future__ import annotations

import sqlite3
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from aforesaid import Memory
from aforesaid.bench import Progress
from aforesaid.bench.report import BenchReport, Figure, StageTiming, percentiles
from aforesaid.bench.synthetic_chat import ChatGenerator, embed_all, fill_space
from aforesaid.bench.systems import SqliteBaseline, embedder_of
from aforesaid.errors import InvalidInput

Calls = Mapping[str, Callable[[str], object]]

ADDS = 2_000  # or a tenth of the messages of the large file, if that is less
LEXICAL_QUESTIONS = 300  # or one per message of the space, if that is less
SPACE = 10_000  # messages in the space that is searched
QUESTIONS = 200  # or one per message of the space, if that is less
WARM_UP_QUESTIONS = 5  # not counted: they fill the caches
BASELINE_NAME = "plain FTS5 + numpy"
STOPWORD_BASELINE_NAME = "the same, stop words out"  # faster, because no common word is looked up
PROMISED_AT, PROMISE = 100_000, 1.5  # context p50, against the baseline
MAX_RECALL_MS = 200.0  # recall p95 in a space of that size
CONTEXT_RATIOS = {1_000: 5.0, 10_000: 2.0, 100_000: 1.2}  # context p50, against the baseline without stop words
SMALL_SPACE = 1_000  # messages
MAX_SMALL_MS = {"context": 8.0, "recall": 3.0}  # p50 in a space of that size
MAX_RECEIPT_BYTES = 2_000  # that a context leaves behind
RECEIPT_SIZES = "SELECT length(body) + length(messages) + length(items) FROM receipts"


def run(messages: int, sizes: Sequence[int], progress: Progress) -> BenchReport:
    """`messages` is the size of the large file; the small one has 10,000, or a tenth of it if that is less.
    `sizes` are the sizes of the spaces in which `recall` and `context` are measured."""
    with TemporaryDirectory(prefix="aforesaid-bench-") as name:
        folder = Path(name)
        figures = [
            *measure_add(folder, min(ADDS, max(1, messages // 10)), progress),
            *measure_lexical_recall(folder, messages, progress),
            *measure_size(folder, max(1, messages // 10), progress),
        ]
        stages: list[StageTiming] = []
        for size in sizes:
            calls, stages_of_calls = measure_speed(folder, size, progress)
            figures += [*_speed_figures(size, calls), _receipt_figure(folder, size)]
            stages += [StageTiming(size, name, "call", percentiles(taken)) for name, taken in calls.items()]
            stages += stages_of_calls
    return BenchReport("aforesaid bench latency", tuple(figures), tuple(stages))


def measure_add(folder: Path, adds: int, progress: Progress) -> list[Figure]:
    """One durable message at a time, alternating with an INSERT and COMMIT in sqlite3; then with and without a worker,
    without a pause in between."""
    with Memory(folder / "add.db") as memory, Memory(folder / "idle.db", worker=False) as idle:
        chat, alone = memory.conversation("bench"), idle.conversation("bench")
        writers: Calls = {
            "aforesaid": lambda text: chat.add("user", text),
            "wal": _sqlite_writer(folder / "wal.db", "wal"),
            "journal": _sqlite_writer(folder / "journal.db", "delete"),
        }
        taken = time_interleaved(writers, progress, adds, ChatGenerator(seed=1).message)
        memory.flush()
        pair: Calls = {"worker": writers["aforesaid"], "alone": lambda text: alone.add("user", text)}
        taken |= time_interleaved(pair, progress, adds, ChatGenerator(seed=5).message)
    ours, wal, journal, worker, without = (percentiles(each) for each in taken.values())
    return [
        Figure("add, against a bare INSERT and COMMIT", "ms", ours.p50, journal.p50, "sqlite3 as it comes", 1.5),
        Figure("add, against the same with a write-ahead log", "ms", ours.p50, wal.p50, "sqlite3, journal_mode=wal"),
        Figure("add in a loop, p50, with the worker", "ms", worker.p50, without.p50, "without it"),
        Figure("add in a loop, p95, with the worker", "ms", worker.p95, without.p95, "without it"),
    ]


def measure_lexical_recall(folder: Path, messages: int, progress: Progress) -> list[Figure]:
    """Full-text search in a space inside a large file, and in a file of its own."""
    size = min(SPACE, max(1, messages // 10))
    small, large = folder / "small.db", folder / "large.db"
    with Memory(small, embedder="none", worker=False, synchronous="normal") as memory:
        fill_space(memory, "mine", size, progress, seed=0)
    with Memory(large, embedder="none", worker=False, synchronous="normal") as memory:
        for number in range(max(1, messages // size)):
            fill_space(memory, "mine" if number == 0 else f"other{number}", size, progress, seed=number)
    with (
        Memory(small, embedder="none", worker=False) as alone,
        Memory(large, embedder="none", worker=False) as inside,
    ):
        calls: Calls = {"alone": alone.space("mine").recall, "inside": inside.space("mine").recall}
        taken = time_interleaved(
            calls, progress, min(LEXICAL_QUESTIONS, size), ChatGenerator(seed=2).question, warm_up=0
        )
    ours, base = (percentiles(taken[name]).p50 for name in ("inside", "alone"))
    name = f"lexical recall, {size:,} messages inside {messages:,}"
    return [Figure(name, "ms", ours, base, f"a file of those {size:,}", 2.0)]


def measure_size(folder: Path, messages: int, progress: Progress) -> list[Figure]:
    """The file with vectors, and the full-text index against the text."""
    with Memory(folder / "room.db", worker=False, synchronous="normal") as memory:
        fill_space(memory, "mine", messages, progress, seed=0)
        embed_all(memory, progress)
        size = memory.size()
    gigabyte = 1_000_000_000 * messages / 100_000
    return [
        Figure(f"file of {messages:,} messages with vectors", "bytes", size["file"], gigabyte, "1 GB per 100,000", 1.0),
        Figure("full-text index, against the text", "bytes", size["full_text"], size["text"], "the text", 0.5),
    ]


def measure_speed(
    folder: Path, size: int, progress: Progress
) -> tuple[Mapping[str, Sequence[float]], list[StageTiming]]:
    """The milliseconds of each call in one space of `size` messages, and the stages of recall and context."""
    with Memory(folder / f"{size}.db", worker=False, synchronous="normal") as memory:
        model = embedder_of(memory)
        if model is None:
            raise InvalidInput("without an embedder there is no baseline to compare with; unset AFORESAID_EMBEDDER")
        fill_space(memory, "mine", size, progress, seed=3)
        embed_all(memory, progress)
        with closing(SqliteBaseline(folder / f"{size}-by-hand.db", model)) as baseline:
            baseline.add([message["content"] for message in ChatGenerator(seed=3).messages(size)])
            calls: Calls = {
                "recall": memory.space("mine").recall,
                BASELINE_NAME: baseline.plain,
                "context": memory.space("mine").conversation("c0").context,
                STOPWORD_BASELINE_NAME: baseline.search,
            }
            return time_interleaved(calls, progress, min(QUESTIONS, size)), _stages(memory, size)


def time_interleaved(
    calls: Calls,
    progress: Progress,
    count: int,
    make_text: Callable[[], str] | None = None,
    warm_up: int = WARM_UP_QUESTIONS,
) -> dict[str, list[float]]:
    """The milliseconds of each call for each of `count` texts; by default, questions."""
    make_text = make_text or ChatGenerator(seed=4).question
    taken = {name: list[float]() for name in calls}
    for done in range(warm_up + count):
        text = make_text()
        for name, call in calls.items():
            begin = time.perf_counter()
            call(text)
            if done >= warm_up:
                taken[name].append((time.perf_counter() - begin) * 1000)
        progress(done + 1, warm_up + count)
    return taken


def _speed_figures(size: int, taken: Mapping[str, Sequence[float]]) -> list[Figure]:
    recall, context, hand, strict = (
        percentiles(taken[name]) for name in ("recall", "context", BASELINE_NAME, STOPWORD_BASELINE_NAME)
    )
    promised = size == PROMISED_AT
    most, name = PROMISE if promised else None, f"context, p50, {size:,} messages"
    figures = [
        Figure(f"recall, p50, {size:,} messages", "ms", recall.p50, hand.p50, BASELINE_NAME),
        Figure(name, "ms", context.p50, hand.p50, BASELINE_NAME, most),
        Figure(name, "ms", context.p50, strict.p50, STOPWORD_BASELINE_NAME, CONTEXT_RATIOS.get(size)),
    ]
    if size == SMALL_SPACE:
        figures += [
            Figure(f"{call}, p50, {size:,} messages", "ms", percentiles(taken[call]).p50, most, "the promise", 1.0)
            for call, most in MAX_SMALL_MS.items()
        ]
    slowest = Figure(f"recall, p95, {size:,} messages", "ms", recall.p95, MAX_RECALL_MS, "the promise", 1.0)
    return [*figures, slowest] if promised else figures


def _receipt_figure(folder: Path, size: int) -> Figure:
    """The median size of the receipts that the contexts have left behind."""
    with closing(sqlite3.connect(folder / f"{size}.db")) as connection:
        sizes = [float(bytes) for (bytes,) in connection.execute(RECEIPT_SIZES)]
    name = f"receipt of a context, {size:,} messages"
    return Figure(name, "bytes", percentiles(sizes).p50, MAX_RECEIPT_BYTES, "2 kB", 1.0)


def _stages(memory: Memory, size: int) -> list[StageTiming]:
    """The stages that the retrievals recorded, with those of the warm-up."""
    by_stage: dict[tuple[str, str], list[float]] = {}
    for retrieval in memory.retrievals("mine", limit=2 * (WARM_UP_QUESTIONS + QUESTIONS)):
        for stage, milliseconds in retrieval.milliseconds.items():
            by_stage.setdefault((retrieval.kind, stage), []).append(milliseconds)
    return [StageTiming(size, kind, stage, percentiles(taken)) for (kind, stage), taken in sorted(by_stage.items())]


def _sqlite_writer(path: Path, journal: str) -> Callable[[str], object]:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute(f"PRAGMA journal_mode = {journal}")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE messages (id TEXT PRIMARY KEY, content TEXT)")

    def insert(text: str) -> None:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO messages VALUES (?, ?)", (str(uuid.uuid4()), text))
        connection.execute("COMMIT")

    return insert
