"""Tests the storage of summaries: records, lists, constraints, and one rolling summary in progress."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from threading import Thread

import apsw
import pytest

from aforesaid import ConflictError, InvalidInput, Memory, NotFound, Summary

AT = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)


def summary(id: str, last_seq: int = 9, **rest) -> Summary:
    base = Summary(
        id, "alice", "trip", "segment", 0, last_seq, last_seq + 1, "They chose Lisbon.", ("travel", "ü"), 0.7, None,
        "completed", "model", "ollama:qwen3", 5, 12.5, None, AT,
    )  # fmt: skip
    return replace(base, **rest)


@pytest.fixture
def trip(memory: Memory):
    chat = memory.space("alice").conversation("trip")
    chat.start()
    return chat


@pytest.mark.req("C2")
def test_a_summary_is_stored_with_all_its_fields(memory: Memory, trip):
    store = memory.engine.store.summaries
    one = store.save(summary("s1"))
    two = store.save(
        summary("s2", kind="rolling", base_id="s1", status="failed", text="", error="no answer", method=None,
                model=None, milliseconds=None, topics=())
    )  # fmt: skip
    assert store.get("alice", "trip", "s1") == one
    assert store.get("alice", "trip", "s2") == two
    assert store.get("alice", "trip", "s3") is None
    assert store.get("alice", "other", "s1") is None


@pytest.mark.req("A3")
def test_the_last_completed_summaries_are_listed_in_conversation_order(memory: Memory, trip):
    for id, last in (("b", 19), ("d", 39), ("a", 9), ("c", 29)):
        memory.engine.store.summaries.save(summary(id, last))
    memory.engine.store.summaries.save(summary("failed", 49, status="failed"))
    memory.engine.store.summaries.save(summary("rolling", 44, kind="rolling"))
    assert [one.id for one in trip.summaries(limit=3)] == ["c", "d", "rolling"]
    assert [one.id for one in trip.summaries("segment", limit=3)] == ["b", "c", "d"]
    assert [one.id for one in trip.summaries(status="failed")] == ["failed"]
    assert [one.id for one in trip.summaries(status=None)] == ["a", "b", "c", "d", "rolling", "failed"]
    assert memory.space("alice").conversation("unknown").summaries() == []
    with pytest.raises(InvalidInput, match="a summary's kind"):
        trip.summaries("sideways")
    with pytest.raises(InvalidInput, match="a summary's status"):
        trip.summaries(status="lost")


def test_the_latest_summary_is_the_completed_one_with_the_highest_last_seq(memory: Memory, trip):
    store = memory.engine.store.summaries
    assert store.latest("alice", "trip", "rolling") is None
    store.save(summary("old", 9, kind="rolling"))
    store.save(summary("new", 19, kind="rolling", base_id="old"))
    store.save(summary("segment", 29))
    store.save(summary("processing", 39, kind="rolling", base_id="new", status="processing", text=""))
    latest = store.latest("alice", "trip", "rolling")
    assert latest is not None
    assert latest.id == "new"


@pytest.mark.req("C3")
def test_a_conversation_has_one_rolling_summary_in_progress(memory: Memory, trip):
    store = memory.engine.store.summaries
    memory.space("alice").conversation("other").start()
    making = store.save(summary("r1", kind="rolling", status="processing", text=""))
    with pytest.raises(ConflictError, match="in progress") as refused:
        store.save(summary("r2", kind="rolling", status="processing", text=""))
    assert refused.value.id == "r1"
    store.save(making)
    store.save(summary("s1", status="processing", text=""))
    store.save(summary("o1", conversation="other", kind="rolling", status="processing", text=""))
    store.save(replace(making, status="completed", text="They chose Lisbon."))
    assert store.save(summary("r2", kind="rolling", status="processing", text="")).id == "r2"


@pytest.mark.req("C3", "C9")
def test_a_summary_in_progress_is_taken_over_only_without_a_sign_of_life(memory: Memory, trip):
    store = memory.engine.store.summaries
    slow = replace(summary("s1", status="processing", text=""), milliseconds=None)
    store.begin(slow, slow.created_at - timedelta(minutes=5))
    later = slow.created_at + timedelta(minutes=9)
    store.renew(slow, later)
    assert trip.summaries(status="processing") == [replace(slow, milliseconds=540_000)]
    other = replace(slow, id="s2", created_at=later + timedelta(minutes=4))
    with pytest.raises(ConflictError, match="'s1'"):
        store.begin(other, later - timedelta(minutes=1))
    store.begin(other, later)
    store.renew(slow, later)
    assert {one.id: (one.status, one.milliseconds) for one in trip.summaries(status=None)} == {
        "s1": ("failed", 540_000),
        "s2": ("processing", None),
    }
    assert not store.end(replace(slow, status="completed", text="Too late."))
    assert store.end(replace(other, status="completed", text="In time."))


@pytest.mark.req("C3")
def test_the_database_rejects_a_second_rolling_summary_in_progress(open_memory, path):
    memory = open_memory()
    memory.space("alice").conversation("trip").start()
    memory.engine.store.summaries.save(summary("r1", kind="rolling", status="processing", text=""))
    memory.engine.store.summaries.save(summary("r2", kind="rolling", status="failed", text=""))
    raw = apsw.Connection(path)
    with pytest.raises(apsw.ConstraintError):
        raw.execute("UPDATE summaries SET status = 'processing' WHERE id = 'r2'")


@pytest.mark.req("C3")
def test_one_of_several_concurrent_rolling_summaries_starts(open_memory):
    memories = [open_memory() for _ in range(4)]
    memories[0].space("alice").conversation("trip").start()
    won, lost = [], []

    def begin(number: int) -> None:
        try:
            made = summary(f"r{number}", kind="rolling", status="processing", text="")
            won.append(memories[number].engine.store.summaries.save(made).id)
        except ConflictError as exc:
            lost.append(exc.id)

    threads = [Thread(target=begin, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(won) == 1
    assert lost == won * 3


def test_a_summary_belongs_to_one_existing_conversation(memory: Memory, trip):
    store = memory.engine.store.summaries
    with pytest.raises(NotFound, match="gone"):
        store.save(summary("s", conversation="gone"))
    assert memory.space("alice").info().conversations == 1
    memory.space("alice").conversation("other").start()
    store.save(summary("s"))
    with pytest.raises(ConflictError, match="another conversation"):
        store.save(summary("s", conversation="other"))


def test_summaries_are_deleted_alone_and_with_their_conversation(memory: Memory, trip):
    store = memory.engine.store.summaries
    store.save(summary("s1"))
    store.save(summary("s2"))
    assert store.delete("alice", "trip", "s1") is True
    assert store.delete("alice", "trip", "s1") is False
    assert store.delete("alice", "unknown", "s2") is False
    assert [one.id for one in trip.summaries()] == ["s2"]
    trip.delete()
    trip.start()
    assert trip.summaries() == []


@pytest.mark.parametrize(
    "change",
    [{"last_seq": -1}, {"first_seq": 10}, {"message_count": 0}, {"text": ""}, {"importance": 1.5}, {"kind": "odd"}],
)
def test_the_database_rejects_an_invalid_summary(memory: Memory, trip, change):
    with pytest.raises(Exception, match="constraint"):
        memory.engine.store.summaries.save(summary("s", **change))
