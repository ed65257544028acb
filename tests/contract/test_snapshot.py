"""Tests that reads in a snapshot are consistent and do not fill the cache with old data."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from aforesaid import Memory
from aforesaid.storage.store import Store


@pytest.fixture(params=["file", "postgres"])
def place(request: pytest.FixtureRequest, path: str) -> str:
    return str(request.getfixturevalue("address")) if request.param == "postgres" else path


def seen(store: Store) -> tuple[int, int, int]:
    """Returns the number of messages, of notes, and of recent messages."""
    directory = store.directories.get("alice")
    messages = 0 if directory is None else len(directory)
    return messages, len(store.notes.directory("alice")), len(store.messages.recent("alice", "c", 10, 0))


@pytest.mark.req("A16")
def test_data_read_in_a_snapshot_is_not_cached_as_the_newest(place: str, open_memory: Callable[..., Memory]):
    mine, other = open_memory(place), open_memory(place)
    chat = other.space("alice").conversation("c")
    chat.add("user", "the first")
    store = mine.engine.store
    with store.snapshot("alice"):
        assert store.conversations.get("alice", "c") is not None  # starts the snapshot
        chat.add("user", "the second")
        chat.pin("the second matters")
        assert seen(store) == (1, 0, 1)
    assert seen(store) == (2, 1, 2)
