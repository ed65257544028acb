"""Who speaks in a recalled text."""

from __future__ import annotations

from collections.abc import Mapping

from recollect.models import Message

IMPORTED = "imported"  # the key in a message's metadata
NAMED_LIKE_ROLES = frozenset({"system", "developer", "user", "assistant", "tool", "recollect"})


def imported(metadata: Mapping[str, object]) -> bool:
    return bool(metadata.get(IMPORTED))


def foreign(message: Message) -> bool:
    """Whether it came from outside the conversation: from a tool, or from an import."""
    return message.role == "tool" or imported(message.metadata)
