"""aforesaid with default settings: a file, the background worker, and its own calls of the embedder."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from driver_protocol import Embed, serve

from aforesaid import Memory
from aforesaid.bench.dataset import FixedClock
from aforesaid.bench.systems import found_messages


class AforesaidFileStore:
    def __init__(self, folder: str, embed: Embed, now: str | None) -> None:
        clock = FixedClock(datetime.fromisoformat(now)) if now else None
        self._memory = Memory(Path(folder) / "memory.db", clock=clock)
        self._space = self._memory.space("bench")

    def add(self, message: dict[str, str]) -> None:
        self._space.conversation(message["session"]).add(
            message["role"], message["content"], id=message["id"], name=message.get("name"), at=message.get("at")
        )

    def settle(self) -> None:
        self._memory.flush(timeout=600)

    def search(self, question: str, limit: int) -> list[str]:
        return found_messages(self._space.recall(question, limit))

    def ids(self) -> list[str]:
        return [
            message.id
            for conversation in self._space.conversations()
            for message in self._space.conversation(conversation.id).messages()
        ]

    def close(self) -> None:
        self._memory.close()


if __name__ == "__main__":
    serve(AforesaidFileStore)
