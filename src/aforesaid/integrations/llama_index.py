"""LlamaIndex on a space: a chat store that keeps messages verbatim, and a memory block that recalls.

Memory.from_defaults(session_id="trip", memory_blocks=[RecallBlock(mem.space("ana"))])
ChatMemoryBuffer.from_defaults(chat_store=ChatStore(mem.space("ana")), chat_store_key="trip")
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from anyio import to_thread

from aforesaid.conversation import Conversation
from aforesaid.models.json import Json
from aforesaid.models.message import Message
from aforesaid.space import Space

try:
    from llama_index.core.base.llms.types import ChatMessage, ToolCallBlock
    from llama_index.core.bridge.pydantic import PrivateAttr
    from llama_index.core.memory import BaseMemoryBlock
    from llama_index.core.storage.chat_store import BaseChatStore
except ImportError as exc:
    raise ImportError('LlamaIndex is missing; pip install "aforesaid[llama-index]"') from exc

ROLES = {"developer": "system", "function": "tool", "chatbot": "assistant", "model": "assistant"}
PAGE = 1000  # conversations of one answer


def stored(message: ChatMessage) -> dict[str, Json]:
    """The arguments of `add`: the text to search, and the whole message as `raw`."""
    role = message.role.value
    calls = [block for block in message.blocks if isinstance(block, ToolCallBlock)]
    text = (message.content or "").strip()
    if not text:  # a picture, or a call of a tool
        text = " ".join(call.tool_name for call in calls) or f"[{', '.join(b.block_type for b in message.blocks)}]"
    return {"role": ROLES.get(role, role), "content": text, "raw": message.model_dump_json()}


def read(message: Message) -> ChatMessage:
    """The message as LlamaIndex wrote it, or else its role and text."""
    if message.raw is None:
        return ChatMessage(role=message.role, content=message.text)
    return ChatMessage.model_validate_json(message.raw)


class ChatStore(BaseChatStore):
    """The conversations of a space, by their ids. The messages come back as they were given."""

    _space: Space = PrivateAttr()

    def __init__(self, space: Space) -> None:
        super().__init__()
        self._space = space

    @classmethod
    def class_name(cls) -> str:
        return "AforesaidChatStore"

    def set_messages(self, key: str, messages: list[ChatMessage]) -> None:
        """Replaces the messages from the first one that differs, in one transaction. What was learnt from the others
        stays."""
        chat, new = self._space.conversation(key), [stored(message) for message in messages]
        old = list(chat)
        pairs = enumerate(zip(old, new, strict=False))
        same = next((at for at, (one, other) in pairs if one.raw != other["raw"]), min(len(old), len(new)))
        if same < len(old):
            chat.replace(old[same], new[same:])
        else:
            chat.add_many(new[same:])

    def get_messages(self, key: str) -> list[ChatMessage]:
        return [read(message) for message in self._space.conversation(key)]

    def add_message(self, key: str, message: ChatMessage) -> None:
        self._space.conversation(key).add_many([stored(message)])

    def delete_messages(self, key: str) -> list[ChatMessage] | None:
        """Deletes the conversation, and returns its messages; None if there is none."""
        messages = self.get_messages(key)
        return messages if self._space.conversation(key).delete() else None

    def delete_message(self, key: str, idx: int) -> ChatMessage | None:
        chat = self._space.conversation(key)
        messages = list(chat)
        if not -len(messages) <= idx < len(messages):
            return None
        chat.remove(messages[idx], messages[idx])
        return read(messages[idx])

    def delete_last_message(self, key: str) -> ChatMessage | None:
        message = self._space.conversation(key).pop()
        return None if message is None else read(message)

    def get_keys(self) -> list[str]:
        keys: list[str] = []
        while page := self._space.conversations(PAGE, after=keys[-1] if keys else None):
            keys += [info.id for info in page]
        return keys


class RecallBlock(BaseMemoryBlock[str]):
    """A block of what a space knows about the newest message: facts, pins and messages of all conversations.

    The messages that leave the short-term memory are stored in the conversation with the session's id, or with the id
    `conversation`. If there is too little room, the least relevant lines are left out.
    """

    limit: int = 10
    conversation: str | None = None
    _space: Space = PrivateAttr()

    def __init__(
        self,
        space: Space,
        *,
        name: str = "recalled",
        limit: int = 10,
        conversation: str | None = None,
        priority: int = 1,
        description: str | None = "What earlier conversations say about the newest message.",
    ) -> None:
        super().__init__(name=name, description=description, priority=priority)
        self.limit, self.conversation, self._space = limit, conversation, space

    async def _aget(self, messages: list[ChatMessage] | None = None, **block_kwargs: Any) -> str:  # noqa: ANN401
        asked = [one.content for one in messages or () if one.role.value == "user" and one.content]
        given = block_kwargs.get("input")
        query = given.content if isinstance(given, ChatMessage) else given or (asked[-1] if asked else None)
        if not query or not query.strip():
            return ""
        hits = await to_thread.run_sync(self._space.recall, query, self.limit)
        return "\n".join(f"- {' '.join(hit.text.split())}" for hit in hits)

    async def _aput(self, messages: list[ChatMessage]) -> None:
        await to_thread.run_sync(self._store, messages)

    def _store(self, messages: Sequence[ChatMessage]) -> None:
        for message in messages:
            if message.role.value != "system":
                session = self.conversation or message.additional_kwargs.get("session_id") or "default"
                self._chat(session).add_many([stored(message)])

    def _chat(self, session: str) -> Conversation:
        return self._space.conversation(session)

    async def atruncate(self, content: str, tokens_to_truncate: int) -> str | None:
        """Leaves out the last lines: about four characters are a token."""
        lines, left = content.split("\n"), len(content) - 4 * tokens_to_truncate
        while lines and len("\n".join(lines)) > left:
            lines.pop()
        return "\n".join(lines) or None
