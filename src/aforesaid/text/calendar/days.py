"""Spans of whole days, half-open, and numeric dates.

A numeric date that can be read in two ways (5/8/2023) is ignored."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

DaySpan = tuple[date, date]

DAY = timedelta(days=1)
WEEK = timedelta(days=7)


def days(today: date, first: int, last: int) -> DaySpan:
    """From `first` to `last` days away from today, both included."""
    return today + first * DAY, today + (last + 1) * DAY


def week(today: date, step: int) -> DaySpan:
    """Monday to Sunday, `step` weeks away."""
    monday = today - today.weekday() * DAY + step * WEEK
    return monday, monday + WEEK


def weekend(today: date, step: int) -> DaySpan:
    """Saturday and Sunday, `step` weeks away."""
    monday, end = week(today, step)
    return monday + 5 * DAY, end


def month(year: int, number: int) -> DaySpan:
    """A calendar month. Numbers below 1 and above 12 are months of other years."""
    first = year * 12 + number - 1
    return date(first // 12, first % 12 + 1, 1), date((first + 1) // 12, (first + 1) % 12 + 1, 1)


def year(number: int) -> DaySpan:
    return date(number, 1, 1), date(number + 1, 1, 1)


def season(year: int, start: int) -> DaySpan:
    """Three months from the month `start` on, as in the northern hemisphere."""
    return month(year, start)[0], month(year, start + 2)[1]


def period(today: date, unit: str, step: int) -> DaySpan:
    """The day, week, weekend, month or year that is `step` units away."""
    match unit:
        case "day":
            return days(today, step, step)
        case "week":
            return week(today, step)
        case "weekend":
            return weekend(today, step)
        case "month":
            return month(today.year, today.month + step)
        case _:
            return year(today.year + step)


def periods_around(today: date, unit: str, first: int, last: int) -> DaySpan:
    """The days of "two or three weeks ago": as `period`, but a week is centred on that day."""
    if unit == "week":
        return today + first * WEEK - 3 * DAY, today + last * WEEK + 4 * DAY
    return period(today, unit, first)[0], period(today, unit, last)[1]


def days_before(today: date, unit: str, count: int) -> date:
    """The day that is `count` units before today."""
    if unit in ("day", "week"):
        return today - count * (WEEK if unit == "week" else DAY)
    if unit == "weekend":
        return weekend(today, -count)[0]
    first, end = month(today.year, today.month - count * (12 if unit == "year" else 1))
    return min(first + (today.day - 1) * DAY, end - DAY)


def weekday(today: date, number: int, step: int) -> date:
    """The nearest weekday with this number before today (−1), after it (+1), or from today on (0)."""
    ahead = (number - today.weekday()) % 7
    if step < 0:
        return today + (ahead - 7) * DAY
    return today + (ahead or 7 * step) * DAY


def nearest_dates(today: date, number: int, day: int) -> tuple[date, date]:
    """The last date with this month and day up to today, and the next one from today on."""
    near = [each for year in range(today.year - 8, today.year + 9) if (each := _date(year, number, day))]
    return max(each for each in near if each <= today), min(each for each in near if each >= today)


_YEAR = r"(?P<{}>(?:19|20)\d\d)"
_BEFORE, _AFTER = r"(?<![\w.\-/:])", r"(?![\w\-/:]|\.\d)"
_FORMS = (
    rf"{_BEFORE}{_YEAR.format('y1')}(?P<s1>[\-/.])(?P<m1>\d\d?)(?P=s1)(?P<d1>\d\d?)(?=T\d\d:|(?![\w\-/:]|\.\d))",
    rf"{_BEFORE}(?P<d2>\d\d?)\.\s?(?P<m2>\d\d?)\.\s?{_YEAR.format('y2')}{_AFTER}",
    rf"{_BEFORE}(?P<a3>\d\d?)(?P<s3>[/\-])(?P<b3>\d\d?)(?P=s3){_YEAR.format('y3')}{_AFTER}",
    rf"{_YEAR.format('y4')}\s?[年년]\s?(?P<m4>\d\d?)\s?[月월]\s?(?P<d4>\d\d?)\s?[日号號일]",
)
_PATTERN = re.compile("|".join(_FORMS))


def numeric_dates(text: str) -> Iterator[tuple[int, int, DaySpan]]:
    """The start, the stop and the day of each numeric date."""
    for match in _PATTERN.finditer(text):
        number = match.lastgroup[-1] if match.lastgroup else ""
        year, *rest = (int(match[f"{part}{number}"]) for part in ("yab" if number == "3" else "ymd"))
        day = _either_order(year, *rest) if number == "3" else _date(year, *rest)
        if day is not None:
            yield match.start(), match.end(), (day, day + DAY)


def _either_order(year: int, one: int, other: int) -> date | None:
    """The date with day and month in either order; None if both orders are possible."""
    readings = {_date(year, one, other), _date(year, other, one)} - {None}
    return readings.pop() if len(readings) == 1 else None


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
