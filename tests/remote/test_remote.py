"""Tests `Memory("http://…")`: the same API as on a store of this process, over real HTTP, with faults in between."""

from __future__ import annotations

import asyncio
import inspect
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx2
import pytest
from tests.chat import Busy, ChatServer, Said, Streamed
from tests.on_a_server import EXCLUDED
from tests.serving import serving

from aforesaid import AsyncMemory, Conversation, Items, Memory, Space
from aforesaid.errors import (
    AccessDenied,
    BudgetExceeded,
    ClosedError,
    ConflictError,
    InvalidInput,
    NoModel,
    NotFound,
    ServerUnavailable,
    StateError,
)
from aforesaid.remote.rows import ROWS
from aforesaid.remote.verb import LOCAL_ONLY, Verb, VerbRow
from aforesaid.server.app import AppOptions, make_app
from aforesaid.server.reference.openapi import resolve_parts
from aforesaid.verbs import VERBS

pytestmark = pytest.mark.req("X28")

NOUNS = {"Memory": Memory, "Space": Space, "Conversation": Conversation, "Items": Items}
ELSEWHERE = {  # parameters that only a store of this process can use
    "Memory.backup": {"path", "force"},
    "Memory.doctor": {"repair", "backup"},
    "Space.export": {"folder"},
    "Space.import_chats": {"path"},
    "Space.feedback": {"hit"},
    "Memory.import_space": {"folder"},
    "Conversation.chain": {"id"},  # names another operation
}


@pytest.fixture
def store(open_memory, clock):
    return open_memory(clock=clock)


@pytest.fixture
def url(store) -> Iterator[str]:
    with serving(make_app(store)) as address:
        yield address


@pytest.fixture
def far(url, clock) -> Iterator[Memory]:
    with Memory(url, clock=clock, environment={}) as memory:
        yield memory


class Proxy:
    """A TCP proxy that, while `dropping`, passes a request on and cuts the connection before the answer gets back."""

    def __init__(self, url: str) -> None:
        host, port = url.removeprefix("http://").split(":")
        self.target = host, int(port)
        self.dropping = 0
        self.dropped = 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._connect, args=(near,), daemon=True).start()

    def _connect(self, near: socket.socket) -> None:
        with near, socket.create_connection(self.target) as far:
            back = threading.Thread(target=self._pass_back, args=(far, near), daemon=True)
            back.start()
            with suppress(OSError):
                while data := near.recv(65536):
                    far.sendall(data)
            with suppress(OSError):
                far.shutdown(socket.SHUT_RDWR)
            back.join()

    def _pass_back(self, far: socket.socket, near: socket.socket) -> None:
        with suppress(OSError):
            while data := far.recv(65536):
                if self.dropping:
                    self.dropping -= 1
                    self.dropped += 1
                    break
                near.sendall(data)
        with suppress(OSError):
            near.shutdown(socket.SHUT_RDWR)


@contextmanager
def proxied(url: str) -> Iterator[Proxy]:
    proxy = Proxy(url)
    try:
        yield proxy
    finally:
        proxy.listener.close()


# The same API


@pytest.mark.parametrize("noun", NOUNS)
def test_every_verb_has_the_same_signature_near_and_far(noun, far):
    here = NOUNS[noun]
    space = far.space("a")
    there = {"Memory": far, "Space": space, "Conversation": far.conversation("a"), "Items": space.items()}[noun]
    assert isinstance(there, here)
    assert inspect.signature(Memory) == inspect.signature(AsyncMemory)
    for verb in VERBS[noun]:
        assert verb in vars(type(there)), verb
        signatures = [inspect.signature(getattr(kind, verb)) for kind in (here, type(there))]
        assert signatures[0] == signatures[1], verb


def test_every_parameter_is_a_field_of_the_operation(store):
    api = resolve_parts(make_app(store).openapi())
    missing = []
    for noun, verbs in VERBS.items():
        for name, interfaces in verbs.items():
            full = f"{noun}.{name}"
            row = ROWS.get(full, VerbRow())
            operation = row.operation or next(iter(interfaces.operations), "")
            if not operation or full in ("Memory.on_change", "Memory.watch"):
                continue
            local = vars(NOUNS[noun])[name]
            verb = Verb(full, local, operation.replace(" /api/memory/", " /"), row)
            given = [one for one in inspect.signature(local).parameters if one != "self"]
            given = [one for one in given if one not in ("criteria", "details", "options")] + list(verb.options)
            taken = fields(api, operation)
            left_out = {*LOCAL_ONLY, *ELSEWHERE.get(full, ())}
            missing += [
                f"{full}({one})" for one in given if one not in left_out and row.names.get(one, one) not in taken
            ]
    assert missing == []


