"""The types of the per-language pattern tables, and the regular expressions compiled from them. A literal prefilter
rejects texts that a pattern cannot match, so most patterns are never compiled."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TypeAlias

import regex

from aforesaid.models.episode import EpisodeType
from aforesaid.text.calendar.find import LANGUAGES

RequiredWords: TypeAlias = tuple[frozenset[str], ...]  # a folded text must contain one word of each set

_TOKEN = re.compile(
    r"<\w+(?::\w+)?>"  # a gap
    r"|\((?:\?(?:P<\w+>|<?[=!]|-?[a-z]*:)|(?!\?))|\)|\|"
    r"|(?:[*+?]|\{\d*,?\d*\})[+?]?"  # a quantifier
    r"|\\p\{\w+\}|\\.|\[(?:\\.|[^\]\\])*\]"
    r"|[\w']+(?![*+?{])|[^(]",
    re.DOTALL,
)
_QUANTIFIERS = "*+?{"
_NO_LITERAL = "<\\[.^$ "  # first characters of tokens that match no fixed letter


def fold_case(text: str) -> str:
    """The text in one case. Texts that a case-insensitive pattern treats as equal are equal, with the Turkish İ too."""
    return text.replace("İ", "i").casefold()


@cache
def required_words(pattern: str) -> RequiredWords:
    """The words that every text contains in which the pattern matches. Raises `ValueError` for an unknown group."""
    tokens = deque(_TOKEN.findall(pattern))
    if sum(map(len, tokens)) < len(pattern):
        raise ValueError(f"an unknown kind of group in a pattern: {pattern!r}")
    return _group(tokens)


def _group(tokens: deque[str]) -> RequiredWords:
    """The words that the tokens up to the group's end require. Consumes the tokens."""
    branches: list[RequiredWords] = []
    while True:
        branch, another = _branch(tokens)
        branches.append(branch)
        if not another:
            return branch if len(branches) == 1 else _one_of(branches)


def _branch(tokens: deque[str]) -> tuple[RequiredWords, bool]:
    """The words that the tokens up to the branch's end require, and True if another branch follows."""
    letters: list[str] = []  # with spaces in place of anything else
    inner: list[frozenset[str]] = []
    token = ""
    while tokens and (token := tokens.popleft()) not in (")", "|"):
        group = _group(tokens) if token[0] == "(" else ()
        quantifier = tokens.popleft() if tokens and tokens[0][0] in _QUANTIFIERS else ""
        required = not quantifier.startswith(("*", "?", "{0", "{,"))
        if token[0] == "(":
            inner += group if required and token[-1] != "!" else ()
        letters += (token if required and token[0] not in _NO_LITERAL + "(" else " ", quantifier and " ")
    runs = fold_case("".join(letters)).split()
    return (*(frozenset({run}) for run in runs), *inner), token == "|"


def _one_of(branches: list[RequiredWords]) -> RequiredWords:
    if not all(branches):
        return ()
    return (frozenset[str]().union(*(max(branch, key=_selectivity) for branch in branches)),)


def _selectivity(words: frozenset[str]) -> tuple[int, int]:
    """How rare a set of words is: its shortest word counts most."""
    return min(map(len, words)), -len(words)


CompiledPattern: TypeAlias = "regex.Pattern[str]"

WORD = r"[\p{L}\p{M}\-]+"
_GAP = re.compile(r"(?<!P)<(\w+)(?::(\w+))?>")
_NO_NAME = (
    r"(?!(?:Mrs?|Ms|Dr|Prof|I|But|And|So|The|He|She|They|We|It|You|My|Our|Your|This|That|What|How|When|Where|Why|If|Is|Can|Also|Not"
    r"|Yes|OK|Please|Thanks|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|Christmas|Thanksgiving|Easter)\b)"
)
_INITIAL = r"\p{Lu}(?=\p{Ll}|['.]|\p{Lu}{0,3}(?!\p{L}))"  # of a name: no word in capitals
_LETTERS = r"(?:[\p{L}\p{M}\-]|'(?!s\b))*+"
_PARTICLES = r"(?:(?:de|da|do|dos|das|di|del|della|van|von|der|den|la|le|el|ten|ter|zu)\s){0,2}"
_NAME = (
    rf"(?-i:(?:(?:Mrs?|Ms|Dr|St)\.?\s)?{_NO_NAME}{_INITIAL}{_LETTERS}"
    rf"(?:\s{_PARTICLES}{_NO_NAME}{_INITIAL}{_LETTERS}){{0,3}})"
)
_OF = "of|the|de|del|dell[ae]|der|den|des|di|do|da|das|dos|du|la|las|los|van"
_PLACE_WORD = r"\p{Lu}(?:[\p{L}\p{M}\-]|'(?!s\b)|\.(?=\p{L}))*+"
_PLACE = (
    r"(?:(?:an?|the)\s(?:small|little|tiny|big)\s(?:town|village|city)\s(?:near|in|outside)\s)?"
    rf"(?-i:(?:(?:[Tt]he|La|El|Los|Den|Le|St\.)\s)?{_NO_NAME}{_PLACE_WORD}"
    rf"(?:\s(?:(?:am|an|aan|sur|{_OF})\s){{0,2}}{_NO_NAME}{_PLACE_WORD}){{0,3}})(?!'s)"
)
_CLAUSE = r"[^,.;:!?()\[\]{}<>\n\ufffc。，！？；：、「」–—]|(?<=\w)[.,:](?=\w)|(?<=\d)\.(?=\s\p{L})"
_HARD_END = r"\s*(?:[,;:!?](?!\w)|(?<!\d)\.(?!\w)|\.$|[()\[\]<>{}\n\ufffc。，！？；：、–—]|$)|\s-\s"
_MONTH = "|".join(dict.fromkeys(name for each in LANGUAGES for name in (*each.months, *each.short_months)))
_DATE = (
    rf"(?:\d{{1,2}}(?:st|nd|rd|th|er|º|\.)?\s?(?:(?:of|de|di|do)\s)?(?:{_MONTH})\b|(?:{_MONTH})\b(?:\s(?:the\s)?\d{{1,2}}"
    r"(?:st|nd|rd|th)?\b)?)(?:,?\s(?:de\s|del\s)?\d{4}\b)?|\d{1,4}[./-]\d{1,2}(?:[./-]\d{2,4})?|(?:\d{4}年)?\d{1,2}月\d{1,2}[日号]"
)
_NOTHING = regex.compile(r"(?!)")


