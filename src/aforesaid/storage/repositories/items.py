"""Items: JSON values under a namespace and a key.

A namespace is stored as its segments, each with SEPARATOR after it. So everything below a namespace is one range of the
index, and no segment is taken for another.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from aforesaid.errors import ConflictError, NotFound
from aforesaid.ids import microseconds
from aforesaid.models.erasure import ErasureRequest
from aforesaid.models.index import Note
from aforesaid.models.item import Item, ItemDraft, Namespace
from aforesaid.models.json import Json
from aforesaid.storage import queries
from aforesaid.storage.columns import NO_LIMIT, from_row, json_text, moment, to_columns, unreadable
from aforesaid.storage.database import Row, Session, first
from aforesaid.storage.repositories import notes, space_keys
from aforesaid.storage.repositories.base import Repository, transaction
from aforesaid.text import validate
from aforesaid.text.field_paths import searched_text
from aforesaid.text.validate import UNIT_SEPARATOR, compact_json

SQL = queries.named("items")
RETENTION = queries.named("retention")

Matches = Callable[[Json], bool]  # says of a value whether it matches
Expiry = tuple[datetime | None, int | None]  # when an item expires, and its lifetime in seconds

SEPARATOR = UNIT_SEPARATOR
LAST = "\U0010ffff"  # no segment begins with it
PAGES = (128, 5_000)  # items that are read at once: the first time, and then
IMPORTANCE = 0.5
LONGEST_PATTERN = 1_000  # characters of a text that is looked for; SQLite takes 50,000 bytes


def stored_namespace(namespace: Namespace) -> str:
    return "".join(segment + SEPARATOR for segment in namespace)


def read_namespace(stored: str) -> Namespace:
    return tuple(stored.split(SEPARATOR)[:-1])


def item_from_row(space: str, row: Row) -> Item:
    index = None if row.fields is None else tuple(json.loads(row.fields))
    return from_row(Item, row, space=space, namespace=read_namespace(row.namespace), index=index)


def note_again(session: Session, row: Row) -> None:
    """Writes the note of a stored item."""
    item = item_from_row("", row)
    searched = searched_text(item.value, item.text, item.index)
    _put_note(session, row.space_key, _note(row, row.namespace, searched))


class ItemRecords(Repository):
    @transaction()
    def put(self, session: Session, space: str, drafts: Sequence[ItemDraft], at: datetime) -> list[Item]:
        """Stores items, each in place of the one with its namespace and key. Raises OnHold instead of replacing an item
        of a space on hold."""
        space_key = space_keys.key_or_create(session, space, at)
        with session.secure_delete():
            return [_put(session, space, space_key, draft, at) for draft in drafts]

    def get(self, space: str, namespace: Namespace, key: str) -> Item | None:
        with self._database.read(space) as session:
            place = _place(session.key_of(space), namespace, key)
            row = first(session.fetch(SQL["get"], place))
        return None if row is None else item_from_row(space, row)

    @transaction()
    def delete(self, session: Session, space: str, namespace: Namespace, key: str) -> bool:
        """Returns False if there was none, or if it had expired."""
        space_key = session.key_of(space)
        return _delete(session, space, space_key, session.fetch(SQL["find"], _place(space_key, namespace, key))) > 0

    @transaction()
    def clear(self, session: Session, space: str, namespace: Namespace) -> int:
        """Deletes the items of a namespace and below it. Returns their number, without those that had expired."""
        space_key = session.key_of(space)
        return _delete(session, space, space_key, session.fetch(SQL["below"], _below(space_key, namespace)))

    @transaction()
    def rename(
        self, session: Session, space: str, namespace: Namespace, key: str, place: tuple[Namespace, str]
    ) -> Item:
        space_key, item_key = _require(session, space, namespace, key)
        new_namespace, new = place
        if place == (namespace, key):
            return _read(session, space, namespace, key)
        taken = session.fetch(SQL["find"], _place(space_key, new_namespace, new))
        if any(row.live for row in taken):
            raise ConflictError(f"there is an item {new!r} already; delete it first, or choose another key", id=new)
        _delete(session, space, space_key, taken)
        session.execute(SQL["rename"], {**_place(space_key, new_namespace, new), "item_key": item_key})
        if new_namespace != namespace:
            _put_note_again(session, space_key, new_namespace, new)
        return _read(session, space, new_namespace, new)

    @transaction()
    def move(self, session: Session, space: str, namespace: Namespace, new: Namespace) -> int:
        space_key = session.key_of(space)
        rows = session.fetch(SQL["page"], {**_below(space_key, namespace), "limit": NO_LIMIT, "offset": 0})
        if space_key is None or not rows:
            raise NotFound(f"there is no item in {_written(namespace)} of space {space!r}")
        taken = session.fetch(SQL["below"], _below(space_key, new))
        if any(row.live for row in taken):
            raise ConflictError(f"there are items in {_written(new)} already", id="/".join(new))
        _delete(session, space, space_key, taken)
        for row in rows:
            moved = new + read_namespace(row.namespace)[len(namespace) :]
            validate.item_key(moved, row.key)
            session.execute(SQL["rename"], {**_place(space_key, moved, row.key), "item_key": row.item_key})
            _put_note_again(session, space_key, moved, row.key)
        return len(rows)

    @transaction()
    def touch(self, session: Session, space: str, place: tuple[Namespace, str], expiry: Expiry) -> Item:
        """Changes the expiry of an item."""
        space_key, item_key = _require(session, space, *place)
        at, lifetime = expiry
        values = {"expires_at": None if at is None else microseconds(at), "lifetime": lifetime}
        session.execute(SQL["touch"], {"space_key": space_key, "item_key": item_key, **values})
        return _read(session, space, *place)

    @transaction()
    def renew(self, session: Session, space: str, place: tuple[Namespace, str], now: datetime) -> Item:
        """Starts the lifetime of an item anew; without a lifetime, nothing changes."""
        space_key, item_key = _require(session, space, *place)
        item = _read(session, space, *place)
        if item.lifetime is None:
            return item
        at = microseconds(now + timedelta(seconds=item.lifetime))
        values = {"space_key": space_key, "item_key": item_key, "expires_at": at, "lifetime": item.lifetime}
        session.execute(SQL["touch"], values)
        return _read(session, space, *place)

    def all(self, space: str) -> Iterator[Item]:
        """Yields every item of a space, oldest first."""
        after = 0
        with self._database.read(space) as session:
            space_key = session.key_of(space)
        while True:
            scope = {"space_key": space_key, "after": after, "limit": PAGES[1]}
            rows = self._database.query(SQL["all"], scope, space)
            yield from (item_from_row(space, row) for row in rows)
            if len(rows) < PAGES[1]:
                return
            after = rows[-1].item_key

    @transaction()
    def restore(self, session: Session, space: str, items: Sequence[Item]) -> None:
        """Stores items as they were. Leaves alone those that the space has already."""
        space_key = space_keys.require_key(session, space)
        for item in items:
            searched = searched_text(item.value, item.text, item.index)
            columns = to_columns(item, "space", "namespace", "index") | {
                "space_key": space_key,
                "namespace": stored_namespace(item.namespace),
                "fields": None if item.index is None else json_text(item.index),
                "searched": int(bool(searched)),
            }
            for row in session.fetch(SQL["restore"], columns):
                _put_note(session, space_key, _note(row, columns["namespace"], searched), noted=row.noted)

    def page(self, space: str, namespace: Namespace, limit: int, offset: int) -> list[Item]:
        """Returns items of a namespace and below it, the latest update first."""
        with self._database.read(space) as session:
            scope = _below(session.key_of(space), namespace) | {"limit": limit, "offset": offset}
            return [item_from_row(space, row) for row in session.fetch(SQL["page"], scope)]

    def matching(self, space: str, namespace: Namespace, part: str, matches: Matches) -> Iterator[Item]:
        """Yields the items of a namespace and below it whose value matches, the latest update first. Only values whose
        JSON text contains `part` are read; in SQLite, in either case of its ASCII letters."""
        pattern = "%" + re.sub(r"([%_\\])", r"\\\1", part[:LONGEST_PATTERN]) + "%"
        at, after, limit = NO_LIMIT, 0, PAGES[0]
        while True:
            with self._database.read(space) as session:
                scope = _below(session.key_of(space), namespace) | {"at": at, "after": after, "pattern": pattern}
                rows = session.fetch(SQL["containing"], scope | {"limit": limit})
            yield from (item_from_row(space, row) for row in rows if matches(_value(row)))
            if len(rows) < limit:
                return
            at, after, limit = rows[-1].updated_at, rows[-1].item_key, PAGES[1]

    def of_notes(self, space: str, keys: Sequence[int], matches: Matches) -> Mapping[int, Item | None]:
        """Returns the items of these notes that still exist, by the key of the note; None for one that has expired, and
        for one whose value does not match."""
        with self._database.read(space) as session:
            scope = {"space_key": session.key_of(space), "keys": json.dumps(list(keys))}
            rows = session.fetch(SQL["of_notes"], scope)
        found = (row.live and matches(_value(row)) for row in rows)
        return {row.note_key: item_from_row(space, row) if one else None for row, one in zip(rows, found, strict=True)}

    def namespaces(self, space: str, namespace: Namespace) -> list[Namespace]:
        """Returns the namespaces that have items, of this one and those below it, in order."""
        with self._database.read(space) as session:
            rows = session.fetch(SQL["namespaces"], _below(session.key_of(space), namespace))
        return [read_namespace(row.namespace) for row in rows]


def _value(row: Row) -> Json:
    try:
        return json.loads(row.value)
    except ValueError as exc:
        raise unreadable("Item", row) from exc


def _place(space_key: int | None, namespace: Namespace, key: str) -> dict[str, Json]:
    return {"space_key": space_key, "namespace": stored_namespace(namespace), "key": key}


def _below(space_key: int | None, namespace: Namespace) -> dict[str, Json]:
    start = stored_namespace(namespace)
    return {"space_key": space_key, "first": start, "stop": start + LAST}


def _put(session: Session, space: str, space_key: int, draft: ItemDraft, at: datetime) -> Item:
    expires = None if draft.expires_at is None else microseconds(draft.expires_at)
    fields = None if draft.index is None else json_text(draft.index)
    place = _place(space_key, draft.namespace, draft.key)
    if draft.replaces is not ...:
        _require_unchanged(session, place, draft)
    values = {"value": draft.value, "text": draft.text, "fields": fields, "searched": int(bool(draft.searched))}
    values |= {"at": microseconds(at), "expires_at": expires, "lifetime": draft.lifetime}
    row = first(session.fetch(SQL["put"], place | values))
    if row is None:
        space_keys.refuse_if_held(session, space)
        raise AssertionError("an item was neither stored nor refused")
    _put_note(session, space_key, _note(row, place["namespace"], draft.searched), noted=row.noted)
    value, created_at = json.loads(draft.value), moment(row.created_at)
    rest = draft.expires_at, draft.index, draft.lifetime
    return Item(space, draft.namespace, draft.key, value, draft.text, created_at, at, *rest)


def _require_unchanged(session: Session, place: Mapping[str, Json], draft: ItemDraft) -> None:
    """Raises ConflictError unless the stored item is the one that the draft replaces."""
    row = first(session.fetch(SQL["get"], place))
    expected = draft.replaces
    if isinstance(expected, Item):
        read = microseconds(expected.updated_at), compact_json(expected.value)
        if row is None or (row.updated_at, row.value) != read:
            raise ConflictError(f"item {draft.key!r} was changed or deleted meanwhile; read it again", id=draft.key)
    elif row is not None:
        raise ConflictError(f"there is an item {draft.key!r} already; read it, and give it as `replaces`", id=draft.key)


def _put_note_again(session: Session, space_key: int, namespace: Namespace, key: str) -> None:
    """Writes the note of an item that has another namespace."""
    (row,) = session.fetch(SQL["get"], _place(space_key, namespace, key))
    item = item_from_row("", row)
    _put_note(session, space_key, _note(row, row.namespace, searched_text(item.value, item.text, item.index)))


def _note(row: Row, namespace: str, searched: str) -> Note:
    return Note("item", str(row.item_key), searched, IMPORTANCE, moment(row.created_at), type=namespace)


def _put_note(session: Session, space_key: int, note: Note, *, noted: bool = True) -> None:
    """Writes the note of an item, or removes it if there is nothing to find. `noted`: the item may have one already."""
    if note.text:
        notes.put_note(session, space_key, note, microseconds(note.at), new=not noted)
    elif noted:
        notes.remove_notes(session, space_key, "item", [note.id])


def to_erase(session: Session, space_key: int, request: ErasureRequest, batch: int) -> list[Row]:
    """The items that an erasure of this target includes: with a time, those that were not changed since."""
    if request.target == "expired":
        due = {"space_key": space_key, "now": microseconds(request.at), "limit": batch}
        return session.fetch(RETENTION["due_items"], due)
    if request.target not in ("items", "before", "everything"):
        return []
    before = NO_LIMIT if request.before is None else microseconds(request.before)
    scope = _below(space_key, request.namespace) | {"key": request.id, "before": before}
    rows = session.fetch(SQL["to_erase"], scope)
    if not rows and request.target == "items":
        named = "" if request.id is None else f" {request.id!r}"
        raise NotFound(f"there is no item{named} in {_written(request.namespace)} to forget")
    return rows


def remove(session: Session, rows: Sequence[Row]) -> None:
    """Deletes items with their notes."""
    for row in rows:
        notes.remove_notes(session, row.space_key, "item", [str(row.item_key)])
        session.execute(SQL["delete"], {"space_key": row.space_key, "item_key": row.item_key})


def _written(namespace: Namespace) -> str:
    return repr("/".join(namespace)) if namespace else "the root"


def _delete(session: Session, space: str, space_key: int | None, rows: Sequence[Row]) -> int:
    """Deletes items, and returns how many of them had not expired."""
    if space_key is None or not rows:
        return 0
    space_keys.refuse_if_held(session, space)
    with session.secure_delete():
        remove(session, rows)
    return sum(row.live for row in rows)


def _require(session: Session, space: str, namespace: Namespace, key: str) -> tuple[int, int]:
    """The keys of the space and of an item. Raises NotFound if there is none, or if it has expired."""
    space_key = session.key_of(space)
    row = first(session.fetch(SQL["find"], _place(space_key, namespace, key)))
    if space_key is None or row is None or not row.live:
        raise NotFound(f"there is no item {key!r} in {_written(namespace)} of space {space!r}")
    return space_key, row.item_key


def _read(session: Session, space: str, namespace: Namespace, key: str) -> Item:
    (row,) = session.fetch(SQL["get"], _place(session.key_of(space), namespace, key))
    return item_from_row(space, row)
