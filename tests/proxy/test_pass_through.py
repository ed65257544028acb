"""Tests that requests which memory does not handle reach the upstream as they are, and so do its responses."""

from __future__ import annotations

import io
import json
import random
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from hashlib import sha256
from http.client import HTTPConnection
from typing import Any

import anthropic
import httpx2
import openai
import pytest
from tests.proxy.echo import SOUND, Echo
from tests.serving import client as client_of
from tests.serving import serving

from aforesaid import Memory
from aforesaid.proxy.upstream import UpstreamOptions
from aforesaid.server.app import AppOptions, make_app

pytestmark = pytest.mark.req("X5")

DATA = random.Random(5).randbytes(300_000)


@pytest.fixture(scope="module")
def echo() -> Iterator[Echo]:
    with Echo() as made:
        yield made


@pytest.fixture(scope="module")
def memory() -> Iterator[Memory]:
    with Memory(worker=False, environment={}) as made:
        yield made


@pytest.fixture(scope="module")
def url(echo: Echo, memory: Memory) -> Iterator[str]:
    with serving(make_app(memory, AppOptions(upstream=UpstreamOptions(echo.url), largest=100_000))) as made:
        yield made


@pytest.fixture(scope="module")
def both(echo: Echo, url: str) -> Iterator[list[openai.OpenAI]]:
    """OpenAI's client of the upstream itself, and of the proxy."""
    with ExitStack() as stack:
        made = [openai.OpenAI(base_url=f"{to}/v1", api_key="sk-1", max_retries=0, timeout=30) for to in (echo.url, url)]
        yield [stack.enter_context(client) for client in made]


@pytest.fixture(scope="module")
def claudes(echo: Echo, url: str) -> Iterator[list[anthropic.Anthropic]]:
    with ExitStack() as stack:
        made = [anthropic.Anthropic(base_url=to, api_key="sk-1", max_retries=0, timeout=30) for to in (echo.url, url)]
        yield [stack.enter_context(client) for client in made]


@pytest.fixture
def http(url: str) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=url, timeout=30) as made:
        yield made


def file(name: str, data: bytes = DATA) -> io.BytesIO:
    made = io.BytesIO(data)
    made.name = name
    return made


OPENAI_CALLS: dict[str, Callable[[Any], Any]] = {
    "files.create": lambda raw: raw.files.create(file=file("a.jsonl"), purpose="batch"),
    "files.list": lambda raw: raw.files.list(limit=5, after="f 1/ü"),
    "files.content": lambda raw: raw.files.content("f1"),
    "files.delete": lambda raw: raw.files.delete("f1"),
    "uploads.parts": lambda raw: raw.uploads.parts.create("u1", data=DATA),
    "audio.transcriptions": lambda raw: raw.audio.transcriptions.create(file=file("a.wav"), model="m-1"),
    "audio.speech": lambda raw: raw.audio.speech.create(input="Hi", model="m-1", voice="alloy"),
    "images.generate": lambda raw: raw.images.generate(prompt="a fox", model="m-1"),
    "images.edit": lambda raw: raw.images.edit(image=[file("a.png"), file("b.png")], prompt="a fox"),
    "moderations": lambda raw: raw.moderations.create(input="Größe 🦊"),
    "completions": lambda raw: raw.completions.create(model="m-1", prompt="Once"),
    "completions, streamed": lambda raw: raw.completions.create(model="m-1", prompt="Once", stream=True),
    "embeddings": lambda raw: raw.embeddings.create(model="m-1", input=["one", "two"]),
    "models.retrieve": lambda raw: raw.models.retrieve("meta/llama-3:free"),
    "models.delete": lambda raw: raw.models.delete("ft:m-1"),
    "chat.completions.list": lambda raw: raw.chat.completions.list(limit=3),
    "chat.completions.update": lambda raw: raw.chat.completions.update("c1", metadata={"a": "b"}),
    "responses.retrieve": lambda raw: raw.responses.retrieve("r1", include=["reasoning.encrypted_content"]),
    "responses.retrieve, streamed": lambda raw: raw.responses.retrieve("r1", stream=True, starting_after=2),
    "responses.cancel": lambda raw: raw.responses.cancel("r1"),
    "responses.delete": lambda raw: raw.responses.delete("r1"),
    "responses.compact": lambda raw: raw.responses.compact(model="m-1", input="Hi"),
    "responses.input_items": lambda raw: raw.responses.input_items.list("r1"),
    "responses.input_tokens": lambda raw: raw.responses.input_tokens.count(model="m-1", input="Hi"),
    "conversations.create": lambda raw: raw.conversations.create(metadata={"a": "b"}),
    "conversations.update": lambda raw: raw.conversations.update("v1", metadata={}),
    "conversations.delete": lambda raw: raw.conversations.delete("v1"),
    "conversations.items": lambda raw: raw.conversations.items.list("v1", order="asc"),
    "batches.create": lambda raw: raw.batches.create(
        completion_window="24h", endpoint="/v1/responses", input_file_id="f1"
    ),
    "batches.cancel": lambda raw: raw.batches.cancel("b1"),
    "vector_stores.search": lambda raw: raw.vector_stores.search("v1", query="fox"),
    "fine_tuning": lambda raw: raw.fine_tuning.jobs.list(),
}


