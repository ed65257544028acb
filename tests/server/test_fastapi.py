"""Tests a store in a FastAPI application of one's own, served by uvicorn on the loopback interface."""

import os
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import httpx2
import pytest
import uvicorn
from fastapi import Depends, FastAPI, HTTPException, Request
from fastapi.responses import StreamingResponse
from tests.programs import run

from aforesaid import AsyncSpace, ClosedError, Completion, InvalidInput, Memory, NotFound
from aforesaid.integrations.fastapi import AppMemory
from aforesaid.server.serve import listen

API = "/own/memory/api/memory"
pytestmark = pytest.mark.req("X7")


class Scripted:
    name, local = "scripted", True

    def complete(self, prompt) -> Completion:
        assert prompt
        return Completion("Lisbon, in May.", prompt_tokens=20, completion_tokens=5)


def user_of(request: Request) -> str | None:
    """The application's own authentication."""
    session = request.cookies.get("session")
    if session == "blocked":
        raise HTTPException(403, "you are blocked")
    return {"a": "ana", "b": "bö/b"}.get(session or "")


async def user_of_token(request: Request) -> str | None:
    return {"Bearer jwt-a": "ana", "Bearer jwt-b": "bö/b"}.get(request.headers.get("authorization", ""))


def application(path: Path, space_of=user_of, **options) -> tuple[FastAPI, AppMemory]:
    memory = AppMemory(str(path / "app.db"), space_of=space_of, model=Scripted(), environment={}, **options)
    app = FastAPI(lifespan=memory.lifespan)
    app.mount("/own/memory", memory.api)
    Space = Annotated[AsyncSpace, Depends(memory.space)]  # noqa: N806

    @app.post("/notes")
    async def note(space: Space, text: str) -> str:
        return (await space.conversation("notes").add("user", text)).id

    @app.post("/chat")
    async def chat(space: Space, question: str) -> StreamingResponse:
        async def pieces() -> AsyncIterator[str]:
            async for piece in await space.conversation("trip").reply(question):
                yield piece

        return StreamingResponse(pieces(), media_type="text/plain")

    return app, memory


@contextmanager
def served(app: FastAPI) -> Iterator[str]:
    class Server(uvicorn.Server):
        ready = threading.Event()

        async def startup(self, sockets=None) -> None:
            await super().startup(sockets)
            self.ready.set()

        @contextmanager
        def capture_signals(self) -> Iterator[None]:
            yield

    bound = listen("127.0.0.1", 0)
    server = Server(uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=10))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
    thread.start()
    assert server.ready.wait(30)
    try:
        yield f"http://127.0.0.1:{bound.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        bound.close()


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    with served(application(tmp_path)[0]) as address:
        yield address


def client(url: str, session: str, **headers: str) -> httpx2.Client:
    return httpx2.Client(base_url=url, cookies={"session": session}, headers=headers, timeout=30)


def ask(url: str, session: str, method: str, path: str, **options) -> httpx2.Response:
    with client(url, session) as one:
        return one.request(method, path, **options)


def test_the_dependency_is_the_space_of_the_user(url: str, tmp_path: Path):
    with client(url, "a") as ana, client(url, "b") as bob, client(url, "none") as nobody:
        assert ana.post("/notes", params={"text": "We settled on Lisbon."}).status_code == 200
        assert bob.post("/notes", params={"text": "I like swans."}).status_code == 200
        assert nobody.post("/notes", params={"text": "x"}).status_code == 401
        assert ask(url, "blocked", "POST", "/notes", params={"text": "x"}).json() == {"detail": "you are blocked"}
        answer = ana.post("/chat", params={"question": "Where do we go?"})
        assert answer.text == "Lisbon, in May."
        with Memory(tmp_path / "app.db", worker=False, environment={}) as mem:
            assert [one.text for one in mem.space("ana").conversation("trip")] == ["Where do we go?", "Lisbon, in May."]
            assert [one.text for one in mem.space("bö/b").conversation("notes")] == ["I like swans."]


