"""French: patterns for claims and for episodes."""

from aforesaid.distill.grammar import ClaimGrammar, ClaimPattern, EpisodeGrammar

J = r"(?:j'|je )"
WE = r"(?:nous|on)"
LE = r"(?:le |la |les |l'|des |du |de la |de l'|de |d')?"

FRENCH = ClaimGrammar(
    code="fr",
    marks=frozenset(["je", "le", "la", "les", "des", "est", "et", "nous", "vous", "pas", "un", "une", "du", "que", "qui", "suis", "ai", "j'ai", "avons", "avec", "pour", "dans", "on", "mon", "ma"]),
    connectives="et|mais|donc|car|parce que|puisque|que",
    fillers="bonjour|salut|ok|bon|alors|donc|au fait|en fait|oui|non|ah|merci|désolée?|je crois que|je pense que|pour"
    " info|franchement|actuellement|maintenant|finalement|enfin|s'il te plaît|s'il vous plaît",
    ends="et|mais|parce|car|depuis|quand|pendant|jusqu|bien que|qui|que|où|si|avec|ou|aussi|beaucoup|franchement|pour",
    articles="le|la|les|l'|un|une|des|du|de la|de l'|d'|mon|ma|mes|notre",
    joins="et|ou|un peu de|ainsi que",
    doubt="si|s'il|peut-être|probablement|éventuellement|pourrais|pourrait|pourrions|devrais|devrait|devrions|serais"
    "|serait|aimerais|voudrais|souhaite que|imagine|imaginons|supposons|disons|dit|dis|disait|raconte|affirme|selon"
    "|d'après|presque|failli|avant|autrefois|par exemple|personne|quelqu'un|dans le (?:livre|film|texte)|je me demande"
    "|(?:faux|pas vrai|exclu|mythe|mensonge|rumeur|oublie[sz]?|tu crois|vous croyez|ils croient|tu penses|vous pensez"
    "|ils pensent|nie|nient|croyais|pensais) que|(?:(?<!oublie )(?<!oubliez )(?<!doute )pas|jamais|ignore[sz]?"
    "|efface[sz]?|supprime[sz]?)[^,;:.!?]{0,60} que $",
    frame=r"(?:écris|écrivez|rédige|rédigez|raconte|racontez|invente|compose) (?:\S+ ){0,6}?(?:histoire|poème|chanson"
    r"|lettre|blague|e-?mail|mail|texte|dialogue|scène|message|conte)|tradui(?:s|sez|re)|corrige[zr]?|reformule[zr]?"
    r"|imagine[zr]?|suppose[zr]?|fais comme si|jeu de rôle|joue le rôle|voici (?:\S+ ){0,3}?(?:mail|e-?mail|texte"
    r"|lettre|log|message|article|extrait)|le texte suivant|suivante?(?= ?:)|(?:il|elle) (?:a dit|écrit|dit)(?= ?[,:])",
    hedge="je crois|je pense|il me semble|plus ou moins|en quelque sorte|sans doute",
    question="est-ce|qu'est-ce|qui|quoi|où|quand|pourquoi|comment|quel|quelle|quels|quelles|combien|peux-tu|pouvez-vous"
    "|devons-nous|suis-je|faut-il",
    irony=r"je plaisante|je rigole|blague à part|ironie|🙄|/s(?=\s|$)",
    vague="ça|cela|ceci|ce|le|la|les|bien|bien ça|tout|rien|quelque chose|vous|toi|te .*|que .*|ce .*|cette .*|ces .*"
    "|bien .*|votre .*|ta .*|ton .*|tes .*|comment .*|comme .*|quand .*|savoir.*|pas .*",
    denial=r"(?-i:pas(?: de)?|aucune?|jamais)",
    lists={
        "again": "aux|au|à la|à l'|à",
        "alien": "je|j'ai|tu|il|elle|on|nous|vous|ils|elles|me|mon|ma|mes|ton|ta|notre|votre|c'est|ça|est|sont|suis|ai"
        "|as|a|ont|avons|ne|pas|jamais|parle|aime|déteste|habite|travaille|mange|merci|désolée?",
        "kin": "sœur|soeur|frère|mère|père|fille|fils|cousin|cousine|tante|oncle|chien|chienne|chat|chatte|chef"
        "|collègue|ami|amie|nièce|neveu|grand-mère|grand-père|belle-mère",
        "jobs": "infirmier|infirmière|professeure?|enseignante?|médecin|ingénieure?|développeur|développeuse|avocate?"
        "|étudiante?|cuisinier|cuisinière|pilote|agriculteur|agricultrice|consultante?|comptable|chercheur|chercheuse"
        "|architecte|journaliste|électricien|électricienne|mécanicien|photographe|musicien|musicienne|traducteur"
        "|traductrice|bibliothécaire|vétérinaire|dentiste|pharmacien|pharmacienne|physicien|physicienne|boulanger"
        "|boulangère|serveur|serveuse|psychologue|retraitée?|sage-femme|graphiste|informaticien|informaticienne",
        "diets": "végétarien|végétarienne|végan|végane|végétalien|végétalienne",
        "tongues": "français|anglais|allemand|espagnol|italien|portugais|arabe|russe|chinois|japonais|coréen|polonais",
        "breaks": r"et (?:je|j'|nous|(?:mon|ma|mes|notre) (?:[\w\-]+ ){1,2}?(?:s'appelle(?:nt)?|est|sont|a))|parce|car"
        r"|mais|puisque|bien que|afin",
        "goals": "apprendre|acheter|devenir|courir|déménager|perdre|arrêter|voyager|visiter|écrire un|créer|étudier"
        "|finir|améliorer|lancer|ouvrir",
    },
    patterns=(
        ClaimPattern("name", r"(?:moi )?(?:je )?m'appelle <name>", 0.94),
        ClaimPattern("name", r"mon (?:nom|prénom) est <name>", 0.94),
        ClaimPattern("name", r"je ne m'appelle (?:pas|plus) <name>", 0.9, denies=True),
        ClaimPattern("home", r"je (?:n'habite|ne vis) (?:plus|pas) (?:à|en|au|aux) <place>", 0.85, denies=True),
        ClaimPattern("home", rf"(?:{J}|{WE} )(?:habite|vis) (?:maintenant |actuellement )?(?:à|en|au|aux)"
            r" <place>", 0.92, begins=True),
        ClaimPattern("home", r"(?:j'ai|nous avons|on a) déménagé (?:à|en|au) <place>", 0.88, begins=True),
        ClaimPattern("origin", r"je (?:viens|suis originaire) (?:de|du|d') ?<place>", 0.86),
        ClaimPattern("birthday", r"mon anniversaire est <date>", 0.9),
        ClaimPattern("birthday", r"je suis née? (?=le \d|en \d)(?:le |en )<date>", 0.9),
        ClaimPattern("age", r"j'ai <number> ans", 0.93),
        ClaimPattern("employer", r"je (?:travaille|bosse) (?:chez|pour) <place>", 0.88, begins=True),
        ClaimPattern("employer", r"je ne (?:travaille|bosse) (?:plus|pas) (?:chez|pour) <place>", 0.85, denies=True),
        ClaimPattern("occupation", r"je (?:suis|travaille comme) (?:une? )?<value:jobs>(?=\s*(?:[.,!]|$)|\s(?:et|à|chez"
            r"|dans|en|depuis)\b)", 0.88),
        ClaimPattern("partner", r"(?:mon mari|ma femme|mon compagnon|ma compagne|mon copain|ma copine|mon époux|mon"
            r" épouse) s'appelle <name>", 0.92, anywhere=True),
        ClaimPattern("relative", r"(?:mon|ma) <other:kin> s'appelle <name>", 0.92, anywhere=True),
        ClaimPattern("relative", r"(?:mon|ma) <other:kin> (?-i:(?=\p{Lu}))<name>", 0.84, anywhere=True),
        ClaimPattern("children", r"(?:j'ai|nous avons) (?P<value>un|deux|trois|quatre|cinq|\d) enfants?", 0.88),
        ClaimPattern("diet", r"je suis (?:une? )?<value:diets>", 0.92),
        ClaimPattern("diet", r"je ne suis (?:plus|pas) <value:diets>", 0.84, denies=True),
        ClaimPattern("no food", r"je ne mange (?:pas|plus|jamais) (?:de |d')(?=viande|porc|poisson|gluten|sucre|œufs"
            r"|bœuf)<thing>", 0.88),
        ClaimPattern("allergy", r"je suis (?:très )?allergique (?:aux|au|à la|à l'|à) ?<things>", 0.92),
        ClaimPattern("allergy", r"je ne suis (?:plus|pas) allergique (?:aux|au|à la|à l'|à) ?<things>", 0.88, denies=True),
        ClaimPattern("speaks", r"je parle (?=(?:\w+ )?<list:tongues>\b)<things>", 0.85),
        ClaimPattern("native language", r"ma langue maternelle est (?:le |l'|la )?<word>", 0.92),
        ClaimPattern("name", r"moi,? c'est <name>", 0.85),
        ClaimPattern("name", r"je suis (?-i:(?=\p{Lu}\p{Ll}))<name>(?=\s*(?:[.,!]|$)|\s(?:et|de)\b)", 0.72),
    ),
)  # fmt: skip


