"""How people say that something has happened, one file a language."""

from recollect.distill.moments.languages.dutch import DUTCH
from recollect.distill.moments.languages.english import ENGLISH
from recollect.distill.moments.languages.french import FRENCH
from recollect.distill.moments.languages.german import GERMAN
from recollect.distill.moments.languages.italian import ITALIAN
from recollect.distill.moments.languages.portuguese import PORTUGUESE
from recollect.distill.moments.languages.spanish import SPANISH

WAYS = {ways.code: ways for ways in (ENGLISH, GERMAN, FRENCH, SPANISH, ITALIAN, PORTUGUESE, DUTCH)}
