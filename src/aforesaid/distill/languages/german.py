"""German: patterns for claims and for episodes."""

from aforesaid.distill.grammar import ClaimGrammar, ClaimPattern, EpisodeGrammar
from aforesaid.distill.languages.named import named_patterns

ICH = "(?:ich )?"
NOW = (
    r"(?:(?:aber|jetzt|derzeit|aktuell|inzwischen|mittlerweile|gerade|momentan|zurzeit|auch|schon|hier|nun|als \p{Lu}\w+|seit"
    r" (?:\w+ ){0,2}?(?:\d{4}|\w+)) ){0,2}"
)
WITH = r"(?:(?:zusammen )?mit (?:\w+ ){1,3}?)?"
IN = r"(?:in|im|auf) (?:der |den |dem )?"
AT = r"(?:bei|beim|für) (?:der |dem |den |die |das )?(?!<list:nobody>\b)"
BESIDE = (
    r"(?<!\b(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch)(?=\s*(?:[,.!(]|$)|\s(?:und|ist|wird|war|zu|nicht|immer|mit"
    r"|seit)\b|\s(?!hat\s*(?:[.,!]|$))\p{Ll}+t\b)"
)
STOP = r"(?=\s*(?:[.,!:;(]|$)|\s(?:und|bei|in|im|an|aus|von|aber|mit|seit)\b)"

