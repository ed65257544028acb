"""Italian: patterns for claims and for episodes."""

from aforesaid.distill.grammar import ClaimGrammar, ClaimPattern, EpisodeGrammar

IL = r"(?:il |lo |la |l'|i |gli |le )?"
IO = r"(?:io )?(?:ora |adesso |attualmente )?"

ITALIAN = ClaimGrammar(
    code="it",
    marks=frozenset(["io", "il", "la", "lo", "gli", "le", "è", "di", "che", "non", "un", "una", "mi", "con", "per", "sono", "ho", "abbiamo", "sto", "mia", "mio", "nel", "alla", "del", "si"]),
    connectives="e|ed|ma|perché|quindi|che|però",
    fillers="ciao|ok|bene|allora|quindi|comunque|in realtà|sì|ah|grazie|scusa|credo che|penso che|a proposito|ora"
    "|adesso|alla fine|onestamente|purtroppo",
    ends="e|ed|ma|perché|da|quando|mentre|fino|anche se|che|dove|se|con|o|anche|molto|come|per",
    articles="il|lo|la|l'|i|gli|le|un|uno|una|un'|mio|mia|nostro",
    joins="e|ed|o|un po' di",
    doubt="se|magari|forse|probabilmente|potremmo|potrebbe|dovremmo|dovrei|sarei|sarebbe|vorrei|vivessi|abitassi"
    "|piacerebbe|immagina|supponiamo|diciamo|detto|dice|diceva|racconta|secondo|quasi|prima|per esempio|nessuno"
    "|qualcuno|nel (?:libro|film|testo)|mi chiedo|non ancora|ancora|(?:falso|non è vero|bugia|mito|voce|(?<!non"
    " )dimentica|escluso|credi|pensi|crede|credono|pensano|credevo|pensavo|nega|nego) che|(?:non|mai|ignora"
    "|cancella)(?! dimenti| scord| dubit)[^,;:.!?]{0,60} che $",
    frame=r"(?:scrivi|scrivimi|componi|racconta|raccontami|inventa) (?:\S+ ){0,6}?(?:storia|poesia|canzone|lettera"
    r"|barzelletta|e-?mail|mail|testo|dialogo|scena|messaggio|racconto)|traduci|tradurre|correggi|riformula|immagina"
    r"|supponi|fai finta|gioco di ruolo|ecco (?:\S+ ){0,3}?(?:mail|e-?mail|testo|lettera|log|messaggio|articolo)|il"
    r" seguente|la seguente|(?:lui|lei) (?:ha detto|dice|ha scritto)(?= ?[,:])",
    hedge="credo|penso|mi sembra|più o meno|direi",
    question="che|chi|dove|quando|perché|come|quale|quali|quanto|puoi|potresti|dovremmo|dobbiamo",
    irony=r"scherzo|sto scherzando|ironia|🙄|/s(?=\s|$)",
    vague="questo|quello|ciò|lo|la|grazie|molto|tutto|niente|qualcosa|che .*|questa .*|questo .*|tuo .*|tua .*|sapere.*"
    "|come .*|quando .*",
    denial=r"(?-i:non|nessuna?|nessun|mai)",
    lists={
        "again": "alle|alla|agli|ai|al|allo|all'|a",
        "alien": "io|tu|lui|lei|noi|voi|loro|mi|mio|mia|tuo|tua|nostro|questo|è|sono|ho|ha|abbiamo|hanno|non|mai|parla"
        "|piace|vive|abita|lavora|mangia|grazie|scusa",
        "kin": "sorella|fratello|madre|padre|figlia|figlio|cugino|cugina|zia|zio|cane|gatto|gatta|capo|amico|amica"
        "|collega|nipote|nonna|nonno|suocera",
        "jobs": "medico|infermiere|infermiera|insegnante|professore|professoressa|ingegnere|sviluppatore|sviluppatrice"
        "|programmatore|programmatrice|avvocato|avvocata|studente|studentessa|cuoco|cuoca|pilota|consulente|contabile"
        "|ricercatore|ricercatrice|architetto|giornalista|elettricista|meccanico|fotografo|fotografa|musicista"
        "|traduttore|traduttrice|veterinario|dentista|farmacista|fisico|cameriere|cameriera|psicologo|psicologa"
        "|pensionato|pensionata|grafico|informatico",
        "diets": "vegano|vegana|vegetariano|vegetariana|celiaco|celiaca",
        "tongues": "italiano|inglese|francese|tedesco|spagnolo|portoghese|arabo|russo|cinese|giapponese",
        "breaks": r"e (?:io|noi|(?:il mio|la mia|mio|mia) (?:[\w\-]+ ){1,2}?(?:si chiama|è|ha))|perché|ma|però|anche se"
        r"|poiché",
        "goals": "imparare|comprare|diventare|correre|trasferirmi|perdere|smettere|viaggiare|visitare|scrivere un"
        "|creare|studiare|finire|migliorare|aprire",
    },
    patterns=(
        ClaimPattern("name", r"mi chiamo <name>", 0.94),
        ClaimPattern("name", r"il mio nome è <name>", 0.94),
        ClaimPattern("name", r"non mi chiamo <name>", 0.9, denies=True),
        ClaimPattern("home", rf"{IO}non (?:vivo|abito) (?:più )?(?:a|ad|in|nei|negli) <place>", 0.85, denies=True),
        ClaimPattern("home", rf"{IO}(?:vivo|abito) (?:ora |adesso )?(?:a|ad|in|nei|negli) <place>", 0.92, begins=True),
        ClaimPattern("home", r"(?:mi sono trasferit[oa]|ci siamo trasferiti) a <place>", 0.88, begins=True),
        ClaimPattern("origin", r"(?:io )?(?:sono di|vengo da|vengo dall'|vengo dalla) ?<place>", 0.86),
        ClaimPattern("birthday", r"il mio compleanno è <date>", 0.9),
        ClaimPattern("birthday", r"sono nat[oa] (?:il|nel) (?=\d)<date>", 0.9),
        ClaimPattern("age", r"ho <number> anni", 0.93),
        ClaimPattern("employer", r"(?:io )?lavoro (?:alla|all'|al|in|per|presso|da) ?<place>", 0.85, begins=True),
        ClaimPattern("employer", r"(?:io )?non lavoro (?:più )?(?:alla|all'|al|in|per|presso|da) ?<place>", 0.85, denies=True),
        ClaimPattern("occupation", r"(?:io )?(?:sono|lavoro come|faccio) (?:un |una |un'|il |la "
            r"|l')?<value:jobs>(?=\s*(?:[.,!]|$)|\s(?:e|a|in|da|ma)\b)", 0.86),
        ClaimPattern("partner", r"(?:mia moglie|mio marito|la mia ragazza|il mio ragazzo|la mia compagna|il mio"
            r" compagno) si chiama <name>", 0.92, anywhere=True),
        ClaimPattern("relative", r"(?:il |la )?mi[oa] <other:kin> si chiama <name>", 0.92, anywhere=True),
        ClaimPattern("relative", r"mi[oa] <other:kin> (?-i:(?=\p{Lu}))<name>", 0.84, anywhere=True),
        ClaimPattern("children", r"(?:ho|abbiamo) (?P<value>un|due|tre|quattro|cinque|\d) figl\w+", 0.88),
        ClaimPattern("diet", r"(?:io )?sono (?:un |una )?<value:diets>", 0.92),
        ClaimPattern("diet", r"(?:io )?non sono (?:più )?<value:diets>", 0.84, denies=True),
        ClaimPattern("no food", r"non mangio (?=carne|maiale|pesce|glutine|zucchero|uova|latticini)<thing>", 0.88),
        ClaimPattern("allergy", r"(?:io )?sono (?:molto )?allergic[oa] (?:alle|alla|agli|ai|al|allo|all'|a) ?<things>", 0.92),
        ClaimPattern("allergy", r"(?:io )?non sono (?:più )?allergic[oa] (?:alle|alla|agli|ai|al|allo|all'|a)"
            r" ?<things>", 0.88, denies=True),
        ClaimPattern("speaks", r"(?:io )?parlo (?=(?:\w+ )?<list:tongues>\b)<things>", 0.85),
        ClaimPattern("native language", r"la mia (?:lingua madre|madrelingua) è (?:il |l'|lo )?<word>", 0.92),
        ClaimPattern("name", r"sono (?-i:(?=\p{Lu}\p{Ll}))<name>(?=\s*(?:[.,!]|$)|\s(?:e|di)\b)", 0.78),
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
