"""Directories without a store: a message is one chunk, its key is its position's, its words are what a test says."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from recollect.records import Directory, Postings, Similarities
from recollect.stores.directory import build

LENGTH = 8  # terms of every message
HOUR = 3600 * 1_000_000

Said = tuple[int, int, frozenset[str]]  # conversation, hours since the message before, terms


def directory_of(said: Sequence[Said], names: Sequence[str | None] = (), roles: Sequence[str] = ()) -> Directory:
    moment, seqs, rows = 10**15, dict[int, int](), []
    for at, (conversation, hours, _) in enumerate(said):
        moment += hours * HOUR
        seqs[conversation] = seqs.get(conversation, -1) + 1
        role, name = (roles[at] if roles else "user"), (names[at] if names else None)
        rows.append((at + 1, conversation, seqs[conversation], moment, 0.5, role, name, 12, float(LENGTH), 1, at + 1))
    return build(rows, lambda keys: np.where((keys > 0) & (keys <= len(said)), keys - 1, -1))


def postings_of(said: Sequence[Said], terms: Sequence[str]) -> list[Postings]:
    found = []
    for term in terms:
        keys = np.array([at + 1 for at, (_, _, words) in enumerate(said) if term in words], np.int64)
        found.append(Postings(keys, np.ones(len(keys)), np.full(len(keys), float(LENGTH))))
    return found


def similarities_of(scores: Sequence[float]) -> Similarities:
    return Similarities(np.arange(1, len(scores) + 1), np.array(scores, np.float32))
