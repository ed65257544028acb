"""Rows of API keys as values, and back: the same for every store."""

from __future__ import annotations

import json

from recollect.ids import microseconds
from recollect.models import Json, Key
from recollect.stores.rows import Row, moment, moment_or_none


def key(row: Row) -> Key:
    id, name, access, spaces, created, revoked = row
    scope = None if spaces is None else tuple(json.loads(spaces))
    return Key(id, name, access, scope, moment(created), moment_or_none(revoked))


def columns(key: Key) -> dict[str, Json]:
    return {
        "id": key.id,
        "name": key.name,
        "access": key.access,
        "spaces": None if key.spaces is None else json.dumps(key.spaces, ensure_ascii=False),
        "created_at": microseconds(key.created_at),
    }
