"""Moments as exports write them: seconds or milliseconds since 1970, or ISO text."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from recollect.models import Json

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MILLISECONDS = 100_000_000_000  # as seconds, this would be the year 5138


def moment(value: Json) -> datetime | None:
    """The moment, in UTC where no zone is given; None for what is none."""
    if isinstance(value, bool):
        return None
    try:
        if isinstance(value, int | float):
            return EPOCH + timedelta(seconds=value / 1000 if value > MILLISECONDS else value)
        found = datetime.fromisoformat(value) if isinstance(value, str) else None
        if found is None:
            return None
        return found.replace(tzinfo=UTC) if found.utcoffset() is None else found.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
