"""What differs from script to script: where words end, and which marks readers leave out."""

from __future__ import annotations

import unicodedata

import regex

# Scripts written without spaces between words, and Hangul, whose words carry endings.
_DENSE_SCRIPTS = (
    "Han", "Hiragana", "Katakana", "Bopomofo", "Hangul", "Thai", "Lao", "Khmer", "Myanmar", "Yi"
)  # fmt: skip
_DENSE = "[[" + "".join(rf"\p{{scx={script}}}" for script in _DENSE_SCRIPTS) + r"]&&[\p{L}\p{N}]]"
_RUNS = regex.compile(rf"(?V1)({_DENSE}[{_DENSE}\p{{M}}]*+)|([[\S]--{_DENSE}]++)")

# Marks that a reader of these scripts may leave out, with the Arabic tatweel that only stretches a word.
_OPTIONAL_MARKS = regex.compile(
    r"(?V1)[[\p{M}&&[\p{sc=Zinh}\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{sc=Arab}\p{sc=Hebr}]]\u0640]"
)
_INVISIBLE = regex.compile(r"(?V1)[\p{DI}--\u200c]")  # the zero-width non-joiner stays: it ends a word
_ENDLESS_MARKS = regex.compile(r"(\p{M}{30})\p{M}++")  # no language needs more, and NFKC is slow with them
_SAME = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "＇": "'", "′": "'", "™": " ", "℠": " "})


def normal(text: str) -> str:
    """One spelling for text that reads the same: NFKC, plain apostrophes, nothing invisible."""
    if text.isascii():
        return text
    limited: str = _ENDLESS_MARKS.sub(r"\1", text)
    visible: str = _INVISIBLE.sub("", unicodedata.normalize("NFKC", limited.translate(_SAME)))
    return visible


def runs(text: str) -> list[tuple[str, str]]:
    """The text cut at white space and where scripts change: pairs of a dense and a spaced run, one empty."""
    found: list[tuple[str, str]] = _RUNS.findall(text)
    return found


def fold(word: str) -> str:
    """The word without case and without the marks that a reader may leave out. Indic vowel signs stay."""
    folded = word.casefold()
    if folded.isascii():
        return folded
    bare: str = _OPTIONAL_MARKS.sub("", unicodedata.normalize("NFD", folded))
    return unicodedata.normalize("NFC", bare)
