"""Profiles, consent, and the audit entries about them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

from aforesaid.models.json import Json
from aforesaid.models.value import Value

ProfileSource = Literal["caller", "user", "assistant", "system", "tool", "imported"]
AuditAction = Literal["grant", "revoke", "change", "remove", "read", "export", "import", "hold", "release"]
PROFILE_SOURCES: tuple[ProfileSource, ...] = get_args(ProfileSource)
AUDIT_ACTIONS: tuple[AuditAction, ...] = get_args(AuditAction)


@dataclass(frozen=True, slots=True)
class Consent(Value):
    """The consent of a space to store a profile: its state, its time, and who gave it. `at` is None by default."""

    space: str
    granted: bool = False
    at: datetime | None = None
    by: str | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class ProfileField(Value):
    """A profile field: its value, its time range, and its source. `source` is the caller, or the role of the author of
    the message `message_id`; `imported` for an imported message."""

    name: str
    value: str | int | float | bool
    source: ProfileSource
    conversation: str | None
    message_id: str | None
    since: datetime
    expires_at: datetime | None
    set_at: datetime


@dataclass(frozen=True, slots=True)
class Profile(Value):
    """The fields of a profile and its free text. Empty without consent."""

    space: str
    consent: bool = False
    fields: tuple[ProfileField, ...] = ()
    free: ProfileField | None = None

    @property
    def values(self) -> dict[str, str | int | float | bool]:
        """The values of the fields by name."""
        return {field.name: field.value for field in self.fields}

    @property
    def text(self) -> str:
        """The free text; empty if there is none."""
        return "" if self.free is None else str(self.free.value)


@dataclass(frozen=True, slots=True)
class Revocation(Value):
    """The report of a revocation. `entries` counts all erased values, also past ones; the free text is the field with
    an empty name.

    `scrubbed` is False if another process was reading, so that the log still contains erased bytes. Revoke again to
    repeat the scrub.
    """

    space: str
    at: datetime
    fields: tuple[str, ...]
    entries: int
    receipts: int
    scrubbed: bool


@dataclass(frozen=True, slots=True)
class AuditEntry(Value):
    """An entry of the audit log. `detail` has names of fields, never values. An import sets `imported`."""

    id: str
    space: str
    at: datetime
    actor: str
    action: AuditAction
    detail: Mapping[str, Json]
    imported: bool = False


@dataclass(frozen=True, slots=True)
class ProfileChange:
    """One row of a profile's history: a field's value from `since` on; None if removed. The free text has no name."""

    name: str
    value: str | int | float | bool | None
    source: ProfileSource
    conversation: str | None
    message_id: str | None
    since: datetime
    expires_at: datetime | None
    known_from: datetime
