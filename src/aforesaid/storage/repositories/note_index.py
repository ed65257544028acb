"""The notes of a space, as recall reads them. Directory and vectors are cached; only newer ones are read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from aforesaid.models.index import (
    NOTE_KINDS,
    ChunkVector,
    EmbeddingInput,
    NoteDirectory,
    NoteKind,
    NoteMatch,
    Similarities,
)
from aforesaid.models.job import Job
from aforesaid.models.store import CommitStamp
from aforesaid.ports import Vectors
from aforesaid.storage import queries
from aforesaid.storage.columns import from_row
from aforesaid.storage.database import Database, Row, Session, scalar
from aforesaid.storage.lru_cache import LruCache
from aforesaid.storage.repositories import jobs
from aforesaid.storage.repositories.base import Repository
from aforesaid.storage.repositories.lexical import distinct, fetch_postings, parse_keys
from aforesaid.storage.repositories.notes import term_prefix
from aforesaid.storage.repositories.space_keys import Line
from aforesaid.storage.repositories.vector_blocks import QuantizedQuery, VectorBlock, quantize
from aforesaid.storage.repositories.vectors import SQL as VECTORS
from aforesaid.storage.repositories.vectors import model_of, same_dimension

EARLIEST, LATEST = np.iinfo(np.int64).min, np.iinfo(np.int64).max
DIRECTORY_COLUMNS = [field.name for field in fields(NoteDirectory) if field.name != "names"]
_KIND = {kind: number for number, kind in enumerate(NOTE_KINDS)}


def note_from_row(row: Row) -> NoteMatch:
    return from_row(NoteMatch, row, conversation=row.conversation or "")


def extend_directory(directory: NoteDirectory, rows: Sequence[Row]) -> NoteDirectory:
    """Returns the directory with these notes after those it has."""
    more = _columns(rows, directory.names)
    columns = [np.concatenate([getattr(directory, name), getattr(more, name)]) for name in DIRECTORY_COLUMNS]
    return NoteDirectory(more.names, *columns)


def _columns(rows: Sequence[Row], known: tuple[str, ...]) -> NoteDirectory:
    """The columns of these notes. `known` are the types that have a number already."""
    names = tuple(dict.fromkeys((*known, *(row.type for row in rows))))
    number = {name: at for at, name in enumerate(names)}
    return NoteDirectory(
        names,
        np.array([row.note_key for row in rows], np.int64),
        np.array([_KIND[row.kind] for row in rows], np.int8),
        np.array([row.conversation_key or 0 for row in rows], np.int64),
        np.array([row.at for row in rows], np.int64),
        np.array([row.importance for row in rows], np.float64),
        np.array([number[row.type] for row in rows], np.int32),
        _ends([row.valid_from for row in rows], EARLIEST),
        _ends([row.valid_until for row in rows], LATEST),
        _ends([row.known_from for row in rows], EARLIEST),
        _ends([row.known_until for row in rows], LATEST),
        _ends([row.closed_at for row in rows], EARLIEST),
        np.array([row.current for row in rows], np.bool_),
    )


def directory_without(directory: NoteDirectory, keys: Sequence[int]) -> NoteDirectory:
    stays = ~np.isin(directory.keys, keys)
    return NoteDirectory(directory.names, *(getattr(directory, name)[stays] for name in DIRECTORY_COLUMNS))


def _ends(moments: Sequence[int | None], otherwise: int) -> NDArray[np.int64]:
    return np.array([otherwise if at is None else at for at in moments], np.int64)


EMPTY_DIRECTORY = _columns((), ())

SQL = queries.named("notes")

BLOCK_SIZE = 4_096  # vectors in a full block
CACHE_BYTES = 256 * 1024 * 1024
EMBEDDED = 8_000  # characters of a note that its vector is made of


@dataclass(frozen=True, slots=True)
class _CachedVectors:
    reached: int  # every vector up to this key has been read
    blocks: tuple[VectorBlock, ...] = ()  # their targets are the keys of notes
    stamp: CommitStamp | None = None

    @property
    def size(self) -> int:
        return sum(block.size for block in self.blocks)


def _extend_vectors(cached: _CachedVectors, rows: list[Row]) -> _CachedVectors:
    more = VectorBlock(
        np.array([row.note_key for row in rows], np.int64),
        np.array([row.scale for row in rows], np.float32),
        np.frombuffer(b"".join(row.data for row in rows), np.int8).reshape(len(rows), -1),
    )
    reached, blocks = rows[-1].vector_key, cached.blocks
    if blocks and len(blocks[-1].targets) < BLOCK_SIZE:
        *full, last = blocks
        return _CachedVectors(reached, (*full, last.extend(more)))
    return _CachedVectors(reached, (*blocks, more))


MAX_CACHED_SPACES = 64
COMMON_TERM = 20_000  # a term that more notes of a space contain is ignored

Keys = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class _CachedNotes:
    stamp: tuple[int, int]
    space_key: int | None  # never reused
    reached: int  # every note up to this key has been read
    directory: NoteDirectory
    items: NoteDirectory


class NoteIndex(Repository):
    """The search index of pins, summaries, episodes, facts and items. Each repository writes the note with its record.
    The directory of items is separate."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._vectors: LruCache[tuple[int, int], _CachedVectors] = LruCache(CACHE_BYTES, lambda one: one.size)
        self._notes: LruCache[str, _CachedNotes] = LruCache(MAX_CACHED_SPACES)

    def directory(self, space: str) -> NoteDirectory:
        return self._cached(space).directory

    def items(self, space: str) -> NoteDirectory:
        """The directory of the notes of items."""
        return self._cached(space).items

    def _cached(self, space: str) -> _CachedNotes:
        stamp = self._database.stamp(space)
        cached = self._notes.get(space)
        if cached is None or cached.stamp != stamp:
            with self._database.read(space) as session:
                cached = _refresh(session, space, cached, stamp)
            self._notes.put(space, cached)
        return cached

    def having(self, space: str, terms: Sequence[str], kind: NoteKind = "pin") -> list[Keys]:
        """Returns the keys of the notes that contain each term; none for a term that tens of thousands contain. A
        term that ends in `*` matches by prefix. With the kind `item` the notes of items, otherwise all others."""
        with self._database.read(space) as session:
            mark = term_prefix(session.key_of(space), kind)
            return _having(session, [f"{mark}{term}" for term in terms])

    def labelled(self, space: str, categories: Sequence[str], tags: Sequence[str]) -> Keys:
        """Returns the keys of the notes that have one of the categories and one of the tags. At least one of the two
        must be given."""
        filters = [f"c{category}" for category in categories], [f"t{tag}" for tag in tags]
        with self._database.read(space) as session:
            space_key = session.key_of(space)
            keys = [_labelled(session, space_key, labels) for labels in filters if labels]
        return reduce(np.intersect1d, keys)

    def similarity(self, space: str, model: str, query: Vectors) -> Similarities:
        """Returns the exact cosine similarity of every note that has a vector of the model, by note key."""
        stamp = self._database.stamp(space)
        with self._database.read(space) as session:
            space_key = session.key_of(space)
            row = model_of(session, model)
            if space_key is None or row is None or row.dimension is None:
                return Similarities(np.empty(0, np.int64), np.empty(0, np.float32))
            same_dimension(row, len(query))
            blocks = self._blocks(session, space_key, row.model_key, stamp)
        quantized = QuantizedQuery.of(query)
        keys = [block.targets for block in blocks]
        scores = [block.similarity(quantized) for block in blocks]
        return Similarities(
            np.concatenate([*keys, np.empty(0, np.int64)]), np.concatenate([*scores, np.empty(0, np.float32)])
        )

    def shared(self, space: str, line: Line) -> list[int]:
        """Returns the keys of the notes about these parts of conversations, which a branch shares."""
        with self._database.read(space) as session:
            scope = {"space_key": session.key_of(space)}
            parts = (session.fetch(SQL["shared"], scope | part._asdict()) for part in line)
            return [row.note_key for rows in parts for row in rows]

    def get(self, space: str, keys: Sequence[int]) -> Mapping[int, NoteMatch]:
        """Returns those of these notes that still exist."""
        rows = self._database.query(SQL["of_keys"], {"keys": json.dumps(list(keys))}, space)
        notes = {row.note_key: note_from_row(row) for row in rows}
        self.drop(space, [key for key in keys if key not in notes])
        return notes

    def drop(self, space: str, gone: Sequence[int]) -> None:
        """Drops notes that do not exist anymore from the cached directories."""
        cached = self._notes.get(space)
        if gone and cached is not None:  # keys are never reused
            directory, items = directory_without(cached.directory, gone), directory_without(cached.items, gone)
            self._notes.put(space, replace(cached, directory=directory, items=items))

    def passages(self, claimed: Sequence[Job]) -> list[EmbeddingInput]:
        """Returns the texts of the notes of these jobs, by note key."""
        with self._database.read() as session:
            results = session.fetch_each(SQL["text"], [{"note_key": jobs.target_of(job)} for job in claimed])
        return [EmbeddingInput(row.note_key, 0, row.text[:EMBEDDED], 0) for rows in results for row in rows]

    def put(
        self, model: str, vectors: Sequence[ChunkVector], claimed: Sequence[Job], milliseconds: float, at: datetime
    ) -> None:
        """Writes vectors and finishes their jobs in one transaction; leaves out those of a job that was taken over."""

        def work(session: Session) -> None:
            owned = jobs.finish_owned(session, claimed, milliseconds, at)
            _write(session, model, [vector for vector in vectors if vector.message in owned])

        self._database.write(work, *(job.space for job in claimed), durable=False)

    def unbuilt(self, model: str, limit: int) -> list[EmbeddingInput]:
        """Returns the next notes without a vector of a model that is being built."""
        with self._database.read() as session:
            row = model_of(session, model)
            scope = {"model_key": row.model_key if row else None, "limit": limit}
            return [EmbeddingInput(key, 0, text[:EMBEDDED], 0) for key, text in session.fetch(SQL["unbuilt"], scope)]

    def build(self, model: str, vectors: Sequence[ChunkVector]) -> None:
        """Writes vectors of a model that is being built."""
        self._database.write(lambda session: _write(session, model, vectors), alone=True, durable=False)

    def _blocks(self, session: Session, space_key: int, model_key: int, stamp: CommitStamp) -> tuple[VectorBlock, ...]:
        """Returns the vectors as of `stamp`, which was taken before anything was read. A vector's key is never reused
        and its note never changes, so cached vectors stay valid. Vectors of deleted notes may be among them: those
        notes are in no directory."""
        cached = self._vectors.get((space_key, model_key)) or _CachedVectors(0)
        if cached.stamp != stamp:
            scope = {"space_key": space_key, "model_key": model_key, "limit": BLOCK_SIZE}
            while rows := session.fetch(SQL["vectors"], scope | {"after": cached.reached}):
                cached = _extend_vectors(cached, rows)
            self._vectors.put((space_key, model_key), replace(cached, stamp=stamp))
        return cached.blocks


