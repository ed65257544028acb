"""Consolidations with all that they did, as they leave and come back, inside the caller's transaction."""

from __future__ import annotations

import json

from recollect.ids import microseconds
from recollect.models import Consolidation
from recollect.records import KeptConsolidation, KeptStep
from recollect.stores import queries
from recollect.stores.database import Session
from recollect.stores.fact_rows import at_or_none
from recollect.stores.ledger_rows import written
from recollect.stores.rows import Row, moment, moment_or_none

SQL = queries.named("moving")


def kept(session: Session, space_key: int | None) -> list[KeptConsolidation]:
    found = session.fetch(SQL["consolidations"], {"space_key": space_key})
    return [KeptConsolidation(_report(row), _steps(session, space_key, row[0])) for row in found]


def keep(session: Session, space_key: int, one: KeptConsolidation) -> None:
    """What was forgotten since has nothing to be put back."""
    report = one.report
    if session.fetch(SQL["consolidation"], {"space_key": space_key, "id": report.id}):
        return
    counts = {name: getattr(report, name) for name in ("id", "looked_at", "archived", "merged", "tokens")}
    times = {"at": microseconds(report.at), "undone_at": at_or_none(report.undone_at)}
    ((key,),) = session.fetch(SQL["keep_consolidation"], {"space_key": space_key, **counts, **times})
    for step in one.steps:
        record_key = _key(session, space_key, step.record, step.id)
        into_key = None if step.into is None else _key(session, space_key, step.record, step.into)
        if record_key is None or (step.into is not None and into_key is None):
            continue
        values = {"consolidation_key": key, "record": step.record, "record_key": record_key, "into_key": into_key}
        before = {"status": step.status, "known_until": at_or_none(step.known_until)}
        session.execute(SQL["keep_step"], values | before | {"copied": _copied(session, space_key, step)})


def _steps(session: Session, space_key: int | None, key: int) -> tuple[KeptStep, ...]:
    found = []
    for record, id, status, known_until, into, copied in session.fetch(SQL["steps"], {"consolidation_key": key}):
        what = json.loads(copied)
        if record == "fact":
            what = [id for (id,) in session.fetch(SQL["message_ids"], {"space_key": space_key, "keys": copied})]
        found.append(KeptStep(record, id, status, moment_or_none(known_until), into, tuple(what)))
    return tuple(found)


def _copied(session: Session, space_key: int, step: KeptStep) -> str:
    if step.record == "episode":
        return written(step.copied)
    scope = {"space_key": space_key, "ids": written(step.copied)}
    return written([key for (key,) in session.fetch(SQL["message_keys"], scope)])


def _key(session: Session, space_key: int, record: str, id: str) -> int | None:
    found = session.fetch(SQL[record], {"space_key": space_key, "id": id})
    return int(found[0][0]) if found else None


def _report(row: Row) -> Consolidation:
    _, id, at, looked_at, archived, merged, tokens, undone_at = row
    return Consolidation(id, moment(at), looked_at, archived, merged, tokens, (), moment_or_none(undone_at))
