"""Embedders by name: `provider:model`, or the address of a service and its model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from urllib.parse import SplitResult, urlsplit

from recollect.errors import InvalidInput
from recollect.ports import Embedder

DEFAULT = "wordllama:256"
FORMS = "wordllama:256 (or 128, 64), openai:MODEL, ollama:MODEL, http://HOST/v1#MODEL, https://HOST/v1#MODEL"
OPENAI = "https://api.openai.com/v1"
OLLAMA_PORT = 11434

Environment = Mapping[str, str]


def embedder(name: str, *, environment: Environment) -> Embedder:
    """The embedder of that name. Nothing is loaded and nobody is asked before its first use.

    `environment` supplies OPENAI_API_KEY, OPENAI_BASE_URL and OLLAMA_HOST. The key goes to OpenAI's
    address (or OPENAI_BASE_URL) only, never to a service named by its own address.
    """
    provider, _, model = name.partition(":")
    if provider not in PROVIDERS or not model:
        raise InvalidInput(f"no embedder {name!r}; there are {FORMS}")
    return PROVIDERS[provider](name, model, environment)


def wordllama(name: str, model: str, _: Environment) -> Embedder:
    from recollect.providers.wordllama import DIMENSIONS, WordLlama

    sizes = {str(dimension): dimension for dimension in DIMENSIONS}
    if model not in sizes:
        raise InvalidInput(f"no embedder {name!r}; wordllama comes as {', '.join(sizes)}")
    return WordLlama(sizes[model])


def openai(name: str, model: str, environment: Environment) -> Embedder:
    from recollect.providers.http import HttpEmbedder

    key = environment.get("OPENAI_API_KEY", "").strip()
    if not key:
        raise InvalidInput(f"{name} needs a key: set OPENAI_API_KEY")
    if not (key.isascii() and key.isprintable()):
        raise InvalidInput("OPENAI_API_KEY has characters that cannot be sent in a header")
    base = address(environment.get("OPENAI_BASE_URL", "").strip() or OPENAI, "OPENAI_BASE_URL")
    return HttpEmbedder(name, base.geturl(), model, key=key)


def ollama(name: str, model: str, environment: Environment) -> Embedder:
    from recollect.providers.http import HttpEmbedder

    host = environment.get("OLLAMA_HOST", "").strip() or "127.0.0.1"
    return HttpEmbedder(name, ollama_address(host) + "/v1", model)


def compatible(name: str, _: str, __: Environment) -> Embedder:
    from recollect.providers.http import HttpEmbedder

    url = address(name, "the embedder's address")
    if not url.fragment:
        raise InvalidInput("the embedder's address needs its model behind a '#': http://HOST/v1#MODEL")
    return HttpEmbedder(name, url._replace(fragment="").geturl(), url.fragment)


PROVIDERS: Mapping[str, Callable[[str, str, Environment], Embedder]] = {
    "wordllama": wordllama,
    "openai": openai,
    "ollama": ollama,
    "http": compatible,
    "https": compatible,
}


def ollama_address(host: str) -> str:
    """OLLAMA_HOST as Ollama itself reads it: the scheme, the host and the port may each be missing."""
    if "://" in host:
        return address(host, "OLLAMA_HOST").geturl().rstrip("/")
    url = address(f"http://127.0.0.1{host}" if host.startswith(":") else f"http://{host}", "OLLAMA_HOST")
    return url.geturl().rstrip("/") if url.port else f"http://{url.netloc}:{OLLAMA_PORT}"


def address(text: str, source: str) -> SplitResult:
    """The parts of an http address. A password or query in it is turned away: names are stored and shown."""
    try:
        url = urlsplit(text)
        usable = url.port != 0 and bool((url.hostname or "").encode("idna"))
    except ValueError as error:
        raise InvalidInput(f"{source} is not a usable http address") from error
    if not usable or url.scheme not in ("http", "https") or " " in url.netloc or not text.isprintable():
        raise InvalidInput(f"{source} is not a usable http address")
    if "@" in url.netloc or url.query:
        raise InvalidInput(f"{source} must hold no password and no query; a key belongs in OPENAI_API_KEY")
    return url
