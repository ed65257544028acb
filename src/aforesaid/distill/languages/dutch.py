"""Dutch: patterns for claims and for episodes."""

from aforesaid.distill.grammar import ClaimGrammar, ClaimPattern, EpisodeGrammar

IK = r"(?:ik )?"
WE = r"(?:we|wij)"

DUTCH = ClaimGrammar(
    code="nl",
    marks=frozenset(["ik", "de", "het", "een", "en", "is", "niet", "dat", "van", "mijn", "we", "wij", "met", "voor", "te", "zijn", "ben", "heb", "hebben", "op", "ons", "om", "maar"]),
    connectives="en|maar|want|omdat|dus|dat",
    fillers="hallo|hoi|ok|oké|nou|trouwens|eigenlijk|ja|nee|ah|bedankt|sorry|ik denk dat|ter info|nu|momenteel"
    "|uiteindelijk|eerlijk gezegd|helaas",
    ends="en|maar|want|omdat|sinds|als|terwijl|tot|hoewel|die|dat|waar|met|of|ook|erg|niet|als",
    articles="de|het|een|mijn|onze|ons",
    joins="en|of|een beetje|alsook",
    doubt="als (?:ik|we|wij|je|jij|het|er|iemand)|indien|misschien|wellicht|waarschijnlijk|zou|zouden|zal|zullen|kunnen"
    " we|wou dat|stel|stel je voor|zei|zegt|zeiden|vertelde|volgens|bijna|vroeger|bijvoorbeeld|niemand|iemand|in het"
    " (?:boek|verhaal|voorbeeld)|in de (?:film|tekst)|vraag me af|of ik|(?:(?<!niet )vergeet|onzin|niet waar|onjuist"
    "|denkt|dacht) dat",
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
        "breaks": r"en (?:ik|we|wij|(?:mijn|onze|ons) (?:[\w\-]+ ){1,2}?(?:heet|heten|is|zijn|heeft))|omdat|maar|want"
        r"|hoewel|zodat",
        "goals": r"[\w ,.]{0,60}?(?:leren|kopen|verhuizen|worden|afvallen|stoppen|lopen|reizen|bezoeken|schrijven"
        r"|beginnen|studeren|sparen|verbeteren)",
    },
    patterns=(
        ClaimPattern("name", rf"{IK}heet <name>", 0.92),
        ClaimPattern("name", r"mijn naam is <name>", 0.95),
        ClaimPattern("name", r"(?:ik heet|mijn naam is) niet <name>", 0.9, denies=True),
        ClaimPattern("home", rf"{IK}woon niet (?:meer )?in <place>", 0.85, denies=True),
        ClaimPattern("home", rf"{IK}woon (?:nu |momenteel |sinds \w+ )?in <place>", 0.92, begins=True),
        ClaimPattern("home", r"(?:ik ben|we zijn) (?:\w+ ){0,2}?naar <place> verhuisd", 0.88, begins=True),
        ClaimPattern("origin", rf"{IK}kom (?:oorspronkelijk )?uit <place>", 0.88),
        ClaimPattern("birthday", r"mijn verjaardag is (?:op )?<date>", 0.9),
        ClaimPattern("birthday", r"ik ben (?=op \d|in \d)(?:op |in )<date> geboren", 0.9),
        ClaimPattern("age", r"ik ben <number>(?: jaar(?: oud)?|(?=\s*(?:[.,!]|$)))", 0.9),
        ClaimPattern("employer", rf"{IK}werk (?:nu )?(?:bij|voor) (?:de |het )?<place>", 0.88, begins=True),
        ClaimPattern("employer", rf"{IK}werk niet (?:meer )?(?:bij|voor) (?:de |het )?<place>", 0.85, denies=True),
        ClaimPattern("occupation", rf"{IK}werk als <value:jobs>", 0.9),
        ClaimPattern("occupation", r"ik ben (?:een )?<value:jobs>(?: van beroep)?(?=\s*(?:[.,!]|$)|\s(?:en|bij|in)\b)", 0.86),
        ClaimPattern("partner", r"mijn (?:vrouw|man|vriendin|vriend|partner|verloofde) heet <name>", 0.92, anywhere=True),
        ClaimPattern("relative", r"mijn <other:kin> heet <name>", 0.92, anywhere=True),
        ClaimPattern("relative", r"mijn <other:kin> (?-i:(?=\p{Lu}))<name>", 0.84, anywhere=True),
        ClaimPattern("children", r"(?:ik heb|we hebben) (?P<value>een|twee|drie|vier|vijf|\d) kind(?:eren)?", 0.88),
        ClaimPattern("diet", r"ik ben (?:een )?<value:diets>", 0.92),
        ClaimPattern("diet", r"ik eet <value:diets>", 0.88),
        ClaimPattern("diet", r"ik ben (?:geen|niet(?: meer)?) <value:diets>(?: meer)?", 0.84, denies=True),
        ClaimPattern("no food", r"ik eet geen (?=vlees|varken|vis|gluten|suiker|eieren|zuivel)<thing>", 0.88),
        ClaimPattern("allergy", r"ik ben (?:erg )?allergisch voor <things>", 0.92),
        ClaimPattern("allergy", r"ik ben niet (?:meer )?allergisch voor <things>", 0.88, denies=True),
        ClaimPattern("speaks", r"ik spreek (?=(?:\w+ )?<list:tongues>\b)<things>", 0.85),
        ClaimPattern("native language", r"mijn moedertaal is (?:het )?<word>", 0.92),
        ClaimPattern("name", r"ik ben (?-i:(?=\p{Lu}\p{Ll}))<name>(?=\s*(?:[.,!]|$)|\s(?:en|uit|van)\b)", 0.78),
    ),
)  # fmt: skip


