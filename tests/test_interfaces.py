"""Tests that Python, HTTP, the command line and MCP give the same results for the same data."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar, Protocol

import httpx2
import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from click.testing import CliRunner
from mcp import Client, StdioServerParameters

from aforesaid import Context, Memory, Message, NewestMessage, Pin, Quote, Summary
from aforesaid.mcp_server.caller import local_caller
from aforesaid.mcp_server.server import make_server
from tests.cli.conftest import command
from tests.programs import run
from tests.serving import served

pytestmark = pytest.mark.timeout(900)  # the shared fixture starts dozens of processes, one after another

SPACE = "ann"
SAID = (
    ("trip", "user", "We settled on Lisbon in May. I live in Berlin.", "m1"),
    ("trip", "assistant", "The sleeper train to Lisbon leaves at nine.", "m2"),
    ("trip", "user", "My sister Zephyrine keeps the tickets in the blue drawer.", "m3"),
    ("trip", "user", "The hotel has a roof with a view of the river.", "m4"),
    ("work", "user", "The release of heron_parser 2.0 is on Friday.", "w1"),
    ("work", "assistant", "I will remind you of the heron_parser release.", "w2"),
)
QUESTIONS = ("Where do we go in May?", "heron_parser", "Zephyrine", "Budget and seats")
QUESTION = "What is still to be done for Lisbon?"
GONE = "Zephyrine"
TOKENS = 2000
Parts = list[tuple[str, list[str]]]


class Door(Protocol):
    """One interface to a memory."""

    def add(self, conversation: str, role: str, text: str, id: str) -> None: ...
    def pin(self, conversation: str, text: str) -> None: ...
    def remember(self, text: str, kind: str) -> None: ...
    def recall(self, query: str) -> list[tuple[str, str]]: ...
    def messages(self, conversation: str) -> str: ...
    def text(self) -> str | None:
        """Returns the context of the trip as one text, or None if the interface returns only parts."""

    def parts(self) -> Parts | None:
        """Returns the same context as parts, or None if the interface returns only text."""

    def facts(self) -> list[str]: ...
    def forget(self, message: str) -> None: ...


class Python:
    def __init__(self, memory: Memory) -> None:
        self._space = memory.space(SPACE)

    def add(self, conversation, role, text, id):
        self._space.conversation(conversation).add(role, text, id=id)

    def pin(self, conversation, text):
        self._space.conversation(conversation).pin(text)

    def remember(self, text, kind):
        self._space.remember(text, kind=kind)

    def recall(self, query):
        return [(hit.kind, hit.text) for hit in self._space.recall(query, 8)]

    def messages(self, conversation):
        return "\n".join(message.text for message in self._space.conversation(conversation).messages())

    def _context(self) -> Context:
        return self._space.conversation("trip").context(QUESTION, max_tokens=TOKENS)

    def text(self):
        return self._context().text

    def parts(self):
        found = [
            (part.name, [words for item in part.items if (words := said(item))]) for part in self._context().sections
        ]
        return [(name, texts) for name, texts in found if texts]

    def facts(self):
        return [fact.text for fact in self._space.facts()]

    def forget(self, message):
        self._space.forget(message=message)


def said(item: object) -> str | None:
    """Returns the text of a context item that comes from the memory, or None for other items."""
    match item:
        case NewestMessage():
            return item.text if item.message else None
        case Message() | Quote() | Summary():
            return item.text
        case Pin():
            return item.content
        case _:
            return None


class Rest:
    def __init__(self, http: httpx2.Client) -> None:
        self._http = http

    def _ask(self, method: str, path: str, **body: Any) -> Any:
        answer = self._http.request(method, path, params={"space": SPACE}, json=body or None)
        assert answer.is_success, answer.text
        return answer.json()

    def add(self, conversation, role, text, id):
        self._ask("POST", f"conversations/{conversation}/messages", role=role, content=text, id=id)

    def pin(self, conversation, text):
        self._ask("POST", "pins", conversation=conversation, content=text)

    def remember(self, text, kind):
        self._ask("POST", "facts", text=text, kind=kind)

    def recall(self, query):
        return [(hit["kind"], hit["text"]) for hit in self._ask("POST", "recall", query=query, limit=8)["items"]]

    def messages(self, conversation):
        return "\n".join(one["content"] for one in self._ask("GET", f"conversations/{conversation}/messages")["items"])

    def text(self):
        call = {"query": QUESTION, "max_tokens": TOKENS, "format": "text"}
        return self._ask("POST", "conversations/trip/context", **call)["payload"]["text"]

    def parts(self):
        made = self._ask("POST", "conversations/trip/context", query=QUESTION, max_tokens=TOKENS)
        found = [
            (part["name"], [words for item in part["items"] if (words := written(item))]) for part in made["sections"]
        ]
        return [(name, texts) for name, texts in found if texts]

    def facts(self):
        return [fact["text"] for fact in self._ask("GET", "facts")["items"]]

    def forget(self, message):
        assert self._ask("POST", "forget", message=message)["erased"]


def written(item: Any) -> str | None:
    """Does the same as `said` for a JSON item."""
    if isinstance(item, str) or ("message" in item and item["message"] is None):
        return None
    return item.get("text") or item["content"]


class Shell:
    """Runs each command in a new process the first time, and in this process afterwards."""

    started: ClassVar[set[str]] = set()

    def __init__(self, store: str) -> None:
        self._store = store

    def _run(self, *words: str) -> str:
        line = [*words, "--space", SPACE, "--store", self._store]
        if words[0] in self.started:
            unset = dict.fromkeys(os.environ.keys() - clean().keys())
            result = CliRunner().invoke(command(), line, env=unset)
            assert result.exit_code == 0, result.stderr
            return result.stdout
        self.started.add(words[0])
        done = run("-m", "aforesaid", *line, environment=clean())
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode()

    def _json(self, *words: str) -> Any:
        return json.loads(self._run(*words, "--json"))

    def add(self, conversation, role, text, id):
        self._run("add", conversation, text, "--role", role, "--id", id)

    def pin(self, conversation, text):
        self._run("pin", conversation, text)

    def remember(self, text, kind):
        self._run("remember", text, "--kind", kind)

    def recall(self, query):
        return [(hit["kind"], hit["text"]) for hit in self._json("recall", query, "--limit", "8")["hits"]]

    def messages(self, conversation):
        return "\n".join(message["content"] for message in self._json("messages", conversation))

    def text(self):
        return self._run("context", "trip", QUESTION, "--max-tokens", str(TOKENS)).removesuffix("\n")

    def parts(self):
        return None

    def facts(self):
        return [fact["text"] for fact in self._json("facts")]

    def forget(self, message):
        self._run("forget", "--message", message, "--yes")


class Mcp:
    def __init__(self, portal: BlockingPortal, client: Client) -> None:
        self._portal, self._client = portal, client

    def _call(self, tool: str, **arguments: Any) -> Any:
        answer = self._portal.call(self._client.call_tool, tool, arguments)
        assert not answer.is_error, answer.content
        return answer.structured_content

    def _read(self, address: str) -> list[str]:
        """Returns the quoted texts of a resource."""
        answer = self._portal.call(self._client.read_resource, address)
        text = "".join(one.text for one in answer.contents)
        return [line.removeprefix("> ") for line in text.splitlines() if line.startswith("> ")]

    def add(self, conversation, role, text, id):
        self._call("add_message", text=text, conversation=conversation, role=role, id=id)

    def pin(self, conversation, text):
        self._call("pin", conversation=conversation, text=text)

    def remember(self, text, kind):
        self._call("remember", text=text, kind=kind)

    def recall(self, query):
        return [(one["kind"], one["text"]) for one in self._call("recall", query=query, limit=8)["passages"]]

    def messages(self, conversation):
        return "\n".join(self._read(f"aforesaid://conversations/{conversation}"))

    def text(self):
        return None

    def parts(self):
        made = self._call("context", conversation="trip", query=QUESTION, max_tokens=TOKENS)
        return [(part["name"], [one["text"] for one in part["passages"]]) for part in made["parts"]]

    def facts(self):
        return self._read("aforesaid://facts")

    def forget(self, message):
        code = self._call("forget", message=message)["confirm"]
        assert self._call("forget", message=message, confirm=code)["erased"]


def clean() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith(("AFORESAID", "RAG_", "OPENAI"))}


@contextmanager
def python(store: str) -> Iterator[Door]:
    with Memory(store, environment={}) as memory:
        yield Python(memory)


@contextmanager
def rest(store: str) -> Iterator[Door]:
    with served(store) as server, httpx2.Client(base_url=f"{server.url}/api/memory/", timeout=60) as http:
        yield Rest(http)


@contextmanager
def shell(store: str) -> Iterator[Door]:
    yield Shell(store)


@contextmanager
def mcp(store: str) -> Iterator[Door]:
    arguments = ["-m", "aforesaid", "mcp", "--store", store, "--space", SPACE]
    client = Client(StdioServerParameters(command=sys.executable, args=arguments, env=clean()))
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(client) as connected:
        yield Mcp(portal, connected)


@contextmanager
def local_mcp(store: str) -> Iterator[Door]:
    """Connects to MCP without a new process."""
    with Memory(store, environment={}) as memory, start_blocking_portal() as portal:
        client = Client(make_server(lambda _: local_caller(memory, SPACE, read_only=False)))
        with portal.wrap_async_context_manager(client) as connected:
            yield Mcp(portal, connected)


DOORS = {"Python": python, "REST": rest, "CLI": shell, "MCP": mcp}
STAMP = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?Z?)?")


def seen(door: Door) -> dict[str, Any]:
    """Returns all data that an interface shows."""
    text = door.text()
    return {
        "recall": {question: door.recall(question) for question in QUESTIONS},
        "text": None if text is None else STAMP.sub("TIME", text),
        "parts": door.parts(),
        "facts": door.facts(),
        "messages": {name: door.messages(name) for name in ("trip", "work")},
    }


def tell(name: str, store: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Returns the data that one interface shows with all messages, and after an erasure."""
    with DOORS[name](store) as door:
        for line in SAID:
            door.add(*line)
        settle(store)  # facts are listed in the order of creation: those from messages first
        door.pin("trip", "Budget is 900 euros.")
        door.remember("Prefers window seats on trains.", "preference")
        settle(store)
        before = seen(door)
        door.forget("m3")
        settle(store)
        return before, seen(door)


