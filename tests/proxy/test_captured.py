"""Replays requests that real clients sent (see `captured/README.md`): what of them is stored, and what is recalled."""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise
from typing import Any

import httpx2
import pytest
from tests.proxy.captured_requests import CapturedRequest, captured, captured_clients

from aforesaid import Memory, Space
from aforesaid.proxy.message import ChatMessage
from aforesaid.proxy.pipeline import PreparedRequest, ProxyRequest, RequestPipeline, SkippedRequest
from aforesaid.proxy.request_draft import make_draft
from aforesaid.proxy.targets import WIRES
from aforesaid.proxy.upstream import UpstreamOptions
from aforesaid.replies.reply import ModelReply

pytestmark = pytest.mark.req("X5")

TYPED = ["hi", "My horse is called Zanzibar.", "Run ls 2 times and count the files."]
CLIENTS = ["aider", "claude-code", "codex", "llm", "opencode"]


class Replay:
    """A pipeline that gets captured requests, and the answers that the client got."""

    def __init__(self, memory: Memory) -> None:
        self.space: Space = memory.space("s")
        self.memory = memory
        self.pipeline = RequestPipeline(memory, UpstreamOptions("http://127.0.0.1:1"))
        self.sent: list[dict[str, Any]] = []
        self.skipped: list[str] = []
        self.conversations: list[str] = []
        self.headers: list[str] = []

    def run(self, requests: list[CapturedRequest]) -> None:
        for at, request in enumerate(requests):
            prepared = self.ask(request)
            if prepared is not None:
                self.pipeline.store_reply(prepared, answer_to(request, requests[at + 1 :]))
        self.memory.flush()

    def ask(self, request: CapturedRequest) -> PreparedRequest | None:
        prepared = self.pipeline.prepare(ProxyRequest("s", wire(request), request.raw, request.headers))
        if isinstance(prepared, SkippedRequest):
            self.skipped.append(prepared.reason)
            return None
        self.sent.append(json.loads(prepared.body or request.raw))
        self.headers.append(prepared.added.header())
        self.conversations.append(prepared.plan.conversation)
        return self.pipeline.store(prepared)

    def typed(self) -> list[str]:
        """What the person typed, as it is stored, in any conversation. A branch shares messages: they count once."""
        chats = (self.space.conversation(info.id) for info in self.space.conversations(1000))
        own = (message for chat in chats for message in chat.messages(1000) if message.conversation == chat.id)
        messages = (message for message in own if message.role == "user")
        return [text.strip('"') for message in messages if (text := message.text.strip())]


def wire(request: CapturedRequest) -> str:
    return WIRES[request.path.partition("?")[0]]


def answer_to(request: CapturedRequest, later: list[CapturedRequest]) -> ModelReply:
    """The answer that a later request of the chat repeats; another one if none does."""
    old = said(request)
    for history in (said(each) for each in later if each.path == request.path):
        if len(history) > len(old) and history[: len(old)] == old and history[len(old)].role == "assistant":
            return ModelReply(history[len(old)].text, tuple(map(dict, history[len(old)].calls)), ended=True)
    return ModelReply("An answer that is not sent again.", ended=True)


def said(request: CapturedRequest) -> list[ChatMessage]:
    return [message for message in make_draft(wire(request), request.body, 0).messages if not message.harness_only]


@pytest.fixture
def replay(open_memory, clock) -> Replay:
    return Replay(open_memory(clock=clock))


@pytest.mark.parametrize("client", CLIENTS)
def test_what_was_said_in_one_session_is_recalled_in_the_next(replay, client):
    sessions = captured(client)
    replay.run(sessions["a"])
    first = set(replay.conversations)
    replay.run(sessions["b"])
    assert "Zanzibar" in json.dumps(replay.sent[-1])
    assert replay.headers[-1].startswith("on; context=")
    assert first.isdisjoint(replay.conversations[-1:])


@pytest.mark.parametrize("client", CLIENTS)
def test_only_what_the_person_typed_is_stored_as_text_and_once(replay, client):
    sessions = captured(client)
    replay.run(sessions["a"])
    expected = ["hi", "My horse is called Zanzibar.", "What is in stable.py?"] if client == "aider" else TYPED
    assert sorted(set(replay.typed())) == sorted(expected)
    assert max(Counter(replay.typed()).values()) == 1
    replay.run(sessions["a"])  # the same session again, as after a restart
    assert len(set(replay.typed())) == len(expected)


