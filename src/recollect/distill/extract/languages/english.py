"""English."""

from __future__ import annotations

from recollect.distill.extract.language import Language, Pattern, words

I = r"i"  # noqa: E741
AM = r"(?:i'm|i am|im)"
HAVE = r"(?:i've|i have)"
WE = r"(?:we|i)"
NOW = r"(?:(?:currently|now|just|actually|recently|also|still|really) )?"
VERY = r"(?:(?:really|absolutely|totally|do|also|just|genuinely|still|quite|very much) ){0,2}"
CLEAR = r"(?!(?:who|whose|that|which|where|when|and|but|if|people|my)\b)[\p{L}\p{M}\-]+"  # a word of the same clause
NOT_BUT = r"(?:is not|isn't) [^,.;:!?\n\ufffc]{2,40}?,? but"
NAMED = r"(?: is|'s)?,? (?:called|named)"
KIN = (
    "sister|brother|mother|father|mom|mum|dad|son|daughter|cousin|aunt|uncle|niece|nephew|grandmother|grandfather"
    "|grandma|grandpa|stepson|stepdaughter|mother-in-law|father-in-law|friend|best friend|flatmate|roommate|neighbour"
    "|neighbor|boss|manager|colleague|coworker|therapist|dog|cat|puppy|kitten|rabbit|parrot|horse|hamster"
)
JOBS = (
    "engineer|developer|programmer|designer|nurse|teacher|doctor|student|lawyer|chef|cook|pilot|farmer|consultant"
    "|accountant|analyst|scientist|researcher|professor|architect|writer|journalist|editor|electrician|plumber"
    "|mechanic|photographer|musician|translator|librarian|veterinarian|vet|dentist|pharmacist|physicist|chemist"
    "|biologist|founder|freelancer|paramedic|firefighter|carpenter|baker|barista|waiter|waitress|therapist"
    "|psychologist|surgeon|historian|economist|administrator|sysadmin|tester|artist|illustrator|actor|singer|coach"
    "|tutor|lecturer|postdoc|intern|social worker|police officer|project manager|product manager|product owner"
    "|truck driver|bus driver|sales manager|office manager|midwife|judge|soldier|pensioner"
)
NATIONS = (
    "dutch|german|french|spanish|italian|portuguese|british|english|scottish|welsh|irish|american|canadian|mexican"
    "|brazilian|argentinian|chilean|polish|czech|slovak|austrian|swiss|belgian|danish|swedish|norwegian|finnish"
    "|greek|turkish|russian|ukrainian|romanian|hungarian|bulgarian|serbian|croatian|indian|pakistani|chinese"
    "|japanese|korean|vietnamese|thai|indonesian|filipino|australian|egyptian|moroccan|nigerian|kenyan|ethiopian"
    "|south african|israeli|lebanese|iranian|colombian|peruvian|estonian|latvian|lithuanian|icelandic"
)
DIETS = "vegan|vegetarian|pescatarian|celiac|coeliac|halal|kosher|gluten[- ]free|keto"
TONGUES = "<list:nations>|mandarin|cantonese|arabic|hindi|tamil|urdu|bengali|persian|farsi|hebrew|swahili|catalan|latin"

