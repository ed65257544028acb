"""Background jobs that index stored messages and notes: full text, mentioned times, and vectors."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import groupby

import numpy as np

from aforesaid.errors import ProviderError
from aforesaid.models.index import ChunkVector, EmbeddingInput
from aforesaid.models.job import Job, JobOutcome
from aforesaid.ports import Clock, Embedder
from aforesaid.storage.repositories.lexical import Lexical
from aforesaid.storage.repositories.mentions import Mentions
from aforesaid.storage.repositories.note_index import NoteIndex
from aforesaid.storage.repositories.vectors import VectorIndex
from aforesaid.text.time_expressions import time_mentions

BATCH = 64  # texts in one call of the embedder
REEMBED_BATCH = 256  # messages that one run of the job `reembed` embeds
SWEEP_BATCH = 4096  # vectors of a retired model that one run of the job `sweep` deletes

FindEmbedder = Callable[[str], Embedder]


def index_text(lexical: Lexical, jobs: Sequence[Job]) -> JobOutcome:
    """The job `index`: adds messages to the full-text index."""
    lexical.index(jobs)
    return "done"


def store_time_mentions(mentions: Mentions, clock: Clock, jobs: Sequence[Job]) -> JobOutcome:
    """The job `times`: stores the times that messages mention, and ends the jobs in the same transaction."""
    begin = time.perf_counter()
    spans = {message.message: time_mentions(message.text, message.at) for message in mentions.texts(jobs)}
    mentions.put(spans, jobs, (time.perf_counter() - begin) * 1000, clock())
    return "ended"


class EmbeddingJobs:
    """The jobs `embed`, `note`, `reembed`, `sweep` and `near`. `find` returns the embedder with a name."""

    def __init__(self, vectors: VectorIndex, notes: NoteIndex, find: FindEmbedder, clock: Clock) -> None:
        self._vectors = vectors
        self._notes = notes
        self._find = find
        self._clock = clock

    def embed(self, jobs: Sequence[Job]) -> JobOutcome:
        """Embeds messages, and ends the jobs in the same transaction."""
        return self._embed(self._vectors, jobs)

    def note(self, jobs: Sequence[Job]) -> JobOutcome:
        """Embeds notes, and ends the jobs in the same transaction."""
        return self._embed(self._notes, jobs)

    def reembed(self, _: Sequence[Job]) -> JobOutcome:
        """Embeds a batch for a new model; after the last batch, switches to that model."""
        model = self._vectors.building()
        if model is None:
            return "done"
        last, passages = self._vectors.unbuilt(model, REEMBED_BATCH)
        if passages:
            self._vectors.build(model, last, embed_passages(self._find(model), passages))
            return "more"
        if notes := self._notes.unbuilt(model, REEMBED_BATCH):
            self._notes.build(model, embed_passages(self._find(model), notes))
            return "more"
        return "done" if self._vectors.switch(model, self._clock()) else "more"

    def sweep(self, _: Sequence[Job]) -> JobOutcome:
        return "more" if self._vectors.sweep(SWEEP_BATCH) else "done"

    def near(self, jobs: Sequence[Job]) -> JobOutcome:
        """Builds one part of the approximate vector index of a large space."""
        return "more" if any(self._vectors.index(job) for job in jobs) else "done"

    def _embed(self, index: VectorIndex | NoteIndex, jobs: Sequence[Job]) -> JobOutcome:
        model = self._vectors.serving()
        if model is None:
            raise ProviderError("this store has no embedding model yet")
        begin = time.perf_counter()
        vectors = embed_passages(self._find(model), index.passages(jobs))
        index.put(model, vectors, jobs, (time.perf_counter() - begin) * 1000, self._clock())
        return "ended"


def embed_passages(embedder: Embedder, passages: Sequence[EmbeddingInput]) -> list[ChunkVector]:
    """One vector per passage, and one more for each message with several passages."""
    parts: list[ChunkVector] = []
    for start in range(0, len(passages), BATCH):
        batch = passages[start : start + BATCH]
        vectors = np.asarray(embedder.embed([passage.text for passage in batch]), np.float32)
        if vectors.ndim != 2 or len(vectors) != len(batch) or not np.isfinite(vectors).all():
            raise ProviderError(f"embedder {embedder.name!r} did not return one finite vector for each text")
        parts += [ChunkVector(p.message, p.part, vector) for p, vector in zip(batch, vectors, strict=True)]
    return parts + _message_vectors(passages, parts)


def _message_vectors(passages: Sequence[EmbeddingInput], parts: Sequence[ChunkVector]) -> list[ChunkVector]:
    """The mean of the parts of each message, weighted by tokens. It needs no call of the embedder."""
    wholes = []
    pairs = zip(passages, parts, strict=True)
    for message, group in groupby(pairs, key=lambda pair: pair[0].message):
        members = list(group)
        if len(members) > 1:
            weights = np.array([max(1, passage.tokens) for passage, _ in members], np.float32)
            mean = weights @ np.stack([part.vector for _, part in members])
            length = float(np.linalg.norm(mean))
            wholes.append(ChunkVector(message, -1, (mean / length if length else mean).astype(np.float32)))
    return wholes