def fields(api: dict, operation: str) -> set[str]:
    method, path = operation.split()
    path = path if path.startswith(("/api/", "/metrics")) else f"/api/memory{path}"
    found = api["paths"][path][method.lower()]
    names = {one["name"] for one in found.get("parameters", ())}
    schemas = [part.get("schema", {}) for part in found.get("requestBody", {}).get("content", {}).values()]
    while schemas:
        schema = schemas.pop()
        if "$ref" in schema:
            schemas.append(api["components"]["schemas"][schema["$ref"].rpartition("/")[2]])
        names |= set(schema.get("properties", ()))
        schemas += schema.get("anyOf", [])
    return names


def test_a_verb_that_a_server_does_not_offer_says_what_to_do(far, tmp_path):
    for call in (
        far.work,
        lambda: far.check_key("x"),
        lambda: far.copy_to(far),
        lambda: far.rekey("x", key=None, new_key="y"),
    ):
        with pytest.raises(InvalidInput, match="run it where the store is"):
            call()
    with pytest.raises(InvalidInput, match="where the store is"):
        far.doctor(backup=tmp_path)
    with pytest.raises(InvalidInput, match="behind the server"):
        _ = far.engine


def test_the_excluded_contract_tests_exist():
    folder = Path(__file__).parent.parent / "contract"
    for entry in EXCLUDED:
        file, _, test = entry.partition("::")
        assert f"def {test}(" in (folder / f"test_{file}.py").read_text("utf-8"), entry


# Opening


def test_an_address_without_a_server_says_what_to_do():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        free = listener.getsockname()[1]
    with pytest.raises(ServerUnavailable, match=f"127.0.0.1:{free} cannot be reached.*aforesaid serve"):
        Memory(f"http://127.0.0.1:{free}", environment={})


def test_an_address_that_would_send_text_unencrypted_is_refused():
    with pytest.raises(InvalidInput, match="use https://"):
        Memory("http://memory.example", environment={})
    with pytest.raises(InvalidInput, match="must not contain a password"):
        Memory("https://me:secret@memory.example", environment={})
    with pytest.raises(InvalidInput, match="its own embedder"):
        Memory("https://memory.example", embedder="none", environment={})


def test_a_key_comes_from_the_argument_a_file_or_the_environment(store, url, tmp_path):
    secret = store.create_key("laptop", access="write").secret
    with pytest.raises(AccessDenied, match="give key=… to Memory, or set AFORESAID_KEY"):
        Memory(url, environment={})
    with pytest.raises(AccessDenied, match="unknown or revoked"):
        Memory(url, key="ak_wrong", environment={})
    (tmp_path / "key").write_text(f"{secret}\n")
    for options in ({"key": secret}, {"key": tmp_path / "key"}, {"environment": {"AFORESAID_KEY": secret}}):
        with Memory(url, **{"environment": {}, **options}) as memory:
            memory.conversation("c").add("user", "Hi.", id="m1")
            with pytest.raises(AccessDenied, match="write access"):
                memory.status()
    assert [message.id for message in store.conversation("c").messages()] == ["m1"]


def test_a_redirect_is_not_followed():
    def answer(listener: socket.socket) -> None:
        near, _ = listener.accept()
        near.recv(65536)
        near.sendall(b"HTTP/1.1 307 Away\r\nLocation: https://elsewhere.example/\r\nContent-Length: 0\r\n\r\n")
        near.close()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=answer, args=(listener,), daemon=True).start()
        with pytest.raises(ServerUnavailable, match=r"redirects to 'https://elsewhere.example/'"):
            Memory(f"http://127.0.0.1:{listener.getsockname()[1]}", key="ak_secret", environment={})


# Errors


