"""Tests how a Memory closes: explicitly, by garbage collection, and while other threads use it."""

from __future__ import annotations

import gc
import os
import threading
import time
import weakref

import numpy as np
import pytest
from tests.conftest import states

from aforesaid import ClosedError, Memory, NotFound


def open_files(path) -> list[str]:
    held = []
    for fd in os.listdir("/proc/self/fd"):
        try:
            held.append(os.readlink(f"/proc/self/fd/{fd}"))
        except FileNotFoundError:
            continue
    return [name for name in held if name.startswith(str(path))]


@pytest.mark.parametrize("store", ["file", ":memory:"])
def test_every_method_of_a_closed_memory_raises_closed_error(path, tmp_path, store):
    mem = Memory(path if store == "file" else store)
    space, chat = mem.space("default"), mem.conversation("c")
    chat.add("user", "words")
    space.export(tmp_path / "out")
    mem.close()
    verbs = [
        lambda: chat.add("user", "words"),
        lambda: chat.add_many([{"role": "user", "content": "words"}]),
        lambda: chat.message("m"),
        chat.messages,
        chat.recent,
        lambda: chat.chunks("m"),
        lambda: chat.recall("words"),
        lambda: chat.accesses("m"),
        chat.summaries,
        lambda: chat.pin("words"),
        chat.pins,
        lambda: chat.edit_pin("p"),
        lambda: chat.unpin("p"),
        chat.start,
        chat.info,
        chat.pause,
        chat.resume,
        chat.end,
        lambda: chat.rename("title"),
        chat.delete,
        space.conversations,
        space.info,
        lambda: space.recall("words"),
        space.settings,
        lambda: space.set("hybrid", False),
        lambda: space.unset("hybrid"),
        lambda: space.export(tmp_path / "again"),
        space.delete,
        mem.spaces,
        lambda: mem.import_space(tmp_path / "out"),
        mem.flush,
        mem.work,
        mem.jobs,
        mem.retrievals,
        mem.metrics,
        mem.costs,
        mem.allowance,
        mem.status,
        mem.size,
        mem.doctor,
        lambda: mem.conversation("new").add("user", "words"),
    ]
    for verb in verbs:
        with pytest.raises(ClosedError, match="closed"):
            verb()
    mem.close()
    assert not (tmp_path / "again").exists()


def test_a_closed_memory_holds_no_open_file_and_no_thread(path):
    before = threading.active_count()
    mem = Memory(path)
    mem.conversation("c").add("user", "words")
    mem.conversation("c").recall("words")
    mem.close()
    assert open_files(path) == []
    assert threading.active_count() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_conversation_works_after_its_memory_is_out_of_scope(path):
    chat = Memory(path).conversation("c")
    gc.collect()
    assert [chat.add("user", f"number {n}").seq for n in range(20)] == list(range(20))
    gc.collect()
    assert chat.recall("number")[0].message.conversation == "c"
    assert len(chat.recent(20)) == 19


def test_a_space_works_after_its_memory_is_out_of_scope(path):
    space = Memory(path).space("s")
    gc.collect()
    space.conversation("c").add("user", "words")
    gc.collect()
    assert space.info().messages == 1


def test_a_memory_without_references_is_closed(path):
    before = threading.active_count()
    mem = Memory(path)
    chat = mem.conversation("c")
    chat.add("user", "words")
    gone = weakref.ref(mem)
    del mem, chat
    gc.collect()
    assert gone() is None
    assert open_files(path) == []
    assert threading.active_count() == before


def test_queued_jobs_run_after_the_store_is_reopened(path, healthy):
    with Memory(path, worker=False) as mem:
        mem.conversation("c").add_many({"role": "user", "content": f"number {n}"} for n in range(100))
        assert states(mem) == {"queued": 100}
    with Memory(path) as mem:
        mem.flush()
        assert states(mem) == {"done": 100}
        healthy(mem)


@pytest.mark.parametrize("round", range(2))
@pytest.mark.parametrize("store", ["file", ":memory:"])
def test_closing_a_memory_in_use_raises_only_closed_errors_in_other_threads(path, store, round):
    mem = Memory(path if store == "file" else store)
    chat, space = mem.conversation("c"), mem.space("default")
    chat.add_many({"role": "user", "content": f"number {n} is here"} for n in range(200))
    verbs = [
        lambda: chat.add("user", "words"),
        lambda: chat.recent(5),
        lambda: chat.messages(200),
        lambda: chat.recall("number"),
        lambda: space.recall("here", 100),
        mem.status,
    ]
    met: list[BaseException] = []
    under_way = threading.Barrier(len(verbs) + 1)

    def use(verb) -> None:
        try:
            verb()
            under_way.wait(30)
            while True:
                verb()
        except BaseException as exc:  # noqa: BLE001 (asserted below)
            met.append(exc)

    threads = [threading.Thread(target=use, args=(verb,), daemon=True) for verb in verbs]
    for thread in threads:
        thread.start()
    under_way.wait(30)
    for _ in range(3):
        space.recall("here")
    mem.close()
    for thread in threads:
        thread.join(30)
    assert not any(thread.is_alive() for thread in threads)
    assert [exc for exc in met if not isinstance(exc, ClosedError)] == []
    assert len(met) == len(verbs)
    assert open_files(path) == []


def test_a_reader_that_polls_for_changes_does_not_delay_closing(path):
    mem = Memory(path, worker=False)
    mem.conversation("c").add("user", "words")
    database, met = mem.engine.store.database, list[BaseException]()
    reading, closing = threading.Event(), threading.Thread(target=mem.close)

    def read() -> None:
        with database.read():  # holds a connection
            reading.set()
            while True:
                database.stamp("default")

    def use() -> None:
        try:
            read()
        except ClosedError as exc:
            met.append(exc)

    reader = threading.Thread(target=use, daemon=True)
    reader.start()
    assert reading.wait(10)
    closing.start()
    reader.join(10)  # far less than the timeout of `close`
    assert not reader.is_alive()
    assert len(met) == 1
    closing.join()


def test_the_worker_thread_can_drop_the_last_reference(path):
    held: list[Memory] = []

    class Dropping:
        name = "dropping"

        def embed(self, texts):
            held.clear()
            gc.collect()
            return np.ones((len(texts), 4), np.float32)

    held.append(Memory(path, embedder=Dropping()))
    held[0].conversation("c").add("user", "words")
    deadline = time.monotonic() + 30
    while any(thread.name.startswith("aforesaid") for thread in threading.enumerate()):
        assert time.monotonic() < deadline
    with Memory(path, embedder=Dropping()) as mem:
        mem.flush()
        assert [message.text for message in mem.conversation("c").messages()] == ["words"]
        assert mem.status().models[0].embedded == 1


def test_an_error_inside_a_with_block_closes_the_memory(path):
    with pytest.raises(NotFound), Memory(path) as mem:
        mem.conversation("c").info()
    with pytest.raises(ClosedError):
        mem.status()
