"""The words by which a sentence says a claim: those of a slot and of persons, and English words of a claim."""

from __future__ import annotations

from collections.abc import Mapping

# What a slot is about: words of a claim, and further words that prove it. A word matches by its beginning.
SLOTS: Mapping[str, tuple[str, str]] = {
    "allergy": ("allerg|intoleran|al[eé]rg|过敏|アレルギー", r"hives\b|anaphyla|unverträglich"),
    "diet": ("diet", "eat|vegan|vegetari|pescatari|kosher|halal|keto|gluten|vegetarier|végéta|ess|mange|mangi|como\b|吃|食|素"),
    "vegan": ("vegan|vegano", "纯素"),
    "vegetarian": ("vegetari|végéta", "素食|ベジタリアン"),
    "home": (
        r"home\b|liv(?:e|es|ing)\b|resid|based\b|address\b|wohn|habit|viv[eoi]|mor[ao]\b|woon|住",
        r"mov(?:e|ed|ing) (?:\w+ ){0,3}?(?:to|into|in|from)\b|settled in|apartment\b|rent(?:ing)?\b|leb(?:e|t|en)\b|zog\b"
        r"|umgezogen|abit[oai]|emménag|déménag|mud[eéo]|trasferit|verhuis|居|引っ越",
    ),
    "work": (
        r"work|employ|job\b|occupation|profession|career|arbeit|trabaj|travail|lavor|trabalh|werk|工作|働|勤",
        r"hired\b|i'm (?:at|with|an?)\b|i am (?:at|with|an?)\b|(?:i was|i've been|we are|is|was|as) an?\b",
    ),
    "married": (r"married\b|marri|marital|verheiratet|casad|casou|sposat|getrouwd|mariée?\b|结婚|結婚", r"wife\b|husband\b|spouse\b"),
    "partner": (
        r"partner\b|wife\b|husband\b|spouse\b|girlfriend|boyfriend|fianc|ehefrau|meine frau|mein mann|ma femme|mon mari\b"
        r"|espos|marido|mujer\b|moglie|vrouw|妻|丈夫|老婆|老公|夫",
        r"married\b|engaged\b|dating\b",
    ),
    "language": (r"speak|languages\b|fluent|sprech|spreche|habl|parl[eo]|fal[ao]\b|spreek|说|話", ""),
    "income": (r"salar|earn|income\b|wage|gehalt|verdien|sueldo|stipendio|guadagn|工资|給料", r"paid\b|i make\b|we make\b"),
    "birthday": (
        r"birth|born\b|geburt|geboren|cumple|nac[ií]|anniversaire|née?\b|compleanno|nat[oa]\b|aniversário|nasci|verjaardag"
        r"|生日|出生|誕生|生まれ",
        "",
    ),
    "age": (r"age\b|old\b|years?\b", r"turn(?:ed|ing)?\b|i'm \d|i am \d|jahre|años\b|ans\b|anni\b|anos\b|jaar\b|岁|歳"),
    "children": (
        r"child|kids?\b|sons?\b|daughter|kind(?:er)?\b|hij[oa]|fille|fils\b|figli|filh|孩子|儿子|女儿|子供|息子|娘",
        r"bab(?:y|ies)\b|dad\b|mom\b|mum\b|parent|pregnant|tochter|sohn|dochter|zoon",
    ),
    "name": (
        r"name|call|heiß|llam|appel|chiam|cham[ao]|heet\b|叫|名",
        r"i'm\b|i am\b|this is\b|bin\b|soy\b|suis\b|sono\b|sou\b|ben\b|是",
    ),
    "likes": (
        r"lik(?:e|es|ed|ing)\b|lov(?:e|es|ed|ing)\b|enjoy|prefer|favou?rit|fan\b|fond\b|mag\b|liebe|lieblings|gust[ao]|encanta"
        r"|aime|adore|piac|ador[oa]|houd|喜欢|爱|好き",
        "",
    ),
    "dislikes": (
        r"dislik|hat(?:e|es|ed)\b|detest|avers|stand\b",
        r"(?:don't|do not|never|not) (?:\w+ )?(?:like|love|enjoy|fan)|mag .*nicht|odi[oa]\b|haat\b|讨厌|嫌い",
    ),
    "pets": (r"pets?\b", r"dog|cats?\b|pupp|kitten|hund|katze|perr[oa]|gat[oa]|chien|chat\b|cane\b|gatt[oa]|hond|rabbit|狗|猫|犬"),
    "vehicle": (r"vehicle|cars?\b|driv|rid(?:e|es)\b", r"auto\b|coche|voiture|macchina|carro\b|bike\b|motorbike|车|車|carries me"),
    "sister": (r"sister", r"schwester|sœur|soeur|hermana|sorella|irmã|zus|妹|姐|姉"),
    "brother": (r"brother", r"bruder|frère|hermano|fratello|irmão|broer|哥|弟|兄"),
    "mother": (r"mother|mom\b|mum\b", r"mutter|mère|madre|mãe|moeder|妈|母"),
    "father": (r"father|dad\b", r"vater|père|padre|pai\b|vader|爸|父"),
    "origin": (r"origin|hometown|nationality", r"from\b|grew up|raised\b|born\b|komme\b|soy de|viens\b|vengo\b|kom uit|来自|出身"),
}  # fmt: skip
OF_ATTRIBUTE = {"employer": "work", "spouse": "partner", "wife": "partner", "husband": "partner", "residence": "home"}

