"""Server-sent events, and the open change streams of a server. A stream ends when its key loses access."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from anyio import CapacityLimiter, to_thread
from fastapi.responses import StreamingResponse
from fastapi.sse import KEEPALIVE_COMMENT, format_sse_event

from aforesaid.access.limits import ConcurrencyLimit
from aforesaid.access.problems import Refusal
from aforesaid.errors import AforesaidError, ClosedError
from aforesaid.memory import Memory
from aforesaid.models.change import Changes

UNBUFFERED = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}  # for nginx and other proxies
KEEP_ALIVE = KEEPALIVE_COMMENT

Peer = tuple[str, int]  # the client's address and port
ReadChanges = Callable[[int | None], Changes]  # reads the changes after a cursor; raises if the key lost access

MAX_STREAMS = 100  # per principal
PAGE_SIZE = 500  # changes per read
READER_THREADS = 4  # for all streams, so that requests keep their own threads
PAUSE_SECONDS = 0.1  # between two reads of a stream, so that a busy space is sent in batches
POLL_SECONDS = 5.0  # between two reads without a notification

log = logging.getLogger(__name__)


class EventStreamResponse(StreamingResponse):
    """Sends all events of one read in one piece; FastAPI's own class sends them one by one."""

    media_type = "text/event-stream"


def event_stream(description: str, events: Sequence[str], example: str) -> dict[int | str, dict[str, Any]]:
    """Returns the OpenAPI description of a stream of these events."""
    schema = {
        "type": "object",
        "description": "One event; its data is JSON.",
        "properties": {"event": {"enum": list(events)}, "data": {"type": "string"}},
        "required": ["event", "data"],
    }
    content = {EventStreamResponse.media_type: {"schema": schema, "example": example}}
    return {200: {"description": description, "content": content}}


def format_event(name: str, data: Mapping[str, object], id: int | None = None) -> bytes:
    text = json.dumps(data, ensure_ascii=False)
    return format_sse_event(event=name, id=None if id is None else str(id), data_str=text)


class ChangeStream:
    def __init__(self, read: ReadChanges, peer: Peer | None, threads: CapacityLimiter) -> None:
        self.peer = peer
        self._read = read
        self._threads = threads
        self._notified = asyncio.Event()
        self._ending = False
        self._first = Changes()

    async def start(self, after: int | None) -> None:
        self._first = await self._changes(after)

    async def follow(self) -> AsyncIterator[Changes]:
        """Yields the first changes immediately, even if there are none. Then yields changes as they arrive, and none
        after a while without changes. Ends on `end`, and when the caller loses access."""
        changes, idle = self._first, True
        while True:
            if changes or changes.missed or idle:
                yield changes
            if len(changes) < PAGE_SIZE:
                await asyncio.sleep(PAUSE_SECONDS)
                idle = not await self._wait()
            if self._ending:
                return
            self._notified.clear()
            try:
                changes = await self._changes(changes.cursor)
            except (Refusal, AforesaidError) as exc:
                log.info("stream ended", extra={"action": "stream_ended", "error": type(exc).__name__})
                return

    def notify(self) -> None:
        self._notified.set()

    def end(self) -> None:
        self._ending = True
        self._notified.set()

    async def _changes(self, after: int | None) -> Changes:
        return await to_thread.run_sync(self._read, after, limiter=self._threads)

    async def _wait(self) -> bool:
        """Returns True if a notification comes in time."""
        try:
            return await asyncio.wait_for(self._notified.wait(), POLL_SECONDS)
        except TimeoutError:
            return False


class ChangeStreams:
    """The open streams of a server. All methods run in its event loop."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._threads = CapacityLimiter(READER_THREADS)
        self._limit = ConcurrencyLimit(MAX_STREAMS, "streams")
        self._open: set[ChangeStream] = set()
        self._closing = False

    def __len__(self) -> int:
        return len(self._limit)

    @asynccontextmanager
    async def open(
        self, principal: str, peer: Peer | None, read: ReadChanges, after: int | None
    ) -> AsyncIterator[ChangeStream]:
        """A stream that has read once, so that every refusal comes before the response starts."""
        if self._closing:
            raise ClosedError("the server is closing; connect again")
        stream = ChangeStream(read, peer, self._threads)
        notify = partial(asyncio.get_running_loop().call_soon_threadsafe, stream.notify)
        subscribe = partial(to_thread.run_sync, self._memory.on_change, notify, limiter=self._threads)
        with self._limit.slot(principal), await subscribe():
            self._open.add(stream)
            try:
                await stream.start(after)
                yield stream
            finally:
                self._open.discard(stream)

    def close(self) -> set[Peer | None]:
        """Ends all streams and accepts no more. Returns their peers: a client that does not read never gets the end."""
        self._closing = True
        for stream in self._open:
            stream.end()
        return {stream.peer for stream in self._open}
