"""Tests the event stream of changes: content, resumption, access control, limits and shutdown."""

from __future__ import annotations

import json
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

import apsw
import httpx2
import pytest
from tests.server.conftest import bearer
from tests.serving import served, serving
from tests.test_notifier import ended, watchers, writer  # noqa: F401 (a writer process)

from aforesaid import Memory
from aforesaid.server.app import AppOptions, make_app
from aforesaid.server.sse import MAX_STREAMS

PATIENCE = 30.0
EVENTS = "/api/memory/events"
FLOOD = """
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40000)
INSERT INTO noted SELECT space_key, 'setting', 'changed', NULL, NULL, NULL FROM spaces, n WHERE id = 'ann'
"""  # more than all buffers between server and client hold


@dataclass
class Event:
    event: str
    id: str
    data: dict


class Listener:
    """Reads the events of one stream in order."""

    def __init__(self, response: httpx2.Response) -> None:
        self.response = response
        self._lines = response.iter_lines()

    def next(self) -> Event | None:
        """Returns the next event, or None at the end of the stream."""
        fields: dict[str, str] = {}
        for line in self._lines:
            if not line and "data" in fields:
                return Event(fields["event"], fields["id"], json.loads(fields["data"]))
            name, _, value = line.partition(": ")
            if name:
                fields[name] = value
        return None


@contextmanager
def listening(client: httpx2.Client, **params: object) -> Iterator[Listener]:
    headers = params.pop("headers", None)
    with client.stream("GET", EVENTS, params=params, headers=headers) as response:
        assert response.status_code == 200, response.read()
        assert response.headers["content-type"].startswith("text/event-stream")
        yield Listener(response)


@pytest.fixture
def app(store: Memory):
    return make_app(store, AppOptions())


@pytest.fixture
def live(app) -> Iterator[httpx2.Client]:
    limits = httpx2.Limits(max_connections=None)
    with serving(app) as url, httpx2.Client(base_url=url, timeout=PATIENCE, limits=limits) as client:
        yield client


def free(app) -> bool:
    """Waits for all streams to close and returns whether they did."""
    deadline = time.monotonic() + PATIENCE
    while len(app.state.streams) and time.monotonic() < deadline:
        time.sleep(0.01)
    return not len(app.state.streams) and ended()


@pytest.mark.req("A20")
def test_a_new_message_is_sent_as_an_event(store: Memory, live: httpx2.Client):
    chat = store.space("ann").conversation("trip")
    chat.add("user", "first")
    with listening(live, space="ann") as events:
        assert events.next().event == "ready"
        sent = chat.add("user", "Zephyrine")
        told = events.next()
    assert told.event == "change"
    assert told.data == {
        "number": int(told.id), "kind": "message", "action": "added",
        "conversation": "trip", "record": sent.id, "seq": 1,
    }  # fmt: skip


@pytest.mark.req("A20")
def test_writes_of_another_process_are_sent_as_events(store: Memory, live: httpx2.Client, writer):  # noqa: F811
    with listening(live, space="ann", conversation="trip") as events:
        assert events.next().event == "ready"
        sent = []
        for number in range(20):
            writer.write_line(str(number))
            sent.append(writer.stdout.readline().decode().strip())
        heard = []
        while len(heard) < 20:
            change = events.next().data
            heard += [change["record"]] if change["kind"] == "message" else []
    assert heard == sent


@pytest.mark.req("A20")
def test_a_stream_resumes_after_the_last_event_id(store: Memory, live: httpx2.Client):
    chat = store.space("ann").conversation("trip")
    with listening(live, space="ann") as events:
        events.next()
        first = chat.add("user", "first").id
        while (told := events.next()).data["kind"] != "message":
            pass
        assert told.data["record"] == first
    second = chat.add("user", "second").id
    for resume in ({"headers": {"Last-Event-ID": told.id}}, {"after": told.id}):
        with listening(live, space="ann", **resume) as events:
            assert events.next().data["record"] == second
    with listening(live, space="ann", after=1, headers={"Last-Event-ID": told.id}) as events:
        assert events.next().data["record"] == second


def test_an_invalid_cursor_yields_a_missed_event(store: Memory, live: httpx2.Client):
    chat = store.space("ann").conversation("trip")
    chat.add("user", "first")
    with listening(live, space="ann", after=7) as events:
        told = events.next()
        assert (told.event, told.data["cursor"]) == ("missed", store.space("ann").changes().cursor)
        sent = chat.add("user", "second").id
        assert events.next().data["record"] == sent


@pytest.mark.req("X3")
def test_deletion_of_the_space_yields_a_missed_event(store: Memory, live: httpx2.Client):
    store.space("ann").conversation("trip").add("user", "first")
    with listening(live, space="ann") as events:
        events.next()
        store.space("ann").delete()
        assert events.next().event == "missed"


