"""Tests that no file keeps a byte of forgotten content, with concurrent processes and after kills."""

from __future__ import annotations

import os
import random
import signal
import string
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import apsw
import pytest

from aforesaid import Memory, NotFinished, Space
from aforesaid.storage.sqlite import fts_leaves

SECRET = "My sister Zephyrine moved to Quetzaltenango last Tuesday."
FILLER = ("the", "quick", "brown", "fox", "jumps", "over", "a", "lazy", "dog", "every", "single", "morning")


def later() -> datetime:
    return datetime.now(UTC) + timedelta(minutes=10)


def told(mem: Memory) -> str:
    ann = mem.space("ann")
    secret = ann.conversation("trip").add("user", SECRET).id
    for n in range(50):
        ann.conversation("other").add("user", f"message {n}: {' '.join(FILLER)}")
    mem.flush()
    ann.conversation("trip").context("Where is Zephyrine?")
    mem.flush()
    return secret


def bytes_of(path: Path) -> bytes:
    """Reads the files in another process: closing a file handle releases this process's locks on the file."""
    names = sorted(path.parent.glob(path.name + "*"))
    return subprocess.run(["cat", *names], check=True, capture_output=True).stdout


def index_words(path: Path) -> set[bytes]:
    """Returns every term in the leaves of the full-text indexes, including the terms of deleted rows."""
    connection = apsw.Connection(str(path))
    pages = [row[0] for row in connection.execute("SELECT block FROM chunk_terms_data")]
    connection.close()
    return {term.lstrip(b"0123456789") for page in pages for term in fts_leaves.leaf_terms(page)}


@contextmanager
def long_read(path: Path) -> Iterator[None]:
    """Keeps a read transaction open on the store."""
    connection = apsw.Connection(str(path))
    connection.execute("BEGIN")
    connection.execute("SELECT count(*) FROM messages").fetchall()
    try:
        yield
    finally:
        connection.execute("ROLLBACK")
        connection.close()


def pending(path: Path) -> list[str]:
    connection = apsw.Connection(str(path))
    connection.set_busy_timeout(5000)
    found = [row[0] for row in connection.execute("SELECT pending FROM erasures")]
    connection.close()
    return found


@pytest.mark.req("X3")
def test_an_erasure_waits_for_an_open_reader_and_reports_it(open_memory: Callable[..., Memory], path: Path) -> None:
    """A receipt written in the meantime is kept. `forget` waits five seconds for the reader."""
    mem = open_memory()
    secret = told(mem)
    with long_read(path):
        erasure = mem.space("ann").forget(message=secret)
        assert erasure.pending == ("log",)
        assert mem.space("ann").erasures()[0].pending == ("log",)
        assert b"Quetzaltenango" in bytes_of(path)
        assert not mem.verify_erasure(SECRET).clean
        receipt = mem.space("ann").conversation("c").context("where do I live?").receipt.id
        with pytest.raises(NotFinished, match="another process reads old data"):
            mem.flush(1)
        assert [finding.check for finding in mem.doctor() if not finding.ok] == ["erasures"]
    mem.flush()
    assert mem.space("ann").receipt(receipt).id == receipt
    assert mem.space("ann").erasures()[0].complete
    assert b"uetzaltenango" not in bytes_of(path)
    assert mem.verify_erasure(SECRET).clean


@pytest.mark.req("X3")
def test_another_process_finishes_the_scrub_of_a_killed_process(
    open_memory: Callable[..., Memory], path: Path, start: Callable[..., Any]
) -> None:
    mem = open_memory()
    secret = told(mem)
    mem.close()
    with long_read(path):  # prevents the scrub from finishing
        victim = start("forgetter.py", path, "ann", secret)
        assert victim.line() == "ready"
        victim.say("go")
        while pending(path) == []:
            assert victim.process.poll() is None
            time.sleep(0.005)
        os.kill(victim.process.pid, signal.SIGKILL)
        victim.process.wait()
    assert pending(path) != ["[]"]
    after = open_memory(clock=later)
    after.flush()
    assert after.space("ann").erasures()[0].complete
    assert b"uetzaltenango" not in bytes_of(path)
    assert after.verify_erasure(SECRET).clean
    assert all(finding.ok for finding in after.doctor())


@pytest.mark.req("X3")
def test_forgotten_content_that_another_process_caches_does_not_reappear(
    open_memory: Callable[..., Memory], path: Path
) -> None:
    mine, theirs = open_memory(), open_memory()
    secret = told(mine)
    theirs.space("ann").conversation("trip").context(SECRET)  # its receipt is buffered in memory
    assert theirs.space("ann").conversation("trip").recent(include_newest=True)
    mine.space("ann").forget(message=secret)
    theirs.flush()
    assert not theirs.space("ann").conversation("trip").recent(include_newest=True)
    assert not [hit for hit in theirs.space("ann").recall("Zephyrine") if "Zephyrine" in hit.text]
    assert mine.verify_erasure(SECRET).clean
    assert b"uetzaltenango" not in bytes_of(path)


@pytest.mark.req("X3")
def test_the_next_erasure_scrubs_content_deleted_earlier(open_memory: Callable[..., Memory], path: Path) -> None:
    mem = open_memory()
    told(mem)
    mem.space("ann").conversation("trip").delete()
    other = mem.space("bob").conversation("c").add("user", "something else entirely")
    mem.space("bob").forget(message=other.id)
    assert mem.verify_erasure(SECRET).clean
    assert b"uetzaltenango" not in bytes_of(path)


