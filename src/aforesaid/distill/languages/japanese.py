"""Japanese: a small set of high-precision claim patterns."""

from aforesaid.distill.grammar import ClaimGrammar, ClaimPattern

I_AM = r"(?:(?:私|僕|俺)は)?"  # a Japanese sentence may omit its subject
END = r"(?:です|だ|である|と申します|といいます|と言います)"
NOUN = r"[\p{Han}\p{Katakana}ー々]"

JAPANESE = ClaimGrammar(
    code="ja",
    joins="と|や",
    doubt="もし|たら|れば|なら|かもしれ|たぶん|多分|と言って|と言った|そうです|つもりで|べき|たい|仮に|彼|彼女|友達|友人|母|父|兄|姉|弟|妹",
    frame="書いて|訳して|翻訳|ふりをして|演じて|直して|次の|想像して",
    hedge="と思います|と思う",
    question="なぜ|どう|何|誰|どこ|いつ|どれ",
    irony="冗談|🙄",
    vague=".*(?:これ|それ|あれ|この|その|あの|方|何).*",
    spaced=False,
    patterns=(
        ClaimPattern("name", rf"(?:私|僕|俺|わたし)の名前は(?P<value>{NOUN}{{1,8}}){END}", 0.92),
        ClaimPattern("home", rf"{I_AM}(?:今)?(?P<value>{NOUN}{{2,8}})に住んで(?:いま|ま)す", 0.86),
        ClaimPattern("home", rf"{I_AM}(?:もう)?(?P<value>{NOUN}{{2,8}})には?住んでいません", 0.85, denies=True),
        ClaimPattern("origin", rf"{I_AM}(?P<value>{NOUN}{{2,8}})出身{END}", 0.86),
        ClaimPattern("age", rf"{I_AM}(?P<value>\d{{1,3}})歳{END}", 0.86),
        ClaimPattern("employer", rf"(?:私|僕|俺)は(?P<value>{NOUN}{{2,12}})で働いて(?:いま|ま)す", 0.85),
        ClaimPattern("allergy", rf"{I_AM}(?P<value>{NOUN}{{1,8}})アレルギー(?:です|があります)", 0.88),
        ClaimPattern("allergy", rf"{I_AM}(?:もう)?(?P<value>{NOUN}{{1,8}})アレルギー(?:では(?:ありません|ない)|じゃない|はありません)", 0.86, denies=True),
        ClaimPattern("occupation", rf"(?:私|僕|俺)は(?P<value>エンジニア|教師|医者|医師|学生|看護師|デザイナー|弁護士){END}", 0.86),
    ),
)  # fmt: skip
