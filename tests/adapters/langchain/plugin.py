"""Puts AforesaidChatMessageHistory in place of InMemoryChatMessageHistory, and MemoryMiddleware into every agent."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Any

import langchain.agents
import pytest
from langchain_core import chat_history
from langchain_core.messages import BaseMessage
from upstream_plugin import used

from aforesaid import Memory
from aforesaid.integrations.langchain import AforesaidChatMessageHistory, MemoryMiddleware

MEMORY = Memory(":memory:", worker=False, environment={})
numbers = count()


class HistoryOfTheirs(AforesaidChatMessageHistory):
    """Takes the arguments of InMemoryChatMessageHistory."""

    def __init__(self, *, messages: Sequence[BaseMessage] = ()) -> None:
        super().__init__(MEMORY.conversation(str(next(numbers))))
        if messages:
            self.add_messages(messages)
        used()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HistoryOfTheirs) and self.messages == other.messages

    __hash__ = None


class MiddlewareOfAll(MemoryMiddleware):
    """Remembers every run of an agent in one conversation of a space of its own."""

    def __init__(self) -> None:
        super().__init__(MEMORY.space(f"agent {next(numbers)}"))
        used()

    def conversation_of(self, _: Any) -> str:
        used()
        return "theirs"


create_agent = langchain.agents.create_agent


def create_agent_with_memory(*args: Any, middleware: Sequence[Any] = (), **options: Any) -> Any:
    return create_agent(*args, middleware=[*middleware, MiddlewareOfAll()], **options)


def pytest_configure(config: pytest.Config) -> None:
    chat_history.InMemoryChatMessageHistory = HistoryOfTheirs
    langchain.agents.create_agent = langchain.agents.factory.create_agent = create_agent_with_memory