class Planted:
    """Adds messages with one unique word each, and creates derived data from them."""

    def __init__(self, mem: Memory, seed: int) -> None:
        self.mem = mem
        self.chance = random.Random(seed)
        self.words: dict[str, tuple[Space, str, str]] = {}  # word → space, conversation, message

    def word(self) -> str:
        return "".join(self.chance.choices(string.ascii_lowercase, k=18))

    def text(self, word: str) -> str:
        size = self.chance.choice((3, 20, 200, 2000))
        filler = self.chance.choices(FILLER, k=size)
        name = word.capitalize()
        said = (word, word.upper(), f"«{word}»", f"I live in {name}.", f"We decided to use {name}.", f"on {word}.")
        filler.insert(self.chance.randrange(size), self.chance.choice(said))
        return self.chance.choice(
            (" ".join(filler), f"I live in {name}.", f"Remember that {name} is due on 2026-05-01.")
        )

    def plant(self, count: int) -> None:
        for _ in range(count):
            word = self.word()
            space = self.mem.space(self.chance.choice(("ann", "bob")))
            chat = space.conversation(f"c{self.chance.randrange(4)}")
            content = self.text(word)
            parts = [{"type": "text", "text": content}, {"type": "image_url", "image_url": {"url": "http://x/y"}}]
            given = self.chance.choice((content, parts))
            role = self.chance.choice(("user", "user", "assistant", "system"))
            message = chat.add(role, given, name=self.chance.choice((None, "Jo")), metadata={"tags": ["t"]})
            self.words[word] = space, chat.id, message.id
            if self.chance.random() < 0.2:
                chat.pin(message)
            if self.chance.random() < 0.2:
                chat.context(f"What about {word}?", max_tokens=100_000)
            if self.chance.random() < 0.2:
                space.recall(word)

    def forget(self) -> list[str]:
        gone = self.chance.sample(sorted(self.words), len(self.words) // 4)
        for word in gone:
            space, conversation, id = self.words.pop(word)
            if self.chance.random() < 0.3:
                space.conversation(conversation).edit(id, "Edited: nothing to see.")
            else:
                space.forget(message=id)
        return gone

    def forget_conversation(self) -> list[str]:
        space, conversation, _ = self.chance.choice(list(self.words.values()))
        space.forget(conversation=conversation)
        return self._drop(lambda place: (place[0].id, place[1]) == (space.id, conversation))

    def forget_space(self) -> list[str]:
        self.mem.space("bob").forget(everything=True)
        return self._drop(lambda place: place[0].id == "bob")

    def _drop(self, gone: Callable[[tuple[Space, str, str]], bool]) -> list[str]:
        words = [word for word, place in self.words.items() if gone(place)]
        for word in words:
            del self.words[word]
        return words


def assert_gone(path: Path, words: list[str]) -> None:
    held, terms = bytes_of(path).lower(), index_words(path)
    for word in words:
        assert word.encode() not in held
        assert not [term for term in terms if word[:12].encode() in term]


def assert_rest_answers(planted: Planted) -> None:
    for word, (space, conversation, id) in planted.words.items():
        message = space.conversation(conversation).message(id)
        assert word in message.text.lower()
        if message.role != "system":
            assert id in [hit.id for hit in space.recall(word, 5)]


@pytest.mark.req("X3")
@pytest.mark.parametrize("seed", range(3))
def test_forgotten_words_leave_no_trace(open_memory: Callable[..., Memory], path: Path, seed: int) -> None:
    mem = open_memory()
    planted = Planted(mem, seed)
    planted.plant(60)
    mem.flush()
    for erase in (planted.forget, planted.forget_conversation, planted.forget, planted.forget_space):
        gone = erase()
        assert gone
        assert_gone(path, gone)
        assert all(mem.verify_erasure(word).clean for word in gone)
        mem.flush()
        assert_gone(path, gone)
        planted.plant(5)
        mem.flush()
    assert_rest_answers(planted)
    assert [finding.check for finding in mem.doctor() if not finding.ok] == []


@pytest.mark.req("X3")
def test_forgetting_works_with_concurrent_writers_and_readers(open_memory: Callable[..., Memory], path: Path) -> None:
    mem, other = open_memory(worker=True), open_memory(worker=True)
    planted = Planted(mem, 99)
    planted.plant(40)
    stop = threading.Event()
    written: list[str] = []

    def write() -> None:
        chat = other.space("ann").conversation("busy")
        while not stop.is_set():
            written.append(chat.add("user", f"busy message {len(written)} {' '.join(FILLER)}").id)
            chat.context(max_tokens=4000)
            other.space("bob").recall("fox")

    threads = [threading.Thread(target=write) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        gone = planted.forget()
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    mem.flush()
    other.flush()
    assert [one.pending for name in ("ann", "bob") for one in mem.space(name).erasures() if one.pending] == []
    assert_gone(path, gone)
    assert_rest_answers(planted)
    stored = {message.id for message in mem.space("ann").conversation("busy").messages(100_000)}
    assert stored == set(written)
    assert [finding.check for finding in mem.doctor() if not finding.ok] == []
