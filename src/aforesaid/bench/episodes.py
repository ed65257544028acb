"""`aforesaid bench episodes`: precision and recall of the episodes that patterns find in labelled dialogues."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files

from aforesaid import Episode, Memory
from aforesaid.models.episode import EpisodeType

LEAST_PRECISION = 0.85


@dataclass(frozen=True, slots=True)
class LabelledDialogue:
    """A few messages, and what happened in them: of what type, and with which message."""

    part: str
    language: str
    messages: tuple[tuple[str, str], ...]
    episodes: tuple[tuple[EpisodeType, int], ...]


@dataclass(frozen=True, slots=True)
class EpisodeCounts:
    """`right` of those found are of the wanted type and span the wanted message; `junk` counts episodes in stretches
    that have none."""

    stretches: int
    wanted: int
    found: int
    right: int
    junk: int

    @property
    def precision(self) -> float | None:
        return self.right / self.found if self.found else None

    @property
    def recall(self) -> float | None:
        return self.right / self.wanted if self.wanted else None


@dataclass(frozen=True, slots=True)
class EpisodesReport:
    """By the part of the set (patterns were tuned on `development`, not on `held-out`), and by language."""

    parts: Mapping[str, EpisodeCounts]
    languages: Mapping[str, EpisodeCounts]

    @property
    def kept(self) -> bool:
        return all((tally.precision or 0.0) >= LEAST_PRECISION for tally in self.parts.values())

    def to_json(self) -> str:
        shown = {"parts": self.parts, "languages": self.languages}
        return json.dumps({name: {key: asdict(one) for key, one in group.items()} for name, group in shown.items()})


def run() -> EpisodesReport:
    """Every stretch goes through a memory of its own conversation, as any other talk would."""
    judged = list(_evaluated(labelled_dialogues()))
    parts = {stretch.part for stretch, _ in judged}
    languages = {stretch.language for stretch, _ in judged}
    return EpisodesReport(
        {part: _count_episodes([one for one in judged if one[0].part == part]) for part in sorted(parts)},
        {code: _count_episodes([one for one in judged if one[0].language == code]) for code in sorted(languages)},
    )


def labelled_dialogues() -> list[LabelledDialogue]:
    text = (files("aforesaid.bench") / "data" / "stretches.jsonl").read_text("utf-8")
    return [_parse_dialogue(line) for line in text.splitlines()]


def _parse_dialogue(line: str) -> LabelledDialogue:
    record = json.loads(line)
    messages = tuple((role, text) for role, text in record["messages"])
    episodes = tuple((one["type"], one["at"]) for one in record["episodes"])
    return LabelledDialogue(record["part"], record["language"], messages, episodes)


def _evaluated(found: Sequence[LabelledDialogue]) -> Iterator[tuple[LabelledDialogue, list[Episode]]]:
    with Memory(embedder="none", worker=False, environment={}) as memory:
        for number, stretch in enumerate(found):
            chat = memory.conversation(f"stretch {number}")
            chat.add_many([{"role": role, "content": text} for role, text in stretch.messages])
        memory.flush()
        for number, stretch in enumerate(found):
            yield stretch, memory.conversation(f"stretch {number}").episodes()


def _count_episodes(judged: Sequence[tuple[LabelledDialogue, list[Episode]]]) -> EpisodeCounts:
    right = sum(_is_found(wanted, found) for stretch, found in judged for wanted in stretch.episodes)
    return EpisodeCounts(
        stretches=len(judged),
        wanted=sum(len(stretch.episodes) for stretch, _ in judged),
        found=sum(len(found) for _, found in judged),
        right=right,
        junk=sum(len(found) for stretch, found in judged if not stretch.episodes),
    )


def _is_found(wanted: tuple[EpisodeType, int], found: Sequence[Episode]) -> bool:
    return any(one.type == wanted[0] and one.first_seq <= wanted[1] <= one.last_seq for one in found)
