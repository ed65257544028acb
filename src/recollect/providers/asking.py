"""What every language model of ours does, whatever its wire: it asks in the surest way that is understood."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from recollect.models import Json
from recollect.ports import Completion, Prompt
from recollect.providers.exchange import Exchange, Post
from recollect.providers.ladder import Ladder, Way


class WiredModel(ABC):
    """A model behind an exchange. A wire says how a question is written and how an answer is read. Safe to share by
    threads."""

    def __init__(self, name: str, exchange: Exchange, ways: Sequence[Way], *, local: bool) -> None:
        self.name = name
        self.local = local
        self._exchange = exchange
        self._ladder = Ladder(ways)

    def complete(self, prompt: Prompt) -> Completion:
        async def work(post: Post) -> Completion:
            async def ask(way: Way) -> Completion:
                return self._read(await post(self._question(prompt, way)))

            return await (ask("words") if prompt.schema is None else self._ladder.down(ask))

        return self._exchange.run(work)

    def close(self) -> None:
        """Ends what is under way, for good."""
        self._exchange.close()

    @abstractmethod
    def _question(self, prompt: Prompt, way: Way) -> dict[str, Json]: ...

    @abstractmethod
    def _read(self, answer: Json) -> Completion: ...
