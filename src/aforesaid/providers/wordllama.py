"""The default embedder: a table of token vectors that is part of the wordllama wheel.

The table and the tokenizer are read directly from the package folder. Importing wordllama takes four times as long,
and sets up logging for the whole process.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from aforesaid.errors import InvalidInput, ProviderError
from aforesaid.ports import Vectors

if TYPE_CHECKING:
    from tokenizers import Tokenizer


def normalize(rows: Vectors) -> Vectors:
    """The rows scaled to length one. A zero row stays zero."""
    lengths = np.linalg.norm(rows.astype(np.float64), axis=1, keepdims=True)
    return (rows / np.where(lengths > 0, lengths, 1)).astype(np.float32)


DIMENSIONS = (256, 128, 64)  # the first 64 or 128 numbers of a vector can be used alone
BATCH = 256  # texts tokenized at once; bounds memory, and more is no faster
SPAN = 4096  # tokens summed at once; bounds memory for a long text


class WordLlama:
    """The mean of a text's token vectors, normalized to length one. Offline, deterministic, safe for several threads.

    A vector does not depend on the other texts of a call. A blank text has the zero vector. No text is truncated.
    """

    def __init__(self, dimension: int = 256, folder: Path | None = None) -> None:
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
        for at, ids in enumerate(tokenize(tokenizer, texts)):
            for start in range(0, len(ids), SPAN):
                rows[at] += table.take(ids[start : start + SPAN], axis=0).sum(axis=0)
        return normalize(rows)

    def _load(self) -> WordLlamaModel:
        with self._loading:
            if self._model is None:
                self._model = load_model(self._folder or package_folder(), self.dimension)
            return self._model


class WordLlamaModel(NamedTuple):
    table: Vectors
    tokenizer: Tokenizer


def package_folder() -> Path:
    """The folder of the wordllama package, found without importing it."""
    spec = find_spec("wordllama")
    if spec is None or not spec.submodule_search_locations:
        raise ProviderError("the wordllama package is not installed; install it or name another embedder")
    return Path(spec.submodule_search_locations[0])


@lru_cache(maxsize=1)
def load_model(folder: Path, dimension: int) -> WordLlamaModel:
    """Loaded once per process: it takes longer than anything else when a Memory is opened."""
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    weights = folder / "weights" / "l2_supercat_256.safetensors"
    vocabulary = folder / "tokenizers" / "l2_supercat_tokenizer_config.json"
    if not (weights.is_file() and vocabulary.is_file()):
        raise ProviderError(f"wordllama's weights are not in {folder}; install wordllama again")
    table = np.ascontiguousarray(load_file(weights)["embedding.weight"][:, :dimension], np.float32)
    table.flags.writeable = False
    tokenizer = Tokenizer.from_file(str(vocabulary))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return WordLlamaModel(table, tokenizer)


def tokenize(tokenizer: Tokenizer, texts: Sequence[str]) -> Iterator[list[int]]:
    """Each text's token ids, in order. A blank text has none."""
    for start in range(0, len(texts), BATCH):
        batch = ["" if text.isspace() else text for text in texts[start : start + BATCH]]
        try:
            encodings = tokenizer.encode_batch_fast(batch, add_special_tokens=False)
        except TypeError as error:
            raise InvalidInput("text with a lone surrogate is not valid Unicode and has no vector") from error
        yield from (encoding.ids for encoding in encodings)
