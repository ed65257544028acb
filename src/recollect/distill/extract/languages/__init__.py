"""How people speak of themselves and of their work, one file a language."""

from recollect.distill.extract.languages.chinese import CHINESE
from recollect.distill.extract.languages.dutch import DUTCH
from recollect.distill.extract.languages.english import ENGLISH
from recollect.distill.extract.languages.french import FRENCH
from recollect.distill.extract.languages.german import GERMAN
from recollect.distill.extract.languages.italian import ITALIAN
from recollect.distill.extract.languages.japanese import JAPANESE
from recollect.distill.extract.languages.portuguese import PORTUGUESE
from recollect.distill.extract.languages.spanish import SPANISH

LANGUAGES = (ENGLISH, GERMAN, FRENCH, SPANISH, ITALIAN, PORTUGUESE, DUTCH, CHINESE, JAPANESE)
