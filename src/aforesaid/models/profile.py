"""Profiles, consent, and the audit entries about them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from aforesaid.models.json import Json

ProfileSource = Literal["caller", "user", "assistant", "system", "tool", "imported"]
AuditAction = Literal["grant", "revoke", "change", "remove", "read", "export", "import"]
PROFILE_SOURCES: tuple[ProfileSource, ...] = ("caller", "user", "assistant", "system", "tool", "imported")
AUDIT_ACTIONS: tuple[AuditAction, ...] = ("grant", "revoke", "change", "remove", "read", "export", "import")


@dataclass(frozen=True, slots=True)
class Consent:
    """Whether a space has agreed to keep a profile, since when, who said so; `at` is None where nobody was asked."""

    space: str
    granted: bool = False
    at: datetime | None = None
    by: str | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class ProfileField:
    """One thing that is known of a person: since when it is true, until when, and who says so.

    `source` is the caller, or the role of the one who said it in the message `message_id` of `conversation`;
    `imported` for words that came from elsewhere.
    """

    name: str
    value: str | int | float | bool
    source: ProfileSource
    conversation: str | None
    message_id: str | None
    since: datetime
    expires_at: datetime | None
    set_at: datetime


@dataclass(frozen=True, slots=True)
class Profile:
    """What is known of a person, by name. Without consent it is empty, whatever there was before."""

    space: str
    consent: bool = False
    fields: tuple[ProfileField, ...] = ()
    free: ProfileField | None = None

    @property
    def values(self) -> dict[str, str | int | float | bool]:
        """The fields' values by their names."""
        return {field.name: field.value for field in self.fields}

    @property
    def text(self) -> str:
        """The free text; empty where there is none."""
        return "" if self.free is None else str(self.free.value)


@dataclass(frozen=True, slots=True)
class Revocation:
    """What revoking consent erased. `entries` counts every value that a field ever had; the free text is the field
    without a name.

    `scrubbed` is false where another process was reading and the store's log still has the erased bytes: revoking
    again tries again.
    """

    space: str
    at: datetime
    fields: tuple[str, ...]
    entries: int
    receipts: int
    scrubbed: bool


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """Who did what with a profile and when. `detail` has names of fields, never their values; `imported` entries came
    with an imported space."""

    id: str
    space: str
    at: datetime
    actor: str
    action: AuditAction
    detail: Mapping[str, Json]
    imported: bool = False


# What a profile's verbs hand to a store.


@dataclass(frozen=True, slots=True)
class ProfileChange:
    """One row of a profile's history: what a field is from `since` on, or (None) that it is gone. The field without a
    name is the free text."""

    name: str
    value: str | int | float | bool | None
    source: ProfileSource
    conversation: str | None
    message_id: str | None
    since: datetime
    expires_at: datetime | None
    known_from: datetime
