"""Spanish: patterns for claims and for episodes."""

from aforesaid.distill.grammar import ClaimGrammar, ClaimPattern, EpisodeGrammar

YO = r"(?:yo )?(?:ahora |actualmente |ya )?"
EL = r"(?:el |la |los |las )?"

SPANISH = ClaimGrammar(
    code="es",
    marks=frozenset(["yo", "el", "la", "los", "las", "es", "y", "en", "de", "que", "no", "un", "una", "mi", "me", "con", "por", "para", "soy", "estoy", "está", "hemos", "tengo", "se", "lo", "vivo"]),
    connectives="y|e|pero|porque|así que|que|aunque|pues",
    fillers="hola|ok|vale|bueno|pues|por cierto|en realidad|sí|ah|gracias|perdón|creo que|para que sepas|ahora"
    "|actualmente|al final|finalmente|sinceramente|la verdad|pero|y",
    ends="y|pero|porque|desde|cuando|mientras|hasta|aunque|que|donde|si|con|o|también|mucho|pues|para|como",
    articles="el|la|los|las|un|una|unos|unas|mi|mis|nuestro|nuestra",
    joins="y|e|o|un poco de|además de",
    doubt="si|ojalá|quizás?|tal vez|a lo mejor|probablemente|podríamos|podría|debería|deberíamos|sería|viviera|quisiera"
    "|gustaría|imagina|supongamos|digamos|dijo|dice|decía|contó|cuenta|según|casi|antes|por ejemplo|nadie|alguien|en el"
    " (?:libro|texto|cuento|ejemplo)|en la (?:película|historia|novela)|me pregunto|aún no|todavía no|(?:falso|no es"
    " (?:cierto|verdad)|mentira|mito|rumor|(?<!no )olvid[ae]|olvídate de|descartado|descartaron|crees|cree|creen|creía"
    "|piensas|piensan|niega|niego) que|(?:no|nunca|ignora|borra|elimina)(?!(?: te)? olvid| dud)[^,;:.!?]{0,60} que $",
    frame=r"(?:escribe|escríbeme|redacta|cuenta|cuéntame|inventa|compón) (?:\S+ ){0,6}?(?:cuento|historia|poema|canción"
    r"|carta|chiste|correo|e-?mail|texto|diálogo|escena|mensaje)|traduce|traducir|corrige|reformula|imagina|supón|finge"
    r"|haz como si|juego de rol|actúa como|aquí (?:está|tienes) (?:\S+ ){0,3}?(?:correo|texto|carta|log|mensaje"
    r"|artículo)|el siguiente|la siguiente|(?:él|ella) (?:dijo|dice|escribió)(?= ?[,:])",
    hedge="creo que|me parece|supongo|más o menos|quizá",
    question="qué|quién|dónde|cuándo|por qué|cómo|cuál|cuáles|cuánto|puedes|podrías|debemos|deberíamos",
    irony=r"es broma|bromeo|ironía|🙄|/s(?=\s|$)",
    vague="eso|esto|ello|lo|la|gracias|mucho|todo|nada|algo|que .*|este .*|esta .*|ese .*|esa .*|tu .*|cómo .*|como .*"
    "|cuando .*|saber.*",
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
        "breaks": r"y (?:yo|nosotros|mis? (?:[\w\-]+ ){1,2}?(?:se llaman?|es|está|son|tiene))|porque|pero|aunque|ya que"
        r"|pues",
        "goals": "aprender|comprar|ser|correr|mudarme|perder|dejar|viajar|visitar|escribir un|crear|estudiar|terminar"
        "|mejorar|abrir|ahorrar",
    },
    patterns=(
        ClaimPattern("name", r"me llamo <name>", 0.94),
        ClaimPattern("name", r"mi nombre es <name>", 0.94),
        ClaimPattern("name", r"(?:ya )?no me llamo <name>", 0.9, denies=True),
        ClaimPattern("home", r"(?:yo )?(?:ya )?no vivo (?:más )?en <place>", 0.85, denies=True),
        ClaimPattern("home", rf"{YO}vivo (?:ahora |actualmente )?en <place>", 0.92, begins=True),
        ClaimPattern("home", r"(?:me he mudado|me mudé|nos mudamos|nos hemos mudado) a <place>", 0.88, begins=True),
        ClaimPattern("origin", r"(?:yo )?soy de <place>", 0.88),
        ClaimPattern("birthday", r"mi cumpleaños es <date>", 0.9),
        ClaimPattern("birthday", r"nací (?:el|en) (?=\d)<date>", 0.9),
        ClaimPattern("age", r"tengo <number> años", 0.93),
        ClaimPattern("employer", r"(?:yo )?trabajo (?:en|para) (?:la |el )?<place>", 0.86, begins=True),
        ClaimPattern("employer", r"(?:yo )?(?:ya )?no trabajo (?:en|para) (?:la |el )?<place>", 0.85, denies=True),
        ClaimPattern("occupation", r"(?:yo )?(?:soy|trabajo como|trabajo de) (?:una? )?<value:jobs>(?=\s*(?:[.,!]|$)"
            r"|\s(?:y|en|de|desde|pero)\b)", 0.88),
        ClaimPattern("partner", r"mi (?:mujer|marido|esposa|esposo|novia|novio|pareja) se llama <name>", 0.92, anywhere=True),
        ClaimPattern("relative", r"mi <other:kin> se llama <name>", 0.92, anywhere=True),
        ClaimPattern("relative", r"mi <other:kin> (?-i:(?=\p{Lu}))<name>", 0.84, anywhere=True),
        ClaimPattern("children", r"(?:tengo|tenemos) (?P<value>un|dos|tres|cuatro|cinco|\d) hij[oa]s?", 0.88),
        ClaimPattern("diet", r"(?:yo )?soy (?:una? )?<value:diets>", 0.92),
        ClaimPattern("diet", r"(?:yo )?(?:ya )?no soy <value:diets>", 0.84, denies=True),
        ClaimPattern("no food", r"no como (?=carne|cerdo|pescado|gluten|azúcar|huevos|lácteos)<thing>", 0.88),
        ClaimPattern("allergy", r"(?:yo )?(?:soy|tengo) (?:muy )?(?:alérgic[oa]|alergia) (?:a los|a las|a la|al|a)"
            r" <things>", 0.92),
        ClaimPattern("allergy", r"(?:yo )?(?:ya )?no (?:soy|tengo) (?:alérgic[oa]|alergia) (?:a los|a las|a la|al|a)"
            r" <things>", 0.88, denies=True),
        ClaimPattern("speaks", r"(?:yo )?hablo (?=(?:\w+ )?<list:tongues>\b)<things>", 0.85),
        ClaimPattern("native language", r"mi lengua materna es (?:el |la )?<word>", 0.92),
        ClaimPattern("name", r"soy (?-i:(?=\p{Lu}\p{Ll}))<name>(?=\s*(?:[.,!]|$)|\s(?:y|de)\b)", 0.78),
        ClaimPattern("relative", r"un[ao]? <other:kin> (?:que se llama|llamad[oa]) <name>", 0.88, anywhere=True),
    ),
)  # fmt: skip


