"""English."""

from __future__ import annotations

from recollect.distill.moments.ways import Ways, stems

HAVE = (
    r"(?:we|i|the team|everyone)(?:'ve| have|'s| has)?"
    r"(?: (?:all|both|finally|just|now|also|already|then|together))*"
)
TROUBLE = "bug|problem|issue|leak|cause|culprit|error|bottleneck|regression|vulnerability|mistake|crash|outage"
IT = rf"(?:it|that|this|they|the (?:same |old )?(?:\w+ )?(?:{TROUBLE}))(?:'s|'re| is| are| was| were| has| have| had)?"
IDLE = (
    "coffee|tea|lunch|dinner|breakfast|beer|drink|meal|water|eating|reading|talking|watching|binge-watching|listening"
    "|playing|shift|day|shower|season|series|show|episode|movie|film|game|storyline|book|novel|podcast"
)

ENGLISH = Ways(
    code="en",
    says={
        "decision_made": rf"{HAVE} (?:decided (?:not to|to|on|that|against|in favou?r|for)|agreed (?:to|on|that|we)"
        r"|settled on|opted (?:for|to)|made up (?:my|our) minds?|committed to)"
        r"|(?:we|i) (?:have|both|all|finally) (?:chosen|chose)|we chose|i've chosen|we've (?:chosen|picked)"
        r"|(?:we|we've|we have) (?:\w+ ){1,4}and decided (?:not to|to|on|that|against)"
        r"|let's (?:go|stick) with|(?:we're|we are|we'll|we will) (?:going|go|sticking|stick|staying) with"
        r"|(?:the|our|my) (?:final )?decision is(?! (?:not|pending|still|due|hard|up))|it's (?:decided|settled)"
        r"|decision made",
        "problem_solved": r"(?:i|we|that|this|it|she|he|they|restarting|upgrading)(?:'ve| have| has)?(?: finally|"
        r" just| now| actually)?"
        r" (?:fixed|solved|resolved|sorted out|cured) (?:it|the|this|that|my|our|everything|all)"
        rf"|(?:fixed|solved|resolved|found and fixed) (?:it|(?:the|this|that|our|my) (?:[\w-]+ ){{0,2}}(?:{TROUBLE}))"
        r"|(?:it|that|this|everything|login|the \w+)(?:'s| is)? (?:works|working) (?:now|again|perfectly|like a"
        r" charm|at last)"
        r"|that (?:did it|worked|did the trick|was it)|(?:problem|issue|mystery) solved"
        rf"|(?:{TROUBLE}|error message|warning)(?:'s| is| has been| was| are)(?: now| finally| completely)?"
        rf" (?:fixed|solved|resolved|gone)"
        r"|no longer (?:crashes|fails|hangs|leaks|times out|happens)"
        r"|(?:all )?(?:the )?tests (?:are )?(?:all )?(?:pass|passing|green) (?:now|again)|(?:i|we) (?:figured"
        r"|worked) it out",
        "breakthrough": r"(?:a|the|real|major|huge) breakthrough|eureka|(?:finally|suddenly) (?:figured|worked)"
        r" (?:it |\w+ )?out"
        r"|(?:finally|suddenly) (?:cracked|understood|understand|clicked|nailed|see why|solved|made sense"
        r"|makes sense)"
        r"|it (?:all )?(?:just )?clicked|(?:i|we)(?:'ve)? cracked (?:it|the)|(?:total|real|huge) game.changer"
        r"|now (?:i|we) (?:finally )?(?:get|understand|see) (?:it|why|how)|(?:\d+|ten|a hundred|hundreds of) ?(?:x"
        r"|times) faster",
        "issue_identified": rf"(?:root cause|(?:the|our|my|real|actual|main) (?:\w+ )?(?:{TROUBLE}))(?: here)?"
        rf" (?:is|was|turned out to be|lies|comes from)"
        r"(?! (?:not|gone|fixed|solved|resolved|that you|back))"
        rf"|(?:found|discovered|spotted|identified|tracked down|noticed) (?:the|a|an|our|where the) (?:[\w-]+"
        rf" ){{0,2}}(?:{TROUBLE})"
        r"|(?:there's|there is|we have|i have|we've got|i'm seeing|we're seeing|i'm getting|we're getting|we hit|i"
        r" hit)"
        r" an? (?:[\w-]+ ){0,2}(?:bug|leak|race condition|regression|outage|security hole|vulnerability|deadlock"
        r"|500 error|crash|data loss)"
        r"|(?:production|prod|the (?:site|server|build|deployment|pipeline|database|api|app|website|checkout))"
        r" (?:is|went|just went|has gone) (?:down|broken|red|offline)"
        r"|(?:keeps|started) (?:crashing|failing|timing out|hanging|freezing|leaking)",
        "task_completed": rf"{HAVE} (?:finished|completed|shipped|deployed|released|launched|published|submitted"
        rf"|merged|delivered|wrapped up|handed in|migrated|signed(?! up| in)|passed) (?!(?:[\w'-]+"
        rf" ){{0,4}}(?:{IDLE})\b)"
        r"(?!(?-i:The \p{Lu}))\w+"
        r"|(?:is|are|it's|they're) (?:now |finally |all )?(?:live|deployed|shipped|merged|released|in production"
        r"|signed and sent)"
        r"|(?:migration|report|release|thesis|draft|project|setup|presentation|chapter|homework|refactoring"
        r"|rollout|paperwork|application)"
        r" (?:is|are) (?:now |finally |all )?(?:done|finished|complete|completed|submitted|ready)|went live",
        "pivot": r"change of (?:plans?|direction|course)|(?:i|we)(?:'ve| have)? changed (?:my|our) minds?"
        r"|(?:change|changed|changing) (?:of )?(?:direction|course|the plan|our plan|our approach|plans)"
        r"|(?:we're|we are|i'm|i am) (?:now )?(?:pivoting|switching (?:from|to|over)|scrapping|abandoning|dropping"
        r"|moving away from)"
        r"|(?:i|we)(?:'ve| have)? (?:switched|pivoted|moved away) (?:from|to|over)|let's (?:scrap|pivot|start over"
        r"|drop)"
        r"|on second thoughts?|new plan|we(?:'re| are) starting (?:over|from scratch)|(?:i|we) (?:scrapped"
        r"|abandoned|threw out)",
    },
    denied=r"not|never|haven't|hasn't|hadn't|didn't|don't|doesn't|isn't|aren't|wasn't|won't|can't|cannot|couldn't"
    r"|without"
    r"|when|once|until|till|before|as soon as|by the time|while|will be|to be|need|needs|want|wants|want to|hope"
    r"|hoping"
    r"|hopefully|try|trying|going to|no|nothing|yet to|how|why|what|which|where|who|last year|years ago|he|she|they"
    r"|please|you|your|can|has anyone",
    breaks="but|and|so|because|however|although|though|then",
    strong=r"finally|at last|huge|major|massive|critical|crucial|big|urgent|officially|after (?:weeks|months|days"
    r"|hours|years|all)|everything|definitely",
    remember=r"(?:remember|don't forget|do not forget|never forget|keep in mind|bear in mind|make a note|note down"
    r"|write down|take note)(?: ?:|,? (?:that|i|i'm|i've|my|we|we're|our))",
    events=r"meetings?|appointments?|deadlines?|interviews?|flights?|flying|exams?|dentist|doctor|surgery|wedding"
    r"|birthday"
    r"|due|presentation|demo|release|launch|check-?up|concert|conference|reservation|booking|train (?:leaves|to|from)"
    r"|visiting|court|viewing|moving (?:day|to|into|out)|graduation|call with|dinner with|lunch with|party|kick-?off"
    r"|review with|handover|holiday|leave for",
    past=r"had|was|were|went|did|ago|yesterday|last (?:week|month|year|night|\w+day)",
    elsewhere=r"(?!scheduled|planned|booked|invited|need|excited|confirmed|required|wed\b|red\b|bed\b|feed)\w+ed"
    r"|got|bought"
    r"|took|gave|made|said|saw|came|told|sent|met|spent|kept|left|need (?:some )?help|looking (?:for|forward)"
    r"|recommend\w*|suggest\w*|ideas|tips|advice|your",
    glad=stems("great good happy glad love loved awesome amazing perfect excellent relie success thank win won"
    " proud nice works working"
    " excit fantastic wonderful brilliant finally solved fixed better improve smooth delight enjoy"),
    sad=stems("bad sad angry hate hated awful terrible fail broke broken crash bug problem issue error wrong"
    " frustrat annoy worr"
    " stuck lost lose delay worse worst painful sorry afraid unfortunate outage leak blocked struggl disappoint"
    " stress"),
    believed=r"(?:i|we|everyone|they) (?:had |really )?(?:thought|believed|assumed)(?! (?:about|of|it over|through"
    r"|long|hard))",
    undone=r"or so (?:i|we) (?:thought|hoped)"
    r"|(?:but|yet|however|though|although|only|and|then|until|till),? (?:(?:now|then|today|later|unfortunately|sadly"
    rf"|apparently|somehow|of course),? )*(?:{IT} (?:(?:came|come|comes) back|back|returned|reappeared)"
    rf"|(?:{IT} )?(?:still (?:broken|there|here|crash\w*|fail\w*|happen\w*|not|doesn't|isn't|won't|leak\w*|the same"
    r"|an? (?:issue|problem)|occur\w*|hang\w*|wrong)|(?:happen\w*|brok\w*|crash\w*|fail\w*) again"
    r"|(?:doesn't|didn't|does not|did not) (?:work|last|help|hold|stick)"
    r"|(?:isn't|wasn't|not)(?: really| actually)? (?:fixed|gone|solved|working|it|for long)))",
)  # fmt: skip
