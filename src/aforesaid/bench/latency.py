"""`aforesaid bench latency`: latency of add, recall and context, and the size of the store."""

from __future__ import annotations

import sqlite3
import time
import uuid
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from aforesaid import Memory
from aforesaid.bench import timing
from aforesaid.bench.report import BenchReport, Figure
from aforesaid.bench.synthetic_chat import ChatGenerator

Progress = Callable[[int, int], None]  # done, total

ADDS = 2_000  # or a tenth of the large file, where that is less
QUESTIONS = 300  # or one a message of the space, where that is less
SPACE = 10_000  # messages in the space that is searched
BATCH = 500


def run(messages: int, sizes: Sequence[int], progress: Progress) -> BenchReport:
    """`messages` is the size of the large file; the small one has 10,000, or a tenth of it where that is less.
    `sizes` are those of the spaces in which `recall` and `context` are measured."""
    with TemporaryDirectory(prefix="aforesaid-bench-") as folder:
        figures = [
            *measure_add(Path(folder), min(ADDS, max(1, messages // 10)), progress),
            *measure_recall(Path(folder), messages, progress),
            *measure_size(Path(folder), max(1, messages // 10), progress),
        ]
        speeds = [timing.measure_speed(Path(folder), size, progress) for size in sizes]
    return BenchReport(
        "aforesaid bench latency",
        (*figures, *(figure for one in speeds for figure in one.figures)),
        tuple(stage for one in speeds for stage in one.stages),
    )


def measure_add(folder: Path, adds: int, progress: Progress) -> list[Figure]:
    """One durable message at a time, turn and turn about with an INSERT and COMMIT by hand."""
    talk = ChatGenerator(seed=1)
    with Memory(folder / "add.db") as memory:
        chat = memory.conversation("bench")
        writers: dict[str, Callable[[str], object]] = {
            "aforesaid": lambda text: chat.add("user", text),
            "wal": _sqlite_writer(folder / "wal.db", "wal"),
            "journal": _sqlite_writer(folder / "journal.db", "delete"),
        }
        taken: dict[str, list[float]] = {name: [] for name in writers}
        for done in range(adds):
            text = talk.message()
            for name, write in writers.items():
                taken[name].append(_seconds(write, text))
            progress(done + 1, adds)
    ours = taken["aforesaid"]
    return [
        _timing("add, against a bare INSERT and COMMIT", ours, taken["journal"], "sqlite3 as it comes", 1.5),
        _timing("add, against the same with a write-ahead log", ours, taken["wal"], "sqlite3, journal_mode=wal"),
    ]


def measure_recall(folder: Path, messages: int, progress: Progress) -> list[Figure]:
    """By words, in a space inside a large file and in a file of its own."""
    size = min(SPACE, max(1, messages // 10))
    small, large = folder / "small.db", folder / "large.db"
    with Memory(small, embedder="none", worker=False, synchronous="normal") as memory:
        _fill(memory, "mine", 0, size, progress)
    with Memory(large, embedder="none", worker=False, synchronous="normal") as memory:
        for number in range(max(1, messages // size)):
            _fill(memory, "mine" if number == 0 else f"other{number}", number, size, progress)
    with (
        Memory(small, embedder="none", worker=False) as one,
        Memory(large, embedder="none", worker=False) as two,
    ):
        talk, alone, inside = ChatGenerator(seed=2), [], []
        for done in range(min(QUESTIONS, size)):
            question = talk.question()
            alone.append(_seconds(one.space("mine").recall, question))
            inside.append(_seconds(two.space("mine").recall, question))
            progress(done + 1, min(QUESTIONS, size))
    name = f"lexical recall, {size:,} messages inside {messages:,}"
    return [_timing(name, inside, alone, f"a file of those {size:,}", 2.0)]


def measure_size(folder: Path, messages: int, progress: Progress) -> list[Figure]:
    """The file with vectors, and the full-text index against the text."""
    with Memory(folder / "room.db", worker=False, synchronous="normal") as memory:
        _fill(memory, "mine", 0, messages, progress)
        timing.embed(memory, progress)
        size = memory.size()
    gigabyte = 1_000_000_000 * messages / 100_000
    return [
        Figure(f"file of {messages:,} messages with vectors", "bytes", size["file"], gigabyte, "1 GB per 100,000", 1.0),
        Figure("full-text index, against the text", "bytes", size["full_text"], size["text"], "the text", 0.5),
    ]


def _fill(memory: Memory, space: str, seed: int, messages: int, progress: Progress) -> None:
    batch = list(ChatGenerator(seed).messages(messages))
    for start in range(0, messages, BATCH):
        memory.space(space).conversation(f"c{start}").add_many(batch[start : start + BATCH])
        progress(min(start + BATCH, messages), messages)


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


def _seconds(work: Callable[[str], object], text: str) -> float:
    begin = time.perf_counter()
    work(text)
    return time.perf_counter() - begin


def _timing(
    name: str, ours: Sequence[float], base: Sequence[float], base_name: str, most: float | None = None
) -> Figure:
    return Figure(name, "ms", median(ours) * 1000, median(base) * 1000, base_name, most)
