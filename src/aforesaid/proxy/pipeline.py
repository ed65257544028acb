"""Processes one request: finds its conversation, and returns the request to send upstream and what is to be stored."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from aforesaid import Conversation, Memory, Space
from aforesaid.access.authentication import CONVERSATION_HEADER
from aforesaid.proxy import conversation_id
from aforesaid.proxy.align import HistoryKind, first_seq
from aforesaid.proxy.block_cache import NO_BLOCK, BlockCache, MemoryBlock
from aforesaid.proxy.bounded_cache import BoundedCache
from aforesaid.proxy.branches import ChatIdentity
from aforesaid.proxy.conversation_id import ResponseLink, find_response, response_message_id
from aforesaid.proxy.message import content_texts
from aforesaid.proxy.persist import (
    StoragePlan,
    plan_continuation,
    plan_history,
    plan_request,
    start_branch,
    store_reply,
    write,
)
from aforesaid.proxy.request_draft import RequestDraft, make_draft
from aforesaid.proxy.upstream import UpstreamOptions
from aforesaid.proxy.window import previous_turns
from aforesaid.replies.json_path import get_path, get_text, parse_json
from aforesaid.replies.parser import ApiFormat
from aforesaid.replies.reply import ModelReply
from aforesaid.space import mask_of
from aforesaid.text.harness import side_request

MIN_BLOCK_TOKENS = 64  # nothing fits into fewer
MAX_LINKS = 10_000
NOTHING = "nothing_relevant"


@dataclass(frozen=True, slots=True)
class ProxyRequest:
    """A request as it arrived."""

    space: str
    wire: ApiFormat
    body: bytes
    headers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class AddedMemory:
    """What memory added for the question: its block, or the `reason` why there is none. `earlier` is the number of
    blocks of earlier questions that were inserted again. `messages` are the ids of all messages with a block."""

    block: MemoryBlock
    reason: str = ""
    earlier: int = 0
    messages: tuple[str, ...] = ()

    def header(self) -> str:
        """The value of the response header that says what was added. It says `on` only if something was."""
        details = {"context": self.block.receipt, "items": len(self.block.quoted), "tokens": self.block.tokens}
        if self.reason:
            details = {"reason": self.reason, "context": self.block.receipt}
        details["earlier"] = self.earlier or None
        state = "on" if self.earlier or not self.reason else "none"
        return "; ".join([state, *(f"{name}={value}" for name, value in details.items() if value is not None)])


@dataclass(frozen=True, slots=True)
class PreparedRequest:
    """The body to send (None: unchanged), what is to be stored, and what memory added. `plan_again` makes the plan anew
    if another request stores the same messages meanwhile. `linkable`: a later request may refer to the reply by its
    id."""

    body: bytes | None
    space: str
    plan: StoragePlan
    plan_again: Callable[[], StoragePlan]
    added: AddedMemory
    linkable: bool = False


@dataclass(frozen=True, slots=True)
class SkippedRequest:
    """A request that memory leaves alone: not stored, nothing added."""

    reason: str


class RequestPipeline:
    """Shared by all requests. Its methods wait for the store, so they must not run in an event loop."""

    def __init__(self, memory: Memory, upstream: UpstreamOptions) -> None:
        self._memory = memory
        self._upstream = upstream
        self._blocks = BlockCache()
        self._links = BoundedCache[tuple[str, str], ResponseLink](MAX_LINKS)  # of this process; also without a message

    def prepare(self, request: ProxyRequest) -> PreparedRequest | SkippedRequest:
        """Only reads the store, except that it starts a new branch. Skips what a program asks for itself: titles,
        summaries, tasks of subagents."""
        body = parse_json(request.body.decode("utf-8", "replace"))
        if not isinstance(body, dict):
            return SkippedRequest("unreadable")
        draft = make_draft(request.wire, body, self._upstream.tokens)
        purpose = _own_purpose(request, draft)
        if purpose is not None:
            return SkippedRequest(purpose)
        space = self._memory.space(request.space)
        plan_again = self._planner(request, draft, space)
        plan = plan_again()
        start_branch(space, plan)
        chat = space.conversation(plan.conversation)
        draft, blocks = self._with_earlier_blocks(space, draft, plan)
        draft = draft.within(self._upstream.window(get_text(body, "model")))
        blocks = {at: block for at, block in blocks.items() if draft.sends(at)}
        draft, since = _with_previous_turns(request, chat, draft, plan, mask_of(space))
        added = self._added_memory(space, draft, plan, since, blocks)
        with_block = [id for at in (draft.question, *blocks) if at is not None and (id := plan.ids[at])]
        added = replace(added, messages=tuple(with_block))
        if added.block.text and draft.question is not None:
            draft = draft.with_blocks({draft.question: added.block.text})
        linkable = request.wire == "responses" and body.get("store") is not False
        return PreparedRequest(draft.written(), space.id, plan, plan_again, added, linkable)

    def store(self, prepared: PreparedRequest) -> PreparedRequest:
        """Stores the messages of a request, and with them the receipt of its block. Returns the request with the plan
        that was stored."""
        space = self._memory.space(prepared.space)
        return replace(prepared, plan=write(space, prepared.plan, prepared.plan_again))

    def withdraw(self, prepared: PreparedRequest) -> None:
        """Inserts the blocks of a request never again: the upstream refused it with them."""
        for message in prepared.added.messages:
            self._blocks.put(self._memory.space(prepared.space), message, NO_BLOCK)

    def store_reply(self, stored: PreparedRequest, reply: ModelReply) -> None:
        name = response_message_id(reply.id) if reply.id and stored.linkable else None
        last = store_reply(self._memory.space(stored.space), stored.plan, reply, name)
        if reply.id and stored.linkable:
            self._links.put((stored.space, reply.id), ResponseLink(stored.plan.conversation, last))

    def _planner(self, request: ProxyRequest, draft: RequestDraft, space: Space) -> Callable[[], StoragePlan]:
        """Returns the function that plans what is stored, by the way in which the request names its conversation."""
        headers, body, messages = request.headers, draft.body, draft.messages
        previous = get_text(body, "previous_response_id")
        link = self._links.get((space.id, previous)) or find_response(space, previous) if previous else None
        name = conversation_id.named_conversation(headers, body)
        if link is not None and name in (None, link.conversation):
            chat, last = space.conversation(link.conversation), link.last
            return lambda: plan_continuation(space, chat, messages, last)
        if name is not None or previous:
            chat = space.conversation(response_message_id(previous) if name is None else name)
            kind: HistoryKind = "again" if conversation_id.is_retry(headers) else "part"
            return lambda: plan_request(chat, messages, kind)
        session, user = conversation_id.session_id(headers, body), conversation_id.end_user(headers, body)
        root, retry = conversation_id.root_id(session, user, messages), conversation_id.is_retry(headers)
        return lambda: plan_history(space, ChatIdentity(root, bool(session), retry, self._memory.now()), messages)

    def _with_earlier_blocks(
        self, space: Space, draft: RequestDraft, plan: StoragePlan
    ) -> tuple[RequestDraft, dict[int, MemoryBlock]]:
        """Inserts the blocks of earlier questions again. Also returns them, by message."""
        newest = len(draft.messages) - 1
        sent = {at: id for at in draft.turns if at != newest and (id := plan.ids[at]) is not None}
        found = self._blocks.find(space, plan.conversation, list(sent.values())) if sent else {}
        blocks = {at: found[id] for at, id in sent.items() if id in found}
        return draft.with_blocks({at: block.text for at, block in blocks.items() if block.text}), blocks

    def _added_memory(
        self, space: Space, draft: RequestDraft, plan: StoragePlan, since: int, blocks: Mapping[int, MemoryBlock]
    ) -> AddedMemory:
        """Builds the block of the question, unless it was inserted again during a loop of tool calls."""
        at, earlier = draft.question, sum(bool(block.text) for block in blocks.values())
        if at is None:
            return AddedMemory(MemoryBlock(), "no_question", earlier)
        if at in blocks:
            return AddedMemory(replace(blocks[at], text=""), "" if blocks[at].text else NOTHING, earlier)
        if draft.tokens < MIN_BLOCK_TOKENS:
            return AddedMemory(MemoryBlock(), "no_room", earlier)
        question, text = plan.ids[at], draft.messages[at].text
        sent = None
        if question is not None and not conversation_id.upstream_keeps_history(draft.body):
            shown = (id for block in blocks.values() for id in block.quoted)
            sent = [*dict.fromkeys((*shown, *plan.known, *draft.previous_ids, *_sent_ids(draft, plan))), question]
        chat = space.conversation(plan.conversation)
        context = chat.context(text if text.strip() else None, since=since, sent=sent, max_tokens=draft.tokens)
        block = MemoryBlock.of(context.receipt, "\n\n".join(turn.text for turn in context.turns))
        if question is not None:
            self._blocks.put(space, question, block)
        return AddedMemory(block, "" if block.text else NOTHING, earlier)


def _own_purpose(request: ProxyRequest, draft: RequestDraft) -> str | None:
    """Returns what a program wants for itself with a request; None for talk."""
    purpose = conversation_id.subagent_or_task(request.headers)
    if purpose is not None or not draft.wire_format.is_chat(draft.body):
        return purpose or "completion"
    users = (message.item for message in draft.messages if message.role == "user")
    last = max(users, default=None)
    texts = () if last is None else content_texts(get_path(draft.items[last], "content"))
    return side_request(draft.wire_format.instructions(draft.body), "\n".join(texts))


def _sent_ids(draft: RequestDraft, plan: StoragePlan) -> list[str]:
    """Returns the ids of the messages that are sent, as far as they are stored, without the question."""
    sent = (at for at in range(len(draft.messages)) if draft.sends(at) and at != draft.question)
    return [id for at in sent if (id := plan.ids[at]) is not None]


def _with_previous_turns(
    request: ProxyRequest, chat: Conversation, draft: RequestDraft, plan: StoragePlan, mask: Callable[[str], str]
) -> tuple[RequestDraft, int]:
    """Adds the previous turns if the client keeps no history. Also returns the seq from which on the model gets the
    conversation: 0 if the upstream keeps the history."""
    if conversation_id.upstream_keeps_history(draft.body):
        return draft, 0
    seqs = [seq for at, seq in enumerate(plan.seqs) if draft.sends(at)]
    if draft.is_single_message and seqs[0] is not None and CONVERSATION_HEADER in request.headers:
        turns = previous_turns(chat, seqs[0], draft.tokens // 2)
        return draft.after(turns, mask), first_seq([*(turn.seq for turn in turns), *seqs]) or 0
    return draft, first_seq(seqs) or 0
