"""With `mask_stored`, a secret is gone before anything is written."""

import json
from pathlib import Path

import pytest

from recollect import Memory

KEY = "sk-" + "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY"


@pytest.mark.req("X12")
def test_nothing_of_a_secret_is_stored_indexed_embedded_or_returned(open_memory, path, clock):
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
def test_without_the_setting_every_word_is_kept(memory: Memory):
    assert memory.conversation("c").add("user", f"use {KEY}").content == f"use {KEY}"


def test_a_masked_message_may_be_repeated(memory: Memory):
    memory.space("s").set("mask_stored", True)
    chat = memory.space("s").conversation("c")
    first = chat.add("user", "password=hunter2", id="one")
    assert chat.add("user", "password=hunter2", id="one") == first
    assert first.content == "password=[masked: password]"


def test_an_image_in_a_url_stays_as_it_is(memory: Memory):
    memory.space("s").set("mask_stored", True)
    image = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{KEY}"}}
    assert memory.space("s").conversation("c").add("user", [image]).content == [image]
