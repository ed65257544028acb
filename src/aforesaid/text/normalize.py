"""Unicode normalization, case and accent folding, splitting by script, and word matching in titles."""

from __future__ import annotations

import unicodedata

import regex

# Scripts written without spaces between words, and Hangul, whose words carry endings.
_DENSE_SCRIPTS = (
    "Han", "Hiragana", "Katakana", "Bopomofo", "Hangul", "Thai", "Lao", "Khmer", "Myanmar", "Yi"
)  # fmt: skip
_DENSE = "[[" + "".join(rf"\p{{scx={script}}}" for script in _DENSE_SCRIPTS) + r"]&&[\p{L}\p{N}]]"
_RUNS = regex.compile(rf"(?V1)({_DENSE}[{_DENSE}\p{{M}}]*+)|([[\S]--{_DENSE}]++)")

# Marks that are optional in these scripts, and the Arabic tatweel, which only stretches a word.
_OPTIONAL_MARKS = regex.compile(
    r"(?V1)[[\p{M}&&[\p{sc=Zinh}\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{sc=Arab}\p{sc=Hebr}]]\u0640]"
)
_INVISIBLE = regex.compile(r"(?V1)[\p{DI}--\u200c]")  # the zero-width non-joiner stays: it ends a word
_ENDLESS_MARKS = regex.compile(r"(\p{M}{30})\p{M}++")  # no language needs more, and NFKC is slow with them
_UNSTORABLE = regex.compile(r"[\x00\ud800-\udfff]")
_SAME = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "＇": "'", "′": "'", "™": " ", "℠": " "})
# Letters that look like Latin ones: those of Unicode's intentional.txt, Greek and Cyrillic letters, and small capitals.
_LOOK_ALIKES = str.maketrans(
    "ΑΒСΕΗΙЈΚΜΝΟΡЅΤΧΥΖасԁеһіϳорѕхуАВЕНКМОРТХІΟ" + "αεηικνοπρτυχωгкмнтɑɡɩꜱᴀʙᴄᴅᴇɢʜɪᴊᴋʟᴍɴᴏᴘʀᴛᴜᴠᴡʏᴢոսցօ",
    "ABCEHIJKMNOPSTXYZacdehijopsxyABEHKMOPTXIO" + "aenikvonptuxwrkmhtagisabcdeghijklmnoprtuvwyznugo",
)


def normalize(text: str) -> str:
    """NFKC with plain apostrophes and without invisible characters."""
    if text.isascii():
        return text
    limited: str = _ENDLESS_MARKS.sub(r"\1", text)
    return str(_INVISIBLE.sub("", unicodedata.normalize("NFKC", limited.translate(_SAME))))


def storable_text(text: str) -> str:
    """Replaces what no store can keep by U+FFFD: NUL characters and lone surrogates."""
    return str(_UNSTORABLE.sub("\ufffd", text))


def script_runs(text: str) -> list[tuple[str, str]]:
    """Splits a text at white space and where scripts change: pairs of a dense and a spaced run, one of them empty."""
    return list(_RUNS.findall(text))


def fold(word: str) -> str:
    """The word without case and without optional marks. Indic vowel signs stay."""
    folded = word.casefold()
    if folded.isascii():
        return folded
    return unicodedata.normalize("NFC", _OPTIONAL_MARKS.sub("", unicodedata.normalize("NFD", folded)))


def query_words(query: str) -> tuple[str, ...]:
    """The words of a query, without case and marks."""
    return tuple(fold(normalize(query)).split())


def contains_words(wanted: tuple[str, ...], *texts: str | None) -> bool:
    """Returns True if the texts contain each wanted word, whole or as part of another."""
    folded = fold(normalize("\n".join(text for text in texts if text)))
    return all(word in folded for word in wanted)


def unmasked_letters(text: str) -> str:
    """The text with plain Latin letters in place of those that only look like them."""
    return unicodedata.normalize("NFKC", text).translate(_LOOK_ALIKES)


def skeleton(word: str) -> str:
    """The plain Latin letters that a word looks like, in lower case: `system` for `ѕуstеm` with Cyrillic letters."""
    if word.isascii():
        return "".join(filter(str.isalnum, word)).lower()
    plain = unicodedata.normalize("NFKD", unmasked_letters(word))
    return "".join(filter(str.isalnum, plain)).casefold()
