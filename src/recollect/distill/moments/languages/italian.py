"""Italian."""

from __future__ import annotations

from recollect.distill.moments.ways import Ways, stems

ABBIAMO = r"(?:(?:abbiamo|ho)(?: (?:finalmente|già|tutti|appena))?)"
TROUBLE = "problema|errore|bug|causa|guasto|perdita|falla"

ITALIAN = Ways(
    code="it",
    says={
        "decision_made": rf"{ABBIAMO} (?:deciso|scelto|concordato|optato per)|ci siamo (?:decisi|accordati|messi"
        rf" d'accordo)|andiamo con|restiamo con|(?:la|nostra|mia) decisione è (?:presa|di)|è deciso",
        "problem_solved": rf"{ABBIAMO} (?:risolto|corretto|sistemato|riparato|aggiustato)|(?:{TROUBLE}) (?:è|è"
        rf" stat[oa]) (?:finalmente |ora )?(?:risolt[oa]|corrett[oa]|sistemat[oa])"
        r"|(?:ora|adesso|finalmente) (?:tutto )?funziona|funziona (?:di nuovo|ora|adesso|finalmente)|problema"
        r" risolto|era quello",
        "breakthrough": r"(?:una|grande|vera) svolta|eureka|(?:ho|abbiamo) finalmente (?:capito|scoperto)"
        r"|finalmente (?:capisco|ho capito|abbiamo capito|ci siamo riusciti)|ora (?:capisco|ho capito) (?:perché"
        r"|come)|\d+ volte più veloce",
        "issue_identified": rf"(?:il|la|l'|nostro)(?: ?ver[oa])? ?(?:{TROUBLE}) (?:è|era|sta|stava|viene|veniva"
        rf"|deriva)(?! (?:risolt|corrett|sistemat|stat|finalmente|ora))"
        rf"|{ABBIAMO} (?:trovato|scoperto|individuato) (?:il|la|un|una|l')(?: ?\w+)? ?(?:{TROUBLE})|(?:il server"
        rf"|il sito|la produzione) è (?:giù|offline|down)",
        "task_completed": rf"{ABBIAMO} (?:finito|completato|consegnato|pubblicato|lanciato|rilasciato|inviato"
        rf"|firmato|superato|terminato) (?!di mangiare|il caffè|la cena|il pranzo)\w+"
        r"|(?:è|sono) (?:ora |finalmente )?(?:online|in produzione|terminat[oaie]|pubblicat[oaie]|consegnat[oaie])",
        "pivot": rf"cambio di (?:programma|piano|rotta|programmi)|{ABBIAMO} cambiato (?:idea|piano|approccio)"
        rf"|ricominciamo da (?:capo|zero)|abbandoniamo|nuovo piano|passiamo invece",
    },
    denied=r"non|mai|quando|finché|prima|se|voglio|vogliamo|vorrei|spero|perché|come|cosa|dove|chi|senza|tu|lei"
    r"|lui|ancora",
    breaks="ma|e|quindi|perché|allora|poi|però",
    strong=r"finalmente|enorme|grande|critic[oa]|urgente|ufficialmente|dopo (?:settimane|mesi|giorni|ore|anni)"
    r"|definitivamente",
    remember=r"(?:ricorda|ricordati|ricordate|ricordatevi|non dimenticare|non dimenticarti|tieni a mente|tieni"
    r" presente|annota|segnati)(?: ?:|,? (?:che|il mio|la mia|i miei|le mie|il nostro|la nostra))",
    events=r"appuntamento|riunione|scadenza|colloquio|volo|esame|dentista|medico|dottore|operazione|matrimonio"
    r"|compleanno|presentazione|concerto|conferenza|prenotazione|treno|visita|trasloco|festa|udienza|consegna",
    past=r"avevo|avevamo|era|stat[oa]|ieri|scors[oa]|ho avuto",
    glad=stems("bene ottim felic content grazie success perfett fantastic riuscit orgoglios meglio sollev bravo amo"),
    sad=stems("male triste arrabbi problema errore rott guasto purtroppo pers paura preoccup difficil peggio"
    " frustr delus ritardo"),
    believed=r"(?:pensavo|pensavamo|credevo|credevamo|avevo (?:pensato|creduto))(?: di| che)?",
    undone=r"o (?:almeno )?così (?:credevo|pensavo|credevamo|pensavamo)|(?:ma|però),? (?:\w+ ){0,4}?(?:è ancora"
    r" (?:lì|rott[oa]|presente|qui)|è (?:tornat[oa]|ricompars[oa])|torna|si ripresenta|non funziona)",
)  # fmt: skip
