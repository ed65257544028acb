"""One request: thought about, sent on, answered as it is answered, and the reply kept."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar
from urllib.parse import quote

import httpx2
from anyio import CancelScope, CapacityLimiter, move_on_after, to_thread
from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from recollect.access.problems import MEDIA, MODELS, Problem, members, of_error, problem
from recollect.access.problems import headers as problem_headers
from recollect.errors import RecollectError
from recollect.memory import Memory
from recollect.proxy.headers import coming
from recollect.proxy.hearing import Hearing
from recollect.proxy.mind import Asking, Mind, Minded
from recollect.proxy.options import Upstream
from recollect.proxy.upstream import Asked
from recollect.replies.listen import Wire

log = logging.getLogger(__name__)

T = TypeVar("T")
MEMORY = "x-recollect-memory"
CONVERSATION = "x-recollect-conversation"
REFUSED = (400, 413, 422)  # what was added may be the reason: asked once more without it
THREADS = 32  # that wait for the store; others are not kept from theirs


@dataclass(frozen=True, slots=True)
class Outgoing:
    """What goes to the upstream."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    wire: Wire | None = None


@dataclass(frozen=True, slots=True)
class Way:
    """The way back to whoever asked."""

    scope: Scope
    receive: Receive
    send: Send


@dataclass(frozen=True, slots=True)
class Thought:
    """What the memory made of a request; `off` says why nothing of it was sent on."""

    minded: Minded | None = None
    off: str | None = None

    def headers(self) -> list[tuple[bytes, bytes]]:
        if self.minded is None or self.off:
            return [(MEMORY.encode(), f"off; reason={self.off}".encode())] if self.off else []
        said = f"on; context={self.minded.receipt}" if self.minded.receipt else "on"
        name = quote(self.minded.conversation, safe="")
        return [(MEMORY.encode(), said.encode()), (CONVERSATION.encode(), name.encode())]


class Exchange:
    """Answers requests. Nothing that goes wrong in the memory keeps it from being answered."""

    def __init__(self, memory: Memory, upstream: Upstream) -> None:
        self._asked = Asked(upstream)
        self._mind = Mind(memory, upstream)
        self._patience = upstream.patience
        self._threads = CapacityLimiter(THREADS)
        self.key = upstream.key
        self.open = self._asked.open

    async def think(self, asking: Asking) -> Thought:
        minded, off = await self._in_time(lambda: self._mind.think(asking))
        return Thought(minded, off or ("unreadable" if minded is None else None))

    async def answer(self, outgoing: Outgoing, thought: Thought, way: Way) -> bool:
        """Whether the answer came to its end."""
        try:
            response, thought = await self._sent(outgoing, thought)
        except httpx2.TimeoutException:
            said = problem(504, "upstream_timeout", "the upstream did not answer in time")
            await answered(said, thought)(way.scope, way.receive, way.send)
        except (httpx2.HTTPError, httpx2.InvalidURL):
            said = problem(502, "upstream_unreachable", "the upstream cannot be reached, or broke off")
            await answered(said, thought)(way.scope, way.receive, way.send)
        else:
            try:
                return await self._pass(response, way.send, outgoing.wire, thought)
            finally:
                with CancelScope(shield=True):
                    await response.aclose()
        return True

    async def _sent(self, outgoing: Outgoing, thought: Thought) -> tuple[httpx2.Response, Thought]:
        to = outgoing.method, outgoing.path, outgoing.headers
        if thought.minded is None:
            return await self._asked.send(*to, outgoing.body), thought
        response = await self._asked.send(*to, thought.minded.body or outgoing.body)
        if response.status_code not in REFUSED or thought.minded.body is None:
            return response, thought
        await response.aclose()
        log.warning("refused with memory", extra={"action": "proxy_refused", "status": response.status_code})
        return await self._asked.send(*to, outgoing.body), Thought(thought.minded, "upstream_refused")

    async def _pass(self, response: httpx2.Response, send: Send, wire: Wire | None, thought: Thought) -> bool:
        """The answer, byte by byte as it comes. False where the upstream broke off."""
        start = {"status": response.status_code, "headers": [*coming(response.headers.raw), *thought.headers()]}
        await send({"type": "http.response.start", **start})
        hearing = Hearing(wire, response.headers) if wire and thought.minded and response.status_code == 200 else None
        try:
            async for piece in response.aiter_raw():
                await self._hear(piece, hearing, thought.minded)
                if hearing is None or not hearing.whole:
                    await send({"type": "http.response.body", "body": piece, "more_body": True})
        except httpx2.HTTPError as error:
            log.info("upstream broke off", extra={"action": "proxy_broken_off", "error": type(error).__name__})
            return False
        if hearing and thought.minded:
            await self._keep(thought.minded, hearing)
        await send({"type": "http.response.body", "body": hearing.rest if hearing else b"", "more_body": False})
        return True

    async def _hear(self, piece: bytes, hearing: Hearing | None, minded: Minded | None) -> None:
        """Listens to a piece before it is sent on. Many a client goes with the last event, before the body ends: by
        then the reply is kept, so that nobody can go on from it earlier."""
        if hearing and minded:
            hearing.feed(piece)
            if hearing.over or hearing.lost:
                await self._keep(minded, hearing)

    async def _keep(self, minded: Minded, hearing: Hearing) -> None:
        """Keeps the reply where it came to its end, once."""
        if hearing.kept:
            return
        hearing.kept = True

        def work() -> None:
            reply = hearing.end()
            if reply.ended:
                self._mind.keep(minded, reply)

        with CancelScope(shield=True):  # whoever asked may be gone by now; the answer was given
            _, off = await self._in_time(work)
        if off or hearing.lost:
            log.warning("reply not kept", extra={"action": "proxy_not_kept", "reason": off or hearing.lost})

    async def _in_time(self, work: Callable[[], T]) -> tuple[T | None, str | None]:
        """What the memory gives, or why it gives nothing. What takes too long goes on behind."""
        try:
            with move_on_after(self._patience):
                return await to_thread.run_sync(work, abandon_on_cancel=True, limiter=self._threads), None
        except RecollectError as error:
            return None, of_error(error).code
        except RecursionError:  # nested more deeply than anybody means it
            return None, "unreadable"
        return None, "slow"


def refusal(said: Problem, extra: Mapping[str, str] | None = None) -> JSONResponse:
    return JSONResponse(members(said, MODELS), said.status, problem_headers(said, extra or {}), media_type=MEDIA)


def answered(said: Problem, thought: Thought) -> JSONResponse:
    return refusal(said, {name.decode(): value.decode() for name, value in thought.headers()})
