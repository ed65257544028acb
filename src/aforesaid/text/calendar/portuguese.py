"""Portuguese time expressions."""

from __future__ import annotations

from aforesaid.text.calendar.language import CalendarLanguage, PhraseRule, months, numbers, ranges, table, units, words

LAST = r"(?:passad[oa]|anterior)"
NEXT = r"(?:que vem|seguinte|próxim[oa])"

PORTUGUESE = CalendarLanguage(
    marks=words("eu o os as é e não um uma que com em meu minha foi fui estou para por se do da no na você"),
    days=ranges({
        (0, 0): "hoje|esta manhã|esta noite|hoje à noite", (-1, -1): "ontem|ontem à noite",
        (-2, -2): "anteontem|antes de ontem", (1, 1): "amanhã", (2, 2): "depois de amanhã", (-7, -2): "outro dia",
    }),
    units=units("dia", "semana", "fim de semana", "mês", "ano"),
    plurals=units("dias", "semanas", "fins de semana", "meses", "anos"),
    weekdays=table("segunda-feira|segunda terça-feira|terça quarta-feira|quarta quinta-feira|quinta sexta-feira|sexta sábado domingo"),
    months=months("janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro"),
    short_months=months("jan fev mar abr mai jun jul ago set out nov dez"),
    seasons={"primavera": 3, "verão": 6, "outono": 9, "inverno": 12},
    numbers=numbers("um|uma dois|duas três quatro cinco seis sete oito nove dez onze doze")
    | ranges({(2, 5): "alguns|algumas|uns|umas", (3, 7): "vários|várias", (2, 3): "um par de"}),
    ordinal=r"(?:º|°)?",
    date=r"{day}{ordinal} de {month}(?: de {year})?",
    rules=(
        PhraseRule("months", r"(?:entre|de|desde) {name}(?: de {year})? (?:e|a|até) {until}(?: de {untilyear})?"),
        PhraseRule("beside", r"(?:a|o|na|no) {unit} antes d[eo] {date}", -1),
        PhraseRule("beside", r"(?:a|o|na|no) {unit} depois d[eo] {date}", 1),
        PhraseRule("date", r"(?:(?:no dia|em|dia|desde|até) )?{date}"),
        PhraseRule("ago", r"(?:há|faz) (?:cerca de )?{count} {unit}"),
        PhraseRule("ago", r"{count} {unit} atrás"),
        PhraseRule("ahead", r"(?:daqui a|dentro de) {count} {unit}"),
        PhraseRule("past", r"(?:nos |nas |os |as )?últim[oa]s {count} {unit}"),
        PhraseRule("period", r"(?:(?:n?a|n?o) )?(?:{period} " + LAST + r"|últim[oa] {period2})", -1),
        PhraseRule("period", r"(?:(?:n?a|n?o) )?(?:{period} " + NEXT + r"|próxim[oa] {period2})", 1),
        PhraseRule("period", r"n?est[ea] {period}", 0),
        PhraseRule("weekday", r"(?:(?:n?a|n?o) )?(?:{weekday} passad[oa]|últim[oa] {weekday2})", -1),
        PhraseRule("weekday", r"(?:(?:n?a|n?o) )?(?:{weekday} " + NEXT + r"|próxim[oa] {weekday2})", 1),
        PhraseRule("weekday", r"n?est[ea] {weekday}", 0),
        PhraseRule("weekday", r"(?:na|no) {weekday}(?! (?:vez|parte|série|classe|posição|feira))"),
        PhraseRule("month", r"(?:em )?{name} passado", -1),
        PhraseRule("month", r"(?:em )?{name} que vem|próximo {name2}", 1),
        PhraseRule("month", r"(?:em|desde|até|no início de|no fim de|(?:em )?meados de) {name}(?: de {year})?"),
        PhraseRule("month", r"{name} de {year}"),
        PhraseRule("season", r"(?:(?:n?a|n?o) )?{season} passad[oa]", -1),
        PhraseRule("season", r"(?:(?:n?a|n?o) )?(?:{season} que vem|próxim[oa] {season2})", 1),
        PhraseRule("season", r"n?est[ea] {season}", 0),
        PhraseRule("season", r"(?:(?:n?a|n?o) )?{season} de {year}"),
        PhraseRule("day", r"{dayword}"),
        PhraseRule("year", r"(?:em|desde|até|no ano de) {year}"),
    ),
    future=r"\b(?:vou|vais|vai|vamos|vão) \w+(?:ar|er|ir)\b",
    doubtful=frozenset({"segunda", "terça", "quarta", "quinta", "sexta"}),
)  # fmt: skip
