"""Gives vectors to what came in, in the background."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import groupby

import numpy as np

from recollect.errors import ProviderError
from recollect.models import Job, Outcome
from recollect.ports import Clock, Embedder, Notes, VectorIndex
from recollect.records import Embedded, Passage

BATCH = 64  # texts in one call of the embedder
SLICE = 256  # messages of a store that is being re-embedded, per turn
SWEEP = 4096  # vectors of a retired model, per turn

FindEmbedder = Callable[[str], Embedder]


class Embedding:
    """The jobs `embed`, `note`, `reembed`, `sweep` and `near`. `find` gives the embedder of a model's name."""

    def __init__(self, vectors: VectorIndex, notes: Notes, find: FindEmbedder, clock: Clock) -> None:
        self._vectors = vectors
        self._notes = notes
        self._find = find
        self._clock = clock

    def embed(self, jobs: Sequence[Job]) -> Outcome:
        """Embeds the messages of these jobs and ends them in the same transaction."""
        return self._embed(self._vectors, jobs)

    def note(self, jobs: Sequence[Job]) -> Outcome:
        """The same for the notes of these jobs."""
        return self._embed(self._notes, jobs)

    def reembed(self, _: Sequence[Job]) -> Outcome:
        """A slice of building a new model's vectors; at the end, the switch."""
        model = self._vectors.building()
        if model is None:
            return "done"
        reached, passages = self._vectors.unbuilt(model, SLICE)
        if passages:
            self._vectors.build(model, reached, embedded(self._find(model), passages))
            return "more"
        if notes := self._notes.unbuilt(model, SLICE):
            self._notes.build(model, embedded(self._find(model), notes))
            return "more"
        return "done" if self._vectors.switch(model, self._clock()) else "more"

    def sweep(self, _: Sequence[Job]) -> Outcome:
        return "more" if self._vectors.sweep(SWEEP) else "done"

    def near(self, jobs: Sequence[Job]) -> Outcome:
        """A step towards the index of a large space."""
        return "more" if any(self._vectors.index(job) for job in jobs) else "done"

    def _embed(self, index: VectorIndex | Notes, jobs: Sequence[Job]) -> Outcome:
        model = self._vectors.serving()
        if model is None:
            raise ProviderError("no embedding model is chosen for this store yet")
        begin = time.perf_counter()
        vectors = embedded(self._find(model), index.passages(jobs))
        index.put(model, vectors, jobs, (time.perf_counter() - begin) * 1000, self._clock())
        return "ended"


def embedded(embedder: Embedder, passages: Sequence[Passage]) -> list[Embedded]:
    """A vector for each passage, and for each message of several passages one for the whole of it."""
    found: list[Embedded] = []
    for start in range(0, len(passages), BATCH):
        batch = passages[start : start + BATCH]
        vectors = np.asarray(embedder.embed([passage.text for passage in batch]), np.float32)
        if vectors.ndim != 2 or len(vectors) != len(batch) or not np.isfinite(vectors).all():
            raise ProviderError(f"embedder {embedder.name!r} did not give one finite vector for each text")
        found += [Embedded(p.message, p.part, vector) for p, vector in zip(batch, vectors, strict=True)]
    return found + _wholes(passages, found)


def _wholes(passages: Sequence[Passage], parts: Sequence[Embedded]) -> list[Embedded]:
    """The mean of a message's parts, by their tokens: no second call, and no limit on a message's length."""
    wholes = []
    pairs = zip(passages, parts, strict=True)
    for message, group in groupby(pairs, key=lambda pair: pair[0].message):
        members = list(group)
        if len(members) > 1:
            weights = np.array([max(1, passage.tokens) for passage, _ in members], np.float32)
            mean = weights @ np.stack([part.vector for _, part in members])
            length = float(np.linalg.norm(mean))
            wholes.append(Embedded(message, -1, (mean / length if length else mean).astype(np.float32)))
    return wholes
