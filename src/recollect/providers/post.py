"""One question to a service, asked again where that may help."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

import anyio
import httpx2

from recollect.errors import InvalidInput, ProviderError, ProviderRefused
from recollect.models import Json
from recollect.providers.status import refuse_failure, worth_another_try

T = TypeVar("T")
Take = Callable[[httpx2.Response], Awaitable[T]]  # what is done with an answer that has begun

TRIES = 6
TRIES_AWAY = 2  # where nobody listens: whoever starts a model takes longer than all our pauses
LARGEST = 4_000_000  # bytes of an answer; hundreds of times what is asked for
SECONDS = re.compile(r"\d{1,6}(\.\d{1,6})?")


@dataclass(frozen=True, slots=True)
class Service:
    """Who is asked, where, and how long the first pause before asking again is."""

    name: str
    url: httpx2.URL
    pause: float


class Passing(Exception):
    """A failure that may be over soon; the service may have said in how many seconds. `away`: nobody is there."""

    def __init__(self, error: ProviderError, seconds: float | None = None, *, away: bool = False) -> None:
        super().__init__(str(error))
        self.error = error
        self.seconds = seconds
        self.away = away


async def post(client: httpx2.AsyncClient, service: Service, question: Json, take: Take[T]) -> T:
    """What `take` makes of the answer. A service that is busy, failing or away is asked again, after growing pauses or
    those that it names, while there is time; one that has begun to answer is not asked twice."""
    content = written(question)
    wait = service.pause
    for attempt in range(1, TRIES):
        try:
            return await _ask(client, service, content, take)
        except Passing as failure:
            if failure.away and attempt == TRIES_AWAY:
                raise failure.error from None
            await _rest(failure, wait)
        wait *= 2
    try:
        return await _ask(client, service, content, take)
    except Passing as failure:
        raise failure.error from None


def written(question: Json) -> bytes:
    try:
        return json.dumps(question, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise InvalidInput("text with a lone surrogate is not valid Unicode and cannot be sent") from error


async def _ask(client: httpx2.AsyncClient, service: Service, content: bytes, take: Take[T]) -> T:
    headers = {"Content-Type": "application/json"}
    try:
        async with client.stream("POST", service.url, content=content, headers=headers) as response:
            if worth_another_try(response):
                raise Passing(ProviderError(f"{service.name} answered {response.status_code}"), named_pause(response))
            refuse_failure(service.name, response)
            return await take(response)
    except httpx2.TransportError as error:
        away = isinstance(error, httpx2.ConnectError)
        raise Passing(ProviderError(f"{service.name} cannot be reached: {type(error).__name__}"), away=away) from error


async def pieces(name: str, response: httpx2.Response, most: int = LARGEST) -> AsyncIterator[bytes]:
    """The answer as it comes. Never more than `most` bytes are taken in."""
    taken = 0
    try:
        async for piece in response.aiter_raw():
            taken += len(piece)
            if taken > most:
                raise ProviderRefused(f"{name} answered with more than {most:,} bytes", charged=True)
            yield piece
    except httpx2.TransportError as error:
        raise ProviderError(f"{name} broke off its answer: {type(error).__name__}", charged=True) from error


async def whole(name: str, response: httpx2.Response) -> Json:
    """The answer as JSON."""
    body = b"".join([piece async for piece in pieces(name, response)])
    try:
        return json.loads(body)
    except (ValueError, RecursionError) as error:
        raise ProviderError(f"{name} gave an unusable answer: {type(error).__name__}", charged=True) from None


async def _rest(failure: Passing, wait: float) -> None:
    """Waits as long as the service says, or `wait`; gives up where the deadline comes first."""
    seconds = wait if failure.seconds is None else failure.seconds
    if anyio.current_time() + seconds >= anyio.current_effective_deadline():
        raise failure.error from None
    await anyio.sleep(seconds)


def named_pause(response: httpx2.Response) -> float | None:
    """The seconds of Retry-After. A date is not read: the service's clock is not ours."""
    said = response.headers.get("Retry-After", "").strip()
    return float(said) if SECONDS.fullmatch(said) else None
