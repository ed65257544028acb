"""Checks that text is asserted by its author: not a question, a hypothetical, a negation or a quotation."""

from __future__ import annotations

import re
from collections.abc import Mapping

import regex

from aforesaid.distill.facts.claims import asserted_part, likely_languages
from aforesaid.distill.grammar import ClaimGrammar, compile_search, search
from aforesaid.distill.languages import GRAMMARS_BY_CODE
from aforesaid.text.sentences import HIDDEN_MARK, ProseSentence, own_prose, prose_sentences

LEAST_OWN_SHARE = 0.5  # share of a quote's letters that are the author's own prose

TextSpan = tuple[int, int]

# Words before a claim in its sentence that make it hypothetical.
HYPOTHETICAL: Mapping[str, str] = {
    "en": r"if(?! (?:it|that|this) (?:helps|matters)| you (?:need|must|ask|care|want)| i (?:recall|remember))|unless"
    r"|suppose|supposing|assume|assuming|whether|hypothetically|in case|imagine|pretend|maybe|perhaps|possibly|might"
    r"|i wish|we wish|as if|as though|don't think|doubt|not sure|not true|thinking (?:of|about)|considering",
    "de": "wenn|falls|ob|vielleicht|eventuell|womöglich|möglicherweise|angenommen|angeblich|stell dir vor|glaube nicht",
    "fr": "si|s'il|s'ils|peut-être|éventuellement|supposons|imagine|imaginons|crois pas|pense pas",
    "es": "si|ojalá|quizás?|tal vez|a lo mejor|supongamos|imagina|no creo",
    "it": "se|magari|forse|supponiamo|immagina|non credo",
    "pt": "se(?! (?:chama|chamam|mudou|formou|casou|dedica|sente))|talvez|quem sabe|suponha|imagina"
    "|imagine|oxalá|tomara|não acho",
    "nl": "als (?:ik|we|wij|je|jij|het|er|iemand)|indien|misschien|wellicht|stel je voor|denk niet",
    "zh": "如果|要是|假如|假设|也许|可能|大概|是否",
    "ja": "もし|かもしれ|たぶん|多分|仮に|れば|なら",
}
# Words in the clause of a claim that negate it.
NEGATION: Mapping[str, str] = {
    "en": r"not|no|never|neither|nor|cannot|\w+n't|no longer",
    "de": r"nicht|kein\w*|nie|niemals|weder|ohne",
    "fr": r"ne|n'\w+|pas|jamais|aucune?|sans",
    "es": "no|nunca|jamás|tampoco|ningún|ninguna?|sin",
    "it": "non|mai|nessun[oa]?|senza",
    "pt": "não|nunca|jamais|nenhuma?|sem",
    "nl": "niet|geen|nooit|zonder",
    "zh": "不|没|别|未|非",
    "ja": "ない|ません|なかった|ず",
}
_OPPOSITION = (  # other words that negate a claim in a note
    r"none|without|dislik\w*|avoid\w*|hat(?:e[sd]?|ing)|allerg\w*|intoleran\w*|unable|refus\w*|lack\w*|against|former\w*"
    r"|stop\w*|quit\w*|instead|opposed|declin\w*|reject\w*|left|drop\w*|exclud\w*|forb\w*|prohibit\w*|ban\w*|free"
)
_LETTER = re.compile(r"\w")
_KANA = regex.compile(r"[\p{Hiragana}\p{Katakana}]")
_HAN = regex.compile(r"\p{Han}")
_PAUSE = regex.compile(r"[,;:(–—，、；：]\s*")


def is_own_words(text: str, place: TextSpan) -> bool:
    """Returns True if most of the span is the author's own prose, not code, a quotation, a list or a paste."""
    prose = own_prose(text)[slice(*place)].replace(HIDDEN_MARK, "")
    return len(_LETTER.findall(prose)) >= LEAST_OWN_SHARE * len(_LETTER.findall(text[slice(*place)]))


def detect_language(text: str) -> ClaimGrammar:
    dense = "ja" if _KANA.search(text) else "zh" if _HAN.search(text) else None
    return likely_languages(text)[0] if dense is None else GRAMMARS_BY_CODE[dense]


def asserted_sentences(text: str) -> list[ProseSentence]:
    """The sentences that their author asserts: no clauses that ask, no text of others. An ironic message has none."""
    prose = own_prose(text)
    language = detect_language(prose)
    if search(language, language.irony, prose):
        return []
    asserted: list[ProseSentence] = []
    for sentence in prose_sentences(prose):
        frame = search(language, language.frame, sentence.text)
        words = asserted_part(language, sentence)
        words = words if frame is None else words[: frame.start()]
        if words.strip():
            asserted.append(ProseSentence(words, sentence.start))
        if frame is not None and ":" in sentence.text[frame.start() :]:
            break
    return asserted


def same_polarity(note: str, sentence: ProseSentence, place: int) -> bool:
    """Returns True if the note is hypothetical or negated wherever the sentence is so at that place."""
    language = detect_language(sentence.text)
    at = max(0, place - sentence.start)
    before, clause = sentence.text[:at], _clause(language, sentence.text, at)
    english = GRAMMARS_BY_CODE["en"]
    if _has(language, HYPOTHETICAL, before) and not any(_has(each, HYPOTHETICAL, note) for each in (language, english)):
        return False
    if not _has(language, NEGATION, clause) or any(_has(each, NEGATION, note) for each in (language, english)):
        return True
    return search(english, _OPPOSITION, note) is not None


def _has(language: ClaimGrammar, words: Mapping[str, str], text: str) -> bool:
    return search(language, words[language.code], text) is not None


def _clause(language: ClaimGrammar, text: str, at: int) -> str:
    """The words around a place, up to the next punctuation marks or connectives."""
    patterns = [_PAUSE, compile_search(language, language.connectives, text)]
    spans = [match.span() for pattern in patterns for match in pattern.finditer(text)]
    start = max((stop for _, stop in spans if stop <= at), default=0)
    return text[start : min((begin for begin, _ in spans if begin >= at), default=len(text))]