# English words of a claim that say the same as the words `plan` and `condition` of a grammar.
PLANNING = r"plan\w*|goal\w*|wish\w*|intend\w*|aim\w*|hop(?:e|es|ing)|decid\w*|consider\w*|interest\w*|(?:wants|hopes|needs|looks|tries|would like) to"
# English words of a claim that say the same as the words `past`.
WAS = r"was|were|had|used to|former\w*|previous\w*|once|childhood|past|as a (?:kid|child)|grew|went|no longer"
# English words of a claim that say the same as the words `negation`.
OPPOSITION = (
    r"none|without|dislik\w*|avoid\w*|hat(?:e[sd]?|ing)|allerg\w*|intoleran\w*|unable|refus\w*|lack\w*|against|former\w*"
    r"|stop\w*|quit\w*|instead|opposed|declin\w*|reject\w*|left|drop\w*|exclud\w*|forb\w*|prohibit\w*|ban\w*|free|sold"
    r"|gave up|given up|except"
)

USER = frozenset({"user", "usuario", "usuaria", "usuário", "usuária", "utente", "nutzer", "nutzerin", "gebruiker"})
_FIRST = """
i i'm i've i'd i'll im ive we we're we've we'd we'll ich wir je nous yo nosotros nosotras io noi eu nós ik wij
"""
FIRST = frozenset(_FIRST.split())
_OTHER = """
he she they he's she's they're they've it it's you you're you've who er sie il elle ils elles él ella ellos lui lei
ele ela eles elas hij zij
"""
OTHER = frozenset(_OTHER.split())
_MINE = """
my our mein meine meinen meiner meinem unser unsere mon ma mes notre mi mis nuestro nuestra mio mia mie miei meu
minha meus minhas nosso nossa mijn ons onze
"""
MINE = frozenset(_MINE.split())
_THEIRS = """
the his her their your dein sein ihr su sus son sa ses il lo la
"""
THEIRS = frozenset(_THEIRS.split())
_BE = """
am is are was were been be being i'm we're he's she's it's that's they're im
"""
BE = frozenset(_BE.split())
_BECOME = """
become became went go got get turned turning as been
"""
BECOME = frozenset(_BECOME.split())
_HAVE = """
have has had i've we've ive got own owns bought adopted
"""
HAVE = frozenset(_HAVE.split())
_AUXILIARY = """
have has had i've we've do does did don't doesn't didn't haven't hasn't can can't cannot could will won't would
never always also just not still now currently usually often really actually sometimes recently finally already only
both to kinda longer mostly a an the i'll i'd
"""
AUXILIARY = BE | frozenset(_AUXILIARY.split())
_JOINS = """
and but or then so because that while plus , ; : . ! ( – — -
"""
JOINS = frozenset(_JOINS.split())
_PREPOSITIONS = """
for of about from in with on at against to by than
"""
PREPOSITIONS = frozenset(_PREPOSITIONS.split())
_LIGHT = """
user users user's and or but of at by for with about in on to from into up down out off over as it its his hers her
their theirs them they he she him this that these those there s re ve who which own very too so no nor isn't aren't
wasn't nutzer nutzerin benutzer utilisateur l'utilisateur utilisatrice usuario usuaria usuário usuária utente
gebruiker der die das ein eine im am le la les l de des du un une el los las en y il lo gli o os as e i het een van
bij à au aux em na nos nas di da del della al alla most
"""
LIGHT = AUXILIARY | frozenset(_LIGHT.split())
_IRREGULAR = """
ran went ate drank drove rode wrote read had was were did made took gave got bought sold taught spoke swam sang wore
won lost built grew knew kept left led met paid slept spent stood thought told understood caught began came broke
"""
IRREGULAR = frozenset(_IRREGULAR.split())
NUMBERS = {
    word: str(number)
    for words in (
        "zero . two three four five six seven eight nine ten eleven twelve",
        "null . zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
        "cero . dos tres cuatro cinco seis siete ocho nueve diez . doce",
        "zéro . deux trois quatre cinq six sept huit neuf dix onze douze",
        "zero . due tre quattro cinque sei sette otto nove dieci undici dodici",
    )
    for number, word in enumerate(words.split())
}
OWNERS = frozenset({"his", "her", "their", "your"})
ENDED = frozenset({"left", "quit", "lost", "sold", "gave", "stopped", "dropped", "cancelled", "returned"})
_FOLLOWING = """
last next every each today yesterday tonight tomorrow since ago before after during when where while until twice once
daily weekly together alone again instead because if
"""
FOLLOWING = frozenset(_FOLLOWING.split())
