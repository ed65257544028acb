"""Tests the retrieval ledger on every store: accesses, metrics, receipts, retention, and failed writes."""

import time
import zlib
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import apsw
import pytest

from aforesaid import RECIPES, Access, InvalidInput, Memory, NotFound, StoreError
from aforesaid.ledger.ledger import MOST_PENDING
from aforesaid.models.retrieval import StoredReceipt
from aforesaid.storage.repositories.ledger import LedgerWriter

DAY = timedelta(days=1)


@pytest.fixture
def said(memory: Memory) -> Memory:
    chat = memory.space("alice").conversation("trip")
    chat.add("user", "We settled on Lisbon in May.", id="lisbon")
    chat.add("assistant", "Porto was too cold.", id="porto")
    memory.space("alice").conversation("other").add("user", "Lisbon has seven hills.", id="hills")
    memory.flush()
    return memory


def receipt(id: str, at: datetime, conversation: str = "trip", space: str = "alice") -> StoredReceipt:
    return StoredReceipt(id, space, conversation, at, '{"items": ["ü"]}')


@pytest.mark.req("B18")
def test_each_recalled_message_is_recorded_as_accessed(said: Memory, clock):
    chat = said.space("alice").conversation("trip")
    assert chat.accesses("lisbon") is None
    hits = said.space("alice").recall("Lisbon", 1, conversation="trip")
    assert [hit.message.id for hit in hits] == ["lisbon"]
    first = clock.now
    assert chat.accesses("lisbon") == Access("lisbon", 1, first)
    clock.forward(hours=1)
    said.space("alice").recall("Lisbon", 1, conversation="trip")
    assert chat.accesses("lisbon") == Access("lisbon", 2, clock.now)
    assert chat.accesses("porto") is None
    with pytest.raises(NotFound):
        chat.accesses("hills")


@pytest.mark.req("D2")
def test_a_retrieval_records_numbers_and_no_text(said: Memory, clock):
    hits = said.space("alice").conversation("trip").recall("Lisbon hills", 2)
    (found,) = said.retrievals()
    assert (found.space, found.conversation, found.kind, found.at) == ("alice", "trip", "recall", clock.now)
    assert (found.hits, found.content) == (2, {"message": 2})
    assert found.sources == {name: sum(name in hit.sources for hit in hits) for name in found.sources}
    assert found.top_scores == tuple(hit.score.total for hit in hits)
    assert set(found.milliseconds) == {"directory", "lexical", "dense", "fuse", "rerank", "read", "notes", "total"}
    assert found.milliseconds["total"] > 0
    assert found.flags == {"hybrid": True, "chunking": True, "token_budget": 1000}
    assert found.degraded == ()
    assert (found.tokens, found.budget, found.prefix_tokens) == (None, None, None)
    assert "Lisbon" not in repr(found)
    assert "hills" not in repr(found)


def test_a_retrieval_records_degraded_stages_and_flags(open_memory):
    memory = open_memory(embedder="none")
    memory.conversation("c").add("user", "We settled on Lisbon.")
    memory.space("default").set("chunking", False)
    memory.space("default").recall("Lisbon")
    (found,) = memory.retrievals()
    assert (found.degraded, found.sources) == (("dense",), {"lexical": 1})
    assert found.flags["chunking"] is False


def test_a_hit_in_a_part_of_a_message_counts_as_a_chunk(memory: Memory):
    memory.conversation("c").add("user", "Storks are white. " * 300 + "\n\nHerons are grey.\n\n" + "Owls hoot. " * 300)
    memory.space("default").recall("herons")
    assert memory.retrievals()[0].content == {"chunk": 1}


def test_a_retrieval_without_hits_is_counted_and_creates_no_space(memory: Memory):
    memory.space("nobody").recall("anything")
    assert memory.retrievals() == []
    assert memory.spaces() == []
    memory.space("alice").conversation("c").start()
    memory.space("alice").recall("anything")
    assert [found.hits for found in memory.retrievals("alice")] == [0]


