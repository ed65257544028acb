"""The answers that this process writes, as events for every tab that shows them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, contextmanager
from typing import Literal

from aforesaid.models.json import Json

AnswerEvent = tuple[str, dict[str, Json]]  # the name and the data of a server-sent event
AnswerPlace = tuple[str, str, str]  # the space, the conversation, and the id of the question


class AnswerBroadcast:
    """The events of one answer. A listener that comes late gets the text so far as one event."""

    def __init__(self) -> None:
        self._begun: AnswerEvent | None = None
        self._retries: AnswerEvent | None = None
        self._text: list[str] = []
        self._listeners: set[asyncio.Queue[AnswerEvent | None]] = set()

    def publish(self, name: str, data: dict[str, Json]) -> None:
        if name == "begun":
            self._begun = name, data
        elif name == "retrying":
            self._retries = name, data
        elif name == "text":
            self._text.append(str(data["text"]))
        for listener in self._listeners:
            listener.put_nowait((name, data))

    def end(self) -> None:
        for listener in self._listeners:
            listener.put_nowait(None)

    async def listen(self, idle: float) -> AsyncIterator[AnswerEvent | None]:
        """Yields the events until the end, and None after each `idle` seconds without one."""
        events: asyncio.Queue[AnswerEvent | None] = asyncio.Queue()
        for event in (self._begun, None if self._text else self._retries):
            if event is not None:
                events.put_nowait(event)
        if self._text:
            events.put_nowait(("text", {"text": "".join(self._text)}))
        self._listeners.add(events)
        try:
            while True:
                try:
                    event = await asyncio.wait_for(events.get(), idle)
                except TimeoutError:
                    yield None
                    continue
                if event is None:
                    return
                yield event
        finally:
            self._listeners.discard(events)


class AnswerBroadcasts:
    """The answers that this process writes now. All methods run in its event loop."""

    def __init__(self) -> None:
        self._running: dict[AnswerPlace, AnswerBroadcast] = {}
        self._detached: set[asyncio.Task[None]] = set()

    def find(self, place: AnswerPlace) -> AnswerBroadcast | None:
        return self._running.get(place)

    @contextmanager
    def open(self, place: AnswerPlace) -> Iterator[AnswerBroadcast]:
        broadcast = self._running[place] = AnswerBroadcast()
        try:
            yield broadcast
        finally:
            if self._running.get(place) is broadcast:  # a later answer may have begun
                del self._running[place]
            broadcast.end()

    def detach(self, events: AsyncIterator[AnswerEvent | None], held: ExitStack) -> AsyncIterator[AnswerEvent | None]:
        """Reads the events to their end, whether or not somebody reads what this returns, and then closes `held`."""
        copies: asyncio.Queue[AnswerEvent | Literal["end"] | None] = asyncio.Queue()

        async def read() -> None:
            try:
                with held:
                    async for event in events:
                        copies.put_nowait(event)
            finally:
                copies.put_nowait("end")

        async def copied() -> AsyncIterator[AnswerEvent | None]:
            while (event := await copies.get()) != "end":
                yield event
            await task  # raises what it raised

        task = asyncio.create_task(read(), name="aforesaid-detached-answer")
        self._detached.add(task)
        task.add_done_callback(self._detached.discard)
        return copied()

    async def aclose(self) -> None:
        """Stops the detached answers."""
        for task in self._detached:
            task.cancel()
        await asyncio.gather(*self._detached, return_exceptions=True)
