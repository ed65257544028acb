"""`aforesaid bench longmemeval`: one question and its sessions at a time, from the user's copy of the file.

Each question is asked on its own date."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

from aforesaid.bench.dataset import DatasetQuestion, DatasetSession, Haystack
from aforesaid.bench.retrieval import SESSIONS, Progress, RetrievalBenchmark, RetrievalScores
from aforesaid.errors import InvalidInput

TRIAL = RetrievalBenchmark("LongMemEval", SESSIONS, ("session recall_all@5", "message recall@10", "evidence@1000"))


def run(path: Path, limit: int | None, progress: Progress) -> RetrievalScores:
    chosen = list(islice(load(path), limit))
    return TRIAL.over(map(haystack, chosen), len(chosen), progress)


def load(path: Path) -> list[dict[str, Any]]:
    try:
        raw = path.read_bytes()
        found = json.loads(gzip.decompress(raw) if path.suffix == ".gz" else raw)
    except (OSError, ValueError, EOFError) as exc:
        raise InvalidInput(f"{path} cannot be read as LongMemEval's JSON file: {exc}") from exc
    if not isinstance(found, list) or not all(isinstance(one, dict) and "haystack_sessions" in one for one in found):
        raise InvalidInput(f"{path} is not LongMemEval: it should be a list of objects with 'haystack_sessions'")
    return found


def haystack(record: Mapping[str, Any]) -> Haystack:
    sessions, gold = [], set()
    for number, (turns, date) in enumerate(zip(record["haystack_sessions"], record["haystack_dates"], strict=True)):
        sessions.append(DatasetSession(f"session {number}", list(_messages(number, turns, date))))
        gold |= {f"{number}:{at}" for at, turn in enumerate(turns) if turn.get("has_answer")}
    question = DatasetQuestion(record["question"], record["question_type"], frozenset(gold))
    return Haystack(str(record["question_id"]), sessions, [question], _moment(record.get("question_date", "")))


def _messages(number: int, turns: list[Mapping[str, Any]], date: str) -> Iterator[dict[str, str]]:
    at = _moment(date)
    for place, turn in enumerate(turns):
        if turn["content"].strip():
            message = {"role": turn["role"], "content": turn["content"], "id": f"{number}:{place}"}
            yield message | ({"at": at.isoformat()} if at else {})


def _moment(text: str) -> datetime | None:
    """LongMemEval writes its dates as `2023/05/20 (Sat) 02:21`."""
    try:
        return datetime.strptime(text, "%Y/%m/%d (%a) %H:%M").replace(tzinfo=UTC)
    except ValueError:
        return None
