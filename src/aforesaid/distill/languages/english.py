"""English: patterns for claims and for episodes."""

from aforesaid.distill.grammar import ClaimGrammar, ClaimPattern, EpisodeGrammar

AM = r"(?:i'm|i am|im)"
US = r"(?:i'm|i am|im|we're|we are)"
HAVE = r"(?:i've|we've|i have|we have)"
NOW = r"(?:(?:currently|now|just|actually|recently|also|still|really|presently) )?"
VERY = r"(?:(?:really|absolutely|totally|do|also|just|genuinely|still|quite|very much) ){0,2}"
NAMED = r"(?: is|'s)?,? (?:called|named)"
ALWAYS = r"(?:from now on,? )?(?:please,? )?always "
IN_LANGUAGE = r"(?:answer|reply|respond|write|speak)(?: (?:to )?me)? in"
NEVER = r"(?:from now on,? )?(?:please,? )?(?:never|do not ever|don't ever) "
MY = r"(?:my|our) (?=(?-i:\p{Ll}))(?:(?:older|younger|little|big|elder|twin|new|dear|beloved) )?(?:best )?"
KIN = (
    r"(?:(?:late|ex|former)[- ])?(?:sister-in-law|brother-in-law|mother-in-law|father-in-law|step(?:son|daughter|mother"
    r"|father|mom|dad|sister|brother)|sister|brother|mother|father|mom|mum|dad|son|daughter|cousin|aunt|uncle|niece|nephew"
    r"|grandmother|grandfather|grandma|grandpa|grandson|granddaughter|friend|flatmate|roommate|housemate|neighbour|neighbor"
    r"|boss|manager|colleague|coworker|co-worker|mentor|therapist|kid|child|baby|toddler|twin)"
    r"|(?:late|ex)[- ](?:wife|husband|girlfriend|boyfriend|partner)"
)
PETS = (
    "dog|cat|puppy|kitten|rabbit|bunny|parrot|horse|pony|hamster|guinea pig|turtle|tortoise|snake|gecko|ferret|goldfish|pet"
    "|(?:golden|labrador) retriever|labrador|lab|beagle|poodle|corgi|husky|german shepherd|pug|dachshund|bulldog|collie"
)
JOB = (
    r"(?!(?:bit|little|lot|good|bad|great|better)\b)(?:(?!to |of |the )[a-z\-]+ ){0,2}?(?:"
    "engineer|developer|programmer|designer|nurse|teacher|doctor|student|lawyer|attorney|chef|cook|pilot|farmer|consultant"
    "|accountant|analyst|scientist|researcher|professor|architect|writer|author|journalist|editor|electrician|plumber"
    "|mechanic|photographer|musician|translator|interpreter|librarian|veterinarian|vet|dentist|pharmacist|physicist|chemist"
    "|biologist|founder|freelancer|paramedic|firefighter|carpenter|baker|barista|bartender|waiter|waitress|therapist"
    "|psychologist|surgeon|historian|economist|administrator|sysadmin|tester|artist|illustrator|actor|actress|singer|coach"
    "|tutor|lecturer|postdoc|intern|social worker|police officer|(?:project|product|sales|office|marketing|store"
    "|account|operations) manager|product owner|(?:truck|bus|taxi|delivery) driver|midwife|judge|soldier|pensioner|producer"
    "|director|realtor|recruiter|entrepreneur|specialist|technician|stay-at-home (?:mom|mum|dad|parent))"
)
MAKERS = (
    "toyota|honda|ford|subaru|mazda|nissan|tesla|volkswagen|vw|bmw|audi|mercedes(?:-benz)?|volvo|skoda|(?-i:Seat|SEAT|Trek)|kia|hyundai"
    "|chevrolet|chevy|jeep|dodge|lexus|porsche|renault|peugeot|citroën|fiat|opel|dacia|suzuki|yamaha|kawasaki|ducati"
    "|harley-davidson|mini cooper|land rover|acura|buick|gmc"
)
NATIONS = (
    "dutch|german|french|spanish|italian|portuguese|british|english|scottish|welsh|irish|american|canadian|mexican"
    "|brazilian|argentinian|chilean|polish|czech|slovak|austrian|swiss|belgian|danish|swedish|norwegian|finnish|greek"
    "|turkish|russian|ukrainian|romanian|hungarian|bulgarian|serbian|croatian|indian|pakistani|chinese|japanese|korean"
    "|vietnamese|thai|indonesian|filipino|australian|egyptian|moroccan|nigerian|kenyan|ethiopian|south african|israeli"
    "|lebanese|iranian|colombian|peruvian|estonian|latvian|lithuanian|icelandic"
)

