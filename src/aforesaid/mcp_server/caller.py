"""The caller of the MCP server, and the space that they mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from aforesaid.access.authentication import DEFAULT_SPACE, Principal
from aforesaid.access.problems import AmbiguousSpace, Forbidden
from aforesaid.models.key import KeyAccess

if TYPE_CHECKING:
    from aforesaid.space import Space

CALLER_SCOPE_KEY = "aforesaid.caller"  # the caller's key in the ASGI scope


class HasSpaces(Protocol):
    """A Memory, or one that is not open yet."""

    def space(self, name: str) -> Space: ...


@dataclass(frozen=True, slots=True)
class McpCaller:
    """A connection to a store. `default` is the space that the connection names for all its requests, if any."""

    memory: HasSpaces
    principal: Principal
    default: str | None = None

    @property
    def actor(self) -> str:
        """The caller's name in the audit."""
        return f"mcp:{self.principal.id}"

    def may(self, access: KeyAccess) -> bool:
        return self.principal.may(access)

    def space(self, name: str | None, access: KeyAccess) -> Space:
        """Returns the space after the access check. Raises Forbidden or AmbiguousSpace; never returns another space."""
        if not self.may(access):
            raise Forbidden(f"this connection has {self.principal.access} access; this needs {access} access")
        requested = self.default if name is None else name
        if requested is None and len(self.principal.spaces or ()) > 1:
            raise AmbiguousSpace(f"pass `space`, one of: {', '.join(map(repr, self.principal.spaces or ()))}")
        if requested is not None and not self.principal.opens(requested):
            raise Forbidden("this connection does not open that space; omit `space`")
        return self.memory.space(self.principal.space(requested))

    def names_spaces(self) -> bool:
        """Returns True if a request of this caller may have to name its space."""
        return self.default is None and (self.principal.spaces is None or len(self.principal.spaces) > 1)

    def spaces(self) -> Sequence[str]:
        """Returns the spaces to list if a request names none."""
        if self.default is not None:
            return (self.principal.space(self.default),)
        return (DEFAULT_SPACE,) if self.principal.spaces is None else self.principal.spaces


def local_caller(memory: HasSpaces, space: str, *, read_only: bool) -> McpCaller:
    """The user who started the server on this machine. Opens one space only."""
    return McpCaller(memory, Principal("local", "read" if read_only else "admin", (space,)))
