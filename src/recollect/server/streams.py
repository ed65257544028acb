"""Those who listen over HTTP: how many of each, what they are told, and how they end."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial

from anyio import CapacityLimiter, to_thread

from recollect.access.refusal import Refusal, TooMany
from recollect.errors import ClosedError, RecollectError
from recollect.memory import Memory
from recollect.models import Changes

Peer = tuple[str, int]  # the other end of a connection
Look = Callable[[int | None], Changes]  # at what came after a cursor; refused where the key opens it no more

MOST = 100  # streams of one principal
PAGE = 500  # changes that one look gives at most
THREADS = 4  # look for all of them, so that requests keep theirs
PAUSE_SECONDS = 0.1  # between two looks of a stream: of a busy space it is told in batches
LOOK_SECONDS = 5.0  # until a look though nothing was heard

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Listener:
    principal: str
    peer: Peer | None


class Stream:
    """Somebody who listens."""

    def __init__(self, look: Callable[[int | None], Awaitable[Changes]], peer: Peer | None) -> None:
        self._look = look
        self.peer = peer
        self._moved = asyncio.Event()
        self._ending = False
        self.first = Changes()

    async def begin(self, after: int | None) -> None:
        self.first = await self._look(after)

    async def follow(self) -> AsyncIterator[Changes]:
        """The first ones at once, though there be none; then whenever there are any, and none after a while without.
        Ends when it is told to, and when the listener may not know more."""
        found, silent = self.first, True
        while True:
            if found or found.missed or silent:
                yield found
            if len(found) < PAGE:
                await asyncio.sleep(PAUSE_SECONDS)
                silent = not await self._heard()
            if self._ending:
                return
            self._moved.clear()
            try:
                found = await self._look(found.cursor)
            except (Refusal, RecollectError) as exc:
                log.info("stream ended", extra={"action": "stream_ended", "error": type(exc).__name__})
                return

    def wake(self) -> None:
        self._moved.set()

    def end(self) -> None:
        self._ending = True
        self._moved.set()

    async def _heard(self) -> bool:
        """Whether something was, in time."""
        try:
            return await asyncio.wait_for(self._moved.wait(), LOOK_SECONDS)
        except TimeoutError:
            return False


class Streams:
    """Every stream of a server that is open. All but the looking is done in its event loop."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._threads = CapacityLimiter(THREADS)
        self._counts: Counter[str] = Counter()
        self._open: set[Stream] = set()
        self._closing = False

    def __len__(self) -> int:
        return sum(self._counts.values())

    @asynccontextmanager
    async def open(self, listener: Listener, look: Look, after: int | None) -> AsyncIterator[Stream]:
        """A stream that has looked once already: what can be refused is refused before anything is sent."""
        principal = listener.principal
        if self._closing:
            raise ClosedError("the server is closing; connect again")
        if self._counts[principal] >= MOST:
            raise TooMany(f"{MOST} streams are open; close one first", {"Retry-After": "5"})
        self._counts[principal] += 1
        try:
            async with self._listening(look, listener.peer) as stream:
                await stream.begin(after)
                yield stream
        finally:
            self._counts -= Counter([principal])

    @asynccontextmanager
    async def _listening(self, look: Look, peer: Peer | None) -> AsyncIterator[Stream]:
        stream = Stream(lambda after: to_thread.run_sync(partial(look, after), limiter=self._threads), peer)
        wake = partial(asyncio.get_running_loop().call_soon_threadsafe, stream.wake)
        with await to_thread.run_sync(self._memory.on_change, wake, limiter=self._threads):
            self._open.add(stream)
            try:
                yield stream
            finally:
                self._open.discard(stream)

    def close(self) -> set[Peer | None]:
        """Ends them all, and lets nobody in any more. Says whose they were: who does not read hears of no end."""
        self._closing = True
        for stream in self._open:
            stream.end()
        return {stream.peer for stream in self._open}
