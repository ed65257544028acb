"""Tests processes that fork while a Memory is open."""

from __future__ import annotations

import pytest

from aforesaid import Memory


def test_a_memory_opened_before_a_fork_is_refused_in_the_child_and_works_in_the_parent(path, start, healthy):
    assert start("forker.py", path, "use").finish() == ["refused", "1"]
    with Memory(path) as mem:
        assert [message.text for message in mem.conversation("c").messages()] == [
            "by the parent",
            "by the parent again",
        ]
        mem.flush()
        healthy(mem)


@pytest.mark.req("B18")
def test_a_child_does_not_write_the_buffered_records_of_its_parent(path, start):
    assert start("forker.py", path, "noted").finish() == ["refused"]
    with Memory(path) as mem:
        assert len(mem.retrievals()) == 1
        (message,) = mem.conversation("c").messages()
        assert mem.conversation("c").accesses(message.id).count == 1


def test_a_child_forked_while_threads_write_does_not_hang(path, start, healthy, intact):
    child = start("forker.py", path, "busy")
    for n in range(8):
        assert child.line() == "refused", f"forked child number {n} hangs"
    child.finish()
    with Memory(path) as mem:
        messages = mem.conversation("c").messages(100_000)
        assert [message.seq for message in messages] == list(range(len(messages)))
        mem.flush(60)
        healthy(mem)
    intact()


@pytest.mark.req("A21")
def test_a_child_that_reopens_the_file_loses_nothing_when_the_parent_closes(path, start, healthy, intact):
    child = start("forker.py", path, "anew")
    assert child.line() == "1"
    child.say("close")
    assert child.finish() == ["2", "3", "4", "5", "6"]
    with Memory(path) as mem:
        texts = [message.text for message in mem.conversation("c").messages()]
        assert texts == ["by the parent", "by the child", *(f"after the parent {n}" for n in range(5))]
        mem.flush()
        healthy(mem)
    intact()
