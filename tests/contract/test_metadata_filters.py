"""Tests filters over the metadata of messages and conversations on every store."""

import json
from pathlib import Path

import pytest

from aforesaid import InvalidInput, Memory

MONGOMOCK = json.loads((Path(__file__).parent / "mongomock_filters.json").read_text())


@pytest.fixture
def alice(memory: Memory):
    """Returns a space with four messages in two conversations, all with metadata except the last."""
    alice = memory.space("alice")
    alice.conversation("sales").start(metadata={"team": "sales", "open": True})
    sales, other = alice.conversation("sales"), alice.conversation("other")
    invoice = {"topic": "billing", "priority": 3, "tags": ["late", "paid"], "customer": {"city": "Porto"}}
    sales.add("user", "The heron invoice is late", id="invoice", metadata=invoice)
    sales.add("user", "The heron refund is paid", id="refund", metadata={"topic": "billing", "priority": 1.5})
    other.add("user", "The heron parser crashes", id="bug", metadata={"topic": "code", "urgent": True, "owner": None})
    other.add("user", "The heron stands there", id="bare")
    memory.flush()
    return alice


def ids(hits) -> set[str]:
    return {hit.id for hit in hits}


@pytest.mark.req("B13")
@pytest.mark.parametrize(
    ("filter", "expected"),
    [
        ({}, {"invoice", "refund", "bug", "bare"}),
        ({"topic": "billing"}, {"invoice", "refund"}),
        ({"topic": "billing", "priority": {"$gte": 3}}, {"invoice"}),
        ({"priority": {"$gt": 1, "$lt": 3}}, {"refund"}),
        ({"priority": {"$lte": 1.5}}, {"refund"}),
        ({"priority": "3"}, set()),
        ({"topic": {"$gte": "c"}}, {"bug"}),
        ({"topic": {"$in": ["code", "other"]}}, {"bug"}),
        ({"topic": {"$nin": ["code", "other"]}}, {"invoice", "refund", "bare"}),
        ({"topic": {"$ne": "billing"}}, {"bug", "bare"}),
        ({"tags": "late"}, {"invoice"}),
        ({"customer.city": "Porto"}, {"invoice"}),
        ({"urgent": True}, {"bug"}),
        ({"urgent": 1}, set()),
        ({"owner": None}, {"invoice", "refund", "bug", "bare"}),
        ({"owner": {"$exists": True}}, {"bug"}),
        ({"customer": {"$exists": True}}, {"invoice"}),
        ({"priority": {"$not": {"$gte": 3}}}, {"refund", "bug", "bare"}),
        ({"$not": {"topic": "billing"}}, {"bug", "bare"}),
        ({"$or": [{"topic": "code"}, {"priority": {"$lt": 2}}]}, {"refund", "bug"}),
        ({"$and": [{"topic": "billing"}, {"$not": {"tags": "paid"}}]}, {"refund"}),
        ({"conversation.team": "sales"}, {"invoice", "refund"}),
        ({"conversation.team": {"$ne": "sales"}}, {"bug", "bare"}),
        ({"conversation.open": True, "priority": 3}, {"invoice"}),
    ],
    ids=lambda value: str(sorted(value)) if isinstance(value, set) else str(value),
)
def test_a_filter_returns_exactly_the_messages_whose_metadata_matches(alice, filter, expected):
    assert ids(alice.recall("heron", 20, kinds=["message"], filter=filter)) == expected


@pytest.mark.req("B13")
def test_filters_mean_what_they_mean_in_mongodb(memory):
    """The documents and filters are random; the expected matches come from another implementation, mongomock."""
    space = memory.space("alice")
    documents = enumerate(MONGOMOCK["documents"])
    space.conversation("c").add_many(
        {"role": "user", "content": f"heron {at}", "id": str(at), "metadata": document} for at, document in documents
    )
    for filter, expected in MONGOMOCK["filters"]:
        assert ids(space.recall("heron", 100, kinds=["message"], filter=filter)) == set(map(str, expected)), filter


@pytest.mark.req("B13")
def test_a_filter_narrows_a_conversation_and_a_context(alice):
    chat = alice.conversation("other")
    assert ids(chat.recall("heron", 20, kinds=["message"], filter={"topic": "billing"})) == {"invoice", "refund"}
    for filter, expected in (({"topic": "billing"}, {"invoice", "refund"}), ({"topic": "none"}, set())):
        context = alice.conversation("new").context("What about the heron?", filter=filter)
        recalled = [item for section in context.sections if section.name == "recalled" for item in section.items]
        assert {item.id.partition("#")[0] for item in recalled if item.kind == "message"} == expected
        assert context.receipt.call.filter == filter
        assert alice.replay(context.receipt.id).same


