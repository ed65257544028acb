"""What is known of a person, with their consent, and the audit of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from recollect.errors import InvalidInput, NotFound
from recollect.ids import Ids
from recollect.models import (
    AUDIT_ACTIONS,
    AuditAction,
    AuditEntry,
    Consent,
    Json,
    Message,
    Profile,
    ProfileSource,
    Revocation,
)
from recollect.ports import Audit, Clock, Profiles
from recollect.records import ProfileChange
from recollect.text import accept

CALLER = "caller"
FREE = ""  # the name of the free text

Value = str | int | float | bool


@dataclass(frozen=True, slots=True)
class Wish:
    """What shall be in a profile: fields, a free text (empty: none), who says so, and from when until when it is so."""

    fields: Mapping[str, Value] | None = None
    text: str | None = None
    source: Message | None = None
    since: datetime | str | None = None
    expires: datetime | str | None = None


@dataclass(frozen=True, slots=True)
class Removal:
    """What shall leave a profile: fields, the free text; with `erase`, their history too."""

    names: Sequence[str]
    text: bool = False
    erase: bool = False


class Keeper:
    """Reads and changes profiles; every use and every change is in the audit."""

    def __init__(self, profiles: Profiles, audit: Audit, clock: Clock, ids: Ids) -> None:
        self._profiles = profiles
        self._audit = audit
        self._clock = clock
        self._ids = ids

    def consent(self, space: str) -> Consent:
        return self._profiles.consent(space)

    def grant(self, space: str, by: str | None, note: str | None) -> Consent:
        said = None if note is None else accept.words(note, "note")
        entry = self._entry(space, "grant", by, {} if said is None else {"note": said})
        return self._profiles.grant(Consent(space, True, entry.at, entry.actor, said), entry)

    def revoke(self, space: str, by: str | None) -> Revocation:
        return self._profiles.revoke(self._entry(space, "revoke", by, {}))

    def read(self, space: str, as_of: datetime | str | None = None, known_at: datetime | str | None = None) -> Profile:
        """What was true at one moment as it was known at another, now where none is given. Not in the audit yet."""
        now = self._clock()
        return self._profiles.get(space, moment(as_of, "as_of") or now, moment(known_at, "known_at") or now)

    def use(self, space: str, names: Sequence[str], via: str, by: str | None = None, **rest: str) -> AuditEntry:
        """The audit's entry for one who read these fields; the one without a name is the free text."""
        fields = [name for name in names if name]
        return self._entry(space, "read", by, {"via": via, "fields": fields, "text": FREE in names} | rest)

    def set(self, space: str, wish: Wish, by: str | None, storable: Callable[[str], str]) -> None:
        """Writes every field, or none: with another source, other moments, and its old value kept as history."""
        now = self._clock()
        made = changes(wish, now, storable)
        detail: dict[str, Json] = {"fields": [one.name for one in made if one.name], "text": wish.text is not None}
        if wish.source is not None:
            detail |= {"conversation": wish.source.conversation, "message": wish.source.id}
        self._profiles.add(made, self._entry(space, "change", by, detail))

    def remove(self, space: str, removal: Removal, by: str | None) -> None:
        """Fields that are not there raise NotFound, and none is removed."""
        wanted = [*(accept.name(name, "a field's name") for name in removal.names), *([FREE] if removal.text else [])]
        if not wanted:
            raise InvalidInput("nothing to remove: name the fields, or say text=True")
        missing = [name for name in wanted if name not in self._present(space, removal)]
        if missing and self.consent(space).granted:
            raise NotFound(f"the profile of {space!r} has no {f'field {missing[0]!r}' if missing[0] else 'text'}")
        detail = {"fields": [name for name in wanted if name], "text": removal.text, "erased": removal.erase}
        entry = self._entry(space, "remove", by, detail)
        if removal.erase:
            self._profiles.erase(wanted, entry)
            return
        now = self._clock()
        gone = [ProfileChange(name, None, "caller", None, None, now, None, now) for name in wanted]
        self._profiles.add(gone, entry)

    def _present(self, space: str, removal: Removal) -> frozenset[str]:
        """The names that can be removed: of what is known now, or of what was ever known."""
        if removal.erase:
            return frozenset(change.name for change in self._profiles.history(space))
        profile = self.read(space)
        return frozenset(field.name for field in (*profile.fields, *([profile.free] if profile.free else [])))

    def exported(self, space: str, by: str | None = None) -> None:
        """Puts an export of the profile into the audit, before anything leaves."""
        profile = self.read(space)
        if profile.consent:
            names = [field.name for field in profile.fields]
            self._audit.restore([self._entry(space, "export", by, {"fields": names})])

    def entries(
        self, space: str, since: datetime | str | None, action: str | None, limit: int, after: str | None
    ) -> list[AuditEntry]:
        known = None if action is None else accept.choice(action, AUDIT_ACTIONS, "action")
        first = None if since is None else accept.edge(since, "since", begins=True)
        last = None if after is None else accept.name(after, "after")
        return self._audit.list(space, first, known, accept.count(limit, "limit"), last)

    def _entry(self, space: str, action: AuditAction, by: str | None, detail: Mapping[str, Json]) -> AuditEntry:
        now = self._clock()
        actor = CALLER if by is None else accept.name(by, "by")
        return AuditEntry(self._ids.make(now), space, now, actor, action, detail)


def changes(wish: Wish, now: datetime, storable: Callable[[str], str]) -> list[ProfileChange]:
    """The rows that a wish becomes. An empty text takes the free text away."""
    given: dict[str, Value | None] = {}
    for name, value in _fields(wish.fields).items():
        given[accept.new_name(name, "a field's name")] = _value(name, value, storable)
    if wish.text is not None:
        given[FREE] = storable(accept.text(wish.text, "text")).strip() or None
    if not given:
        raise InvalidInput("nothing to set: give fields, such as {'city': 'Lisbon'}, or text")
    since = moment(wish.since, "since") or now
    expires = None if wish.expires is None else accept.moment(wish.expires, "expires")
    if expires is not None and expires <= since:
        raise InvalidInput(f"expires {expires.isoformat()} is not later than {since.isoformat()}")
    message = wish.source
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
        for name, value in given.items()
    ]


def moment(given: datetime | str | None, what: str) -> datetime | None:
    """A moment; of a day in UTC, as `2026-03-01`, its end, or its beginning for `since`."""
    return None if given is None else accept.edge(given, what, begins=what == "since")


def _fields(given: Mapping[str, Value] | None) -> Mapping[str, Value]:
    if given is not None and not isinstance(given, Mapping):
        raise InvalidInput(f"a profile's fields must be a mapping, not {type(given).__name__}")
    return given or {}


def _value(name: str, value: Value, storable: Callable[[str], str]) -> Value:
    if value is None:
        raise InvalidInput(f"field {name!r} has no value; to take it away call remove_profile({name!r})")
    if isinstance(value, str):
        return storable(accept.words(value, f"field {name!r}"))
    if isinstance(value, bool) or (isinstance(value, int) and abs(value) <= accept.LARGEST):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    raise InvalidInput(f"field {name!r} must be text, a number, true or false, not {value!r:.80}")


def _source(message: Message | None) -> ProfileSource:
    if message is None:
        return "caller"
    return "imported" if message.metadata.get("imported") else message.role
