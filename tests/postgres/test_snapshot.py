"""Tests that an unreadable table affects only its own section of a context."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import psycopg
import pytest

from aforesaid import Memory


@pytest.fixture
def without_pins(address: str) -> Iterator[Callable[[], None]]:
    def away() -> None:
        run("ALTER TABLE pins RENAME TO pins_away")

    def run(statement: str) -> None:
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute(statement.encode())

    yield away
    run("ALTER TABLE pins_away RENAME TO pins")


def test_an_unreadable_table_removes_only_its_section_from_a_context(
    address: str, without_pins: Callable[[], None], open_memory: Callable[..., Memory]
):
    memory = open_memory(address)
    space = memory.space("alice")
    space.grant_consent()
    space.set_profile({"city": "Lisbon"})
    chat = space.conversation("c")
    chat.add_many([{"role": "user", "content": f"we met at the harbour on day {n}"} for n in range(4)])
    without_pins()
    made = chat.context("where did we meet?")
    assert made.degraded == ("pins",)
    assert len(made.history) + len(made.recalled) == 4
    assert [field.value for field in made.profile] == ["Lisbon"]
