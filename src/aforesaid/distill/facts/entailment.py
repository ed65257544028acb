"""Decides whether a sentence says a claim: the same person, modality, tense, polarity and numbers, and no new words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile
from typing import Literal

import regex

from aforesaid.distill.facts.assertion import detect_language
from aforesaid.distill.grammar import ClaimGrammar, compile_search, search
from aforesaid.distill.languages import GRAMMARS_BY_CODE
from aforesaid.distill.languages.claim_words import (
    AUXILIARY,
    BE,
    BECOME,
    ENDED,
    FIRST,
    FOLLOWING,
    HAVE,
    IRREGULAR,
    JOINS,
    LIGHT,
    MINE,
    NUMBERS,
    OF_ATTRIBUTE,
    OPPOSITION,
    OTHER,
    OWNERS,
    PLANNING,
    PREPOSITIONS,
    SLOTS,
    THEIRS,
    USER,
    WAS,
)
from aforesaid.models.fact import Claim
from aforesaid.text.analyzer import index_terms
from aforesaid.text.normalize import normalize

Entailment = Literal["said", "unclear", "not said", "unsupported"]
Disagreement = Literal["condition", "negation", "plan", "past"]

MOST_NEW = 1 / 3  # share of a claim's words that may be new; one word always may
LEAST_SIMILARITY = 0.6  # common beginning of two forms of a word, as a share of the longer one
SHORTEST_STEM = 4  # letters of that beginning
LONGEST_GAP = 6  # words of the sentence between two words of a claim
LONGEST_HINT = 300  # characters before a passage that show its language
BARE_ANSWER = 5  # words of an answer that is read together with its question

_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+(?:['’.,:\-][\p{L}\p{M}\p{N}]+)*")

_CLAIMED = {name: regex.compile(rf"(?:(?<!\w)|(?=\p{{Han}}))(?:{words})") for name, (words, _) in SLOTS.items()}
_PROVED = {
    name: regex.compile(rf"(?:(?<!\w)|(?=[\p{{Han}}\p{{Hiragana}}\p{{Katakana}}]))(?:{'|'.join(filter(None, words))})")
    for name, words in SLOTS.items()
}

_DENSE_OTHER = regex.compile(
    r"我(?:的)?(?:妹妹|姐姐|哥哥|弟弟|妈妈|爸爸|母亲|父亲|妻子|老婆|丈夫|老公|儿子|女儿|朋友|同事|老板|孩子|奶奶|爷爷)"
    r"|(?:妹|姉|兄|弟|母|父|妻|夫|息子|娘|友達|友人|同僚|上司)(?=[はがの])|[他她彼]"
)
_STATE = regex.compile(  # "to be" and "to have" in other languages
    r"\b(?:bin|sind|soy|somos|suis|sommes|sono|siamo|sou|somos|ben|zijn|es|est|è|é|ist|habe|haben|tengo|tenemos|j'ai|avons|ho"
    r"|abbiamo|tenho|temos|heb|hebben)\b|是|有|です|ある|いる|飼"
)
_PAUSE = regex.compile(r"[,;:(–—，、；：]\s*")
_LEADS = frozenset({"that", "if", "to", "whether", "told", "said"})  # words before a subject that is thought or told of


@dataclass(frozen=True, slots=True)
class Passage:
    """What a claim may use: the sentences of its quote, and the quote's span in them. `before` is what was said before
    them, which names whom a pronoun means. `years` are those that a model may add."""

    text: str
    quote: tuple[int, int]
    before: str = ""
    years: str = ""

    @property
    def quoted(self) -> str:
        return self.text[slice(*self.quote)]


@dataclass(frozen=True, slots=True)
class _Token:
    word: str
    start: int
    capital: bool


@dataclass(frozen=True, slots=True)
class _Cover:
    """Where the words of a claim are in a passage, in the claim's order; None for those of the text before it."""

    places: tuple[int | None, ...]
    new: tuple[str, ...]
    missing: bool  # a number, a name or a slot that the passage does not have

    @property
    def found(self) -> list[int]:
        return [place for place in self.places if place is not None]


