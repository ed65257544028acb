"""The base class of language models over HTTP: complete answers and streamed answers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from queue import SimpleQueue

import httpx2

from aforesaid.errors import ClosedError, ProviderError, ProviderRefused
from aforesaid.models.json import Json
from aforesaid.ports import ChatPrompt, Completion, Prompt
from aforesaid.providers.http_client import read_chunks, read_json
from aforesaid.providers.json_modes import ModeFallback, RequestMode
from aforesaid.providers.service_client import BackgroundCall, ServiceClient, ServiceConnection
from aforesaid.replies.json_path import get_text
from aforesaid.replies.parser import ApiFormat, ReplyParser, parse_body
from aforesaid.replies.reply import ModelReply

EVENTS = "text/event-stream"
LARGEST_STREAM = 64_000_000  # bytes; each token comes with some hundred bytes around it
TRANSIENT_KINDS = ("overloaded", "rate_limit", "timeout", "server", "api_error", "unavailable")  # kinds of failures

ChunkCallback = Callable[[str], None]


class HTTPLanguageModel(ABC):
    """A language model behind a service client. A subclass writes the requests of one API. Safe for several threads."""

    api_format: ApiFormat
    declined: str  # the finish reason of a refused answer
    cut: str  # the finish reason of an answer that reached its token limit

    def __init__(self, name: str, client: ServiceClient, modes: Sequence[RequestMode], *, local: bool) -> None:
        self.name = name
        self.local = local
        self._client = client
        self._json_modes = ModeFallback(modes)
        self._stream_modes = ModeFallback(("counted", "uncounted"))

    def complete(self, prompt: Prompt) -> Completion:
        """A streamed request ends when nothing arrives for a while, any other at its deadline."""

        async def work(connection: ServiceConnection) -> Completion:
            async def ask(mode: RequestMode) -> Completion:
                request = self._completion_request(prompt, mode)
                if request.get("stream"):
                    return await connection.post(request, partial(self._read_stream, connection, lambda _: None))
                return self._read(await connection.post(request, partial(read_json, self.name)))

            return await (ask("words") if prompt.schema is None else self._json_modes.try_modes(ask))

        return self._client.run(work)

    def stream(self, talk: ChatPrompt, max_tokens: int) -> HTTPModelStream:
        """Streams an answer. A busy or unreachable service is called again until the answer begins."""

        def begin(emit: ChunkCallback, retrying: Callable[[], object]) -> BackgroundCall[Completion]:
            async def work(connection: ServiceConnection) -> Completion:
                async def ask(mode: RequestMode) -> Completion:
                    request = self._chat_request(talk, max_tokens, mode) | {"stream": True}
                    return await connection.post(request, partial(self._read_stream, connection, emit), retrying)

                return await self._stream_modes.try_modes(ask)

            return self._client.begin(work)

        return HTTPModelStream(begin, self._client.outcome)

    def close(self) -> None:
        """Ends all running calls, and allows no more."""
        self._client.close()

    async def _read_stream(
        self, connection: ServiceConnection, emit: ChunkCallback, response: httpx2.Response
    ) -> Completion:
        if not response.headers.get("Content-Type", "").lower().startswith(EVENTS):  # the service does not stream
            completion = self._read(await read_json(self.name, response))
            emit(completion.text)
            return completion
        connection.extend_deadline()
        parser = ReplyParser(self.api_format)
        async for chunk in read_chunks(self.name, response, LARGEST_STREAM):
            connection.extend_deadline()
            if text := parser.feed(chunk):
                emit(text)
            if parser.over:
                break
        return self._completion(parser.end())

    def _read(self, body: Json) -> Completion:
        if get_text(body, "choices", 0, "message", "refusal"):
            raise ProviderRefused(f"{self.name} declined to answer", charged=True)
        return self._completion(parse_body(self.api_format, body))

    def _completion(self, reply: ModelReply) -> Completion:
        if reply.failure is not None:
            transient = any(kind in reply.failure for kind in TRANSIENT_KINDS)
            raise (ProviderError if transient else ProviderRefused)(f"{self.name} failed in its answer", charged=True)
        if reply.finish == self.declined:
            raise ProviderRefused(f"{self.name} declined to answer", charged=True)
        if not reply.ended:
            raise ProviderError(f"{self.name} broke off its answer", charged=True)
        answers = [get_text(call, "function", "arguments") for call in reply.tool_calls]  # from the mode `tool`
        text = "".join([reply.text, *answers])
        return Completion(text, reply.prompt_tokens, reply.completion_tokens, cut=reply.finish == self.cut)

    @abstractmethod
    def _completion_request(self, prompt: Prompt, mode: RequestMode) -> dict[str, Json]: ...

    @abstractmethod
    def _chat_request(self, talk: ChatPrompt, max_tokens: int, mode: RequestMode) -> dict[str, Json]: ...


class RetryCount:
    def __init__(self) -> None:
        self.count = 0

    def add(self) -> None:
        self.count += 1


class HTTPModelStream:
    """A streamed answer that begins immediately. `begin` starts the call with a callback for each piece and one for
    each retry; `outcome` waits for its end."""

    def __init__(
        self,
        begin: Callable[[ChunkCallback, Callable[[], object]], BackgroundCall[Completion]],
        outcome: Callable[[BackgroundCall[Completion]], Completion],
    ) -> None:
        self._pieces: SimpleQueue[str | None] = SimpleQueue()
        self._outcome = outcome
        self._stopped = self._over = False
        self.completion: Completion | None = None
        self._retries = RetryCount()  # the call must not keep this stream alive
        self._call = begin(self._pieces.put, self._retries.add)
        self._call.add_done_callback(partial(self._pieces.put, None))

    @property
    def retries(self) -> int:
        return self._retries.count

    def __iter__(self) -> HTTPModelStream:
        return self

    def __next__(self) -> str:
        if not (self._stopped or self._over):
            piece = self._pieces.get()
            if piece is not None and not self._stopped:
                return piece
            self._end()
        raise StopIteration

    def close(self) -> None:
        self._stopped = not self._over
        self._call.cancel()

    def __del__(self) -> None:
        if hasattr(self, "_call"):
            self._call.cancel()

    def _end(self) -> None:
        self._over = True
        try:
            self.completion = self._outcome(self._call)
        except ClosedError:
            if not self._stopped:
                raise
