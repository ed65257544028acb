"""Italian time expressions."""

from __future__ import annotations

from aforesaid.text.calendar.language import CalendarLanguage, PhraseRule, months, numbers, ranges, table, units, words

LAST = r"(?:scors[oa]|passat[oa])"
NEXT = r"(?:prossim[oa]|che viene)"

ITALIAN = CalendarLanguage(
    marks=words("io il lo la gli è e non un una che con sono ho abbiamo mi per di del della ha siamo ma"),
    days=ranges({
        (0, 0): "oggi|stamattina|stamani|stasera|stanotte|questa mattina|questa sera", (-1, -1): "ieri|ieri sera",
        (-2, -2): "l'altro ieri|l’altro ieri|altro ieri|avantieri|ieri l'altro", (1, 1): "domani",
        (2, 2): "dopodomani", (-7, -2): "l'altro giorno",
    }),
    units=units("giorno", "settimana", "fine settimana|weekend", "mese", "anno"),
    plurals=units("giorni", "settimane", "", "mesi", "anni"),
    weekdays=table("lunedì|lunedi martedì|martedi mercoledì|mercoledi giovedì|giovedi venerdì|venerdi sabato domenica"),
    months=months("gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre"),
    short_months=months("gen feb mar apr mag giu lug ago set ott nov dic"),
    seasons={"primavera": 3, "estate": 6, "autunno": 9, "inverno": 12},
    numbers=numbers("un|una due tre quattro cinque sei sette otto nove dieci undici dodici")
    | ranges({(2, 3): "un paio di", (2, 5): "qualche|alcuni|alcune|pochi|poche"}),
    ordinal=r"(?:º|°)?",
    date=r"{day}{ordinal} {month}(?: (?:del )?{year})?",
    rules=(
        PhraseRule("months", r"(?:tra|fra|da) {name}(?: {year})? (?:e|a|ad|fino a) {until}(?: {untilyear})?"),
        PhraseRule("beside", r"(?:la|il) {unit} prima (?:del |dell['’]){date}", -1),
        PhraseRule("beside", r"(?:la|il) {unit} dopo (?:il |l['’]){date}", 1),
        PhraseRule("date", r"(?:(?:il|dal|al|fino al) |(?:l|dall|all)['’])?(?:{weekday} )?{date}"),
        PhraseRule("ago", r"{count} {unit} fa"),
        PhraseRule("ahead", r"(?:tra|fra) {count} {unit}"),
        PhraseRule("past", r"(?:negli|nelle|gli|le) ultim[ie] {count} {unit}"),
        PhraseRule("period", r"(?:(?:il|la|lo|l['’])\s?)?(?:{period} " + LAST + r"|scors[oa] {period2})", -1),
        PhraseRule("period", r"(?:(?:il|la|l['’])\s?)?(?:{period} " + NEXT + r"|prossim[oa] {period2})", 1),
        PhraseRule("period", r"quest(?:o |a |['’]){period}", 0),
        PhraseRule("weekday", r"(?:lo scorso {weekday}|{weekday2} " + LAST + r")", -1),
        PhraseRule("weekday", r"(?:il )?(?:prossim[oa] {weekday}|{weekday2} " + NEXT + r")", 1),
        PhraseRule("weekday", r"quest[oa] {weekday}", 0),
        PhraseRule(
            "weekday",
            r"(?<!ogni\s)(?<!il\s)(?<!la\s)(?<!di\s)(?:(?:da|entro) )?{weekday}(?: (?:mattina|sera|pomeriggio))?",
        ),
        PhraseRule("month", r"(?:(?:a|lo scorso) )?{name} " + LAST + r"|lo scorso {name2}", -1),
        PhraseRule("month", r"(?:a )?{name} " + NEXT + r"|il prossimo {name2}", 1),
        PhraseRule("month", r"(?:a|in|ad|da|nel mese di|(?:a )?(?:inizio|metà|fine)) {name}(?: (?:del )?{year})?"),
        PhraseRule("month", r"{name} (?:del )?{year}"),
        PhraseRule("season", r"(?:la |l['’])?{season} " + LAST + r"|(?:la |lo )?scors[oa] {season2}", -1),
        PhraseRule("season", r"(?:la |l['’])?{season} " + NEXT + r"|(?:la |il )?prossim[oa] {season2}", 1),
        PhraseRule("season", r"quest(?:a |o |['’]){season}", 0),
        PhraseRule("season", r"(?:(?:in|nell['’]|d['’])\s?)?{season} (?:del )?{year}"),
        PhraseRule("day", r"{dayword}"),
        PhraseRule("year", r"(?:nel|dal|fino al|(?:a )?(?:inizio|fine|metà)) {year}"),
    ),
    future=r"\b(?:andrò|sarà|faremo|andremo|farò|saremo|vado a|andiamo a)\b",
    doubtful=words("domenica sabato gen mar mag giu lug ago set ott dic"),
)  # fmt: skip