def test_errors_have_the_same_classes_and_values(far):
    chat = far.conversation("c")
    chat.add("user", "Hello there, this is a message.", id="m1")
    with pytest.raises(ConflictError) as conflict:
        chat.add("user", "Other words.", id="m1")
    assert conflict.value.id == "m1"
    with pytest.raises(NotFound, match="has no message 'm9'"):
        chat.message("m9")
    chat.pause()
    with pytest.raises(StateError) as state:
        chat.pause()
    assert state.value.status == "paused"
    with pytest.raises(BudgetExceeded) as budget:
        chat.context(system="word " * 500, max_tokens=100)
    assert budget.value.budget == 100
    assert budget.value.needed > 100
    with pytest.raises(NoModel):
        chat.reply("Where?")
    with pytest.raises(InvalidInput, match="mapping"):
        chat.add_many(["x"])  # type: ignore[list-item]


def test_a_closed_memory_refuses(far):
    far.close()
    with pytest.raises(ClosedError):
        far.conversation("c").add("user", "Hi.")


# Faults: nothing is stored twice


@pytest.mark.parametrize("cuts", [1, 2])
def test_a_write_whose_answer_is_lost_is_stored_once(store, url, clock, cuts):
    with proxied(url) as proxy, Memory(proxy.url, clock=clock, environment={}) as far:
        chat = far.space("ann").conversation("c")
        calls = (
            lambda: chat.add("user", "I live in Porto."),
            lambda: chat.add_many([{"role": "user", "content": "one"}, {"role": "assistant", "content": "two"}]),
            lambda: far.space("ann").remember("Ann has a boat"),
            lambda: chat.pin("Budget: 900 €"),
            lambda: chat.note_episode("Porto", type="decision_made"),
        )
        for call in calls:
            proxy.dropping = cuts
            call()
            assert proxy.dropping == 0
        assert proxy.dropped == cuts * len(calls)
    space = store.space("ann")
    assert [message.text for message in space.conversation("c").messages()] == ["I live in Porto.", "one", "two"]
    assert [fact.text for fact in space.facts()] == ["Ann has a boat"]
    assert [len(fact.evidence) for fact in space.facts()] == [0]
    assert len(space.conversation("c").pins()) == len(space.conversation("c").episodes()) == 1


