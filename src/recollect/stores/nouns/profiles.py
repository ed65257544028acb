"""Profiles and consent."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from recollect.errors import ConsentNeeded
from recollect.ids import microseconds
from recollect.models import AuditEntry, Consent, Profile, Revocation
from recollect.records import ProfileChange
from recollect.stores import profile_rows, queries
from recollect.stores.database import Database, Session
from recollect.stores.nouns import audit, scrub, spaces
from recollect.stores.queries import Query

SQL = queries.named("profiles")
RECEIPTS = queries.named("receipts")


def consent_of(session: Session, space: str) -> Consent:
    found = session.fetch(SQL["consent"], {"space": space})
    return profile_rows.consent(space, found[0]) if found else Consent(space)


class Profiles:
    def __init__(self, database: Database) -> None:
        self._database = database

    def consent(self, space: str) -> Consent:
        found = self._database.query(SQL["consent"], {"space": space}, space)
        return profile_rows.consent(space, found[0]) if found else Consent(space)

    def grant(self, consent: Consent, entry: AuditEntry) -> Consent:
        def work(session: Session) -> Consent:
            key = spaces.key_or_make(session, entry.space, entry.at)
            present = consent_of(session, entry.space)
            if present.granted:
                return present
            _set(session, key, consent, entry)
            return consent

        return self._database.write(work, entry.space)

    def revoke(self, entry: AuditEntry) -> Revocation:
        def work(session: Session) -> Revocation:
            key = spaces.key_of(session, entry.space)
            if key is None:
                return Revocation(entry.space, entry.at, (), 0, 0, scrubbed=True)
            names = tuple(dict.fromkeys(row[0] for row in session.fetch(SQL["history"], {"space_key": key})))
            entries, receipts = (_changed(session, query, key) for query in (SQL["erase"], RECEIPTS["erase_profile"]))
            if consent_of(session, entry.space).granted:
                _set(session, key, Consent(entry.space, False, entry.at, entry.actor), entry)
            return Revocation(entry.space, entry.at, names, entries, receipts, scrubbed=True)

        done, scrubbed = scrub.erase(self._database, work, entry.space)
        return Revocation(done.space, done.at, done.fields, done.entries, done.receipts, scrubbed)

    def get(self, space: str, as_of: datetime, known_at: datetime) -> Profile:
        with self._database.read(space) as session:
            key = spaces.key_of(session, space)
            if key is None or not consent_of(session, space).granted:
                return Profile(space)
            moments = {"space_key": key, "as_of": microseconds(as_of), "known_at": microseconds(known_at)}
            found = [profile_rows.field(row) for row in session.fetch(SQL["at"], moments)]
        free = next((field for field in found if not field.name), None)
        return Profile(space, True, tuple(field for field in found if field.name), free)

    def add(self, changes: Sequence[ProfileChange], entry: AuditEntry) -> None:
        def work(session: Session) -> None:
            key = _consenting(session, entry.space)
            first = session.fetch(SQL["next_entry"], {"space_key": key})[0][0]
            for number, change in enumerate(changes, first):
                columns = profile_rows.change_columns(change)
                session.execute(SQL["add"], {"space_key": key, "entry": number, **columns})
            audit.add(session, key, entry)

        scrub.write(self._database, work, entry.space)

    def erase(self, names: Sequence[str], entry: AuditEntry) -> int:
        def work(session: Session) -> int:
            key = _consenting(session, entry.space)
            gone = 0
            for name in names:
                gone += session.changed(SQL["erase_field"], {"space_key": key, "name": name})
            audit.add(session, key, entry)
            return gone

        return scrub.erase(self._database, work, entry.space)[0]

    def history(self, space: str) -> list[ProfileChange]:
        with self._database.read(space) as session:
            key = spaces.key_of(session, space)
            if key is None or not consent_of(session, space).granted:
                return []
            return [profile_rows.change(row) for row in session.fetch(SQL["history"], {"space_key": key})]


def _consenting(session: Session, space: str) -> int:
    key = spaces.key_of(session, space)
    if key is None or not consent_of(session, space).granted:
        raise ConsentNeeded(
            f"space {space!r} has not agreed to keep a profile; ask the person, then note the consent: "
            "space.grant_consent(), or `recollect consent grant`"
        )
    return key


def _set(session: Session, key: int, consent: Consent, entry: AuditEntry) -> None:
    values = {"granted": int(consent.granted), "at": microseconds(entry.at), "actor": entry.actor, "note": consent.note}
    session.execute(SQL["set_consent"], {"space_key": key, **values})
    audit.add(session, key, entry)


def _changed(session: Session, query: Query, space_key: int) -> int:
    return session.changed(query, {"space_key": space_key})
