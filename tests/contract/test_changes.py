"""Tests the change feed on every store: its entries, scopes, cursors, retention, and erasure."""

from __future__ import annotations

import pytest
from tests.conftest import FakeClock, sql

from aforesaid import Changes, InvalidInput, Memory, Space
from aforesaid.storage.repositories.feed import MAX_CHANGES

BESIDE = ("fact", "erasure")  # kinds that belong to no conversation


def told(changes: Changes) -> list[tuple[str, str]]:
    return [(change.kind, change.action) for change in changes]


def begun(memory: Memory) -> tuple[Space, int]:
    """Creates a space with one message and returns the space and the cursor after it."""
    ann = memory.space("ann")
    ann.conversation("trip").add("user", "hello")
    return ann, ann.changes().cursor


@pytest.mark.req("A20")
def test_a_message_change_has_the_id_seq_and_conversation(memory: Memory):
    ann, cursor = begun(memory)
    message = ann.conversation("trip").add("assistant", "good day")
    (change,) = ann.changes(cursor)
    assert (change.kind, change.action, change.conversation) == ("message", "added", "trip")
    assert (change.record, change.seq) == (message.id, 1)
    assert change.number == cursor + 1
    assert ann.changes(cursor).cursor == change.number
    assert not ann.changes(change.number)


@pytest.mark.req("A20")
def test_every_write_to_a_space_adds_a_change(memory: Memory):
    ann, cursor = begun(memory)
    chat = ann.conversation("trip")
    pin = chat.pin("Budget 900")
    chat.edit_pin(pin.id, content="Budget 800")
    chat.unpin(pin.id)
    assert told(ann.changes(cursor)) == [("pin", "added"), ("pin", "changed"), ("pin", "removed")]
    cursor = ann.changes().cursor
    chat.rename("Lisbon")
    chat.pause()
    assert told(ann.changes(cursor)) == [("conversation", "changed")] * 2
    cursor = ann.changes().cursor
    fact = ann.remember("Prefers window seats")
    ann.archive(fact.id)
    assert told(ann.changes(cursor)) == [("fact", "added"), ("fact", "changed")]
    assert {change.record for change in ann.changes(cursor)} == {fact.id}
    cursor = ann.changes().cursor
    ann.set("token_budget", 900)
    ann.grant_consent()
    ann.set_profile({"city": "Porto"})
    ann.unset("token_budget")
    assert told(ann.changes(cursor)) == [
        ("setting", "changed"), ("consent", "changed"), ("profile", "changed"), ("setting", "changed"),
    ]  # fmt: skip
    cursor = ann.changes().cursor
    chat.edit(chat.messages()[0].id, "goodbye")
    assert ("message", "changed") in told(ann.changes(cursor))
    assert ("erasure", "added") in told(ann.changes(cursor))


@pytest.mark.req("A20")
def test_background_distillation_adds_changes(memory: Memory):
    ann, cursor = begun(memory)
    chat = ann.conversation("trip")
    chat.add("user", "I live in Porto and I work as a nurse.")
    chat.add("user", "We have decided to move to Lisbon in May. It is settled.")
    memory.flush()
    chat.summarize()
    heard = told(ann.changes(cursor))
    assert {("fact", "added"), ("summary", "added")} <= set(heard)
    named = {change.record for change in ann.changes(cursor) if change.kind == "fact"}
    assert {fact.id for fact in ann.facts()} <= named


def test_reads_add_no_change(memory: Memory):
    ann, cursor = begun(memory)
    ann.remember("Prefers window seats")
    memory.flush()
    cursor = ann.changes().cursor
    ann.recall("window seats")
    ann.conversation("trip").context("window seats?")
    memory.flush()
    assert not ann.changes(cursor)


@pytest.mark.req("X17")
def test_changes_of_another_space_are_neither_listed_nor_numbered(memory: Memory):
    ann, cursor = begun(memory)
    bob = memory.space("bob")
    for _ in range(50):
        bob.conversation("trip").add("user", "mine")
    assert not ann.changes(cursor)
    assert not ann.changes(cursor, conversation="trip")
    ann.conversation("trip").add("user", "one")
    assert ann.changes(cursor).cursor == cursor + 1


def test_changes_can_be_filtered_by_conversation(memory: Memory):
    ann, cursor = begun(memory)
    ann.conversation("other").add("user", "there")
    ann.conversation("trip").add("user", "here")
    ann.remember("Prefers window seats")
    assert told(ann.changes(cursor, conversation="trip")) == [("message", "added")]
    assert ann.changes(cursor, conversation="trip").cursor == ann.changes().cursor


def test_pages_follow_each_other_without_a_gap(memory: Memory):
    ann, cursor = begun(memory)
    chat = ann.conversation("trip")
    sent = [chat.add("user", str(number)).id for number in range(25)]
    chat.pin("between")
    sent += [chat.add("user", str(number)).id for number in range(5)]
    for scope in ({}, {"conversation": "trip"}):
        heard, at = [], cursor
        while page := ann.changes(at, limit=7, **scope):
            heard += [change.record for change in page if change.kind == "message"]
            at = page.cursor
        assert heard == sent