GERMAN = ClaimGrammar(
    code="de",
    marks=frozenset(["ich", "und", "ist", "nicht", "das", "die", "der", "wir", "ein", "eine", "mein", "meine", "mit", "für", "zu", "auf", "von", "dem", "den", "uns", "haben", "bin", "in", "bei", "heiße", "wohne", "habe"]),
    connectives="und|aber|weil|da|denn|dass|also|sondern",
    fillers="hallo|hi|hey|moin|servus|guten (?:tag|morgen|abend)|ok|okay|also|übrigens|nur zur info|eigentlich|ja|nein|ach"
    "|tja|bitte|danke|ich glaube|ich denke|kurz|ehrlich gesagt|zur info|aktuell|momentan|leider|nun|jetzt|so|bei uns",
    ends="und|aber|weil|da|seit|wenn|während|bis|obwohl|welche[rsn]?|oder|als|sehr|gar nicht|überhaupt nicht|nicht|total"
    "|wirklich|von beruf|denn|allergisch|kann|sowie",
    articles="der|die|das|den|dem|des|ein|eine|einen|einem|einer",
    joins="und|sowie|oder|ein bisschen|ein wenig|etwas|fließend|auch",
    doubt=r"wenn|falls|ob|vielleicht|eventuell|womöglich|möglicherweise|wahrscheinlich|könnten?|würden?|wäre|hätten?|sollten?"
    r"|sollen|wünschte|angenommen|sagte|sagt|meinte|meint|erzählte|erzählt|behauptet|schrieb|laut|fast|beinahe|früher|damals"
    r"|heute|angeblich|nächste[sn]?|(?:vergiss|vergessen sie|glaubst(?: du)?|denkst(?: du)?|dachte|falsch|gelogen|unsinn"
    r"|nicht wahr|stimmt nicht|nicht),? dass|zum beispiel|z\.b\.|niemand|jemand|im (?:buch|film|text|artikel|beispiel)",
    frame=r"(?:schreib|schreibe|verfass|verfasse|erzähl|erzähle|erfinde|dichte) (?:\S+ ){0,6}?(?:geschichte|gedicht|lied"
    r"|brief|witz|e-?mail|text|dialog|szene|nachricht|aufsatz|märchen)|übersetze?n?|korrigiere?|formuliere?|stell dir vor"
    r"|nimm an|tu so|rollenspiel|spiel(?:e)? (?:die rolle|einen|eine)|hier ist (?:\S+ ){0,3}?(?:mail|text|brief|log|nachricht"
    r"|artikel|auszug)|folgende[nrsm]?|der folgende|(?:er|sie) (?:sagte|schrieb|meinte)(?= ?[,:])",
    condition="wenn|falls|ob|vielleicht|eventuell|womöglich|möglicherweise|angenommen|angeblich|stell dir vor|glaube nicht",
    negation=r"nicht|kein\w*|nie|niemals|weder|ohne",
    plan=r"will|wollen|wollte|möchte|möchten|würde|hoffe|plane|planen|werde|werden|sollte|könnte|überlege|lerne|versuche",
    past="früher|damals|ehemals|einst|als kind|war|hatte|gewohnt|gearbeitet",
    hedge="ich glaube|ich denke|ich meine|vermutlich|soweit ich weiß|irgendwie|wohl",
    question="soll|sollen|kann|kannst|könnte[nst]*|können|darf|ist|sind|hast|habt|haben sie|gibt es|weißt|wer|was|wo|wann"
    "|warum|wie|welche[rsnm]?|wieso|bin ich|was für",
    irony=r"scherz|nur spaß|war ein witz|ironie|🙄|/s(?=\s|$)",
    vague="das|es|dies|dieses|diese|ihn|sie|dich|euch|uns|etwas|nichts|alles|so .*|solche.*|dass .*|wie .*|was .*|dein.*|mir"
    " .*|mich .*|den|die|der|dieser .*|diese .*|dieses .*|diesen .*|gern.*|nicht.*|viele[sn]?|einige[sn]?|all.*",
    denial=r"(?-i:nicht(?: mehr)?(?: (?:am|bis|gegen|auf))?|keine?[nmrs]?(?: mehr)?|nie|niemals)",
    change="jetzt|nun|inzwischen|mittlerweile|nicht mehr|gezogen|umgezogen|gewechselt|neue[rsn]?|angefangen|seit",
    lists={
        "again": "gegen|auf",
        "alien": "ich|du|er|sie|es|wir|ihr|mich|mir|mein|meine|dein|deine|unser|unsere|das|dies|ist|sind|war|bin|hat|habe"
        "|haben|kann|können|muss|will|nicht|kein|keine|nie|spricht|mag|liebt|hasst|wohnt|wohne|lebt|lebe|arbeitet|arbeite"
        "|isst|esse|danke|bitte|sorry|leider|komme|suche|brauche",
        "kin": "(?:stief|halb|schwieger|ur|zwillings|paten)*(?:schwester|bruder|mutter|vater|tochter|sohn|oma|opa|großmutter"
        "|großvater)|mama|papa|cousin|cousine|tante|onkel|enkel|enkelin|chef|chefin|kollege|kollegin|nichte|neffe|schwägerin"
        "|schwager|mitbewohner|mitbewohnerin|nachbar|nachbarin|baby|kind",
        "partners": "frau|mann|freundin|freund|partnerin|partner|verlobte|verlobter|ehefrau|ehemann|lebensgefährtin"
        "|lebensgefährte",
        "pets": "hund|hündin|katze|kater|welpe|kätzchen|kaninchen|hase|meerschweinchen|hamster|papagei|wellensittich|pferd"
        "|pony|schildkröte|haustier",
        "things": "auto|wagen|boot|segelboot|schiff|fahrrad|rad|motorrad|roller|wohnmobil|bus|gitarre|roboter|saugroboter"
        "|firma|unternehmen|laden|café|restaurant|band|blog|podcast|kanal|verein|projekt",
        "jobs": r"(?:(?:freie|freiberufliche|selbstständige|selbständige|gelernte|angehende|studierte)r?"
        r" )?[\p{L}\-]*(?:lehrer|arzt|ärztin|ingenieur|entwickler|programmierer|pfleger|schwester|student|anwalt|anwältin"
        r"|koch|köchin|pilot|wirt|berater|buchhalter|forscher|professor|architekt|journalist|elektriker|mechaniker"
        r"|mechatroniker|fotograf|musiker|übersetzer|dolmetscher|bibliothekar|apotheker|physiker|chemiker|biologe|biologin"
        r"|tischler|schreiner|bäcker|metzger|kellner|psychologe|psychologin|therapeut|rentner|hebamme|designer|informatiker"
        r"|polizist|erzieher|pädagoge|pädagogin|maler|gärtner|friseur|friseurin|verkäufer|kaufmann|kauffrau|fachangestellte"
        r"|schüler|azubi|doktorand|wissenschaftler|autor|redakteur|schauspieler|richter|notar|beamte|beamter|beamtin"
        r"|sozialarbeiter|sekretär|assistent|leiter|manager|trainer|fahrer|maurer|dachdecker|techniker|künstler|hausmann"
        r"|hausfrau|soldat|steuerberater)(?:in)?",
        "diets": "vegetarier|vegetarierin|veganer|veganerin|vegetarisch|vegan|pescetarier|pescetarierin",
        "ages": "(?:(?:ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun)und)?(?:zwanzig|dreißig|dreissig|vierzig|fünfzig"
        "|sechzig|siebzig|achtzig|neunzig)|(?:drei|vier|fünf|sech|sieb|acht|neun)zehn",
        "tongues": "deutsch|englisch|französisch|spanisch|italienisch|portugiesisch|russisch|türkisch|polnisch|arabisch"
        "|chinesisch|japanisch|niederländisch|schwedisch|griechisch|koreanisch|ukrainisch|rumänisch|kroatisch|serbisch"
        "|tschechisch|ungarisch|persisch|farsi|kurdisch|dänisch|norwegisch|finnisch",
        "anywhere": r"nähe|zeitalter|frieden|angst|armut|trennung|scheidung|partnerschaft|beziehung|miete|untermiete|ausland"
        r"|land|stadt|innenstadt|altstadt|dorf|wg|wohnheim|studentenwohnheim|erdgeschoss|dachgeschoss|altbau|neubau|vorort"
        r"|zentrum|norden|süden|osten|westen|wald|hotel|zelt|welt|gegenwart|freiheit|wohlstand|\p{L}*(?:haus|wohnung|zimmer"
        r"|stock)",
        "nouns": r"mutter|vater|mama|papa|oma|opa|single|anfänger|fan|chef|christ|muslim|waise|witwe|witwer|laie|gast"
        r"|mitglied|mensch|mann|frau|deutscher?|\p{L}+erin|\p{L}{11,}",
        "nobody": "geld|nacht|tag|umwelt|frieden|zukunft|kunden|familie|menschen|hitze|regen|prüfung|klausur|studium|arzt|uni"
        "|schule|spaß",
        "sorts": r"[\p{L}]*(?:fleisch|fisch|schweine?fleisch|eier|zucker|milch|milchprodukte|gluten|meeresfrüchte|weizen)",
    },
    patterns=(
        ClaimPattern("name", r"(?:ich (?:heiße|heiß|heisse)|(?-i:heiße|heisse)) (?!luft)<name>", 0.92),
        ClaimPattern("name", r"mein (?:vorname|name|voller name) ist (?:Dr\. )?<name>", 0.95),
        ClaimPattern("name", r"(?:ich heiße|mein name ist) nicht <name>", 0.9, denies=True),
        ClaimPattern("name", r"(?:(?:hallo|hi|hey|moin|servus|guten (?:tag|morgen|abend))[,!]? ich bin (?:der |die )?|(?:ich"
            r" )?bin übrigens (?:der|die) )(?!<list:jobs>\b|<list:diets>\b|<list:nouns>\b)<name>(?=\s*(?:[.,!]|$)|\s(?:und"
            r"|aus|von)\b)", 0.82),
        ClaimPattern("name", r"ich bin <name>(?=, ?\d\d(?: jahre(?: alt)?)?(?:,| und))", 0.85),
        ClaimPattern("home", rf"(?:ich wohne|ich lebe|wohne|lebe|wir wohnen|wir leben) nicht (?:mehr"
            rf" )?{IN}<place>", 0.85, denies=True),
        ClaimPattern("near home", rf"{ICH}(?:wohne|lebe) {NOW}(?:in der nähe von|bei|nahe) <place>", 0.88),
        ClaimPattern("home", rf"(?:{ICH}(?:wohne|lebe|wohn|leb)|wir (?:wohnen|leben))"
            rf" {NOW}{WITH}{IN}(?!<list:anywhere>\b)<place>", 0.92),
        ClaimPattern("home", rf"(?:wohne|lebe|wohnen|leben) (?:ich|wir)"
            rf" {NOW}{WITH}{IN}(?!<list:anywhere>\b)<place>", 0.9, anywhere=True),
        ClaimPattern("home", rf"(?:ich|wir) (?:(?:ja|auch|hier|seit \w+) ){{0,2}}{IN}<place> (?:wohnen?|leben?)\b", 0.88),
        ClaimPattern("home", r"(?:ich bin|wir sind|bin) (?:[\w.]+ ){0,3}?(?:von (?:[\w\-]+ ){1,3}?)?nach <place> (?:um"
            r"|zurück)?gezogen", 0.9, begins=True),
        ClaimPattern("origin", rf"{ICH}(?:komme|stamme) (?:ursprünglich |eigentlich )?aus (?:der |den |dem )?<place>", 0.88),
        ClaimPattern("origin", r"(?:ursprünglich|eigentlich) (?:komme|stamme) ich aus (?:der |den |dem )?<place>", 0.88),
        ClaimPattern("origin", rf"{ICH}(?:bin|wurde) {IN}<place> (?:geboren(?: und aufgewachsen)?|aufgewachsen)", 0.88),
        ClaimPattern("birthday", r"mein geburtstag ist (?:am |der )?<date>", 0.9),
        ClaimPattern("birthday", rf"{ICH}(?:bin|wurde) am <date> geboren|geboren (?:bin|wurde) ich am <date>", 0.9),
        ClaimPattern("birthday", rf"{ICH}(?:habe|hab) am <date> geburtstag", 0.9),
        ClaimPattern("age", rf"{ICH}bin {NOW}(?:<number>|<value:ages>)(?: jahre (?:alt|jung)|(?=\s*(?:[.,!]|$)| und))", 0.88),
        ClaimPattern("age", rf"{ICH}bin (?:gerade|gestern|eben|kürzlich|vor kurzem) (?:<number>|<value:ages>) geworden", 0.88),
        ClaimPattern("occupation", rf"{ICH}arbeite {NOW}als (?P<value>(?:\p{{Ll}}+e[rn]? )?(?-i:\p{{Lu}})[\p{{L}}\-]+"
            rf"|<value:jobs>)", 0.9),
        ClaimPattern("occupation", rf"{ICH}bin {NOW}(?:gelernter? |von beruf )?<value:jobs>(?: von beruf)?{STOP}", 0.86),
        ClaimPattern("occupation", r"von beruf bin ich <value:jobs>", 0.88),
        ClaimPattern("employer", rf"(?:{ICH}arbeite {NOW}|arbeite ich {NOW}){AT}<company>", 0.88, begins=True, anywhere=True),
        ClaimPattern("employer", rf"{ICH}bin {NOW}{AT}<company> (?:angestellt|beschäftigt|tätig)", 0.88, begins=True),
        ClaimPattern("employer", rf"ich bin <list:jobs> {AT}<company>", 0.86, anywhere=True),
        ClaimPattern("employer", rf"{ICH}arbeite nicht (?:mehr )?{AT}<company>", 0.85, denies=True),
        ClaimPattern("partner", rf"{ICH}bin (?:\w+ )?mit <name> (?:verheiratet|zusammen|verlobt)", 0.9),
        *named_patterns(
            r"(?:meine?|unsere?)(?: (?:kleine|große|jüngere|ältere|jüngste|älteste|beste"
            r"|liebe)r?)?", "(?:heißt|heisst)", r"(?:(?:ich habe?|wir haben) (?:auch )?)?eine?n?(?: \w+)?",
            r"(?: namens <name>|,? (?:der|die|das) <name> heißt|(?:,| und) (?:er|sie|es) heißt <name>)", BESIDE,
        ),
        ClaimPattern("children", r"(?:ich habe?|wir haben) (?P<value>zwei|drei|vier|fünf|sechs|[2-9]) (?:\w+ )?kinder", 0.88),
        ClaimPattern("diet", rf"{ICH}bin {NOW}<value:diets>", 0.9, begins=True),
        ClaimPattern("diet", rf"{ICH}(?:esse|ernähre mich|lebe) {NOW}(?:rein |strikt |überwiegend )?(?P<value>vegan"
            rf"|vegetarisch)", 0.88),
        ClaimPattern("diet", r"ich <value:diets> bin\b", 0.88),
        ClaimPattern("diet", rf"{ICH}bin (?:nicht(?: mehr)?|keine?) <value:diets>(?: mehr)?", 0.82, denies=True),
        ClaimPattern("no food", rf"{ICH}esse (?:grundsätzlich )?(?:kein(?:e|en)?|nie) <value:sorts>", 0.88),
        ClaimPattern("allergy", rf"{ICH}(?:bin|reagiere) (?!nicht\b|nie\b|kaum\b)(?:(?:\w+ ){{0,2}}?allergisch (?:gegen|auf)"
            rf" <things>|(?:\w+ )?(?:gegen|auf) (?P<value>[\p{{L}}\-, ]{{3,60}}?) allergisch)", 0.92),
        ClaimPattern("allergy", rf"{ICH}bin (?:gar |überhaupt |doch )?nicht (?:mehr )?(?:allergisch (?:gegen|auf) <things>"
            rf"|gegen (?P<value>[\p{{L}}\-, ]{{3,60}}?) allergisch)", 0.88, denies=True),
        ClaimPattern("allergy", rf"{ICH}habe? (?:eine |\w+ )?(?:(?:starke|schwere|leichte)"
            rf" )?(?:(?P<value>\p{{L}}{{3,20}}?)allergie\b(?! gegen)|allergie gegen <things>)", 0.88),
        ClaimPattern("allergy", r"meine allergie gegen (?P<value>(?-i:\p{Lu})[\p{L}\-]+)", 0.88),
        ClaimPattern("allergy", rf"{ICH}vertrage keine?n? <thing>", 0.85),
        ClaimPattern("speaks", rf"{ICH}spreche (?:(?!kein)\w+ ){{0,2}}?(?=(?:<list:tongues>)\b)<things>", 0.85),
        ClaimPattern("speaks", rf"{ICH}kann (?:(?!kein|nicht)\w+ ){{0,2}}?<value:tongues>(?= sprechen|\s*(?:[.,!]|$)|"
            rf" und)", 0.85),
        ClaimPattern("speaks", rf"{ICH}spreche (?:(?!kein)\w+ )?(?=kein )<things>", 0.85),
        ClaimPattern("native language", r"meine muttersprache ist <word>", 0.92),
    ),
)  # fmt: skip


