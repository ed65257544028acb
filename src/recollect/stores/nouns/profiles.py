"""Profiles and consent in SQLite."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import apsw

from recollect.errors import ConsentNeeded
from recollect.ids import microseconds
from recollect.models import AuditEntry, Consent, Profile, Revocation
from recollect.records import ProfileChange
from recollect.stores import profile_rows, queries
from recollect.stores.nouns import audit, scrub, spaces
from recollect.stores.sqlite.database import Database, fetch

SQL = queries.named("sqlite", "profiles")
RECEIPTS = queries.named("sqlite", "receipts")


def consent_of(connection: apsw.Connection, space: str) -> Consent:
    found = fetch(connection, SQL["consent"], {"space": space})
    return profile_rows.consent(space, found[0]) if found else Consent(space)


class SqliteProfiles:
    def __init__(self, database: Database) -> None:
        self._database = database

    def consent(self, space: str) -> Consent:
        found = self._database.query(SQL["consent"], {"space": space})
        return profile_rows.consent(space, found[0]) if found else Consent(space)

    def grant(self, consent: Consent, entry: AuditEntry) -> Consent:
        def work(connection: apsw.Connection) -> Consent:
            key = spaces.key_or_make(connection, entry.space, entry.at)
            present = consent_of(connection, entry.space)
            if present.granted:
                return present
            _set(connection, key, consent, entry)
            return consent

        return self._database.write(work)

    def revoke(self, entry: AuditEntry) -> Revocation:
        def work(connection: apsw.Connection) -> Revocation:
            key = spaces.key_of(connection, entry.space)
            if key is None:
                return Revocation(entry.space, entry.at, (), 0, 0, scrubbed=True)
            names = tuple(dict.fromkeys(row[0] for row in fetch(connection, SQL["history"], {"space_key": key})))
            entries, receipts = (_changed(connection, sql, key) for sql in (SQL["erase"], RECEIPTS["erase_profile"]))
            if consent_of(connection, entry.space).granted:
                _set(connection, key, Consent(entry.space, False, entry.at, entry.actor), entry)
            return Revocation(entry.space, entry.at, names, entries, receipts, scrubbed=True)

        done, scrubbed = scrub.erase(self._database, work)
        return Revocation(done.space, done.at, done.fields, done.entries, done.receipts, scrubbed)

    def get(self, space: str, as_of: datetime, known_at: datetime) -> Profile:
        with self._database.read() as connection:
            key = spaces.key_of(connection, space)
            if key is None or not consent_of(connection, space).granted:
                return Profile(space)
            moments = {"space_key": key, "as_of": microseconds(as_of), "known_at": microseconds(known_at)}
            found = [profile_rows.field(row) for row in fetch(connection, SQL["at"], moments)]
        free = next((field for field in found if not field.name), None)
        return Profile(space, True, tuple(field for field in found if field.name), free)

    def add(self, changes: Sequence[ProfileChange], entry: AuditEntry) -> None:
        def work(connection: apsw.Connection) -> None:
            key = _consenting(connection, entry.space)
            first = fetch(connection, SQL["next_entry"], {"space_key": key})[0][0]
            for number, change in enumerate(changes, first):
                columns = profile_rows.change_columns(change)
                connection.execute(SQL["add"], {"space_key": key, "entry": number, **columns})
            audit.add(connection, key, entry)

        scrub.write(self._database, work)

    def erase(self, names: Sequence[str], entry: AuditEntry) -> int:
        def work(connection: apsw.Connection) -> int:
            key = _consenting(connection, entry.space)
            gone = 0
            for name in names:
                connection.execute(SQL["erase_field"], {"space_key": key, "name": name})
                gone += connection.changes()
            audit.add(connection, key, entry)
            return gone

        return scrub.erase(self._database, work)[0]

    def history(self, space: str) -> list[ProfileChange]:
        with self._database.read() as connection:
            key = spaces.key_of(connection, space)
            if key is None or not consent_of(connection, space).granted:
                return []
            return [profile_rows.change(row) for row in fetch(connection, SQL["history"], {"space_key": key})]


def _consenting(connection: apsw.Connection, space: str) -> int:
    key = spaces.key_of(connection, space)
    if key is None or not consent_of(connection, space).granted:
        raise ConsentNeeded(
            f"space {space!r} has not agreed to keep a profile; ask the person, then call grant_consent()"
        )
    return key


def _set(connection: apsw.Connection, key: int, consent: Consent, entry: AuditEntry) -> None:
    values = {"granted": int(consent.granted), "at": microseconds(entry.at), "actor": entry.actor, "note": consent.note}
    connection.execute(SQL["set_consent"], {"space_key": key, **values})
    audit.add(connection, key, entry)


def _changed(connection: apsw.Connection, sql: str, space_key: int) -> int:
    connection.execute(sql, {"space_key": space_key})
    return connection.changes()
