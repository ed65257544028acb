"""Chinese: a small set of high-precision claim patterns."""

from aforesaid.distill.grammar import ClaimGrammar, ClaimPattern

HAN = r"[\p{Han}]"
THING = r"(?:(?![不没])[\p{Han}、])"
NO_MORE = r"(?:现在|已经)?不(?:再)?"

CHINESE = ClaimGrammar(
    code="zh",
    joins="和|跟|与|以及",
    doubt="如果|要是|假如|假设|也许|可能|大概|应该|想象|说|希望|要不要|是否|据|好像|差点|以前|没有决定|还没",
    frame="写一|翻译|假装|扮演|编一|改写|润色|以下|想象",
    hedge="我觉得|我想",
    question="请问|什么|谁|哪|怎么|为什么",
    irony="开玩笑|🙄",
    vague=".*(?:这|那|你|它|什么|谁).*",
    spaced=False,
    patterns=(
        ClaimPattern("name", rf"我(?:的名字)?(?:叫做?|是叫)(?P<value>{HAN}{{2,4}})(?!{HAN})", 0.9),
        ClaimPattern("name", rf"我的名字(?:叫|是)(?P<value>{HAN}{{2,4}})(?!{HAN})", 0.92),
        ClaimPattern("home", rf"(?:我)?(?:现在)?(?:住在|居住在|定居在)(?P<value>{HAN}{{2,8}})(?!{HAN})", 0.88),
        ClaimPattern("home", rf"我{NO_MORE}(?:住在|居住在)(?P<value>{HAN}{{2,8}}?)了?(?!{HAN})", 0.85, denies=True),
        ClaimPattern("origin", rf"我来自(?P<value>{HAN}{{2,8}})(?!{HAN})", 0.88),
        ClaimPattern("age", r"我(?:今年)?(?P<value>\d{1,3}|[一二三四五六七八九十百]{1,4})岁", 0.92),
        ClaimPattern("employer", rf"我在(?P<value>{THING}{{2,8}}|[A-Za-z]{{2,20}})(?:工作|上班)", 0.85),
        ClaimPattern("employer", rf"我{NO_MORE}在(?P<value>{HAN}{{2,8}}|[A-Za-z]{{2,20}})(?:工作|上班)", 0.85, denies=True),
        ClaimPattern("allergy", rf"我对(?P<value>{THING}{{1,20}}?)(?:会|很|非常|严重)?过敏", 0.92),
        ClaimPattern("allergy", rf"我对(?P<value>{THING}{{1,20}}?)(?:已经|并)?(?:不再|不会|不|没有)过敏", 0.88, denies=True),
        ClaimPattern("diet", r"我(?:是|吃)(?P<value>素食者|素|纯素)", 0.86),
    ),
)  # fmt: skip
