"""The default embedder: a table of token vectors that comes inside the wordllama wheel.

The table and the tokenizer are read straight from the package's folder. Importing wordllama itself would
take four times as long, and sets up logging for the whole process.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from recollect.errors import InvalidInput, ProviderError
from recollect.ports import Vectors
from recollect.providers.unit import unit

if TYPE_CHECKING:
    from tokenizers import Tokenizer

DIMENSIONS = (256, 128, 64)  # the model was trained so that its first 64 or 128 numbers stand on their own
BATCH = 256  # texts tokenized at once; bounds memory, more is no faster
SPAN = 4096  # tokens summed at once; a book in one text must not need its whole token matrix in memory


class WordLlama:
    """The mean of a text's token vectors, at length one. Offline, deterministic, safe to share by threads.

    A text's vector does not depend on the texts beside it. A blank text has the zero vector. No text is cut.
    """

    def __init__(self, dimension: int = 256, folder: Path | None = None) -> None:
        if dimension not in DIMENSIONS:
            raise InvalidInput(f"wordllama has {', '.join(map(str, DIMENSIONS))} dimensions, not {dimension}")
        self.name = f"wordllama:{dimension}"
        self.dimension = dimension
        self._folder = folder
        self._model: Model | None = None
        self._loading = Lock()

    def embed(self, texts: Sequence[str]) -> Vectors:
        table, tokenizer = self._load()
        rows = np.zeros((len(texts), self.dimension), np.float32)
        for at, ids in enumerate(tokenize(tokenizer, texts)):
            for start in range(0, len(ids), SPAN):
                rows[at] += table.take(ids[start : start + SPAN], axis=0).sum(axis=0)
        return unit(rows)

    def _load(self) -> Model:
        with self._loading:
            if self._model is None:
                self._model = load(self._folder or package_folder(), self.dimension)
            return self._model


class Model(NamedTuple):
    table: Vectors
    tokenizer: Tokenizer


def package_folder() -> Path:
    """Where wordllama is installed, found without importing it."""
    spec = find_spec("wordllama")
    if spec is None or not spec.submodule_search_locations:
        raise ProviderError("the wordllama package is not installed; install it or name another embedder")
    return Path(spec.submodule_search_locations[0])


@lru_cache(maxsize=1)
def load(folder: Path, dimension: int) -> Model:
    """Read once for all memories of a process: it takes longer than anything else about opening one."""
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
    return Model(table, tokenizer)


def tokenize(tokenizer: Tokenizer, texts: Sequence[str]) -> Iterator[list[int]]:
    """Each text's token ids, in order. A blank text has none."""
    for start in range(0, len(texts), BATCH):
        batch = ["" if text.isspace() else text for text in texts[start : start + BATCH]]
        try:
            encodings = tokenizer.encode_batch_fast(batch, add_special_tokens=False)
        except TypeError as error:
            raise InvalidInput("text with a lone surrogate is not valid Unicode and has no vector") from error
        yield from (encoding.ids for encoding in encodings)
