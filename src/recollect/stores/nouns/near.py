"""Large spaces: their vectors once more in an index of the engine's own, where it has one.

The blocks stay the truth. The index answers only when all of a space is in it, and only what it can answer well: the
best few hundred of a whole space or of a stretch of it. A few messages are compared one by one; what is left over is
searched exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from recollect.records import Similarities, Sought
from recollect.stores import queries
from recollect.stores.database import NearIndex, Place, Row, Session, Values
from recollect.stores.nouns import jobs
from recollect.stores.nouns.blocks import Query, scored, sealed

SQL = queries.named("near")

NEAREST = 500  # vectors that the index is asked for
ENOUGH = 200  # messages of those that it must find, or all are looked at
FEW = 10_000  # messages that are rather compared one by one
COLUMNS = ("message_key", "part", "conversation_key", "chunk_key", "scale", "data")
EVERY_KEY = (0, (1 << 63) - 1)


def similarity(session: Session, place: Place, asked: Query, sought: Sought) -> Similarities | None:
    """None where only an exact search can tell."""
    near, among = session.near, sought.among
    if near is None or not asked.scale or not near.ready(place):
        return None
    if among is not None and len(around := sought.around()) <= FEW:
        return _similarities(near.products(place, asked.data[0], around.tolist()), asked)
    if sought.most > ENOUGH:
        return None
    span = EVERY_KEY if among is None else (int(among.min()), int(among.max()))
    found = near.nearest(place, asked.data[0], span, NEAREST)
    messages = np.unique(np.array([row[1] for row in found], np.int64))
    if len(messages if among is None else np.intersect1d(messages, among)) < ENOUGH:
        return None
    rest = float(_similarities(found, asked).scores.min())
    others = np.setdiff1d(sought.beside(), messages)
    found += near.products(place, asked.data[0], others.tolist()) if len(others) else []
    similar = _similarities(found, asked)
    return Similarities(similar.chunks, similar.scores, rest)


def put(session: Session, places: Sequence[Place], columns: Sequence[Values]) -> None:
    """Takes vectors of one model along that were put down, where their place has been begun."""
    if session.near is None or not places:
        return
    begun = session.near.open(places[0].model)
    for place in places:
        if place.space in begun:
            rows = [tuple(each[name] for name in COLUMNS) for each in columns if each["space_key"] == place.space]
            session.near.put(place, sealed(rows, place.dimension))


def queue(session: Session, index: NearIndex, places: Iterable[Place], at: int) -> None:
    """Queues work on those of these places that have become large."""
    for place in places:
        if index.reason is None and index.fits(place.dimension) and not session.fetch(SQL["state"], keys(place)):
            ((count,),) = session.fetch(SQL["count"], keys(place))
            if count >= index.least:
                jobs.insert(session, "near", place.space, place.space, at)


def queue_large(session: Session, index: NearIndex, model: Row, at: int) -> None:
    """The same for every space of a model."""
    if index.reason is None and model[2] is not None:
        large = session.fetch(SQL["large"], {"model_key": model[0], "least": index.least})
        queue(session, index, [Place(space_key, model[0], model[2]) for (space_key,) in large], at)


def retire(session: Session, at: int) -> None:
    """Takes nothing more along of retired models, and queues the work that drops their indexes."""
    for (space_key,) in session.fetch(SQL["retire"]):
        jobs.insert(session, "near", space_key, space_key, at)


def _similarities(found: Sequence[Row], asked: Query) -> Similarities:
    chunks = np.array([row[0] for row in found], np.int64)
    scales = np.array([row[2] for row in found], np.float32)
    return Similarities(chunks, scored(np.array([row[3] for row in found], np.float64), scales, asked))


def keys(place: Place) -> dict[str, int]:
    return {"space_key": place.space, "model_key": place.model}
