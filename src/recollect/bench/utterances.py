"""What people say, and what of it is a claim: written by hand.

Most were written before there were patterns, and chance parted them in two: patterns were tuned on the development half
and never on the held-out one. The fresh ones were written after, as people talk rather than as patterns read; nothing
was tuned on them either.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from typing import Literal

Part = Literal["development", "held-out", "fresh"]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A claim that should be found; compared without case."""

    kind: str
    subject: str
    attribute: str | None
    value: str

    @property
    def key(self) -> tuple[str, str, str, str]:
        return self.kind, self.subject.casefold(), (self.attribute or "").casefold(), self.value.casefold()


@dataclass(frozen=True, slots=True)
class Said:
    """One utterance and its claims; none where it only looks as if it claimed something."""

    id: str
    language: str
    text: str
    claims: tuple[Wanted, ...]
    part: Part


def utterances() -> Iterator[Said]:
    """The whole set, in the order it was written."""
    data = files("recollect.bench").joinpath("data", "utterances.jsonl").read_text("utf-8")
    for line in data.splitlines():
        row = json.loads(line)
        wanted = tuple(Wanted(**claim) for claim in row["claims"])
        yield Said(row["id"], row["language"], row["text"], wanted, row.get("part") or _half(row["text"]))


def _half(text: str) -> Part:
    """Decided by a digest of the text."""
    return "held-out" if sha256(text.encode()).digest()[0] & 1 else "development"
