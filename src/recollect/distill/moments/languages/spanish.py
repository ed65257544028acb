"""Spanish."""

from __future__ import annotations

from recollect.distill.moments.ways import Ways, stems

HEMOS = r"(?:(?:hemos|he)(?: (?:por fin|finalmente|ya|todos))?)"
TROUBLE = "problema|error|fallo|bug|causa|fuga|avería"

SPANISH = Ways(
    code="es",
    says={
        "decision_made": rf"{HEMOS} (?:decidido|elegido|acordado|optado por)|(?:nos|me) (?:hemos|he) decidido"
        rf"|(?:decidimos|acordamos|elegimos|optamos por|decidí|elegí|nos decidimos)|nos quedamos con|vamos a ir"
        rf" con|(?:la|nuestra|mi) decisión (?:es|está tomada)|está decidido",
        "problem_solved": rf"{HEMOS} (?:resuelto|arreglado|solucionado|corregido)|(?:arreglé|resolví|solucioné"
        rf"|arreglamos|resolvimos|solucionamos) (?:el|la|lo|mi|nuestro)"
        rf"|(?:{TROUBLE}) (?:ya )?(?:está|quedó|fue) (?:resuelt[oa]|arreglad[oa]|solucionad[oa])|(?:ya|ahora|por"
        rf" fin) (?:ya )?funciona|funciona (?:de nuevo|otra vez|ahora)|problema resuelto|era eso",
        "breakthrough": r"(?:un|gran|verdadero) avance|eureka|por fin (?:entiendo|entendí|lo entiendo|comprendí|lo"
        r" logré|lo conseguí|lo logramos|lo conseguimos)|ahora (?:entiendo|comprendo) (?:por qué|cómo)|\d+ veces"
        r" más rápid[oa]",
        "issue_identified": rf"(?:el|la|nuestro)(?: verdader[oa])? (?:{TROUBLE}) (?:es|era|está|estaba|viene"
        rf"|venía)(?! (?:resuelt|arreglad|solucionad))"
        rf"|(?:{HEMOS} encontrado|{HEMOS} descubierto|encontré|encontramos|descubrí|descubrimos|detectamos) (?:el"
        rf"|la|un|una) (?:\w+ )?(?:{TROUBLE})|(?:el servidor|el sitio|la web|producción) (?:está|se ha)"
        rf" (?:caíd[oa]|caído)",
        "task_completed": rf"{HEMOS} (?:terminado|completado|entregado|publicado|lanzado|desplegado|enviado"
        rf"|firmado|aprobado) (?!de comer|el café|la cena)\w+"
        r"|(?:terminé|entregué|terminamos|entregamos|lanzamos|publicamos|desplegamos|aprobé|envié) (?!de comer|mi"
        r" café|la cena|de cenar)(?:el|la|los|las|mi|nuestro|nuestra)|(?:ya )?está (?:en producción|terminad[oa]"
        r"|publicad[oa]|entregad[oa])",
        "pivot": rf"cambio de (?:planes|plan|rumbo)|{HEMOS} cambiado de (?:idea|opinión|plan)|(?:cambié|cambiamos)"
        rf" de (?:idea|opinión|plan)|empezamos de (?:cero|nuevo)|abandonamos|nuevo plan|mejor vamos a",
    },
    denied=r"no|nunca|cuando|hasta|antes|si|quiero|queremos|quisiera|ojalá|espero|por qué|cómo|qué|dónde|quién|sin"
    r"|tú|usted|él|ella|todavía|aún",
    breaks="pero|y|así que|porque|entonces|luego|sino",
    strong=r"por fin|finalmente|enorme|gran\w*|crític[oa]|urgente|oficialmente|después de (?:semanas|meses|días"
    r"|horas|años)|definitivamente",
    remember=r"(?:recuerda|recuerde|acuérdate de|no olvides|no te olvides de|no olvide|ten en cuenta|tenga en"
    r" cuenta|apunta|anota)(?: ?:|,? (?:que|mi|mis|nuestr\w+))",
    events=r"cita|reunión|reuniones|fecha límite|plazo|entrevista|vuelo|vuelo|examen|dentista|médic[oa]|doctora?"
    r"|operación|boda|cumpleaños|presentación|concierto|conferencia|reserva|tren|visita|mudanza|fiesta|juicio"
    r"|entrega",
    past=r"tuve|tenía|tuvimos|fue|era|ayer|pasad[oa]",
    glad=stems("bien genial feliz content gracias éxito perfecto excelente logr orgullos encanta mejor alivi"
    " fantástic"),
    sad=stems("mal triste enfad problema error rot fallo desgraci perdid miedo preocup difícil peor frustr"
    " decepcion retras siento"),
    believed=r"(?:creí|creía|creíamos|pensé|pensaba|pensábamos) que",
    undone=r"o eso (?:creía|creí|creíamos|pensaba|pensé|pensábamos)|pero,? (?:\w+ ){0,4}?(?:siguen? (?:ahí|rot[oa]"
    r"|fallando|igual|sin|pasando|apareciendo)|volvió|ha vuelto|volvieron|(?:todavía|aún) (?:está|no|falla)|no"
    r" funciona)",
)  # fmt: skip
