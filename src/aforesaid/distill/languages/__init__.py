"""The claim and episode grammars, one file per language."""

from aforesaid.distill.languages.chinese import CHINESE
from aforesaid.distill.languages.dutch import DUTCH, DUTCH_EPISODES
from aforesaid.distill.languages.english import ENGLISH, ENGLISH_EPISODES
from aforesaid.distill.languages.french import FRENCH, FRENCH_EPISODES
from aforesaid.distill.languages.german import GERMAN, GERMAN_EPISODES
from aforesaid.distill.languages.italian import ITALIAN, ITALIAN_EPISODES
from aforesaid.distill.languages.japanese import JAPANESE
from aforesaid.distill.languages.portuguese import PORTUGUESE, PORTUGUESE_EPISODES
from aforesaid.distill.languages.spanish import SPANISH, SPANISH_EPISODES

CLAIM_GRAMMARS = (ENGLISH, GERMAN, FRENCH, SPANISH, ITALIAN, PORTUGUESE, DUTCH, CHINESE, JAPANESE)
GRAMMARS_BY_CODE = {grammar.code: grammar for grammar in CLAIM_GRAMMARS}
_EPISODES = (
    ENGLISH_EPISODES, GERMAN_EPISODES, FRENCH_EPISODES, SPANISH_EPISODES, ITALIAN_EPISODES, PORTUGUESE_EPISODES,
    DUTCH_EPISODES,
)  # fmt: skip
EPISODE_GRAMMARS = {grammar.code: grammar for grammar in _EPISODES}
