"""API keys: shown once, kept as digests, checked in constant time.

A key is 256 random bits, so a plain SHA-256 of it cannot be guessed back; what it is found by is not secret.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from dataclasses import replace

from recollect.errors import InvalidInput, NotFound
from recollect.ids import Ids
from recollect.models import KEY_ACCESS, Key, KeyAccess, NewKey
from recollect.ports import Clock, Keys
from recollect.text import accept
from recollect.text.given import one, several

MARK = "rk"  # what a key begins with, so that it is known where it must not be
NOBODY = bytes(32)


class Keyring:
    def __init__(self, keys: Keys, clock: Clock, ids: Ids) -> None:
        self._keys = keys
        self._clock = clock
        self._ids = ids

    def create(self, name: str, access: KeyAccess, spaces: Sequence[str] | None) -> NewKey:
        now = self._clock()
        id = self._ids.make(now).replace("-", "")
        scope = None if spaces is None else _scope(spaces)
        known = accept.choice(access, KEY_ACCESS, "access")
        key = Key(id, accept.name(name, "a key's name"), known, scope, now, None)
        secret = f"{MARK}_{id}_{secrets.token_urlsafe(32)}"
        self._keys.add(key, _digest(secret))
        return NewKey(key, secret)

    def list(self) -> list[Key]:
        return self._keys.list()

    def revoke(self, id: str) -> Key:
        """The key opens nothing from now on, in any process. One that is revoked already stays as it was."""
        now = self._clock()
        found = self._keys.get(accept.name(id, "a key's id"))
        if found is None:
            raise NotFound(f"there is no key {id!r}; `recollect keys list` lists them")
        self._keys.revoke(id, now)
        return found[0] if found[0].revoked_at else replace(found[0], revoked_at=now)

    def check(self, secret: str) -> Key | None:
        """Whose secret this is; None where it is nobody's, or was revoked."""
        pieces = one(secret, str, "a key's secret is text").split("_", 2)
        id = pieces[1] if len(pieces) == 3 and pieces[0] == MARK else ""
        key, digest = self._keys.get(id) or (None, NOBODY)
        right = hmac.compare_digest(digest, _digest(secret))
        return key if right and key is not None and key.revoked_at is None else None


def _scope(spaces: Sequence[str]) -> tuple[str, ...]:
    named = several(spaces, "spaces")
    if not named:
        raise InvalidInput("spaces must be a list of at least one name, or None for all")
    return tuple(dict.fromkeys(accept.name(space, "a space") for space in named))


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode(errors="surrogatepass")).digest()
