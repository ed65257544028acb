"""`aforesaid bench extract`: precision and recall of the claims that patterns find in labelled utterances.

About half of the utterances claim nothing. The patterns were tuned on the development half only."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Literal

from aforesaid.bench import locomo
from aforesaid.bench.metrics import PrecisionRecall
from aforesaid.bench.report import grouped_bar_chart, write_report
from aforesaid.distill.facts.claims import claims
from aforesaid.models.fact import FACT_KINDS, Claim
from aforesaid.models.message import Utterance

UtteranceSplit = Literal["development", "held-out", "fresh"]
ClaimKey = tuple[str, str, str, str]


@dataclass(frozen=True, slots=True)
class ExpectedClaim:
    """A claim that should be found; compared without case."""

    kind: str
    subject: str
    attribute: str | None
    value: str

    @property
    def key(self) -> ClaimKey:
        return self.kind, self.subject.casefold(), (self.attribute or "").casefold(), self.value.casefold()


@dataclass(frozen=True, slots=True)
class LabelledUtterance:
    """One utterance and its claims; about half have none."""

    id: str
    language: str
    text: str
    claims: tuple[ExpectedClaim, ...]
    part: UtteranceSplit


def utterances() -> Iterator[LabelledUtterance]:
    """The whole set, in the order it was written."""
    data = files("aforesaid.bench").joinpath("data", "utterances.jsonl").read_text("utf-8")
    for line in data.splitlines():
        row = json.loads(line)
        expected = tuple(ExpectedClaim(**claim) for claim in row["claims"])
        part = row.get("part") or _half(row["text"])
        yield LabelledUtterance(row["id"], row["language"], row["text"], expected, part)


def _half(text: str) -> UtteranceSplit:
    """Chooses the half by a digest of the text."""
    return "held-out" if sha256(text.encode()).digest()[0] & 1 else "development"


SAID_AT = datetime(2026, 3, 11, 12, tzinfo=UTC)
MIN_PRECISION = 0.9  # precision on the whole set


@dataclass(frozen=True, slots=True)
class ClaimCounts(PrecisionRecall):
    """Claims that should be found, that were found, and that were rightly found."""

    wanted: int
    found: int
    right: int

    @property
    def f1(self) -> float | None:
        return 2 * self.right / (self.wanted + self.found) if self.wanted + self.found else None

    def to_dict(self) -> dict[str, float | None]:
        return {**asdict(self), "precision": self.precision, "recall": self.recall, "f1": self.f1}


@dataclass(frozen=True, slots=True)
class FalsePositives:
    """Claims found in utterances that claim nothing, or in unlabelled messages."""

    messages: int
    claims: int

    @property
    def rate(self) -> float:
        return self.claims / self.messages if self.messages else 0.0


@dataclass(frozen=True, slots=True)
class ExtractReport:
    """`parts`, `kinds` and `languages` count the same claims. `junk` is by part, `dialogues` is of LoCoMo."""

    utterances: int
    parts: Mapping[str, ClaimCounts]
    kinds: Mapping[str, ClaimCounts]
    languages: Mapping[str, ClaimCounts]
    junk: Mapping[str, FalsePositives]
    dialogues: FalsePositives | None = None

    @property
    def kept(self) -> bool:
        return (self.parts["all"].precision or 0.0) >= MIN_PRECISION

    def to_json(self) -> str:
        tallies = {
            name: {key: tally.to_dict() for key, tally in getattr(self, name).items()}
            for name in ("parts", "kinds", "languages")
        }
        junk = {key: asdict(one) | {"rate": one.rate} for key, one in self.junk.items()}
        dialogues = self.dialogues and asdict(self.dialogues) | {"rate": self.dialogues.rate}
        data = {"utterances": self.utterances, "kept": self.kept, **tallies, "junk": junk, "dialogues": dialogues}
        return json.dumps(data, indent=2)

    def write(self, folder: Path) -> list[Path]:
        rows = {**self.parts, **self.languages}
        drawn = {
            measure: {name: value for name, tally in rows.items() if (value := getattr(tally, measure)) is not None}
            for measure in ("precision", "recall")
        }
        note = f"{self.utterances} utterances, {self.junk['all'].messages} of them claim nothing"
        picture = grouped_bar_chart("Claims by patterns", drawn, note=note)
        return write_report(folder, "extract", self.to_json(), picture)


@dataclass(frozen=True, slots=True)
class ExtractionResult:
    """An utterance, the expected claims, and the claims that were found."""

    utterance: LabelledUtterance
    wanted: frozenset[ClaimKey]
    found: frozenset[ClaimKey]


def run(dialogues: Path | None = None) -> ExtractReport:
    """Evaluates every utterance, and the user's turns of LoCoMo's dialogues if their file is given."""
    results = [evaluate_utterance(utterance) for utterance in utterances()]
    parts: dict[str, list[ExtractionResult]] = {"all": results}
    languages: dict[str, list[ExtractionResult]] = {}
    for result in results:
        parts.setdefault(result.utterance.part, []).append(result)
        languages.setdefault(result.utterance.language, []).append(result)
    return ExtractReport(
        utterances=len(results),
        parts={name: count_claims(group) for name, group in parts.items()},
        kinds={kind: count_claims(results, kind) for kind in FACT_KINDS},
        languages={name: count_claims(group) for name, group in languages.items()},
        junk={name: count_false_positives(group) for name, group in parts.items()},
        dialogues=None if dialogues is None else evaluate_dialogues(dialogues),
    )


def evaluate_utterance(utterance: LabelledUtterance) -> ExtractionResult:
    wanted = frozenset(claim.key for claim in utterance.claims)
    return ExtractionResult(utterance, wanted, frozenset(map(_key, _claims(utterance.text))))


def count_claims(results: Sequence[ExtractionResult], kind: str | None = None) -> ClaimCounts:
    wanted, found = (
        {(at, key) for at, result in enumerate(results) for key in getattr(result, name) if kind in (None, key[0])}
        for name in ("wanted", "found")
    )
    return ClaimCounts(len(wanted), len(found), len(wanted & found))


def count_false_positives(results: Sequence[ExtractionResult]) -> FalsePositives:
    without_claims = [result for result in results if not result.wanted]
    return FalsePositives(len(without_claims), sum(len(result.found) for result in without_claims))


def evaluate_dialogues(path: Path) -> FalsePositives:
    messages = [message for dialogue in locomo.load(path) for message in locomo.haystack(dialogue).messages()]
    turns = [message["content"] for message in messages if message["role"] == "user"]
    return FalsePositives(len(turns), sum(len(_claims(turn)) for turn in turns))


def _claims(text: str) -> list[Claim]:
    return claims(Utterance("said", 0, "user", "user", text, SAID_AT, None, 0))


def _key(claim: Claim) -> ClaimKey:
    return ExpectedClaim(claim.kind, claim.subject, claim.attribute, claim.value or "").key
