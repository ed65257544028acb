"""Fits a history into a model's context window. Token counts are estimates that are too high rather than too low."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from aforesaid import Conversation
from aforesaid.models.json import Json
from aforesaid.models.message import Message
from aforesaid.proxy.wire_formats import RequestJson, WireFormat

BYTES_PER_TOKEN = 3
MESSAGE_OVERHEAD = 8  # tokens around a message
MEDIA_TOKENS = 1500  # of an image or a document
DATA_CHARACTERS = 4096  # so many characters without a space are data, not text
DEFAULT_OUTPUT_TOKENS = 1024  # reserved if a request names no limit; at most a quarter of the window
MAX_PREVIOUS_MESSAGES = 20


def estimate_tokens(value: Json) -> int:
    if isinstance(value, str):
        start = value[:DATA_CHARACTERS]
        data = len(start) == DATA_CHARACTERS and " " not in start and start.isascii()
        return MEDIA_TOKENS if data else len(value.encode("utf-8", "replace")) // BYTES_PER_TOKEN + 1
    if isinstance(value, dict):
        return sum(estimate_tokens(each) + 1 for each in value.values())
    if isinstance(value, list):
        return sum(map(estimate_tokens, value))
    return 1


def history_tokens(window: int, body: RequestJson, wire_format: WireFormat) -> int:
    """Returns the tokens left for the history and the memory, after the answer, the instructions and the tools."""
    answer = wire_format.output(body) or min(DEFAULT_OUTPUT_TOKENS, window // 4)
    instructions = [item for item in wire_format.items(body) if wire_format.is_instruction(item)]
    return window - answer - estimate_tokens(wire_format.with_items(body, instructions))


def first_item_sent(items: Sequence[Json], wire_format: WireFormat, most: int) -> int:
    """Returns the index of the first item to send, so that the history has at most `most` tokens.

    It advances in large steps, so that the prefix stays the same for many turns, and always to the start of a turn, so
    that no tool call loses its result. The newest turn is always sent."""
    sizes = (0 if wire_format.is_instruction(item) else estimate_tokens(item) + MESSAGE_OVERHEAD for item in items)
    ends = [0, *accumulate(sizes)]  # ends[n]: the tokens of the first n items
    if ends[-1] <= most:
        return 0
    step = max(1, most // 2)
    cut = step * -(-(ends[-1] - most) // step)
    turns = [at for at, item in enumerate(items) if wire_format.starts_turn(item)]
    after = [at for at in turns if ends[at] >= cut]
    return (after or turns[-1:] or [0])[0]


def previous_turns(chat: Conversation, before: int, tokens: int) -> list[Message]:
    """Returns the last messages of the user and the model before a seq that fit into `tokens`, from a question on."""
    turns: list[Message] = []
    for message in reversed(chat.messages(MAX_PREVIOUS_MESSAGES, before=before)):
        if message.role not in ("user", "assistant") or not message.text.strip():
            continue
        tokens -= message.tokens + MESSAGE_OVERHEAD
        if tokens < 0:
            break
        turns.insert(0, message)
    while turns and turns[0].role != "user":
        turns.pop(0)
    return turns
