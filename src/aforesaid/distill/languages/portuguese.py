"""Portuguese: patterns for claims and for episodes."""

from aforesaid.distill.grammar import ClaimGrammar, ClaimPattern, EpisodeGrammar

ARTICLE = r"(?:o |a |os |as )?"
EU = r"(?:eu )?(?:agora |atualmente |já )?"

PORTUGUESE = ClaimGrammar(
    code="pt",
    marks=frozenset(["eu", "o", "os", "as", "é", "em", "de", "que", "não", "um", "uma", "meu", "minha", "com", "por", "para", "sou", "estou", "temos", "tenho", "se", "na", "no", "do", "da"]),
    connectives="e|mas|porque|então|que|pois",
    fillers="olá|oi|ok|bom|então|aliás|na verdade|sim|ah|obrigad[oa]|desculpa|acho que|a propósito|agora|atualmente|no"
    " fim|finalmente|sinceramente",
    ends="e|mas|porque|desde|quando|enquanto|até|embora|que|onde|se|com|ou|também|muito|como|para|pois",
    articles="o|a|os|as|um|uma|meu|minha|nosso|nossa",
    joins="e|ou|um pouco de",
    doubt="se|talvez|quem sabe|provavelmente|poderíamos|poderia|deveria|deveríamos|seria|morasse|vivesse|gostaria"
    "|queria|imagina|imagine|suponha|digamos|disse|diz|dizia|contou|segundo|quase|antes|por exemplo|ninguém|alguém|no"
    " (?:livro|filme|texto)|tomara|oxalá|ainda não|(?:falso|não é verdade|mentira|mito|boato|(?<!não )(?<!não se"
    " )(?:esqueça|esquece)|descartou|descartaram|achas|acha|acham|pensas|pensa|pensam|achava|pensava|nega|nego) que"
    "|(?:não|nunca|ignora|ignore|apaga|apague)(?!(?: se| te)? esque| duvid)[^,;:.!?]{0,60} que $",
    frame=r"(?:escreve|escreva|redige|redija|conta|conte|inventa|invente|compõe|componha) (?:\S+ ){0,6}?(?:história"
    r"|conto|poema|canção|carta|piada|e-?mail|texto|diálogo|cena|mensagem)|traduz|traduza|traduzir|corrige|corrija"
    r"|reformula|imagina|imagine|supõe|suponha|finge|finja|aqui está (?:\S+ ){0,3}?(?:e-?mail|texto|carta|log|mensagem"
    r"|artigo)|o seguinte|a seguinte|(?:ele|ela) (?:disse|diz|escreveu)(?= ?[,:])",
    hedge="acho que|parece-me|me parece|mais ou menos|creio",
    question="o que|quem|onde|quando|por que|porquê|como|qual|quais|quanto|podes|pode|devemos|deveríamos",
    irony=r"estou brincando|estou a brincar|brincadeira|ironia|🙄|/s(?=\s|$)",
    vague="isso|isto|aquilo|o|a|obrigad[oa]|muito|tudo|nada|algo|que .*|este .*|esta .*|esse .*|essa .*|teu .*|seu .*"
    "|saber.*|como .*|quando .*|disso|disto|dele|dela",
    denial=r"(?-i:não|nenhuma?|nenhum|nunca)",
    lists={
        "again": "aos|às|ao|à|a",
        "alien": "eu|tu|você|ele|ela|nós|eles|me|meu|minha|teu|nosso|isso|isto|é|são|sou|está|estou|tenho|tem|há|não"
        "|nunca|fala|gosta|mora|vive|trabalha|come|obrigad[oa]|desculpa",
        "kin": "irmã|irmão|mãe|pai|filha|filho|primo|prima|tia|tio|cachorro|cachorra|cão|gato|gata|chefe|amigo|amiga"
        "|colega|sobrinha|sobrinho|avó|avô|sogra",
        "jobs": "médico|médica|enfermeiro|enfermeira|professora?|engenheiro|engenheira|desenvolvedora?|programadora?"
        "|advogado|advogada|estudante|cozinheiro|cozinheira|piloto|consultora?|contador|contabilista|pesquisadora?"
        "|investigadora?|arquiteto|arquiteta|jornalista|eletricista|mecânico|fotógrafo|fotógrafa|músico|tradutora?"
        "|veterinário|veterinária|dentista|farmacêutico|físico|garçom|psicólogo|psicóloga|aposentado|reformado"
        "|designer",
        "diets": "vegano|vegana|vegetariano|vegetariana|celíaco|celíaca",
        "tongues": "português|inglês|francês|alemão|espanhol|italiano|árabe|russo|chinês|japonês",
        "breaks": r"e (?:eu|nós|(?:o meu|a minha|meu|minha) (?:[\w\-]+ ){1,2}?(?:chama-se|se chama|é|tem))|porque|mas"
        r"|embora|pois|já que",
        "goals": "aprender|comprar|ser|correr|mudar|perder|parar|viajar|visitar|escrever um|criar|estudar|terminar"
        "|melhorar|abrir",
    },
    patterns=(
        ClaimPattern("name", r"(?:o )?meu nome é <name>", 0.94),
        ClaimPattern("name", r"(?:chamo-me|me chamo|eu me chamo) <name>", 0.94),
        ClaimPattern("home", rf"{EU}(?:já )?não (?:moro|vivo) (?:mais )?(?:em|no|na|nos) <place>", 0.85, denies=True),
        ClaimPattern("name", r"(?:eu )?não me chamo <name>", 0.9, denies=True),
        ClaimPattern("home", rf"{EU}(?:moro|vivo) (?:agora )?(?:em|no|na|nos) <place>", 0.92, begins=True),
        ClaimPattern("home", r"(?:mudei-me|me mudei|mudei|mudámos|nos mudamos) para (?:o |a )?<place>", 0.86, begins=True),
        ClaimPattern("origin", r"(?:eu )?(?:sou|venho) (?:de|do|da) <place>", 0.86),
        ClaimPattern("birthday", r"(?:o )?meu aniversário é (?:em |no dia )?<date>", 0.9),
        ClaimPattern("birthday", r"nasci (?:em|a|no dia) (?=\d)<date>", 0.9),
        ClaimPattern("age", r"tenho <number> anos", 0.93),
        ClaimPattern("employer", r"(?:eu )?trabalho (?:na|no|para a|para o|para) <place>", 0.86, begins=True),
        ClaimPattern("employer", r"(?:eu )?(?:já )?não trabalho (?:mais )?(?:na|no|para a|para o|para)"
            r" <place>", 0.85, denies=True),
        ClaimPattern("occupation", r"(?:eu )?(?:sou|trabalho como) (?:uma? )?<value:jobs>(?=\s*(?:[.,!]|$)|\s(?:e|em|na"
            r"|no|de|mas)\b)", 0.88),
        ClaimPattern("partner", r"(?:o |a )?(?:minha (?:esposa|mulher|namorada|companheira)|meu (?:marido|esposo"
            r"|namorado|companheiro)) (?:se chama|chama-se) <name>", 0.92, anywhere=True),
        ClaimPattern("relative", r"(?:meu|minha) <other:kin> (?:se chama|chama-se) <name>", 0.92, anywhere=True),
        ClaimPattern("relative", r"(?:meu|minha) <other:kin> (?-i:(?=\p{Lu}))<name>", 0.84, anywhere=True),
        ClaimPattern("children", r"(?:tenho|temos) (?P<value>um|dois|duas|três|quatro|cinco|\d) filh[oa]s?", 0.88),
        ClaimPattern("diet", r"(?:eu )?sou (?:uma? )?<value:diets>", 0.92),
        ClaimPattern("diet", r"(?:eu )?(?:já )?não sou (?:mais )?<value:diets>", 0.84, denies=True),
        ClaimPattern("no food", r"(?:eu )?não como (?=carne|porco|peixe|glúten|açúcar|ovos|laticínios)<thing>", 0.88),
        ClaimPattern("allergy", r"(?:eu )?(?:sou|tenho) (?:muito )?(?:alérgic[oa]|alergia) (?:aos|às|ao|à|a) <things>", 0.92),
        ClaimPattern("allergy", r"(?:eu )?(?:já )?não (?:sou|tenho) (?:mais )?(?:alérgic[oa]|alergia) (?:aos|às|ao|à|a)"
            r" <things>", 0.88, denies=True),
        ClaimPattern("speaks", r"(?:eu )?falo (?=(?:\w+ )?<list:tongues>\b)<things>", 0.85),
        ClaimPattern("native language", r"(?:a )?minha língua materna é (?:o |a )?<word>", 0.92),
        ClaimPattern("name", r"(?:eu )?sou (?:o |a )(?-i:(?=\p{Lu}\p{Ll}))<name>(?=\s*(?:[.,!]|$)|\s(?:e|de|da|do)\b)", 0.8),
    ),
)  # fmt: skip