def settle(store: str) -> None:
    """Waits for the background jobs of any process."""
    with Memory(store, environment={}) as memory:
        memory.flush(60)


@pytest.fixture(scope="module")
def stories(tmp_path_factory) -> dict[str, tuple[dict[str, Any], dict[str, Any], Path]]:
    folder = tmp_path_factory.mktemp("doors")
    return {name: (*tell(name, str(folder / f"{name}.db")), folder / f"{name}.db") for name in DOORS}


OTHERS = [name for name in DOORS if name != "Python"]


@pytest.mark.parametrize("moment", [0, 1], ids=["told", "forgotten"])
@pytest.mark.parametrize("view", ["recall", "facts", "messages"])
@pytest.mark.parametrize("name", OTHERS)
def test_every_interface_returns_the_same_data(stories, name, view, moment):
    assert stories[name][moment][view] == stories["Python"][moment][view]


@pytest.mark.req("A19")
@pytest.mark.parametrize("moment", [0, 1], ids=["told", "forgotten"])
@pytest.mark.parametrize(("name", "view"), [("REST", "text"), ("CLI", "text"), ("REST", "parts"), ("MCP", "parts")])
def test_every_interface_returns_the_same_context(stories, name, view, moment):
    assert stories[name][moment][view] == stories["Python"][moment][view]