def proves_slot(attribute: str, passage: Passage) -> Entailment:
    """Whether the passage has a word for the slot that an attribute names. An unknown attribute needs none."""
    slots = _slots(attribute)
    if all(_PROVED[name].search(_evidence(passage)) for name in slots):
        return "said"
    whole = _folded(attribute)
    plain = whole in OF_ATTRIBUTE or any(_CLAIMED[name].fullmatch(whole) for name in slots)
    return "unsupported" if plain or len(whole.split()) == 1 else "unclear"


def fits_slot(claim: Claim, passage: Passage) -> Entailment:
    """Whether the text of a claim is about its subject, and has its value. "user's sister is allergic" is no allergy of
    the user, and who moved from Leeds does not live there."""
    words, attribute = [token.word for token in _tokens(claim.text)], claim.attribute or ""
    if claim.subject == "user" and attribute and "user's" in words[:2]:
        owner = [word for word in takewhile(lambda word: word not in BE, words) if word not in LIGHT][:2]
        named = any(_same(word, token.word) for word in owner for token in _tokens(attribute))
        if not named and not _slots(" ".join(owner)) & _slots(attribute):
            return "not said" if _slots(attribute) else "unclear"
    mentioned = {"user", "user's"} & {*words} or not claim.text.isascii()
    if claim.subject == "user" and _slots(attribute) and not (mentioned or words[:1][0] in USER):
        return "unclear"
    value = _folded(claim.value or "")
    left = value and f"from {value}" in _folded(passage.text) and not {"origin", "birthday"} & _slots(attribute)
    own = [token.word for token in _tokens(value) if token.word not in LIGHT]
    return "unclear" if left or not all(any(_same(each, word) for word in words) for each in own) else "said"


def same_topic(one: str, other: str) -> bool:
    """Returns True if two notes are about the same slot, or have a word in common that is not of any note."""
    slots, others = _slots(one), _slots(other)
    if slots and others:
        return bool(slots & others)
    words = [token.word for token in _tokens(other) if token.word not in LIGHT]
    return any(_same(token.word, word) for token in _tokens(one) if token.word not in LIGHT for word in words)


def has_words(words: str, passage: Passage) -> bool:
    """Returns True if a passage has the numbers and names of a text, and at least two thirds of its other words."""
    cover = _cover(words, _tokens(passage.text), passage)
    return not cover.missing and len(cover.new) <= MOST_NEW * (len(cover.new) + len(cover.places))


def has_all_words(words: str, passage: Passage) -> bool:
    """Returns True if a passage itself has every word of a text that is not light, in any form, and there is one."""
    tokens = _tokens(passage.text)
    own = [token.word for token in _tokens(words) if token.word not in LIGHT or any(map(str.isdigit, token.word))]
    return bool(own) and all(any(_same(word, token.word) for token in tokens) for word in own)


def has_any_word(words: str, passage: Passage) -> bool:
    """Returns True if a quote itself has a word of a text that is not light, in any form."""
    quoted = [token for token in _tokens(passage.text) if _within(token, passage)]
    own = [token.word for token in _tokens(words) if token.word not in LIGHT]
    return any(_same(word, token.word) for word in own for token in quoted)


def disagreement(note: str, label: str, passage: Passage) -> Disagreement | None:
    """What a passage is and a note with its label is not: a condition, a negation, a plan or past."""
    tokens = _tokens(passage.text)
    near = [place for place in _cover(note, tokens, passage).found if _within(tokens[place], passage)]
    language = detect_language(f"{passage.text} {passage.before[-LONGEST_HINT:]}")
    anchor = tokens[max(near)].start if near and language.spaced else passage.quote[1]
    return _disagreement(note, label, passage.text, anchor, language)


def entails(note: str, label: str, passage: Passage) -> Entailment:
    """Whether a passage says a note about the user or somebody else. `label` names what it is stored as: a "goal", say.

    "said" needs all of: every word of the note is in the passage, or in the table of its slot; the same order; the same
    person, numbers, polarity, modality and tense.
    """
    tokens = _tokens(passage.text)
    cover = _cover(note, tokens, passage)
    near = [place for place in cover.found if _within(tokens[place], passage)]
    language = detect_language(f"{passage.text} {passage.before[-LONGEST_HINT:]}")
    anchor = tokens[max(near)].start if near and language.spaced else passage.quote[1]
    if near and note.lower().startswith("user has") and {token.word for token in tokens[: near[0]][-2:]} & MINE:
        label = f"{label} plan"  # a plan for what the user has already
    if not _agrees(note, label, passage.text, anchor, language):
        return "not said"
    if cover.missing or not near or len(cover.new) > max(1, MOST_NEW * (len(cover.new) + len(cover.places))):
        return "unsupported"
    person = _person(note, tokens, cover, language)
    if person != "said" or cover.new:
        return "not said" if person == "not said" else "unclear"
    broken = language.code == "en" and not _unbroken(tokens, cover.found, passage.text)
    return "unclear" if broken else "said"