@pytest.mark.parametrize("name", OPENAI_CALLS)
def test_every_call_of_openais_client_gives_the_same_as_without_the_proxy(both, echo, name):
    answers = []
    for client in both:
        answer = OPENAI_CALLS[name](client.with_raw_response)
        answers.append((answer.status_code, answer.headers["content-type"], answer.http_response.read()))
    direct, proxied = echo.received[-2:]
    assert proxied == direct
    assert answers[1] == answers[0]


ANTHROPIC_CALLS: dict[str, Callable[[Any], Any]] = {
    "count_tokens": lambda raw: raw.messages.count_tokens(model="m-1", messages=[{"role": "user", "content": "Hi"}]),
    "batches.list": lambda raw: raw.messages.batches.list(limit=2),
    "batches.cancel": lambda raw: raw.messages.batches.cancel("b1"),
    "models": lambda raw: raw.models.retrieve("claude"),
    "files": lambda raw: raw.beta.files.upload(file=("a.txt", DATA, "text/plain")),
    "files.download": lambda raw: raw.beta.files.download("f1"),
}


@pytest.mark.parametrize("name", ANTHROPIC_CALLS)
def test_every_call_of_anthropics_client_gives_the_same_as_without_the_proxy(claudes, echo, name):
    answers = []
    for client in claudes:
        answer = ANTHROPIC_CALLS[name](client.with_raw_response)
        answers.append((answer.status_code, answer.headers["content-type"], answer.http_response.read()))
    direct, proxied = echo.received[-2:]
    assert proxied == direct
    assert answers[1] == answers[0]


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"])
def test_methods_queries_and_encoded_names_are_kept(http, echo, method):
    odd = "/v1/files/a%2Fb%20c%252F+:@,=~(d)'?q=a%20b&q=%2F&empty=&plus=a+b"
    headers = {"Authorization": "Bearer sk-1", "Accept-Encoding": "br;q=1.0, *;q=0.1", "If-None-Match": '"e1"'}
    answers = []
    for to in (echo.url, str(http.base_url)):
        with httpx2.Client(headers=headers, timeout=30) as client:
            answers.append(client.request(method, to.rstrip("/") + odd))
    direct, proxied = echo.received[-2:]
    assert proxied == direct
    assert proxied["path"] == odd
    assert answers[1].content == answers[0].content
    assert answers[1].headers.get("content-length") == answers[0].headers.get("content-length")


def test_a_range_and_a_204_and_a_redirect_are_kept(http):
    part = http.get("/v1/files/f1/content", headers={"Range": "bytes=100-1099"})
    assert (part.status_code, part.content) == (206, SOUND[100:1100])
    assert part.headers["content-range"] == f"bytes 100-1099/{len(SOUND)}"
    gone = http.delete("/v1/empty/f1")
    assert (gone.status_code, gone.content, gone.headers["x-made-by"]) == (204, b"", "echo")
    moved = http.get("/v1/moved")
    assert (moved.status_code, moved.headers["location"]) == (307, "https://elsewhere.example/x")


