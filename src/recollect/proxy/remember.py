"""What a request brings is stored once, however often it is sent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from recollect import Conversation
from recollect.errors import ConflictError, NotFound
from recollect.models import Message
from recollect.proxy.align import Habit, align
from recollect.proxy.said import Said, key_of
from recollect.replies.reply import Reply

MORE = 64  # stored messages that are looked at beside as many as were sent
TRIES = 5  # of storing what somebody else stores at the same time


@dataclass(frozen=True, slots=True)
class Remembered:
    """Where the messages of a request stand: their ids and seqs, None for what is not stored. A reply to them is named
    after `last`."""

    ids: tuple[str | None, ...]
    seqs: tuple[int | None, ...]
    last: str


def remember(chat: Conversation, said: Sequence[Said], habit: Habit = "part") -> Remembered:
    """Stores what follows the last message that is known. What is missing before it was taken away: it stays so."""
    return _tried(lambda: _remember(chat, said, habit))


def follow(chat: Conversation, said: Sequence[Said], last: str) -> Remembered:
    """Stores what goes on from the message `last`, which the upstream keeps with all before it."""
    return _tried(lambda: _follow(chat, said, last))


def keep(chat: Conversation, last: str, reply: Reply, name: str | None = None) -> str:
    """Stores a reply that came to its end, once; under a `name`, if it is to be found by one and nothing has it. Gives
    the id of the message, or `last` where nothing was said."""
    said = Said("assistant", reply.text.replace("\0", "\ufffd"), calls=reply.tool_calls)
    if said.empty:
        return last
    about = {"model": reply.model, "response": reply.id, "finish": reply.finish}
    known = {name: value.replace("\0", "\ufffd") for name, value in about.items() if value}
    usual = said.id(last)
    id = name if name and not _there(chat, name) and not _there(chat, usual) else usual
    for one in (id, usual):
        try:
            chat.add_many([{**said.record(), "id": one, "metadata": known}])
        except ConflictError:  # another conversation has the name, or the next request has brought it already
            continue
        return one
    return usual


def _tried(work: Callable[[], Remembered]) -> Remembered:
    for _ in range(TRIES - 1):
        try:
            return work()
        except ConflictError:  # another request has stored it, in slightly other words
            continue
    return work()


def _follow(chat: Conversation, said: Sequence[Said], last: str) -> Remembered:
    ids: list[str] = []
    for one in said:
        if ids or one.role != "assistant":  # else it is what `last` has said
            last = one.id(last)
        ids.append(last)
    found = {id: message for id in ids if (message := _there(chat, id)) is not None}
    new = [{**one.record(), "id": id} for one, id in zip(said, ids, strict=True) if id not in found]
    seqs = {message.id: message.seq for message in (*found.values(), *(chat.add_many(new) if new else ()))}
    return Remembered(tuple(ids), tuple(seqs.get(id) for id in ids), last)


def _there(chat: Conversation, id: str) -> Message | None:
    try:
        return chat.message(id)
    except NotFound:
        return None


def _remember(chat: Conversation, said: Sequence[Said], habit: Habit) -> Remembered:
    stored = chat.messages(len(said) + MORE)
    keys = [key_of(message) for message in stored]
    user = [message.role == "user" for message in stored]
    whole = not stored or stored[0].seq == 0
    places = align(keys, [one.key for one in said], user, whole=whole, habit=habit)
    begin = max((at for at, place in enumerate(places) if place is not None), default=-1) + 1
    _answered_otherwise(stored, said, places, begin)
    ids: list[str | None] = [None if place is None else stored[place].id for place in places]
    last = _anchor(chat, stored, ids[:begin], len(said))
    new = []
    for at in range(begin, len(said)):
        if ids[at] is None:
            ids[at] = said[at].id(last)
            new.append({**said[at].record(), "id": ids[at]})
        last = str(ids[at])
    seqs = {message.id: message.seq for message in (*stored, *(chat.add_many(new) if new else ()))}
    return Remembered(tuple(ids), tuple(seqs.get(id) if id else None for id in ids), last)


def _answered_otherwise(stored: Sequence[Message], said: Sequence[Said], places: list[int | None], begin: int) -> None:
    """An answer that comes back in other words than it was stored in is still that answer."""
    before = places[begin - 1] if begin else None
    if before is None or begin >= len(said) or said[begin].role != "assistant":
        return
    after = before + 1
    if after < len(stored) and stored[after].role == "assistant":
        places[begin] = after


def _anchor(chat: Conversation, stored: Sequence[Message], known: Sequence[str | None], sent: int) -> str:
    """What the first new message is named after: the message before it, or the end of the conversation where nothing
    but the newest message was sent."""
    before = next((id for id in reversed(known) if id is not None), None)
    if before is not None:
        return before
    return stored[-1].id if stored and sent == 1 else f"begin-{chat.id}"
