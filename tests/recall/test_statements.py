"""Tests the number of SQL statements that a recall and a context send to a SQLite file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import pytest

from aforesaid import Memory

QUESTION = "which pier does the ferry to island 12 leave from?"
MESSAGES = [
    {"role": "user" if n % 2 == 0 else "assistant", "content": f"the ferry to island {n} leaves from pier {n % 7}"}
    for n in range(60)
]


@pytest.fixture
def statements() -> Iterator[list[str]]:
    """Collects the statements of all connections that the test opens."""
    sent: list[str] = []

    def trace(_cursor: apsw.Cursor, sql: str, _bindings: object) -> bool:
        sent.append(sql)
        return True

    def watch(connection: apsw.Connection) -> None:
        connection.exec_trace = trace

    apsw.connection_hooks.append(watch)
    yield sent
    apsw.connection_hooks.remove(watch)


@pytest.fixture
def memory(tmp_path: Path, statements: list[str]) -> Iterator[Memory]:
    """A file with a conversation, its vectors, a pin, a fact and a profile."""
    with Memory(str(tmp_path / "store.db"), worker=False, environment={}) as memory:
        space = memory.space("alice")
        chat = space.conversation("c")
        chat.add_many(MESSAGES)
        chat.pin("the pier of the ferry is number seven")
        space.remember("Alice lives on island 3")
        space.grant_consent()
        space.set_profile({"home": "island 3"})
        memory.flush(timeout=60)
        yield memory


def run_warm(statements: list[str], call: Callable[[], object]) -> list[str]:
    """Returns the statements of a call after the caches are filled."""
    for _ in range(3):
        call()
    statements.clear()
    call()
    return list(statements)


@pytest.mark.req("A16")
def test_a_recall_sends_at_most_16_statements(memory: Memory, statements: list[str]):
    space = memory.space("alice")
    sent = run_warm(statements, lambda: space.recall(QUESTION))
    assert len(sent) <= 16
    assert len([sql for sql in sent if "FROM preferences" in sql]) == 1


@pytest.mark.req("A16")
def test_a_context_sends_at_most_24_statements(memory: Memory, statements: list[str]):
    chat = memory.space("alice").conversation("c")
    sent = run_warm(statements, lambda: chat.context(QUESTION))
    assert len(sent) <= 24
    assert len([sql for sql in sent if "FROM preferences" in sql]) == 1


def test_a_read_transaction_looks_up_a_key_once(memory: Memory, statements: list[str]):
    chat = memory.space("alice").conversation("c")
    sent = run_warm(statements, lambda: chat.context(QUESTION))
    lookups: list[str] = []
    for sql in sent:
        if sql.startswith("BEGIN"):
            lookups.clear()
        elif sql.startswith(("SELECT space_key FROM spaces", "SELECT c.space_key, c.conversation_key")):
            assert sql not in lookups
            lookups.append(sql)


def test_a_recall_that_finds_more_facts_sends_no_more_statements(memory: Memory, statements: list[str]):
    space = memory.space("alice")
    few = run_warm(statements, lambda: space.recall("island"))
    for n in range(8):
        space.remember(f"Alice has a friend on island {n}")
    memory.flush(timeout=60)
    assert len(run_warm(statements, lambda: space.recall("island"))) == len(few)