ENGLISH = ClaimGrammar(
    code="en",
    marks=frozenset(["i", "i've", "it's", "the", "and", "is", "was", "were", "are", "you", "my", "we", "have", "had", "to", "of", "it", "that", "for", "with", "a", "in", "at", "i'm", "our", "don't", "let's"]),
    connectives="and|but|so|because|cause|though|although|since|as|that|while|plus|however|anyway",
    fillers=r"hi|hey|hello|ok|okay|well|so|btw|by the way|fyi|actually|also|honestly|yes|yeah|yep|no|nope|oh|ah|sorry"
    r"|please|careful|thanks|thank you|for context|note that|note|just so you know|as you know|you know|i think|i guess"
    r"|i believe|in fact|basically|currently|now|then|and|but|personally|to be honest|tbh|for the record|quick update"
    r"|update|correction|reminder|as i said|unfortunately|luckily|finally|today|for the \w+|as of \w+|right now|these"
    r" days|at the moment|it turns out|turns out|in the end|after (?:a lot of|some|much) [a-z ]{3,30}?(?=we\b)|people"
    r"|everyone|team|all|sadly|ugh|haha|lately|i (?:just |recently |also )?(?:found out|reali[sz]ed|learned"
    r"|discovered)(?: recently)?",
    ends="and|but|so|because|since|when|while|until|although|though|if|as|btw|too|lol|please|always|anymore|any more"
    "|again|fluently|a lot|very much|these days|at the moment|right now|or|even|especially|except|after|before|just"
    "|now|last|recently|haha|hahaha|unfortunately|sadly|which|who|that|lately|apparently",
    articles="the|a|an|my|our|some",
    joins="and|or|nor|plus|as well as|not only|a bit of|a little|some|fluent",
    doubt=r"if|unless|suppose|supposing|ass?ume|assuming|maybe|perhaps|possibly|probably|might|may|could|would|should"
    r"|wonder|wondering|whether|wish|imagine|pretend|what if|hypothetically|in case|for example|for instance|e\.g\.|i'd"
    r"|we'd|he'd|she'd|they'd|were to|was going to|were going to|almost|nearly|used to|as though|not sure|said|says"
    r"|saying|told|tells|asked|claims|claimed|wrote|writes|thinks|according to|was told|the (?:docs|article|book|text"
    r"|manual|readme|recipe|page|quote|song|movie|film|story|character|narrator)|in the (?:book|story|example|game"
    r"|movie|film|novel|docs|song)|nobody|no one|someone|somebody|never said|don't think|(?<!no )(?<!not )(?<!n't"
    r" )doubt|dreamed|dreamt|not true|no idea|remember (?:when|that time)|(?:wrong|false|untrue|incorrect|mistaken|lie"
    r"|myth|misconception|rumou?r|nonsense|isn't true|no longer true|not the case|isn't the case|ruled out|rule out"
    r"|deny|denies|denied|disproved|refuted|thought|believed|(?:you|they|people) (?:think|believe|assume)|every(?:one"
    r"|body) (?:thinks|believes|assumes)|(?<!don't )(?<!do not )(?<!never )(?<!not )forget) that|^(?:please )?say that"
    r"|^that $|(?:\w+n't|not|never|no|cannot|without|stop|ignore|disregard|delete|remove|erase|unlearn|refuse)(?!"
    r" (?:forget|doubt|deny|only|secret|problem|surprise|wonder))[^,;:.!?]{0,60} that $",
    frame=r"(?:write|compose|draft|generate|create|make up|continue|tell|give) (?:\S+ ){0,6}?(?:story|poem|song|joke"
    r"|essay|letter|e-?mail|scene|dialog(?:ue)?|lyrics|bio|biography|speech|tale|novel|script|sentence|sentences|post"
    r"|tweet|text|message|example|sample)|say(?= ?:)|repeat after|(?:reply|respond|answer) to (?:this|the|that)|(?:complete|finish|parse|spell|pronounce"
    r"|convert|analy[sz]e) (?:the|this)|fill in|you are \w+|user story|translate|proofread|rephrase|paraphrase|reword|rewrite"
    r" (?:this|the following|my)|correct (?:this|the|my)|fix (?:this|the|my) (?:sentence|text|grammar|paragraph)"
    r"|(?:summari[sz]e|review|edit|improve) (?:this|the following|my|the)|the following|role-?play(?:ing)?|act as|act"
    r" like|pretend|imagine|suppose|let's say|let's (?:role-?play|pretend|imagine|assume)|assume|in character|you are"
    r" now|(?:e-?mail|letter|draft|lyrics|quote|transcript|excerpt|log|text|prompt|example|input|output)(?: draft)?(?="
    r" ?:)|here(?:'s| is| are|s) (?:\S+ ){0,3}?(?:log|logs|e-?mail|letter|text|message|post|article|transcript|output"
    r"|paste|quote|chat|conversation|file|document|dialog(?:ue)?|draft|sample|example|paragraph|cv|resume|review)|(?:he"
    r"|she|they|it|who|author|user|bot|customer|client) (?:said|says|wrote|writes|told me|replied|answered)(?= ?[,:])",
    condition=r"if(?! (?:it|that|this) (?:helps|matters)| you (?:need|must|ask|care|want)| i (?:recall|remember))|unless"
    r"|suppose|supposing|assume|assuming|whether|hypothetically|in case|imagine|pretend|as if|as though"
    r"|(?:don't|do not) (?:think|believe)|doubt|not true",
    negation=r"not|no|never|neither|nor|cannot|\w+n't|no longer",
    plan=r"instead of|rather than|want|wants|wanted|wanting|wanna|would(?! (?:prefer|rather))|(?:i|we|he|she|they)'d(?! (?:prefer|rather))|hop(?:e|es|ed|ing)"
    r"|plan|plans|planned|planning|goal|aim|aims|aiming|try|tries|trying|tried|think(?:ing)? (?:of|about)|\w+'ll"
    r"|will|shall|should|could|may|might|going to|gonna|looking (?:for|into|to|forward)|look forward|consider\w*|dream\w*"
    r"|wish\w*|interested in|tempted|can't wait|need to|needs to|potential\w*|in talks|learn(?:ing)?|intend\w*|about to"
    r"|maybe|perhaps|possibly|probably|almost|nearly|wonder\w*|not sure|read that|heard|(?:was|were|been) told|apparently"
    r"|upcoming|thought of|thought about|due to|supposed to|let's",
    past=r"used to|formerly|previously|back then|back when|as a (?:kid|child|teenager|teen|student)|when (?:i|we) (?:was|were)"
    r"|in (?:college|high school|school|university|my (?:teens|twenties))|in the past|once upon",
    hedge="i think|i guess|i believe|i suppose|kind of|sort of|iirc|if i remember|as far as i know|afaik|not entirely"
    "|more or less|roughly|i feel like|seems|apparently",
    question="do|does|did|is|are|was|were|am|can|could|should|shall|would|will|what|which|who|whose|where|when|why|how"
    "|have you|has|may i|any|isn't|aren't|don't",
    irony=r"/s(?=\s|$)|just kidding|said (?:no one|nobody|every\w*)|jk|yeah right|yeah,? sure|couldn't resist|as if|not"
    r" really|kidding|🙄",
    vague=r"ones?|(?:many |some |lots? of |most )?things?|something|anything|everything|nothing|someone|stuff|both|all|a lot"
    r"|here|there|fear|hope|peace|(?:the|a) .*|(?-i:us)|me",
    pointing=r"this|that|these|those|your?|yours|its?|here|there|him|her|them|their|his|(?:to|of|in|on|at|for|from|by|the|and"
    r"|or|my|about|with)$",
    change=r"now|no longer|any ?more|moved|started|starting|begun|new|switched|became|become|gone|went|joined|left|quit"
    r"|hired|these days",
    elided=("I ", "I'm "),
    denial=r"(?-i:(?:not(?! only)|no longer|no|never|neither)(?: (?:on|by|to|in|at))?)",
    lists={
        "again": "to",
        "alien": "i|i'm|i've|im|we|we're|you|he|she|it|it's|they|me|us|him|them|my|our|your|his|her|their|this|that"
        "|there|here|who|which|what|is|isn't|are|aren't|was|were|am|has|have|had|do|does|did|don't|can|can't|will|would"
        "|should|must|let's|not|never|speaks?|likes?|loves?|hates?|says?|lives?|works?|eats?|gets?|makes?|wants?|needs?"
        "|tastes?|seems?|sorry|thanks|thank|please|enjoy|prefer|drive|own|carry|always|usually|really|currently|now",
        "joint": "and|but|plus",
        "subject": "i|i'm|i've|im",
        "others": r"(?:want|plan|hope|love|like|need|have|going|try|trying|able|decided|used|help|let|learn|ready) to|who"
        r"|that|which|where|whose|when|if|because|you|he|she|it|they|we|people|everyone|friends?|can|could|would"
        r"|should|will|not|never|no|\w+n't|\w+'ll|\w+'d|was|were|had",
        "after": "for|with|in|on|at|near|where",
        "partners": "wife|husband|girlfriend|boyfriend|partner|fianc[ée]e?|spouse|hubby|gf|bf",
        "things": "boat|sailboat|yacht|kayak|car|truck|van|campervan|rv|bike|bicycle|motorcycle|motorbike|scooter|guitar|violin"
        "|piano|house|cabin|cottage|plant|band|choir|company|startup|business|shop|store|bakery|cafe|café|restaurant|studio"
        "|agency|farm|ranch|blog|newsletter|podcast|channel|website|app|game|novel|book|project|team|charity|nonprofit",
        "nations": NATIONS,
        "diets": "vegan|vegetarian|pescatarian|celiac|coeliac|halal|kosher|gluten[- ]free|dairy[- ]free|keto|lacto[- ]vegetarian",
        "creeds": "catholic|christian|muslim|jewish|hindu|buddhist|protestant|orthodox|asian|european|african|latino"
        "|latina|republican|democrat|taurus|aries|gemini|cancer|leo|virgo|libra|scorpio|sagittarius|capricorn|aquarius"
        "|pisces|batman|superman|spartacus|groot|legion|god|santa|robot|gen|ok|okay|sorry|sure|done|back|happy|glad",
        "tongues": NATIONS + "|mandarin|cantonese|arabic|hindi|tamil|urdu|bengali|persian|farsi|hebrew|swahili|catalan|latin"
        "|tagalog|wolof|yoruba|igbo|zulu|afrikaans|punjabi|malay|sign language|asl",
        "job": JOB,
        "count": r"one|two|three|four|five|six|seven|\d",
        "small": "not|hard|easy|long|short|known|here|there|fear|hope|peace|poverty|denial|exile|style|silence|harmony"
        "|squalor|luxury|town|sin|vim|emacs|terror|pain|chaos|interesting|important|unknown|private|irrelevant"
        "|misspelled|wrong|spelled|taken|common|rare|weird|unusual|different|the|that|this|what|mud",
        "makers": MAKERS,
        "months": "january|february|march|april|may|june|july|august|september|october|november|december",
        "manners": r"(?:answer|reply|respond|write|use|call|address|keep|explain|speak|format|include|give (?:me|us)"
        r"|add (?:a|an|the)|mention|provide|suggest|show|cite)",
        "foods": r"(?:(?:red|any|much) )?(?:meat|pork|beef|fish|dairy|gluten|sugar|eggs?|seafood|nuts|shellfish|chicken|bread"
        r"|lactose|wheat|soy|spicy food|animal products)",
    },
    patterns=(
        ClaimPattern("name", r"(?:my (?:full |first |real )?name(?: is|'s)|name's) <name>(?!\s+(?:is|and i are))", 0.95),
        ClaimPattern("name", r"my (?:full |first |real )?name(?: is not|'s not| isn't) <name>", 0.9, denies=True),
        ClaimPattern("name", r"(?:i'm|i am|it's me,|this is(?= [^.]{2,30} (?:from|here))) (?!(?:<list:nations>"
            r"|<list:diets>|<list:creeds>)\b)(?-i:(?=\p{Lu}\p{Ll}))<name>(?=\s*(?:[.,!]|$)|\s(?:and|from|here)\b)", 0.85),
        ClaimPattern("name", r"(?:it's|it is|this is) <name> again", 0.85),
        ClaimPattern("name", r"(?-i:my name is (?!<list:small>)(?P<value>\p{Ll}{3,20}))(?=\s*(?:[,.!]|$))", 0.72),
        ClaimPattern("nickname", r"(?:i go by|(?:you can |please |just )?call me) <name>(?=\s*(?:[.,!]|$))", 0.85),
        ClaimPattern("nickname", r"(?:people|everyone|everybody|my friends|they|friends)(?: all| just)? calls? me <name>", 0.85),
        ClaimPattern("home", rf"(?:(?:i|we) {NOW}(?:live|reside) in|{US} {NOW}(?:living|based|located) in) <place>", 0.92),
        ClaimPattern("near home", rf"(?:(?:i|we) {NOW}live|{US} {NOW}(?:living|based)) (?:near|outside(?: of)?|close to) <place>", 0.9),
        ClaimPattern("home", rf"{HAVE} been living in <place>", 0.92, begins=True),
        ClaimPattern("home", rf"{HAVE} lived in <place>(?= (?:my whole|all my|since)\b)", 0.9, begins=True),
        ClaimPattern("home", rf"(?:i|we|{HAVE}) {NOW}(?:moved|relocated)(?: (?:here|back|over|out|down|up))?(?: from [^,.;:!?]{{2,40}}?)?"
            r" to <place>", 0.88, begins=True),
        ClaimPattern("home", rf"(?:{HAVE} )?been in <place> for (?:[a-z0-9]+ ){{1,3}}(?:years|months)", 0.8),
        ClaimPattern("home", r"my (?:apartment|flat|house|place|home)(?: here)? (?:is )?in <place>", 0.82),
        ClaimPattern("home", r"(?:i|we) (?:no longer live|don't live|dont live|do not live) in <place>", 0.85, denies=True),
        ClaimPattern("home", rf"{US} (?:not|no longer) (?:living|based|located) in <place>", 0.85, denies=True),
        ClaimPattern("home", r"(?-i:i live in (?!<list:small>)(?P<value>\p{Ll}{4,20}))(?=\s*(?:[,.!]|$))", 0.7),
        ClaimPattern("origin", rf"(?:{AM}|i come) {NOW}(?:originally )?from (?!the future)<place>", 0.88),
        ClaimPattern("origin", r"i (?:was born and raised|grew up|was raised|was born) in (?!(?:<list:months>)\b)<place>", 0.85),
        ClaimPattern("origin", r"my home ?town is <place>", 0.88),
        ClaimPattern("nationality", rf"{AM} (?:an? )?<value:nations>(?=\s*(?:[.,!]|$)|\s(?:and|but|so)\b)", 0.85),
        ClaimPattern("birthday", r"my (?:birthday|bday|b-day|date of birth)(?: is|'s)?(?: falls)?(?: on| in)? <date>", 0.92),
        ClaimPattern("birthday", r"i celebrate my birthday on <date>", 0.9),
        ClaimPattern("birthday", r"i was born (?:on|in) <date>", 0.9),
        ClaimPattern("age", rf"{AM} (?:(?:currently|now|only|already) )?(?=[1-9]\d\b)<number>(?: ?years? old| ?yo\b| ?y/o|(?=\s*(?:[.!,]|$)| and\b))", 0.85),
        ClaimPattern("age", rf"(?:{AM}|as) an? (?=1[89]|[2-9]\d)<number>[- ]year[- ]old", 0.85),
        ClaimPattern("age", rf"(?:i|i've) {NOW}turned (?=[1-9]\d\b)<number>(?!\s*(?:%|degrees|pages|of))", 0.85),
        ClaimPattern("occupation", rf"(?:i {NOW}work|{HAVE} been working|my (?:new )?job) as (?:an?|the) <value:job>", 0.92),
        ClaimPattern("occupation", rf"i {NOW}work as (?:an?|the) <thing>", 0.85),
        ClaimPattern("occupation", rf"{AM} {NOW}an? <value:job>(?=\s*(?:[.,;!]|$)|\s(?:and|but|at|for|in|with|so|by|from"
            r"|who|working)\b)", 0.85),
        ClaimPattern("occupation", r"(?:my job is(?: being)?|i was hired as|i(?: just| recently) started as|being(?=[^,]{3,30}, i\b)) an?"
            r" <value:job>", 0.85),
        ClaimPattern("employer", rf"(?:i|i've) {NOW}(?:work|been working|started working|started a new job|got a job|been employed)"
            r" (?:at|for) (?!my\b|a\b|an\b)<company>", 0.88, begins=True),
        ClaimPattern("employer", rf"{AM} {NOW}(?:working|employed) (?:at|for|by) <company>", 0.86, begins=True),
        ClaimPattern("employer", rf"{AM} {NOW}(?:an? )<list:job> (?:at|for) <company>", 0.85),
        ClaimPattern("employer", r"i (?:just |recently )?joined <company> as an?\b", 0.85, begins=True),
        ClaimPattern("employer", r"my new job (?:is )?(?:at|with) <company>", 0.85),
        ClaimPattern("employer", r"for an? (?:company|startup|start-up|firm) (?:called|named) <company>", 0.85),
        ClaimPattern("employer", r"i (?:just |recently )?(?:got|was) hired by <company>", 0.85, begins=True),
        ClaimPattern("employer", r"i work at an? (?:[a-z]+ )?(?:company|startup|start-up|firm|agency) (?:called|named) <company>", 0.88),
        ClaimPattern("employer", r"my (?:employer|company) is (?:called )?<company>", 0.88),
        ClaimPattern("employer", r"i (?:no longer work|don't work|dont work|do not work) (?:at|for|with) <company>", 0.85, denies=True),
        ClaimPattern("employer", rf"{AM} (?:not|no longer) (?:working|employed) (?:at|for|by) <company>", 0.85, denies=True),
        ClaimPattern("employer", r"(?:i|i've) (?:just |recently |finally )?(?:quit|left|lost) my (?:job|position|role) at <company>", 0.85, denies=True),
        ClaimPattern("partner", rf"my <list:partners>(?:'s name is|{NAMED}| is(?! (?:<list:nations>|<list:creeds>|<list:diets>)\b)) <name>", 0.92, anywhere=True),
        ClaimPattern("partner", r"(?<!ex[- ])my <list:partners>,? <name>", 0.88, anywhere=True),
        ClaimPattern("partner", rf"(?:{AM}|i just got|i got|we got) (?:happily )?(?:married|engaged) to <name>", 0.88),
        ClaimPattern("partner", r"(?:i've been|i'm) dating <name>", 0.82),
        ClaimPattern("relative", rf"{MY}(?P<other>{KIN}|{PETS})(?:'s name is|{NAMED}) <name>", 0.92, anywhere=True),
        ClaimPattern("relative", rf"{MY}(?P<other>{KIN}|{PETS}),? <name>", 0.85, anywhere=True),
        ClaimPattern("relative", rf"{MY}(?P<other>child(?=ren)|(?:{KIN}|{PETS})(?=s))(?:s|ren)(?:'s names| are called| are named| are|,)?"
            r" <names>", 0.85, anywhere=True),
        ClaimPattern("relative", rf"(?:i|we)(?:'ve)? (?:also |just |recently |already )?(?:have|got|adopted) an? (?:[a-z\-]+ ){{0,2}}?"
            rf"(?P<other>{KIN}|{PETS}){NAMED} <name>", 0.9),
        ClaimPattern("relative", rf"(?:i|we)(?:'ve)? (?:also |just |recently )?(?:have|got|adopted) (?:<list:count> )?(?:[a-z\-]+ ){{0,2}}?"
            rf"(?P<other>child(?=ren)|(?:{KIN}|{PETS})(?=s))(?:s|ren)(?:,|:| called| named)? <names>", 0.88),
        ClaimPattern("relative", rf"(?:i|we)(?:'ve)? (?:just |recently )?(?:have|got|adopted) an? (?:[a-z\-]+ ){{0,2}}?(?P<other>{PETS}),?"
            r" (?:and )?(?:her|his|its|their) name is <name>", 0.88),
        ClaimPattern("children", r"(?:i|we) have <value:count> (?:kids|children)", 0.88),
        ClaimPattern("possession", rf"(?:my|our) (?:new |old )?<other:things>(?:'s name is|{NAMED}) <name>", 0.9, anywhere=True),
        ClaimPattern("possession", rf"(?:i|we) (?:have|own|run|bought|got|started) an? (?:[a-z\-]+ )?<other:things>{NAMED} <company>", 0.88),
        ClaimPattern("possession", r"i (?:named|called) my <other:things> <name>", 0.88),
        ClaimPattern("vehicle", r"i (?:drive|own|have|bought) an? (?:[a-z]+ )?(?P<value>(?:(?:19|20)\d\d (?-i:(?=\p{Lu}\p{Ll}))(?:<list:makers>|\w+)|<list:makers>)(?-i:(?:\s[\p{Lu}\d][\w\-]*){0,3}))", 0.88),
        ClaimPattern("vehicle", r"my (?:car|truck|van|suv|bike|motorcycle|motorbike)(?: is|,) an? (?P<value>(?:(?:19|20)\d\d )?<list:makers>"
            r"(?-i:(?:\s[\p{Lu}\d][\w\-]*){0,3}))", 0.88),
        ClaimPattern("diet", rf"{AM} {NOW}(?:an? )?(?:strict |committed |mostly )?<value:diets>(?=\s*(?:[.,;!]|$)|\s(?:and|but|so|now|since|for|because|with|or|too|myself|i|it|this|that|my|we|you|can|do|please)\b)", 0.9),
        ClaimPattern("diet", r"(?:i've|i have) been (?:an? )?<value:diets>", 0.9, begins=True),
        ClaimPattern("diet", r"i have (?P<value>co?eliac) disease", 0.88),
        ClaimPattern("diet", r"as an? <value:diets>(?=\s*,)", 0.88),
        ClaimPattern("diet", r"(?:i|i've|we) (?:recently |just )?(?:went|gone|became|become|turned|keep|eat|follow an?) <value:diets>", 0.88, begins=True),
        ClaimPattern("diet", rf"{AM} (?:not|no longer) (?:an? )?<value:diets>(?: any ?more)?", 0.85, denies=True),
        ClaimPattern("no food", r"i (?:don't|do not|never|can't|cannot|haven't|have not) eat(?:en)? <value:foods>", 0.88),
        ClaimPattern("allergy", rf"(?:{AM} {VERY}(?:(?:severely|highly|badly|deathly|slightly) )?allergic|i have (?:an )?(?:[a-z]+ )?allerg(?:y|ies))"
            r" to <things>", 0.92),
        ClaimPattern("allergy", rf"(?:{AM} (?:(?:definitely|actually|really|in fact) )?(?:not|no longer) (?:actually "
            r"|really )?allergic|i (?:don't|do not|no longer) have an allergy) to <things>", 0.88, denies=True),
        ClaimPattern("allergy", r"i (?:don't|do not|no longer) have an? <word> allergy", 0.88, denies=True),
        ClaimPattern("allergy", r"i have an? (?:severe |bad |mild |serious )?<word> allergy", 0.9),
        ClaimPattern("allergy", rf"{AM} <word>[ \-]intolerant", 0.9),
        ClaimPattern("speaks", rf"i (?:can )?{NOW}speak (?=[^.,]{{0,24}}\b(?:<list:tongues>)\b)<things>", 0.88),
        ClaimPattern("speaks", rf"{AM} (?:fluent in|bilingual(?: in|,)) (?=[^.,]{{0,24}}\b(?:<list:tongues>)\b)<things>", 0.88),
        ClaimPattern("speaks", r"i grew up speaking <value:tongues>", 0.88),
        ClaimPattern("native language", r"my (?:native language|mother tongue|first language) is <word>", 0.92),
        ClaimPattern("answer language", rf"{ALWAYS}{IN_LANGUAGE} <value:tongues>(?=\s*(?:[.!,]|$))", 0.88),
        ClaimPattern("answer language", rf"{NEVER}{IN_LANGUAGE} <value:tongues>(?=\s*(?:[.!,]|$))", 0.88, denies=True),
        ClaimPattern("manner", rf"{ALWAYS}(?=<list:manners>)(?!{IN_LANGUAGE} <list:tongues>\s*(?:[.!,]|$)|[^.]*\bthey say)<rest>", 0.85),
        ClaimPattern("manner", rf"{NEVER}(?=<list:manners>)(?!{IN_LANGUAGE} <list:tongues>\s*(?:[.!,]|$)|[^.]*\bthey say)<rest>", 0.85, denies=True),
    ),
)  # fmt: skip


