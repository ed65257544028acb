"""Who makes the prompt of a turn: recollect, and the two ways that are usual without it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from recollect import RECIPES, Conversation, Space
from recollect.bench.corpus import MessageRecord, line
from recollect.bench.systems import found, shown
from recollect.providers.tokenizers import tokenizer

SYSTEM = "You are a friend who listens well. Answer from what was said; say so where you do not know."
RECALLED = 1000  # tokens of recalled text in a prompt
WINDOW = 8
DEPTH = 200
FULL = "full history"
OVERHEAD = 4  # tokens that a chat API adds to a message


@dataclass(frozen=True, slots=True)
class Prompt:
    """A request, one line a message, and the ids of the messages of which it shows something."""

    lines: tuple[str, ...]
    shows: frozenset[str]


@dataclass(frozen=True, slots=True)
class Moment:
    """Where a conversation stands. The last of `said` is being answered, or `asked`, where that is given."""

    space: Space
    chat: Conversation
    said: Sequence[MessageRecord]
    asked: str | None = None

    @property
    def question(self) -> str:
        return self.said[-1]["content"] if self.asked is None else self.asked


Maker = Callable[[Moment], Prompt]


def makers(max_tokens: int) -> dict[str, Maker]:
    """Every way by its name, ours first."""
    count = cache(tokenizer().count)
    return {
        "recollect": ours(max_tokens),
        f"sliding window of {WINDOW}": window(RECALLED, count),
        "the same, filled up": window(max_tokens, count, whole=True),
        FULL: lambda moment: request(SYSTEM, moment.said, moment.asked),
    }


def cut_to(max_tokens: int) -> Maker:
    """Full history where there is a budget: the last messages that fit."""
    count = cache(tokenizer().count)

    def make(moment: Moment) -> Prompt:
        room = max_tokens - cost({"content": SYSTEM}, count) - cost({"content": moment.asked or ""}, count)
        at = len(moment.said)
        while at and (room := room - cost(moment.said[at - 1], count)) >= 0:
            at -= 1
        return request(SYSTEM, moment.said[at:], moment.asked)

    return make


def ours(max_tokens: int) -> Maker:
    recipe = replace(RECIPES["balanced"], name="replayed", retrieved_tokens=RECALLED)

    def make(moment: Moment) -> Prompt:
        context = moment.chat.context(moment.asked, recipe=recipe, max_tokens=max_tokens, system=SYSTEM)
        return Prompt(written(context.to_openai()), frozenset(shown(context)))

    return make


def window(tokens: int, count: Callable[[str], int], *, whole: bool = False) -> Maker:
    """The last messages, and in the system prompt what recall finds beside them: `tokens` of it, or, for the
    `whole` prompt, what the others leave of `tokens`."""

    def make(moment: Moment) -> Prompt:
        last = moment.said[-WINDOW:]
        room = tokens
        if whole:
            room -= sum(cost(one, count) for one in (*last, {"content": SYSTEM}, {"content": moment.asked or ""}))
        seen, by_id = {one["id"] for one in last}, {one["id"]: one for one in moment.said}
        taken: list[str] = []
        for one in found(moment.space.recall(moment.question, DEPTH)):
            spent = count(line(by_id[one]) + "\n")
            if one not in seen and spent <= room:
                room -= spent
                taken.append(one)
        recalled = "\n".join([SYSTEM, *(line(by_id[one]) for one in taken)])
        made = request(recalled, last, moment.asked)
        return Prompt(made.lines, made.shows | set(taken))

    return make


def request(system: str, said: Sequence[MessageRecord], asked: str | None) -> Prompt:
    messages = [{key: one[key] for key in ("role", "content", "name") if key in one} for one in said]
    end = [] if asked is None else [{"role": "user", "content": asked}]
    lines = written([{"role": "system", "content": system}, *messages, *end])
    return Prompt(lines, frozenset(one["id"] for one in said))


def written(messages: Sequence[Mapping[str, object]]) -> tuple[str, ...]:
    return tuple(json.dumps(one, ensure_ascii=False) + "\n" for one in messages)


def cost(message: MessageRecord, count: Callable[[str], int]) -> int:
    return count(line(message)) + OVERHEAD if message["content"] else 0
