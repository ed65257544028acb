"""Checksums of stored records. They tell a record that was written from one that a broken disk has changed.

Every message has one, in both engines: `messages.checksum`, made where the message is written and compared wherever its
text is read. The other tables of a SQLite file have theirs beside them (`sqlite/row_checksums.py`), which the doctor
compares. A PostgreSQL server checks its own pages.

SQLite's checksum VFS was measured and not chosen: it belongs to the whole process, a file that another SQLite program
writes looks damaged as a whole, and a damaged page takes the records beside the damaged one with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import blake2b
from operator import attrgetter, itemgetter
from typing import Any

from aforesaid.errors import StoreDamaged
from aforesaid.storage.database import Row

# What a checksum of a message covers, with its conversation and seq. A new column that a user can read belongs here;
# its migration seals the messages again.
COVERED = (
    "id", "role", "text", "parts", "name", "tool_calls", "tool_call_id", "model", "importance", "tokens", "metadata",
    "created_at", "utc_offset", "expires_at", "raw",
)  # fmt: skip
NULL = "\0"
PLACES = 2**24  # of a conversation; a message's place is its conversation times this, plus its seq

_of_columns, _of_row = itemgetter(*COVERED), attrgetter(*COVERED)


def checksum(values: Iterable[Any]) -> int:
    """64 bits, signed. Different values have different encodings, since stored text has no NUL character. NULLs at the
    end do not count, so a new column leaves the checksums of old rows valid."""
    parts = [
        value
        if value.__class__ is str
        else NULL
        if value is None
        else f"\0{blake2b(value, digest_size=8).digest()!r}"
        if value.__class__ is bytes
        else str.__str__(value)  # of a subclass, as it comes back from the store
        if isinstance(value, str)
        else f"\0{value!r}"
        for value in values
    ]
    while parts and parts[-1] is NULL:
        parts.pop()
    text = "\0".join(parts).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "big", signed=True)


def of_content(columns: Mapping[str, Any]) -> int:
    """The checksum of a message that has no place yet."""
    return checksum(_of_columns(columns))


def of_message(content: int, conversation_key: int, seq: int) -> int:
    """The checksum of a message: that of its content, and its place."""
    return content ^ (conversation_key * PLACES + seq)


def of_row(row: Row) -> int:
    """The checksum that a row of a message must have."""
    return of_message(checksum(_of_row(row)), row.conversation_key, row.seq)


def of_changed(row: Row, **changed: object) -> int:
    """The checksum that a row of a message must have with other values in these columns."""
    values = dict(zip(COVERED, _of_row(row), strict=True)) | changed
    return of_message(of_content(values), row.conversation_key, row.seq)


def is_intact(row: Row) -> bool:
    """Returns True if a row of a message is as it was written. A message of an older version has no checksum until the
    store is migrated."""
    try:
        return row.checksum is None or row.checksum == of_row(row)
    except TypeError:  # a damaged key or seq is no number
        return False


def damaged_message(space: str, row: Row) -> StoreDamaged:
    conversation, seq, id = _text(row.conversation), row.seq if isinstance(row.seq, int) else None, _text(row.id)
    return StoreDamaged(
        f"message {id} (space {space!r}, conversation {conversation!r}, seq {seq}) is damaged: it is not what was "
        "written. Everything else is readable. Restore a backup, or forget this message; "
        "`aforesaid doctor --backup FILE` says what a backup has",
        table="messages",
        id=id,
        space=space,
        conversation=conversation,
        seq=seq,
    )


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