def _refresh(session: Session, space: str, cached: _CachedNotes | None, stamp: tuple[int, int]) -> _CachedNotes:
    space_key = session.key_of(space)
    if cached is None or cached.space_key != space_key:
        cached = _CachedNotes(stamp, space_key, 0, EMPTY_DIRECTORY, EMPTY_DIRECTORY)
    rows = session.fetch(SQL["directory"], {"space_key": space_key, "after": cached.reached})
    if not rows:
        return replace(cached, stamp=stamp)
    others = [row for row in rows if row.kind != "item"]
    directory = extend_directory(cached.directory, others) if others else cached.directory
    items = cached.items
    if len(others) < len(rows):
        items = extend_directory(items, [row for row in rows if row.kind == "item"])
    return _CachedNotes(stamp, space_key, rows[-1].note_key, directory, items)


def _having(session: Session, terms: Sequence[str]) -> list[Keys]:
    postings = [distinct(keys) for keys in fetch_postings(session, SQL, terms, {"limit": COMMON_TERM + 1})]
    return [keys if len(keys) <= COMMON_TERM else keys[:0] for keys in postings]


def _labelled(session: Session, space_key: int | None, labels: Sequence[str]) -> Keys:
    rows = session.fetch(SQL["labelled"], {"space_key": space_key, "labels": json.dumps(labels)})
    return np.unique(parse_keys(scalar(rows)))


def _write(session: Session, model: str, vectors: Sequence[ChunkVector]) -> None:
    row = model_of(session, model)
    if row is None or row.state == "retired" or not vectors:
        return
    dimension = len(vectors[0].vector)
    session.execute(VECTORS["set_dimension"], {"model_key": row.model_key, "dimension": dimension})
    same_dimension(model_of(session, model) or row, dimension)
    for vector in vectors:
        for note in session.fetch(SQL["text"], {"note_key": vector.message}):
            scale, data = quantize(vector.vector)
            keys = {"space_key": note.space_key, "model_key": row.model_key, "note_key": note.note_key}
            session.execute(SQL["put_vector"], keys | {"scale": scale, "data": data})