HABE = r"(?:(?:wir|ich) (?:haben|habe|hab)|(?:haben|habe|hab) (?:wir|ich))"
TROUBLE = "fehler|problem|ursache|bug|leck|absturz|schwachstelle|engpass"

GERMAN_EPISODES = EpisodeGrammar(
    code="de",
    event_patterns={
        "decision_made": rf"{HABE}(?: (?:uns|mich))?(?: (?!nicht|noch|nie|kaum)[\w.-]+){{0,7}} (?:entschieden"
        r"|beschlossen|geeinigt|festgelegt)|wir (?:nehmen jetzt|bleiben bei|gehen mit|setzen auf)|(?:die|unsere|meine)"
        r" entscheidung (?:ist gefallen|steht|lautet)|es ist entschieden",
        "problem_solved": rf"{HABE}(?: (?!nicht|noch|nie|kaum)[\w.-]+){{0,5}} (?:behoben|gelöst|repariert|gefixt"
        rf"|hinbekommen)|(?:{TROUBLE}) (?:ist|sind|wurde)(?: jetzt| nun| endlich)? (?:behoben|gelöst|weg|verschwunden)"
        r"|(?:funktioniert|läuft|klappt|geht)(?: (?:jetzt|nun|alles))* (?:wieder|jetzt|endlich)|das war'?s|daran lag"
        r" es|problem gelöst",
        "breakthrough": r"(?:endlich|plötzlich) (?:verstanden|kapiert|begriffen|herausgefunden)|jetzt (?:verstehe|weiß) ich",
        "issue_identified": rf"(?:die|das|der|unser|unsere)(?: eigentliche[rs]?)? (?:{TROUBLE}) (?:ist|war|liegt|lag"
        rf"|kommt|kam)(?! (?:behoben|gelöst|weg|jetzt|nicht))|{HABE}(?: (?!nicht|noch|kein\w*)[\w.-]+){{0,3}}"
        rf" (?:{TROUBLE})(?: [\w.-]+){{0,3}} (?:gefunden|entdeckt|bemerkt)|(?:stürzt|bricht) (?:\w+ ){{0,2}}(?:ständig"
        r"|dauernd|immer wieder) (?:\w+ )?(?:ab|zusammen)|(?:die seite|der server|die produktion|der build|die"
        r" datenbank) ist (?:down|offline|kaputt|ausgefallen)",
        "task_completed": rf"{HABE}(?: (?!nicht|noch|nie|kaum)[\w.-]+){{0,5}} (?:fertiggestellt|abgeschlossen|abgegeben"
        r"|veröffentlicht|ausgeliefert|eingereicht|unterschrieben|bestanden|deployt|gemergt)|(?:ist|sind) (?:jetzt "
        r"|nun |endlich )?(?:live|fertig|abgeschlossen|online gegangen|veröffentlicht)",
        "pivot": rf"planänderung|kurswechsel|{HABE}(?: (?!nicht)[\w.-]+){{0,3}} (?:meine|unsere) meinung geändert"
        r"|(?:ich|wir) (?:habe|haben) (?:es )?(?:mir|uns) anders überlegt|wir (?:verwerfen|steigen um auf|wechseln"
        r" (?:jetzt )?(?:von|zu)|fangen (?:noch ?mal |wieder )?von vorn)|neuer plan|doch lieber",
    },
    denied=r"nicht|nie|kein|keine|keinen|noch nicht|wenn|sobald|bis|bevor|falls|ob|damit|will|wollen|möchte|möchten"
    r"|hoffe|hoffentlich|warum|wie|was|wo|wer|muss|müssen|soll|er|du|ihr|bitte",
    breaks="aber|und|denn|weil|dann|doch|jedoch|sondern",
    remember=r"(?:merke? dir(?: bitte)?|vergiss(?: bitte)? nicht|vergesst nicht|denk (?:bitte )?(?:daran|dran)|behalte"
    r" im kopf|notiere?(?: dir)?|schreib dir auf)(?: ?:|,? (?:dass|ich|mein\w*|wir|unser\w*))",
    events=r"termin\w*|besprechung\w*|meeting\w*|treffen|frist|abgabe\w*|deadline|vorstellungsgespräch|flug|fliege"
    r"|fliegen|prüfung|klausur|zahnarzt\w*|arzt\w*|operation|hochzeit|geburtstag|präsentation|konzert|konferenz"
    r"|reservierung|zug|besuch\w*|umzug|feier|verhandlung|besichtigung|urlaub",
    past=r"hatten?|war|waren|gestern|vorgestern|letzte\w*|gewesen",
    believed=r"(?:ich|wir) (?:dachten?|glaubten?|meinten?|hatten? (?:gedacht|geglaubt))|(?:dachten?|glaubten?) (?:ich"
    r"|wir)",
    undone=r"(?:dachten?|glaubten?|hofften?) (?:ich|wir)|(?:aber|doch|nur|leider|jedoch),? (?:[\w]+ ){0,4}(?:(?:immer"
    r" )?noch (?:immer )?(?:da|kaputt|nicht|vorhanden|auf)|wieder (?:da|kaputt|zurück|aufgetaucht|aufgetreten|auf)"
    r"|(?:kam|kommt|kehrte)(?: \w+)? (?:wieder|zurück))",
    generic=rf"endlich|heute|gestern|gerade|jetzt|nun|sofort|{TROUBLE}|sache|lösung|plan|aufgabe",
    pronouns=r"es|ihn|sie|dies|etwas|damit|dafür|dagegen|daran|bisher|so weit",
)  # fmt: skip
