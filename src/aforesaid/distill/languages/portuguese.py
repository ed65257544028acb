"""Portuguese: patterns for claims and for episodes."""

from aforesaid.distill.grammar import ClaimGrammar, ClaimPattern, EpisodeGrammar
from aforesaid.distill.languages.named import named_patterns

EU = r"(?:eu )?(?:agora |atualmente |já |também |hoje em dia )?"
EM = "(?:em|no|na|nos|nas)"
AO = "(?:aos|às|ao|à|a)"
CALLED = "(?:se chama|chama-se)"
STOP = r"(?=\s*(?:[.,!:;(]|$)|\s(?:e|em|na|no|num|numa|desde|mas|para|com|que|há|tenho|moro)\b)"

PORTUGUESE = ClaimGrammar(
    code="pt",
    marks=frozenset(["eu", "o", "os", "as", "é", "em", "de", "que", "não", "um", "uma", "meu", "minha", "com", "por", "para", "sou", "estou", "temos", "tenho", "se", "na", "no", "do", "da", "e", "vivo", "moro", "chamo", "me", "está", "a"]),
    connectives="e|mas|porque|então|que|pois|como|já que",
    fillers="olá|oi|oie|bom dia|boa tarde|boa noite|ok|bom|então|aliás|na verdade|sim|ah|obrigad[oa]|desculpa|acho que|a"
    " propósito|agora|atualmente|no fim|finalmente|sinceramente|prazer|no ano passado|ano passado",
    ends="e|mas|porque|desde|quando|enquanto|até|embora|que|onde|se|com|ou|nem|também|muito|como|para|pois|em|há|tenho|moro"
    "|fluentemente",
    articles="o|a|os|as|um|uma|meu|minha|nosso|nossa",
    joins="e|ou|nem|um pouco de",
    doubt="(?<!-)se(?! chama| mudou)|talvez|quem sabe|provavelmente|poderíamos|poderia|deveria|deveríamos|seria|morasse"
    "|vivesse|gostaria|gostava de|queria|imagina|imagine|suponha|digamos|disse|diz|dizia|contou|segundo|quase|antes|hoje|por"
    " exemplo|ninguém|alguém|no (?:livro|filme|texto)|tomara|oxalá|ainda não|(?:falso|não é verdade|mentira|mito|boato"
    "|(?<!não )(?<!não se )(?:esqueça|esquece)|descartou|descartaram|achas|acha|acham|pensas|pensa|pensam|achava|pensava|nega"
    "|nego) que|(?:não|nunca|ignora|ignore|apaga|apague)(?!(?: se| te)? esque| duvid)[^,;:.!?]{0,60} que $",
    frame=r"(?:escreve|escreva|redige|redija|conta|conte|inventa|invente|compõe|componha) (?:\S+ ){0,6}?(?:história|conto"
    r"|poema|canção|carta|piada|e-?mail|texto|diálogo|cena|mensagem)|traduz|traduza|traduzir|corrige|corrija|reformula"
    r"|imagina|imagine|supõe|suponha|finge|finja|aqui está (?:\S+ ){0,3}?(?:e-?mail|texto|carta|log|mensagem|artigo)|o"
    r" seguinte|a seguinte|(?:ele|ela) (?:disse|diz|escreveu)(?= ?[,:])",
    condition="se(?! (?:chama|chamam|mudou|formou|casou|dedica|sente))|talvez|quem sabe|suponha|imagina"
    "|imagine|oxalá|tomara|não acho",
    negation="não|nunca|jamais|nenhuma?|sem",
    plan=r"quero|queria|gostaria|espero|pretendo|vou|vamos|penso|deveria|poderia|sonho|aprendo|tento",
    past="antes|antigamente|morava|vivia|trabalhava|era|tinha|quando criança",
    hedge="acho que|parece-me|me parece|mais ou menos|creio",
    question="o que|quem|onde|quando|por que|porquê|como (?:é|posso|faço|se)|qual|quais|quanto|podes|pode|posso|consegues"
    "|você (?:pode|tem|sabe|conhece)|tem|há|devemos|deveríamos",
    irony=r"estou brincando|estou a brincar|brincadeira|ironia|🙄|/s(?=\s|$)",
    vague="isso|isto|aquilo|o|a|obrigad[oa]|muito|tudo|nada|algo|que .*|est[ae]s? .*|ess[ae]s? .*|teu .*|seu .*|saber.*|como"
    " .*|quando .*|disso|disto|dele|dela|muit[ao]s .*|tod[ao]s? .*",
    denial=r"(?-i:não|nem|nenhuma?|nenhum|nunca)",
    change="agora|já|já não|não mais|atualmente|mudei|mudou|mudámos|mudamos|nov[oa]|desde|comecei",
    lists={
        "again": "aos|às|ao|à|a",
        "alien": "eu|tu|você|ele|ela|nós|eles|me|meu|minha|teu|nosso|isso|isto|é|são|sou|está|estou|tenho|tem|há|não|nunca"
        "|fala|falo|gosta|gosto|mora|moro|vive|vivo|trabalha|trabalho|come|como|obrigad[oa]|desculpa|preciso|quero",
        "kin": "irmã|irmão|mãe|pai|mamãe|papai|filha|filho|primo|prima|tia|tio|chefe|amig[oa]|colega|sobrinha|sobrinho|avó"
        "|avô|vó|vô|neta|neto|sogra|sogro|cunhada|cunhado|madrasta|padrasto|vizinh[oa]|melhor amig[oa]|bebê|bebé",
        "partners": "esposa|mulher|namorada|companheira|noiva|parceira|marido|esposo|namorado|companheiro|noivo|parceiro",
        "pets": "cachorro|cachorra|cachorrinho|cachorrinha|cão|cadela|gato|gata|gatinho|gatinha|coelho|cavalo|égua|hamster"
        "|papagaio|periquito|tartaruga",
        "things": "carro|barco|veleiro|bicicleta|bici|bike|mota|moto|guitarra|violão|empresa|loja|restaurante|café|banda|blog"
        "|podcast|canal|robô|projeto|caminhão",
        "jobs": r"(?:m[ée]dic[oa]|enfermeir[oa]|professora?|engenheir[oa]|desenvolvedora?|programadora?|advogad[oa]|estudante"
        r"|cozinheir[oa]|chef|piloto|agricultora?|consultora?|contadora?|contabilista|pesquisadora?|investigadora?"
        r"|arquitet[oa]|jornalista|eletricista|mecânic[oa]|fotógraf[oa]|músic[oa]|tradutora?|intérprete|bibliotecári[oa]"
        r"|veterinári[oa]|dentista|farmacêutic[oa]|físic[oa]|químic[oa]|biólog[oa]|garçom|garçonete|empregad[oa] de mesa"
        r"|psicólog[oa]|aposentad[oa]|reformad[oa]|designer|informátic[oa]|polícia|policial|bombeir[oa]|pedreir[oa]"
        r"|carpinteir[oa]|cabeleireir[oa]|vendedora?|motorista|secretári[oa]|gerente|diretora?|analista|economista|escritora?"
        r"|autónom[oa]|autônom[oa]|funcionári[oa] públic[oa]|fisioterapeuta|terapeuta|atriz|ator|artista|educadora?|cantora?"
        r"|padeir[oa]|pediatra|cirurgiã[o]?|juiz|juíza|assistente social|dona de casa|técnic[oa])(?: de (?!um|uma|o|a|meu"
        r"|minha|seu|confiança)\p{Ll}+| (?:aposentad[oa]|freelancer?|web|civil|industrial|gráfic[oa]|informátic[oa]))?",
        "diets": "vegan[oa]|vegetarian[oa]|cel[íi]ac[oa]|pescetarian[oa]",
        "ages": "(?:trinta|quarenta|cinquenta|sessenta|setenta|oitenta|noventa|vinte)(?: e (?:um|dois|três|quatro|cinco|seis"
        "|sete|oito|nove))?|deza?s?s\\p{L}+|dez[eo]\\p{L}+|treze|catorze|quatorze|quinze",
        "tongues": "português|portugues|inglês|ingles|francês|alemão|espanhol|italiano|árabe|russo|chinês|mandarim|japonês"
        "|coreano|polaco|polonês|romeno|ucraniano|turco|grego|holandês|neerlandês|sueco|hebraico|catalão|galego|crioulo"
        "|guarani",
        "sorts": "carne|carne vermelha|carne de porco|porco|peixe|mariscos?|frutos do mar|glúten|açúcar|ovos?|laticínios"
        "|frango",
    },
    patterns=(
        ClaimPattern("name", r"(?:o )?meu nome (?:completo )?é <name>", 0.94),
        ClaimPattern("name", r"(?:eu )?(?:chamo-me|me chamo) <name>", 0.94),
        ClaimPattern("name", r"(?:eu )?não me chamo <name>", 0.9, denies=True),
        ClaimPattern("home", rf"{EU}(?:já )?não (?:moro|vivo) (?:mais )?{EM} <place>", 0.85, denies=True),
        ClaimPattern("home", rf"{EU}(?:moro|vivo|moramos|vivemos|resido|estou (?:morando|vivendo|a morar|a viver)|(?:a gente"
            rf" )?mora) (?:agora )?(?:com (?:[oa]s? )?(?:(?:meus?|minhas?) )?\p{{Ll}}+ )?{EM} <place>", 0.92, begins=True),
        ClaimPattern("home", r"(?:eu |nós |a gente )?(?:mudei-me|me mudei|mudei|mudámo-nos|mudámos|mudamos|nos mudamos"
            r"|acabamos de nos mudar|acabei de me mudar|se mudou) (?:d[eoa] [\p{L} ]{2,30}? )?para (?:o |a"
            r" )?<place>", 0.86, begins=True),
        ClaimPattern("origin", r"(?:eu )?(?:sou|venho|vim|somos|sou natural) d[eoa] <place>", 0.86),
        ClaimPattern("origin", rf"(?:eu )?(?:nasci|cresci|nasci e cresci|fui criad[oa]) {EM} <place>", 0.86),
        ClaimPattern("birthday", r"(?:o )?meu aniversário é (?:em |no dia |dia |a )?<date>", 0.9),
        ClaimPattern("birthday", r"(?:a )?minha data de nascimento é <date>", 0.9),
        ClaimPattern("birthday", r"(?:eu )?(?:nasci|faço anos|faço aniversário) (?:em|a|no dia|dia) <date>", 0.9),
        ClaimPattern("age", r"(?:eu )?(?:já |agora )?tenho (?:<number>|<value:ages>) anos(?! d[eo]\b| a\b| em\b)", 0.93),
        ClaimPattern("age", r"(?:acabei de fazer|acabei de completar|fiz|completei) (?:<number>|<value:ages>) anos(?!"
            r" d[eo]\b)", 0.9),
        ClaimPattern("occupation", rf"{EU}(?:sou|trabalho como|trabalho de|estou trabalhando como) (?:uma?"
            rf" )?<value:jobs>{STOP}", 0.88),
        ClaimPattern("occupation", rf"{EU}trabalho como (?:uma? )?(?!louc[oa]|burr[oa]|sempre|nunca|se\b|escrav[oa]|mul[ao]"
            rf"|um\b)(?P<value>\p{{Ll}}+(?: \p{{Ll}}+){{0,2}}?){STOP}", 0.85),
        ClaimPattern("employer", rf"{EU}(?:trabalho|estou (?:a trabalhar|trabalhando)|sou (?:funcionári[oa]|empregad[oa]))"
            rf" (?:na|no|da|do|em|para a|para o|para) <company>", 0.86, begins=True),
        ClaimPattern("employer", r"(?:sou|trabalho como) (?:uma? )?<list:jobs> (?:na|no|em|para a|para o)"
            r" <company>", 0.82, anywhere=True),
        ClaimPattern("employer", r"(?:eu )?(?:já )?não trabalho (?:mais )?(?:na|no|em|para a|para o|para)"
            r" <company>", 0.85, denies=True),
        ClaimPattern("partner", r"(?:sou|estou) casad[oa] com (?:o |a )?<name>", 0.9),
        ClaimPattern("partner", r"o nome d[ao] (?:meu|minha) <list:partners> é <name>", 0.9, anywhere=True),
        *named_patterns(r"(?<!\bd[aeo] )(?:meu|minha|nosso|nossa)", rf"(?:(?:mais nov[oa]|mais velh[oa]|caçula)"
            rf" )?{CALLED}", "(?:(?:tenho|temos) )?uma?", rf",? (?:(?:que |ela |ele |e )?{CALLED}|chamad[oa]) <name>"),
        ClaimPattern("children", r"(?:tenho|temos) (?P<value>dois|duas|três|quatro|cinco|[2-9]) filh[oa]s", 0.88),
        ClaimPattern("diet", rf"{EU}sou (?:uma? )?<value:diets>", 0.92),
        ClaimPattern("diet", rf"{EU}(?:sigo|faço) uma dieta <value:diets>", 0.9),
        ClaimPattern("diet", r"(?:eu )?(?:já )?não sou (?:mais )?<value:diets>", 0.84, denies=True),
        ClaimPattern("no food", r"(?:eu )?(?:não|nunca) como <value:sorts>", 0.88),
        ClaimPattern("allergy", rf"{EU}(?:sou|tenho) (?:muito |uma )?(?:al[ée]rgic[oa]|alergia|intolerante|intolerância) {AO}"
            rf" <things>", 0.92),
        ClaimPattern("allergy", rf"(?:eu )?(?:já )?não (?:sou|tenho) (?:mais )?(?:al[ée]rgic[oa]|alergia|intolerante) {AO}"
            rf" <things>", 0.88, denies=True),
        ClaimPattern("allergy", rf"(?:a )?minha alergia {AO} (?P<value>\p{{Ll}}+)", 0.88),
        ClaimPattern("speaks", rf"{EU}(?:falo|sei falar)(?: também| um pouco de| bem)?"
            rf" (?=(?:<list:tongues>)\b)<things>", 0.85),
        ClaimPattern("speaks", r"(?:eu )?não falo (?=(?:<list:tongues>)\b)<things>", 0.85, denies=True),
        ClaimPattern("native language", r"(?:a )?minha língua materna é (?:o |a )?<word>", 0.92),
        ClaimPattern("name", r"(?:eu )?sou (?:o |a )?(?-i:(?=\p{Lu}\p{Ll}))(?!Leão|Áries|Touro|Gémeos|Gêmeos|Câncer|Virgem"
            r"|Libra|Escorpião|Sagitário|Capricórnio|Aquário|Peixes)<name>(?=\s*(?:[.,!]|$)|\s(?:e|de|da|do)\b)", 0.8),
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