AVONS = r"(?:(?:nous avons|on a|j'ai)(?: (?:enfin|finalement|tous|déjà|donc|tout))?|nous nous sommes|on s'est)"
TROUBLE = "problème|bug|bogue|erreur|cause|fuite|panne|souci|faille"

FRENCH_EPISODES = EpisodeGrammar(
    code="fr",
    event_patterns={
        "decision_made": rf"{AVONS} (?:décidé|choisi|opté pour|convenu|mis d'accord|décidés)|on (?:part sur|reste sur"
        r"|garde)|(?:la|notre|ma) décision est (?:prise|de)|c'est décidé",
        "problem_solved": rf"{AVONS} (?:résolu|corrigé|réparé|réglé)|(?:le |la )?(?:{TROUBLE}) est (?:enfin |maintenant"
        r" )?(?:résolue?|corrigée?|réglée?|réparée?)|(?:ça|cela|tout) (?:marche|fonctionne) (?:maintenant|enfin|de"
        r" nouveau|à nouveau|bien maintenant)|problème résolu|c'était ça",
        "breakthrough": r"(?:j'ai|on a|nous avons) enfin (?:compris|trouvé)|je comprends (?:enfin|maintenant) (?:pourquoi|comment)",
        "issue_identified": rf"(?:le|la|notre)(?: vraie?| véritable)? (?:{TROUBLE}) (?:est|était|vient|venait"
        rf"|provient)(?! (?:résolue?|corrigée?|réglée?|enfin|maintenant))|{AVONS} (?:trouvé|découvert|identifié|repéré)"
        rf" (?:le|la|un|une|l')(?: ?\w+)? ?(?:{TROUBLE}|bug)|(?:le site|le serveur|la production) est (?:en panne"
        r"|tombée?|hors ligne)",
        "task_completed": rf"{AVONS} (?:terminé|fini|livré|déployé|publié|rendu|envoyé|signé|réussi) (?!(?:de"
        r" )?(?:manger|déjeuner|dîner|mon café|mon thé))\w+|(?:est|sont) (?:maintenant |enfin )?(?:en ligne"
        r"|terminée?s?|livrée?s?|déployée?s?|publiée?s?)",
        "pivot": rf"changement de (?:plan|programme|cap)|{AVONS} changé (?:d'avis|de plan|d'approche)|on (?:abandonne"
        r"|repart de zéro|passe (?:plutôt )?à)|nouveau plan|finalement on (?:va|fait|prend)",
    },
    denied=r"ne|n'\w+|pas|jamais|quand|lorsque|dès que|jusqu'à|avant|si|veux|voudrais|espère|il faut|pourquoi|comment"
    r"|où|qui|quoi|sans|tu|vous|il|elle",
    breaks="mais|et|donc|car|puis|alors|cependant",
    remember=r"(?:n'oublie pas|n'oubliez pas|souviens-toi|souvenez-vous|retiens|retenez|rappelle-toi|rappelez-vous"
    r"|garde en tête|gardez en tête|note bien|notez bien)(?: ?:|,? (?:que|qu'\w+|je|j'\w+|mon|ma|mes|notre|nos|nous))",
    events=r"rendez-vous|rdv|réunion\w*|échéance|date limite|entretien|vol|examen|dentiste|médecin|docteur|opération"
    r"|mariage|anniversaire|présentation|concert|conférence|réservation|train|visite|déménage\w*|fête|audience",
    past=r"avais|avait|avions|était|hier|dernier|dernière|j'ai eu|on a eu",
    believed=r"(?:je|on|nous) (?:pensais|pensait|pensions|croyais|croyait|croyions)|(?:j'avais|j'ai|on avait|on a|nous"
    r" avions) (?:cru|pensé)",
    undone=r"(?:du moins|enfin|c'est) ?,? ?(?:c'est )?(?:ce que )?(?:je|on) (?:croyais|pensais|croyait|pensait)|mais,?"
    r" (?:[\w']+ ){0,4}?(?:(?:est|sont|c'est) (?:toujours|encore) (?:là|cassée?s?|en panne|présente?s?)|(?:est|sont)"
    r" (?:revenue?s?|de retour|réapparue?s?)|revient|ne (?:marche|fonctionne) (?:toujours )?pas)",
    generic=rf"enfin|finalement|hier|aujourd'hui|maintenant|{TROUBLE}|chose|solution|travail|tâche|avons|j'ai",
    pronouns=r"ça|cela|ceci|quelque chose|jusqu'ici",
)  # fmt: skip
