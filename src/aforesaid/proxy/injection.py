"""The block of quoted data that the proxy inserts before the message that is being answered.

The block stays the same during a loop of tool calls, so that the provider's prompt cache applies."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock

from aforesaid import Conversation, Space
from aforesaid.errors import NotFound

MIN_TOKENS = 64  # nothing fits into fewer
MAX_CACHED = 1000


@dataclass(frozen=True, slots=True)
class MemoryBlock:
    """The text to insert, and the receipt of its context."""

    text: str
    receipt: str | None = None


@dataclass(frozen=True, slots=True)
class MemoryBlockQuery:
    """The message to answer, by id and text, and the seq from which on the caller sends the history. `in_tool_loop`:
    the model has already called tools for it."""

    id: str | None
    text: str
    since: int
    in_tool_loop: bool


class MemoryBlockCache:
    """Makes blocks, and returns the same block while a message is answered in a tool loop. Thread-safe."""

    def __init__(self) -> None:
        self._blocks: OrderedDict[tuple[str, str, str], MemoryBlock] = OrderedDict()
        self._lock = Lock()

    def make(self, space: Space, chat: Conversation, query: MemoryBlockQuery, tokens: int) -> MemoryBlock:
        if tokens < MIN_TOKENS:
            return MemoryBlock("")
        key = None if query.id is None else (chat.space, chat.id, query.id)
        block = self._cached(space, key) if key and query.in_tool_loop else None
        if block is None:
            context = chat.context(query.text if query.text.strip() else None, since=query.since, max_tokens=tokens)
            block = MemoryBlock("\n\n".join(turn.text for turn in context.turns), context.receipt.id)
            if key:
                self._cache(key, block)
        return block

    def _cached(self, space: Space, key: tuple[str, str, str]) -> MemoryBlock | None:
        """Returns None if something in the block was forgotten since: forgetting also removes its receipt."""
        with self._lock:
            block = self._blocks.get(key)
        if block is None or block.receipt is None:
            return None
        try:
            space.receipt(block.receipt)
        except NotFound:
            return None
        return block

    def _cache(self, key: tuple[str, str, str], block: MemoryBlock) -> None:
        with self._lock:
            self._blocks[key] = block
            self._blocks.move_to_end(key)
            while len(self._blocks) > MAX_CACHED:
                self._blocks.popitem(last=False)
