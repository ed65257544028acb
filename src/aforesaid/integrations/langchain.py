"""LangChain: a middleware that gives an agent a memory, and the message history of a conversation."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any

from anyio import to_thread

from aforesaid.conversation import Conversation
from aforesaid.errors import InvalidInput
from aforesaid.memory import Memory
from aforesaid.models.json import Json
from aforesaid.models.message import Message
from aforesaid.space import Space

try:
    from langchain.agents.middleware import AgentMiddleware, AgentState, ModelRequest, ModelResponse
    from langchain_core.chat_history import BaseChatMessageHistory
    from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, RemoveMessage, messages_from_dict
    from langgraph.runtime import Runtime
except ImportError as exc:
    raise ImportError('MemoryMiddleware needs LangChain: pip install "aforesaid[langchain]"') from exc

ROLES = {"human": "user", "ai": "assistant", "system": "system", "tool": "tool", "function": "tool"}
TYPES = {"user": "human", "assistant": "ai", "system": "system", "tool": "tool"}
NO_TEXT = ({"type": "other"},)  # the content of a message without text; its raw form has what it contains
BLOCK_TOKENS = 2_000  # what memory adds to a request, at most
PAGE = 50  # stored messages that are read beyond those of the agent, to find where they continue


class MemoryMiddleware(AgentMiddleware[Any, Any, Any]):
    """Adds what memory knows to the newest question of a model call, and stores the messages of the run at its end.

    The space is the given one; of a Memory, the one that `user_id` in the context of the run names. The conversation is
    the `thread_id` of the run, else `conversation_id` in its context. Override `space_of` and `conversation_of` for
    another rule. A message is stored once, however often it is passed; what was added is never stored.
    """

    def __init__(self, memory: Memory | Space, *, max_tokens: int = BLOCK_TOKENS, recipe: str = "balanced") -> None:
        super().__init__()
        self._memory = memory
        self._max_tokens = max_tokens
        self._recipe = recipe

    def space_of(self, runtime: Runtime[Any]) -> Space:
        """The space of a run. Raises InvalidInput if nothing names it: two users must not share one by accident."""
        if isinstance(self._memory, Space):
            return self._memory
        user = _named(runtime.context, "user_id")
        if user is None:
            raise InvalidInput('name the user: agent.invoke(…, context={"user_id": "ana"}), or give a space')
        return self._memory.space(user)

    def conversation_of(self, runtime: Runtime[Any]) -> str:
        """The id of the conversation of a run. Raises InvalidInput if nothing names it."""
        thread = None if runtime.execution_info is None else runtime.execution_info.thread_id
        name = thread or _named(runtime.context, "conversation_id")
        if name is None:
            raise InvalidInput('name the conversation: agent.invoke(…, config={"configurable": {"thread_id": "trip"}})')
        return name

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        return handler(self._with_memory(request))

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]
    ) -> ModelResponse[Any]:
        return await handler(await to_thread.run_sync(self._with_memory, request))

    def after_agent(self, state: AgentState[Any], runtime: Runtime[Any]) -> None:
        """Stores the messages that are not stored yet, in one transaction."""
        chat = self._conversation(runtime)
        messages = [message for message in state["messages"] if _is_said(message)]
        new = messages[len(_stored(chat, messages)) :]
        if new:
            chat.add_many(map(to_record, new))

    async def aafter_agent(self, state: AgentState[Any], runtime: Runtime[Any]) -> None:
        await to_thread.run_sync(self.after_agent, state, runtime)

    def _conversation(self, runtime: Runtime[Any]) -> Conversation:
        return self.space_of(runtime).conversation(self.conversation_of(runtime))

    def _with_memory(self, request: ModelRequest[Any]) -> ModelRequest[Any]:
        """The request with the memory's block before the newest question."""
        messages = list(request.messages)
        at = next((at for at in reversed(range(len(messages))) if isinstance(messages[at], HumanMessage)), None)
        if at is None or not messages[at].text.strip():
            return request
        chat = self._conversation(request.runtime)
        known = _stored(chat, [message for message in messages if _is_said(message)])
        since = next((message.seq for message in known if message is not None), None)
        if since is None:
            newest = chat.messages(1)
            since = newest[0].seq + 1 if newest else 0
        context = chat.context(messages[at].text, since=since, max_tokens=self._max_tokens, recipe=self._recipe)
        block = "\n\n".join(turn.text for turn in context.turns if turn.text)
        if not block:
            return request
        content = messages[at].content
        added: str | list[str | dict[Any, Any]] = (
            f"{block}\n\n{content}" if isinstance(content, str) else [{"type": "text", "text": block}, *content]
        )
        messages[at] = messages[at].model_copy(update={"content": added})
        return request.override(messages=messages)