@pytest.mark.req("X17")
def test_events_of_another_space_are_not_sent(store: Memory, app):
    ann = store.create_key("ann", access="read", spaces=["ann"]).secret
    store.space("ann").conversation("trip").add("user", "first")
    with serving(app) as url, httpx2.Client(base_url=url, timeout=PATIENCE, headers=bearer(ann)) as client:
        assert client.get(EVENTS, params={"space": "bob"}).status_code == 403
        assert client.get(EVENTS, headers={"Authorization": "Bearer none"}).status_code == 401
        with listening(client) as events:
            begin = int(events.next().id)
            for _ in range(5):
                store.space("bob").conversation("trip").add("user", "mine")
            sent = store.space("ann").conversation("trip").add("user", "second")
            told = events.next()
    assert (told.data["record"], told.data["number"]) == (sent.id, begin + 1)


@pytest.mark.req("X17")
def test_revoking_a_key_closes_its_streams_before_the_next_event(store: Memory, app):
    made = store.create_key("ann", access="read", spaces=["ann"])
    with serving(app) as url, httpx2.Client(base_url=url, timeout=PATIENCE, headers=bearer(made.secret)) as client:
        with listening(client) as events:
            assert events.next().event == "ready"
            store.revoke_key(made.key.id)
            store.space("ann").conversation("trip").add("user", "too late")
            assert events.next() is None
        assert client.get(EVENTS).status_code == 401
    assert free(app)


@pytest.mark.req("X17")
def test_creating_the_first_key_closes_streams_without_a_key(store: Memory, live: httpx2.Client):
    with listening(live) as events:
        assert events.next().event == "ready"
        store.create_key("first", access="admin")
        assert events.next() is None


@pytest.mark.parametrize(
    ("params", "headers"),
    [
        ({"after": "-1"}, {}), ({"after": "x"}, {}), ({"after": str(2**60)}, {}), ({}, {"Last-Event-ID": "x"}),
        ({"conversation": " "}, {}), ({"conversation": "a\0b"}, {}), ({"conversation": "x" * 1025}, {}),
    ],
)  # fmt: skip
def test_invalid_parameters_are_rejected_before_the_stream_starts(live: httpx2.Client, app, params, headers):
    answer = live.get(EVENTS, params=params, headers=headers)
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"
    assert free(app)


def test_the_maximum_number_of_streams_get_all_events_and_one_more_is_rejected(store: Memory, live: httpx2.Client, app):
    chat = store.space("ann").conversation("trip")
    chat.add("user", "first")
    with ExitStack() as stack:
        streams = [stack.enter_context(listening(live, space="ann")) for _ in range(MAX_STREAMS)]
        assert [stream.next().event for stream in streams] == ["ready"] * MAX_STREAMS
        assert len(watchers()) == 1
        refused = live.get(EVENTS, params={"space": "ann"})
        assert (refused.status_code, refused.json()["code"]) == (429, "too_many_requests")
        sent = [chat.add("user", str(number)).id for number in range(20)]
        assert live.get("/api/memory/conversations", params={"space": "ann"}).status_code == 200
        for stream in streams:
            assert [stream.next().data["record"] for _ in sent] == sent
    assert free(app)
    with listening(live, space="ann") as events:
        assert events.next().event == "ready"


def test_a_slow_reader_delays_neither_other_readers_nor_shutdown(store: Memory, path: str):
    store.space("ann").conversation("trip").add("user", "first")
    with (
        served(path) as server,
        socket.socket() as slow,
        httpx2.Client(base_url=server.url, timeout=PATIENCE) as client,
    ):
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        slow.connect(("127.0.0.1", int(server.url.rpartition(":")[2])))
        slow.sendall(f"GET {EVENTS}?space=ann HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        assert slow.recv(12) == b"HTTP/1.1 200"
        begin = store.space("ann").changes().cursor
        other = apsw.Connection(path)
        other.set_busy_timeout(30_000)
        other.execute(FLOOD)
        last = store.space("ann").changes().cursor
        with client.stream("GET", EVENTS, params={"space": "ann", "after": begin}) as quick:
            end = b""
            for piece in quick.iter_raw():
                end = end[-4096:] + piece
                if f"id: {last}\n".encode() in end:
                    break
        asked = time.monotonic()
        assert server.stop(signal.SIGTERM) == 0
        assert time.monotonic() - asked < 8, "it waited as long as for a request"


def test_shutdown_does_not_wait_for_streams(store: Memory):
    app = make_app(store, AppOptions())
    with ExitStack() as stack:
        url = stack.enter_context(serving(app))
        client = httpx2.Client(base_url=url, timeout=PATIENCE)
        response = client.send(client.build_request("GET", EVENTS), stream=True)
        events = Listener(response)
        assert events.next().event == "ready"
        begin = time.monotonic()
        stack.close()
        assert time.monotonic() - begin < 3
        assert events.next() is None
        response.close()
        client.close()
    assert free(app)


def test_changes_can_be_polled(store: Memory, live: httpx2.Client):
    begin = live.get("/api/memory/changes", params={"space": "ann"}).json()
    assert begin == {"items": [], "cursor": 0, "missed": False}
    sent = store.space("ann").conversation("trip").add("user", "first")
    found = live.get("/api/memory/changes", params={"space": "ann", "after": 0, "conversation": "trip"}).json()
    assert [item["kind"] for item in found["items"]] == ["conversation", "message"]
    assert found["items"][1]["record"] == sent.id
    assert live.get("/api/memory/changes", params={"space": "ann", "after": 5}).json()["missed"]
