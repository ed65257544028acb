"""Tests that threads that write concurrently share a commit, and that each gets its own result or error."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from aforesaid import StoreError
from aforesaid.storage.sqlite.database import SqliteDatabase
from aforesaid.storage.sqlite.session import SqliteSession


@pytest.fixture
def database(path: str) -> Iterator[SqliteDatabase]:
    database = SqliteDatabase(path, synchronous="normal")
    database.write(lambda session: session.raw("CREATE TABLE said (words TEXT)"))
    yield database
    database.close()


def say(words: str) -> Callable[[SqliteSession], None]:
    def work(session: SqliteSession) -> None:
        session.raw("INSERT INTO said VALUES (:words)", {"words": words})

    return work


def said(database: SqliteDatabase) -> list[str]:
    return [words for (words,) in database.write(lambda session: session.raw("SELECT words FROM said ORDER BY words"))]


def together(database: SqliteDatabase, *works: Callable[[SqliteSession], Any]) -> list[object]:
    """Runs each work in its own thread, queued behind a leader that ends when all of them wait."""
    outcomes: list[object] = []
    begun, go_on = threading.Event(), threading.Event()

    def first(session: SqliteSession) -> None:
        begun.set()
        go_on.wait(30)

    def run(work: Callable[[SqliteSession], Any]) -> None:
        try:
            outcomes.append(database.write(work))
        except BaseException as exc:  # noqa: BLE001 (the test checks it)
            outcomes.append(exc)

    leader = threading.Thread(target=database.write, args=(first,))
    leader.start()
    assert begun.wait(30)
    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    deadline = time.monotonic() + 30
    while database.waiting("") < len(works):
        assert time.monotonic() < deadline
    go_on.set()
    for thread in [leader, *threads]:
        thread.join(30)
    return outcomes


def test_concurrent_writes_share_one_commit(database: SqliteDatabase):
    before = database.stamp("")[0]
    assert together(database, *(say(f"number {n}") for n in range(8))) == [None] * 8
    assert database.stamp("")[0] - before == 2  # the first commit, and the shared one
    assert len(said(database)) == 8


def test_a_failed_write_does_not_affect_the_others_in_its_commit(database: SqliteDatabase):
    def fail(session: SqliteSession) -> None:
        say("half")(session)
        raise ValueError("mine alone")

    outcomes = together(database, say("one"), fail, say("two"))
    assert [type(outcome) for outcome in outcomes if outcome is not None] == [ValueError]
    assert said(database) == ["one", "two"]


def test_an_interrupt_in_one_thread_raises_store_errors_in_the_others(database: SqliteDatabase):
    def interrupted(session: SqliteSession) -> None:
        say("half")(session)
        raise KeyboardInterrupt

    outcomes = together(database, say("one"), interrupted)
    assert {type(outcome) for outcome in outcomes} == {KeyboardInterrupt, StoreError}
    assert said(database) == []
    database.write(say("afterwards"))
    assert said(database) == ["afterwards"]
