"""Base URLs and API keys of the providers."""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

from aforesaid.errors import InvalidInput

OPENAI = "https://api.openai.com/v1"
OLLAMA_PORT = 11434

Environment = Mapping[str, str]


def address(text: str, source: str) -> SplitResult:
    """The parts of an http URL. Raises InvalidInput for a password or a query, because names are stored and shown."""
    try:
        url = urlsplit(text)
        usable = url.port != 0 and bool((url.hostname or "").encode("idna"))
    except ValueError as error:
        raise InvalidInput(f"{source} is not a usable http address") from error
    if not usable or url.scheme not in ("http", "https") or " " in url.netloc or not text.isprintable():
        raise InvalidInput(f"{source} is not a usable http address")
    if "@" in url.netloc or url.query:
        raise InvalidInput(
            f"{source} must not contain a password or a query; set a key in a variable such as OPENAI_API_KEY"
        )
    return url


def base(environment: Environment, variable: str, default: str) -> str:
    """The base URL from a variable, or the provider's default."""
    return address(environment.get(variable, "").strip() or default, variable).geturl()


def ollama(environment: Environment) -> str:
    """The URL of Ollama's OpenAI-compatible API."""
    return ollama_address(environment.get("OLLAMA_HOST", "").strip() or "127.0.0.1") + "/v1"


def ollama_address(host: str) -> str:
    """The URL for OLLAMA_HOST, read as Ollama does: scheme, host and port are each optional."""
    if "://" in host:
        return address(host, "OLLAMA_HOST").geturl().rstrip("/")
    url = address(f"http://127.0.0.1{host}" if host.startswith(":") else f"http://{host}", "OLLAMA_HOST")
    return url.geturl().rstrip("/") if url.port else f"http://{url.netloc}:{OLLAMA_PORT}"


def named(name: str, what: str) -> tuple[str, str]:
    """The base URL and the model of a name like `http://HOST/v1#MODEL`."""
    url = address(name, f"the {what}'s address")
    if not url.fragment:
        raise InvalidInput(f"the {what}'s address needs its model after a '#': http://HOST/v1#MODEL")
    return url._replace(fragment="").geturl(), url.fragment


def key(environment: Environment, variable: str, name: str) -> str:
    """The key in a variable. No error repeats it."""
    value = environment.get(variable, "").strip()
    if not value:
        raise InvalidInput(f"{name} needs a key: set {variable}")
    if not (value.isascii() and value.isprintable()):
        raise InvalidInput(f"{variable} has characters that cannot be sent in a header")
    return value


def loopback(base: str) -> bool:
    """Returns True if the URL is on this machine."""
    host = (urlsplit(base).hostname or "").rstrip(".").lower()
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
