"""Italian: patterns for claims and for episodes."""

from aforesaid.distill.grammar import ClaimGrammar, ClaimPattern, EpisodeGrammar
from aforesaid.distill.languages.named import named_patterns

IO = r"(?:io )?(?:ora |adesso |attualmente |anche )?"
IN = "(?:a|ad|in|nel|nella|nei|negli)"
AL = "(?:alle|alla|agli|ai|al|allo|all'|a)"
CALLED = "(?:si chiama|di nome)"
STOP = r"(?=\s*(?:[.,!:;(]|$)|\s(?:e|a|in|al|alla|all'|presso|da|ma|per|con|che|ho|vivo)\b)"

ITALIAN = ClaimGrammar(
    code="it",
    marks=frozenset(["io", "il", "la", "lo", "gli", "le", "è", "di", "che", "non", "un", "una", "mi", "con", "per", "sono", "ho", "abbiamo", "sto", "mia", "mio", "nel", "alla", "del", "si", "e", "a", "vivo", "abito", "ciao", "chiamo", "da", "anni", "in"]),
    connectives="e|ed|ma|perché|quindi|che|però|visto che|siccome|dato che",
    fillers="ciao|salve|buongiorno|buonasera|piacere|ok|bene|allora|quindi|comunque|in realtà|sì|ah|grazie|scusa|credo che"
    "|penso che|a proposito|ora|adesso|alla fine|onestamente|purtroppo|di lavoro|l'anno scorso",
    ends="e|ed|ma|perché|da|dal|quando|mentre|fino|anche se|che|dove|se|con|o|né|anche|molto|come|per|in|ho|vivo|abito",
    articles="il|lo|la|l'|i|gli|le|un|uno|una|un'|mio|mia|nostro",
    joins="e|ed|o|né|un po' di",
    doubt="se|magari|forse|probabilmente|potremmo|potrebbe|dovremmo|dovrei|sarei|sarebbe|vorrei|vivessi|abitassi|piacerebbe"
    "|immagina|supponiamo|diciamo|detto|dice|diceva|racconta|secondo|quasi|prima|oggi|stasera|per esempio|nessuno|qualcuno"
    "|nel (?:libro|film|testo)|mi chiedo|non ancora|ancora|(?:falso|non è vero|bugia|mito|voce|(?<!non )dimentica|escluso"
    "|credi|pensi|crede|credono|pensano|credevo|pensavo|nega|nego) che|(?:non|mai|ignora|cancella)(?! dimenti| scord|"
    " dubit)[^,;:.!?]{0,60} che $",
    frame=r"(?:scrivi|scrivimi|componi|racconta|raccontami|inventa) (?:\S+ ){0,6}?(?:storia|poesia|canzone|lettera"
    r"|barzelletta|e-?mail|mail|testo|dialogo|scena|messaggio|racconto)|traduci|tradurre|correggi|riformula|immagina|supponi"
    r"|fai finta|gioco di ruolo|ecco (?:\S+ ){0,3}?(?:mail|e-?mail|testo|lettera|log|messaggio|articolo)|il seguente|la"
    r" seguente|(?:lui|lei) (?:ha detto|dice|ha scritto)(?= ?[,:])",
    condition="se|magari|forse|supponiamo|immagina|non credo",
    negation="non|mai|nessun[oa]?|senza",
    plan=r"voglio|vorrei|spero|intendo|penso|dovrei|potrei|sogno|imparo|provo a",
    past="prima|una volta|vivevo|abitavo|lavoravo|ero|avevo|da bambin[oa]",
    hedge="credo|penso|mi sembra|più o meno|direi",
    question="che|chi|cosa|dove|quando|perché|come|quale|quali|quanto|puoi|posso|mi (?:aiuti|consigli|puoi)|potresti|sai"
    "|conosci|dovremmo|dobbiamo|c'è|ci sono",
    irony=r"scherzo|sto scherzando|ironia|🙄|/s(?=\s|$)",
    vague="questo|quello|ciò|lo|la|grazie|molto|tutto|niente|qualcosa|che .*|quest[aeio] .*|quell\\w+ .*|tuo .*|tua .*"
    "|sapere.*|come .*|quando .*|molt[ei] .*|tutt[eio] .*",
    denial=r"(?-i:non|né|nessuna?|nessun|mai)",
    change="ora|adesso|ormai|non più|più|attualmente|trasferit[oai]|nuov[oa]|da|dal|iniziato|cominciato",
    lists={
        "again": "alle|alla|agli|ai|al|allo|all'|a",
        "alien": "io|tu|lui|lei|noi|voi|loro|mi|mio|mia|tuo|tua|nostro|questo|è|sono|ho|ha|abbiamo|hanno|non|mai|parla|parlo"
        "|piace|vive|vivo|abita|abito|lavora|lavoro|mangia|mangio|grazie|scusa|cerco|voglio",
        "kin": "sorella|fratello|sorellina|fratellino|sorellastra|madre|padre|mamma|papà|figlia|figlio|cugin[oa]|zia|zio|capo"
        "|amic[oa]|collega|nipote|nonna|nonno|suocera|suocero|cognat[oa]|coinquilin[oa]|vicin[oa]|migliore amic[oa]",
        "partners": "moglie|marito|ragazza|ragazzo|compagna|compagno|fidanzata|fidanzato|partner",
        "pets": "cane|cagnolin[oa]|cagnetta|gatto|gatta|gattin[oa]|coniglio|cavallo|cavalla|criceto|pappagallo|tartaruga"
        "|cucciolo|canarino",
        "things": "macchina|auto|barca|bici|bicicletta|moto|motorino|furgone|camper|chitarra|azienda|ditta|negozio|ristorante"
        "|bar|band|gruppo|blog|podcast|canale|robot|progetto",
        "jobs": r"(?:medico|dottoressa|infermier[ea]|insegnante|maestr[oa]|professore|professoressa|ingegnere|sviluppatore"
        r"|sviluppatrice|programmatore|programmatrice|avvocat[oa]|studente|studentessa|cuoc[oa]|chef|pilota|agricoltore"
        r"|consulente|contabile|commercialista|ricercatore|ricercatrice|architetto|architetta|giornalista|elettricista"
        r"|meccanico|fotograf[oa]|musicista|traduttore|traduttrice|interprete|bibliotecari[oa]|veterinari[oa]|dentista"
        r"|farmacista|fisic[oa]|chimic[oa]|biolog[oa]|panettiere|camerier[ea]|barista|psicolog[oa]|pensionat[oa]|grafic[oa]"
        r"|designer|informatic[oa]|poliziott[oa]|carabiniere|vigile del fuoco|muratore|falegname|parrucchier[ea]|commess[oa]"
        r"|autista|segretari[oa]|impiegat[oa]|dirigente|direttore|direttrice|analista|economista|scrittore|scrittrice|libero"
        r" professionista|fisioterapista|terapeuta|attore|attrice|artista|cantante|idraulico|operai[oa]|pediatra|chirurgo"
        r"|giudice|notaio|assistente sociale|casalinga|educatore|educatrice|tecnico)(?: di (?!un|una|mio|mia|suo"
        r"|professione)\p{Ll}+| (?:freelance|web|civile|industriale|in pensione|precari[oa]|informatic[oa]))?",
        "diets": "vegan[oa]|vegetarian[oa]|celiac[oa]|pescetarian[oa]",
        "ages": "(?:vent|trent|quarant|cinquant|sessant|settant|ottant|novant)(?:[ia]|un|uno|[ia](?:due|tré|tre|quattro"
        "|cinque|sei|sette)|otto|[ia]nove)|tredici|quattordici|quindici|sedici|diciassette|diciotto|diciannove",
        "tongues": "italiano|inglese|francese|tedesco|spagnolo|portoghese|arabo|russo|cinese|giapponese|coreano|polacco"
        "|rumeno|romeno|ucraino|turco|greco|olandese|svedese|albanese|ebraico|sardo|catalano",
        "sorts": "carne|carne rossa|maiale|pesce|glutine|zucchero|uova|latticini|crostacei|pollo",
    },
    patterns=(
        ClaimPattern("name", r"(?:io )?mi chiamo <name>", 0.94),
        ClaimPattern("name", r"il mio nome (?:completo )?è <name>", 0.94),
        ClaimPattern("name", r"non mi chiamo <name>", 0.9, denies=True),
        ClaimPattern("home", rf"{IO}non (?:vivo|abito) (?:più )?{IN} <place>", 0.85, denies=True),
        ClaimPattern("home", rf"{IO}(?:vivo|abito|viviamo|abitiamo|risiedo) (?:ora |adesso )?(?:con (?:il |la |i |le"
            rf" )?(?:(?:mio|mia|miei|mie) )?\p{{Ll}}+ )?{IN} <place>", 0.92, begins=True),
        ClaimPattern("home", rf"(?:mi sono (?:appena )?trasferit[oa]|ci siamo (?:appena )?trasferit[ie]) (?:da [\p{{L}}"
            rf" ]{{2,30}}? )?{IN} <place>", 0.88, begins=True),
        ClaimPattern("origin", r"(?:io )?(?:sono (?:originari[oa] )?(?:di|della|del)|vengo da|vengo dal|vengo dall'|vengo"
            r" dalla) ?<place>", 0.86),
        ClaimPattern("origin", rf"(?:io )?sono (?:nat[oa]|cresciut[oa]|nat[oa] e cresciut[oa]) {IN} <place>", 0.86),
        ClaimPattern("birthday", r"(?:il mio compleanno|la mia data di nascita) è (?:il )?<date>", 0.9),
        ClaimPattern("birthday", r"(?:sono nat[oa]|compio gli anni) (?:il |l')?<date>", 0.9),
        ClaimPattern("age", r"(?:io )?ho (?:<number>|<value:ages>) anni(?! di\b| d'| in\b)", 0.93),
        ClaimPattern("age", r"ho (?:appena )?compiuto (?:<number>|<value:ages>)(?: anni)?", 0.9),
        ClaimPattern("occupation", rf"{IO}(?:sono|lavoro come|faccio|faccio di mestiere) (?:uno |un |una |un'|il |lo |la "
            rf"|l')?<value:jobs>{STOP}", 0.86),
        ClaimPattern("occupation", rf"{IO}lavoro come (?:uno |una |un |un')?(?!matt[oa]|pazz[oa]|mul[oa]|sempre|mai|se\b"
            rf"|schiav[oa]|bestia|animale)(?P<value>\p{{Ll}}+(?: \p{{Ll}}+){{0,2}}?){STOP}", 0.85),
        ClaimPattern("employer", rf"{IO}(?:lavoro (?:alla|all'|al|allo|in|per|per la|per il|presso|presso la|presso il|presso"
            rf" l'|da)|sono (?:dipendente|impiegat[oa]) (?:di|della|del|dell'|alla|in|presso)) ?<company>", 0.85, begins=True),
        ClaimPattern("employer", r"(?:sono|lavoro come|faccio) (?:uno |un |una |un'|il |la |l')?<list:jobs> (?:alla|all'|al"
            r"|in|per|presso) ?<company>", 0.82, anywhere=True),
        ClaimPattern("employer", rf"{IO}non lavoro (?:più )?(?:alla|all'|al|in|per|presso|da) ?<company>", 0.85, denies=True),
        ClaimPattern("partner", r"(?:sono|mi sono) (?:sposat[oa]|fidanzat[oa]) con <name>", 0.9),
        *named_patterns(r"(?<!\bdell?a? )(?:mi[oa]|nostr[oa])", "(?:(?:minore|maggiore|più piccol[oa]|più grande) )?si"
            " chiama", "(?:(?:ho|abbiamo) )?(?:uno|una|un)", rf",? (?:che |e )?{CALLED} <name>"),
        ClaimPattern("children", r"(?:ho|abbiamo) (?P<value>due|tre|quattro|cinque|[2-9]) (?:figl[ie]|bambin[ie])", 0.88),
        ClaimPattern("diet", rf"{IO}sono (?:un |una )?<value:diets>", 0.92),
        ClaimPattern("diet", rf"{IO}seguo una dieta <value:diets>", 0.9),
        ClaimPattern("diet", rf"{IO}non sono (?:più )?<value:diets>", 0.84, denies=True),
        ClaimPattern("no food", rf"{IO}non mangio (?:mai )?<value:sorts>", 0.88),
        ClaimPattern("allergy", rf"{IO}(?:sono (?:molto )?(?:allergic[oa]|intollerante)|ho (?:un'|l'|una )?(?:allergia"
            rf"|intolleranza)|soffro di allergia) {AL} ?<things>", 0.92),
        ClaimPattern("allergy", rf"{IO}non sono (?:più )?(?:allergic[oa]|intollerante) {AL} ?<things>", 0.88, denies=True),
        ClaimPattern("allergy", rf"la mia allergia {AL} ?(?P<value>\p{{Ll}}+(?: di \p{{Ll}}+)?)", 0.88),
        ClaimPattern("speaks", rf"{IO}(?:parlo|so parlare)(?: anche| fluentemente| bene| un po' di| un po')? (?:l'|il"
            rf" )?(?=(?:<list:tongues>)\b)<things>", 0.85),
        ClaimPattern("speaks", rf"{IO}non parlo (?:il |l')?(?=(?:<list:tongues>)\b)<things>", 0.85, denies=True),
        ClaimPattern("native language", r"la mia (?:lingua madre|madrelingua) è (?:il |l'|lo )?<word>", 0.92),
        ClaimPattern("name", r"(?:io )?sono (?-i:(?=\p{Lu}\p{Ll}))(?!Leone|Ariete|Toro|Gemelli|Cancro|Vergine|Bilancia"
            r"|Scorpione|Sagittario|Capricorno|Acquario|Pesci)<name>(?=\s*(?:[.,!]|$)|\s(?:e|di)\b)", 0.78),
    ),
)  # fmt: skip


