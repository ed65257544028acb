"""`aforesaid bench episodes`: precision and recall of the episodes that patterns find in labelled dialogues."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files

from aforesaid import Episode, Memory
from aforesaid.bench.metrics import PrecisionRecall
from aforesaid.models.episode import EpisodeType

LEAST_PRECISION = 0.85


@dataclass(frozen=True, slots=True)
class LabelledDialogue:
    """A few messages, and their episodes: the type, and the seq of a message in it."""

    part: str
    language: str
    messages: tuple[tuple[str, str], ...]
    episodes: tuple[tuple[EpisodeType, int], ...]


EvaluatedDialogue = tuple[LabelledDialogue, list[Episode]]


@dataclass(frozen=True, slots=True)
class EpisodeCounts(PrecisionRecall):
    """Counts of episodes in dialogues (`stretches`). A `right` episode has the wanted type and contains the wanted
    message; `junk` is in dialogues without episodes."""

    stretches: int
    wanted: int
    found: int
    right: int
    junk: int


@dataclass(frozen=True, slots=True)
class EpisodesReport:
    """By the part of the set (patterns were tuned on `development`, not on `held-out`), and by language."""

    parts: Mapping[str, EpisodeCounts]
    languages: Mapping[str, EpisodeCounts]

    @property
    def kept(self) -> bool:
        return all((counts.precision or 0.0) >= LEAST_PRECISION for counts in self.parts.values())

    def to_json(self) -> str:
        shown = {"parts": self.parts, "languages": self.languages}
        return json.dumps({name: {key: asdict(one) for key, one in group.items()} for name, group in shown.items()})


def run() -> EpisodesReport:
    """Finds the episodes of each dialogue in a conversation of its own."""
    results = list(_evaluate(labelled_dialogues()))
    parts = sorted({dialogue.part for dialogue, _ in results})
    languages = sorted({dialogue.language for dialogue, _ in results})
    return EpisodesReport(
        {part: _count([result for result in results if result[0].part == part]) for part in parts},
        {code: _count([result for result in results if result[0].language == code]) for code in languages},
    )


def labelled_dialogues() -> list[LabelledDialogue]:
    text = (files("aforesaid.bench") / "data" / "stretches.jsonl").read_text("utf-8")
    return [_parse_dialogue(line) for line in text.splitlines()]


def _parse_dialogue(line: str) -> LabelledDialogue:
    record = json.loads(line)
    messages = tuple((role, text) for role, text in record["messages"])
    episodes = tuple((episode["type"], episode["at"]) for episode in record["episodes"])
    return LabelledDialogue(record["part"], record["language"], messages, episodes)


def _evaluate(dialogues: Sequence[LabelledDialogue]) -> Iterator[EvaluatedDialogue]:
    with Memory(embedder="none", worker=False, environment={}) as memory:
        chats = [memory.conversation(f"dialogue {number}") for number in range(len(dialogues))]
        for chat, dialogue in zip(chats, dialogues, strict=True):
            chat.add_many([{"role": role, "content": text} for role, text in dialogue.messages])
        memory.flush()
        for chat, dialogue in zip(chats, dialogues, strict=True):
            yield dialogue, chat.episodes()


def _count(results: Sequence[EvaluatedDialogue]) -> EpisodeCounts:
    return EpisodeCounts(
        stretches=len(results),
        wanted=sum(len(dialogue.episodes) for dialogue, _ in results),
        found=sum(len(found) for _, found in results),
        right=sum(_is_found(wanted, found) for dialogue, found in results for wanted in dialogue.episodes),
        junk=sum(len(found) for dialogue, found in results if not dialogue.episodes),
    )


def _is_found(wanted: tuple[EpisodeType, int], found: Sequence[Episode]) -> bool:
    type, seq = wanted
    return any(episode.type == type and episode.first_seq <= seq <= episode.last_seq for episode in found)
