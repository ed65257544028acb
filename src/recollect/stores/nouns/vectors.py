"""Vectors: int8, first one to a row, then sealed a thousand to a block; searched exactly, by space.

Large spaces may have an index beside that: near.py."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import numpy as np

from recollect.errors import ProviderRefused
from recollect.ids import microseconds
from recollect.models import EmbeddingModel, Job
from recollect.ports import Vectors
from recollect.records import Embedded, Passage, Similarities, Sought
from recollect.stores import queries
from recollect.stores.database import Database, Place, Row, Session
from recollect.stores.nouns import jobs, near, near_filling, spaces
from recollect.stores.nouns.blocks import BLOCK, TARGET, Block, Blocks, Query, Tails, quantised, sealed
from recollect.stores.nouns.chunks import LENGTH_CODES

SQL = queries.named("vectors")
JOBS = queries.named("jobs")
NOTES = queries.named("notes")
NEAR = queries.named("near")

SEAL_AT = 2 * BLOCK  # rows in a space's tail before its first thousand become a block
EVERYTHING = -1


class VectorIndex:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._blocks = Blocks()
        self._tails = Tails()

    def models(self) -> list[EmbeddingModel]:
        with self._database.read() as session:
            expected = int(session.fetch(SQL["expected"])[0][0])
            return [
                EmbeddingModel(name, dimension or 0, state, _embedded(session, key), expected)
                for key, name, dimension, state, _ in session.fetch(SQL["models"])
            ]

    def serving(self, space: str | None = None) -> str | None:
        return self._in_state("serving", space)

    def building(self) -> str | None:
        return self._in_state("building")

    def adopt(self, name: str, at: datetime) -> None:
        def work(session: Session) -> None:
            states = {row[1]: row[3] for row in session.fetch(SQL["models"])}
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
        return self._database.near is not None and self._database.near.builds

    def index(self, job: Job) -> bool:
        return near_filling.step(self._database, job)

    def prune(self, before: datetime) -> int:  # noqa: ARG002 (nobody misses them)
        return self._database.near.tidy() if self._database.near is not None and self._database.near.builds else 0

    def similarity(self, space: str, model: str, query: Vectors, sought: Sought | None = None) -> Similarities:
        stamp = self._database.stamp(space)
        with self._database.read(space) as session:
            space_key = spaces.key_of(session, space)
            row = model_of(session, model)
            if space_key is None or row is None or row[2] is None:
                return Similarities(np.empty(0, np.int64), np.empty(0, np.float32))
            same_dimension(row, len(query))
            asked = Query.of(query)
            keys = session.fetch(SQL["block_keys"], {"space_key": space_key, "model_key": row[0]})
            if sought is not None and self._large(len(keys)):
                found = near.similarity(session, Place(space_key, row[0], row[2]), asked, sought)
                if found is not None:
                    return found
            tail = self._tails.get((space_key, row[0]), stamp, lambda: _tail(session, space_key, row))
            blocks = [*(self._blocks.get(session, key) for (key,) in keys), tail]
        chunks = np.concatenate([block.targets["chunk"] for block in blocks])
        return Similarities(chunks, np.concatenate([block.similarity(asked) for block in blocks]))

    def passages(self, claimed: Sequence[Job]) -> list[Passage]:
        with self._database.read() as session:
            return _passages(session, [jobs.target_of(job) for job in claimed])

    def put(
        self, model: str, vectors: Sequence[Embedded], claimed: Sequence[Job], milliseconds: float, at: datetime
    ) -> None:
        def work(session: Session) -> None:
            mine = jobs.owned(session, claimed)
            messages = {jobs.target_of(job) for job in mine}
            grown = _write(session, model, [vector for vector in vectors if vector.message in messages])
            if self._database.near is not None:
                near.queue(session, self._database.near, grown, microseconds(at))
            for job in mine:
                jobs.finish(session, job, milliseconds / len(claimed), at)

        self._database.write(work, *(job.space for job in claimed), durable=False)

    def unbuilt(self, model: str, limit: int) -> tuple[int, list[Passage]]:
        with self._database.read() as session:
            row = model_of(session, model)
            reached = 0 if row is None else int(row[4])
            keys = session.fetch(SQL["next_messages"], {"reached": reached, "limit": limit})
            return reached, _passages(session, [key for (key,) in keys])

    def build(self, model: str, reached: int, vectors: Sequence[Embedded]) -> None:
        def work(session: Session) -> None:
            row = model_of(session, model)
            if row is None or row[3] != "building":
                return
            newest = max(vector.message for vector in vectors)
            if session.changed(SQL["reach"], {"model_key": row[0], "reached": newest, "before": reached}):
                _write(session, model, vectors)

        self._database.write(work, alone=True, durable=False)

    def switch(self, model: str, at: datetime) -> bool:
        def work(session: Session) -> bool:
            row = model_of(session, model)
            if row is None or row[3] != "building":
                return False
            if session.fetch(SQL["next_messages"], {"reached": row[4], "limit": 1}):
                return False
            if session.fetch(NOTES["unbuilt"], {"model_key": row[0], "limit": 1}):
                return False
            for old in session.fetch(SQL["models"]):
                if old[3] == "serving":
                    session.execute(SQL["set_state"], {"model_key": old[0], "state": "retired"})
            session.execute(SQL["set_state"], {"model_key": row[0], "state": "serving"})
            session.execute(JOBS["overtaken"], {"at": microseconds(at)})
            for key in sorted(lacking(session, row[0])):  # split anew while the model was being built
                (space_key, *_), *_ = session.fetch(SQL["owner"], {"message_key": key})
                jobs.insert(session, "embed", space_key, key, microseconds(at))
            jobs.insert(session, "sweep", None, jobs.WHOLE_STORE, microseconds(at))
            if self._database.near is not None:
                near.retire(session, microseconds(at))
                near.queue_large(session, self._database.near, row, microseconds(at))
            return True

        return self._database.write(work, alone=True)

    def sweep(self, limit: int) -> int:
        def work(session: Session) -> int:
            removed = session.changed(SQL["sweep_vectors"], {"limit": limit})
            removed += session.changed(NOTES["sweep"], {"limit": limit})
            if session.near is not None:
                removed += session.changed(NEAR["sweep"], {"limit": limit})
            return removed + session.changed(SQL["sweep_blocks"], {"limit": max(1, limit // BLOCK)})

        return self._database.write(work, alone=True)

    def _in_state(self, state: str, space: str | None = None) -> str | None:
        found = self._database.query(SQL["models"], None, space)
        return next((row[1] for row in found if row[3] == state), None)

    def _large(self, blocks: int) -> bool:
        """Whether a space of so many blocks may have an index."""
        return self._database.near is not None and blocks * BLOCK + SEAL_AT >= self._database.near.least


def lacking(session: Session, model_key: int) -> set[int]:
    """The messages that should have vectors of a model and have none."""
    scope = {"model_key": model_key}
    present = {row[0] for row in session.fetch(SQL["tail_messages"], scope)}
    for (targets,) in session.fetch(SQL["block_targets"], scope):
        present.update(np.frombuffer(targets, TARGET)["message"].tolist())
    return {row[0] for row in session.fetch(SQL["embeddable"])} - present


def remove(session: Session, space_key: int, messages: set[int]) -> int:
    """Removes the vectors of these messages of every model, from rows and from sealed blocks; says how many."""
    models = [row[0] for row in session.fetch(SQL["models"])]
    scope = {"space_key": space_key}
    targets = [scope | {"model_key": model, "message_key": key} for model in models for key in messages]
    removed = session.changed_each(SQL["remove"], targets)
    gone = np.fromiter(messages, np.int64, len(messages))
    for key, model_key, targets in session.fetch(SQL["space_blocks"], {"space_key": space_key}):
        stays = ~np.isin(np.frombuffer(targets, TARGET)["message"], gone)
        if stays.all():
            continue
        removed += int(np.count_nonzero(~stays))
        block = Block.read(session.fetch(SQL["block"], {"space_key": space_key, "block_key": key})[0])
        session.execute(SQL["delete_block"], {"space_key": space_key, "block_key": key})
        if stays.any():
            _add_block(session, space_key, model_key, block.keep(stays))
    return removed


def _write(session: Session, model: str, vectors: Sequence[Embedded]) -> list[Place]:
    """Gives the places of which another block was sealed."""
    row = model_of(session, model)
    if row is None or not vectors:
        return []
    dimension = len(vectors[0].vector)
    session.execute(SQL["set_dimension"], {"model_key": row[0], "dimension": dimension})
    same_dimension(model_of(session, model) or row, dimension)
    places = _put(session, (row[0], dimension), vectors)
    return [place for place in places if _seal(session, {"space_key": place.space, "model_key": place.model})]


def _put(session: Session, model: tuple[int, int], vectors: Sequence[Embedded]) -> list[Place]:
    """Writes vectors of messages that are still there; gives their places."""
    owners = _owners(session, [vector.message for vector in vectors])
    there = [vector for vector in vectors if vector.message in owners]
    places = [
        {"space_key": space_key, "low": (first // LENGTH_CODES + max(vector.part, 0)) * LENGTH_CODES}
        for vector in there
        for space_key, _, first, _, _ in [owners[vector.message]]
    ]
    chunks = session.fetch_each(SQL["chunk_key"], places)
    columns = [
        {
            "space_key": owners[vector.message][0],
            "model_key": model[0],
            "message_key": vector.message,
            "part": vector.part,
            "conversation_key": owners[vector.message][1],
            "chunk_key": chunk,
            **_quantised(vector),
        }
        for vector, ((chunk,), *_) in zip(there, chunks, strict=True)
    ]
    session.execute_each(SQL["put"], columns)
    found = [Place(space_key, *model) for space_key in {int(owner[0]) for owner in owners.values()}]
    near.put(session, found, columns)
    return found


def _owners(session: Session, messages: Sequence[int]) -> dict[int, Row]:
    """Of each message that is there: its space, its conversation, its chunks, its text."""
    keys = list(dict.fromkeys(messages))
    found = session.fetch_each(SQL["owner"], [{"message_key": key} for key in keys])
    return {key: rows[0] for key, rows in zip(keys, found, strict=True) if rows}


def _quantised(vector: Embedded) -> dict[str, float | bytes]:
    scale, data = quantised(vector.vector)
    return {"scale": scale, "data": data}


def _seal(session: Session, scope: dict[str, int]) -> bool:
    """Says whether the tail was long enough."""
    if session.fetch(SQL["tail_count"], scope)[0][0] < SEAL_AT:
        return False
    rows = session.fetch(SQL["tail"], scope | {"limit": BLOCK})
    _add_block(session, scope["space_key"], scope["model_key"], sealed(rows))
    session.execute_each(SQL["tail_cut"], [scope | {"message_key": row[0], "part": row[1]} for row in rows])
    return True


def _add_block(session: Session, space_key: int, model_key: int, block: Block) -> None:
    columns = block.columns()
    session.execute(SQL["add_block"], {"space_key": space_key, "model_key": model_key, **columns})


def _tail(session: Session, space_key: int, model: Row) -> Block:
    scope = {"space_key": space_key, "model_key": model[0], "limit": EVERYTHING}
    return sealed(session.fetch(SQL["tail"], scope), model[2])


def _passages(session: Session, messages: Sequence[int]) -> list[Passage]:
    owners = _owners(session, messages)
    spans = [
        {"space_key": space_key, "first_chunk": first, "last_chunk": last}
        for space_key, _, first, last, _ in owners.values()
    ]
    found = session.fetch_each(SQL["passages"], spans)
    return [
        Passage(key, part, owner[4][start:stop], tokens)
        for (key, owner), rows in zip(owners.items(), found, strict=True)
        for part, start, stop, tokens in rows
    ]


def _forget_model(session: Session, name: str) -> None:
    for key, *_ in session.fetch(SQL["model"], {"name": name}):
        session.execute(SQL["clear_vectors"], {"model_key": key})
        session.execute(SQL["clear_blocks"], {"model_key": key})
        session.execute(NOTES["clear"], {"model_key": key})


def model_of(session: Session, name: str) -> Row | None:
    found = session.fetch(SQL["model"], {"name": name})
    return found[0] if found else None


def same_dimension(model: Row, dimension: int) -> None:
    if model[2] is not None and model[2] != dimension:
        raise ProviderRefused(
            f"embedder {model[1]!r} gave {dimension} numbers, its stored vectors have {model[2]}; "
            "give the changed model another name"
        )


def _embedded(session: Session, model_key: int) -> int:
    return int(session.fetch(SQL["embedded"], {"model_key": model_key})[0][0])
