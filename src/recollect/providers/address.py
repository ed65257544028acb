"""Where services are, and the keys they are given."""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

from recollect.errors import InvalidInput

OPENAI = "https://api.openai.com/v1"
OLLAMA_PORT = 11434

Environment = Mapping[str, str]


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
        raise InvalidInput(
            f"{source} must hold no password and no query; a key belongs in a variable such as OPENAI_API_KEY"
        )
    return url


def base(environment: Environment, variable: str, default: str) -> str:
    """The address that a variable gives a provider, or the provider's own."""
    return address(environment.get(variable, "").strip() or default, variable).geturl()


def ollama(environment: Environment) -> str:
    """Where Ollama answers in OpenAI's shape."""
    return ollama_address(environment.get("OLLAMA_HOST", "").strip() or "127.0.0.1") + "/v1"


def ollama_address(host: str) -> str:
    """OLLAMA_HOST as Ollama itself reads it: the scheme, the host and the port may each be missing."""
    if "://" in host:
        return address(host, "OLLAMA_HOST").geturl().rstrip("/")
    url = address(f"http://127.0.0.1{host}" if host.startswith(":") else f"http://{host}", "OLLAMA_HOST")
    return url.geturl().rstrip("/") if url.port else f"http://{url.netloc}:{OLLAMA_PORT}"


def named(name: str, what: str) -> tuple[str, str]:
    """The address and the model of a name like `http://HOST/v1#MODEL`."""
    url = address(name, f"the {what}'s address")
    if not url.fragment:
        raise InvalidInput(f"the {what}'s address needs its model behind a '#': http://HOST/v1#MODEL")
    return url._replace(fragment="").geturl(), url.fragment


def key(environment: Environment, variable: str, name: str) -> str:
    """The key that a variable holds. No error repeats it."""
    found = environment.get(variable, "").strip()
    if not found:
        raise InvalidInput(f"{name} needs a key: set {variable}")
    if not (found.isascii() and found.isprintable()):
        raise InvalidInput(f"{variable} has characters that cannot be sent in a header")
    return found


def loopback(base: str) -> bool:
    """Whether what is sent there stays on this machine."""
    host = (urlsplit(base).hostname or "").rstrip(".").lower()
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
