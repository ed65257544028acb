"""Tests the connection settings that come from the address, from libpq variables and from the server."""

from __future__ import annotations

import threading
from urllib.parse import quote

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict
from psycopg.sql import SQL, Identifier
from tests.postgres_server import Server

from aforesaid import Memory, StoreError
from aforesaid.storage.postgres.connection import named_row, parse_address
from aforesaid.storage.postgres.notify import PostgresNotifier
from aforesaid.storage.postgres.pgvector import PgvectorIndexBuilder

TABLES = "SELECT count(*) FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')"


@pytest.mark.parametrize("encoding", ["SQL_ASCII", "LATIN1"])
def test_a_database_with_another_encoding_than_utf8_is_refused_and_unchanged(postgres: Server, encoding: str):
    name = f"in_{encoding.lower()}"
    postgres.execute(f"CREATE DATABASE {name} ENCODING '{encoding}' TEMPLATE template0")
    with pytest.raises(StoreError, match=rf"in {encoding}, and must be UTF8; .*ENCODING 'UTF8' TEMPLATE template0"):
        Memory(postgres.address(name), worker=False, environment={})
    with psycopg.connect(postgres.address(name)) as connection:
        assert connection.execute(TABLES).fetchall() == [(0,)]


def test_every_script_is_stored_regardless_of_the_client_encoding(address: str, open_memory, monkeypatch):
    monkeypatch.setenv("PGCLIENTENCODING", "LATIN1")
    for store in (address, f"{address}?client_encoding=LATIN1"):
        chat = open_memory(store).conversation("c")
        assert chat.add("user", "Grüße, 猫 🐈").text == "Grüße, 猫 🐈"
        assert chat.messages()[-1].text == "Grüße, 猫 🐈"


@pytest.mark.parametrize("schema", ["MyApp", "my app", 'a"b', "memory"])
def test_a_schema_can_have_any_name(postgres: Server, open_memory, schema: str):
    address = postgres.address(postgres.make_database())
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(SQL("CREATE SCHEMA {}").format(Identifier(schema)))
        path = Identifier(schema).as_string(connection).replace(" ", "\\ ")
    memory = open_memory(f"{address}?options={quote(f'-csearch_path={path}')}")
    ann = memory.space("ann")
    said = ann.conversation("c").add("user", "Certificates rotate weekly")
    memory.flush()
    assert ann.recall("certificates")[0].id == said.id
    assert memory.size()["file"] > 0
    assert ann.forget(message=said.id).complete
    assert memory.verify_erasure("Certificates rotate weekly").clean
    assert all(finding.ok for finding in memory.doctor())


def asked(address: str) -> tuple[str, ...]:
    """Returns the session settings of a connection to this address."""
    conninfo, _ = parse_address(address)
    with psycopg.connect(conninfo) as connection:
        names = ("application_name", "search_path", "lock_timeout", "work_mem")
        return tuple(connection.execute(f"SHOW {name}").fetchall()[0][0] for name in names)


def test_libpq_variables_apply_unless_the_address_overrides_them(address: str, monkeypatch):
    assert asked(address) == ("aforesaid", '"$user", public', "1min", "4MB")
    monkeypatch.setenv("PGAPPNAME", "ours")
    monkeypatch.setenv("PGOPTIONS", "-c search_path=memory -c lock_timeout=5s")
    monkeypatch.setenv("PGCONNECT_TIMEOUT", "3")
    assert asked(address) == ("ours", "memory", "5s", "4MB")
    assert conninfo_to_dict(parse_address(address)[0])["connect_timeout"] == "3"
    said = f"{address}?application_name=mine&options=-cwork_mem%3D8MB&connect_timeout=4"
    assert asked(said) == ("mine", '"$user", public', "1min", "8MB")
    assert conninfo_to_dict(parse_address(said)[0])["connect_timeout"] == "4"


@pytest.mark.req("C9")
def test_a_pooler_hands_no_setting_of_ours_to_the_next_client(postgres: Server, open_memory):
    """In transaction mode, a pooler gives a session with its settings to another client after every transaction."""
    database = postgres.make_database()
    address = f"{postgres.address(database)}?options={quote('-c synchronous_commit=on')}"
    open_memory(address)
    left = []

    class Session(psycopg.Connection):
        def close(self) -> None:
            if not self.closed:
                names = "current_setting('synchronous_commit'), coalesce(current_setting('aforesaid.whole', true), '')"
                left.append(tuple(psycopg.Cursor(self).execute(f"SELECT {names}").fetchone()))
            super().close()

    def connect() -> Session:
        return Session.connect(parse_address(address)[0], autocommit=True, row_factory=named_row)

    heard = threading.Event()
    listener, notifier = PostgresNotifier(connect, heard.set), PostgresNotifier(connect, heard.clear)
    listener.listen()
    heard.clear()
    notifier.notify()
    assert heard.wait(30)
    notifier.stop()
    listener.stop()
    assert PgvectorIndexBuilder(connect, address, 1).drop_unused() == 0
    assert [(sync, whole) for sync, whole in left] == [("on", "")] * 3
