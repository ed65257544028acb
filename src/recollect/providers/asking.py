"""What every language model of ours does, whatever its wire: it asks in the surest way that is understood."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import partial

import httpx2

from recollect.errors import ProviderError, ProviderRefused
from recollect.models import Json
from recollect.ports import Completion, Prompt, Talk
from recollect.providers.call import Call
from recollect.providers.exchange import Exchange, Line
from recollect.providers.ladder import Ladder, Way
from recollect.providers.post import pieces, whole
from recollect.providers.speech import Tell, WiredSpeech
from recollect.replies.listen import Listening, Wire
from recollect.replies.reply import Reply

EVENTS = "text/event-stream"
LARGEST_STREAM = 64_000_000  # bytes; each token comes with some hundred bytes around it
PASSING = ("overloaded", "rate_limit", "timeout", "server", "api_error", "unavailable")  # kinds of failure that pass


class WiredModel(ABC):
    """A model behind an exchange. A wire says how a question is written and how an answer is read. Safe to share by
    threads."""

    wire: Wire
    declined: str  # why an answer ended that was refused …
    cut: str  # … or that had no more room

    def __init__(self, name: str, exchange: Exchange, ways: Sequence[Way], *, local: bool) -> None:
        self.name = name
        self.local = local
        self._exchange = exchange
        self._ladder = Ladder(ways)
        self._streams = Ladder(("counted", "uncounted"))

    def complete(self, prompt: Prompt) -> Completion:
        async def work(line: Line) -> Completion:
            async def ask(way: Way) -> Completion:
                return self._read(await line.post(self._question(prompt, way), partial(whole, self.name)))

            return await (ask("words") if prompt.schema is None else self._ladder.down(ask))

        return self._exchange.run(work)

    def speak(self, talk: Talk, max_tokens: int) -> WiredSpeech:
        """An answer as it comes. A service that is busy or away is asked again until it begins; then no more."""

        def begin(tell: Tell) -> Call[Completion]:
            async def work(line: Line) -> Completion:
                async def ask(way: Way) -> Completion:
                    request = self._request(talk, max_tokens, way) | {"stream": True}
                    return await line.post(request, partial(self._hear, line, tell))

                return await self._streams.down(ask)

            return self._exchange.begin(work)

        return WiredSpeech(begin, self._exchange.outcome)

    def close(self) -> None:
        """Ends what is under way, for good."""
        self._exchange.close()

    async def _hear(self, line: Line, tell: Tell, response: httpx2.Response) -> Completion:
        line.heard()
        if not response.headers.get("Content-Type", "").lower().startswith(EVENTS):  # it does not stream
            said = self._read(await whole(self.name, response))
            tell(said.text)
            return said
        listening = Listening(self.wire)
        async for piece in pieces(self.name, response, LARGEST_STREAM):
            line.heard()
            words = listening.feed(piece)
            if words:
                tell(words)
            if listening.over:
                break
        return self._heard(listening.end())

    def _heard(self, reply: Reply) -> Completion:
        if reply.failure is not None:
            passing = any(kind in reply.failure for kind in PASSING)
            raise (ProviderError if passing else ProviderRefused)(f"{self.name} failed in its answer", charged=True)
        if reply.finish == self.declined:
            raise ProviderRefused(f"{self.name} declined to answer", charged=True)
        if not reply.ended:
            raise ProviderError(f"{self.name} broke off its answer", charged=True)
        return Completion(reply.text, reply.prompt_tokens, reply.completion_tokens, cut=reply.finish == self.cut)

    @abstractmethod
    def _question(self, prompt: Prompt, way: Way) -> dict[str, Json]: ...

    @abstractmethod
    def _request(self, talk: Talk, max_tokens: int, way: Way) -> dict[str, Json]: ...

    @abstractmethod
    def _read(self, answer: Json) -> Completion: ...
