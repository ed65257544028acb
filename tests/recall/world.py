"""Makes directories without a store: each message is one chunk, and the test gives its terms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from aforesaid.models.index import Directory, Postings, Similarities
from aforesaid.storage.database import row_maker
from aforesaid.storage.repositories.directories import build_directory

LENGTH = 8  # terms per message
HOUR = 3600 * 1_000_000
ROW = row_maker(
    ("message_key", "conversation_key", "seq", "created_at", "importance", "role", "name", "tokens", "first_chunk",
     "last_chunk", "salience")
)  # fmt: skip

Said = tuple[int, int, frozenset[str]]  # conversation, hours since the previous message, terms


def directory_of(said: Sequence[Said], names: Sequence[str | None] = (), roles: Sequence[str] = ()) -> Directory:
    moment, seqs, rows = 10**15, dict[int, int](), []
    for at, (conversation, hours, _) in enumerate(said):
        moment += hours * HOUR
        seqs[conversation] = seqs.get(conversation, -1) + 1
        role, name = (roles[at] if roles else "user"), (names[at] if names else None)
        rows.append(ROW((at + 1, conversation, seqs[conversation], moment, 0.5, role, name, 12, at + 1, at + 1, 0.25)))
    directory = build_directory(rows, lambda keys: np.where((keys > 0) & (keys <= len(said)), keys - 1, -1))
    return replace(directory, lengths=np.full(len(said), LENGTH, np.float32))


def postings_of(said: Sequence[Said], terms: Sequence[str]) -> list[Postings]:
    found = []
    for term in terms:
        keys = np.array([at + 1 for at, (_, _, words) in enumerate(said) if term in words], np.int64)
        found.append(Postings(keys, np.ones(len(keys)), np.full(len(keys), float(LENGTH))))
    return found


def similarities_of(scores: Sequence[float]) -> Similarities:
    return Similarities(np.arange(1, len(scores) + 1), np.array(scores, np.float32))
