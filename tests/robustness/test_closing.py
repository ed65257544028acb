"""The end of a Memory: closed, dropped, or closed while others use it."""

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
def test_every_verb_of_a_closed_memory_says_that_it_is_closed(path, tmp_path, store):
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


def test_a_closed_memory_holds_no_file_and_no_thread(path):
    before = threading.active_count()
    mem = Memory(path)
    mem.conversation("c").add("user", "words")
    mem.conversation("c").recall("words")
    mem.close()
    assert open_files(path) == []
    assert threading.active_count() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_conversation_outlives_the_memory_that_it_came_from(path):
    chat = Memory(path).conversation("c")
    gc.collect()
    assert [chat.add("user", f"number {n}").seq for n in range(20)] == list(range(20))
    gc.collect()
    assert chat.recall("number")[0].message.conversation == "c"
    assert len(chat.recent(20)) == 19


def test_a_space_outlives_the_memory_that_it_came_from(path):
    space = Memory(path).space("s")
    gc.collect()
    space.conversation("c").add("user", "words")
    gc.collect()
    assert space.info().messages == 1


def test_a_memory_that_nobody_holds_any_more_is_closed(path):
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


def test_what_was_queued_when_it_closed_is_done_when_it_opens_again(path, healthy):
    with Memory(path, worker=False) as mem:
        mem.conversation("c").add_many({"role": "user", "content": f"number {n}"} for n in range(100))
        assert states(mem) == {"queued": 100}
    with Memory(path) as mem:
        mem.flush()
        assert states(mem) == {"done": 100}
        healthy(mem)


@pytest.mark.parametrize("round", range(2))
@pytest.mark.parametrize("store", ["file", ":memory:"])
def test_closing_while_threads_use_it_ends_them_with_closed_errors_only(path, store, round):
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
        except BaseException as exc:  # noqa: BLE001 (judged below)
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


def test_who_reads_and_looks_whether_anything_changed_does_not_hold_up_the_end(path):
    mem = Memory(path, worker=False)
    mem.conversation("c").add("user", "words")
    database, met = mem.engine.store.database, list[BaseException]()
    reading, closing = threading.Event(), threading.Thread(target=mem.close)

    def read() -> None:
        with database.read():  # a connection is lent out
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
    reader.join(10)  # far less than the patience of who closes
    assert not reader.is_alive()
    assert len(met) == 1
    closing.join()


def test_the_last_reference_may_go_in_the_workers_own_thread(path):
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


def test_an_error_inside_a_with_block_still_closes(path):
    with pytest.raises(NotFound), Memory(path) as mem:
        mem.conversation("c").info()
    with pytest.raises(ClosedError):
        mem.status()
