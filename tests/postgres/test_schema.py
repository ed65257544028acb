"""Tests the PostgreSQL schema: the same queries as SQLite, and keys that start with the space."""

from __future__ import annotations

import re
from pathlib import Path

import psycopg
import pytest
from tests.postgres_server import Server

from aforesaid import InvalidInput, Memory, StoreError
from aforesaid.storage import migrate, queries
from aforesaid.storage.postgres.schema import split_script
from aforesaid.storage.postgres.session import statements, texts

OWN = {"trace", "near"}  # verification differs between the engines, and only PostgreSQL has a vector index
EVERYWHERE = {"spaces_id_key", "costs_pkey"}  # names of spaces, and costs, which outlive their space


def test_both_engines_have_the_same_queries():
    here, there = (
        {(query.file, query.name) for query in queries.texts(engine) if query.file not in OWN}
        for engine in ("postgres", "sqlite")
    )
    assert here == there


def test_each_query_is_defined_once():
    """A query whose text is the same for both engines is in `common` only."""
    common, sqlite, postgres = (queries.read(folder)["name"] for folder in ("common", "sqlite", "postgres"))
    assert common.keys().isdisjoint(sqlite.keys() | postgres.keys())
    alike = {query for query in sqlite.keys() & postgres.keys() if sqlite[query].split() == postgres[query].split()}
    assert {query.file for query in alike} <= OWN


def test_the_engines_differ_in_few_fragments_and_every_fragment_is_replaced():
    common, sqlite, postgres = (queries.read(folder)["fragment"] for folder in ("common", "sqlite", "postgres"))
    assert sqlite.keys() == postgres.keys()
    assert {query.file for query in sqlite} == {"dialect"}
    assert len(sqlite) <= 11
    assert {query.name for query in common}.isdisjoint(query.name for query in sqlite)
    assert not any("{" in text for engine in ("sqlite", "postgres") for text in queries.texts(engine).values())


@pytest.mark.req("A17")
def test_every_query_can_be_prepared(address: str):
    with psycopg.connect(address) as connection:
        for query, found in texts().items():
            for statement in found:
                connection.execute(f"PREPARE one AS {numbered(statement)}".encode())
                connection.execute("DEALLOCATE one")
                assert statement, query


def numbered(statement: str) -> str:
    """Replaces named placeholders by PostgreSQL's numbered ones."""
    for number, name in enumerate(dict.fromkeys(re.findall(r"%\((\w+)\)s", statement)), 1):
        statement = statement.replace(f"%({name})s", f"${number}")
    return statement.replace("%%", "%")


def test_a_query_is_split_into_its_statements():
    assert statements("DELETE FROM a WHERE b = :b;\nUPDATE c SET d = :d;  -- why") == (
        "DELETE FROM a WHERE b = %(b)s",
        "UPDATE c SET d = %(d)s",
    )


@pytest.mark.req("C9")
def test_every_unique_key_starts_with_the_space(address: str):
    with psycopg.connect(address) as connection:
        found = connection.execute(
            "SELECT c.relname, a.attname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid"
            " JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]"
            " WHERE i.indisunique AND c.relnamespace = 'public'::regnamespace AND EXISTS ("
            "   SELECT 1 FROM pg_attribute s WHERE s.attrelid = i.indrelid AND s.attname = 'space_key')"
        ).fetchall()
    assert len(found) > 40
    assert {index for index, column in found if column != "space_key"} == EVERYWHERE


def test_a_function_is_not_split_at_its_semicolons():
    assert {statement.count("$$") for statement in split_script(migrate.schema("postgres"))} == {0, 2}


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://localhost/x?pool_size=none",
        "postgresql://localhost/x?pool_size=0",
        "postgresql://localhost/x?near_from=0",
        "postgresql://h/x?no=1",
    ],
)
def test_an_invalid_address_is_refused(address: str):
    with pytest.raises(InvalidInput, match="address"):
        Memory(address, worker=False, environment={})


def test_the_error_for_an_unreachable_server_does_not_contain_the_password():
    with pytest.raises(StoreError, match="cannot be reached") as caught:
        Memory("postgresql://ann:secret@127.0.0.1:1/memory", worker=False, environment={})
    assert "secret" not in str(caught.value)


@pytest.mark.req("C9")
def test_a_table_partitioned_as_documented_works(postgres: Server):
    page = (Path(__file__).parent.parent.parent / "docs/howto/scale.md").read_text("utf-8")
    (statements,) = [block for block in re.findall(r"```sql\n(.*?)```", page, re.DOTALL) if "PARTITION" in block]
    address = postgres.address(postgres.make_database())
    Memory(address, worker=False, embedder="none", environment={}).close()
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(statements.encode())
    with Memory(address, worker=False, environment={}) as memory:
        for name in ("alice", "bob", "carol"):
            memory.space(name).conversation("c").add("user", f"The heron of {name} stands in the harbour")
            assert memory.space(name).recall("heron")[0].text == f"The heron of {name} stands in the harbour"
    with psycopg.connect(address) as connection:
        connection.execute("SET aforesaid.whole = 'on'")
        parts = "SELECT count(DISTINCT tableoid), count(*) FROM chunk_terms"
        assert connection.execute(parts).fetchone()[1] == 3


def test_backup_of_a_database_is_refused_and_the_error_names_pg_dump(address: str, open_memory, tmp_path: Path):
    with pytest.raises(InvalidInput, match="pg_dump"):
        open_memory(address).backup(tmp_path / "backup.db")
    assert not (tmp_path / "backup.db").exists()
