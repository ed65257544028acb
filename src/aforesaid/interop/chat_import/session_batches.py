"""Collects the messages of coding agents' session files, which are read line by line, into batches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime

from aforesaid.interop.chat_import.exports import ExportedChat, ExportedMessage, ExportItem, SkippedItems
from aforesaid.models.json import Json
from aforesaid.models.transfer import ImportFormat
from aforesaid.text.harness import TextPiece, join_typed, split_harness

BATCH = 500  # messages of one session that are yielded together


class SessionBatches:
    """The messages of one session until they are yielded. `title`, `begun` and `metadata` belong to the conversation,
    which the first batch begins. `skipped` counts what is left out."""

    def __init__(self, source: ImportFormat, id: str) -> None:
        self.source = source
        self.id = id
        self.title: str | None = None
        self.begun: datetime | None = None
        self.metadata: dict[str, Json] = {}
        self.skipped: Counter[str] = Counter()
        self._waiting: list[ExportedMessage] = []
        self._place = 0

    def add(self, messages: Sequence[ExportedMessage]) -> Iterator[ExportItem]:
        """Yields a batch when it is full."""
        self._waiting += messages
        if len(self._waiting) >= BATCH:
            yield from self.flush()

    def flush(self) -> Iterator[ExportItem]:
        yield from SkippedItems.from_counts(self.skipped)
        self.skipped.clear()
        if self._waiting:
            yield ExportedChat(
                self.id,
                self.source,
                self._waiting,
                self.title,
                self.begun,
                self._place,
                metadata=dict(self.metadata),
            )
            self._place += len(self._waiting)
            self._waiting = []


def typed_content(texts: Sequence[str]) -> str | list[dict[str, Json]] | None:
    """The content of a user's message: what the person typed as text, and the texts of the agent as parts of their own.
    None if the person typed nothing."""
    pieces: list[TextPiece] = [piece for text in texts for piece in split_harness(text)]
    if not join_typed(pieces):
        return None
    typed = [piece.text for piece in pieces if piece.harness is None]
    return "\n\n".join(typed) if len(typed) == len(pieces) else [piece.part() for piece in pieces]
