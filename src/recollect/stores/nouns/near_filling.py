"""The job `near`: takes the vectors of a large space to the engine's index, some blocks at a time, and has it made.

From the first step on new vectors go there too, and what is removed is removed there. So a process that is killed
leaves nothing that the next one could not go on with.
"""

from __future__ import annotations

from functools import partial

from recollect.models import Job
from recollect.stores import queries
from recollect.stores.database import Database, Place, Row, Session
from recollect.stores.nouns import jobs, near
from recollect.stores.nouns.blocks import Block, sealed

SQL = queries.named("near")
VECTORS = queries.named("vectors")

BLOCKS = 4  # in one transaction
EVERYTHING = -1


def step(database: Database, job: Job) -> bool:
    """Says whether there is more to do."""
    index = database.near
    if index is None or not index.builds:
        return False
    if job.space is not None:
        work = partial(_fill, space_key=jobs.target_of(job), least=index.least)
        place, more = database.write(work, job.space, durable=False)
        if more or (place is not None and not index.build(place)):
            return True
    index.tidy()
    return False


def serving(session: Session) -> Row | None:
    return next((row for row in session.fetch(VECTORS["models"]) if row[3] == "serving" and row[2] is not None), None)


def _fill(session: Session, space_key: int, least: int) -> tuple[Place | None, bool]:
    """Where an index is to be made, if anywhere, and whether vectors are still to be taken there."""
    model, target = serving(session), session.near
    if model is None or target is None:
        return None, False
    place = Place(space_key, model[0], model[2])
    state = session.fetch(SQL["state"], near.keys(place))
    if not state:
        return _begun(session, place, least)
    ((reached, filled, column, _),) = state
    if filled or not column:
        return (place if column else None), False
    blocks = session.fetch(SQL["next_blocks"], {**near.keys(place), "reached": reached, "limit": BLOCKS})
    for _, *block in blocks:
        target.put(place, Block.read(tuple(block)))
    if blocks:
        session.execute(SQL["reach"], {**near.keys(place), "reached": blocks[-1][0]})
    else:
        session.execute(SQL["fill"], near.keys(place))
    return place, bool(blocks)


def _begun(session: Session, place: Place, least: int) -> tuple[Place | None, bool]:
    ((count,),) = session.fetch(SQL["count"], near.keys(place))
    if count < least:
        return None, False
    session.execute(SQL["begin"], near.keys(place))
    tail = session.fetch(VECTORS["tail"], {**near.keys(place), "limit": EVERYTHING})
    if session.near is not None and tail:
        session.near.put(place, sealed(tail, place.dimension))
    return place, True
