"""Dutch: patterns for claims and for episodes."""

from aforesaid.distill.grammar import ClaimGrammar, ClaimPattern, EpisodeGrammar
from aforesaid.distill.languages.named import named_patterns

IK = r"(?:ik )?"
NOW = (
    r"(?:(?:nu|momenteel|tegenwoordig|inmiddels|ook|al|sinds (?:\w+ ){0,2}?(?:\d{4}|\w+)|al (?:\w+ ){1,2}jaar|samen|nog)"
    r" ){0,2}"
)
STOP = r"(?=\s*(?:[.,!:;(]|$)|\s(?:en|bij|in|op|van|voor|maar|met|sinds|aan)\b)"

DUTCH = ClaimGrammar(
    code="nl",
    marks=frozenset(["ik", "de", "het", "een", "en", "is", "niet", "dat", "van", "mijn", "we", "wij", "met", "voor", "te", "zijn", "ben", "heb", "hebben", "op", "ons", "om", "maar", "in", "bij", "heet", "woon"]),
    connectives="en|maar|want|omdat|dus|dat|aangezien",
    fillers="hallo|hoi|hey|goedemorgen|goedemiddag|goedenavond|ok|oké|nou|trouwens|eigenlijk|ja|nee|ah|bedankt|sorry|ik denk"
    " dat|ter info|nu|momenteel|uiteindelijk|eerlijk gezegd|helaas",
    ends="en|maar|want|omdat|sinds|als|terwijl|tot|hoewel|die|dat|waar|met|of|ook|erg|niet|als|sowie|spreken|vloeiend",
    articles="de|het|een|mijn|onze|ons",
    joins="en|of|een beetje|alsook|ook|vloeiend",
    doubt=r"als (?:ik|we|wij|je|jij|het|er|iemand)|indien|misschien|wellicht|waarschijnlijk|zou|zouden|zal|zullen|kunnen we"
    r"|wou dat|stel|stel je voor|zei|zegt|zeiden|vertelde|volgens|bijna|vroeger|vandaag|bijvoorbeeld|niemand|iemand|in het"
    r" (?:boek|verhaal|voorbeeld)|in de (?:film|tekst)|vraag me af|of ik|(?:(?<!niet )vergeet|onzin|niet waar|onjuist|denkt"
    r"|dacht|denk niet) dat",
    frame=r"(?:schrijf|verzin|vertel|maak) (?:\S+ ){0,6}?(?:verhaal|gedicht|lied|brief|grap|e-?mail|tekst|dialoog|scène"
    r"|bericht)|vertaal|verbeter|herschrijf|stel je voor|doe alsof|rollenspel|hier is (?:\S+ ){0,3}?(?:mail|tekst|brief|log"
    r"|bericht|artikel)|de volgende|het volgende|(?:hij|ze|zij) (?:zei|zegt|schreef)(?= ?[,:])",
    condition="als (?:ik|we|wij|je|jij|het|er|iemand)|indien|misschien|wellicht|stel je voor|denk niet",
    negation="niet|geen|nooit|zonder",
    plan=r"wil|willen|wilde|zou|hoop|ga|gaan|overweeg|denk erover|leer|probeer",
    past="vroeger|destijds|woonde|werkte|was|had|als kind",
    hedge="ik denk|ik geloof|volgens mij|min of meer|zo'n beetje",
    question="wie|wat|waar|wanneer|waarom|hoe|welke?|kun je|kan je|kan ik|mag ik|weet je|ken je|heb je|zullen we|moeten we"
    "|zou je|is er|is|zijn er|ben ik",
    irony=r"grapje|geintje|ironie|🙄|/s(?=\s|$)",
    vague="het|dat|dit|deze|die|jou|je|u|alles|niets|iets|dat .*|dit .*|deze .*|hoe .*|wat .*|jouw .*|weten.*|zulke .*|veel"
    " .*|alle .*",
    denial=r"(?-i:niet(?: meer)?|geen|nooit)",
    change="nu|niet meer|tegenwoordig|inmiddels|momenteel|verhuisd|nieuwe?|begonnen|sinds",
    lists={
        "again": "voor",
        "alien": "ik|jij|je|hij|zij|ze|wij|we|jullie|mij|mijn|jouw|onze|ons|dit|is|zijn|ben|was|heb|heeft|hebben|kan|moet|wil"
        "|niet|geen|nooit|spreekt|houdt|woont|woon|werkt|werk|eet|bedankt|sorry|zoek",
        "kin": "(?:half|stief|schoon|tweeling|groot)?(?:zus|zusje|broer|broertje|moeder|vader|dochter|dochtertje|zoon"
        "|zoontje)|mama|papa|neef|neefje|nicht|nichtje|tante|oom|baas|bazin|collega|oma|opa|kleindochter|kleinzoon|schoonzus"
        "|zwager|huisgenoot|huisgenote|buurman|buurvrouw|beste vriend|beste vriendin|baby",
        "partners": "vrouw|man|vriendin|vriend|partner|verloofde|echtgenoot|echtgenote",
        "pets": "hond|hondje|teef|puppy|kat|katje|poes|poesje|kater|kitten|konijn|paard|pony|hamster|cavia|papegaai|parkiet"
        "|schildpad|huisdier",
        "things": "auto|boot|zeilboot|schip|fiets|bakfiets|motor|scooter|camper|bus|gitaar|robot|bedrijf|winkel|zaak"
        "|restaurant|café|band|blog|podcast|kanaal|project",
        "jobs": r"(?:(?:freelance|zelfstandige?|gepensioneerde?|pedagogisch|administratief|sociaal) )?[\p{L}\-]*(?:leraar"
        r"|lerares|docente?|juf|arts|dokter|verpleegkundige|verpleger|verzorgende|ingenieur|ontwikkelaar|programmeur"
        r"|advocate?|advocaat|student|studente|kok|piloot|boer|boerin|adviseur|consultant|boekhouder|accountant|onderzoeker"
        r"|hoogleraar|architecte?|journaliste?|elektricien|monteur|fotografe?|fotograaf|muzikante?|vertaler|tolk"
        r"|bibliothecaris|dierenarts|tandarts|apotheker|natuurkundige|scheikundige|bioloog|bakker|slager|ober|serveerster"
        r"|psychologe?|psycholoog|gepensioneerd|ontwerper|designer|timmerman|verloskundige|politieagente?|brandweerman|kapper"
        r"|kapster|verkoper|verkoopster|chauffeur|secretaresse|manager|leider|leidster|medewerker|begeleider|directeur"
        r"|analist|econoom|schrijver|schrijfster|fysiotherapeute?|therapeute?|acteur|actrice|kunstenaar|zangere?s?|loodgieter"
        r"|schilder|tuinman|hovenier|kinderarts|chirurg|rechter|notaris|maatschappelijk werker|huisvrouw|ambtenaar|technicus"
        r"|scholier)",
        "diets": "vegetariër|vegetarisch|veganist|veganistisch|vegan|pescotariër",
        "ages": "(?:\\p{L}+[eë]n)?(?:twintig|dertig|veertig|vijftig|zestig|zeventig|tachtig|negentig)|(?:der|veer|vijf|zes"
        "|zeven|acht|negen)tien",
        "tongues": "nederlands|engels|frans|duits|spaans|italiaans|portugees|arabisch|russisch|chinees|japans|fries|turks"
        "|pools|roemeens|oekraïens|grieks|zweeds|deens|noors|koreaans|berbers|papiaments|hebreeuws",
        "sorts": r"\p{L}*vlees|varken|vis|gluten|suiker|eieren|zuivel|schaaldieren|kip",
    },
    patterns=(
        ClaimPattern("name", rf"{IK}heet <name>", 0.92),
        ClaimPattern("name", r"mijn (?:volledige )?(?:naam|voornaam) is <name>", 0.95),
        ClaimPattern("name", r"(?:ik heet|mijn naam is) niet <name>", 0.9, denies=True),
        ClaimPattern("home", rf"(?:{IK}woon|(?:we|wij) wonen) niet (?:meer )?in <place>", 0.85, denies=True),
        ClaimPattern("home", rf"(?:{IK}woon|(?:we|wij) wonen) {NOW}(?:met (?:mijn )?\p{{Ll}}+ )?(?:in|op)"
            rf" <place>", 0.92, begins=True),
        ClaimPattern("home", rf"woon ik {NOW}(?:met (?:mijn )?\p{{Ll}}+ )?in <place>", 0.9, anywhere=True),
        ClaimPattern("home", r"ik (?:\w+ )?in <place> woon\b", 0.88),
        ClaimPattern("home", r"(?:ik ben|we zijn|wij zijn) (?:\w+ ){0,2}?(?:van (?:[\w\-]+ ){1,3}?)?(?:naar <place> verhuisd"
            r"|verhuisd (?:van [\w\- ]{2,30}? )?naar <place>)", 0.88, begins=True),
        ClaimPattern("origin", rf"{IK}kom (?:oorspronkelijk )?uit (?:de |het )?<place>", 0.88),
        ClaimPattern("origin", r"(?:ik ben|ik werd) (?:geboren|opgegroeid|geboren en (?:getogen|opgegroeid)) in"
            r" <place>", 0.88),
        ClaimPattern("origin", r"ik ben in <place> (?:geboren|opgegroeid)", 0.88),
        ClaimPattern("birthday", r"mijn (?:verjaardag|geboortedatum) is (?:op )?<date>", 0.9),
        ClaimPattern("birthday", r"ik ben (?:op <date> (?:geboren|jarig)|(?:geboren|jarig) op <date>)", 0.9),
        ClaimPattern("age", rf"{IK}ben {NOW}(?:<number>|<value:ages>)(?: jaar(?: oud)?(?! (?:bezig|getrouwd|samen))"
            rf"|(?=\s*(?:[.,!]|$)| en\b))", 0.9),
        ClaimPattern("age", r"ik ben (?:net|pas|onlangs|gisteren) (?:<number>|<value:ages>) geworden", 0.9),
        ClaimPattern("occupation", rf"{IK}werk {NOW}als <value:jobs>", 0.9),
        ClaimPattern("occupation", rf"{IK}ben {NOW}(?:een )?<value:jobs>(?: van beroep)?{STOP}", 0.86),
        ClaimPattern("occupation", r"van beroep ben ik <value:jobs>", 0.88),
        ClaimPattern("employer", rf"(?:{IK}werk {NOW}|werk ik {NOW}|ik ben {NOW}(?:in dienst|werkzaam) )(?:als <list:jobs>"
            rf" )?(?:bij|voor) (?:de |het )?<company>", 0.88, begins=True, anywhere=True),
        ClaimPattern("employer", r"ik ben (?:een )?<list:jobs> (?:bij|voor) (?:de |het )?<company>", 0.84, anywhere=True),
        ClaimPattern("employer", rf"{IK}werk niet (?:meer )?(?:bij|voor) (?:de |het )?<company>", 0.85, denies=True),
        ClaimPattern("partner", r"ik ben (?:\w+ )?(?:getrouwd|samen|verloofd) met <name>", 0.9),
        *named_patterns(
            r"(?<!\bvan )(?:mijn|onze|ons|m'n)(?: (?:kleine|grote|jongere|oudere|jongste|oudste|beste"
            r"|lieve))?", "heet", r"(?:(?:ik heb|we hebben) (?:ook )?)?een(?: \w+)?",
            r"(?: genaamd <name>|,? (?:die|dat) <name> heet|(?:,| en) (?:hij|ze|zij|het) heet <name>)",
        ),
        ClaimPattern("children", r"(?:ik heb|we hebben) (?P<value>twee|drie|vier|vijf|[2-9]) kinderen", 0.88),
        ClaimPattern("diet", rf"{IK}ben {NOW}(?:een )?<value:diets>", 0.92),
        ClaimPattern("diet", rf"{IK}eet {NOW}<value:diets>", 0.88),
        ClaimPattern("diet", r"ik <value:diets> ben\b", 0.88),
        ClaimPattern("diet", r"ik ben (?:geen|niet(?: meer)?) <value:diets>(?: meer)?", 0.84, denies=True),
        ClaimPattern("no food", rf"{IK}eet (?:geen|nooit) <value:sorts>", 0.88),
        ClaimPattern("allergy", rf"{IK}(?:ben (?!niet\b)(?:\w+ )?allergisch|heb een allergie) voor <things>", 0.92),
        ClaimPattern("allergy", r"ik ben niet (?:meer )?allergisch voor <things>", 0.88, denies=True),
        ClaimPattern("allergy", rf"{IK}heb (?:een )?(?P<value>\p{{L}}{{3,20}}?)allergie\b", 0.88),
        ClaimPattern("allergy", r"mijn allergie voor (?P<value>[\p{Ll}']+)", 0.88),
        ClaimPattern("allergy", rf"{IK}kan niet tegen (?=gluten|lactose|noten|pinda|melk|zuivel|ei\b"
            rf"|schaaldieren)<thing>", 0.85),
        ClaimPattern("speaks", rf"{IK}(?:spreek|kan) (?:(?:ook|goed|redelijk|vloeiend|een beetje)"
            rf" ){{0,2}}(?=(?:<list:tongues>)\b)<things>", 0.85),
        ClaimPattern("speaks", rf"{IK}spreek (?=geen (?:<list:tongues>)\b)<things>", 0.85),
        ClaimPattern("native language", r"mijn moedertaal is (?:het )?<word>", 0.92),
        ClaimPattern("name", r"ik ben (?-i:(?=\p{Lu}\p{Ll}))(?!Ram\b|Stier|Tweelingen|Kreeft|Leeuw|Maagd|Weegschaal"
            r"|Schorpioen|Boogschutter|Steenbok|Waterman|Vissen|Nederlander|Belg)<name>(?=\s*(?:[.,!]|$)|\s(?:en|uit"
            r"|van)\b)", 0.78),
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
