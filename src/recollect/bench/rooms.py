"""Stores to measure in, gone afterwards: in memory, or a schema of its own in a user's database."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import quote

from recollect.errors import InvalidInput

IN_MEMORY = ":memory:"


@contextmanager
def room(store: str = IN_MEMORY) -> Iterator[str]:
    """The address of an empty store that nobody else uses."""
    if store == IN_MEMORY:
        yield store
        return
    name = f"recollect_bench_{secrets.token_hex(6)}"
    execute(store, f"CREATE SCHEMA {name}")
    try:
        yield f"{store}{'&' if '?' in store else '?'}options={quote(f'-csearch_path={name}')}"
    finally:
        execute(store, f"DROP SCHEMA {name} CASCADE")


def execute(store: str, *statements: str) -> None:
    """Runs statements at a server."""
    if not store.startswith(("postgresql://", "postgres://")):
        raise InvalidInput("--store takes postgresql://… here, nothing else")
    try:
        import psycopg
    except ImportError as exc:
        raise InvalidInput("a postgresql:// address needs the extra: pip install 'recollect[postgres]'") from exc
    try:
        with psycopg.connect(store, autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement.encode())
    except psycopg.Error as exc:
        raise InvalidInput(f"the server does not let this be measured: {str(exc).splitlines()[0]}") from exc
