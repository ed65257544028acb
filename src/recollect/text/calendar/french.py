"""French words for time."""

from __future__ import annotations

from recollect.text.calendar.language import Language, Rule, months, numbers, table, words

LAST = r"(?:derni(?:er|ère)|passée?)"
NEXT = r"(?:prochaine?|qui vient)"
THE = r"(?:(?:le|la|l['’])\s?)?"

FRENCH = Language(
    marks=words("je le la les des est et nous vous pas un une du que qui suis ai j avons avec pour dans"),
    days={
        "aujourd'hui": (0, 0), "aujourd’hui": (0, 0), "ce matin": (0, 0), "cet après-midi": (0, 0), "ce soir": (0, 0),
        "hier": (-1, -1), "hier soir": (-1, -1), "avant-hier": (-2, -2), "demain": (1, 1), "après-demain": (2, 2),
        "l'autre jour": (-7, -2), "l’autre jour": (-7, -2),
    },
    units={
        "jour": "day", "semaine": "week", "week-end": "weekend", "weekend": "weekend", "mois": "month", "an": "year",
        "année": "year",
    },
    plurals={
        "jours": "day", "semaines": "week", "week-ends": "weekend", "ans": "year", "années": "year",
    },
    weekdays=table("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"),
    months=months(
        "janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août|aout", "septembre", "octobre",
        "novembre", "décembre",
    ),
    short_months=months("janv", "févr", "mars", "avr", "mai", "juin", "juil", "août", "sept", "oct", "nov", "déc"),
    seasons={"printemps": 3, "été": 6, "automne": 9, "hiver": 12},
    numbers={
        **numbers("un|une", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "onze", "douze"),
        "quelques": (2, 5), "plusieurs": (3, 7),
    },
    ordinal=r"(?:er)?",
    date=r"{day}{ordinal} {month}\.?(?: {year})?",
    rules=(
        Rule("months", r"(?:entre|de|d['’])\s?{name}(?: {year})? (?:et|à|jusqu['’]en) {until}(?: {untilyear})?"),
        Rule("beside", r"(?:la |le |l['’]){unit} avant le {date}", -1),
        Rule("beside", r"(?:la |le |l['’]){unit} après le {date}", 1),
        Rule("date", r"(?:(?:le|du|au|depuis le|jusqu['’]au) )?(?:{weekday} )?{date}"),
        Rule("ago", r"il y a (?:environ )?{count} {unit}"),
        Rule("ahead", r"dans {count} {unit}"),
        Rule("past", r"(?:ces |les |des ){count} derni(?:ers|ères) {unit}"),
        Rule("period", THE + r"{period} " + LAST, -1),
        Rule("period", THE + r"{period} " + NEXT, 1),
        Rule("period", r"(?:ce|cette) {period}(?:-ci)?", 0),
        Rule("weekday", THE + r"{weekday} " + LAST, -1),
        Rule("weekday", THE + r"{weekday} " + NEXT, 1),
        Rule("weekday", r"ce {weekday}", 0),
        Rule("weekday", r"(?<!le\s)(?<!les\s)(?<!chaque\s){weekday}(?: (?:matin|soir|après-midi))?"),
        Rule("month", r"(?:en |au mois de |au mois d['’])?{name} " + LAST, -1),
        Rule("month", r"(?:en |au mois de |au mois d['’])?{name} " + NEXT, 1),
        Rule("month", r"(?:en|depuis|fin|début|mi-|courant|au mois de|au mois d['’])\s*{name}(?: {year})?"),
        Rule("month", r"{name} {year}"),
        Rule("season", THE + r"{season} " + LAST, -1),
        Rule("season", THE + r"{season} " + NEXT, 1),
        Rule("season", r"cet {season}", 0),
        Rule("season", r"(?:à |en |au |l['’])+\s?{season} {year}"),
        Rule("day", r"{dayword}"),
        Rule("year", r"(?:en|depuis|fin|début) {year}"),
    ),
    future=r"\b(?:vais|vas|va|allons|allez|vont) \w+(?:er|ir|re)\b|\b\w+(?:erai|eras|erons|erez|eront)\b",
    anchors=frozenset({"un", "dernier", "prochain", "passé"}),
    doubtful=frozenset({"hier", "mars", "demain"}),
)  # fmt: skip
