"""Labelled questions for tuning, from a JSON Lines file or from a benchmark file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from aforesaid.bench.dataset import Haystack, read_file
from aforesaid.bench.suite import read_benchmark
from aforesaid.errors import InvalidInput
from aforesaid.models.json import Json

SHAPE = '{"space": "…", "query": "…", "relevant": ["a message\'s id", …]}'


@dataclass(frozen=True, slots=True)
class Label:
    """A question to a space, and the ids of the messages that should be found first."""

    space: str
    query: str
    relevant: frozenset[str]


@dataclass(frozen=True, slots=True)
class LabelSet:
    """`haystacks` are the spaces of a benchmark; none if the questions are about a store."""

    labels: Sequence[Label]
    haystacks: Sequence[Haystack] = ()

    @property
    def spaces(self) -> list[str]:
        return list(dict.fromkeys(label.space for label in self.labels))


def read_labels(path: Path) -> LabelSet:
    """Reads a JSON list as LoCoMo, LongMemEval or BEAM, and anything else as one JSON object per line. Questions of a
    benchmark without an answer are left out."""
    text = _text(path)
    labels = _benchmark(path) if text.lstrip().startswith("[") else LabelSet(list(_lines(path, text)))
    if not labels.labels:
        raise InvalidInput(f"{path} has no question with relevant messages; write each line as {SHAPE}")
    return labels


def _text(path: Path) -> str:
    try:
        return read_file(path).decode("utf-8-sig")
    except (OSError, EOFError, UnicodeDecodeError) as exc:
        raise InvalidInput(f"{path} cannot be read: {exc}") from exc


def _benchmark(path: Path) -> LabelSet:
    haystacks = list(read_benchmark(path).haystacks)
    questions = [(haystack.space, question) for haystack in haystacks for question in haystack.questions]
    labels = [Label(space, question.text, question.gold) for space, question in questions if question.gold]
    return LabelSet(labels, haystacks)


def _lines(path: Path, text: str) -> Iterator[Label]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield _label(line, f"line {number} of {path}")


def _label(line: str, where: str) -> Label:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as exc:
        raise InvalidInput(f"{where} is not JSON: {exc}") from exc
    if not isinstance(record, dict) or not _complete(record):
        raise InvalidInput(f"{where} is not {SHAPE}")
    return Label(record.get("space", "default"), record["query"], frozenset(record["relevant"]))


def _complete(record: dict[str, Json]) -> bool:
    query, relevant, space = record.get("query"), record.get("relevant"), record.get("space", "default")
    if not isinstance(relevant, list) or not relevant or not all(isinstance(one, str) for one in relevant):
        return False
    return all(isinstance(text, str) and bool(text.strip()) for text in (query, space))