@pytest.mark.req("B13")
def test_a_note_matches_through_its_source_messages(memory):
    space = memory.space("alice")
    chat = space.conversation("c")
    chat.add("user", "I live in Porto.", id="home", metadata={"topic": "home"})
    chat.pin("Porto has a tram")
    space.remember("The user likes Porto", source="home")
    memory.flush()
    assert {hit.kind for hit in space.recall("Porto", filter={"topic": "home"})} == {"message"}
    facts = space.recall("Porto", kinds=["fact", "pin"], filter={"topic": "home"})
    assert {hit.kind for hit in facts} == {"fact"}
    assert not space.recall("Porto", filter={"topic": "work"})


@pytest.mark.req("B13")
def test_the_index_follows_conversations_and_messages(alice, memory):
    filter = {"$or": [{"conversation.team": "sales"}, {"topic": "code"}]}
    assert ids(alice.recall("heron", kinds=["message"], filter=filter)) == {"invoice", "refund", "bug"}
    alice.forget(message="bug")
    alice.forget(conversation="sales")
    memory.flush()
    assert not alice.recall("heron", kinds=["message"], filter=filter)
    assert memory.verify_erasure("billing").clean
    assert all(finding.ok for finding in memory.doctor())


@pytest.mark.req("X18")
def test_the_doctor_repairs_the_index_of_metadata(alice, memory, open_memory):
    def damage(session):
        session.raw("DELETE FROM metadata_values WHERE text = 'billing'")

    alice.stats()
    memory.engine.store.database.write(damage, alone=True)
    assert [(f.check, f.count) for f in memory.doctor() if not f.ok] == [("metadata index", 2)]
    memory.doctor(repair=True)
    assert ids(alice.recall("heron", kinds=["message"], filter={"topic": "billing"})) == {"invoice", "refund"}
    assert all(finding.ok for finding in memory.doctor())


@pytest.mark.req("B13")
def test_long_texts_and_numbers_are_stored_and_compared(memory):
    space = memory.space("alice")
    metadata = {"text": "é" * 5000, "large": 10**400, "deep": {"a": {"b": [[1], {"c": "x"}]}}, "k" * 5000: 1, "": 2}
    space.conversation("c").add("user", "heron", metadata=metadata)
    for filter in ({"text": "é" * 5000}, {"large": {"$gt": 1e300}}, {"deep.a.b": 1}, {"deep.a.b.c": "x"}):
        assert len(space.recall("heron", filter=filter)) == 1, filter


@pytest.mark.req("B13")
@pytest.mark.parametrize(
    ("filter", "advice"),
    [
        ([], "must be a mapping such as"),
        ({"$nor": []}, r"there is no '\$nor'; use \$and, \$or, \$not"),
        ({"$or": {"topic": "x"}}, r"\$or takes a list of filters"),
        ({"$and": []}, r"\$and takes a list of filters"),
        ({"$not": [1]}, "must be a mapping such as"),
        ({"topic": {"$like": "x"}}, r"has the operator '\$like'; use one of \$eq"),
        ({"topic": {"city": "x"}}, r'write \{"object.field": …\}'),
        ({"topic": {}}, "has no condition"),
        ({"topic": ["x"]}, r'use \{"topic": \{"\$in": \[…\]\}\}'),
        ({"topic": {"$in": "x"}}, "give it a list"),
        ({"topic": {"$gt": True}}, "compare a number or a text"),
        ({"topic": {"$gt": None}}, "use a text, a number"),
        ({"topic": {"$exists": 1}}, "use true or false"),
        ({"topic": float("nan")}, "use a text, a number"),
        ({"topic": 10**400}, "use a text, a number"),
        ({"topic": {"$in": list(range(1001))}}, "1001 conditions; 1000 is the most"),
        ({7: "x"}, "must be text"),
        ({"topic": "a\0b"}, "NUL"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_an_invalid_filter_is_refused_with_advice(alice, filter, advice):
    with pytest.raises(InvalidInput, match=advice):
        alice.recall("heron", filter=filter)


def test_a_filter_that_is_nested_too_deeply_is_refused(alice):
    for wrap in (lambda inner: {"$not": inner}, lambda inner: {"$and": [inner]}):
        filter = {"topic": "x"}
        for _ in range(50):
            filter = wrap(filter)
        with pytest.raises(InvalidInput, match="nested"):
            alice.recall("heron", filter=filter)
    with pytest.raises(InvalidInput, match="filter"):
        alice.conversation("c").context(filter={"$or": 1})
