"""How people speak of themselves and of their work, one file a language."""

from recollect.distill.extract.languages.english import ENGLISH

LANGUAGES = (ENGLISH,)
