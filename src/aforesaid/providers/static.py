"""The default embedder: a table of word vectors, as data in this package.

`data/ORIGIN.md` says how `tools/distill_static_table.py` makes the table, and from what.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from aforesaid.errors import InvalidInput, ProviderError
from aforesaid.ports import Vectors
from aforesaid.providers.wordpiece import WordPieceTokenizer, split_words

DATA = Path(__file__).parent / "data"
DIMENSIONS = (256, 128, 64)  # the first 64 or 128 numbers of a vector can be used alone
SPAN = 4096  # tokens summed at once; bounds memory for a long text


def normalize(rows: Vectors) -> Vectors:
    """The rows scaled to length one. A zero row stays zero."""
    lengths = np.linalg.norm(rows.astype(np.float64), axis=1, keepdims=True)
    return (rows / np.where(lengths > 0, lengths, 1)).astype(np.float32)


class StaticEmbedder:
    """The weighted mean of a text's word vectors, normalized to length one. Offline, deterministic, safe for several
    threads.

    The length of a word's vector is its weight, so frequent words count little. A vector does not depend on the other
    texts of a call. A blank text has the zero vector. No text is truncated.
    """

    def __init__(self, dimension: int = 256, folder: Path = DATA) -> None:
        if dimension not in DIMENSIONS:
            raise InvalidInput(f"static has {', '.join(map(str, DIMENSIONS))} dimensions, not {dimension}")
        self.name = f"static:{dimension}"
        self.dimension = dimension
        self._folder = folder
        self._table: StaticTable | None = None
        self._loading = Lock()

    def embed(self, texts: Sequence[str]) -> Vectors:
        table = self._load()
        rows = np.zeros((len(texts), self.dimension), np.float32)
        for at, text in enumerate(texts):
            ids = table.encode(text)
            for start in range(0, len(ids), SPAN):
                span = ids[start : start + SPAN]
                rows[at] += table.scales[span] @ table.rows[span, : self.dimension].astype(np.float32)
        return normalize(rows)

    def _load(self) -> StaticTable:
        with self._loading:
            if self._table is None:
                self._table = load_table(self._folder)
            return self._table


class StaticTable(NamedTuple):
    """Row i times scale i is the vector of token i. The last rows, from `hashed` on, are those of unknown words."""

    rows: NDArray[np.int8]
    scales: Vectors
    tokenizer: WordPieceTokenizer
    hashed: int

    def encode(self, text: str) -> list[int]:
        """The rows of a text. A word that the vocabulary cannot spell has a row by its hash."""
        ids: list[int] = []
        for word in split_words(text):
            ids += self.tokenizer.pieces(word) or (self._hashed_row(word),)
        return ids

    def _hashed_row(self, word: str) -> int:
        return self.hashed + crc32(word.encode()) % (len(self.rows) - self.hashed)


@lru_cache(maxsize=1)
def load_table(folder: Path) -> StaticTable:
    """Loaded once per process. The rows are mapped into memory, and read when they are needed."""
    rows, scales, vocabulary = (folder / f"static_{name}" for name in ("rows.npy", "scales.npy", "vocabulary.txt"))
    if not (rows.is_file() and scales.is_file() and vocabulary.is_file()):
        raise ProviderError(f"the default embedder's table is not in {folder}; install aforesaid again")
    words = vocabulary.read_text("utf-8").split("\n")
    ids = dict(zip(words, range(len(words)), strict=True))
    return StaticTable(np.asarray(np.load(rows, mmap_mode="r")), np.load(scales), WordPieceTokenizer(ids), len(words))
