"""Processes one request: stores its messages, and returns the request to send upstream."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from aforesaid import Conversation, Memory
from aforesaid.access.authentication import CONVERSATION_HEADER
from aforesaid.errors import NotFound
from aforesaid.proxy import conversation_id
from aforesaid.proxy.align import first_seq
from aforesaid.proxy.bounded_cache import BoundedCache
from aforesaid.proxy.conversation_id import ResponseLink, find_response, response_message_id
from aforesaid.proxy.persist import StoredRequest, store_continuation, store_reply, store_request
from aforesaid.proxy.request_draft import RequestDraft, make_draft
from aforesaid.proxy.upstream import UpstreamOptions
from aforesaid.proxy.window import previous_turns
from aforesaid.replies.json_path import get_text, parse_json
from aforesaid.replies.parser import ApiFormat
from aforesaid.replies.reply import ModelReply
from aforesaid.space import mask_of

MIN_BLOCK_TOKENS = 64  # nothing fits into fewer
MAX_BLOCKS = 1000
MAX_LINKS = 10_000


@dataclass(frozen=True, slots=True)
class MemoryBlock:
    """The quoted data to insert before the message that is being answered, and the receipt of its context."""

    text: str
    receipt: str | None = None


@dataclass(frozen=True, slots=True)
class ProxyRequest:
    """A request as it arrived."""

    space: str
    wire: ApiFormat
    body: bytes
    headers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class PipelineResult:
    """The body to send (None: unchanged), the message that the reply follows, and the receipt of the added memory.
    `linkable`: a later request may refer to the reply by its id."""

    body: bytes | None
    space: str
    conversation: str
    last: str
    receipt: str | None
    linkable: bool = False


class RequestPipeline:
    """Shared by all requests. Its methods wait for the store, so they must not run in an event loop."""

    def __init__(self, memory: Memory, upstream: UpstreamOptions) -> None:
        self._memory = memory
        self._upstream = upstream
        self._blocks = BoundedCache[tuple[str, str, str | None], MemoryBlock](MAX_BLOCKS)
        self._links = BoundedCache[tuple[str, str], ResponseLink](MAX_LINKS)  # of this process; also without a message

    def prepare(self, request: ProxyRequest) -> PipelineResult | None:
        """Stores the messages of the request. Returns None if the body is not a JSON object."""
        body = parse_json(request.body.decode("utf-8", "replace"))
        if not isinstance(body, dict):
            return None
        draft = make_draft(request.wire, body, self._upstream.tokens)
        space = self._memory.space(request.space)
        previous = get_text(body, "previous_response_id")
        link = self._links.get((space.id, previous)) or find_response(space, previous) if previous else None
        chat = space.conversation(_conversation_id(request, draft, link))
        stored = _store_messages(request, chat, draft, link)
        draft = draft.within(self._upstream.window(get_text(body, "model")))
        mask = mask_of(space)  # for the added memory only
        draft, since = _with_previous_turns(request, chat, draft, stored, mask)
        block = self._memory_block(chat, draft, stored, since)
        linkable = request.wire == "responses" and body.get("store") is not False
        written = draft.written(mask(block.text))
        return PipelineResult(written, chat.space, chat.id, stored.last, block.receipt, linkable)

    def store_reply(self, prepared: PipelineResult, reply: ModelReply) -> None:
        chat = self._memory.space(prepared.space).conversation(prepared.conversation)
        name = response_message_id(reply.id) if reply.id and prepared.linkable else None
        last = store_reply(chat, prepared.last, reply, name)
        if reply.id and prepared.linkable:
            self._links.put((prepared.space, reply.id), ResponseLink(chat.id, last))

    def _memory_block(self, chat: Conversation, draft: RequestDraft, stored: StoredRequest, since: int) -> MemoryBlock:
        """Returns the same block during a loop of tool calls, so that the provider's prompt cache applies."""
        if draft.answered is None or draft.tokens < MIN_BLOCK_TOKENS:
            return MemoryBlock("")
        at = draft.question
        id, text = (None, "") if at is None else (stored.ids[at], draft.messages[at].text)
        in_tool_loop = at is not None and at < len(draft.messages) - 1
        key = (chat.space, chat.id, id)
        block = self._blocks.get(key) if id and in_tool_loop else None
        if block is None or not self._is_current(chat.space, block):
            context = chat.context(text if text.strip() else None, since=since, max_tokens=draft.tokens)
            block = MemoryBlock("\n\n".join(turn.text for turn in context.turns), context.receipt.id)
            if id:
                self._blocks.put(key, block)
        return block

    def _is_current(self, space: str, block: MemoryBlock) -> bool:
        """Returns False if something in the block was forgotten since: forgetting also removes its receipt."""
        try:
            self._memory.space(space).receipt(block.receipt or "")
        except NotFound:
            return False
        return True


def _conversation_id(request: ProxyRequest, draft: RequestDraft, link: ResponseLink | None) -> str:
    name = conversation_id.named_conversation(request.headers, draft.body)
    if name is not None:
        return name
    if link is not None:
        return link.conversation
    previous = get_text(draft.body, "previous_response_id")
    if previous:
        return response_message_id(previous)
    return conversation_id.fingerprint(draft.wire_format.instructions(draft.body), draft.messages)


def _store_messages(
    request: ProxyRequest, chat: Conversation, draft: RequestDraft, link: ResponseLink | None
) -> StoredRequest:
    if link is not None and link.conversation == chat.id:
        return store_continuation(chat, draft.messages, link.last)
    return store_request(chat, draft.messages, conversation_id.history_kind(request.headers, draft.body))


def _with_previous_turns(
    request: ProxyRequest, chat: Conversation, draft: RequestDraft, stored: StoredRequest, mask: Callable[[str], str]
) -> tuple[RequestDraft, int]:
    """Adds the previous turns if the client keeps no history. Also returns the seq from which on the model gets the
    conversation: 0 if the upstream keeps the history."""
    if conversation_id.upstream_keeps_history(draft.body):
        return draft, 0
    seqs = [seq for message, seq in zip(draft.messages, stored.seqs, strict=True) if message.item >= draft.first_sent]
    if draft.is_single_message and seqs[0] is not None and CONVERSATION_HEADER in request.headers:
        turns = previous_turns(chat, seqs[0], draft.tokens // 2)
        return draft.after(turns, mask), first_seq([*(turn.seq for turn in turns), *seqs]) or 0
    return draft, first_seq(seqs) or 0
