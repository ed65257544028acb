"""Stored text as a terminal may show it: escaped, never interpreted."""

from __future__ import annotations

import re
from datetime import datetime

# Control characters but the line feed (C0, DEL, C1), marks that turn the direction of the text around, line and
# paragraph separators, halves of surrogate pairs.
UNSAFE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
TAB = "    "


def shown(text: str) -> str:
    """The text with whatever would move the cursor, colour or reorder it written as an escape."""
    return UNSAFE.sub(_escape, text.replace("\r\n", "\n").replace("\t", TAB))


def line(text: str) -> str:
    """The text on one line."""
    return shown(" ".join(text.split()))


def shortened(text: str, most: int) -> str:
    """The beginning of the text, on one line of at most `most` characters."""
    whole = line(text)
    return whole if len(whole) <= most else whole[: most - 1].rstrip() + "…"


def moment(at: datetime) -> str:
    """A time as people read it: in the zone of this machine, to the second."""
    try:
        local = at.astimezone()
    except (OverflowError, OSError):  # the first and last hours of the calendar have no local time everywhere
        local = at
    return local.replace(tzinfo=None).isoformat(" ", "seconds")


def _escape(found: re.Match[str]) -> str:
    number = ord(found[0])
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}"
