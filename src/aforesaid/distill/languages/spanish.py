"""Spanish: patterns for claims and for episodes."""

from aforesaid.distill.grammar import ClaimGrammar, ClaimPattern, EpisodeGrammar
from aforesaid.distill.languages.named import named_patterns

YO = r"(?:yo )?(?:ahora |actualmente |ya |también |hoy en día )?"
AL = "(?:a los|a las|a la|al|a)"
CALLED = "(?:se llama|llamad[oa]|de nombre)"
STOP = r"(?=\s*(?:[.,!:;(]|$)|\s(?:y|en|desde|pero|para|con|que|tengo|vivo)\b)"

SPANISH = ClaimGrammar(
    code="es",
    marks=frozenset(["yo", "el", "la", "los", "las", "es", "y", "en", "de", "que", "no", "un", "una", "mi", "me", "con", "por", "para", "soy", "estoy", "está", "hemos", "tengo", "se", "lo", "vivo", "a", "llamo"]),
    connectives="y|e|pero|porque|así que|que|aunque|pues|como|ya que",
    fillers="hola|buenas|buenos días|buenas tardes|ok|vale|bueno|pues|por cierto|en realidad|sí|ah|gracias|perdón|creo que"
    "|para que sepas|ahora|actualmente|al final|finalmente|sinceramente|la verdad|pero|y|encantad[oa]|el año pasado|el mes"
    " pasado|hace (?:poco|un año|un mes)|en \\d{4}",
    ends="y|pero|porque|desde|cuando|mientras|hasta|aunque|que|donde|si|con|o|ni|también|mucho|pues|para|como|en|tengo|vivo",
    articles="el|la|los|las|un|una|unos|unas|mi|mis|nuestro|nuestra",
    joins="y|e|o|ni|un poco de|algo de|además de",
    doubt="si|ojalá|quizás?|tal vez|a lo mejor|probablemente|podríamos|podría|debería|deberíamos|sería|viviera|quisiera"
    "|gustaría|imagina|supongamos|digamos|dijo|dice|decía|contó|cuenta|según|casi|antes|hoy|por ejemplo|nadie|alguien|en el"
    " (?:libro|texto|cuento|ejemplo)|en la (?:película|historia|novela)|me pregunto|aún no|todavía no|(?:falso|no es"
    " (?:cierto|verdad)|mentira|mito|rumor|(?<!no )olvid[ae]|olvídate de|descartado|descartaron|crees|cree|creen|creía"
    "|piensas|piensan|niega|niego) que|(?:no|nunca|ignora|borra|elimina)(?!(?: te)? olvid| dud)[^,;:.!?]{0,60} que $",
    frame=r"(?:escribe|escríbeme|redacta|cuenta|cuéntame|inventa|compón) (?:\S+ ){0,6}?(?:cuento|historia|poema|canción|carta"
    r"|chiste|correo|e-?mail|texto|diálogo|escena|mensaje)|traduce|traducir|corrige|reformula|imagina|supón|finge|haz como si"
    r"|juego de rol|actúa como|aquí (?:está|tienes) (?:\S+ ){0,3}?(?:correo|texto|carta|log|mensaje|artículo)|el siguiente|la"
    r" siguiente|(?:él|ella) (?:dijo|dice|escribió)(?= ?[,:])",
    condition="si|ojalá|quizás?|tal vez|a lo mejor|supongamos|imagina|no creo",
    negation="no|nunca|jamás|tampoco|ningún|ninguna?|sin",
    plan=r"quiero|quisiera|querría|me gustaría|espero|planeo|voy a|vamos a|pienso|debería|podría|sueño|aprendo|intento",
    past="antes|solía|vivía|trabajaba|era|tenía|de niñ[oa]",
    hedge="creo que|me parece|supongo|más o menos|quizá",
    question="qué|quién|dónde|cuándo|por qué|cómo|cuál|cuáles|cuánto|puedes|puedo|podrías|me (?:ayudas|recomiendas|puedes)"
    "|debemos|deberíamos|hay|sabes|conoces",
    irony=r"es broma|bromeo|ironía|🙄|/s(?=\s|$)",
    vague="eso|esto|ello|lo|la|gracias|mucho|todo|nada|algo|que .*|est[aeo]s? .*|es[aeo]s? .*|tu .*|cómo .*|como .*|cuando .*"
    "|saber.*|mucha.*|l[ao]s que .*|tod[oa]s? .*|confianza",
    denial=r"(?-i:no|ni|ningún|ninguna?|nunca)",
    change="ahora|ya|ya no|actualmente|me mudé|mudado|nos mudamos|nuev[oa]|desde|empecé|empezado",
    lists={
        "again": "a los|a las|a la|al|a",
        "alien": "yo|tú|él|ella|nosotros|ellos|me|mi|mis|tu|nuestro|nuestra|eso|esto|es|son|soy|está|estoy|tengo|tiene|hay|no"
        "|nunca|habla|gusta|vive|vivo|trabaja|trabajo|come|como|gracias|perdón|busco|necesito|quiero",
        "kin": "hermanastra|hermanastro|hermana|hermano|madre|padre|mamá|papá|hija|hijo|primo|prima|tía|tío|jefe|jefa|amigo"
        "|amiga|sobrina|sobrino|abuela|abuelo|nieta|nieto|suegra|suegro|cuñada|cuñado|compañero|compañera|vecino|vecina|mejor"
        " amig[oa]|bebé",
        "partners": "mujer|marido|esposa|esposo|novia|novio|pareja|prometida|prometido",
        "pets": "perro|perra|perrito|perrita|gato|gata|gatito|gatita|conejo|caballo|yegua|hámster|hamster|loro|tortuga"
        "|mascota|cachorro|periquito",
        "things": "coche|carro|auto|barco|velero|bici|bicicleta|moto|furgoneta|camioneta|guitarra|empresa|tienda|restaurante"
        "|bar|banda|grupo|blog|podcast|canal|robot|proyecto",
        "jobs": r"(?:m[ée]dic[oa]|enfermer[oa]|profesora?|profe|maestr[oa]|ingenier[oa]|desarrolladora?|programadora?"
        r"|abogad[oa]|estudiante|cociner[oa]|chef|piloto|agricultora?|consultora?|contable|contadora?|investigadora?"
        r"|arquitect[oa]|periodista|electricista|mec[áa]nic[oa]|fot[óo]graf[oa]|m[úu]sic[oa]|traductora?|intérprete"
        r"|bibliotecari[oa]|veterinari[oa]|dentista|farmac[ée]utic[oa]|físic[oa]|químic[oa]|biólog[oa]|panader[oa]"
        r"|camarer[oa]|mesera?|psic[óo]log[oa]|jubilad[oa]|diseñadora?|inform[áa]tic[oa]|policía|bombero|albañil"
        r"|carpinter[oa]|peluquer[oa]|vendedora?|dependient[ae]|taxista|conductora?|camionero|administrativ[oa]|secretari[oa]"
        r"|gerente|directora?|analista|economista|escritora?|autónom[oa]|funcionari[oa]|educadora?(?: infantil)?|auxiliar"
        r"|fisioterapeuta|terapeuta|actriz|actor|artista|cantante|fontaner[oa]|plomero|azafata|cajer[oa]|pediatra|cirujan[oa]"
        r"|juez|jueza|notari[oa]|trabajadora? social|ama de casa)(?: de (?!un|la|el|los|las|mis?|su|vocación)\p{Ll}+|"
        r" (?:jubilad[oa]|autónom[oa]|freelance|web|civil|industrial|gráfic[oa]|técnic[oa]|informátic[oa]))?",
        "diets": "vegan[oa]|vegetarian[oa]|cel[íi]ac[oa]|pescetarian[oa]",
        "ages": "(?:treinta|cuarenta|cincuenta|sesenta|setenta|ochenta|noventa)(?: y (?:un|dos|tres|cuatro|cinco|seis|siete"
        "|ocho|nueve))?|veinti\\p{L}+|veinte|dieci\\p{L}+|trece|catorce|quince",
        "tongues": "español|castellano|inglés|ingles|francés|frances|alemán|aleman|italiano|portugués|portugues|catalán"
        "|gallego|euskera|árabe|ruso|chino|japonés|coreano|polaco|rumano|ucraniano|turco|griego|holandés|neerlandés|sueco"
        "|hebreo|hindi|quechua|guaraní",
        "sorts": "carne|carne roja|cerdo|pescado|mariscos?|gluten|azúcar|huevos?|lácteos|pollo",
    },
    patterns=(
        ClaimPattern("name", r"(?:yo )?me llamo <name>", 0.94),
        ClaimPattern("name", r"mi nombre (?:completo )?es <name>", 0.94),
        ClaimPattern("name", r"(?:ya )?no me llamo <name>", 0.9, denies=True),
        ClaimPattern("home", r"(?:yo )?(?:ya )?no (?:vivo|vivimos) (?:más )?en <place>", 0.85, denies=True),
        ClaimPattern("home", rf"{YO}(?:vivo|vivimos|resido|estoy viviendo) (?:ahora |actualmente )?(?:con (?:mis? )?\p{{Ll}}+"
            rf" )?en <place>", 0.92, begins=True),
        ClaimPattern("home", r"(?:me he mudado|me mudé|nos mudamos|nos hemos mudado|me acabo de mudar|nos acabamos de mudar"
            r"|acabamos de mudarnos|acabo de mudarme) (?:de [\p{L} ]{2,30}? )?a <place>", 0.88, begins=True),
        ClaimPattern("origin", r"(?:yo )?(?:soy|somos) (?:originari[oa] )?(?:de|del) (?!signo)<place>", 0.88),
        ClaimPattern("origin", r"(?:yo )?(?:vengo de|nací y (?:me )?crié en|nací y crecí en|nací en|crecí en|me crié en)"
            r" <place>", 0.86),
        ClaimPattern("birthday", r"mi (?:cumpleaños|cumple|fecha de nacimiento) es (?:el )?<date>", 0.9),
        ClaimPattern("birthday", r"(?:nací el|cumplo años el|cumplo (?:los )?\d+ el) <date>", 0.9),
        ClaimPattern("age", r"(?:yo )?(?:ya |ahora )?tengo (?:<number>|<value:ages>) años(?! de\b| trabajando| viviendo|"
            r" en\b)", 0.93),
        ClaimPattern("age", r"(?:acabo de cumplir|cumplí|he cumplido) (?:<number>|<value:ages>)(?: años)?", 0.9),
        ClaimPattern("occupation", rf"{YO}(?:soy|trabajo como|trabajo de|estoy trabajando de) (?:una?"
            rf" )?<value:jobs>{STOP}", 0.88),
        ClaimPattern("occupation", rf"{YO}trabajo como (?:una? )?(?!loc[oa]|burr[oa]|siempre|nunca|si\b|animal|negr[oa]"
            rf"|esclav[oa]|mul[ao]|much)(?P<value>\p{{Ll}}+(?: \p{{Ll}}+){{0,2}}?){STOP}", 0.85),
        ClaimPattern("employer", rf"{YO}(?:trabajo (?:en|para)|estoy trabajando (?:en|para)|soy emplead[oa] (?:de|en)) (?:la "
            rf"|el )?<company>", 0.86, begins=True),
        ClaimPattern("employer", r"llevo (?:[\p{L}\d]+ ){1,4}trabajando (?:en|para) (?:la |el )?<company>", 0.86),
        ClaimPattern("employer", r"(?:soy|trabajo (?:como|de)) (?:una? )?<list:jobs> (?:en|para) (?:la |el"
            r" )?<company>", 0.82, anywhere=True),
        ClaimPattern("employer", r"(?:yo )?(?:ya )?no trabajo (?:más )?(?:en|para) (?:la |el )?<company>", 0.85, denies=True),
        ClaimPattern("partner", r"(?:estoy casad[oa] con|estoy en pareja con) <name>", 0.9),
        *named_patterns(r"(?<!\bde )(?:mi|nuestr[oa])", "(?:(?:pequeñ[oa]|mayor|menor) )?se llama", "(?:(?:tengo|tenemos)"
            " )?una?", rf",? (?:que |y )?{CALLED} <name>"),
        ClaimPattern("children", r"(?:tengo|tenemos) (?P<value>dos|tres|cuatro|cinco|[2-9]) hij[oa]s", 0.88),
        ClaimPattern("diet", rf"{YO}soy (?:una? )?<value:diets>", 0.92),
        ClaimPattern("diet", rf"{YO}(?:sigo|llevo) una dieta <value:diets>", 0.9),
        ClaimPattern("diet", r"(?:yo )?(?:ya )?no soy <value:diets>", 0.84, denies=True),
        ClaimPattern("no food", r"(?:yo )?(?:no|nunca) como <value:sorts>", 0.88),
        ClaimPattern("allergy", rf"{YO}(?:soy|tengo) (?:muy |una )?(?:al[ée]rgic[oa]|alergia|intolerante|intolerancia) {AL}"
            rf" <things>", 0.92),
        ClaimPattern("allergy", rf"(?:yo )?(?:ya )?no (?:soy|tengo) (?:al[ée]rgic[oa]|alergia|intolerante) {AL}"
            rf" <things>", 0.88, denies=True),
        ClaimPattern("allergy", rf"mi alergia {AL} (?P<value>\p{{Ll}}+(?: de \p{{Ll}}+)?)", 0.88),
        ClaimPattern("allergy", r"(?:el|la|los|las) (?P<value>\p{Ll}+) me dan? alergia", 0.85),
        ClaimPattern("speaks", rf"{YO}(?:hablo|sé hablar)(?: bien| también| un poco de| algo de| con fluidez)?"
            rf" (?=(?:<list:tongues>)\b)(?:<value:tongues>(?= con | perfect| fluid| bien)|<things>)", 0.85),
        ClaimPattern("speaks", r"(?:yo )?no hablo (?=(?:nada de )?(?:<list:tongues>)\b)(?:nada de"
            r" )?<things>", 0.85, denies=True),
        ClaimPattern("native language", r"mi (?:lengua materna|idioma materno) es (?:el |la )?<word>", 0.92),
        ClaimPattern("name", r"(?:yo )?soy (?-i:(?=\p{Lu}\p{Ll}))(?!Le[oó]\b|Aries|Tauro|Géminis|Cáncer|Virgo|Libra|Escorpi"
            r"|Sagitario|Capricornio|Acuario|Piscis)<name>(?=\s*(?:[.,!]|$)|\s(?:y|de)\b)", 0.78),
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
