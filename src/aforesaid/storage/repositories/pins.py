"""Pins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace

from aforesaid.errors import ConflictError
from aforesaid.ids import microseconds
from aforesaid.models.index import Note
from aforesaid.models.pin import Pin, PinMark
from aforesaid.models.space import SpaceRevision
from aforesaid.storage import queries
from aforesaid.storage.columns import from_row, to_columns
from aforesaid.storage.database import Session, first, scalar
from aforesaid.storage.repositories import conversations, notes, space_keys
from aforesaid.storage.repositories.base import Repository, transaction
from aforesaid.storage.repositories.space_keys import ConversationKeys, conversation_key, conversation_keys

SQL = queries.named("pins")


class Pins(Repository):
    @transaction()
    def save(self, session: Session, space: str, conversation: str, pin: Pin) -> Pin:
        new = conversations.new_conversation(space, conversation, None, pin.created_at)
        _write(session, conversations.keys_or_create(session, new), pin)
        return pin

    @transaction()
    def make(
        self, session: Session, space: str, conversation: str, pin: Pin, mark: str, *, most: int, seen: SpaceRevision
    ) -> bool:
        """Pins automatically and returns True. Returns False if the mark exists already (even if its pin was removed
        or edited since), if the conversation has `most` pins, or if a message was removed or edited since `seen`."""
        keys = conversation_keys(session, space, conversation)
        if keys is None or space_keys.revision(session, space) != seen:
            return False
        scope = {"conversation_key": keys.conversation_key}
        if scalar(session.fetch(SQL["automatic"], scope)) >= most:
            return False
        if not session.changed(SQL["mark"], scope | {"mark": mark, "source_message_id": pin.source_message_id}):
            return False
        _write(session, keys, pin)
        return True

    def marks(self, space: str, conversation: str) -> list[PinMark]:
        return [PinMark(*row) for row in self._in_conversation(SQL["marks"], space, conversation, {})]

    @transaction()
    def import_marks(self, session: Session, space: str, conversation: str, marks: Sequence[PinMark]) -> None:
        key = conversation_key(session, space, conversation)
        if key is not None:
            session.execute_each(SQL["mark"], [{"conversation_key": key, **asdict(mark)} for mark in marks])

    def get(self, space: str, conversation: str, id: str) -> Pin | None:
        row = first(self._along_line(SQL["get"], space, conversation, {"id": id}))
        return from_row(Pin, row) if row else None

    def within(self, space: str, conversation: str | None, limit: int) -> list[tuple[str, Pin]]:
        """Returns the newest pins of a space or of one conversation, each with its conversation."""
        with self._database.read(space) as session:
            space_key = session.key_of(space)
            key = None if conversation is None else conversation_key(session, space, conversation)
            if space_key is None or (conversation is not None and key is None):
                return []
            scope = {"space_key": space_key, "conversation_key": key, "limit": limit}
            return [(row.conversation, from_row(Pin, row)) for row in session.fetch(SQL["within"], scope)]

    def list(self, space: str, conversation: str, limit: int | None, *, shared: bool = True) -> list[Pin]:
        """Returns pins by importance; of equal importance, the newer first. Those of its line, or only its own."""
        values = {"limit": -1 if limit is None else limit}
        rows = self._each_segment(SQL["list"], space, conversation, values, SQL["list_shared"])
        rows = rows if shared else rows[-1:]
        found = [from_row(Pin, row) for segment in reversed(rows) for row in segment]
        if len(rows) > 1:
            found.sort(key=lambda pin: (pin.importance, pin.created_at), reverse=True)
        return found[:limit]

    @transaction()
    def delete(self, session: Session, space: str, conversation: str, id: str) -> bool:
        keys = conversation_keys(session, space, conversation)
        if keys is None or not session.changed(SQL["delete"], {**keys._asdict(), "id": id}):
            return False
        notes.remove_notes(session, keys.space_key, "pin", [id])
        return True


def _write(session: Session, keys: ConversationKeys, pin: Pin) -> None:
    if not session.changed(SQL["save"], {**to_columns(pin), **keys._asdict()}):
        raise ConflictError(f"pin id {pin.id!r} is taken in another conversation", id=pin.id)
    note_pin(session, keys, pin)


def note_pin(session: Session, keys: ConversationKeys, pin: Pin) -> None:
    at = pin.created_at
    sources = () if pin.source_message_id is None else (pin.source_message_id,)
    note = Note("pin", pin.id, pin.content, pin.importance, at, keys.conversation_key, pin.type, messages=sources)
    notes.put_note(session, keys.space_key, replace(note, valid_from=at, known_from=at), microseconds(at))
