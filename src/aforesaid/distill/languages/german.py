"""German: patterns for claims and for episodes."""

from aforesaid.distill.grammar import ClaimGrammar, ClaimPattern, EpisodeGrammar

ICH = r"(?:ich )?"
NOW = r"(?:(?:jetzt|derzeit|aktuell|inzwischen|mittlerweile|gerade|auch|seit \w+) ){0,2}"
PARTNER = "frau|mann|freundin|freund|partnerin|partner|verlobte|verlobter|ehefrau|ehemann"

GERMAN = ClaimGrammar(
    code="de",
    marks=frozenset(["ich", "und", "ist", "nicht", "das", "die", "der", "wir", "ein", "eine", "mein", "meine", "mit", "für", "zu", "auf", "von", "dem", "den", "uns", "haben", "bin"]),
    connectives="und|aber|weil|da|denn|dass|also|sondern",
    fillers="hallo|hi|ok|okay|also|übrigens|nur zur info|eigentlich|ja|nein|ach|tja|bitte|danke|ich glaube|ich denke"
    "|kurz|ehrlich gesagt|zur info|aktuell|momentan|leider|nun|jetzt|so|bei uns",
    ends="und|aber|weil|da|seit|wenn|während|bis|obwohl|welche[rsn]?|oder|als|sehr|gar nicht|überhaupt nicht|nicht"
    "|total|wirklich|von beruf|denn",
    articles="der|die|das|den|dem|des|ein|eine|einen|einem|einer",
    joins="und|sowie|oder|ein bisschen|etwas|fließend",
    doubt=r"wenn|falls|ob|vielleicht|eventuell|womöglich|möglicherweise|wahrscheinlich|könnten?|würden?|wäre|hätten?"
    r"|sollten?|sollen|wünschte|angenommen|sagte|sagt|meinte|meint|erzählte|erzählt|behauptet|schrieb|laut|fast|beinahe"
    r"|früher|angeblich|(?:vergiss|vergessen sie|glaubst(?: du)?|denkst(?: du)?|dachte|falsch|gelogen|unsinn|nicht wahr"
    r"|stimmt nicht),? dass|zum beispiel|z\.b\.|niemand|jemand|im (?:buch|film|text|artikel|beispiel)",
    frame=r"(?:schreib|schreibe|verfass|verfasse|erzähl|erzähle|erfinde|dichte) (?:\S+ ){0,6}?(?:geschichte|gedicht"
    r"|lied|brief|witz|e-?mail|text|dialog|szene|nachricht|aufsatz|märchen)|übersetze?n?|korrigiere?|formuliere?|stell"
    r" dir vor|nimm an|tu so|rollenspiel|spiel(?:e)? (?:die rolle|einen|eine)|hier ist (?:\S+ ){0,3}?(?:mail|text|brief"
    r"|log|nachricht|artikel|auszug)|folgende[nrsm]?|der folgende|(?:er|sie) (?:sagte|schrieb|meinte)(?= ?[,:])",
    hedge="ich glaube|ich denke|ich meine|vermutlich|soweit ich weiß|irgendwie|wohl",
    question="soll|sollen|kann|können|ist|sind|hast|haben sie|wer|was|wo|wann|warum|wie|welche[rsnm]?|wieso|bin ich",
    irony=r"scherz|nur spaß|war ein witz|ironie|🙄|/s(?=\s|$)",
    vague="das|es|dies|dieses|diese|ihn|sie|dich|euch|uns|etwas|nichts|alles|so .*|dass .*|wie .*|was .*|dein.*|mir .*"
    "|mich .*|den|die|der|dieser .*|diese .*|dieses .*|diesen .*|gern.*|nicht.*",
    denial=r"(?-i:nicht(?: mehr)?(?: (?:am|bis|gegen|auf))?|keine?[nmrs]?(?: mehr)?|nie|niemals)",
    lists={
        "again": "gegen|auf",
        "alien": "ich|du|er|sie|es|wir|ihr|mich|mir|mein|meine|dein|deine|unser|unsere|das|dies|ist|sind|war|bin|hat"
        "|habe|haben|kann|können|muss|will|nicht|kein|keine|nie|spricht|mag|liebt|hasst|wohnt|lebt|arbeitet|isst|danke"
        "|bitte|sorry|leider",
        "kin": "schwester|bruder|mutter|vater|tochter|sohn|cousin|cousine|tante|onkel|oma|opa|hund|katze|kater|chef"
        "|chefin|kollege|kollegin|freund|freundin|nichte|neffe|schwiegermutter",
        "jobs": "lehrer|lehrerin|arzt|ärztin|ingenieur|ingenieurin|entwickler|entwicklerin|programmierer"
        "|programmiererin|krankenpfleger|krankenschwester|pflegerin|student|studentin|anwalt|anwältin|koch|köchin|pilot"
        "|landwirt|berater|beraterin|buchhalter|buchhalterin|forscher|forscherin|professor|professorin|architekt"
        "|architektin|journalist|journalistin|elektriker|elektrikerin|mechaniker|fotograf|fotografin|musiker|musikerin"
        "|übersetzer|übersetzerin|bibliothekar|tierarzt|tierärztin|zahnarzt|zahnärztin|apotheker|apothekerin|physiker"
        "|physikerin|tischler|bäcker|bäckerin|kellner|kellnerin|psychologe|psychologin|rentner|rentnerin|hebamme"
        "|designer|designerin|informatiker|informatikerin|polizist|polizistin|erzieher|erzieherin",
        "diets": "vegetarier|vegetarierin|veganer|veganerin|vegetarisch|vegan",
        "tongues": "deutsch|englisch|französisch|spanisch|italienisch|portugiesisch|russisch|türkisch|polnisch|arabisch"
        "|chinesisch|japanisch|niederländisch|schwedisch|griechisch",
        "breaks": r"und (?:ich|wir|(?:meine?|unsere?) (?:[\w\-]+ ){1,2}?(?:heißt|heißen|ist|sind|hat))|weil|aber|denn"
        r"|damit|obwohl|sondern",
        "goals": r"[\w ,.]{0,60}?(?:lernen|kaufen|ziehen|umziehen|werden|abnehmen|aufhören|laufen|reisen|besuchen"
        r"|schreiben|gründen|studieren|kündigen|sparen|verbessern)",
    },
    patterns=(
        ClaimPattern("name", rf"{ICH}(?:heiße|heiß|heisse) <name>", 0.92),
        ClaimPattern("name", r"mein name ist <name>", 0.95),
        ClaimPattern("name", r"(?:ich heiße|mein name ist) nicht <name>", 0.9, denies=True),
        ClaimPattern("home", rf"{ICH}(?:wohne|lebe) nicht (?:mehr )?in <place>", 0.85, denies=True),
        ClaimPattern("home", rf"{ICH}(?:wohne|lebe|wohn|leb) {NOW}in <place>", 0.92),
        ClaimPattern("home", r"(?:ich bin|wir sind) (?:\w+ ){0,3}?nach <place> gezogen", 0.88, begins=True),
        ClaimPattern("origin", rf"{ICH}komme (?:ursprünglich )?aus (?:der |den )?<place>", 0.88),
        ClaimPattern("birthday", r"mein geburtstag ist (?:am )?<date>", 0.9),
        ClaimPattern("birthday", r"ich bin am (?=\d)<date> geboren", 0.9),
        ClaimPattern("birthday", r"ich habe am (?=\d)<date> geburtstag", 0.9),
        ClaimPattern("age", r"ich bin <number>(?: jahre alt|(?=\s*(?:[.,!]|$)| und))", 0.88),
        ClaimPattern("employer", rf"{ICH}arbeite {NOW}(?:bei|für) (?:der |dem |den |die )?<place>", 0.88, begins=True),
        ClaimPattern("employer", rf"{ICH}arbeite nicht (?:mehr )?(?:bei|für) (?:der |dem |den |die"
            r" )?<place>", 0.85, denies=True),
        ClaimPattern("occupation", rf"{ICH}arbeite {NOW}als <value:jobs>", 0.9),
        ClaimPattern("occupation", r"ich bin <value:jobs>(?: von beruf)?(?=\s*(?:[.,!]|$)|\s(?:und|bei|in|aus|von)\b)", 0.86),
        ClaimPattern("partner", rf"meine? (?:{PARTNER}) heißt <name>", 0.92, anywhere=True),
        ClaimPattern("relative", r"meine? <other:kin> heißt <name>", 0.92, anywhere=True),
        ClaimPattern("relative", r"(?:meine|mein|unsere|unser) <other:kin> (?-i:(?=\p{Lu}))<name>", 0.82, anywhere=True),
        ClaimPattern("diet", r"ich bin (?:seit \w+ )?<value:diets>", 0.9, begins=True),
        ClaimPattern("diet", r"ich (?:esse|ernähre mich) <value:diets>", 0.88),
        ClaimPattern("diet", r"ich bin (?:nicht(?: mehr)?|keine?) <value:diets>(?: mehr)?", 0.82, denies=True),
        ClaimPattern("no food", r"ich esse kein(?:e|en)? (?=fleisch|fisch|schwein|eier|zucker|milch)<thing>", 0.88),
        ClaimPattern("allergy", r"ich bin (?!nicht\b|nie\b|kaum\b)(?:\w+ )?allergisch (?:gegen|auf) <things>", 0.92),
        ClaimPattern("allergy", r"ich bin (?:gar |überhaupt |doch )?nicht (?:mehr )?allergisch (?:gegen|auf)"
            r" <things>", 0.88, denies=True),
        ClaimPattern("allergy", r"ich habe eine (?P<value>\p{L}{3,20}?)allergie", 0.88),
        ClaimPattern("speaks", r"ich spreche (?=(?:\w+ )?<list:tongues>\b)<things>", 0.85),
        ClaimPattern("native language", r"meine muttersprache ist <word>", 0.92),
        ClaimPattern("name", r"(?:ich )?bin (?:übrigens )?(?:der|die) <name>(?=\s*(?:[.,!]|$)|\s(?:und|aus|von)\b)", 0.82),
        ClaimPattern("relative", r"einen? <other:kin> namens <name>", 0.88, anywhere=True),
        ClaimPattern("origin", r"ich bin in <place> (?:aufgewachsen|geboren)", 0.88),
        ClaimPattern("allergy", r"ich vertrage keine?n? <thing>", 0.85),
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
