"""English stop words. They are left out of the index and of every query.

Words that are also names of months or people ("may", "don", "mark") are not stop words.
"""

_WORDS = """
a an the this that these those
i me my mine myself we us our ours ourselves you your yours yourself yourselves
he him his himself she her hers herself it its itself they them their theirs themselves
who whom whose which what when where why how
am is are was were be been being do does did doing done have has had having
can could shall should will would might must ought
and or but nor if then else than because as until while although though whether
of at by for with without about against between into through during before after above below
to from up down in out on off over under upon within onto among per via
again further once here there now
all any both each few more most other some such another either neither every much many
no not only own same so too very just also even still yet ever rather quite really
s t m d ll re ve
don't doesn't didn't isn't aren't wasn't weren't hasn't haven't hadn't
won't wouldn't can't couldn't shan't shouldn't mustn't mightn't needn't ain't
dont doesnt didnt isnt arent wasnt werent hasnt havent hadnt
wont wouldnt cant cannot couldnt shouldnt aint im ive youre youve theyre thats whats
"""
STOPWORDS = frozenset(_WORDS.split())
