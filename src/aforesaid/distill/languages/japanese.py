"""Japanese: a small set of high-precision claim patterns."""

from aforesaid.distill.grammar import ClaimGrammar, ClaimPattern

ME = "(?:私|僕|俺|わたし|ぼく|あたし|自分)"
# A Japanese sentence may omit its subject.
I_AM = rf"(?:{ME}(?:は|も|、)|今は?|現在は?、?|普段は|実は|今年で?|もうすぐ|[0-9]{{4}}年から|(?:[0-9]+|数)年前から、?)*"
MY = rf"(?:{ME}の|飼っている|うちの|我が家の|家の)?"
IS = r"(?:です|だ(?!っ)|である|で、|なので|なんです|でして|ですが|だけど|ですけど)(?!か)"
CALLED = r"(?:と申し|といい|と言い|って言い|っていい)ます(?!か)"
ING = r"い?(?:ます|おります|て、|る(?=[。、！!.\s]|$|の[でにが]|けど|から|ん[でだ]|し))(?!か)"
WORD = r"[\p{Han}\p{Katakana}ー々ヶ]"
NAME = r"(?P<value>[\p{Han}々]{1,6}|[\p{Katakana}ー・]{2,12}|(?!まだ|ない|ひみつ|なん)\p{Hiragana}{2,5}?)"
HARD_NAME = r"(?P<value>[\p{Han}々]{2,6}|[\p{Katakana}ー・]{2,12}|[\p{Han}]{1,3}\p{Hiragana}{1,3}|[A-Z][A-Za-z]{1,15})"
GENERAL = "地上|世界|実家|一人|田舎|都会|社宅|近所|海外|賃貸|一軒家|アパート|マンション|団地|都内|地元|自宅|郊外|学生寮|会社|病院|学校|大学|施設"
PLACE = rf"(?!(?:{GENERAL})[にで])(?P<value>{WORD}{{2,12}}?)"
PLACES = (
    "日本|東京都?|大阪府?|京都府?|北海道|札幌|仙台|横浜|名古屋|神戸|福岡|広島|沖縄|千葉|埼玉|神奈川|新潟|静岡|長野|岡山|熊本|鹿児島|アメリカ|イギリス|フランス|ドイツ|中国|韓国|台湾|ロンドン|パリ|ニューヨーク"
    "|シンガポール"
)
FIRM = rf"(?:{WORD}|[A-Za-z0-9&]){{2,16}}?"
COMPANY = (
    rf"(?!(?:{GENERAL}|{PLACES}|在宅|家|銀行|工場|店|レストラン|カフェ|コンビニ|役所|市役所|現場|夜勤|正社員|派遣|フリーランス|企業|大企業|中小企業|研究所|保育園"
    rf"|幼稚園)[にで])(?P<value>{FIRM})"
)
KIN = "(?:お母さん|お父さん|お姉ちゃん|お姉さん|お兄ちゃん|お兄さん|祖母|祖父|母|父|兄|姉|弟|妹|息子|長男|次男|娘|長女|次女|孫|従兄弟|従姉妹|いとこ|叔母|叔父|甥|姪|義母|義父|上司|同僚|先輩|後輩|親友)"
PETS = "(?:愛犬|愛猫|犬|猫|子犬|子猫|うさぎ|ウサギ|ハムスター|インコ|亀|馬|ペット|金魚)"
PARTNER = "(?:妻|嫁|家内|奥さん|夫|主人|旦那|彼氏|彼女|婚約者|パートナー)"
THINGS = "(?:車|愛車|船|ヨット|自転車|バイク|ギター|会社|店|お店|バンド|ブログ|ロボット)"
JOB = (
    rf"{WORD}{{0,8}}?(?:エンジニア|プログラマー|教師|教員|先生|医者|医師|学生|大学院生|高校生|看護師|デザイナー|弁護士|会計士|税理士|公務員|会社員|サラリーマン|主婦|主夫|フリーランス|コンサルタント|研究者"
    rf"|記者|編集者|作家|漫画家|イラストレーター|写真家"
    "|カメラマン|料理人|シェフ|美容師|保育士|介護士|薬剤師|歯科医|獣医|獣医師|建築家|建築士|大工|農家|運転手|警察官|消防士|自衛官|営業|事務員|店員|店長|通訳|翻訳家|音楽家|歌手|俳優|声優|パイロット|教授|講師|経営者"
    "|自営業|司書|栄養士)"
)
TONGUE = r"[\p{Han}\p{Katakana}ー]{1,8}語"
NUMBER = "(?:[0-9]{1,3}|[一二三四五六七八九十]{1,4})"
DATE = rf"(?P<value>(?:(?:[0-9]{{4}}|平成{NUMBER}|昭和{NUMBER})年)?{NUMBER}月{NUMBER}日)"
FOOD = "肉|豚肉|牛肉|鶏肉|魚|卵|乳製品|お肉|生魚"

