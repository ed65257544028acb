"""Strands Agents: a memory store for its `MemoryManager`, and a session repository."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Unpack

from anyio import to_thread

from aforesaid import ConflictError, Conversation, Hit, InvalidInput, Items, Memory, Message, RecallOptions
from aforesaid.integrations.chat_messages import FrameworkMessage

try:
    from strands.memory.types import AddMessagesContext, MemoryEntry, MemoryStore, Metadata, SearchOptions
    from strands.session.session_repository import SessionRepository
    from strands.types.content import Message as StrandsMessage
    from strands.types.exceptions import SessionException
    from strands.types.session import Session, SessionAgent, SessionMessage
except ImportError as exc:
    raise ImportError('Strands is missing or too old: pip install "aforesaid[strands]"') from exc

if TYPE_CHECKING:
    from strands.memory.extraction.types import ExtractionConfig
    from strands.multiagent import MultiAgentBase

NAMESPACE = "strands"
DEFAULT_LIMIT = 10  # entries of a search


class AforesaidMemoryStore(MemoryStore):
    """A memory store on one space: `MemoryManager(stores=[AforesaidMemoryStore(memory, "ana")])`.

    A search recalls from the whole space: messages of every conversation, facts, and what `add` stored. `recall` are
    options of `space.recall`. What is added is an item of the namespace ("strands", name), once for the same content.
    With `extraction`, Strands hands over the messages of the agent; they are stored in `conversation`, each once.
    """

    def __init__(
        self,
        memory: Memory,
        space: str,
        *,
        name: str = "aforesaid",
        description: str | None = None,
        max_search_results: int | None = None,
        writable: bool = True,
        extraction: ExtractionConfig | bool | None = None,
        conversation: str = "agent",
        **recall: Unpack[RecallOptions],
    ) -> None:
        if not name.strip():
            raise InvalidInput("AforesaidMemoryStore: name must not be empty")
        self.name = name
        self.description = description
        self.max_search_results = None if max_search_results is None else _at_least_one(max_search_results)
        self.writable = writable
        self.extraction = extraction
        self._space = memory.space(space)
        self._items = self._space.items((NAMESPACE, name))
        self._conversation = self._space.conversation(conversation)
        self._recall: RecallOptions = {"items": self._items.namespace, **recall}
        self._run = uuid.uuid4().hex

    async def search(self, query: str, options: SearchOptions | None = None) -> list[MemoryEntry]:
        """The best entries, each with its kind, conversation, time and score as metadata. The message that asks is no
        answer: one with the very words of the query is left out."""
        given = (options or {}).get("max_search_results")
        limit = _at_least_one(given) if given is not None else self.max_search_results or DEFAULT_LIMIT
        if not any(map(str.isalnum, query)):
            return []
        hits = await to_thread.run_sync(partial(self._space.recall, query, limit + 1, **self._recall))
        return [_entry(hit) for hit in hits if hit.text.strip() != query.strip() or hit.kind != "message"][:limit]

    async def add(self, content: str, metadata: Metadata | None = None) -> str:
        """Stores a text, and returns its key. The same text again replaces its metadata."""
        if not self.writable:
            raise InvalidInput("AforesaidMemoryStore: store is not writable")
        if not content.strip():
            raise InvalidInput("AforesaidMemoryStore: content must not be empty")
        key = hashlib.sha256(content.strip().encode("utf-8", "replace")).hexdigest()
        value = {"content": content, "metadata": metadata or {}}
        await to_thread.run_sync(partial(self._items.put, key, value, text=content))
        return key

    async def add_messages(self, messages: list[StrandsMessage], context: AddMessagesContext | None = None) -> None:
        """Stores messages of an agent. One that is stored already, by its tracking id, is not stored again."""
        if not self.writable:
            raise InvalidInput("AforesaidMemoryStore: store is not writable")
        numbers = None if context is None else context.sequence_numbers
        await to_thread.run_sync(self._add_messages, messages, numbers)

    def _add_messages(self, messages: list[StrandsMessage], numbers: list[int] | None) -> None:
        ids = [
            message.get("tracking_id") or (f"{self._run}/{numbers[at]}" if numbers else uuid.uuid4().hex)
            for at, message in enumerate(messages)
        ]
        known = self._space.locate(ids)
        new = [(id, message) for id, message in zip(ids, messages, strict=True) if id not in known]
        self._conversation.add_many(
            [entry for id, message in new for entry in _read(message).stored(_json(message), id)]
        )


class AforesaidSessionRepository(SessionRepository):
    """Sessions of one space: `RepositorySessionManager("trip", AforesaidSessionRepository(memory, "ana"))`.

    The messages of an agent are the conversation `SESSION/AGENT`, so the space recalls them. Each comes back as Strands
    wrote it; a redacted one keeps nothing of its old words. The state of sessions and agents is in items of the
    namespace ("strands", "sessions", SESSION).
    """

    def __init__(self, memory: Memory, space: str) -> None:
        self._space = memory.space(space)

    def create_session(self, session: Session, **_: object) -> Session:
        if self.read_session(session.session_id) is not None:
            raise SessionException(f"Session {session.session_id} already exists")
        self._items(session.session_id).put("session", session.to_dict(), index=False)
        return session

    def read_session(self, session_id: str, **_: object) -> Session | None:
        item = self._items(session_id).get("session")
        return None if item is None else Session.from_dict(item.value)

    def delete_session(self, session_id: str) -> None:
        """Erases a session with the conversations of its agents, and what was derived from them."""
        self._required(session_id)
        agents = self._items(session_id, "agents")
        while page := agents.search(limit=DEFAULT_LIMIT):
            for hit in page:
                chat = self._chat(session_id, hit.item.key)
                if self._find(chat, 0) is not None:
                    self._space.forget(conversation=chat.id)
                agents.delete(hit.item.key)
        self._space.forget(items=self._items(session_id).namespace)

    def create_agent(self, session_id: str, session_agent: SessionAgent, **_: object) -> None:
        self._required(session_id)
        agents = self._items(session_id, "agents")
        if agents.get(session_agent.agent_id) is not None:
            raise SessionException(f"Agent {session_agent.agent_id} already exists in session {session_id}")
        agents.put(session_agent.agent_id, session_agent.to_dict(), index=False)

    def read_agent(self, session_id: str, agent_id: str, **_: object) -> SessionAgent | None:
        item = self._items(session_id, "agents").get(agent_id)
        return None if item is None else SessionAgent.from_dict(item.value)

    def update_agent(self, session_id: str, session_agent: SessionAgent, **_: object) -> None:
        before = self._required_agent(session_id, session_agent.agent_id)
        session_agent.created_at = before.created_at
        self._items(session_id, "agents").put(session_agent.agent_id, session_agent.to_dict(), index=False)

    def create_message(
        self,
        session_id: str,
        agent_id: str,
        session_message: SessionMessage,
        **_: object,
    ) -> None:
        self._required_agent(session_id, agent_id)
        chat = self._chat(session_id, agent_id)
        try:
            chat.add_many(_stored(chat, session_message))
        except ConflictError as exc:
            raise SessionException(f"Message {session_message.message_id} already exists in {chat.id}") from exc

    def read_message(
        self,
        session_id: str,
        agent_id: str,
        message_id: int,
        **_: object,
    ) -> SessionMessage | None:
        found = self._find(self._chat(session_id, agent_id), message_id)
        return None if found is None else _loaded(found)

    def update_message(
        self,
        session_id: str,
        agent_id: str,
        session_message: SessionMessage,
        **_: object,
    ) -> None:
        """Replaces a message, which Strands does to redact it. Its old words are erased, also from its raw form."""
        chat = self._chat(session_id, agent_id)
        found = self._find(chat, session_message.message_id)
        if found is None:
            raise SessionException(f"Message {session_message.message_id} does not exist in session {session_id}")
        before = _loaded(found)
        session_message.created_at = before.created_at
        old, new = _stored(chat, before), _stored(chat, session_message)
        for entry in new[: len(old)]:
            chat.edit(entry["id"], entry["content"], raw=entry.get("raw"))
        for entry in old[len(new) :]:
            chat.remove(entry["id"], entry["id"])

    def list_messages(
        self,
        session_id: str,
        agent_id: str,
        limit: int | None = None,
        offset: int = 0,
        **_: object,
    ) -> list[SessionMessage]:
        end = None if limit is None else offset + limit
        return [_loaded(message) for message in _wholes(self._chat(session_id, agent_id))][offset:end]

    def create_multi_agent(self, session_id: str, multi_agent: MultiAgentBase, **_: object) -> None:
        self._required(session_id)
        self._items(session_id, "multi-agents").put(multi_agent.id, multi_agent.serialize_state(), index=False)

    def read_multi_agent(
        self,
        session_id: str,
        multi_agent_id: str,
        **_: object,
    ) -> dict[str, Any] | None:
        item = self._items(session_id, "multi-agents").get(multi_agent_id)
        return None if item is None else item.value

    def update_multi_agent(self, session_id: str, multi_agent: MultiAgentBase, **_: object) -> None:
        if self.read_multi_agent(session_id, multi_agent.id) is None:
            raise SessionException(f"MultiAgent {multi_agent.id} does not exist in session {session_id}")
        self._items(session_id, "multi-agents").put(multi_agent.id, multi_agent.serialize_state(), index=False)

    def _items(self, session_id: str, *kind: str) -> Items:
        return self._space.items((NAMESPACE, "sessions", session_id, *kind))

    def _chat(self, session_id: str, agent_id: str) -> Conversation:
        session = session_id.replace("%", "%25").replace("/", "%2F")
        return self._space.conversation(f"{session}/{agent_id}")

    def _find(self, chat: Conversation, number: int) -> Message | None:
        id = _id(chat, number)
        return self._space.locate([id]).get(id)

    def _required(self, session_id: str) -> Session:
        session = self.read_session(session_id)
        if session is None:
            raise SessionException(f"Session {session_id} does not exist")
        return session

    def _required_agent(self, session_id: str, agent_id: str) -> SessionAgent:
        item = self._items(session_id, "agents").get(agent_id)
        if item is None:
            raise SessionException(f"Agent {agent_id} does not exist in session {session_id}")
        return SessionAgent.from_dict(item.value)


def _at_least_one(limit: int) -> int:
    if limit < 1:
        raise InvalidInput(f"AforesaidMemoryStore: max_search_results must be at least 1, not {limit}")
    return limit


def _entry(hit: Hit) -> MemoryEntry:
    about = {"kind": hit.kind, "id": hit.id, "score": hit.score.relevance}
    if hit.item is not None:
        added = hit.item.value
        return MemoryEntry(content=added["content"], metadata={**added["metadata"], **about})
    at = hit.message.created_at if hit.message is not None else hit.at
    place = {"conversation": hit.conversation} | ({} if at is None else {"at": at.isoformat()})
    return MemoryEntry(content=hit.text, metadata=about | place)


def _id(chat: Conversation, number: int) -> str:
    """The id of a message: unique in the space."""
    return f"{chat.id}#{number}"


def _stored(chat: Conversation, message: SessionMessage) -> list[dict[str, Any]]:
    """The arguments of `add_many` for a message of a session. Of a redacted one, only the new words."""
    if message.redact_message is not None:
        message = replace(message, message=message.redact_message)
    spoken = _read(message.message)
    return spoken.stored(message.to_dict(), _id(chat, message.message_id), at=message.created_at)


def _loaded(message: Message) -> SessionMessage:
    return SessionMessage.from_dict(json.loads(message.raw or ""))


def _wholes(chat: Conversation) -> Iterator[Message]:
    """The messages that are a message of Strands: others are further results of tools in the same one."""
    return (message for message in chat if message.raw is not None)


def _json(message: StrandsMessage) -> dict[str, Any]:
    """The message as JSON values: Strands writes bytes as base64."""
    encoded: dict[str, Any] = SessionMessage.from_message(message, 0).to_dict()["message"]
    return encoded


def _read(message: StrandsMessage) -> FrameworkMessage:
    texts, calls, results, others = [], [], [], []
    for block in message["content"]:
        if text := _text(block):
            texts.append(text)
        elif call := block.get("toolUse"):
            arguments = json.dumps(call["input"], ensure_ascii=False, default=str)
            calls.append((call["toolUseId"], call["name"], arguments))
        elif result := block.get("toolResult"):
            words = "\n\n".join(filter(None, map(_text, result.get("content", []))))
            results.append((result["toolUseId"], None, words))
        else:
            others += [kind for kind in block if kind in ("image", "document", "video", "audio")]
    return FrameworkMessage(message["role"], "\n\n".join(texts), calls, results, others)


def _text(block: Mapping[str, Any]) -> str:
    """The words of a block; empty for one that has none, and for the model's reasoning."""
    if "json" in block:
        return json.dumps(block["json"], ensure_ascii=False, default=str)
    cited = block.get("citationsContent", {}).get("content", [])
    return block.get("text") or "\n\n".join(part["text"] for part in cited if "text" in part)
