"""Tests the creation, use and removal of the pgvector index of a large space."""

from __future__ import annotations

import logging
import threading

import numpy as np
import psycopg
import pytest
from tests.conftest import UNDISTILLED, sql, states

from aforesaid import Memory
from aforesaid.bench.synthetic_chat import ChatGenerator
from aforesaid.models.index import VectorQuery

LOW = "?near_from=2000"
STATE = "SELECT id, filled, reached > 0 FROM near_spaces JOIN spaces USING (space_key)"
NOTHING = np.empty(0, np.int64)
ALL = VectorQuery(42, None, lambda: NOTHING, lambda: NOTHING)
INDEXES = r"SELECT relname FROM pg_class WHERE relname ~ '^near_\d+_\d+$'"


class Shapes:
    """An embedder that counts the letters of a text."""

    def __init__(self, name: str = "shapes:26", shift: int = 0) -> None:
        self.name = name
        self._shift = shift

    def embed(self, texts):
        rows = (
            np.array([[text.count(chr(97 + (n + self._shift) % 26)) for n in range(26)] for text in texts], "f4") + 0.1
        )
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.fixture(scope="module")
def large(postgres):
    """Creates a database with a large and a small space, owned by a role that cannot install pgvector."""
    postgres.execute("CREATE ROLE keeper LOGIN", "CREATE ROLE guest LOGIN", "CREATE DATABASE large OWNER keeper")
    with Memory(
        postgres.address("large", "keeper") + LOW, worker=False, embedder=Shapes(), environment=UNDISTILLED
    ) as memory:
        talk = ChatGenerator(1)
        for number in range(21):
            memory.space("alice").conversation(f"c{number % 4}").add_many(talk.messages(100))
        memory.space("bob").conversation("c").add("user", "a small boat")
        memory.flush(300)
    with psycopg.connect(postgres.address("large"), autocommit=True) as connection:
        connection.execute("GRANT USAGE ON SCHEMA public TO guest")
        connection.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO guest")
        connection.execute("GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO guest")
    yield "large"
    postgres.execute("DROP DATABASE large WITH (FORCE)", "DROP ROLE keeper", "DROP ROLE guest")


@pytest.fixture
def bare(postgres, large):
    """Returns the name of a copy of that database for one test."""
    postgres.execute(f"CREATE DATABASE bare TEMPLATE {large} OWNER keeper")
    yield "bare"
    postgres.execute("DROP DATABASE bare WITH (FORCE)")


@pytest.fixture
def with_pgvector(postgres, bare):
    with psycopg.connect(postgres.address(bare), autocommit=True) as connection:
        connection.execute("CREATE SCHEMA extensions")  # some hosts install it in a schema of its own
        connection.execute("GRANT USAGE ON SCHEMA extensions TO keeper, guest")
        connection.execute("CREATE EXTENSION vector SCHEMA extensions")
    return bare


@pytest.fixture
def opened(postgres, open_memory):
    def open_(database, role="keeper", patience="", **rest):
        rest.setdefault("embedder", Shapes())
        return open_memory(postgres.address(database, role) + LOW + patience, environment=UNDISTILLED, **rest)

    return open_


@pytest.fixture
def indexed(with_pgvector, opened, clock):
    """Opens a Memory whose large space has an index."""
    memory = opened(with_pgvector, clock=clock)
    memory.doctor(repair=True)
    memory.flush(120)
    assert sql(memory, STATE) == [("alice", 1, True)]
    return memory


def finding(memory, check="vector index", **rest):
    (found,) = [one for one in memory.doctor(**rest) if one.check == check]
    return found


def answers(memory, count=8):
    talk = ChatGenerator(5)
    asked = [talk.question() for _ in range(count)]
    return [[(hit.id, hit.score.dense) for hit in memory.space("alice").recall(question, 5)] for question in asked]


def searched_by_index(memory, embedder=None):
    """Returns whether the index was used: an exact search compares every vector."""
    embedder = embedder or Shapes()
    assert memory.engine.store.vectors.serving() == embedder.name
    query = embedder.embed(["the boat in the harbour"])[0]
    return len(memory.engine.store.vectors.similarity("alice", embedder.name, query, ALL).chunks) == 500


