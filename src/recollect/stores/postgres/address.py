"""The address of a store on a server: what libpq takes, and three parameters of our own."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from recollect.errors import InvalidInput

UNREADABLE = (
    "the store's address cannot be read; write it as postgresql://user:password@host:port/database, "
    "and the marks / ? # @ : % in a password as %2F %3F %23 %40 %3A %25"
)
DEFAULTS = {  # where neither the address nor libpq's own variables say otherwise
    "fallback_application_name": "recollect",
    "connect_timeout": "10",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "30000",
}
VARIABLES = {"connect_timeout": "PGCONNECT_TIMEOUT", "options": "PGOPTIONS"}  # which what we say would hide
ALWAYS = {"client_encoding": "utf8"}
SETTINGS = (  # who hangs in a transaction, or is gone, is let go of before those who wait for its space give up
    "-c lock_timeout=60s -c idle_in_transaction_session_timeout=45s -c client_min_messages=warning"
    " -c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3"
)

OWN = ("pool_size", "pool_timeout", "near_from")


@dataclass(frozen=True, slots=True)
class Limits:
    """How many connections a process has at most, how many seconds it waits for a free one, or for a server that is
    away, and how many vectors a space has before it gets an index."""

    connections: int = 16
    seconds: float = 30.0
    near_from: int = 200_000


def addressed(address: str) -> tuple[str, Limits]:
    """What libpq needs, and `pool_size`, `pool_timeout` and `near_from`."""
    try:
        pieces = urlsplit(address)
        asked = dict(parse_qsl(pieces.query, keep_blank_values=True))
        own = [asked.pop(name, None) for name in OWN]
        query = urlencode(asked, quote_via=quote)  # libpq knows no plus sign for a space
        given = conninfo_to_dict(urlunsplit(pieces._replace(query=query)))
    except (ValueError, psycopg.ProgrammingError) as exc:
        raise InvalidInput(f"{UNREADABLE}{_unknown(str(exc))}") from None  # what they say may quote the password
    if _torn(pieces.path, str(given.get("host") or ""), str(given.get("port") or "")):
        raise InvalidInput(UNREADABLE)
    limits = _limits(*own)
    said = {name: os.environ[variable] for name, variable in VARIABLES.items() if variable in os.environ}
    known = {**DEFAULTS, **said, **given}
    options = f"{SETTINGS} {known.pop('options', '') or ''}".strip()
    return make_conninfo("", **{**known, "options": options, **ALWAYS}), limits


def shown(conninfo: str) -> str:
    """The address without its password."""
    known = conninfo_to_dict(conninfo)
    host, port = known.get("host", "localhost"), known.get("port")
    return f"postgresql://{host}{f':{port}' if port else ''}/{known.get('dbname', '')}"


def _torn(path: str, host: str, port: str) -> bool:
    """Whether a mark in the password has torn the address apart, so that a piece of it is taken for something else."""
    return "@" in path or "@" in host[1:] or re.fullmatch(r"[\d,]*", port) is None


def _unknown(said: str) -> str:
    """The name of a parameter that libpq does not know."""
    found = re.fullmatch(r'invalid URI query parameter: "([a-z_]+)"', said.strip())
    return f"; nothing is known of {found[1]!r}" if found else ""


def _limits(size: str | None, seconds: str | None, least: str | None) -> Limits:
    usual = Limits()
    named = f"{', '.join(OWN[:-1])} and {OWN[-1]} in the store's address"
    try:
        limits = Limits(int(size or usual.connections), float(seconds or usual.seconds), int(least or usual.near_from))
    except ValueError as exc:
        raise InvalidInput(f"{named} must be numbers") from exc
    if limits.connections < 1 or limits.seconds <= 0 or limits.near_from < 1:
        raise InvalidInput(f"{named} must be greater than 0")
    return limits
