"""Identifies the conversation of a request: by its headers, the previous response, or the ids and words it sends."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from aforesaid import Space
from aforesaid.access.authentication import CONVERSATION_HEADER
from aforesaid.models.json import Json
from aforesaid.proxy.message import ChatMessage, digest
from aforesaid.proxy.wire_formats import RequestJson
from aforesaid.replies.json_path import get_text, parse_json

RETRY_HEADER = "x-stainless-retry-count"
# Headers with which clients name a chat: Claude Code, Codex, Open WebUI, LibreChat, opencode.
SESSION_HEADERS = (
    "x-claude-code-session-id", "thread-id", "session-id", "session_id", "x-openwebui-chat-id",
    "x-librechat-conversation-id", "x-session-id", "x-session-affinity",
)  # fmt: skip
USER_HEADERS = ("x-openwebui-user-id", "x-librechat-user-id")
SUBAGENT_HEADERS = (
    "x-claude-code-agent-id", "x-openai-subagent", "x-codex-parent-thread-id", "x-parent-session-id"
)  # fmt: skip
CODEX_TURN_HEADER = "x-codex-turn-metadata"

_UUID = re.compile(r"[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}", re.IGNORECASE)
_CLAUDE_SESSION = re.compile(r"_session_([0-9a-f-]{36})$")


@dataclass(frozen=True, slots=True)
class ResponseLink:
    """The conversation of a response, and the id of its message, or of the last message if the response is empty."""

    conversation: str
    last: str


def find_response(space: Space, response: str) -> ResponseLink | None:
    """Finds a response by the id of its message in the store, so that every process finds it."""
    id = response_message_id(response)
    message = space.locate([id]).get(id)
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


def is_retry(headers: Mapping[str, str]) -> bool:
    """Returns True if the client marks a request as a retry, as those of OpenAI and Anthropic do."""
    return headers.get(RETRY_HEADER, "0") != "0"


def session_id(headers: Mapping[str, str], body: RequestJson) -> str:
    """Returns the id that a client gives to its chat; empty if it gives none."""
    header = next((value for name in SESSION_HEADERS if (value := headers.get(name))), "")
    if header:
        return header
    claude = get_text(body, "metadata", "user_id")
    named = _CLAUDE_SESSION.search(claude)
    session = named[1] if named else get_text(_json_object(claude), "session_id")
    cache_key = get_text(body, "prompt_cache_key")
    return session or (cache_key if _UUID.fullmatch(cache_key) else "")


def end_user(headers: Mapping[str, str], body: RequestJson) -> str:
    """Returns the id that an application gives to the person; empty if it gives none."""
    header = next((value for name in USER_HEADERS if (value := headers.get(name))), "")
    return header or get_text(body, "safety_identifier") or get_text(body, "user")


def subagent_or_task(headers: Mapping[str, str]) -> str | None:
    """Returns why a request is no talk of the person, if its headers say so: `subagent`, or the program's own task."""
    if any(headers.get(name) for name in SUBAGENT_HEADERS):
        return "subagent"
    turn = _json_object(headers.get(CODEX_TURN_HEADER, ""))
    source, kind = get_text(turn, "thread_source"), get_text(turn, "request_kind")
    return "task" if source not in ("", "user") or kind not in ("", "turn") else None


def root_id(session: str, user: str, messages: Sequence[ChatMessage]) -> str:
    """Returns a name for all chats with the same ids and the same first words of the person. It stays the same while
    the history grows, whatever the instructions are: they often contain the time or the open files."""
    users = [message for message in messages if message.role == "user"]
    first = next((message for message in users if message.text), users[0] if users else None)
    return f"chat-{digest([session, user, first.key if first else ''])}"


def _json_object(text: str) -> Json:
    return parse_json(text) if text.startswith("{") else None