@pytest.mark.req("D2")
def test_retrievals_are_filtered_by_space_and_time_and_listed_newest_first(said: Memory, clock):
    said.space("bob").conversation("c").add("user", "Lisbon it is")
    times = []
    for space in ("alice", "bob", "alice"):
        clock.forward(hours=1)
        said.space(space).recall("Lisbon")
        times.append(clock.now)
    assert [found.at for found in said.retrievals()] == times[::-1]
    assert [found.at for found in said.retrievals("alice")] == [times[2], times[0]]
    assert [found.at for found in said.retrievals(since=times[1], until=times[2])] == [times[1]]
    assert [found.at for found in said.retrievals("alice", since=times[1].isoformat())] == [times[2]]
    assert [found.at for found in said.retrievals(limit=1)] == [times[2]]
    today, tomorrow = (at.date().isoformat() for at in (clock.now, clock.now + DAY))
    assert said.retrievals(since=today, until=today) == said.retrievals()
    assert said.retrievals(since=tomorrow) == []
    assert said.metrics(since=today).count == 3
    assert said.activity(since=today, until=today)
    assert said.costs(since=today) == []
    assert said.retrievals("nobody") == []
    with pytest.raises(InvalidInput, match="no time zone"):
        said.retrievals(since="2026-03-01T00:00:00")
    with pytest.raises(InvalidInput, match="limit"):
        said.retrievals(limit=0)


@pytest.mark.req("D2")
def test_metrics_are_computed_per_space_and_time_range(said: Memory, clock):
    said.space("alice").recall("Lisbon", 2)
    clock.forward(days=2)
    said.space("alice").recall("Lisbon", 1)
    assert said.metrics().count == said.metrics("alice").count == 2
    assert said.metrics("bob").count == 0
    recent = said.metrics(since=clock.now - DAY)
    assert (recent.count, recent.hit_rate) == (1, 1.0)
    assert recent.milliseconds["total"].p50 == said.retrievals(limit=1)[0].milliseconds["total"]


@pytest.mark.req("D2")
def test_retrievals_and_receipts_are_kept_for_thirty_days_and_accesses_permanently(said: Memory, clock):
    said.space("alice").recall("Lisbon")
    said.engine.ledger.record(receipt("r1", clock.now))
    said.work()
    clock.forward(days=29)
    said.space("alice").recall("Lisbon")
    said.engine.ledger.record(receipt("r2", clock.now))
    said.work()
    assert (len(said.retrievals()), len(said.engine.ledger.receipts("alice", None, 10))) == (2, 2)
    clock.forward(days=2)
    said.work()
    assert len(said.retrievals()) == 1
    assert [one.id for one in said.engine.ledger.receipts("alice", None, 10)] == ["r2"]
    access = said.space("alice").conversation("trip").accesses("lisbon")
    assert access is not None
    assert access.count == 2


def test_a_receipt_can_be_read_immediately(said: Memory, clock):
    book = said.engine.ledger
    for number in range(3):
        book.record(receipt(f"r{number}", clock.now, "trip" if number else "not begun"))
        clock.forward(seconds=1)
    assert book.receipt("r1") == receipt("r1", clock.now - timedelta(seconds=2))
    assert book.receipt("other") is None
    assert [one.id for one in book.receipts("alice", None, 2)] == ["r2", "r1"]
    assert [one.id for one in book.receipts("alice", "not begun", 5)] == ["r0"]
    assert book.receipts("bob", None, 5) == []


def test_an_entry_written_twice_counts_once(said: Memory, clock):
    said.space("alice").recall("Lisbon", 1, conversation="trip")
    book = said.engine.ledger
    (entry,) = book.pending
    book.record(receipt("r", clock.now))
    book.record(receipt("r", clock.now))
    book.record(entry)
    said.flush()
    book.record(entry)
    said.flush()
    assert len(said.retrievals()) == 1
    access = said.space("alice").conversation("trip").accesses("lisbon")
    assert access is not None
    assert access.count == 1


