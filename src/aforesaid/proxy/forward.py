"""Forwards a request, streams the response back, and stores the reply. No failure of the memory prevents a response."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar
from urllib.parse import quote

import httpx2
from anyio import CancelScope, move_on_after, to_thread

from aforesaid.access.authentication import CONVERSATION_HEADER
from aforesaid.access.problems import problem, problem_of, problem_response
from aforesaid.errors import AforesaidError
from aforesaid.memory import Memory
from aforesaid.proxy.call import ProxyCall, StreamedBody
from aforesaid.proxy.decompress import Decompressor, UnreadableContent
from aforesaid.proxy.pipeline import PreparedRequest, ProxyRequest, RequestPipeline, SkippedRequest
from aforesaid.proxy.tee import ResponseTee
from aforesaid.proxy.upstream import UpstreamClient, UpstreamOptions, request_headers, response_headers
from aforesaid.replies.parser import ApiFormat

log = logging.getLogger(__name__)

T = TypeVar("T")
MEMORY_HEADER = "x-aforesaid-memory"
REFUSED_STATUSES = (400, 413, 422)  # the added memory may be the reason: sent again without it
UNTOUCHED_HEADERS = ("accept-encoding", "content-length")  # of a request that memory does not read
STORE_THREADS = 32  # wait for the store, so that other requests keep their threads
DRAIN_SECONDS = 20.0  # for slow memory work to end when the server stops

Attempt = tuple[PreparedRequest | None, str | None]  # the result, or the reason why there is none


@dataclass(frozen=True, slots=True)
class MemoryOutcome:
    """The memory's result for a request. `off` is the reason why the request was sent without it. `storing` is set if
    the request and its reply are to be stored; it may still be running. `late`: the answer did not wait for it."""

    prepared: PreparedRequest | None = None
    off: str | None = None
    storing: Future[Attempt] | None = None
    late: bool = False

    def headers(self) -> dict[str, str]:
        if self.prepared is None or self.off:
            return {MEMORY_HEADER: f"off; reason={self.off}"} if self.off else {}
        conversation = quote(self.prepared.plan.conversation, safe="")
        state = self.prepared.added.header() + ("; store=slow" if self.late else "")
        return {MEMORY_HEADER: state, CONVERSATION_HEADER: conversation}


class Forwarder:
    def __init__(self, memory: Memory, upstream: UpstreamOptions) -> None:
        self._client = UpstreamClient(upstream)
        self._pipeline = RequestPipeline(memory, upstream)
        self._upstream = upstream
        self._threads = ThreadPoolExecutor(STORE_THREADS, "aforesaid-proxy")

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Forwards while the context is open. Then waits for slow memory work, so that no reply is lost."""
        try:
            async with self._client.open():
                yield
        finally:
            with move_on_after(DRAIN_SECONDS, shield=True):
                await to_thread.run_sync(self._threads.shutdown, abandon_on_cancel=True)

    async def answer(self, call: ProxyCall) -> bool:
        """Returns False if the upstream closed the connection before the end of its response."""
        outcome = MemoryOutcome()
        try:
            if call.target.wire is None or isinstance(call.body, StreamedBody):
                response = await self._pass_on(call)
            else:
                outcome = await self._prepare(call, call.target.wire, call.body)
                response, outcome = await self._send(call, outcome)
        except httpx2.TimeoutException:
            failure = problem(504, "upstream_timeout", "the upstream did not answer in time")
        except (httpx2.HTTPError, httpx2.InvalidURL):
            failure = problem(502, "upstream_unreachable", "the upstream is not reachable, or closed the connection")
        else:
            try:
                return await self._stream_back(response, call, outcome)
            finally:
                with CancelScope(shield=True):
                    await response.aclose()
        request = call.request
        await problem_response(failure, outcome.headers(), request.scope["path"])(
            request.scope, request.receive, call.send
        )
        return True

    async def _prepare(self, call: ProxyCall, wire: ApiFormat, body: bytes) -> MemoryOutcome:
        if call.request.headers.get(MEMORY_HEADER, "").strip().lower() == "off":
            return MemoryOutcome(off="asked")
        request = ProxyRequest(call.space, wire, body, dict(call.request.headers))
        preparing: Future[Attempt] = Future()
        storing = self._threads.submit(self._prepare_and_store, request, preparing)
        await asyncio.wait([asyncio.wrap_future(preparing)], timeout=self._upstream.patience)
        prepared, off = preparing.result() if preparing.done() else (None, "slow")
        return MemoryOutcome(prepared, off, storing if prepared or off == "slow" else None)

    def _prepare_and_store(self, request: ProxyRequest, preparing: Future[Attempt]) -> Attempt:
        """Prepares a request, hands it over through `preparing`, and stores it while it goes upstream."""
        try:
            result, reason = _attempt(lambda: self._pipeline.prepare(_decompressed(request)))
        except BaseException as exc:
            preparing.set_exception(exc)
            raise
        prepared = None if isinstance(result, SkippedRequest) else result
        reason = result.reason if isinstance(result, SkippedRequest) else reason
        preparing.set_result((prepared, reason))
        if prepared is None:
            return None, reason
        stored, reason = _attempt(lambda: self._pipeline.store(prepared))
        if reason:
            log.warning("request not stored", extra={"action": "proxy_not_stored", "reason": reason})
        return stored, reason

    async def _send(self, call: ProxyCall, outcome: MemoryOutcome) -> tuple[httpx2.Response, MemoryOutcome]:
        wire = call.target.wire
        headers = request_headers(call.request.headers, self._upstream.key, wire, own=call.own_credentials)
        send = partial(self._client.send, call.request.method, call.path_and_query)
        if outcome.prepared is None or outcome.prepared.body is None:
            return await send(headers, call.body), outcome
        plain = {name: value for name, value in headers.items() if name != "content-encoding"}
        response = await send(plain, outcome.prepared.body)
        if response.status_code not in REFUSED_STATUSES:
            return response, outcome
        await response.aclose()
        self._pipeline.withdraw(outcome.prepared)
        log.warning("refused with memory", extra={"action": "proxy_refused", "status": response.status_code})
        return await send(headers, call.body), replace(outcome, off="upstream_refused")

    async def _pass_on(self, call: ProxyCall) -> httpx2.Response:
        """Sends a request on as it is, while its body arrives."""
        received = call.request.headers
        headers = request_headers(received, self._upstream.key, None, own=call.own_credentials)
        headers |= {name: received[name] for name in UNTOUCHED_HEADERS if name in received}
        try:
            return await self._client.send(call.request.method, call.path_and_query, headers, call.body)
        finally:
            if isinstance(call.body, StreamedBody):
                call.body.over.set()

    async def _stream_back(self, response: httpx2.Response, call: ProxyCall, outcome: MemoryOutcome) -> bool:
        """Sends the response on, byte by byte. Stores the reply before it sends the last event: many clients close the
        connection then, and the next request continues from the reply. Waits until the request is stored before it
        sends anything."""
        outcome = await self._stored(outcome)
        storing, wire = outcome.storing, call.target.wire
        tee = ResponseTee(wire, response.headers) if wire and storing and response.status_code == 200 else None
        added = outcome.headers()
        if tee and tee.lost:
            added[MEMORY_HEADER] += "; reply=not_stored"
        headers = [*response_headers(response.headers.raw), *((k.encode(), v.encode()) for k, v in added.items())]
        await call.send({"type": "http.response.start", "status": response.status_code, "headers": headers})
        try:
            async for piece in response.aiter_raw():
                if tee and storing:
                    tee.feed(piece)
                    if tee.over or tee.lost:
                        await self._store_reply(storing, tee)
                if tee is None or not tee.whole:
                    await call.send({"type": "http.response.body", "body": piece, "more_body": True})
        except httpx2.HTTPError as error:
            log.info("upstream aborted", extra={"action": "proxy_aborted", "error": type(error).__name__})
            return False
        if tee and storing:
            await self._store_reply(storing, tee)
        await call.send({"type": "http.response.body", "body": tee.rest if tee else b"", "more_body": False})
        return True

    async def _stored(self, outcome: MemoryOutcome) -> MemoryOutcome:
        """Returns the outcome when the request is stored, or after the patience for it. A failure turns the memory off:
        the answer is sent, and the header says why."""
        if outcome.storing is None or outcome.prepared is None:
            return outcome
        await asyncio.wait([asyncio.wrap_future(outcome.storing)], timeout=self._upstream.patience)
        if not outcome.storing.done():
            return replace(outcome, late=True)
        stored, reason = outcome.storing.result()
        return replace(outcome, prepared=stored, off=outcome.off or reason)

    async def _store_reply(self, storing: Future[Attempt], tee: ResponseTee) -> None:
        """Stores a complete reply, once. If the request is still being stored, the reply follows it later."""
        if tee.stored:
            return
        tee.stored = True

        def store() -> None:
            reply, unreadable = _attempt(tee.end)
            stored, off = storing.result()
            if reply and reply.ended and stored:
                _, off = _attempt(partial(self._pipeline.store_reply, stored, reply))
            reason = unreadable or off or tee.lost
            if reason:
                log.warning("reply not stored", extra={"action": "proxy_not_stored", "reason": reason})

        replying = asyncio.wrap_future(self._threads.submit(store))
        if storing.done():
            with CancelScope(shield=True):  # the client may disconnect now, but it has the reply
                await asyncio.wait([replying], timeout=self._upstream.patience)


def _attempt(work: Callable[[], T]) -> tuple[T | None, str | None]:
    """Returns the result of the memory, or the reason why there is none."""
    try:
        return work(), None
    except AforesaidError as error:
        return None, problem_of(error).code
    except UnreadableContent as reason:
        return None, str(reason)
    except RecursionError:  # the JSON is nested too deeply
        return None, "unreadable"


def _decompressed(request: ProxyRequest) -> ProxyRequest:
    encoding = request.headers.get("content-encoding", "")
    return replace(request, body=Decompressor(encoding).feed(request.body))
