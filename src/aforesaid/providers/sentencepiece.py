"""Splits text into the tokens of a SentencePiece vocabulary by byte-pair encoding, as Llama 2 does, without a compiled
package.

No token has a space inside, so each word is encoded alone, and frequent words are encoded once.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from aforesaid.errors import InvalidInput
from aforesaid.providers.byte_pairs import merge_pairs

SPACE = "▁"
SPECIAL = ("<unk>", "<s>", "</s>")  # the first tokens; then one token per byte, then the pieces of text
BYTES = len(SPECIAL)
PIECES = BYTES + 256
RUN = 1 << 20  # runs of spaces are joined last, after all other pieces
WORDS = 1 << 14  # cached words


class SentencePieceTokenizer:
    """Gives the ids of `tokenizers.Tokenizer.encode` without special tokens. Safe for several threads."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self._ids = {piece: id for id, piece in enumerate(vocabulary) if id >= PIECES}
        joined = "".join(piece for piece in self._ids if len(piece) > 1)
        inside = "".join(
            map(re.escape, sorted(set(joined) - {SPACE}))
        )  # other characters are always tokens of their own
        self._words = re.compile(f"{SPACE}+[{inside}]*|[{inside}]+|.", re.DOTALL)
        self._special = re.compile(f"({'|'.join(SPECIAL)})")
        self.encode_word = lru_cache(maxsize=WORDS)(self._encode_word)

    def encode(self, text: str) -> list[int]:
        """Raises InvalidInput for text that is not valid Unicode."""
        ids: list[int] = []
        encode = self.encode_word
        for at, part in enumerate(self._special.split(text) if "<" in text else (text,)):
            if at % 2:
                ids.append(SPECIAL.index(part))
            elif part:
                for word in self._words.findall(SPACE + part.replace(" ", SPACE)):
                    ids += encode(word)
        return ids

    def _encode_word(self, word: str) -> tuple[int, ...]:
        if word not in self._ids and len(word) == 1:
            try:
                return tuple(BYTES + byte for byte in word.encode())
            except UnicodeEncodeError as error:
                raise InvalidInput("text with a lone surrogate is not valid Unicode and has no vector") from error
        return tuple(map(self._ids.__getitem__, merge_pairs(word, self._rank)))

    def _rank(self, left: str, right: str) -> tuple[int, int, int] | None:
        id = self._ids.get(left + right)
        if id is None:
            return None
        return (id if (left + right).strip(SPACE) else id + RUN, self._ids[left], self._ids[right])