def _agrees(note: str, label: str, text: str, at: int, language: ClaimGrammar) -> bool:
    """Returns True if the note has the condition, the negation, the modality and the time of its clause."""
    if _disagreement(note, label, text, at, language) is not None:
        return False
    whole = f"{note} {label}"
    english = GRAMMARS_BY_CODE["en"]
    denials = (language.negation, english.negation, OPPOSITION)
    noted = any(search(each, each.negation, whole) for each in (language, english))
    return not noted or any(search(language, each, text) for each in denials)


def _disagreement(note: str, label: str, text: str, at: int, language: ClaimGrammar) -> Disagreement | None:
    """The first of these that the clause of the note has, and the note has not."""
    english = GRAMMARS_BY_CODE["en"]
    whole, near, before = f"{note} {label}", _clause(language, text, at), _own_clause(language, text, at)

    rules: tuple[tuple[Disagreement, str, str, str, str], ...] = (
        ("condition", language.condition, english.condition, PLANNING, text[:at]),
        ("negation", language.negation, english.negation, OPPOSITION, near),
        ("plan", language.plan, english.plan, PLANNING, before),
        ("past", language.past, english.past, WAS, before),
    )
    for name, own, in_english, also, words in rules:
        noted = search(language, own, whole) or any(search(english, each, whole) for each in (in_english, also))
        if not (noted or (name == "past" and _is_past(note))) and search(language, own, words):
            return name
    return None


def _person(note: str, tokens: Sequence[_Token], cover: _Cover, language: ClaimGrammar) -> Entailment:
    """Whether the note and the passage are about the same person, and do the same with their words."""
    words = [token.word for token in _tokens(note)]
    about_user = bool(USER & set(words[:2]))
    if language.code != "en":
        return _foreign_person(about_user, words, tokens, cover, language)
    first = cover.found[0]
    if about_user:
        return _predicate(words, tokens, cover)
    if words[:1] == ["user's"] or words[:2] == ["the", "user's"]:
        near = {token.word for token in tokens[max(0, first - 3) : first]}
        if any(word.endswith("'s") and word not in BE for word in near):
            return "unclear"
        pronoun = cover.places[0] is None and _subject(tokens, first)[0] == "other"
        return "said" if near & MINE or pronoun else "unclear"
    if cover.places[0] is None:
        return "said" if _subject(tokens, first)[0] == "other" else "unclear"
    second = cover.found[1:2]
    acts = second and "user's" not in words and _subject(tokens, second[0])[0] == "first"
    return "not said" if acts and cover.found != sorted(cover.found) else "unclear" if acts else "said"


def _predicate(words: Sequence[str], tokens: Sequence[_Token], cover: _Cover) -> Entailment:
    """Whether a passage in English says of its author what a note says of the user."""
    rest = [word for word in words if word not in ("the", "user") and (word not in AUXILIARY or word in BE | HAVE)]
    if rest[:1] == ["has"] and (rest[1:2] == ["been"] or _is_past(" ".join(rest[1:2]))):
        rest = rest[1:]
    verb, first = rest[0] if rest else "", cover.found[0]
    if verb in ("has", "have", "had"):
        return _possession(verb, tokens, first)
    person, direct, start = _subject(tokens, first)
    owned = MINE & {token.word for token in tokens[max(0, first - 2) : first]}
    if person != "first" or owned:
        named = owned or not person or any(_same(tokens[start].word, word) for word in words)
        return "unclear" if named else "not said"
    if verb in ("is", "was", "been") and tokens[first].word not in BE:
        return _state(verb, words, tokens, range(start, first))
    if not _is_past(" ".join(rest)) and verb.endswith("s") and _looks_past(tokens, first, verb):
        return "not said"
    return "said" if direct else "unclear"


