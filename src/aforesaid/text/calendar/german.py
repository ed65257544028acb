"""German time expressions."""

from __future__ import annotations

from aforesaid.text.calendar.language import CalendarLanguage, PhraseRule, months, numbers, ranges, table, units, words

LAST = r"(?:(?:der|die|das|am|im|in der) )?(?:letzte|vergangene|vorige)[nrsm]?"
NEXT = r"(?:(?:der|die|das|am|im|in der) )?(?:nächste|kommende)[nrsm]?"
THIS = r"(?:(?:in|an|am) )?diese[nrsm]?"

GERMAN = CalendarLanguage(
    marks=words("ich der die das und ist nicht wir war habe hatte mit ein eine einen auf dem den für zu sie"),
    days=ranges({
        (0, 0): "heute|heute morgen|heute abend", (-1, -1): "gestern|gestern morgen", (-2, -2): "vorgestern",
        (1, 1): "morgen", (2, 2): "übermorgen", (-14, -2): "neulich",
    }),
    units=units("tag", "woche", "wochenende", "monat", "jahr"),
    plurals=units("tage|tagen", "wochen", "wochenenden", "monate|monaten", "jahre|jahren"),
    weekdays=table("montag dienstag mittwoch donnerstag freitag samstag|sonnabend sonntag"),
    months=months("januar|jänner februar märz april mai juni juli august september oktober november dezember"),
    short_months=months("jan feb mär apr mai jun jul aug sep|sept okt nov dez"),
    seasons={"frühling": 3, "frühjahr": 3, "sommer": 6, "herbst": 9, "winter": 12},
    numbers=numbers("ein|eine|einem|einer|einen zwei drei vier fünf sechs sieben acht neun zehn elf zwölf")
    | ranges({(2, 4): "ein paar", (2, 5): "einigen|einige", (3, 7): "mehreren"}),
    ordinal=r"\.?",
    date=r"{day}{ordinal} {month}\.?(?: {year})?",
    rules=(
        PhraseRule("months", r"(?:zwischen|von) {name}(?: {year})? (?:und|bis) {until}(?: {untilyear})?"),
        PhraseRule("beside", r"(?:am|der|die|das|in der) (?:{unit}|{weekday}) vor dem {date}", -1),
        PhraseRule("beside", r"(?:am|der|die|das|in der) (?:{unit}|{weekday}) nach dem {date}", 1),
        PhraseRule("date", r"(?:(?:am|seit dem|bis zum|vom) )?{date}"),
        PhraseRule("ago", r"vor {count} {unit}"),
        PhraseRule("ahead", r"in {count} {unit}"),
        PhraseRule("past", r"(?:in |während )?(?:den |die )?(?:letzten|vergangenen) {count} {unit}"),
        PhraseRule("period", LAST + r" {period}", -1),
        PhraseRule("period", NEXT + r" {period}", 1),
        PhraseRule("period", THIS + r" {period}", 0),
        PhraseRule("weekday", LAST + r" {weekday}", -1),
        PhraseRule("weekday", NEXT + r" {weekday}", 1),
        PhraseRule("weekday", THIS + r" {weekday}", 0),
        PhraseRule("weekday", r"(?:am|seit|bis) {weekday}"),
        PhraseRule("month", LAST + r" {name}", -1),
        PhraseRule("month", NEXT + r" {name}", 1),
        PhraseRule("month", THIS + r" {name}", 0),
        PhraseRule("month", r"(?:im|seit|bis|(?:anfang|mitte|ende)) {name}(?: {year})?"),
        PhraseRule("month", r"{name} {year}"),
        PhraseRule("season", LAST + r" {season}", -1),
        PhraseRule("season", NEXT + r" {season}", 1),
        PhraseRule("season", THIS + r" {season}", 0),
        PhraseRule("season", r"(?:im )?{season} {year}"),
        PhraseRule("day", r"(?<!guten\s)(?<!am\s){dayword}"),
        PhraseRule("year", r"(?:im jahr|im jahre|seit|bis|anfang|mitte|ende) {year}"),
    ),
    future=r"\b(?:werden?|wirst|wird|werdet|wollen|will)\b",
    doubtful=frozenset({"morgen"}),
)  # fmt: skip
