"""What the store knows about a question: by words and by meaning, side by side, or the reason why it cannot say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from recollect.errors import ProviderError, StoreDamaged
from recollect.ports import Embedder, VectorIndex, Vectors
from recollect.ports import Lexical as LexicalIndex
from recollect.recall import grains
from recollect.recall.grains import Around, Dense, Lexical
from recollect.recall.query import Query, named, telling, without
from recollect.records import Directory, Sought

AVERAGING = "wordllama:"  # embedders that take the mean of word vectors: common words only blur a short question

REMEMBERED = 2_000  # vectors of short texts

FindEmbedder = Callable[[str], Embedder]


@dataclass(frozen=True, slots=True)
class Words:
    """What the words of a question found, or the reason why that cannot be said."""

    found: Lexical
    failure: Exception | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """A question's vector and its model, or the reason why there is none."""

    model: str = ""
    vector: Vectors | None = None
    failure: Exception | None = None


@dataclass(frozen=True, slots=True)
class Meaning:
    """What the meaning of a question found, with the model and the vector that it was asked by, or the reason why that
    cannot be said."""

    found: Dense
    model: str = ""
    vector: Vectors | None = None
    failure: Exception | None = None


class Candidates:
    def __init__(self, lexical: LexicalIndex, vectors: VectorIndex, find: FindEmbedder) -> None:
        self._lexical = lexical
        self._vectors = vectors
        self._find = find
        self._last: Around | None = None
        self._embedded: dict[tuple[str, str], Vectors] = {}

    def words(self, space: str, directory: Directory, query: Query) -> Words:
        try:
            return Words(grains.lexical(self._around(directory), self._lexical.postings(space, query.terms)))
        except StoreDamaged as exc:
            return Words(no_words(directory, query), exc)

    def serving(self, space: str) -> str | None:
        """The name of the model that a question in this space is to be embedded by."""
        return self._vectors.serving(space)

    def asked(self, directory: Directory, query: Query, serving: str | None) -> Asked:
        """The question's vector, by this model. That may take its time, so nothing is read meanwhile."""
        try:
            embedder = self._embedder(serving)
            return Asked(embedder.name, embedder.embed([self._said(directory, query, embedder)])[0])
        except ProviderError as exc:
            return Asked(failure=exc)

    def meaning(self, space: str, directory: Directory, asked: Asked, sought: Sought) -> Meaning:
        if asked.vector is None:
            return Meaning(no_meaning(directory), failure=asked.failure)
        try:
            similar = self._vectors.similarity(space, asked.model, asked.vector, sought)
        except (ProviderError, StoreDamaged) as exc:
            return Meaning(no_meaning(directory), failure=exc)
        return Meaning(grains.dense(self._around(directory), similar), asked.model, asked.vector)

    def similarity(self, meaning: Meaning, texts: Sequence[str]) -> Sequence[float]:
        """How similar short texts without stored vectors are to a question; 0 where that cannot be said. Each is
        embedded once and remembered, since the same ones are asked for again and again."""
        if meaning.vector is None:
            return [0.0] * len(texts)
        known = {text: vector for text in texts if (vector := self._embedded.get((meaning.model, text))) is not None}
        missing = [text for text in dict.fromkeys(texts) if text not in known]
        try:
            new = dict(zip(missing, self._find(meaning.model).embed(missing), strict=True)) if missing else {}
        except ProviderError:
            return [0.0] * len(texts)
        if len(self._embedded) + len(new) > REMEMBERED:
            self._embedded.clear()
        self._embedded.update({(meaning.model, text): vector for text, vector in new.items()})
        return [float((known | new)[text] @ meaning.vector) for text in texts]

    def forget(self) -> None:
        """Drops the vectors that are remembered."""
        self._embedded.clear()

    def _around(self, directory: Directory) -> Around:
        """Made once for as long as the directory is the same."""
        last = self._last
        if last is None or last.directory is not directory:
            self._last = last = Around.of(directory)
        return last

    def _said(self, directory: Directory, query: Query, embedder: Embedder) -> str:
        """The words whose meaning is asked for: without the names of speakers, who are asked for apart."""
        names = [directory.names[number] for number in sorted(named(query.text, directory.names))]
        text = without(query.text, names)
        if embedder.name.startswith(AVERAGING):
            text = telling(text)
        return text if text.strip() else query.text

    def _embedder(self, model: str | None) -> Embedder:
        if model is None:
            raise ProviderError("no embedding model is chosen for this store")
        return self._find(model)


def no_words(directory: Directory, query: Query) -> Lexical:
    nothing = np.zeros(len(directory))
    weights = np.zeros(len(query.terms))
    return Lexical(nothing, nothing.astype(np.int64), nothing, nothing, nothing, weights)


def no_meaning(directory: Directory) -> Dense:
    return Dense(np.full(len(directory), -1.0), np.zeros(len(directory), np.int64), np.full(len(directory), -1.0))
