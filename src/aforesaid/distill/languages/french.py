"""French: patterns for claims and for episodes."""

from aforesaid.distill.grammar import ClaimGrammar, ClaimPattern, EpisodeGrammar
from aforesaid.distill.languages.named import named_patterns

JE = r"(?:moi,? )?(?:j'|je )"
NOW = r"(?:(?:maintenant|actuellement|désormais|aussi|toujours) )?"
IN = "(?:à|en|au|aux|dans le|dans la|sur)"
AUX = "(?:aux|au|à la|à l'|à)"
FROM = "(?:de la |de l'|des |du |de |d')"
CALLED = "(?:qui s'appelle|nommée?|appelée?|prénommée?|(?:elle|il) s'appelle)"
STOP = r"(?=\s*(?:[.,!:;(]|$)|\s(?:et|à|au|aux|chez|dans|en|depuis|mais|pour|de métier|de profession)\b)"

FRENCH = ClaimGrammar(
    code="fr",
    marks=frozenset(["je", "le", "la", "les", "des", "est", "et", "nous", "vous", "pas", "un", "une", "du", "que", "qui", "suis", "ai", "j'ai", "avons", "avec", "pour", "dans", "on", "mon", "ma", "de", "en", "à", "j'habite", "m'appelle", "c'est"]),
    connectives="et|mais|donc|car|parce que|puisque|que|comme",
    fillers="bonjour|bonsoir|salut|coucou|ok|bon|alors|donc|au fait|en fait|oui|non|ah|merci|désolée?|je crois que|je pense"
    " que|pour info|franchement|actuellement|maintenant|finalement|enfin|s'il te plaît|s'il vous plaît|enchantée?|l'an"
    " dernier|l'année dernière",
    ends="et|mais|parce|car|depuis|quand|pendant|jusqu|bien que|qui|que|où|si|avec|ou|ni|aussi|beaucoup|franchement|pour"
    "|couramment",
    articles="le|la|les|l'|un|une|des|du|de la|de l'|d'|mon|ma|mes|notre",
    joins="et|ou|ni|un peu de|un peu|ainsi que",
    doubt="si|s'il|peut-être|probablement|éventuellement|pourrais|pourrait|pourrions|devrais|devrait|devrions|serais|serait"
    "|aimerais|voudrais|souhaite que|imagine|imaginons|supposons|disons|dit|dis|disait|raconte|affirme|selon|d'après|presque"
    "|failli|avant|autrefois|aujourd'hui|ce soir|par exemple|personne|quelqu'un|dans le (?:livre|film|texte)|je me demande"
    "|(?:faux|pas vrai|exclu|mythe|mensonge|rumeur|oublie[sz]?|tu crois|vous croyez|ils croient|tu penses|vous pensez|ils"
    " pensent|nie|nient|croyais|pensais) que|(?:(?<!oublie )(?<!oubliez )(?<!doute )pas|jamais|ignore[sz]?|efface[sz]?"
    "|supprime[sz]?)[^,;:.!?]{0,60} que $",
    frame=r"(?:écris|écrivez|rédige|rédigez|raconte|racontez|invente|compose) (?:\S+ ){0,6}?(?:histoire|poème|chanson|lettre"
    r"|blague|e-?mail|mail|texte|dialogue|scène|message|conte)|tradui(?:s|sez|re)|corrige[zr]?|reformule[zr]?|imagine[zr]?"
    r"|suppose[zr]?|fais comme si|jeu de rôle|joue le rôle|voici (?:\S+ ){0,3}?(?:mail|e-?mail|texte|lettre|log|message"
    r"|article|extrait)|le texte suivant|suivante?(?= ?:)|(?:il|elle) (?:a dit|écrit|dit)(?= ?[,:])",
    condition="si|s'il|s'ils|peut-être|éventuellement|supposons|imagine|imaginons|crois pas|pense pas",
    negation=r"ne|n'\w+|pas|jamais|aucune?|sans",
    plan=r"veux|voudrais|aimerais|espère|compte|vais|prévois|devrais|pourrais|pense|rêve|apprends|essaie",
    past="autrefois|avant|jadis|étais|avais|habitais|travaillais|enfant",
    hedge="je crois|je pense|il me semble|plus ou moins|en quelque sorte|sans doute",
    question="est-ce|qu'est-ce|qui|que (?:faire|puis)|quoi|où|quand|pourquoi|comment|quel|quelle|quels|quelles|combien|(?:tu"
    " )?peux-tu|tu peux|tu connais|tu sais|puis-je|je peux|pouvez-vous|vous pouvez|as-tu|avez-vous|y a-t-il|il y a"
    "|devons-nous|suis-je|faut-il",
    irony=r"je plaisante|je rigole|blague à part|ironie|🙄|/s(?=\s|$)",
    vague="ça|cela|ceci|ce|le|la|les|bien|bien ça|tout|rien|quelque chose|vous|toi|te .*|que .*|ce .*|cette .*|ces .*|bien .*"
    "|votre .*|ta .*|ton .*|tes .*|comment .*|comme .*|quand .*|savoir.*|pas .*|beaucoup .*|certaine?s .*|tou[st].*",
    denial=r"(?-i:ni|pas(?: de)?|aucune?|jamais)",
    change="maintenant|désormais|actuellement|ne .* plus|plus|déménagé|emménagé|emménager|nouveau|nouvelle|depuis|commencé",
    elided=("j'", "je "),
    lists={
        "joint": "et",
        "subject": "je|j'ai|j'habite|moi",
        "others": "que|qui|où|si|quand|tu|il|elle|on|nous|vous|ils|elles|ma|mon|mes|voudrais|aimerais|veux|vais|pas|plus"
        "|jamais|étais|avais",
        "again": "aux|au|à la|à l'|à",
        "alien": "je|j'ai|j'habite|tu|il|elle|on|nous|vous|ils|elles|me|mon|ma|mes|ton|ta|notre|votre|c'est|ça|est|sont|suis"
        "|ai|as|a|ont|avons|ne|pas|jamais|parle|aime|déteste|habite|travaille|mange|vis|merci|désolée?|cherche|veux",
        "kin": "demi-sœur|demi-frère|belle-sœur|beau-frère|sœur|soeur|frère|mère|père|maman|papa|fille|fils|cousin|cousine"
        "|tante|oncle|chef|patron|patronne|collègue|ami|amie|nièce|neveu|grand-mère|grand-père|mamie|papi|petite-fille"
        "|petit-fils|belle-mère|beau-père|colocataire|voisin|voisine|meilleure? amie?|bébé",
        "partners": "mari|compagnon|copain|époux|épouse|fiancée?|conjointe?|partenaire|chérie?|femme|compagne|copine",
        "pets": "chien|chienne|chiot|chat|chatte|chaton|lapin|cheval|jument|poney|hamster|perroquet|perruche|tortue|furet",
        "things": "voiture|bateau|voilier|vélo|moto|scooter|camion|van|camping-car|guitare|entreprise|boîte|boutique|magasin"
        "|restaurant|bar|groupe|blog|podcast|chaîne|robot|projet",
        "jobs": r"(?:infirmi(?:er|ère)|prof|professeure?|enseignante?|instituteur|institutrice|médecin|docteure?|ingénieure?"
        r"|développeu(?:r|se)|programmeu(?:r|se)|avocate?|étudiante?|cuisini(?:er|ère)|chef|pilote|agricult(?:eur|rice)"
        r"|consultante?|comptable|cherch(?:eur|euse)|architecte|journaliste|électricien(?:ne)?|mécanicien(?:ne)?|photographe"
        r"|musicien(?:ne)?|traduct(?:eur|rice)|interprète|bibliothécaire|vétérinaire|dentiste|pharmacien(?:ne)?"
        r"|physicien(?:ne)?|chimiste|biologiste|boulang(?:er|ère)|pâtissi(?:er|ère)|serveu(?:r|se)|psychologue|retraitée?"
        r"|sage-femme|graphiste|designer|informaticien(?:ne)?|polici(?:er|ère)|pompier|maçon|menuisi(?:er|ère)|coiffeu(?:r"
        r"|se)|vendeu(?:r|se)|chauffeur|secrétaire|gérante?|direct(?:eur|rice)|analyste|économiste|écrivaine?|fonctionnaire"
        r"|kinésithérapeute|kiné|thérapeute|act(?:eur|rice)|artiste|chant(?:eur|euse)|plombi(?:er|ère)|ouvri(?:er|ère)"
        r"|pédiatre|chirurgien(?:ne)?|juge|notaire|assistante? sociale?|mère au foyer|éducat(?:eur|rice)|technicien(?:ne)?"
        r"|aide-soignante?)(?: (?:de |d')(?!une? |métier|profession|mon |ma )\p{Ll}+| en (?:informatique|médecine|droit"
        r"|marketing|lettres|master)| (?:web|freelance|indépendante?|à la retraite|libérale?|civil|logiciel))?",
        "diets": "végétarien(?:ne)?|v[ée]gane?|végétalien(?:ne)?|pescétarien(?:ne)?",
        "ages": "(?:vingt|trente|quarante|cinquante|soixante|quatre-vingt)s?(?:-(?:dix|et-un|deux|trois|quatre|cinq|six|sept"
        "|huit|neuf|onze|douze|treize|quatorze|quinze|seize)){0,2}|vingt et un|treize|quatorze|quinze|seize|dix-(?:sept|huit"
        "|neuf)",
        "tongues": "français|anglais|allemand|espagnol|italien|portugais|arabe|russe|chinois|mandarin|japonais|coréen"
        "|polonais|roumain|ukrainien|turc|grec|néerlandais|suédois|hébreu|breton|catalan|créole|kabyle|wolof|berbère",
        "sorts": "viande|viande rouge|porc|poisson|gluten|sucre|œufs|oeufs|bœuf|boeuf|fruits de mer|produits laitiers|poulet",
    },
    patterns=(
        ClaimPattern("name", r"(?:moi,? )?(?:je )?m'appelle <name>", 0.94),
        ClaimPattern("name", r"mon (?:nom|prénom|nom complet) (?:est|c'est) <name>", 0.94),
        ClaimPattern("name", r"je ne m'appelle (?:pas|plus) <name>", 0.9, denies=True),
        ClaimPattern("home", rf"je (?:n'habite|ne vis|habite|vis) (?:plus|pas) {IN} <place>", 0.85, denies=True),
        ClaimPattern("home", rf"(?:{JE}|nous |on )(?:habite|vis|habitons|vivons|vit|réside) {NOW}(?:avec (?:mon |ma |mes |un "
            rf"|une )?\p{{Ll}}+ )?{IN} <place>", 0.92, begins=True),
        ClaimPattern("home", rf"(?:j'ai|nous avons|on a|je viens de|on vient de|je viens d'|nous venons de|nous venons d')"
            rf" ?(?:s'installer|m'installer|nous installer|déménagée?|emménagée?|déménager|emménager) (?:de [\p{{L}}\-"
            rf" ]{{2,30}}? )?{IN} <place>", 0.88, begins=True),
        ClaimPattern("origin", rf"{JE}(?:viens|suis originaire) {FROM}(?-i:(?=\p{{Lu}}))<place>", 0.86),
        ClaimPattern("origin", rf"{JE}(?:suis née?|ai grandi|suis née? et (?:j'ai grandi|ai grandi)) {IN} <place>", 0.86),
        ClaimPattern("birthday", r"(?:mon anniversaire|ma date de naissance|mon anniv)(?:,? c'est| est) (?:le )?<date>", 0.9),
        ClaimPattern("birthday", rf"(?:{JE}suis née?|{JE}fête mon anniversaire) le <date>", 0.9),
        ClaimPattern("age", rf"{JE}ai (?:<number>|<value:ages>) ans(?! d['e]| de\b)", 0.93),
        ClaimPattern("age", r"(?:je viens d'avoir|je viens de fêter mes|j'ai fêté mes) (?:<number>|<value:ages>) ans", 0.9),
        ClaimPattern("occupation", rf"{JE}(?:suis|travaille comme|bosse comme|travaille en tant que) (?:une? "
            rf"|l')?<value:jobs>{STOP}", 0.88),
        ClaimPattern("occupation", rf"{JE}(?:travaille|bosse) (?:comme|en tant que) (?:une? )?(?!fou|folle|dingue|malade"
            rf"|toujours|jamais|si\b|bête|esclave|ça)(?P<value>\p{{Ll}}+(?: \p{{Ll}}+){{0,2}}?){STOP}", 0.85),
        ClaimPattern("employer", rf"{JE}(?:travaille|bosse|suis (?:employée?|salariée?)) {NOW}(?:chez|pour|à la|au|à l')"
            rf" ?(?:la |le |l')?<company>", 0.88, begins=True),
        ClaimPattern("employer", rf"{JE}suis (?:une? )?<list:jobs> (?:chez|à la|à l'|au) ?<company>", 0.84, anywhere=True),
        ClaimPattern("employer", r"je (?:ne )?(?:travaille|bosse) (?:plus|pas) (?:chez|pour|à la|au) (?:la |le "
            r"|l')?<company>", 0.85, denies=True),
        ClaimPattern("partner", rf"{JE}suis (?:mariée?|en couple|fiancée?|pacsée?) (?:avec|à) <name>", 0.9),
        *named_patterns(r"(?<!\b(?:de|que|à) )(?:mon|ma|notre)(?: (?:petite?|grande?"
            r"|meilleure?))?", "s'appelle", r"(?:(?:j'ai|nous avons|on a) )?une?(?: \p{Ll}+)?", rf",? {CALLED} <name>"),
        ClaimPattern("children", r"(?:j'ai|nous avons|on a) (?P<value>deux|trois|quatre|cinq|[2-9]) enfants", 0.88),
        ClaimPattern("diet", rf"{JE}suis (?:une? )?{NOW}<value:diets>", 0.92),
        ClaimPattern("diet", rf"{JE}mange (?:que )?<value:diets>", 0.86),
        ClaimPattern("diet", r"je (?:ne )?suis (?:plus|pas) <value:diets>", 0.84, denies=True),
        ClaimPattern("no food", r"je (?:ne )?mange (?:pas|plus|jamais) (?:de |d')<value:sorts>", 0.88),
        ClaimPattern("allergy", rf"{JE}(?:suis (?:très |fortement )?(?:allergique|intolérante?)|ai une (?:allergie"
            rf"|intolérance)|fais une allergie) {AUX} ?<things>", 0.92),
        ClaimPattern("allergy", rf"je (?:ne )?suis (?:plus|pas) (?:allergique|intolérante?) {AUX}"
            rf" ?<things>", 0.88, denies=True),
        ClaimPattern("allergy", rf"mon allergie {AUX} ?(?P<value>\p{{Ll}}+(?: de \p{{Ll}}+)?)", 0.88),
        ClaimPattern("speaks", rf"{JE}parle (?:couramment |aussi |bien |un peu |un peu le |l'|le"
            rf" )?(?=(?:<list:tongues>)\b)<things>", 0.85),
        ClaimPattern("speaks", r"je (?:ne )?parle pas (?:l'|le )?(?=(?:<list:tongues>)\b)<things>", 0.85, denies=True),
        ClaimPattern("native language", r"ma langue maternelle (?:est|c'est) (?:le |l'|la )?<word>", 0.92),
        ClaimPattern("name", r"moi,? c'est <name>", 0.85),
        ClaimPattern("name", r"je suis (?-i:(?=\p{Lu}\p{Ll}))(?!Bélier|Taureau|Gémeaux|Cancer|Lion|Vierge|Balance|Scorpion"
            r"|Sagittaire|Capricorne|Verseau|Poissons)<name>(?=\s*(?:[.,!]|$)|\s(?:et|de)\b)", 0.72),
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
