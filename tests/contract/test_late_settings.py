"""Tests that a setting changed in one process applies to the next write of another."""

from __future__ import annotations

import pytest
from tests.conftest import FakeClock

from aforesaid import Memory

SECRET = "my key is sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD"


@pytest.fixture(params=["file", "postgres"])
def two(request: pytest.FixtureRequest, open_memory, clock: FakeClock) -> tuple[Memory, Memory]:
    store = request.getfixturevalue("address") if request.param == "postgres" else None
    return open_memory(store, clock=clock, embedder="none"), open_memory(store, clock=clock, embedder="none")


@pytest.mark.parametrize("known", [True, False], ids=["in a conversation", "in a new one"])
def test_a_secret_is_masked_after_another_process_turns_masking_on(two: tuple[Memory, Memory], known: bool):
    here, there = (memory.space("alice") for memory in two)
    here.conversation("c").add("user", SECRET, id="before")
    there.set("mask_stored", True)
    chat = here.conversation("c" if known else "new")
    assert "[masked" in chat.add("user", SECRET, id="masked").text
    assert "[masked" in chat.add_many({"role": "user", "content": SECRET} for _ in range(2))[1].text
    there.unset("mask_stored")
    assert chat.add("user", SECRET).text == SECRET
    assert ["[masked" in message.text for message in chat.messages()][-4:] == [True, True, True, False]


def test_a_deleted_and_recreated_space_has_no_settings(two: tuple[Memory, Memory]):
    here, there = (memory.space("alice") for memory in two)
    here.set("mask_stored", True)
    here.conversation("c").add("user", SECRET)
    assert there.delete()
    there.conversation("c").add("user", "hello")
    assert here.conversation("c").add("user", SECRET).text == SECRET
