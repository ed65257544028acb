"""Embedders by name: `provider:model`, or the URL of a service and its model."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from aforesaid import plugins
from aforesaid.errors import InvalidInput
from aforesaid.ports import Embedder
from aforesaid.providers import address
from aforesaid.providers.address import Environment

DEFAULT = "static:256"
RETIRED_PREFIX = "wordllama:"  # the embedder of the first stores
FORMS = "static:256 (or 128, 64), minilm, openai:MODEL, ollama:MODEL, http://HOST/v1#MODEL, https://HOST/v1#MODEL"


def embedder(name: str, *, environment: Environment) -> Embedder:
    """The embedder of that name. Nothing is loaded or called before its first use.

    `environment` supplies OPENAI_API_KEY, OPENAI_BASE_URL and OLLAMA_HOST. The key is sent to OpenAI's URL (or
    OPENAI_BASE_URL) only, never to a service that is named by its own URL.
    """
    provider, _, model = name.partition(":")
    if name == "minilm":
        return minilm()
    if provider not in PROVIDERS:
        return _registered(name, provider, model, environment)
    if not model:
        raise InvalidInput(f"no embedder {name!r}; there are {FORMS}")
    return PROVIDERS[provider](name, model, environment)


def _registered(name: str, provider: str, model: str, environment: Environment) -> Embedder:
    """The embedder of another package, which registers its provider in the group `aforesaid.embedders`."""
    make = plugins.find("embedders", provider)
    if make is None:
        others = "".join(f", {each}:MODEL" for each in plugins.names("embedders") if each not in (*PROVIDERS, "minilm"))
        raise InvalidInput(f"no embedder {name!r}; there are {FORMS}{others}")
    made: Embedder = plugins.make(make, "embedders", provider, name, model, environment)
    return made


def static(name: str, model: str, _: Environment) -> Embedder:
    from aforesaid.providers.static import DIMENSIONS, StaticEmbedder

    sizes = {str(dimension): dimension for dimension in DIMENSIONS}
    if model not in sizes:
        raise InvalidInput(f"no embedder {name!r}; static has {', '.join(sizes)}")
    return StaticEmbedder(sizes[model])


def minilm() -> Embedder:
    from aforesaid.providers.minilm import MiniLM

    return MiniLM()


def openai(name: str, model: str, environment: Environment) -> Embedder:
    key = address.key(environment, "OPENAI_API_KEY", name)
    return _http(name, address.base(environment, "OPENAI_BASE_URL", address.OPENAI), model, key)


def ollama(name: str, model: str, environment: Environment) -> Embedder:
    return _http(name, address.ollama(environment), model)


def compatible(name: str, _: str, __: Environment) -> Embedder:
    return _http(name, *address.named(name, "embedder"))


def _http(name: str, base: str, model: str, key: str = "") -> Embedder:
    from aforesaid.providers.http_embedder import HttpEmbedder

    return HttpEmbedder(name, base, model, key=key)


PROVIDERS: Mapping[str, Callable[[str, str, Environment], Embedder]] = {
    "static": static,
    "openai": openai,
    "ollama": ollama,
    "http": compatible,
    "https": compatible,
}
