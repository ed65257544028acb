"""Who speaks to the server, and which space they mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from recollect.access.principal import DEFAULT, Principal
from recollect.access.refusal import NotAllowed, Unclear
from recollect.memory import Memory
from recollect.models import KeyAccess
from recollect.space import Space

CALLER = "recollect.caller"  # where the scope of an HTTP request has who sent it


@dataclass(frozen=True, slots=True)
class Caller:
    """A connection to a store. `said` is the space that it named for all that it asks; None: none."""

    memory: Memory
    principal: Principal
    said: str | None = None

    @property
    def actor(self) -> str:
        """The name under which an audit has what this caller read."""
        return f"mcp:{self.principal.id}"

    def may(self, access: KeyAccess) -> bool:
        return self.principal.may(access)

    def space(self, said: str | None, access: KeyAccess) -> Space:
        """The space that is meant, once it is clear that the caller may have it. Never another one."""
        if not self.may(access):
            raise NotAllowed(f"this connection may {self.principal.access}; {access} access is needed for that")
        named = self.said if said is None else said
        if named is None and len(self.principal.spaces or ()) > 1:
            raise Unclear(f"pass `space`, one of: {', '.join(map(repr, self.principal.spaces or ()))}")
        if named is not None and not self.principal.opens(named):
            raise NotAllowed("this connection does not open that space; leave `space` out")
        return self.memory.space(self.principal.space(named))

    def spaces(self) -> Sequence[str]:
        """The spaces to show to somebody who has not said which they mean."""
        if self.said is not None:
            return (self.principal.space(self.said),)
        return (DEFAULT,) if self.principal.spaces is None else self.principal.spaces


def local(memory: Memory, space: str, *, read_only: bool) -> Caller:
    """Whoever started the server on their own machine, for one space and no other."""
    return Caller(memory, Principal("local", "read" if read_only else "admin", (space,)))
