"""Everything that may answer a question: by words and by meaning, side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from recollect.errors import ProviderError, StoreDamaged
from recollect.models import Ranked
from recollect.ports import Embedder, Lexical, VectorIndex
from recollect.recall.query import Query

FindEmbedder = Callable[[str], Embedder]


@dataclass(frozen=True, slots=True)
class Scope:
    """Where to look: a space, or one conversation of it."""

    space: str
    conversation: str | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """One kind of search's answer, or the reason why it has none."""

    ranked: tuple[Ranked, ...] = ()
    failure: Exception | None = None


class Candidates:
    def __init__(self, lexical: Lexical, vectors: VectorIndex, find: FindEmbedder) -> None:
        self._lexical = lexical
        self._vectors = vectors
        self._find = find

    def lexical(self, scope: Scope, query: Query, limit: int) -> Found:
        if not query.terms:
            return Found()
        try:
            return Found(tuple(self._lexical.search(scope.space, scope.conversation, query.terms, limit)))
        except StoreDamaged as exc:
            return Found(failure=exc)

    def dense(self, scope: Scope, query: Query, limit: int, also: Sequence[Ranked]) -> Found:
        """The most similar chunks, and how similar those of `also` are."""
        try:
            model = self._vectors.serving()
            if model is None:
                raise ProviderError("no embedding model is chosen for this store")
            vector = self._find(model).embed([query.text])[0]
            keys = [ranked.chunk for ranked in also]
            found = self._vectors.search(scope.space, scope.conversation, model, vector, limit, also=keys)
        except (ProviderError, StoreDamaged) as exc:
            return Found(failure=exc)
        return Found(tuple(ranked for ranked in found if ranked.score > 0))