def test_the_test_data_is_complete(stories):
    before, _, _ = stories["Python"]
    assert before["recall"]["Zephyrine"][0] == ("message", SAID[2][2])
    assert before["recall"]["heron_parser"][0][1].count("heron_parser") == 1
    assert "Prefers window seats on trains." in before["facts"]
    assert any("Berlin" in fact for fact in before["facts"])
    assert "Budget is 900 euros." in before["text"]
    assert GONE in before["text"]
    assert {kind for kind, _ in before["recall"]["Budget and seats"]} >= {"pin", "fact"}


@pytest.mark.req("X3")
@pytest.mark.parametrize("name", DOORS)
def test_a_message_forgotten_through_one_interface_leaves_no_trace(stories, name):
    _, after, store = stories[name]
    assert_gone(after)
    with Memory(store, worker=False, environment={}) as memory:
        assert memory.verify_erasure(SAID[2][2]).clean


@pytest.mark.req("X3")
@pytest.mark.parametrize("other", OTHERS)
def test_a_message_forgotten_through_one_interface_is_not_found_by_another(stories, other):
    doors = DOORS | {"MCP": local_mcp}  # `stories` has already tested the process
    with doors[other](str(stories["Python"][2])) as door:
        assert_gone(seen(door))


def assert_gone(found: dict[str, Any]) -> None:
    answers = list(found["recall"].values())  # without the questions, which contain the forgotten word
    assert GONE not in json.dumps([answers, {name: shown for name, shown in found.items() if name != "recall"}])
