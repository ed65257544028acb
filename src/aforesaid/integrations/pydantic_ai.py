"""Memory for agents of Pydantic AI: `pip install "aforesaid[pydantic-ai]"`."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass, replace
from itertools import groupby
from typing import Any

try:
    from pydantic_ai import AgentRunResult, RunContext
    from pydantic_ai.capabilities import AbstractCapability
    from pydantic_ai.conversation_store import (
        ConversationConflict,
        ConversationEntry,
        ConversationRecord,
        ConversationStore,
    )
    from pydantic_ai.messages import (
        InstructionPart,
        ModelMessage,
        ModelMessagesTypeAdapter,
        ModelRequest,
        UserPromptPart,
    )
    from pydantic_ai.models import ModelRequestContext
    from pydantic_ai.tools import AgentDepsT
except ImportError as exc:
    raise ImportError('Pydantic AI is not installed: pip install "aforesaid[pydantic-ai]"') from exc

from pydantic import TypeAdapter

from aforesaid.aio import AsyncConversation, AsyncMemory, AsyncSpace
from aforesaid.errors import ConflictError, InvalidInput, OnHold
from aforesaid.memory import Memory
from aforesaid.models.json import Json
from aforesaid.models.message import Message

FRAMEWORK = "pydantic-ai"  # in the metadata of a message whose raw form is a model message, or a part of one
RECORD = "pydantic-ai record"  # likewise, of a message whose raw form is the record of a conversation
NOTHING_SENT = 2**53 - 1  # a seq after every message
LOOKED_UP = 20  # messages of a history, from its start, that are looked up to learn where the sent ones begin
ANCESTORS = 16  # entries before an entry that it knows: so many can be forgotten, and the line holds
PARTS = 8  # parts of an entry that are looked up to find it
CONVERSATIONS = 1000  # that are read at a time
BLOCK_TOKENS = 1000  # of the memory that is added to a request, at most

RecordAdapter: TypeAdapter[ConversationRecord | None] = TypeAdapter(ConversationRecord | None)

FromDeps = Callable[[Any], str]  # takes the `deps` of a run


@dataclass
class AforesaidMemory(AbstractCapability[AgentDepsT]):
    """A capability: adds memory to the instructions of each request, and stores the new messages after each run.

    What it adds, at most `max_tokens`, is sent to the model and never stored, not even in the message history. `space`
    names whose memory it is: a text, or a function that takes the `deps` of the run. The conversation is
    `conversation`, else the `conversation_id` of the run.

    Each part of a request is a message of its own, so each can be found and forgotten by itself. The messages of a run
    are stored all or none, and once: a message is recognized by its run and its place in it. With `store=False` it
    stores nothing, because something else does, such as `AforesaidConversationStore`; it then adds nothing of the
    conversation itself.
    """

    memory: Memory | AsyncMemory
    _: KW_ONLY
    space: str | FromDeps = "default"
    conversation: str | None = None
    max_tokens: int = BLOCK_TOKENS
    store: bool = True

    async def history(self, conversation: str | None = None, *, deps: Any = None) -> list[ModelMessage]:  # noqa: ANN401
        """The messages of a conversation, for `message_history=`. Dumped as JSON, they are the bytes that Pydantic AI
        wrote. A message that came another way, such as REST, is a request or a response with its text."""
        name = self.conversation if conversation is None else conversation
        if name is None:
            raise InvalidInput("name the conversation: history('trip'), or AforesaidMemory(…, conversation='trip')")
        chat = self._of(deps).conversation(name)
        stored = [message async for message in await chat.messages(None)]
        return ModelMessagesTypeAdapter.validate_json(_json(list(_joined(stored))))

    async def add(
        self, messages: Sequence[ModelMessage], conversation: str, *, deps: Any = None  # noqa: ANN401
    ) -> None:  # fmt: skip
        """Stores messages, such as a history from elsewhere. Those that are stored already are not stored again."""
        await _add(self._of(deps).conversation(conversation), messages)

    async def prepare_model_request(
        self, ctx: RunContext[AgentDepsT], request_context: ModelRequestContext
    ) -> ModelRequestContext:
        """Adds memory to this request only: what `before_model_request` adds would be written to the history."""
        question = _question(request_context.messages)
        if not question.strip():
            return request_context
        space, chat = self._place(ctx)
        since = await _first_sent(space, chat, request_context.messages) if self.store else 0
        context = await chat.context(question, since=since, max_tokens=self.max_tokens, overflow="truncate")
        block = "\n\n".join(turn.text for turn in context.turns)
        if not block:
            return request_context
        parameters = request_context.model_request_parameters
        parts = [*(parameters.instruction_parts or ()), InstructionPart(content=block, dynamic=True)]
        return replace(request_context, model_request_parameters=replace(parameters, instruction_parts=parts))

    async def after_run(self, ctx: RunContext[AgentDepsT], *, result: AgentRunResult[Any]) -> AgentRunResult[Any]:
        """Stores the messages of the run."""
        if self.store:
            await _add(self._place(ctx)[1], result.new_messages())
        return result

    @classmethod
    def get_serialization_name(cls) -> str | None:
        return None  # it holds an open store

    def _place(self, ctx: RunContext[AgentDepsT]) -> tuple[AsyncSpace, AsyncConversation]:
        name = ctx.conversation_id if self.conversation is None else self.conversation
        if name is None:
            raise InvalidInput("the run has no conversation_id; name one: AforesaidMemory(…, conversation='trip')")
        space = self._of(ctx.deps)
        return space, space.conversation(name)

    def _of(self, deps: Any) -> AsyncSpace:  # noqa: ANN401 (the user's own type)
        if callable(self.space) and deps is None:
            raise InvalidInput("the space of this memory comes from the deps of a run; pass deps=…")
        space = self.space(deps) if callable(self.space) else self.space
        return _space(self.memory, space)


class AforesaidConversationStore(ConversationStore):
    """A `ConversationStore`: conversations with their branches, forks and revisions in a space.

    The entries of a save and the record of its conversation are stored in one transaction, so a conflict leaves nothing
    behind. The words of each entry can be recalled. Each part of one can be forgotten by itself: the history is then
    without it. Deleting a conversation erases it, unless a fork uses entries of it: then these messages stay.
    """

    def __init__(self, memory: Memory | AsyncMemory, *, space: str = "default") -> None:
        self._space = _space(memory, space)

    async def read_record(self, conversation_id: str) -> ConversationRecord | None:
        return (await self._newest(conversation_id))[1]

    async def read_records(self, *, scope: str | None = None, limit: int | None = None) -> list[ConversationRecord]:
        """The records, newest first. Reads the newest messages of each conversation of the space."""
        found: list[ConversationRecord] = []
        last: str | None = None
        while page := await self._space.conversations(CONVERSATIONS, after=last):
            records = [await self.read_record(info.id) for info in page]
            found += [each for each in records if each is not None and scope in (None, each.scope)]
            last = page[-1].id
        return sorted(found, key=lambda record: record.updated_at, reverse=True)[:limit]

    async def write_record(
        self,
        record: ConversationRecord,
        *,
        new_entries: Sequence[ConversationEntry] = (),
        expected_revision: str | None,
    ) -> None:
        new = {entry.id for entry in new_entries}
        known = [entry.parent_id for entry in new_entries] + [record.head_id]
        lines = await self._lines([id for id in known if id is not None and id not in new])
        messages: list[dict[str, Json]] = []
        for entry in new_entries:
            if entry.parent_id is not None and entry.parent_id not in lines:
                raise ConversationConflict(record.conversation_id)
            before = lines.get(entry.parent_id or "", [])
            lines[entry.id] = [entry.id, *before][:ANCESTORS]
            (_, text), *_ = _keyed([entry.message])
            messages += [part | {"metadata": _entry_metadata(entry.id, before)} for part in _stored(entry.id, text)]
        if record.head_id is not None and record.head_id not in lines:
            raise ConversationConflict(record.conversation_id)
        line = lines.get(record.head_id or "", [])
        await self._write(record.conversation_id, record, (messages, line), expected_revision)

    async def delete_record(self, conversation_id: str, *, expected_revision: str) -> None:
        await self._write(conversation_id, None, ([], []), expected_revision)
        chat = self._space.conversation(conversation_id)
        own = {message.metadata.get("message") async for message in await chat.messages(None)}
        for record in await self.read_records():
            for tip in (record.head_id, *record.branches) if record.forked_from is not None else ():
                if any(entry.id in own for entry in await self.read_history(tip)):
                    return
        await chat.delete()

    async def read_entry(self, entry_id: str) -> ConversationEntry:
        found = (await self._find([entry_id]))[entry_id]
        entry, line = (await self._entries(found.conversation, found.seq))[entry_id]
        alive = await self._find(line)
        return replace(entry, parent_id=next((id for id in line if id in alive), None))

    async def read_history(self, head_id: str | None, *, limit: int | None = None) -> list[ConversationEntry]:
        entries: dict[str, tuple[ConversationEntry, list[str]]] = {}
        history: list[ConversationEntry] = []
        at = head_id
        while at is not None and (limit is None or len(history) < limit):
            if at not in entries:
                entries |= await self._entries((await self._find([at]))[at].conversation)
            entry, line = entries[at]
            at = next((id for id in line if id in entries), None)
            if at is None or at != line[0]:  # it is in another conversation, or forgotten
                alive = await self._find(line)
                at = next((id for id in line if id in alive), None)
            history.append(replace(entry, parent_id=at))
        return history[::-1]

    async def _newest(self, conversation_id: str) -> tuple[str, ConversationRecord | None]:
        """The id of the message with the newest record, and the record without entries that are forgotten."""
        message = await self._newest_record_message(self._space.conversation(conversation_id))
        if message is None:
            return "", None
        record = RecordAdapter.validate_json(message.raw or "null")
        if record is None:
            return message.id, None
        line = _line(message)
        alive = await self._find([*line, *record.branches])
        record.head_id = next((id for id in line if id in alive), None)
        record.branches = [id for id in record.branches if id in alive]
        return message.id, record

    async def _newest_record_message(self, chat: AsyncConversation) -> Message | None:
        size = 1
        while True:
            page = await chat.messages(size)
            for message in reversed(page):
                if message.metadata.get("framework") == RECORD:
                    return message
            if len(page) < size:
                return None
            size *= 8

    async def _write(
        self,
        conversation_id: str,
        record: ConversationRecord | None,
        messages_and_line: tuple[list[dict[str, Json]], list[str]],
        expected_revision: str | None,
    ) -> None:
        """Stores messages and a record after the newest one: the id of the new one is made of the id of that, so of two
        writers only one succeeds."""
        messages, line = messages_and_line
        last, stored = await self._newest(conversation_id)
        if (None if stored is None else stored.revision) != expected_revision:
            raise ConversationConflict(conversation_id)
        written: dict[str, Json] = {
            "id": hashlib.sha256(f"{conversation_id}\n{last}".encode()).hexdigest()[:32],
            "raw": RecordAdapter.dump_json(record).decode(),
            "metadata": {"framework": RECORD, "line": [*line]},
            "expires": "never",
        }
        chat = self._space.conversation(conversation_id)
        try:
            await chat.add_many([*messages, written | _wordless("record")])
        except ConflictError as exc:
            raise ConversationConflict(conversation_id) from exc
        if stored is not None and stored.deferred_tool_requests is not None:  # they have words
            with suppress(OnHold):
                await chat.edit(last, raw="null")

    async def _find(self, entry_ids: Sequence[str]) -> dict[str, Message]:
        """The first message of each of these entries that is stored."""
        found = await self._space.locate([f"{id}.{part}" for id in entry_ids for part in range(PARTS)])
        first = sorted(found.values(), key=lambda message: message.seq, reverse=True)
        return {str(message.metadata["message"]): message for message in first}

    async def _lines(self, entry_ids: Sequence[str]) -> dict[str, list[str]]:
        """Each of these entries that is stored, with the entries before it, the nearest first."""
        found = await self._find(entry_ids)
        return {id: [id, *_line(message)][:ANCESTORS] for id, message in found.items()}

    async def _entries(
        self, conversation_id: str, seq: int | None = None
    ) -> dict[str, tuple[ConversationEntry, list[str]]]:
        """The entries of a conversation, or the one that starts at this seq, with the entries before each."""
        chat = self._space.conversation(conversation_id)
        stored: list[Message] = []
        async for message in await chat.messages(None, after=None if seq is None else seq - 1):
            if seq is not None and stored and _origin(message) != _origin(stored[0]):
                break
            stored.append(message)
        entries = {}
        for (id, ours), group in groupby(stored, _origin):
            if ours:
                pieces = list(group)
                (whole,) = ModelMessagesTypeAdapter.validate_json(_json(list(_joined(pieces))))
                entries[id] = ConversationEntry(id=id, parent_id=None, message=whole), _line(pieces[0])
        return entries


def _space(memory: Memory | AsyncMemory, space: str) -> AsyncSpace:
    return AsyncSpace(memory.space(space)) if isinstance(memory, Memory) else memory.space(space)


def _line(message: Message) -> list[str]:
    return [str(id) for id in message.metadata.get("line", ())]


def _entry_metadata(entry_id: str, line: Sequence[str]) -> dict[str, Json]:
    return {"framework": FRAMEWORK, "message": entry_id, "line": [*line]}


async def _add(chat: AsyncConversation, messages: Sequence[ModelMessage]) -> None:
    new = [part for key, text in _keyed(messages) for part in _stored(key, text)]
    if new:
        await chat.add_many(new)


def _keyed(messages: Sequence[ModelMessage]) -> Iterator[tuple[str, str]]:
    """Each message as JSON, with a key by which it is recognized: its run, or else its content, and a number."""
    counts: Counter[str] = Counter()
    for message in messages:
        text = ModelMessagesTypeAdapter.dump_json([message])[1:-1].decode()
        origin = message.run_id or hashlib.sha256(text.encode()).hexdigest()[:32]
        yield f"{origin}-{counts[origin]}", text
        counts[origin] += 1


def _stored(key: str, text: str) -> Iterator[dict[str, Json]]:
    """A response as one message; a request as one message for each part."""
    record = json.loads(text)
    parts = record["parts"]
    if record["kind"] == "response" or len(parts) < 2:
        pieces = [(text, _spoken(record) if record["kind"] == "response" else _asked(parts))]
    else:
        pieces = [(_json(record | {"parts": [part]}), _asked([part])) for part in parts]
    for number, (raw, fields) in enumerate(pieces):
        yield {"id": f"{key}.{number}", "raw": raw, "metadata": {"framework": FRAMEWORK, "message": key}, **fields}


def _spoken(record: Mapping[str, Any]) -> dict[str, Json]:
    """The words and tool calls of a response."""
    words = "\n\n".join(part["content"] for part in record["parts"] if part["part_kind"] == "text")
    calls: list[Json] = [
        {"id": part["tool_call_id"], "type": "function",
         "function": {"name": part["tool_name"], "arguments": _string(part.get("args") or {})}}
        for part in record["parts"] if part["part_kind"] == "tool-call"
    ]  # fmt: skip
    if not words.strip() and not calls:
        return _wordless("response")
    return {"role": "assistant", "content": words, "tool_calls": calls or None, "model": record.get("model_name")}


def _asked(parts: Sequence[Mapping[str, Any]]) -> dict[str, Json]:
    """The words of a part of a request. A part for the model only, such as a change of instructions, has none."""
    part: Mapping[str, Any] = parts[0] if parts else {"part_kind": "request"}
    kind, content = part["part_kind"], part.get("content", "")
    if kind == "system-prompt" and content.strip():
        return {"role": "system", "content": content}
    if kind == "user-prompt":
        return {"role": "user", "content": _words(content) or "[empty]"}
    if kind == "tool-return" or (kind == "retry-prompt" and part.get("tool_name")):
        return {"role": "tool", "tool_call_id": part["tool_call_id"], "content": _string(content)}
    return _wordless(kind)


def _wordless(kind: str) -> dict[str, Json]:
    """A message that nothing finds or quotes."""
    return {"role": "tool", "tool_call_id": kind, "content": ""}


def _words(content: str | list[str | Mapping[str, Any]]) -> str:
    """The words of a prompt; for a file, its kind."""
    shown = []
    for item in content if isinstance(content, list) else [content]:
        if isinstance(item, str):
            shown.append(item)
        else:
            shown.append(str(item["content"]) if item["kind"] == "text-content" else f"[{item['kind']}]")
    return "\n\n".join(text for text in shown if text.strip())


def _joined(messages: Sequence[Message]) -> Iterator[dict[str, Any]]:
    """The model messages that stored messages are, or are parts of."""
    for (_, ours), group in groupby(messages, _origin):
        pieces = list(group)
        if ours:
            records = [json.loads(piece.raw or "") for piece in pieces]
            yield records[0] | {"parts": [part for record in records for part in record["parts"]]}
        else:
            yield from (_plain(piece) for piece in pieces if piece.role != "tool" and piece.text)


def _origin(message: Message) -> tuple[str, bool]:
    """Which model message a stored message is from, and whether Pydantic AI wrote it."""
    ours = message.raw is not None and message.metadata.get("framework") == FRAMEWORK
    return str(message.metadata.get("message")) if ours else message.id, ours


def _plain(message: Message) -> dict[str, Any]:
    kind = {"system": "system-prompt", "user": "user-prompt", "assistant": "text"}[message.role]
    at = message.created_at.isoformat()
    part = {"part_kind": kind, "content": message.text} | ({} if kind == "text" else {"timestamp": at})
    return {"kind": "response" if kind == "text" else "request", "parts": [part], "timestamp": at}


def _question(messages: Sequence[ModelMessage]) -> str:
    """The words of the newest prompt."""
    for message in reversed(messages):
        for part in reversed(message.parts if isinstance(message, ModelRequest) else ()):
            if isinstance(part, UserPromptPart):
                items = [part.content] if isinstance(part.content, str) else part.content
                texts = (item if isinstance(item, str) else getattr(item, "content", None) for item in items)
                return "\n\n".join(text for text in texts if isinstance(text, str))
    return ""


async def _first_sent(space: AsyncSpace, chat: AsyncConversation, messages: Sequence[ModelMessage]) -> int:
    """The seq of the first message of the conversation that the request contains."""
    ids = [f"{key}.0" for key, _ in _keyed(messages[:LOOKED_UP])]
    found = await space.locate(ids)
    return min((each.seq for each in found.values() if each.conversation == chat.id), default=NOTHING_SENT)


def _string(value: object) -> str:
    return value if isinstance(value, str) else _json(value)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