@pytest.mark.parametrize("client", CLIENTS)
def test_the_prefix_of_a_request_is_as_stable_as_without_the_proxy(replay, client):
    chat = replay.space.conversation("stable")
    chat.add("user", "The horse and the files are in the stable; hi to the horse.")  # so that something is recalled
    replay.memory.flush()
    requests = [request for request in captured(client)["a"] if not is_title(request)]
    replay.run(requests)
    assert any("in the stable" in json.dumps(body) for body in replay.sent)
    direct = [request.body for request in requests]
    assert shared_messages(replay.sent) == shared_messages(direct)


def is_title(request: CapturedRequest) -> bool:
    return "title generator" in json.dumps(request.body)


def shared_messages(bodies: list[dict[str, Any]]) -> list[int]:
    """The number of messages at the beginning of each request that the one before it has too."""
    chats = [[plain(item) for item in body.get("messages") or body["input"]] for body in bodies]
    pairs = pairwise(chats)
    return [
        next((at for at, (old, new) in enumerate(zip(*pair, strict=False)) if old != new), len(pair[0]))
        for pair in pairs
    ]


def plain(item: dict[str, Any]) -> dict[str, Any]:
    """A message without cache markers, and with its text as one part: both forms mean the same to the model."""
    content = item.get("content")
    if isinstance(content, str):
        content = [{"type": "text", "text": content}]
    parts = [{name: value for name, value in part.items() if name != "cache_control"} for part in content or []]
    return {**item, "content": parts}


@pytest.mark.parametrize(
    ("client", "session", "reasons"),
    [
        ("claude-code", "interactive", {"title", "subagent", "summary"}),
        ("codex", "interactive", {"task"}),
        ("codex", "subagent", {"subagent"}),
        ("opencode", "a", {"title"}),
        ("opencode", "interactive", {"summary"}),
        ("opencode", "messages", {"title", "subagent"}),
        ("aider", "edits", {"task"}),
    ],
)
def test_requests_of_the_program_itself_are_not_stored(replay, client, session, reasons):
    replay.run(captured(client)[session])
    assert set(replay.skipped) == reasons
    stored = " ".join(replay.typed())
    for foreign in ("title", "summary", "Count the files of the project", "Diffs:"):
        assert foreign not in stored


def test_a_session_that_was_compacted_continues_without_storing_its_messages_again(replay):
    replay.run(captured("codex")["interactive"])
    assert max(Counter(replay.typed()).values()) == 1
    assert len(set(replay.conversations)) == 1


def test_reminders_in_the_users_message_are_kept_apart(replay):
    sessions = captured("claude-code")
    replay.run(sessions["reminders"])
    replay.run(sessions["reminders-b"])
    assert not [text for text in replay.typed() if "reminder" in text]
    parts = replay.sent[-1]["messages"][-1]["content"]
    typed = next(at for at, part in enumerate(parts) if part["text"] == "What is my horse called?")
    assert parts[typed - 1]["text"].startswith("<recalled>")  # directly before what the person typed
    assert "reminder" in parts[0]["text"]
    assert "Zanzibar" in json.dumps(replay.sent[-1])


# Through the server


def send(client: httpx2.Client, request: CapturedRequest, **headers: str) -> httpx2.Response:
    return client.post(request.path, content=request.raw, headers=request.headers | headers)


@pytest.mark.parametrize("name", captured_clients())
def test_with_memory_off_every_request_arrives_byte_for_byte(url, model, name):
    with httpx2.Client(base_url=url, timeout=30) as client:
        for session in captured(name).values():
            for request in session:
                assert send(client, request, **{"X-Aforesaid-Memory": "off"}).status_code == 200
                assert model.raw[-1] == request.raw


@pytest.mark.parametrize("name", captured_clients())
def test_with_memory_on_only_text_of_the_user_is_added_to(url, model, name):
    with httpx2.Client(base_url=url, timeout=30) as client:
        for session in captured(name).values():
            for request in session:
                assert send(client, request).status_code == 200
                arrived = json.loads(model.raw[-1])
                assert {k: v for k, v in arrived.items() if k not in ("messages", "input")} == {
                    k: v for k, v in request.body.items() if k not in ("messages", "input")
                }
                assert not_of_the_user(arrived) == not_of_the_user(request.body)


def not_of_the_user(body: dict) -> list[dict]:
    return [item for item in body.get("messages") or body["input"] if item.get("role") != "user"]
