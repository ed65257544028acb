"""Spans of whole days: half-open, from a first day to the day after the last."""

from __future__ import annotations

from calendar import monthrange
from datetime import date, timedelta

Span = tuple[date, date]

DAY = timedelta(days=1)
WEEK = timedelta(days=7)


def days(today: date, first: int, last: int) -> Span:
    """From `first` to `last` days away from today, both included."""
    return today + first * DAY, today + (last + 1) * DAY


def week(today: date, step: int) -> Span:
    """Monday to Sunday, `step` weeks away."""
    monday = today - today.weekday() * DAY + step * WEEK
    return monday, monday + WEEK


def weekend(today: date, step: int) -> Span:
    """Saturday and Sunday of a week. On a Saturday or Sunday, the last weekend is the one before."""
    monday, end = week(today, step)
    return monday + 5 * DAY, end


def month(year: int, number: int) -> Span:
    """A calendar month; numbers below 1 and above 12 lie in other years."""
    first = year * 12 + number - 1
    return date(first // 12, first % 12 + 1, 1), date((first + 1) // 12, (first + 1) % 12 + 1, 1)


def year(number: int) -> Span:
    return date(number, 1, 1), date(number + 1, 1, 1)


def season(year: int, start: int) -> Span:
    """Three months from the month `start` on, as the northern half of the world counts them."""
    return month(year, start)[0], month(year, start + 2)[1]


def period(today: date, unit: str, step: int) -> Span:
    """The day, week, weekend, month or year that lies `step` of them away."""
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


def around(today: date, unit: str, step: int) -> Span:
    """What "two weeks ago" means: as `period`, but a week has its middle on that very day."""
    if unit == "week":
        middle = today + step * WEEK
        return middle - 3 * DAY, middle + 4 * DAY
    return period(today, unit, step)


def back(today: date, unit: str, count: int) -> date:
    """The day that lies `count` days, weeks, weekends, months or years before today."""
    if unit in ("day", "week"):
        return today - count * (WEEK if unit == "week" else DAY)
    if unit == "weekend":
        return weekend(today, -count)[0]
    first, end = month(today.year, today.month - count * (12 if unit == "year" else 1))
    return min(first + (today.day - 1) * DAY, end - DAY)


def weekday(today: date, number: int, step: int) -> date:
    """The nearest such day before today (−1), after it (+1), or from today on (0)."""
    ahead = (number - today.weekday()) % 7
    if step < 0:
        return today + (ahead - 7) * DAY
    return today + (ahead or 7 * step) * DAY


def beside(today: date, number: int, day: int) -> tuple[date, date]:
    """The day of a month without its year: the last one up to today, and the next from today on."""
    near = [date(year, number, day) for year in range(today.year - 8, today.year + 9) if _exists(year, number, day)]
    return max(each for each in near if each <= today), min(each for each in near if each >= today)


def _exists(year: int, number: int, day: int) -> bool:
    return 0 < year < 10_000 and 1 <= day <= monthrange(year, number)[1]
