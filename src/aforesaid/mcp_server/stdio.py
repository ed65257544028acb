"""MCP on standard input and output: one JSON message per line, for the one client that started this process."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock, Thread
from types import FrameType
from typing import TYPE_CHECKING, BinaryIO, NoReturn

from aforesaid.mcp_server.caller import McpCaller, local_caller
from aforesaid.mcp_server.protocol import McpConnection
from aforesaid.mcp_server.requests import INVALID_REQUEST, RequestFailed, Result
from aforesaid.models.json import Json

if TYPE_CHECKING:
    from aforesaid.memory import Memory
    from aforesaid.space import Space

RequestId = str | int

AT_ONCE = ("initialize", "ping", "server/discover", "tools/list")  # these need no store
THREADS = 8  # a slow request does not delay others
CHUNK_BYTES = 1 << 16


class OpeningMemory:
    """A store that is being opened. Its spaces can be used when it is open."""

    def __init__(self) -> None:
        self.opened: Future[Memory] = Future()

    def space(self, name: str) -> Space:
        return self.opened.result().space(name)


def serve_stdio(open_memory: Callable[[], Memory], space: str, *, read_only: bool) -> None:
    """Serves until the client disconnects or a signal arrives. Acknowledged data is kept either way.

    A thread answers the client while the store is being opened, so that the client never waits for it to begin."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _exit)
    store = OpeningMemory()
    incoming, outgoing = _claim_streams()
    caller = local_caller(store, space, read_only=read_only)
    reader = Thread(target=_read, args=(caller, incoming, outgoing), daemon=True)
    reader.start()
    try:
        with open_memory() as memory:
            memory.space(space)  # raises InvalidInput
            store.opened.set_result(memory)
            reader.join()
    finally:
        store.opened.cancel()  # if it could not be opened
        outgoing.close()


def _exit(_: int, __: FrameType | None) -> NoReturn:
    sys.exit(0)


def _read(caller: McpCaller, incoming: int, outgoing: BinaryIO) -> None:
    """Answers every request that arrives before the client disconnects."""
    with ThreadPoolExecutor(THREADS) as threads:
        client = StdioClient(McpConnection(caller), outgoing, threads)
        for line in lines(incoming):
            client.receive(line)


def lines(file: int) -> Iterator[bytes]:
    """Reads without Python's buffer, whose lock a thread that waits here would hold at the end of the process."""
    parts: list[bytes] = []
    while chunk := os.read(file, CHUNK_BYTES):
        first, *rest = chunk.split(b"\n")
        parts.append(first)
        for part in rest:
            yield b"".join(parts)
            parts = [part]


def _claim_streams() -> tuple[int, BinaryIO]:
    """Returns the pipes of the client. From now on, what a library prints goes to standard error."""
    incoming, outgoing = os.dup(0), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    return incoming, outgoing


class StdioClient:
    """Ignores lines that are no messages of JSON-RPC, as the specification of the transport asks."""

    def __init__(self, connection: McpConnection, outgoing: BinaryIO, threads: ThreadPoolExecutor) -> None:
        self._connection = connection
        self._outgoing = outgoing
        self._threads = threads
        self._open: set[RequestId] = set()  # requests without an answer
        self._writing = Lock()

    def receive(self, line: bytes) -> None:
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            return
        match message:
            case {"jsonrpc": "2.0", "method": str(method), "id": str() | int() as id} if not isinstance(id, bool):
                self._open.add(id)
                self._begin(id, method, message.get("params"))
            case {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": str() | int() as id}}:
                self._open.discard(id)

    def _begin(self, id: RequestId, method: str, params: Json) -> None:
        try:
            if params is not None and not isinstance(params, Mapping):
                raise RequestFailed(INVALID_REQUEST, "`params` must be an object")
            work = self._connection.begin(method, params or {})
        except RequestFailed as exc:
            self._send(id, {"error": error_object(exc)})
        else:
            if method in AT_ONCE:
                self._finish(id, work)
            else:
                self._threads.submit(self._finish, id, work)

    def _finish(self, id: RequestId, work: Callable[[], Result]) -> None:
        try:
            self._send(id, {"result": work()})
        except RequestFailed as exc:
            self._send(id, {"error": error_object(exc)})

    def _send(self, id: RequestId, outcome: dict[str, Json]) -> None:
        text = json.dumps({"jsonrpc": "2.0", "id": id, **outcome}, ensure_ascii=False, separators=(",", ":"))
        with self._writing:
            if id in self._open:  # not cancelled
                self._open.remove(id)
                self._outgoing.write(text.encode(errors="backslashreplace") + b"\n")  # a lone surrogate as in JSON
                self._outgoing.flush()


def error_object(error: RequestFailed) -> dict[str, Json]:
    said: dict[str, Json] = {"code": error.code, "message": str(error)}
    return said if error.data is None else {**said, "data": error.data}
