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

    def dense(self, scope: Scope, query: Query, limit: int) -> Found:
        try:
            model = self._vectors.serving()
            if model is None:
                raise ProviderError("no embedding model is chosen for this store")
            vector = self._find(model).embed([query.text])[0]
            return Found(self._similar(scope, model, vector, limit))
        except (ProviderError, StoreDamaged) as exc:
            return Found(failure=exc)

    def _similar(self, scope: Scope, model: str, vector: Sequence[float], limit: int) -> tuple[Ranked, ...]:
        found = self._vectors.search(scope.space, scope.conversation, model, vector, limit)  # type: ignore[arg-type]
        return tuple(ranked for ranked in found if ranked.score > 0)
