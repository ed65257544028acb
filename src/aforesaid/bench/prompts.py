"""The prompt builders that `bench prefix` compares: aforesaid, a sliding window and the full history."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from aforesaid import RECIPES, Conversation, Space
from aforesaid.bench.dataset import MessageRecord, prompt_line
from aforesaid.bench.systems import found_messages, messages_in_context
from aforesaid.providers.tokenizers import tokenizer

SYSTEM = "You are a friend who listens well. Answer from what was said; say so where you do not know."
RECALLED = 1000  # tokens of recalled text in a prompt
WINDOW = 8
DEPTH = 200
FULL = "full history"
OVERHEAD = 4  # tokens that a chat API adds to a message


@dataclass(frozen=True, slots=True)
class BenchPrompt:
    """A request, one line a message, and the ids of the messages of which it shows something."""

    lines: tuple[str, ...]
    shows: frozenset[str]


@dataclass(frozen=True, slots=True)
class ConversationState:
    """Where a conversation stands. The last of `said` is being answered, or `asked`, where that is given."""

    space: Space
    chat: Conversation
    said: Sequence[MessageRecord]
    asked: str | None = None

    @property
    def question(self) -> str:
        return self.said[-1]["content"] if self.asked is None else self.asked


PromptBuilder = Callable[[ConversationState], BenchPrompt]


def prompt_builders(max_tokens: int) -> dict[str, PromptBuilder]:
    """Every way by its name, ours first."""
    count = cache(tokenizer().count)
    return {
        "aforesaid": aforesaid_prompt(max_tokens),
        f"sliding window of {WINDOW}": sliding_window_prompt(RECALLED, count),
        "the same, filled up": sliding_window_prompt(max_tokens, count, whole=True),
        FULL: lambda moment: make_request(SYSTEM, moment.said, moment.asked),
    }


def truncated_history_prompt(max_tokens: int) -> PromptBuilder:
    """Full history where there is a budget: the last messages that fit."""
    count = cache(tokenizer().count)

    def make(moment: ConversationState) -> BenchPrompt:
        room = max_tokens - cost({"content": SYSTEM}, count) - cost({"content": moment.asked or ""}, count)
        at = len(moment.said)
        while at and (room := room - cost(moment.said[at - 1], count)) >= 0:
            at -= 1
        return make_request(SYSTEM, moment.said[at:], moment.asked)

    return make


def aforesaid_prompt(max_tokens: int) -> PromptBuilder:
    recipe = replace(RECIPES["balanced"], name="replayed", recalled_tokens=RECALLED)

    def make(moment: ConversationState) -> BenchPrompt:
        context = moment.chat.context(moment.asked, recipe=recipe, max_tokens=max_tokens, system=SYSTEM)
        return BenchPrompt(to_lines(context.to_openai()), frozenset(messages_in_context(context)))

    return make


def sliding_window_prompt(tokens: int, count: Callable[[str], int], *, whole: bool = False) -> PromptBuilder:
    """The last messages, and in the system prompt what recall finds beside them: `tokens` of it, or, for the
    `whole` prompt, what the others leave of `tokens`."""

    def make(moment: ConversationState) -> BenchPrompt:
        last = moment.said[-WINDOW:]
        room = tokens
        if whole:
            room -= sum(cost(one, count) for one in (*last, {"content": SYSTEM}, {"content": moment.asked or ""}))
        seen, by_id = {one["id"] for one in last}, {one["id"]: one for one in moment.said}
        taken: list[str] = []
        for one in found_messages(moment.space.recall(moment.question, DEPTH)):
            spent = count(prompt_line(by_id[one]) + "\n")
            if one not in seen and spent <= room:
                room -= spent
                taken.append(one)
        recalled = "\n".join([SYSTEM, *(prompt_line(by_id[one]) for one in taken)])
        made = make_request(recalled, last, moment.asked)
        return BenchPrompt(made.lines, made.shows | set(taken))

    return make


def make_request(system: str, said: Sequence[MessageRecord], asked: str | None) -> BenchPrompt:
    messages = [{key: one[key] for key in ("role", "content", "name") if key in one} for one in said]
    end = [] if asked is None else [{"role": "user", "content": asked}]
    lines = to_lines([{"role": "system", "content": system}, *messages, *end])
    return BenchPrompt(lines, frozenset(one["id"] for one in said))


def to_lines(messages: Sequence[Mapping[str, object]]) -> tuple[str, ...]:
    return tuple(json.dumps(one, ensure_ascii=False) + "\n" for one in messages)


def cost(message: MessageRecord, count: Callable[[str], int]) -> int:
    return count(prompt_line(message)) + OVERHEAD if message["content"] else 0
