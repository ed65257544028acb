"""Tests that upstream errors are forwarded and that memory errors break no chat."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from contextlib import contextmanager

import anthropic
import httpx2
import openai
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.faults.conftest import until
from tests.proxy.conftest import assistant, openai_client, stored, user
from tests.proxy.upstream import Answer, Busy, Cut, Model, Packed, Stall
from tests.serving import client as client_of
from tests.serving import serving

from aforesaid import Memory
from aforesaid.proxy.targets import WIRES
from aforesaid.proxy.upstream import UpstreamOptions
from aforesaid.server.app import AppOptions, make_app

pytestmark = pytest.mark.req("X5")

ASKED = {"model": "m-1", "messages": [user("I am Ada.")]}
PLACE = {"x-aforesaid-space": "ada", "x-aforesaid-conversation": "trip"}
JSON = {"content-type": "application/json"}  # without it, a page of another origin could have sent the request


def streamed(http, path="/chat/completions", body=None):
    return http.stream("POST", path, json={**(body or ASKED), "stream": True}, headers=PLACE)


def test_the_first_bytes_arrive_before_the_stream_ends(http, model, store):
    model.behave(Stall())
    with streamed(http) as answer:
        pieces = answer.iter_raw()
        first = next(pieces)
        assert first
        assert not model.go_on.is_set()
        model.go_on.set()
        whole = first + b"".join(pieces)
    assert whole == model.streamed[0]
    assert answer.headers["x-request-id"] == "s1"
    assert answer.headers["content-type"] == "text/event-stream; charset=utf-8"
    assert stored(store)[-1] == ("assistant", Stall().answer.text)


@pytest.mark.parametrize("to", ["/chat/completions", "/responses", "/messages"])
def test_every_stream_is_forwarded_byte_for_byte(http, model, to):
    model.behave(Answer("Größe 🦊 水 and more", (("c1", "f", '{"a": "ü"}'),)))
    body = {"model": "m-1", "input": "Hi", "messages": [user("Hi")], "max_tokens": 10}
    with streamed(http, to, body) as answer:
        assert b"".join(answer.iter_raw()) == model.streamed[0]


@pytest.mark.parametrize("how", ["gzip", "deflate", "bare deflate", "zstd", "br"])
@pytest.mark.parametrize("stream", [False, True])
def test_a_compressed_response_is_forwarded_unchanged_and_stored(http, model, store, how, stream):
    model.behave(Packed(how, Answer("Größe 🦊")))
    headers = PLACE | {"accept-encoding": "identity"}
    with http.stream("POST", "/chat/completions", json=ASKED | {"stream": stream}, headers=headers) as answer:
        raw = b"".join(answer.iter_raw())
    assert answer.headers["content-encoding"] == how.removeprefix("bare ")
    assert raw == model.streamed[-1]
    assert stored(store) == [("user", "I am Ada."), ("assistant", "Größe 🦊")]


def test_a_response_with_an_unknown_encoding_is_forwarded_and_logged_as_not_stored(http, model, store, caplog):
    model.behave(Busy(200, {"Content-Encoding": "compress"}, b"\x1f\x9d\x90{}\x03"))
    with http.stream("POST", "/chat/completions", json=ASKED, headers=PLACE) as answer:
        assert b"".join(answer.iter_raw()) == b"\x1f\x9d\x90{}\x03"
    assert answer.headers["x-aforesaid-memory"].endswith("; reply=not_stored")
    assert [one.reason for one in caplog.records if one.message == "reply not stored"] == ["encoding"]
    assert stored(store) == [("user", "I am Ada.")]


def test_an_upstream_rate_limit_is_forwarded(gpt, model, store):
    model.behave(Busy(429, {"Retry-After": "7", "X-RateLimit-Limit": "3"}))
    with pytest.raises(openai.RateLimitError) as caught:
        gpt.chat.completions.create(**ASKED)
    assert caught.value.response.headers["retry-after"] == "7"
    assert caught.value.response.headers["x-ratelimit-limit"] == "3"
    assert caught.value.body == {"type": "as_told", "message": "as told"}
    assert stored(store) == [("user", "I am Ada.")]


@pytest.mark.parametrize("status", [401, 404, 500, 503, 529])
def test_upstream_errors_are_forwarded(claude, gpt, model, status):
    model.behave(Busy(status, {"X-Odd": "1"}, b'{"type": "error", "error": {"type": "odd", "message": "told"}}'))
    with pytest.raises(anthropic.APIStatusError) as caught:
        claude.messages.create(max_tokens=10, **ASKED)
    assert (caught.value.status_code, caught.value.response.headers["x-odd"]) == (status, "1")
    with pytest.raises(openai.APIStatusError) as caught:
        gpt.responses.create(model="m-1", input="Hi", stream=True)
    assert caught.value.status_code == status


def test_an_aborted_stream_is_aborted_for_the_client_and_not_stored(http, gpt, model, store):
    model.behave(Cut())
    heard: list[bytes] = []
    with streamed(http) as answer, pytest.raises(httpx2.RemoteProtocolError):
        heard.extend(answer.iter_raw())
    heard = b"".join(heard)
    assert model.streamed[0].startswith(heard)
    assert len(heard) > 100
    assert stored(store) == [("user", "I am Ada.")]
    model.behave(Answer("two"))
    gpt.chat.completions.create(model="m-1", messages=[user("I am Ada."), assistant("one two"), user("Go on")])
    assert [text for _, text in stored(store)] == ["I am Ada.", "one two", "Go on", "two"]


def test_an_aborted_body_is_aborted_for_the_client_and_not_stored(http, model, store):
    model.behave(Cut())
    with pytest.raises(httpx2.RemoteProtocolError):
        http.post("/chat/completions", json=ASKED, headers=PLACE)
    assert stored(store) == [("user", "I am Ada.")]


def test_an_error_event_in_a_stream_is_forwarded_and_no_reply_is_stored(http, model, store):
    data = b'data: {"choices": [{"delta": {"content": "so"}}]}\n\ndata: {"error": {"type": "overloaded"}}\n\n'
    model.behave(Busy(200, {"Content-Type": "text/event-stream"}, data))
    with streamed(http) as answer:
        assert b"".join(answer.iter_raw()) == data
    assert stored(store) == [("user", "I am Ada.")]


def test_an_unresponsive_upstream_times_out(serve, model):
    model.behave("hang")
    with httpx2.Client(base_url=serve(timeout=1.0), timeout=30) as http:
        answer = http.post("/v1/chat/completions", json=ASKED)
    assert (answer.status_code, answer.json()["code"]) == (504, "upstream_timeout")
    assert answer.headers["x-aforesaid-memory"].startswith("none; reason=nothing_relevant")
    assert model.left.wait(30)


def test_an_unreachable_upstream_is_a_bad_gateway(http, model):
    model.stop()
    answer = http.post("/chat/completions", json=ASKED)
    assert (answer.status_code, answer.json()["code"]) == (502, "upstream_unreachable")
    assert http.get("/models").status_code == 502


@pytest.mark.parametrize("body", [ASKED, ASKED | {"stream": True}])
def test_a_client_disconnect_cancels_the_upstream_request(url, model, body, store):
    model.behave("pour" if "stream" in body else "hang")
    said = json.dumps(body).encode()
    head = "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nX-Aforesaid-Space: ada\r\n"
    head += f"X-Aforesaid-Conversation: trip\r\nContent-Length: {len(said)}\r\n\r\n"
    with socket.create_connection(("127.0.0.1", httpx2.URL(url).port)) as client:
        client.sendall(head.encode() + said)
        assert model.asked.wait(30)
        if "stream" in body:
            assert client.recv(100)
        assert not model.left.is_set()
    assert model.left.wait(30)
    until(lambda: stored(store) == [("user", "I am Ada.")])  # stored while the upstream is asked


# Errors of the memory


LOCK = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
print("locked", flush=True)
sys.stdin.read()
connection.rollback()
connection.close()
"""


