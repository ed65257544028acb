"""The addresses of what can be read: `recollect://facts/ID?space=ann`."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from recollect.errors import InvalidInput

SCHEME = "recollect"
ASKED = ("space", "before", "after")  # what may stand behind the question mark


@dataclass(frozen=True, slots=True)
class Address:
    """A kind of thing, and which one: `name` is None for a list of them. `before` and `after` name another page."""

    noun: str
    name: str | None = None
    space: str | None = None
    before: str | None = None
    after: str | None = None

    def __str__(self) -> str:
        name = "" if self.name is None else f"/{quote(self.name, safe='')}"
        asked = [(word, value) for word in ASKED if (value := getattr(self, word)) is not None]
        return f"{SCHEME}://{self.noun}{name}" + (f"?{urlencode(asked, quote_via=quote)}" if asked else "")


def parse(uri: str) -> Address:
    """Takes an address apart. InvalidInput for one that is none of ours."""
    try:
        parts = urlsplit(uri)
        asked = parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query), errors="strict")
        name = unquote(parts.path.removeprefix("/"), errors="strict")
    except ValueError as exc:
        raise InvalidInput(f"the address {uri[:200]!r} cannot be read") from exc
    words = [word for word, _ in asked]
    if parts.scheme != SCHEME or parts.fragment or set(words) - set(ASKED) or len(set(words)) < len(words):
        raise InvalidInput(f"there is nothing at {uri[:200]!r}; resources are listed, and so are their templates")
    return Address(parts.netloc, name or None, **dict(asked))
