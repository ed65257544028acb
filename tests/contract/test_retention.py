"""Tests retention: what expires leaves every read at once, is erased by a job with a record, and a hold keeps it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import FakeClock
from tests.contract.test_forget import counts
from tests.contract.test_summaries import summary

from aforesaid import Conversation, InvalidInput, Memory, NotFound, OnHold, Space, StateError
from aforesaid.text.validate import expiry
from aforesaid.verbs import CONVERSATION, SPACE

SECRET = "Quetzaltenango"
ASKED = "Where do I live?"
DAY = timedelta(days=1)
TICK = timedelta(microseconds=1)

# Verbs that write, or that say something about the store itself. All others must not return what has expired.
SPACE_WRITES = {
    "archive", "consolidate", "conversation", "delete", "edit_fact", "feedback", "forget", "grant_consent", "hold",
    "import_chats", "learn", "promote", "rechunk", "reject", "relate", "release_hold", "remember", "remove_profile",
    "reset_feedback", "revoke_consent", "set", "set_profile", "undo", "undo_consolidation", "unlearn", "unrelate",
    "unset",
}  # fmt: skip
CONVERSATION_WRITES = {
    "add", "add_many", "clear", "delete", "edit", "edit_pin", "end", "expire", "fork", "mute", "note_episode", "pause",
    "pin", "pop", "remove", "remove_episode", "rename", "replace", "reply", "resume", "score", "start", "summarize",
    "stop_answer", "unmute", "unpin",
}  # fmt: skip


class Ids:
    """The ids of the records of a space while they can be seen."""

    def __init__(self, space: Space, chat: Conversation) -> None:
        self.messages = [message.id for message in chat.messages()]
        self.facts = [fact.id for fact in space.facts(status=None)]
        self.pins = [pin.id for pin in chat.pins()]
        self.summaries = [one.id for one in chat.summaries(status=None)]
        self.episodes = [episode.id for episode in chat.episodes()]
        self.receipts = [receipt.id for receipt in space.receipts()]


def space_reads(space: Space, ids: Ids, folder: Path) -> dict[str, Callable[[], object]]:
    def export() -> str:
        place = space.export(folder / str(len(list(folder.iterdir()))))
        return "".join(file.read_text("utf-8") for file in sorted(place.iterdir()))

    return {
        "about": space.about,
        "audit": space.audit,
        "changes": space.changes,
        "compare": lambda: [space.compare(id, id) for id in ids.receipts],
        "consent": space.consent,
        "consolidations": space.consolidations,
        "conversations": space.conversations,
        "episodes": space.episodes,
        "erasures": space.erasures,
        "export": export,
        "fact": lambda: [space.fact(id) for id in ids.facts],
        "facts": lambda: [space.facts(status=None), space.facts(known_at="2126-01-01")],
        "held": space.held,
        "info": space.info,
        "feedback_given": space.feedback_given,
        "locate": lambda: list(space.locate(ids.messages).values()),
        "profile": space.profile,
        "rebuild": lambda: [space.rebuild(id) for id in ids.receipts],
        "records": lambda: space.records("Task", status=None),
        "schemas": space.schemas,
        "recall": lambda: [tuple(space.recall(SECRET)), tuple(space.recall(ASKED, as_of="2027-01-01"))],
        "receipt": lambda: [space.receipt(id) for id in ids.receipts],
        "receipt_items": lambda: [space.receipt_items(id) for id in ids.receipts],
        "receipts": space.receipts,
        "relations": space.relations,
        "replay": lambda: [space.replay(id) for id in ids.receipts],
        "review": space.review,
        "settings": space.settings,
        "items": space.items().search,
        "stats": space.stats,
        "why": lambda: [space.why(receipt, message) for receipt in ids.receipts for message in ids.messages],
    }


def conversation_reads(chat: Conversation, ids: Ids) -> dict[str, Callable[[], object]]:
    return {
        "accesses": lambda: [chat.accesses(id) for id in ids.messages],
        "answerer": chat.answerer,
        "branches": chat.branches,
        "arc": chat.arc,
        "chain": lambda: [chat.chain(id) for id in ids.summaries],
        "chunks": lambda: [chat.chunks(id) for id in ids.messages],
        "context": lambda: [chat.context(question, recipe=recipe) for recipe in RECIPES for question in (None, ASKED)],
        "episode": lambda: [chat.episode(id) for id in ids.episodes],
        "episodes": chat.episodes,
        "info": chat.info,
        "message": lambda: [chat.message(id) for id in ids.messages],
        "messages": lambda: [chat.messages(), chat.messages(after=-1), chat.messages(before=99)],
        "needs_summary": chat.needs_summary,
        "pinned": lambda: [chat.pinned(id) for id in ids.pins],
        "pins": chat.pins,
        "recall": lambda: tuple(chat.recall(SECRET)),
        "recent": lambda: chat.recent(include_newest=True),
        "running_answers": chat.running_answers,
        "summaries": lambda: chat.summaries(status=None, replaced=True),
        "summary": lambda: [chat.summary(id) for id in ids.summaries],
        "times": lambda: [chat.times(id) for id in ids.messages],
        "window": chat.window,
    }


RECIPES = ("balanced", "window", "project", "retrieval", "rolling")


def seen(reads: dict[str, Callable[[], object]]) -> set[str]:
    """Returns the verbs whose results contain the secret."""

    def result(read: Callable[[], object]) -> str:
        try:
            value = read()
        except (NotFound, StateError):
            return ""
        return value if isinstance(value, str) else repr(value)

    return {name for name, read in reads.items() if SECRET in result(read)}


def distilled(memory: Memory, space: Space, chat: Conversation, expires: Any) -> None:
    """Says a secret in a message, and derives a record of each kind from it."""
    space.grant_consent()
    said = chat.add("user", f"I live in {SECRET} since last May.", expires=expires)
    chat.add("assistant", "Noted.")
    memory.flush()
    chat.pin(said)
    chat.note_episode(f"Moved to {SECRET}", type="task_completed", first=0, last=0)
    memory.engine.store.summaries.save(
        replace(summary("s1", 0), space=space.id, conversation=chat.id, message_count=1, text=f"They live in {SECRET}.")
    )
    space.set_profile({"home": SECRET}, source=said)
    chat.context(f"Do I live in {SECRET}?")
    memory.flush()


@pytest.mark.req("X24")
def test_every_read_verb_is_checked(memory: Memory, tmp_path: Path) -> None:
    chat = memory.conversation("c")
    ids = Ids(memory.space("default"), chat)
    assert set(space_reads(memory.space("default"), ids, tmp_path)) | SPACE_WRITES == set(SPACE)
    assert set(conversation_reads(chat, ids)) | CONVERSATION_WRITES == set(CONVERSATION)


@pytest.mark.req("X24", "X3")
@pytest.mark.parametrize("by", ["message", "conversation"])
def test_what_expires_leaves_every_read_at_once(memory: Memory, clock: FakeClock, tmp_path: Path, by: str) -> None:
    space = memory.space("ann")
    chat = space.conversation("c")
    distilled(memory, space, chat, DAY if by == "message" else None)
    if by == "conversation":
        chat.expire(DAY)
    ids = Ids(space, chat)
    reads = space_reads(space, ids, tmp_path) | conversation_reads(chat, ids)
    end = clock.now + DAY
    clock.now = end - TICK
    before = seen(reads)
    assert {"messages", "recall", "facts", "fact", "export", "context", "profile", "receipts", "episodes"} <= before
    clock.now = end
    assert seen(reads) == set()
    clock.now = end - TICK  # the clock alone decides
    assert seen(reads) >= before - {"receipts"}
    clock.now = end
    memory.flush()
    clock.now = end - TICK
    assert seen(reads) == set()
    assert memory.verify_erasure(SECRET).clean


@pytest.mark.req("X24", "X3")
def test_the_job_erases_with_a_record(memory: Memory, clock: FakeClock) -> None:
    space = memory.space("ann")
    chat = space.conversation("c")
    distilled(memory, space, chat, DAY)
    clock.forward(days=1)
    assert space.erasures() == []
    memory.flush()
    (erasure,) = space.erasures()
    assert erasure.target == "expired"
    assert erasure.complete
    assert {"message", "fact", "pin", "episode", "chunk", "profile entry"} <= set(counts(erasure))
    assert {part.reason for part in erasure.erased if part.kind == "message"} == {"expired"}
    assert [message.text for message in chat.messages()] == ["Noted."]
    memory.flush()
    assert space.erasures() == [erasure]
    assert all(finding.ok for finding in memory.doctor())


@pytest.mark.req("X24")
def test_a_worker_erases_what_has_expired_by_itself(memory: Memory, clock: FakeClock) -> None:
    chat = memory.conversation("c")
    chat.add("user", "soon gone", expires="30m")
    while memory.work():
        pass
    clock.forward(hours=2)
    while memory.work():
        pass
    (erasure,) = memory.space("default").erasures()
    assert counts(erasure)["message"] == 1


@pytest.mark.req("X24")
def test_a_fact_expires(memory: Memory, clock: FakeClock) -> None:
    space = memory.space("ann")
    fact = space.remember("Likes opera", expires=timedelta(hours=1))
    assert fact.expires_at == clock.now + timedelta(hours=1)
    memory.flush()
    assert [hit.id for hit in space.recall("opera")] == [fact.id]
    clock.forward(hours=1)
    assert space.facts() == []
    assert not space.recall("opera")
    again = space.remember("Likes opera")  # not the one that is about to be erased
    memory.flush()
    assert [one.id for one in space.facts()] == [again.id]
    assert counts(space.erasures()[0])["fact"] == 1


@pytest.mark.req("X24")
def test_remembering_again_with_an_expiry_replaces_the_old_one(memory: Memory, clock: FakeClock) -> None:
    space = memory.space("ann")
    first = space.remember("Likes opera", expires="1h")
    assert space.remember("Likes opera").expires_at == first.expires_at
    later = space.remember("Likes opera", expires="2h")
    assert (later.id, later.expires_at) == (first.id, clock.now + timedelta(hours=2))
    assert space.edit_fact(first.id, expires="never").expires_at is None


@pytest.mark.req("X24")
def test_a_fact_with_other_evidence_returns_when_the_expired_quote_is_erased(memory: Memory, clock: FakeClock) -> None:
    space = memory.space("ann")
    space.conversation("c").add("user", f"I live in {SECRET}.", expires="1h")
    space.conversation("d").add("user", f"I live in {SECRET}.")
    memory.flush()
    (fact,) = space.facts()
    clock.forward(hours=1)
    assert space.facts() == []
    memory.flush()
    (kept,) = space.facts()
    assert kept.id == fact.id
    assert [quote.conversation for quote in kept.evidence] == ["d"]


@pytest.mark.req("X24")
def test_a_conversation_can_expire_later_or_never(memory: Memory, clock: FakeClock) -> None:
    chat = memory.conversation("c")
    chat.add("user", "still here")
    assert chat.expire("1h").expires_at == clock.now + timedelta(hours=1)
    clock.forward(minutes=59)
    assert chat.expire("1h").expires_at == clock.now + timedelta(hours=1)
    clock.forward(minutes=59)
    assert chat.messages()
    assert chat.expire("never").expires_at is None
    clock.forward(days=900)
    memory.flush()
    assert chat.info().messages == 1


@pytest.mark.req("X24")
def test_an_expired_conversation_starts_anew_before_the_job_and_after_it(memory: Memory, clock: FakeClock) -> None:
    chat = memory.conversation("c")
    for flush in (False, True):
        chat.start(expires="1h")
        chat.add("user", "old")
        clock.forward(hours=1)
        if flush:
            memory.flush()
        with pytest.raises(NotFound):
            chat.info()
        chat.add("user", "new")
        assert [(message.seq, message.text) for message in chat.messages()] == [(0, "new")]
        assert chat.info().expires_at is None
        memory.space("default").forget(conversation="c")


@pytest.mark.req("X24")
def test_what_has_expired_cannot_be_brought_back(memory: Memory, clock: FakeClock) -> None:
    space = memory.space("ann")
    chat = space.conversation("c")
    said = chat.add("user", "old")
    fact = space.remember("Likes opera", expires="1h")
    chat.expire("1h")
    clock.forward(hours=1)
    for change in (
        lambda: chat.expire("1h"),
        lambda: chat.edit(said.id, "new"),
        lambda: chat.rename("new"),
        lambda: space.edit_fact(fact.id, expires="never"),
        lambda: space.archive(fact.id),
        lambda: space.remember("Is old", source=said.id),
    ):
        with pytest.raises(NotFound):
            change()
    memory.flush()
    assert space.conversations() == space.facts(status=None) == []


@pytest.mark.req("X24")
def test_a_page_is_full_although_some_of_its_messages_have_expired(memory: Memory, clock: FakeClock) -> None:
    chat = memory.conversation("c")
    for number in range(6):
        chat.add("user", f"{number}", expires="1h" if number % 2 else None)
    clock.forward(hours=1)
    assert [message.text for message in chat.messages(2)] == ["2", "4"]
    assert [message.text for message in chat.messages(2, after=0)] == ["2", "4"]
    assert [message.text for message in chat.messages(2, before=4)] == ["0", "2"]
    assert [message.text for message in chat.recent(2, include_newest=True)] == ["2", "4"]
    assert [message.text for message in chat.recent(2)] == ["0", "2"]


@pytest.mark.req("X24")
def test_the_id_of_an_expired_message_can_be_used_again(memory: Memory, clock: FakeClock) -> None:
    chat = memory.conversation("c")
    chat.add("user", "old words", id="m1", expires="1h")
    chat.add("user", "others")
    clock.forward(hours=1)
    assert chat.add("user", "new words", id="m1").text == "new words"
    assert [message.text for message in chat.messages()] == ["others", "new words"]


@pytest.mark.req("X24")
def test_the_space_has_defaults_by_role_and_kind(memory: Memory, clock: FakeClock) -> None:
    space = memory.space("ann")
    space.set("retention_tool", 7)
    space.set("retention_facts", 365)
    space.set("retention_conversations", 90)
    chat = space.conversation("c")
    chat.add("user", "I live in Lisbon.")
    call = {"id": "t1", "type": "function", "function": {"name": "weather", "arguments": "{}"}}
    chat.add("assistant", None, tool_calls=[call])
    kept = chat.add("tool", "18 degrees", tool_call_id="t1")
    longer = chat.add("tool", "19 degrees", tool_call_id="t1", expires="never")
    assert kept.expires_at == clock.now + timedelta(days=7)
    assert longer.expires_at is None
    assert chat.info().expires_at == clock.now + timedelta(days=90)
    memory.flush()
    (fact,) = space.facts()
    assert fact.expires_at == clock.now + timedelta(days=365)
    clock.forward(days=7)
    assert [message.text for message in chat.messages()] == ["I live in Lisbon.", "", "19 degrees"]
    space.unset("retention_tool")
    assert chat.add("tool", "20 degrees", tool_call_id="t1").expires_at is None
    clock.forward(days=83)
    assert chat.messages() == []
    assert space.facts() == []


@pytest.mark.req("X24")
def test_a_duration_counts_from_the_time_of_the_message(memory: Memory, clock: FakeClock) -> None:
    memory.space("ann").set("retention_user", 30)
    chat = memory.space("ann").conversation("c")
    old = clock.now - timedelta(days=31)
    message = chat.add("user", "long ago", at=old)
    assert message.expires_at == old + timedelta(days=30)
    assert chat.messages() == []
    memory.flush()
    assert chat.info().messages == 0


@pytest.mark.req("X24")
def test_a_context_has_no_tool_call_without_its_expired_result(memory: Memory, clock: FakeClock) -> None:
    chat = memory.conversation("c")
    chat.add("user", "What is the weather?")
    call = {"id": "t1", "type": "function", "function": {"name": "weather", "arguments": "{}"}}
    chat.add("assistant", None, tool_calls=[call])
    chat.add("tool", "18 degrees", tool_call_id="t1", expires="1h")
    chat.add("assistant", "It is 18 degrees.")
    chat.add("user", "Thanks. And tomorrow?")
    for _ in range(2):
        messages = chat.context().to_openai()
        calls = {call["id"] for message in messages for call in message.get("tool_calls") or ()}
        assert calls == {message["tool_call_id"] for message in messages if message["role"] == "tool"}
        clock.forward(hours=1)


@pytest.mark.req("X24")
def test_the_receipt_of_a_context_counts_what_has_expired(memory: Memory, clock: FakeClock) -> None:
    chat = memory.conversation("c")
    chat.add("user", f"I live in {SECRET}.", expires="1h")
    chat.add("user", ASKED)
    clock.forward(hours=1)
    context = chat.context()
    assert [item.id for item in context.receipt.items if item.reason == "expired"] == ["1 of the space"]
    assert not context.warnings
    clock.forward(minutes=1)
    memory.flush()
    assert memory.receipt(context.receipt.id) == context.receipt
    assert not [item for item in chat.context().receipt.items if item.reason == "expired"]


@pytest.mark.req("X24")
def test_the_start_of_a_context_stays_the_same_when_a_later_message_expires(memory: Memory, clock: FakeClock) -> None:
    chat = memory.conversation("c")
    for number in range(8):
        chat.add("user", f"Message number {number}.")
        chat.add("assistant", f"Answer number {number}.", expires="1h" if number == 6 else None)
    before = chat.context("Which one?").to_openai()
    clock.forward(hours=1)
    after = chat.context("Which one?").to_openai()
    gone = [at for at, message in enumerate(before) if message["content"] == "Answer number 6."]
    assert gone
    assert after[: gone[0]] == before[: gone[0]]


@pytest.mark.req("X24")
def test_a_hold_keeps_what_has_expired_and_still_hides_it(memory: Memory, clock: FakeClock, tmp_path: Path) -> None:
    space = memory.space("ann")
    chat = space.conversation("c")
    distilled(memory, space, chat, DAY)
    ids = Ids(space, chat)
    placed = space.hold("case 114", by="counsel")
    assert space.hold("another reason") == space.held() == placed
    assert (placed.reason, placed.by, placed.at) == ("case 114", "counsel", clock.now)
    clock.forward(days=1)
    memory.flush()
    assert space.erasures() == []
    assert seen(space_reads(space, ids, tmp_path) | conversation_reads(chat, ids)) == set()
    assert not memory.verify_erasure(SECRET).clean
    assert space.release_hold(by="counsel")
    assert space.held() is None
    memory.flush()
    assert memory.verify_erasure(SECRET).clean
    assert not space.release_hold()
    entries = [entry for entry in space.audit() if entry.action in ("hold", "release")]
    assert [(entry.action, entry.actor) for entry in entries] == [("release", "counsel"), ("hold", "counsel")]
    assert entries[1].detail == {"reason": "case 114"}


@pytest.mark.req("X24")
def test_a_hold_refuses_every_erasure(memory: Memory) -> None:
    space = memory.space("ann")
    chat = space.conversation("c")
    said = chat.add("user", "keep this")
    space.hold("case 114")
    erasures: list[Callable[[], object]] = [
        lambda: space.forget(message=said.id),
        lambda: space.forget(conversation="c"),
        lambda: space.forget(everything=True),
        lambda: chat.edit(said.id, "other words"),
        chat.delete,
        space.delete,
    ]
    for erase in erasures:
        with pytest.raises(OnHold, match=r"on hold since .* \(case 114\); nothing in it is erased until"):
            erase()
    assert space.forget(message=said.id, dry_run=True).erased
    assert [message.text for message in chat.messages()] == ["keep this"]
    memory.space("bob").conversation("c").add("user", "another space")
    assert memory.space("bob").forget(conversation="c").erased


@pytest.mark.req("X24")
def test_a_hold_refuses_a_message_in_the_place_of_an_expired_one(memory: Memory, clock: FakeClock) -> None:
    space = memory.space("ann")
    chat = space.conversation("c")
    chat.add("user", "old", id="m1", expires="1h")
    space.hold("case 114")
    clock.forward(hours=1)
    with pytest.raises(StateError, match="message 'm1' has expired and is not erased yet"):
        chat.add("user", "new", id="m1")
    chat.add("user", "new", id="m2")
    assert [message.id for message in chat.messages()] == ["m2"]


@pytest.mark.req("X24", "X19")
def test_an_export_carries_expiry_settings_and_hold(
    memory: Memory, clock: FakeClock, tmp_path: Path, open_memory: Callable[..., Memory]
) -> None:
    space = memory.space("ann")
    space.set("retention_tool", 7)
    chat = space.conversation("c")
    chat.add("user", "a", expires="1h")
    chat.add("user", "b")
    chat.expire("2h")
    space.remember("Likes opera", expires="3h")
    space.hold("case 114", by="counsel")
    other = open_memory(":memory:", clock=clock)
    copy = other.import_space(space.export(tmp_path / "out"))
    assert [message.expires_at for message in copy.conversation("c").messages()] == [
        message.expires_at for message in chat.messages()
    ]
    assert copy.conversation("c").info().expires_at == chat.info().expires_at
    assert [fact.expires_at for fact in copy.facts()] == [fact.expires_at for fact in space.facts()]
    assert copy.held() == space.held()
    assert {one.name: one.value for one in copy.settings()}["retention_tool"] == 7
    clock.forward(hours=1)
    assert [message.text for message in copy.conversation("c").messages()] == ["b"]
    assert copy.release_hold()
    other.flush()
    assert counts(copy.erasures()[0])["message"] == 1


@pytest.mark.req("X24")
def test_an_import_of_expired_records_hides_and_erases_them(
    memory: Memory, clock: FakeClock, tmp_path: Path, open_memory: Callable[..., Memory]
) -> None:
    space = memory.space("ann")
    space.conversation("c").add("user", f"I live in {SECRET}.", expires="1h")
    space.conversation("d").add("user", "in an expired conversation")
    space.conversation("d").pin("a pin")
    space.conversation("d").expire("1h")
    memory.flush()
    folder = space.export(tmp_path / "out")
    clock.forward(hours=1)
    other = open_memory(":memory:", clock=clock)
    copy = other.import_space(folder)
    assert copy.conversation("c").messages() == copy.conversation("d").messages() == copy.facts() == []
    other.flush()
    assert [info.id for info in copy.conversations()] == ["c"]
    assert other.verify_erasure(SECRET).clean


@pytest.mark.req("X24")
def test_a_copy_refuses_to_leave_out_what_a_hold_keeps(
    memory: Memory, clock: FakeClock, open_memory: Callable[..., Memory]
) -> None:
    space = memory.space("ann")
    space.conversation("c").add("user", "held", expires="1h")
    space.hold("case 114")
    other = open_memory(":memory:", clock=clock)
    memory.copy_to(other)
    assert other.space("ann").held() == space.held()
    clock.forward(hours=1)
    with pytest.raises(OnHold, match="has expired records, which a copy leaves out; use a backup"):
        memory.copy_to(other)


@pytest.mark.req("X24")
def test_many_messages_expire_in_batches_and_are_scrubbed_once(memory: Memory, clock: FakeClock) -> None:
    chat = memory.conversation("c")
    chat.add_many({"role": "user", "content": f"{SECRET} {number}", "expires": "1h"} for number in range(1_100))
    clock.forward(hours=1)
    assert chat.messages() == []
    memory.flush(120)
    assert [counts(erasure)["message"] for erasure in memory.space("default").erasures()] == [100, 500, 500]
    assert all(erasure.complete for erasure in memory.space("default").erasures())
    assert memory.verify_erasure(SECRET).clean


@pytest.mark.req("X24")
@pytest.mark.parametrize(
    ("given", "end"),
    [
        (timedelta(days=30), "2026-03-31T09:30:00+00:00"),
        ("30d", "2026-03-31T09:30:00+00:00"),
        ("12h", "2026-03-01T21:30:00+00:00"),
        ("2026-03-05", "2026-03-05T23:59:59.999999+00:00"),
        ("2026-03-05T10:00:00+01:00", "2026-03-05T09:00:00+00:00"),
    ],
)
def test_an_expiry_is_a_time_or_a_duration(memory: Memory, given: Any, end: str) -> None:
    assert memory.conversation("c").add("user", "a", expires=given).expires_at == datetime.fromisoformat(end)


@pytest.mark.parametrize("given", ["soon", "-1d", "0d", "2026-02-28", timedelta(0), timedelta(days=-1), 30, "9999999w"])
def test_an_expiry_that_is_not_later_than_the_record_is_refused(memory: Memory, given: Any) -> None:
    with pytest.raises(InvalidInput, match="expires"):
        memory.conversation("c").add("user", "a", expires=given)
    assert memory.conversation("c").messages() == []


def test_never_is_no_expiry(clock: FakeClock) -> None:
    assert expiry("never", "expires", clock.now) is None


@contextmanager
def statements(memory: Memory) -> Iterator[list[str]]:
    """Collects the statements that the reads of a SQLite store run."""
    collected: list[str] = []
    with memory.engine.store.database.read("ann") as session:
        session.connection.exec_trace = lambda _cursor, sql, _bindings: collected.append(sql) or True
        try:
            yield collected
        finally:
            session.connection.exec_trace = None


@pytest.mark.req("X24")
def test_a_recall_reads_nothing_about_expiry_in_a_space_where_nothing_expires(
    open_memory: Callable[..., Memory], clock: FakeClock
) -> None:
    memory = open_memory(":memory:", clock=clock)
    space = memory.space("ann")
    space.conversation("c").add("user", f"I live in {SECRET}.")
    memory.flush()
    with statements(memory) as collected:
        assert space.recall(SECRET)
    assert not [sql for sql in collected if "WITH gone" in sql]
    space.conversation("c").add("user", "and another", expires="1h")
    with statements(memory) as collected:
        assert space.recall(SECRET)
    assert [sql for sql in collected if "WITH gone" in sql]


def test_a_message_shows_its_expiry_as_json(memory: Memory, tmp_path: Path) -> None:
    memory.conversation("c").add("user", "a", expires="1h")
    memory.space("default").export(tmp_path / "out")
    (record,) = json.loads((tmp_path / "out" / "messages.json").read_text("utf-8"))
    assert record["expires_at"] == "2026-03-01T10:30:00+00:00"
