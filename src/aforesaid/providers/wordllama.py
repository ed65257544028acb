"""The default embedder: a table of token vectors from the wordllama project, as data in this package.

`data/ORIGIN.md` says where the table comes from and under which licence.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import NamedTuple

import numpy as np

from aforesaid.errors import InvalidInput, ProviderError
from aforesaid.ports import Vectors
from aforesaid.providers.sentencepiece import SentencePieceTokenizer


def normalize(rows: Vectors) -> Vectors:
    """The rows scaled to length one. A zero row stays zero."""
    lengths = np.linalg.norm(rows.astype(np.float64), axis=1, keepdims=True)
    return (rows / np.where(lengths > 0, lengths, 1)).astype(np.float32)


DIMENSIONS = (256, 128, 64)  # the first 64 or 128 numbers of a vector can be used alone
DATA = Path(__file__).parent / "data"
SPAN = 4096  # tokens summed at once; bounds memory for a long text


class WordLlama:
    """The mean of a text's token vectors, normalized to length one. Offline, deterministic, safe for several threads.

    A vector does not depend on the other texts of a call. A blank text has the zero vector. No text is truncated.
    """

    def __init__(self, dimension: int = 256, folder: Path = DATA) -> None:
        if dimension not in DIMENSIONS:
            raise InvalidInput(f"wordllama has {', '.join(map(str, DIMENSIONS))} dimensions, not {dimension}")
        self.name = f"wordllama:{dimension}"
        self.dimension = dimension
        self._folder = folder
        self._model: WordLlamaModel | None = None
        self._loading = Lock()

    def embed(self, texts: Sequence[str]) -> Vectors:
        table, tokenizer = self._load()
        rows = np.zeros((len(texts), self.dimension), np.float32)
        for at, text in enumerate(texts):
            ids = [] if text.isspace() else tokenizer.encode(text)
            for start in range(0, len(ids), SPAN):
                rows[at] += table.take(ids[start : start + SPAN], axis=0).sum(axis=0)
        return normalize(rows)

    def _load(self) -> WordLlamaModel:
        with self._loading:
            if self._model is None:
                self._model = load_model(self._folder, self.dimension)
            return self._model


class WordLlamaModel(NamedTuple):
    table: Vectors
    tokenizer: SentencePieceTokenizer


@lru_cache(maxsize=1)
def load_model(folder: Path, dimension: int) -> WordLlamaModel:
    """Loaded once per process: it takes longer than anything else when a Memory is opened."""
    weights, vocabulary = folder / "wordllama.npy", folder / "wordllama_vocabulary.json"
    if not (weights.is_file() and vocabulary.is_file()):
        raise ProviderError(f"the default embedder's weights are not in {folder}; install aforesaid again")
    table = np.ascontiguousarray(np.load(weights)[:, :dimension], np.float32)
    table.flags.writeable = False
    return WordLlamaModel(table, SentencePieceTokenizer(json.loads(vocabulary.read_text("utf-8"))))
