"""Tests the pgvector index of large spaces: its results match an exact search."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import psycopg
import pytest
from tests.conftest import UNDISTILLED, sql, states
from tests.postgres_server import Server

from aforesaid import Memory
from aforesaid.bench.synthetic_chat import ChatGenerator
from aforesaid.models.index import VectorQuery
from aforesaid.providers.embedders import embedder
from aforesaid.storage.postgres.session import texts, with_placeholders
from aforesaid.storage.repositories import ann

LOW = "?near_from=2000"
MESSAGES = 2_100  # the index is built when the first 2,048 vectors form a block
NOTHING = np.empty(0, np.int64)
ALL = VectorQuery(42, None, lambda: NOTHING, lambda: NOTHING)
VECTOR = "SELECT vector::text FROM near JOIN messages USING (space_key, message_key) WHERE id = :id"


def tell(memory: Memory, name: str, seed: int) -> None:
    """Adds messages in batches of 100, each batch to one of six conversations."""
    talk, rng = ChatGenerator(seed), Random(seed)
    for _ in range(MESSAGES // 100):
        memory.space(name).conversation(f"c{rng.randint(0, 5)}").add_many(talk.messages(100))


@pytest.fixture(scope="module")
def place(postgres):
    """Returns the address of a database in which two spaces have an index."""
    address = postgres.address(postgres.make_database())
    with Memory(address + LOW, worker=False, environment=UNDISTILLED) as memory:
        tell(memory, "alice", 1)
        tell(memory, "bob", 2)
        memory.space("carol").conversation("c").add("user", "I have a boat")
        memory.flush(300)
        assert states(memory, "near") == {"done": 2}
    return address


@pytest.fixture
def memory(place, open_memory):
    """Opens a store that searches with the index."""
    return open_memory(place + LOW)


@pytest.fixture
def exact(place, open_memory):
    """Opens the same database with the default threshold, so that its spaces are searched exactly."""
    return open_memory(place)


def questions(count: int = 30) -> list[str]:
    talk = ChatGenerator(3)
    return [talk.question() for _ in range(count)]


def vector(text: str):
    return embedder("static:256", environment={}).embed([text])[0]


def similar(memory: Memory, space: str, text: str, sought: VectorQuery | None = ALL):
    return memory.engine.store.vectors.similarity(space, "static:256", vector(text), sought)


def best(found, count: int = 10) -> list[int]:
    return found.chunks[np.argsort(-found.scores, kind="stable")][:count].tolist()


def chunks_of(memory: Memory, space: str) -> set[int]:
    rows = sql(memory, "SELECT chunk_key FROM chunks JOIN spaces USING (space_key) WHERE id = :space", {"space": space})
    return {key for (key,) in rows}


def held(memory: Memory, message: str) -> int:
    """Returns the number of vectors that the index has for a message."""
    return sql(
        memory, "SELECT count(*) FROM near JOIN messages USING (space_key, message_key) WHERE id = :id", {"id": message}
    )[0][0]


@pytest.mark.req("X15")
def test_the_index_returns_the_results_of_an_exact_search(memory):
    agreed = []
    for question in questions():
        found, exact = similar(memory, "alice", question), similar(memory, "alice", question, None)
        assert len(found.chunks) == 500
        assert len(exact.chunks) >= MESSAGES
        agreed.append(len(set(best(found)) & set(best(exact))) / 10)
        whole = dict(zip(exact.chunks.tolist(), exact.scores.tolist(), strict=True))
        assert all(
            whole[chunk] == score for chunk, score in zip(found.chunks.tolist(), found.scores.tolist(), strict=True)
        )
        assert found.rest == found.scores.min()
    assert np.mean(agreed) >= 0.95


@pytest.mark.req("X15")
def test_recall_returns_the_same_hits_with_and_without_the_index(memory, exact):
    agreed = [
        len(
            {hit.id for hit in memory.space("alice").recall(question)}
            & {hit.id for hit in exact.space("alice").recall(question)}
        )
        / 10
        for question in questions()
    ]
    assert np.mean(agreed) >= 0.95


@pytest.mark.req("X15")
def test_each_space_finds_only_its_own_messages(memory):
    for space in ("alice", "bob"):
        own = chunks_of(memory, space)
        for question in questions(5):
            assert set(similar(memory, space, question).chunks.tolist()) <= own
            assert len(memory.space(space).recall(question)) == 10
    assert [hit.text for hit in memory.space("carol").recall("boat")] == ["I have a boat"]


@pytest.mark.req("X15")
def test_the_query_plan_uses_the_index(place):
    """Plans the query as a role that row-level security applies to."""
    with psycopg.connect(place, autocommit=True) as connection:
        connection.execute("DROP ROLE IF EXISTS explains")
        connection.execute("CREATE ROLE explains")
        connection.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO explains")
        connection.execute("SET aforesaid.whole = 'on'")
        ((space, model),) = connection.execute(
            "SELECT space_key, model_key FROM near_spaces JOIN spaces USING (space_key) WHERE id = 'alice'"
        ).fetchall()
        connection.execute("SET aforesaid.whole = ''; SET aforesaid.space = 'alice'; SET ROLE explains")
        with connection.transaction():
            connection.execute(texts()[ann.SQL["begin_search"]][0])
            values = {"query": str([1] * 256), "low": 0, "high": 1 << 60}
            asked = ann.NEAREST_ROWS.format(space=space, model=model, dimension=256, most=500)
            plan = connection.execute(f"EXPLAIN {with_placeholders(asked)}".encode(), values).fetchall()
        assert any(f"Index Scan using near_{space}_{model}" in line for (line,) in plan), plan
        connection.execute("RESET ROLE; DROP OWNED BY explains; DROP ROLE explains")


def test_recall_in_one_conversation_of_a_large_space_is_exact(memory, exact):
    """The conversation is small enough for an exact search: the hits and scores are equal."""
    for question in questions(10):
        asked = [store.space("alice").recall(question, conversation="c2") for store in (memory, exact)]
        assert [(hit.id, hit.score.dense) for hit in asked[0]] == [(hit.id, hit.score.dense) for hit in asked[1]]
        assert {hit.conversation for hit in asked[0]} == {"c2"}


def test_recall_with_a_time_bound_matches_an_exact_search(memory, exact):
    messages = [m for name in ("c0", "c1") for m in memory.space("bob").conversation(name).messages(limit=5_000)]
    since = sorted(message.created_at for message in messages)[len(messages) // 2]
    for question in questions(10):
        asked = [store.space("bob").recall(question, since=since) for store in (memory, exact)]
        assert [hit.id for hit in asked[0]] == [hit.id for hit in asked[1]]


def keys_of(memory: Memory, space: str) -> np.ndarray:
    rows = sql(
        memory,
        "SELECT message_key FROM messages JOIN spaces USING (space_key) WHERE spaces.id = :space ORDER BY message_key",
        {"space": space},
    )
    return np.array([key for (key,) in rows])


def test_a_large_key_range_is_searched_by_the_index(memory):
    """The range has too many messages for an exact search."""
    keys = keys_of(memory, "alice")
    late, agreed = keys[len(keys) // 2 :], []
    by_key = replace(ALL, among=late, around=lambda: late)
    by_index = replace(ALL, among=late, around=lambda: np.arange(20_000))
    for question in questions():
        exact, found = (similar(memory, "alice", question, sought) for sought in (by_key, by_index))
        assert (len(found.chunks), len(exact.chunks)) == (500, len(late))
        assert set(found.chunks.tolist()) <= set(exact.chunks.tolist())
        agreed.append(len(set(best(found)) & set(best(exact))) / 10)
    assert np.mean(agreed) >= 0.95


def test_selective_bounds_are_searched_exactly(memory):
    keys = keys_of(memory, "alice")
    scattered = replace(ALL, among=keys[::20], around=lambda: np.arange(20_000))
    whole = similar(memory, "alice", "boat", None)
    assert similar(memory, "alice", "boat", scattered).chunks.tolist() == whole.chunks.tolist()


def test_queries_that_the_index_cannot_answer_are_searched_exactly(memory):
    """The query requests more results than the index returns, or its vector is zero."""
    whole = similar(memory, "alice", "boat", None)
    assert len(similar(memory, "alice", "boat", replace(ALL, most=201)).chunks) == len(whole.chunks)
    nothing = np.zeros(256, np.float32)
    found = memory.engine.store.vectors.similarity("alice", "static:256", nothing, ALL)
    assert len(found.chunks) == len(whole.chunks)


def test_a_new_message_is_found_by_its_meaning(memory):
    chat = memory.space("alice").conversation("new")
    added = chat.add("user", "The heron stands in the harbour of Porto")
    memory.flush(60)
    assert held(memory, added.id) == 1
    (chunk,) = best(similar(memory, "alice", "The heron stands in the harbour of Porto"), 1)
    assert sql(memory, "SELECT count(*) FROM chunks WHERE chunk_key = :key", {"key": chunk}) == [(1,)]
    assert memory.space("alice").recall("a heron in a harbour")[0].id == added.id


@pytest.mark.req("X3")
def test_edited_and_forgotten_messages_are_removed_from_the_index(memory):
    chat = memory.space("alice").conversation("new")
    edited = chat.add("user", "My locker has the code nine nine two")
    deleted = chat.add("user", "My bicycle has the code four four one")
    memory.flush(60)
    old = {id: sql(memory, VECTOR, {"id": id}) for id in (edited.id, deleted.id)}
    assert all(len(rows) == 1 for rows in old.values())
    chat.edit(edited.id, "Nothing to see here")
    memory.space("alice").forget(message=deleted.id)
    assert held(memory, edited.id) == 0
    memory.flush(60)
    assert held(memory, edited.id) == 1
    vectors = {text for (text,) in sql(memory, "SELECT vector::text FROM near")}
    assert not vectors & {rows[0][0] for rows in old.values()}
    assert deleted.id not in {hit.id for hit in memory.space("alice").recall("the code of my bicycle")}


@pytest.mark.req("X3")
def test_the_index_file_keeps_no_vector_of_a_forgotten_message(memory, place, postgres):
    added = memory.space("bob").conversation("new").add("user", "My umbrella has the code seven three eight")
    memory.flush(60)
    assert lies_in_index(place, postgres, stored := in_index(memory, added.id))
    memory.space("bob").forget(message=added.id)
    assert not lies_in_index(place, postgres, stored)


def in_index(memory: Memory, message: str) -> bytes:
    """Returns a vector in the format of a pgvector cosine index: normalized, with two bytes per number."""
    ((sent,),) = sql(memory, VECTOR.replace("vector::text", "halfvec_send(l2_normalize(vector))"), {"id": message})
    return np.frombuffer(sent, ">f2", offset=4).astype("<f2").tobytes()


def lies_in_index(place: str, postgres: Server, vector: bytes) -> bool:
    with psycopg.connect(place, autocommit=True) as connection:
        connection.execute("CHECKPOINT")
        found = connection.execute(
            r"SELECT pg_relation_filepath(oid) FROM pg_class WHERE relname ~ '^near_\d+_\d+$'"
        ).fetchall()
    assert len(found) == 2
    return any(vector in (postgres.data / path).read_bytes() for (path,) in found)


def test_rechunking_leaves_no_old_vectors(memory):
    before = sql(memory, "SELECT count(*) FROM near")
    memory.space("bob").rechunk()
    memory.flush(300)
    assert sql(memory, "SELECT count(*) FROM near") == before
    assert [finding for finding in memory.doctor() if not finding.ok] == []
