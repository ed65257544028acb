"""French."""

from __future__ import annotations

from recollect.distill.moments.ways import Ways, stems

AVONS = r"(?:(?:nous avons|on a|j'ai)(?: (?:enfin|finalement|tous|déjà|donc|tout))?|nous nous sommes|on s'est)"
TROUBLE = "problème|bug|bogue|erreur|cause|fuite|panne|souci|faille"

FRENCH = Ways(
    code="fr",
    says={
        "decision_made": rf"{AVONS} (?:décidé|choisi|opté pour|convenu|mis d'accord|décidés)|on (?:part sur|reste"
        rf" sur|garde)|(?:la|notre|ma) décision est (?:prise|de)|c'est décidé",
        "problem_solved": rf"{AVONS} (?:résolu|corrigé|réparé|réglé)|(?:le |la )?(?:{TROUBLE}) est (?:enfin "
        rf"|maintenant )?(?:résolue?|corrigée?|réglée?|réparée?)"
        r"|(?:ça|cela|tout) (?:marche|fonctionne) (?:maintenant|enfin|de nouveau|à nouveau|bien maintenant)"
        r"|problème résolu|c'était ça",
        "breakthrough": r"(?:une|grande|vraie) percée|eurêka|(?:j'ai|on a|nous avons) enfin (?:compris|trouvé"
        r"|réussi)|je comprends (?:enfin|maintenant) (?:pourquoi|comment)|\d+ fois plus (?:rapide|vite)",
        "issue_identified": rf"(?:le|la|notre)(?: vraie?| véritable)? (?:{TROUBLE}) (?:est|était|vient|venait"
        rf"|provient)(?! (?:résolue?|corrigée?|réglée?|enfin|maintenant))"
        rf"|{AVONS} (?:trouvé|découvert|identifié|repéré) (?:le|la|un|une|l')(?: ?\w+)? ?(?:{TROUBLE}|bug)|(?:le"
        rf" site|le serveur|la production) est (?:en panne|tombée?|hors ligne)",
        "task_completed": rf"{AVONS} (?:terminé|fini|livré|déployé|publié|rendu|envoyé|signé|réussi) (?!(?:de"
        rf" )?(?:manger|déjeuner|dîner|mon café|mon thé))\w+"
        r"|(?:est|sont) (?:maintenant |enfin )?(?:en ligne|terminée?s?|livrée?s?|déployée?s?|publiée?s?)",
        "pivot": rf"changement de (?:plan|programme|cap)|{AVONS} changé (?:d'avis|de plan|d'approche)|on"
        rf" (?:abandonne|repart de zéro|passe (?:plutôt )?à)|nouveau plan|finalement on (?:va|fait|prend)",
    },
    denied=r"ne|n'\w+|pas|jamais|quand|lorsque|dès que|jusqu'à|avant|si|veux|voudrais|espère|il faut|pourquoi"
    r"|comment|où|qui|quoi|sans|tu|vous|il|elle",
    breaks="mais|et|donc|car|puis|alors|cependant",
    strong=r"enfin|énorme|majeure?|grand\w*|critique|urgent\w*|officiellement|après (?:des|plusieurs) (?:semaines"
    r"|mois|jours|heures|années)|définitivement",
    remember=r"(?:n'oublie pas|n'oubliez pas|souviens-toi|souvenez-vous|retiens|retenez|rappelle-toi|rappelez-vous"
    r"|garde en tête|gardez en tête|note bien|notez bien)(?: ?:|,? (?:que|qu'\w+|je|j'\w+|mon|ma|mes|notre|nos"
    r"|nous))",
    events=r"rendez-vous|rdv|réunion\w*|échéance|date limite|entretien|vol|examen|dentiste|médecin|docteur"
    r"|opération|mariage|anniversaire|présentation|concert|conférence|réservation|train|visite|déménage\w*|fête"
    r"|audience",
    past=r"avais|avait|avions|était|hier|dernier|dernière|j'ai eu|on a eu",
    glad=stems("bien super génial heureu content merci réussi parfait enfin excellent ravi fier aime bravo mieux"
    " soulag"),
    sad=stems("mal triste fâch problème erreur cassé panne bug malheureus perdu peur inquiet difficile faux pire"
    " frustr déçu retard désolé"),
    believed=r"(?:je|on|nous) (?:pensais|pensait|pensions|croyais|croyait|croyions)|(?:j'avais|j'ai|on avait|on a"
    r"|nous avions) (?:cru|pensé)",
    undone=r"(?:du moins|enfin|c'est) ?,? ?(?:c'est )?(?:ce que )?(?:je|on) (?:croyais|pensais|croyait|pensait)|mais,? "
    r"(?:[\w']+ ){0,4}?(?:(?:est|sont|c'est) (?:toujours|encore) (?:là|cassée?s?|en panne|présente?s?)|(?:est"
    r"|sont) (?:revenue?s?|de retour|réapparue?s?)|revient|ne (?:marche|fonctionne) (?:toujours )?pas)",
)  # fmt: skip
