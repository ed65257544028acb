"""Turns what a request carries into a principal. One for every door that speaks HTTP."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import unquote

from recollect.access.principal import Principal, anybody, of_key
from recollect.access.refusal import KeyNeeded, Unclear
from recollect.memory import Memory

SPACE = "x-recollect-space"
CONVERSATION = "x-recollect-conversation"


class Gate:
    """`open` lets anybody in as long as the store has never had a key; for loopback only."""

    def __init__(self, memory: Memory, *, open: bool) -> None:
        self._memory = memory
        self._open = open

    def admit(self, headers: Mapping[str, str], address: str) -> Principal:
        secret = credential(headers)
        if secret is not None:
            key = self._memory.check_key(secret)
            if key is None:
                raise KeyNeeded("this key opens nothing here", {"WWW-Authenticate": "Bearer"})
            return of_key(key)
        if self.unlocked():
            return anybody(address)
        raise KeyNeeded("send a key as `Authorization: Bearer KEY`", {"WWW-Authenticate": "Bearer"})

    def unlocked(self) -> bool:
        """Whether anybody may come in."""
        return self._open and not self._memory.keys()


def credential(headers: Mapping[str, str]) -> str | None:
    """The key that a request carries: as a bearer, as OpenAI's clients send it, or as Anthropic's do."""
    scheme, _, rest = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and rest.strip():
        return rest.strip()
    return headers.get("x-api-key") or None


def said_space(headers: Mapping[str, str], query: str | None) -> str | None:
    """The space that a request names: in its query, or percent-encoded in a header."""
    header = headers.get(SPACE)
    named = None if header is None else unquote(header)
    if query is not None and named is not None and query != named:
        raise Unclear(f"?space= and {SPACE} name different spaces")
    return query if query is not None else named
