"""Language models by name: `provider:model`, or the URL of a service and its model. Each is created at its first
use."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol

from aforesaid.errors import InvalidInput, ProviderError
from aforesaid.ports import LanguageModel
from aforesaid.providers import address
from aforesaid.providers.address import Environment

if TYPE_CHECKING:
    from aforesaid.providers.service_client import ServiceClient

FORMS = "openai:MODEL, anthropic:MODEL, ollama:MODEL, http://HOST/v1#MODEL, https://HOST/v1#MODEL"
ANTHROPIC = "https://api.anthropic.com"
CLOUD_SUFFIXES = ("-cloud", ":cloud")  # Ollama forwards these models to its own service
NO_MODEL = "none"


class ClosableModel(LanguageModel, Protocol):
    """A language model that can be closed."""

    def close(self) -> None:
        """Ends all running calls. Later calls raise ClosedError."""


def language_model(name: str, *, environment: Environment) -> ClosableModel:
    """The language model of that name. Nothing is called before its first use.

    `environment` supplies OPENAI_API_KEY, OPENAI_BASE_URL, ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL and OLLAMA_HOST. A
    key is sent to its own provider's URL only, never to a service that is named by its own URL.
    """
    provider, _, model = name.partition(":")
    if not is_model_name(name):
        raise InvalidInput(f"no language model {name!r}; there are {FORMS}")
    return PROVIDERS[provider](name, model, environment)


def is_model_name(name: str) -> bool:
    """Returns True if a name has the form of a language model's name, also if the model does not exist."""
    provider, _, model = name.partition(":")
    return provider in PROVIDERS and bool(model)


def openai(name: str, model: str, environment: Environment) -> ClosableModel:
    from aforesaid.providers.openai import OPENAI_DIALECT, OpenAIModel

    key = address.key(environment, "OPENAI_API_KEY", name)
    base = address.base(environment, "OPENAI_BASE_URL", address.OPENAI)
    client = _client(name, base, "chat/completions", {"Authorization": f"Bearer {key}"})
    return OpenAIModel(name, model, client, local=address.loopback(base), dialect=OPENAI_DIALECT)


def anthropic(name: str, model: str, environment: Environment) -> ClosableModel:
    from aforesaid.providers.anthropic import VERSION, AnthropicModel

    key = address.key(environment, "ANTHROPIC_API_KEY", name)
    base = address.base(environment, "ANTHROPIC_BASE_URL", ANTHROPIC)
    client = _client(name, base, "v1/messages", {"x-api-key": key, "anthropic-version": VERSION})
    return AnthropicModel(name, model, client, local=address.loopback(base))


def ollama(name: str, model: str, environment: Environment) -> ClosableModel:
    base = address.ollama(environment)
    return _compatible(name, model, base, local=address.loopback(base) and not model.endswith(CLOUD_SUFFIXES))


def compatible(name: str, _: str, __: Environment) -> ClosableModel:
    base, model = address.named(name, "language model")
    return _compatible(name, model, base, local=address.loopback(base))


def _compatible(name: str, model: str, base: str, *, local: bool) -> ClosableModel:
    from aforesaid.providers.openai import OpenAIDialect, OpenAIModel

    client = _client(name, base, "chat/completions", {}, local=local)
    return OpenAIModel(name, model, client, local=local, dialect=OpenAIDialect())


def _client(name: str, base: str, path: str, headers: dict[str, str], *, local: bool = False) -> ServiceClient:
    from aforesaid.providers.http_client import Service, endpoint
    from aforesaid.providers.service_client import DEADLINE_SECONDS, FIRST_PAUSE, LOCAL_SECONDS, ServiceClient

    deadline = LOCAL_SECONDS if local else DEADLINE_SECONDS
    return ServiceClient(Service(name, endpoint(base, path), FIRST_PAUSE), headers, deadline=deadline)


PROVIDERS: Mapping[str, Callable[[str, str, Environment], ClosableModel]] = {
    "openai": openai,
    "anthropic": anthropic,
    "ollama": ollama,
    "http": compatible,
    "https": compatible,
}


class ModelRegistry:
    """Language models by name. `default` is the name of the default model. The caller closes a model of their own."""

    def __init__(self, environment: Environment, default: str | LanguageModel | None) -> None:
        self._environment = environment
        self._lock = threading.Lock()
        self._models: dict[str, ClosableModel] = {}
        self._own: LanguageModel | None = None
        self._closed = False
        self.default: str | None = None
        if isinstance(default, str):
            name = default.strip()
            self.default = None if name in ("", NO_MODEL) else self._named(name).name
        elif default is not None:
            self._own, self.default = default, default.name

    def find(self, name: str) -> LanguageModel:
        """The model of that name. Raises ProviderError if this process cannot have it."""
        try:
            return self._named(name)
        except InvalidInput as exc:
            raise ProviderError(f"the language model is not available: {exc}") from exc

    def local(self, name: str) -> bool:
        """Returns True if this process has a model of that name that runs on this machine."""
        try:
            return self._named(name).local
        except InvalidInput:
            return False

    def known(self, name: str) -> bool:
        """Returns True if the name has the form of a model that this process can have."""
        return is_model_name(name) or (self._own is not None and name == self._own.name)

    def close(self) -> None:
        """Ends all running calls. Later calls raise ClosedError."""
        with self._lock:
            self._closed = True
            models = list(self._models.values())
        for model in models:
            model.close()

    def _named(self, name: str) -> LanguageModel:
        if self._own is not None and name == self._own.name:
            return self._own
        with self._lock:
            if name not in self._models:
                self._models[name] = language_model(name, environment=self._environment)
                if self._closed:
                    self._models[name].close()
            return self._models[name]