WE_HAVE = r"(?:we|i|the team|everyone)(?:'ve| have|'s| has)?(?: (?:all|both|finally|just|now|also|then|together))*"
TROUBLE = "bug|problem|issue|leak|cause|culprit|error|bottleneck|regression|vulnerability|mistake|crash|outage"
IT = rf"(?:it|that|this|they|the (?:same |old )?(?:\w+ )?(?:{TROUBLE}))(?:'s|'re| is| are| was| were| has| have| had)?"
IDLE = (
    "coffee|tea|lunch|dinner|breakfast|beer|drink|meal|water|eating|reading|talking|watching|binge-watching|listening"
    "|playing|shift|day|shower|season|series|show|episodes?|movie|film|game|storyline|book|novel|podcast|re-?watching"
    "|marathon"
)

ENGLISH_EPISODES = EpisodeGrammar(
    code="en",
    event_patterns={
        "decision_made": rf"{WE_HAVE} (?:decided (?:not to|to(?! (?:try|explore|treat|check))|on|that|against|in"
        r" favou?r|for)|agreed (?:to|on|that|we)"
        r"|settled on|opted (?:for|to)|committed to)|(?:we|i) (?:have|both|all|finally) (?:chosen|chose)|we chose|i've chosen"
        r"|we've (?:chosen|picked)|(?:we|we've|we have) (?:\w+ ){1,4}and \Kdecided (?:not to|to|on|that|against)|let's (?:go|stick) with|(?:we're|we are"
        r"|we'll|we will) (?:sticking|stick|staying|go(?:ing)?) with (?!my|our|him|her|them|friends|family)\w+",
        "problem_solved": r"(?:i|we|that|this|it|she|he|they|[\w-]+ing (?:the )?\w+)(?:'ve| have| has)?(?: finally| just"
        r"| now| actually)? (?:fixed|solved|resolved|sorted out|cured) (?:it|the|this|that|my|our|everything|all)"
        rf"|(?:fixed|solved|resolved|found and fixed) (?:it|(?:the|this|that|our|my) (?:[\w-]+ ){{0,2}}(?:{TROUBLE}))"
        r"|(?:it|that|this|everything|login|the \w+)(?:'s| is)? (?:works|working) (?:now|again|perfectly|at last)|that"
        rf" did (?:it|the trick)|that was it(?=: )|(?:problem|issue|mystery) solved|(?:{TROUBLE}|error message|warning)(?:'s| is| has been"
        r"| was| are)(?: now| finally| completely)? (?:fixed|solved|resolved|gone)|no longer (?:crashes|fails|hangs"
        r"|leaks|times out)|(?:all )?(?:the )?tests (?:are )?(?:all )?(?:pass|passing|green) (?:now|again)",
        "breakthrough": r"(?:finally|suddenly) (?:figured out|worked out|understood|understand|cracked|see) (?:why|how"
        r"|what|where|the)|breakthrough (?:in|on|with)|now (?:i|we) (?:finally )?(?:understand|see) (?:why|how)"
        r"|(?:\d+|ten|a hundred) ?(?:x|times) faster",
        "issue_identified": rf"(?:root cause|culprit|(?:the|our) (?:actual |main |real )?(?:{TROUBLE})) (?:is (?:the|an?)"
        r"|was (?:the|an?)|turned out to be|lies|comes from)|(?:found|discovered|spotted|identified|tracked down)"
        rf" (?:the|a|an|our|where the) (?:[\w-]+ ){{0,2}}(?:{TROUBLE})|(?:there's|there is|we have|i have|we've got|i'm"
        r" seeing|we're seeing|i'm getting|we're getting|we hit|i hit) an? (?:[\w-]+ ){0,2}(?:bug|leak|race condition"
        r"|regression|outage|security hole|vulnerability|deadlock|crash|data loss)|(?:production|the (?:site|server"
        r"|build|deployment|pipeline|database|api|app|website|checkout)) (?:is|went|has gone) (?:down|broken|offline)"
        r"|keeps (?:crashing|failing|timing out|hanging|freezing|leaking)",
        "task_completed": rf"{WE_HAVE} (?:finished|completed|shipped|deployed|released|launched|published|submitted"
        r"|merged|delivered|wrapped up|handed in|migrated|signed(?! up| in)|passed(?! by| through| on| out)) (?!(?:[\w'-]+"
        rf" ){{0,4}}(?:{IDLE})\b)(?!(?-i:The \p{{Lu}}))\w+|(?:migration|report|release|thesis|novel|draft|project|setup"
        r"|presentation|chapter|refactoring|rollout|paperwork|application) (?:is|are) (?:now |finally |all )?(?:done"
        r"|finished|completed?|submitted|live|merged|deployed)|(?:we|(?:my|our|the) (?:[\w-]+ ){1,7})went live",
        "pivot": r"(?:i|we)(?:'ve| have)? changed (?:my|our) minds?|change of (?:plans?|direction)|(?:we're"
        r"|we are|i'm|i am) (?:now )?(?:pivoting|switching (?:from|to|over)|scrapping|abandoning|moving away from)|(?:i"
        r"|we)(?:'ve| have)? (?:switched|pivoted|moved away) (?:from|to|over)|let's (?:scrap|start over)|on second"
        r" thoughts?|(?:i|we) (?:scrapped|abandoned)",
    },
    denied=r"not|never|haven't|hasn't|hadn't|didn't|don't|doesn't|isn't|aren't|wasn't|won't|can't|cannot|couldn't"
    r"|without|when|once|until|till|before|as soon as|by the time|while|will be|to be|need|needs|want|wants|want to"
    r"|hope|hoping|hopefully|try|trying|going to|no|nothing|yet to|how|why|what|which|where|who|last year|years ago|he"
    r"|she|they|please|you|your|can|has anyone",
    breaks="but|and|so|because|however|although|though|then",
    remember=r"(?:remember|keep in mind|bear in mind|don't forget|do not forget|never forget|make a note|note down"
    r"|write down|take note)(?: ?:| (?:that|i|i'm|i've|my|we|we're|our))",
    events=r"meetings?|appointments?|deadlines?|interviews?|flights?|flying|exams?|dentist|doctor|surgery|wedding"
    r"|birthday|due|presentation|demo|release|launch|check-?up|concert|conference|reservation|booking|train (?:leaves"
    r"|to|from)|visiting|court|viewing|moving (?:day|to|into|out)|graduation|call with|dinner with|lunch with|party"
    r"|kick-?off|review with|handover|holiday|leave for",
    past=r"had|was|were|went|did|ago|yesterday|last (?:week|month|year|night|\w+day)",
    elsewhere=r"(?!scheduled|planned|booked|invited|need|excited|confirmed|required|wed\b|red\b|bed\b|feed)\w+ed|got"
    r"|bought|took|gave|made|said|saw|came|told|sent|met|spent|kept|left|need (?:some )?help|looking (?:for|forward)"
    r"|thinking (?:of|about)|consider(?:ing)?|remember \w+ing|recommend\w*|suggest\w*|ideas|tips|advice|your",
    believed=r"(?:i|we|everyone|they) (?:had |really )?(?:thought|believed|assumed)(?! (?:about|of|it over|through|long"
    r"|hard))",
    undone=r"or so (?:i|we) (?:thought|hoped)|but i'm (?:still |now )?(?:not sure (?:if|whether|it)|considering)|(?:but|yet|however|though|although|only|and|then|until|till),? (?:(?:now"
    rf"|then|today|later|unfortunately|sadly|apparently|somehow|of course),? )*(?:{IT} (?:(?:came|come|comes) back|back"
    rf"|returned|reappeared)|(?:{IT} )?(?:still (?:broken|there|here|crash\w*|fail\w*|happen\w*|not|doesn't|isn't|won't"
    r"|leak\w*|the same|an? (?:issue|problem)|occur\w*|hang\w*|wrong)|(?:happen\w*|brok\w*|crash\w*|fail\w*) again"
    r"|(?:doesn't|didn't|does not|did not) (?:work|last|help|hold|stick)|(?:isn't|wasn't|not)(?: really| actually)?"
    r" (?:fixed|gone|solved|working|it|for long)))",
    generic=rf"{TROUBLE}|things?|stuff|ways?|plans?|mind|solution|task|dates?|finally|recently|already|perfectly|ago|couple|few",
    pronouns=r"it|them|myself|ourselves|something|everything|stuff|so far|(?:this|that|these|those|one|ones)(?= ?(?:$"
    r"|[^\w\s']| (?:one|at|in|on|for|to|and|but|so|as|with|from|by|after|before|when|because|which|today|last|too|all"
    r"|again|now)\b))",
)  # fmt: skip
