"""Parses the address of a PostgreSQL store, and makes its connection pool.

The pool's own log messages about a server that is away are suppressed: a caller that waits for a connection gets
the reason in its error.
"""

from __future__ import annotations

import logging
import os
import re
import secrets
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit

import psycopg
from psycopg import Connection
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.rows import RowMaker, no_result
from psycopg_pool import ConnectionPool

from aforesaid.errors import InvalidInput
from aforesaid.storage.database import Row, row_maker

UNREADABLE = (
    "the store's address cannot be read; write it as postgresql://user:password@host:port/database, "
    "and the marks / ? # @ : % in a password as %2F %3F %23 %40 %3A %25"
)
DEFAULTS = {  # unless the address or a variable of libpq says otherwise
    "fallback_application_name": "aforesaid",
    "connect_timeout": "10",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "30000",
}
VARIABLES = {"connect_timeout": "PGCONNECT_TIMEOUT", "options": "PGOPTIONS"}  # that DEFAULTS would hide
ALWAYS = {"client_encoding": "utf8"}
SETTINGS = (  # the server ends a hung or lost transaction before those that wait for its lock give up
    "-c lock_timeout=60s -c idle_in_transaction_session_timeout=45s -c client_min_messages=warning"
    " -c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3"
)

OWN_PARAMETERS = ("pool_size", "pool_timeout", "near_from")


@dataclass(frozen=True, slots=True)
class PoolLimits:
    """The most connections of a process, how long it waits for a free one or for a server that is down, and the number
    of vectors from which a space gets an index."""

    connections: int = 16
    seconds: float = 30.0
    near_from: int = 200_000


def parse_address(address: str) -> tuple[str, PoolLimits]:
    """Returns the connection string for libpq, and `pool_size`, `pool_timeout` and `near_from`."""
    try:
        pieces = urlsplit(address)
        parameters = dict(parse_qsl(pieces.query, keep_blank_values=True))
        own_parameters = [parameters.pop(name, None) for name in OWN_PARAMETERS]
        query = urlencode(parameters, quote_via=quote)  # libpq does not read a plus sign as a space
        address_settings = conninfo_to_dict(urlunsplit(pieces._replace(query=query)))
    except (ValueError, psycopg.ProgrammingError) as exc:
        raise InvalidInput(f"{UNREADABLE}{_unknown(str(exc))}") from None  # their messages may quote the password
    if _is_split(pieces.path, str(address_settings.get("host") or ""), str(address_settings.get("port") or "")):
        raise InvalidInput(UNREADABLE)
    limits = _limits(*own_parameters)
    environment = {name: os.environ[variable] for name, variable in VARIABLES.items() if variable in os.environ}
    settings = {**DEFAULTS, **environment, **address_settings}
    options = f"{SETTINGS} {settings.pop('options', '') or ''}".strip()
    return make_conninfo("", **{**settings, "options": options, **ALWAYS}), limits


def address_without_password(conninfo: str) -> str:
    known = conninfo_to_dict(conninfo)
    host, port = known.get("host", "localhost"), known.get("port")
    return f"postgresql://{host}{f':{port}' if port else ''}/{known.get('dbname', '')}"


def _is_split(path: str, host: str, port: str) -> bool:
    """Returns True if a special character in the password has split the address in the wrong place."""
    return "@" in path or "@" in host[1:] or re.fullmatch(r"[\d,]*", port) is None


def _unknown(message: str) -> str:
    """The hint about a parameter that libpq does not know."""
    match = re.fullmatch(r'invalid URI query parameter: "([a-z_]+)"', message.strip())
    return f"; the parameter {match[1]!r} is unknown" if match else ""


def _limits(size: str | None, seconds: str | None, least: str | None) -> PoolLimits:
    usual = PoolLimits()
    named = f"{', '.join(OWN_PARAMETERS[:-1])} and {OWN_PARAMETERS[-1]} in the store's address"
    try:
        limits = PoolLimits(
            int(size or usual.connections), float(seconds or usual.seconds), int(least or usual.near_from)
        )
    except ValueError as exc:
        raise InvalidInput(f"{named} must be numbers") from exc
    if limits.connections < 1 or limits.seconds <= 0 or limits.near_from < 1:
        raise InvalidInput(f"{named} must be greater than 0")
    return limits


POOL_NAME = "aforesaid-"


class PooledConnection(Connection[Row]):
    """Distinguishes our connections from those of the application."""


def named_row(cursor: psycopg.Cursor[Any]) -> RowMaker[Row]:
    """The row factory of all connections: rows are read by column name."""
    result = cursor.pgresult
    if result is None or not result.nfields:
        return no_result
    return row_maker(tuple((result.fname(at) or b"").decode() for at in range(result.nfields)))


def make_pool(conninfo: str, limits: PoolLimits) -> ConnectionPool[Connection[Row]]:
    """Returns a pool that is not open yet."""
    logging.getLogger("psycopg.pool").addFilter(_not_ours)  # added once, however often this runs
    return ConnectionPool(
        conninfo, min_size=0, max_size=limits.connections, timeout=limits.seconds, open=False, reconnect_timeout=0,
        kwargs={"autocommit": True, "row_factory": named_row}, connection_class=PooledConnection,
        name=f"{POOL_NAME}{secrets.token_hex(4)}",
    )  # fmt: skip


def _not_ours(record: logging.LogRecord) -> bool:
    about = record.args[0] if isinstance(record.args, tuple) and record.args else None
    return record.levelno >= logging.ERROR or not (
        isinstance(about, PooledConnection) or str(about).startswith(POOL_NAME)
    )
