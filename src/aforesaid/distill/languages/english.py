"""English: patterns for claims and for episodes."""

from aforesaid.distill.grammar import ClaimGrammar, ClaimPattern, EpisodeGrammar

AM = r"(?:i'm|i am|im)"
NOW = r"(?:(?:currently|now|just|actually|recently|also|still|really) )?"
VERY = r"(?:(?:really|absolutely|totally|do|also|just|genuinely|still|quite|very much) ){0,2}"
CLEAR = r"(?!(?:who|whose|that|which|where|when|and|but|if|people|my)\b)[\p{L}\p{M}\-]+"  # a word of the same clause
NOT_BUT = r"(?:is not|isn't) [^,.;:!?\n\ufffc]{2,40}?,? but"
NAMED = r"(?: is|'s)?,? (?:called|named)"
NATIONS = (
    "dutch|german|french|spanish|italian|portuguese|british|english|scottish|welsh|irish|american|canadian|mexican"
    "|brazilian|argentinian|chilean|polish|czech|slovak|austrian|swiss|belgian|danish|swedish|norwegian|finnish|greek"
    "|turkish|russian|ukrainian|romanian|hungarian|bulgarian|serbian|croatian|indian|pakistani|chinese|japanese|korean"
    "|vietnamese|thai|indonesian|filipino|australian|egyptian|moroccan|nigerian|kenyan|ethiopian|south african|israeli"
    "|lebanese|iranian|colombian|peruvian|estonian|latvian|lithuanian|icelandic"
)

