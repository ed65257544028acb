"""Google ADK: a memory service for its `Runner`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Unpack

from anyio import to_thread

from aforesaid import Hit, Memory, Message, NotFound, RecallOptions, Space
from aforesaid.integrations.chat_messages import FrameworkMessage

try:
    from google.adk.memory.base_memory_service import BaseMemoryService, SearchMemoryResponse
    from google.adk.memory.memory_entry import MemoryEntry
    from google.genai import types
except ImportError as exc:
    raise ImportError('Google ADK is missing or too old: pip install "aforesaid[google-adk]"') from exc

if TYPE_CHECKING:
    from google.adk.events.event import Event
    from google.adk.sessions.session import Session

NAMESPACE = "google_adk"
MEMORIES, DELETED = (NAMESPACE, "memories"), (NAMESPACE, "deleted")
NO_SESSION = "__unknown_session_id__"  # as ADK's own services call it
MEMORY_TOOLS = ("load_memory", "preload_memory")
TOOL_SHARE = 3  # a search reads so many times its limit, because results of tools are no memories


class AforesaidMemoryService(BaseMemoryService):  # type: ignore[misc, unused-ignore]
    """A memory service on a store: `Runner(…, memory_service=AforesaidMemoryService(memory))`.

    The memory of a user of an app is the space `APP/USER`, a session is a conversation of it, and an event is stored
    once, by its id. A search finds what users and agents said, and what `add_memory` stored. `recall` are options of
    `space.recall`, such as `kinds=["message", "fact"]`.
    """

    def __init__(self, memory: Memory, *, limit: int = 10, **recall: Unpack[RecallOptions]) -> None:
        self._memory = memory
        self._limit = limit
        self._recall: RecallOptions = {"kinds": ["message"], "items": MEMORIES, **recall}

    def space(self, app_name: str, user_id: str) -> Space:
        """The space of a user. In the name of the app, `%` and `/` are written `%25` and `%2F`."""
        return self._memory.space(f"{app_name.replace('%', '%25').replace('/', '%2F')}/{user_id}")

    async def add_session_to_memory(self, session: Session) -> None:
        """Stores the events that are not stored yet; call it again when the session has grown."""
        space = self.space(session.app_name, session.user_id)
        await to_thread.run_sync(_add, space, session.id, session.events)

    async def add_events_to_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        events: Sequence[Event],
        session_id: str | None = None,
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Stores the events that are not stored yet. A search returns their `custom_metadata`."""
        space = self.space(app_name, user_id)
        await to_thread.run_sync(_add, space, session_id or NO_SESSION, events, custom_metadata)

    async def add_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        memories: Sequence[MemoryEntry],
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Stores each memory once, by its id or its content. One with the same id is replaced."""
        entries = [_memory(memory, custom_metadata or {}) for memory in memories]
        await to_thread.run_sync(self.space(app_name, user_id).items(MEMORIES).put_many, entries)

    async def search_memory(self, *, app_name: str, user_id: str, query: str) -> SearchMemoryResponse:
        if not any(map(str.isalnum, query)):
            return SearchMemoryResponse()
        recall = partial(self.space(app_name, user_id).recall, query, TOOL_SHARE * self._limit, **self._recall)
        hits = await to_thread.run_sync(recall)
        found = [_entry(hit) for hit in hits if hit.message is None or _is_memory(hit.message)]
        return SearchMemoryResponse(memories=found[: self._limit])

    async def delete_memory(self, *, app_name: str, user_id: str, memory_id: str | None = None) -> None:
        """Erases a memory with everything derived from it. An event that was deleted is not stored again."""
        if memory_id:
            await to_thread.run_sync(_delete, self.space(app_name, user_id), memory_id)


def _add(
    space: Space, conversation: str, events: Sequence[Event], custom_metadata: Mapping[str, object] | None = None
) -> None:
    spoken = [event for event in events if event.content and event.content.parts and not event.partial]
    ids = [event.id for event in spoken]
    gone: set[str] = set(space.locate(ids)) if ids else set()
    if len(gone) < len(ids):
        deleted = space.items(DELETED).search(filter={"id": {"$in": ids}}, limit=len(ids))
        gone |= {hit.item.key for hit in deleted}
    new = {event.id: event for event in spoken if event.id not in gone}
    messages = [message for event in new.values() for message in _stored(event, custom_metadata)]
    space.conversation(conversation).add_many(messages)


def _stored(event: Event, custom_metadata: Mapping[str, object] | None) -> list[dict[str, Any]]:
    said = event.content or types.Content()
    content = types.Content(role=said.role, parts=[_without_memories(part) for part in said.parts or ()])
    about = {"author": event.author} | ({"custom_metadata": dict(custom_metadata)} if custom_metadata else {})
    at = datetime.fromtimestamp(event.timestamp, UTC)
    messages = _read(content, "user" if event.author == "user" else "assistant").stored(
        _json(content), event.id, at=at, metadata=about
    )
    for message in messages:
        if message["role"] == "assistant" and event.author:
            message["name"] = event.author
    return messages


def _read(content: types.Content, role: str) -> FrameworkMessage:
    texts, calls, results, others = [], [], [], []
    for part in content.parts or ():
        if part.text and not part.thought:
            texts.append(part.text)
        elif call := part.function_call:
            calls.append((call.id or call.name or "", call.name or "", json.dumps(call.args or {}, default=str)))
        elif result := part.function_response:
            words = json.dumps(result.response, ensure_ascii=False, default=str) if result.response else ""
            results.append((result.id or result.name or "", result.name, words))
        elif not part.text:
            others.append("file" if part.file_data or part.inline_data else "code")
    return FrameworkMessage(role, "\n\n".join(texts), calls, results, others)


def _without_memories(part: types.Part) -> types.Part:
    """The part without what a tool of ADK recalled: it is stored already."""
    result = part.function_response
    if result is None or result.name not in MEMORY_TOOLS:
        return part
    return part.model_copy(update={"function_response": result.model_copy(update={"response": {}})})


def _json(value: types.Content | MemoryEntry) -> dict[str, Any]:
    written: dict[str, Any] = value.model_dump(mode="json", exclude_none=True)
    return written


def _memory(memory: MemoryEntry, custom_metadata: Mapping[str, object]) -> dict[str, Any]:
    """The arguments of `put_many` for a memory."""
    value = _json(memory)
    value["custom_metadata"] = value.get("custom_metadata", {}) | dict(custom_metadata)
    content = json.dumps(value["content"], sort_keys=True).encode()
    value["id"] = memory.id or hashlib.sha256(content).hexdigest()
    text = _read(memory.content, "user").text
    return {"key": value["id"], "value": value, "text": text or None, "index": None if text else False}


def _is_memory(message: Message) -> bool:
    """True for what a user or an agent said. A call of a tool or its result is no memory."""
    return message.role in ("user", "assistant") and bool(message.text.strip())


def _entry(hit: Hit) -> MemoryEntry:
    if hit.item is not None:
        return MemoryEntry.model_validate(hit.item.value)
    if hit.message is None:
        at = None if hit.at is None else hit.at.isoformat()
        return MemoryEntry(id=hit.id, author=hit.kind, timestamp=at, content=_text(hit.text))
    message = hit.message
    content = _text(message.text) if message.raw is None else types.Content.model_validate_json(message.raw)
    content.parts = [part for part in content.parts or () if not part.function_call and not part.function_response]
    return MemoryEntry(
        id=message.id,
        author=message.metadata.get("author") or message.role,
        timestamp=message.created_at.isoformat(),
        content=content,
        custom_metadata=message.metadata.get("custom_metadata", {}),
    )


def _text(text: str) -> types.Content:
    return types.Content(role="user", parts=[types.Part(text=text)])


def _delete(space: Space, id: str) -> None:
    message = space.locate([id]).get(id)
    if message is not None:
        space.items(DELETED).put(id, {"id": id}, index=False)
        more = space.conversation(message.conversation).messages(limit=None, after=message.seq)
        parts = [message.id]
        for later in more:
            if not later.id.startswith(f"{id}/"):
                break
            parts.append(later.id)
        for part in parts:
            space.forget(message=part)
    elif space.items(MEMORIES).get(id) is not None:
        space.forget(items=MEMORIES, key=id)
    else:
        try:
            space.forget(fact=id)
        except NotFound:
            return
