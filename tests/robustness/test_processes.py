"""Tests several processes that share one SQLite file."""

from __future__ import annotations

import pytest

from aforesaid import Memory


def run_crowd(start, *arguments) -> list[str]:
    """Runs processes that start at the same time; returns the lines they print."""
    crowd = start("crowd.py", *arguments)
    assert crowd.line() == "ready"
    crowd.say("go")
    return crowd.finish()


def assert_all_there(mem, ids):
    messages = mem.conversation("c").messages(100_000)
    assert [message.seq for message in messages] == list(range(len(ids)))
    assert sorted(message.id for message in messages) == sorted(ids)
    mem.space("default").set("weight_dense", 0.0)
    for message in messages:
        assert mem.space("default").recall(message.id, 1)[0].message == message


@pytest.mark.slow
@pytest.mark.req("A21", "D6")
def test_four_processes_add_to_one_conversation_without_a_gap(path, start, healthy, intact):
    Memory(path, worker=False).close()
    ids = run_crowd(start, "add", 4, path, 100)
    assert len(ids) == 400
    with Memory(path) as mem:
        assert_all_there(mem, ids)
        mem.flush()
        healthy(mem)
    intact()


@pytest.mark.slow
@pytest.mark.req("A21", "D6")
@pytest.mark.parametrize("round", range(2))
def test_six_processes_create_the_same_store_concurrently(path, start, round, healthy, intact):
    ids = run_crowd(start, "add", 6, path, 10)
    assert len(ids) == 60
    with Memory(path) as mem:
        assert_all_there(mem, ids)
        mem.flush()
        healthy(mem)
    intact()


@pytest.mark.req("A16")
def test_another_process_reads_a_message_as_soon_as_add_returns(path, start):
    with Memory(path) as mem:
        chat = mem.conversation("c")
        reader = start("reader.py", path)
        reader.say("look")
        assert reader.line() == "nothing"
        for n in range(50):
            chat.add("user", f"number {n}")
            reader.say("look")
            assert reader.line() == f"number {n}"
            reader.say("look again")
            assert reader.line() == f"number {n}"


@pytest.mark.req("A16")
def test_another_memory_in_the_same_process_reads_a_message_immediately(path):
    with Memory(path) as one, Memory(path) as two:
        mine, yours = one.conversation("c"), two.conversation("c")
        for n in range(50):
            for adding, reading in ((mine, yours), (yours, mine)):
                stored = adding.add("user", f"number {n}")
                for chat in (reading, adding, reading):
                    assert chat.recent(2, include_newest=True)[-1] == stored
        mine.delete()
        assert yours.recent(2, include_newest=True) == []


@pytest.mark.req("A16", "D3")
def test_another_memory_reads_changed_settings_pins_and_status_immediately(path):
    with Memory(path, worker=False) as one, Memory(path, worker=False) as two:
        mine, yours = one.conversation("c"), two.conversation("c")
        mine.add("user", "words")
        for n in range(10):
            pin = mine.pin(f"pin {n}")
            assert pin in yours.pins()
            changed = one.space("default").set("chunk_tokens", 100 + n)
            assert changed in two.space("default").settings()
            mine.end(f"outcome {n}")
            assert yours.info().outcome == f"outcome {n}"
            yours.resume()
            assert mine.info().status == "active"


@pytest.mark.req("B18")
def test_processes_that_recall_concurrently_record_every_access(path, start, healthy):
    with Memory(path, worker=False) as mem:
        mem.conversation("c").add("user", "The heron stands in the harbour", id="m")
        mem.flush()
    run_crowd(start, "recall", 2, path, 60)
    with Memory(path, worker=False) as mem:
        assert mem.conversation("c").accesses("m").count == 120
        assert len(mem.retrievals(limit=1000)) == 120
        healthy(mem)
