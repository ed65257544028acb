"""Two servers on one PostgreSQL database, as behind a load balancer: what one has answered, the other knows."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack

import httpx2
import pytest
from tests.server.test_changes import listening
from tests.serving import served

from aforesaid import Memory

PATIENCE = 30.0
ROUNDS = 25


@pytest.fixture
def two(address: str) -> Iterator[tuple[httpx2.Client, httpx2.Client]]:
    with ExitStack() as entered:
        servers = [entered.enter_context(served(address)) for _ in range(2)]
        clients = [entered.enter_context(httpx2.Client(base_url=server.url, timeout=PATIENCE)) for server in servers]
        yield clients[0], clients[1]


def add(client: httpx2.Client, words: str, **rest) -> str:
    answer = client.post("/api/memory/conversations/c/messages", json={"role": "user", "content": words}, **rest)
    assert answer.status_code == 201, answer.text
    return answer.json()["items"][0]["id"]


@pytest.mark.req("A16", "X15")
def test_a_context_has_what_was_just_added_through_another_process(two):
    for number in range(ROUNDS):
        writer, reader = two if number % 2 else two[::-1]
        add(writer, f"Code word {number}: Zephyrine{number}.")
        answer = reader.post("/api/memory/conversations/c/context", json={"query": "What is the code word?"})
        assert f"Zephyrine{number}." in answer.text
        found = reader.post("/api/memory/recall", json={"query": f"Zephyrine{number}"}).json()
        assert f"Zephyrine{number}." in str(found["items"][0])


@pytest.mark.req("X15", "A20")
def test_live_events_come_from_another_process(two):
    writer, reader = two
    with listening(reader, space="default") as events:
        assert events.next().event == "ready"
        sent = [add(writer, f"word {number}") for number in range(5)]
        heard: list[str] = []
        while len(heard) < len(sent):
            told = events.next()
            assert told is not None
            if told.event == "change" and told.data["kind"] == "message" and told.data["action"] == "added":
                heard.append(told.data["record"])
    assert heard == sent


@pytest.mark.req("X15")
def test_a_key_that_was_revoked_in_one_process_opens_nothing_in_another(address: str):
    with Memory(address, worker=False, environment={}) as memory:
        admin, app = (memory.create_key(name, access="admin") for name in ("desk", "app"))
    headers = {"Authorization": f"Bearer {app.secret}"}
    with served(address) as one, served(address) as other, httpx2.Client(timeout=PATIENCE) as client:
        assert client.get(f"{other.url}/api/memory/conversations", headers=headers).status_code == 200
        desk = {"Authorization": f"Bearer {admin.secret}"}
        gone = client.delete(f"{one.url}/api/memory/keys/{app.key.id}", headers=desk)
        assert gone.status_code in (200, 204), gone.text
        assert client.get(f"{other.url}/api/memory/conversations", headers=headers).status_code == 401


@pytest.mark.req("X15")
def test_a_rate_counts_in_all_processes_together(address: str):
    rate = ("--rate", "10/hour")
    with served(address, *rate) as one, served(address, *rate) as other, httpx2.Client(timeout=PATIENCE) as client:
        begun = time.time() // 3600
        urls = [f"{server.url}/api/memory/conversations" for server in (one, other) * 10]
        answers = [client.get(url).status_code for url in urls]
    if time.time() // 3600 == begun:  # an hour that ends meanwhile begins another count
        assert answers.count(200) == 10
        assert answers.count(429) == 10
