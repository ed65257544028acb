"""Dutch time expressions."""

from __future__ import annotations

from aforesaid.text.calendar.language import CalendarLanguage, PhraseRule, months, numbers, ranges, table, units, words

LAST = r"(?:(?:de|het) )?(?:vorige?|afgelopen|laatste)"
NEXT = r"(?:(?:de|het) )?(?:volgende?|komende?|aanstaande)"
THIS = r"(?:deze|dit)"

DUTCH = CalendarLanguage(
    marks=words("ik de het een en is niet wij we was heb had met op van naar zijn mijn er dat voor te ben"),
    days=ranges({
        (0, 0): "vandaag|vanmorgen|vanochtend|vanmiddag|vanavond", (-1, -1): "gisteren|gisteravond",
        (-1, 0): "vannacht", (-2, -2): "eergisteren", (1, 1): "morgen", (2, 2): "overmorgen",
        (-14, -2): "onlangs|laatst",
    }),
    units=units("dag", "week", "weekend|weekeinde", "maand", "jaar"),
    plurals=units("dagen", "weken", "weekenden", "maanden", "jaren"),
    weekdays=table("maandag dinsdag woensdag donderdag vrijdag zaterdag zondag"),
    months=months("januari februari maart april mei juni juli augustus september oktober november december"),
    short_months=months("jan feb mrt apr mei jun jul aug sep|sept okt nov dec"),
    seasons={"lente": 3, "voorjaar": 3, "zomer": 6, "herfst": 9, "najaar": 9, "winter": 12},
    numbers=numbers("een|één twee drie vier vijf zes zeven acht negen tien elf twaalf")
    | ranges({(2, 4): "een paar", (2, 5): "enkele", (3, 7): "meerdere"}),
    ordinal=r"(?:e|ste|de)?",
    date=r"{day}{ordinal} {month}(?: {year})?",
    rules=(
        PhraseRule("months", r"(?:tussen|van) {name}(?: {year})? (?:en|tot) {until}(?: {untilyear})?"),
        PhraseRule("beside", r"(?:de|het) (?:{unit}|{weekday}) (?:voor|vóór) {date}", -1),
        PhraseRule("beside", r"(?:de|het) (?:{unit}|{weekday}) na {date}", 1),
        PhraseRule("date", r"(?:(?:op|sinds|tot) )?(?:{weekday} )?{date}"),
        PhraseRule("ago", r"{count} {unit} geleden"),
        PhraseRule("ahead", r"over {count} {unit}"),
        PhraseRule("past", r"(?:in )?de (?:afgelopen|laatste) {count} {unit}"),
        PhraseRule("period", LAST + r" {period}", -1),
        PhraseRule("period", NEXT + r" {period}", 1),
        PhraseRule("period", THIS + r" {period}", 0),
        PhraseRule("weekday", LAST + r" {weekday}", -1),
        PhraseRule("weekday", NEXT + r" {weekday}", 1),
        PhraseRule("weekday", THIS + r" {weekday}", 0),
        PhraseRule("weekday", r"(?:op|sinds|tot) {weekday}"),
        PhraseRule("month", LAST + r" {name}", -1),
        PhraseRule("month", NEXT + r" {name}", 1),
        PhraseRule("month", r"(?:in|sinds|tot|begin|eind|half|medio) {name}(?: {year})?"),
        PhraseRule("month", r"{name} {year}"),
        PhraseRule("season", LAST + r" {season}", -1),
        PhraseRule("season", NEXT + r" {season}", 1),
        PhraseRule("season", THIS + r" {season}", 0),
        PhraseRule("season", r"(?:in )?(?:de |het )?{season} (?:van )?{year}"),
        PhraseRule("day", r"(?<!goede\s)(?<!ten\s)(?<!het\s){dayword}"),
        PhraseRule("year", r"(?:in|sinds|tot|begin|eind) {year}"),
    ),
    future=r"\b(?:zal|zullen|zult|ga|gaan|gaat)\b",
    doubtful=frozenset({"morgen", "laatst", "onlangs"}),
)  # fmt: skip
