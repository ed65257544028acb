"""Tests row-level security of every table in the catalog, so that a new table cannot be missed."""

from __future__ import annotations

import psycopg
import pytest
from psycopg.errors import InsufficientPrivilege
from psycopg.sql import SQL, Identifier

from aforesaid import Memory

OF_NO_SPACE = {"embedding_models", "keys", "migrations", "rates"}
OWNERS = {
    "chunk_terms",
    "note_terms",
}  # searched for the application by functions of their owner, which check the space themselves
TABLES = """
SELECT c.relname, EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'space_key')
FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f')"""


@pytest.fixture(scope="module")
def walled(postgres):
    """Creates a database with an owner role, an application role, and two spaces with many records."""
    postgres.execute("CREATE ROLE owning LOGIN", "CREATE ROLE using_it LOGIN", "CREATE DATABASE walled OWNER owning")
    with Memory(postgres.address("walled", "owning"), worker=False, environment={}) as mem:
        for name in ("alice", "bob"):
            tell(mem, name)
    with psycopg.connect(postgres.address("walled"), autocommit=True) as connection:
        connection.execute("GRANT USAGE ON SCHEMA public TO using_it")
        connection.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO using_it")
        connection.execute("GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO using_it")
    yield "walled"
    postgres.execute("DROP DATABASE walled WITH (FORCE)", "DROP ROLE owning", "DROP ROLE using_it")


def tell(mem, name):
    space = mem.space(name)
    chat = space.conversation("c")
    for n in range(3):
        chat.add("user", f"I am {name}. I live in Lisbon and tomorrow I move to Porto {n}")
        chat.add("assistant", f"We solved the problem number {n}: it works now")
    space.grant_consent(by=name)
    space.remember(f"{name} has a boat")
    chat.pin(f"{name} likes herons")
    space.items("birds").put("heron", {"of": name})
    mem.flush(120)
    space.recall("boat")
    mem.flush(120)


@pytest.fixture(params=["using_it", "owning"])
def role(request):
    return request.param


@pytest.fixture
def alice(postgres, walled, role):
    """Opens a session of a role that is limited to Alice's space."""
    with psycopg.connect(postgres.address(walled, role), autocommit=True) as connection:
        connection.execute("SET aforesaid.space = 'alice'")
        yield connection


@pytest.fixture
def everything(postgres, walled):
    with psycopg.connect(postgres.address(walled), autocommit=True) as connection:
        yield connection


def behind(everything, role):
    """Returns the tables that row-level security protects."""
    tables = everything.execute(TABLES).fetchall()
    assert {name for name, owned in tables if not owned} == OF_NO_SPACE
    return sorted({name for name, owned in tables if owned} - (OWNERS if role == "owning" else set()))


def contents(everything, tables, key):
    query = "SELECT count(*), sum(hashtextextended(t::text, 0)) FROM {} t WHERE space_key = %s"
    return {name: everything.execute(SQL(query).format(Identifier(name)), (key,)).fetchone() for name in tables}


def refused(connection, query, *values):
    with pytest.raises(InsufficientPrivilege):
        connection.execute(query, values)


@pytest.mark.req("C11", "X15")
def test_raw_sql_cannot_access_another_space(alice, everything, role):
    tables = behind(everything, role)
    assert len(tables) > 30
    keys = dict(everything.execute("SELECT id, space_key FROM spaces").fetchall())
    before = contents(everything, tables, keys["bob"])
    assert sum(count > 0 for count, _ in before.values()) >= 15
    for name in tables:
        table = Identifier(name)
        mine = alice.execute(SQL("SELECT DISTINCT space_key FROM {}").format(table)).fetchall()
        assert set(mine) <= {(keys["alice"],)} | ({(0,)} if name == "jobs" else set()), name
        other = SQL("WHERE space_key = %s")
        assert alice.execute(SQL("DELETE FROM {} ").format(table) + other, (keys["bob"],)).rowcount == 0, name
        steal = SQL("UPDATE {} SET space_key = %s ").format(table) + other
        assert alice.execute(steal, (keys["alice"], keys["bob"])).rowcount == 0, name
        if name != "spaces":
            refused(alice, SQL("INSERT INTO {} (space_key) VALUES (%s)").format(table), keys["bob"])
        if mine and name not in ("audit", "spaces"):
            refused(alice, SQL("UPDATE {} SET space_key = %s").format(table), keys["bob"])
    assert contents(everything, tables, keys["bob"]) == before


@pytest.mark.req("C11")
def test_a_session_cannot_create_another_space(alice, everything):
    refused(alice, "INSERT INTO spaces (id, created_at) VALUES ('carol', 0)")
    refused(alice, "UPDATE spaces SET id = 'carol'")


@pytest.mark.req("C11")
def test_every_function_that_bypasses_row_level_security_is_known(everything):
    sql = "SELECT proname FROM pg_proc WHERE prosecdef AND pronamespace = 'public'::regnamespace"
    assert {name for (name,) in everything.execute(sql)} == {"chunks_having", "notes_having"}