ENGLISH = Language(
    code="en",
    marks=words("i i've it's the and is was were are you my we have had to of it that for with i'm our don't let's"),
    connectives="and|but|so|because|cause|though|although|since|as|that|while|plus|however|anyway",
    fillers="hi|hey|hello|ok|okay|well|so|btw|by the way|fyi|actually|also|honestly|yes|yeah|yep|no|nope|oh|ah|sorry"
    "|please|careful|thanks|thank you|for context|note that|note|just so you know|as you know|you know|i think|i guess"
    "|i believe|in fact|basically|currently|now|then|and|but|personally|to be honest|tbh|for the record|quick update"
    "|update|correction|reminder|as i said|unfortunately|luckily|finally|today|for the \\w+|as of \\w+|right now"
    "|these days|at the moment|it turns out|turns out"
    "|in the end|after (?:a lot of|some|much) [a-z ]{3,30}?(?=we\\b)|people|everyone|team|all",
    ends="and|but|so|because|since|when|while|until|although|though|if|as|btw|too|lol|please"
    "|always|anymore|any more|again|fluently|a lot|very much|these days|at the moment|right now|or|even|especially"
    "|except|after|before|just|now",
    articles="the|a|an|my|our|some",
    joins="and|or|nor|plus|as well as|not only|a bit of|a little|some|fluent",
    doubt="if|unless|suppose|supposing|assume|assuming|maybe|perhaps|possibly|probably|might|may|could|would|should"
    "|wonder|wondering|whether|wish|imagine|pretend|what if|hypothetically|in case|for example|for instance|e\\.g\\."
    "|i'd|we'd|he'd|she'd|they'd|were to|was going to|were going to|almost|nearly|used to|as though|not sure"
    "|said|says|saying|told|tells|asked|claims|claimed|wrote|writes|thinks|according to|was told"
    "|the (?:docs|article|book|text|manual|readme|recipe|page|quote|song|movie|film|story|character|narrator)"
    "|in the (?:book|story|example|game|movie|film|novel|docs|song)|nobody|no one|someone|somebody|never said"
    "|don't think|(?<!no )(?<!not )(?<!n't )doubt|dreamed|dreamt|not true|no idea|remember (?:when|that time)"
    "|(?:wrong|false|untrue|incorrect|mistaken|lie|myth|misconception|rumou?r|nonsense|isn't true|no longer true"
    "|not the case|isn't the case|ruled out|rule out|deny|denies|denied|disproved|refuted|thought|believed"
    "|(?:you|they|people) (?:think|believe|assume)|every(?:one|body) (?:thinks|believes|assumes)"
    "|(?<!don't )(?<!do not )(?<!never )(?<!not )forget) that|^(?:please )?say that|^that $"
    "|(?:\\w+n't|not|never|no|cannot|without|stop|ignore|disregard|delete|remove|erase|unlearn|refuse)"
    "(?! (?:forget|doubt|deny|only|secret|problem|surprise|wonder))[^,;:.!?]{0,60} that $",
    frame=r"(?:write|compose|draft|generate|create|make up|continue|tell|give) (?:\S+ ){0,6}?(?:story|poem|song|joke"
    r"|essay|letter|e-?mail|scene|dialog(?:ue)?|lyrics|bio|biography|speech|tale|novel|script|sentence|sentences|post"
    r"|tweet|text|message|example|sample)"
    r"|say(?= ?:)|repeat after|(?:complete|finish|parse|spell|pronounce|convert|analy[sz]e) (?:the|this)|fill in"
    r"|you are \w+|user story|translate|proofread|rephrase|paraphrase|reword|rewrite (?:this|the following|my)"
    r"|correct (?:this|the|my)"
    r"|fix (?:this|the|my) (?:sentence|text|grammar|paragraph)|(?:summari[sz]e|review|edit|improve) (?:this|the"
    r" following|my|the)|the following|role-?play(?:ing)?|act as|act like|pretend|imagine|suppose|let's say"
    r"|let's (?:role-?play|pretend|imagine|assume)|assume|in character|you are now|(?:e-?mail|letter|draft|lyrics|quote"
    r"|transcript|excerpt|log|text|prompt|example|input|output)(?: draft)?(?= ?:)"
    r"|here(?:'s| is| are|s) (?:\S+ ){0,3}?(?:log|logs|e-?mail|letter|text|message|post|article|transcript|output|paste"
    r"|quote|chat|conversation|file|document|dialog(?:ue)?|draft|sample|example|paragraph|cv|resume|review)"
    r"|(?:he|she|they|it|who|author|user|bot|customer|client) (?:said|says|wrote|writes|told me|replied"
    r"|answered)(?= ?[,:])",
    hedge="i think|i guess|i believe|i suppose|kind of|sort of|iirc|if i remember|as far as i know|afaik|not entirely"
    "|more or less|roughly|i feel like|seems|apparently",
    question="do|does|did|is|are|was|were|am|can|could|should|shall|would|will|what|which|who|whose|where|when|why|how"
    "|have you|has|may i|any idea|isn't|aren't|don't you",
    irony=r"/s(?=\s|$)|just kidding|said (?:no one|nobody|every\w*)|jk|yeah right|yeah,? sure|couldn't resist"
    r"|as if|not really|kidding|🙄",
    vague="best|most|better|help|both .*|it|this|that|them|these|those|you|him|her|me|us|one|ones|thing|things"
    "|something|anything|everything|nothing"
    "|someone|(?:the )?(?:first|second|third|last|other|former|latter|new|old|same|next|previous|idea|way|answer"
    "|result)"
    "(?: (?:one|option|version|idea|approach|answer|two|half|part))?|your .*|to .*|how .*|what .*|when .*|where .*"
    "|why .*|who .*|that .*|this .*|these .*|those .*|it .*|being .*|(?:option|plan|version|variant|approach"
    "|number|choice) \\w+|both|all|here|there|both of .*|some of .*|his .*"
    "|her .*|their .*|its .*|decided|settled|fixed|final|known|clear|important|relevant|defined"
    "|fear|hope|peace|the (?:past|moment|future|same .*|middle .*)|a (?:hurry|rush|lot|while"
    "|bit|minute|second|meeting|loop|mess)|so .*|too .*|any .*|such .*",
    pointing=r"this(?! (?:year|month|week|summer|winter|spring|autumn|fall|weekend|time))|that|these|those|you"
    r"|your|yours|it|its|here|there|him|her|them|their|his"
    r"|(?:to|of|in|on|at|for|from|by|the|an?|and|or|my|about|with)$|^(?:on|at|in|to|with|about|for|from)|(?:idea"
    r"|option|approach|feature|sound|look|feel)s?$",
    denial=r"(?-i:(?:not(?! only)|no longer|no|never|neither)(?: (?:on|by|to|in|at))?)",
    lists={
        "again": "to",
        "alien": "i|i'm|i've|im|we|we're|you|he|she|it|it's|they|me|us|him|them|my|our|your|his|her|their|this|that"
        "|there|here|who|which|what|is|isn't|are|aren't|was|were|am|has|have|had|do|does|did|don't|can|can't"
        "|will|would|should|must|let's|not|never|speaks?|likes?|loves?|hates?|says?|lives?|works?|eats?|gets?"
        "|makes?|wants?|needs?|tastes?|seems?|sorry|thanks|thank|please",
        "kin": KIN,
        "jobs": JOBS,
        "nations": NATIONS,
        "diets": DIETS,
        "creeds": "catholic|christian|muslim|jewish|hindu|buddhist|protestant|orthodox|asian|european|african|latino"
        "|latina|republican|democrat|taurus|aries|gemini|cancer|leo|virgo|libra|scorpio|sagittarius|capricorn|aquarius"
        "|pisces|batman|superman|spartacus|groot|legion|god|santa|robot|gen|ok|okay|sorry|sure|done|back|happy|glad",
        "tongues": TONGUES.replace("<list:nations>", NATIONS),
        "job": rf"(?:(?!bit|little|lot|good|bad|great)[a-z\-]+ ){{0,2}}(?:{JOBS})",
        "count": r"one|two|three|four|five|six|seven|\d",
        "editors": "vim|neovim|emacs|vs ?code|pycharm|intellij|sublime|helix|zed|nano|cursor|webstorm|xcode",
        "roles": r"(?:product|project|team|tech|engineering|design|scrum) (?:owner|lead|manager|master|director)"
        r"|designer|cto|ceo|cfo|founder|tech lead|architect|maintainer",
        "zones": r"(?:pacific|eastern|central|mountain|atlantic|UTC|GMT|CET|CEST|EST|PST|IST|JST|BST|EET)"
        r"(?:\s?[+\-−]\s?\d{1,2}(?::\d\d)?)?",
        "small": "not|hard|easy|long|short|known|here|there|fear|hope|peace|poverty|denial|exile|style|silence|harmony"
        "|squalor|luxury|town|sin|vim|emacs|terror|pain|chaos|interesting|important|unknown|private|irrelevant|misspelled"
        "|wrong|spelled|taken|common|rare|weird|unusual|different|the|that|this|what|mud",
        "doing": "run|use|deploy|test|review|tag|merge|squash|rebase|start|begin|meet|write|keep|check|push"
        "|release|ship"
        "|pin|lint|format|document|back up|create|open|pair|log|sign|send|update|ask|do",
        "aims": r"(?:cut (?:down|back)|cut out|reduce my|exercise|eat (?:more|less|better|healthier)"
        r"|drink (?:more|less)"
        r"|sleep (?:more|better|earlier)|lose \w+|save (?:money|up|for|more)|quit|stop (?:smoking|drinking"
        r"|biting)|read (?:more"
        r"|\d+)|get (?:into|better at|fit|in shape|promoted)|become|retire|improve my|learn (?:to \w+|the \w+"
        r"|(?-i:\p{Lu})\w+)"
        r"|run (?:a|my first|the) (?:\w+ )?(?:marathon|10k|5k|race)|write (?:a|my) (?:book|novel|thesis|memoir)|study)",
        "plans": r"(?:buy (?:a|an|our|my first|my own) (?:\w+ )?(?:house|flat|apartment|car|boat|bike|farm|dog"
        r"|cat|home)"
        r"|move (?:to|back to|in with|abroad|out)|visit (?-i:\p{Lu})\w+|travel (?:to|around|through)|adopt"
        r"|sell (?:my|our)"
        r"|start (?:a family|a business|a company|my own|my phd)|open (?:a|my own)|get married|change (?:jobs|careers)"
        r"|take up|go back to (?:school|university|college))",
        "able": "(?:not )?(?:run|work|support|handle|fit|comply|answer|respond|return|accept|start|scale|stay|load|cost"
        "|integrate|finish|use|compile|pass|meet|be (?:able|compatible|accessible|available|free|backwards?|under"
        "|at most|open|idempotent|secure|encrypted|ready|done|finished|offline))",
        "breaks": "and (?:i|i'm|i've|i'd|we|we're|it|was|am|would|could|can|need|want)"
        r"|and (?:my|our) (?:[\w\-]+ ){1,3}?(?:is|isn't|are|aren't|was|has|lives|works)"
        r"|and (?:my|our) [\w\-]+'s (?:name|called|named)|because|but|so that|since"
        "|which|although|though|even though|or so|btw|lol",
        "skills": "cello|piano|guitar|violin|drums|ukulele|flute|chess|go|to (?:swim|drive|cook|code|sing|dance"
        "|sew|knit|ski)"
        "|sign language|calligraphy|photography|rust|python|golang|typescript",
        "manners": r"(?:answer|reply|respond|write|use|call|address|keep|explain|speak|format|include|give (?:me|us)"
        r"|add (?:a|an|the))",
        "at_hand": r"(?:all |both )?(?:the|of the|those|how|when|that) (?-i:\p{Ll})\w*",
        "favourites": r"(?!(?:part|thing|one|way|bit|moment|line|section|is|of"
        r"|among)\b)[a-z][a-z\-]*(?: (?!is\b)[a-z\-]+)?",
    },
    patterns=(
        Pattern("name", r"my (?:full |first |real )?name(?: is|'s) <name>(?!\s+(?:is|and i are))", 0.95),
        Pattern("name", r"my (?:full |first |real )?name(?: is not|'s not| isn't) <name>", 0.9, against=True),
        Pattern( "name",
            r"(?:i go by|(?:you can )?call me) <name>(?=\s*(?:[.,!]|$))",
            0.85,
        ),
        Pattern( "name",
            r"(?:i'm|i am|it's me,|this is(?= [^.]{2,30} (?:from|again|here))) (?!(?:<list:nations>|<list:diets>"
            r"|<list:creeds>)\b)(?-i:(?=\p{Lu}\p{Ll}))<name>"
            r"(?=\s*(?:[.,!]|$)|\s(?:and|from|again)\b)",
            0.72,
        ),
        Pattern("home", rf"(?:i|we) {NOW}(?:live|reside) (?:in|near|outside) <place>", 0.92),
        Pattern("home", rf"(?:i'm|i am|we're|we are) {NOW}(?:living in|based in|located in) <place>", 0.92),
        Pattern("home", r"(?:i've|we've|i have|we have) been living in <place>", 0.92, begins=True),
        Pattern("home", rf"(?:i|we|i've|we've|i have|we have) {NOW}moved to <place>", 0.88, begins=True),
        Pattern("home", r"(?:i|we) (?:no longer live|don't live|dont live|do not live) in <place>", 0.85, against=True),
        Pattern( "home",
            r"(?:i'm|i am|we're|we are) (?:not|no longer) (?:living|based|located) in <place>",
            0.85,
            against=True,
        ),
        Pattern("origin", rf"(?:{AM}|i come) {NOW}(?:originally )?from (?!the future)<place>", 0.88),
        Pattern("origin", r"i (?:was born and raised|grew up|was raised) in <place>", 0.85),
        Pattern("origin", r"my home ?town is <place>", 0.88),
        Pattern("birthday", r"my birthday(?: is|'s)(?: on)? <thing>", 0.92),
        Pattern("birthday", r"i was born (?:on|in) (?=[^.]{0,12}\d)<thing>", 0.9),
        Pattern("age", rf"{AM} <number>(?: years? old| yo\b|(?=\s*(?:[.!]|$)| and\b))", 0.85),
        Pattern("age", rf"i {NOW}turned <number>(?!\s*(?:%|degrees|pages|of))", 0.85),
        Pattern("occupation", rf"i {NOW}work as (?:an?|the) <value:job>", 0.92),
        Pattern("occupation", rf"i {NOW}work as (?:an?|the) <thing>", 0.85),
        Pattern( "occupation",
            rf"i {NOW}live (?:in|near|outside) (?:{CLEAR},? ){{1,4}}and {NOW}work as (?:an?|the) <value:job>",
            0.88,
            also=True,
        ),
        Pattern( "occupation",
            rf"{AM} {NOW}(?:an? )(?<!not a )<value:job>(?=\s*(?:[.,;!]|$)|\s(?:and|but|at|for|in|by|from|with|who"
            r"|so|working)\b)",
            0.85,
        ),
        Pattern("employer", rf"{AM} {NOW}an? <list:job> (?:at|for) <place>", 0.85, also=True),
        Pattern( "employer",
            rf"(?:i|i've) {NOW}(?:work|been working|started working|started a new job|got a job) (?:at|for"
            rf"|with) <place>(?!'s)",
            0.88,
            begins=True,
        ),
        Pattern( "employer",
            rf"i {NOW}live (?:in|near|outside) (?:{CLEAR},? ){{1,4}}and {NOW}work (?:at|for) <place>(?!'s)",
            0.85,
            also=True,
        ),
        Pattern( "home",
            rf"(?:i {NOW}work (?:as|at|for|in|with)|{AM} an?) (?:{CLEAR} ){{1,4}}and {NOW}live"
            r" (?:in|near|outside) <place>",
            0.88,
            also=True,
        ),
        Pattern("employer", r"for a (?:company|startup|start-up|firm) called <place>", 0.85, anywhere=True),
        Pattern("employer", r"my (?:employer|company) is (?:called )?<place>", 0.88),
        Pattern( "employer",
            r"i (?:no longer work|don't work|dont work|do not work) (?:at|for|with) <place>",
            0.85,
            against=True,
        ),
        Pattern("employer", rf"{AM} (?:not|no longer) (?:working|employed) (?:at|for|by) <place>", 0.85, against=True),
        Pattern( "partner",
            rf"my (?:wife|husband|girlfriend|boyfriend|partner|fiancée?|spouse)(?:'s name is|{NAMED}| is) <name>",
            0.92,
            anywhere=True,
        ),
        Pattern( "partner",
            r"my (?:wife|husband|girlfriend|boyfriend|partner|fiancée?|spouse),? <name>",
            0.88,
            anywhere=True,
        ),
        Pattern("relative", rf"my <other:kin>(?:'s name is|{NAMED}) <name>", 0.92, anywhere=True),
        Pattern("relative", r"my <other:kin>,? <name>", 0.85, anywhere=True),
        Pattern("relative", rf"(?:i|we) have an? (?:[a-z]+ ){{0,2}}?<other:kin>{NAMED} <name>", 0.9),
        Pattern("children", r"(?:i|we) have <value:count> (?:kids|children)", 0.88),
        Pattern("role", r"<name> is (?:the|our) <other:roles>", 0.75),
        Pattern("diet", rf"{AM} {NOW}(?:an? )?(?:strict )?<value:diets>(?!\s+\w+ing)", 0.9),
        Pattern("diet", r"(?:i've|i have) been (?:an? )?<value:diets>", 0.9, begins=True),
        Pattern("diet", rf"{AM} (?:not|no longer) (?:an? )?<value:diets>(?: any ?more)?", 0.85, against=True),
        Pattern( "no food",
            r"i (?:don't|do not|never|can't|cannot) eat (?=(?:any )?(?:\w+ )?(?:meat|pork|beef|fish|dairy|gluten"
            r"|sugar|eggs"
            r"|seafood|nuts|shellfish|chicken))(?:any )?<thing>",
            0.88,
        ),
        Pattern( "allergy",
            rf"(?:{AM} {VERY}(?:(?:severely|highly|badly|deathly|slightly) )?allergic|i have an allergy) to "
            r"<things>",
            0.92,
        ),
        Pattern( "allergy",
            rf"(?:{AM} (?:(?:definitely|actually|really|in fact) )?(?:not|no longer) (?:actually |really )?allergic"
            r"|i (?:don't|do not|no longer) have an allergy) to <things>",
            0.88,
            against=True,
        ),
        Pattern("allergy", r"i (?:don't|do not|no longer) have an? <word> allergy", 0.88, against=True),
        Pattern("allergy", r"i have an? (?:severe |bad |mild )?<word> allergy", 0.9),
        Pattern("allergy", rf"{AM} <word>[ \-]intolerant", 0.9),
        Pattern("speaks", rf"i {NOW}(?:also )?speak (?=[^.,]{{0,24}}\b(?:<list:tongues>)\b)<things>", 0.88),
        Pattern("native language", r"my (?:native language|mother tongue|first language) is <word>", 0.92),
        Pattern("timezone", rf"{AM} (?:in|on) (?:the )?<value:zones> time(?: ?zone)?", 0.9),
        Pattern("timezone", r"my time ?zone is <thing>", 0.92),
        Pattern("nationality", rf"{AM} (?:an? )?<value:nations>(?=\s*(?:[.,!]|$)|\s(?:and|but|so)\b)", 0.85),
        Pattern("vehicle", r"i drive an? (?=(?:\d{4}|\p{Lu}))(?-i:(?=[\dA-Z]))<thing>", 0.85),
        Pattern( "editor",
            r"i (?:mostly |mainly |always )?use <value:editors>(?=\s*(?:[.,!]|$)|\s(?:btw|and|as|for|so)\b)",
            0.88,
        ),
        Pattern("editor", r"my editor is <value:editors>", 0.9),
        Pattern("favourite", r"my (?:all-time )?favou?rite <other:favourites> (?:is|are) <thing>", 0.92),
        Pattern("favourite", r"my favou?rite <other:favourites> (?:isn't|aren't) <thing>", 0.88, against=True),
        Pattern( "dislikes",
            r"i (?:really |just |absolutely )?(?:don't|do not|never) (?:really |particularly )?(?:like|enjoy"
            r"|love) (?!to\b|<list:at_hand>)<thing>",
            0.88,
        ),
        Pattern("dislikes", r"(?:i've|i have) never (?:really )?(?:liked|enjoyed) <thing>", 0.85),
        Pattern( "dislikes",
            rf"i {VERY}(?:can't stand|cannot stand|hate|dislike|detest|loathe|can't bear) (?!to\b"
            r"|<list:at_hand>)<thing>",
            0.88,
        ),
        Pattern( "dislikes",
            rf"{AM} (?:really )?not (?:really )?(?:a (?:big |huge )?fan of|into|fond of) (?!<list:at_hand>)<thing>",
            0.88,
        ),
        Pattern("likes", rf"i {VERY}(?:love|like|enjoy|adore) (?!to\b|<list:at_hand>)<thing>", 0.85),
        Pattern(
            "likes",
            rf"{AM} (?:really |very )?(?:a (?:big |huge )?fan of|fond of|into) (?!<list:at_hand>)<thing>",
            0.85,
        ),
        Pattern( "prefers",
            r"i (?:generally |usually |really |always )?prefer (?!to (?:know|see|hear)|not\b)<phrase>",
            0.85,
        ),
        Pattern("prefers", r"(?:i'd|i would) (?:much )?rather (?!not\b|you\b)<phrase>", 0.75),
        Pattern("manner", r"(?:from now on,? )?(?:please )?always (?=<list:manners>)<phrase>", 0.8),
        Pattern("never", r"(?:from now on,? )?(?:please )?never (?=<list:manners>)<phrase>", 0.8),
        Pattern("remembered", r"(?:please )?remember that (?=(?:i|my|we|our|i'm|i've|we're)\b)<rest>", 0.85),
        Pattern( "chosen technology",
            r"(?:we|i) (?:have |finally |also |just |both |all ){0,2}(?:decided|agreed) (?:to (?:use|go with"
            r"|adopt|pick|stay with|switch to|move to|migrate to)|on) <technology>",
            0.92,
        ),
        Pattern( "chosen technology",
            r"(?:we|we've|i've|we have|i) (?:finally |just )?(?:chose|chosen|picked|settled on|went with"
            r"|ended up (?:choosing|using|picking|going with)|gone "
            r"with|opted for) <technology>",
            0.9,
        ),
        Pattern( "chosen technology",
            r"let's (?:just )?(?:go with|use|pick|take|stick with|stick to) <technology>",
            0.85,
        ),
        Pattern( "chosen technology",
            r"(?:we|we've|we have) (?:just )?(?:switched|moved|migrated)(?: from [\w.+#]+)? to <technology>",
            0.9,
            begins=True,
        ),
        Pattern( "chosen technology",
            r"(?:we're|we are) (?:switching|moving|migrating)(?: from [\w.+#]+)? to <technology>",
            0.88,
        ),
        Pattern("decision", r"decision: ?<rest>", 0.9),
        Pattern( "decision",
            r"(?:we've|we have|we) (?:finally |all |just |both |also )?(?:decided|agreed) (?:to|on) (?!disagree"
            r"|that\b|this\b|it\b|nothing)<phrase>",
            0.9,
        ),
        Pattern("decision", r"(?:we|i) [a-z' ]{2,60}? and (?:finally )?(?:decided|agreed) to <phrase>", 0.8),
        Pattern("decision", r"(?:we've|we have|we) (?:finally )?(?:settled on|opted for|opted to) <phrase>", 0.88),
        Pattern( "decision",
            r"let's (?:just )?go with (?!(?:it|that|this|the (?:first|second|other|last))\b)<phrase>",
            0.8,
        ),
        Pattern("own decision", r"(?:i've|i have|i) (?:finally |just )?decided to <phrase>", 0.88),
        Pattern( "used technology",
            r"(?:we|our (?:team|company|backend|frontend|app|project|service))(?:'re| are| have been)? "
            r"(?:currently |still |mostly |already |also )?(?:use|uses|using|run|running|run on|runs on|running "
            r"on) <technology>",
            0.88,
        ),
        Pattern( "used technology",
            r"(?:the|our|my|this) (?:project|backend|frontend|app|service|server|site|api|code|codebase|tool"
            r"|library) (?:is (?:written|built|implemented) (?:in|with|on)|runs on|uses) <technology>",
            0.88,
        ),
        Pattern("stack", r"our (?:tech )?stack is <phrase>", 0.88),
        Pattern("deadline", rf"(?:the|our|my) deadline {NOT_BUT} <thing>", 0.88),
        Pattern("budget", rf"(?:the|our|my) (?:total )?budget {NOT_BUT} <thing>", 0.88),
        Pattern("deadline", r"(?:the|our|my) deadline(?: for [\w ]{2,30})?(?: is|'s)(?: on| by| now)? <thing>", 0.9),
        Pattern("deadline", r"(?:it's|it is|this is|we're|everything is) due (?:on |by )?<thing>", 0.8),
        Pattern("deadline", r"deadline(?: has)?(?: been)? moved,? (?:it's |it is )?(?:now )?(?:to )?<thing>", 0.85),
        Pattern( "budget",
            r"(?:the|our|my) (?:total )?budget(?: for [\w ]{2,30})?(?: is|'s)(?: around| about| roughly)? "
            r"<thing>",
            0.9,
        ),
        Pattern( "constraint",
            r"(?:we|our \w+) (?=(?:can't|cannot|mustn't|must not|may not|are not allowed to) (?!be|see|find"
            r"|figure|reproduce|tell|understand|get|wait|make|seem|believe|afford)\w)<phrase>",
            0.82,
        ),
        Pattern("constraint", r"(?:we're|we are) (?=not allowed to )<phrase>", 0.85),
        Pattern("constraint", r"(?:it|everything) (?=(?:must|has to|needs to) <list:able>)<phrase>", 0.8),
        Pattern( "constraint",
            r"(?:the (?:api|app|solution|library|tool|system|service|code|page|site|product|result|backend"
            r"|frontend|client|server)) (?=(?:must|has to|needs to) (?!be (?:late|a|an|the|that|because|so"
            r"|really|very)\b|have been\b)\w)<phrase>",
            0.8,
        ),
        Pattern("goal", r"(?:my goal is|my aim is|my plan is) to <phrase>", 0.9),
        Pattern("shared goal", r"(?:our|the) (?:main )?(?:goal|aim) is to <phrase>", 0.88),
        Pattern( "learning",
            rf"{AM} {NOW}learning (?=(?:the |to play the |to play )?(?:<list:tongues>|<list:skills>)\b)<thing>",
            0.8,
        ),
        Pattern(
            "goal",
            rf"(?:{AM}|i've been) {NOW}(?:trying|hoping|planning|aiming) to (?=<list:aims>)<phrase>",
            0.82,
        ),
        Pattern("goal", rf"(?:{AM}|we're|we are) {NOW}(?:hoping|planning) to (?=<list:plans>)<phrase>", 0.82),
        Pattern("goal", r"(?:my \w+ and i) are (?:trying|hoping|planning) to <phrase>", 0.8),
        Pattern(
            "goal",
            r"i (?:really |also |still )?(?:want|hope|plan) to (?=<list:aims>|<list:plans>)<phrase>",
            0.82,
        ),
        Pattern( "procedure",
            r"to (?:deploy|release|publish|build|test|roll back|run the tests|set (?:it|this) up|install)[\w "
            r"]{0,30}, (?:we|i|you) [^.!?\n\ufffc]{3,200}",
            0.8,
        ),
        Pattern("procedure", r"we always (?=<list:doing>)<phrase>", 0.8),
        Pattern( "procedure",
            r"we (?=never (?!mind|decided|know|had|got|agreed|said|talked|heard|saw|finished|used|did"
            r"|really)\w+)<phrase>",
            0.8,
        ),
        Pattern("procedure", r"our [\w\- ]{2,30} works? like this: ?<rest>", 0.85),
        Pattern( "project name",
            r"(?:the|our|my|this) (?:project|app|product|tool|repo|team|company)(?: is|'s)? (?:called|named) <name>",
            0.9,
        ),
        Pattern("nickname", r"(?:people|everyone|everybody|my friends|they|friends)(?: all)? calls? me <name>", 0.85),
        Pattern("name", r"<name> here(?=\s*(?:[.!]|$))", 0.7),
        Pattern("home", r"(?:(?:i've|i have|we've) )?been in <place> for (?:[a-z0-9]+ ){1,3}(?:years|months)", 0.8),
        Pattern("employer", rf"{AM} {NOW}(?:working|employed) (?:at|for) <place>", 0.86, begins=True),
        Pattern(
            "likes",
            r"i (?:really |also )?(?:like|love) to (?!think|believe|say|know|see|hear|point|add)<phrase>",
            0.8,
        ),
        Pattern("favourite", r"<thing> is my (?:all-time )?favou?rite <other:favourites>", 0.85),
        Pattern("used technology", r"(?:we're|we are) (?:currently |still |now )?on <technology>", 0.82),
        Pattern("chosen technology", r"<technology> it is", 0.82),
        Pattern("goal", r"(?:i dream of|i'm dreaming of|my dream is to) <phrase>", 0.82),
        Pattern( "deadline",
            r"(?:the|our|my) deadline (?:got|was|has been|is) (?:pushed|moved|shifted|extended|postponed)"
            r"(?: back)? to <thing>",
            0.88,
        ),
        Pattern( "procedure",
            r"(?:before|after|when) (?:merging|deploying|releasing|pushing|committing|publishing|shipping|each release"
            r"|every release)[\w ]{0,30}, we [^.!?\n\ufffc]{3,200}",
            0.8,
        ),
        Pattern("chosen technology", r"(?:we're|we are) (?:sticking|staying|going) with <technology>", 0.86),
        Pattern("dislikes", r"not (?:really )?a (?:big |huge )?fan of (?!<list:at_hand>)<thing>", 0.8),
        Pattern(
            "deadline",
            r"(?:we|it) (?:have|has|need|needs) to be (?:live|done|ready|finished|out) by <thing>",
            0.85,
        ),
        Pattern("budget", r"we only have (?=[$€£\d])<thing>", 0.78),
        Pattern(
            "no food",
            r"(?:i haven't|i have not) eaten (?=(?:meat|pork|fish|dairy|gluten|sugar|beef)\b)<word>",
            0.82,
        ),
        Pattern(
            "procedure",
            r"(?:every time|whenever) we (?:deploy|release|merge|ship)[\w ]{0,30}, we [^.!?\n\ufffc]{3,200}",
            0.8,
        ),
        Pattern("name", r"(?-i:my name is (?!<list:small>)(?P<value>\p{Ll}{3,20}))(?=\s*(?:[,.!]|$))", 0.72),
        Pattern("home", r"(?-i:i live in (?!<list:small>)(?P<value>\p{Ll}{4,20}))(?=\s*(?:[,.!]|$))", 0.7),
    ),
)  # fmt: skip
