"""English time expressions."""

from __future__ import annotations

from aforesaid.text.calendar.language import CalendarLanguage, PhraseRule, months, numbers, ranges, table, units, words

CAPITAL = r"(?=(?-i:[A-Z]))"  # "May 8", never "may 8 people come"
DATE = (
    r"(?:(?:(?:on|by|since|until|till|before|after|from) )?"
    r"(?:the )?{day}{ordinal}(?: of)? (?!(?-i:may|march|mar)\b(?!,? \d\d\d\d)){month}(?:,? {year})?"
    rf"|(?:(?:on|by|since|until|till|before|after|from) |{CAPITAL})"
    r"{month2} (?:the )?{day2}{ordinal}(?:,? {year2})?)"
)
LAST = r"(?:the )?(?:last|past|previous|this past|this last)"
NEXT = r"(?:the )?(?:next|coming|upcoming|following|this coming)"
WHEN = (
    r"(?:in|during|since|until|till|by|around|back in|(?:(?:in|since|until|by|during) )?(?:early|mid|late)[\s\-]?"
    r"|(?:(?:in|at|by|until|since) )?the (?:start|beginning|middle|end) of)"
)
PART = r"(?: (?:morning|afternoon|evening|night))?"

ENGLISH = CalendarLanguage(
    marks=words("i the and is was were are you my we have had to of it that for with"),
    days=ranges({
        (0, 0): "today|tonight|this morning|this afternoon|this evening",
        (-1, -1): "yesterday|last night|last evening", (1, 1): "tomorrow",
        (-2, -2): "the day before yesterday|day before yesterday", (2, 2): "the day after tomorrow|day after tomorrow",
        (-7, -2): "the other day",
    }),
    units=units("day", "week", "weekend", "month", "year"),
    plurals=units("days", "weeks", "weekends", "months", "years"),
    weekdays=table("monday|mon tuesday|tues|tue wednesday|weds|wed thursday|thurs|thur|thu friday|fri saturday|sat sunday|sun"),
    months=months("january february march april may june july august september october november december"),
    short_months=months("jan feb mar apr may jun jul aug sep|sept oct nov dec"),
    seasons={"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12},
    numbers=numbers("a|an|one two three four five six seven eight nine ten eleven twelve")
    | ranges({(2, 3): "a couple|a couple of|couple of|couple", (2, 5): "a few|few", (3, 7): "several"}),
    ordinal=r"(?:st|nd|rd|th)?",
    date=DATE,
    rules=(
        PhraseRule(
            "months",
            r"(?:between|from) {name}(?:,? {year})? (?:and|to|until|till|through) {until}(?:,? {untilyear})?",
        ),
        PhraseRule("beside", r"(?:the|last|the last) (?:{unit}|{weekday}) before (?:the )?{date}", -1),
        PhraseRule("beside", r"the (?:{unit}|{weekday}) after (?:the )?{date}", 1),
        PhraseRule("part", r"the {nth} {period} (?:of|in) {name}(?:,? {year})?"),
        PhraseRule("date", r"{date}"),
        PhraseRule("month", r"(?:" + LAST + r") {name}", -1),
        PhraseRule("month", NEXT + r" {name}", 1),
        PhraseRule("month", r"this " + CAPITAL + r"{name}", 0),
        PhraseRule("month", CAPITAL + r"{month}(?: of|,)? {year}"),
        PhraseRule("month", WHEN + r"\s*{name}(?:(?: of|,)? {year})?"),
        PhraseRule("ago", r"{count} {unit} (?:ago|back)"),
        PhraseRule("ahead", r"{count} {unit} from (?:now|today)"),
        PhraseRule("soon", r"in (?!a day\b)(?:about |just )?{count} {unit}(?:['’]s? time)?"),
        PhraseRule("past", r"(?:(?:over|in|during|for) )?(?:the )?(?:last|past) {count} {unit}"),
        PhraseRule("past", r"(?:(?:over|in|during|for) )?the (?:last|past) (?!weekend){period}(?! of)"),
        PhraseRule("period", LAST + r" {period}", -1),
        PhraseRule("period", NEXT + r" {period}", 1),
        PhraseRule("period", r"this {period}", 0),
        PhraseRule("day", r"{dayword}"),
        PhraseRule("weekday", LAST + r" {weekday}" + PART, -1),
        PhraseRule("weekday", NEXT + r" {weekday}" + PART, 1),
        PhraseRule("weekday", r"this {weekday}" + PART, 0),
        PhraseRule("weekday", r"(?:on|by|since|until|till) {weekday}" + PART),
        PhraseRule(
            "weekday",
            r"(?<!every\s)(?<!each\s)(?<!a\s)(?<!an\s)(?<!the\s)(?<!my\s)(?<!our\s)(?<!your\s)(?<!for\s)"
            + CAPITAL + r"{fullday} (?:morning|afternoon|evening|night)",
        ),
        PhraseRule("season", LAST + r" {season}", -1),
        PhraseRule("season", NEXT + r" {season}", 1),
        PhraseRule("season", r"this {season}", 0),
        PhraseRule("season", r"(?:(?:in|during) )?(?:the )?{season}(?: of|,)? {year}"),
        PhraseRule("year", r"(?:in|since|until|by|during|around|back in|(?:in )?(?:early|mid|late)[\s\-]?) {year}"),
    ),
    future=r"['’]ll\b|['’]d like to\b|\b(?:will|won['’]t|going to|gonna|shall|plan(?:s|ning)?"
    r"|upcoming|scheduled|want to|hop(?:e|ing) to|thinking (?:of|about)|looking forward|can['’]t wait|let['’]s)\b",
    soon=r"^\W*in\b|\b(?:will|going to|gonna|am|is|are|see|meet|due|starts?|leaves?|back)\b|['’](?:ll|m|re|s)\b",
)  # fmt: skip
