"""What people say, and what of it is a claim: written by hand before there were patterns, and part of the package."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from typing import Literal

Half = Literal["development", "held-out"]


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

    @property
    def half(self) -> Half:
        """Patterns are tuned on the development half alone. Chance decides, by a digest of the text."""
        return "held-out" if sha256(self.text.encode()).digest()[0] & 1 else "development"


def utterances() -> Iterator[Said]:
    """The whole set, in the order it was written."""
    data = files("recollect.bench").joinpath("data", "utterances.jsonl").read_text("utf-8")
    for line in data.splitlines():
        row = json.loads(line)
        yield Said(row["id"], row["language"], row["text"], tuple(Wanted(**claim) for claim in row["claims"]))
