"""Resolves a phrase to days, relative to the day of the message."""

from __future__ import annotations

from datetime import date

from aforesaid.text.calendar import days
from aforesaid.text.calendar.days import DAY, DaySpan
from aforesaid.text.calendar.language import CountRange, Phrase

SOON = 90 * DAY  # a date without a year is the next one if it is this close


def resolve_phrase(phrase: Phrase, today: date, future: bool) -> DaySpan | None:
    """The days of a phrase; None for an invalid date. A weekday or month without "last" or "next" is the last one; in a
    sentence about the future, the next one."""
    try:
        return _RESOLVERS[phrase.rule.kind](phrase, today, future)
    except (LookupError, ValueError, OverflowError):
        return None


def _day(phrase: Phrase, today: date, _: bool) -> DaySpan:
    first, last = phrase.language.days[phrase.slots["dayword"]]
    return days.days(today, first, last)


def _ago(phrase: Phrase, today: date, _: bool) -> DaySpan:
    least, most = _count(phrase)
    return days.periods_around(today, _unit(phrase), -most, -least)


def _ahead(phrase: Phrase, today: date, _: bool) -> DaySpan:
    return days.periods_around(today, _unit(phrase), *_count(phrase))


def _soon(phrase: Phrase, today: date, future: bool) -> DaySpan | None:
    return _ahead(phrase, today, future) if future else None


def _past(phrase: Phrase, today: date, _: bool) -> DaySpan:
    return days.days_before(today, _unit(phrase), _count(phrase)[1]), today + DAY


def _period(phrase: Phrase, today: date, _: bool) -> DaySpan:
    return days.period(today, _unit(phrase), phrase.rule.step or 0)


def _weekday(phrase: Phrase, today: date, future: bool) -> DaySpan:
    number = phrase.language.weekdays[phrase.slots.get("weekday") or phrase.slots["fullday"]]
    day = days.weekday(today, number, _step(phrase, future))
    return day, day + DAY


def _month(phrase: Phrase, today: date, future: bool) -> DaySpan:
    number = _month_number(phrase)
    if "year" in phrase.slots:
        return days.month(int(phrase.slots["year"]), number)
    step = phrase.rule.step
    if step == 0:
        return days.month(today.year, number)
    if step is None:
        return _nearest_month(today, number, future)
    years = int(number <= today.month) if step > 0 else -int(number >= today.month)
    return days.month(today.year + years, number)


def _nearest_month(today: date, number: int, future: bool) -> DaySpan:
    """The last month with this number, or the next; the current month counts."""
    years = int(number < today.month) if future else -int(number > today.month)
    return days.month(today.year + years, number)


def _months(phrase: Phrase, today: date, future: bool) -> DaySpan:
    """From one month to another. Without a year, the first month is the nearest one before the last."""
    last, first = phrase.language.months[phrase.slots["until"]], _month_number(phrase)
    year = phrase.slots.get("untilyear")
    _, stop = days.month(int(year), last) if year else _nearest_month(today, last, future)
    if "year" in phrase.slots:
        return days.month(int(phrase.slots["year"]), first)[0], stop
    return days.month((stop - DAY).year - (first > last), first)[0], stop


def _date(phrase: Phrase, today: date, future: bool) -> DaySpan:
    day = _anchor(phrase, today, future)
    return day, day + DAY


def _year(phrase: Phrase, _: date, __: bool) -> DaySpan:
    return days.year(int(phrase.slots["year"]))


def _season(phrase: Phrase, today: date, _: bool) -> DaySpan:
    start = phrase.language.seasons[phrase.slots["season"]]
    if "year" in phrase.slots:
        return days.season(int(phrase.slots["year"]), start)
    near = [days.season(today.year + step, start) for step in (-2, -1, 0, 1)]
    match phrase.rule.step:
        case -1:
            return [span for span in near if span[1] <= today][-1]
        case 1:
            return next(span for span in near if span[0] > today)
        case _:
            return days.season(today.year - (start == 12 and today.month < 4), start)


def _beside(phrase: Phrase, today: date, future: bool) -> DaySpan:
    anchor, step = _anchor(phrase, today, future), phrase.rule.step or 0
    if "weekday" in phrase.slots:
        day = days.weekday(anchor, phrase.language.weekdays[phrase.slots["weekday"]], step)
        return day, day + DAY
    unit = _unit(phrase)
    if unit == "week":
        return (anchor - days.WEEK, anchor) if step < 0 else (anchor + DAY, anchor + DAY + days.WEEK)
    if unit == "weekend" and step > 0 and anchor.weekday() < 5:
        step = 0
    return days.period(anchor, unit, step)


def _part(phrase: Phrase, today: date, future: bool) -> DaySpan:
    start, stop = _month(phrase, today, future)
    nth = ("first", "second", "third", "last").index(phrase.slots["nth"])
    if phrase.language.units[phrase.slots["period"]] == "weekend":
        saturdays = [start + at * DAY for at in range((stop - start).days) if (start + at * DAY).weekday() == 5]
        saturday = saturdays[-1 if nth == 3 else nth]
        return saturday, saturday + 2 * DAY
    first = stop - days.WEEK if nth == 3 else start + nth * days.WEEK
    return first, first + days.WEEK


def _anchor(phrase: Phrase, today: date, future: bool) -> date:
    number, day = _month_number(phrase), int(phrase.slots["day"])
    if "year" in phrase.slots:
        return date(int(phrase.slots["year"]), number, day)
    past, coming = days.nearest_dates(today, number, day)
    return coming if coming - today <= SOON or (future and today - past > SOON) else past


def _month_number(phrase: Phrase) -> int:
    name = phrase.slots.get("name") or phrase.slots["month"]
    language = phrase.language
    return language.months[name] if name in language.months else language.short_months[name]


def _count(phrase: Phrase) -> CountRange:
    word = phrase.slots.get("count", "1")
    if word.isdecimal():
        return int(word), int(word)
    return phrase.language.numbers[word]


def _unit(phrase: Phrase) -> str:
    word = phrase.slots.get("unit") or phrase.slots["period"]
    return phrase.language.units.get(word) or phrase.language.plurals[word]


def _step(phrase: Phrase, future: bool) -> int:
    if phrase.rule.step is not None:
        return phrase.rule.step
    return 1 if future else -1


_RESOLVERS = {
    "day": _day, "ago": _ago, "ahead": _ahead, "soon": _soon, "past": _past, "period": _period, "weekday": _weekday,
    "month": _month, "months": _months, "date": _date, "year": _year, "season": _season, "beside": _beside,
    "part": _part,
}  # fmt: skip
