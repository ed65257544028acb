"""Spanish time expressions."""

from __future__ import annotations

from aforesaid.text.calendar.language import CalendarLanguage, PhraseRule, months, numbers, ranges, table, units, words

LAST = r"(?:pasad[oa]|anterior|últim[oa])"
NEXT = r"(?:que viene|próxim[oa]|siguiente|entrante)"

SPANISH = CalendarLanguage(
    marks=words("yo el la los las es y no un una que con en mi fue fui estoy para por se lo del muy me"),
    days=ranges({
        (0, 0): "hoy|esta mañana|esta tarde|esta noche", (-1, -1): "ayer|anoche",
        (-2, -2): "anteayer|antes de ayer|antier", (1, 1): "mañana", (2, 2): "pasado mañana", (-7, -2): "el otro día",
    }),
    units=units("día|dia", "semana", "fin de semana", "mes", "año"),
    plurals=units("días|dias", "semanas", "fines de semana", "meses", "años"),
    weekdays=table("lunes martes miércoles|miercoles jueves viernes sábado|sabado domingo"),
    months=months("enero febrero marzo abril mayo junio julio agosto septiembre|setiembre octubre noviembre diciembre"),
    short_months=months("ene feb mar abr may jun jul ago sept oct nov dic"),
    seasons={"primavera": 3, "verano": 6, "otoño": 9, "invierno": 12},
    numbers=numbers("un|una dos tres cuatro cinco seis siete ocho nueve diez once doce")
    | ranges({(2, 3): "un par de", (2, 5): "unos|unas|unos pocos", (3, 7): "varios|varias"}),
    ordinal=r"(?:º|°)?",
    date=r"{day}{ordinal} de {month}(?: del? {year})?",
    rules=(
        PhraseRule("months", r"(?:entre|desde|de) {name}(?: del? {year})? (?:y|a|hasta) {until}(?: del? {untilyear})?"),
        PhraseRule("beside", r"(?:la|el) {unit} antes del {date}", -1),
        PhraseRule("beside", r"(?:la|el) {unit} después del {date}", 1),
        PhraseRule("date", r"(?:(?:el|desde el|hasta el) )?(?:{weekday},? )?{date}"),
        PhraseRule("ago", r"hace (?:unos |unas |como )?{count} {unit}"),
        PhraseRule("ahead", r"dentro de {count} {unit}"),
        PhraseRule("past", r"(?:en )?l[oa]s últim[oa]s {count} {unit}"),
        PhraseRule("period", r"(?:(?:el|la) )?{period} " + LAST, -1),
        PhraseRule("period", r"(?:el|la) últim[oa] {period}", -1),
        PhraseRule("period", r"(?:(?:el|la) )?{period} " + NEXT, 1),
        PhraseRule("period", r"(?:el |la )?próxim[oa] {period}", 1),
        PhraseRule("period", r"est[ea] {period}", 0),
        PhraseRule("weekday", r"(?:el )?(?:pasado {weekday}|{weekday2} pasado)", -1),
        PhraseRule("weekday", r"(?:el )?(?:próximo {weekday}|{weekday2} " + NEXT + r")", 1),
        PhraseRule("weekday", r"este {weekday}", 0),
        PhraseRule("weekday", r"el {weekday}"),
        PhraseRule("month", r"(?:(?:en|el) )?{name} pasado", -1),
        PhraseRule("month", r"(?:(?:en|el) )?{name} que viene", 1),
        PhraseRule("month", r"(?:en|desde|hasta|(?:a )?(?:principios|mediados|finales) de|durante) {name}(?: del? {year})?"),
        PhraseRule("month", r"{name} del? {year}"),
        PhraseRule("season", r"(?:el|la) {season} pasad[oa]", -1),
        PhraseRule("season", r"(?:el|la) (?:próxim[oa] {season}|{season2} que viene)", 1),
        PhraseRule("season", r"est[ea] {season}", 0),
        PhraseRule("season", r"(?:(?:en )?(?:el|la) )?{season} del? {year}"),
        PhraseRule("day", r"(?<!la\s)(?<!cada\s){dayword}"),
        PhraseRule("year", r"(?:en|desde|hasta|en el año|a (?:principios|mediados|finales) de) {year}"),
    ),
    future=r"\b(?:voy|vas|va|vamos|vais|van) a \w+|\b\w+(?:aré|erá|arán|aremos|iré|irán|iremos)\b",
    doubtful=frozenset({"mañana", "mayo"}),
)  # fmt: skip
