"""Whether a model's words were said: all but those of any note, and few others, are the user's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import takewhile

import regex

from recollect.distill.extract.earnest import language_of
from recollect.text.scripts import fold, normal
from recollect.text.terms import index_terms

MOST_NEW = 1 / 3  # of a note's words are the model's own, or one of them
AKIN = 0.6  # of the longer of two words is how they begin alike: one is a form of the other
SHORTEST = 4  # letters that they have in common at least

_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+(?:['’.\-][\p{L}\p{M}\p{N}]+)*")
_NOTED = """
user users person project team name named called call known lives live living resides located based home
works work working worked employed job occupation profession role has have having own owns owned
likes like liked loves love enjoys enjoy prefers prefer preferred preference favourite favorite interested
dislikes dislike hates hate avoids avoid wants want needs need requires require plans plan planning goal aims aim
intends intend wishes decided decides decision chose chosen chooses choose picked uses use using used speaks speak
comes come originally origin born age aged years old rides ride drives drive goes go currently now also
says said states stated mentions mentioned identifies considers
nutzer nutzers nutzerin benutzer anwender utilisateur utilisatrice usuario usuaria utente usuário usuária gebruiker
"""
_CONFIRMING = """
yes yeah yep yup sure okay right exactly correct indeed true absolutely definitely certainly agreed thanks please lol
haha genau stimmt richtig klar sicher danke oui exact exactement bien vrai merci claro exacto cierto vale gracias
certo esatto giusto vero grazie isso obrigado obrigada klopt precies zeker bedankt
"""
NOTED = frozenset(index_terms(_NOTED))
CONFIRMING = frozenset(index_terms(_CONFIRMING))  # what agrees with somebody else's words says none of its own


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a note by its term. `exact`: a number or a name, that nobody but the user can know."""

    term: str
    exact: bool


@dataclass(frozen=True, slots=True)
class Known:
    """A text, and its terms by how they begin."""

    text: str
    terms: Mapping[str, set[str]]

    def has(self, term: str) -> bool:
        """Whether it is there, or another form of it: a word that begins like it for the most part. Numbers are what
        they are; scripts that do not set words apart have it anywhere."""
        others = self.terms.get(_beginning(term), set())
        if term in others or (not term.isascii() and term[1:] in self.text):
            return True
        return not any(map(str.isdigit, term)) and any(_akin(term, other) for other in others)


def said(note: str, heard: str, *, near: str) -> bool:
    """Whether a note keeps to what was heard: its numbers and names are there, most of its other words too, and one at
    least stands in what is `near`, more than a yes. Words of any note ("user lives in") count only where it has no
    others."""
    words = list(_words(note))
    told = [word for word in words if word.term not in NOTED] or words
    known, close = _known(heard), _known(near)
    new = [word for word in told if not known.has(word.term)]
    if any(word.exact for word in new) or len(new) > max(1, MOST_NEW * len(told)):
        return False
    return any(close.has(word.term) for word in told if word.term not in CONFIRMING)


def _words(note: str) -> Iterator[Word]:
    common = language_of(note).marks
    for found in _WORD.finditer(note):
        name = found[0][0].isupper() and note[: found.start()].strip() != ""
        for term in index_terms(found[0]):
            number = any(map(str.isdigit, term))
            if term[0] == "w" and (number or name or (len(term) > 3 or not term.isascii())) and term[1:] not in common:
                yield Word(term, number or (name and term not in NOTED))


def _known(text: str) -> Known:
    terms: dict[str, set[str]] = {}
    for term in index_terms(text):
        terms.setdefault(_beginning(term), set()).add(term)
    return Known(fold(normal(text)), terms)


def _beginning(term: str) -> str:
    return term[: SHORTEST + 1]


def _akin(one: str, other: str) -> bool:
    alike = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one[1:], other[1:], strict=False)))
    return alike >= max(SHORTEST, AKIN * (max(len(one), len(other)) - 1))
