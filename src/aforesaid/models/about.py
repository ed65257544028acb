"""The portrait of a space."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from aforesaid.models.value import Value

AboutKind = Literal["profile", "fact", "message"]


@dataclass(frozen=True, slots=True)
class AboutItem(Value):
    """One line of a portrait. `source` is the id of the message or of the fact, or the name of the profile field."""

    kind: AboutKind
    text: str
    source: str
    at: datetime
    conversation: str | None = None
    speaker: str | None = None


@dataclass(frozen=True, slots=True)
class About(Value):
    """The portrait of a space. `text` is for a system prompt; it is empty if nothing is known. `tokens` is its exact
    count."""

    text: str
    items: tuple[AboutItem, ...]
    tokens: int
