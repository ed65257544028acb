"""Authentication: turns request headers into a `Principal` with an access level and a set of spaces.

A principal never reaches a space that its key does not open. Only an admin may name a model by its URL.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import unquote

from aforesaid.access.problems import AmbiguousSpace, Forbidden, Unauthenticated
from aforesaid.models.key import KEY_ACCESS, KeyAccess

if TYPE_CHECKING:
    from aforesaid.memory import Memory

DEFAULT_SPACE = "default"
SPACE_HEADER = "x-aforesaid-space"
CONVERSATION_HEADER = "x-aforesaid-conversation"
URL_SCHEMES = ("http:", "https:")
CHALLENGE = {"WWW-Authenticate": "Bearer"}


@dataclass(frozen=True, slots=True)
class Principal:
    """The sender of a request. `spaces` are the spaces that it may use; None means all. Limits count requests by `id`;
    the audit records `name`."""

    id: str
    access: KeyAccess
    spaces: tuple[str, ...] | None
    name: str | None = None

    def may(self, access: KeyAccess) -> bool:
        return KEY_ACCESS.index(self.access) >= KEY_ACCESS.index(access)

    def need(self, access: KeyAccess) -> None:
        if not self.may(access):
            raise Forbidden(f"this key has {self.access} access; this needs {access} access")

    def need_all(self) -> None:
        """Raises Forbidden unless this is an admin of the whole store."""
        self.need("admin")
        if self.spaces is not None:
            raise Forbidden("this key opens only some spaces; this needs a key to all spaces")

    def actor(self, name: str | None) -> str | None:
        """Returns the name for the audit: the principal's own, or any name that an admin gives."""
        if name is None or name == self.name:
            return self.name
        if not self.may("admin"):
            raise Forbidden("only an admin key may act under another name")
        return name

    def opens(self, space: str) -> bool:
        return self.spaces is None or space in self.spaces

    def space(self, name: str | None) -> str:
        """Returns the named space, the key's only space, or the default space, in this order."""
        if name is None:
            if self.spaces is None:
                return DEFAULT_SPACE
            if len(self.spaces) > 1:
                raise AmbiguousSpace("this key opens several spaces; name one with ?space= or X-Aforesaid-Space")
            return self.spaces[0]
        if not self.opens(name):
            raise Forbidden("this key does not open that space")
        return name


def anonymous(address: str) -> Principal:
    """Anyone on this machine, while the store has no key."""
    return Principal(address, "admin", None)


def check_model_address(principal: Principal, *models: str | None) -> None:
    """Raises Forbidden if a model is named by its URL and the principal is no admin: the server would call that URL.
    A provider's name only reaches the addresses that the server's environment configures."""
    by_url = any(model is not None and model.strip().lower().startswith(URL_SCHEMES) for model in models)
    if by_url and not principal.may("admin"):
        raise Forbidden("naming a model by its address needs an admin key; name it by its provider")


class Authenticator:
    """`open` accepts requests without a key while the store has never had one. For loopback only. `count_failure` gets
    the address of each wrong key, and raises TooManyRequests after too many. A right key is always accepted."""

    def __init__(self, memory: Memory, *, open: bool, count_failure: Callable[[str], None]) -> None:
        self._memory = memory
        self._open = open
        self._count_failure = count_failure

    def admit(self, headers: Mapping[str, str], address: str) -> Principal:
        """Raises Unauthenticated if the request has no valid key and needs one."""
        secret = credential(headers)
        if secret is not None:
            key = self._memory.check_key(secret)
            if key is None:
                self._count_failure(address)
                raise Unauthenticated("this key is unknown or revoked", CHALLENGE)
            return Principal(key.id, key.access, key.spaces, key.name)
        if self.unlocked():
            return anonymous(address)
        raise Unauthenticated("send a key as `Authorization: Bearer KEY`", CHALLENGE)

    def unlocked(self) -> bool:
        """Returns True if requests need no key."""
        return self._open and not self._memory.keys()


def credential(headers: Mapping[str, str]) -> str | None:
    """Returns the key of a request: a bearer token as OpenAI's clients send it, or X-Api-Key as Anthropic's do."""
    scheme, _, rest = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and rest.strip():
        return rest.strip()
    return headers.get("x-api-key") or None


def requested_space(headers: Mapping[str, str], query: str | None) -> str | None:
    """Returns the space that a request names: in its query, or percent-encoded in a header."""
    header = headers.get(SPACE_HEADER)
    name = None if header is None else unquote(header)
    if query is not None and name is not None and query != name:
        raise AmbiguousSpace(f"?space= and {SPACE_HEADER} name different spaces")
    return query if query is not None else name
