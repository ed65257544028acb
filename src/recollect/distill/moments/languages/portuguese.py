"""Portuguese."""

from __future__ import annotations

from recollect.distill.moments.ways import Ways, stems

TROUBLE = "problema|erro|bug|causa|falha|vazamento|avaria"

PORTUGUESE = Ways(
    code="pt",
    says={
        "decision_made": r"(?:(?:nós|eu|a gente) )?(?:decidimos|decidi|escolhemos|optamos por|concordamos em"
        r"|acordamos|combinamos)|vamos (?:ficar )?com|ficamos com|(?:a|nossa|minha) decisão (?:é|está tomada|foi"
        r" tomada)|está decidido",
        "problem_solved": r"(?:resolvemos|resolvi|corrigimos|corrigi|consertei|consertamos|arranjei) (?:o|a|isso"
        r"|tudo|meu|nosso)"
        rf"|(?:{TROUBLE}) (?:já )?(?:está|foi) (?:resolvid[oa]|corrigid[oa])|(?:agora|finalmente|já) (?:tudo"
        rf" )?funciona|funciona (?:de novo|agora|novamente)|voltou a funcionar|problema resolvido|era isso",
        "breakthrough": r"(?:um|grande|verdadeiro) avanço|eureka|finalmente (?:entendi|entendemos|percebi|descobri"
        r"|descobrimos|conseguimos|consegui)|agora (?:entendo|percebo|entendi) (?:por que|porque|como)|\d+ vezes"
        r" mais rápid[oa]",
        "issue_identified": rf"(?:o|a|nosso)(?: verdadeir[oa])? (?:{TROUBLE}) (?:é|era|está|estava|vem|vinha)(?!"
        rf" (?:resolvid|corrigid))"
        rf"|(?:encontrei|encontramos|descobri|descobrimos|identificamos) (?:o|a|um|uma) (?:\w+ )?(?:{TROUBLE})"
        rf"|(?:o servidor|o site|a produção) (?:está|caiu) ?(?:fora do ar|em baixo|offline)?",
        "task_completed": r"(?:terminei|terminamos|concluímos|concluí|entreguei|entregamos|lançamos|publicamos"
        r"|publiquei|enviei|assinei|assinamos) (?!de comer|o café|o jantar)(?:o|a|os|as|meu|minha|nosso|nossa)\b"
        r"|(?:está|estão) (?:agora |finalmente )?(?:no ar|em produção|concluíd[oa]s?|publicad[oa]s?|entregues?)",
        "pivot": r"mudança de (?:planos?|rumo)|(?:mudei|mudamos) de (?:ideia|planos?|opinião)|vamos recomeçar"
        r"|recomeçamos do zero|abandonamos|novo plano|vamos antes",
    },
    denied=r"não|nunca|quando|até|antes|se|quero|queremos|queria|espero|por que|como|o que|onde|quem|sem|você|ele"
    r"|ela|ainda",
    breaks="mas|e|então|porque|depois|porém",
    strong=r"finalmente|enorme|grande|crític[oa]|urgente|oficialmente|depois de (?:semanas|meses|dias|horas|anos)"
    r"|definitivamente",
    remember=r"(?:lembra-te(?: de)?|lembre-se(?: de)?|lembra|não esqueças|não esqueça|não te esqueças(?: de)?|não"
    r" se esqueça(?: de)?|tem em conta|tenha em mente|anota|anote)(?: ?:|,? (?:que|o meu|a minha|meu|minha|o nosso"
    r"|a nossa))",
    events=r"consulta|reunião|prazo|entrevista|voo|exame|dentista|médic[oa]|doutora?|cirurgia|casamento"
    r"|aniversário|apresentação|concerto|conferência|reserva|comboio|trem|visita|mudança|festa|audiência|entrega",
    past=r"tive|tinha|tivemos|foi|era|ontem|passad[oa]",
    glad=stems("bem ótim feliz content obrigad sucesso perfeit excelente consegui orgulhos melhor alívi adoro"),
    sad=stems("mal triste zangad problema erro quebr falha infelizmente perd medo preocup difícil pior frustr"
    " decepcion atras"),
    believed=r"(?:pensei|pensava|pensávamos|achei|achava|achávamos|julguei|julgava) que",
    undone=r"ou (?:pelo menos )?(?:assim|era o que|isso|foi o que) (?:eu )?(?:pensava|pensei|achava|achei|pensávamos)"
    r"|mas,? (?:\w+ ){0,4}?(?:voltou|voltaram|ainda (?:está|não|falha|acontece)|continua (?:lá|igual|a falhar"
    r"|falhando|acontecendo|quebrad[oa]|avariad[oa])|está de volta|não funciona)",
)  # fmt: skip