@dataclass(frozen=True, slots=True)
class ClaimPattern:
    """Words that fill a slot. Gaps such as `<name>` and `<thing>` match the value, `<other:list>` a word of that list.
    `denies`: the words deny the value. `anywhere`: they need not begin a clause. `begins`: a past time next to them is
    the start of validity."""

    slot: str
    words: str
    confidence: float = 0.9
    denies: bool = False
    anywhere: bool = False
    begins: bool = False


@dataclass(frozen=True, eq=False)
class ClaimGrammar:
    """The patterns of a language for claims.

    - `marks` are frequent words that identify the language.
    - A clause begins after `connectives`; `fillers` may come before it.
    - `ends` are words that end a value, `joins` join the items of a list.
    - `doubt` makes a sentence no assertion (hypotheses, reports, wishes), `frame` introduces somebody else's text,
      `hedge` makes a claim less certain, `question` begins a question without its mark, `irony` revokes a message.
    - `condition`, `negation`, `plan` and `past` words make a clause one of these. A model's claim without such a word
      is not what the clause says.
    - `vague` values mean nothing by themselves, `pointing` words refer to the conversation, `denial` denies the value
      that follows, `change` says that a value replaces the former one.
    - `elided` are the subjects that a clause may leave out after a joining word ("I live here and [I] work there"). The
      clause before it begins with a word of `lists["subject"]`, and has none of `lists["others"]`.
    - `lists` are the word lists of the gaps. `again` is repeated before each item of a list, `alien` words are in none.
      `after` words may follow a name of several parts ("Tokyo, Japan for").
    - `spaced` is False for a script without spaces between words.
    """

    code: str
    joins: str
    doubt: str
    frame: str
    condition: str
    negation: str
    plan: str
    past: str
    hedge: str
    question: str
    irony: str
    vague: str
    patterns: tuple[ClaimPattern, ...]
    marks: frozenset[str] = frozenset()
    connectives: str = ""
    fillers: str = ""
    ends: str = ""
    articles: str = ""
    pointing: str = ""
    denial: str = ""
    change: str = ""
    elided: tuple[str, ...] = ()
    lists: dict[str, str] = field(default_factory=dict)
    spaced: bool = True


def compile_search(language: ClaimGrammar, pattern: str, text: str) -> CompiledPattern:
    """The compiled pattern for whole words, or for any characters in a script without spaces. A text that lacks
    required words gives a pattern that matches nothing."""
    return _compile(pattern, language.spaced) if may_match_text(pattern, text) else _NOTHING


def search(language: ClaimGrammar, pattern: str, text: str) -> regex.Match[str] | None:
    """The first match of a pattern in a text, by `compile_search`."""
    return compile_search(language, pattern, text).search(text)


def may_match_text(pattern: str, text: str) -> bool:
    """Returns False if the text lacks words that the pattern requires. Nothing is compiled."""
    if not pattern:
        return False
    folded = fold_case(text)
    return all(any(map(folded.__contains__, words)) for words in required_words(pattern))


def candidate_patterns(language: ClaimGrammar, text: str) -> list[ClaimPattern]:
    """The language's patterns that may match in a text, in order. Nothing is compiled."""
    folded = fold_case(text)
    words = {word for word in _vocabulary(language) if word in folded}
    return [pattern for pattern in language.patterns if not any(map(words.isdisjoint, required_words(pattern.words)))]


@cache
def compile_pattern(language: ClaimGrammar, pattern: ClaimPattern) -> CompiledPattern:
    before = r"(?<!\w)" if pattern.anywhere and language.spaced else ""
    return regex.compile(before + _filled(language, pattern.words), regex.IGNORECASE)


