"""The memory blocks that were inserted into the messages of a chat.

A block is inserted again, byte for byte, whenever its message is sent again, so that the prompt cache of the provider
applies. Its receipt keeps its text, so that every process finds it. When something in it is forgotten, the receipt is
deleted, and the block with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from aforesaid import Receipt, Space
from aforesaid.errors import NotFound
from aforesaid.proxy.bounded_cache import BoundedCache

MAX_BLOCKS = 2000
MAX_RECEIPTS = 200  # of a conversation, read when a process sees it for the first time


@dataclass(frozen=True, slots=True)
class MemoryBlock:
    """The quoted data to insert before what the person typed, and the receipt of its context. `quoted` are the ids of
    what is in it. An empty text with a receipt means that there was nothing to add."""

    text: str = ""
    receipt: str | None = None
    tokens: int = 0
    quoted: tuple[str, ...] = ()

    @classmethod
    def of(cls, receipt: Receipt, text: str) -> MemoryBlock:
        quoted = tuple(item.id for item in receipt.items if item.included)
        return cls(text, receipt.id, receipt.tokens if text else 0, quoted if text else ())


NO_BLOCK = MemoryBlock()  # of a message that was sent without memory


class BlockCache:
    """The blocks by space and message."""

    def __init__(self) -> None:
        self._blocks = BoundedCache[tuple[str, str], MemoryBlock](MAX_BLOCKS)

    def put(self, space: Space, message: str, block: MemoryBlock) -> None:
        self._blocks.put((space.id, message), block)

    def find(self, space: Space, conversation: str, messages: Sequence[str]) -> dict[str, MemoryBlock]:
        """Returns the blocks of these messages, as far as they have one that may be inserted again. Reads the receipts
        of the conversation if this process does not know one of the messages."""
        known = {id: self._blocks.get((space.id, id)) for id in messages}
        if None in known.values():
            read = self._read(space, conversation)
            missing = {id: read.get(id, NO_BLOCK) for id, block in known.items() if block is None}
            for id, block in missing.items():
                self._blocks.put((space.id, id), block)
            known |= missing
        return {id: block for id, block in known.items() if block and _is_live(space, block)}

    def _read(self, space: Space, conversation: str) -> dict[str, MemoryBlock]:
        blocks: dict[str, MemoryBlock] = {}
        for receipt in _receipts(space, conversation):
            if receipt.text is not None and receipt.call.sent:
                blocks.setdefault(receipt.call.sent[-1], MemoryBlock.of(receipt, receipt.text))
        return blocks


def _receipts(space: Space, conversation: str) -> Iterator[Receipt]:
    """Yields the receipts of a conversation and of those that it is a branch of, the newest of each first."""
    name: str | None = conversation
    while name is not None:
        yield from space.receipts(MAX_RECEIPTS, conversation=name)
        try:
            name = space.conversation(name).info().parent
        except NotFound:
            return


def _is_live(space: Space, block: MemoryBlock) -> bool:
    """Returns False if something in the block was forgotten since: forgetting also removes its receipt."""
    if block.receipt is None or not block.text:
        return block.receipt is not None
    try:
        space.receipt(block.receipt)
    except NotFound:
        return False
    return True
