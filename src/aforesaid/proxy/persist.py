"""Stores the messages of a request and the reply to it. Each message is stored once, however often it is sent.

A truncated reply is not stored. If the client keeps it, it comes back with the next request.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from aforesaid import Conversation
from aforesaid.errors import ConflictError, NotFound
from aforesaid.models.message import Message
from aforesaid.proxy.align import HistoryKind, align
from aforesaid.proxy.message import ChatMessage, message_key
from aforesaid.replies.reply import ModelReply

EXTRA_MESSAGES = 64  # stored messages to compare, beyond the number of messages sent
MAX_TRIES = 5  # if another request stores the same messages at the same time


@dataclass(frozen=True, slots=True)
class StoredRequest:
    """The ids and seqs of a request's messages, None if not stored. The reply's id depends on `last`."""

    ids: tuple[str | None, ...]
    seqs: tuple[int | None, ...]
    last: str


def store_request(chat: Conversation, messages: Sequence[ChatMessage], kind: HistoryKind = "part") -> StoredRequest:
    """Stores the messages after the last known one. Earlier messages that are not stored were deleted, and stay so."""
    return _retry_conflicts(lambda: _store_request(chat, messages, kind))


def store_continuation(chat: Conversation, messages: Sequence[ChatMessage], last: str) -> StoredRequest:
    """Stores messages that continue from the message `last`. The upstream keeps the history before it."""
    return _retry_conflicts(lambda: _store_continuation(chat, messages, last))


def store_reply(chat: Conversation, last: str, reply: ModelReply, name: str | None = None) -> str:
    """Stores a complete reply, once, under the id `name` if that is free. Returns the id of its message, or `last` if
    the reply is empty."""
    message = ChatMessage("assistant", reply.text.replace("\0", "\ufffd"), calls=reply.tool_calls)
    if message.empty:
        return last
    details = {"model": reply.model, "response": reply.id, "finish": reply.finish}
    metadata = {key: value.replace("\0", "\ufffd") for key, value in details.items() if value}
    usual = message.id(last)
    id = name if name and not _find(chat, name) and not _find(chat, usual) else usual
    for each in (id, usual):
        try:
            chat.add_many([{**message.record(), "id": each, "metadata": metadata}])
        except ConflictError:  # another conversation has this id, or the next request has already stored the reply
            continue
        return each
    return usual


def _retry_conflicts(work: Callable[[], StoredRequest]) -> StoredRequest:
    for _ in range(MAX_TRIES - 1):
        try:
            return work()
        except ConflictError:  # another request has stored it with slightly different content
            continue
    return work()


def _store_continuation(chat: Conversation, messages: Sequence[ChatMessage], last: str) -> StoredRequest:
    ids: list[str] = []
    for message in messages:
        if ids or message.role != "assistant":  # a leading assistant message is `last` itself
            last = message.id(last)
        ids.append(last)
    stored = {id: known for id in ids if (known := _find(chat, id)) is not None}
    new = [{**message.record(), "id": id} for message, id in zip(messages, ids, strict=True) if id not in stored]
    seqs = {known.id: known.seq for known in (*stored.values(), *(chat.add_many(new) if new else ()))}
    return StoredRequest(tuple(ids), tuple(seqs.get(id) for id in ids), last)


def _find(chat: Conversation, id: str) -> Message | None:
    try:
        return chat.message(id)
    except NotFound:
        return None


def _store_request(chat: Conversation, messages: Sequence[ChatMessage], kind: HistoryKind) -> StoredRequest:
    stored = chat.messages(len(messages) + EXTRA_MESSAGES)
    keys = [message_key(message) for message in stored]
    user = [message.role == "user" for message in stored]
    whole = not stored or stored[0].seq == 0
    indexes = align(keys, [message.key for message in messages], user, whole=whole, kind=kind)
    begin = max((at for at, index in enumerate(indexes) if index is not None), default=-1) + 1
    _match_reworded_answer(stored, messages, indexes, begin)
    ids: list[str | None] = [None if index is None else stored[index].id for index in indexes]
    last = _anchor(chat, stored, ids[:begin], len(messages))
    new = []
    for at in range(begin, len(messages)):
        if ids[at] is None:
            ids[at] = messages[at].id(last)
            new.append({**messages[at].record(), "id": ids[at]})
        last = str(ids[at])
    seqs = {message.id: message.seq for message in (*stored, *(chat.add_many(new) if new else ()))}
    return StoredRequest(tuple(ids), tuple(seqs.get(id) if id else None for id in ids), last)


def _match_reworded_answer(
    stored: Sequence[Message], messages: Sequence[ChatMessage], indexes: list[int | None], begin: int
) -> None:
    """Matches an answer that the client sends back with a changed text."""
    before = indexes[begin - 1] if begin else None
    if before is None or begin >= len(messages) or messages[begin].role != "assistant":
        return
    after = before + 1
    if after < len(stored) and stored[after].role == "assistant":
        indexes[begin] = after


def _anchor(chat: Conversation, stored: Sequence[Message], known: Sequence[str | None], sent: int) -> str:
    """Returns the id on which the id of the first new message depends: that of the message before it, or of the last
    stored message if only one message was sent."""
    before = next((id for id in reversed(known) if id is not None), None)
    if before is not None:
        return before
    return stored[-1].id if stored and sent == 1 else f"begin-{chat.id}"
