"""How the proxy is set up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from urllib.parse import urlsplit

from recollect.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Upstream:
    """Whom the proxy asks. `key` goes in place of what the caller sent; `tokens` is what memory may add to a request.

    `windows` are the tokens that models take, by name or pattern: a history that is longer is shortened.
    `timeout` is how long nothing may come, `patience` how long the memory may take, both in seconds.
    """

    url: str
    key: str | None = field(default=None, repr=False)
    tokens: int = 2000
    windows: Mapping[str, int] = field(default_factory=dict)
    timeout: float = 600.0
    patience: float = 5.0

    def window(self, model: str) -> int | None:
        """The tokens that a model takes: by its name, or by the first pattern that it matches."""
        if model in self.windows:
            return self.windows[model]
        return next((size for pattern, size in self.windows.items() if fnmatchcase(model, pattern)), None)


def base(url: str) -> str:
    """Where the paths begin: an address without a path has its API at /v1, as OpenAI's and Anthropic's have."""
    try:
        parts = urlsplit(url)
        known = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        known = False
    if not known or parts.query or parts.fragment:
        raise InvalidInput(f"{url!r} is no upstream; give an address such as https://api.openai.com/v1")
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/') or '/v1'}"


def windows(given: Iterable[str]) -> dict[str, int]:
    """From `MODEL=TOKENS`; MODEL may have `*` in it."""
    found: dict[str, int] = {}
    for one in given:
        name, _, size = one.rpartition("=")
        if not name or not size.isdecimal() or not 0 < int(size) < 1 << 40:
            raise InvalidInput(f"{one!r} is no window; write it as MODEL=TOKENS, for example gpt-5*=400000")
        found[name] = int(size)
    return found
