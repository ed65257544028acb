"""The HTTP connection to a server: its address and key, retries, and what its failures mean."""

from __future__ import annotations

import json
import threading
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import quote, urlencode

import httpx2

from aforesaid.errors import AforesaidError, ClosedError, InvalidInput, ServerUnavailable
from aforesaid.models.json import Json
from aforesaid.providers import address as addresses
from aforesaid.providers.http_client import proxy_mounts, retry_after
from aforesaid.remote.problems import error_of

PREFIX = "/api/memory"
CONNECT_SECONDS = 10.0
ANSWER_SECONDS = 60.0  # silence until a request fails; a long task has LONG_SECONDS
LONG_SECONDS = 3600.0
PAUSES = (0.1, 0.4, 1.0)  # seconds before each retry
LONGEST_PAUSE = 5.0  # seconds that a server can ask for
RETRYABLE = (502, 503, 504)
SENDING = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout)  # the server has not seen the request
INSTANCE_HEADER = "X-Aforesaid-Instance"
WHAT_TO_DO = "check the address, and that `aforesaid serve` runs there"


@dataclass(frozen=True, slots=True)
class Sending:
    """A request. `path` is complete. `durable`: the store itself recognises a repetition, by an id or because the
    request only reads or replaces."""

    method: str
    path: str
    query: Mapping[str, Json] = field(default_factory=dict)
    body: Json = None
    content: Callable[[], Iterator[bytes]] | None = None
    model: str | None = None
    durable: bool = False
    long: bool = False
    accepted: tuple[int, ...] = ()  # statuses that are an answer, besides those of success

    @property
    def target(self) -> str:
        pairs = [(name, one) for name, value in self.query.items() for one in _query_values(value)]
        return self.path + (f"?{urlencode(pairs, quote_via=quote, safe='')}" if pairs else "")