def test_the_rest_api_is_mounted_with_the_authentication_of_the_application(url: str):
    with client(url, "a") as ana, client(url, "b") as bob:
        made = ana.post(
            f"{API}/conversations/a%2Fb/messages",
            json={"role": "user", "content": "We settled on Lisbon."},
        )
        assert made.status_code == 201
        assert ana.get(made.headers["Location"]).json()["content"] == "We settled on Lisbon."
        found = ana.post(f"{API}/recall", json={"query": "Lisbon"}).json()["items"]
        assert [hit["message"]["space"] for hit in found] == ["ana"]
        assert bob.post(f"{API}/recall", json={"query": "Lisbon"}).json()["items"] == []
        assert bob.get(f"{API}/conversations", params={"space": "ana"}).status_code == 403
        assert bob.get(f"{API}/conversations", headers={"X-Aforesaid-Space": "ana"}).json()["items"] == []
        forged = bob.get(f"{API}/conversations", headers={"Authorization": "Bearer ana"})
        assert forged.json()["items"] == []
        nobody = ask(url, "none", "GET", f"{API}/conversations")
        assert (nobody.status_code, nobody.json()) == (401, {"detail": "sign in first"})
        assert ana.post(f"{API}/keys", json={"name": "mine"}).status_code == 403
        assert ana.get("/own/memory/metrics").status_code == 404
        assert ana.get("/own/memory/").status_code == 404
        assert ana.get(f"{API}/conversations/none").json()["code"] == "not_found"


def test_a_repeated_request_gets_only_the_answer_of_its_own_user(url: str):
    path, headers = f"{API}/conversations/c/messages", {"Idempotency-Key": "k1"}
    with client(url, "a", **headers) as ana, client(url, "b", **headers) as bob:
        first, again, other = (
            one.post(path, json={"role": "user", "content": "secret of the sender"}) for one in (ana, ana, bob)
        )
        ids = [answer.json()["items"][0]["id"] for answer in (first, again, other)]
        assert ids[0] == ids[1] != ids[2]


def test_pages_of_other_origins_are_refused(url: str):
    path = f"{API}/conversations/c/messages"
    with client(url, "a") as ana:
        body = {"role": "user", "content": "x"}
        assert ana.post(path, json=body, headers={"Origin": "https://evil.example"}).status_code == 403
        assert ana.post(path, content=b"{}", headers={"Content-Type": "text/plain"}).status_code == 415
        assert ana.post(path, json=body, headers={"Origin": url}).status_code == 201


def test_the_client_of_a_remote_store_uses_the_mounted_api(tmp_path: Path):
    app, _ = application(tmp_path, user_of_token)
    with served(app) as url, Memory(f"{url}/own/memory", key="jwt-b", environment={}) as mem:
        bob = mem.space("bö/b")
        bob.conversation("c").add("user", "I like swans.")
        bob.items("notes").put("a/b", {"n": 1})
        assert bob.recall("swans")[0].text == "I like swans."
        assert bob.items("notes").get("a/b").value == {"n": 1}
        assert "".join(bob.conversation("c").reply("And herons?")) == "Lisbon, in May."
        with pytest.raises(NotFound):
            bob.conversation("c").message("none")
        assert "message" in [change.kind for change in bob.changes(0)]


def test_without_fastapi_it_says_what_to_install():
    missing = "import sys; sys.modules['fastapi'] = None; import aforesaid.integrations.fastapi"
    done = run("-c", missing, environment=clean_environment())
    assert done.stderr.decode().strip().endswith('ImportError: FastAPI is missing; pip install "aforesaid[server]"')


def clean_environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("AFORESAID")}


def test_the_memory_is_open_while_the_application_runs(tmp_path: Path):
    app, memory = application(tmp_path)
    for _ in range(2):
        with served(app) as url:
            assert ask(url, "a", "POST", "/notes", params={"text": "x"}).status_code == 200
            assert ask(url, "a", "GET", f"{API}/conversations").json()["items"][0]["id"] == "notes"
            assert memory.memory.ready().ready
        with pytest.raises(ClosedError, match="pass `lifespan` to FastAPI"):
            _ = memory.memory
    with pytest.raises(InvalidInput, match="access must be one of"):
        AppMemory("app.db", space_of=user_of, access="all")  # type: ignore[arg-type]
