"""Tests what a key does where nothing can be encrypted: with the plain apsw, in memory, on a server.

`tests/encrypted` tests encrypted stores.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from aforesaid import InvalidInput, Memory, StoreDamaged, WrongKey

pytestmark = pytest.mark.req("X23")

Open = Callable[..., Memory]


@pytest.mark.parametrize("store", [":memory:", "postgresql://ann:swordfish@localhost/memory"])
def test_a_key_is_for_files(open_memory: Open, store: str) -> None:
    for call in (lambda: open_memory(store, key="a key"), lambda: Memory.rekey(store, key=None, new_key="a key")):
        with pytest.raises(InvalidInput, match="encrypts a file") as caught:
            call()
        assert "swordfish" not in str(caught.value)


def test_the_key_file_of_the_environment_is_for_files_only(open_memory: Open) -> None:
    assert open_memory(":memory:", environment={"AFORESAID_KEY_FILE": "missing"}).status().messages == 0


def test_a_key_needs_another_package(open_memory: Open, path: str) -> None:
    for call in (lambda: open_memory(key="a key"), lambda: Memory.restore(__file__, path, key="a key")):
        with pytest.raises(InvalidInput, match="pip install --force-reinstall --no-deps apsw-sqlite3mc"):
            call()
    assert not Path(path).exists()


def test_a_file_that_looks_encrypted_asks_for_its_key_and_stays_as_it_is(open_memory: Open, path: str) -> None:
    content = os.urandom(8192)
    Path(path).write_bytes(content)
    with pytest.raises(WrongKey, match="AFORESAID_KEY_FILE"):
        open_memory()
    assert Path(path).read_bytes() == content


def test_a_damaged_plain_file_does_not_look_encrypted(open_memory: Open, path: str) -> None:
    with open_memory() as memory:
        memory.conversation("c").add("user", "hello")
    with open(path, "r+b") as file:
        file.write(os.urandom(16))
    with pytest.raises(StoreDamaged):
        open_memory()
