"""`aforesaid bench prefix`: the share of each prompt that a provider can serve from its prefix cache, and the evidence
kept.

LoCoMo dialogues are replayed turn by turn. Recalled text takes up to 1,000 tokens of a prompt.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from functools import cache
from pathlib import Path
from statistics import fmean

from aforesaid import Memory
from aforesaid.bench import locomo
from aforesaid.bench.dataset import FixedClock, Haystack, MessageRecord
from aforesaid.bench.prompts import FULL, BenchPrompt, ConversationState, prompt_builders, truncated_history_prompt
from aforesaid.bench.report import grouped_bar_chart
from aforesaid.errors import InvalidInput
from aforesaid.providers.tokenizers import tokenizer

Progress = Callable[[int, int], None]  # done, total
Count = Callable[[str], int]

CACHED_PRICE = 0.1  # of a token that the provider has in its cache
CONVERSATION = "all sessions"


@dataclass(frozen=True, slots=True)
class PromptTokens:
    """The tokens of one prompt, and how many of them begin the prompt before it too, byte for byte."""

    tokens: int
    same: int

    @property
    def paid(self) -> float:
        """In tokens at the full price."""
        return self.tokens - self.same * (1 - CACHED_PRICE)


@dataclass(frozen=True, slots=True)
class PrefixRow:
    """Means over turns, and over questions for `evidence`. `cost` is the paid share of an uncached price."""

    prefix: float
    tokens: float
    paid: float
    cost: float
    evidence: float | None


@dataclass(frozen=True, slots=True)
class PrefixReport:
    title: str
    turns: int
    questions: int
    max_tokens: int
    rows: Mapping[str, PrefixRow]

    def to_json(self) -> str:
        return json.dumps(asdict(self), indent=2)

    def plot(self, path: Path) -> Path:
        drawn = {
            "prefix share": {name: row.prefix for name, row in self.rows.items()},
            "cost, against no cache": {name: row.cost for name, row in self.rows.items()},
            f"evidence kept in {self.max_tokens:,} tokens": {
                name: row.evidence for name, row in self.rows.items() if row.evidence is not None
            },
        }
        note = f"{self.turns:,} turns, {self.questions:,} questions; a cached token costs {CACHED_PRICE:g}"
        path.write_text(grouped_bar_chart(self.title, drawn, note=note), "utf-8")
        return path


@dataclass(frozen=True, slots=True)
class ReplayLimits:
    """How much of a dialogue is replayed, and how large a prompt may be."""

    turns: int = 200
    max_tokens: int = 8000


def run(path: Path, limits: ReplayLimits, progress: Progress) -> PrefixReport:
    dialogues = [locomo.haystack(one) for one in locomo.load(path)]
    turns: dict[str, list[PromptTokens]] = defaultdict(list)
    kept: dict[str, list[float]] = defaultdict(list)
    for done, dialogue in enumerate(dialogues):
        clock = FixedClock()
        with Memory(":memory:", worker=False, clock=clock) as memory:
            moment = replay(DialogueReplay(memory, clock, dialogue), limits, turns)
            ask(moment, dialogue, limits.max_tokens, kept)
        progress(done + 1, len(dialogues))
    if not turns:
        raise InvalidInput(f"{path} has no dialogue with two replies: there is nothing to compare")
    rows = {name: _row(of, kept[name]) for name, of in turns.items()}
    ours = next(iter(rows))
    return PrefixReport("LoCoMo, turn by turn", len(turns[ours]), len(kept[ours]), limits.max_tokens, rows)


@dataclass(frozen=True, slots=True)
class DialogueReplay:
    """A dialogue, and the empty store in which it happens again."""

    memory: Memory
    clock: FixedClock
    dialogue: Haystack

    def say(self, message: MessageRecord) -> None:
        """Stores a message at its own time, and waits until it can be found."""
        self.clock.set(datetime.fromisoformat(message["at"]) if "at" in message else None)
        self.memory.space(self.dialogue.space).conversation(CONVERSATION).add_many([message])
        self.memory.flush(timeout=600)

    def moment(self, said: Sequence[MessageRecord]) -> ConversationState:
        space = self.memory.space(self.dialogue.space)
        return ConversationState(space, space.conversation(CONVERSATION), said)


def replay(stage: DialogueReplay, limits: ReplayLimits, turns: dict[str, list[PromptTokens]]) -> ConversationState:
    """Says everything up to the last reply that is wanted; before each reply everybody makes a prompt. Notes how
    much of it was in the one before, and returns where the conversation stands."""
    messages, count = list(stage.dialogue.messages()), cache(tokenizer().count)
    places = replies(messages)[: limits.turns]
    if not places:
        raise InvalidInput(f"dialogue {stage.dialogue.space!r} has no reply to a user's message")
    before: dict[str, BenchPrompt] = {}
    everybody = prompt_builders(limits.max_tokens)
    for at, message in enumerate(messages[: places[-1] + 1]):
        if at in places:
            for name, make in everybody.items():
                prompt = make(stage.moment(messages[:at]))
                if name in before:
                    turns[name].append(compare_prompts(before[name], prompt, count))
                before[name] = prompt
        stage.say(message)
    return stage.moment(messages[: places[-1] + 1])


def replies(messages: Sequence[MessageRecord]) -> list[int]:
    """Where the assistant answers a user."""
    roles = [message["role"] for message in messages]
    return [at for at in range(1, len(roles)) if (roles[at - 1], roles[at]) == ("user", "assistant")]


def compare_prompts(before: BenchPrompt, now: BenchPrompt, count: Count) -> PromptTokens:
    """Counted message by message."""
    same = 0
    for old, new in zip(before.lines, now.lines, strict=False):
        same += count(common_prefix(old, new))
        if old != new:
            break
    return PromptTokens(sum(map(count, now.lines)), same)


def common_prefix(one: str, two: str) -> str:
    """What both texts begin with."""
    end = next((at for at, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))
    return one[:end]


def ask(moment: ConversationState, dialogue: Haystack, max_tokens: int, kept: dict[str, list[float]]) -> None:
    """Asks what was said within the replay, and notes how much of the gold is in each prompt."""
    said = {message["id"] for message in moment.said}
    everybody = prompt_builders(max_tokens) | {FULL: truncated_history_prompt(max_tokens)}
    for question in dialogue.questions:
        if question.gold and question.gold <= said:
            for name, make in everybody.items():
                shows = make(replace(moment, asked=question.text)).shows
                kept[name].append(len(question.gold & shows) / len(question.gold))


def _row(turns: Sequence[PromptTokens], kept: Sequence[float]) -> PrefixRow:
    return PrefixRow(
        prefix=fmean(turn.same / turn.tokens for turn in turns),
        tokens=fmean(turn.tokens for turn in turns),
        paid=fmean(turn.paid for turn in turns),
        cost=fmean(turn.paid / turn.tokens for turn in turns),
        evidence=fmean(kept) if kept else None,
    )
