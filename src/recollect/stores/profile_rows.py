"""Rows of profiles and of their audit as values, and back: the same for every store."""

from __future__ import annotations

import json

from recollect.ids import microseconds
from recollect.models import AuditEntry, Consent, Json, ProfileField
from recollect.records import ProfileChange
from recollect.stores.rows import Row, moment, moment_or_none


def consent(space: str, row: Row) -> Consent:
    granted, at, actor, note = row
    return Consent(space, bool(granted), moment(at), actor, note)


def field(row: Row) -> ProfileField:
    name, value, source, conversation, message_id, since, expires, known = row
    return ProfileField(
        name, json.loads(value), source, conversation, message_id, moment(since), moment_or_none(expires), moment(known)
    )


def change(row: Row) -> ProfileChange:
    name, value, source, conversation, message_id, since, expires, known = row[:8]
    read = None if value is None else json.loads(value)
    return ProfileChange(
        name, read, source, conversation, message_id, moment(since), moment_or_none(expires), moment(known)
    )


def change_columns(change: ProfileChange) -> dict[str, Json]:
    return {
        "name": change.name,
        "value": None if change.value is None else json.dumps(change.value, ensure_ascii=False),
        "source": change.source,
        "conversation": change.conversation,
        "message_id": change.message_id,
        "valid_from": microseconds(change.since),
        "expires_at": None if change.expires_at is None else microseconds(change.expires_at),
        "known_from": microseconds(change.known_from),
    }


def audit(row: Row) -> AuditEntry:
    id, space, at, actor, action, detail, imported = row
    return AuditEntry(id, space, moment(at), actor, action, json.loads(detail), bool(imported))


def audit_columns(entry: AuditEntry) -> dict[str, Json]:
    return {
        "id": entry.id,
        "at": microseconds(entry.at),
        "actor": entry.actor,
        "action": entry.action,
        "detail": json.dumps(entry.detail, ensure_ascii=False, separators=(",", ":")),
        "imported": int(entry.imported),
    }
