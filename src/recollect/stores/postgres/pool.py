"""The connections of one process.

What the pool itself logs of a server that is away is left out: it is several lines a second, and whoever waits for a
connection is told why.
"""

from __future__ import annotations

import logging
import secrets

from psycopg import Connection
from psycopg_pool import ConnectionPool

from recollect.stores.database import Row
from recollect.stores.postgres.address import Limits

NAME = "recollect-"


class Pooled(Connection[Row]):
    """Tells ours from an application's own."""


def pool(conninfo: str, limits: Limits) -> ConnectionPool[Connection[Row]]:
    """Not opened yet."""
    logging.getLogger("psycopg.pool").addFilter(_not_ours)  # once, however often this is done
    return ConnectionPool(
        conninfo, min_size=0, max_size=limits.connections, timeout=limits.seconds, open=False, reconnect_timeout=0,
        kwargs={"autocommit": True}, connection_class=Pooled, name=f"{NAME}{secrets.token_hex(4)}",
    )  # fmt: skip


def _not_ours(record: logging.LogRecord) -> bool:
    about = record.args[0] if isinstance(record.args, tuple) and record.args else None
    return record.levelno >= logging.ERROR or not (isinstance(about, Pooled) or str(about).startswith(NAME))
