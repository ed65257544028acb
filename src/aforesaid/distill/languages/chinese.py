"""Chinese: a small set of high-precision claim patterns."""

from aforesaid.distill.grammar import ClaimGrammar, ClaimPattern

HAN = r"[\p{Han}]"
END = rf"(?!{HAN})"
NOW = "(?:现在|目前|今年|已经|平时|一直|也|就)*"
FEW = "(?:一|两|三|四|五|几)?[个只条位名匹辆艘]?"
NAME = rf"(?!大声|[得了我他她你它着个什不吃起去来外车一叫])(?P<value>{HAN}{{2,4}}(?:·{HAN}{{1,6}})?|[A-Z][A-Za-z]{{1,20}}){END}"
PLACE = rf"(?![一这那家学宿公酒外乡农附])(?P<value>(?:(?![的里边楼了])(?!家(?![口界港])){HAN}){{2,10}}?)(?:了|的)?{END}"
PLACES = (
    "北京|上海|天津|重庆|河北|山西|辽宁|吉林|黑龙江|江苏|浙江|安徽|福建|江西|山东|河南|湖北|湖南|广东|海南|四川|贵州|云南|陕西|甘肃|青海|台湾|内蒙古|广西|西藏|宁夏|新疆|香港|澳门|东北|广州|深圳|杭州|南京"
    "|武汉|成都|西安|苏州|青岛|大连|厦门|长沙|郑州|沈阳|哈尔滨|台北|高雄|温州|宁波|无锡|东莞|佛山|昆明|福州|济南|合肥|南昌|贵阳|中国|美国|英国|法国|德国|日本|韩国|加拿大|澳大利亚|新西兰|新加坡|马来西亚|泰国"
    "|越南|印度|俄罗斯|意大利|西班牙|巴西|东京|纽约|伦敦|巴黎|国外|海外|外地|老家|北方|南方"
)
KIN = (
    "(?:外婆|外公|奶奶|爷爷|姥姥|姥爷|姐姐|妹妹|哥哥|弟弟|妈妈|爸爸|母亲|父亲|女儿|儿子|孙子|孙女|表[姐妹哥弟]|堂[姐妹哥弟]|姑姑|舅舅|叔叔|阿姨|侄子|侄女|嫂子|岳母|岳父|婆婆|公公|室友|同事|老板|闺蜜|宝宝"
    "|妈|爸|姐|哥|妹|弟)"
)
PETS = "(?:小?狗狗?|小?猫咪?|兔子|小?兔|仓鼠|鹦鹉|乌龟|小?马|金鱼|宠物)"
PARTNER = "(?:老婆|妻子|太太|爱人|老公|丈夫|先生|女朋友|男朋友|女友|男友|未婚妻|未婚夫|对象)"
TONGUES = "(?:中文|汉语|普通话|粤语|广东话|闽南语|上海话|四川话|英语|英文|法语|德语|日语|日文|韩语|西班牙语|葡萄牙语|意大利语|俄语|阿拉伯语|泰语|越南语|荷兰语|印地语)"
JOB = (
    rf"(?:(?![不的一个想在从]){HAN}){{0,4}}?(?:工程师|程序员|设计师|会计师?|医生|大夫|护士|老师|教师|教授|律师|学生|研究生|博士生?|高中生|厨师|司机|记者|编辑|作家|画家|歌手|演员|导演|警察"
    rf"|军人|消防员|公务员|经理|总监|主管"
    "|顾问|分析师|研究员|科学家|翻译|导游|秘书|助理|前台|客服|销售|店长|农民|工人|快递员|外卖员|保安|牙医|兽医|药剂师|咨询师|教练|美容师|理发师|摄影师|建筑师|架构师|自由职业者|家庭主妇|全职妈妈|飞行员|空姐|法官"
    "|检察官|模特|博主)"
)
FIRM = rf"(?:(?:(?![不没的]){HAN}){{2,12}}?|[A-Za-z][\w.&]{{1,20}})"
COMPANY = (
    rf"(?![一这那不没家哪各每])(?!(?:{PLACES}|公司|银行|医院|学校|工厂|国企|外企|政府|大学|家里|这里|那里|外面|互联网|酒店|餐厅|超市|商场)[市省]?(?:工作|上班|做|当"
    rf"|担))(?P<value>{FIRM})"
)
FIGURE = "(?:[0-9]{1,3}|[一二三四五六七八九十]{1,4})"
DATE = rf"(?P<value>(?:[0-9]{{4}}年)?{FIGURE}月{FIGURE}[日号]?)"
SURNAME = "[王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘蒋蔡余杜叶程苏魏吕丁沈姚卢姜崔钟谭陆汪范廖贾夏韦邹孟熊秦邱尹薛闫段侯陶黎贺顾郝龚邵钱严戴孔汤]"

