"""Whom each message was said to, where a conversation goes on with another model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from recollect.ports import Store


class Said(Protocol):
    """A message, as far as it matters here."""

    @property
    def seq(self) -> int: ...
    @property
    def role(self) -> str: ...
    @property
    def model(self) -> str | None: ...


def hearers(messages: Sequence[Said], before: str | None) -> list[str | None]:
    """The model that each message was said to, or that said it. A message that names none was said to the model of the
    ones before it; where a user spoke, to the one that answers. `before` is the model ahead of the first message."""
    found: list[str | None] = []
    model, waiting = before, 0
    for message in messages:
        model = message.model or model
        if message.role == "user" and message.model is None:
            waiting += 1
        else:
            found += [model] * (waiting + 1)
            waiting = 0
    return found + [model] * waiting


def heard_by(store: Store, space: str, conversation: str, messages: Sequence[Said]) -> list[str | None]:
    """`hearers` of messages in a row of a stored conversation."""
    info = store.conversations.get(space, conversation)
    if info is None or info.model is None or not messages:  # nobody named one, ever
        return hearers(messages, None)
    return hearers(messages, store.messages.model_before(space, conversation, messages[0].seq) or info.model)