def test_a_cursor_from_before_the_first_write_misses_nothing(memory: Memory):
    ann = memory.space("ann")
    nothing = ann.changes()
    assert (nothing.cursor, nothing.missed) == (0, False)
    ann.conversation("trip").add("user", "hello")
    first = ann.changes(nothing.cursor)
    assert not first.missed
    assert told(first) == [("space", "added"), ("conversation", "added"), ("message", "added")]


@pytest.mark.req("X3")
def test_a_forgotten_message_leaves_no_id_in_the_feed(memory: Memory):
    ann, cursor = begun(memory)
    secret = ann.conversation("trip").add("user", "Zephyrine", id="zephyrine-1")
    ann.forget(message=secret.id)
    heard = ann.changes(cursor)
    assert [(change.action, change.record, change.seq) for change in heard if change.kind == "message"] == [
        ("added", None, 1), ("removed", None, 1),
    ]  # fmt: skip
    assert memory.verify_erasure("zephyrine-1").clean


@pytest.mark.req("X3")
def test_a_forgotten_conversation_leaves_one_change_without_its_name(memory: Memory):
    ann, cursor = begun(memory)
    chat = ann.conversation("quetzaltenango")
    chat.add("user", "hello", id="quetzal-1")
    chat.pin("there")
    ann.forget(conversation="quetzaltenango")
    heard = ann.changes(cursor)
    assert {change.conversation for change in heard} == {None}
    assert {change.record for change in heard} == {None}
    assert told(heard)[0] == ("conversation", "removed")
    assert told(ann.changes(cursor, conversation="quetzaltenango")) == [("conversation", "removed")]
    assert memory.verify_erasure("quetzaltenango").clean


@pytest.mark.parametrize("how", ["delete", "forget"])
def test_records_deleted_with_their_conversation_get_no_change_of_their_own(memory: Memory, how: str):
    ann = memory.space("ann")
    chat = ann.conversation("c")
    for _ in range(2):
        chat.add("user", "We decided to use PostgreSQL instead of MySQL.")
        chat.add("user", "It works now! Finally solved the bug.")
    chat.pin("herons")
    chat.note_episode("We shipped it", type="task_completed", first=0, last=1)
    chat.summarize()
    memory.flush()
    cursor = ann.changes().cursor
    chat.delete() if how == "delete" else ann.forget(conversation="c")
    found = ann.changes(cursor, limit=500)
    told = [(change.kind, change.action, change.conversation) for change in found if change.kind not in BESIDE]
    assert told == [("conversation", "removed", None)]
    gone = "SELECT count(*) FROM changes WHERE conversation_key IS NOT NULL"
    assert sql(memory, gone) == [(0,)]


def test_a_dry_run_of_forget_adds_no_change(memory: Memory):
    ann, cursor = begun(memory)
    ann.forget(everything=True, dry_run=True)
    assert not ann.changes(cursor)


@pytest.mark.req("X3")
def test_a_cursor_of_a_deleted_space_is_invalid_in_its_successor(memory: Memory):
    ann, cursor = begun(memory)
    ann.delete()
    assert ann.changes(cursor) == Changes(missed=True)
    chat = ann.conversation("trip")
    for _ in range(20):
        chat.add("user", "again")
    again = ann.changes(cursor)
    assert (again.missed, len(again)) == (True, 0)
    assert not ann.changes(again.cursor).missed


def test_an_unknown_cursor_is_reported_as_missed(memory: Memory):
    ann, cursor = begun(memory)
    for wrong in (1, cursor + 5, 2**53):
        assert ann.changes(wrong).missed
    assert ann.changes(0).missed is False
    for wrong in (-1, 2**53 + 1, True, "1"):
        with pytest.raises(InvalidInput):
            ann.changes(wrong)


def test_the_feed_keeps_at_most_ten_thousand_changes(memory: Memory, clock: FakeClock):
    ann, cursor = begun(memory)
    chat = ann.conversation("trip")
    for start in range(0, MAX_CHANGES + 200, 1_700):
        chat.add_many([{"role": "user", "content": str(number)} for number in range(start, start + 1_700)])
    newest = ann.changes().cursor
    clock.forward(hours=2)
    memory.work()
    assert ann.changes(cursor) == Changes(cursor=newest, missed=True)
    assert ann.changes(0).missed
    assert ann.changes(newest - MAX_CHANGES - 1).missed
    kept = ann.changes(newest - MAX_CHANGES, limit=MAX_CHANGES + 1)
    assert (kept.missed, len(kept), kept.cursor) == (False, MAX_CHANGES, newest)


def test_changes_older_than_a_month_are_deleted(memory: Memory, clock: FakeClock):
    ann, cursor = begun(memory)
    newest = ann.changes().cursor
    clock.now = clock.now.replace(year=2200)  # far ahead, because the database uses its own clock
    memory.work()
    assert ann.changes(cursor - 1).missed
    assert ann.changes(newest) == Changes(cursor=newest)
    ann.conversation("trip").add("user", "again")
    assert told(ann.changes(newest)) == [("message", "added")]
    clock.forward(hours=2)
    memory.work()
    assert ann.changes(newest).missed


def test_an_import_adds_changes_to_the_feed(memory: Memory, tmp_path):
    ann, _ = begun(memory)
    ann.export(tmp_path / "out")
    bob = memory.space("bob")
    memory.import_space(tmp_path / "out", space="bob")
    assert ("message", "added") in told(bob.changes(0))