class Connection:
    """The connections to one server. Threads can share it."""

    def __init__(self, url: str, key: str | None) -> None:
        parts = addresses.address(url, "the server's address")
        self.address = parts._replace(fragment="").geturl().rstrip("/")
        if parts.scheme == "http" and not addresses.loopback(url):
            raise InvalidInput(
                f"{self.address} would send every text unencrypted; use https://, or http:// on loopback"
            )
        headers = {"Accept": "application/json"}
        if key is not None:
            if not key.strip() or not (key.isascii() and key.isprintable()):
                raise InvalidInput("the key of a server is the text that `aforesaid keys create` prints")
            headers["Authorization"] = f"Bearer {key.strip()}"
        timeout = httpx2.Timeout(ANSWER_SECONDS, connect=CONNECT_SECONDS)
        limits = httpx2.Limits(max_connections=None, max_keepalive_connections=20)
        self._client = httpx2.Client(
            headers=headers, timeout=timeout, limits=limits, mounts=proxy_mounts(httpx2.URL(self.address))
        )
        self._closed = threading.Event()
        self._instance = ""

    @property
    def closed(self) -> bool:
        return self._closed.is_set()

    def close(self) -> None:
        self._closed.set()
        self._client.close()

    def check(self) -> None:
        """Raises an error unless an aforesaid server answers here and accepts the key."""
        answer = self.json(Sending("GET", "/api/version"))
        if not isinstance(answer, dict) or "version" not in answer:
            raise ServerUnavailable(f"{self.address} is not an aforesaid server; {WHAT_TO_DO}")

    def json(self, sending: Sending) -> Json:
        """The answer as JSON; None if it is empty."""
        return self._retried(sending, self._read_json)

    def _read_json(self, response: httpx2.Response) -> Json:
        return self._parsed(response.read()) if response.status_code != 204 else None

    def download(self, sending: Sending, write: Callable[[bytes], object]) -> Mapping[str, str]:
        """Passes the answer on in pieces, and returns its headers. Not repeated once it has begun."""
        with self.stream(sending) as response:
            try:
                for piece in response.iter_bytes():
                    write(piece)
            except httpx2.TransportError as error:
                raise self._broken(error) from error
            return response.headers

    @contextmanager
    def stream(self, sending: Sending) -> Iterator[httpx2.Response]:
        """An answer that is read while it arrives."""
        response = self._retried(sending, None)
        try:
            yield response
        finally:
            response.close()

    def _retried(self, sending: Sending, read: Callable[[httpx2.Response], Json] | None) -> Json:
        """Sends a request, and again if there is no answer. A repetition has the same Idempotency-Key, by which the
        server recognises it."""
        headers = {"Idempotency-Key": uuid.uuid4().hex} if sending.method != "GET" else {}
        if headers and not sending.durable:
            headers[INSTANCE_HEADER] = self._instance
        for pause in (*PAUSES, None):
            if self.closed:
                raise ClosedError("this Memory is closed; open it again")
            try:
                return self._once(sending, headers, read)
            except Again as again:
                if pause is None:
                    raise again.error from again.__cause__
                if again.forget:
                    headers = headers | ({"Idempotency-Key": uuid.uuid4().hex} if headers else {})
                self._closed.wait(min(LONGEST_PAUSE, pause if again.seconds is None else again.seconds))
        raise AssertionError("unreachable")

    def _once(
        self, sending: Sending, headers: Mapping[str, str], read: Callable[[httpx2.Response], Json] | None
    ) -> Json:
        request = self._request(sending, headers)
        try:
            response = self._client.send(request, stream=True)
        except httpx2.TransportError as error:
            raise Again(self._unreachable(error, sending)) from error
        except RuntimeError as error:  # the client was closed meanwhile
            raise ClosedError("this Memory is closed; open it again") from error
        try:
            self._instance = response.headers.get(INSTANCE_HEADER, self._instance)
            if response.is_success or response.status_code in sending.accepted:
                if read is None:
                    kept, response = response, None  # type: ignore[assignment]
                    return kept
                return read(response)
            self._raise(response)
        except httpx2.TransportError as error:
            raise Again(self._broken(error)) from error
        finally:
            if response is not None:
                response.close()
        raise AssertionError("unreachable")

    def _request(self, sending: Sending, headers: Mapping[str, str]) -> httpx2.Request:
        headers = dict(headers)
        content: bytes | Iterator[bytes] | None = None
        if sending.content is not None:
            content, headers["Content-Type"] = sending.content(), "application/octet-stream"
        elif sending.method not in ("GET", "DELETE"):
            content, headers["Content-Type"] = encoded(sending.body), "application/json"
        if sending.model is not None:
            headers["X-Aforesaid-Model"] = quote(sending.model, safe="")
        timeout = httpx2.Timeout(LONG_SECONDS if sending.long else ANSWER_SECONDS, connect=CONNECT_SECONDS)
        return self._client.build_request(
            sending.method, self.address + sending.target, content=content, headers=headers, timeout=timeout
        )

    def _raise(self, response: httpx2.Response) -> None:
        status = response.status_code
        if response.is_redirect:
            elsewhere = response.headers.get("Location", "")
            raise ServerUnavailable(
                f"{self.address} redirects to {elsewhere!r}, which is not followed: it would get the key and the texts;"
                " use the address of the server itself"
            )
        try:
            problem = json.loads(response.read())
        except ValueError:
            problem = None
        error = error_of(problem, status, self.address)
        if status in RETRYABLE and isinstance(error, ServerUnavailable):
            raise Again(error, retry_after(response))
        if problem is not None and problem.get("code") == "store_busy":
            raise Again(error, retry_after(response), forget=True)
        raise error

    def _parsed(self, body: bytes) -> Json:
        try:
            return json.loads(body)
        except (ValueError, RecursionError) as error:
            raise ServerUnavailable(f"{self.address} did not answer with JSON; {WHAT_TO_DO}") from error

    def _unreachable(self, error: httpx2.TransportError, sending: Sending) -> ServerUnavailable:
        if isinstance(error, SENDING):
            return ServerUnavailable(f"{self.address} cannot be reached ({type(error).__name__}); {WHAT_TO_DO}")
        if isinstance(error, httpx2.TimeoutException):
            seconds = LONG_SECONDS if sending.long else ANSWER_SECONDS
            return ServerUnavailable(f"{self.address} did not answer within {seconds:.0f} seconds; {WHAT_TO_DO}")
        return self._broken(error)

    def _broken(self, error: httpx2.TransportError) -> ServerUnavailable:
        return ServerUnavailable(f"{self.address} broke off the connection ({type(error).__name__}); {WHAT_TO_DO}")


class Again(Exception):
    """A failure to retry, after `seconds` if the server says so. `forget`: the server did nothing."""

    def __init__(self, error: AforesaidError, seconds: float | None = None, *, forget: bool = False) -> None:
        super().__init__(str(error))
        self.error = error
        self.seconds = seconds
        self.forget = forget


def encoded(body: Json) -> bytes:
    try:
        return json.dumps({} if body is None else body, ensure_ascii=False, allow_nan=False).encode()
    except UnicodeEncodeError as error:
        raise InvalidInput("text with a lone surrogate is not valid Unicode and cannot be sent") from error
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput(f"an argument cannot be written as JSON: {error}") from error


def segment(name: str) -> str:
    """A name as one segment of a path. A segment of dots would be taken as another folder."""
    encoded = quote(name, safe="")
    return encoded.replace(".", "%2E") if not encoded.strip(".") else encoded


def _query_values(value: Json) -> list[str]:
    if isinstance(value, list):
        return [one for part in value for one in _query_values(part)]
    if isinstance(value, bool):
        return ["true" if value else "false"]
    return [] if value is None else [str(value)]
