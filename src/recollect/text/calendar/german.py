"""German words for time."""

from __future__ import annotations

from recollect.text.calendar.language import Language, Rule, months, numbers, table, words

LAST = r"(?:(?:der|die|das|am|im|in der) )?(?:letzte|vergangene|vorige)[nrsm]?"
NEXT = r"(?:(?:der|die|das|am|im|in der) )?(?:nächste|kommende)[nrsm]?"
THIS = r"(?:(?:in|an|am) )?diese[nrsm]?"

GERMAN = Language(
    marks=words("ich der die das und ist nicht wir war habe hatte mit ein eine einen auf dem den für zu sie"),
    days={
        "heute": (0, 0), "gestern": (-1, -1), "vorgestern": (-2, -2), "morgen": (1, 1), "übermorgen": (2, 2),
        "neulich": (-14, -2), "heute morgen": (0, 0), "gestern morgen": (-1, -1), "heute abend": (0, 0),
    },
    units={
        "tag": "day", "woche": "week", "wochenende": "weekend", "monat": "month", "jahr": "year",
    },
    plurals={
        "tage": "day", "tagen": "day", "wochen": "week", "wochenenden": "weekend", "monate": "month",
        "monaten": "month", "jahre": "year", "jahren": "year",
    },
    weekdays=table("montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag|sonnabend", "sonntag"),
    months=months(
        "januar|jänner", "februar", "märz", "april", "mai", "juni", "juli", "august", "september", "oktober",
        "november", "dezember",
    ),
    short_months=months("jan", "feb", "mär", "apr", "mai", "jun", "jul", "aug", "sep|sept", "okt", "nov", "dez"),
    seasons={"frühling": 3, "frühjahr": 3, "sommer": 6, "herbst": 9, "winter": 12},
    numbers={
        **numbers(
            "ein|eine|einem|einer|einen", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn",
            "elf", "zwölf",
        ),
        "ein paar": (2, 4), "einigen": (2, 5), "einige": (2, 5), "mehreren": (3, 7),
    },
    ordinal=r"\.?",
    date=r"{day}{ordinal} {month}\.?(?: {year})?",
    rules=(
        Rule("months", r"(?:zwischen|von) {name}(?: {year})? (?:und|bis) {until}(?: {untilyear})?"),
        Rule("beside", r"(?:am|der|die|das|in der) (?:{unit}|{weekday}) vor dem {date}", -1),
        Rule("beside", r"(?:am|der|die|das|in der) (?:{unit}|{weekday}) nach dem {date}", 1),
        Rule("date", r"(?:(?:am|seit dem|bis zum|vom) )?{date}"),
        Rule("ago", r"vor {count} {unit}"),
        Rule("ahead", r"in {count} {unit}"),
        Rule("past", r"(?:in |während )?(?:den |die )?(?:letzten|vergangenen) {count} {unit}"),
        Rule("period", LAST + r" {period}", -1),
        Rule("period", NEXT + r" {period}", 1),
        Rule("period", THIS + r" {period}", 0),
        Rule("weekday", LAST + r" {weekday}", -1),
        Rule("weekday", NEXT + r" {weekday}", 1),
        Rule("weekday", THIS + r" {weekday}", 0),
        Rule("weekday", r"(?:am|seit|bis) {weekday}"),
        Rule("month", LAST + r" {name}", -1),
        Rule("month", NEXT + r" {name}", 1),
        Rule("month", THIS + r" {name}", 0),
        Rule("month", r"(?:im|seit|bis|(?:anfang|mitte|ende)) {name}(?: {year})?"),
        Rule("month", r"{name} {year}"),
        Rule("season", LAST + r" {season}", -1),
        Rule("season", NEXT + r" {season}", 1),
        Rule("season", THIS + r" {season}", 0),
        Rule("season", r"(?:im )?{season} {year}"),
        Rule("day", r"(?<!guten\s)(?<!am\s){dayword}"),
        Rule("year", r"(?:im jahr|im jahre|seit|bis|anfang|mitte|ende) {year}"),
    ),
    future=r"\b(?:werden?|wirst|wird|werdet|wollen|will)\b",
    doubtful=frozenset({"morgen"}),
)  # fmt: skip
