"""Profile, consent and audit as JSON records, and back. The profile is exported only with consent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from datetime import datetime
from functools import partial
from pathlib import Path

from aforesaid.errors import InvalidInput
from aforesaid.interop.json_stream import parse_records
from aforesaid.interop.space_export.fields import required, text_or_none, to_json_values
from aforesaid.models.json import Json
from aforesaid.models.profile import AUDIT_ACTIONS, PROFILE_SOURCES, AuditEntry, Consent, ProfileChange
from aforesaid.storage.store import Store
from aforesaid.text import validate

PAGE = 1_000_000  # entries of an audit, at most
FILES = ("consent", "profile", "audit")  # an export has those that are not empty


def found(store: Store, space: str) -> Iterator[tuple[str, list[Json]]]:
    """The files of a profile that are not empty."""
    consent = store.profiles.consent(space)
    given = [_written(asdict(consent))] if consent.granted else []
    changes = [_written(asdict(change)) for change in store.profiles.history(space)]
    entries = [_written(asdict(entry)) for entry in reversed(store.audit.list(space, None, None, PAGE))]
    for name, content in zip(FILES, (given, changes, entries), strict=True):
        if content:
            yield name, content


def read(store: Store, folder: Path, space: str) -> None:
    """Imports them. A space that has revoked its consent, or has a profile, stays as it is."""
    store.audit.restore(list(parse_records(folder / "audit.json", partial(_to_entry, space))))
    consents = list(parse_records(folder / "consent.json", partial(_to_consent, space)))
    changes = list(parse_records(folder / "profile.json", _to_change))
    present = store.profiles.consent(space)
    if not consents or (present.at is not None and not present.granted) or store.profiles.history(space):
        return
    given, at = consents[0]
    entry = AuditEntry(f"import {at.isoformat()}", space, at, given.by or "", "import", {}, imported=True)
    store.profiles.grant(given, entry)
    if changes:
        names = sorted({change.name for change in changes if change.name})
        store.profiles.add(changes, replace(entry, id=f"{entry.id} profile", detail={"fields": names}))


def move(store: Store, folder: Path, space: str, consent: Consent) -> None:
    """Copies them unchanged, also a revoked `consent`: this store replaces the other one."""
    entries = list(parse_records(folder / "audit.json", partial(_to_own_entry, space)))
    store.audit.restore(entries)
    present = store.profiles.consent(space)
    entry = next((one for one in entries if (one.at, one.actor) == (consent.at, consent.by)), None)
    if consent.at is None or entry is None or (present.at is not None and not present.granted):
        return
    store.profiles.grant(replace(consent, granted=True), entry)
    changes = list(parse_records(folder / "profile.json", _to_change))
    if not consent.granted:
        store.profiles.revoke(entry)
    elif changes and not store.profiles.history(space):
        store.profiles.add(changes, entry)


def _to_consent(space: str, record: Mapping[str, Json]) -> tuple[Consent, datetime]:
    """A consent, and when it was given."""
    note, at = record.get("note"), validate.moment(required(record, "at"), "at")
    by = validate.name(required(record, "by"), "by")
    return Consent(space, True, at, by, None if note is None else validate.non_blank(note, "note")), at


def _to_change(record: Mapping[str, Json]) -> ProfileChange:
    name, value = validate.text(required(record, "name"), "name"), required(record, "value")
    if name:  # else it is the free text
        validate.new_name(name, "a field's name")
    if value is not None and not isinstance(value, str | int | float):
        raise InvalidInput(f"field {name!r} must be text, a number, true or false")
    expires = record.get("expires_at")
    return ProfileChange(
        name=name,
        value=validate.text(value, "value") if isinstance(value, str) else value,
        source=validate.choice(required(record, "source"), PROFILE_SOURCES, "source"),
        conversation=text_or_none(record, "conversation"),
        message_id=text_or_none(record, "message_id"),
        since=validate.moment(required(record, "since"), "since"),
        expires_at=None if expires is None else validate.moment(expires, "expires_at"),
        known_from=validate.moment(required(record, "known_from"), "known_from"),
    )


def _to_own_entry(space: str, record: Mapping[str, Json]) -> AuditEntry:
    return replace(_to_entry(space, record), imported=bool(required(record, "imported")))


def _to_entry(space: str, record: Mapping[str, Json]) -> AuditEntry:
    return AuditEntry(
        validate.new_name(required(record, "id"), "id"),
        space,
        validate.moment(required(record, "at"), "at"),
        validate.name(required(record, "actor"), "actor"),
        validate.choice(required(record, "action"), AUDIT_ACTIONS, "action"),
        validate.record(required(record, "detail"), "detail"),
        imported=True,
    )


def _written(record: Mapping[str, Json]) -> dict[str, Json]:
    return to_json_values({name: value for name, value in record.items() if name != "space"})
