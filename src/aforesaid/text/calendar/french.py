"""French time expressions."""

from __future__ import annotations

from aforesaid.text.calendar.language import CalendarLanguage, PhraseRule, months, numbers, ranges, table, units, words

LAST = r"(?:derni(?:er|ère)|passée?)"
NEXT = r"(?:prochaine?|qui vient)"
THE = r"(?:(?:le|la|l['’])\s?)?"

FRENCH = CalendarLanguage(
    marks=words("je le la les des est et nous vous pas un une du que qui suis ai j avons avec pour dans"),
    days=ranges({
        (0, 0): "aujourd'hui|aujourd’hui|ce matin|cet après-midi|ce soir", (-1, -1): "hier|hier soir",
        (-2, -2): "avant-hier", (1, 1): "demain", (2, 2): "après-demain", (-7, -2): "l'autre jour|l’autre jour",
    }),
    units=units("jour", "semaine", "week-end|weekend", "mois", "an|année"),
    plurals=units("jours", "semaines", "week-ends", "", "ans|années"),
    weekdays=table("lundi mardi mercredi jeudi vendredi samedi dimanche"),
    months=months("janvier février mars avril mai juin juillet août|aout septembre octobre novembre décembre"),
    short_months=months("janv févr mars avr mai juin juil août sept oct nov déc"),
    seasons={"printemps": 3, "été": 6, "automne": 9, "hiver": 12},
    numbers=numbers("un|une deux trois quatre cinq six sept huit neuf dix onze douze")
    | ranges({(2, 5): "quelques", (3, 7): "plusieurs"}),
    ordinal=r"(?:er)?",
    date=r"{day}{ordinal} {month}\.?(?: {year})?",
    rules=(
        PhraseRule("months", r"(?:entre|de|d['’])\s?{name}(?: {year})? (?:et|à|jusqu['’]en) {until}(?: {untilyear})?"),
        PhraseRule("beside", r"(?:la |le |l['’]){unit} avant le {date}", -1),
        PhraseRule("beside", r"(?:la |le |l['’]){unit} après le {date}", 1),
        PhraseRule("date", r"(?:(?:le|du|au|depuis le|jusqu['’]au) )?(?:{weekday} )?{date}"),
        PhraseRule("ago", r"il y a (?:environ )?{count} {unit}"),
        PhraseRule("ahead", r"dans {count} {unit}"),
        PhraseRule("past", r"(?:ces |les |des ){count} derni(?:ers|ères) {unit}"),
        PhraseRule("period", THE + r"{period} " + LAST, -1),
        PhraseRule("period", THE + r"{period} " + NEXT, 1),
        PhraseRule("period", r"(?:ce|cette) {period}(?:-ci)?", 0),
        PhraseRule("weekday", THE + r"{weekday} " + LAST, -1),
        PhraseRule("weekday", THE + r"{weekday} " + NEXT, 1),
        PhraseRule("weekday", r"ce {weekday}", 0),
        PhraseRule("weekday", r"(?<!le\s)(?<!les\s)(?<!chaque\s){weekday}(?: (?:matin|soir|après-midi))?"),
        PhraseRule("month", r"(?:en |au mois de |au mois d['’])?{name} " + LAST, -1),
        PhraseRule("month", r"(?:en |au mois de |au mois d['’])?{name} " + NEXT, 1),
        PhraseRule("month", r"(?:en|depuis|fin|début|mi-|courant|au mois de|au mois d['’])\s*{name}(?: {year})?"),
        PhraseRule("month", r"{name} {year}"),
        PhraseRule("season", THE + r"{season} " + LAST, -1),
        PhraseRule("season", THE + r"{season} " + NEXT, 1),
        PhraseRule("season", r"cet {season}", 0),
        PhraseRule("season", r"(?:à |en |au |l['’])+\s?{season} {year}"),
        PhraseRule("day", r"{dayword}"),
        PhraseRule("year", r"(?:en|depuis|fin|début) {year}"),
    ),
    future=r"\b(?:vais|vas|va|allons|allez|vont) \w+(?:er|ir|re)\b|\b\w+(?:erai|eras|erons|erez|eront)\b",
    anchors=frozenset({"un", "dernier", "prochain", "passé"}),
    doubtful=frozenset({"hier", "mars", "demain"}),
)  # fmt: skip
