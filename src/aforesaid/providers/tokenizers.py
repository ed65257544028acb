"""Token counts: exact for the vocabularies of OpenAI, or an estimate by text length."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from zlib import crc32

from aforesaid.errors import InvalidInput
from aforesaid.ports import Tokenizer
from aforesaid.providers.byte_pairs import NO_RANK, merge_pairs

Count = Callable[[str], int]

DATA = Path(__file__).parent / "data"
UNCUT = 1 << 40  # tokens; no text is longer
CACHED_WORDS = 1 << 14
CACHED_PAIRS = 1 << 16
PYTHON_CHARACTERS = 1 << 19  # counting them in Python takes as long as loading the compiled counter
NUMBER, BUCKET, RECORD = struct.Struct("<I"), struct.Struct("<II"), 4  # of the file of a vocabulary
ENDING = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
UPPER, LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
SPACES = r"\p{White_Space}*[\r\n]+|\p{White_Space}+(?!\P{White_Space})|\p{White_Space}+"
PATTERNS = {  # as OpenAI publishes them in tiktoken
    "o200k": rf"[^\r\n\p{{L}}\p{{N}}]?{UPPER}*{LOWER}+{ENDING}|[^\r\n\p{{L}}\p{{N}}]?{UPPER}+{LOWER}*{ENDING}"
    rf"|\p{{N}}{{1,3}}| ?[^\p{{White_Space}}\p{{L}}\p{{N}}]+[\r\n/]*|{SPACES}",
    "cl100k": r"(?i:'(?:[sdmt]|ll|ve|re))|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+"
    r"| ?[^\p{White_Space}\p{L}\p{N}]++[\r\n]*+|\p{White_Space}++$"
    r"|\p{White_Space}*[\r\n]|\p{White_Space}+(?!\P{White_Space})|\p{White_Space}",
}


@dataclass(frozen=True, slots=True)
class VocabularyTokenizer:
    """Counts exactly like the tokenizer of the vocabulary, offline. Safe for several threads."""

    name: str

    def count(self, text: str) -> int:
        try:
            return counter(self.name)(text)
        except UnicodeEncodeError as error:
            raise InvalidInput("text with a lone surrogate has no tokens; it is not valid Unicode") from error


@cache
def counter(name: str) -> Count:
    return SwitchingCounter(name)


class SwitchingCounter:
    """Counts in Python, and after `PYTHON_CHARACTERS` with the compiled counter of the `fast` extra if it is installed.
    They count the same. The compiled one counts faster but takes four times as long to load, too long for a short
    command. Safe for several threads."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._characters = 0
        self._count: Count | None = None
        self._switched = False

    def __call__(self, text: str) -> int:
        self._characters += len(text)
        if self._characters > PYTHON_CHARACTERS and not self._switched:
            self._count, self._switched = compiled_counter(self._name) or self._count, True
        if self._count is None:
            self._count = python_counter(self._name)
        return self._count(text)


def compiled_counter(name: str) -> Count | None:
    try:
        import toktok
    except ImportError:
        return None
    encoding, truncate = f"{name}_base", toktok.truncate
    return lambda text: int(truncate(text, UNCUT, encoding)[1])  # ten times faster than a batch of one


class Vocabulary:
    """The ranks of the pieces of a vocabulary, in a hash table that is read as it is: loading it takes a millisecond,
    and making a dict of it a hundred. `tools/vocabulary.py` writes it.

    The file has the number of buckets, where each of them begins, where the last one ends, and the buckets. A piece is
    in the bucket of its CRC-32: its length in one byte, its rank in three, and its bytes."""

    def __init__(self, table: bytes) -> None:
        self._table = table
        (self._buckets,) = NUMBER.unpack_from(table)

    def rank(self, piece: bytes) -> int:
        table, length = self._table, len(piece)
        at, stop = BUCKET.unpack_from(table, NUMBER.size * (1 + crc32(piece) % self._buckets))
        while at < stop:
            begin = at + RECORD
            at = begin + table[begin - RECORD]
            if at - begin == length and table[begin:at] == piece:
                return int.from_bytes(table[begin - 3 : begin], "little")
        return NO_RANK


def python_counter(name: str) -> Count:
    """Counts with the vocabulary alone. A byte is written as the character of its number."""
    import regex

    vocabulary = Vocabulary((DATA / f"{name}.pieces").read_bytes())
    split = regex.compile(PATTERNS[name]).findall

    @lru_cache(maxsize=CACHED_PAIRS)
    def rank(left: str, right: str) -> int:
        return vocabulary.rank((left + right).encode("latin-1"))

    @lru_cache(maxsize=CACHED_WORDS)
    def count_word(word: str) -> int:
        written = word.encode()
        if vocabulary.rank(written) < NO_RANK:
            return 1
        return len(merge_pairs(written.decode("latin-1"), rank))

    return lambda text: sum(map(count_word, split(text)))


@dataclass(frozen=True, slots=True)
class RatioTokenizer:
    """Estimates `tokens` tokens for every `characters` characters, rounded up."""

    name: str
    tokens: int
    characters: int

    def count(self, text: str) -> int:
        return -(-len(text) * self.tokens // self.characters)


TOKENIZERS: tuple[VocabularyTokenizer | RatioTokenizer, ...] = (
    VocabularyTokenizer("o200k"),
    VocabularyTokenizer("cl100k"),
    RatioTokenizer("chars/4", 1, 4),
    RatioTokenizer("chars*0.75", 3, 4),
)


def tokenizer(name: str = "o200k") -> Tokenizer:
    """The tokenizer of exactly that name."""
    for known in TOKENIZERS:
        if known.name == name:
            return known
    raise InvalidInput(f"no tokenizer {name!r}; there are {', '.join(known.name for known in TOKENIZERS)}")
