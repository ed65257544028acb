"""Finds where a whole history continues in the store, and starts a branch where it differs from what is stored.

The id of a message derives from the messages before it, as in a Git history: chats that begin with the same messages
share them, and the id of a message tells where it is stored, in every process. A message that was forgotten stays
forgotten: the ids of the messages after it are the same with and without it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import takewhile
from typing import NamedTuple
from uuid import uuid4

from aforesaid import Space
from aforesaid.models.message import Message
from aforesaid.proxy.message import ChatMessage, digest, message_key

LOOKUP = 4  # ids of the first lookup: usually, the answer before the newest message is known
STALE = timedelta(minutes=10)  # after that, an unanswered first message that is sent again begins another chat
SAME_ANSWER = 0.5  # share of common words, so that two answers are one in different words
BRANCH_MARK = "~"  # between the name of a conversation and the suffix of its branch
MAX_ALIKE = 1_000  # conversations of the same root that are looked at
EXTRA_MESSAGES = 64  # stored messages to compare, beyond the number of messages sent


class BranchPoint(NamedTuple):
    """Where a new branch leaves a conversation: after the message with this seq."""

    conversation: str
    seq: int


@dataclass(frozen=True, slots=True)
class HistoryPlacement:
    """Where a request's messages are: the conversation, the id of each message, and the index of the first new one.
    `last` is the id that the reply's id depends on. `known` are ids of the same messages under other names, and of
    earlier answers to the question. If the conversation is a new branch, it begins at `fork`."""

    conversation: str
    ids: tuple[str, ...]
    begin: int
    last: str
    known: tuple[str, ...] = ()
    fork: BranchPoint | None = None


@dataclass(frozen=True, slots=True)
class ChatIdentity:
    """`root` names the chats that a request can belong to. `session`: the client named its chat. `retry`: it marked the
    request as a repetition. `now` is the time of the request."""

    root: str
    session: bool
    retry: bool
    now: datetime


def chain_ids(root: str, messages: Sequence[ChatMessage]) -> tuple[tuple[str, ...], str]:
    """Returns the id of each message after those before it, and the id that the reply's depends on. Messages of the
    client program do not count: it changes and moves them."""
    ids, before = [], f"begin-{root}"
    for message in messages:
        ids.append(message.id(before))
        if not message.harness_only:
            before = ids[-1]
    return tuple(ids), before


def place(space: Space, identity: ChatIdentity, messages: Sequence[ChatMessage]) -> HistoryPlacement:
    """Finds where the messages of a whole history are stored, and where the new ones belong."""
    ids, last = chain_ids(identity.root, messages)
    found = _deepest(space, ids)
    if found is None:
        return HistoryPlacement(identity.root, ids, 0, last)
    at, parent = found
    tail = space.conversation(parent.conversation).messages(len(messages) + EXTRA_MESSAGES, after=parent.seq)
    path = _follow(messages, at + 1, [parent, *tail])
    if _asked_again(identity, messages, path):
        branch = f"{_trunk(parent.conversation)}{BRANCH_MARK}{uuid4().hex[:12]}"
        point = None if _opens(messages) else BranchPoint(parent.conversation, path.last.seq - 1)
        known = *path.known, ids[-1]
        return HistoryPlacement(branch, (*ids[:-1], messages[-1].id(branch)), len(messages) - 1, last, known, point)
    branch, point = parent.conversation, None
    if _forks(messages, path):
        branch = f"{_trunk(branch)}{BRANCH_MARK}{digest(ids[path.begin])[:12]}"
        if not _begins_alike(space, identity, messages[: path.begin]):
            point = BranchPoint(parent.conversation, path.last.seq)
    elif _answered_anew(identity, messages, path):
        point = BranchPoint(parent.conversation, path.last.seq)
        branch = _unanswered(space, point) or f"{_trunk(branch)}{BRANCH_MARK}{uuid4().hex[:12]}"
    answers = answers_after(path.rest) if path.begin == len(messages) else ()
    here = _ids_in_branch(space, branch, messages, ids)
    shared = (id for id, own in zip(ids, here, strict=True) if id != own)
    return HistoryPlacement(branch, here, path.begin, last, (*path.known, *shared, *answers), point)


def _ids_in_branch(space: Space, branch: str, messages: Sequence[ChatMessage], ids: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the ids of the messages, and of a question that was asked again the one that it has in this branch."""
    if BRANCH_MARK not in branch:
        return ids
    again = {at: message.id(branch) for at, message in enumerate(messages) if message.role == "user"}
    stored = space.locate(list(again.values()))
    return tuple(again[at] if again.get(at) in stored else id for at, id in enumerate(ids))


