"""Language models by name: `provider:model`, or the address of a service and its model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol

from recollect.errors import InvalidInput
from recollect.ports import LanguageModel
from recollect.providers import address
from recollect.providers.address import Environment

if TYPE_CHECKING:
    from recollect.providers.exchange import Exchange

FORMS = "openai:MODEL, anthropic:MODEL, ollama:MODEL, http://HOST/v1#MODEL, https://HOST/v1#MODEL"
ANTHROPIC = "https://api.anthropic.com"
IN_THE_CLOUD = ("-cloud", ":cloud")  # Ollama passes these on to its own service


class ClosableModel(LanguageModel, Protocol):
    """A language model of ours."""

    def close(self) -> None:
        """Ends what is under way. Whoever asks later gets ClosedError."""


def language_model(name: str, *, environment: Environment) -> ClosableModel:
    """The language model of that name. Nobody is asked before its first use.

    `environment` supplies OPENAI_API_KEY, OPENAI_BASE_URL, ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL and OLLAMA_HOST. A
    key goes to its own provider's address only, never to a service named by its own address.
    """
    provider, _, model = name.partition(":")
    if not known(name):
        raise InvalidInput(f"no language model {name!r}; there are {FORMS}")
    return PROVIDERS[provider](name, model, environment)


def known(name: str) -> bool:
    """Whether a name has the form of a language model's; whether it can be had is another question."""
    provider, _, model = name.partition(":")
    return provider in PROVIDERS and bool(model)


def openai(name: str, model: str, environment: Environment) -> ClosableModel:
    from recollect.providers.openai import OPENAI, OpenAIModel

    key = address.key(environment, "OPENAI_API_KEY", name)
    base = address.base(environment, "OPENAI_BASE_URL", address.OPENAI)
    exchange = _exchange(name, base, "chat/completions", {"Authorization": f"Bearer {key}"})
    return OpenAIModel(name, model, exchange, local=address.loopback(base), dialect=OPENAI)


def anthropic(name: str, model: str, environment: Environment) -> ClosableModel:
    from recollect.providers.anthropic import VERSION, AnthropicModel

    key = address.key(environment, "ANTHROPIC_API_KEY", name)
    base = address.base(environment, "ANTHROPIC_BASE_URL", ANTHROPIC)
    exchange = _exchange(name, base, "v1/messages", {"x-api-key": key, "anthropic-version": VERSION})
    return AnthropicModel(name, model, exchange, local=address.loopback(base))


def ollama(name: str, model: str, environment: Environment) -> ClosableModel:
    base = address.ollama(environment)
    return _compatible(name, model, base, local=address.loopback(base) and not model.endswith(IN_THE_CLOUD))


def compatible(name: str, _: str, __: Environment) -> ClosableModel:
    base, model = address.named(name, "language model")
    return _compatible(name, model, base, local=address.loopback(base))


def _compatible(name: str, model: str, base: str, *, local: bool) -> ClosableModel:
    from recollect.providers.openai import Dialect, OpenAIModel

    return OpenAIModel(name, model, _exchange(name, base, "chat/completions", {}), local=local, dialect=Dialect())


def _exchange(name: str, base: str, path: str, headers: dict[str, str]) -> Exchange:
    from recollect.providers.exchange import PAUSE, Exchange
    from recollect.providers.post import Service
    from recollect.providers.wire import endpoint

    return Exchange(Service(name, endpoint(base, path), PAUSE), headers)


PROVIDERS: Mapping[str, Callable[[str, str, Environment], ClosableModel]] = {
    "openai": openai,
    "anthropic": anthropic,
    "ollama": ollama,
    "http": compatible,
    "https": compatible,
}