@pytest.mark.req("D13")
def test_ledger_entries_are_deleted_with_their_conversation(said: Memory, clock):
    alice = said.space("alice")
    alice.conversation("trip").recall("Lisbon")
    alice.recall("Lisbon")
    said.engine.ledger.record(receipt("r", clock.now))
    alice.conversation("trip").delete()
    assert [found.conversation for found in said.retrievals()] == [None]
    assert said.engine.ledger.receipt("r") is None
    chat = alice.conversation("trip")
    chat.add("user", "We settled on Lisbon in May.", id="lisbon")
    assert chat.accesses("lisbon") is None
    alice.delete()
    assert said.retrievals() == []


def test_an_entry_of_a_deleted_record_is_discarded(said: Memory, open_memory):
    alice = said.space("alice")
    alice.recall("Lisbon")
    said.engine.store.conversations.delete("alice", "trip")
    assert list(said.engine.store.accesses.all("alice")) == []
    said.flush()
    assert [access.message_id for access in said.engine.store.accesses.all("alice")] == ["hills"]
    alice.recall("Lisbon")
    said.engine.store.spaces.delete("alice")
    said.flush()
    assert said.retrievals() == []


def test_pending_entries_are_written_on_close(open_memory, clock):
    memory = open_memory(clock=clock)
    memory.conversation("c").add("user", "We settled on Lisbon.", id="m")
    memory.space("default").recall("Lisbon")
    memory.close()
    again = open_memory(clock=clock)
    assert again.conversation("c").accesses("m") == Access("m", 1, clock.now)
    assert len(again.retrievals()) == 1


def test_a_worker_writes_pending_entries(open_memory):
    memory = open_memory(worker=True)
    memory.conversation("c").add("user", "We settled on Lisbon.", id="m")
    memory.space("default").recall("Lisbon")
    other = open_memory()
    deadline = datetime.now(UTC) + timedelta(seconds=60)
    while not other.retrievals() and datetime.now(UTC) < deadline:
        time.sleep(0.02)  # the worker of the other Memory writes asynchronously
    assert len(other.retrievals()) == 1


def test_the_receipt_of_inserted_text_is_written_with_the_next_messages(open_memory):
    memory, other = open_memory(), open_memory()
    chat = memory.space("alice").conversation("now")
    memory.space("alice").conversation("before").add("user", "We settled on Lisbon in May.")
    context = chat.context("Which city did we settle on?", since=0, sent=["q"])
    plain = chat.context("Which city did we settle on?")
    with pytest.raises(NotFound):
        other.space("alice").receipt(context.receipt.id)
    chat.add("user", "Which city did we settle on?", id="q")
    assert other.space("alice").receipt(context.receipt.id) == context.receipt
    assert memory.space("alice").receipt(plain.receipt.id) == plain.receipt


def test_a_deleted_receipt_is_not_read_from_memory(said: Memory):
    space = said.space("alice")
    receipt = space.conversation("trip").context("Lisbon?").receipt
    assert space.receipt(receipt.id) == receipt
    space.forget(message="lisbon")
    with pytest.raises(NotFound):
        space.receipt(receipt.id)


def test_a_full_buffer_is_written_and_no_entry_is_lost(said: Memory, clock):
    said.space("alice").recall("Lisbon")
    for number in range(MOST_PENDING - 1):
        said.engine.ledger.record(receipt(f"r{number}", clock.now))
    assert said.engine.store.receipts.list("alice", "trip", 2 * MOST_PENDING) == []
    said.engine.ledger.record(receipt("one more", clock.now))
    assert len(said.engine.store.receipts.list("alice", "trip", 2 * MOST_PENDING)) == MOST_PENDING
    assert len(said.engine.store.retrievals.list("alice", None, None, 10)) == 1


@pytest.mark.req("B18")
def test_recall_works_while_another_connection_holds_the_write_lock(open_memory, path):
    memory = open_memory(worker=True)
    memory.conversation("c").add("user", "We settled on Lisbon.", id="m")
    memory.flush()
    other = apsw.Connection(path)
    other.execute("BEGIN IMMEDIATE")
    for _ in range(5):
        assert memory.space("default").recall("Lisbon")[0].message.id == "m"
    assert other.execute("SELECT count(*) FROM retrievals").fetchall() == [(0,)]
    other.execute("COMMIT")
    memory.flush()
    access = memory.conversation("c").accesses("m")
    assert access is not None
    assert access.count == 5


