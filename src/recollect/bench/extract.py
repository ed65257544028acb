"""`recollect bench extract`: how many of the claims found by patterns are right, and how many are found.

About half of the utterances claim nothing. The patterns were tuned on the development half alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from recollect.bench import locomo
from recollect.bench.picture import groups
from recollect.bench.utterances import Said, Wanted, utterances
from recollect.distill.extract.claims import claims
from recollect.models import FACT_KINDS
from recollect.records import Claim, Utterance

SAID_AT = datetime(2026, 3, 11, 12, tzinfo=UTC)
PROMISE = 0.9  # precision on the whole set

Key = tuple[str, str, str, str]


@dataclass(frozen=True, slots=True)
class Tally:
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
class Junk:
    """Claims on utterances that claim nothing, or on messages that nobody labelled."""

    messages: int
    claims: int

    @property
    def rate(self) -> float:
        return self.claims / self.messages if self.messages else 0.0


@dataclass(frozen=True, slots=True)
class ExtractReport:
    """`parts`, `kinds` and `languages` are tallies of the same claims; `junk` is by part, `dialogues` is LoCoMo's."""

    utterances: int
    parts: Mapping[str, Tally]
    kinds: Mapping[str, Tally]
    languages: Mapping[str, Tally]
    junk: Mapping[str, Junk]
    dialogues: Junk | None = None

    @property
    def kept(self) -> bool:
        return (self.parts["all"].precision or 0.0) >= PROMISE

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
        """A JSON file and a picture."""
        folder.mkdir(parents=True, exist_ok=True)
        data, picture = folder / "extract.json", folder / "extract.svg"
        data.write_text(self.to_json() + "\n", "utf-8")
        rows = {**self.parts, **self.languages}
        drawn = {
            measure: {name: value for name, tally in rows.items() if (value := getattr(tally, measure)) is not None}
            for measure in ("precision", "recall")
        }
        note = f"{self.utterances} utterances, {self.junk['all'].messages} of them claim nothing"
        picture.write_text(groups("Claims by patterns", drawn, note=note), "utf-8")
        return [data, picture]


@dataclass(frozen=True, slots=True)
class Heard:
    """An utterance, what should be found in it, and what was."""

    said: Said
    wanted: frozenset[Key]
    found: frozenset[Key]


def run(dialogues: Path | None = None) -> ExtractReport:
    """Listens to every utterance, and to a user's turns in LoCoMo's dialogues where their file is given."""
    heard = [hear(said) for said in utterances()]
    parts: dict[str, list[Heard]] = {"all": heard}
    for one in heard:
        parts.setdefault(one.said.part, []).append(one)
    return ExtractReport(
        utterances=len(heard),
        parts={name: tally(some) for name, some in parts.items()},
        kinds={kind: tally(heard, kind) for kind in FACT_KINDS},
        languages={
            language: tally(one for one in heard if one.said.language == language)
            for language in dict.fromkeys(one.said.language for one in heard)
        },
        junk={name: junk(some) for name, some in parts.items()},
        dialogues=None if dialogues is None else listen(dialogues),
    )


def hear(said: Said) -> Heard:
    return Heard(said, frozenset(one.key for one in said.claims), frozenset(map(_key, _claims(said.text))))


def tally(heard: Iterable[Heard], kind: str | None = None) -> Tally:
    wanted = found = right = 0
    for one in heard:
        should, did = ({key for key in keys if kind is None or key[0] == kind} for keys in (one.wanted, one.found))
        wanted, found, right = wanted + len(should), found + len(did), right + len(should & did)
    return Tally(wanted, found, right)


def junk(heard: Sequence[Heard]) -> Junk:
    idle = [one for one in heard if not one.wanted]
    return Junk(len(idle), sum(len(one.found) for one in idle))


def listen(path: Path) -> Junk:
    turns = [
        message["content"]
        for dialogue in locomo.load(path)
        for message in locomo.haystack(dialogue).messages()
        if message["role"] == "user"
    ]
    return Junk(len(turns), sum(len(_claims(turn)) for turn in turns))


def _claims(text: str) -> list[Claim]:
    return claims(Utterance("said", 0, "user", "user", text, SAID_AT, None, 0))


def _key(claim: Claim) -> Key:
    return Wanted(claim.kind, claim.subject, claim.attribute, claim.value or "").key
