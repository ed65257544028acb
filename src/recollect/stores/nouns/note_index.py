"""Notes as recall asks for them. What was read of a space is kept, and what came in since is read after it."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from recollect.models import Job
from recollect.ports import Vectors
from recollect.records import Embedded, FoundNote, NoteDirectory, Passage, Similarities
from recollect.stores import note_rows, queries
from recollect.stores.database import Database, Row, Session
from recollect.stores.nouns import jobs, spaces
from recollect.stores.nouns.blocks import Query, quantised
from recollect.stores.nouns.note_vectors import NoteVectors
from recollect.stores.nouns.vectors import SQL as VECTORS
from recollect.stores.nouns.vectors import model_of, same_dimension

SQL = queries.named("notes")

KEPT_SPACES = 64
COMMON = 20_000  # a term that more notes of a space have tells nothing
LAST_CHARACTER = "\U0010ffff"

Keys = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class _Kept:
    stamp: tuple[int, int]
    space_key: int | None  # never given again
    reached: int  # every note up to this key has been read
    directory: NoteDirectory


class Notes:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._vectors = NoteVectors()
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, _Kept] = OrderedDict()

    def directory(self, space: str) -> NoteDirectory:
        stamp = self._database.stamp(space)
        with self._lock:
            kept = self._kept.get(space)
        if kept is None or kept.stamp != stamp:
            with self._database.read(space) as session:
                kept = _carried_on(session, space, kept, stamp)
            self._keep(space, kept)
        return kept.directory

    def having(self, space: str, terms: Sequence[str]) -> list[Keys]:
        with self._database.read(space) as session:
            space_key = spaces.key_of(session, space)
            return _having(session, [f"{space_key}{term}" for term in terms])

    def labelled(self, space: str, categories: Sequence[str], tags: Sequence[str]) -> Keys:
        asked = [f"c{category}" for category in categories], [f"t{tag}" for tag in tags]
        with self._database.read(space) as session:
            space_key = spaces.key_of(session, space)
            found = [_labelled(session, space_key, labels) for labels in asked if labels]
        return reduce(np.intersect1d, found)

    def similarity(self, space: str, model: str, query: Vectors) -> Similarities:
        with self._database.read(space) as session:
            space_key = spaces.key_of(session, space)
            row = model_of(session, model)
            if space_key is None or row is None or row[2] is None:
                return Similarities(np.empty(0, np.int64), np.empty(0, np.float32))
            same_dimension(row, len(query))
            blocks = self._vectors.get(session, space_key, row[0])
        asked = Query.of(query)
        keys = [block.keys for block in blocks]
        scores = [block.similarity(asked) for block in blocks]
        return Similarities(
            np.concatenate([*keys, np.empty(0, np.int64)]), np.concatenate([*scores, np.empty(0, np.float32)])
        )

    def get(self, space: str, keys: Sequence[int]) -> Mapping[int, FoundNote]:
        with self._database.read(space) as session:
            scope = {"space_key": spaces.key_of(session, space), "keys": json.dumps(list(keys))}
            found = {row[0]: note_rows.found(row[1:]) for row in session.fetch(SQL["of_keys"], scope)}
        self._drop(space, [key for key in keys if key not in found])
        return found

    def passages(self, claimed: Sequence[Job]) -> list[Passage]:
        with self._database.read() as session:
            found = session.fetch_each(SQL["text"], [{"note_key": jobs.target_of(job)} for job in claimed])
        return [Passage(key, 0, text, 0) for rows in found for key, _, text in rows]

    def put(
        self, model: str, vectors: Sequence[Embedded], claimed: Sequence[Job], milliseconds: float, at: datetime
    ) -> None:
        def work(session: Session) -> None:
            mine = jobs.owned(session, claimed)
            wanted = {jobs.target_of(job) for job in mine}
            _write(session, model, [vector for vector in vectors if vector.message in wanted])
            for job in mine:
                jobs.finish(session, job, milliseconds / len(claimed), at)

        self._database.write(work, *(job.space for job in claimed), durable=False)

    def unbuilt(self, model: str, limit: int) -> list[Passage]:
        with self._database.read() as session:
            row = model_of(session, model)
            scope = {"model_key": row[0] if row else None, "limit": limit}
            return [Passage(key, 0, text, 0) for key, text in session.fetch(SQL["unbuilt"], scope)]

    def build(self, model: str, vectors: Sequence[Embedded]) -> None:
        self._database.write(lambda session: _write(session, model, vectors), alone=True, durable=False)

    def _drop(self, space: str, gone: Sequence[int]) -> None:
        """Forgets notes that were read once and are gone: no key is given again."""
        with self._lock:
            kept = self._kept.get(space)
            if gone and kept is not None:
                self._kept[space] = replace(kept, directory=note_rows.without(kept.directory, gone))

    def _keep(self, space: str, kept: _Kept) -> None:
        with self._lock:
            self._kept.pop(space, None)
            self._kept[space] = kept
            while len(self._kept) > KEPT_SPACES:
                self._kept.popitem(last=False)


def _carried_on(session: Session, space: str, kept: _Kept | None, stamp: tuple[int, int]) -> _Kept:
    space_key = spaces.key_of(session, space)
    if kept is None or kept.space_key != space_key:
        kept = _Kept(stamp, space_key, 0, note_rows.EMPTY)
    rows = session.fetch(SQL["directory"], {"space_key": space_key, "after": kept.reached})
    if not rows:
        return replace(kept, stamp=stamp)
    return _Kept(stamp, space_key, rows[-1][0], note_rows.extended(kept.directory, rows))


def _having(session: Session, terms: Sequence[str]) -> list[Keys]:
    limit = {"limit": COMMON + 1}
    begun = [limit | {"term": one[:-1], "stop": one[:-1] + LAST_CHARACTER} for one in terms if one.endswith("*")]
    whole = [term for term in terms if not term.endswith("*")]
    exact = iter(session.fetch(SQL["postings"], limit | {"terms": json.dumps(whole)}) if whole else [])
    by_prefix = (row for rows in session.fetch_each(SQL["postings_from"], begun) for row in rows)
    found = [np.unique(_keys([next(by_prefix)])) if term.endswith("*") else _keys([next(exact)]) for term in terms]
    return [keys if len(keys) <= COMMON else keys[:0] for keys in found]


def _labelled(session: Session, space_key: int | None, labels: Sequence[str]) -> Keys:
    return np.unique(_keys(session.fetch(SQL["labelled"], {"space_key": space_key, "labels": json.dumps(labels)})))


def _keys(found: Sequence[Row]) -> Keys:
    return np.fromstring(found[0][0] or "", np.int64, sep=",")  # one text is read far faster than many rows


def _write(session: Session, model: str, vectors: Sequence[Embedded]) -> None:
    row = model_of(session, model)
    if row is None or row[3] == "retired" or not vectors:
        return
    dimension = len(vectors[0].vector)
    session.execute(VECTORS["set_dimension"], {"model_key": row[0], "dimension": dimension})
    same_dimension(model_of(session, model) or row, dimension)
    for vector in vectors:
        _put(session, row, vector)


def _put(session: Session, model: Row, vector: Embedded) -> None:
    for key, space_key, _ in session.fetch(SQL["text"], {"note_key": vector.message}):
        scale, data = quantised(vector.vector)
        values = {"space_key": space_key, "model_key": model[0], "note_key": key, "scale": scale, "data": data}
        session.execute(SQL["put_vector"], values)