@contextmanager
def locked(path):
    """Runs another process that keeps a write transaction open."""
    with subprocess.Popen(
        [sys.executable, "-c", LOCK, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline() == "locked\n"
        yield
        process.stdin.close()


def test_a_locked_store_delays_a_chat_only_briefly(serve, clients, model, store, path):
    gpt = openai_client(clients, serve(patience=0.2), PLACE)
    with locked(path):
        answer = gpt.chat.completions.with_raw_response.create(**ASKED)
    assert answer.headers["x-aforesaid-memory"].endswith("; store=slow")
    assert json.loads(model.raw[-1]) == ASKED
    assert answer.parse().choices[0].message.content == "Noted."
    model.behave(Answer("Ada."))
    history = [*ASKED["messages"], assistant("Noted."), user("Who am I?")]
    openai_client(clients, serve(), PLACE).chat.completions.create(model="m-1", messages=history)
    assert [text for _, text in stored(store)] == ["I am Ada.", "Noted.", "Who am I?", "Ada."]


def test_shutdown_stores_messages_that_a_slow_store_has_not_stored_yet(clients, model, store, path):
    app = make_app(store, AppOptions(upstream=UpstreamOptions(model.url, patience=0.2)))
    with serving(app) as url, locked(path):
        answer = openai_client(clients, url, PLACE).chat.completions.with_raw_response.create(**ASKED)
        assert answer.headers["x-aforesaid-memory"].endswith("; store=slow")
    assert stored(store) == [("user", "I am Ada."), ("assistant", "Noted.")]


def test_a_closed_store_breaks_no_chat(gpt, model, store):
    gpt.chat.completions.create(**ASKED)
    store.close()
    answer = gpt.chat.completions.with_raw_response.create(**ASKED)
    assert answer.headers["x-aforesaid-memory"] == "off; reason=closing"
    assert answer.parse().choices[0].message.content == "Noted."


@pytest.mark.parametrize(
    ("headers", "body", "reason"),
    [
        ({"x-aforesaid-conversation": ""}, json.dumps(ASKED).encode(), "invalid_input"),
        ({"x-aforesaid-conversation": "a" * 2000}, json.dumps(ASKED).encode(), "invalid_input"),
        ({}, b"not json", "unreadable"),
        ({}, b'["a list"]', "unreadable"),
        ({}, b"", "unreadable"),
        ({}, b"\xff\xfe{", "unreadable"),
    ],
)
def test_a_body_that_memory_cannot_use_is_forwarded_unchanged(http, model, headers, body, reason):
    answer = http.post("/chat/completions", content=body, headers=JSON | headers)
    assert answer.status_code == 200
    assert answer.headers["x-aforesaid-memory"] == f"off; reason={reason}"
    assert model.raw[-1] == body


@pytest.fixture(scope="module")
def mad():
    """A client of a proxy for malformed requests."""
    with (
        Model() as model,
        Memory(worker=False, environment={}) as memory,
        client_of(
            make_app(memory, AppOptions(upstream=UpstreamOptions(model.url, patience=60.0, windows={"m": 500})))
        ) as http,
    ):
        yield http


NAMES = st.sampled_from(
    [
        "role",
        "content",
        "type",
        "text",
        "tool_calls",
        "function",
        "id",
        "name",
        "arguments",
        "call_id",
        "output",
        "images",
        "tool_name",
    ]
)
VALUES = st.sampled_from(
    [
        "user",
        "assistant",
        "system",
        "tool",
        "text",
        "input_text",
        "tool_use",
        "tool_result",
        "function_call",
        "image_url",
    ]
)
ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4) | VALUES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=5),
    max_leaves=20,
)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(path=st.sampled_from(sorted(WIRES)), items=ODD, rest=ODD, model=ODD)
def test_every_malformed_body_is_forwarded(mad, path, items, rest, model):
    several = {"messages": items, "input": items, "prompt": items, "images": items, "options": rest, "system": rest}
    body = json.dumps(several | {"model": model or "m", "conversation": rest})
    answer = mad.post(path, content=body, headers=JSON)
    assert answer.status_code == 200, answer.text


@pytest.mark.parametrize("depth", [300, 900, 90_000])
def test_a_deeply_nested_body_is_forwarded(mad, depth):
    nested = b"[" * depth + b"]" * depth
    body = b'{"model": "m", "messages": [{"role": "user", "content": "a"}, ' + nested + b"]}"
    assert mad.post("/v1/chat/completions", content=body, headers=JSON).status_code == 200