TROUBLE = "problema|erro|bug|causa|falha|vazamento|avaria"

PORTUGUESE_EPISODES = EpisodeGrammar(
    code="pt",
    event_patterns={
        "decision_made": r"(?:(?:nós|eu|a gente) )?(?:decidimos|decidi|escolhemos|optamos por|concordamos em|acordamos"
        r"|combinamos)|vamos (?:ficar )?com|ficamos com|(?:a|nossa|minha) decisão (?:é|está tomada|foi tomada)|está"
        r" decidido",
        "problem_solved": r"(?:resolvemos|resolvi|corrigimos|corrigi|consertei|consertamos|arranjei) (?:o|a|isso|tudo"
        rf"|meu|nosso)|(?:{TROUBLE}) (?:já )?(?:está|foi) (?:resolvid[oa]|corrigid[oa])|(?:agora|finalmente|já) (?:tudo"
        r" )?funciona|funciona (?:de novo|agora|novamente)|voltou a funcionar|problema resolvido|era isso",
        "breakthrough": r"finalmente (?:entendi|entendemos|percebi|descobri)|agora (?:entendo|percebo) (?:por que|porque|como)",
        "issue_identified": rf"(?:o|a|nosso)(?: verdadeir[oa])? (?:{TROUBLE}) (?:é|era|está|estava|vem|vinha)(?!"
        r" (?:resolvid|corrigid))|(?:encontrei|encontramos|descobri|descobrimos|identificamos) (?:o|a|um|uma) (?:\w+"
        rf" )?(?:{TROUBLE})|(?:o servidor|o site|a produção) (?:está|caiu) ?(?:fora do ar|em baixo|offline)?",
        "task_completed": r"(?:terminei|terminamos|concluímos|concluí|entreguei|entregamos|lançamos|publicamos"
        r"|publiquei|enviei|assinei|assinamos) (?!de comer|o café|o jantar)(?:o|a|os|as|meu|minha|nosso|nossa)\b"
        r"|(?:está|estão) (?:agora |finalmente )?(?:no ar|em produção|concluíd[oa]s?|publicad[oa]s?|entregues?)",
        "pivot": r"mudança de (?:planos?|rumo)|(?:mudei|mudamos) de (?:ideia|planos?|opinião)|vamos recomeçar"
        r"|recomeçamos do zero|abandonamos|novo plano|vamos antes",
    },
    denied=r"não|nunca|quando|até|antes|se|quero|queremos|queria|espero|por que|como|o que|onde|quem|sem|você|ele|ela"
    r"|ainda",
    breaks="mas|e|então|porque|depois|porém",
    remember=r"(?:lembra-te(?: de)?|lembre-se(?: de)?|lembra|não esqueças|não esqueça|não te esqueças(?: de)?|não se"
    r" esqueça(?: de)?|tem em conta|tenha em mente|anota|anote)(?: ?:|,? (?:que|o meu|a minha|meu|minha|o nosso|a"
    r" nossa))",
    events=r"consulta|reunião|prazo|entrevista|voo|exame|dentista|médic[oa]|doutora?|cirurgia|casamento|aniversário"
    r"|apresentação|concerto|conferência|reserva|comboio|trem|visita|mudança|festa|audiência|entrega",
    past=r"tive|tinha|tivemos|foi|era|ontem|passad[oa]",
    believed=r"(?:pensei|pensava|pensávamos|achei|achava|achávamos|julguei|julgava) que",
    undone=r"ou (?:pelo menos )?(?:assim|era o que|isso|foi o que) (?:eu )?(?:pensava|pensei|achava|achei|pensávamos)"
    r"|mas,? (?:\w+ ){0,4}?(?:voltou|voltaram|ainda (?:está|não|falha|acontece)|continua (?:lá|igual|a falhar|falhando"
    r"|acontecendo|quebrad[oa]|avariad[oa])|está de volta|não funciona)",
    generic=rf"finalmente|ontem|hoje|agora|{TROUBLE}|solução|trabalho|tarefa",
    pronouns=r"isso|isto|algo|até agora",
)  # fmt: skip