JAPANESE = ClaimGrammar(
    code="ja",
    joins="と少し|と|や|、",
    doubt="もし|たら|れば|なら|かもしれ|たぶん|多分|と言って|と言った|そうです|つもりで|べき|仮に|昔|以前|子供の頃|今日|のは、"
    rf"|(?:彼|友達|友人|隣|先生|みんな|両親|{KIN}|{PARTNER})(?:さん)?(?:は|が|も)[^。]*[、,]",
    frame="書いて|訳して|翻訳|ふりをして|演じて|直して|次の|想像して",
    condition="もし|かもしれ|たぶん|多分|仮に|れば|なら",
    negation="ない|ません|なかった|ず",
    plan="たい|つもり|予定|希望|でしょう|と思",
    past="以前|昔|かつて|子供の頃|でした|ていました|ていた",
    hedge="と思います|と思う",
    question="なぜ|どう|何|誰|どこ|いつ|どれ|[^、。！]*か[？?]|[^、。！]*[？?]",
    irony="冗談|🙄",
    vague=".*(?:これ|それ|あれ|この|その|あの|方|何|ここ|そこ|どこ|誰|人|今|時).*",
    change="今|現在|引っ越|転職|もう|なりました|なった|新しい",
    lists={"kin": KIN, "pets": PETS, "things": THINGS},
    spaced=False,
    patterns=(
        ClaimPattern("name", rf"(?:{ME}の)?(?:名前|本名)は{NAME}(?:です|だ|である|{CALLED})(?!か)", 0.92),
        ClaimPattern("name", rf"(?:{ME}は|はじめまして、?)?{HARD_NAME}{CALLED}", 0.9),
        ClaimPattern("name", rf"(?:はじめまして|初めまして|こんにちは|どうも)[、！]?(?:{ME}は)?(?!{JOB}){HARD_NAME}(?:です|だ)(?!か)", 0.85),
        ClaimPattern("home", rf"{I_AM}(?:{WORD}{{1,4}}と)?{PLACE}(?:に住んで{ING}|(?:に)?在住{IS}|で(?:暮らして|生活して){ING})", 0.86),
        ClaimPattern("home", rf"{I_AM}(?:{WORD}{{1,8}}から)?{PLACE}(?:に|へ)引っ越し(?:て(?:き|い))?(?:ました|た)(?!か|ら)", 0.86),
        ClaimPattern("home", rf"{I_AM}(?:もう)?{PLACE}には?住んでいません", 0.85, denies=True),
        ClaimPattern("origin", rf"{I_AM}{PLACE}(?:の)?出身{IS}", 0.86),
        ClaimPattern("origin", rf"(?:{ME}の)?(?:出身地?)は{PLACE}{IS}", 0.88),
        ClaimPattern("origin", rf"{I_AM}{PLACE}(?:から来ました|で生まれました|で育ちました|生まれ{IS}|育ち{IS})", 0.84),
        ClaimPattern("age", rf"{I_AM}(?P<value>{NUMBER})(?:歳|才)(?:{IS}|、|になりました|の{JOB}{IS})", 0.86),
        ClaimPattern("age", rf"(?:{ME}の)?年齢は(?P<value>{NUMBER})(?:歳|才)?{IS}", 0.88),
        ClaimPattern("birthday", rf"(?:{ME}の)?誕生日は{DATE}{IS}", 0.92),
        ClaimPattern("birthday", rf"{I_AM}{DATE}(?:生まれ{IS}|に生まれました|が誕生日{IS})", 0.9),
        ClaimPattern("employer", rf"{I_AM}{COMPANY}(?:で(?:{JOB}として)?働いて{ING}|に(?:勤めて|勤務して){ING})", 0.85),
        ClaimPattern("employer", rf"{I_AM}(?:もう)?{COMPANY}では?働いていません", 0.85, denies=True),
        ClaimPattern("occupation", rf"{I_AM}{FIRM}で(?P<value>{JOB})として働いて{ING}", 0.86, anywhere=True),
        ClaimPattern("occupation", rf"{I_AM}(?:{NUMBER}[歳才]の|(?:職業|仕事)は)?(?P<value>{JOB})(?:{IS}|を(?:して|やって){ING}"
            rf"|として働いて{ING})", 0.86),
        ClaimPattern("partner", rf"{MY}{PARTNER}(?:の名前)?は{NAME}(?:{CALLED})", 0.9),
        ClaimPattern("partner", rf"{MY}{PARTNER}の名前は{NAME}{IS}", 0.9),
        ClaimPattern("relative", rf"{MY}(?:<other:kin>|<other:pets>)(?:の名前)?は{NAME}{CALLED}", 0.9),
        ClaimPattern("relative", rf"{MY}(?:<other:kin>|<other:pets>)の名前は{NAME}{IS}", 0.9),
        ClaimPattern("relative", rf"{NAME}という(?:名前の)?<other:pets>(?:を飼って{ING}|がい(?:ます|る(?![一-龯])))", 0.88),
        ClaimPattern("possession", rf"{MY}<other:things>(?:の名前)?は{NAME}{CALLED}", 0.88),
        ClaimPattern("possession", rf"{MY}<other:things>の名前は{NAME}{IS}", 0.88),
        ClaimPattern("children", rf"{I_AM}(?:子供|子ども)が(?P<value>[2-9]|[二三四五])人い(?:ます|る)", 0.88),
        ClaimPattern("allergy", rf"{I_AM}(?P<value>(?:{WORD}|そば|えび|かに){{1,10}})アレルギー(?:{IS}|で(?!は)|があり|がある|を持って"
            rf"|持ち)(?!ません)", 0.88),
        ClaimPattern("allergy", rf"{I_AM}(?P<value>(?:{WORD}|そば|えび|かに|と|や){{1,20}}?)(?:の|に)アレルギーがあ(?:ります|る|って)(?!か)", 0.88),
        ClaimPattern("allergy", rf"{I_AM}(?:もう)?(?P<value>{WORD}{{1,8}})アレルギー(?:では(?:ありません|ない)|じゃない"
            rf"|はありません)", 0.86, denies=True),
        ClaimPattern("diet", rf"{I_AM}(?P<value>ベジタリアン|ヴィーガン|ビーガン|菜食主義者|ペスカタリアン){IS}", 0.88),
        ClaimPattern("diet", rf"{I_AM}(?P<value>ベジタリアン|ヴィーガン|ビーガン|菜食主義者)(?:では|じゃ)(?:ありません|ない)", 0.84, denies=True),
        ClaimPattern("no food", rf"{I_AM}(?P<value>{FOOD})(?:は|を)(?:食べません|食べない|食べられません)", 0.86),
        ClaimPattern("speaks", rf"{I_AM}(?P<value>{TONGUE}(?:と(?:少し)?{TONGUE})*)(?:を|が)(?:少し|流暢に)?(?:話せます|話せる|話します|話す|できます"
            rf"|喋れます|しゃべれます)(?!か)", 0.86),
        ClaimPattern("speaks", rf"{I_AM}(?P<value>{TONGUE})(?:は|が|を)(?:話せません|話せない|できません)", 0.85, denies=True),
        ClaimPattern("native language", rf"(?:{ME}の)?(?:母語|母国語)は(?P<value>{TONGUE}){IS}", 0.92),
    ),
)  # fmt: skip
