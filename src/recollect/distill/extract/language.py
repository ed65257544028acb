"""A language's ways of claiming something, and the patterns made of them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from typing import TypeAlias

import regex

from recollect.distill.extract.needs import Needs, folded, may_match, needs

Compiled: TypeAlias = "regex.Pattern[str]"

WORD = r"[\p{L}\p{M}\-]+"
_GAP = re.compile(r"(?<!P)<(\w+)(?::(\w+))?>")
_LETTERS = r"(?:[\p{L}\p{M}\-]|'(?!s\b))*+"
_NO_NAME = r"(?!(?:I|But|And|So|The|He|She|They|We|It|You|My|Our|This|That|Mrs?|Ms|Dr)\b)"
_NAME = rf"(?-i:{_NO_NAME}\p{{Lu}}{_LETTERS}(?:\s\p{{Lu}}{_LETTERS}){{0,3}})"
_PLACE = (
    r"(?:(?:an?|the)\s(?:small|little|tiny|big)\s(?:town|village|city)\s(?:near|in|outside)\s)?"
    r"(?-i:(?:(?:[Tt]he|La|El|Los|Den|Le|St\.)\s)?\p{Lu}(?:[\p{L}\p{M}'\-]|\.(?=\p{L}))*+"
    r"(?:\s(?:(?:de|of|am|an|sur|do|da|del|di|the)\s){0,2}\p{Lu}[\p{L}\p{M}'\-]*){0,3})"
)
_CLAUSE = r"[^,.;:!?()\[\]{}<>\n\ufffc。，！？；：、「」–—]|(?<=\w)[.,:](?=\w)|(?<=\d)\.(?=\s\p{L})"
_NOTHING = regex.compile(r"(?!)")


@dataclass(frozen=True, slots=True)
class Pattern:
    """Words that fill a slot. `<name>`, `<place>`, `<thing>`, … in `words` stand for what is looked for; `<other>`
    things by their own word list. Where one of the patterns has matched, only those with `also` are tried further.

    `against` says that the words deny the value, `anywhere` that they need not begin a clause, `begins` that a past
    time beside them is when it began.
    """

    slot: str
    words: str
    confidence: float = 0.9
    against: bool = False
    anywhere: bool = False
    begins: bool = False
    also: bool = False


@dataclass(frozen=True, eq=False)
class Language:
    """A language as claims are made in it.

    `marks` are frequent words that tell the language. A clause begins after `connectives`, and what `fillers` find may
    stand before it. `ends` are words that end a value. `lists` are the words that a pattern's `<list:…>` stands for;
    before each thing of a list stands `again`, and in none stands `alien`.
    `doubt` finds what takes a sentence's word away (hypotheses, reports, wishes), `frame` what turns all that follows
    into somebody else's text, `hedge` what makes a claim less sure, `question` how a question without its mark begins,
    `irony` what takes back a whole message. `vague` are values that mean nothing by themselves, `pointing` finds words
    in a value that point at something which only the conversation shows, `denial` those before a value that deny it.
    """

    code: str
    marks: frozenset[str]
    connectives: str
    fillers: str
    ends: str
    articles: str
    joins: str
    doubt: str
    frame: str
    hedge: str
    question: str
    irony: str
    vague: str
    patterns: tuple[Pattern, ...]
    pointing: str = ""
    denial: str = ""
    lists: dict[str, str] = field(default_factory=dict)
    spaced: bool = True  # whether words stand apart


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def finder(language: Language, pattern: str, text: str) -> Compiled:
    """A search in this text for whole words, or for any in a script that does not set words apart. Where the text
    lacks what the pattern needs, or the pattern is empty, one that finds nothing, and nothing is compiled."""
    if not may_hold(pattern, text):
        return _NOTHING
    return _whole(pattern) if language.spaced else _loose(pattern)


def may_hold(pattern: str, text: str) -> bool:
    """Whether a pattern may be found in a text: false where the text lacks words that it needs. Nothing is compiled."""
    return bool(pattern) and may_match(_needs(pattern), folded(text))


def candidates(language: Language, text: str) -> list[Pattern]:
    """The language's patterns that may match in a text, in their order; nothing is compiled for it."""
    plain = folded(text)
    held = {word for word in _vocabulary(language) if word in plain}
    return [pattern for pattern in language.patterns if not any(map(held.isdisjoint, _needs(pattern.words)))]


@cache
def compiled(language: Language, pattern: Pattern) -> Compiled:
    return regex.compile(_filled(language, pattern.words), regex.IGNORECASE)


