"""Chat messages from a file, one JSON object a line."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from recollect.errors import InvalidInput

STANDARD_INPUT = "-"

ChatMessage = dict[str, Any]


def read_jsonl(source: str) -> list[ChatMessage]:
    """The messages of a file, or of standard input for `-`. Empty lines are passed over."""
    name = "standard input" if source == STANDARD_INPUT else source
    lines = enumerate(_bytes(source).removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1)
    return [_message(text, f"line {number} of {name}") for number, text in lines if text.strip()]


def read_text() -> str:
    """Standard input as one message. The line end that closes it is not part of it."""
    try:
        text = _bytes(STANDARD_INPUT).decode()
    except UnicodeDecodeError as exc:
        raise InvalidInput(f"standard input is not UTF-8 text at byte {exc.start}; convert it first") from exc
    return text.removesuffix("\n").removesuffix("\r")


def _bytes(source: str) -> bytes:
    if source == STANDARD_INPUT:
        return sys.stdin.buffer.read()
    try:
        return Path(source).read_bytes()
    except OSError as exc:
        raise InvalidInput(f"{source} cannot be read: {exc.strerror}") from exc


def _message(text: bytes, where: str) -> ChatMessage:
    try:
        message = json.loads(text.decode())
    except (ValueError, RecursionError) as exc:
        raise InvalidInput(f"{where} is not JSON: {exc}; nothing was stored") from exc
    if not isinstance(message, dict):
        raise InvalidInput(f"{where} is not an object with 'role' and 'content'; nothing was stored")
    return message
