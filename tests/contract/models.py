"""Language models behind a loopback HTTP server, with a configurable `local` flag and timeout."""

from __future__ import annotations

from tests.chat import ChatServer

from aforesaid.ports import Completion, Prompt
from aforesaid.providers.http_client import Service, endpoint
from aforesaid.providers.openai import OpenAIDialect, OpenAIModel
from aforesaid.providers.service_client import ServiceClient


class Reached:
    """A model behind a chat server that reports `local` and times out after `patience` seconds."""

    def __init__(self, server: ChatServer, *, local: bool, name: str = "far:large", patience: float = 10.0) -> None:
        self.name = name
        self.local = local
        service = Service(name, endpoint(f"{server.url}/v1", "chat/completions"), 0.0)
        self._model = OpenAIModel(
            name, "m", ServiceClient(service, {}, deadline=patience), local=local, dialect=OpenAIDialect()
        )

    def complete(self, prompt: Prompt) -> Completion:
        return self._model.complete(prompt)
