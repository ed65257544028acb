"""Limits the connections of a server: their number, and the time that a client may keep one waiting.

uvicorn waits for a request as long as its client likes, and accepts connections until the process has no file
descriptors left. Here, a client that sends or reads too slowly is disconnected. A new connection above the limit
replaces the one whose client has been silent for longest, so that clients which do nothing keep nobody out.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from dataclasses import dataclass
from enum import Enum, auto
from ipaddress import ip_address, ip_network
from typing import Any

import h11
import uvicorn
from fastapi import FastAPI
from starlette.datastructures import MutableHeaders
from uvicorn.protocols.http.h11_impl import STATUS_PHRASES, H11Protocol, RequestResponseCycle
from uvicorn.server import ServerState

from aforesaid.access.limits import client_group
from aforesaid.access.problems import Problem, problem, problem_response
from aforesaid.errors import InvalidInput
from aforesaid.server.middleware import add_security_headers

log = logging.getLogger(__name__)

MIN_RATE = 500  # bytes per second of a body that arrives, or of a response that is read
KEEP_ALIVE_SECONDS = 5  # between two requests of a connection
CLOSE_SECONDS = 5  # for a client to read why it is disconnected
ACCEPTED_AT_ONCE = 32  # connections that the event loop accepts before it looks at any of them
OTHER_DESCRIPTORS = 64  # for the store, its readers, temporary files and models
MIN_CONNECTIONS = 8
ADDRESS_SHARE = 0.5  # of all connections, for one address
ACCEPT_LOG_SECONDS = 60.0  # between two log lines about connections that cannot be accepted


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """At most `connections` at a time, half of them from one address. The headers of a request arrive within
    `header_seconds`. In each `body_seconds`, a body arrives, or a response is read, with at least 500 bytes per second.
    `proxies` are addresses of reverse proxies: their `X-Forwarded-For` is believed, and they may use all connections.
    """

    connections: int = 1000
    header_seconds: float = 10.0
    body_seconds: float = 30.0
    proxies: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for proxy in self.proxies:
            try:
                ip_network(proxy, strict=False)
            except ValueError as exc:
                raise InvalidInput(f"{proxy!r} is not an address or network of a proxy; write it as 10.0.0.7") from exc

    def trusts(self, address: str) -> bool:
        """Returns True if the address is that of a trusted proxy."""
        try:
            return any(ip_address(address) in ip_network(proxy, strict=False) for proxy in self.proxies)
        except ValueError:
            return False


def descriptor_limit() -> int | None:
    """The number of files and sockets that this process may open; None if the system sets no such limit."""
    try:
        import resource
    except ImportError:  # on Windows
        return None
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return None if soft == resource.RLIM_INFINITY else soft


class ConnectionTable:
    """The open connections of a server. All methods run in its event loop."""

    def __init__(self, limits: ConnectionLimits) -> None:
        self.limits = limits
        available = descriptor_limit()
        most = limits.connections
        if available is not None:
            most = min(most, available - OTHER_DESCRIPTORS - ACCEPTED_AT_ONCE)
        self._most = max(MIN_CONNECTIONS, most)
        self._most_per_address = max(MIN_CONNECTIONS, int(self._most * ADDRESS_SHARE))
        self._open: dict[LimitedProtocol, str] = {}
        self._counts: Counter[str] = Counter()

    def add(self, connection: LimitedProtocol) -> bool:
        """Makes room for a connection. Returns False if every other connection is in use."""
        address = connection.client[0] if connection.client else "local"
        group = client_group(address)
        if self._counts[group] >= self._most_per_address and not self.limits.trusts(address):
            if not self._replace_one_of(group):
                return False
        elif len(self._open) >= self._most and not (
            self._replace_one_of(self._counts.most_common(1)[0][0]) or self._replace_one_of(None)
        ):
            return False
        self._open[connection] = group
        self._counts[group] += 1
        return True

    def remove(self, connection: LimitedProtocol) -> None:
        group = self._open.pop(connection, None)
        if group is not None:
            self._counts[group] -= 1
            if not self._counts[group]:
                del self._counts[group]

    def _replace_one_of(self, group: str | None) -> bool:
        """Closes the connection that has waited for its client the longest, of one group or of all."""
        waiting = [one for one, own in self._open.items() if one.waits_for_client and group in (None, own)]
        if not waiting:
            return False
        longest = min(waiting, key=lambda one: one.heard)
        self.remove(longest)
        longest.transport.abort()
        return True


class ServerConfig(uvicorn.Config):
    """The configuration of uvicorn, and the connections of the server."""

    def __init__(self, app: FastAPI, limits: ConnectionLimits, patience: int) -> None:
        super().__init__(
            app,
            http=LimitedProtocol,
            ws="none",
            lifespan="on",
            log_config=None,
            access_log=False,
            server_header=False,
            date_header=False,
            proxy_headers=bool(limits.proxies),
            forwarded_allow_ips=list(limits.proxies),
            backlog=ACCEPTED_AT_ONCE,
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=patience,
        )
        self.table = ConnectionTable(limits)


class Expected(Enum):
    """What a connection waits for."""

    REQUEST = auto()  # the first bytes of the next request
    HEADERS = auto()
    BODY = auto()
    RESPONSE = auto()  # from the application; the client has nothing to do


class LimitedProtocol(H11Protocol):
    """An HTTP connection with deadlines."""

    def __init__(
        self,
        config: uvicorn.Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        assert isinstance(config, ServerConfig)
        self._table = config.table
        self._limits = config.table.limits
        self._expected: tuple[Expected, RequestResponseCycle | None] = (Expected.RESPONSE, None)
        self._deadline: asyncio.TimerHandle | None = None
        self._read_deadline: asyncio.TimerHandle | None = None
        self._received = 0  # bytes since the deadline was set
        self._unread = 0  # bytes that the client had not read when its deadline was set
        self.heard = self.loop.time()

    @property
    def waits_for_client(self) -> bool:
        return self._expected[0] is not Expected.RESPONSE

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if self._table.add(self):
            self._expect(Expected.HEADERS)
        else:
            self._refuse(problem(503, "too_many_connections", "too many connections are open; close some, or retry"))

    def connection_lost(self, exc: Exception | None) -> None:
        self._table.remove(self)
        for timer in (self._deadline, self._read_deadline):
            if timer is not None:
                timer.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self.heard = self.loop.time()
        self._received += len(data)
        super().data_received(data)
        self._follow()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._watch_reader()
        self._follow()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._watch_reader()

    def send_400_response(self, msg: str) -> None:
        self._refuse(problem(400, "malformed", f"{msg} Send a request as RFC 9112 describes it."))

    def _unsupported_upgrade_warning(self) -> None:
        """Logs nothing: a package for WebSockets, which uvicorn recommends here, would change nothing."""

    def _follow(self) -> None:
        """Sets the deadline for what the client must do next."""
        if self.transport.is_closing():
            return
        state = self.conn.their_state
        if state is h11.SEND_BODY:
            self._expect(Expected.BODY)
        elif state is not h11.IDLE:
            self._expect(Expected.RESPONSE)
        else:
            begun = self.cycle is None or self.conn.trailing_data[0]
            self._expect(Expected.HEADERS if begun else Expected.REQUEST)

    def _expect(self, expected: Expected) -> None:
        if self._expected == (expected, self.cycle):
            return
        self._expected = (expected, self.cycle)
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
        seconds = {
            Expected.REQUEST: KEEP_ALIVE_SECONDS,
            Expected.HEADERS: self._limits.header_seconds,
            Expected.BODY: self._limits.body_seconds,
        }.get(expected)
        if seconds is not None:
            self._received = 0
            self._deadline = self.loop.call_later(seconds, self._on_deadline)

    def _on_deadline(self) -> None:
        expected, cycle = self._expected
        seconds = self._limits.body_seconds
        if expected is Expected.REQUEST:
            self.transport.close()
        elif expected is Expected.HEADERS:
            self._refuse(problem(408, "too_slow", f"the headers did not arrive within {self._limits.header_seconds} s"))
        elif self._received >= seconds * MIN_RATE or self.flow.read_paused or _waits_to_continue(cycle):
            self._received = 0
            self._deadline = self.loop.call_later(seconds, self._on_deadline)
        else:
            detail = f"the body arrived with less than {MIN_RATE} bytes per second for {seconds} s"
            self._refuse(problem(408, "too_slow", detail))

    def _watch_reader(self) -> None:
        """Sets a deadline for a client that has not read everything. `close` alone would wait for it without end."""
        self._unread = self.transport.get_write_buffer_size()
        if self._unread and self._read_deadline is None:
            self._read_deadline = self.loop.call_later(self._limits.body_seconds, self._on_read_deadline)

    def _on_read_deadline(self) -> None:
        self._read_deadline = None
        unread = self.transport.get_write_buffer_size()
        complete = self.cycle is None or self.cycle.response_complete
        if not unread or not (self.flow.write_paused or complete):
            return  # the application has not written enough to wait for the client
        if self._unread - unread >= self._limits.body_seconds * MIN_RATE:
            self._watch_reader()
        else:
            self.transport.abort()

    def _refuse(self, refusal: Problem) -> None:
        """Sends the reason, unless a response has begun, and closes the connection."""
        if self.transport.is_closing():
            return
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            self.transport.write(raw_response(refusal))
        self.transport.close()
        self.loop.call_later(CLOSE_SECONDS, self.transport.abort)


def _waits_to_continue(cycle: RequestResponseCycle | None) -> bool:
    """Returns True if the client waits until the application wants the body (`Expect: 100-continue`)."""
    return cycle is not None and cycle.waiting_for_100_continue


def raw_response(refusal: Problem) -> bytes:
    """A whole response that ends its connection."""
    response = problem_response(refusal, {"Connection": "close"})
    add_security_headers(MutableHeaders(raw=response.raw_headers), api=True)
    head = b"".join(b"%s: %s\r\n" % header for header in response.raw_headers)
    return b"HTTP/1.1 %d %s\r\n%s\r\n%s" % (refusal.status, STATUS_PHRASES[refusal.status], head, bytes(response.body))


class AcceptErrors:
    """Handles the errors of an event loop. asyncio reports each connection that it cannot accept, many times a second:
    one line a minute says as much."""

    def __init__(self) -> None:
        self._next = 0.0

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if not isinstance(error, OSError) or "accept" not in context.get("message", ""):
            loop.default_exception_handler(context)
        elif loop.time() >= self._next:
            self._next = loop.time() + ACCEPT_LOG_SECONDS
            log.error(
                "connections cannot be accepted; raise the limit of open files",
                extra={"action": "accept_failed", "error": error.strerror},
            )
