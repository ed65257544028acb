"""`aforesaid bench prefix`: the share of each prompt that a provider can serve from its prefix cache, and the evidence
kept.

LoCoMo dialogues are replayed turn by turn with several prompt builders: aforesaid, a sliding window, and the full
history. Recalled text takes up to 1,000 tokens of a prompt.
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

from aforesaid import RECIPES, Conversation, Memory, Space
from aforesaid.bench import Progress, locomo
from aforesaid.bench.charts import Caption, Panel, grouped_bar_chart, line_charts
from aforesaid.bench.dataset import FixedClock, Haystack, MessageRecord, prompt_line
from aforesaid.bench.systems import found_messages, messages_in_context
from aforesaid.errors import InvalidInput
from aforesaid.providers.tokenizers import tokenizer

TokenCount = Callable[[str], int]

CACHED_PRICE = 0.1  # of a token in the provider's cache
CONVERSATION = "all sessions"
SYSTEM = "You are a friend who listens well. Answer from what was said; say so where you do not know."
RECALLED = 1000  # tokens of recalled text in a prompt
WINDOW = 8
DEPTH = 200
FULL = "full history"
TURNS_OF_A_STEP = 10  # in the chart by turn
BY_TURN_TITLE = "The share of a prompt that repeats the beginning of the previous one"
BY_TURN_NOTE = "mean of ten turns, by the turn; a provider can serve it from its cache; higher is better"
OVERHEAD = 4  # tokens that a chat API adds to a message


@dataclass(frozen=True, slots=True)
class PromptTokens:
    """The tokens of a prompt, and the number of them that the prompt before begins with, byte for byte.
    `turn` is the number of the turn in its dialogue, from 0."""

    tokens: int
    same: int
    turn: int = 0

    @property
    def paid(self) -> float:
        """In tokens at the full price."""
        return self.tokens - self.same * (1 - CACHED_PRICE)


@dataclass(frozen=True, slots=True)
class PrefixRow:
    """Means over turns, and over questions for `evidence`. `cost` is the paid share of an uncached price. `by_turn` is
    the prefix in each ten turns."""

    prefix: float
    tokens: float
    paid: float
    cost: float
    evidence: float | None
    by_turn: Sequence[float] = ()


@dataclass(frozen=True, slots=True)
class PrefixReport:
    title: str
    turns: int
    questions: int
    max_tokens: int
    rows: Mapping[str, PrefixRow]

    def to_json(self) -> str:
        return json.dumps(asdict(self), indent=2)

    def pictures(self, source: str) -> dict[str, str]:
        charted = {
            "prefix share": {name: row.prefix for name, row in self.rows.items()},
            "cost, against no cache": {name: row.cost for name, row in self.rows.items()},
            f"evidence kept in {self.max_tokens:,} tokens": {
                name: row.evidence for name, row in self.rows.items() if row.evidence is not None
            },
        }
        note = f"{self.turns:,} turns, {self.questions:,} questions; a cached token costs {CACHED_PRICE:g}"
        lines = {name: row.by_turn for name, row in self.rows.items()}
        last = max(map(len, lines.values()))
        steps = [f"{TURNS_OF_A_STEP * at + 1:,}" for at in range(last)]
        turns = Panel("from turn", steps, lines)
        return {
            "": grouped_bar_chart(Caption(self.title, note, source), charted),
            "-by-turn": line_charts(Caption(BY_TURN_TITLE, BY_TURN_NOTE, source), [turns]),
        }


@dataclass(frozen=True, slots=True)
class ReplayLimits:
    """The turns of each dialogue, and the tokens of a prompt."""

    turns: int = 200
    max_tokens: int = 8000


def run(path: Path, limits: ReplayLimits, progress: Progress) -> PrefixReport:
    dialogues = [locomo.haystack(record) for record in locomo.load(path)]
    turns: dict[str, list[PromptTokens]] = defaultdict(list)
    evidence: dict[str, list[float]] = defaultdict(list)
    for done, dialogue in enumerate(dialogues):
        clock = FixedClock()
        with Memory(":memory:", worker=False, clock=clock) as memory:
            state = replay(DialogueReplay(memory, clock, dialogue), limits, turns)
            ask(state, dialogue, limits.max_tokens, evidence)
        progress(done + 1, len(dialogues))
    if not turns:
        raise InvalidInput(f"{path} has no dialogue with two replies: there is nothing to compare")
    rows = {name: _row(tokens, evidence[name]) for name, tokens in turns.items()}
    first = next(iter(rows))
    return PrefixReport("LoCoMo, turn by turn", len(turns[first]), len(evidence[first]), limits.max_tokens, rows)


@dataclass(frozen=True, slots=True)
class BenchPrompt:
    """A request, one line per message, and the ids of the messages that it shows, whole or in part."""

    lines: tuple[str, ...]
    shows: frozenset[str]


@dataclass(frozen=True, slots=True)
class ConversationState:
    """A conversation up to some message. The prompt answers `asked`, or the last of `messages`."""

    space: Space
    chat: Conversation
    messages: Sequence[MessageRecord]
    asked: str | None = None

    @property
    def question(self) -> str:
        return self.messages[-1]["content"] if self.asked is None else self.asked


PromptBuilder = Callable[[ConversationState], BenchPrompt]


@dataclass(frozen=True, slots=True)
class DialogueReplay:
    """A dialogue, and the empty store into which it is replayed."""

    memory: Memory
    clock: FixedClock
    dialogue: Haystack

    def add(self, message: MessageRecord) -> None:
        """Stores a message at its own time, and waits until it can be found."""
        self.clock.set(datetime.fromisoformat(message["at"]) if "at" in message else None)
        self.memory.space(self.dialogue.space).conversation(CONVERSATION).add_many([message])
        self.memory.flush(timeout=600)

    def state(self, messages: Sequence[MessageRecord]) -> ConversationState:
        space = self.memory.space(self.dialogue.space)
        return ConversationState(space, space.conversation(CONVERSATION), messages)


def replay(stage: DialogueReplay, limits: ReplayLimits, turns: dict[str, list[PromptTokens]]) -> ConversationState:
    """Adds all messages up to the last reply within the limits. Before each reply, every builder makes a prompt, which
    is compared with its prompt before. Returns the final state."""
    messages, count = list(stage.dialogue.messages()), cache(tokenizer().count)
    places = replies(messages)[: limits.turns]
    if not places:
        raise InvalidInput(f"dialogue {stage.dialogue.space!r} has no reply to a user's message")
    before: dict[str, BenchPrompt] = {}
    builders = prompt_builders(limits.max_tokens)
    for at, message in enumerate(messages[: places[-1] + 1]):
        if at in places:
            for name, build in builders.items():
                prompt = build(stage.state(messages[:at]))
                if name in before:
                    turns[name].append(replace(compare_prompts(before[name], prompt, count), turn=places.index(at)))
                before[name] = prompt
        stage.add(message)
    return stage.state(messages[: places[-1] + 1])


def replies(messages: Sequence[MessageRecord]) -> list[int]:
    """The places at which the assistant answers a user."""
    roles = [message["role"] for message in messages]
    return [at for at in range(1, len(roles)) if (roles[at - 1], roles[at]) == ("user", "assistant")]


def compare_prompts(before: BenchPrompt, now: BenchPrompt, count: TokenCount) -> PromptTokens:
    """Counts message by message."""
    same = 0
    for old, new in zip(before.lines, now.lines, strict=False):
        same += count(common_prefix(old, new))
        if old != new:
            break
    return PromptTokens(sum(map(count, now.lines)), same)


def common_prefix(one: str, two: str) -> str:
    end = next((at for at, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))
    return one[:end]


def ask(state: ConversationState, dialogue: Haystack, max_tokens: int, evidence: dict[str, list[float]]) -> None:
    """Asks the questions about replayed messages, and records the share of the gold in each prompt."""
    replayed = {message["id"] for message in state.messages}
    builders = prompt_builders(max_tokens) | {FULL: truncated_history_prompt(max_tokens)}
    for question in dialogue.questions:
        if question.gold and question.gold <= replayed:
            for name, build in builders.items():
                shows = build(replace(state, asked=question.text)).shows
                evidence[name].append(len(question.gold & shows) / len(question.gold))


def _row(turns: Sequence[PromptTokens], evidence: Sequence[float]) -> PrefixRow:
    steps: dict[int, list[float]] = defaultdict(list)
    for turn in turns:
        steps[turn.turn // TURNS_OF_A_STEP].append(turn.same / turn.tokens)
    return PrefixRow(
        prefix=fmean(turn.same / turn.tokens for turn in turns),
        tokens=fmean(turn.tokens for turn in turns),
        paid=fmean(turn.paid for turn in turns),
        cost=fmean(turn.paid / turn.tokens for turn in turns),
        evidence=fmean(evidence) if evidence else None,
        by_turn=[fmean(shares) for _, shares in sorted(steps.items())],
    )


def prompt_builders(max_tokens: int) -> dict[str, PromptBuilder]:
    """The builders by name, aforesaid first."""
    count = cache(tokenizer().count)
    return {
        "aforesaid": aforesaid_prompt(max_tokens),
        f"sliding window of {WINDOW}": sliding_window_prompt(RECALLED, count),
        "the same, filled up": sliding_window_prompt(max_tokens, count, whole=True),
        FULL: lambda state: make_request(SYSTEM, state.messages, state.asked),
    }


def truncated_history_prompt(max_tokens: int) -> PromptBuilder:
    """The full history within a budget: the last messages that fit."""
    count = cache(tokenizer().count)

    def build(state: ConversationState) -> BenchPrompt:
        room = max_tokens - cost({"content": SYSTEM}, count) - cost({"content": state.asked or ""}, count)
        at = len(state.messages)
        while at and (room := room - cost(state.messages[at - 1], count)) >= 0:
            at -= 1
        return make_request(SYSTEM, state.messages[at:], state.asked)

    return build


def aforesaid_prompt(max_tokens: int) -> PromptBuilder:
    recipe = replace(RECIPES["balanced"], name="replayed", recalled_tokens=RECALLED)

    def build(state: ConversationState) -> BenchPrompt:
        context = state.chat.context(state.asked, recipe=recipe, max_tokens=max_tokens, system=SYSTEM)
        return BenchPrompt(to_lines(context.to_openai()), frozenset(messages_in_context(context)))

    return build


def sliding_window_prompt(tokens: int, count: TokenCount, *, whole: bool = False) -> PromptBuilder:
    """The last messages, and recalled ones in the system prompt: `tokens` of them, or, for the `whole` prompt, as many
    as fit into `tokens`."""

    def build(state: ConversationState) -> BenchPrompt:
        last = state.messages[-WINDOW:]
        room = tokens
        if whole:
            others = (*last, {"content": SYSTEM}, {"content": state.asked or ""})
            room -= sum(cost(message, count) for message in others)
        shown, by_id = {message["id"] for message in last}, {message["id"]: message for message in state.messages}
        recalled: list[str] = []
        for id in found_messages(state.space.recall(state.question, DEPTH)):
            spent = count(prompt_line(by_id[id]) + "\n")
            if id not in shown and spent <= room:
                room -= spent
                recalled.append(id)
        system = "\n".join([SYSTEM, *(prompt_line(by_id[id]) for id in recalled)])
        request = make_request(system, last, state.asked)
        return replace(request, shows=request.shows | set(recalled))

    return build


def make_request(system: str, messages: Sequence[MessageRecord], asked: str | None) -> BenchPrompt:
    sent = [{key: message[key] for key in ("role", "content", "name") if key in message} for message in messages]
    question = [] if asked is None else [{"role": "user", "content": asked}]
    lines = to_lines([{"role": "system", "content": system}, *sent, *question])
    return BenchPrompt(lines, frozenset(message["id"] for message in messages))


def to_lines(messages: Sequence[Mapping[str, object]]) -> tuple[str, ...]:
    return tuple(json.dumps(message, ensure_ascii=False) + "\n" for message in messages)


def cost(message: MessageRecord, count: TokenCount) -> int:
    return count(prompt_line(message)) + OVERHEAD if message["content"] else 0