@pytest.mark.req("X15")
def test_without_pgvector_search_is_exact_and_one_warning_is_logged(bare, opened, open_memory, postgres, caplog):
    with caplog.at_level(logging.WARNING):
        memory = opened(bare)
        found = answers(memory)
    (said,) = [record for record in caplog.records if getattr(record, "action", "") == "near_missing"]
    assert "searched exactly" in said.getMessage()
    assert "CREATE EXTENSION vector" in said.getMessage()
    assert not searched_by_index(memory)
    with open_memory(postgres.address(bare, "keeper"), embedder=Shapes()) as ordinary:
        assert found == answers(ordinary)
    told = finding(memory, repair=True)
    assert (told.ok, told.repaired, told.count) == (False, False, 1)
    assert "CREATE EXTENSION vector" in told.detail
    assert states(memory, "near") == {}
    with opened(bare) as again, psycopg.connect(postgres.address(bare), autocommit=True) as connection:
        connection.execute("SET aforesaid.whole = 'on'; DELETE FROM vector_blocks")
        small = finding(again)
        assert small.ok
        assert "CREATE EXTENSION vector" in small.detail


@pytest.mark.req("X15")
def test_pgvector_installed_later_is_used_after_reopening_the_store(bare, opened, indexed, caplog):
    assert not [record for record in caplog.records if getattr(record, "action", "") == "near_missing"]
    assert searched_by_index(indexed)
    assert all(one.ok for one in indexed.doctor())


def test_the_doctor_recreates_the_missing_vector_table_of_a_restored_database(with_pgvector, indexed, opened, postgres):
    """`pg_restore` on a server without pgvector leaves the database like this."""
    with psycopg.connect(postgres.address(with_pgvector), autocommit=True) as connection:
        connection.execute("DROP TABLE near; DROP EXTENSION vector")
    memory = opened(with_pgvector)
    assert all(answers(memory))
    assert finding(memory, "vector tables", repair=True).repaired
    chat = memory.space("alice").conversation("c0")
    chat.edit(chat.messages()[-1].id, "zebras and xylophones")
    assert memory.space("alice").recall("zebras and xylophones", 1)[0].text == "zebras and xylophones"


@pytest.mark.req("X15")
def test_search_is_exact_after_the_extension_is_dropped(with_pgvector, opened, indexed, postgres):
    with psycopg.connect(postgres.address(with_pgvector), autocommit=True) as connection:
        connection.execute("DROP EXTENSION vector CASCADE")
    assert not searched_by_index(indexed)
    added = indexed.space("alice").conversation("c0").add("user", "zebras and xylophones")
    indexed.flush(60)
    assert indexed.space("alice").recall("zebras and xylophones", 1)[0].id == added.id
    with psycopg.connect(postgres.address(with_pgvector), autocommit=True) as connection:
        connection.execute("CREATE EXTENSION vector SCHEMA extensions")
    again = opened(with_pgvector)
    assert sql(again, STATE) == []
    assert finding(again, repair=True).repaired
    again.flush(120)
    assert searched_by_index(again)


@pytest.mark.req("X15")
def test_a_read_only_server_answers_queries(bare, opened, postgres):
    """For example, a replica of a server without pgvector."""
    opened(bare).close()
    postgres.execute(f"ALTER DATABASE {bare} SET default_transaction_read_only = on")
    with psycopg.connect(postgres.address(bare)) as connection:
        connection.execute("SET TRANSACTION READ WRITE")
        connection.execute("CREATE EXTENSION vector")
        connection.commit()
    memory = opened(bare, patience="&pool_timeout=1")  # records buffered until close cannot be written
    assert "only reads" in finding(memory).detail
    assert all(answers(memory))


def test_only_the_owner_creates_an_index_and_the_application_uses_it(with_pgvector, opened, postgres):
    opened(with_pgvector).close()  # adds the column, creates no index
    guest = opened(with_pgvector, "guest")
    assert finding(guest, repair=True).repaired
    assert states(guest, "near") == {"queued": 1}
    guest.flush(60)  # does not wait for jobs that this role cannot run
    assert not searched_by_index(guest)
    owner = opened(with_pgvector)
    owner.flush(120)
    assert searched_by_index(guest)
    added = guest.space("alice").conversation("c0").add("user", "zebras and xylophones")
    guest.flush(60)
    assert sql(
        owner, "SELECT count(*) FROM near JOIN messages USING (message_key) WHERE id = :id", {"id": added.id}
    ) == [(1,)]


