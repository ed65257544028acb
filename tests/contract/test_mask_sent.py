"""Tests that secrets in requests to a language model are masked unless the space turns masking off."""

import json

import pytest
from tests.chat import ChatServer

KEY = "sk-" + "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY"
ANSWER = json.dumps({"summary": "They set up the server.", "topics": ["server"]})


@pytest.mark.req("X12")
@pytest.mark.parametrize(("preference", "sent"), [(None, False), (False, True)])
def test_a_secret_is_not_sent_to_a_model_by_default(open_memory, preference, sent):
    with ChatServer(ANSWER) as server:
        memory = open_memory(model=f"{server.url}/v1#big")
        space = memory.space("alice")
        if preference is not None:
            space.set("mask_sent", preference)
        chat = space.conversation("server")
        chat.add("user", f"Set the server up with the key {KEY}, please.")
        chat.add("assistant", "It is set up.")
        chat.summarize(0, 1)
        memory.flush()
        bodies = str([request.body for request in server.requests])
    assert "Set the server up" in bodies
    assert (KEY in bodies) is sent
    assert KEY in chat.messages()[0].text
