"""`aforesaid bench episodes`: precision and recall of the episodes that patterns find in labelled dialogues, and, in
dialogues of other people, how many of the episodes and automatic pins a reader judged right and useful."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

from aforesaid import Episode, Memory
from aforesaid.bench.charts import Caption, grouped_bar_chart
from aforesaid.bench.dataset import DatasetSession
from aforesaid.bench.metrics import PrecisionRecall
from aforesaid.bench.suite import read_benchmark
from aforesaid.distill.episodes.event_mentions import event_mentions, group_mentions
from aforesaid.distill.pins import MOST_PINS, pin_candidates, referenced_blocks
from aforesaid.models.episode import EpisodeType
from aforesaid.models.message import Role, Utterance

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
class RealCounts:
    """What is found in dialogues with so many messages of users. Of those that a reader judged, `right` ones are true,
    and `useful` ones are also worth finding again."""

    users: int
    found: int
    judged: int
    right: int
    useful: int

    @property
    def per_hundred(self) -> float:
        return 100 * self.found / self.users if self.users else 0.0


@dataclass(frozen=True, slots=True)
class EpisodesReport:
    """By the part of the set (patterns were tuned on `development`, not on `held-out`), and by language."""

    parts: Mapping[str, EpisodeCounts]
    languages: Mapping[str, EpisodeCounts]
    real: Mapping[str, RealCounts] = field(default_factory=dict)

    @property
    def kept(self) -> bool:
        return all((counts.precision or 0.0) >= LEAST_PRECISION for counts in self.parts.values())

    def to_json(self) -> str:
        shown: dict[str, Mapping[str, EpisodeCounts | RealCounts]]
        shown = {"parts": self.parts, "languages": self.languages, "real": self.real}
        return json.dumps({name: {key: asdict(one) for key, one in group.items()} for name, group in shown.items()})

    def pictures(self, source: str) -> dict[str, str]:
        counts = {**self.parts, **self.languages}
        rows = {
            measure: {name: value for name, one in counts.items() if (value := getattr(one, measure)) is not None}
            for measure in ("precision", "recall")
        }
        return {"": grouped_bar_chart(Caption("Episodes by patterns", "longer is better", source), rows)}


def run(real: Sequence[Path] = ()) -> EpisodesReport:
    """Finds the episodes of each dialogue in a conversation of its own. `real` are files of other benchmarks."""
    results = list(_evaluate(labelled_dialogues()))
    parts = sorted({dialogue.part for dialogue, _ in results})
    languages = sorted({dialogue.language for dialogue, _ in results})
    return EpisodesReport(
        {part: _count([result for result in results if result[0].part == part]) for part in parts},
        {code: _count([result for result in results if result[0].language == code]) for code in languages},
        evaluate_real(real),
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


def evaluate_real(paths: Sequence[Path]) -> dict[str, RealCounts]:
    """The episodes and the automatic pins of each file. A session that several questions share counts once."""
    verdicts = {tuple(row[:2]): row[2] for row in _rows("verdicts.jsonl")}
    users: Counter[str] = Counter()
    found: dict[tuple[str, str], list[str]] = {}
    for path in paths:
        data = read_benchmark(path)
        sessions = (_utterances(session) for haystack in data.haystacks for session in haystack.sessions)
        for session in {digest("".join(one.text for one in session)): session for session in sessions}.values():
            users[data.benchmark.title] += sum(utterance.role == "user" for utterance in session)
            for kind, texts in (("episode", _episode_texts(session)), ("pin", _pin_texts(session))):
                found.setdefault((data.benchmark.title, kind), []).extend(texts)
    counts: dict[str, RealCounts] = {}
    for (title, kind), texts in found.items():
        judged = [verdicts[kind, key] for key in map(digest, texts) if (kind, key) in verdicts]
        right = sum(verdict != "wrong" for verdict in judged)
        counts[f"{title}, {kind}s"] = RealCounts(users[title], len(texts), len(judged), right, judged.count("useful"))
    return counts


def digest(text: str) -> str:
    """Recognizes a text of a dataset without containing it."""
    return sha256(text.encode()).hexdigest()[:16]


def _rows(name: str) -> Iterator[list[str]]:
    text = (files("aforesaid.bench") / "data" / name).read_text("utf-8")
    return map(json.loads, text.splitlines())


def _utterances(session: DatasetSession) -> list[Utterance]:
    """The messages of a session. A speaker with a name is a person, and so a user."""
    result = []
    for seq, message in enumerate(session.messages):
        at = datetime.fromisoformat(message["at"]) if "at" in message else datetime(2026, 1, 1, tzinfo=UTC)
        role: Role = "user" if message["role"] == "user" or "name" in message else "assistant"
        text = message["content"]
        result.append(Utterance(message["id"], seq, role, message.get("name", role), text, at, None, 0))
    return result


def _episode_texts(session: Sequence[Utterance]) -> list[str]:
    mentions = [mention for utterance in session for mention in event_mentions(utterance)]
    return [draft.main.text for draft in group_mentions(session, mentions)]


def _pin_texts(session: Sequence[Utterance]) -> list[str]:
    sentences = [pin.text for utterance in session for pin in pin_candidates(utterance, utterance.at)]
    return list(dict.fromkeys([*sentences, *(code for _, code, _ in referenced_blocks(session))]))[:MOST_PINS]
