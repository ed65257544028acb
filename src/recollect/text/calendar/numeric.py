"""Dates in figures, which need no language. What may be read in two ways (5/8/2023) is not read at all."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from recollect.text.calendar.days import DAY, Span

_YEAR = r"(?P<{}>(?:19|20)\d\d)"
_BEFORE, _AFTER = r"(?<![\w.\-/:])", r"(?![\w\-/:]|\.\d)"
_FORMS = (
    rf"{_BEFORE}{_YEAR.format('y1')}(?P<s1>[\-/.])(?P<m1>\d\d?)(?P=s1)(?P<d1>\d\d?)(?=T\d\d:|(?![\w\-/:]|\.\d))",
    rf"{_BEFORE}(?P<d2>\d\d?)\.\s?(?P<m2>\d\d?)\.\s?{_YEAR.format('y2')}{_AFTER}",
    rf"{_BEFORE}(?P<a3>\d\d?)(?P<s3>[/\-])(?P<b3>\d\d?)(?P=s3){_YEAR.format('y3')}{_AFTER}",
    rf"{_YEAR.format('y4')}\s?[年년]\s?(?P<m4>\d\d?)\s?[月월]\s?(?P<d4>\d\d?)\s?[日号號일]",
)
_PATTERN = re.compile("|".join(_FORMS))


def dates(text: str) -> Iterator[tuple[int, int, Span]]:
    """Where a date in figures stands, and the day that it is."""
    for match in _PATTERN.finditer(text):
        found = {name: value for name, value in match.groupdict().items() if value is not None}
        number = match.lastgroup[-1] if match.lastgroup else ""
        year, *rest = (int(found[f"{part}{number}"]) for part in ("yab" if number == "3" else "ymd"))
        day = _slashed(year, *rest) if number == "3" else _date(year, *rest)
        if day is not None:
            yield match.start(), match.end(), (day, day + DAY)


def _slashed(year: int, one: int, other: int) -> date | None:
    """Day and month in either order, where only one order is possible."""
    readings = {_date(year, one, other), _date(year, other, one)} - {None}
    return readings.pop() if len(readings) == 1 else None


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
