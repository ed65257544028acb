"""Tests `space.forget` and `conversation.edit` on every store: erased, recomputed, and kept records."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest
from tests.conftest import FakeClock

from aforesaid import InvalidInput, Memory, NotFound, Space, TimeSpan
from aforesaid.models.erasure import Erasure
from aforesaid.models.index import ChunkVector
from aforesaid.models.retrieval import StoredReceipt
from aforesaid.models.summary import Summary

SECRET = "My sister Zephyrine moved to Quetzaltenango last Tuesday."
WORDS = ("zephyrine", "quetzaltenango")


def told(memory: Memory, clock: FakeClock) -> tuple[Space, str]:
    """Creates a space with a secret message and its derived records; returns the space and the message id."""
    ann = memory.space("ann")
    chat = ann.conversation("trip")
    secret = chat.add("user", SECRET, at=clock.now).id
    chat.add("assistant", "Noted. How is she?", at=clock.now)
    chat.add("user", "Fine. We both like kayaking.", at=clock.now)
    ann.conversation("work").add("user", "The report is due on Friday.", at=clock.now)
    memory.flush()
    chat.context("Where did Zephyrine move?")
    ann.conversation("work").context("What about Quetzaltenango?")
    ann.recall("Zephyrine")
    memory.flush()
    clock.forward(hours=1)
    return ann, secret


def counts(erasure: Erasure, which: str = "erased") -> dict[str, int]:
    return {portion.kind: portion.count for portion in getattr(erasure, which)}


@pytest.mark.req("X3")
def test_forgetting_a_message_erases_all_its_text(memory: Memory, clock: FakeClock) -> None:
    ann, secret = told(memory, clock)
    done = ann.forget(message=secret)
    assert done.complete
    assert done.target == "message"
    gone = counts(done)
    assert (gone["message"], gone["chunk"], gone["vector"], gone["mention of time"]) == (1, 1, 1, 1)
    assert gone["receipt"] == 2  # one recalled the message; the other has its words in the query
    assert memory.verify_erasure(SECRET).clean
    for word in WORDS:
        assert not [hit for hit in ann.recall(word) if word in hit.text.casefold()]
    with pytest.raises(NotFound):
        ann.conversation("trip").message(secret)
    assert all(finding.ok for finding in memory.doctor())


@pytest.mark.req("X3")
def test_the_remaining_messages_stay_usable(memory: Memory, clock: FakeClock) -> None:
    ann, secret = told(memory, clock)
    ann.forget(message=secret)
    chat = ann.conversation("trip")
    assert [message.seq for message in chat.messages()] == [1, 2]
    assert chat.add("user", "And now?").seq == 3
    assert chat.info().messages == 3
    assert ann.recall("kayaking")[0].text == "Fine. We both like kayaking."
    assert "kayaking" in str(chat.context("What do we like?").to_openai())


@pytest.mark.req("X3")
def test_a_dry_run_reports_the_same_counts_and_changes_nothing(memory: Memory, clock: FakeClock) -> None:
    ann, secret = told(memory, clock)
    seen = ann.forget(message=secret, dry_run=True)
    assert seen.dry_run
    assert ann.erasures() == []
    assert ann.conversation("trip").message(secret).text == SECRET
    assert ann.recall("Zephyrine")[0].text == SECRET
    done = ann.forget(message=secret)
    assert counts(done) == counts(seen) | {"access": counts(done)["access"]}
    assert (done.recomputed, done.pending) == (seen.recomputed, ())


@pytest.mark.req("X3")
def test_an_erasure_is_listed_without_the_erased_text(memory: Memory, clock: FakeClock) -> None:
    ann, secret = told(memory, clock)
    done = ann.forget(message=secret)
    (listed,) = ann.erasures()
    assert listed == done
    assert not any(word in str(listed).casefold() for word in (*WORDS, secret))
    assert memory.space("bob").erasures() == []


@pytest.mark.req("X3")
def test_a_pin_is_erased_with_its_source_message_or_its_text(memory: Memory, clock: FakeClock) -> None:
    ann, secret = told(memory, clock)
    chat = ann.conversation("trip")
    chat.pin(chat.message(secret))
    chat.pin("moved to quetzaltenango", source=None)
    chat.pin("Ask Zephyrine about the flat")
    chat.pin("Buy milk")
    done = ann.forget(message=secret)
    assert counts(done)["pin"] == 2
    assert {pin.content for pin in chat.pins()} == {"Ask Zephyrine about the flat", "Buy milk"}
    assert counts(done, "kept")["pin"] == 1  # a manual pin is kept and reported
    found = memory.verify_erasure(SECRET).found
    assert "pins.content" in {place.where for place in found}
    assert "messages.text" not in {place.where for place in found}


def summary(conversation: str, first: int, last: int, at: FakeClock) -> Summary:
    return Summary(
        id=f"s{first}-{last}", space="ann", conversation=conversation, kind="segment", first_seq=first, last_seq=last,
        message_count=last - first + 1, text=f"They spoke of Quetzaltenango in {first}.", topics=("Quetzaltenango",),
        importance=0.7, base_id=None, status="completed", method="extractive", model=None, tokens=9, milliseconds=1.0,
        error=None, created_at=at.now,
    )  # fmt: skip


@pytest.mark.req("X3", "A8")
def test_summaries_of_a_forgotten_message_are_withdrawn(memory: Memory, clock: FakeClock) -> None:
    ann, secret = told(memory, clock)
    store = memory.engine.store
    for first, last in ((0, 0), (0, 2), (1, 2)):
        store.summaries.save(summary("trip", first, last, clock))
    done = ann.forget(message=secret)
    assert counts(done)["summary"] == 1  # none of its messages remain
    assert counts(done, "recomputed") == {"summary": 1}
    assert [one.id for one in ann.conversation("trip").summaries() if one.id.startswith("s")] == ["s1-2"]
    assert "distill" in [job.kind for job in memory.jobs("queued")]


@pytest.mark.req("X3", "D13", "C11")
def test_forgetting_a_conversation_erases_all_its_records(memory: Memory, clock: FakeClock) -> None:
    ann, _ = told(memory, clock)
    ann.conversation("trip").rename("To Quetzaltenango")
    done = ann.forget(conversation="trip")
    assert (counts(done)["conversation"], counts(done)["message"], counts(done)["receipt"]) == (1, 3, 2)
    assert [one.id for one in ann.conversations()] == ["work"]
    assert memory.verify_erasure(SECRET).clean
    assert memory.verify_erasure("kayaking").clean
    assert ann.recall("report")[0].text == "The report is due on Friday."


@pytest.mark.req("X3")
def test_messages_before_a_time_are_forgotten(memory: Memory, clock: FakeClock) -> None:
    ann, _ = told(memory, clock)
    late = ann.conversation("trip").add("user", "It rains in Bergen.").id
    ann.conversation("trip").pin("an old pin by hand")
    done = ann.forget(before=clock.now - timedelta(minutes=1))
    assert counts(done)["message"] == 4
    assert counts(done)["conversation"] == 1
    assert [message.id for message in ann.conversation("trip").messages()] == [late]
    assert [one.id for one in ann.conversations()] == ["trip"]
    assert len(ann.conversation("trip").pins()) == 1
    assert memory.verify_erasure(SECRET).clean


@pytest.mark.req("X3")
def test_a_conversation_is_deleted_with_its_last_old_message_unless_it_has_newer_records(
    memory: Memory, clock: FakeClock
):
    ann = memory.space("ann")
    old = clock.now - timedelta(days=400)
    for name in ("brought", "pinned"):
        ann.conversation(name).add("user", f"Said in {name}.", at=old)  # added today
    ann.conversation("pinned").pin("kept in view since today")
    ann.conversation("planned").start(title="nothing said yet")
    done = ann.forget(before=clock.now - timedelta(days=1))
    assert (counts(done)["message"], counts(done)["conversation"]) == (2, 1)
    assert [one.id for one in ann.conversations()] == ["pinned", "planned"]


@pytest.mark.req("X3")
def test_forgetting_everything_in_a_space_keeps_other_spaces(memory: Memory, clock: FakeClock) -> None:
    ann, _ = told(memory, clock)
    ann.set("hybrid", False)
    memory.space("bob").conversation("c").add("user", "Bob knows Ljubljana.")
    done = ann.forget(everything=True)
    assert counts(done)["conversation"] == 2
    assert ann.conversations() == []
    assert not ann.recall("kayaking")
    assert memory.verify_erasure(SECRET).clean
    assert memory.space("bob").recall("Ljubljana")[0].text == "Bob knows Ljubljana."
    assert [setting.value for setting in ann.settings() if setting.name == "hybrid"] == [False]
    assert len(ann.erasures()) == 1


@pytest.mark.req("X3")
def test_a_profile_entry_is_erased_with_its_source_message(memory: Memory, clock: FakeClock) -> None:
    ann, secret = told(memory, clock)
    ann.grant_consent()
    ann.set_profile({"family": "Zephyrine"}, source=ann.conversation("trip").message(secret))
    ann.set_profile({"diet": "vegan"})
    assert counts(ann.forget(message=secret))["profile entry"] == 1
    assert [field.name for field in ann.profile().fields] == ["diet"]
    assert memory.verify_erasure(SECRET).clean


@pytest.mark.req("X3", "X20")
def test_an_incomplete_tool_call_is_left_out_of_contexts(memory: Memory, clock: FakeClock) -> None:
    ann = memory.space("ann")
    chat = ann.conversation("c")
    chat.add("user", "What is the weather?")
    calls = [{"id": "t1", "type": "function", "function": {"name": "weather", "arguments": "{}"}}]
    call = chat.add("assistant", None, tool_calls=calls).id
    chat.add("tool", "Sunny.", tool_call_id="t1")
    chat.add("assistant", "It is sunny.")
    chat.add("user", "Thanks.")
    clock.forward(minutes=1)
    ann.forget(message=call)
    roles = [message["role"] for message in chat.context().to_openai()]
    assert "tool" not in roles
    assert roles[-1] == "user"


@pytest.mark.req("A8", "X3")
def test_an_edited_message_keeps_its_position_and_its_old_text_is_erased(memory: Memory, clock: FakeClock) -> None:
    ann, secret = told(memory, clock)
    chat = ann.conversation("trip")
    before = chat.message(secret)
    memory.engine.store.summaries.save(summary("trip", 0, 2, clock))
    after = chat.edit(secret, "My sister lives by the sea now. Call her on 2026-05-01!")
    assert (after.id, after.seq, after.role, after.created_at) == (before.id, 0, "user", before.created_at)
    assert chat.message(secret) == after
    assert after.tokens != before.tokens
    assert [one.id for one in chat.summaries() if one.id.startswith("s")] == []
    memory.flush()
    assert memory.verify_erasure(SECRET).clean
    assert ann.recall("sea")[0].id == secret
    assert "dense" in ann.recall("sea")[0].sources
    assert chat.times(secret)[0].text == "2026-05-01"
    assert [one.target for one in ann.erasures()] == ["edit"]
    assert all(finding.ok for finding in memory.doctor())


@pytest.mark.parametrize("content", ["", "  ", None])
def test_a_message_cannot_be_edited_to_empty_content(memory: Memory, clock: FakeClock, content: str | None) -> None:
    ann, secret = told(memory, clock)
    with pytest.raises(InvalidInput):
        ann.conversation("trip").edit(secret, content)  # type: ignore[arg-type]
    assert ann.conversation("trip").message(secret).text == SECRET


def test_forget_takes_exactly_one_valid_target(memory: Memory, clock: FakeClock) -> None:
    ann, secret = told(memory, clock)
    for wrong in ({}, {"message": secret, "everything": True}, {"before": "yesterday"}, {"conversation": ""}):
        with pytest.raises(InvalidInput):
            ann.forget(**wrong)  # type: ignore[arg-type]
    for missing in ({"message": "no"}, {"conversation": "no"}, {"fact": "no"}):
        with pytest.raises(NotFound):
            ann.forget(**missing)  # type: ignore[arg-type]
    with pytest.raises(NotFound):
        memory.space("nobody").forget(everything=True)
    assert ann.conversation("trip").message(secret).text == SECRET
    assert ann.erasures() == []


@pytest.mark.req("X3")
def test_a_receipt_written_after_the_erasure_is_discarded(memory: Memory, clock: FakeClock) -> None:
    """Another process can create a receipt before the erasure and write it afterwards."""
    ann, secret = told(memory, clock)
    chat = ann.conversation("trip")
    call = memory.receipt(chat.context(SECRET).receipt.id).call
    made = memory.engine.context("ann", "trip", call, record=False)
    clock.forward(seconds=1)
    ann.forget(message=secret)
    late = StoredReceipt(made.receipt.id, "ann", "trip", made.receipt.at, made.receipt.to_json())
    memory.engine.ledger.record(lambda: late)
    memory.flush()
    assert memory.verify_erasure(SECRET).clean
    with pytest.raises(NotFound):
        memory.receipt(made.receipt.id)
    clock.forward(seconds=1)
    later = chat.context("What do we like?")
    assert memory.receipt(later.receipt.id) == later.receipt


@pytest.mark.req("X3")
def test_an_export_after_a_forgotten_message_can_be_imported(
    memory: Memory, clock: FakeClock, tmp_path: object
) -> None:
    ann, secret = told(memory, clock)
    ann.forget(message=secret)
    folder = ann.export(f"{tmp_path}/out")
    other = memory.import_space(folder, space="again")
    assert [message.seq for message in other.conversation("trip").messages()] == [1, 2]
    assert all(finding.ok for finding in memory.doctor())


@pytest.mark.req("X3", "A8")
def test_a_summary_finished_after_the_erasure_is_discarded(memory: Memory, clock: FakeClock) -> None:
    ann, secret = told(memory, clock)
    store = memory.engine.store
    begun = replace(summary("trip", 0, 2, clock), status="processing", text="", method=None)
    store.summaries.begin(begun, None)
    ann.forget(message=secret)
    assert not store.summaries.end(summary("trip", 0, 2, clock))
    assert memory.verify_erasure(SECRET).clean
    goes_on = replace(begun, id="next", kind="rolling", base_id=begun.id)  # its writer has already read the base
    with pytest.raises(NotFound):
        store.summaries.begin(goes_on, None)


@pytest.mark.req("X3")
def test_vectors_and_time_mentions_written_after_the_erasure_are_discarded(memory: Memory, clock: FakeClock) -> None:
    ann = memory.space("ann")
    secret = ann.conversation("trip").add("user", SECRET).id
    store, until = memory.engine.store, clock.now + timedelta(minutes=2)
    (embed,) = store.jobs.claim("w", ["embed"], clock.now, until, 1)
    (times,) = store.jobs.claim("w", ["times"], clock.now, until, 1)
    (passage,) = store.vectors.passages([embed])
    (spoken,) = store.mentions.texts([times])
    clock.forward(seconds=1)
    ann.forget(message=secret)
    new = ann.conversation("trip").add("user", "Hello there, old friend of mine.")  # can reuse the old key
    vector = np.ones(256, np.float32)
    store.vectors.put("static:256", [ChunkVector(passage.message, 0, vector)], [embed], 1.0, clock.now)
    when = TimeSpan(clock.now, clock.now + timedelta(days=1), "last Tuesday")
    store.mentions.put({spoken.message: [when]}, [times], 1.0, clock.now)
    memory.flush()
    assert memory.verify_erasure("last Tuesday").clean
    assert ann.conversation("trip").times(new.id) == ()
    assert all(finding.ok for finding in memory.doctor())


@pytest.mark.req("X3")
def test_messages_before_a_date_are_forgotten(memory: Memory) -> None:
    chat = memory.space("ann").conversation("trip")
    chat.add("user", "late", at="2026-11-17T23:59:59Z")
    kept = chat.add("user", "early", at="2026-11-18T00:00:00Z")
    done = memory.space("ann").forget(before="2026-11-18")
    assert counts(done)["message"] == 1
    assert chat.messages() == [chat.message(kept.id)]


@pytest.mark.req("X3")
@pytest.mark.parametrize("by", ["conversation", "message"])
def test_the_erasure_reports_audit_entries_that_are_kept(memory: Memory, by: str) -> None:
    ann = memory.space("ann")
    ann.grant_consent()
    said = ann.conversation("trip").add("user", "I moved to Porto.")
    ann.conversation("trip").add("user", "More.")
    ann.set_profile({"city": "Porto"}, source=said)
    ann.set_profile({"diet": "vegan"})
    done = ann.forget(**{by: {"conversation": "trip", "message": said.id}[by]})  # type: ignore[arg-type]
    assert counts(done, "kept")["audit entry"] == 1
    (why,) = [portion.reason for portion in done.kept if portion.kind == "audit entry"]
    assert "append-only" in why


@pytest.mark.parametrize("text", ["", "  \n"])
def test_verifying_an_empty_text_is_rejected(memory: Memory, text: str) -> None:
    with pytest.raises(InvalidInput, match="give the erased text"):
        memory.verify_erasure(text)


def same_words(erasure: Erasure) -> dict[str, int]:
    return {part.kind: part.count for part in erasure.kept if part.reason == "states the same words"}


@pytest.mark.req("X3")
def test_what_repeats_a_message_is_named_and_forgotten_on_request(memory: Memory, clock: FakeClock) -> None:
    ann, secret = told(memory, clock)
    again = ann.conversation("work").add("user", f"As I said:  {SECRET.upper()[:-1]}, you know.", at=clock.now)
    other = ann.conversation("work").add("user", "My sister moved to Porto last Tuesday.", at=clock.now)
    fact = ann.remember(f"It is known that {SECRET[0].lower()}{SECRET[1:]}")
    memory.flush()
    preview = ann.forget(message=secret, dry_run=True)
    assert same_words(preview) == {"message": 1, "fact": 1}
    whole = ann.forget(message=secret, same_words=True, dry_run=True)
    assert (counts(whole)["message"], same_words(whole)) == (2, {})
    assert ann.conversation("work").message(again.id)
    done = ann.forget(message=secret, same_words=True)
    assert done.complete
    assert counts(done)["message"] == 2
    assert memory.verify_erasure(SECRET).clean
    assert ann.conversation("work").message(other.id)
    for call in (lambda: ann.fact(fact.id), lambda: ann.conversation("work").message(again.id)):
        with pytest.raises(NotFound):
            call()
    assert all(finding.ok for finding in memory.doctor())


@pytest.mark.req("X3")
def test_a_fact_is_forgotten_with_the_messages_that_state_it(memory: Memory, clock: FakeClock) -> None:
    chat = memory.space("ann").conversation("home")
    said = [
        chat.add("user", text, at=clock.now).id for text in ("I live in Quimper.", "Well, I live in Quimper!", "Fine.")
    ]
    memory.flush()
    (fact,) = memory.space("ann").facts()
    preview = memory.space("ann").forget(fact=fact.id, dry_run=True)
    assert counts(preview)["quote"] + same_words(preview).get("message", 0) == 2
    memory.space("ann").forget(fact=fact.id, same_words=True)
    memory.flush()
    assert (chat.info().messages, chat.message(said[2]).content) == (1, "Fine.")
    assert memory.space("ann").facts(status=None) == []
    assert memory.verify_erasure("I live in Quimper").clean


@pytest.mark.req("X3")
def test_a_short_message_is_repeated_only_by_the_same_message(memory: Memory, clock: FakeClock) -> None:
    chat = memory.space("ann").conversation("c")
    first, *_ = [chat.add("user", text, at=clock.now) for text in ("Yes.", "Yes, the blue one.", "yes", "Yesterday.")]
    assert same_words(memory.space("ann").forget(message=first.id, dry_run=True)) == {"message": 1}


def test_same_words_needs_a_message_or_a_fact(memory: Memory, clock: FakeClock) -> None:
    ann, _ = told(memory, clock)
    with pytest.raises(InvalidInput, match="same_words=True goes with a message or a fact"):
        ann.forget(conversation="trip", same_words=True)
