"""Server-sent events: the streamed answer of a model, and the notifications of changes."""

from __future__ import annotations

import json
import logging
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

import httpx2

from aforesaid.answering.answer import Answer
from aforesaid.answering.responder import ReplyCost
from aforesaid.context.why import Why
from aforesaid.errors import AforesaidError, ClosedError, ProviderError, log_text
from aforesaid.jobs.notifier import Callback, Subscription
from aforesaid.models.cost import Cost
from aforesaid.models.json import Json
from aforesaid.models.message import Message
from aforesaid.ports import Completion
from aforesaid.remote.connection import PREFIX, Connection, Sending, segment
from aforesaid.remote.contexts import read_context
from aforesaid.remote.problems import error_of
from aforesaid.remote.values import decode
from aforesaid.text import validate

if TYPE_CHECKING:
    from aforesaid.remote.verb import Scope

RECONNECT_SECONDS = 1.0

Event = tuple[str, Json]

log = logging.getLogger(__name__)


def events(response: httpx2.Response) -> Iterator[Event]:
    """The events of a stream: the name and the data of each."""
    name, data = "message", ""
    for line in response.iter_lines():
        field, _, value = line.partition(":")
        if field == "event":
            name = value.strip()
        elif field == "data":
            data += value.removeprefix(" ")
        elif not line and data:
            yield name, json.loads(data)
            name, data = "message", ""


def shut(response: httpx2.Response) -> None:
    """Ends a response from any thread: the thread that reads it gets an error at once."""
    stream = response.extensions.get("network_stream")
    connected = stream.get_extra_info("socket") if stream is not None else None
    if connected is not None:
        with suppress(OSError):
            connected.shutdown(socket.SHUT_RDWR)


# Answers


def ask(scope: Scope, sending: Sending) -> Answer:
    """The answer to a message. It is stopped on the server when it is closed here."""
    opened = scope.connection.stream(sending)
    response = opened.__enter__()
    stream = ReplyStream(scope.connection, response, partial(opened.__exit__, None, None, None))
    try:
        begun = stream.begin()
    except BaseException:
        stream.close()
        raise
    path = f"{PREFIX}/conversations/{segment(scope.conversation or '')}/messages"
    read = partial(_message, scope, path)

    context = read_context(begun["context"], partial(ask_why, scope, begun["context"]["receipt"]["id"]))
    cost = RemoteCost(stream)
    answer = Answer(
        decode(Message, begun["message"]),
        context,
        begun["model"],
        (stream, cost),
        lambda _text, _data: read(stream.stored),
    )
    stream.keep = partial(answer.stop, keep=True)
    return answer


def ask_why(scope: Scope, id: str, message: Message | str, message_space: str | None) -> Why:
    """Asks why a message is in the context of a receipt, or not."""
    if isinstance(message, Message):
        message_space = message.space
    text = message.id if isinstance(message, Message) else validate.non_blank(message, "message")
    body: dict[str, Json] = {"message": text}
    if message_space is not None:
        body["message_space"] = validate.name(message_space, "message_space")
    query: dict[str, Json] = {} if scope.space is None else {"space": scope.space}
    if scope.space is None:
        body["all"] = True
    sending = Sending("POST", f"{PREFIX}/receipts/{segment(id)}/why", query, body, durable=True)
    return decode(Why, scope.connection.json(sending))  # type: ignore[no-any-return]


def _message(scope: Scope, path: str, id: str) -> Message:
    stored = scope.connection.json(Sending("GET", f"{path}/{segment(id)}", {"space": scope.space}))
    return decode(Message, stored)  # type: ignore[no-any-return]


