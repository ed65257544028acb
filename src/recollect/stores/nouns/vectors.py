"""Vectors in SQLite: int8, first one to a row, then sealed a thousand to a block; searched exactly, by space."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import apsw
import numpy as np

from recollect.errors import ProviderRefused
from recollect.ids import microseconds
from recollect.models import EmbeddingModel, Job
from recollect.ports import Vectors
from recollect.records import Embedded, Passage, Similarities
from recollect.stores import queries
from recollect.stores.nouns import jobs, spaces
from recollect.stores.nouns.blocks import BLOCK, TARGET, Block, Blocks, Query, Tails, quantised, sealed
from recollect.stores.nouns.chunks import LENGTH_CODES
from recollect.stores.sqlite.database import Database, Row, fetch

SQL = queries.named("sqlite", "vectors")
JOBS = queries.named("sqlite", "jobs")
NOTES = queries.named("sqlite", "notes")

SEAL_AT = 2 * BLOCK  # rows in a space's tail before its first thousand become a block
EVERYTHING = -1


class SqliteVectors:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._blocks = Blocks()
        self._tails = Tails()

    def models(self) -> list[EmbeddingModel]:
        with self._database.read() as connection:
            expected = int(fetch(connection, SQL["expected"])[0][0])
            return [
                EmbeddingModel(name, dimension or 0, state, _embedded(connection, key), expected)
                for key, name, dimension, state, _ in fetch(connection, SQL["models"])
            ]

    def serving(self) -> str | None:
        return self._in_state("serving")

    def building(self) -> str | None:
        return self._in_state("building")

    def adopt(self, name: str, at: datetime) -> None:
        def work(connection: apsw.Connection) -> None:
            states = {row[1]: row[3] for row in fetch(connection, SQL["models"])}
            if states.get(name) == "building":
                return
            connection.execute(SQL["retire_building"])
            if connection.changes():
                jobs.insert(connection, "sweep", None, jobs.WHOLE_STORE, microseconds(at))
            if states.get(name) == "serving":
                return
            if states.get(name) == "retired":  # its messages may have changed since
                _forget_model(connection, name)
            state = "building" if "serving" in states.values() else "serving"
            connection.execute(SQL["add_model"], {"name": name, "state": state})
            if state == "building":
                jobs.insert(connection, "reembed", None, jobs.WHOLE_STORE, microseconds(at))

        self._database.write(work)

    def similarity(self, space: str, model: str, query: Vectors) -> Similarities:
        stamp = self._database.stamp()
        with self._database.read() as connection:
            space_key = spaces.key_of(connection, space)
            row = model_of(connection, model)
            if space_key is None or row is None or row[2] is None:
                return Similarities(np.empty(0, np.int64), np.empty(0, np.float32))
            same_dimension(row, len(query))
            tail = self._tails.get((space_key, row[0]), stamp, lambda: _tail(connection, space_key, row))
            blocks = [*self._sealed(connection, space_key, row[0]), tail]
        asked = Query.of(query)
        chunks = np.concatenate([block.targets["chunk"] for block in blocks])
        return Similarities(chunks, np.concatenate([block.similarity(asked) for block in blocks]))

    def passages(self, claimed: Sequence[Job]) -> list[Passage]:
        with self._database.read() as connection:
            found: list[Passage] = []
            for job in claimed:
                found += _passages(connection, jobs.target_of(job))
            return found

    def put(
        self, model: str, vectors: Sequence[Embedded], claimed: Sequence[Job], milliseconds: float, at: datetime
    ) -> None:
        def work(connection: apsw.Connection) -> None:
            mine = [job for job in claimed if jobs.owned(connection, job)]
            messages = {jobs.target_of(job) for job in mine}
            _write(connection, model, [vector for vector in vectors if vector.message in messages])
            for job in mine:
                jobs.finish(connection, job, milliseconds / len(claimed), at)

        self._database.write(work, durable=False)

    def unbuilt(self, model: str, limit: int) -> tuple[int, list[Passage]]:
        with self._database.read() as connection:
            row = model_of(connection, model)
            reached = 0 if row is None else int(row[4])
            keys = fetch(connection, SQL["next_messages"], {"reached": reached, "limit": limit})
            return reached, [passage for (key,) in keys for passage in _passages(connection, key)]

    def build(self, model: str, reached: int, vectors: Sequence[Embedded]) -> None:
        def work(connection: apsw.Connection) -> None:
            row = model_of(connection, model)
            if row is None or row[3] != "building":
                return
            newest = max(vector.message for vector in vectors)
            connection.execute(SQL["reach"], {"model_key": row[0], "reached": newest, "before": reached})
            if connection.changes():
                _write(connection, model, vectors)

        self._database.write(work, durable=False)

    def switch(self, model: str, at: datetime) -> bool:
        def work(connection: apsw.Connection) -> bool:
            row = model_of(connection, model)
            if row is None or row[3] != "building":
                return False
            if fetch(connection, SQL["next_messages"], {"reached": row[4], "limit": 1}):
                return False
            if fetch(connection, NOTES["unbuilt"], {"model_key": row[0], "limit": 1}):
                return False
            for old in fetch(connection, SQL["models"]):
                if old[3] == "serving":
                    connection.execute(SQL["set_state"], {"model_key": old[0], "state": "retired"})
            connection.execute(SQL["set_state"], {"model_key": row[0], "state": "serving"})
            connection.execute(JOBS["overtaken"], {"at": microseconds(at)})
            for key in sorted(lacking(connection, row[0])):  # split anew while the model was being built
                (space_key, *_), *_ = fetch(connection, SQL["owner"], {"message_key": key})
                jobs.insert(connection, "embed", space_key, key, microseconds(at))
            jobs.insert(connection, "sweep", None, jobs.WHOLE_STORE, microseconds(at))
            return True

        return self._database.write(work)

    def sweep(self, limit: int) -> int:
        def work(connection: apsw.Connection) -> int:
            connection.execute(SQL["sweep_vectors"], {"limit": limit})
            removed = connection.changes()
            connection.execute(NOTES["sweep"], {"limit": limit})
            removed += connection.changes()
            connection.execute(SQL["sweep_blocks"], {"limit": max(1, limit // BLOCK)})
            return removed + connection.changes()

        return self._database.write(work)

    def _in_state(self, state: str) -> str | None:
        found = self._database.query(SQL["models"])
        return next((row[1] for row in found if row[3] == state), None)

    def _sealed(self, connection: apsw.Connection, space_key: int, model_key: int) -> list[Block]:
        scope = {"space_key": space_key, "model_key": model_key}
        return [self._blocks.get(connection, key) for (key,) in fetch(connection, SQL["block_keys"], scope)]


def lacking(connection: apsw.Connection, model_key: int) -> set[int]:
    """The messages that should have vectors of a model and have none."""
    scope = {"model_key": model_key}
    present = {row[0] for row in fetch(connection, SQL["tail_messages"], scope)}
    for (targets,) in fetch(connection, SQL["block_targets"], scope):
        present.update(np.frombuffer(targets, TARGET)["message"].tolist())
    return {row[0] for row in fetch(connection, SQL["embeddable"])} - present


def remove(connection: apsw.Connection, space_key: int, messages: set[int]) -> int:
    """Removes the vectors of these messages of every model, from rows and from sealed blocks; says how many."""
    start = connection.total_changes()
    for model in fetch(connection, SQL["models"]):
        for key in messages:
            scope = {"space_key": space_key, "model_key": model[0], "message_key": key}
            connection.execute(SQL["remove"], scope)
    removed = connection.total_changes() - start
    gone = np.fromiter(messages, np.int64, len(messages))
    for key, model_key, targets in fetch(connection, SQL["space_blocks"], {"space_key": space_key}):
        stays = ~np.isin(np.frombuffer(targets, TARGET)["message"], gone)
        if stays.all():
            continue
        removed += int(np.count_nonzero(~stays))
        block = Block.read(fetch(connection, SQL["block"], {"block_key": key})[0])
        connection.execute(SQL["delete_block"], {"block_key": key})
        if stays.any():
            _add_block(connection, space_key, model_key, block.keep(stays))
    return removed


def _write(connection: apsw.Connection, model: str, vectors: Sequence[Embedded]) -> None:
    row = model_of(connection, model)
    if row is None or not vectors:
        return
    dimension = len(vectors[0].vector)
    connection.execute(SQL["set_dimension"], {"model_key": row[0], "dimension": dimension})
    same_dimension(model_of(connection, model) or row, dimension)
    touched = {_put(connection, row[0], vector) for vector in vectors}
    for space_key in touched - {None}:
        _seal(connection, {"space_key": space_key, "model_key": row[0]})


def _put(connection: apsw.Connection, model_key: int, vector: Embedded) -> int | None:
    for space_key, conversation_key, first, _, _ in fetch(connection, SQL["owner"], {"message_key": vector.message}):
        low = (first // LENGTH_CODES + max(vector.part, 0)) * LENGTH_CODES
        scale, data = quantised(vector.vector)
        connection.execute(
            SQL["put"],
            {
                "space_key": space_key,
                "model_key": model_key,
                "message_key": vector.message,
                "part": vector.part,
                "conversation_key": conversation_key,
                "chunk_key": connection.execute(SQL["chunk_key"], {"low": low}).fetchall()[0][0],
                "scale": scale,
                "data": data,
            },
        )
        return int(space_key)
    return None


def _seal(connection: apsw.Connection, scope: dict[str, int | None]) -> None:
    if fetch(connection, SQL["tail_count"], scope)[0][0] < SEAL_AT:
        return
    rows = fetch(connection, SQL["tail"], scope | {"limit": BLOCK})
    _add_block(connection, scope["space_key"], scope["model_key"], sealed(rows))
    connection.executemany(SQL["tail_cut"], [scope | {"message_key": row[0], "part": row[1]} for row in rows])


def _add_block(connection: apsw.Connection, space_key: int | None, model_key: int | None, block: Block) -> None:
    columns = block.columns()
    connection.execute(SQL["add_block"], {"space_key": space_key, "model_key": model_key, **columns})


def _tail(connection: apsw.Connection, space_key: int, model: Row) -> Block:
    scope = {"space_key": space_key, "model_key": model[0], "limit": EVERYTHING}
    return sealed(fetch(connection, SQL["tail"], scope), model[2])


def _passages(connection: apsw.Connection, message_key: int) -> list[Passage]:
    found = []
    for _, _, first, last, text in fetch(connection, SQL["owner"], {"message_key": message_key}):
        scope = {"first_chunk": first, "last_chunk": last}
        for part, start, stop, tokens in fetch(connection, SQL["passages"], scope):
            found.append(Passage(message_key, part, text[start:stop], tokens))
    return found


def _forget_model(connection: apsw.Connection, name: str) -> None:
    for key, *_ in fetch(connection, SQL["model"], {"name": name}):
        connection.execute(SQL["clear_vectors"], {"model_key": key})
        connection.execute(SQL["clear_blocks"], {"model_key": key})
        connection.execute(NOTES["clear"], {"model_key": key})


def model_of(connection: apsw.Connection, name: str) -> Row | None:
    found = fetch(connection, SQL["model"], {"name": name})
    return found[0] if found else None


def same_dimension(model: Row, dimension: int) -> None:
    if model[2] is not None and model[2] != dimension:
        raise ProviderRefused(
            f"embedder {model[1]!r} gave {dimension} numbers, its stored vectors have {model[2]}; "
            "give the changed model another name"
        )


def _embedded(connection: apsw.Connection, model_key: int) -> int:
    return int(fetch(connection, SQL["embedded"], {"model_key": model_key})[0][0])
