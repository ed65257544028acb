"""Latency of `recall` and `context` by space size and stage, against FTS5 and numpy."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from aforesaid import Memory, Percentiles
from aforesaid.bench.report import Figure, StageTiming
from aforesaid.bench.synthetic_chat import ChatGenerator
from aforesaid.bench.systems import SqliteBaseline, embedder_of
from aforesaid.errors import InvalidInput

Progress = Callable[[int, int], None]  # done, total
Calls = Mapping[str, Callable[[str], object]]

QUESTIONS = 200  # or one a message of the space, where that is less
WARM_UP_QUESTIONS = 5  # questions before those that count: what is read once is in memory then
BATCH = 500
PROGRESS_INTERVAL = 50  # batches of background work
BASELINE_NAME = "plain FTS5 + numpy"
STOPWORD_BASELINE_NAME = (
    "the same, stop words out"  # by our own list of them; faster, since no common word is looked up
)
PROMISED_AT, PROMISE = 100_000, 1.5  # context p50, against by hand
MAX_RECALL_MS = 200.0  # recall p95 in a space of that size


@dataclass(frozen=True, slots=True)
class SpeedResult:
    figures: tuple[Figure, ...]
    stages: tuple[StageTiming, ...]


def measure_speed(folder: Path, size: int, progress: Progress) -> SpeedResult:
    """In one space of `size` messages. The calls take turns, so that a noisy moment is everybody's."""
    texts = list(ChatGenerator(seed=3).messages(size))
    with Memory(folder / f"{size}.db", worker=False, synchronous="normal") as memory:
        model = embedder_of(memory)
        if model is None:
            raise InvalidInput("without an embedder there is nothing to compare with; unset AFORESAID_EMBEDDER")
        fill(memory, texts, progress)
        chat = memory.space("mine").conversation("c0")
        with closing(SqliteBaseline(folder / f"{size}-by-hand.db", model)) as hand:
            hand.add([one["content"] for one in texts])
            calls: Calls = {
                "recall": memory.space("mine").recall,
                BASELINE_NAME: hand.plain,
                "context": chat.context,
                STOPWORD_BASELINE_NAME: hand.search,
            }
            taken = time_interleaved(calls, progress, min(QUESTIONS, size))
        stages = _stages(memory, size)
    calls_taken = [StageTiming(size, name, "call", percentiles(of)) for name, of in taken.items()]
    return SpeedResult(_figures(size, taken), (*calls_taken, *stages))


def _figures(size: int, taken: Mapping[str, Sequence[float]]) -> tuple[Figure, ...]:
    recall, context, hand, strict = (
        percentiles(taken[name]) for name in ("recall", "context", BASELINE_NAME, STOPWORD_BASELINE_NAME)
    )
    promised = size == PROMISED_AT
    figures = (
        Figure(f"recall, p50, {size:,} messages", "ms", recall.p50, hand.p50, BASELINE_NAME),
        Figure(
            f"context, p50, {size:,} messages",
            "ms",
            context.p50,
            hand.p50,
            BASELINE_NAME,
            PROMISE if promised else None,
        ),
        Figure(f"context, p50, {size:,} messages", "ms", context.p50, strict.p50, STOPWORD_BASELINE_NAME),
    )
    slowest = Figure(f"recall, p95, {size:,} messages", "ms", recall.p95, MAX_RECALL_MS, "the promise", 1.0)
    return (*figures, slowest) if promised else figures


def fill(memory: Memory, texts: Sequence[dict[str, str]], progress: Progress) -> None:
    """Conversations of 500 messages, with their vectors."""
    for start in range(0, len(texts), BATCH):
        memory.space("mine").conversation(f"c{start}").add_many(texts[start : start + BATCH])
        progress(min(start + BATCH, len(texts)), len(texts))
    embed(memory, progress)


def embed(memory: Memory, progress: Progress) -> None:
    """Does the background work, and looks now and then how far it is: counting takes its time too."""
    batches = 0
    while memory.work():
        batches += 1
        if batches % PROGRESS_INTERVAL == 0:
            model = memory.status().models[0]
            progress(model.embedded, model.expected)


def time_interleaved(calls: Calls, progress: Progress, questions: int) -> dict[str, list[float]]:
    """Milliseconds of each call, question by question."""
    talk, taken = ChatGenerator(seed=4), {name: list[float]() for name in calls}
    for done in range(WARM_UP_QUESTIONS + questions):
        question = talk.question()
        for name, call in calls.items():
            begin = time.perf_counter()
            call(question)
            if done >= WARM_UP_QUESTIONS:
                taken[name].append((time.perf_counter() - begin) * 1000)
        progress(done + 1, WARM_UP_QUESTIONS + questions)
    return taken


def percentiles(taken: Sequence[float]) -> Percentiles:
    return Percentiles(*(float(one) for one in np.percentile(taken, (50, 95, 99))))


def _stages(memory: Memory, size: int) -> list[StageTiming]:
    """What the retrievals themselves recorded, those of the warming-up included."""
    retrievals = memory.retrievals("mine", limit=2 * (WARM_UP_QUESTIONS + QUESTIONS))
    by_stage: dict[tuple[str, str], list[float]] = {}
    for one in retrievals:
        for stage, milliseconds in one.milliseconds.items():
            by_stage.setdefault((one.kind, stage), []).append(milliseconds)
    return [StageTiming(size, kind, stage, percentiles(taken)) for (kind, stage), taken in sorted(by_stage.items())]