class ReplyStream:
    """The pieces of an answer, as they arrive."""

    def __init__(self, connection: Connection, response: httpx2.Response, end: Callable[[], object]) -> None:
        self._connection = connection
        self._response = response
        self._events = events(response)
        self._end = end
        self._closed = threading.Event()
        self._pieces: list[str] = []
        self.completion: Completion | None = None
        self.cost: Cost | None = None
        self.stored = ""
        self.retries = 0
        self.keep: Callable[[], object] = lambda: None  # called when the server has stored a stopped answer

    def begin(self) -> dict[str, Json]:
        name, data = self._next()
        if name == "error":
            raise error_of(data, int(data.get("status", 500)), self._connection.address)
        return dict(data)

    def __iter__(self) -> ReplyStream:
        return self

    def __next__(self) -> str:
        if self._closed.is_set() or self.completion is not None:
            raise StopIteration
        name, data = self._next()
        if name == "text":
            self._pieces.append(data["text"])
            return str(data["text"])
        if name == "done":
            self.stored, usage = data["message"], data["usage"]
            self.cost = decode(Cost, data["cost"]) if data.get("cost") else None
            self.completion = Completion(
                "".join(self._pieces), usage["prompt_tokens"], usage["completion_tokens"], bool(data["cut"])
            )
            self._finish()
            raise StopIteration
        if name == "retrying":
            self.retries = int(data["retries"])
        if name == "stopped":
            self.stored = data["message"] or ""
            if self.stored:
                self.keep()
            self._finish()
            raise StopIteration
        if name == "error":
            self._finish()
            raise error_of(data, int(data.get("status", 500)), self._connection.address)
        return ""

    def _next(self) -> Event:
        try:
            event = next(self._events, None)
        except (httpx2.HTTPError, httpx2.StreamError, OSError) as error:
            if self._closed.is_set():
                raise StopIteration from None
            self._finish()
            if self._connection.closed:
                raise ClosedError("this Memory was closed before the answer ended") from error
            raise self._broken(type(error).__name__) from error
        if event is None and self._closed.is_set():
            raise StopIteration
        if event is None:
            self._finish()
            raise self._broken("it ended early")
        return event

    def _broken(self, reason: str) -> ProviderError:
        return ProviderError(
            f"{self._connection.address} broke off the answer ({reason}); what came of it is not stored", charged=True
        )

    def _finish(self) -> None:
        self._closed.set()
        self._end()

    def close(self) -> None:
        """Stops the answer, from any thread."""
        if not self._closed.is_set():
            self._closed.set()
            shut(self._response)


class RemoteCost(ReplyCost):
    """The cost of an answer as the server settled it; None if the answer was interrupted."""

    def __init__(self, stream: ReplyStream) -> None:
        self._stream = stream
        self.cost = None

    def settle(self, completion: Completion) -> None:  # noqa: ARG002 (the server has settled it)
        self.cost = self._stream.cost

    def settle_interrupted(self, text: str, error: str, *, charged: bool = True) -> None:
        """The server settles it when the connection ends."""


# Changes


class ChangeListener:
    """Calls subscribers after every write that the server announces. One thread per subscription, which connects again
    when the connection breaks."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._lock = threading.Lock()
        self._open: dict[Subscription, Listening] = {}

    def subscribe(self, wake: Callback, *, space: str | None = None) -> Subscription:
        """Calls `wake` after every write from now on: in all spaces, or in one."""
        query: dict[str, Json] = {"all": True} if space is None else {"space": space}
        subscription = Subscription(self._unsubscribe, wake)
        listening = Listening(self._connection, Sending("GET", f"{PREFIX}/events", query), wake)
        with self._lock:
            self._open[subscription] = listening
        try:
            listening.start()
        except BaseException:
            self._unsubscribe(subscription)
            raise
        return subscription

    def _unsubscribe(self, subscription: Subscription) -> None:
        with self._lock:
            listening = self._open.pop(subscription, None)
        if listening is not None:
            listening.stop()

    def close(self) -> None:
        """Ends all subscriptions, after a last call of each."""
        with self._lock:
            ended = list(self._open.values())
            self._open.clear()
        for listening in ended:
            listening.stop()
            listening.wake()


class Listening:
    """One stream of changes, in a thread."""

    def __init__(self, connection: Connection, sending: Sending, wake: Callback) -> None:
        self._connection = connection
        self._sending = sending
        self._wake = wake
        self._stopped = threading.Event()
        self._response: httpx2.Response | None = None

    def start(self) -> None:
        """Returns when the server has begun to announce. Raises its refusal."""
        opened = self._connection.stream(self._sending)
        response = opened.__enter__()
        self._response = response
        announced = events(response)
        next(announced, None)  # `ready`: from here on nothing is missed

        def run() -> None:
            try:
                self._listen(announced)
            finally:
                opened.__exit__(None, None, None)
            self._reconnect()

        threading.Thread(target=run, name="aforesaid-watch", daemon=True).start()

    def _listen(self, announced: Iterator[Event]) -> None:
        with suppress(httpx2.HTTPError, httpx2.StreamError, OSError, ValueError):
            for _ in announced:
                if self._stopped.is_set():
                    return
                self.wake()

    def _reconnect(self) -> None:
        while not self._stopped.wait(RECONNECT_SECONDS):
            try:
                with self._connection.stream(self._sending) as response:
                    self._response = response
                    self._listen(events(response))
            except AforesaidError as exc:
                extra = {"action": "watch_server_error", "error": log_text(exc)}
                log.warning("watching the server failed: %s", log_text(exc), extra=extra)

    def wake(self) -> None:
        try:
            self._wake()
        except Exception as exc:  # noqa: BLE001 (one subscriber must not end the stream)
            extra = {"action": "listener_failed", "error": log_text(exc)}
            log.warning("subscriber failed: %s", log_text(exc), extra=extra)

    def stop(self) -> None:
        self._stopped.set()
        if self._response is not None:
            shut(self._response)
