"""API keys: shown once, stored as digests, compared in constant time.

A key has 256 random bits, so an unsalted SHA-256 digest is safe. The id in a key is not secret."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from dataclasses import replace

from aforesaid.errors import InvalidInput, NotFound
from aforesaid.ids import Ids
from aforesaid.models.key import KEY_ACCESS, Key, KeyAccess, NewKey
from aforesaid.ports import Clock
from aforesaid.storage.repositories.keys import Keys
from aforesaid.text import validate
from aforesaid.text.validate import instance_of, sequence

KEY_PREFIX = "ak"  # lets secret scanners recognize a key
NO_DIGEST = bytes(32)


class Keyring:
    def __init__(self, keys: Keys, clock: Clock, ids: Ids) -> None:
        self._keys = keys
        self._clock = clock
        self._ids = ids

    def create(self, name: str, access: KeyAccess, spaces: Sequence[str] | None) -> NewKey:
        now = self._clock()
        id = self._ids.make(now).replace("-", "")
        scope = None if spaces is None else _validate_spaces(spaces)
        valid_name, valid_access = validate.name(name, "a key's name"), validate.choice(access, KEY_ACCESS, "access")
        key = Key(id, valid_name, valid_access, scope, now, None)
        secret = f"{KEY_PREFIX}_{id}_{secrets.token_urlsafe(32)}"
        self._keys.add(key, _digest(secret))
        return NewKey(key, secret)

    def revoke(self, id: str) -> Key:
        """Revokes a key immediately, in all processes. A revoked key stays unchanged."""
        now = self._clock()
        stored = self._keys.get(validate.name(id, "a key's id"))
        if stored is None:
            raise NotFound(f"there is no key {id!r}; `aforesaid keys list` lists them")
        self._keys.revoke(id, now)
        return stored[0] if stored[0].revoked_at else replace(stored[0], revoked_at=now)

    def check(self, secret: str) -> Key | None:
        """The key of a secret; None if it is unknown or revoked."""
        pieces = instance_of(secret, str, "a key's secret is text").split("_", 2)
        id = pieces[1] if len(pieces) == 3 and pieces[0] == KEY_PREFIX else ""
        key, digest = self._keys.get(id) or (None, NO_DIGEST)
        matches = hmac.compare_digest(digest, _digest(secret))
        return key if matches and key is not None and key.revoked_at is None else None


def _validate_spaces(spaces: Sequence[str]) -> tuple[str, ...]:
    names = sequence(spaces, "spaces")
    if not names:
        raise InvalidInput("spaces must be a list of at least one name, or None for all")
    return tuple(dict.fromkeys(validate.name(space, "a space") for space in names))


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode(errors="surrogatepass")).digest()