HEBBEN = r"(?:(?:we|wij|ik) (?:hebben|heb)|(?:hebben|heb) (?:we|wij|ik))"
TROUBLE = "fout|probleem|oorzaak|bug|lek|storing|crash"

DUTCH_EPISODES = EpisodeGrammar(
    code="nl",
    event_patterns={
        "decision_made": rf"{HEBBEN}(?: (?!niet|nog|nooit)[\w.-]+){{0,6}} (?:besloten|gekozen|afgesproken)|we (?:gaan"
        r" voor|kiezen voor|blijven bij)|(?:de|onze|mijn) beslissing is (?:genomen|gevallen)|het is besloten",
        "problem_solved": rf"{HEBBEN}(?: (?!niet|nog|nooit)[\w.-]+){{0,5}} (?:opgelost|gerepareerd|verholpen|gefixt)"
        rf"|(?:{TROUBLE}) is (?:nu |eindelijk )?(?:opgelost|verholpen|weg)|(?:het|alles) (?:werkt|doet het) (?:nu|weer"
        r"|eindelijk)|probleem opgelost|dat was het",
        "breakthrough": r"(?:eindelijk|plotseling) (?:begrepen|gesnapt|ontdekt)|nu (?:begrijp|snap) ik",
        "issue_identified": rf"(?:de|het|ons|onze)(?: echte| eigenlijke)? (?:{TROUBLE}) (?:is|was|ligt|lag|komt|kwam"
        rf"|zit|zat)(?! (?:opgelost|verholpen|weg|nu|niet))|{HEBBEN}(?: (?!niet|nog|geen)[\w.-]+){{0,3}}"
        rf" (?:{TROUBLE})(?: [\w.-]+){{0,3}} (?:gevonden|ontdekt)|(?:de site|de server|productie) (?:is|ligt) (?:down"
        r"|plat|eruit|offline)",
        "task_completed": rf"{HEBBEN}(?: (?!niet|nog|nooit)[\w.-]+){{0,5}} (?:afgerond|ingeleverd|gepubliceerd"
        r"|opgeleverd|uitgerold|verstuurd|ondertekend|gehaald)|(?:is|zijn) (?:nu |eindelijk )?(?:live|afgerond|klaar"
        r" en ingeleverd|gepubliceerd|opgeleverd)",
        "pivot": rf"verandering van plan|koerswijziging|{HEBBEN}(?: (?!niet)[\w.-]+){{0,2}} van (?:gedachten|mening)"
        rf" veranderd|{HEBBEN}(?: [\w.-]+){{0,2}} bedacht dat we toch|we (?:stappen over (?:op|naar)|beginnen opnieuw"
        r"|stoppen met)|nieuw plan|toch maar",
    },
    denied=r"niet|nooit|geen|wanneer|als|zodra|tot|voordat|of|wil|willen|zou|hoop|hopelijk|waarom|hoe|wat|waar|wie|moet"
    r"|moeten|hij|zij|jij|je",
    breaks="maar|en|want|dus|dan|omdat",
    remember=r"(?:onthoud|vergeet niet|denk eraan|denk erom|houd in gedachten|noteer|schrijf op)(?: ?:|,? (?:dat|ik"
    r"|mijn|we|wij|onze|ons))",
    events=r"afspraak|vergadering|deadline|sollicitatiegesprek|gesprek|vlucht|examen|tentamen|tandarts|dokter|huisarts"
    r"|operatie|bruiloft|verjaardag|presentatie|concert|conferentie|reservering|trein|bezoek|verhuizing|feest|zitting"
    r"|oplevering",
    past=r"had|hadden|was|waren|gisteren|vorige|afgelopen",
    believed=r"(?:ik|we|wij) (?:dacht|dachten|geloofde|geloofden)|(?:dacht|dachten) (?:ik|we|wij)",
    undone=r"(?:dacht|dachten|hoopte|hoopten) (?:ik|we|wij)|maar,? (?:\w+ ){0,4}?(?:nog (?:steeds|altijd) (?:stuk|kapot"
    r"|er|niet|aanwezig)|weer (?:terug|stuk|kapot|er)|(?:kwam|komt|is) (?:weer )?terug|werkt (?:nog )?niet)",
    generic=rf"eindelijk|gisteren|vandaag|net|nu|{TROUBLE}|ding|oplossing|werk|taak|plan",
    pronouns=r"dit|dat|hem|iets|tot nu toe",
)  # fmt: skip
