"""User profiles, stored only with consent, and their audit log."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from aforesaid.errors import InvalidInput, NotFound
from aforesaid.ids import Ids
from aforesaid.models.json import Json
from aforesaid.models.message import Message
from aforesaid.models.profile import (
    AUDIT_ACTIONS,
    AuditAction,
    AuditEntry,
    Consent,
    Profile,
    ProfileChange,
    ProfileSource,
    Revocation,
)
from aforesaid.ports import Clock
from aforesaid.storage.repositories.audit import Audit
from aforesaid.storage.repositories.profiles import Profiles
from aforesaid.text import validate

CALLER = "caller"
FREE_TEXT = ""  # the field name of the free text

ProfileValue = str | int | float | bool


@dataclass(frozen=True, slots=True)
class ProfileUpdate:
    """Fields and free text to set, their source, and their validity. An empty free text removes it."""

    fields: Mapping[str, ProfileValue] | None = None
    text: str | None = None
    source: Message | None = None
    since: datetime | str | None = None
    expires: datetime | str | None = None


@dataclass(frozen=True, slots=True)
class ProfileRemoval:
    """Fields and free text to remove; with `erase`, also their history."""

    names: Sequence[str]
    text: bool = False
    erase: bool = False


class ProfileAccess:
    """Reads and changes profiles. Every use and every change is in the audit log."""

    def __init__(self, profiles: Profiles, audit: Audit, clock: Clock, ids: Ids) -> None:
        self._profiles = profiles
        self._audit = audit
        self._clock = clock
        self._ids = ids

    def consent(self, space: str) -> Consent:
        return self._profiles.consent(space)

    def grant(self, space: str, by: str | None, note: str | None) -> Consent:
        text = None if note is None else validate.non_blank(note, "note")
        entry = self.entry(space, "grant", by, {} if text is None else {"note": text})
        return self._profiles.grant(Consent(space, True, entry.at, entry.actor, text), entry)

    def revoke(self, space: str, by: str | None) -> Revocation:
        return self._profiles.revoke(self.entry(space, "revoke", by, {}))

    def read(self, space: str, as_of: datetime | str | None = None, known_at: datetime | str | None = None) -> Profile:
        """The profile that was valid at `as_of`, as known at `known_at`; both default to now. Adds no audit entry."""
        now = self._clock()
        return self._profiles.get(space, parse_moment(as_of, "as_of") or now, parse_moment(known_at, "known_at") or now)

    def use(self, space: str, names: Sequence[str], via: str, by: str | None = None, **rest: str) -> AuditEntry:
        """The audit entry for a reader of these fields."""
        fields = [name for name in names if name]
        return self.entry(space, "read", by, {"via": via, "fields": fields, "text": FREE_TEXT in names} | rest)

    def set(self, space: str, update: ProfileUpdate, by: str | None, storable: Callable[[str], str]) -> None:
        """Writes all fields or none. Old values stay in the history."""
        changes = profile_changes(update, self._clock(), storable)
        names = [change.name for change in changes if change.name]
        detail: dict[str, Json] = {"fields": names, "text": update.text is not None}
        if update.source is not None:
            detail |= {"conversation": update.source.conversation, "message": update.source.id}
        self._profiles.add(changes, self.entry(space, "change", by, detail))

    def remove(self, space: str, removal: ProfileRemoval, by: str | None) -> None:
        """Raises NotFound if a field does not exist; then none is removed."""
        fields = [validate.name(name, "a field's name") for name in removal.names]
        names = [*fields, FREE_TEXT] if removal.text else fields
        if not names:
            raise InvalidInput("nothing to remove: name the fields, or give text=True")
        present = self._present(space, removal)
        missing = [name for name in names if name not in present]
        if missing and self.consent(space).granted:
            raise NotFound(f"the profile of {space!r} has no {f'field {missing[0]!r}' if missing[0] else 'text'}")
        detail = {"fields": fields, "text": removal.text, "erased": removal.erase}
        entry = self.entry(space, "remove", by, detail)
        if removal.erase:
            self._profiles.erase(names, entry)
            return
        now = self._clock()
        self._profiles.add([ProfileChange(name, None, "caller", None, None, now, None, now) for name in names], entry)

    def _present(self, space: str, removal: ProfileRemoval) -> frozenset[str]:
        """The names that can be removed: those of the current profile, or to erase, of its whole history."""
        if removal.erase:
            return frozenset(change.name for change in self._profiles.history(space))
        profile = self.read(space)
        return frozenset(field.name for field in (*profile.fields, *([profile.free] if profile.free else [])))

    def exported(self, space: str, by: str | None = None) -> None:
        """Records an export of the profile in the audit log, before it is exported."""
        profile = self.read(space)
        if profile.consent:
            names = [field.name for field in profile.fields]
            self._audit.restore([self.entry(space, "export", by, {"fields": names})])

    def entries(
        self, space: str, since: datetime | str | None, action: str | None, limit: int, after: str | None
    ) -> list[AuditEntry]:
        known_action = None if action is None else validate.choice(action, AUDIT_ACTIONS, "action")
        last = None if after is None else validate.name(after, "after")
        return self._audit.list(space, parse_moment(since, "since"), known_action, validate.count(limit, "limit"), last)

    def entry(self, space: str, action: AuditAction, by: str | None, detail: Mapping[str, Json]) -> AuditEntry:
        """A new entry of the audit log."""
        now = self._clock()
        actor = CALLER if by is None else validate.name(by, "by")
        return AuditEntry(self._ids.make(now), space, now, actor, action, detail)


def profile_changes(update: ProfileUpdate, now: datetime, storable: Callable[[str], str]) -> list[ProfileChange]:
    if update.fields is not None and not isinstance(update.fields, Mapping):
        raise InvalidInput(f"a profile's fields must be a mapping, not {type(update.fields).__name__}")
    values: dict[str, ProfileValue | None] = {}
    for name, value in (update.fields or {}).items():
        values[validate.new_name(name, "a field's name")] = _value(name, value, storable)
    if update.text is not None:
        values[FREE_TEXT] = storable(validate.text(update.text, "text")).strip() or None
    if not values:
        raise InvalidInput("nothing to set: give fields, such as {'city': 'Lisbon'}, or text")
    since = parse_moment(update.since, "since") or now
    expires = parse_moment(update.expires, "expires")
    if expires is not None and expires <= since:
        raise InvalidInput(f"expires {expires.isoformat()} is not later than {since.isoformat()}")
    message = update.source
    return [
        ProfileChange(
            name=name,
            value=value,
            source=_source(message),
            conversation=message.conversation if message else None,
            message_id=message.id if message else None,
            since=since,
            expires_at=None if value is None else expires,
            known_from=now,
        )
        for name, value in values.items()
    ]


def parse_moment(value: datetime | str | None, what: str) -> datetime | None:
    """A time. A day such as `2026-03-01` means its end in UTC, or for `since` its beginning."""
    return None if value is None else validate.day_edge(value, what, begins=what == "since")


def _value(name: str, value: ProfileValue, storable: Callable[[str], str]) -> ProfileValue:
    if value is None:
        raise InvalidInput(f"field {name!r} has no value; to remove it, call remove_profile({name!r})")
    if isinstance(value, str):
        return storable(validate.non_blank(value, f"field {name!r}"))
    if isinstance(value, bool) or (isinstance(value, int) and abs(value) <= validate.LARGEST):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    raise InvalidInput(f"field {name!r} must be text, a number, true or false, not {value!r:.80}")


def _source(message: Message | None) -> ProfileSource:
    if message is None:
        return "caller"
    return "imported" if message.metadata.get("imported") else message.role
