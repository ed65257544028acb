"""Tests two servers on one PostgreSQL database: each reads the writes of the other immediately."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import httpx2
import pytest
from tests.postgres_server import Server
from tests.server.test_changes import listening
from tests.serving import served

from aforesaid import Memory

PATIENCE = 30.0
ROUNDS = 25
RATE = 99  # requests per key and hour; more than the other tests send

Clients = tuple[httpx2.Client, httpx2.Client]


@pytest.fixture(scope="module")
def database(postgres: Server) -> str:
    return postgres.address(postgres.make_database())


@pytest.fixture(scope="module")
def urls(database: str) -> Iterator[list[str]]:
    with ExitStack() as entered:
        yield [entered.enter_context(served(database, "--rate", f"{RATE}/hour")).url for _ in range(2)]


@pytest.fixture
def make_clients(database: str, urls: list[str]) -> Iterator[Callable[[str], tuple[str, Clients]]]:
    """Creates an API key and one client per server that sends it; returns the id of the key and the clients."""
    with Memory(database, worker=False, environment={}) as memory, ExitStack() as entered:

        def make(name: str) -> tuple[str, Clients]:
            created = memory.create_key(name, access="admin")
            headers = {"Authorization": f"Bearer {created.secret}"}
            first, second = (
                entered.enter_context(httpx2.Client(base_url=url, timeout=PATIENCE, headers=headers)) for url in urls
            )
            return created.key.id, (first, second)

        yield make


def add(client: httpx2.Client, text: str) -> str:
    answer = client.post("/api/memory/conversations/c/messages", json={"role": "user", "content": text})
    assert answer.status_code == 201, answer.text
    return answer.json()["items"][0]["id"]


@pytest.mark.req("A16", "X15")
def test_a_context_includes_a_message_just_added_through_another_server(make_clients):
    _, clients = make_clients("context")
    for number in range(ROUNDS):
        writer, reader = clients if number % 2 else clients[::-1]
        add(writer, f"Code word {number}: Zephyrine{number}.")
        answer = reader.post("/api/memory/conversations/c/context", json={"query": "What is the code word?"})
        assert f"Zephyrine{number}." in answer.text
        found = reader.post("/api/memory/recall", json={"query": f"Zephyrine{number}"}).json()
        assert f"Zephyrine{number}." in str(found["items"][0])


@pytest.mark.req("X15", "A20")
def test_live_events_include_writes_of_another_server(make_clients):
    _, (writer, reader) = make_clients("events")
    with listening(reader, space="default") as events:
        assert events.next().event == "ready"
        added = [add(writer, f"word {number}") for number in range(5)]
        reported: list[str] = []
        while len(reported) < len(added):
            event = events.next()
            assert event is not None
            if event.event == "change" and event.data["kind"] == "message" and event.data["action"] == "added":
                reported.append(event.data["record"])
    assert reported == added


@pytest.mark.req("X15")
def test_a_key_revoked_on_one_server_is_refused_by_another(make_clients):
    _, (admin, _) = make_clients("desk")
    key, (_, other) = make_clients("app")
    assert other.get("/api/memory/conversations").status_code == 200
    revoked = admin.delete(f"/api/memory/keys/{key}")
    assert revoked.status_code in (200, 204), revoked.text
    assert other.get("/api/memory/conversations").status_code == 401


@pytest.mark.req("X15")
def test_a_rate_limit_counts_requests_to_all_servers(make_clients):
    _, clients = make_clients("busy")
    begun = time.time() // 3600
    answers = [client.get("/api/memory/conversations").status_code for client in clients * 60]
    if time.time() // 3600 == begun:  # each hour has a new count
        assert answers.count(200) == RATE
        assert answers.count(429) == 120 - RATE
