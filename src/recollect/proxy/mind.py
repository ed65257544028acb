"""The memory's part in a request: stores what it brings, and says what to send in its place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from recollect import Conversation, Memory
from recollect.access.gate import CONVERSATION
from recollect.proxy import place
from recollect.proxy.align import since
from recollect.proxy.aside import Aside, Asides, Question
from recollect.proxy.chain import Chain, Link, name_of
from recollect.proxy.draft import Draft, draft
from recollect.proxy.earlier import earlier
from recollect.proxy.options import Upstream
from recollect.proxy.remember import Remembered, follow, keep, remember
from recollect.replies.listen import Wire
from recollect.replies.reply import Reply
from recollect.replies.values import parsed, word
from recollect.space import mask_of


@dataclass(frozen=True, slots=True)
class Asking:
    """A request as it came: whose it is, and what it says."""

    space: str
    wire: Wire
    body: bytes
    headers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Minded:
    """What is sent on (None: what came), where the reply belongs, and the receipt of what was added. `onward`: a later
    request may go on from the reply by its name."""

    body: bytes | None
    space: str
    conversation: str
    last: str
    receipt: str | None
    onward: bool = False


class Mind:
    """Shared by all requests; every call may wait for the store, so none belongs into an event loop."""

    def __init__(self, memory: Memory, upstream: Upstream) -> None:
        self._memory = memory
        self._upstream = upstream
        self._asides = Asides()
        self._chain = Chain()

    def think(self, asking: Asking) -> Minded | None:
        """Stores what the request brings. None where its body is no JSON object."""
        body = parsed(asking.body.decode("utf-8", "replace"))
        if not isinstance(body, dict):
            return None
        made = draft(asking.wire, body, self._upstream.tokens)
        space = self._memory.space(asking.space)
        before = word(body, "previous_response_id")
        link = self._chain.find(space, before) if before else None
        chat = space.conversation(_conversation(asking, made, link))
        stored = _stored(asking, chat, made, link)
        made = made.within(self._upstream.window(word(body, "model")))
        mask = mask_of(space)  # what memory adds; what the client sends is its own
        made, begin = _continued(asking, chat, made, stored, mask)
        aside = self._aside(chat, made, stored, begin)
        onward = asking.wire == "responses" and body.get("store") is not False
        return Minded(made.written(mask(aside.text)), chat.space, chat.id, stored.last, aside.receipt, onward)

    def keep(self, minded: Minded, reply: Reply) -> None:
        """Stores the reply; the next request may go on from its name."""
        chat = self._memory.space(minded.space).conversation(minded.conversation)
        name = name_of(reply.id) if reply.id and minded.onward else None
        last = keep(chat, minded.last, reply, name)
        if reply.id and minded.onward:
            self._chain.add(minded.space, reply.id, Link(chat.id, last))

    def _aside(self, chat: Conversation, made: Draft, stored: Remembered, begin: int) -> Aside:
        if made.answered is None:
            return Aside("")
        at = made.question
        id, words = (None, "") if at is None else (stored.ids[at], made.said[at].text)
        begun = at is not None and at < len(made.said) - 1
        question = Question(id, words, begin, begun=begun)
        return self._asides.make(self._memory.space(chat.space), chat, question, made.tokens)


def _conversation(asking: Asking, made: Draft, link: Link | None) -> str:
    named = place.named(asking.headers, made.body)
    if named is not None:
        return named
    if link is not None:
        return link.conversation
    before = word(made.body, "previous_response_id")
    return name_of(before) if before else place.fingerprint(made.dialect.opening(made.body), made.said)


def _stored(asking: Asking, chat: Conversation, made: Draft, link: Link | None) -> Remembered:
    if link is not None and link.conversation == chat.id:
        return follow(chat, made.said, link.last)
    return remember(chat, made.said, place.habit(asking.headers, made.body))


def _continued(
    asking: Asking, chat: Conversation, made: Draft, stored: Remembered, mask: Callable[[str], str]
) -> tuple[Draft, int]:
    """The request with the turns before it, where the client keeps no history; and the seq from which on the model gets
    the conversation: all of it where the upstream keeps it."""
    if place.continues(made.body):
        return made, 0
    seqs = [seq for one, seq in zip(made.said, stored.seqs, strict=True) if one.item >= made.shown]
    if made.alone and seqs[0] is not None and CONVERSATION in asking.headers:
        turns = earlier(chat, seqs[0], made.tokens // 2)
        return made.after(turns, mask), since([*(one.seq for one in turns), *seqs]) or 0
    return made, since(seqs) or 0
