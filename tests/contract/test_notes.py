"""Tests the note index, which finds pins, summaries, and facts, and its consistency with their records."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import apsw
import numpy as np
import pytest
from tests.conftest import sql

from aforesaid import ProviderError
from aforesaid.storage import queries

TOLD = "I live in Berlin, near the old water tower, and I work as a nurse."

CHECK = queries.named("check")


class Planes:
    """An embedder with a given name that separates texts about boats from other texts."""

    def __init__(self, name: str = "test:planes", dimension: int = 4) -> None:
        self.name = name
        self.dimension = dimension
        self.down = False

    def embed(self, texts):
        if self.down:
            raise ProviderError("the embedder is down")
        found = np.zeros((len(texts), self.dimension), np.float32)
        for at, text in enumerate(texts):
            wet = any(word in text.lower() for word in ("boat", "ship", "vessel", "yacht"))
            found[at, 0 if wet else 1] = 1.0
        return found


@pytest.fixture
def alice(memory):
    return memory.space("alice")


def kinds(hits):
    return [hit.kind for hit in hits]


@pytest.mark.req("B11", "B12")
def test_a_fact_is_found_by_words_immediately_and_by_meaning_after_embedding(open_memory):
    memory = open_memory(embedder=Planes())
    alice = memory.space("alice")
    alice.conversation("c").add("user", "hello there")
    fact = alice.remember("The user owns a small boat")
    (hit,) = alice.recall("who owns something small?", kinds=["fact"])
    assert (hit.kind, hit.id, hit.text, hit.fact) == (
        "fact",
        fact.id,
        "The user owns a small boat",
        alice.fact(fact.id),
    )
    assert hit.score.lexical > 0
    assert not alice.recall("which yacht?", kinds=["fact"])
    memory.flush()
    (hit,) = alice.recall("which yacht?", kinds=["fact"])
    assert (hit.id, hit.score.dense, hit.score.lexical) == (fact.id, pytest.approx(1.0, abs=0.02), 0.0)


@pytest.mark.req("B11")
def test_a_fact_and_its_source_message_are_one_hit(alice, memory):
    message = alice.conversation("c").add("user", TOLD)
    memory.flush()
    facts = {fact.id: fact for fact in alice.facts()}
    assert facts
    hits = alice.recall("where do I live and work?")
    assert kinds(hits) == ["message"]
    assert hits[0].notes
    assert set(hits[0].notes) <= set(facts)
    for hit in alice.recall("where do I live and work?", kinds=["fact"]):
        assert hit.messages == (message.id,)
        assert hit.fact.evidence[0].message_id == message.id


@pytest.mark.req("B13")
def test_facts_are_filtered_by_type_category_tag_importance_and_time(alice, memory, clock):
    alice.conversation("c").add("user", "hello")
    tea = alice.remember("The user prefers green tea", kind="preference", category="food", tags=["drink", "hot"])
    clock.forward(days=2)
    later = alice.remember("The user must not drink tea after six", kind="constraint", importance=0.9, tags=["drink"])
    memory.flush()

    def found(**bounds):
        return {hit.id for hit in alice.recall("tea", kinds=["fact"], **bounds)}

    assert found() == {tea.id, later.id}
    assert found(types=["preference"]) == {tea.id}
    assert found(types=["preference", "constraint"]) == {tea.id, later.id}
    assert found(types=["goal"]) == set()
    assert found(categories=["food"]) == {tea.id}
    assert found(tags=["drink"]) == {tea.id, later.id}
    assert found(tags=["hot"], categories=["food"]) == {tea.id}
    assert found(tags=["drink"], categories=["sport"]) == set()
    assert found(min_importance=0.9) == {later.id}
    assert found(until=clock.now - timedelta(days=1)) == {tea.id}
    assert found(since=clock.now - timedelta(days=1)) == {later.id}
    assert kinds(alice.recall("tea", types=["preference"])) == ["fact"]


@pytest.mark.req("B19", "X4")
def test_a_superseded_fact_is_found_only_at_a_time_when_it_was_valid(alice, memory, clock):
    alice.conversation("c").add("user", "hello")
    old = alice.remember("The user lives in Berlin", subject="user", attribute="home", value="Berlin")
    clock.forward(days=100)
    between = clock.now
    clock.forward(days=100)
    new = alice.remember("The user lives in Lisbon", subject="user", attribute="home", value="Lisbon")
    memory.flush()
    clock.forward(days=1)

    def found(**bounds):
        return {hit.id for hit in alice.recall("where does the user live?", kinds=["fact"], **bounds)}

    assert alice.fact(old.id).status == "superseded"
    assert found() == {new.id}
    assert found(as_of=between) == {old.id} == {fact.id for fact in alice.facts(as_of=between)}
    assert found(as_of=clock.now) == {new.id}
    assert found(known_at=between) == {old.id} == {fact.id for fact in alice.facts(known_at=between)}
    assert found(known_at=between, as_of=clock.now) == {old.id}
    assert found(known_at=clock.now) == {new.id}


@pytest.mark.req("B13")
@pytest.mark.parametrize("verb", ["reject", "archive"])
def test_rejected_or_archived_facts_are_not_found(alice, memory, verb):
    alice.conversation("c").add("user", "hello")
    fact = alice.remember("The user keeps bees")
    assert alice.recall("bees", kinds=["fact"])
    getattr(alice, verb)(fact.id)
    assert not alice.recall("bees")
    assert not alice.recall("bees", as_of="2030-01-01")


def test_an_expired_fact_is_not_found(alice, clock):
    alice.conversation("c").add("user", "hello")
    alice.remember("The user is on leave", valid_until=clock.now + timedelta(days=7))
    assert alice.recall("leave", kinds=["fact"])
    clock.forward(days=8)
    assert not alice.recall("leave", kinds=["fact"])
    assert alice.recall("leave", kinds=["fact"], as_of=clock.now - timedelta(days=5))


@pytest.mark.req("B18")
def test_each_recall_of_a_fact_counts_one_access(alice, memory, clock):
    alice.conversation("c").add("user", "hello")
    fact = alice.remember("The user keeps bees")
    clock.forward(hours=1)
    alice.recall("bees")
    memory.flush()
    assert (alice.fact(fact.id).accesses, alice.fact(fact.id).accessed_at) == (1, clock.now)
    alice.conversation("d").context("what about the bees?", max_tokens=500)
    memory.flush()
    assert alice.fact(fact.id).accesses == 2


def test_a_fact_is_found_only_in_its_space_and_conversation(memory):
    alice, bob = memory.space("alice"), memory.space("bob")
    alice.conversation("c").add("user", TOLD)
    bob.conversation("c").add("user", "hello")
    alice.conversation("d").add("user", "hello")
    memory.flush()
    assert alice.recall("where do I live?", kinds=["fact"], conversation="c")
    assert not alice.recall("where do I live?", kinds=["fact"], conversation="d")
    assert not bob.recall("where do I live?", kinds=["fact"])


@pytest.mark.req("D13")
def test_notes_are_deleted_with_their_conversation_unless_other_messages_support_them(alice, memory):
    for name in ("c", "d"):
        alice.conversation(name).add("user", "I live in Berlin.")
    alice.conversation("c").add("user", "I work as a nurse.")
    alice.conversation("c").pin("The water tower is old")
    memory.flush()
    alice.conversation("c").delete()
    assert not alice.recall("tower", kinds=["pin"])
    texts = {hit.text for hit in alice.recall("where do I live and work as a nurse?", kinds=["fact"])}
    assert texts == {fact.text for fact in alice.facts()}
    assert len(texts) == 1
    alice.delete()
    for table in ("notes", "note_labels", "note_vectors"):
        assert sql(memory, f"SELECT count(*) FROM {table}") == [(0,)], table
    with memory.engine.store.database.read() as session:
        assert session.fetch(CHECK["orphan_note_terms"], {"limit": -1}) == []


@pytest.mark.req("X4")
def test_a_context_quotes_a_fact_with_its_speaker_and_repeats_nothing(alice, memory):
    alice.conversation("c").add("user", TOLD)
    manual = alice.remember("The user keeps bees on the roof <recalled>")
    memory.flush()
    context = alice.conversation("new").context("what is on the roof, and where do I live?", max_tokens=600)
    text = context.to_openai()[-1]["content"]
    assert "fact from user> The user keeps bees on the roof ‹recalled>" in text
    assert text.count("Berlin") == 1
    items = {item.id: item for item in context.receipt.items}
    assert (items[manual.id].section, items[manual.id].kind, items[manual.id].included) == ("recalled", "fact", True)
    again = alice.conversation("c").context("where do I live?", max_tokens=600)
    assert again.to_openai()[-1]["content"].count("Berlin") == 0, "the history says it"


@pytest.mark.parametrize(
    "text",
    ["蜜蜂在屋顶上", "🐝 on the roof", "пчёлы на крыше", "bees " * 50_000, "ﬁ K Å bees"],
    ids=["cjk", "emoji", "cyrillic", "huge", "compatibility"],
)
def test_a_note_with_any_text_is_stored_and_found(alice, memory, text):
    chat = alice.conversation("c")
    chat.add("user", "hello")
    pin = chat.pin(text)
    memory.flush()
    (hit,) = alice.recall(text[:40], kinds=["pin"])
    assert (hit.id, hit.text) == (pin.id, pin.content)


def test_a_changed_note_is_found_only_by_its_new_text(alice, memory):
    chat = alice.conversation("c")
    chat.add("user", "hello")
    pin = chat.pin("The ferry leaves from pier nine")
    memory.flush()
    assert alice.recall("ferry pier", kinds=["pin"])
    memory.engine.store.pins.save("alice", "c", replace(pin, content="The train leaves from platform two"))
    memory.flush()
    assert not alice.recall("ferry", kinds=["pin"])
    assert [hit.text for hit in alice.recall("train", kinds=["pin"])] == ["The train leaves from platform two"]


@pytest.mark.req("D14")
def test_a_store_of_the_retired_embedder_gets_the_default_one(open_memory):
    memory = open_memory(embedder=Planes("wordllama:256", 8))
    memory.conversation("c").add("user", "herons nest in the reeds")
    memory.flush()
    memory.close()
    later = open_memory()
    assert later.space("default").recall("herons").degraded == ("dense",)
    later.conversation("c").add("user", "a latecomer")
    later.flush()
    serving = [model for model in later.status().models if model.state == "serving"]
    assert [(model.name, model.embedded) for model in serving] == [("static:256", 2)]
    assert later.space("default").recall("herons").degraded == ()


@pytest.mark.req("D14")
def test_old_note_vectors_serve_until_the_new_model_is_complete(open_memory):
    memory = open_memory(embedder="static:64")
    alice = memory.space("alice")
    alice.conversation("c").add("user", "hello")
    fact = alice.remember("The user owns a small boat")
    memory.flush()
    memory.close()
    new = Planes("test:other", 8)
    new.down = True
    memory = open_memory(embedder=new)
    alice = memory.space("alice")
    (hit,) = alice.recall("owns a yacht", kinds=["fact"])
    assert hit.id == fact.id
    assert hit.score.dense > 0.5  # from vectors of the old model; the new one has none
    new.down = False
    late = alice.remember("The user hires a vessel")
    memory.flush()
    assert {model.name: model.state for model in memory.status().models}[new.name] == "serving"
    assert {hit.id for hit in alice.recall("which yacht?", kinds=["fact"])} == {fact.id, late.id}
    models = "SELECT DISTINCT m.name FROM note_vectors v JOIN embedding_models m USING (model_key)"
    assert sql(memory, models) == [(new.name,)]


def test_the_doctor_repairs_notes_that_differ_from_their_records(open_memory, path):
    memory = open_memory()
    chat = memory.space("alice").conversation("c")
    chat.add("user", "hello")
    gone, changed = chat.pin("The ferry leaves from pier nine"), chat.pin("The train leaves from platform two")
    memory.space("alice").remember("The user keeps bees")
    memory.flush()
    raw = apsw.Connection(path)
    raw.execute("DELETE FROM notes WHERE id = ? OR kind = 'fact'", (gone.id,))
    raw.execute("UPDATE notes SET text = 'something else' WHERE id = ?", (changed.id,))
    raw.close()
    wrong = {finding.check: finding.count for finding in memory.doctor() if not finding.ok}
    assert wrong["notes"] == 3
    assert all(finding.repaired for finding in memory.doctor(repair=True) if not finding.ok)
    memory.flush()
    assert all(finding.ok for finding in memory.doctor())
    found = {hit.id for hit in memory.space("alice").recall("ferry train", kinds=["pin"])}
    assert found == {gone.id, changed.id}
    assert memory.space("alice").recall("bees", kinds=["fact"])


def test_a_missing_note_index_degrades_recall_and_can_be_rebuilt(open_memory, path):
    memory = open_memory()
    alice = memory.space("alice")
    chat = alice.conversation("c")
    chat.add("user", "The ferry was late")
    chat.pin("The ferry leaves from pier nine")
    raw = apsw.Connection(path)
    raw.execute("DROP TABLE note_postings")
    raw.execute("DROP TABLE note_terms")
    raw.close()
    late = chat.pin("The ferry has a new captain")
    hits = alice.recall("ferry")
    assert "notes" in hits.degraded
    assert "message" in kinds(hits)
    assert all(finding.repaired for finding in memory.doctor(repair=True) if not finding.ok)
    assert late.id in {hit.id for hit in alice.recall("captain", kinds=["pin"])}
