"""Rows of erasures as values, and back: the same for every store."""

from __future__ import annotations

import json
from dataclasses import astuple

from recollect.ids import microseconds
from recollect.models import Erasure, Json, Portion
from recollect.stores.rows import Row, moment

PORTIONS = ("erased", "recomputed", "kept")


def erasure(row: Row) -> Erasure:
    """From: id, space, at, target, portions, pending."""
    id, space, at, target, portions, pending = row
    written = json.loads(portions)
    erased, recomputed, kept = (tuple(Portion(*portion) for portion in written[name]) for name in PORTIONS)
    return Erasure(id, space, moment(at), target, erased, recomputed, kept, tuple(json.loads(pending)))


def columns(erasure: Erasure) -> dict[str, Json]:
    portions = {name: [astuple(portion) for portion in getattr(erasure, name)] for name in PORTIONS}
    return {
        "id": erasure.id,
        "at": microseconds(erasure.at),
        "target": erasure.target,
        "portions": json.dumps(portions),
        "pending": json.dumps(erasure.pending),
    }