@cache
def openings(language: Language) -> Compiled:
    """Where a clause may begin: the end of each match, and of its group before the fillers."""
    words = rf"|\b(?:{language.connectives})\b" if language.connectives else ""
    filled = rf"(?:(?:{language.fillers})\b[\s,!:]*+){{0,5}}" if language.fillers else ""
    return regex.compile(_wide(rf"(?:^|[,;:(–—…，、；：\-]{words})[\s,\"]*+(?P<edge>){filled}"), regex.IGNORECASE)


@cache
def _vocabulary(language: Language) -> frozenset[str]:
    """All that any of the language's patterns needs: looked for once, as many need the same."""
    return frozenset(word for pattern in language.patterns for words in _needs(pattern.words) for word in words)


@cache
def _needs(pattern: str) -> Needs:
    return needs(pattern)


@cache
def _whole(pattern: str) -> Compiled:
    return regex.compile(rf"(?<!\w)(?:{_wide(pattern)})(?!\w)", regex.IGNORECASE)


@cache
def _loose(pattern: str) -> Compiled:
    return regex.compile(pattern, regex.IGNORECASE)


def _filled(language: Language, text: str) -> str:
    pieces, at = [], 0
    for gap in _GAP.finditer(text):
        pieces += [_wide(text[at : gap.start()]), _gap(language, gap[1], gap[2])]
        at = gap.end()
    return "".join([*pieces, _wide(text[at:])])


def _gap(language: Language, name: str, of: str | None) -> str:
    if name == "list":
        return rf"(?:{_wide(language.lists[of or ''])})(?!\w)"
    if name == "other":
        return rf"(?P<other>{_wide(language.lists[of]) if of else WORD})"
    if name == "value":
        return rf"(?P<value>{_wide(language.lists[of or ''])})(?!\w)"
    end, breaks = _end(language), _wide(language.lists.get("breaks", "(?!)"))
    return {
        "name": rf"(?P<value>{_NAME})",
        "place": rf"(?P<value>{_PLACE})",
        "word": r"(?P<value>[\p{L}\p{M}\-]{2,40})",
        "number": r"(?P<value>\d{1,3})",
        "technology": r"(?P<value>\p{L}[\w+#]*+(?:\.\w++)*+(?:\s?\d[\d.]*(?<!\.))?)(?![\w+#])",
        "thing": rf"(?P<value>(?:{_CLAUSE}){{2,60}}?)(?={end})",
        "things": rf"(?P<value>(?:{_several(language)})(?={end})|(?:{_CLAUSE}){{2,80}}?(?={_hard()}))",
        "phrase": rf"(?P<value>(?:{_CLAUSE}){{3,160}}?)(?={_hard()}|\s(?:{breaks})\b)",
        "rest": r"(?P<value>[^.!?\n\ufffc]{3,200}(?:(?<=\w)\.(?=\w)[^.!?\n\ufffc]{1,100})?)",
    }[name]


def _several(language: Language) -> str:
    """Things set apart by commas, the last by a word that joins, or three and more up to the sentence's end. None has a
    word that only another clause would have."""
    again, alien = (language.lists.get(name, "(?!)") for name in ("again", "alien"))
    word = rf"(?!(?:{alien}|{language.connectives}|{language.ends}|{language.joins})(?!\w))[\p{{L}}\p{{M}}'\-]++"
    lead = rf"(?:(?:{language.joins}|{language.articles}|{again})(?:\s+|(?<='))){{0,3}}"
    pair, thing = (rf"(?&lead)(?&word)(?:\s+(?&word)){{0,{more}}}" for more in (1, 2))
    last = rf"\s*,?\s+(?:{language.joins})\s+"
    return _wide(
        rf"(?(DEFINE)(?P<word>{word})(?P<lead>{lead})(?P<thing>{thing}))"
        rf"(?:(?&thing)(?:\s*,\s+(?&thing)){{1,14}}{last}(?&thing)|(?&thing)\s*,{last}{pair}"
        r"|(?&thing)(?:\s*,\s+(?&thing)){2,15}(?=\s*[.!]*\s*$))"
    )


def _wide(text: str) -> str:
    """A space of a pattern is any white space of a text, and one with `?` behind it may be missing."""
    return text.replace(" ?", r"\s*").replace(" ", r"\s+")


def _end(language: Language) -> str:
    words = rf"|\s(?:{language.ends})\b" if language.ends else ""
    return _hard() + _wide(words)


def _hard() -> str:
    return r"\s*(?:[,;:!?](?!\w)|(?<!\d)\.(?!\w)|\.$|[()\[\]<>{}\n\ufffc。，！？；：、–—]|$)|\s-\s"
