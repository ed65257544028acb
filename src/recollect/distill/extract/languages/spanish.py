"""Spanish."""

from __future__ import annotations

from recollect.distill.extract.language import Language, Pattern, words

YO = r"(?:yo )?(?:ahora |actualmente |ya )?"
EL = r"(?:el |la |los |las )?"

SPANISH = Language(
    code="es",
    marks=words("yo el la los las es y en de que no un una mi me con por para soy estoy está hemos tengo se lo vivo"),
    connectives="y|e|pero|porque|así que|que|aunque|pues",
    fillers="hola|ok|vale|bueno|pues|por cierto|en realidad|sí|ah|gracias|perdón|creo que|para que sepas|ahora"
    "|actualmente|al final|finalmente|sinceramente|la verdad|pero|y",
    ends="y|pero|porque|desde|cuando|mientras|hasta|aunque|que|donde|si|con|o|también|mucho|pues|para|como",
    articles="el|la|los|las|un|una|unos|unas|mi|mis|nuestro|nuestra",
    joins="y|e|o|un poco de|además de",
    doubt="si|ojalá|quizás?|tal vez|a lo mejor|probablemente|podríamos|podría|debería|deberíamos|sería|viviera|quisiera"
    "|gustaría|imagina|supongamos|digamos|dijo|dice|decía|contó|cuenta|según|casi|antes|por ejemplo|nadie|alguien"
    "|en el (?:libro|texto|cuento|ejemplo)|en la (?:película|historia|novela)|me pregunto|aún no|todavía no"
    "|(?:falso|no es (?:cierto|verdad)|mentira|mito|rumor|(?<!no )olvid[ae]|olvídate de|descartado|descartaron|crees"
    "|cree|creen|creía|piensas|piensan|niega|niego) que"
    "|(?:no|nunca|ignora|borra|elimina)(?!(?: te)? olvid| dud)[^,;:.!?]{0,60} que $",
    frame=r"(?:escribe|escríbeme|redacta|cuenta|cuéntame|inventa|compón) (?:\S+ ){0,6}?(?:cuento|historia|poema|canción"
    r"|carta|chiste|correo|e-?mail|texto|diálogo|escena|mensaje)|traduce|traducir|corrige|reformula|imagina|supón"
    r"|finge|haz como si|juego de rol|actúa como|aquí (?:está|tienes) (?:\S+ ){0,3}?(?:correo|texto|carta|log|mensaje"
    r"|artículo)|el siguiente|la siguiente|(?:él|ella) (?:dijo|dice|escribió)(?= ?[,:])",
    hedge="creo que|me parece|supongo|más o menos|quizá",
    question="qué|quién|dónde|cuándo|por qué|cómo|cuál|cuáles|cuánto|puedes|podrías|debemos|deberíamos",
    irony=r"es broma|bromeo|ironía|🙄|/s(?=\s|$)",
    vague="eso|esto|ello|lo|la|gracias|mucho|todo|nada|algo|que .*|este .*|esta .*|ese .*|esa .*|tu .*|cómo .*"
    "|como .*|cuando .*|saber.*",
    denial=r"(?-i:no|ningún|ninguna?|nunca)",
    lists={
        "again": "a los|a las|a la|al|a",
        "alien": "yo|tú|él|ella|nosotros|ellos|me|mi|mis|tu|nuestro|nuestra|eso|esto|es|son|soy|está|estoy|tengo|tiene"
        "|hay|no|nunca|habla|gusta|vive|trabaja|come|gracias|perdón",
        "kin": "hermana|hermano|madre|padre|hija|hijo|primo|prima|tía|tío|perro|perra|gato|gata|jefe|jefa|amigo|amiga"
        "|sobrina|sobrino|abuela|abuelo|suegra|suegro|compañero|compañera",
        "jobs": "médico|médica|enfermero|enfermera|profesora?|maestro|maestra|ingeniero|ingeniera|desarrolladora?"
        "|programadora?|abogado|abogada|estudiante|cocinero|cocinera|piloto|agricultora?|consultora?|contable"
        "|investigadora?|arquitecto|arquitecta|periodista|electricista|mecánico|fotógrafo|fotógrafa|músico|traductora?"
        "|bibliotecario|bibliotecaria|veterinario|veterinaria|dentista|farmacéutico|farmacéutica|físico|panadero"
        "|camarero|camarera|psicólogo|psicóloga|jubilado|jubilada|diseñadora?|informático|informática",
        "diets": "vegano|vegana|vegetariano|vegetariana|celíaco|celíaca",
        "tongues": "español|inglés|francés|alemán|italiano|portugués|catalán|gallego|euskera|árabe|ruso|chino|japonés",
        "breaks": r"y (?:yo|nosotros|mis? (?:[\w\-]+ ){1,2}?(?:se llaman?|es|está|son|tiene))"
        "|porque|pero|aunque|ya que|pues",
        "goals": "aprender|comprar|ser|correr|mudarme|perder|dejar|viajar|visitar|escribir un|crear|estudiar|terminar"
        "|mejorar|abrir|ahorrar",
    },
    patterns=(
        Pattern("name", r"me llamo <name>", 0.94),
        Pattern("name", r"mi nombre es <name>", 0.94),
        Pattern("name", r"(?:ya )?no me llamo <name>", 0.9, against=True),
        Pattern("home", r"(?:yo )?(?:ya )?no vivo (?:más )?en <place>", 0.85, against=True),
        Pattern("home", rf"{YO}vivo (?:ahora |actualmente )?en <place>", 0.92, begins=True),
        Pattern("home", r"(?:me he mudado|me mudé|nos mudamos|nos hemos mudado) a <place>", 0.88, begins=True),
        Pattern("origin", r"(?:yo )?soy de <place>", 0.88),
        Pattern("birthday", r"mi cumpleaños es <thing>", 0.9),
        Pattern("birthday", r"nací (?:el|en) (?=\d)<thing>", 0.9),
        Pattern("age", r"tengo <number> años", 0.93),
        Pattern("employer", r"(?:yo )?trabajo (?:en|para) (?:la |el )?<place>", 0.86, begins=True),
        Pattern("employer", r"(?:yo )?(?:ya )?no trabajo (?:en|para) (?:la |el )?<place>", 0.85, against=True),
        Pattern(
            "occupation",
            r"(?:yo )?(?:soy|trabajo como|trabajo de) (?:una? )?<value:jobs>(?=\s*(?:[.,!]|$)|\s(?:y|en|de|desde"
            r"|pero)\b)",
            0.88,
        ),
        Pattern(
            "partner",
            r"mi (?:mujer|marido|esposa|esposo|novia|novio|pareja) se llama <name>",
            0.92,
            anywhere=True,
        ),
        Pattern("relative", r"mi <other:kin> se llama <name>", 0.92, anywhere=True),
        Pattern("relative", r"mi <other:kin> (?-i:(?=\p{Lu}))<name>", 0.84, anywhere=True),
        Pattern("children", r"(?:tengo|tenemos) (?P<value>un|dos|tres|cuatro|cinco|\d) hij[oa]s?", 0.88),
        Pattern("diet", r"(?:yo )?soy (?:una? )?<value:diets>", 0.92),
        Pattern("diet", r"(?:yo )?(?:ya )?no soy <value:diets>", 0.84, against=True),
        Pattern("no food", r"no como (?=carne|cerdo|pescado|gluten|azúcar|huevos|lácteos)<thing>", 0.88),
        Pattern(
            "allergy",
            r"(?:yo )?(?:soy|tengo) (?:muy )?(?:alérgic[oa]|alergia) (?:a los|a las|a la|al|a) <things>",
            0.92,
        ),
        Pattern(
            "allergy",
            r"(?:yo )?(?:ya )?no (?:soy|tengo) (?:alérgic[oa]|alergia) (?:a los|a las|a la|al|a) <things>",
            0.88,
            against=True,
        ),
        Pattern("speaks", r"(?:yo )?hablo (?=(?:\w+ )?<list:tongues>\b)<things>", 0.85),
        Pattern("native language", r"mi lengua materna es (?:el |la )?<word>", 0.92),
        Pattern("favourite", r"mi <other> (?:favorit[oa]|preferid[oa]) es <thing>", 0.92),
        Pattern("dislikes", r"no me gustan? (?:nada |mucho )?<thing>", 0.88),
        Pattern("dislikes", r"(?:odio|detesto|no soporto) <thing>", 0.86),
        Pattern("likes", r"me (?:gustan?|encantan?)(?: mucho)? <thing>", 0.84),
        Pattern("prefers", r"(?:yo )?prefiero <phrase>", 0.84),
        Pattern(
            "chosen technology",
            rf"(?:hemos decidido|decidimos) (?:usar|utilizar|pasar a|quedarnos con) {EL}<technology>",
            0.92,
        ),
        Pattern(
            "chosen technology",
            rf"(?:hemos elegido|elegimos|hemos optado por|optamos por) {EL}<technology>",
            0.9,
        ),
        Pattern("decision", r"(?:hemos decidido|decidimos|hemos acordado|acordamos) (?!que no)<phrase>", 0.88),
        Pattern("own decision", r"(?:he decidido|decidí) <phrase>", 0.86),
        Pattern("used technology", rf"(?:usamos|utilizamos|estamos usando) {EL}<technology>", 0.87),
        Pattern("deadline", r"(?:la fecha límite|el plazo|la fecha de entrega) es (?:el |hasta el )?<thing>", 0.9),
        Pattern("budget", r"(?:el|nuestro|mi) presupuesto es (?:de )?<thing>", 0.9),
        Pattern("constraint", r"(?=no podemos (?!saber|decir|entender)\w)<phrase>", 0.78),
        Pattern("goal", r"mi (?:objetivo|meta) es <phrase>", 0.88),
        Pattern("goal", r"(?:yo )?quiero (?=<list:goals>\b)<phrase>", 0.82),
        Pattern("project name", r"(?:el|nuestro) proyecto se llama <name>", 0.9),
        Pattern("name", r"soy (?-i:(?=\p{Lu}\p{Ll}))<name>(?=\s*(?:[.,!]|$)|\s(?:y|de)\b)", 0.78),
        Pattern("relative", r"un[ao]? <other:kin> (?:que se llama|llamad[oa]) <name>", 0.88, anywhere=True),
    ),
)  # fmt: skip
