"""Approximate nearest-neighbor search in large spaces, where the engine has an index for it.

The vector blocks stay the source of truth. The index is used only when it holds all vectors of a space; otherwise
the search is exact. A job copies the vectors to the index a few blocks at a time. A process that is killed leaves a
state from which the next one continues.

There is one index per space, so no filter by space can lose hits. Integers in a halfvec are exact, so scores equal
those of the exact search. A message that the index does not return counts as similar as the last one that it
returned; the best lexical candidates are compared exactly. The state is read from the tables in the reading
transaction, so a dropped extension or a half-built index leads to the exact search.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aforesaid.models.index import Similarities, VectorQuery
from aforesaid.models.job import Job
from aforesaid.storage import queries
from aforesaid.storage.database import (
    AnnIndexBuilder,
    Database,
    Row,
    Session,
    Values,
    VectorPartition,
    row_maker,
    scalar,
)
from aforesaid.storage.repositories import jobs
from aforesaid.storage.repositories.vector_blocks import QuantizedQuery, VectorBlock, pack_block, scale_products

SQL = queries.named("near")
VECTORS = queries.named("vectors")

BLOCKS_PER_STEP = 4  # copied in one transaction
NO_LIMIT = -1
NEAREST = 500  # vectors to ask the index for
ENOUGH_MESSAGES = 200  # messages that it must find; otherwise the search is exact
FEW_MESSAGES = 10_000  # messages that are compared one by one
NEAREST_ROWS = """
SELECT chunk_key, message_key, scale, -(vector <#> :query::halfvec) AS product FROM near
WHERE space_key = {space} AND model_key = {model} AND message_key BETWEEN :low AND :high
ORDER BY vector::halfvec({dimension}) <=> :query::halfvec({dimension}) LIMIT {most}"""
COLUMNS = ("message_key", "part", "conversation_key", "chunk_key", "scale", "data")
vector_row = row_maker(COLUMNS)
EVERY_KEY = (0, (1 << 63) - 1)


def similarity(
    session: Session, place: VectorPartition, query: QuantizedQuery, search: VectorQuery
) -> Similarities | None:
    """Returns None if only an exact search can answer."""
    among = search.among
    if not session.has_ann or not query.scale or not ready(session, place):
        return None
    if among is not None and len(around := search.around()) <= FEW_MESSAGES:
        return _similarities(_products(session, place, query, around), query)
    if search.most > ENOUGH_MESSAGES:
        return None
    span = EVERY_KEY if among is None else (int(among.min()), int(among.max()))
    rows = _nearest(session, place, query, span)
    messages = np.unique(np.array([row.message_key for row in rows], np.int64))
    if len(messages if among is None else np.intersect1d(messages, among)) < ENOUGH_MESSAGES:
        return None
    rest = float(_similarities(rows, query).scores.min())
    others = np.setdiff1d(search.beside(), messages)
    rows += _products(session, place, query, others) if len(others) else []
    similar = _similarities(rows, query)
    return Similarities(similar.chunks, similar.scores, rest)


def put(session: Session, places: Sequence[VectorPartition], columns: Sequence[Values]) -> None:
    """Copies new vectors of one model to the index, for those places that have begun to fill it."""
    if not session.has_ann or not places:
        return
    begun = {key for (key,) in session.fetch(SQL["open"], {"model_key": places[0].model})}
    for place in places:
        if place.space in begun:
            rows = [vector_row(map(each.get, COLUMNS)) for each in columns if each["space_key"] == place.space]
            _put(session, place, pack_block(rows, place.dimension))


def ready(session: Session, place: VectorPartition) -> bool:
    """Returns True if the index has all vectors of a place."""
    state = session.fetch(SQL["state"], partition_keys(place))
    return any(filled and column and index for _, filled, column, index in state)


def queue(session: Session, index: AnnIndexBuilder, places: Iterable[VectorPartition], at: int) -> None:
    """Queues work on those of these places that are large enough."""
    for place in places:
        keys = partition_keys(place)
        if index.reason is not None or not index.fits(place.dimension) or session.fetch(SQL["state"], keys):
            continue
        if scalar(session.fetch(SQL["count"], keys)) >= index.least:
            jobs.insert(session, "near", place.space, place.space, at)


def queue_large(session: Session, index: AnnIndexBuilder, model: Row, at: int) -> None:
    """Like `queue`, for every space of a model."""
    if index.reason is None and model.dimension is not None:
        queue(session, index, large_partitions(session, index, model), at)


def large_partitions(session: Session, index: AnnIndexBuilder, model: Row) -> list[VectorPartition]:
    """Returns the vectors of each space that has enough of them for an index."""
    rows = session.fetch(SQL["large"], {"model_key": model.model_key, "least": index.least})
    return [VectorPartition(row.space_key, model.model_key, model.dimension) for row in rows]


def retire(session: Session, at: int) -> None:
    """Stops copying vectors of retired models, and queues the work that drops their indexes."""
    if not session.has_ann:
        return
    for (space_key,) in session.fetch(SQL["retire"]):
        jobs.insert(session, "near", space_key, space_key, at)


def _put(session: Session, place: VectorPartition, block: VectorBlock) -> None:
    targets = block.targets
    session.execute(SQL["settings"])
    columns = {f"{name}s": targets[name].tolist() for name in ("message", "part", "conversation", "chunk")}
    vectors = {"scales": block.scales.tolist(), "vectors": [_text(row) for row in block.data]}
    session.execute(SQL["put"], partition_keys(place) | columns | vectors)


def _nearest(session: Session, place: VectorPartition, query: QuantizedQuery, span: tuple[int, int]) -> list[Row]:
    """Returns about the nearest vectors of the messages in a span of keys."""
    sql = NEAREST_ROWS.format(space=place.space, model=place.model, dimension=place.dimension, most=NEAREST)
    session.execute(SQL["settings"])
    session.execute(SQL["begin_search"])
    rows = session.raw(sql, {"query": _text(query.data[0]), "low": span[0], "high": span[1]})
    session.execute(SQL["end_search"])
    return rows


def _products(
    session: Session, place: VectorPartition, query: QuantizedQuery, messages: NDArray[np.int64]
) -> list[Row]:
    """Returns every vector of these messages with its product."""
    session.execute(SQL["settings"])
    values = {"query": _text(query.data[0]), "messages": messages.tolist()}
    return session.fetch(SQL["products"], partition_keys(place) | values)


def _text(vector: NDArray[Any]) -> str:
    return str(vector.tolist()).replace(" ", "")


def _similarities(rows: Sequence[Row], query: QuantizedQuery) -> Similarities:
    chunks = np.array([row.chunk_key for row in rows], np.int64)
    scales = np.array([row.scale for row in rows], np.float32)
    return Similarities(chunks, scale_products(np.array([row.product for row in rows], np.float64), scales, query))


def partition_keys(place: VectorPartition) -> dict[str, int]:
    return {"space_key": place.space, "model_key": place.model}


def build_step(database: Database, job: Job) -> bool:
    """Returns True if there is more to do."""
    index = database.ann
    if not index.builds:
        return False
    if job.space is not None:
        work = partial(_fill, space_key=jobs.target_of(job), least=index.least)
        place, more = database.write(work, job.space, durable=False)
        if more or (place is not None and not index.build(place)):
            return True
    index.drop_unused()
    return False


def serving_model(session: Session) -> Row | None:
    rows = session.fetch(VECTORS["models"])
    return next((row for row in rows if row.state == "serving" and row.dimension is not None), None)


def _fill(session: Session, space_key: int, least: int) -> tuple[VectorPartition | None, bool]:
    """Returns where to build an index, if anywhere, and True if there are more vectors to copy."""
    model = serving_model(session)
    if model is None:
        return None, False
    place = VectorPartition(space_key, model.model_key, model.dimension)
    state = session.fetch(SQL["state"], partition_keys(place))
    if not state:
        return _begin(session, place, least)
    ((reached, filled, column, _),) = state
    if filled or not column:
        return (place if column else None), False
    blocks = session.fetch(SQL["next_blocks"], {**partition_keys(place), "reached": reached, "limit": BLOCKS_PER_STEP})
    for block in blocks:
        _put(session, place, VectorBlock.read(block))
    if blocks:
        session.execute(SQL["reach"], {**partition_keys(place), "reached": blocks[-1].block_key})
    else:
        session.execute(SQL["fill"], partition_keys(place))
    return place, bool(blocks)


def _begin(session: Session, place: VectorPartition, least: int) -> tuple[VectorPartition | None, bool]:
    if scalar(session.fetch(SQL["count"], partition_keys(place))) < least:
        return None, False
    session.execute(SQL["begin"], partition_keys(place))
    tail = session.fetch(VECTORS["tail"], {**partition_keys(place), "limit": NO_LIMIT})
    if tail:
        _put(session, place, pack_block(tail, place.dimension))
    return place, True