class AforesaidChatMessageHistory(BaseChatMessageHistory):
    """The messages of a conversation as a LangChain chat message history, which LangChain has deprecated. Every message
    comes back as it was added."""

    def __init__(self, conversation: Conversation) -> None:
        self._conversation = conversation

    @property
    def messages(self) -> list[BaseMessage]:  # type: ignore[override]
        return list(map(to_message, self._conversation))

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        """Stores messages in one transaction."""
        self._conversation.add_many(map(to_record, messages))

    def clear(self) -> None:
        """Removes all messages. The conversation stays."""
        self._conversation.clear()


def to_record(message: BaseMessage) -> dict[str, Json]:
    """The arguments of `Conversation.add` for a message: its words, and its own JSON as `raw`."""
    role = ROLES.get(message.type.removesuffix("MessageChunk").lower(), getattr(message, "role", "user"))
    data = message.model_dump_json(fallback=str)  # an artifact of a tool can be any object
    record: dict[str, Json] = {
        "role": role if role in TYPES else "user",
        "content": message.text if message.text.strip() else NO_TEXT,
        "name": message.name or None,
        "tool_call_id": getattr(message, "tool_call_id", None) or None,
        "raw": f'{{"type": {json.dumps(message.type)}, "data": {data}}}',
    }
    if isinstance(message, AIMessage) and message.tool_calls:
        record["tool_calls"] = [_call(call) for call in message.tool_calls]
    return record


def to_message(stored: Message) -> BaseMessage:
    """The LangChain message of a stored one; of one that came in another way, its words."""
    if stored.raw is not None:
        record = json.loads(stored.raw)
        if isinstance(record, dict) and record.keys() == {"type", "data"}:
            return messages_from_dict([record])[0]
    data = {"content": stored.text, "name": stored.name, "id": stored.id}
    if stored.role == "tool":
        data["tool_call_id"] = stored.tool_call_id or ""
    return messages_from_dict([{"type": TYPES[stored.role], "data": data}])[0]


def _call(call: Mapping[str, Any]) -> dict[str, Json]:
    function = {"name": call["name"], "arguments": json.dumps(call["args"], ensure_ascii=False, default=str)}
    return {"id": call["id"], "type": "function", "function": function}


def _named(context: object, name: str) -> str | None:
    """A field of the context of a run, which is a mapping or an object."""
    value = context.get(name) if isinstance(context, Mapping) else getattr(context, name, None)
    return None if value is None else str(value)


def _is_said(message: BaseMessage) -> bool:
    """False for what LangChain itself put among the messages."""
    made = message.additional_kwargs.get("lc_source") == "summarization"
    return not isinstance(message, RemoveMessage) and not made


def _stored(chat: Conversation, messages: Sequence[BaseMessage]) -> list[Message | None]:
    """The stored messages that an agent's messages begin with; None for one that was removed since.

    LangGraph gives each message an id, so usually the last known id says it. A client that sends its history without
    ids continues where its messages begin with the last stored ones.
    """
    stored = chat.messages(len(messages) + PAGE)
    ids = {str(record["data"].get("id")): message for message in stored if (record := _raw(message))}
    known = [ids.get(str(message.id)) for message in messages]
    last = max((at for at, message in enumerate(known) if message is not None), default=None)
    if last is not None:
        return known[: last + 1]
    here, there = list(map(_words, map(to_record, messages))), [_words(message.to_dict()) for message in stored]
    length = min(len(here), len(there))
    same = next((size for size in range(length, 0, -1) if there[-size:] == here[:size]), 0)
    return list(stored[len(stored) - same :])


def _raw(message: Message) -> Mapping[str, Any] | None:
    record = None if message.raw is None else json.loads(message.raw)
    return record if isinstance(record, dict) and isinstance(record.get("data"), dict) else None


def _words(record: Mapping[str, Json]) -> Iterable[Json]:
    """What two messages have in common if they are the same, whatever their ids are."""
    content = record["content"] if isinstance(record["content"], str) else ""
    return record["role"], content, record.get("tool_calls") or None, record.get("tool_call_id")
