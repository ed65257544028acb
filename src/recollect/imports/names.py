"""Ids for what an export names badly or not at all: always the same for the same."""

from __future__ import annotations

import hashlib
import json

from recollect.models import Json
from recollect.text.accept import LARGEST_NAME, LONGEST_NAME


def named(value: Json) -> str | None:
    """The id or name that an export gives, where it can serve as one."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value if isinstance(value, str) and value.strip() and _fits(value) else None


def _fits(name: str) -> bool:
    return len(name) <= LONGEST_NAME and len(name.encode(errors="replace")) <= LARGEST_NAME


def digest(*parts: Json) -> str:
    """An id that follows from what is given, in this order."""
    written = json.dumps(parts, sort_keys=True, default=str)
    return hashlib.sha256(written.encode()).hexdigest()[:32]
