"""Dutch."""

from __future__ import annotations

from recollect.distill.extract.language import Language, Pattern, words

IK = r"(?:ik )?"
WE = r"(?:we|wij)"

DUTCH = Language(
    code="nl",
    marks=words("ik de het een en is niet dat van mijn we wij met voor te zijn ben heb hebben op ons om maar"),
    connectives="en|maar|want|omdat|dus|dat",
    fillers="hallo|hoi|ok|oké|nou|trouwens|eigenlijk|ja|nee|ah|bedankt|sorry|ik denk dat|ter info|nu|momenteel"
    "|uiteindelijk|eerlijk gezegd|helaas",
    ends="en|maar|want|omdat|sinds|als|terwijl|tot|hoewel|die|dat|waar|met|of|ook|erg|niet|als",
    articles="de|het|een|mijn|onze|ons",
    joins="en|of|een beetje|alsook",
    doubt="als (?:ik|we|wij|je|jij|het|er|iemand)|indien|misschien|wellicht|waarschijnlijk|zou|zouden|zal|zullen"
    "|kunnen we|wou dat|stel|stel je voor|zei"
    "|zegt|zeiden|vertelde|volgens|bijna|vroeger|bijvoorbeeld|niemand|iemand|in het (?:boek|verhaal|voorbeeld)"
    "|in de (?:film|tekst)|vraag me af|of ik"
    "|(?:(?<!niet )vergeet|onzin|niet waar|onjuist|denkt|dacht) dat",
    frame=r"(?:schrijf|verzin|vertel|maak) (?:\S+ ){0,6}?(?:verhaal|gedicht|lied|brief|grap|e-?mail|tekst|dialoog|scène"
    r"|bericht)|vertaal|verbeter|herschrijf|stel je voor|doe alsof|rollenspel|hier is (?:\S+ ){0,3}?(?:mail|tekst|brief"
    r"|log|bericht|artikel)|de volgende|het volgende|(?:hij|ze|zij) (?:zei|zegt|schreef)(?= ?[,:])",
    hedge="ik denk|ik geloof|volgens mij|min of meer|zo'n beetje",
    question="wie|wat|waar|wanneer|waarom|hoe|welke?|kun je|kan je|zullen we|moeten we|zou je|is|ben ik",
    irony=r"grapje|geintje|ironie|🙄|/s(?=\s|$)",
    vague="het|dat|dit|deze|die|jou|je|u|alles|niets|iets|dat .*|dit .*|deze .*|hoe .*|wat .*|jouw .*|weten.*",
    denial=r"(?-i:niet(?: meer)?|geen|nooit)",
    lists={
        "again": "voor",
        "alien": "ik|jij|je|hij|zij|ze|wij|we|jullie|mij|mijn|jouw|onze|ons|dit|is|zijn|ben|was|heb|heeft|hebben|kan"
        "|moet|wil|niet|geen|nooit|spreekt|houdt|woont|werkt|eet|bedankt|sorry",
        "kin": "zus|broer|moeder|vader|dochter|zoon|neef|nicht|tante|oom|hond|kat|poes|kater|baas|collega|vriend"
        "|vriendin|oma|opa|schoonmoeder",
        "jobs": "leraar|lerares|docent|docente|arts|dokter|verpleegkundige|ingenieur|ontwikkelaar|programmeur|advocaat"
        "|student|studente|kok|piloot|boer|adviseur|consultant|boekhouder|onderzoeker|hoogleraar|architect|journalist"
        "|elektricien|monteur|fotograaf|muzikant|vertaler|dierenarts|tandarts|apotheker|natuurkundige|bakker|ober"
        "|psycholoog|gepensioneerd|ontwerper|timmerman|verloskundige",
        "diets": "vegetariër|vegetarisch|veganist|veganistisch|vegan",
        "tongues": "nederlands|engels|frans|duits|spaans|italiaans|portugees|arabisch|russisch|chinees|japans|fries",
        "breaks": r"en (?:ik|we|wij|(?:mijn|onze|ons) (?:[\w\-]+ ){1,2}?(?:heet|heten|is|zijn|heeft))"
        "|omdat|maar|want|hoewel|zodat",
        "goals": r"[\w ,.]{0,60}?(?:leren|kopen|verhuizen|worden|afvallen|stoppen|lopen|reizen|bezoeken|schrijven"
        r"|beginnen|studeren|sparen|verbeteren)",
    },
    patterns=(
        Pattern("name", rf"{IK}heet <name>", 0.92),
        Pattern("name", r"mijn naam is <name>", 0.95),
        Pattern("name", r"(?:ik heet|mijn naam is) niet <name>", 0.9, against=True),
        Pattern("home", rf"{IK}woon niet (?:meer )?in <place>", 0.85, against=True),
        Pattern("home", rf"{IK}woon (?:nu |momenteel |sinds \w+ )?in <place>", 0.92, begins=True),
        Pattern("home", r"(?:ik ben|we zijn) (?:\w+ ){0,2}?naar <place> verhuisd", 0.88, begins=True),
        Pattern("origin", rf"{IK}kom (?:oorspronkelijk )?uit <place>", 0.88),
        Pattern("birthday", r"mijn verjaardag is (?:op )?<thing>", 0.9),
        Pattern("birthday", r"ik ben (?=op \d|in \d)(?:op |in )(?P<value>[\d \p{L}]{3,24}?) geboren", 0.9),
        Pattern("age", r"ik ben <number>(?: jaar(?: oud)?|(?=\s*(?:[.,!]|$)))", 0.9),
        Pattern("employer", rf"{IK}werk (?:nu )?(?:bij|voor) (?:de |het )?<place>", 0.88, begins=True),
        Pattern("employer", rf"{IK}werk niet (?:meer )?(?:bij|voor) (?:de |het )?<place>", 0.85, against=True),
        Pattern("occupation", rf"{IK}werk als <value:jobs>", 0.9),
        Pattern(
            "occupation",
            r"ik ben (?:een )?<value:jobs>(?: van beroep)?(?=\s*(?:[.,!]|$)|\s(?:en|bij|in)\b)",
            0.86,
        ),
        Pattern("partner", r"mijn (?:vrouw|man|vriendin|vriend|partner|verloofde) heet <name>", 0.92, anywhere=True),
        Pattern("relative", r"mijn <other:kin> heet <name>", 0.92, anywhere=True),
        Pattern("relative", r"mijn <other:kin> (?-i:(?=\p{Lu}))<name>", 0.84, anywhere=True),
        Pattern("children", r"(?:ik heb|we hebben) (?P<value>een|twee|drie|vier|vijf|\d) kind(?:eren)?", 0.88),
        Pattern("diet", r"ik ben (?:een )?<value:diets>", 0.92),
        Pattern("diet", r"ik eet <value:diets>", 0.88),
        Pattern("diet", r"ik ben (?:geen|niet(?: meer)?) <value:diets>(?: meer)?", 0.84, against=True),
        Pattern("no food", r"ik eet geen (?=vlees|varken|vis|gluten|suiker|eieren|zuivel)<thing>", 0.88),
        Pattern("allergy", r"ik ben (?:erg )?allergisch voor <things>", 0.92),
        Pattern("allergy", r"ik ben niet (?:meer )?allergisch voor <things>", 0.88, against=True),
        Pattern("speaks", r"ik spreek (?=(?:\w+ )?<list:tongues>\b)<things>", 0.85),
        Pattern("native language", r"mijn moedertaal is (?:het )?<word>", 0.92),
        Pattern("favourite", r"mijn (?:favoriete|lievelings) ?<other> is <thing>", 0.92),
        Pattern("dislikes", r"ik (?:hou|houd) (?:echt |helemaal )?niet van <thing>", 0.88),
        Pattern("dislikes", r"ik (?:haat|heb een hekel aan) <thing>", 0.86),
        Pattern("likes", r"ik (?:hou|houd) (?:erg |heel veel )?van <thing>", 0.85),
        Pattern("prefers", r"ik verkies <phrase>", 0.84),
        Pattern("chosen technology", rf"{WE} hebben besloten (?:om )?<technology> te (?:gebruiken|nemen)", 0.92),
        Pattern("chosen technology", rf"{WE} hebben (?:voor <technology> gekozen)", 0.92),
        Pattern("decision", rf"{WE} hebben besloten (?:om )?<phrase>", 0.9),
        Pattern("own decision", r"ik heb besloten (?:om )?<phrase>", 0.88),
        Pattern("used technology", rf"{WE} gebruiken <technology>", 0.87),
        Pattern("deadline", r"(?:de|onze) deadline is (?:op )?<thing>", 0.9),
        Pattern("budget", r"(?:het|ons|mijn) budget is <thing>", 0.9),
        Pattern("constraint", rf"{WE} (?=(?:mogen|kunnen) (?:geen|niet) (?!zeggen|weten|vinden)\w)<phrase>", 0.8),
        Pattern("goal", r"mijn doel is (?:om )?<phrase>", 0.88),
        Pattern("goal", r"ik wil (?!weten|dat|niet|geen|nooit)<value:goals>(?=\s*(?:[.,!]|$))", 0.8),
        Pattern("project name", r"(?:het|ons) project heet <name>", 0.9),
        Pattern("name", r"ik ben (?-i:(?=\p{Lu}\p{Ll}))<name>(?=\s*(?:[.,!]|$)|\s(?:en|uit|van)\b)", 0.78),
    ),
)  # fmt: skip
