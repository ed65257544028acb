"""The index of metadata: which messages and conversations have a value. Triggers of the schema fill it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from aforesaid.models.index import MetadataCondition
from aforesaid.models.json import Json
from aforesaid.storage import queries
from aforesaid.storage.columns import json_text
from aforesaid.storage.database import scalar
from aforesaid.storage.repositories.base import Repository
from aforesaid.storage.repositories.lexical import parse_keys

SQL = queries.named("metadata")
LONGEST = 200  # characters of a text, and of a field, that the index stores


class MetadataIndex(Repository):
    def matching(self, space: str, condition: MetadataCondition) -> NDArray[np.int64]:
        """Returns the keys of the messages, or conversations, that have such a value."""
        values = _operand(condition.value) | {"record": condition.record, "field": condition.field[:LONGEST]}
        with self._database.read(space) as session:
            rows = session.fetch(SQL[condition.operator], values | {"space_key": session.key_of(space)})
        return np.unique(parse_keys(scalar(rows)))

    def message_keys(self, space: str, ids: Sequence[str]) -> dict[str, int]:
        """Returns the keys of those of these messages that exist, by id."""
        rows = self._database.query(SQL["messages"], {"ids": json_text(list(ids))}, space)
        return {row.id: row.message_key for row in rows}


def _operand(value: str | float | bool | None) -> dict[str, Json]:
    """The columns of a value in the index."""
    if value is None:
        return {"type": "null", "number": 0.0, "text": ""}
    if isinstance(value, str):
        return {"type": "text", "number": 0.0, "text": value[:LONGEST]}
    return {"type": "boolean" if isinstance(value, bool) else "number", "number": float(value), "text": ""}
