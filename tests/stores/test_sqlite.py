"""Tests behavior that is specific to SQLite."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import apsw
import pytest
from tests.conftest import UNDISTILLED, states

from aforesaid import Memory, StoreDamaged, Summary
from aforesaid.errors import StoreBusy
from aforesaid.models.retrieval import StoredReceipt
from aforesaid.storage import migrate, queries
from aforesaid.storage.repositories.chunks import code_length, length_code
from aforesaid.storage.sqlite.errors import translate_errors
from aforesaid.storage.sqlite.schema import SqliteSchema

# Queries that read a whole table on purpose: statistics, the doctor, background sweeps, housekeeping,
# and lists of store-wide records that are few (embedding models, open jobs).
WHOLE = {"store", "check", "trace"}
WHOLE_QUERIES = {
    "jobs.counts", "erasures.indexes", "keys.list", "receipts.prune_oldest",
    "vectors.models", "vectors.embeddable", "vectors.tail_messages", "vectors.block_targets",
    "vectors.expected", "vectors.embedded", "vectors.sweep_vectors", "vectors.sweep_blocks",
    "vectors.clear_vectors", "vectors.clear_blocks", "vectors.unreach", "notes.sweep",
}  # fmt: skip

# Queries with an optional filter by conversation.
WHOLE_SPACE = {"pins.within", "profiles.erase_from", "retrievals.delete"}
READ_AS_ASKED = (  # scans that read no more rows than requested
    "VIRTUAL TABLE|json_each|CONSTANT|gone|once|twice|SCAN l$"  # l is the line of a branch, which the query makes
)
LIMITED = {"notes.postings", "notes.postings_from"}  # they scan their own inner query, which has a limit


def named_queries() -> list[tuple[str, str]]:
    found = sorted(queries.texts("sqlite").items(), key=lambda item: item[0].file)
    return [(f"{query.file}.{query.name}", sql) for query, sql in found if query.file not in WHOLE]


@pytest.fixture(scope="module")
def raw(tmp_path_factory) -> Iterator[apsw.Connection]:
    """Opens a connection to a file without writers: queries are only planned."""
    path = str(tmp_path_factory.mktemp("plans") / "memory.db")
    with Memory(path, worker=False, environment={}) as memory:
        memory.conversation("c").add("user", "hello")
    with closing(apsw.Connection(path)) as connection:
        yield connection


@pytest.mark.req("A17")
@pytest.mark.parametrize(("name", "sql"), named_queries(), ids=[name for name, _ in named_queries()])
def test_every_query_uses_an_index(raw: apsw.Connection, name: str, sql: str):
    plan = planned(raw, sql)
    read = f"{READ_AS_ASKED}|subquery" if name in LIMITED else READ_AS_ASKED
    scans = [step for step in plan if step.startswith("SCAN") and not re.search(read, step)]
    if name in WHOLE_QUERIES:
        assert scans, f"{name} is served by an index: take it off the list"
    else:
        assert all("USING" in step for step in scans), f"{name} reads a whole table: {scans}"


def planned(raw: apsw.Connection, sql: str) -> list[str]:
    """Returns the query plan of the statements of a query."""
    values = dict.fromkeys(re.findall(r":(\w+)", sql), "1")
    plans = [raw.execute(f"EXPLAIN QUERY PLAN {statement}", values) for statement in queries.statements(sql)]
    return [row[3] for plan in plans for row in plan]


@pytest.mark.req("B13")
@pytest.mark.parametrize("operator", ["eq", "gt", "gte", "lt", "lte"])
def test_filters_over_metadata_search_the_index_for_the_value(raw: apsw.Connection, operator: str):
    (step,) = planned(raw, queries.texts("sqlite")[queries.named("metadata")[operator]])
    assert step.startswith("SEARCH metadata_values USING COVERING INDEX metadata_values_by_field")
    assert re.search(r"type=\? AND .*number.*text", step), step


@pytest.mark.req("A17")
def test_a_query_about_one_record_does_not_read_its_whole_space(raw: apsw.Connection):
    of_one = {name: sql for name, sql in named_queries() if re.search(r"(?<!\w)\w+_key (=|IN) :\w+_key", sql)}
    about = {name: sql for name, sql in of_one.items() if re.search(r":(?!space)(?!model)\w+_key\b", sql)}
    whole = {name for name, sql in about.items() if any(step.endswith("(space_key=?)") for step in planned(raw, sql))}
    assert whole == WHOLE_SPACE


@pytest.mark.req("A16")
def test_repeated_reads_are_served_from_the_cache(open_memory, clock):
    statements: list[str] = []

    def watch(connection: apsw.Connection) -> None:
        connection.exec_trace = lambda _cursor, sql, _bindings: statements.append(sql) or True

    apsw.connection_hooks.append(watch)
    try:
        memory, other = open_memory(clock=clock), open_memory(clock=clock)
        chat = memory.conversation("c")
        chat.add("user", "first")
        chat.add("user", "second")
        assert [m.content for m in chat.recent()] == ["first"]
        statements.clear()
        for _ in range(10):
            assert [m.content for m in chat.recent()] == ["first"]
        assert [sql for sql in statements if "data_version" not in sql] == []
        other.conversation("c").add("user", "third")
        assert [m.content for m in chat.recent()] == ["first", "second"]
        statements.clear()
        clock.forward(seconds=6)
        chat.recent()
        assert any("messages" in sql for sql in statements)
    finally:
        apsw.connection_hooks.remove(watch)


@pytest.mark.req("A21")
@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO messages (space_key, conversation_key, seq, id, role, text, importance, tokens, created_at)"
        " VALUES (1, 1, 9, 'x', 'robot', 't', 0.5, 1, 0)",
        "UPDATE messages SET importance = 1.5",
        "UPDATE messages SET seq = -1",
        "UPDATE messages SET metadata = 'not json'",
        "UPDATE conversations SET status = 'asleep'",
        "INSERT INTO messages (space_key, conversation_key, seq, id, role, text, importance, tokens, created_at)"
        " VALUES (1, 1, 0, 'y', 'user', 't', 0.5, 1, 0)",
        "UPDATE messages SET tokens = 'many'",
    ],
)
def test_database_constraints_refuse_invalid_rows(raw: apsw.Connection, statement: str):
    with pytest.raises(apsw.ConstraintError):
        raw.execute(statement)


def damaged(memory: Memory) -> dict[str, int]:
    return {finding.check: finding.count for finding in memory.doctor() if not finding.ok}


@pytest.mark.req("A21", "X18", "D6")
def test_a_missing_full_text_table_is_reported_tolerated_and_rebuilt(open_memory, path, clock):
    memory = open_memory(clock=clock)
    chat = memory.conversation("c")
    chat.add("user", "The heron stands in the harbour")
    chat.add("system", "Never say heron")
    memory.flush()
    apsw.Connection(path).execute("DROP TABLE chunk_postings; DROP TABLE chunk_terms")

    hits = memory.space("default").recall("heron")
    assert hits[0].message.content == "The heron stands in the harbour"
    assert hits.degraded == ("lexical",)
    assert "doctor --repair" in hits.warnings[0]
    chat.add("user", "A stork came by")
    assert chat.messages()[-1].content == "A stork came by"
    memory.work()
    assert damaged(memory)["full-text table"] == 1

    assert {f.check: f.repaired for f in memory.doctor(repair=True)}["full-text table"] is True
    clock.forward(minutes=6)
    memory.flush()
    assert damaged(memory) == {}
    memory.space("default").set("weight_dense", 0.0)
    assert memory.space("default").recall("stork")[0].message.content == "A stork came by"
    assert memory.space("default").recall("heron").degraded == ()
    assert len(memory.space("default").recall("heron")) >= 1


@pytest.mark.req("A21")
def test_unindexed_messages_are_indexed_when_the_table_exists_again(open_memory, path, clock):
    memory = open_memory(clock=clock, embedder="none")
    apsw.Connection(path).execute("DROP TABLE chunk_postings; DROP TABLE chunk_terms")
    memory.conversation("c").add("user", "A stork came by")
    memory.work()
    assert {(job.kind, job.state) for job in memory.jobs()} == {
        ("index", "queued"),
        ("embed", "queued"),
        ("distill", "queued"),
    }
    with pytest.raises(StoreDamaged):
        memory.space("default").recall("stork")
    connection = apsw.Connection(path)
    migrate.create_derived_tables(SqliteSchema(connection))
    clock.forward(minutes=6)
    memory.flush()
    assert memory.space("default").recall("stork")[0].message.content == "A stork came by"


@pytest.mark.req("X18")
def test_missing_and_surplus_index_rows_are_found_and_repaired(open_memory, path):
    memory = open_memory()
    chat = memory.conversation("c")
    for number in range(5):
        chat.add("user", f"heron {number}")
    memory.flush()
    raw = apsw.Connection(path)
    first = raw.execute("SELECT min(chunk_key) FROM chunks").fetchall()[0][0]
    raw.execute("DELETE FROM chunk_terms WHERE rowid = ?", (first,))
    raw.execute("INSERT INTO chunk_terms (rowid, terms) VALUES (999999, '1wghost')")
    raw.execute("UPDATE conversations SET messages = 77")
    raw.execute("UPDATE conversations SET terms = 1")
    raw.close()
    assert damaged(memory) == {"full-text rows": 2, "conversation counts": 1}
    assert all(f.repaired for f in memory.doctor(repair=True) if not f.ok)
    assert damaged(memory) == {}
    assert chat.info().messages == 5


@pytest.mark.req("A21", "X18")
def test_missing_vector_tables_are_reported_tolerated_and_rebuilt(open_memory, path):
    memory = open_memory()
    chat = memory.conversation("c")
    chat.add("user", "The heron stands in the harbour")
    memory.flush()
    apsw.Connection(path).execute("DROP TABLE vectors; DROP TABLE vector_blocks")
    hits = memory.space("default").recall("heron")
    assert (hits[0].message.content, hits.degraded) == ("The heron stands in the harbour", ("dense",))
    chat.add("user", "A stork came by")
    memory.doctor(repair=True)
    assert states(memory).get("queued", 0) == 2
    memory.flush()
    assert damaged(memory) == {}
    assert memory.space("default").recall("heron").degraded == ()


@pytest.mark.req("X18")
def test_missing_and_orphan_vectors_are_found_and_repaired(open_memory, path):
    memory = open_memory()
    for number in range(3):
        memory.conversation("c").add("user", f"heron {number}")
    memory.flush()
    raw = apsw.Connection(path)
    raw.execute("DELETE FROM vectors WHERE message_key = 1")
    raw.execute("UPDATE vectors SET message_key = 4242 WHERE message_key = 2")
    raw.close()
    assert damaged(memory) == {"other records": 3, "vectors": 2, "orphan vectors": 1}
    memory.doctor(repair=True)
    memory.flush()
    assert damaged(memory) == {}


def test_a_damaged_index_page_is_reported_and_repaired(open_memory, path):
    memory = open_memory()
    memory.conversation("c").add("user", "The heron stands in the harbour")
    memory.flush()
    apsw.Connection(path).execute("UPDATE chunk_terms_data SET block = x'00112233' WHERE id > 100")
    assert "full-text table" in damaged(memory)
    memory.doctor(repair=True)
    assert damaged(memory) == {}


def test_vectors_in_blocks_are_found(open_memory, path):
    memory = open_memory(environment=UNDISTILLED)
    chat = memory.space("big").conversation("c")
    chat.add_many({"role": "user", "content": f"heron number {n}", "id": f"m{n}"} for n in range(2500))
    other = memory.space("big").conversation("d")
    other.add("user", "a stork among herons", id="stork")
    memory.flush(120)
    raw = apsw.Connection(path)
    assert raw.execute("SELECT count(*), sum(count) FROM vector_blocks").fetchall() == [(1, 1024)]
    assert memory.status().models[0].embedded == 2501
    memory.space("big").set("hybrid", False)
    assert memory.space("big").recall("heron number 7")[0].message.id == "m7"
    assert memory.space("big").recall("heron number 2400")[0].message.id == "m2400"
    assert memory.space("big").recall("stork", conversation="d")[0].message.id == "stork"
    chat.delete()
    assert memory.status().models[0].embedded == 1
    assert raw.execute("SELECT count(*) FROM vector_blocks").fetchall() == [(0,)]
    assert [hit.message.id for hit in memory.space("big").recall("heron")] == ["stork"]
    assert damaged(memory) == {}


def test_a_deletion_removes_only_the_deleted_vectors_from_a_block(open_memory):
    memory = open_memory(environment=UNDISTILLED)
    for n in range(2100):
        memory.space("s").conversation(f"c{n % 3}").add("user", f"heron number {n}", id=f"m{n}")
    memory.flush(120)
    memory.space("s").conversation("c1").delete()
    memory.space("s").set("hybrid", False)
    assert memory.status().models[0].embedded == 1400
    assert {hit.message.conversation for hit in memory.space("s").recall("heron number", 200)} == {"c0", "c2"}
    assert memory.space("s").recall("heron number 6")[0].message.id == "m6"
    assert damaged(memory) == {}


def test_messages_that_are_added_together_are_one_segment_of_the_index(open_memory, path):
    memory = open_memory()
    memory.conversation("c").add_many({"role": "user", "content": f"heron number {n}"} for n in range(100))
    with closing(apsw.Connection(path)) as connection:
        segments = connection.execute("SELECT count(DISTINCT segid) FROM chunk_terms_idx").fetchall()
    assert segments == [(1,)]
    assert len(memory.space("default").recall("heron", 200)) == 100


@pytest.mark.req("D13")
def test_deletion_leaves_no_row_in_any_table(open_memory, path):
    memory = open_memory()
    for space in ("alice", "bob"):
        chat = memory.space(space).conversation("c")
        chat.add_many({"role": "user", "content": f"heron number {n}"} for n in range(1100))
        chat.add("user", "```py\nx = 1\n```\n" + "Long prose about storks. " * 400)
        chat.pin("heron")
        chat.recall("heron")
        memory.space(space).recall("heron")
        at = datetime(2026, 3, 1, tzinfo=UTC)
        memory.engine.ledger.record(StoredReceipt(f"of {space}", space, "c", at, "{}"))
        memory.engine.store.summaries.save(
            Summary(
                "s",
                space,
                "c",
                "rolling",
                0,
                1,
                2,
                "Herons.",
                (),
                0.7,
                None,
                "completed",
                None,
                None,
                1,
                None,
                None,
                at,
            )
        )
        memory.space(space).set("token_budget", 900)
    memory.flush(120)
    for space in ("alice", "bob"):
        memory.space(space).delete()
    raw = apsw.Connection(path)
    for index in ("chunk_terms", "note_terms"):
        raw.execute(f"INSERT INTO {index} ({index}) VALUES ('optimize')")
    tables = [row[0] for row in raw.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()]
    counts = {table: raw.execute(f"SELECT count(*) FROM {table}").fetchall()[0][0] for table in tables}
    kept = {"migrations", "embedding_models", "sqlite_sequence", "chunk_terms_config", "note_terms_config"}  # metadata
    left = {table: count for table, count in counts.items() if count and table not in {*kept, "checksums"}}
    assert left == {"chunk_terms_data": 2, "note_terms_data": 2}
    sources = raw.execute("SELECT DISTINCT source FROM checksums").fetchall()
    assert {source for (source,) in sources} == {"sqlite_master", "embedding_models"}
    for postings in ("chunk_postings", "note_postings"):
        assert raw.execute(f"SELECT count(*) FROM {postings}").fetchall() == [(0,)]


def test_length_codes_are_close_to_the_length():
    for terms in range(400):
        assert code_length(length_code(terms)) == pytest.approx(terms, rel=0.05)
    assert [length_code(n) for n in range(500)] == sorted(length_code(n) for n in range(500))
    assert length_code(10**9) == 63


@pytest.mark.req("D6")
def test_the_index_is_updated_in_the_same_transaction_as_the_message(open_memory, path):
    memory = open_memory()
    memory.conversation("c").add("user", "heron")
    raw = apsw.Connection(path)
    assert raw.execute("SELECT count(*) FROM chunk_terms_docsize").fetchall() == [(1,)]
    assert raw.execute("SELECT kind FROM jobs ORDER BY kind").fetchall() == [("distill",), ("embed",)]
    with pytest.raises(Exception, match="taken"):
        memory.conversation("c").add_many(
            [{"role": "user", "content": "stork"}, {"role": "user", "content": "x", "id": "i"},
             {"role": "user", "content": "y", "id": "i"}]
        )  # fmt: skip
    assert raw.execute("SELECT count(*) FROM chunk_terms_docsize").fetchall() == [(1,)]
    assert raw.execute("SELECT kind FROM jobs ORDER BY kind").fetchall() == [("distill",), ("embed",)]


@pytest.mark.parametrize("error", [apsw.BusyError, apsw.LockedError, apsw.ProtocolError])
def test_a_lock_conflict_raises_store_busy(error):
    with pytest.raises(StoreBusy), translate_errors("m.db"):
        raise error("locking protocol")


@pytest.mark.req("X21")
def test_a_long_log_is_moved_into_the_file(open_memory, path):
    """The store makes the checkpoints itself: SQLite's own ones hide a failed sync."""
    chat = open_memory(embedder="none").conversation("c")
    for number in range(40):
        chat.add("user", f"number {number}", metadata={"large": "0123456789" * 100_000})
    assert Path(f"{path}-wal").stat().st_size < 24_000_000
    assert Path(path).stat().st_size > 20_000_000
