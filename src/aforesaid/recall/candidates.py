"""Embeds a query, and scores every message of a space by BM25 and by vector similarity."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from aforesaid.errors import ProviderError, StoreDamaged, provider_failures
from aforesaid.models.index import Directory, VectorQuery
from aforesaid.ports import Embedder, Vectors
from aforesaid.recall.bm25 import DenseScores, LexicalScores, Neighborhood, dense_scores, lexical_scores
from aforesaid.recall.query import ParsedQuery, named_speakers, parse_query, without_names
from aforesaid.storage.repositories.lexical import Lexical as LexicalIndex
from aforesaid.storage.repositories.vectors import VectorIndex

MAX_CACHED_VECTORS = 2_000  # vectors of short texts

FindEmbedder = Callable[[str], Embedder]


@dataclass(frozen=True, slots=True, eq=False)
class QueryPlan:
    """A parsed query, with the embedder and the text to embed, or the reason why there is none."""

    parsed: ParsedQuery
    embedder: Embedder | None = None
    text: str = ""
    failure: ProviderError | None = None


@dataclass(frozen=True, slots=True, eq=False)
class EmbeddedQuery:
    """A query with its vector and the vector's model, or the reason why it has none. Embedding took `milliseconds`."""

    parsed: ParsedQuery
    model: str = ""
    vector: Vectors | None = None
    failure: Exception | None = None
    milliseconds: float = 0.0


class CandidateSearch:
    def __init__(self, lexical: LexicalIndex, vectors: VectorIndex, find: FindEmbedder) -> None:
        self._lexical = lexical
        self._vectors = vectors
        self._find = find
        self._last: Neighborhood | None = None
        self._text_vectors: dict[tuple[str, str], Vectors] = {}

    def lexical(self, space: str, directory: Directory, query: ParsedQuery) -> LexicalScores:
        try:
            return lexical_scores(self._neighborhood(directory), self._lexical.postings(space, query.terms))
        except StoreDamaged as exc:
            return LexicalScores.none(directory, len(query.terms), exc)

    def plan(self, space: str, directory: Directory | None, text: str, now: datetime) -> QueryPlan:
        """Reads the parameters of a query's embedding. Without a directory, nothing is embedded."""
        parsed = parse_query(text, now)
        return QueryPlan(parsed) if directory is None else self._plan(space, parsed, _embeddable(directory, parsed))

    def plan_text(self, space: str, text: str, now: datetime) -> QueryPlan:
        """Like `plan`, for a search that knows no speakers."""
        return self._plan(space, parse_query(text, now), text)

    def _plan(self, space: str, parsed: ParsedQuery, text: str) -> QueryPlan:
        model = self._vectors.serving(space)
        try:
            if model is None:
                raise ProviderError("no embedding model is chosen for this store")
            embedder = self._find(model)
        except ProviderError as exc:
            return QueryPlan(parsed, failure=exc)
        return QueryPlan(parsed, embedder, text)

    def dense(self, space: str, directory: Directory, query: EmbeddedQuery, sought: VectorQuery) -> DenseScores:
        if query.vector is None:
            return DenseScores.none(directory, query.failure)
        try:
            similar = self._vectors.similarity(space, query.model, query.vector, sought)
        except (ProviderError, StoreDamaged) as exc:
            return DenseScores.none(directory, exc)
        return dense_scores(self._neighborhood(directory), similar)

    def similarity(self, query: EmbeddedQuery, texts: Sequence[str]) -> Sequence[float]:
        """The similarity of texts without stored vectors; 0 if it cannot be computed. Their vectors are cached."""
        model, vector, cache = query.model, query.vector, self._text_vectors
        if vector is None:
            return [0.0] * len(texts)
        known = {text: cached for text in texts if (cached := cache.get((model, text))) is not None}
        missing = [text for text in dict.fromkeys(texts) if text not in known]
        try:
            with provider_failures(model):
                new = dict(zip(missing, self._find(model).embed(missing), strict=True)) if missing else {}
        except ProviderError:
            return [0.0] * len(texts)
        if len(cache) + len(new) > MAX_CACHED_VECTORS:
            cache.clear()
        cache.update({(model, text): each for text, each in new.items()})
        return [float((known | new)[text] @ vector) for text in texts]

    def forget(self) -> None:
        """Empties the cache of text vectors."""
        self._text_vectors.clear()

    def _neighborhood(self, directory: Directory) -> Neighborhood:
        """The neighbourhood of a directory, cached for the last one with the same columns."""
        last = self._last
        if last is None or last.directory.messages is not directory.messages:
            self._last = last = Neighborhood.of(directory)
        return last if last.directory is directory else replace(last, directory=directory)


def embed(plan: QueryPlan) -> EmbeddedQuery:
    """Embeds a query. Call it outside a snapshot: a model may be slow."""
    if plan.embedder is None:
        return EmbeddedQuery(plan.parsed, failure=plan.failure)
    begin = time.perf_counter()
    try:
        with provider_failures(plan.embedder.name):
            vector = plan.embedder.embed([plan.text])[0]
    except ProviderError as exc:
        return EmbeddedQuery(plan.parsed, failure=exc)
    return EmbeddedQuery(plan.parsed, plan.embedder.name, vector, milliseconds=(time.perf_counter() - begin) * 1000)


def _embeddable(directory: Directory, query: ParsedQuery) -> str:
    """The query without the names of speakers, which are matched separately."""
    names = [directory.names[number] for number in sorted(named_speakers(query.text, directory.names))]
    text = without_names(query.text, names)
    return text if text.strip() else query.text
