"""`aforesaid bench locomo`: the LoCoMo dialogues, read from the user's copy of the file.

Each dialogue is a space, each session a conversation, each turn a message. Questions are asked on the day of the
last session.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from aforesaid.bench.dataset import DatasetQuestion, DatasetSession, Haystack
from aforesaid.bench.retrieval import MESSAGES, Progress, RetrievalBenchmark, RetrievalScores
from aforesaid.bench.temp_store import IN_MEMORY
from aforesaid.errors import InvalidInput

SESSION = re.compile(r"session_(\d+)")
EVIDENCE = re.compile(r"D:?(\d+):(\d+)")
KINDS = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
TRIAL = RetrievalBenchmark("LoCoMo", MESSAGES, ("recall@10", "evidence@1000"))


def run(path: Path, progress: Progress, store: str = IN_MEMORY) -> RetrievalScores:
    dialogues = load(path)
    return TRIAL.over(map(haystack, dialogues), len(dialogues), progress, store)


def load(path: Path) -> list[dict[str, Any]]:
    try:
        found = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as exc:
        raise InvalidInput(f"{path} cannot be read as LoCoMo's JSON file: {exc}") from exc
    if not isinstance(found, list) or not all(isinstance(one, dict) and "conversation" in one for one in found):
        raise InvalidInput(f"{path} is not LoCoMo: it should be a list of objects with 'conversation' and 'qa'")
    return found


def haystack(dialogue: Mapping[str, Any]) -> Haystack:
    said = dialogue["conversation"]
    sessions = [DatasetSession(name, list(_messages(said, name))) for name in said if SESSION.fullmatch(name)]
    known = {message["id"] for session in sessions for message in session.messages}
    questions = [
        DatasetQuestion(one["question"], KINDS.get(one.get("category"), "other"), frozenset(_gold(one) & known))
        for one in dialogue.get("qa", [])
    ]
    dates = [at for name in said if SESSION.fullmatch(name) if (at := _moment(said.get(f"{name}_date_time", "")))]
    return Haystack(str(dialogue.get("sample_id", "dialogue")), sessions, questions, max(dates, default=None))


def _messages(said: Mapping[str, Any], session: str) -> Iterator[dict[str, str]]:
    at = _moment(said.get(f"{session}_date_time", ""))
    first = said.get("speaker_a")
    for turn in said[session]:
        caption = turn.get("blip_caption")
        shown = f" [shows a picture: {caption}]" if caption else ""
        yield {
            "role": "user" if turn["speaker"] == first else "assistant",
            "name": turn["speaker"],
            "content": f"{turn['text']}{shown}",
            "id": turn["dia_id"],
            **({"at": at.isoformat()} if at else {}),
        }


def _moment(text: str) -> datetime | None:
    """LoCoMo writes its dates as `1:56 pm on 8 May, 2023`."""
    try:
        return datetime.strptime(text, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
    except ValueError:
        return None


def _gold(question: Mapping[str, Any]) -> set[str]:
    return {f"D{a}:{b}" for text in question.get("evidence", []) for a, b in EVIDENCE.findall(text)}
