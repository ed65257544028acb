"""Fits the weights of text/salience.toml: prints them, and how well they tell messages that are asked for from others.

    python tools/train_salience.py longmemeval_dev60.json.gz longmemeval_dev55.json.gz [locomo.json beam.json.gz]

It trains on the project's own corpus and on the LongMemEval files that you name. A file of LoCoMo or BEAM only measures
the result; their licences do not allow training. The score of a message is that of its best sentence, so each step
of the fit moves the weights for that sentence alone.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from aforesaid.bench import beam, locomo, longmemeval, own
from aforesaid.bench.dataset import Haystack
from aforesaid.text.salience import FEATURES, sentence_features, sentences

OTHERS = 6_000  # messages of LongMemEval that no question is about
LONGMEMEVAL_WEIGHTS = 3.0, 0.3  # of its messages that are asked for, and of the others
STEPS, RATE, PENALTY, SEED = 300, 0.05, 2.0, 0
DIGITS = 1
Column = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class MessageSet:
    """The features of the sentences of messages. The sentences of a message begin at row `starts`."""

    features: Column
    starts: NDArray[np.int64]
    asked: NDArray[np.bool_]

    def best(self, weights: Column) -> tuple[Column, NDArray[np.int64]]:
        """The score of each message, and the row of the sentence that has it."""
        scores = self.features @ weights
        parts = zip(self.starts, np.split(scores, self.starts[1:]), strict=True)
        rows = np.array([start + np.argmax(part) for start, part in parts])
        return scores[rows], rows


def main(paths: Sequence[str]) -> None:
    corpus = message_set(own.load(), None)
    loaded = {path: _load(Path(path)) for path in paths}
    chats = [haystack for kind, haystacks in loaded.values() if kind == "longmemeval" for haystack in haystacks]
    training = [(corpus, (1.0, 1.0))] + ([(message_set(chats, OTHERS), LONGMEMEVAL_WEIGHTS)] if chats else [])
    weights = np.round(fit(training), DIGITS)
    for name, weight in zip((*FEATURES, "bias"), weights, strict=True):
        print(f"{name} = {weight + 0.0:.{DIGITS}f}")
    measured = {"own corpus": corpus} | {path: message_set(each, None) for path, (_, each) in loaded.items()}
    for name, messages in measured.items():
        print(f"{name}: AUC {area(messages.best(weights)[0], messages.asked):.3f}", file=sys.stderr)


def _load(path: Path) -> tuple[str, list[Haystack]]:
    for kind in (longmemeval, locomo, beam):
        if kind.__name__.rpartition(".")[2] in path.name:
            return kind.__name__.rpartition(".")[2], [kind.haystack(record) for record in kind.load(path)]
    raise SystemExit(f"{path.name}: the name of a file must say which data set it is")


def message_set(haystacks: Iterable[Haystack], others: int | None) -> MessageSet:
    """All messages, or those that are asked for and as many `others`."""
    texts: list[tuple[str, bool]] = []
    asked: list[bool] = []
    for haystack in haystacks:
        gold = frozenset().union(*(question.gold for question in haystack.questions))
        for message in haystack.messages():
            texts.append((message["content"], message["role"] == "user" or "name" in message))
            asked.append(message["id"] in gold)
    is_asked = np.array(asked)
    kept = np.arange(len(texts))
    if others is not None:
        chosen = np.random.default_rng(SEED).choice(np.flatnonzero(~is_asked), others, replace=False)
        kept = np.sort(np.concatenate([np.flatnonzero(is_asked), chosen]))
    rows, starts = list[Sequence[float]](), list[int]()
    for text, person in (texts[at] for at in kept):
        starts.append(len(rows))
        rows += [[*sentence_features(each, person=person), 1.0] for each in sentences(text) or [""]]
    return MessageSet(np.array(rows), np.array(starts), is_asked[kept])


def fit(training: Sequence[tuple[MessageSet, tuple[float, float]]]) -> Column:
    """The weights, and the bias last, by Adam."""
    weights = np.append(np.zeros(len(FEATURES)), -3.0)
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, STEPS + 1):
        slope, total = PENALTY * np.append(weights[:-1], 0.0), 0.0
        for messages, (of_asked, of_others) in training:
            scores, rows = messages.best(weights)
            each = np.where(messages.asked, of_asked, of_others)
            slope += messages.features[rows].T @ (each * (1 / (1 + np.exp(-scores)) - messages.asked))
            total += float(each.sum())
        slope /= total
        mean, square = 0.9 * mean + 0.1 * slope, 0.999 * square + 0.001 * slope**2
        weights -= RATE * mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
        print(f"\rstep {step} of {STEPS}", end="", file=sys.stderr)
    print(file=sys.stderr)
    return weights


def area(scores: Column, asked: NDArray[np.bool_]) -> float:
    """The area under the curve: how often a message that is asked for scores higher than another one."""
    _, inverse, counts = np.unique(scores, return_inverse=True, return_counts=True)
    below = np.concatenate([[0], np.cumsum(counts)[:-1]]) + (counts - 1) / 2
    positive = int(asked.sum())
    return float((below[inverse][asked].sum() - positive * (positive - 1) / 2) / (positive * (len(asked) - positive)))


if __name__ == "__main__":
    main(sys.argv[1:])
