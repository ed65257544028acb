"""`aforesaid bench beam`: BEAM's long chats with an assistant, read from the user's copy of the file.

Each chat is a space, each batch of it a conversation. Questions are asked on the last date of the chat."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from aforesaid.bench import Progress
from aforesaid.bench.dataset import DatasetQuestion, DatasetRecord, DatasetSession, Haystack, load_records, parse_date
from aforesaid.bench.retrieval import MESSAGES, Observer, RetrievalBenchmark, RetrievalScores
from aforesaid.bench.temp_store import IN_MEMORY

DATE = "%B-%d-%Y"
BENCHMARK = RetrievalBenchmark("BEAM", MESSAGES, ("recall@10", "evidence@1000"))


def run(path: Path, progress: Progress, store: str = IN_MEMORY, observer: Observer | None = None) -> RetrievalScores:
    chats = load(path)
    return BENCHMARK.run(map(haystack, chats), len(chats), progress, store, observer)


def load(path: Path) -> list[DatasetRecord]:
    return load_records(path, "BEAM", "batches", "questions")


def haystack(chat: DatasetRecord) -> Haystack:
    sessions: list[DatasetSession] = []
    date: datetime | None = None
    for number, batch in enumerate(chat["batches"]):
        date = _first_date(batch) or date
        sessions.append(DatasetSession(f"batch {number}", list(_messages(batch, date))))
    known = {message["id"] for session in sessions for message in session.messages}
    questions = [
        DatasetQuestion(
            row["question"], row["category"], frozenset(map(str, row["evidence"])) & known, row.get("answer") or ""
        )
        for row in chat["questions"]
    ]
    return Haystack(str(chat.get("id", "chat")), sessions, questions, date)


def _first_date(batch: list[DatasetRecord]) -> datetime | None:
    """The date of a batch. BEAM writes it at the first message only."""
    dates = (parse_date(message.get("time_anchor") or "", DATE) for message in batch)
    return next((date for date in dates if date), None)


def _messages(batch: list[DatasetRecord], date: datetime | None) -> Iterator[dict[str, str]]:
    for message in batch:
        if message["content"].strip():
            row = {"role": message["role"], "content": message["content"], "id": str(message["id"])}
            yield row | ({"at": date.isoformat()} if date else {})