OCTETS = {"Content-Type": "application/octet-stream"}


def pieces(size: int) -> Iterator[bytes]:
    return (DATA[at : at + 9_000] for at in range(0, size, 9_000))


def test_a_chunked_body_is_kept(http, echo):
    http.post("/v1/files", content=pieces(180_000), headers=OCTETS)
    assert echo.received[-1]["headers"]["transfer-encoding"] == "chunked"
    assert (echo.received[-1]["length"], echo.received[-1]["hash"]) == (180_000, sha256(DATA[:180_000]).hexdigest())


def send_begin_of_upload(client: socket.socket) -> None:
    head = "POST /v1/files HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/octet-stream\r\n"
    client.sendall(f"{head}Content-Length: 70000\r\n\r\n".encode() + DATA[:50_000])


def test_an_upload_is_sent_on_while_it_arrives(url, echo):
    echo.begun.clear()
    with socket.create_connection(("127.0.0.1", httpx2.URL(url).port)) as client:
        send_begin_of_upload(client)
        assert echo.begun.wait(30)
        client.sendall(DATA[50_000:70_000])
        assert client.recv(100).startswith(b"HTTP/1.1 200")
    assert echo.received[-1]["length"] == 70_000


def test_a_client_that_disconnects_in_an_upload_ends_the_upstream_request(url, echo):
    echo.begun.clear()
    echo.cut.clear()
    with socket.create_connection(("127.0.0.1", httpx2.URL(url).port)) as client:
        send_begin_of_upload(client)
        assert echo.begun.wait(30)
    assert echo.cut.wait(30)


def test_uploads_may_be_larger_than_other_bodies_up_to_a_limit(echo, memory):
    options = AppOptions(upstream=UpstreamOptions(echo.url), largest=20_000, imports=100_000)
    with client_of(make_app(memory, options)) as http:
        assert http.post("/v1/files", content=DATA[:90_000], headers=OCTETS).status_code == 200
        blob = f"/api/blobs/sha256:{sha256(DATA[:90_000]).hexdigest()}"  # as Ollama's client sends it
        assert http.post(blob, content=DATA[:90_000], headers={"Content-Type": "application/json"}).status_code == 200
        for body in (DATA[:110_000], pieces(110_000)):
            refused = http.post("/v1/files", content=body, headers=OCTETS)
            assert (refused.status_code, refused.json()["error"]["type"]) == (413, "too_large")
        for path in ("/v1/chat/completions", "/v1/responses", "/api/chat"):  # bodies that memory reads
            assert http.post(path, content=DATA[:30_000], headers=OCTETS).status_code == 413


@pytest.mark.parametrize(
    "path",
    [
        "/v1/models/../files", "/v1/models/%2e%2e/files", "/v1/models/..%2Ffiles", "/v1/x/%252e%252e/%252E./files",
        "/v1/x/..;a=b/files", "/v1/x/..%5Cfiles", "/v1/x\\..\\files", "/v1//files", "/v1/x//y", "/v1/./files", "/v1/",
        "/v1/a%0D%0Ab", "/v1/a%00", "/v1/../api/memory/spaces", "/v1/%2e%2e/api/health", "/ollama/../api/memory/spaces",
        "/ollama/metrics", "/ollama/api/../../metrics", "/v1/..", "/v1/a/%20../b",
    ],
)  # fmt: skip
def test_no_path_leads_out_of_the_proxys_part_of_the_upstream(url, echo, path):
    before = len(echo.received)
    with socket.create_connection(("127.0.0.1", httpx2.URL(url).port)) as client:
        client.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        with client.makefile("rb") as answer:
            said = answer.read()
    assert said.startswith(b"HTTP/1.1 404"), said
    assert b"no_such_path" in said
    assert len(echo.received) == before


