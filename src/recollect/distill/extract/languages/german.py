"""German."""

from __future__ import annotations

from recollect.distill.extract.language import Language, Pattern, words

ICH = r"(?:ich )?"
NOW = r"(?:(?:jetzt|derzeit|aktuell|inzwischen|mittlerweile|gerade|auch|seit \w+) ){0,2}"
PARTNER = "frau|mann|freundin|freund|partnerin|partner|verlobte|verlobter|ehefrau|ehemann"

GERMAN = Language(
    code="de",
    marks=words("ich und ist nicht das die der wir ein eine mein meine mit für zu auf von dem den uns haben bin"),
    connectives="und|aber|weil|da|denn|dass|also|sondern",
    fillers="hallo|hi|ok|okay|also|übrigens|nur zur info|eigentlich|ja|nein|ach|tja|bitte|danke|ich glaube|ich denke"
    "|kurz|ehrlich gesagt|zur info|aktuell|momentan|leider|nun|jetzt|so|bei uns",
    ends="und|aber|weil|da|seit|wenn|während|bis|obwohl|welche[rsn]?|oder|als|sehr|gar nicht|überhaupt nicht|nicht"
    "|total|wirklich|von beruf|denn",
    articles="der|die|das|den|dem|des|ein|eine|einen|einem|einer",
    joins="und|sowie|oder|ein bisschen|etwas|fließend",
    doubt="wenn|falls|ob|vielleicht|eventuell|womöglich|möglicherweise|wahrscheinlich|könnten?|würden?|wäre|hätten?"
    "|sollten?|sollen|wünschte|angenommen|sagte|sagt|meinte|meint|erzählte|erzählt|behauptet|schrieb|laut|fast"
    "|beinahe|früher|angeblich|(?:vergiss|vergessen sie|glaubst(?: du)?|denkst(?: du)?|dachte|falsch|gelogen"
    "|unsinn|nicht wahr|stimmt nicht),? dass|zum beispiel|z\\.b\\.|niemand"
    "|jemand|im (?:buch|film|text|artikel|beispiel)",
    frame=r"(?:schreib|schreibe|verfass|verfasse|erzähl|erzähle|erfinde|dichte) (?:\S+ ){0,6}?(?:geschichte"
    r"|gedicht|lied"
    r"|brief|witz|e-?mail|text|dialog|szene|nachricht|aufsatz|märchen)|übersetze?n?|korrigiere?|formuliere?"
    r"|stell dir vor|nimm an|tu so|rollenspiel|spiel(?:e)? (?:die rolle|einen|eine)|hier ist (?:\S+ ){0,3}?(?:mail|text"
    r"|brief|log|nachricht|artikel|auszug)|folgende[nrsm]?|der folgende|(?:er|sie) (?:sagte|schrieb|meinte)(?= ?[,:])",
    hedge="ich glaube|ich denke|ich meine|vermutlich|soweit ich weiß|irgendwie|wohl",
    question="soll|sollen|kann|können|ist|sind|hast|haben sie|wer|was|wo|wann|warum|wie|welche[rsnm]?|wieso|bin ich",
    irony=r"scherz|nur spaß|war ein witz|ironie|🙄|/s(?=\s|$)",
    vague="das|es|dies|dieses|diese|ihn|sie|dich|euch|uns|etwas|nichts|alles|so .*|dass .*|wie .*|was .*|dein.*|mir .*"
    "|mich .*|den|die|der|dieser .*|diese .*|dieses .*|diesen .*|gern.*|nicht.*",
    denial=r"(?-i:nicht(?: mehr)?(?: (?:am|bis|gegen|auf))?|keine?[nmrs]?(?: mehr)?|nie|niemals)",
    lists={
        "again": "gegen|auf",
        "alien": "ich|du|er|sie|es|wir|ihr|mich|mir|mein|meine|dein|deine|unser|unsere|das|dies|ist|sind|war|bin|hat"
        "|habe|haben|kann|können|muss|will|nicht|kein|keine|nie|spricht|mag|liebt|hasst|wohnt|lebt|arbeitet"
        "|isst|danke|bitte|sorry|leider",
        "kin": "schwester|bruder|mutter|vater|tochter|sohn|cousin|cousine|tante|onkel|oma|opa|hund|katze|kater|chef"
        "|chefin|kollege|kollegin|freund|freundin|nichte|neffe|schwiegermutter",
        "jobs": "lehrer|lehrerin|arzt|ärztin|ingenieur|ingenieurin|entwickler|entwicklerin|programmierer"
        "|programmiererin"
        "|krankenpfleger|krankenschwester|pflegerin|student|studentin|anwalt|anwältin|koch|köchin|pilot|landwirt"
        "|berater|beraterin|buchhalter|buchhalterin|forscher|forscherin|professor|professorin|architekt|architektin"
        "|journalist|journalistin|elektriker|elektrikerin|mechaniker|fotograf|fotografin|musiker|musikerin|übersetzer"
        "|übersetzerin|bibliothekar|tierarzt|tierärztin|zahnarzt|zahnärztin|apotheker|apothekerin|physiker|physikerin"
        "|tischler|bäcker|bäckerin|kellner|kellnerin|psychologe|psychologin|rentner|rentnerin|hebamme|designer"
        "|designerin|informatiker|informatikerin|polizist|polizistin|erzieher|erzieherin",
        "diets": "vegetarier|vegetarierin|veganer|veganerin|vegetarisch|vegan",
        "tongues": "deutsch|englisch|französisch|spanisch|italienisch|portugiesisch|russisch|türkisch|polnisch|arabisch"
        "|chinesisch|japanisch|niederländisch|schwedisch|griechisch",
        "breaks": r"und (?:ich|wir|(?:meine?|unsere?) (?:[\w\-]+ ){1,2}?(?:heißt|heißen|ist|sind|hat))"
        "|weil|aber|denn|damit|obwohl|sondern",
        "goals": r"[\w ,.]{0,60}?(?:lernen|kaufen|ziehen|umziehen|werden|abnehmen|aufhören|laufen|reisen|besuchen"
        r"|schreiben|gründen|studieren|kündigen|sparen|verbessern)",
    },
    patterns=(
        Pattern("name", rf"{ICH}(?:heiße|heiß|heisse) <name>", 0.92),
        Pattern("name", r"mein name ist <name>", 0.95),
        Pattern("name", r"(?:ich heiße|mein name ist) nicht <name>", 0.9, against=True),
        Pattern("home", rf"{ICH}(?:wohne|lebe) nicht (?:mehr )?in <place>", 0.85, against=True),
        Pattern("home", rf"{ICH}(?:wohne|lebe|wohn|leb) {NOW}in <place>", 0.92),
        Pattern("home", r"(?:ich bin|wir sind) (?:\w+ ){0,3}?nach <place> gezogen", 0.88, begins=True),
        Pattern("origin", rf"{ICH}komme (?:ursprünglich )?aus (?:der |den )?<place>", 0.88),
        Pattern("birthday", r"mein geburtstag ist (?:am )?<thing>", 0.9),
        Pattern("birthday", r"ich bin am (?=\d)(?P<value>[\d. \p{L}]{3,24}?) geboren", 0.9),
        Pattern("birthday", r"ich habe am (?=\d)(?P<value>[\d. \p{L}]{3,24}?) geburtstag", 0.9),
        Pattern("age", r"ich bin <number>(?: jahre alt|(?=\s*(?:[.,!]|$)| und))", 0.88),
        Pattern("employer", rf"{ICH}arbeite {NOW}(?:bei|für) (?:der |dem |den |die )?<place>", 0.88, begins=True),
        Pattern(
            "employer",
            rf"{ICH}arbeite nicht (?:mehr )?(?:bei|für) (?:der |dem |den |die )?<place>",
            0.85,
            against=True,
        ),
        Pattern("occupation", rf"{ICH}arbeite {NOW}als <value:jobs>", 0.9),
        Pattern(
            "occupation",
            r"ich bin <value:jobs>(?: von beruf)?(?=\s*(?:[.,!]|$)|\s(?:und|bei|in|aus|von)\b)",
            0.86,
        ),
        Pattern("partner", rf"meine? (?:{PARTNER}) heißt <name>", 0.92, anywhere=True),
        Pattern("relative", r"meine? <other:kin> heißt <name>", 0.92, anywhere=True),
        Pattern("relative", r"(?:meine|mein|unsere|unser) <other:kin> (?-i:(?=\p{Lu}))<name>", 0.82, anywhere=True),
        Pattern("diet", r"ich bin (?:seit \w+ )?<value:diets>", 0.9, begins=True),
        Pattern("diet", r"ich (?:esse|ernähre mich) <value:diets>", 0.88),
        Pattern("diet", r"ich bin (?:nicht(?: mehr)?|keine?) <value:diets>(?: mehr)?", 0.82, against=True),
        Pattern("no food", r"ich esse kein(?:e|en)? (?=fleisch|fisch|schwein|eier|zucker|milch)<thing>", 0.88),
        Pattern("allergy", r"ich bin (?!nicht\b|nie\b|kaum\b)(?:\w+ )?allergisch (?:gegen|auf) <things>", 0.92),
        Pattern(
            "allergy",
            r"ich bin (?:gar |überhaupt |doch )?nicht (?:mehr )?allergisch (?:gegen|auf) <things>",
            0.88,
            against=True,
        ),
        Pattern("allergy", r"ich habe eine (?P<value>\p{L}{3,20}?)allergie", 0.88),
        Pattern("speaks", r"ich spreche (?=(?:\w+ )?<list:tongues>\b)<things>", 0.85),
        Pattern("native language", r"meine muttersprache ist <word>", 0.92),
        Pattern("favourite", r"meine? lieblings(?P<other>\p{L}{3,20}) (?:ist|sind) <thing>", 0.92),
        Pattern("dislikes", r"ich mag keine?n? <thing>", 0.88),
        Pattern("dislikes", r"ich (?:hasse|verabscheue) <thing>", 0.86),
        Pattern("dislikes", r"ich mag (?P<value>[\p{L}\- ]{3,30}?) (?:gar |überhaupt )?nicht", 0.85),
        Pattern("likes", r"ich (?:mag|liebe) (?!\w+ nicht\b)<thing>(?!\s+(?:gar |überhaupt )?nicht)", 0.85),
        Pattern("prefers", r"ich bevorzuge <phrase>", 0.86),
        Pattern(
            "chosen technology",
            r"wir haben uns (?:jetzt |nun |gestern |heute )?für <technology> entschieden",
            0.92,
        ),
        Pattern("chosen technology", r"wir (?:nehmen|wechseln zu|steigen um auf|bleiben bei) <technology>", 0.82),
        Pattern(
            "decision",
            r"wir haben uns (?:jetzt |nun )?für (?P<value>[^,.;:!?\n\ufffc]{3,80}?) entschieden",
            0.88,
        ),
        Pattern("decision", r"wir haben (?:\w+ )?beschlossen,? <phrase>", 0.9),
        Pattern("own decision", r"ich habe (?:mich entschieden|beschlossen),? <phrase>", 0.86),
        Pattern(
            "used technology",
            r"wir (?:verwenden|benutzen|nutzen|setzen auf|haben) (?:seit \w+ |jetzt |aktuell )?<technology>",
            0.86,
        ),
        Pattern("used technology", r"(?:das|unser) (?:projekt|backend) ist in <technology> geschrieben", 0.86),
        Pattern("deadline", r"(?:die|unsere) (?:deadline|frist) ist (?:am |der |bis )?<thing>", 0.9),
        Pattern("deadline", r"(?:der|unser) abgabetermin ist (?:am |der )?<thing>", 0.9),
        Pattern("budget", r"(?:das|unser|mein) budget (?:beträgt|ist|liegt bei) (?:etwa |rund )?<thing>", 0.9),
        Pattern(
            "constraint",
            r"(?:wir )?(?=(?:dürfen|darf|können) (?:kein\w*|nicht|auf keinen fall) (?!sagen|verstehen|finden"
            r"|warten|sicher)\w)<phrase>",
            0.8,
        ),
        Pattern("goal", r"mein ziel ist(?: es)?,? (?!nicht ?,)<phrase>", 0.88),
        Pattern(
            "goal",
            r"ich (?:möchte|will|werde) (?!wissen|dass|gern|nicht|kein|nie|eine?n? tabelle)<value:goals>"
            r"(?=\s*(?:[.,!]|$))",
            0.8,
        ),
        Pattern("project name", r"(?:das|unser) projekt heißt <name>", 0.9),
        Pattern("name", r"(?:ich )?bin (?:übrigens )?(?:der|die) <name>(?=\s*(?:[.,!]|$)|\s(?:und|aus|von)\b)", 0.82),
        Pattern("relative", r"einen? <other:kin> namens <name>", 0.88, anywhere=True),
        Pattern("origin", r"ich bin in <place> (?:aufgewachsen|geboren)", 0.88),
        Pattern("allergy", r"ich vertrage keine?n? <thing>", 0.85),
        Pattern("chosen technology", r"wir haben uns (?:jetzt |nun )?auf <technology> geeinigt", 0.9),
    ),
)  # fmt: skip