def _state(verb: str, words: Sequence[str], tokens: Sequence[_Token], link: range) -> Entailment:
    """Whether the author is what follows a link, which begins with "I"."""
    between = [tokens[place].word for place in link]
    if verb == "is" and {"was", "were"} & {*between} and not {"i'm", "am", "diagnosed", "born"} & {*between}:
        return "not said"
    if any(word.endswith("ing") and word != "being" for word in between):
        return "unclear"
    slot = tokens[link.stop].word not in words and len(between) <= 2
    return "said" if slot or (len(between) <= 4 and {*between} & (BE | BECOME | {"i've"})) else "unclear"


def _possession(verb: str, tokens: Sequence[_Token], first: int) -> Entailment:
    """Whether the author has what begins at a token."""
    for back in range(first, max(-1, first - 5), -1):
        word = tokens[back].word
        if word in MINE:
            ended = ENDED & {token.word for token in tokens[max(0, back - 2) : back]}
            return "unclear" if ended else "said"
        if word.endswith("'s") and word not in BE and back < first:
            return "unclear"
        if word in HAVE or word == "with":
            person = _subject(tokens, back)[0] if word not in ("i've", "we've", "ive") else "first"
            if word == "had" and verb == "has":
                return "not said"
            return "said" if person == "first" and word != "with" else "unclear"
        if word in PREPOSITIONS and back < first:
            return "unclear"
    return "unclear"


def _foreign_person(
    about_user: bool, words: Sequence[str], tokens: Sequence[_Token], cover: _Cover, language: ClaimGrammar
) -> Entailment:
    text, lead = (" ".join(token.word for token in each) for each in (tokens, tokens[: max(cover.found)]))
    kin = search(language, language.lists.get("kin", "(?!)"), lead) if MINE & set(lead.split()) else None
    dense = _DENSE_OTHER.search(text)
    if about_user and (dense or kin or OTHER & set(lead.split())):
        return "not said" if dense or not FIRST & set(lead.split()) else "unclear"
    rest = [word for word in words if word != "user"]
    states = rest[:1] in (["is"], ["has"]) and not _slots(" ".join(rest))
    return "unclear" if states and not _STATE.search(text) else "said"


def _subject(tokens: Sequence[_Token], at: int) -> tuple[Literal["first", "other", ""], bool, int]:
    """Who does what a token says, True if only auxiliary words are between, and where the subject is."""
    direct, joined = True, False
    for place in range(at - 1, -1, -1):
        word = tokens[place].word
        if word in FIRST:
            return "first", direct, place
        if word in OTHER:
            return "other", direct, place
        if word in JOINS:
            direct = joined = True
            continue
        if word in AUXILIARY or word.endswith("ly"):
            continue
        led = {token.word for token in tokens[max(0, place - 2) : place]}
        noun = led & (MINE | THEIRS) or (tokens[place].capital if place else word not in LIGHT)
        if noun and not joined:
            return "other", direct, place
        direct = False
    return "", False, 0


def _cover(note: str, tokens: Sequence[_Token], passage: Passage) -> _Cover:
    places: list[int | None] = []
    new: list[str] = []
    missing = False
    last = -1
    evidence, before = _evidence(passage), [token.word for token in _tokens(f"{passage.before} {passage.years}")]
    pronoun = any(token.word in OTHER for token in tokens) or len(tokens) <= BARE_ANSWER
    for number, token in enumerate(_tokens(note)):
        if token.word in LIGHT and not any(map(str.isdigit, token.word)):
            continue
        at = [place for place, other in enumerate(tokens) if _same(token.word, other.word)]
        slots = _slots(token.word)
        if not at and not token.word.isascii() and (start := _folded(passage.text).find(token.word)) >= 0:
            at = [max(place for place, other in enumerate(tokens) if other.start <= start)]
        if not at and slots:
            proofs = [_PROVED[name].search(evidence) for name in slots]
            missing = missing or not any(proofs)
            start = next((proof.start() for proof in proofs if proof), 0)
            at = [max((place for place, other in enumerate(tokens) if other.start <= start), default=0)]
        if at:
            last = next((place for place in at if place > last), at[0])
            places.append(last)
        elif (pronoun or any(map(str.isdigit, token.word))) and any(_same(token.word, word) for word in before):
            places.append(None)
        else:
            missing = missing or _number(token.word).isdigit() or (token.capital and number > 0)
            new.append(token.word)
    return _Cover(tuple(places), tuple(new), missing)