@cache
def clause_starts(language: ClaimGrammar) -> CompiledPattern:
    """Matches where a clause may begin: at the end of a match, or of its group `edge`, before the fillers."""
    edge = r"\b" if language.spaced else ""
    words = rf"|{edge}(?:{language.connectives}){edge}" if language.connectives else ""
    filled = rf"(?:(?:{language.fillers})\b[\s,!:]*+){{0,5}}" if language.fillers else ""
    return regex.compile(_wide(rf"(?:^|[,;:(–—…，、；：\-]{words})[\s,\"¡]*+(?P<edge>){filled}"), regex.IGNORECASE)


@cache
def _vocabulary(language: ClaimGrammar) -> frozenset[str]:
    """The required words of all the language's patterns."""
    return frozenset(word for pattern in language.patterns for words in required_words(pattern.words) for word in words)


@cache
def _compile(pattern: str, spaced: bool) -> CompiledPattern:
    return regex.compile(rf"(?<!\w)(?:{_wide(pattern)})(?!\w)" if spaced else pattern, regex.IGNORECASE)


def _filled(language: ClaimGrammar, text: str) -> str:
    pieces, at = [], 0
    for gap in _GAP.finditer(text):
        pieces += [_wide(text[at : gap.start()]), _gap(language, gap[1], gap[2])]
        at = gap.end()
    return "".join([*pieces, _wide(text[at:])])


def _gap(language: ClaimGrammar, name: str, of: str | None) -> str:
    if name == "list":
        return rf"(?:{_wide(language.lists[of or ''])})(?!\w)"
    if name == "other":
        return rf"(?P<other>{_wide(language.lists[of]) if of else WORD})"
    if name == "value":
        return rf"(?P<value>{_wide(language.lists[of or ''])})(?!\w)"
    end = _HARD_END + (_wide(rf"|\s(?:{language.ends})\b") if language.ends else "")
    after = "|".join(filter(None, (language.connectives, language.lists.get("after"))))
    whole = rf"(?={end}" + (_wide(rf"|\s(?:{after})\b)") if after else ")")
    joins = rf"(?:&|{_wide(language.joins)})"
    company = rf"(?-i:{_NO_NAME}\p{{Ll}}?[\p{{Lu}}\d](?:[\p{{L}}\p{{M}}\d\-+]|'(?!s\b)|'s{whole}|\.(?=\w))*+)"
    return {
        "name": rf"[\"“«„]?(?P<value>{_NAME})[\"”»“]?",
        "names": rf"(?P<value>{_NAME}(?:\s*(?:,\s?(?:{joins}\s)?|\s{joins}\s){_NAME}){{1,7}})",
        "place": rf"(?P<value>{_PLACE}(?:,\s{_PLACE}{whole})?)",
        "company": rf"(?P<value>(?:the\s)?{company}(?:\s(?:(?:for|für|{_OF})\s){{0,2}}{company}){{0,4}}"
        rf"(?:\s{joins}\s{company}(?:\s{company})?{whole})?)",
        "date": rf"(?:the\s)?(?P<value>{_DATE})",
        "word": r"(?P<value>[\p{L}\p{M}\-]{2,40})",
        "number": r"(?P<value>\d{1,3})",
        "thing": rf"(?P<value>(?:{_CLAUSE}){{2,60}}?)(?={end})",
        "things": rf"(?P<value>(?:{_several(language)})(?={end})"
        rf"|(?:{_CLAUSE}){{2,80}}?(?={_HARD_END}|{_next_clause(language)}))",
        "rest": r"(?P<value>[^.!?\n\ufffc]{3,200}(?:(?<=\w)\.(?=\w)[^.!?\n\ufffc]{1,100})?)",
    }[name]


def _next_clause(language: ClaimGrammar) -> str:
    """A joining word, and a word that is in no list."""
    denied = language.denial or "(?!)"
    return _wide(rf"\s*,?\s+(?:{language.joins})\s+(?!{denied})(?:{language.lists.get('alien', '(?!)')})\b")


def _several(language: ClaimGrammar) -> str:
    """Items with commas, and a joining word before the last one, or at least three items up to the end of the
    sentence."""
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
    """A pattern in which a space matches any white space, and ` ?` optional white space."""
    return text.replace(" ?", r"\s*").replace(" ", r"\s+")


@dataclass(frozen=True, eq=False)
class EpisodeGrammar:
    """The patterns of a language for episodes and pins. They match whole words; a space matches any white space.

    - `event_patterns` has one pattern per type of episode.
    - Before the event in its clause, `denied` words deny or postpone it ("not", "until"), and `believed` words mark a
      mistake ("I thought"). After it, `undone` words revoke it ("but it came back"). A clause ends at `breaks`.
    - An event has an object with a name: `generic` words are none, and `pronouns` refer to other sentences.
    - `remember` begins a request to remember something. `events` are kinds of appointments; with `past` or `elsewhere`
      words, a sentence is no appointment.
    """

    code: str
    event_patterns: Mapping[EpisodeType, str]
    denied: str
    breaks: str
    remember: str
    events: str
    past: str
    generic: str
    pronouns: str
    elsewhere: str = ""
    believed: str = ""
    undone: str = ""