ENGLISH = ClaimGrammar(
    code="en",
    marks=frozenset(["i", "i've", "it's", "the", "and", "is", "was", "were", "are", "you", "my", "we", "have", "had", "to", "of", "it", "that", "for", "with", "i'm", "our", "don't", "let's"]),
    connectives="and|but|so|because|cause|though|although|since|as|that|while|plus|however|anyway",
    fillers=r"hi|hey|hello|ok|okay|well|so|btw|by the way|fyi|actually|also|honestly|yes|yeah|yep|no|nope|oh|ah|sorry"
    r"|please|careful|thanks|thank you|for context|note that|note|just so you know|as you know|you know|i think|i guess"
    r"|i believe|in fact|basically|currently|now|then|and|but|personally|to be honest|tbh|for the record|quick update"
    r"|update|correction|reminder|as i said|unfortunately|luckily|finally|today|for the \w+|as of \w+|right now|these"
    r" days|at the moment|it turns out|turns out|in the end|after (?:a lot of|some|much) [a-z ]{3,30}?(?=we\b)|people"
    r"|everyone|team|all",
    ends="and|but|so|because|since|when|while|until|although|though|if|as|btw|too|lol|please|always|anymore|any more"
    "|again|fluently|a lot|very much|these days|at the moment|right now|or|even|especially|except|after|before|just"
    "|now",
    articles="the|a|an|my|our|some",
    joins="and|or|nor|plus|as well as|not only|a bit of|a little|some|fluent",
    doubt=r"if|unless|suppose|supposing|assume|assuming|maybe|perhaps|possibly|probably|might|may|could|would|should"
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
    r"|tweet|text|message|example|sample)|say(?= ?:)|repeat after|(?:complete|finish|parse|spell|pronounce|convert"
    r"|analy[sz]e) (?:the|this)|fill in|you are \w+|user story|translate|proofread|rephrase|paraphrase|reword|rewrite"
    r" (?:this|the following|my)|correct (?:this|the|my)|fix (?:this|the|my) (?:sentence|text|grammar|paragraph)"
    r"|(?:summari[sz]e|review|edit|improve) (?:this|the following|my|the)|the following|role-?play(?:ing)?|act as|act"
    r" like|pretend|imagine|suppose|let's say|let's (?:role-?play|pretend|imagine|assume)|assume|in character|you are"
    r" now|(?:e-?mail|letter|draft|lyrics|quote|transcript|excerpt|log|text|prompt|example|input|output)(?: draft)?(?="
    r" ?:)|here(?:'s| is| are|s) (?:\S+ ){0,3}?(?:log|logs|e-?mail|letter|text|message|post|article|transcript|output"
    r"|paste|quote|chat|conversation|file|document|dialog(?:ue)?|draft|sample|example|paragraph|cv|resume|review)|(?:he"
    r"|she|they|it|who|author|user|bot|customer|client) (?:said|says|wrote|writes|told me|replied|answered)(?= ?[,:])",
    hedge="i think|i guess|i believe|i suppose|kind of|sort of|iirc|if i remember|as far as i know|afaik|not entirely"
    "|more or less|roughly|i feel like|seems|apparently",
    question="do|does|did|is|are|was|were|am|can|could|should|shall|would|will|what|which|who|whose|where|when|why|how"
    "|have you|has|may i|any idea|isn't|aren't|don't you",
    irony=r"/s(?=\s|$)|just kidding|said (?:no one|nobody|every\w*)|jk|yeah right|yeah,? sure|couldn't resist|as if|not"
    r" really|kidding|🙄",
    vague=r"best|most|better|help|both .*|it|this|that|them|these|those|you|him|her|me|us|one|ones|thing|things"
    r"|something|anything|everything|nothing|someone|(?:the )?(?:first|second|third|last|other|former|latter|new|old"
    r"|same|next|previous|idea|way|answer|result)(?: (?:one|option|version|idea|approach|answer|two|half|part))?|your"
    r" .*|to .*|how .*|what .*|when .*|where .*|why .*|who .*|that .*|this .*|these .*|those .*|it .*|being .*"
    r"|(?:option|plan|version|variant|approach|number|choice) \w+|both|all|here|there|both of .*|some of .*|his .*|her"
    r" .*|their .*|its .*|decided|settled|fixed|final|known|clear|important|relevant|defined|fear|hope|peace|the"
    r" (?:past|moment|future|same .*|middle .*)|a (?:hurry|rush|lot|while|bit|minute|second|meeting|loop|mess)|so .*"
    r"|too .*|any .*|such .*",
    pointing=r"this(?! (?:year|month|week|summer|winter|spring|autumn|fall|weekend|time))|that|these|those|you|your"
    r"|yours|it|its|here|there|him|her|them|their|his|(?:to|of|in|on|at|for|from|by|the|an?|and|or|my|about|with)$"
    r"|^(?:on|at|in|to|with|about|for|from)|(?:idea|option|approach|feature|sound|look|feel)s?$",
    denial=r"(?-i:(?:not(?! only)|no longer|no|never|neither)(?: (?:on|by|to|in|at))?)",
    lists={
        "again": "to",
        "alien": "i|i'm|i've|im|we|we're|you|he|she|it|it's|they|me|us|him|them|my|our|your|his|her|their|this|that"
        "|there|here|who|which|what|is|isn't|are|aren't|was|were|am|has|have|had|do|does|did|don't|can|can't|will|would"
        "|should|must|let's|not|never|speaks?|likes?|loves?|hates?|says?|lives?|works?|eats?|gets?|makes?|wants?|needs?"
        "|tastes?|seems?|sorry|thanks|thank|please",
        "kin": "sister|brother|mother|father|mom|mum|dad|son|daughter|cousin|aunt|uncle|niece|nephew|grandmother|grandfather"
        "|grandma|grandpa|stepson|stepdaughter|mother-in-law|father-in-law|friend|best friend|flatmate|roommate|neighbour"
        "|neighbor|boss|manager|colleague|coworker|therapist|dog|cat|puppy|kitten|rabbit|parrot|horse|hamster",
        "nations": NATIONS,
        "diets": "vegan|vegetarian|pescatarian|celiac|coeliac|halal|kosher|gluten[- ]free|keto",
        "creeds": "catholic|christian|muslim|jewish|hindu|buddhist|protestant|orthodox|asian|european|african|latino"
        "|latina|republican|democrat|taurus|aries|gemini|cancer|leo|virgo|libra|scorpio|sagittarius|capricorn|aquarius"
        "|pisces|batman|superman|spartacus|groot|legion|god|santa|robot|gen|ok|okay|sorry|sure|done|back|happy|glad",
        "tongues": NATIONS + "|mandarin|cantonese|arabic|hindi|tamil|urdu|bengali|persian|farsi|hebrew|swahili|catalan|latin",
        "job": r"(?:(?!bit|little|lot|good|bad|great)[a-z\-]+ ){0,2}(?:"
        "engineer|developer|programmer|designer|nurse|teacher|doctor|student|lawyer|chef|cook|pilot|farmer|consultant"
        "|accountant|analyst|scientist|researcher|professor|architect|writer|journalist|editor|electrician|plumber|mechanic"
        "|photographer|musician|translator|librarian|veterinarian|vet|dentist|pharmacist|physicist|chemist|biologist"
        "|founder|freelancer|paramedic|firefighter|carpenter|baker|barista|waiter|waitress|therapist|psychologist|surgeon"
        "|historian|economist|administrator|sysadmin|tester|artist|illustrator|actor|singer|coach|tutor|lecturer|postdoc"
        "|intern|social worker|police officer|project manager|product manager|product owner|truck driver|bus driver|sales"
        " manager|office manager|midwife|judge|soldier|pensioner)",
        "count": r"one|two|three|four|five|six|seven|\d",
        "editors": "vim|neovim|emacs|vs ?code|pycharm|intellij|sublime|helix|zed|nano|cursor|webstorm|xcode",
        "roles": r"(?:product|project|team|tech|engineering|design|scrum) (?:owner|lead|manager|master|director)"
        r"|designer|cto|ceo|cfo|founder|tech lead|architect|maintainer",
        "zones": r"(?:pacific|eastern|central|mountain|atlantic|UTC|GMT|CET|CEST|EST|PST|IST|JST|BST"
        r"|EET)(?:\s?[+\-−]\s?\d{1,2}(?::\d\d)?)?",
        "small": "not|hard|easy|long|short|known|here|there|fear|hope|peace|poverty|denial|exile|style|silence|harmony"
        "|squalor|luxury|town|sin|vim|emacs|terror|pain|chaos|interesting|important|unknown|private|irrelevant"
        "|misspelled|wrong|spelled|taken|common|rare|weird|unusual|different|the|that|this|what|mud",
        "doing": "run|use|deploy|test|review|tag|merge|squash|rebase|start|begin|meet|write|keep|check|push|release"
        "|ship|pin|lint|format|document|back up|create|open|pair|log|sign|send|update|ask|do",
        "aims": r"(?:cut (?:down|back)|cut out|reduce my|exercise|eat (?:more|less|better|healthier)|drink (?:more"
        r"|less)|sleep (?:more|better|earlier)|lose \w+|save (?:money|up|for|more)|quit|stop (?:smoking|drinking"
        r"|biting)|read (?:more|\d+)|get (?:into|better at|fit|in shape|promoted)|become|retire|improve my|learn (?:to"
        r" \w+|the \w+|(?-i:\p{Lu})\w+)|run (?:a|my first|the) (?:\w+ )?(?:marathon|10k|5k|race)|write (?:a|my) (?:book"
        r"|novel|thesis|memoir)|study)",
        "plans": r"(?:buy (?:a|an|our|my first|my own) (?:\w+ )?(?:house|flat|apartment|car|boat|bike|farm|dog|cat"
        r"|home)|move (?:to|back to|in with|abroad|out)|visit (?-i:\p{Lu})\w+|travel (?:to|around|through)|adopt|sell"
        r" (?:my|our)|start (?:a family|a business|a company|my own|my phd)|open (?:a|my own)|get married|change"
        r" (?:jobs|careers)|take up|go back to (?:school|university|college))",
        "able": "(?:not )?(?:run|work|support|handle|fit|comply|answer|respond|return|accept|start|scale|stay|load|cost"
        "|integrate|finish|use|compile|pass|meet|be (?:able|compatible|accessible|available|free|backwards?|under|at"
        " most|open|idempotent|secure|encrypted|ready|done|finished|offline))",
        "breaks": r"and (?:i|i'm|i've|i'd|we|we're|it|was|am|would|could|can|need|want)|and (?:my|our) (?:[\w\-]+"
        r" ){1,3}?(?:is|isn't|are|aren't|was|has|lives|works)|and (?:my|our) [\w\-]+'s (?:name|called|named)|because"
        r"|but|so that|since|which|although|though|even though|or so|btw|lol",
        "skills": "cello|piano|guitar|violin|drums|ukulele|flute|chess|go|to (?:swim|drive|cook|code|sing|dance|sew"
        "|knit|ski)|sign language|calligraphy|photography|rust|python|golang|typescript",
        "manners": r"(?:answer|reply|respond|write|use|call|address|keep|explain|speak|format|include|give (?:me|us)"
        r"|add (?:a|an|the))",
        "at_hand": r"(?:all |both )?(?:the|of the|those|how|when|that) (?-i:\p{Ll})\w*",
        "favourites": r"(?!(?:part|thing|one|way|bit|moment|line|section|is|of|among)\b)[a-z][a-z\-]*(?:"
        r" (?!is\b)[a-z\-]+)?",
    },
    patterns=(
        ClaimPattern("name", r"my (?:full |first |real )?name(?: is|'s) <name>(?!\s+(?:is|and i are))", 0.95),
        ClaimPattern("name", r"my (?:full |first |real )?name(?: is not|'s not| isn't) <name>", 0.9, denies=True),
        ClaimPattern("name", r"(?:i go by|(?:you can )?call me) <name>(?=\s*(?:[.,!]|$))", 0.85),
        ClaimPattern("name", r"(?:i'm|i am|it's me,|this is(?= [^.]{2,30} (?:from|again|here))) (?!(?:<list:nations>"
            r"|<list:diets>|<list:creeds>)\b)(?-i:(?=\p{Lu}\p{Ll}))<name>(?=\s*(?:[.,!]|$)|\s(?:and|from"
            r"|again)\b)", 0.72),
        ClaimPattern("home", rf"(?:i|we) {NOW}(?:live|reside) (?:in|near|outside) <place>", 0.92),
        ClaimPattern("home", rf"(?:i'm|i am|we're|we are) {NOW}(?:living in|based in|located in) <place>", 0.92),
        ClaimPattern("home", r"(?:i've|we've|i have|we have) been living in <place>", 0.92, begins=True),
        ClaimPattern("home", rf"(?:i|we|i've|we've|i have|we have) {NOW}moved to <place>", 0.88, begins=True),
        ClaimPattern("home", r"(?:i|we) (?:no longer live|don't live|dont live|do not live) in <place>", 0.85, denies=True),
        ClaimPattern("home", r"(?:i'm|i am|we're|we are) (?:not|no longer) (?:living|based|located) in"
            r" <place>", 0.85, denies=True),
        ClaimPattern("origin", rf"(?:{AM}|i come) {NOW}(?:originally )?from (?!the future)<place>", 0.88),
        ClaimPattern("origin", r"i (?:was born and raised|grew up|was raised) in <place>", 0.85),
        ClaimPattern("origin", r"my home ?town is <place>", 0.88),
        ClaimPattern("birthday", r"my birthday(?: is|'s)(?: on)? <thing>", 0.92),
        ClaimPattern("birthday", r"i was born (?:on|in) (?=[^.]{0,12}\d)<thing>", 0.9),
        ClaimPattern("age", rf"{AM} <number>(?: years? old| yo\b|(?=\s*(?:[.!]|$)| and\b))", 0.85),
        ClaimPattern("age", rf"i {NOW}turned <number>(?!\s*(?:%|degrees|pages|of))", 0.85),
        ClaimPattern("occupation", rf"i {NOW}work as (?:an?|the) <value:job>", 0.92),
        ClaimPattern("occupation", rf"i {NOW}work as (?:an?|the) <thing>", 0.85),
        ClaimPattern("occupation", rf"i {NOW}live (?:in|near|outside) (?:{CLEAR},? ){{1,4}}and {NOW}work as (?:an?|the)"
            r" <value:job>", 0.88, also=True),
        ClaimPattern("occupation", rf"{AM} {NOW}(?:an? )(?<!not a )<value:job>(?=\s*(?:[.,;!]|$)|\s(?:and|but|at|for|in"
            r"|by|from|with|who|so|working)\b)", 0.85),
        ClaimPattern("employer", rf"{AM} {NOW}an? <list:job> (?:at|for) <place>", 0.85, also=True),
        ClaimPattern("employer", rf"(?:i|i've) {NOW}(?:work|been working|started working|started a new job|got a job)"
            r" (?:at|for|with) <place>(?!'s)", 0.88, begins=True),
        ClaimPattern("employer", rf"i {NOW}live (?:in|near|outside) (?:{CLEAR},? ){{1,4}}and {NOW}work (?:at|for)"
            r" <place>(?!'s)", 0.85, also=True),
        ClaimPattern("home", rf"(?:i {NOW}work (?:as|at|for|in|with)|{AM} an?) (?:{CLEAR} ){{1,4}}and {NOW}live (?:in"
            r"|near|outside) <place>", 0.88, also=True),
        ClaimPattern("employer", r"for a (?:company|startup|start-up|firm) called <place>", 0.85, anywhere=True),
        ClaimPattern("employer", r"my (?:employer|company) is (?:called )?<place>", 0.88),
        ClaimPattern("employer", r"i (?:no longer work|don't work|dont work|do not work) (?:at|for|with)"
            r" <place>", 0.85, denies=True),
        ClaimPattern("employer", rf"{AM} (?:not|no longer) (?:working|employed) (?:at|for|by) <place>", 0.85, denies=True),
        ClaimPattern("partner", r"my (?:wife|husband|girlfriend|boyfriend|partner|fiancée?|spouse)(?:'s name is"
            rf"|{NAMED}| is) <name>", 0.92, anywhere=True),
        ClaimPattern("partner", r"my (?:wife|husband|girlfriend|boyfriend|partner|fiancée?|spouse),?"
            r" <name>", 0.88, anywhere=True),
        ClaimPattern("relative", rf"my <other:kin>(?:'s name is|{NAMED}) <name>", 0.92, anywhere=True),
        ClaimPattern("relative", r"my <other:kin>,? <name>", 0.85, anywhere=True),
        ClaimPattern("relative", rf"(?:i|we) have an? (?:[a-z]+ ){{0,2}}?<other:kin>{NAMED} <name>", 0.9),
        ClaimPattern("children", r"(?:i|we) have <value:count> (?:kids|children)", 0.88),
        ClaimPattern("role", r"<name> is (?:the|our) <other:roles>", 0.75),
        ClaimPattern("diet", rf"{AM} {NOW}(?:an? )?(?:strict )?<value:diets>(?!\s+\w+ing)", 0.9),
        ClaimPattern("diet", r"(?:i've|i have) been (?:an? )?<value:diets>", 0.9, begins=True),
        ClaimPattern("diet", rf"{AM} (?:not|no longer) (?:an? )?<value:diets>(?: any ?more)?", 0.85, denies=True),
        ClaimPattern("no food", r"i (?:don't|do not|never|can't|cannot) eat (?=(?:any )?(?:\w+ )?(?:meat|pork|beef|fish"
            r"|dairy|gluten|sugar|eggs|seafood|nuts|shellfish|chicken))(?:any )?<thing>", 0.88),
        ClaimPattern("allergy", rf"(?:{AM} {VERY}(?:(?:severely|highly|badly|deathly|slightly) )?allergic|i have an"
            r" allergy) to <things>", 0.92),
        ClaimPattern("allergy", rf"(?:{AM} (?:(?:definitely|actually|really|in fact) )?(?:not|no longer) (?:actually "
            r"|really )?allergic|i (?:don't|do not|no longer) have an allergy) to <things>", 0.88, denies=True),
        ClaimPattern("allergy", r"i (?:don't|do not|no longer) have an? <word> allergy", 0.88, denies=True),
        ClaimPattern("allergy", r"i have an? (?:severe |bad |mild )?<word> allergy", 0.9),
        ClaimPattern("allergy", rf"{AM} <word>[ \-]intolerant", 0.9),
        ClaimPattern("speaks", rf"i {NOW}(?:also )?speak (?=[^.,]{{0,24}}\b(?:<list:tongues>)\b)<things>", 0.88),
        ClaimPattern("native language", r"my (?:native language|mother tongue|first language) is <word>", 0.92),
        ClaimPattern("timezone", rf"{AM} (?:in|on) (?:the )?<value:zones> time(?: ?zone)?", 0.9),
        ClaimPattern("timezone", r"my time ?zone is <thing>", 0.92),
        ClaimPattern("nationality", rf"{AM} (?:an? )?<value:nations>(?=\s*(?:[.,!]|$)|\s(?:and|but|so)\b)", 0.85),
        ClaimPattern("vehicle", r"i drive an? (?=(?:\d{4}|\p{Lu}))(?-i:(?=[\dA-Z]))<thing>", 0.85),
        ClaimPattern("editor", r"i (?:mostly |mainly |always )?use <value:editors>(?=\s*(?:[.,!]|$)|\s(?:btw|and|as|for"
            r"|so)\b)", 0.88),
        ClaimPattern("editor", r"my editor is <value:editors>", 0.9),
        ClaimPattern("favourite", r"my (?:all-time )?favou?rite <other:favourites> (?:is|are) <thing>", 0.92),
        ClaimPattern("favourite", r"my favou?rite <other:favourites> (?:isn't|aren't) <thing>", 0.88, denies=True),
        ClaimPattern("dislikes", r"i (?:really |just |absolutely )?(?:don't|do not|never) (?:really |particularly"
            r" )?(?:like|enjoy|love) (?!to\b|<list:at_hand>)<thing>", 0.88),
        ClaimPattern("dislikes", r"(?:i've|i have) never (?:really )?(?:liked|enjoyed) <thing>", 0.85),
        ClaimPattern("dislikes", rf"i {VERY}(?:can't stand|cannot stand|hate|dislike|detest|loathe|can't bear) (?!to\b"
            r"|<list:at_hand>)<thing>", 0.88),
        ClaimPattern("dislikes", rf"{AM} (?:really )?not (?:really )?(?:a (?:big |huge )?fan of|into|fond of)"
            r" (?!<list:at_hand>)<thing>", 0.88),
        ClaimPattern("likes", rf"i {VERY}(?:love|like|enjoy|adore) (?!to\b|<list:at_hand>)<thing>", 0.85),
        ClaimPattern("likes", rf"{AM} (?:really |very )?(?:a (?:big |huge )?fan of|fond of|into)"
            r" (?!<list:at_hand>)<thing>", 0.85),
        ClaimPattern("prefers", r"i (?:generally |usually |really |always )?prefer (?!to (?:know|see|hear)|not\b)<phrase>", 0.85),
        ClaimPattern("prefers", r"(?:i'd|i would) (?:much )?rather (?!not\b|you\b)<phrase>", 0.75),
        ClaimPattern("manner", r"(?:from now on,? )?(?:please )?always (?=<list:manners>)<phrase>", 0.8),
        ClaimPattern("never", r"(?:from now on,? )?(?:please )?never (?=<list:manners>)<phrase>", 0.8),
        ClaimPattern("remembered", r"(?:please )?remember that (?=(?:i|my|we|our|i'm|i've|we're)\b)<rest>", 0.85),
        ClaimPattern("chosen technology", r"(?:we|i) (?:have |finally |also |just |both |all ){0,2}(?:decided|agreed)"
            r" (?:to (?:use|go with|adopt|pick|stay with|switch to|move to|migrate to)|on) <technology>", 0.92),
        ClaimPattern("chosen technology", r"(?:we|we've|i've|we have|i) (?:finally |just )?(?:chose|chosen|picked"
            r"|settled on|went with|ended up (?:choosing|using|picking|going with)|gone with|opted for)"
            r" <technology>", 0.9),
        ClaimPattern("chosen technology", r"let's (?:just )?(?:go with|use|pick|take|stick with|stick to) <technology>", 0.85),
        ClaimPattern("chosen technology", r"(?:we|we've|we have) (?:just )?(?:switched|moved|migrated)(?: from"
            r" [\w.+#]+)? to <technology>", 0.9, begins=True),
        ClaimPattern("chosen technology", r"(?:we're|we are) (?:switching|moving|migrating)(?: from [\w.+#]+)? to"
            r" <technology>", 0.88),
        ClaimPattern("decision", r"decision: ?<rest>", 0.9),
        ClaimPattern("decision", r"(?:we've|we have|we) (?:finally |all |just |both |also )?(?:decided|agreed) (?:to"
            r"|on) (?!disagree|that\b|this\b|it\b|nothing)<phrase>", 0.9),
        ClaimPattern("decision", r"(?:we|i) [a-z' ]{2,60}? and (?:finally )?(?:decided|agreed) to <phrase>", 0.8),
        ClaimPattern("decision", r"(?:we've|we have|we) (?:finally )?(?:settled on|opted for|opted to) <phrase>", 0.88),
        ClaimPattern("decision", r"let's (?:just )?go with (?!(?:it|that|this|the (?:first|second|other|last))\b)<phrase>", 0.8),
        ClaimPattern("own decision", r"(?:i've|i have|i) (?:finally |just )?decided to <phrase>", 0.88),
        ClaimPattern("used technology", r"(?:we|our (?:team|company|backend|frontend|app|project|service))(?:'re| are|"
            r" have been)? (?:currently |still |mostly |already |also )?(?:use|uses|using|run|running|run on|runs on"
            r"|running on) <technology>", 0.88),
        ClaimPattern("used technology", r"(?:the|our|my|this) (?:project|backend|frontend|app|service|server|site|api"
            r"|code|codebase|tool|library) (?:is (?:written|built|implemented) (?:in|with|on)|runs on|uses)"
            r" <technology>", 0.88),
        ClaimPattern("stack", r"our (?:tech )?stack is <phrase>", 0.88),
        ClaimPattern("deadline", rf"(?:the|our|my) deadline {NOT_BUT} <thing>", 0.88),
        ClaimPattern("budget", rf"(?:the|our|my) (?:total )?budget {NOT_BUT} <thing>", 0.88),
        ClaimPattern("deadline", r"(?:the|our|my) deadline(?: for [\w ]{2,30})?(?: is|'s)(?: on| by| now)? <thing>", 0.9),
        ClaimPattern("deadline", r"(?:it's|it is|this is|we're|everything is) due (?:on |by )?<thing>", 0.8),
        ClaimPattern("deadline", r"deadline(?: has)?(?: been)? moved,? (?:it's |it is )?(?:now )?(?:to )?<thing>", 0.85),
        ClaimPattern("budget", r"(?:the|our|my) (?:total )?budget(?: for [\w ]{2,30})?(?: is|'s)(?: around| about|"
            r" roughly)? <thing>", 0.9),
        ClaimPattern("constraint", r"(?:we|our \w+) (?=(?:can't|cannot|mustn't|must not|may not|are not allowed to)"
            r" (?!be|see|find|figure|reproduce|tell|understand|get|wait|make|seem|believe|afford)\w)<phrase>", 0.82),
        ClaimPattern("constraint", r"(?:we're|we are) (?=not allowed to )<phrase>", 0.85),
        ClaimPattern("constraint", r"(?:it|everything) (?=(?:must|has to|needs to) <list:able>)<phrase>", 0.8),
        ClaimPattern("constraint", r"(?:the (?:api|app|solution|library|tool|system|service|code|page|site|product"
            r"|result|backend|frontend|client|server)) (?=(?:must|has to|needs to) (?!be (?:late|a|an|the|that|because"
            r"|so|really|very)\b|have been\b)\w)<phrase>", 0.8),
        ClaimPattern("goal", r"(?:my goal is|my aim is|my plan is) to <phrase>", 0.9),
        ClaimPattern("shared goal", r"(?:our|the) (?:main )?(?:goal|aim) is to <phrase>", 0.88),
        ClaimPattern("learning", rf"{AM} {NOW}learning (?=(?:the |to play the |to play )?(?:<list:tongues>"
            r"|<list:skills>)\b)<thing>", 0.8),
        ClaimPattern("goal", rf"(?:{AM}|i've been) {NOW}(?:trying|hoping|planning|aiming) to (?=<list:aims>)<phrase>", 0.82),
        ClaimPattern("goal", rf"(?:{AM}|we're|we are) {NOW}(?:hoping|planning) to (?=<list:plans>)<phrase>", 0.82),
        ClaimPattern("goal", r"(?:my \w+ and i) are (?:trying|hoping|planning) to <phrase>", 0.8),
        ClaimPattern("goal", r"i (?:really |also |still )?(?:want|hope|plan) to (?=<list:aims>|<list:plans>)<phrase>", 0.82),
        ClaimPattern("procedure", r"to (?:deploy|release|publish|build|test|roll back|run the tests|set (?:it|this) up"
            r"|install)[\w ]{0,30}, (?:we|i|you) [^.!?\n\ufffc]{3,200}", 0.8),
        ClaimPattern("procedure", r"we always (?=<list:doing>)<phrase>", 0.8),
        ClaimPattern("procedure", r"we (?=never (?!mind|decided|know|had|got|agreed|said|talked|heard|saw|finished|used"
            r"|did|really)\w+)<phrase>", 0.8),
        ClaimPattern("procedure", r"our [\w\- ]{2,30} works? like this: ?<rest>", 0.85),
        ClaimPattern("project name", r"(?:the|our|my|this) (?:project|app|product|tool|repo|team|company)(?: is|'s)?"
            r" (?:called|named) <name>", 0.9),
        ClaimPattern("nickname", r"(?:people|everyone|everybody|my friends|they|friends)(?: all)? calls? me <name>", 0.85),
        ClaimPattern("name", r"<name> here(?=\s*(?:[.!]|$))", 0.7),
        ClaimPattern("home", r"(?:(?:i've|i have|we've) )?been in <place> for (?:[a-z0-9]+ ){1,3}(?:years|months)", 0.8),
        ClaimPattern("employer", rf"{AM} {NOW}(?:working|employed) (?:at|for) <place>", 0.86, begins=True),
        ClaimPattern("likes", r"i (?:really |also )?(?:like|love) to (?!think|believe|say|know|see|hear|point|add)<phrase>", 0.8),
        ClaimPattern("favourite", r"<thing> is my (?:all-time )?favou?rite <other:favourites>", 0.85),
        ClaimPattern("used technology", r"(?:we're|we are) (?:currently |still |now )?on <technology>", 0.82),
        ClaimPattern("chosen technology", r"<technology> it is", 0.82),
        ClaimPattern("goal", r"(?:i dream of|i'm dreaming of|my dream is to) <phrase>", 0.82),
        ClaimPattern("deadline", r"(?:the|our|my) deadline (?:got|was|has been|is) (?:pushed|moved|shifted|extended"
            r"|postponed)(?: back)? to <thing>", 0.88),
        ClaimPattern("procedure", r"(?:before|after|when) (?:merging|deploying|releasing|pushing|committing|publishing"
            r"|shipping|each release|every release)[\w ]{0,30}, we [^.!?\n\ufffc]{3,200}", 0.8),
        ClaimPattern("chosen technology", r"(?:we're|we are) (?:sticking|staying|going) with <technology>", 0.86),
        ClaimPattern("dislikes", r"not (?:really )?a (?:big |huge )?fan of (?!<list:at_hand>)<thing>", 0.8),
        ClaimPattern("deadline", r"(?:we|it) (?:have|has|need|needs) to be (?:live|done|ready|finished|out) by <thing>", 0.85),
        ClaimPattern("budget", r"we only have (?=[$€£\d])<thing>", 0.78),
        ClaimPattern("no food", r"(?:i haven't|i have not) eaten (?=(?:meat|pork|fish|dairy|gluten|sugar|beef)\b)<word>", 0.82),
        ClaimPattern("procedure", r"(?:every time|whenever) we (?:deploy|release|merge|ship)[\w ]{0,30}, we"
            r" [^.!?\n\ufffc]{3,200}", 0.8),
        ClaimPattern("name", r"(?-i:my name is (?!<list:small>)(?P<value>\p{Ll}{3,20}))(?=\s*(?:[,.!]|$))", 0.72),
        ClaimPattern("home", r"(?-i:i live in (?!<list:small>)(?P<value>\p{Ll}{4,20}))(?=\s*(?:[,.!]|$))", 0.7),
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
