"""HTTP requests to a provider: URL, proxy rules, status codes, retries with back-off.

Errors never repeat a key, a prompt or an answer."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

import anyio
import httpx2

from aforesaid.errors import InvalidInput, ProviderError, ProviderRefused
from aforesaid.models.json import Json
from aforesaid.providers.address import loopback


def endpoint(base: str, path: str) -> httpx2.URL:
    try:
        return httpx2.URL(f"{base.rstrip('/')}/{path}")
    except httpx2.InvalidURL as error:
        raise InvalidInput("the provider's address is not a usable http address") from error


def proxy_mounts(url: httpx2.URL) -> dict[str, None]:
    """The client mounts for a URL: a service on this machine is never called through a proxy."""
    if not loopback(str(url)):
        return {}
    return {f"all://[{url.host}]" if ":" in url.host else f"all://{url.host}": None}


RETRYABLE = (408, 409, 429)
UNSUPPORTED = (400, 422)
TOO_LARGE = 413


class UnsupportedRequest(ProviderRefused):
    """The service does not accept a part of the request. It may accept another mode."""


def raise_for_status(name: str, response: httpx2.Response) -> None:
    """Raises ProviderError for a transient failure, ProviderRefused for a permanent one. `mendable` means that every
    request would fail: a wrong key, model or URL. The body is not repeated."""
    if is_retryable(response):
        raise ProviderError(f"{name} answered {response.status_code}")
    if response.status_code in UNSUPPORTED:
        raise UnsupportedRequest(f"{name} refused with {response.status_code}")
    if not response.is_success:
        mendable = response.status_code != TOO_LARGE
        raise ProviderRefused(f"{name} refused with {response.status_code}", mendable=mendable)


def is_retryable(response: httpx2.Response) -> bool:
    return response.status_code in RETRYABLE or response.is_server_error


T = TypeVar("T")
ResponseReader = Callable[[httpx2.Response], Awaitable[T]]  # reads a successful response

TRIES = 6
TRIES_UNREACHABLE = 2  # starting a model server takes longer than all our pauses
LARGEST_ANSWER = 4_000_000  # bytes; hundreds of times a normal answer
SECONDS = re.compile(r"\d{1,6}(\.\d{1,6})?")


@dataclass(frozen=True, slots=True)
class Service:
    """A service: its name, its URL, and the first pause before a retry in seconds."""

    name: str
    url: httpx2.URL
    pause: float


class TransientFailure(Exception):
    """A failure to retry, after `seconds` if the service says so. `away`: the service is unreachable."""

    def __init__(self, error: ProviderError, seconds: float | None = None, *, away: bool = False) -> None:
        super().__init__(str(error))
        self.error = error
        self.seconds = seconds
        self.away = away


async def post_with_retries(
    client: httpx2.AsyncClient,
    service: Service,
    body: Json,
    read: ResponseReader[T],
    retrying: Callable[[], object] = lambda: None,
) -> T:
    """Returns the result of `read`. A busy, failing or unreachable service is called again until the deadline, after
    growing pauses or after those that it requests; `retrying` is called before each pause. A service that has begun to
    answer is not called again."""
    content = encode_body(body)
    pause = service.pause
    for attempt in range(1, TRIES + 1):
        try:
            return await _post(client, service, content, read)
        except TransientFailure as failure:
            if attempt == TRIES or (failure.away and attempt == TRIES_UNREACHABLE):
                raise failure.error from None
            retrying()
            await _wait(failure, pause)
        pause *= 2
    raise AssertionError("unreachable")


def encode_body(body: Json) -> bytes:
    try:
        return json.dumps(body, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise InvalidInput("text with a lone surrogate is not valid Unicode and cannot be sent") from error


async def _post(client: httpx2.AsyncClient, service: Service, content: bytes, read: ResponseReader[T]) -> T:
    headers = {"Content-Type": "application/json"}
    try:
        async with client.stream("POST", service.url, content=content, headers=headers) as response:
            if is_retryable(response):
                busy = ProviderError(f"{service.name} answered {response.status_code}")
                raise TransientFailure(busy, retry_after(response))
            raise_for_status(service.name, response)
            return await read(response)
    except httpx2.TransportError as error:
        unreachable = ProviderError(f"{service.name} cannot be reached: {type(error).__name__}")
        raise TransientFailure(unreachable, away=isinstance(error, httpx2.ConnectError)) from error


async def read_chunks(name: str, response: httpx2.Response, most: int = LARGEST_ANSWER) -> AsyncIterator[bytes]:
    """The chunks of a response. Reads at most `most` bytes."""
    size = 0
    try:
        async for chunk in response.aiter_raw():
            size += len(chunk)
            if size > most:
                raise ProviderRefused(f"{name} answered with more than {most:,} bytes", charged=True)
            yield chunk
    except httpx2.TransportError as error:
        raise ProviderError(f"{name} broke off its answer: {type(error).__name__}", charged=True) from error


async def read_json(name: str, response: httpx2.Response) -> Json:
    """The body of a response as JSON."""
    body = b"".join([chunk async for chunk in read_chunks(name, response)])
    try:
        return json.loads(body)
    except (ValueError, RecursionError) as error:
        raise ProviderError(f"{name} gave an unusable answer: {type(error).__name__}", charged=True) from None


async def _wait(failure: TransientFailure, pause: float) -> None:
    """Waits as long as the service requests, or for `pause`. Raises the error if the deadline comes first."""
    seconds = pause if failure.seconds is None else failure.seconds
    if anyio.current_time() + seconds >= anyio.current_effective_deadline():
        raise failure.error from None
    await anyio.sleep(seconds)


def retry_after(response: httpx2.Response) -> float | None:
    """The seconds of Retry-After. A date is ignored, because the clocks may differ."""
    value = response.headers.get("Retry-After", "").strip()
    return float(value) if SECONDS.fullmatch(value) else None