@pytest.mark.parametrize("path", ["health", "ready", "version", "memory/spaces", "memory/nowhere", "nowhere", ""])
def test_the_servers_own_paths_are_never_forwarded(http, echo, path):
    before = len(echo.received)
    assert http.get(f"/api/{path}").status_code == (404 if "nowhere" in path or not path else 200)
    http.post(f"/api/{path}", json={})
    http.get(f"/{path}")
    assert len(echo.received) == before


def test_realtime_is_refused_with_what_to_do_instead(both, url, echo):
    before = len(echo.received)
    with pytest.raises(openai.NotFoundError, match="no Realtime API; use /v1/responses") as refused:
        both[1].realtime.client_secrets.create()
    assert refused.value.type == "no_realtime"
    for path in ("realtime", "realtime/sessions", "re%61ltime/calls"):
        assert httpx2.post(f"{url}/v1/{path}", json={}).json()["code"] == "no_realtime"
    upgrade = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "a"}
    for path in ("/v1/realtime?model=m-1", "/v1/responses"):
        with closing(HTTPConnection("127.0.0.1", httpx2.URL(url).port, timeout=30)) as client:
            client.request("GET", path, headers=upgrade)
            answer = client.getresponse()
            assert (answer.status, json.load(answer)["code"]) == (426, "no_websocket")
    assert len(echo.received) == before


READ = ["GET /v1/models", "GET /v1/models/m-1", "POST /v1/embeddings", "GET /api/tags", "POST /api/show"]
WRITE = [
    "POST /v1/completions", "POST /v1/moderations", "POST /v1/audio/speech", "POST /v1/images/edits",
    "GET /v1/responses/r1", "POST /v1/responses/compact", "DELETE /v1/conversations/v1", "POST /v1/conversations",
]  # fmt: skip
SHARED = [
    "GET /v1/files", "POST /v1/files", "DELETE /v1/models/ft", "GET /v1/chat/completions", "POST /v1/batches",
    "GET /v1/organization/projects", "GET /v1/responses", "GET /v1/conversations", "POST /v1/messages/batches",
    "POST /api/pull", "DELETE /api/delete", "POST /ollama/api/copy", "GET /v1/models%2F..a", "POST /v1/unknown",
]  # fmt: skip


def test_a_key_needs_the_access_that_a_path_deserves(echo):
    with Memory(worker=False, environment={}) as memory:
        keys = {
            "read": memory.create_key("a", access="read").secret,
            "write": memory.create_key("b", spaces=["ada"]).secret,
            "shared": memory.create_key("c").secret,
        }
        with client_of(make_app(memory, AppOptions(upstream=UpstreamOptions(echo.url, key="sk-up")))) as http:
            for allowed, calls in (("read", READ), ("write", WRITE), ("shared", SHARED)):
                for call in calls:
                    method, path = call.split()
                    levels = list(keys)
                    for level, secret in keys.items():
                        before = len(echo.received)
                        headers = {"Authorization": f"Bearer {secret}"}
                        status = http.request(method, path, headers=headers).status_code
                        fits = levels.index(level) >= levels.index(allowed)
                        assert (status, len(echo.received) - before) == ((200, 1) if fits else (403, 0)), (call, level)
                    assert http.request(method, path).status_code == 401
                    assert echo.received[-1]["headers"]["authorization"] == "Bearer sk-up"


def test_requests_are_counted_as_all_others(echo, memory):
    options = AppOptions(upstream=UpstreamOptions(echo.url), rate="2/day")
    with client_of(make_app(memory, options)) as http:
        assert [http.get("/v1/files").status_code for _ in range(3)] == [200, 200, 429]


def test_clients_that_only_look_whether_a_server_runs_get_an_answer(http, url):
    answer = http.head("/")
    assert (answer.status_code, answer.content) == (200, b"")
    assert http.get("/").headers["content-type"].startswith("text/html")


def test_metrics_have_one_series_for_all_forwarded_paths(http):
    http.get("/v1/files/a-name")
    http.get("/api/tags")
    lines = http.get("/metrics").text
    assert 'route="/v1/{path}"' in lines
    assert 'route="/api/tags"' in lines
    assert "a-name" not in lines
