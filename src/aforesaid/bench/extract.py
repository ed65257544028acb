"""`aforesaid bench extract`: precision and recall of the claims that patterns find.

Two sets measure them. The utterances are part of the package, were written for it, and guard against regressions. With
`--real`, claims found in benchmark files are compared with the verdicts of a reader. The package has those verdicts but
no text: a claim is known by its message, its slot and a hash."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Literal

from aforesaid.bench.charts import Caption, grouped_bar_chart
from aforesaid.bench.dataset import DatasetRecord
from aforesaid.bench.metrics import PrecisionRecall
from aforesaid.bench.suite import read_benchmark
from aforesaid.distill.facts.claims import claims
from aforesaid.models.fact import FACT_KINDS, Claim
from aforesaid.models.message import Utterance

UtteranceSplit = Literal["development", "held-out", "fresh", "chat"]
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
    for row in _rows("utterances.jsonl"):
        expected = tuple(ExpectedClaim(**claim) for claim in row["claims"])
        part = row.get("part") or _half(row["text"])
        yield LabelledUtterance(row["id"], row["language"], row["text"], expected, part)


def _rows(name: str) -> Iterator[DatasetRecord]:
    for line in files("aforesaid.bench").joinpath("data", name).read_text("utf-8").splitlines():
        yield json.loads(line)


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
    """Claims found in utterances that claim nothing."""

    messages: int
    claims: int

    @property
    def rate(self) -> float:
        return self.claims / self.messages if self.messages else 0.0


@dataclass(frozen=True, slots=True)
class RealClaimCounts:
    """Claims found in the messages of a benchmark file. `right` and `useful` are those that the reader called so,
    `unlabelled` those that the reader did not see, `lost` right ones that are no longer found."""

    messages: int
    found: int
    right: int
    wrong: int
    useful: int
    unlabelled: int
    lost: int

    @property
    def precision(self) -> float | None:
        labelled = self.right + self.wrong
        return self.right / labelled if labelled else None

    @property
    def usefulness(self) -> float | None:
        labelled = self.right + self.wrong
        return self.useful / labelled if labelled else None

    def to_dict(self) -> dict[str, float | None]:
        return {**asdict(self), "precision": self.precision, "usefulness": self.usefulness}


@dataclass(frozen=True, slots=True)
class ExtractReport:
    """`parts`, `kinds` and `languages` count the same claims. `junk` is by part, `real` is by file."""

    utterances: int
    parts: Mapping[str, ClaimCounts]
    kinds: Mapping[str, ClaimCounts]
    languages: Mapping[str, ClaimCounts]
    junk: Mapping[str, FalsePositives]
    real: Mapping[str, RealClaimCounts] = field(default_factory=dict)

    @property
    def kept(self) -> bool:
        return (self.parts["all"].precision or 0.0) >= MIN_PRECISION

    def to_json(self) -> str:
        tallies = {
            name: {key: tally.to_dict() for key, tally in getattr(self, name).items()}
            for name in ("parts", "kinds", "languages")
        }
        junk = {key: asdict(one) | {"rate": one.rate} for key, one in self.junk.items()}
        real = {name: counts.to_dict() for name, counts in self.real.items()}
        data = {"utterances": self.utterances, "kept": self.kept, **tallies, "junk": junk, "real": real}
        return json.dumps(data, indent=2)

    def pictures(self, source: str) -> dict[str, str]:
        rows = {**self.parts, **self.languages}
        drawn = {
            measure: {name: value for name, tally in rows.items() if (value := getattr(tally, measure)) is not None}
            for measure in ("precision", "recall")
        }
        note = f"{self.utterances} utterances, {self.junk['all'].messages} of them claim nothing"
        return {"": grouped_bar_chart(Caption("Claims by patterns", note, source), drawn)}


@dataclass(frozen=True, slots=True)
class ExtractionResult:
    """An utterance, the expected claims, and the claims that were found."""

    utterance: LabelledUtterance
    wanted: frozenset[ClaimKey]
    found: frozenset[ClaimKey]


def run(real: Sequence[Path] = ()) -> ExtractReport:
    """Evaluates every utterance, and the messages of these benchmark files."""
    results = [evaluate_utterance(utterance) for utterance in utterances()]
    parts: dict[str, list[ExtractionResult]] = {"all": results}
    languages: dict[str, list[ExtractionResult]] = {}
    for result in results:
        parts.setdefault(result.utterance.part, []).append(result)
        languages.setdefault(result.utterance.language, []).append(result)
    return ExtractReport(
        utterances=len(results),
        parts={name: count_claims(group) for name, group in parts.items()},
        kinds={kind: counts for kind in FACT_KINDS if any((counts := count_claims(results, kind)).to_dict().values())},
        languages={name: count_claims(group) for name, group in languages.items()},
        junk={name: count_false_positives(group) for name, group in parts.items()},
        real={path.name: evaluate_file(path) for path in real},
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


def evaluate_file(path: Path) -> RealClaimCounts:
    """Compares the claims in a benchmark file with the labels. Reads the messages of users and of speakers with a name,
    each text once."""
    data = read_benchmark(path)
    verdicts: dict[ClaimKey, DatasetRecord] = {tuple(row["claim"]): row for row in _rows("real_claims.jsonl")}
    texts: set[str] = set()
    read: set[tuple[str, str]] = set()
    found: set[ClaimKey] = set()
    for haystack in data.haystacks:
        for message in haystack.messages():
            if (message["role"] == "user" or "name" in message) and message["content"] not in texts:
                texts.add(message["content"])
                read.add((haystack.space, message["id"]))
                found |= {_real_key(haystack.space, message["id"], claim) for claim in _claims(message["content"])}
    labels = [verdicts[key] for key in found if key in verdicts]
    right = sum(label["right"] for label in labels)
    lost = sum(row["right"] and key[:2] in read and key not in found for key, row in verdicts.items())
    useful = sum(label["useful"] for label in labels)
    return RealClaimCounts(len(read), len(found), right, len(labels) - right, useful, len(found) - len(labels), lost)


def _real_key(space: str, message: str, claim: Claim) -> ClaimKey:
    """Identifies a claim without its text."""
    digest = sha256(f"{claim.subject}|{claim.value}|{claim.text}".encode()).hexdigest()[:12]
    return (
        space,
        message,
        (claim.attribute or "").partition(" to ")[0].partition(":")[0].partition("speaks ")[0],
        digest,
    )


def _claims(text: str) -> list[Claim]:
    return claims(Utterance("said", 0, "user", "user", text, SAID_AT, None, 0))


def _key(claim: Claim) -> ClaimKey:
    return ExpectedClaim(claim.kind, claim.subject, claim.attribute, claim.value or "").key
