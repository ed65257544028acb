"""Token counts, exact for OpenAI's vocabularies and by rule of thumb for whoever wants that."""

from __future__ import annotations

from dataclasses import dataclass

from recollect.errors import InvalidInput
from recollect.ports import Tokenizer

UNCUT = 1 << 40  # tokens; no text is longer


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Counts exactly as the vocabulary's own tokenizer does, offline. Safe to share by threads."""

    name: str
    encoding: str

    def count(self, text: str) -> int:
        import toktok

        try:
            return int(toktok.truncate(text, UNCUT, self.encoding)[1])  # ten times faster than a batch of one
        except UnicodeEncodeError as error:
            raise InvalidInput("text with a lone surrogate has no tokens; it is not valid Unicode") from error


@dataclass(frozen=True, slots=True)
class Ratio:
    """Guesses `tokens` for every `characters`, rounded up."""

    name: str
    tokens: int
    characters: int

    def count(self, text: str) -> int:
        return -(-len(text) * self.tokens // self.characters)


TOKENIZERS: tuple[Vocabulary | Ratio, ...] = (
    Vocabulary("o200k", "o200k_base"),
    Vocabulary("cl100k", "cl100k_base"),
    Ratio("chars/4", 1, 4),
    Ratio("chars*0.75", 3, 4),
)


def tokenizer(name: str = "o200k") -> Tokenizer:
    """The tokenizer of exactly that name."""
    for known in TOKENIZERS:
        if known.name == name:
            return known
    raise InvalidInput(f"no tokenizer {name!r}; there are {', '.join(known.name for known in TOKENIZERS)}")