def answers_after(messages: Sequence[Message]) -> tuple[str, ...]:
    """Returns the ids of the messages before the next question."""
    return tuple(message.id for message in takewhile(lambda message: message.role != "user", messages))


def _deepest(space: Space, ids: Sequence[str]) -> tuple[int, Message] | None:
    """Returns the last id that is stored, with its message. Looks at the end first."""
    end, size = len(ids), LOOKUP
    while end > 0:
        start = max(0, end - size)
        stored = space.locate(ids[start:end])
        for at in range(end - 1, start - 1, -1):
            if ids[at] in stored:
                return at, stored[ids[at]]
        end, size = start, size * 8
    return None


@dataclass(frozen=True, slots=True)
class FollowedPath:
    """The first new message, the stored message before it, the stored ones after that, and the ids passed."""

    begin: int
    last: Message
    rest: Sequence[Message]
    known: tuple[str, ...] = ()


def _follow(messages: Sequence[ChatMessage], begin: int, stored: Sequence[Message]) -> FollowedPath:
    """Follows new messages through a conversation: past a reworded answer, and past messages that the client kept while
    it removed others (compaction). `stored` begins with the last message that is known by its id."""
    (last, *rest), known = stored, []
    if begin < len(messages) and rest and _is_reworded(messages[begin], rest[0]):
        begin, last, rest = begin + 1, rest[0], rest[1:]
        known.append(last.id)
    keys = [message_key(message) for message in rest] if begin < len(messages) else []
    for index in range(begin, len(messages)):
        if messages[index].harness_only:
            continue
        if messages[index].key not in keys:
            break
        at = keys.index(messages[index].key)
        begin, last, rest, keys = index + 1, rest[at], rest[at + 1 :], keys[at + 1 :]
        known.append(last.id)
    return FollowedPath(begin, last, rest, tuple(known))


def _is_reworded(message: ChatMessage, stored: Message) -> bool:
    """Returns True for an answer that the client sends back with another text: without its thinking, or trimmed."""
    if message.role != "assistant" or stored.role != "assistant" or message.key == message_key(stored):
        return False
    if [call.get("id") for call in message.calls] != [call.get("id") for call in stored.tool_calls or ()]:
        return False
    sent, kept = ({word.strip(".,;:!?*_`#") for word in text.lower().split()} for text in (message.text, stored.text))
    return len(sent & kept) >= SAME_ANSWER * max(1, min(len(sent), len(kept)))


def _forks(messages: Sequence[ChatMessage], path: FollowedPath) -> bool:
    """Returns True if the stored conversation went on differently: with another question, or with an answer that is not
    the one that the client has."""
    if path.begin == len(messages) or not path.rest:
        return False
    return any(message.role == "user" for message in path.rest) or messages[path.begin].role == "assistant"


def _asked_again(identity: ChatIdentity, messages: Sequence[ChatMessage], path: FollowedPath) -> bool:
    """Returns True if the newest message, which is stored, is asked once more: the conversation went on since, or it is
    the beginning of another chat. A retry of the last question is not."""
    if path.begin < len(messages) or identity.retry or messages[-1].role != "user":
        return False
    if any(message.role == "user" for message in path.rest):
        return True
    if identity.session or not _opens(messages):
        return False
    return bool(path.rest) or identity.now - path.last.created_at > STALE


def _opens(messages: Sequence[ChatMessage]) -> bool:
    """Returns True if the messages are the beginning of a chat."""
    return sum(bool(message.role == "user" and message.text) for message in messages) <= 1


def _begins_alike(space: Space, identity: ChatIdentity, shared: Sequence[ChatMessage]) -> bool:
    """Returns True if the shared messages are only a beginning, with which another chat has begun too: then these are
    two chats, which recall each other."""
    if identity.session or not _opens(shared):
        return False
    known = space.conversations(MAX_ALIKE, query=identity.root)
    return any(info.parent is None and info.id.startswith(f"{identity.root}{BRANCH_MARK}") for info in known)


def _answered_anew(identity: ChatIdentity, messages: Sequence[ChatMessage], path: FollowedPath) -> bool:
    """Returns True if the client wants another answer to the last question, which has one."""
    if path.begin < len(messages) or identity.retry or messages[-1].role != "user":
        return False
    return any(message.role == "assistant" and not message.tool_calls for message in path.rest)


def _unanswered(space: Space, point: BranchPoint) -> str | None:
    """Returns a branch at this point that has no message yet: the upstream refused its request."""
    branches = space.conversation(point.conversation).branches()
    return next((info.id for info in branches if info.forked_at == point.seq and not info.messages), None)


def _trunk(conversation: str) -> str:
    return conversation.partition(BRANCH_MARK)[0]
