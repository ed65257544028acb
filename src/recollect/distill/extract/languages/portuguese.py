"""Portuguese."""

from __future__ import annotations

from recollect.distill.extract.language import Language, Pattern, words

O = r"(?:o |a |os |as )?"  # noqa: E741
EU = r"(?:eu )?(?:agora |atualmente |já )?"

PORTUGUESE = Language(
    code="pt",
    marks=words("eu o os as é em de que não um uma meu minha com por para sou estou temos tenho se na no do da"),
    connectives="e|mas|porque|então|que|pois",
    fillers="olá|oi|ok|bom|então|aliás|na verdade|sim|ah|obrigad[oa]|desculpa|acho que|a propósito|agora"
    "|atualmente|no fim|finalmente|sinceramente",
    ends="e|mas|porque|desde|quando|enquanto|até|embora|que|onde|se|com|ou|também|muito|como|para|pois",
    articles="o|a|os|as|um|uma|meu|minha|nosso|nossa",
    joins="e|ou|um pouco de",
    doubt="se|talvez|quem sabe|provavelmente|poderíamos|poderia|deveria|deveríamos|seria|morasse|vivesse|gostaria"
    "|queria|imagina|imagine|suponha|digamos|disse|diz|dizia|contou|segundo|quase|antes|por exemplo|ninguém|alguém"
    "|no (?:livro|filme|texto)|tomara|oxalá|ainda não"
    "|(?:falso|não é verdade|mentira|mito|boato|(?<!não )(?<!não se )(?:esqueça|esquece)|descartou|descartaram"
    "|achas|acha|acham|pensas|pensa|pensam|achava|pensava|nega|nego) que"
    "|(?:não|nunca|ignora|ignore|apaga|apague)(?!(?: se| te)? esque| duvid)[^,;:.!?]{0,60} que $",
    frame=r"(?:escreve|escreva|redige|redija|conta|conte|inventa|invente|compõe"
    r"|componha) (?:\S+ ){0,6}?(?:história|conto"
    r"|poema|canção|carta|piada|e-?mail|texto|diálogo|cena|mensagem)|traduz|traduza|traduzir|corrige|corrija"
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
        "breaks": r"e (?:eu|nós|(?:o meu|a minha|meu|minha) (?:[\w\-]+ ){1,2}?(?:chama-se|se chama|é|tem))"
        "|porque|mas|embora|pois|já que",
        "goals": "aprender|comprar|ser|correr|mudar|perder|parar|viajar|visitar|escrever um|criar|estudar|terminar"
        "|melhorar|abrir",
    },
    patterns=(
        Pattern("name", r"(?:o )?meu nome é <name>", 0.94),
        Pattern("name", r"(?:chamo-me|me chamo|eu me chamo) <name>", 0.94),
        Pattern("home", rf"{EU}(?:já )?não (?:moro|vivo) (?:mais )?(?:em|no|na|nos) <place>", 0.85, against=True),
        Pattern("name", r"(?:eu )?não me chamo <name>", 0.9, against=True),
        Pattern("home", rf"{EU}(?:moro|vivo) (?:agora )?(?:em|no|na|nos) <place>", 0.92, begins=True),
        Pattern("home", r"(?:mudei-me|me mudei|mudei|mudámos|nos mudamos) para (?:o |a )?<place>", 0.86, begins=True),
        Pattern("origin", r"(?:eu )?(?:sou|venho) (?:de|do|da) <place>", 0.86),
        Pattern("birthday", r"(?:o )?meu aniversário é (?:em |no dia )?<thing>", 0.9),
        Pattern("birthday", r"nasci (?:em|a|no dia) (?=\d)<thing>", 0.9),
        Pattern("age", r"tenho <number> anos", 0.93),
        Pattern("employer", r"(?:eu )?trabalho (?:na|no|para a|para o|para) <place>", 0.86, begins=True),
        Pattern(
            "employer",
            r"(?:eu )?(?:já )?não trabalho (?:mais )?(?:na|no|para a|para o|para) <place>",
            0.85,
            against=True,
        ),
        Pattern(
            "occupation",
            r"(?:eu )?(?:sou|trabalho como) (?:uma? )?<value:jobs>(?=\s*(?:[.,!]|$)|\s(?:e|em|na|no|de|mas)\b)",
            0.88,
        ),
        Pattern(
            "partner",
            r"(?:o |a )?(?:minha (?:esposa|mulher|namorada|companheira)|meu (?:marido|esposo|namorado"
            r"|companheiro)) (?:se chama|chama-se) <name>",
            0.92,
            anywhere=True,
        ),
        Pattern("relative", r"(?:meu|minha) <other:kin> (?:se chama|chama-se) <name>", 0.92, anywhere=True),
        Pattern("relative", r"(?:meu|minha) <other:kin> (?-i:(?=\p{Lu}))<name>", 0.84, anywhere=True),
        Pattern("children", r"(?:tenho|temos) (?P<value>um|dois|duas|três|quatro|cinco|\d) filh[oa]s?", 0.88),
        Pattern("diet", r"(?:eu )?sou (?:uma? )?<value:diets>", 0.92),
        Pattern("diet", r"(?:eu )?(?:já )?não sou (?:mais )?<value:diets>", 0.84, against=True),
        Pattern("no food", r"(?:eu )?não como (?=carne|porco|peixe|glúten|açúcar|ovos|laticínios)<thing>", 0.88),
        Pattern(
            "allergy",
            r"(?:eu )?(?:sou|tenho) (?:muito )?(?:alérgic[oa]|alergia) (?:aos|às|ao|à|a) <things>",
            0.92,
        ),
        Pattern(
            "allergy",
            r"(?:eu )?(?:já )?não (?:sou|tenho) (?:mais )?(?:alérgic[oa]|alergia) (?:aos|às|ao|à|a) <things>",
            0.88,
            against=True,
        ),
        Pattern("speaks", r"(?:eu )?falo (?=(?:\w+ )?<list:tongues>\b)<things>", 0.85),
        Pattern("native language", r"(?:a )?minha língua materna é (?:o |a )?<word>", 0.92),
        Pattern("favourite", r"(?:o |a )?(?:meu|minha) <other> (?:favorit[oa]|preferid[oa]) é <thing>", 0.92),
        Pattern("dislikes", r"(?:eu )?não gosto (?:nada |muito )?(?:de |do |da |dos |das )<thing>", 0.88),
        Pattern("dislikes", r"(?:eu )?(?:odeio|detesto|não suporto) <thing>", 0.86),
        Pattern("likes", r"(?:eu )?gosto (?:muito )?(?:de |do |da |dos |das )<thing>", 0.84),
        Pattern("likes", r"(?:eu )?(?:adoro|amo) <thing>", 0.84),
        Pattern("prefers", r"(?:eu )?prefiro <phrase>", 0.84),
        Pattern(
            "chosen technology",
            rf"(?:decidimos|resolvemos) (?:usar|utilizar|migrar para|ficar com) {O}<technology>",
            0.92,
        ),
        Pattern("chosen technology", rf"(?:escolhemos|optamos por|optamos pelo) {O}<technology>", 0.9),
        Pattern("decision", r"(?:nós )?(?:decidimos|resolvemos) <phrase>", 0.88),
        Pattern("own decision", r"(?:eu )?decidi <phrase>", 0.86),
        Pattern(
            "used technology",
            rf"(?:nós )?(?:usamos|utilizamos|estamos usando|estamos a usar) {O}<technology>",
            0.87,
        ),
        Pattern("deadline", r"(?:o prazo|a data limite|o prazo final) é (?:até |o dia )?<thing>", 0.9),
        Pattern("budget", r"(?:o )?(?:nosso |meu )?orçamento é (?:de )?<thing>", 0.9),
        Pattern("constraint", r"(?=não podemos (?!saber|dizer|entender)\w)<phrase>", 0.78),
        Pattern("goal", r"(?:o )?meu objetivo é <phrase>", 0.88),
        Pattern("goal", r"(?:eu )?quero (?=<list:goals>\b)<phrase>", 0.82),
        Pattern("project name", r"(?:o )?(?:nosso )?projeto (?:se chama|chama-se) <name>", 0.9),
        Pattern("name", r"(?:eu )?sou (?:o |a )(?-i:(?=\p{Lu}\p{Ll}))<name>(?=\s*(?:[.,!]|$)|\s(?:e|de|da|do)\b)", 0.8),
    ),
)  # fmt: skip