def _unbroken(tokens: Sequence[_Token], found: Sequence[int], text: str) -> bool:
    """Returns True if the words of a claim are in order, near each other, with no other owner between, and complete:
    who speaks to an Italian teacher does not speak Italian."""
    if any(not 0 <= later - earlier <= LONGEST_GAP for earlier, later in pairwise(found)):
        return False
    between = (place for place in range(found[0], found[-1]) if tokens[place].word in MINE | OWNERS)
    if any({place + 1, place + 2}.isdisjoint(found) for place in between):
        return False
    last, after = tokens[found[-1]], tokens[found[-1] + 1 : found[-1] + 2]
    apart = not after or text[last.start + len(last.word) : after[0].start] != " "
    return apart or after[0].word in LIGHT | FOLLOWING or after[0].word.endswith("ing")


def _within(token: _Token, passage: Passage) -> bool:
    return passage.quote[0] - len(token.word) < token.start < passage.quote[1]


def _evidence(passage: Passage) -> str:
    """The passage, and the question before it if it is a bare answer."""
    text = _folded(passage.text)
    bare = len(_tokens(text)) <= BARE_ANSWER and passage.before.rstrip().endswith(("?", "？"))
    return f"{text} {_folded(passage.before)}" if bare else text


def _slots(note: str) -> set[str]:
    folded = _folded(note)
    named = {OF_ATTRIBUTE[word] for word in folded.split() if word in OF_ATTRIBUTE}
    return named or {name for name, words in _CLAIMED.items() if words.search(folded)}


def _is_past(note: str) -> bool:
    verb = next((word for word in _folded(note).split() if word not in ("the", "user", "never", "has")), "")
    return verb in IRREGULAR or verb.endswith("ed") or search(GRAMMARS_BY_CODE["en"], WAS, note) is not None


def _looks_past(tokens: Sequence[_Token], at: int, verb: str) -> bool:
    """Returns True if the token is a past form of the verb, not a perfect."""
    perfect = {token.word for token in tokens[max(0, at - 3) : at]} & {"have", "has", "i've", "we've", "ive", "'ve"}
    return _same(tokens[at].word, verb) and tokens[at].word.endswith("ed") and not perfect


def _clause(language: ClaimGrammar, text: str, at: int) -> str:
    """The words around a place, up to the next punctuation marks or connectives."""
    patterns = [_PAUSE, compile_search(language, language.connectives, text)]
    spans = [match.span() for pattern in patterns for match in pattern.finditer(text)]
    start = max((stop for _, stop in spans if stop <= at), default=0)
    return text[start : min((begin for begin, _ in spans if begin >= at), default=len(text))]


def _own_clause(language: ClaimGrammar, text: str, at: int) -> str:
    """The words before a place, from the last subject on that nobody thinks or hopes something of."""
    if language.code != "en":
        starts = [match.end() for match in compile_search(language, language.connectives, text).finditer(text)]
        starts += [match.end() for match in _PAUSE.finditer(text)]
        return text[max((start for start in starts if start <= at), default=0) : at + 1]
    tokens = [token for token in _tokens(text) if token.start <= at]
    for before, token in reversed(list(pairwise(tokens))):
        led = search(language, GRAMMARS_BY_CODE["en"].plan, before.word) or before.word in _LEADS
        if token.word in FIRST | OTHER and not led:
            return text[token.start : at + 1]
    return text[: at + 1]


def _same(word: str, other: str) -> bool:
    """Returns True if two words are forms of one. Numbers must be equal."""
    word, other = (each.removesuffix("'s") for each in (word, other))
    if word == other or _number(word) == _number(other):
        return True
    if any(map(str.isdigit, word)):
        return False
    if {term for term in index_terms(word) if term[0] == "w"} & {term for term in index_terms(other) if term[0] == "w"}:
        return True
    alike = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(word, other, strict=False)))
    return alike >= max(SHORTEST_STEM, LEAST_SIMILARITY * max(len(word), len(other)))


def _number(word: str) -> str:
    return NUMBERS.get(word, word)


def _folded(text: str) -> str:
    return normalize(text).lower()


def _tokens(text: str) -> list[_Token]:
    return [
        _Token(match[0].lower().replace("’", "'"), match.start(), match[0][0].isupper())
        for match in _WORD.finditer(text)
    ]
