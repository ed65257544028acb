"""Parses the text files that WhatsApp exports, in the date formats of iOS and Android.

The files have local times without a zone, which are read as UTC. The dates of a file decide the order of day and month.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import chain, pairwise

from aforesaid.interop.chat_import import parsing
from aforesaid.interop.chat_import.exports import ExportItem, SkippedItems, SkipReason, SourceFile
from aforesaid.interop.chat_import.people import ChatLine
from aforesaid.interop.chat_import.session_batches import SessionBatches

Lines = Callable[[], Iterator[str]]  # reads the lines of the file from its beginning

MARK = "\u200e"  # before a text that WhatsApp wrote: a notice, or an attached file
MAX_SAMPLE = 5000  # first lines with a date, which decide the order of day and month
MAX_NAMES = 50  # of authors that are counted
_MARKS = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
_SPACES = re.compile("[\u00a0\u202f]")
_STAMP = (
    r"(\d{1,4})[./-] ?(\d{1,2})[./-] ?(\d{1,4})\.?"  # the date
    r"[,،]? ?([^\d\[\]:\n]{0,12}?)"  # a word such as `at`, or the half of the day
    r"(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))? ?([^\W\d][^\d\[\]:]{0,8}?)?"  # the time
)
_HEAD = re.compile(rf"(?:\[{_STAMP}\] |{_STAMP} ?[-–] )(.*)", re.DOTALL)
_AFTERNOON = re.compile(r"\bp\.? ?m|\bodp|\bμ\.? ?μ|下午|晚上|中午|午後|오후|\bch\b|\bم", re.IGNORECASE)
_MORNING = re.compile(r"\ba\.? ?m|\bdop|\bπ\.? ?μ|上午|凌晨|早上|午前|오전|\bsa\b|\bص", re.IGNORECASE)
_AUTHOR = re.compile(r"([^:\n]{1,100}?): (.*)|([^:\n]{1,100}):\n?$", re.DOTALL)
_EDITED = re.compile(r"\u200e<[^<>\n]{1,60}>\s*$")
_MEDIA = re.compile(r"<[^<>\n]{3,60}>|[^\n]{1,200}\.\w{2,4} \([^()\n]{3,60}\)")


@dataclass(frozen=True, slots=True)
class WhatsAppTime:
    """The numbers of a date and time, and the words beside the time."""

    date: tuple[int, int, int]
    time: tuple[int, int, int]
    half: str
    year_first: bool

    def moment(self, order: str) -> datetime | None:
        """The time, if the parts of the date are in the order, such as `dmy`. None if it is not a date."""
        parts = dict(zip(order, self.date, strict=True))
        year = parts["y"] + 2000 if parts["y"] < 100 else parts["y"]
        hour, minute, second = self.time
        if _AFTERNOON.search(self.half) and hour < 12:
            hour += 12
        elif _MORNING.search(self.half) and hour == 12:
            hour = 0
        try:
            return datetime(year, parts["m"], parts["d"], hour, minute, second, tzinfo=UTC)
        except ValueError:
            return None


@dataclass(slots=True)
class WhatsAppEntry:
    """A line with a date, and the lines after it without one."""

    stamp: WhatsAppTime
    lines: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def knows(first_lines: Iterator[str]) -> bool:
    """Returns True if the first line has a date, and one of the lines has a date and an author."""
    first = next(first_lines, "")
    if next(_entries(iter([first])), None) is None:
        return False
    return any(_AUTHOR.match(_clean(entry.text)) for entry in _entries(chain([first], first_lines)))


def chats(lines: Lines, file: SourceFile) -> Iterator[ExportItem]:
    session = SessionBatches("whatsapp", f"whatsapp:{file.stem}")
    session.title = file.stem.strip("_ ")
    order, me = _survey(lines, file)
    same_minute: Counter[str] = Counter()
    last: WhatsAppTime | None = None
    for entry in _entries(lines()):
        if entry.stamp != last:
            same_minute.clear()
            last = entry.stamp
        line = _line(entry, session)
        if line is None:
            continue
        key = parsing.stable_id(
            session.id, [*entry.stamp.date, *entry.stamp.time], entry.stamp.half, line.author, line.text
        )
        same_minute[key] += 1
        own_id = parsing.stable_id(key, same_minute[key])
        yield from session.add([ChatLine(line.author, line.text, own_id, entry.stamp.moment(order)).message(me)])
    if order == "":
        yield SkippedItems(SkipReason.UNKNOWN)
    yield from session.flush()


def _line(entry: WhatsAppEntry, session: SessionBatches) -> ChatLine | None:
    """What a person wrote; counts what WhatsApp wrote."""
    found = _AUTHOR.match(entry.text)
    if found is None:
        session.skipped[SkipReason.NOTICE] += 1
        return None
    author, text = _clean(found[1] or found[3]).strip(" ~"), _EDITED.sub("", found[2] or "")
    first, _, rest = text.partition("\n")
    media = _MEDIA.fullmatch(_clean(first).strip()) is not None
    if first.startswith(MARK) or media:
        notice = not media and not rest.strip() and ":" not in first and len(first.split()) > 3
        session.skipped[SkipReason.NOTICE if notice else SkipReason.ATTACHMENTS] += 1
        text = rest
    if text.strip():
        return ChatLine(author, _clean(text).strip())
    if not first.startswith(MARK) and not media:
        session.skipped[SkipReason.NO_TEXT] += 1
    return None


def _clean(text: str) -> str:
    return _MARKS.sub("", _SPACES.sub(" ", text))


def _entries(lines: Iterator[str]) -> Iterator[WhatsAppEntry]:
    entry: WhatsAppEntry | None = None
    for line in lines:
        plain = _SPACES.sub(" ", line.lstrip("\u200e\u200f\ufeff"))
        found = _HEAD.match(plain) if plain[:2].strip("[")[:1].isdecimal() else None
        if found is not None:
            if entry is not None:
                yield entry
            *numbers, text = found.groups()
            entry = WhatsAppEntry(_stamp(numbers[:8] if numbers[0] else numbers[8:]), [text])
        elif entry is not None:
            entry.lines.append(line)
    if entry is not None:
        yield entry


def _stamp(parts: Sequence[str | None]) -> WhatsAppTime:
    first, second, third, before, hour, minute, seconds, after = parts
    date = int(first or 0), int(second or 0), int(third or 0)
    time = int(hour or 0), int(minute or 0), int(seconds or 0)
    return WhatsAppTime(date, time, f"{before or ''} {after or ''}", len(first or "") == 4)


def _survey(lines: Lines, file: SourceFile) -> tuple[str, str | None]:
    """The order of the dates' parts, and the user's name: the other person's in a chat that is
    named after one of two."""
    stamps: list[WhatsAppTime] = []
    names: Counter[str] = Counter()
    for entry in _entries(lines()):
        found = _AUTHOR.match(_clean(entry.text))
        if found is not None and len(names) < MAX_NAMES:
            names[(found[1] or found[3]).strip(" ~")] += 1
        stamps.append(entry.stamp)
        if len(stamps) == MAX_SAMPLE:
            break
    others = [name for name in names if file.stem.endswith(name)]
    mine = [name for name in names if name not in others]
    guess = mine[0] if len(names) == 2 and len(others) == 1 else None
    return _date_order(stamps), file.me or guess


def _date_order(times: Sequence[WhatsAppTime]) -> str:
    """The order of day, month and year: the one with the most valid dates, which do not fall from line to line. If
    several are left, the year is where the chat is shortest, and an American style has the month first."""
    if not times:
        return ""
    american = times[0].half.strip() in ("AM", "PM") and times[0].date[2] < 100
    orders = [order for order in (("mdy", "dmy") if american else ("dmy", "mdy")) if not times[0].year_first]
    orders += [order for order in ("ymd", "ydm") if times[0].date[2] < 100]
    if not orders:
        return "dmy"
    moments = {order: [moment for time in times if (moment := time.moment(order))] for order in orders}
    most = max(map(len, moments.values()))
    valid = [order for order in orders if len(moments[order]) == most]
    rising = [order for order in valid if all(one <= other for one, other in pairwise(moments[order]))] or valid
    return min(rising, key=lambda order: _span(moments, rising, order[0] == "y"))


def _span(moments: Mapping[str, Sequence[datetime]], orders: Sequence[str], year_first: bool) -> timedelta:
    """The shortest duration of the chat, if the year is first, or if it is last."""
    known = (moments[order] for order in orders if (order[0] == "y") == year_first and moments[order])
    return min((each[-1] - each[0] for each in known), default=timedelta.max)
