"""Large spaces on a server with pgvector: an index beside the vectors, that answers as they do."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from tests.conftest import sql, states

from recollect import Memory
from recollect.bench.talk import Talk
from recollect.records import Sought

LOW = "?near_from=2000"
MESSAGES = 3_000
ALL = Sought(42)


def tell(memory: Memory, name: str, seed: int) -> None:
    """Three thousand messages, a hundred at a time in one of six conversations."""
    talk, rng = Talk(seed), Random(seed)
    for _ in range(MESSAGES // 100):
        memory.space(name).conversation(f"c{rng.randint(0, 5)}").add_many(talk.messages(100))


@pytest.fixture(scope="module")
def place(postgres):
    """The address of a database in which two spaces have an index."""
    address = postgres.address(postgres.make_database())
    with Memory(address + LOW, worker=False, environment={}) as memory:
        tell(memory, "alice", 1)
        tell(memory, "bob", 2)
        memory.space("carol").conversation("c").add("user", "I have a boat")
        memory.flush(300)
        assert states(memory, "near") == {"done": 2}
    return address


@pytest.fixture
def memory(place, open_memory):
    """Asks the index."""
    return open_memory(place + LOW)


@pytest.fixture
def exact(place, open_memory):
    """The same database, asked by a process for which its spaces are small."""
    return open_memory(place)


def questions(count: int = 30) -> list[str]:
    talk = Talk(3)
    return [talk.question() for _ in range(count)]


def vector(memory: Memory, text: str):
    return memory._embedders.find("wordllama:256").embed([text])[0]


def similar(memory: Memory, space: str, text: str, sought: Sought | None = ALL):
    return memory._store.vectors.similarity(space, "wordllama:256", vector(memory, text), sought)


def best(found, count: int = 10) -> list[int]:
    return found.chunks[np.argsort(-found.scores, kind="stable")][:count].tolist()


def chunks_of(memory: Memory, space: str) -> set[int]:
    rows = sql(memory, "SELECT chunk_key FROM chunks JOIN spaces USING (space_key) WHERE id = :space", {"space": space})
    return {key for (key,) in rows}


def held(memory: Memory, message: str) -> int:
    """How many vectors of a message the index has."""
    return sql(
        memory, "SELECT count(*) FROM near JOIN messages USING (space_key, message_key) WHERE id = :id", {"id": message}
    )[0][0]


@pytest.mark.req("C9")
def test_the_index_finds_what_an_exact_search_finds(memory):
    agreed = []
    for question in questions():
        near, exact = similar(memory, "alice", question), similar(memory, "alice", question, None)
        assert len(near.chunks) == 500
        assert len(exact.chunks) >= MESSAGES
        agreed.append(len(set(best(near)) & set(best(exact))) / 10)
        whole = dict(zip(exact.chunks.tolist(), exact.scores.tolist(), strict=True))
        assert all(
            whole[chunk] == score for chunk, score in zip(near.chunks.tolist(), near.scores.tolist(), strict=True)
        )
        assert near.rest == near.scores.min()
    assert np.mean(agreed) >= 0.95


@pytest.mark.req("C9")
def test_recall_answers_as_without_the_index(memory, exact):
    agreed = [
        len(
            {hit.id for hit in memory.space("alice").recall(question)}
            & {hit.id for hit in exact.space("alice").recall(question)}
        )
        / 10
        for question in questions()
    ]
    assert np.mean(agreed) >= 0.95
