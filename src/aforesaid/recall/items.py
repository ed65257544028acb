"""Finds items, by words, by meaning and by their values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from itertools import islice

import numpy as np

from aforesaid.models.index import NoteDirectory
from aforesaid.models.item import ItemHit, ItemQuery, Namespace
from aforesaid.recall.bm25 import Column, Mask, idf
from aforesaid.recall.candidates import CandidateSearch, EmbeddedQuery, embed
from aforesaid.recall.item_filter import Matches, parse_item_filter, required_text
from aforesaid.recall.scoring import top_positions
from aforesaid.storage.repositories.items import stored_namespace
from aforesaid.storage.store import Store

BATCH, LARGEST_BATCH = 64, 2_000  # items that are read at once: the first time, and at most


class ItemSearch:
    def __init__(self, store: Store, candidates: CandidateSearch, now: Callable[[], datetime]) -> None:
        self._store = store
        self._candidates = candidates
        self._now = now

    def find(self, space: str, query: ItemQuery) -> list[ItemHit]:
        """Without a text, the latest update first; with one, the items that share a word or a meaning with it, best
        first. The score is the mean of the share of the words, weighted by how rare they are, and of the similarity of
        the vectors; without vectors, the share of the words alone."""
        matches = parse_item_filter(query.filter)
        if query.text is None and not query.filter:
            items = self._store.items.page(space, query.namespace, query.limit, query.offset)
            return [ItemHit(item, None) for item in items]
        if query.text is None:
            part = required_text(query.filter) or ""
            found = self._store.items.matching(space, query.namespace, part, matches)
            return [ItemHit(item, None) for item in islice(found, *_range(query))]
        embedded = embed(self._candidates.plan_text(space, query.text, self._now()))
        with self._store.snapshot(space):
            return list(islice(self._ranked(space, query.namespace, embedded, matches), *_range(query)))

    def _ranked(self, space: str, namespace: Namespace, query: EmbeddedQuery, matches: Matches) -> Iterator[ItemHit]:
        directory = self._store.notes.items(space)
        scores, size = self._scores(space, directory, query), BATCH
        among = _below(directory, namespace) & (scores > 0)
        while among.any():
            at = top_positions(scores, among, size)
            among[at] = False
            keys = directory.keys[at].tolist()
            items = self._store.items.of_notes(space, keys, matches)
            self._store.notes.drop(space, [key for key in keys if key not in items])
            for key, score in zip(keys, scores[at].tolist(), strict=True):
                item = items.get(key)
                if item is not None:
                    yield ItemHit(item, min(score, 1.0))
            size = min(size * 4, LARGEST_BATCH)

    def _scores(self, space: str, directory: NoteDirectory, query: EmbeddedQuery) -> Column:
        words = self._words(space, directory, query)
        if query.vector is None:
            return words
        meaning = np.zeros(len(directory))
        similar = self._store.notes.similarity(space, query.model, query.vector)
        at, known = directory.places(similar.chunks)
        meaning[at[known]] = np.clip(similar.scores[known], 0, 1)
        scores: Column = (words + meaning) / 2
        return scores

    def _words(self, space: str, directory: NoteDirectory, query: EmbeddedQuery) -> Column:
        """The share of the query's terms that each item has, weighted by IDF."""
        part, whole = np.zeros(len(directory)), 0.0
        terms = query.parsed.terms
        for keys in self._store.notes.having(space, terms, "item"):
            weight = idf(len(keys), len(directory))
            whole += weight
            if len(keys):
                at, known = directory.places(keys)
                part[at[known]] += weight
        return part / whole if whole else part


def _below(directory: NoteDirectory, namespace: Namespace) -> Mask:
    """The items of a namespace and below it."""
    start = stored_namespace(namespace)
    if not start:
        return np.ones(len(directory), bool)
    numbers = [number for number, name in enumerate(directory.names) if name.startswith(start)]
    return np.isin(directory.types, numbers)


def _range(query: ItemQuery) -> tuple[int, int]:
    return query.offset, query.offset + query.limit
