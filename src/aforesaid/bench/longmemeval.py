"""`aforesaid bench longmemeval`: one question and its sessions at a time, from the user's copy of the file.

Each question is asked on its own date."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from aforesaid.bench import Progress
from aforesaid.bench.dataset import DatasetQuestion, DatasetRecord, DatasetSession, Haystack, load_records, parse_date
from aforesaid.bench.retrieval import SESSIONS, Observer, RetrievalBenchmark, RetrievalScores

DATE = "%Y/%m/%d (%a) %H:%M"
BENCHMARK = RetrievalBenchmark("LongMemEval", SESSIONS, ("session recall_all@5", "message recall@10", "evidence@1000"))


def run(path: Path, limit: int | None, progress: Progress, observer: Observer | None = None) -> RetrievalScores:
    records = load(path)[:limit]
    return BENCHMARK.run(map(haystack, records), len(records), progress, observer=observer)


def load(path: Path) -> list[DatasetRecord]:
    return load_records(path, "LongMemEval", "haystack_sessions")


def haystack(record: DatasetRecord) -> Haystack:
    sessions, gold = [], set()
    for number, (turns, date) in enumerate(zip(record["haystack_sessions"], record["haystack_dates"], strict=True)):
        sessions.append(DatasetSession(f"session {number}", list(_messages(number, turns, date))))
        gold |= {f"{number}:{at}" for at, turn in enumerate(turns) if turn.get("has_answer")}
    answer = str(record.get("answer", ""))
    question = DatasetQuestion(record["question"], record["question_type"], frozenset(gold), answer)
    return Haystack(str(record["question_id"]), sessions, [question], parse_date(record.get("question_date", ""), DATE))


def _messages(number: int, turns: list[DatasetRecord], date: str) -> Iterator[dict[str, str]]:
    at = parse_date(date, DATE)
    for place, turn in enumerate(turns):
        if turn["content"].strip():
            message = {"role": turn["role"], "content": turn["content"], "id": f"{number}:{place}"}
            yield message | ({"at": at.isoformat()} if at else {})
