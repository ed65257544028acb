"""Plans what of a request is stored, and stores it and the reply: each message once, however often it is sent.

A plan only reads, so that the request can go upstream while its messages are written. Only a new branch is started
before, so that the request's context sees its line. A truncated reply is not stored.
If the client keeps it, it comes back with the next request.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from aforesaid import Conversation, Space
from aforesaid.errors import ConflictError, NotFound
from aforesaid.models.json import Json
from aforesaid.models.message import Message
from aforesaid.proxy.align import HistoryKind, align
from aforesaid.proxy.branches import EXTRA_MESSAGES, BranchPoint, ChatIdentity, answers_after, place
from aforesaid.proxy.message import ChatMessage, message_key
from aforesaid.replies.reply import ModelReply

MAX_TRIES = 5  # if another request stores the same messages at the same time


@dataclass(frozen=True, slots=True)
class StoragePlan:
    """The conversation of a request, the ids and seqs of its messages, and the records to add. An id is None for a
    message that is not stored, a seq also if it is not known. The reply's id depends on `last`. `known` are ids of the
    same messages under other names, and of earlier answers to the question. If the conversation is a new branch, it
    begins at `fork`."""

    conversation: str
    ids: tuple[str | None, ...]
    seqs: tuple[int | None, ...]
    new: tuple[Mapping[str, Json], ...]
    last: str
    known: tuple[str, ...] = ()
    fork: BranchPoint | None = None


def plan_history(space: Space, identity: ChatIdentity, messages: Sequence[ChatMessage]) -> StoragePlan:
    """Plans a whole history of a client that does not name its conversation."""
    placed = place(space, identity, messages)
    new = _records(messages[placed.begin :], placed.ids[placed.begin :])
    seqs = (None,) * len(messages)
    return StoragePlan(placed.conversation, placed.ids, seqs, new, placed.last, placed.known, placed.fork)


def start_branch(space: Space, plan: StoragePlan) -> None:
    """Starts the branch of a plan, if it needs a new one. Without its parent, the conversation begins with the new
    messages."""
    if plan.fork is not None:
        with suppress(ConflictError, NotFound):
            space.conversation(plan.fork.conversation).fork(plan.fork.seq, id=plan.conversation)


def plan_request(chat: Conversation, messages: Sequence[ChatMessage], kind: HistoryKind = "part") -> StoragePlan:
    """Plans the messages after the last known one. Earlier messages that are not stored were deleted, and stay so."""
    stored = chat.messages(len(messages) + EXTRA_MESSAGES)
    keys = [message_key(message) for message in stored]
    user = [message.role == "user" for message in stored]
    indexes = align(keys, [message.key for message in messages], user, kind=kind)
    begin = max((at for at, index in enumerate(indexes) if index is not None), default=-1) + 1
    _match_reworded_answer(stored, messages, indexes, begin)
    ids: list[str | None] = [None if index is None else stored[index].id for index in indexes]
    seqs: list[int | None] = [None if index is None else stored[index].seq for index in indexes]
    last = _anchor(chat, stored, ids[:begin], len(messages))
    next_seq = stored[-1].seq + 1 if stored else 0
    new: list[int] = []
    for at in range(begin, len(messages)):
        if ids[at] is None:
            ids[at], seqs[at] = messages[at].id(last), next_seq + len(new)
            new.append(at)
        last = str(ids[at])
    records = _records([messages[at] for at in new], [str(ids[at]) for at in new])
    asked = indexes[-1] if messages and not new else None
    answers = () if asked is None else answers_after(stored[asked + 1 :])
    return StoragePlan(chat.id, tuple(ids), tuple(seqs), records, last, answers)


def plan_continuation(space: Space, chat: Conversation, messages: Sequence[ChatMessage], last: str) -> StoragePlan:
    """Plans messages that continue from the message `last`. The upstream keeps the history before it."""
    ids: list[str] = []
    for message in messages:
        if ids or message.role != "assistant":  # a leading assistant message is `last` itself
            last = message.id(last)
        ids.append(last)
    stored = space.locate(ids)
    new = [(message, id) for message, id in zip(messages, ids, strict=True) if id not in stored]
    records = _records([message for message, _ in new], [id for _, id in new])
    seqs = tuple(stored[id].seq if id in stored else None for id in ids)
    return StoragePlan(chat.id, tuple(ids), seqs, records, last)


def write(space: Space, plan: StoragePlan, plan_again: Callable[[], StoragePlan]) -> StoragePlan:
    """Stores what was planned. If another request has stored it meanwhile with slightly different content, plans again.
    Returns the plan that was stored."""
    for tries in range(MAX_TRIES):
        try:
            if plan.new:
                space.conversation(plan.conversation).add_many(plan.new)
        except ConflictError:
            if tries == MAX_TRIES - 1:
                raise
            plan = plan_again()
            start_branch(space, plan)
        else:
            break
    return plan


def store_reply(space: Space, plan: StoragePlan, reply: ModelReply, name: str | None = None) -> str:
    """Stores a complete reply, once, under the id `name` if that is free. Returns the id of its message, or the plan's
    `last` if the reply is empty."""
    message = ChatMessage("assistant", reply.text.replace("\0", "\ufffd"), calls=reply.tool_calls)
    if message.empty:
        return plan.last
    details = {"model": reply.model, "response": reply.id, "finish": reply.finish}
    metadata = {key: value.replace("\0", "\ufffd") for key, value in details.items() if value}
    usual, here = message.id(plan.last), message.id(f"{plan.last}@{plan.conversation}")
    stored = space.locate([usual, *([name] if name else [])])
    if usual in stored and stored[usual].conversation == plan.conversation:  # by the next request, or by a retry
        return usual
    ids = (usual, here) if stored else (name or usual, usual, here)
    for id in ids:
        try:
            space.conversation(plan.conversation).add_many([{**message.record(), "id": id, "metadata": metadata}])
        except ConflictError:  # another conversation has this id, or the next request has just stored the reply
            continue
        return id
    return here


def _records(messages: Sequence[ChatMessage], ids: Sequence[str]) -> tuple[Mapping[str, Json], ...]:
    return tuple({**message.record(), "id": id} for message, id in zip(messages, ids, strict=True))


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
