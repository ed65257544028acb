"""Vectors: int8, first one per row, then packed into blocks. The search is exact and limited to one space.

Both engines compare the same blocks with the same code, so hits have the same order. A message's own vector is the
token-weighted mean of the vectors of its chunks. A filtered approximate index over many spaces was measured and
rejected: recall 0.62, or 35 ms at 0.98.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np

from aforesaid.errors import ProviderRefused
from aforesaid.ids import microseconds
from aforesaid.models.index import ChunkVector, EmbeddingInput, Similarities, VectorQuery
from aforesaid.models.job import Job
from aforesaid.models.store import CommitStamp, EmbeddingModel
from aforesaid.ports import Vectors
from aforesaid.storage import queries
from aforesaid.storage.database import Database, Row, Session, VectorPartition, first, scalar
from aforesaid.storage.lru_cache import LruCache
from aforesaid.storage.repositories import ann, jobs
from aforesaid.storage.repositories.base import Repository
from aforesaid.storage.repositories.chunks import LENGTH_CODES
from aforesaid.storage.repositories.vector_blocks import (
    BLOCK_SIZE,
    TARGET_DTYPE,
    QuantizedQuery,
    VectorBlock,
    pack_block,
    quantize,
)

SQL = queries.named("vectors")
CHUNKS = queries.named("chunks")
JOBS = queries.named("jobs")
MESSAGES = queries.named("messages")
NOTES = queries.named("notes")
NEAR = queries.named("near")

SEAL_AT = 2 * BLOCK_SIZE  # rows in a space's tail before the first of them become a block
NO_LIMIT = -1
CACHE_BYTES = 256 * 1024 * 1024
MAX_CACHED_TAILS = 16
MAX_REREAD = 128  # vectors at the end of a tail that are read again after each change


@dataclass(frozen=True, slots=True)
class _CachedTail:
    """The vectors of a tail as of `stamp`. Those of the messages up to `reached` are in `old`, and were in `state`."""

    stamp: CommitStamp
    tail: VectorBlock
    old: VectorBlock
    reached: int
    state: tuple[object, ...]


class VectorIndex(Repository):
    """Vectors by model. One model serves; another may be built beside it, and takes over when it is complete."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        # the key of a block is never reused, so a cached block stays valid
        self._blocks: LruCache[int, VectorBlock] = LruCache(CACHE_BYTES, lambda block: block.size)
        self._tails: LruCache[tuple[int, int], _CachedTail] = LruCache(MAX_CACHED_TAILS)
        self._keys: LruCache[tuple[int, int], tuple[CommitStamp, list[int]]] = LruCache(MAX_CACHED_TAILS)

    def models(self) -> list[EmbeddingModel]:
        with self._database.read() as session:
            expected = int(scalar(session.fetch(SQL["expected"])))
            models = session.fetch(SQL["models"])
            counts = [scalar(session.fetch(SQL["embedded"], {"model_key": row.model_key})) for row in models]
        return [
            EmbeddingModel(row.name, row.dimension or 0, row.state, int(count), expected)
            for row, count in zip(models, counts, strict=True)
        ]

    def serving(self, space: str | None = None) -> str | None:
        """Returns the model that queries are embedded with, the same in every space. `space` only names the
        transaction to read in."""
        return self._in_state("serving", space)

    def building(self) -> str | None:
        return self._in_state("building")

    def adopt(self, name: str, at: datetime) -> None:
        """Makes `name` the wanted model. It serves immediately if there is no other, else it is built beside that."""

        def work(session: Session) -> None:
            states = {row.name: row.state for row in session.fetch(SQL["models"])}
            if states.get(name) == "building":
                return
            if session.changed(SQL["retire_building"]):
                jobs.insert(session, "sweep", None, jobs.WHOLE_STORE, microseconds(at))
            if states.get(name) == "serving":
                return
            if states.get(name) == "retired":  # its messages may have changed since
                _forget_model(session, name)
            state = "building" if "serving" in states.values() else "serving"
            session.execute(SQL["add_model"], {"name": name, "state": state})
            if state == "building":
                jobs.insert(session, "reembed", None, jobs.WHOLE_STORE, microseconds(at))

        self._database.write(work, alone=True)

    @property
    def indexes(self) -> bool:
        """True if `index` can do anything here."""
        return self._database.ann.builds

    def index(self, job: Job) -> bool:
        """Does one step towards the index of a large space. Returns True if there is more to do."""
        return ann.build_step(self._database, job)

    def prune(self, before: datetime) -> int:  # noqa: ARG002 (nobody misses them)
        """Drops the indexes of deleted spaces, of any age. Returns their number."""
        return self._database.ann.drop_unused() if self._database.ann.builds else 0

    def similarity(self, space: str, model: str, query: Vectors, sought: VectorQuery | None = None) -> Similarities:
        """Returns the exact cosine similarity of every chunk of the space. For a large space with an index and a
        given `sought`, only that of the most similar chunks. The vector of a long message stands for its first
        chunk, so a chunk may occur twice."""
        stamp = self._database.stamp(space)
        with self._database.read(space) as session:
            space_key = session.key_of(space)
            row = model_of(session, model)
            if space_key is None or row is None or row.dimension is None:
                return Similarities(np.empty(0, np.int64), np.empty(0, np.float32))
            same_dimension(row, len(query))
            quantized = QuantizedQuery.of(query)
            keys = self._block_keys(session, space_key, row.model_key, stamp)
            if sought is not None and self._large(len(keys)):
                place = VectorPartition(space_key, row.model_key, row.dimension)
                nearest = ann.similarity(session, place, quantized, sought)
                if nearest is not None:
                    return nearest
            blocks = [*(self._block(session, key) for key in keys), self._tail(session, space_key, row, stamp)]
        chunks = np.concatenate([block.targets["chunk"] for block in blocks])
        return Similarities(chunks, np.concatenate([block.similarity(quantized) for block in blocks]))

    def passages(self, claimed: Sequence[Job]) -> list[EmbeddingInput]:
        """Returns the texts of these embed jobs."""
        with self._database.read() as session:
            return _passages(session, [jobs.target_of(job) for job in claimed])

    def put(
        self, model: str, vectors: Sequence[ChunkVector], claimed: Sequence[Job], milliseconds: float, at: datetime
    ) -> None:
        """Writes vectors and finishes their jobs in one transaction; leaves out those of a job that was taken over."""

        def work(session: Session) -> None:
            owned = jobs.finish_owned(session, claimed, milliseconds, at)
            grown = _write(session, model, [vector for vector in vectors if vector.message in owned])
            ann.queue(session, self._database.ann, grown, microseconds(at))

        self._database.write(work, *(job.space for job in claimed), durable=False)

    def unbuilt(self, model: str, limit: int) -> tuple[int, list[EmbeddingInput]]:
        """Returns how far the building of a model has come, and the texts of the next messages."""
        with self._database.read() as session:
            row = model_of(session, model)
            reached = 0 if row is None else int(row.reached)
            keys = session.fetch(SQL["next_messages"], {"reached": reached, "limit": limit})
            return reached, _passages(session, [key for (key,) in keys])

    def build(self, model: str, reached: int, vectors: Sequence[ChunkVector]) -> None:
        """Writes vectors of a model that is being built, unless another worker was faster."""

        def work(session: Session) -> None:
            row = model_of(session, model)
            if row is None or row.state != "building":
                return
            newest = max(vector.message for vector in vectors)
            if session.changed(SQL["reach"], {"model_key": row.model_key, "reached": newest, "before": reached}):
                _write(session, model, vectors)

        self._database.write(work, alone=True, durable=False)

    def switch(self, model: str, at: datetime) -> bool:
        """Makes `model` the serving one, atomically, if every message has a vector of it."""

        def work(session: Session) -> bool:
            row = model_of(session, model)
            if row is None or row.state != "building":
                return False
            if session.fetch(SQL["next_messages"], {"reached": row.reached, "limit": 1}):
                return False
            if session.fetch(NOTES["unbuilt"], {"model_key": row.model_key, "limit": 1}):
                return False
            for old in session.fetch(SQL["models"]):
                if old.state == "serving":
                    session.execute(SQL["set_state"], {"model_key": old.model_key, "state": "retired"})
            session.execute(SQL["set_state"], {"model_key": row.model_key, "state": "serving"})
            session.execute(JOBS["overtaken"], {"at": microseconds(at)})
            chunked_again = messages_without_vector(session, row.model_key)
            queue_embedding(session, chunked_again, microseconds(at))
            jobs.insert(session, "sweep", None, jobs.WHOLE_STORE, microseconds(at))
            ann.retire(session, microseconds(at))
            ann.queue_large(session, self._database.ann, row, microseconds(at))
            return True

        return self._database.write(work, alone=True)

    def sweep(self, limit: int) -> int:
        """Removes about `limit` vectors of retired models. Returns the number of removed rows."""

        def work(session: Session) -> int:
            removed = session.changed(SQL["sweep_vectors"], {"limit": limit})
            removed += session.changed(NOTES["sweep"], {"limit": limit})
            if session.has_ann:
                removed += session.changed(NEAR["sweep"], {"limit": limit})
            return removed + session.changed(SQL["sweep_blocks"], {"limit": max(1, limit // BLOCK_SIZE)})

        return self._database.write(work, alone=True)

    def _in_state(self, state: str, space: str | None = None) -> str | None:
        rows = self._database.query(SQL["models"], None, space)
        return next((row.name for row in rows if row.state == state), None)

    def _block_keys(self, session: Session, space_key: int, model_key: int, stamp: CommitStamp) -> list[int]:
        read_at, keys = self._keys.get((space_key, model_key)) or (None, [])
        if read_at != stamp:
            keys = [
                key for (key,) in session.fetch(SQL["block_keys"], {"space_key": space_key, "model_key": model_key})
            ]
            self._keys.put((space_key, model_key), (stamp, keys))
        return keys

    def _block(self, session: Session, key: int) -> VectorBlock:
        block = self._blocks.get(key)
        if block is None:
            (row,) = session.fetch(SQL["block"], {"block_key": key})
            block = VectorBlock.read(row)
            self._blocks.put(key, block)
        return block

    def _tail(self, session: Session, space_key: int, model: Row, stamp: CommitStamp) -> VectorBlock:
        """Returns the vectors that are in no block yet, as of `stamp`, which was taken before anything was read. Of a
        cached tail, reads only the end again, as long as the count and the sums of the rest are the same."""
        key = (space_key, model.model_key)
        cached = self._tails.get(key)
        if cached is not None and cached.stamp == stamp:
            return cached.tail
        scope = {"space_key": space_key, "model_key": model.model_key}
        if cached is None or not len(cached.old.targets) or _tail_state(session, scope, cached.reached) != cached.state:
            old = pack_block(session.fetch(SQL["tail"], scope | {"limit": NO_LIMIT}), model.dimension)
            cached = _CachedTail(stamp, old, old, *_reached(session, scope, old))
        else:
            rows = session.fetch(SQL["tail_after"], scope | {"reached": cached.reached})
            tail = cached.old.extend(pack_block(rows, model.dimension)) if rows else cached.old
            cached = replace(cached, stamp=stamp, tail=tail)
            if len(rows) > MAX_REREAD:
                cached = _CachedTail(stamp, tail, tail, *_reached(session, scope, tail))
        self._tails.put(key, cached)
        return cached.tail

    def _large(self, blocks: int) -> bool:
        """Returns True if a space with that number of blocks may have an index."""
        return blocks * BLOCK_SIZE + SEAL_AT >= self._database.ann.least


def _reached(session: Session, scope: dict[str, int], tail: VectorBlock) -> tuple[int, tuple[object, ...]]:
    """Returns the last message of a tail, and the state of the tail up to it."""
    reached = int(tail.targets["message"].max(initial=0))
    return reached, _tail_state(session, scope, reached)


def _tail_state(session: Session, scope: dict[str, int], reached: int) -> tuple[object, ...]:
    """Returns values that differ if a vector of a message up to `reached` was added, removed or changed."""
    return tuple(session.fetch(SQL["tail_state"], scope | {"reached": reached})[0])


def messages_without_vector(session: Session, model_key: int) -> set[int]:
    """Returns the messages that should have vectors of a model and have none."""
    scope = {"model_key": model_key}
    present = {row.message_key for row in session.fetch(SQL["tail_messages"], scope)}
    for (targets,) in session.fetch(SQL["block_targets"], scope):
        present.update(np.frombuffer(targets, TARGET_DTYPE)["message"].tolist())
    return {row.message_key for row in session.fetch(SQL["embeddable"])} - present


def queue_embedding(session: Session, messages: set[int], at: int) -> None:
    for key, owner in _owners(session, sorted(messages)).items():
        jobs.insert(session, "embed", owner.space_key, key, at)


def remove(session: Session, space_key: int, messages: set[int]) -> int:
    """Removes the vectors of these messages, of every model, from rows and from blocks. Returns their number."""
    models = [row.model_key for row in session.fetch(SQL["models"])]
    scope = {"space_key": space_key}
    targets = [scope | {"model_key": model, "message_key": key} for model in models for key in messages]
    removed = session.changed_each(SQL["remove"], targets)
    gone = np.fromiter(messages, np.int64, len(messages))
    for key, model_key, packed in session.fetch(SQL["space_blocks"], {"space_key": space_key}):
        stays = ~np.isin(np.frombuffer(packed, TARGET_DTYPE)["message"], gone)
        if stays.all():
            continue
        removed += int(np.count_nonzero(~stays))
        (row,) = session.fetch(SQL["block"], {"space_key": space_key, "block_key": key})
        session.execute(SQL["delete_block"], {"space_key": space_key, "block_key": key})
        if stays.any():
            _add_block(session, space_key, model_key, VectorBlock.read(row).keep(stays))
    return removed


def _write(session: Session, model: str, vectors: Sequence[ChunkVector]) -> list[VectorPartition]:
    """Returns the places that got another block."""
    row = model_of(session, model)
    if row is None or not vectors:
        return []
    dimension = len(vectors[0].vector)
    session.execute(SQL["set_dimension"], {"model_key": row.model_key, "dimension": dimension})
    same_dimension(model_of(session, model) or row, dimension)
    places = _put(session, row.model_key, vectors)
    return [place for place in places if _seal(session, {"space_key": place.space, "model_key": place.model})]


def _put(session: Session, model_key: int, vectors: Sequence[ChunkVector]) -> list[VectorPartition]:
    """Writes vectors of messages that still exist. Returns their places."""
    owners = _owners(session, [vector.message for vector in vectors])
    owned = [(vector, owners[vector.message]) for vector in vectors if vector.message in owners]
    numbers = [owner.first_chunk // LENGTH_CODES + max(vector.part, 0) for vector, owner in owned]
    starts = [
        {"space_key": owner.space_key, "low": number * LENGTH_CODES}
        for (_, owner), number in zip(owned, numbers, strict=True)
    ]
    columns = []
    for (vector, owner), (row, *_) in zip(owned, session.fetch_each(SQL["chunk_key"], starts), strict=True):
        scale, data = quantize(vector.vector)
        keys = {"message_key": vector.message, "conversation_key": owner.conversation_key, "chunk_key": row.chunk_key}
        place = {"space_key": owner.space_key, "model_key": model_key, "part": vector.part}
        columns.append(place | keys | {"scale": scale, "data": data})
    session.execute_each(SQL["put"], columns)
    dimension = len(vectors[0].vector)
    spaces = {owner.space_key for owner in owners.values()}
    places = [VectorPartition(space_key, model_key, dimension) for space_key in spaces]
    ann.put(session, places, columns)
    return places


def _owners(session: Session, messages: Sequence[int]) -> dict[int, Row]:
    """Returns the space, conversation, chunks and text of each message that exists."""
    keys = list(dict.fromkeys(messages))
    results = session.fetch_each(MESSAGES["by_key"], [{"message_key": key} for key in keys])
    return {key: row for key, rows in zip(keys, results, strict=True) if (row := first(rows))}


def _seal(session: Session, scope: dict[str, int]) -> bool:
    """Packs a block if the tail is long enough; returns True if it did."""
    if scalar(session.fetch(SQL["tail_count"], scope)) < SEAL_AT:
        return False
    rows = session.fetch(SQL["tail"], scope | {"limit": BLOCK_SIZE})
    _add_block(session, scope["space_key"], scope["model_key"], pack_block(rows))
    session.execute_each(SQL["tail_cut"], [scope | {"message_key": row.message_key, "part": row.part} for row in rows])
    return True


def _add_block(session: Session, space_key: int, model_key: int, block: VectorBlock) -> None:
    session.execute(SQL["add_block"], {"space_key": space_key, "model_key": model_key, **block.columns()})


def _passages(session: Session, messages: Sequence[int]) -> list[EmbeddingInput]:
    owners = _owners(session, messages)
    spans = [
        {"space_key": owner.space_key, "first_chunk": owner.first_chunk, "last_chunk": owner.last_chunk}
        for owner in owners.values()
    ]
    results = session.fetch_each(CHUNKS["of_message"], spans)
    return [
        EmbeddingInput(key, row.part, owner.text[row.start : row.stop], row.tokens)
        for (key, owner), rows in zip(owners.items(), results, strict=True)
        for row in rows
    ]


def _forget_model(session: Session, name: str) -> None:
    for row in session.fetch(SQL["model"], {"name": name}):
        for query in (SQL["clear_vectors"], SQL["clear_blocks"], NOTES["clear"]):
            session.execute(query, {"model_key": row.model_key})


def model_of(session: Session, name: str) -> Row | None:
    return first(session.lookup(SQL["model"], {"name": name}))


def same_dimension(model: Row, dimension: int) -> None:
    if model.dimension is not None and model.dimension != dimension:
        raise ProviderRefused(
            f"embedder {model.name!r} gave {dimension} numbers, its stored vectors have {model.dimension}; "
            "give the changed model another name"
        )