ABBIAMO = r"(?:(?:abbiamo|ho)(?: (?:finalmente|già|tutti|appena))?)"
TROUBLE = "problema|errore|bug|causa|guasto|perdita|falla"

ITALIAN_EPISODES = EpisodeGrammar(
    code="it",
    event_patterns={
        "decision_made": rf"{ABBIAMO} (?:deciso|scelto|concordato|optato per)|ci siamo (?:decisi|accordati|messi"
        r" d'accordo)|andiamo con|restiamo con|(?:la|nostra|mia) decisione è (?:presa|di)|è deciso",
        "problem_solved": rf"{ABBIAMO} (?:risolto|corretto|sistemato|riparato|aggiustato)|(?:{TROUBLE}) (?:è|è"
        r" stat[oa]) (?:finalmente |ora )?(?:risolt[oa]|corrett[oa]|sistemat[oa])|(?:ora|adesso|finalmente) (?:tutto"
        r" )?funziona|funziona (?:di nuovo|ora|adesso|finalmente)|problema risolto|era quello",
        "breakthrough": r"(?:ho|abbiamo) finalmente (?:capito|scoperto)|ora (?:capisco|ho capito) (?:perché|come)",
        "issue_identified": rf"(?:il|la|l'|nostro)(?: ?ver[oa])? ?(?:{TROUBLE}) (?:è|era|sta|stava|viene|veniva"
        rf"|deriva)(?! (?:risolt|corrett|sistemat|stat|finalmente|ora))|{ABBIAMO} (?:trovato|scoperto|individuato)"
        rf" (?:il|la|un|una|l')(?: ?\w+)? ?(?:{TROUBLE})|(?:il server|il sito|la produzione) è (?:giù|offline|down)",
        "task_completed": rf"{ABBIAMO} (?:finito|completato|consegnato|pubblicato|lanciato|rilasciato|inviato|firmato"
        r"|superato|terminato) (?!di mangiare|il caffè|la cena|il pranzo)\w+|(?:è|sono) (?:ora |finalmente )?(?:online"
        r"|in produzione|terminat[oaie]|pubblicat[oaie]|consegnat[oaie])",
        "pivot": rf"cambio di (?:programma|piano|rotta|programmi)|{ABBIAMO} cambiato (?:idea|piano|approccio)"
        r"|ricominciamo da (?:capo|zero)|abbandoniamo|nuovo piano|passiamo invece",
    },
    denied=r"non|mai|quando|finché|prima|se|voglio|vogliamo|vorrei|spero|perché|come|cosa|dove|chi|senza|tu|lei|lui"
    r"|ancora",
    breaks="ma|e|quindi|perché|allora|poi|però",
    remember=r"(?:ricorda|ricordati|ricordate|ricordatevi|non dimenticare|non dimenticarti|tieni a mente|tieni presente"
    r"|annota|segnati)(?: ?:|,? (?:che|il mio|la mia|i miei|le mie|il nostro|la nostra))",
    events=r"appuntamento|riunione|scadenza|colloquio|volo|esame|dentista|medico|dottore|operazione|matrimonio"
    r"|compleanno|presentazione|concerto|conferenza|prenotazione|treno|visita|trasloco|festa|udienza|consegna",
    past=r"avevo|avevamo|era|stat[oa]|ieri|scors[oa]|ho avuto",
    believed=r"(?:pensavo|pensavamo|credevo|credevamo|avevo (?:pensato|creduto))(?: di| che)?",
    undone=r"o (?:almeno )?così (?:credevo|pensavo|credevamo|pensavamo)|(?:ma|però),? (?:\w+ ){0,4}?(?:è ancora (?:lì"
    r"|rott[oa]|presente|qui)|è (?:tornat[oa]|ricompars[oa])|torna|si ripresenta|non funziona)",
    generic=rf"finalmente|ieri|oggi|ora|adesso|{TROUBLE}|soluzione|lavoro|compito|abbiamo|ho",
    pronouns=r"lo|questo|quello|qualcosa|finora",
)  # fmt: skip
