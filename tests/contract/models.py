"""Language models over real HTTP, on the loopback interface, that may count as far away or be impatient."""

from __future__ import annotations

from tests.chat import ChatServer

from recollect.ports import Completion, Prompt
from recollect.providers.exchange import Exchange
from recollect.providers.openai import Dialect, OpenAIModel
from recollect.providers.post import Service
from recollect.providers.wire import endpoint


class Reached:
    """A model behind a chat server. `local` is what it says of itself; it gives up after `patience` seconds."""

    def __init__(self, server: ChatServer, *, local: bool, name: str = "far:large", patience: float = 10.0) -> None:
        self.name = name
        self.local = local
        service = Service(name, endpoint(f"{server.url}/v1", "chat/completions"), 0.0)
        self._model = OpenAIModel(name, "m", Exchange(service, {}, deadline=patience), local=local, dialect=Dialect())

    def complete(self, prompt: Prompt) -> Completion:
        return self._model.complete(prompt)
