"""Italian."""

from __future__ import annotations

from recollect.distill.extract.language import Language, Pattern, words

IL = r"(?:il |lo |la |l'|i |gli |le )?"
IO = r"(?:io )?(?:ora |adesso |attualmente )?"

ITALIAN = Language(
    code="it",
    marks=words("io il la lo gli le è di che non un una mi con per sono ho abbiamo sto mia mio nel alla del si"),
    connectives="e|ed|ma|perché|quindi|che|però",
    fillers="ciao|ok|bene|allora|quindi|comunque|in realtà|sì|ah|grazie|scusa|credo che|penso che|a proposito|ora"
    "|adesso|alla fine|onestamente|purtroppo",
    ends="e|ed|ma|perché|da|quando|mentre|fino|anche se|che|dove|se|con|o|anche|molto|come|per",
    articles="il|lo|la|l'|i|gli|le|un|uno|una|un'|mio|mia|nostro",
    joins="e|ed|o|un po' di",
    doubt="se|magari|forse|probabilmente|potremmo|potrebbe|dovremmo|dovrei|sarei|sarebbe|vorrei|vivessi|abitassi"
    "|piacerebbe|immagina|supponiamo|diciamo|detto|dice|diceva|racconta|secondo|quasi|prima|per esempio|nessuno"
    "|qualcuno|nel (?:libro|film|testo)|mi chiedo|non ancora|ancora"
    "|(?:falso|non è vero|bugia|mito|voce|(?<!non )dimentica|escluso|credi|pensi|crede|credono|pensano|credevo|pensavo"
    "|nega|nego) che"
    "|(?:non|mai|ignora|cancella)(?! dimenti| scord| dubit)[^,;:.!?]{0,60} che $",
    frame=r"(?:scrivi|scrivimi|componi|racconta|raccontami|inventa) (?:\S+ ){0,6}?(?:storia|poesia|canzone|lettera"
    r"|barzelletta|e-?mail|mail|testo|dialogo|scena|messaggio|racconto)|traduci|tradurre|correggi|riformula|immagina"
    r"|supponi|fai finta|gioco di ruolo|ecco (?:\S+ ){0,3}?(?:mail|e-?mail|testo|lettera|log|messaggio|articolo)"
    r"|il seguente|la seguente|(?:lui|lei) (?:ha detto|dice|ha scritto)(?= ?[,:])",
    hedge="credo|penso|mi sembra|più o meno|direi",
    question="che|chi|dove|quando|perché|come|quale|quali|quanto|puoi|potresti|dovremmo|dobbiamo",
    irony=r"scherzo|sto scherzando|ironia|🙄|/s(?=\s|$)",
    vague="questo|quello|ciò|lo|la|grazie|molto|tutto|niente|qualcosa|che .*|questa .*|questo .*|tuo .*|tua .*"
    "|sapere.*|come .*|quando .*",
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
        "breaks": r"e (?:io|noi|(?:il mio|la mia|mio|mia) (?:[\w\-]+ ){1,2}?(?:si chiama|è|ha))"
        "|perché|ma|però|anche se|poiché",
        "goals": "imparare|comprare|diventare|correre|trasferirmi|perdere|smettere|viaggiare|visitare"
        "|scrivere un|creare"
        "|studiare|finire|migliorare|aprire",
    },
    patterns=(
        Pattern("name", r"mi chiamo <name>", 0.94),
        Pattern("name", r"il mio nome è <name>", 0.94),
        Pattern("name", r"non mi chiamo <name>", 0.9, against=True),
        Pattern("home", rf"{IO}non (?:vivo|abito) (?:più )?(?:a|ad|in|nei|negli) <place>", 0.85, against=True),
        Pattern("home", rf"{IO}(?:vivo|abito) (?:ora |adesso )?(?:a|ad|in|nei|negli) <place>", 0.92, begins=True),
        Pattern("home", r"(?:mi sono trasferit[oa]|ci siamo trasferiti) a <place>", 0.88, begins=True),
        Pattern("origin", r"(?:io )?(?:sono di|vengo da|vengo dall'|vengo dalla) ?<place>", 0.86),
        Pattern("birthday", r"il mio compleanno è <thing>", 0.9),
        Pattern("birthday", r"sono nat[oa] (?:il|nel) (?=\d)<thing>", 0.9),
        Pattern("age", r"ho <number> anni", 0.93),
        Pattern("employer", r"(?:io )?lavoro (?:alla|all'|al|in|per|presso|da) ?<place>", 0.85, begins=True),
        Pattern(
            "employer",
            r"(?:io )?non lavoro (?:più )?(?:alla|all'|al|in|per|presso|da) ?<place>",
            0.85,
            against=True,
        ),
        Pattern(
            "occupation",
            r"(?:io )?(?:sono|lavoro come|faccio) (?:un |una |un'|il |la |l')?<value:jobs>(?=\s*(?:[.,!]|$)"
            r"|\s(?:e|a|in|da|ma)\b)",
            0.86,
        ),
        Pattern(
            "partner",
            r"(?:mia moglie|mio marito|la mia ragazza|il mio ragazzo|la mia compagna|il mio compagno) si chiama "
            r"<name>",
            0.92,
            anywhere=True,
        ),
        Pattern("relative", r"(?:il |la )?mi[oa] <other:kin> si chiama <name>", 0.92, anywhere=True),
        Pattern("relative", r"mi[oa] <other:kin> (?-i:(?=\p{Lu}))<name>", 0.84, anywhere=True),
        Pattern("children", r"(?:ho|abbiamo) (?P<value>un|due|tre|quattro|cinque|\d) figl\w+", 0.88),
        Pattern("diet", r"(?:io )?sono (?:un |una )?<value:diets>", 0.92),
        Pattern("diet", r"(?:io )?non sono (?:più )?<value:diets>", 0.84, against=True),
        Pattern("no food", r"non mangio (?=carne|maiale|pesce|glutine|zucchero|uova|latticini)<thing>", 0.88),
        Pattern(
            "allergy",
            r"(?:io )?sono (?:molto )?allergic[oa] (?:alle|alla|agli|ai|al|allo|all'|a) ?<things>",
            0.92,
        ),
        Pattern(
            "allergy",
            r"(?:io )?non sono (?:più )?allergic[oa] (?:alle|alla|agli|ai|al|allo|all'|a) ?<things>",
            0.88,
            against=True,
        ),
        Pattern("speaks", r"(?:io )?parlo (?=(?:\w+ )?<list:tongues>\b)<things>", 0.85),
        Pattern("native language", r"la mia (?:lingua madre|madrelingua) è (?:il |l'|lo )?<word>", 0.92),
        Pattern("favourite", r"(?:il|la) mi[oa] <other> (?:preferit[oa]) è <thing>", 0.92),
        Pattern("dislikes", r"non mi (?:piace|piacciono) (?:per niente |molto )?<thing>", 0.88),
        Pattern("dislikes", r"(?:odio|detesto|non sopporto) <thing>", 0.86),
        Pattern("likes", r"mi (?:piace|piacciono)(?: molto| tanto)? <thing>", 0.84),
        Pattern("likes", r"(?:adoro|amo) <thing>", 0.84),
        Pattern("prefers", r"preferisco <phrase>", 0.84),
        Pattern(
            "chosen technology",
            rf"abbiamo deciso di (?:usare|utilizzare|passare a|restare con) {IL}<technology>",
            0.92,
        ),
        Pattern("chosen technology", rf"abbiamo (?:scelto|optato per) {IL}<technology>", 0.9),
        Pattern("decision", r"abbiamo deciso di <phrase>", 0.9),
        Pattern("own decision", r"ho deciso di <phrase>", 0.88),
        Pattern("used technology", rf"(?:usiamo|utilizziamo|stiamo usando) {IL}<technology>", 0.87),
        Pattern("deadline", r"la scadenza è (?:il |per |entro )?<thing>", 0.9),
        Pattern("budget", r"il (?:nostro |mio )?budget è (?:di )?<thing>", 0.9),
        Pattern("constraint", r"(?=non possiamo (?!sapere|dire|capire)\w)<phrase>", 0.78),
        Pattern("goal", r"il mio obiettivo è (?:di )?<phrase>", 0.88),
        Pattern("goal", r"(?:io )?voglio (?=<list:goals>\b)<phrase>", 0.82),
        Pattern("project name", r"il (?:nostro )?progetto si chiama <name>", 0.9),
        Pattern("name", r"sono (?-i:(?=\p{Lu}\p{Ll}))<name>(?=\s*(?:[.,!]|$)|\s(?:e|di)\b)", 0.78),
    ),
)  # fmt: skip
