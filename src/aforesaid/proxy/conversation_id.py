"""Finds the conversation of a request: by its headers, the previous response, or a fingerprint of its beginning."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from aforesaid import Space
from aforesaid.access.authentication import CONVERSATION_HEADER
from aforesaid.proxy.align import HistoryKind
from aforesaid.proxy.message import ChatMessage, digest
from aforesaid.proxy.wire_formats import RequestJson
from aforesaid.replies.json_path import get_text

RETRY_HEADER = "x-stainless-retry-count"
DIGITS = re.compile(r"[\d\s]+")  # ignored in system prompts: they may contain the current date or time


@dataclass(frozen=True, slots=True)
class ResponseLink:
    """The conversation of a response, and the id of its message, or of the last message if the response is empty."""

    conversation: str
    last: str


def find_response(space: Space, response: str) -> ResponseLink | None:
    """Finds a response by the id of its message in the store, so that every process finds it."""
    message = space.locate(response_message_id(response))
    return None if message is None else ResponseLink(message.conversation, message.id)


def response_message_id(response: str) -> str:
    """Returns the id under which a response is stored as a message."""
    return f"response-{digest(response)}"


def named_conversation(headers: Mapping[str, str], body: RequestJson) -> str | None:
    """Returns the conversation that a request names, percent-encoded in a header or in OpenAI's `conversation`."""
    header = headers.get(CONVERSATION_HEADER)
    if header is not None:
        return unquote(header)
    return get_text(body, "conversation") or get_text(body, "conversation", "id") or None


def upstream_keeps_history(body: RequestJson) -> bool:
    """Returns True if the upstream keeps the history itself."""
    return bool(get_text(body, "previous_response_id") or body.get("conversation"))


def history_kind(headers: Mapping[str, str], body: RequestJson) -> HistoryKind:
    """Returns how much of the history a request has: all of it if the fingerprint identifies the conversation. The
    clients of OpenAI and Anthropic mark a retry with a header."""
    if named_conversation(headers, body) is None and not upstream_keeps_history(body):
        return "whole"
    return "part" if headers.get(RETRY_HEADER, "0") == "0" else "again"


def fingerprint(instructions: str, messages: Sequence[ChatMessage]) -> str:
    """Returns a name from the system prompt and the first user message. It stays the same while the history grows."""
    first = next((message.key for message in messages if message.role == "user"), "")
    return f"chat-{digest([DIGITS.sub('', instructions), first])}"