HEMOS = r"(?:(?:hemos|he)(?: (?:por fin|finalmente|ya|todos))?)"
TROUBLE = "problema|error|fallo|bug|causa|fuga|avería"

SPANISH_EPISODES = EpisodeGrammar(
    code="es",
    event_patterns={
        "decision_made": rf"{HEMOS} (?:decidido|elegido|acordado|optado por)|(?:nos|me) (?:hemos|he) decidido"
        r"|(?:decidimos|acordamos|elegimos|optamos por|decidí|elegí|nos decidimos)|nos quedamos con|vamos a ir con"
        r"|(?:la|nuestra|mi) decisión (?:es|está tomada)|está decidido",
        "problem_solved": rf"{HEMOS} (?:resuelto|arreglado|solucionado|corregido)|(?:arreglé|resolví|solucioné"
        rf"|arreglamos|resolvimos|solucionamos) (?:el|la|lo|mi|nuestro)|(?:{TROUBLE}) (?:ya )?(?:está|quedó|fue)"
        r" (?:resuelt[oa]|arreglad[oa]|solucionad[oa])|(?:ya|ahora|por fin) (?:ya )?funciona|funciona (?:de nuevo|otra"
        r" vez|ahora)|problema resuelto|era eso",
        "breakthrough": r"por fin (?:entiendo|entendí|comprendí)|ahora (?:entiendo|comprendo) (?:por qué|cómo)",
        "issue_identified": rf"(?:el|la|nuestro)(?: verdader[oa])? (?:{TROUBLE}) (?:es|era|está|estaba|viene|venía)(?!"
        rf" (?:resuelt|arreglad|solucionad))|(?:{HEMOS} encontrado|{HEMOS} descubierto|encontré|encontramos|descubrí"
        rf"|descubrimos|detectamos) (?:el|la|un|una) (?:\w+ )?(?:{TROUBLE})|(?:el servidor|el sitio|la web|producción)"
        r" (?:está|se ha) (?:caíd[oa]|caído)",
        "task_completed": rf"{HEMOS} (?:terminado|completado|entregado|publicado|lanzado|desplegado|enviado|firmado"
        r"|aprobado) (?!de comer|el café|la cena)\w+|(?:terminé|entregué|terminamos|entregamos|lanzamos|publicamos"
        r"|desplegamos|aprobé|envié) (?!de comer|mi café|la cena|de cenar)(?:el|la|los|las|mi|nuestro|nuestra)|(?:ya"
        r" )?está (?:en producción|terminad[oa]|publicad[oa]|entregad[oa])",
        "pivot": rf"cambio de (?:planes|plan|rumbo)|{HEMOS} cambiado de (?:idea|opinión|plan)|(?:cambié|cambiamos) de"
        r" (?:idea|opinión|plan)|empezamos de (?:cero|nuevo)|abandonamos|nuevo plan|mejor vamos a",
    },
    denied=r"no|nunca|cuando|hasta|antes|si|quiero|queremos|quisiera|ojalá|espero|por qué|cómo|qué|dónde|quién|sin|tú"
    r"|usted|él|ella|todavía|aún",
    breaks="pero|y|así que|porque|entonces|luego|sino",
    remember=r"(?:recuerda|recuerde|acuérdate de|no olvides|no te olvides de|no olvide|ten en cuenta|tenga en cuenta"
    r"|apunta|anota)(?: ?:|,? (?:que|mi|mis|nuestr\w+))",
    events=r"cita|reunión|reuniones|fecha límite|plazo|entrevista|vuelo|vuelo|examen|dentista|médic[oa]|doctora?"
    r"|operación|boda|cumpleaños|presentación|concierto|conferencia|reserva|tren|visita|mudanza|fiesta|juicio|entrega",
    past=r"tuve|tenía|tuvimos|fue|era|ayer|pasad[oa]",
    believed=r"(?:creí|creía|creíamos|pensé|pensaba|pensábamos) que",
    undone=r"o eso (?:creía|creí|creíamos|pensaba|pensé|pensábamos)|pero,? (?:\w+ ){0,4}?(?:siguen? (?:ahí|rot[oa]"
    r"|fallando|igual|sin|pasando|apareciendo)|volvió|ha vuelto|volvieron|(?:todavía|aún) (?:está|no|falla)|no"
    r" funciona)",
    generic=rf"finalmente|fin|ayer|hoy|ahora|{TROUBLE}|solución|trabajo|tarea|hemos|algo",
    pronouns=r"lo|eso|esto|algo|hasta ahora",
)  # fmt: skip
