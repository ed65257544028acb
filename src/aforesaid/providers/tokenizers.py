"""Token counts: exact for the vocabularies of OpenAI, or an estimate by text length."""

from __future__ import annotations

from dataclasses import dataclass

from aforesaid.errors import InvalidInput
from aforesaid.ports import Tokenizer

UNCUT = 1 << 40  # tokens; no text is longer


@dataclass(frozen=True, slots=True)
class VocabularyTokenizer:
    """Counts exactly like the tokenizer of the vocabulary, offline. Safe for several threads."""

    name: str
    encoding: str

    def count(self, text: str) -> int:
        import toktok

        try:
            return int(toktok.truncate(text, UNCUT, self.encoding)[1])  # ten times faster than a batch of one
        except UnicodeEncodeError as error:
            raise InvalidInput("text with a lone surrogate has no tokens; it is not valid Unicode") from error


@dataclass(frozen=True, slots=True)
class RatioTokenizer:
    """Estimates `tokens` tokens for every `characters` characters, rounded up."""

    name: str
    tokens: int
    characters: int

    def count(self, text: str) -> int:
        return -(-len(text) * self.tokens // self.characters)


TOKENIZERS: tuple[VocabularyTokenizer | RatioTokenizer, ...] = (
    VocabularyTokenizer("o200k", "o200k_base"),
    VocabularyTokenizer("cl100k", "cl100k_base"),
    RatioTokenizer("chars/4", 1, 4),
    RatioTokenizer("chars*0.75", 3, 4),
)


def tokenizer(name: str = "o200k") -> Tokenizer:
    """The tokenizer of exactly that name."""
    for known in TOKENIZERS:
        if known.name == name:
            return known
    raise InvalidInput(f"no tokenizer {name!r}; there are {', '.join(known.name for known in TOKENIZERS)}")
