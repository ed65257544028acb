"""Profile, consent and audit as JSON records, and back. The profile is exported only with consent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from aforesaid.errors import InvalidInput
from aforesaid.interop.json_stream import parse_records
from aforesaid.interop.space_export.codec import JsonRecord, decode, encode, required, required_name
from aforesaid.models.json import Json
from aforesaid.models.profile import AuditEntry, Consent, ProfileChange
from aforesaid.storage.store import Store
from aforesaid.text import validate

MAX_AUDIT_ENTRIES = 1_000_000


def export_profile(store: Store, space: str) -> dict[str, Iterator[Json]]:
    """The records of each file."""
    consent, entries = store.profiles.consent(space), store.audit.list(space, None, None, MAX_AUDIT_ENTRIES)
    return {
        "consent": iter([encode(consent, "space")] if consent.granted else []),
        "profile": map(encode, store.profiles.history(space)),
        "audit": (encode(entry, "space") for entry in reversed(entries)),
    }


def import_profile(store: Store, folder: Path, space: str) -> None:
    """Imports them. A space that has revoked its consent, or has a profile, stays as it is."""
    store.audit.restore(list(parse_records(folder / "audit.json", partial(_audit_entry, space))))
    consents = list(parse_records(folder / "consent.json", partial(_consent, space)))
    changes = list(parse_records(folder / "profile.json", _profile_change))
    present = store.profiles.consent(space)
    if not consents or (present.at is not None and not present.granted) or store.profiles.history(space):
        return
    consent, entry = consents[0]
    store.profiles.grant(consent, entry)
    if changes:
        names = sorted({change.name for change in changes if change.name})
        store.profiles.add(changes, replace(entry, id=f"{entry.id} profile", detail={"fields": names}))


def copy_profile(store: Store, folder: Path, space: str, consent: Consent) -> None:
    """Copies them unchanged, also a revoked `consent`: this store replaces the other one."""
    entries = list(parse_records(folder / "audit.json", partial(_copied_entry, space)))
    store.audit.restore(entries)
    present = store.profiles.consent(space)
    entry = next((entry for entry in entries if (entry.at, entry.actor) == (consent.at, consent.by)), None)
    if consent.at is None or entry is None or (present.at is not None and not present.granted):
        return
    store.profiles.grant(replace(consent, granted=True), entry)
    changes = list(parse_records(folder / "profile.json", _profile_change))
    if not consent.granted:
        store.profiles.revoke(entry)
    elif changes and not store.profiles.history(space):
        store.profiles.add(changes, entry)


def _consent(space: str, record: JsonRecord) -> tuple[Consent, AuditEntry]:
    """A consent, and the audit entry of its import."""
    at, by = validate.moment(required(record, "at"), "at"), required_name(record, "by")
    consent = decode(Consent, record, {"note": validate.non_blank}, space=space, granted=True, at=at, by=by)
    return consent, AuditEntry(f"import {at.isoformat()}", space, at, by, "import", {}, imported=True)


def _profile_change(record: JsonRecord) -> ProfileChange:
    name, value = validate.text(required(record, "name"), "name"), required(record, "value")
    if name:  # else it is the free text
        validate.new_name(name, "a field's name")
    if value is not None and not isinstance(value, str | int | float):
        raise InvalidInput(f"field {name!r} must be text, a number, true or false")
    if isinstance(value, str):
        validate.text(value, "value")
    return decode(ProfileChange, record, value=value)


def _audit_entry(space: str, record: JsonRecord) -> AuditEntry:
    return decode(AuditEntry, record, {"id": validate.new_name, "actor": validate.name}, space=space, imported=True)


def _copied_entry(space: str, record: JsonRecord) -> AuditEntry:
    return replace(_audit_entry(space, record), imported=bool(required(record, "imported")))
