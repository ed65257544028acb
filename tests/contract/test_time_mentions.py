"""Tests time mentions: extraction in the background, storage, and deletion with the message."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import apsw
import pytest
from tests.conftest import FakeClock

from aforesaid import Memory, NotFound, TimeSpan

YESTERDAY = TimeSpan(datetime(2026, 2, 28, tzinfo=UTC), datetime(2026, 3, 1, tzinfo=UTC), "yesterday")


@pytest.mark.req("X4")
def test_a_relative_date_is_resolved_against_the_time_of_the_message(memory: Memory, clock: FakeClock):
    chat = memory.conversation("c")
    now = chat.add("user", "I saw a heron yesterday")
    old = chat.add("user", "I saw a stork yesterday", at="2023-05-08T13:56:00+00:00")
    clock.forward(days=100)
    memory.flush()
    assert chat.times(now.id) == (YESTERDAY,)
    (when,) = chat.times(old.id)
    assert (when.start.isoformat(), when.stop.isoformat()) == ("2023-05-07T00:00:00+00:00", "2023-05-08T00:00:00+00:00")


@pytest.mark.req("X4")
def test_days_start_at_the_utc_offset_of_the_message(memory: Memory):
    chat = memory.conversation("c")
    said = chat.add("user", "I saw a heron yesterday", at="2023-05-08T22:30:00-04:00")
    memory.flush()
    assert [when.start.isoformat() for when in chat.times(said.id)] == ["2023-05-07T04:00:00+00:00"]


def test_several_mentions_are_in_text_order(memory: Memory):
    chat = memory.conversation("c")
    said = chat.add("assistant", "Tomorrow we fly; yesterday we packed; last week we paid.")
    memory.flush()
    assert [when.text for when in chat.times(said.id)] == ["Tomorrow", "yesterday", "last week"]


def test_only_messages_that_can_mention_a_time_are_queued(memory: Memory):
    chat = memory.conversation("c")
    plain = chat.add("user", "The heron stands in the harbour")
    chat.add("system", "Today is the first day of the week")
    assert {job.kind for job in memory.jobs()} == {"embed", "distill"}
    chat.add("tool", "Arrived on 2023-05-08", tool_call_id="t")
    assert {job.kind for job in memory.jobs()} == {"embed", "times", "distill"}
    memory.flush()
    assert chat.times(plain.id) == ()


def test_times_of_an_unknown_message_are_an_error(memory: Memory):
    with pytest.raises(NotFound):
        memory.conversation("c").times("nobody")


def test_times_are_extracted_without_an_embedder(open_memory: Callable[..., Memory], clock: FakeClock):
    memory = open_memory(embedder="none", clock=clock)
    chat = memory.conversation("c")
    said = chat.add("user", "I saw a heron yesterday")
    memory.flush()
    assert chat.times(said.id) == (YESTERDAY,)


def test_times_are_stored_permanently(open_memory: Callable[..., Memory], clock: FakeClock):
    memory = open_memory(clock=clock)
    said = memory.conversation("c").add("user", "I saw a heron yesterday")
    memory.close()
    memory = open_memory(clock=clock)
    memory.flush()
    memory.close()
    assert open_memory(clock=clock).conversation("c").times(said.id) == (YESTERDAY,)


def test_a_worker_of_another_process_extracts_times(open_memory: Callable[..., Memory], clock: FakeClock, path: str):
    memory = open_memory(clock=clock)
    chat = memory.conversation("c")
    said = chat.add("user", "I saw a heron yesterday")
    script = "import sys; from aforesaid import Memory\nwith Memory(sys.argv[1], worker=False) as m: m.flush()"
    subprocess.run([sys.executable, "-c", script, path], check=True)
    assert chat.times(said.id) == (YESTERDAY,)


def test_a_late_result_is_discarded(open_memory: Callable[..., Memory], clock: FakeClock, path: str):
    memory, other = open_memory(clock=clock, embedder="none"), open_memory(clock=clock, embedder="none")
    chat = memory.conversation("c")
    said = chat.add("user", "I saw a heron yesterday")
    store = memory.engine.store
    late = store.jobs.claim("slow", ["times"], clock(), clock(), 64)
    clock.forward(minutes=3)
    other.flush()
    assert [spoken.text for spoken in store.mentions.texts(late)] == ["I saw a heron yesterday"]
    store.mentions.put({1: ()}, late, 1.0, clock())
    assert chat.times(said.id) == (YESTERDAY,)


@pytest.mark.req("D13")
def test_mentions_are_deleted_with_their_conversation_and_space(open_memory: Callable[..., Memory], path: str):
    memory = open_memory()
    for space in ("alice", "bob"):
        for name in ("c", "d"):
            memory.space(space).conversation(name).add("user", "I saw a heron yesterday", id=name)
    memory.flush()
    raw = apsw.Connection(path)

    def count() -> int:
        return int(raw.execute("SELECT count(*) FROM mentions").fetchall()[0][0])

    assert count() == 4
    memory.space("alice").conversation("c").delete()
    assert count() == 3
    assert len(memory.space("alice").conversation("d").times("d")) == 1
    memory.space("bob").delete()
    assert count() == 1


def test_an_import_extracts_times_again_with_their_utc_offset(memory: Memory, tmp_path: Path):
    chat = memory.space("s").conversation("c")
    chat.add("user", "I saw a heron yesterday", id="m", at="2023-05-08T22:30:00-04:00")
    memory.flush()
    folder = memory.space("s").export(tmp_path / "out")
    assert "2023-05-08T22:30:00-04:00" in (folder / "messages.json").read_text("utf-8")
    copy = memory.import_space(folder, space="copy").conversation("c")
    assert copy.message("m").created_at == chat.message("m").created_at
    memory.flush()
    assert copy.times("m") == chat.times("m") != ()


@pytest.mark.req("X18")
def test_the_doctor_removes_mentions_without_a_message(open_memory: Callable[..., Memory], path: str):
    memory = open_memory()
    memory.conversation("c").add("user", "I saw a heron yesterday")
    memory.flush()
    apsw.Connection(path).execute("INSERT INTO mentions VALUES (1, 4242, 0, 1, 'yesterday', 0)")
    assert [(f.check, f.count) for f in memory.doctor() if not f.ok] == [("other records", 1), ("orphan mentions", 1)]
    memory.doctor(repair=True)
    assert [f.check for f in memory.doctor() if not f.ok] == []
