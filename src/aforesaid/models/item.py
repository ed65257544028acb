"""Items: JSON values under a namespace and a key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import EllipsisType

from aforesaid.models.json import Json
from aforesaid.models.value import Value

Namespace = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Item(Value):
    """A JSON value under a namespace and a key. `text` is what the caller gave to search for. `index` are the fields
    that are searched instead; None: every text in the value, (): nothing. At `expires_at` it disappears. `lifetime` is
    the duration of the expiry in seconds, rounded up; None if a time was given."""

    space: str
    namespace: Namespace
    key: str
    value: Json
    text: str | None
    created_at: datetime
    updated_at: datetime
    expires_at: datetime | None = None
    index: tuple[str, ...] | None = None
    lifetime: int | None = None


@dataclass(frozen=True, slots=True)
class ItemHit(Value):
    """An item that a search found. `score` is from 0 to 1; None without a query."""

    item: Item
    score: float | None


@dataclass(frozen=True, slots=True)
class ItemQuery:
    """What to find in a namespace and below it. Without a `text`, every item that matches the filter."""

    namespace: Namespace
    text: str | None = None
    filter: Mapping[str, Json] = field(default_factory=dict)
    limit: int = 10
    offset: int = 0


@dataclass(frozen=True, slots=True)
class ItemDraft:
    """An item to store. `value` is its JSON text; `searched` is the text that is indexed, empty for none. `replaces` is
    the item that must be stored, None if there must be none, or ... for any."""

    namespace: Namespace
    key: str
    value: str
    text: str | None
    index: tuple[str, ...] | None
    searched: str
    expires_at: datetime | None
    lifetime: int | None
    replaces: Item | EllipsisType | None
