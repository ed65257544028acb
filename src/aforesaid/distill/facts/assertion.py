"""Checks that text is asserted by its author: not a question, a hypothetical, a negation or a quotation."""

from __future__ import annotations

import re

import regex

from aforesaid.distill.facts.claims import asserted_part, likely_languages
from aforesaid.distill.grammar import ClaimGrammar, search
from aforesaid.distill.languages import GRAMMARS_BY_CODE
from aforesaid.text.sentences import HIDDEN_MARK, ProseSentence, own_prose, prose_sentences

LEAST_OWN_SHARE = 0.5  # share of a quote's letters that are the author's own prose

TextSpan = tuple[int, int]

_LETTER = re.compile(r"\w")
_KANA = regex.compile(r"[\p{Hiragana}\p{Katakana}]")
_HAN = regex.compile(r"\p{Han}")


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