def test_another_process_does_not_repeat_a_request(store, url):
    with httpx2.Client(base_url=url) as client:
        headers = {"Idempotency-Key": "k1", "X-Aforesaid-Instance": "another"}
        answer = client.post("/api/memory/facts", json={"text": "Ann has a boat"}, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (409, "in_doubt")
    assert store.space("default").facts() == []


def test_a_repeated_key_gets_the_first_answer_to_any_client(store, url):
    with httpx2.Client(base_url=url, headers={"Idempotency-Key": "k1"}) as client:
        first, again = (client.post("/api/memory/facts", json={"text": "Ann has a boat"}) for _ in range(2))
        assert first.status_code == again.status_code == 201
        assert first.json() == again.json()
        client.headers["Idempotency-Key"] = "k2"
        client.post("/api/memory/facts", json={"text": "Ben has a kite"})
        assert client.post("/api/memory/facts", json={}, headers={"Idempotency-Key": ""}).status_code == 400
    assert len(store.space("default").facts()) == 2


def test_a_revoked_key_gets_no_kept_answer(store):
    owner, key = store.create_key("owner", access="admin"), store.create_key("laptop")
    assert owner.secret
    with serving(make_app(store, AppOptions())) as url, httpx2.Client(base_url=url) as client:
        client.headers.update({"Authorization": f"Bearer {key.secret}", "Idempotency-Key": "k1"})
        assert client.post("/api/memory/facts", json={"text": "Ann has a boat"}).status_code == 201
        store.revoke_key(key.key.id)
        assert client.post("/api/memory/facts", json={"text": "Ann has a boat"}).status_code == 401


def test_a_server_that_stays_away_is_named(store, url, clock):
    with proxied(url) as proxy, Memory(proxy.url, clock=clock, environment={}) as far:
        proxy.dropping = 1000
        with pytest.raises(ServerUnavailable, match=f"{proxy.url} broke off the connection"):
            far.conversation("c").add("user", "Hi.")
        assert far.ready().reason == "the server does not answer"


# Streams


def test_an_answer_is_streamed_and_stored(open_memory, clock):
    with (
        ChatServer(Said("We go to Lisbon.")) as model,
        serving(make_app(open_memory(model=f"{model.url}/v1#tiny", clock=clock))) as url,
        Memory(url, clock=clock, environment={}) as far,
    ):
        chat = far.conversation("trip")
        with chat.reply("Where do we go?") as answer:
            assert answer.question.text == "Where do we go?"
            assert answer.context.to_openai()[-1] == {"role": "user", "content": "Where do we go?"}
            pieces = list(answer)
        assert "".join(pieces) == answer.text == "We go to Lisbon."
        assert answer.message == chat.messages()[-1]
        assert answer.cost is not None
        assert answer.cost.operation == "reply"
        assert answer.context.receipt == far.receipt(answer.context.receipt.id)


@pytest.mark.req("A20")
def test_a_running_answer_is_listed_and_stopped_and_what_was_written_is_kept(open_memory, clock):
    with (
        ChatServer() as model,
        serving(make_app(open_memory(model=f"{model.url}/v1#tiny", clock=clock))) as url,
        Memory(url, clock=clock, environment={}) as far,
    ):
        model.behave(Busy(503, {"Retry-After": "1"}), Streamed(("We go to Lisbon",), "hang"))
        chat = far.conversation("trip")
        answer = chat.reply("Where do we go?", id="q1")
        assert next(answer) == "We go to Lisbon"
        assert answer.retries == 1
        (running,) = chat.running_answers()
        assert (running.question, running.model, running.retries) == ("q1", answer.model, 1)
        with pytest.raises(ConflictError):
            chat.reply("Where do we go?", id="q1")
        assert chat.stop_answer("q1") is True
        assert list(answer) == []
        assert answer.message == chat.messages()[-1]
        assert (answer.message.text, answer.message.metadata["stopped"]) == ("We go to Lisbon", True)
        assert chat.stop_answer("q1") is False


async def ask_and_watch(url: str, clock) -> list[str]:
    async with AsyncMemory(url, clock=clock, environment={}) as far:
        chat = far.conversation("trip")
        text = "".join([piece async for piece in await chat.reply("Where do we go?")])
        seen = far.watch("default")
        first = await anext(seen)
        waiting = asyncio.ensure_future(anext(seen))
        await asyncio.sleep(0)
        await chat.add("user", "Thanks.", id="m1")
        changes = await asyncio.wait_for(waiting, 20)
        await seen.aclose()
        assert changes.cursor > first.cursor
        return [text, *(change.record for change in changes if change.kind == "message")]


def test_the_async_api_streams_and_watches(open_memory, clock):
    with (
        ChatServer(Said("We go to Lisbon.")) as model,
        serving(make_app(open_memory(model=f"{model.url}/v1#tiny", clock=clock))) as url,
    ):
        assert asyncio.run(ask_and_watch(url, clock)) == ["We go to Lisbon.", "m1"]


def test_changes_arrive_until_the_memory_is_closed(store, far):
    seen = far.watch("default")
    cursor = next(seen).cursor
    store.conversation("c").add("user", "Hi.", id="m1")
    changes = next(seen)
    assert changes.cursor > cursor
    assert "m1" in [change.record for change in changes]
    woken = threading.Event()
    with far.on_change(woken.set):
        store.space("other").remember("Ann has a boat")
        assert woken.wait(20)
    threading.Timer(0.2, far.close).start()
    with pytest.raises(ClosedError):
        for _ in seen:
            pass


# Files


def test_spaces_and_backups_travel_as_files(store, far, tmp_path, open_memory):
    far.space("ann").conversation("c").add("user", "I live in Porto.", id="m1")
    folder = far.space("ann").export(tmp_path / "ann")
    assert (folder / "messages.json").exists()
    assert far.import_space(folder, space="bob").conversation("c").message("m1").text == "I live in Porto."
    (tmp_path / "chat.jsonl").write_text('{"role": "user", "content": "Hello."}\n')
    assert far.space("cy").import_chats(tmp_path / "chat.jsonl").messages == 1
    made = far.backup(tmp_path / "copy.db")
    assert made.messages == 3
    with pytest.raises(InvalidInput, match="force=True"):
        far.backup(tmp_path / "copy.db")
    assert (
        open_memory(str(tmp_path / "copy.db")).space("ann").conversation("c").message("m1").text == "I live in Porto."
    )


def test_long_lists_are_read_in_pages(store, far):
    chat = far.conversation("c")
    chat.add_many([{"role": "user", "content": str(number)} for number in range(2_500)])
    assert [message.seq for message in chat.messages(limit=5_000)] == list(range(2_500))
    assert [message.seq for message in chat.messages(limit=1_200, after=99)] == list(range(100, 1_300))
    assert len(chat.messages(limit=2_499, before=2_500)) == 2_499
