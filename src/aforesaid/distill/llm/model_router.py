"""Chooses the model for background work and for replies. Messages to a local model are never sent to a remote one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from aforesaid.distill.llm.llm_call import LLMClient
from aforesaid.distill.llm.token_budget import TokenBudget
from aforesaid.models.message import Message, Utterance
from aforesaid.ports import Tokenizer
from aforesaid.providers.language_models import ModelRegistry
from aforesaid.storage.store import Store
from aforesaid.text.masking import mask_secrets, no_mask

RoutedMessage: TypeAlias = Message | Utterance


def message_audience(messages: Sequence[RoutedMessage], before: str | None) -> list[str | None]:
    """The model that each message was sent to, or that wrote it. A user's message without a model belongs to the model
    that answers it, any other to the model before it. `before` is the model before the first message."""
    audience: list[str | None] = []
    model, waiting = before, 0
    for message in messages:
        model = message.model or model
        if message.role == "user" and message.model is None:
            waiting += 1
        else:
            audience += [model] * (waiting + 1)
            waiting = 0
    return audience + [model] * waiting


def conversation_audience(
    store: Store, space: str, conversation: str, messages: Sequence[RoutedMessage]
) -> list[str | None]:
    """`message_audience` of consecutive messages of a stored conversation."""
    info = store.conversations.get(space, conversation)
    if info is None or info.model is None or not messages:  # the conversation has never named a model
        return message_audience(messages, None)
    return message_audience(messages, store.messages.model_before(space, conversation, messages[0].seq) or info.model)


@dataclass(frozen=True, slots=True)
class ModelRouter:
    """`own` is always the model of the conversation, or of the messages, that the work is for."""

    models: ModelRegistry
    token_budget: TokenBudget
    tokenizer: Tokenizer
    mask: Callable[[str], str] = mask_secrets

    def background_model(self, own: str | None) -> str | None:
        """The conversation's own model if it is local, else the default model; None if there is no default."""
        return own if own is not None and self.models.local(own) else self.models.default

    def reply_model(self, requested: str | None, own: str | None) -> str | None:
        """The requested model, else the conversation's own if its provider is known, else the default."""
        if requested is not None:
            return requested
        return own if own is not None and self.models.known(own) else self.models.default

    def stays_local(self, own: str | None) -> bool:
        """Returns True if background work for `own` sends nothing to another machine."""
        name = self.background_model(own)
        return name is None or self.models.local(name)

    def most_private(self, audience: Sequence[str | None]) -> str | None:
        """The last local model of an audience, else the last model that is named."""
        named = [name for name in reversed(audience) if name is not None]
        return next((name for name in named if self.models.local(name)), named[0] if named else None)

    def client(self, own: str | None, *, masked: bool = True) -> LLMClient | None:
        """The client for background work; None if no model is available. `masked` is the setting `mask_sent`."""
        name = self.background_model(own)
        if name is None:
            return None
        return LLMClient(self.models.find(name), self.token_budget, self.tokenizer, self.mask if masked else no_mask)
