"""Tests that every query uses an index, with the application's role and row-level security, in a store of many rows and
several spaces."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

import psycopg
import pytest
from tests.conftest import FakeClock
from tests.postgres.test_schema import numbered
from tests.postgres_server import Server

from aforesaid import Memory
from aforesaid.storage.postgres.session import texts
from aforesaid.storage.queries import NamedQuery

TOLD = (
    "My name is Ann. I live in Lisbon.",
    "Tomorrow I move to Porto.",
    "I live in Porto now.",
    "Always answer in English. Important: my API is at https://example.org",
)
UNTOLD = (  # rows that otherwise need a model, another store, or thousands of messages
    "INSERT INTO copies VALUES (1, '{}')",
    "INSERT INTO costs VALUES ('a', 1, 1, 'model', 'answer', 1, 1, 1, NULL, 1)",
    "INSERT INTO vector_blocks (space_key, model_key, count, targets, scales, data) VALUES (1, 2, 1, '', '', '')",
    "INSERT INTO near VALUES (1, 1, 1, -1, 1, 1, 1, '[1, 2]')",
    "INSERT INTO accesses SELECT space_key, message_key, 1, 1 FROM messages",
    "INSERT INTO pin_marks VALUES (1, 1, 'mark', 'message')",
    "INSERT INTO running_answers SELECT space_key, conversation_key, message_key, 'holder', 'model', 0, 0, 1, 1 "
    "FROM messages ORDER BY message_key LIMIT 1",
)
Columns = list[tuple[str, str]]
NUMBERS = {"number", "target", "entry", "stretch"}
NAMES = {"id", "name", "mark", "label", "principal"}
SPACES = 10  # in addition to the space with the messages
ROWS = 500  # minimum number of rows of that space per table

# Queries that read a whole table on purpose: statistics, the doctor, background sweeps, housekeeping, and the
# re-embedding of the whole store for a new model.
WHOLE = {"store", "check", "trace"}
WHOLE_QUERIES = {
    "jobs.counts", "jobs.ended", "jobs.prune", "receipts.prune", "receipts.prune_oldest",
    "notes.clear", "notes.sweep", "notes.unbuilt",
    "vectors.embeddable", "vectors.tail_messages", "vectors.block_targets", "vectors.expected", "vectors.embedded",
    "near.large", "near.uneven", "near.retire", "near.sweep",
    "vectors.sweep_vectors", "vectors.sweep_blocks", "vectors.clear_vectors", "vectors.clear_blocks",
}  # fmt: skip
SMALL = {  # tables that stay small
    "embedding_models", "keys", "migrations", "near_spaces", "pg_extension", "pg_namespace",
}  # fmt: skip
PARTIAL = {"erasures_pending"}  # indexes that contain only the requested rows


@pytest.fixture(scope="module")
def filled(postgres: Server) -> Iterator[str]:
    """Fills several spaces with some hundred rows per table; returns the address for a role that owns nothing."""
    postgres.execute("CREATE ROLE planning LOGIN", "CREATE DATABASE plans")
    tell(postgres.address("plans"))
    with psycopg.connect(postgres.address("plans"), autocommit=True) as connection:
        multiply(connection)
        connection.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO planning")
        connection.execute("GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO planning")
    yield postgres.address("plans", "planning")
    postgres.execute("DROP DATABASE plans WITH (FORCE)", "DROP ROLE planning")


def tell(address: str) -> None:
    """Fills one space with a few records of each kind."""
    clock = FakeClock()
    with Memory(address, worker=False, environment={}, clock=clock) as memory:
        ann = memory.space("ann")
        ann.set("summaries", "off")  # only on demand: few distinct terms, which `multiply` copies often
        chat = ann.conversation("c")
        chat.add("user", "Herons stand at the pond", id="gone")
        chat.add("user", "Herons eat frogs", metadata={"topic": "food", "legs": 2})
        chat.add_many({"role": "user", "content": text} for text in TOLD)
        ann.relate(ann.remember("Ann has a cat").id, "related_to", ann.remember("Ann has a dog", tags=["pet"]).id)
        memory.flush(120)
        ann.forget(message="gone")
        clock.forward(days=400)
        ann.consolidate()
        ann.remember("Ann has a boat")
        ann.feedback("Who eats frogs?", chat.recent(1)[0])
        chat.pin("Ann likes herons")
        chat.note_episode("The pond", type="problem_solved", first=1, last=2)
        chat.remove_episode(chat.note_episode("The river", type="pivot", first=1, last=2).id)
        chat.summarize(1, 3)
        ann.grant_consent(by="ann")
        ann.set_profile({"city": "Porto"})
        ann.set("chunk_tokens", 200)
        chat.context("Where is the boat?")
        memory.allot("ann", 5, 60)
        ann.items("birds").put("heron", {"of": "ann"})
        memory.flush(120)


def multiply(connection: psycopg.Connection[Any]) -> None:
    """Copies the rows within their space and into other spaces, with constraints disabled except keys."""
    connection.execute("SET session_replication_role = replica; SET aforesaid.whole = 'on'")
    for statement in UNTOLD:
        connection.execute(statement)
    for table, columns in tables(connection).items():
        copy(connection, table, columns, ROWS // count(connection, table), 0)
        times = max(SPACES, ROWS // count(connection, table))  # more copies for tables with one row per space
        copy(connection, table, columns, times, ROWS // times * 1000)
    connection.execute("ANALYZE")


def count(connection: psycopg.Connection[Any], table: str) -> int:
    ((found,),) = connection.execute(f"SELECT count(*) FROM {table}").fetchall()
    assert found, f"{table} is empty: tell something that fills it"
    return int(found)


def tables(connection: psycopg.Connection[Any]) -> dict[str, Columns]:
    """Returns the tables that grow, with the names and types of their columns."""
    found: dict[str, Columns] = {}
    for table, column, kind in connection.execute(
        "SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = 'public'"
    ):
        found.setdefault(table, []).append((column, kind))
    return {table: columns for table, columns in found.items() if table not in SMALL}


def copy(connection: psycopg.Connection[Any], table: str, columns: Columns, times: int, step: int) -> None:
    """Copies each row `times` times, with a space key that grows by `step`; keys and ids stay unique."""
    names = ", ".join(name for name, _ in columns)
    values = ", ".join(
        f"space_key + n * {step}" if name == "space_key" else another(name, kind) for name, kind in columns
    )
    copies = f"SELECT {values} FROM {table}, generate_series(1, {times}) n"
    connection.execute(f"INSERT INTO {table} ({names}) {copies} ON CONFLICT DO NOTHING")


def another(column: str, kind: str) -> str:
    if kind == "bigint" and column != "model_key" and (column.endswith("_key") or column in NUMBERS):
        return f"{column} + n * 1000"
    if column == "at":
        return "at - n"
    return f"{column} || ' ' || n" if column in NAMES else column


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for inner in plan.get("Plans", ()):
        yield from nodes(inner)


def scans(connection: psycopg.Connection[Any], statement: str) -> list[str]:
    """Returns the tables that the server would scan completely, with or without an index."""
    ((plan,),) = connection.execute(f"EXPLAIN (GENERIC_PLAN, FORMAT JSON) {numbered(statement)}".encode()).fetchall()
    return [
        node["Relation Name"]
        for node in nodes(plan[0]["Plan"])
        if node["Node Type"] in ("Seq Scan", "Index Scan", "Index Only Scan")
        and "Index Cond" not in node
        and node["Relation Name"] not in SMALL
        and node.get("Index Name") not in PARTIAL
    ]


@pytest.mark.req("A17")
def test_every_query_uses_an_index(filled: str):
    known = {f"{query.file}.{query.name}": found for query, found in texts().items() if query.file not in WHOLE}
    with psycopg.connect(filled, autocommit=True) as connection:
        connection.execute("SELECT set_config('aforesaid.space', 'ann', false)")
        read = {name: [*chain(*(scans(connection, one) for one in found))] for name, found in known.items()}
    assert {name: tables for name, tables in read.items() if tables and name not in WHOLE_QUERIES} == {}
    assert set(known) >= WHOLE_QUERIES


@pytest.mark.req("A17")
def test_frequent_operations_scan_no_table_completely(filled: str, postgres: Server):
    """The server's statistics include the scans of functions, triggers and foreign keys."""
    with psycopg.connect(postgres.address("plans"), autocommit=True) as connection:
        before = read_whole(connection)
        with Memory(filled, worker=False, environment={}, embedder="none") as memory:
            ann = memory.space("ann")
            chat = ann.conversation("c")
            chat.add("user", "The heron is back at the pond of Porto")
            assert ann.recall("heron pond")
            assert chat.context("What of the heron?").tokens
            assert all([chat.messages(), chat.recent(), chat.pins(), chat.summaries(), chat.episodes()])
            assert all([ann.facts(), ann.relations(), ann.conversations()])
            assert (ann.review(), ann.changes(0).changes) == ([], ())
        while connection.execute("SELECT 1 FROM pg_stat_activity WHERE usename = 'planning'").fetchall():
            pass  # a connection reports its statistics when it closes
        after = read_whole(connection)
    assert {name for name in after if after[name] > before[name]} - SMALL == set()


def read_whole(connection: psycopg.Connection[Any]) -> dict[str, int]:
    """Returns the number of sequential scans of each table."""
    return dict(connection.execute("SELECT relname, seq_scan FROM pg_stat_user_tables").fetchall())


@pytest.mark.req("B13")
def test_filters_over_metadata_search_the_index_for_the_value(filled: str):
    with psycopg.connect(filled, autocommit=True) as connection:
        connection.execute("SELECT set_config('aforesaid.space', 'ann', false)")
        for name in ("eq", "gt", "gte", "lt", "lte"):
            (statement,) = texts()[NamedQuery("metadata", name)]
            explain = f"EXPLAIN (GENERIC_PLAN, FORMAT JSON) {numbered(statement)}".encode()
            ((plan,),) = connection.execute(explain).fetchall()
            (scan,) = [node for node in nodes(plan[0]["Plan"]) if node.get("Relation Name") == "metadata_values"]
            assert scan["Index Name"] == "metadata_values_by_field"
            condition = scan["Index Cond"]
            assert all(column in condition for column in ("field", "type", "number", "text")), condition
