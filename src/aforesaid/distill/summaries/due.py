"""Decides when the next summary is due, and which messages it covers. The range depends on the messages alone, so a
backlog gives the same segments as a live conversation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import regex

from aforesaid.models.message import Message
from aforesaid.text.identifiers import identifiers

SHORTEST_SEGMENT, LONGEST_SEGMENT = 10, 20
WINDOW = 15  # messages in a segment of the recipe `window`
UNSUMMARISED = 20  # messages without a summary in the recipe `project` …
CHUNK = 10  # … before the oldest of them become a chunk
MOST_CHUNKS = 40  # at 200 tokens each they take 8,000 of the recipe's 128,000 …
MERGED = 5  # … and with more, this many of the oldest are merged into one
ROLLING_WINDOW = 14
ROLLING_AFTER = 5  # the lowest seq at which a rolling summary can end
REMAINDER = 4  # messages at the end of a conversation that get a summary; of fewer, longer ones more tokens …
REMAINDER_TOKENS = 200  # … than the summary may have: else it would say as much as they do
LONGEST = 200  # messages in a segment that counts answers, if there are hardly any answers


@dataclass(frozen=True, slots=True)
class SeqRange:
    """Messages from `first` to `last`, by seq, both included."""

    first: int
    last: int


def covered_until(ranges: Iterable[SeqRange], end: int = -1) -> int:
    """The last seq that the segments cover without a gap, if everything up to `end` is covered; −1 for none."""
    for span in sorted(ranges, key=lambda span: span.first):
        if span.first > end + 1:
            break
        end = max(end, span.last)
    return end


def messages_needed(rule: str, frequency: int) -> int:
    """The number of messages that `next_segment` needs to decide; 0 if the rule makes no segments."""
    answers = LONGEST if frequency else 0
    sizes = {"window": WINDOW, "project": UNSUMMARISED + 1, "balanced": LONGEST_SEGMENT, "retrieval": answers}
    return sizes.get(rule, 0)


def next_segment(rule: str, end: int, messages: Sequence[Message], frequency: int) -> SeqRange | None:
    """The next segment after `end`, which `messages` follow; None if none is due."""
    last = _last(rule, messages, frequency)
    return None if last is None else SeqRange(end + 1, last.seq)


def remainder(end: int, messages: Sequence[Message]) -> SeqRange | None:
    """The last segment of a conversation that nobody continues; None if too little was said after `end`."""
    said = [message for message in messages if message.role in ("user", "assistant") and message.text.strip()]
    enough = len(said) >= REMAINDER or sum(message.tokens for message in said) > REMAINDER_TOKENS
    return SeqRange(end + 1, messages[-1].seq) if enough else None


def next_rolling(tail: Sequence[Message], reach: int | None) -> SeqRange | None:
    """The next rolling summary, from a user's message to an answer; None if there is no answer after `reach`, the end
    of the previous summary. `tail` are the newest messages."""
    last = _answer(tail)
    if last is None or last < ROLLING_AFTER or (reach is not None and last <= reach):
        return None
    first = max(0, last - ROLLING_WINDOW + 1)
    users = [message.seq for message in tail if message.role == "user" and first <= message.seq <= last]
    return SeqRange(users[0] if first and users else first, last)


def _last(rule: str, messages: Sequence[Message], frequency: int) -> Message | None:
    if rule == "window" and len(messages) >= WINDOW:
        return messages[WINDOW - 1]
    if rule == "project" and len(messages) > UNSUMMARISED:
        return messages[CHUNK - 1]
    if rule == "retrieval" and frequency:
        answers = [message for message in messages if message.role == "assistant"]
        if len(answers) >= frequency:
            return answers[frequency - 1]
        return messages[LONGEST - 1] if len(messages) >= LONGEST else None
    if rule == "balanced":
        sizes = enumerate(segment_sizes(messages[:LONGEST_SEGMENT]), 1)
        return next((messages[size - 1] for size, due in sizes if size >= SHORTEST_SEGMENT and due <= size), None)
    return None


def _answer(tail: Sequence[Message]) -> int | None:
    """The last assistant message without a pending tool call. Without any assistant or tool message, the newest one."""
    for message in reversed(tail):
        if message.role == "assistant" and not message.tool_calls:
            return message.seq
    return tail[-1].seq if tail and not any(message.role in ("assistant", "tool") for message in tail) else None


LONG_MESSAGE_TOKENS = 120  # mean tokens of a message that give the shortest segments
DENSE_SHARE = 0.5  # share of technical messages that gives the shortest segments
READ_CHARACTERS = 1_000  # characters of a message

_TECHNICAL = regex.compile(
    r"```|~~~|[A-Za-z_]\w*\([^()\n]{0,80}\)|\b\w*(?:Error|Exception)\b|\b(?:traceback|stack trace|null|HTTP|SQL|API)\b"
    r"|[{};=<>]{2}|\b\d+(?:[.,]\d+)?\s?(?:ms|kB|MB|GB|mg|ml|kW|°C|%)(?!\w)",
    regex.IGNORECASE,
)


def segment_sizes(messages: Sequence[Message]) -> Iterator[int]:
    """The size of the segment after each message, from 10 to 20, by the messages' length and technical share."""
    count = tokens = technical = 0
    for message in messages:
        if message.role in ("user", "assistant"):
            count, tokens, technical = count + 1, tokens + message.tokens, technical + is_technical(message.text)
        length = min(1.0, tokens / max(1, count) / LONG_MESSAGE_TOKENS)
        density = min(1.0, technical / max(1, count) / DENSE_SHARE)
        yield round(LONGEST_SEGMENT - (LONGEST_SEGMENT - SHORTEST_SEGMENT) * (length + density) / 2)


def is_technical(text: str) -> bool:
    """Returns True if a text has code, identifiers, errors or measures."""
    beginning = text[:READ_CHARACTERS]
    return _TECHNICAL.search(beginning) is not None or bool(identifiers(beginning))
