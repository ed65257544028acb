"""A profile, its consent and its audit as JSON records, and back. The profile leaves with consent only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from datetime import datetime
from functools import partial
from pathlib import Path

from recollect.errors import InvalidInput
from recollect.models import AUDIT_ACTIONS, PROFILE_SOURCES, AuditEntry, Consent, Json
from recollect.portable.fields import needed, text_or_none, written
from recollect.portable.stream import parsed
from recollect.ports import Store
from recollect.records import ProfileChange
from recollect.text import accept

PAGE = 1_000_000  # entries of an audit, at most
FILES = ("consent", "profile", "audit")  # an export has those that are not empty


def found(store: Store, space: str) -> Iterator[tuple[str, list[Json]]]:
    """The files of a space's profile that have something in them."""
    consent = store.profiles.consent(space)
    given = [_written(asdict(consent))] if consent.granted else []
    changes = [_written(asdict(change)) for change in store.profiles.history(space)]
    entries = [_written(asdict(entry)) for entry in reversed(store.audit.list(space, None, None, PAGE))]
    for name, content in zip(FILES, (given, changes, entries), strict=True):
        if content:
            yield name, content


def read(store: Store, folder: Path, space: str) -> None:
    """Puts them back. A space that has revoked its consent, or has a profile, stays as it is."""
    store.audit.restore(list(parsed(folder / "audit.json", partial(_to_entry, space))))
    consents = list(parsed(folder / "consent.json", partial(_to_consent, space)))
    changes = list(parsed(folder / "profile.json", _to_change))
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
    """Puts them down as they are, `consent` too where it was revoked: this store takes the other's place."""
    entries = list(parsed(folder / "audit.json", partial(_to_own_entry, space)))
    store.audit.restore(entries)
    present = store.profiles.consent(space)
    entry = next((one for one in entries if (one.at, one.actor) == (consent.at, consent.by)), None)
    if consent.at is None or entry is None or (present.at is not None and not present.granted):
        return
    store.profiles.grant(replace(consent, granted=True), entry)
    changes = list(parsed(folder / "profile.json", _to_change))
    if not consent.granted:
        store.profiles.revoke(entry)
    elif changes and not store.profiles.history(space):
        store.profiles.add(changes, entry)


def _to_consent(space: str, record: Mapping[str, Json]) -> tuple[Consent, datetime]:
    """A consent, and when it was given."""
    note, at = record.get("note"), accept.moment(needed(record, "at"), "at")
    by = accept.name(needed(record, "by"), "by")
    return Consent(space, True, at, by, None if note is None else accept.words(note, "note")), at


def _to_change(record: Mapping[str, Json]) -> ProfileChange:
    name, value = accept.text(needed(record, "name"), "name"), needed(record, "value")
    if name:  # else it is the free text
        accept.new_name(name, "a field's name")
    if value is not None and not isinstance(value, str | int | float):
        raise InvalidInput(f"field {name!r} must be text, a number, true or false")
    expires = record.get("expires_at")
    return ProfileChange(
        name=name,
        value=accept.text(value, "value") if isinstance(value, str) else value,
        source=accept.choice(needed(record, "source"), PROFILE_SOURCES, "source"),
        conversation=text_or_none(record, "conversation"),
        message_id=text_or_none(record, "message_id"),
        since=accept.moment(needed(record, "since"), "since"),
        expires_at=None if expires is None else accept.moment(expires, "expires_at"),
        known_from=accept.moment(needed(record, "known_from"), "known_from"),
    )


def _to_own_entry(space: str, record: Mapping[str, Json]) -> AuditEntry:
    return replace(_to_entry(space, record), imported=bool(needed(record, "imported")))


def _to_entry(space: str, record: Mapping[str, Json]) -> AuditEntry:
    return AuditEntry(
        accept.new_name(needed(record, "id"), "id"),
        space,
        accept.moment(needed(record, "at"), "at"),
        accept.name(needed(record, "actor"), "actor"),
        accept.choice(needed(record, "action"), AUDIT_ACTIONS, "action"),
        accept.record(needed(record, "detail"), "detail"),
        imported=True,
    )


def _written(record: Mapping[str, Json]) -> dict[str, Json]:
    return written({name: value for name, value in record.items() if name != "space"})
