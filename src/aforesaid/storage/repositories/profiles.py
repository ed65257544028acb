"""Profiles and consent.

The store checks consent in the transaction that reads or writes. A change and its audit entry commit together.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from aforesaid.errors import ConsentNeeded
from aforesaid.ids import microseconds
from aforesaid.models.json import Json
from aforesaid.models.profile import AuditEntry, Consent, Profile, ProfileChange, ProfileField, Revocation
from aforesaid.storage import queries
from aforesaid.storage.columns import from_row, moment, to_columns
from aforesaid.storage.database import Row, Session, first, scalar
from aforesaid.storage.repositories import audit, scrub, space_keys
from aforesaid.storage.repositories.base import Repository

SQL = queries.named("profiles")
RECEIPTS = queries.named("receipts")


class Profiles(Repository):
    def consent(self, space: str) -> Consent:
        return _consent_from_rows(space, self._database.query(SQL["consent"], {"space": space}, space))

    def grant(self, consent: Consent, entry: AuditEntry) -> Consent:
        """Returns the current consent; a consent that was given before stays as it was."""

        def work(session: Session) -> Consent:
            key = space_keys.key_or_create(session, entry.space, entry.at)
            present = _consent(session, entry.space)
            if present.granted:
                return present
            _set(session, key, consent, entry)
            return consent

        return self._database.write(work, entry.space)

    def revoke(self, entry: AuditEntry) -> Revocation:
        """Erases the profile and its history, and every trace of them in the store's files."""

        def work(session: Session) -> Revocation:
            key = session.key_of(entry.space)
            if key is None:
                return Revocation(entry.space, entry.at, (), 0, 0, scrubbed=True)
            scope = {"space_key": key}
            names = tuple(dict.fromkeys(row.name for row in session.fetch(SQL["history"], scope)))
            entries, receipts = session.changed(SQL["erase"], scope), session.changed(RECEIPTS["erase_profile"], scope)
            if _consent(session, entry.space).granted:
                _set(session, key, Consent(entry.space, False, entry.at, entry.actor), entry)
            return Revocation(entry.space, entry.at, names, entries, receipts, scrubbed=True)

        revocation, scrubbed = scrub.scrubbed_erase(self._database, work, entry.space)
        return replace(revocation, scrubbed=scrubbed)

    def get(self, space: str, as_of: datetime, known_at: datetime) -> Profile:
        """Returns the profile that is valid at `as_of`, as known at `known_at`; empty without consent."""
        moments = {"as_of": microseconds(as_of), "known_at": microseconds(known_at)}
        rows = self._database.query(SQL["at"], {"space": space, **moments}, space)  # with consent, at least one row
        fields = [_field_from_row(row) for row in rows if row.name is not None]
        free = next((field for field in fields if not field.name), None)
        return Profile(space, bool(rows), tuple(field for field in fields if field.name), free)

    def add(self, changes: Sequence[ProfileChange], entry: AuditEntry) -> None:
        """Raises ConsentNeeded without consent."""

        def work(session: Session) -> None:
            key = _consenting(session, entry.space)
            number = scalar(session.fetch(SQL["next_entry"], {"space_key": key}))
            for entry_number, change in enumerate(changes, number):
                session.execute(SQL["add"], {"space_key": key, "entry": entry_number, **_change_columns(change)})
            audit.add(session, key, entry)

        scrub.scrubbed_write(self._database, work, entry.space)

    def erase(self, names: Sequence[str], entry: AuditEntry) -> int:
        """Removes fields with their history and every trace of them. Returns the number of removed entries."""

        def work(session: Session) -> int:
            key = _consenting(session, entry.space)
            removed = session.changed_each(SQL["erase_field"], [{"space_key": key, "name": name} for name in names])
            audit.add(session, key, entry)
            return removed

        removed, _ = scrub.scrubbed_erase(self._database, work, entry.space)
        return removed

    def history(self, space: str) -> list[ProfileChange]:
        """Returns every change, by field, oldest first; nothing without consent."""
        with self._database.read(space) as session:
            key = session.key_of(space)
            if key is None or not _consent(session, space).granted:
                return []
            return [_change_from_row(row) for row in session.fetch(SQL["history"], {"space_key": key})]


def _consenting(session: Session, space: str) -> int:
    key = session.key_of(space)
    if key is None or not _consent(session, space).granted:
        raise ConsentNeeded(
            f"space {space!r} has no consent for a profile; ask the person, then record the consent: "
            "space.grant_consent(), or `aforesaid consent grant`"
        )
    return key


def _set(session: Session, key: int, consent: Consent, entry: AuditEntry) -> None:
    values = {"granted": int(consent.granted), "at": microseconds(entry.at), "actor": entry.actor, "note": consent.note}
    session.execute(SQL["set_consent"], {"space_key": key, **values})
    audit.add(session, key, entry)


def _consent(session: Session, space: str) -> Consent:
    return _consent_from_rows(space, session.fetch(SQL["consent"], {"space": space}))


def _consent_from_rows(space: str, rows: Sequence[Row]) -> Consent:
    row = first(rows)
    return from_row(Consent, row, space=space, by=row.actor) if row else Consent(space)


def _field_from_row(row: Row) -> ProfileField:
    value, since, set_at = json.loads(row.value), moment(row.valid_from), moment(row.known_from)
    return from_row(ProfileField, row, value=value, since=since, set_at=set_at)


def _change_from_row(row: Row) -> ProfileChange:
    value = None if row.value is None else json.loads(row.value)
    return from_row(ProfileChange, row, value=value, since=moment(row.valid_from))


def _change_columns(change: ProfileChange) -> dict[str, Json]:
    value = None if change.value is None else json.dumps(change.value, ensure_ascii=False)
    return to_columns(change, "since") | {"value": value, "valid_from": microseconds(change.since)}
