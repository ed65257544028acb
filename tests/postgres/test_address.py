"""What the address and the server's own settings make of a connection."""

from __future__ import annotations

import psycopg
import pytest
from tests.postgres_server import Server

from recollect import Memory, StoreError

TABLES = "SELECT count(*) FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')"


@pytest.mark.parametrize("encoding", ["SQL_ASCII", "LATIN1"])
def test_a_database_that_is_not_in_utf8_is_refused_and_left_alone(postgres: Server, encoding: str):
    name = f"in_{encoding.lower()}"
    postgres.execute(f"CREATE DATABASE {name} ENCODING '{encoding}' TEMPLATE template0")
    with pytest.raises(StoreError, match=rf"in {encoding}, and must be UTF8; .*ENCODING 'UTF8' TEMPLATE template0"):
        Memory(postgres.address(name), worker=False, environment={})
    with psycopg.connect(postgres.address(name)) as connection:
        assert connection.execute(TABLES).fetchall() == [(0,)]


def test_every_script_is_stored_whatever_encoding_the_client_is_set_to(address: str, open_memory, monkeypatch):
    monkeypatch.setenv("PGCLIENTENCODING", "LATIN1")
    for store in (address, f"{address}?client_encoding=LATIN1"):
        chat = open_memory(store).conversation("c")
        assert chat.add("user", "Grüße, 猫 🐈").text == "Grüße, 猫 🐈"
        assert chat.messages()[-1].text == "Grüße, 猫 🐈"
