"""The turns before a message that was sent alone."""

from __future__ import annotations

from recollect import Conversation
from recollect.models import Message
from recollect.proxy.budget import FRAME

LAST = 20  # messages at most


def earlier(chat: Conversation, before: int, tokens: int) -> list[Message]:
    """The last words of the user and the model before the message of this seq, from a question on, in at most so many
    tokens."""
    said = [one for one in chat.messages(LAST, before=before) if one.role in ("user", "assistant") and one.text.strip()]
    taken: list[Message] = []
    for message in reversed(said):
        tokens -= message.tokens + FRAME
        if tokens < 0:
            break
        taken.insert(0, message)
    while taken and taken[0].role != "user":
        taken.pop(0)
    return taken
