"""A question comes in: query → candidates → fuse → hits."""

from __future__ import annotations

from dataclasses import dataclass

from recollect.models import Hit, Hits
from recollect.ports import Messages
from recollect.recall.candidates import Candidates, Found, Scope
from recollect.recall.fuse import Weights, fuse
from recollect.recall.query import Query, understand

OVERFETCH = 2
FEW = 3  # fewer hits than this in a conversation, and its space is searched too


@dataclass(frozen=True, slots=True)
class Request:
    """A question: how many hits, with which weights, by words too or by meaning alone."""

    text: str
    limit: int
    weights: Weights
    hybrid: bool = True


class Recall:
    def __init__(self, messages: Messages, candidates: Candidates) -> None:
        self._messages = messages
        self._candidates = candidates

    def within(self, scope: Scope, request: Request) -> Hits:
        """The best messages of a scope, each once, best first. Equal scores keep the newer message first.

        What cannot be searched is left out and said; where nothing can be searched, this raises.
        """
        query = understand(request.text)
        limit = request.limit * OVERFETCH
        lexical = self._candidates.lexical(scope, query, limit) if request.hybrid else Found()
        dense = self._candidates.dense(scope, query, limit, lexical.ranked)
        if dense.failure and not request.hybrid:
            lexical = self._candidates.lexical(scope, query, limit)
        if dense.failure and lexical.failure:
            raise lexical.failure
        return Hits(self._hits(scope, request, query, dense, lexical), *_said(dense, lexical))

    def widening(self, scope: Scope, request: Request) -> Hits:
        """The conversation first; where that gives few hits, the rest of its space after them."""
        near = self.within(scope, request)
        if len(near) >= min(FEW, request.limit):
            return near
        wide = self.within(Scope(scope.space), request)
        known = {hit.message.id for hit in near}
        more = tuple(hit for hit in wide if hit.message.id not in known)
        return Hits((*near, *more)[: request.limit], wide.degraded, wide.warnings)

    def _hits(self, scope: Scope, request: Request, query: Query, dense: Found, lexical: Found) -> tuple[Hit, ...]:
        by_meaning = {ranked.chunk for ranked in dense.ranked}
        by_words = {ranked.chunk for ranked in lexical.ranked}
        found = self._messages.by_chunk(scope.space, sorted(by_meaning | by_words))
        texts = {key: chunk.content for key, (_, chunk) in found.items()}
        scores = fuse(dense.ranked, lexical.ranked, texts, query.identifiers, request.weights)
        best: dict[str, Hit] = {}
        for key in sorted(scores, key=lambda key: (-scores[key].total, -key)):
            message, chunk = found[key]
            best.setdefault(message.id, Hit(message, chunk, scores[key], _sources(key, by_meaning, by_words)))
        return tuple(best.values())[: request.limit]


def _sources(key: int, dense: set[int], lexical: set[int]) -> tuple[str, ...]:
    return tuple(name for name, keys in (("dense", dense), ("lexical", lexical)) if key in keys)


def _said(dense: Found, lexical: Found) -> tuple[tuple[str, ...], tuple[str, ...]]:
    failures = [(name, found.failure) for name, found in (("dense", dense), ("lexical", lexical)) if found.failure]
    return tuple(name for name, _ in failures), tuple(f"{name} search left out: {exc}" for name, exc in failures)
