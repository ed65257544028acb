"""Splits text into the tokens of a WordPiece vocabulary, as BERT's uncased models do, without a compiled package.

Frequent words are split once and cached.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache

from aforesaid.errors import InvalidInput

CJK = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002fa1f"  # each character is a word
WORD = re.compile(rf"[{CJK}]|[^\W_{CJK}]+|[^\s\w]|_")
CONTINUED = "##"  # prefix of a piece that continues a word
LONGEST = 100  # characters of a word that is split; a longer one is unknown
CACHED_WORDS = 1 << 14


class WordPieceTokenizer:
    """Words in lower case and without accents, then the longest known piece first. Safe for several threads."""

    def __init__(self, ids: Mapping[str, int]) -> None:
        self._ids = ids
        self.pieces = lru_cache(maxsize=CACHED_WORDS)(self._pieces)

    def encode(self, text: str) -> list[int]:
        """The ids of a text. Words that the vocabulary cannot spell are left out."""
        ids: list[int] = []
        for word in split_words(text):
            ids += self.pieces(word)
        return ids

    def _pieces(self, word: str) -> tuple[int, ...]:
        """The ids of a word; none if a part of it is unknown."""
        whole = self._ids.get(word)
        if whole is not None:
            return (whole,)
        found: list[int] = []
        at = 0 if len(word) <= LONGEST else len(word)
        while at < len(word):
            for end in range(len(word), at, -1):
                id = self._ids.get((CONTINUED if at else "") + word[at:end])
                if id is not None:
                    found.append(id)
                    at = end
                    break
            else:
                return ()
        return tuple(found)


def split_words(text: str) -> list[str]:
    """The words and punctuation marks of a text, in lower case and without accents. Raises InvalidInput for text that
    is not valid Unicode."""
    text = text.lower()
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise InvalidInput("text with a lone surrogate is not valid Unicode and has no vector") from error
        decomposed = unicodedata.normalize("NFD", text)
        text = "".join(char for char in decomposed if unicodedata.category(char) != "Mn")
    return WORD.findall(text)