def test_a_failed_write_keeps_the_entries_and_is_logged(open_memory, path, caplog):
    memory = open_memory()
    memory.conversation("c").add("user", "We settled on Lisbon.", id="m")
    memory.flush()
    raw = apsw.Connection(path)
    raw.execute("ALTER TABLE retrievals RENAME TO away")
    assert memory.space("default").recall("Lisbon")[0].message.id == "m"
    with pytest.raises(StoreError):
        memory.flush()
    with pytest.raises(StoreError):
        memory.conversation("c").accesses("m")
    memory.work()
    assert "ledger write postponed" in caplog.text
    assert "Lisbon" not in caplog.text
    raw.execute("ALTER TABLE away RENAME TO retrievals")
    memory.flush()
    access = memory.conversation("c").accesses("m")
    assert access is not None
    assert access.count == 1


def test_a_failing_store_is_not_retried_with_every_entry(open_memory, path, clock, caplog):
    memory = open_memory(clock=clock)
    memory.space("alice").conversation("trip").start()
    apsw.Connection(path).execute("ALTER TABLE receipts RENAME TO away")
    book = memory.engine.ledger
    for number in range(2 * MOST_PENDING + 1):
        book.record(receipt(f"r{number}", clock.now))
    assert caplog.text.count("ledger write postponed") == 1
    book.record(receipt("one more", clock.now))
    assert caplog.text.count("ledger write postponed") == 2
    apsw.Connection(path).execute("ALTER TABLE away RENAME TO receipts")
    assert len(book.receipts("alice", "trip", 3 * MOST_PENDING)) == 2 * MOST_PENDING + 2


def test_an_invalid_entry_is_logged_and_does_not_block_others(said: Memory, clock, caplog):
    said.space("alice").recall("Lisbon")
    book = said.engine.ledger
    book.record(StoredReceipt("bad", "alice", "trip", clock.now, "not json"))
    (entry, _) = book.pending
    for number, scores in enumerate([(float("nan"),), (object(),)]):
        book.record(replace(entry, retrieval=replace(entry.retrieval, id=f"bad{number}", top_scores=scores)))
    book.record(receipt("good", clock.now))
    said.flush()
    assert caplog.text.count("ledger entry refused") == 3
    assert (book.receipt("bad"), len(said.retrievals())) == (None, 1)
    assert book.receipt("good") is not None


@pytest.mark.req("X1")
def test_a_stored_receipt_is_the_receipt_of_its_context(said: Memory, clock):
    contexts = [said.space("alice").conversation("trip").context("Lisbon?", recipe=name) for name in RECIPES]
    said.engine.ledger.write()
    said.engine.known_receipts.put(contexts[0].receipt.id, None)  # read from the store
    for context in contexts:
        assert said.receipt(context.receipt.id) == context.receipt
    assert {one.id for one in said.space("alice").receipts()} == {context.receipt.id for context in contexts}


def test_the_oldest_receipts_of_a_space_are_removed_when_all_are_too_large(said: Memory, clock):
    for number in range(5):
        clock.forward(seconds=1)
        said.engine.ledger.record(receipt(f"r{number}", clock.now))
        said.engine.ledger.record(receipt(f"b{number}", clock.now, space="bob"))
    said.space("bob").conversation("c").add("user", "hello")
    said.engine.ledger.write()
    size = len(receipt("r0", clock.now).body) + len(zlib.compress(b"[]"))
    ledger = LedgerWriter(said.engine.store.database, receipt_bytes=2 * size)
    ledger.prune(clock.now - 30 * DAY)
    assert [one.id for one in said.engine.ledger.receipts("alice", None, 10)] == ["r4", "r3"]
    assert [one.id for one in said.engine.ledger.receipts("bob", None, 10)] == ["b4", "b3"]