CHINESE = ClaimGrammar(
    code="zh",
    connectives="因为|所以|但是|而且|不过|其实|另外",
    joins="和|跟|与|以及|还有",
    doubt="如果|要是|假如|假设|也许|可能|大概|应该|想象|(?<![会能])说|希望|要不要|是否|据|好像|差点|以前|曾经|今天|打算|不觉得|没有决定|还没",
    frame="写一|翻译|假装|扮演|编一|改写|润色|以下|想象",
    condition="如果|要是|假如|假设|也许|可能|大概|是否",
    negation="不|没|别|未|非",
    plan="想|希望|打算|计划|准备|要去|会去|考虑|学习",
    past="以前|曾经|过去|小时候|原来",
    hedge="我觉得|我想",
    question="请问|什么|谁|哪|怎么|为什么|(?!对吗|是吗|对吧|对不对|是不是|没错吧)[^，,。！；]*[？?]",
    irony="开玩笑|🙄",
    vague=".*(?:这|那|你|它|什么|谁|他|她|自己).*",
    change="现在|目前|搬|换|不再|不.*了|刚",
    elided=("我",),
    lists={
        "joint": "(?=[，,])",
        "subject": rf"(?:^|(?<=[，,]))我(?!们|的|家|{KIN}|{PARTNER})",
        "others": f"他|她|它|你|如果|想|以前|曾经|{KIN}|{PARTNER}|朋友|爸妈|父母",
        "kin": KIN,
        "pets": PETS,
        "things": "车|汽车|小?船|帆船|自行车|单车|摩托车?|电动车|吉他|公司|小?店|餐厅|乐队|博客|机器人|公众号|频道",
        "partner": PARTNER,
    },
    spaced=False,
    patterns=(
        ClaimPattern("name", rf"我(?:的名字)?(?:叫做?|是叫|名叫){NAME}", 0.9),
        ClaimPattern("name", rf"我的名字(?:叫|是){NAME}", 0.92),
        ClaimPattern("name", rf"我是(?!{HAN}*[生人师员者家工座迷]{END})(?!{PLACES}|高中|马上|何必|余下"
            rf"|程序)(?P<value>{SURNAME}{HAN}{{1,2}}){END}", 0.8),
        ClaimPattern("home", rf"我们?{NOW}(?:[和跟]{HAN}{{1,6}}?(?:一起)?)?(?:住在|居住在|定居在|定居于|家住|家在|人在){PLACE}", 0.88),
        ClaimPattern("home", rf"我们?{NOW}住(?![在的了院了]){PLACE}", 0.8),
        ClaimPattern("home", rf"我们?(?:去年|今年|刚刚?|上个?月|最近|已经|前年)*(?:从{HAN}{{2,8}}?)?(?:搬到|搬去|搬来)了?{PLACE}", 0.88),
        ClaimPattern("home", rf"我们?{NOW}在(?P<value>{HAN}{{2,8}}?)(?:生活|定居){END}", 0.85),
        ClaimPattern("home", rf"我{NOW}不再?(?:住在|居住在){PLACE}", 0.85, denies=True),
        ClaimPattern("origin", rf"我(?:来自|出生于|出生在|老家在|老家是|的老家在|的老家是){PLACE}", 0.88),
        ClaimPattern("origin", rf"我是(?:土生土长的)?(?P<value>(?:{PLACES}){HAN}{{0,3}}?)人{END}", 0.88),
        ClaimPattern("origin", rf"我是?(?:从小)?在(?P<value>{HAN}{{2,8}}?)(?:出生|长大)的?{END}", 0.86),
        ClaimPattern("age", rf"我{NOW}(?:刚满|快满)?(?P<value>\d{{1,3}}|[一二三四五六七八九十百]{{1,4}})岁(?!的?时|那|之?前|以前|左右)", 0.92),
        ClaimPattern("age", rf"我今年(?P<value>\d{{2}})(?![\d月日号年个次{{])(?!{HAN})", 0.85),
        ClaimPattern("birthday", rf"我的?生日(?:是|在){DATE}", 0.92),
        ClaimPattern("birthday", rf"我(?:是)?(?:出生于|生于)?{DATE}(?:出生|生)?的?{END}", 0.85),
        ClaimPattern("employer", rf"我{NOW}(?:在{COMPANY}(?<!上)(?:工作|上班|任职|实习|(?:做|当|担任){JOB})|(?:就职于|任职于"
            rf"|供职于){COMPANY}{END})", 0.85),
        ClaimPattern("employer", rf"我{NOW}不再?在{COMPANY}(?:工作|上班)", 0.85, denies=True),
        ClaimPattern("occupation", rf"我{NOW}(?:是|当|做)(?:一?[名个位])?(?:做)?(?P<value>{JOB})(?:的)?(?:{END}|(?=已经|有|好多|很多))", 0.88),
        ClaimPattern("occupation", rf"我(?:的)?(?:职业|工作)是(?P<value>{JOB}){END}", 0.9),
        ClaimPattern("occupation", rf"我{NOW}在{FIRM}(?:做|当|担任)(?P<value>{JOB}){END}", 0.86, anywhere=True),
        ClaimPattern("partner", rf"我(?:的)?{PARTNER}(?:的名字)?(?:叫|是|名叫){NAME}", 0.9, anywhere=True),
        ClaimPattern("relative", rf"我(?:们?家?的?|的){FEW}(?:<other:kin>|<other:pets>)(?:的名字)?(?:叫|名叫"
            rf"|名字叫){NAME}", 0.9, anywhere=True),
        ClaimPattern("relative", rf"我们?(?:家)?(?:有|养了?){FEW}(?:<other:kin>|<other:pets>)，?(?:名字)?(?:叫|名叫){NAME}", 0.9),
        ClaimPattern("possession", rf"我(?:们?家?的?|的)<other:things>(?:的名字)?(?:叫|名叫|名字叫|起名叫){NAME}", 0.88),
        ClaimPattern("possession", rf"我给我?的?<other:things>(?:起名|取名)叫?{NAME}", 0.88),
        ClaimPattern("children", r"我们?有(?P<value>两|三|四|五|[2-9])个(?:孩子|小孩)", 0.88),
        ClaimPattern("allergy", rf"我对(?P<value>(?:(?![不没]){HAN}|、){{1,20}}?)(?:会|很|非常|严重|特别)*过敏", 0.92),
        ClaimPattern("allergy", rf"我对(?P<value>(?:(?![不没]){HAN}|、){{1,20}}?)(?:已经|并)?(?:不再|不会|不|没有)过敏", 0.88, denies=True),
        ClaimPattern("allergy", rf"我(?:有)?(?P<value>(?:花粉|花生|海鲜|牛奶|鸡蛋|坚果|青霉素|尘螨|酒精|猫毛|狗毛|芒果|小麦|麸质|大豆|乳糖))(?:过敏"
            rf"|不耐受?){END}", 0.9),
        ClaimPattern("allergy", rf"我(?:一)?吃(?P<value>(?:(?![不了]){HAN}){{1,4}}?)(?:就|会)+过敏", 0.88),
        ClaimPattern("diet", rf"我{NOW}(?:是|吃)(?:一?[名个位])?(?P<value>纯素食者|素食主义者|素食者|纯素|全素|素){END}", 0.86),
        ClaimPattern("diet", rf"我不是(?P<value>素食者|素食主义者){END}", 0.84, denies=True),
        ClaimPattern("no food", rf"我(?:从来|从|一直|都)*不(?:能)?吃(?P<value>肉|猪肉|牛肉|羊肉|鱼|海鲜|鸡蛋|辣|香菜){END}", 0.86),
        ClaimPattern("speaks", rf"我{NOW}(?:会|能)(?:说|讲)?(?:流利的?|一点点?|一些)?(?P<value>{TONGUES}(?:[、和跟]{TONGUES})*){END}", 0.88),
        ClaimPattern("speaks", rf"我不会(?:说|讲)?(?P<value>{TONGUES}){END}", 0.86, denies=True),
        ClaimPattern("native language", rf"我的?母语是(?P<value>{TONGUES})", 0.92),
    ),
)  # fmt: skip
