"""Who asks, and how far they may go."""

from __future__ import annotations

from dataclasses import dataclass

from recollect.access.refusal import NotAllowed, Unclear
from recollect.models import KEY_ACCESS, Key, KeyAccess

DEFAULT = "default"  # the space of whoever does not say


@dataclass(frozen=True, slots=True)
class Principal:
    """Who a request comes from. `spaces` are those that are open to them; None: all. `id` counts their requests,
    `name` stands in the audit."""

    id: str
    access: KeyAccess
    spaces: tuple[str, ...] | None
    name: str | None = None

    def may(self, access: KeyAccess) -> bool:
        return KEY_ACCESS.index(self.access) >= KEY_ACCESS.index(access)

    def need(self, access: KeyAccess) -> None:
        if not self.may(access):
            raise NotAllowed(f"this key may {self.access}; {access} is needed here")

    def need_all(self) -> None:
        """For what concerns the whole store."""
        self.need("admin")
        if self.spaces is not None:
            raise NotAllowed("this key opens some spaces; a key to all of them is needed here")

    def actor(self, said: str | None) -> str | None:
        """Who did something, as the audit names them: themselves, or whom an admin says."""
        if said is None or said == self.name:
            return self.name
        if not self.may("admin"):
            raise NotAllowed("only an admin key may act in another's name")
        return said

    def opens(self, space: str) -> bool:
        return self.spaces is None or space in self.spaces

    def space(self, said: str | None) -> str:
        """The space that is meant: what was said, the only one there is, or the default."""
        if said is None:
            if self.spaces is None:
                return DEFAULT
            if len(self.spaces) > 1:
                raise Unclear("this key opens several spaces; say which with ?space= or X-Recollect-Space")
            return self.spaces[0]
        if not self.opens(said):
            raise NotAllowed("this key does not open that space")
        return said


def of_key(key: Key) -> Principal:
    return Principal(key.id, key.access, key.spaces, key.name)


def anybody(address: str) -> Principal:
    """Whoever is on this machine, as long as nobody has made a key."""
    return Principal(address, "admin", None)
