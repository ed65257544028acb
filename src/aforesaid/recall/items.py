"""Finds items, by words, by meaning and by their values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from itertools import islice

import numpy as np

from aforesaid.ids import microseconds
from aforesaid.models.index import NoteDirectory
from aforesaid.models.item import Item, ItemHit, ItemQuery, Namespace
from aforesaid.models.recall import Hit, Score
from aforesaid.recall.bm25 import Column, Mask, idf
from aforesaid.recall.candidates import CandidateSearch, EmbeddedQuery, embed
from aforesaid.recall.fuse import Weights, relevance_of_total
from aforesaid.recall.item_filter import Matches, parse_item_filter, required_text
from aforesaid.recall.notes import MIN_SIMILARITY
from aforesaid.recall.scoring import recency, top_positions
from aforesaid.storage.columns import json_text
from aforesaid.storage.repositories.items import IMPORTANCE, stored_namespace
from aforesaid.storage.store import Store
from aforesaid.text.field_paths import searched_text

Ranked = tuple[Item, float, float, float]  # its score, the share of the words, the similarity

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
            ranked = self._ranked(space, query.namespace, embedded, matches)
            return [ItemHit(item, score) for item, score, _, _ in islice(ranked, *_range(query))]

    def recall(self, space: str, query: ItemQuery, weights: Weights) -> list[Hit]:
        """The items that share a word or a meaning with a query, as hits of a recall."""
        embedded = embed(self._candidates.plan_text(space, query.text or "", self._now()))
        with self._store.snapshot(space):
            ranked = islice(self._ranked(space, query.namespace, embedded, lambda _: True), query.limit)
            found = [each for each in ranked if each[2] > 0 or each[3] >= MIN_SIMILARITY]
        moments = np.array([microseconds(item.updated_at) for item, *_ in found], np.int64)
        recent = recency(moments, self._now()).tolist()
        hits = []
        for (item, _, words, meaning), fresh in zip(found, recent, strict=True):
            dense = 0.0 if embedded.vector is None else (1 + meaning) / 2
            score = Score(0.0, dense, words, recency=fresh, importance=IMPORTANCE)
            total = sum(weight * getattr(score, name) for name, weight in weights.counted())
            score = replace(score, total=total, relevance=float(relevance_of_total(np.array(total))))
            text = searched_text(item.value, item.text, item.index) or json_text(item.value)
            id = json_text([*item.namespace, item.key])
            hits.append(Hit("item", id, text, score, ("item",), "", item=item, space=space))
        return hits

    def _ranked(self, space: str, namespace: Namespace, query: EmbeddedQuery, matches: Matches) -> Iterator[Ranked]:
        directory = self._store.notes.items(space)
        words, meaning = self._words(space, directory, query), self._meaning(space, directory, query)
        scores, size = words if query.vector is None else (words + meaning) / 2, BATCH
        among = _below(directory, namespace) & (scores > 0)
        while among.any():
            at = top_positions(scores, among, size)
            among[at] = False
            keys = directory.keys[at].tolist()
            items = self._store.items.of_notes(space, keys, matches)
            self._store.notes.drop(space, [key for key in keys if key not in items])
            for key, *parts in zip(keys, scores[at].tolist(), words[at].tolist(), meaning[at].tolist(), strict=True):
                item = items.get(key)
                if item is not None:
                    score, shared, similar = parts
                    yield item, min(score, 1.0), shared, similar
            size = min(size * 4, LARGEST_BATCH)

    def _meaning(self, space: str, directory: NoteDirectory, query: EmbeddedQuery) -> Column:
        meaning = np.zeros(len(directory))
        if query.vector is None:
            return meaning
        similar = self._store.notes.similarity(space, query.model, query.vector)
        at, known = directory.places(similar.chunks)
        meaning[at[known]] = np.clip(similar.scores[known], 0, 1)
        return meaning

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
