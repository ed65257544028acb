"""`aforesaid bench locomo`: the LoCoMo dialogues, read from the user's copy of the file.

Each dialogue is a space, each session a conversation, each turn a message. Questions are asked on the day of the
last session.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from aforesaid.bench import Progress
from aforesaid.bench.dataset import DatasetQuestion, DatasetRecord, DatasetSession, Haystack, load_records, parse_date
from aforesaid.bench.retrieval import MESSAGES, Observer, RetrievalBenchmark, RetrievalScores
from aforesaid.bench.temp_store import IN_MEMORY

SESSION = re.compile(r"session_(\d+)")
EVIDENCE = re.compile(r"D:?(\d+):(\d+)")
KINDS = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
BENCHMARK = RetrievalBenchmark("LoCoMo", MESSAGES, ("recall@10", "evidence@1000"))


def run(path: Path, progress: Progress, store: str = IN_MEMORY, observer: Observer | None = None) -> RetrievalScores:
    dialogues = load(path)
    return BENCHMARK.run(map(haystack, dialogues), len(dialogues), progress, store, observer)


def load(path: Path) -> list[DatasetRecord]:
    return load_records(path, "LoCoMo", "conversation", "qa")


def haystack(dialogue: DatasetRecord) -> Haystack:
    conversation = dialogue["conversation"]
    names = [name for name in conversation if SESSION.fullmatch(name)]
    sessions = [DatasetSession(name, list(_messages(conversation, name))) for name in names]
    known = {message["id"] for session in sessions for message in session.messages}
    questions = [
        DatasetQuestion(
            row["question"],
            KINDS.get(row.get("category"), "other"),
            frozenset(_gold(row) & known),
            str(row.get("answer") or ""),
        )
        for row in dialogue.get("qa", [])
    ]
    dates = [at for name in names if (at := _session_date(conversation, name))]
    return Haystack(str(dialogue.get("sample_id", "dialogue")), sessions, questions, max(dates, default=None))


def _session_date(conversation: DatasetRecord, session: str) -> datetime | None:
    return parse_date(conversation.get(f"{session}_date_time", ""), "%I:%M %p on %d %B, %Y")


def _messages(conversation: DatasetRecord, session: str) -> Iterator[dict[str, str]]:
    at = _session_date(conversation, session)
    first = conversation.get("speaker_a")
    for turn in conversation[session]:
        caption = turn.get("blip_caption")
        shown = f" [shows a picture: {caption}]" if caption else ""
        yield {
            "role": "user" if turn["speaker"] == first else "assistant",
            "name": turn["speaker"],
            "content": f"{turn['text']}{shown}",
            "id": turn["dia_id"],
            **({"at": at.isoformat()} if at else {}),
        }


def _gold(question: DatasetRecord) -> set[str]:
    return {f"D{a}:{b}" for text in question.get("evidence", []) for a, b in EVIDENCE.findall(text)}
