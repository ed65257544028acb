"""Tests that temporary objects of a session cannot hijack functions that run as the owner of the tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import psycopg
import pytest
from psycopg.errors import InsufficientPrivilege
from tests.postgres_server import Server

from aforesaid import Memory

ROLES = ("keeper", "guest", "stranger")
SWITCH = """CREATE FUNCTION pg_temp.switch() RETURNS bigint LANGUAGE plpgsql AS $$ BEGIN
  IF current_user = 'keeper' THEN
    EXECUTE 'ALTER TABLE embedding_models RENAME TO taken';
  END IF;
  RETURN 1;
END $$"""
PLACED = """SELECT p.oid::regprocedure::text, p.proconfig FROM pg_proc p
WHERE p.pronamespace = 'public'::regnamespace AND (p.prosecdef OR p.prorettype = 'trigger'::regtype)"""


@dataclass(frozen=True)
class Room:
    server: Server
    database: str

    @property
    def owner(self) -> str:
        return self.server.address(self.database, "keeper")

    @property
    def application(self) -> str:
        return self.server.address(self.database, "guest")

    def grant(self) -> None:
        with psycopg.connect(self.owner, autocommit=True) as owner:
            owner.execute("GRANT USAGE ON SCHEMA public TO guest")
            owner.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO guest")
            owner.execute("GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO guest")

    def taken(self) -> bool:
        with psycopg.connect(self.owner) as owner:
            return owner.execute("SELECT to_regclass('public.embedding_models')").fetchall() == [(None,)]


@pytest.fixture(scope="module")
def room(postgres: Server) -> Iterator[Room]:
    """Creates a database with an owner role and an application role."""
    room = Room(postgres, "paths")
    postgres.execute(*(f"CREATE ROLE {name} LOGIN" for name in ROLES))
    postgres.execute(f"CREATE DATABASE {room.database} OWNER keeper")
    with Memory(room.owner, worker=False, environment={}) as memory:
        memory.space("alice").conversation("c").add("user", "I live in Lisbon")
        memory.flush()
    room.grant()
    yield room
    postgres.execute(f"DROP DATABASE {room.database} WITH (FORCE)", *(f"DROP ROLE {name}" for name in ROLES))


@pytest.fixture
def attacker(room: Room) -> Iterator[psycopg.Connection]:
    """Opens a session of the application's role with a function that uses a privilege of the owner."""
    with psycopg.connect(room.application, autocommit=True) as connection:
        connection.execute(SWITCH)
        connection.execute("GRANT EXECUTE ON FUNCTION pg_temp.switch() TO PUBLIC")
        yield connection


@pytest.mark.req("C9")
@pytest.mark.parametrize("name", ["chunks", "notes"])
def test_a_temporary_view_does_not_replace_the_index(room: Room, attacker: psycopg.Connection, name: str):
    columns = "1::bigint chunk_key, 1::bigint note_key, array_to_tsvector(array['a']) terms"
    attacker.execute(f"CREATE TEMP VIEW {name[:-1]}_terms AS SELECT pg_temp.switch() space_key, {columns}")
    attacker.execute(f"GRANT SELECT ON pg_temp.{name[:-1]}_terms TO PUBLIC")
    attacker.execute("SET aforesaid.whole = 'on'")
    assert attacker.execute(f"SELECT public.{name}_having('a'::tsquery, 10)").fetchall() == [(None,)]
    assert not room.taken()


@pytest.mark.req("C9")
def test_cascading_deletes_run_no_function_of_the_session(room: Room, attacker: psycopg.Connection):
    """The server deletes the rows of a space, and runs their triggers, as the owner of the tables."""
    with Memory(room.application, worker=False, environment={}) as memory:
        memory.space("bob").conversation("c").add("user", "I live in Porto")
        memory.space("bob").conversation("c").pin("Porto")
        memory.space("bob").grant_consent(by="bob")
    attacker.execute("SET aforesaid.space = 'bob'")
    for name in ("spaces", "changes"):
        attacker.execute(f"CREATE TEMP VIEW {name} AS SELECT t.* FROM public.{name} t WHERE pg_temp.switch() = 1")
    attacker.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON pg_temp.spaces, pg_temp.changes TO PUBLIC")
    attacker.execute("DELETE FROM public.conversations")
    attacker.execute("DELETE FROM public.spaces WHERE id = 'bob'")
    assert not room.taken()
    assert attacker.execute("SELECT count(*) FROM public.audit").fetchall() == [(0,)]


@pytest.mark.req("C9")
def test_every_owner_function_searches_the_schema_before_temporary_objects(room: Room):
    with psycopg.connect(room.owner) as owner:
        found = dict(owner.execute(PLACED).fetchall())
    assert len(found) > 10
    assert {name for name, path in found.items() if path != ["search_path=public, pg_temp"]} == set()


def test_the_application_can_search(room: Room):
    with Memory(room.application, worker=False, environment={}) as memory:
        assert [hit.text for hit in memory.space("alice").recall("Lisbon")] == ["I live in Lisbon"]


@pytest.mark.req("C9")
def test_the_index_refuses_a_role_without_read_access_to_its_table(room: Room):
    with psycopg.connect(room.server.address(room.database, "stranger"), autocommit=True) as stranger:
        stranger.execute("SET aforesaid.whole = 'on'")
        for name in ("chunks", "notes"):
            with pytest.raises(InsufficientPrivilege):
                stranger.execute(f"SELECT {name}_having('a'::tsquery, 10)")
