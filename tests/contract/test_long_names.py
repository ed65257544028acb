"""Tests that every store accepts and rejects the same names and ids."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.conftest import sql

from aforesaid import InvalidInput, Memory


def mixed(count: int) -> str:
    """Returns `count` incompressible characters of three bytes each."""
    return "".join(chr(0x4E00 + (n * n * 7919 + n * 104729) % 20000) for n in range(count))


LONGEST, TOO_LONG = mixed(853), mixed(854)
VERBS: list[Callable[[Memory, str], object]] = [
    lambda memory, name: memory.space(name).conversation("c").add("user", "words"),
    lambda memory, name: memory.conversation(name).start(),
    lambda memory, name: memory.conversation("c").add("user", "words", id=name),
    lambda memory, name: memory.space("ann").set_profile({name: "words"}),
    lambda memory, name: memory.space("ann").remember("Ann has a boat", tags=[name]),
    lambda memory, name: memory.space("ann").remember("Ann has a boat", category=name),
    lambda memory, name: memory.allot(name, 1, 60),
]


@pytest.mark.req("B16", "X15")
def test_the_longest_valid_name_is_accepted_and_found(memory: Memory):
    memory.space("ann").grant_consent()
    for verb in VERBS:
        verb(memory, LONGEST)
    chat = memory.space(LONGEST).conversation(LONGEST)
    stored = chat.add("user", "a heron by the lake", id=LONGEST)
    pin = chat.pin(stored)
    chat.context("heron")
    memory.flush()
    assert (chat.messages(), chat.pins()) == ([stored], [pin])
    assert memory.space(LONGEST).receipts(conversation=LONGEST)
    assert memory.space(LONGEST).recall("heron", conversation=LONGEST)[0].message == stored


@pytest.mark.req("B16", "X15")
@pytest.mark.parametrize("verb", VERBS)
def test_a_longer_name_is_rejected_with_its_length(memory: Memory, verb: Callable[[Memory, str], object]):
    memory.space("ann").grant_consent()
    with pytest.raises(InvalidInput, match="has 2562 bytes in UTF-8; a new name has at most 2560"):
        verb(memory, TOO_LONG)
    assert (memory.status().messages, memory.space(TOO_LONG).info()) == (0, None)


def test_records_of_an_existing_file_with_a_longer_name_stay_readable(open_memory: Callable[..., Memory]):
    memory = open_memory()
    first = memory.space("ann").conversation("c").add("user", "a heron by the lake", id="m")
    sql(memory, "UPDATE conversations SET id = :name", {"name": TOO_LONG})
    sql(memory, "UPDATE messages SET id = :name, checksum = NULL", {"name": TOO_LONG})
    chat = memory.space("ann").conversation(TOO_LONG)
    chat.add("user", "another heron")
    assert [message.text for message in chat.messages()] == [first.text, "another heron"]
    assert chat.message(TOO_LONG).text == first.text


def test_a_copy_reports_a_name_that_is_too_long_for_the_target(open_memory: Callable[..., Memory], address: str):
    source, target = open_memory(), open_memory(address)
    source.space("ann").conversation("c").add("user", "a heron by the lake", id="m")
    sql(source, "UPDATE messages SET id = :name, checksum = NULL", {"name": TOO_LONG})
    with pytest.raises(InvalidInput, match=f"space 'ann' does not fit into postgresql:.*{TOO_LONG[:20]}.*2562 bytes"):
        source.copy_to(target)


@pytest.mark.parametrize("name", [".", ".."])
def test_a_name_that_urls_cannot_carry_is_rejected_for_new_records(open_memory: Callable[..., Memory], name: str):
    memory = open_memory()
    for verb in VERBS[:2]:
        with pytest.raises(InvalidInput, match=r"cannot be called '[.]+', .* add a letter"):
            verb(memory, name)
    assert (memory.status().messages, memory.spaces()) == (0, [])
    first = memory.space("ann").conversation("c").add("user", "a heron by the lake")
    sql(memory, "UPDATE conversations SET id = :name", {"name": name})
    sql(memory, "UPDATE spaces SET id = :name", {"name": name})
    memory.close()
    chat = open_memory().space(name).conversation(name)
    assert [one.id for one in chat.messages()] == [first.id]
    assert chat.add("user", "another heron").seq == 1
