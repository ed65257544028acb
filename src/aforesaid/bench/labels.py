"""Labelled questions for tuning, from a JSON Lines file or from a benchmark file."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from aforesaid.bench import locomo, longmemeval
from aforesaid.bench.dataset import Haystack
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
    """`haystacks` are what a benchmark's questions are about; none where the questions are about a store."""

    labels: Sequence[Label]
    haystacks: Sequence[Haystack] = ()

    @property
    def spaces(self) -> list[str]:
        return list(dict.fromkeys(label.space for label in self.labels))


def read_labels(path: Path) -> LabelSet:
    """A list is LoCoMo or LongMemEval; anything else is one JSON object a line. Questions without an answer in a
    benchmark are left out."""
    text = _text(path)
    found = _benchmark(path, text) if text.lstrip().startswith("[") else LabelSet(list(_lines(path, text)))
    if not found.labels:
        raise InvalidInput(f"{path} has no question with relevant messages; a line is {SHAPE}")
    return found


def _text(path: Path) -> str:
    try:
        raw = path.read_bytes()
        return (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode("utf-8-sig")
    except (OSError, EOFError, UnicodeDecodeError) as exc:
        raise InvalidInput(f"{path} cannot be read: {exc}") from exc


def _benchmark(path: Path, text: str) -> LabelSet:
    kind = longmemeval if '"haystack_sessions"' in text else locomo
    haystacks = [kind.haystack(record) for record in kind.load(path)]
    labels = [Label(one.space, asked.text, asked.gold) for one in haystacks for asked in one.questions if asked.gold]
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
