"""French."""

from __future__ import annotations

from recollect.distill.extract.language import Language, Pattern, words

J = r"(?:j'|je )"
WE = r"(?:nous|on)"
LE = r"(?:le |la |les |l'|des |du |de la |de l'|de |d')?"

FRENCH = Language(
    code="fr",
    marks=words("je le la les des est et nous vous pas un une du que qui suis ai j'ai avons avec pour dans on mon ma"),
    connectives="et|mais|donc|car|parce que|puisque|que",
    fillers="bonjour|salut|ok|bon|alors|donc|au fait|en fait|oui|non|ah|merci|désolée?|je crois que|je pense que"
    "|pour info|franchement|actuellement|maintenant|finalement|enfin|s'il te plaît|s'il vous plaît",
    ends="et|mais|parce|car|depuis|quand|pendant|jusqu|bien que|qui|que|où|si|avec|ou|aussi|beaucoup|franchement|pour",
    articles="le|la|les|l'|un|une|des|du|de la|de l'|d'|mon|ma|mes|notre",
    joins="et|ou|un peu de|ainsi que",
    doubt="si|s'il|peut-être|probablement|éventuellement|pourrais|pourrait|pourrions|devrais|devrait|devrions|serais"
    "|serait|aimerais|voudrais|souhaite que|imagine|imaginons|supposons|disons|dit|dis|disait|raconte|affirme|selon"
    "|d'après|presque|failli|avant|autrefois|par exemple|personne|quelqu'un|dans le (?:livre|film|texte)|je me demande"
    "|(?:faux|pas vrai|exclu|mythe|mensonge|rumeur|oublie[sz]?|tu crois|vous croyez|ils croient|tu penses|vous pensez"
    "|ils pensent|nie|nient|croyais|pensais) que"
    "|(?:(?<!oublie )(?<!oubliez )(?<!doute )pas|jamais|ignore[sz]?|efface[sz]?|supprime[sz]?)[^,;:.!?]{0,60} que $",
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
        "|collègue"
        "|ami|amie|nièce|neveu|grand-mère|grand-père|belle-mère",
        "jobs": "infirmier|infirmière|professeure?|enseignante?|médecin|ingénieure?|développeur|développeuse|avocate?"
        "|étudiante?|cuisinier|cuisinière|pilote|agriculteur|agricultrice|consultante?|comptable|chercheur|chercheuse"
        "|architecte|journaliste|électricien|électricienne|mécanicien|photographe|musicien|musicienne|traducteur"
        "|traductrice|bibliothécaire|vétérinaire|dentiste|pharmacien|pharmacienne|physicien|physicienne|boulanger"
        "|boulangère|serveur|serveuse|psychologue|retraitée?|sage-femme|graphiste|informaticien|informaticienne",
        "diets": "végétarien|végétarienne|végan|végane|végétalien|végétalienne",
        "tongues": "français|anglais|allemand|espagnol|italien|portugais|arabe|russe|chinois|japonais|coréen|polonais",
        "breaks": r"et (?:je|j'|nous|(?:mon|ma|mes|notre) (?:[\w\-]+ ){1,2}?(?:s'appelle(?:nt)?|est|sont|a))"
        "|parce|car|mais|puisque|bien que|afin",
        "goals": "apprendre|acheter|devenir|courir|déménager|perdre|arrêter|voyager|visiter|écrire un|créer"
        "|étudier|finir"
        "|améliorer|lancer|ouvrir",
    },
    patterns=(
        Pattern("name", r"(?:moi )?(?:je )?m'appelle <name>", 0.94),
        Pattern("name", r"mon (?:nom|prénom) est <name>", 0.94),
        Pattern("name", r"je ne m'appelle (?:pas|plus) <name>", 0.9, against=True),
        Pattern("home", r"je (?:n'habite|ne vis) (?:plus|pas) (?:à|en|au|aux) <place>", 0.85, against=True),
        Pattern(
            "home",
            rf"(?:{J}|{WE} )(?:habite|vis) (?:maintenant |actuellement )?(?:à|en|au|aux) <place>",
            0.92,
            begins=True,
        ),
        Pattern("home", r"(?:j'ai|nous avons|on a) déménagé (?:à|en|au) <place>", 0.88, begins=True),
        Pattern("origin", r"je (?:viens|suis originaire) (?:de|du|d') ?<place>", 0.86),
        Pattern("birthday", r"mon anniversaire est <thing>", 0.9),
        Pattern("birthday", r"je suis née? (?=le \d|en \d)(?:le |en )<thing>", 0.9),
        Pattern("age", r"j'ai <number> ans", 0.93),
        Pattern("employer", r"je (?:travaille|bosse) (?:chez|pour) <place>", 0.88, begins=True),
        Pattern("employer", r"je ne (?:travaille|bosse) (?:plus|pas) (?:chez|pour) <place>", 0.85, against=True),
        Pattern(
            "occupation",
            r"je (?:suis|travaille comme) (?:une? )?<value:jobs>(?=\s*(?:[.,!]|$)|\s(?:et|à|chez|dans|en"
            r"|depuis)\b)",
            0.88,
        ),
        Pattern(
            "partner",
            r"(?:mon mari|ma femme|mon compagnon|ma compagne|mon copain|ma copine|mon époux|mon épouse) "
            r"s'appelle <name>",
            0.92,
            anywhere=True,
        ),
        Pattern("relative", r"(?:mon|ma) <other:kin> s'appelle <name>", 0.92, anywhere=True),
        Pattern("relative", r"(?:mon|ma) <other:kin> (?-i:(?=\p{Lu}))<name>", 0.84, anywhere=True),
        Pattern("children", r"(?:j'ai|nous avons) (?P<value>un|deux|trois|quatre|cinq|\d) enfants?", 0.88),
        Pattern("diet", r"je suis (?:une? )?<value:diets>", 0.92),
        Pattern("diet", r"je ne suis (?:plus|pas) <value:diets>", 0.84, against=True),
        Pattern(
            "no food",
            r"je ne mange (?:pas|plus|jamais) (?:de |d')(?=viande|porc|poisson|gluten|sucre|œufs|bœuf)<thing>",
            0.88,
        ),
        Pattern("allergy", r"je suis (?:très )?allergique (?:aux|au|à la|à l'|à) ?<things>", 0.92),
        Pattern(
            "allergy",
            r"je ne suis (?:plus|pas) allergique (?:aux|au|à la|à l'|à) ?<things>",
            0.88,
            against=True,
        ),
        Pattern("speaks", r"je parle (?=(?:\w+ )?<list:tongues>\b)<things>", 0.85),
        Pattern("native language", r"ma langue maternelle est (?:le |l'|la )?<word>", 0.92),
        Pattern("favourite", r"(?:mon|ma) <other> préférée? est <thing>", 0.92),
        Pattern("dislikes", r"(?:je n'|j')aime (?:pas du tout|pas trop|pas vraiment|pas|plus) <thing>", 0.88),
        Pattern("dislikes", r"je (?:déteste|hais) <thing>", 0.88),
        Pattern("likes", r"j'(?:aime|adore)(?: beaucoup| bien| vraiment)? <thing>", 0.84),
        Pattern("prefers", r"je préfère <phrase>", 0.84),
        Pattern(
            "chosen technology",
            r"(?:nous avons|on a) (?:finalement )?(?:décidé d'utiliser|décidé de prendre|choisi|opté pour|choisi "
            rf"d'utiliser) {LE}<technology>",
            0.92,
        ),
        Pattern("decision", r"(?:nous avons|on a) (?:finalement )?décidé (?:de |d')<phrase>", 0.9),
        Pattern("own decision", r"j'ai (?:finalement )?décidé (?:de |d')<phrase>", 0.88),
        Pattern("used technology", rf"(?:nous utilisons|on utilise|nous employons) {LE}<technology>", 0.87),
        Pattern("deadline", r"(?:la date limite|l'échéance|la deadline) est (?:le |pour |fixée au )?<thing>", 0.9),
        Pattern("budget", r"(?:le|notre|mon) budget est (?:de |d'environ )?<thing>", 0.9),
        Pattern(
            "constraint",
            r"(?:nous|on) (?=(?:ne devons pas|ne pouvons pas|ne peut pas|ne doit pas) (?!dire|savoir"
            r"|comprendre)\w)<phrase>",
            0.8,
        ),
        Pattern("goal", r"mon (?:objectif|but) est (?:de |d')<phrase>", 0.88),
        Pattern("goal", r"je (?:veux|compte) (?=<list:goals>\b)<phrase>", 0.82),
        Pattern("project name", r"(?:le|notre) projet s'appelle <name>", 0.9),
        Pattern("name", r"moi,? c'est <name>", 0.85),
        Pattern("name", r"je suis (?-i:(?=\p{Lu}\p{Ll}))<name>(?=\s*(?:[.,!]|$)|\s(?:et|de)\b)", 0.72),
    ),
)  # fmt: skip
