"""Where a chat belongs: what its headers say, or how it began."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from urllib.parse import unquote

from recollect.access.gate import CONVERSATION
from recollect.proxy.align import Habit
from recollect.proxy.said import Said, digest
from recollect.proxy.wires.dialect import Body
from recollect.replies.values import word

RETRIES = "x-stainless-retry-count"
DIGITS = re.compile(r"[\d\s]+")  # a date or a time in the application's words may change with every turn


def named(headers: Mapping[str, str], body: Body) -> str | None:
    """The conversation that a request names: percent-encoded in a header, or by OpenAI's own `conversation`."""
    header = headers.get(CONVERSATION)
    if header is not None:
        return unquote(header)
    return word(body, "conversation") or word(body, "conversation", "id") or None


def continues(body: Body) -> bool:
    """Whether the upstream itself keeps what was said before."""
    return bool(word(body, "previous_response_id") or body.get("conversation"))


def habit(headers: Mapping[str, str], body: Body) -> Habit:
    """How much of the history a request has. All of it, where its beginning is what names the conversation. The clients
    of OpenAI and Anthropic mark what they send again."""
    if named(headers, body) is None and not continues(body):
        return "whole"
    return "part" if headers.get(RETRIES, "0") == "0" else "again"


def fingerprint(opening: str, said: Sequence[Said]) -> str:
    """A name out of how a chat began: the application's words and the first of the user's. It stays as the history
    grows."""
    first = next((one.key for one in said if one.role == "user"), "")
    return f"chat-{digest([DIGITS.sub('', opening), first])}"
