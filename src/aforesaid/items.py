"""The public class `Items`: JSON values under the keys of a namespace."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from math import ceil
from types import EllipsisType

from aforesaid.engine import Engine
from aforesaid.errors import InvalidInput
from aforesaid.models.item import Item, ItemDraft, ItemHit, ItemQuery, Namespace
from aforesaid.models.json import Json
from aforesaid.models.message import Expires
from aforesaid.remote.rest import over_rest
from aforesaid.remote.verb import Scope
from aforesaid.text import validate
from aforesaid.text.field_paths import searched_fields, searched_text
from aforesaid.text.masking import mask_json, no_mask

ANY = "*"  # any segment, in `namespaces`


class Items:
    """A namespace of a space, such as `space.items(("users", "ana"))`. The first `put` creates the space.

    `search`, `namespaces` and `clear` include the namespaces below it.
    """

    def __init__(self, engine: Engine, space: str, namespace: str | Sequence[str] = ()) -> None:
        self._engine = engine
        self._records = engine.store.items
        self.space = space
        self.namespace = validate.namespace(namespace)

    def __repr__(self) -> str:
        return f"Items({self.space!r}, {self.namespace!r})"

    def put(
        self,
        key: str,
        value: Json,
        *,
        text: str | None = None,
        index: bool | Sequence[str] | None = None,
        expires: Expires | None = None,
        replaces: Item | EllipsisType | None = ...,
    ) -> Item:
        """Stores any JSON value, in place of the one with this key. It is on disk when this returns.

        A search finds it by `text`, or else by every text in the value; with `index`, by these fields, such as
        ["title", "list[*].name"], or with False not at all. At `expires` it disappears and is erased: a datetime, a
        timedelta from now, or text such as "30d". A replaced item keeps `created_at`.

        With `replaces`, an item as you read it, raises ConflictError if it was changed or deleted since: no change of
        another writer is lost. With None, raises it if there is an item with this key.
        """
        entry = {"key": key, "value": value, "text": text, "index": index, "expires": expires, "replaces": replaces}
        return self.put_many([entry])[0]

    def put_many(self, entries: Iterable[Mapping[str, Json]]) -> list[Item]:
        """Stores several items in one transaction. Each entry has the arguments of `put`, and can have a `namespace`:
        segments below this one."""
        now = self._engine.clock()
        masked = self._engine.settings(self.space).flag("mask_stored")
        drafts = [self._draft(entry, now, masked=masked) for entry in validate.sequence(entries, "entries")]
        if not drafts:
            return []
        with self._engine.foreground:
            items = self._records.put(self.space, drafts, now)
        self._engine.worker.wake()
        return items

    def get(self, key: str) -> Item | None:
        """The item with this key; None if there is none, or if it has expired."""
        return self._records.get(self.space, self.namespace, validate.name(key, "key"))

    def delete(self, key: str) -> bool:
        """Deletes an item. Returns False if there was none. To scrub the files too, use `space.forget`."""
        deleted = self._records.delete(self.space, self.namespace, validate.name(key, "key"))
        self._engine.drop_texts()
        return deleted

    def rename(self, key: str, new_key: str, *, namespace: str | Sequence[str] | None = None) -> Item:
        """Gives an item another key, and with `namespace` another namespace, as it is from the root. Raises NotFound if
        there is none, ConflictError if the new place is taken."""
        new = self.namespace if namespace is None else validate.namespace(namespace)
        place = new, validate.item_key(new, new_key)
        return self._records.rename(self.space, self.namespace, validate.name(key, "key"), place)

    def move(self, namespace: str | Sequence[str]) -> int:
        """Moves every item of this namespace and below it to another namespace, as it is from the root, in one
        transaction. Returns their number. Raises NotFound if there is none, ConflictError if there are items there."""
        new = validate.namespace(namespace)
        if new[: len(self.namespace)] == self.namespace or self.namespace[: len(new)] == new:
            raise InvalidInput("a namespace cannot be moved into itself, nor into one that contains it")
        return self._records.move(self.space, self.namespace, new)

    def touch(self, key: str, expires: Expires | None = None) -> Item:
        """Changes only when an item expires; "never" removes its expiry. Without `expires`, a duration that the item
        was stored with, such as "30d", starts anew. Raises NotFound if there is none."""
        place, now = (self.namespace, validate.name(key, "key")), self._engine.clock()
        if expires is None:
            return self._records.renew(self.space, place, now)
        return self._records.touch(self.space, place, _expiry(expires, now))

    def search(
        self, query: str | None = None, *, filter: Mapping[str, Json] | None = None, limit: int = 10, offset: int = 0
    ) -> list[ItemHit]:
        """The items of this namespace and below it that match a query, by words and by meaning, best first; without a
        query, all of them, the latest update first.

        A `filter` compares fields of the values: {"theme": "dark", "n": {"$gte": 3}}. It has the operators $eq, $ne,
        $gt, $gte, $lt, $lte, $in, $nin, $exists, $not, and $and and $or between filters.
        """
        query = None if query is None else validate.non_blank(query, "query")
        most, start = validate.count(limit, "limit"), validate.count(offset, "offset", 0)
        with self._engine.foreground:
            asked = ItemQuery(self.namespace, query, filter or {}, most, start)
            return self._engine.searcher.items.find(self.space, asked)

    def namespaces(
        self, *, suffix: str | Sequence[str] = (), max_depth: int | None = None, limit: int = 100, offset: int = 0
    ) -> list[Namespace]:
        """The namespaces that have items, of this one and those below it, in order, as they are from the root.

        `suffix` selects those that end with these segments. "*" is any segment, in `suffix` and in this namespace.
        `max_depth` cuts them to so many segments, each once.
        """
        end = validate.namespace(suffix)
        depth = None if max_depth is None else validate.count(max_depth, "max_depth")
        fixed = self.namespace.index(ANY) if ANY in self.namespace else len(self.namespace)
        found = self._records.namespaces(self.space, self.namespace[:fixed])
        kept = (each for each in found if _matches(each, self.namespace) and _matches(each[::-1], end[::-1]))
        distinct = list(dict.fromkeys(each[:depth] for each in kept))
        start = validate.count(offset, "offset", 0)
        return distinct[start : start + validate.count(limit, "limit")]

    def clear(self) -> int:
        """Deletes every item of this namespace and below it. Returns their number."""
        cleared = self._records.clear(self.space, self.namespace)
        self._engine.drop_texts()
        return cleared

    def _draft(self, entry: Mapping[str, Json], now: datetime, *, masked: bool) -> ItemDraft:
        validate.item_entry(entry)
        mask = mask_json if masked else no_mask
        namespace = validate.namespace((*self.namespace, *validate.namespace(entry.get("namespace") or ())))
        stored = validate.json_value(mask(entry["value"]), "value")
        given, fields = entry.get("text"), searched_fields(entry.get("index"))
        text = None if given is None else mask(validate.text(given, "text"))
        expires = entry.get("expires")
        expiry = (None, None) if expires is None else _expiry(expires, now)
        searched = searched_text(json.loads(stored), text, fields)
        replaces = entry.get("replaces", ...)
        if replaces not in (..., None):
            validate.instance_of(replaces, Item, "replaces must be an Item as you read it, or None for none")
        key = validate.item_key(namespace, entry["key"])
        return ItemDraft(namespace, key, stored, text, fields, searched, *expiry, replaces)


def _expiry(expires: Expires, now: datetime) -> tuple[datetime | None, int | None]:
    """When an item expires, and its lifetime in seconds, if that was given."""
    at, duration = validate.expiry(expires, "expires", now), validate.duration(expires)
    return at, None if duration is None else ceil(duration.total_seconds())


@over_rest
class RemoteItems(Items):
    """A namespace of a space of a store behind a server."""

    def __init__(self, scope: Scope, namespace: str | Sequence[str] = ()) -> None:
        self.space = validate.name(scope.space or "", "space")
        self.namespace = validate.namespace(namespace)
        self._scope = replace(scope, namespace=self.namespace)


def _matches(namespace: Namespace, pattern: Namespace) -> bool:
    """A namespace begins with the segments of the pattern."""
    return len(namespace) >= len(pattern) and all(
        one in (ANY, segment) for segment, one in zip(namespace, pattern, strict=False)
    )
