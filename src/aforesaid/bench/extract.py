"""`aforesaid bench extract`: precision and recall of the claims that patterns find in labelled utterances.

About half of the utterances claim nothing. The patterns were tuned on the development half only."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Literal

from aforesaid.bench import locomo
from aforesaid.bench.report import grouped_bar_chart
from aforesaid.distill.facts.claims import claims
from aforesaid.models.fact import FACT_KINDS, Claim
from aforesaid.models.message import Utterance

UtteranceSplit = Literal["development", "held-out", "fresh"]


@dataclass(frozen=True, slots=True)
class ExpectedClaim:
    """A claim that should be found; compared without case."""

    kind: str
    subject: str
    attribute: str | None
    value: str

    @property
    def key(self) -> tuple[str, str, str, str]:
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
        wanted = tuple(ExpectedClaim(**claim) for claim in row["claims"])
        yield LabelledUtterance(row["id"], row["language"], row["text"], wanted, row.get("part") or _half(row["text"]))


def _half(text: str) -> UtteranceSplit:
    """The half is chosen by a digest of the text."""
    return "held-out" if sha256(text.encode()).digest()[0] & 1 else "development"


SAID_AT = datetime(2026, 3, 11, 12, tzinfo=UTC)
MIN_PRECISION = 0.9  # precision on the whole set

ClaimKey = tuple[str, str, str, str]


@dataclass(frozen=True, slots=True)
class ClaimCounts:
    """Claims that should be found, that were found, and that were rightly found."""

    wanted: int
    found: int
    right: int

    @property
    def precision(self) -> float | None:
        return self.right / self.found if self.found else None

    @property
    def recall(self) -> float | None:
        return self.right / self.wanted if self.wanted else None

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
    """`parts`, `kinds` and `languages` are tallies of the same claims; `junk` is by part, `dialogues` is LoCoMo's."""

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
        found = {"utterances": self.utterances, "kept": self.kept, **tallies, "junk": junk, "dialogues": dialogues}
        return json.dumps(found, indent=2)

    def write(self, folder: Path) -> list[Path]:
        """Writes a JSON file and a chart."""
        folder.mkdir(parents=True, exist_ok=True)
        data, picture = folder / "extract.json", folder / "extract.svg"
        data.write_text(self.to_json() + "\n", "utf-8")
        rows = {**self.parts, **self.languages}
        drawn = {
            measure: {name: value for name, tally in rows.items() if (value := getattr(tally, measure)) is not None}
            for measure in ("precision", "recall")
        }
        note = f"{self.utterances} utterances, {self.junk['all'].messages} of them claim nothing"
        picture.write_text(grouped_bar_chart("Claims by patterns", drawn, note=note), "utf-8")
        return [data, picture]


@dataclass(frozen=True, slots=True)
class ExtractionResult:
    """An utterance, the expected claims, and the claims that were found."""

    said: LabelledUtterance
    wanted: frozenset[ClaimKey]
    found: frozenset[ClaimKey]


def run(dialogues: Path | None = None) -> ExtractReport:
    """Evaluates every utterance, and the user's turns of LoCoMo's dialogues if their file is given."""
    heard = [evaluate_utterance(said) for said in utterances()]
    parts: dict[str, list[ExtractionResult]] = {"all": heard}
    for one in heard:
        parts.setdefault(one.said.part, []).append(one)
    return ExtractReport(
        utterances=len(heard),
        parts={name: count_claims(some) for name, some in parts.items()},
        kinds={kind: count_claims(heard, kind) for kind in FACT_KINDS},
        languages={
            language: count_claims(one for one in heard if one.said.language == language)
            for language in dict.fromkeys(one.said.language for one in heard)
        },
        junk={name: count_false_positives(some) for name, some in parts.items()},
        dialogues=None if dialogues is None else evaluate_dialogues(dialogues),
    )


def evaluate_utterance(said: LabelledUtterance) -> ExtractionResult:
    return ExtractionResult(said, frozenset(one.key for one in said.claims), frozenset(map(_key, _claims(said.text))))


def count_claims(heard: Iterable[ExtractionResult], kind: str | None = None) -> ClaimCounts:
    wanted = found = right = 0
    for one in heard:
        should, did = ({key for key in keys if kind is None or key[0] == kind} for keys in (one.wanted, one.found))
        wanted, found, right = wanted + len(should), found + len(did), right + len(should & did)
    return ClaimCounts(wanted, found, right)


def count_false_positives(heard: Sequence[ExtractionResult]) -> FalsePositives:
    idle = [one for one in heard if not one.wanted]
    return FalsePositives(len(idle), sum(len(one.found) for one in idle))


def evaluate_dialogues(path: Path) -> FalsePositives:
    turns = [
        message["content"]
        for dialogue in locomo.load(path)
        for message in locomo.haystack(dialogue).messages()
        if message["role"] == "user"
    ]
    return FalsePositives(len(turns), sum(len(_claims(turn)) for turn in turns))


def _claims(text: str) -> list[Claim]:
    return claims(Utterance("said", 0, "user", "user", text, SAID_AT, None, 0))


def _key(claim: Claim) -> ClaimKey:
    return ExpectedClaim(claim.kind, claim.subject, claim.attribute, claim.value or "").key
