"""The statements on `near` in one transaction: the vectors of large spaces, for pgvector.

They stand there in whole numbers, as they are stored: pgvector's products are then the same to the last digit as those
that the exact search makes of the bytes (up to 2^24, which a thousand numbers never reach, and more hardly do).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from recollect.stores import queries
from recollect.stores.database import Place, Row

if TYPE_CHECKING:
    from recollect.stores.nouns.blocks import Block
    from recollect.stores.postgres.session import PostgresSession

SQL = queries.named("near")
SEARCH = (  # by nothing but the index, which goes on where what it found is not let through
    "SELECT set_config('enable_sort', 'off', true), set_config('hnsw.iterative_scan', 'relaxed_order', true),"
    " set_config('hnsw.ef_search', '1000', true), set_config('hnsw.scan_mem_multiplier', '4', true)"
)
SEARCHED = "SELECT set_config('enable_sort', 'on', true)"
NEAREST = """
SELECT chunk_key, message_key, scale, -(vector <#> :query::halfvec) FROM near
WHERE space_key = {space} AND model_key = {model} AND message_key BETWEEN :low AND :high
ORDER BY vector::halfvec({dimension}) <=> :query::halfvec({dimension}) LIMIT {most}"""


class Near:
    def __init__(self, session: PostgresSession) -> None:
        self._session = session

    def ready(self, place: Place) -> bool:
        state = self._session.fetch(SQL["state"], _keys(place))
        return any(filled and column and index for _, filled, column, index in state)

    def open(self, model_key: int) -> set[int]:
        return {key for (key,) in self._session.fetch(SQL["open"], {"model_key": model_key})}

    def put(self, place: Place, block: Block) -> None:
        targets = block.targets
        self._session.execute(SQL["settings"])
        self._session.execute(
            SQL["put"],
            {
                **_keys(place),
                "messages": targets["message"].tolist(),
                "parts": targets["part"].tolist(),
                "conversations": targets["conversation"].tolist(),
                "chunks": targets["chunk"].tolist(),
                "scales": block.scales.tolist(),
                "vectors": [_text(row) for row in block.data],
            },
        )

    def nearest(self, place: Place, query: NDArray[np.int8], span: tuple[int, int], most: int) -> list[Row]:
        sql = NEAREST.format(space=place.space, model=place.model, dimension=place.dimension, most=most)
        self._session.execute(SQL["settings"])
        self._session.connection.execute(SEARCH)
        found = self._session.raw(sql, {"query": _text(query), "low": span[0], "high": span[1]})
        self._session.connection.execute(SEARCHED)
        return found

    def products(self, place: Place, query: NDArray[np.int8], messages: Sequence[int]) -> list[Row]:
        self._session.execute(SQL["settings"])
        return self._session.fetch(SQL["products"], {**_keys(place), "query": _text(query), "messages": messages})


def _keys(place: Place) -> dict[str, int]:
    return {"space_key": place.space, "model_key": place.model}


def _text(vector: NDArray[Any]) -> str:
    return str(vector.tolist()).replace(" ", "")
