"""Tests that `mask_stored` masks secrets before anything is written."""

import json
from pathlib import Path

import pytest
from tests.chat import ChatServer

from aforesaid import Memory

KEY = "sk-" + "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY"


@pytest.mark.req("X12")
def test_a_secret_is_not_stored_indexed_embedded_or_returned(open_memory, path, clock):
    seen: list[str] = []

    class Watching:
        name = "test:watching"

        def embed(self, texts):
            import numpy as np

            seen.extend(texts)
            return np.ones((len(texts), 8), np.float32)

    memory = open_memory(clock=clock, embedder=Watching())
    space = memory.space("alice")
    space.set("mask_stored", True)
    chat = space.conversation("c")
    call = {"id": "call_1", "type": "function", "function": {"name": "login", "arguments": json.dumps({"key": KEY})}}
    nested = {"id": "call_2", "type": "function", "function": {"name": "x", "arguments": {"password": "quidquid"}}}
    said = chat.add("user", f"use {KEY} for it", metadata={"token": KEY})
    parts = chat.add("user", [{"type": "text", "text": f"or {KEY}"}, {"type": "file", "file": {"note": KEY}}])
    called = chat.add("assistant", None, tool_calls=[call, nested])
    pin = chat.pin(f"the key is {KEY}")
    edited = chat.edit_pin(pin.id, content=f"still {KEY}")
    memory.flush()
    chat.context(f"what about {KEY}?", system=f"you know {KEY}")
    memory.flush()
    assert said.content == "use [masked: api key] for it"
    assert said.metadata == {"token": "[masked: password]"}
    assert parts.content[1]["file"]["note"] == "[masked: api key]"
    assert called.tool_calls[0]["id"] == "call_1"
    assert json.loads(called.tool_calls[0]["function"]["arguments"])["key"].startswith("[masked:")
    assert called.tool_calls[1]["function"]["arguments"] == {"password": "[masked: password]"}
    assert edited.content == "still [masked: api key]"
    assert chat.message(said.id) == said
    assert any("[masked: api key]" in text for text in seen)
    asked = [text for text in seen if "what about" in text]
    assert not any(KEY in text for text in seen if text not in asked)
    memory.close()
    for file in Path(path).parent.iterdir():
        assert KEY.encode() not in file.read_bytes()
        assert KEY.lower().encode() not in file.read_bytes()
        assert b"quidquid" not in file.read_bytes()


@pytest.mark.req("X12")
def test_without_the_setting_text_is_stored_unchanged(memory: Memory):
    assert memory.conversation("c").add("user", f"use {KEY}").content == f"use {KEY}"


def test_adding_a_masked_message_again_returns_the_stored_message(memory: Memory):
    memory.space("s").set("mask_stored", True)
    chat = memory.space("s").conversation("c")
    first = chat.add("user", "password=hunter2", id="one")
    assert chat.add("user", "password=hunter2", id="one") == first
    assert first.content == "password=[masked: password]"


def test_an_image_data_url_is_not_masked(memory: Memory):
    memory.space("s").set("mask_stored", True)
    image = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{KEY}"}}
    assert memory.space("s").conversation("c").add("user", [image]).content == [image]


@pytest.mark.req("X12")
def test_manual_facts_and_episodes_are_masked(memory: Memory):
    space = memory.space("s")
    space.set("mask_stored", True)
    chat = space.conversation("c")
    chat.add("user", "hello")
    fact = space.remember(f"the key is {KEY}")
    episode = chat.note_episode(f"found {KEY}", type="breakthrough", summary=KEY, outcome=f"{KEY} works")
    assert fact.text == "the key is [masked: api key]"
    assert space.edit_fact(fact.id, f"now {KEY}").text == "now [masked: api key]"
    assert KEY not in f"{episode.title} {episode.summary} {episode.outcome}"


@pytest.mark.req("X12")
@pytest.mark.parametrize("masks", [True, False])
def test_a_secret_is_masked_in_requests_to_a_model_unless_the_space_turns_masking_off(open_memory, masks):
    with ChatServer("They talk about a key.") as server:
        memory = open_memory(model=f"{server.url}/v1#m")
        space = memory.space("s")
        space.set("summaries", "window")
        if not masks:
            space.set("mask_sent", False)
        chat = space.conversation("c")
        chat.add_many({"role": "user", "content": f"attempt {n}: the key {KEY} opens the door"} for n in range(15))
        memory.flush()
    assert server.requests
    assert any(KEY in json.dumps(request.body) for request in server.requests) is not masks
    assert KEY in chat.messages()[0].text  # the stored message is not masked