@pytest.mark.req("C11", "X15")
def test_row_level_security_protects_the_index(with_pgvector, indexed, postgres):
    ((alice,), (bob,)) = sql(indexed, "SELECT space_key FROM spaces ORDER BY id")
    for role in ("guest", "keeper"):
        with psycopg.connect(postgres.address(with_pgvector, role), autocommit=True) as connection:
            for table in ("near", "near_spaces"):
                assert connection.execute(f"SELECT count(*) FROM {table}").fetchall() == [(0,)]
            connection.execute("SET aforesaid.space = 'bob'; SET search_path = public, extensions")
            nearest = (
                "SELECT count(*) FROM (SELECT 1 FROM near ORDER BY vector::halfvec(26) <=> %s::halfvec(26) LIMIT 9) n"
            )
            assert connection.execute(nearest, (str([1] * 26),)).fetchall() == [(0,)]
            assert connection.execute("DELETE FROM near WHERE space_key = %s", (alice,)).rowcount == 0
            for statement in (
                "INSERT INTO near_spaces VALUES (%s, 1)",
                "INSERT INTO near VALUES (%s, 1, 1, 0, 1, 1, 1, '[1]')",
            ):
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    connection.execute(statement.encode(), (alice,))
            connection.execute("SET aforesaid.space = 'alice'")
            assert connection.execute(nearest, (str([1] * 26),)).fetchall() == [(9,)]
    assert alice != bob


def test_a_new_model_gets_its_own_index_and_the_old_index_is_dropped(with_pgvector, indexed, opened):
    old = sql(indexed, INDEXES)
    other = Shapes("turned:26", 3)
    turned = opened(with_pgvector, embedder=other)
    turned.flush(300)
    assert turned.engine.store.vectors.serving() == "turned:26"
    assert searched_by_index(turned, other)
    assert all(one.ok for one in turned.doctor())
    assert len(sql(turned, INDEXES)) == 1
    assert sql(turned, INDEXES) != old
    assert sql(turned, "SELECT count(DISTINCT model_key) FROM near") == [(1,)]


def test_deleting_a_space_drops_its_index(indexed, clock):
    indexed.space("alice").delete()
    assert sql(indexed, "SELECT count(*) FROM near") == [(0,)]
    assert sql(indexed, STATE) == []
    assert finding(indexed).ok
    clock.forward(hours=2)
    indexed.engine.worker.run_due()
    assert sql(indexed, INDEXES) == []


def test_an_invalid_index_is_rebuilt(with_pgvector, opened, postgres):
    memory = opened(with_pgvector)
    ((space,), *_) = sql(memory, "SELECT space_key FROM spaces ORDER BY id")
    ((model,),) = sql(memory, "SELECT model_key FROM embedding_models")
    with psycopg.connect(postgres.address(with_pgvector), autocommit=True) as connection:
        connection.execute(
            b"INSERT INTO near SELECT space_key, 99, chunk_key, 0, 1, chunk_key, 1, '[1]' FROM chunks LIMIT 2"
        )
        with pytest.raises(psycopg.errors.UniqueViolation):  # leaves an invalid index
            connection.execute(
                f"CREATE UNIQUE INDEX CONCURRENTLY near_{space}_{model} ON near (part) WHERE model_key = 99".encode()
            )
        connection.execute("DELETE FROM near")
    memory.doctor(repair=True)
    memory.flush(120)
    assert searched_by_index(memory)


def test_messages_added_during_the_index_build_are_in_the_index(with_pgvector, opened):
    memory, other = opened(with_pgvector), opened(with_pgvector)
    memory.doctor(repair=True)
    talk = ChatGenerator(9)

    def talking():
        for _ in range(20):
            other.space("alice").conversation("meanwhile").add_many(talk.messages(10))

    thread = threading.Thread(target=talking)
    thread.start()
    try:
        memory.flush(120)
    finally:
        thread.join()
    memory.flush(120)
    assert searched_by_index(memory)
    assert all(one.ok for one in memory.doctor())
    ((count,),) = sql(memory, "SELECT count(*) FROM near")
    assert count == memory.status().models[0].embedded - 1  # the index does not include the small space


def test_reads_and_writes_do_not_wait_for_an_index_build(with_pgvector, opened, postgres):
    memory = opened(with_pgvector)
    memory.doctor(repair=True)
    with psycopg.connect(postgres.address(with_pgvector)) as connection:
        connection.execute("LOCK TABLE near IN SHARE UPDATE EXCLUSIVE MODE")  # the lock that VACUUM takes
        while sql(memory, STATE) != [("alice", 1, True)]:
            memory.work()
        memory.work()
        added = memory.space("alice").conversation("c0").add("user", "zebras and xylophones")
        while states(memory).get("queued"):
            memory.work()
        assert memory.space("alice").recall("zebras and xylophones", 1)[0].id == added.id
        assert states(memory, "near") == {"queued": 1}
        assert not searched_by_index(memory)
        memory.close()
    again = opened(with_pgvector)
    again.flush(120)
    assert searched_by_index(again)
    assert all(one.ok for one in again.doctor())
