"""Tests items on every store: values, namespaces, filters, searches, expiry and isolation."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import FakeClock, sql

from aforesaid import AsyncMemory, ConflictError, InvalidInput, Item, ItemHit, Items, Memory, NotFound, OnHold

pytestmark = pytest.mark.req("X26")

VERBATIM = {
    "z": 1,
    "a": 1.0,
    "ü": "Zoë 🦢",
    "none": None,
    "yes": True,
    "list": [1, [2.5, {"k": "v"}], []],
    "o": {},
    "": "",
}


@pytest.fixture
def ana(memory: Memory) -> Items:
    return memory.space("alice").items(("users", "ana"))


def keys(hits: list[ItemHit]) -> list[str]:
    return [hit.item.key for hit in hits]


@pytest.mark.parametrize("value", [VERBATIM, "text", 3, 1.5, True, None, [], {}, 2**80, ["a", {"b": None}]])
def test_a_value_is_kept_verbatim(ana: Items, value: Any):
    item = ana.put("k", value)
    assert item == ana.get("k")
    assert json.dumps(item.value) == json.dumps(value)
    assert (item.space, item.namespace, item.key) == ("alice", ("users", "ana"), "k")


@pytest.mark.parametrize(
    ("value", "error"),
    [
        (math.nan, "value cannot be written as JSON"),
        ({"a": [math.inf]}, "value cannot be written as JSON"),
        ({1: "a"}, "which JSON would change; use text"),
        ({"a": "\0"}, "NUL character"),
        ("\ud800", "half a surrogate pair"),
        ({"a": {1, 2}}, "value cannot be written as JSON"),
    ],
)
def test_what_is_no_json_is_refused(ana: Items, value: Any, error: str):
    with pytest.raises(InvalidInput, match=error):
        ana.put("k", value)
    assert ana.get("k") is None


def test_put_replaces_in_place_and_keeps_when_it_was_created(ana: Items, clock: FakeClock):
    first = ana.put("k", {"theme": "dark"}, text="old words")
    clock.forward(hours=1)
    second = ana.put("k", {"theme": "light"})
    assert (second.created_at, second.updated_at, second.text) == (first.created_at, clock.now, None)
    assert [hit.item for hit in ana.search()] == [second]
    assert keys(ana.search("old words")) == []


def test_put_many_is_one_transaction(ana: Items, memory: Memory):
    items = ana.put_many([{"key": "a", "value": 1}, {"key": "b", "value": 2, "namespace": ("deep", "er")}])
    assert [(item.namespace, item.key, item.value) for item in items] == [
        (("users", "ana"), "a", 1),
        (("users", "ana", "deep", "er"), "b", 2),
    ]
    before = memory.space("alice").changes().cursor
    with pytest.raises(InvalidInput, match="an entry has no key or no value"):
        ana.put_many([{"key": "c", "value": 3}, {"key": "d"}])
    with pytest.raises(InvalidInput, match="a field of an entry must be one of key, value"):
        ana.put_many([{"key": "c", "value": 3, "ttl": 4}])
    assert ana.put_many([]) == []
    assert memory.space("alice").changes().cursor == before


def test_delete_rename_and_clear(ana: Items, memory: Memory):
    ana.put("a", {"text": "herons at the pond"})
    ana.put("b", 2)
    with pytest.raises(ConflictError, match="there is an item 'b' already"):
        ana.rename("a", "b")
    with pytest.raises(NotFound, match="there is no item 'z' in 'users/ana' of space 'alice'"):
        ana.rename("z", "y")
    renamed = ana.rename("a", "c")
    assert ana.rename("c", "c") == renamed == ana.get("c")
    assert ana.get("a") is None
    assert keys(ana.search("herons")) == ["c"]
    assert (ana.delete("c"), ana.delete("c"), keys(ana.search("herons"))) == (True, False, [])
    memory.space("alice").items(("users", "anna")).put("other", 1)
    memory.space("alice").items(("users", "ana", "deep")).put("d", 1)
    assert ana.clear() == 2
    assert keys(memory.space("alice").items().search()) == ["other"]


def test_put_replaces_only_what_was_read(ana: Items, clock: FakeClock):
    first = ana.put("k", {"n": 1.0, "z": ["ü"]}, replaces=None)
    with pytest.raises(ConflictError, match="there is an item 'k' already"):
        ana.put("k", 2, replaces=None)
    second = ana.put("k", {"n": 2}, replaces=ana.get("k"))
    for stale in (first, second):
        clock.forward(seconds=1)
        ana.put("k", {"n": 2})
        with pytest.raises(ConflictError, match="item 'k' was changed or deleted meanwhile; read it again"):
            ana.put("k", 3, replaces=stale)
    with pytest.raises(ConflictError):
        ana.put_many([{"key": "other", "value": 1}, {"key": "k", "value": 3, "replaces": second}])
    assert (ana.get("other"), ana.get("k").value) == (None, {"n": 2})
    ana.delete("k")
    with pytest.raises(ConflictError):
        ana.put("k", 3, replaces=second)
    with pytest.raises(InvalidInput, match="replaces must be an Item as you read it"):
        ana.put("k", 3, replaces={"n": 2})  # type: ignore[arg-type]
    ana.put("gone", 1, expires="1h")
    clock.forward(hours=1)
    assert ana.put("gone", 2, replaces=None).value == 2


def test_writers_that_replace_what_they_read_lose_no_change(ana: Items):
    ana.put("list", [])

    def write(writer: int) -> None:
        for n in range(5):
            while True:
                read = ana.get("list")
                assert read is not None
                try:
                    ana.put("list", [*read.value, [writer, n]], replaces=read)
                    break
                except ConflictError:
                    continue

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, range(4)))
    assert sorted(ana.get("list").value) == [[writer, n] for writer in range(4) for n in range(5)]


def test_items_move_to_another_namespace(ana: Items, memory: Memory):
    space = memory.space("alice")
    ana.put("a", {"text": "herons at the pond"})
    space.items(("users", "ana", "deep")).put("b", {"text": "swans"})
    space.items(("users", "anna")).put("other", 1)
    moved = ana.rename("a", "c", namespace=("archive", "x"))
    assert (moved.namespace, moved.key, moved.value) == (("archive", "x"), "c", {"text": "herons at the pond"})
    assert keys(space.items("users").search("herons")) == []
    assert keys(space.items("archive").search("herons")) == ["c"]
    with pytest.raises(ConflictError, match="there is an item 'other' already"):
        space.items(("archive", "x")).rename("c", "other", namespace=("users", "anna"))
    ana.put("a", 1)
    assert ana.move(("users", "bob")) == 2
    assert space.items().namespaces() == [
        ("archive", "x"), ("users", "anna"), ("users", "bob"), ("users", "bob", "deep")
    ]  # fmt: skip
    assert keys(space.items(("users", "bob")).search("swans")) == ["b"]
    with pytest.raises(NotFound, match="there is no item in 'users/ana'"):
        ana.move("elsewhere")
    with pytest.raises(ConflictError, match="there are items in 'archive' already"):
        space.items("users").move("archive")
    for place in ((), ("users", "bob"), ("users", "bob", "deep", "er")):
        with pytest.raises(InvalidInput, match="cannot be moved into itself"):
            space.items(("users", "bob")).move(place)
    with pytest.raises(InvalidInput, match="2560 is the most"):
        space.items("users").move(["x" * 850] * 3)
    assert [finding for finding in memory.doctor() if not finding.ok] == []


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda items: items.put("", 1), "key is empty"),
        (lambda items: items.get(3), "key must be text, not int"),
        (lambda items: items.put("k" * 1025, 1), "1024 is the most"),
        (lambda items: items.put("日" * 900, 1), "2560 is the most"),
        (lambda items: items.put("k", 1, index="title"), "index must be a list"),
        (lambda items: items.put("k", 1, index=["a[b"]), "is no path"),
        (lambda items: items.put("k", 1, text=3), "text must be text"),
        (lambda items: items.put("k", 1, expires="yesterday"), "is not a time"),
        (lambda items: items.search(" "), "query is empty"),
        (lambda items: items.search(limit=0), "limit must be a whole number"),
        (lambda items: items.search(filter={"a": {"$regex": "b"}}), r"the operator '\$regex'; use one of"),
        (lambda items: items.search(filter={"$nor": []}), r"there is no '\$nor'; use"),
        (lambda items: items.search(filter={"a": {"$gt": None}}), "compare a number or a text"),
        (lambda items: items.search(filter={"a": {"$in": "b"}}), "give it a list"),
        (lambda items: items.namespaces(max_depth=0), "max_depth must be"),
    ],
)
def test_bad_input_gets_a_clear_error(ana: Items, call: Callable[[Items], Any], error: str):
    with pytest.raises(InvalidInput, match=error):
        call(ana)


@pytest.mark.parametrize(
    ("namespace", "error"),
    [
        (("a", ""), "is empty"),
        (("a\x1fb",), r"the character U\+001F"),
        ((1,), "must be text"),
        (("x" * 1000,) * 3, "bytes"),
    ],
)
def test_a_bad_namespace_gets_a_clear_error(memory: Memory, namespace: Any, error: str):
    with pytest.raises(InvalidInput, match=error):
        memory.space("alice").items(namespace)


def test_no_namespace_is_taken_for_another(memory: Memory):
    space = memory.space("alice")
    places: list[Any] = [
        "a",
        ("a", "b"),
        ("ab",),
        ("a.b",),
        ("a/b",),
        ("a'--", "%"),
        ("*",),
        (),
        ("a", "b c"),
        ("a ",),
        ("a\n",),
    ]
    for at, place in enumerate(places):
        space.items(place).put("k", at)
    assert [space.items(place).get("k").value for place in places] == list(range(len(places)))
    assert {hit.item.value for hit in space.items("a").search(limit=99)} == {0, 1, 8}
    assert len(space.items().search(limit=99)) == len(places)
    assert space.items("a").clear() == 3
    assert len(space.items().namespaces()) == len(places) - 3


def test_namespaces_are_listed_below_with_wildcards(memory: Memory):
    space = memory.space("alice")
    places = [("a", "b", "c"), ("a", "b", "d", "e"), ("a", "b", "f"), ("a", "x", "c"), ("z",)]
    for place in reversed(places):
        space.items(place).put("k", 1)
        space.items(place).put("l", 1)
    assert space.items().namespaces() == [
        ("a", "b", "c"),
        ("a", "b", "d", "e"),
        ("a", "b", "f"),
        ("a", "x", "c"),
        ("z",),
    ]
    assert space.items().namespaces(max_depth=2) == [("a", "b"), ("a", "x"), ("z",)]
    assert space.items("a").namespaces(suffix=("c",)) == [("a", "b", "c"), ("a", "x", "c")]
    assert space.items(("a", "*", "c")).namespaces() == [("a", "b", "c"), ("a", "x", "c")]
    assert space.items().namespaces(suffix=("b", "*")) == [("a", "b", "c"), ("a", "b", "f")]
    assert space.items().namespaces(limit=2, offset=1) == [("a", "b", "d", "e"), ("a", "b", "f")]
    assert space.items("nowhere").namespaces() == []


def test_without_a_query_the_latest_update_is_first(ana: Items, clock: FakeClock):
    for key in "abcd":
        ana.put(key, key)
        clock.forward(seconds=1)
    ana.put("b", "again")
    assert keys(ana.search()) == ["b", "d", "c", "a"]
    assert keys(ana.search(limit=2, offset=1)) == ["d", "c"]
    assert {hit.score for hit in ana.search()} == {None}


VALUES = {
    "one": {"theme": "dark", "n": 1, "tags": ["a", "b"], "user": {"name": "Ana", "age": 30}, "on": True},
    "two": {"theme": "light", "n": 2.5, "tags": [], "user": {"name": "Bo"}, "on": False},
    "three": {"n": "3", "user.name": "Cy", "theme": None},
    "four": ["dark", {"theme": "dark"}],
}


@pytest.mark.parametrize(
    ("filter", "found"),
    [
        ({}, "one two three four"),
        ({"theme": "dark"}, "one"),
        ({"theme": {"$ne": "dark"}}, "two three four"),
        ({"theme": None}, "three four"),
        ({"theme": {"$exists": True}}, "one two three"),
        ({"n": {"$gt": 1}}, "two"),
        ({"n": {"$gte": 1, "$lt": 2.5}}, "one"),
        ({"n": {"$lt": 10**100}}, "one two"),
        ({"n": {"$gt": "2"}}, "three"),
        ({"n": 1.0}, "one"),
        ({"n": "1"}, ""),
        ({"on": 1}, ""),
        ({"on": True}, "one"),
        ({"n": {"$in": [2.5, "3"]}}, "two three"),
        ({"n": {"$nin": [2.5, "3"]}}, "one four"),
        ({"user": {"name": "Ana"}}, "one"),
        ({"user.name": "Ana"}, "one"),
        ({"user.name": "Cy"}, "three"),
        ({"tags": ["a", "b"]}, "one"),
        ({"tags": "a"}, ""),
        ({"tags[*]": "a"}, "one"),
        ({"tags[-1]": {"$eq": "b"}}, "one"),
        ({"[0]": "dark"}, "four"),
        ({"[*].theme": "dark"}, "four"),
        ({"$or": [{"theme": "light"}, {"n": 1}]}, "one two"),
        ({"$and": [{"theme": "dark"}, {"n": 2}]}, ""),
        ({"$not": {"theme": "dark"}}, "two three four"),
        ({"user.age": {"$not": {"$gt": 1}}}, "two three four"),
        ({"theme": "dark' OR '1'='1"}, ""),
        ({"theme' OR '1'='1": "dark"}, ""),
        ({"theme')) UNION SELECT 1 --": {"$ne": "x"}}, "one two three four"),
    ],
)
def test_filters_compare_the_fields_of_values(ana: Items, clock: FakeClock, filter: dict[str, Any], found: str):
    for key, value in reversed(VALUES.items()):
        ana.put(key, value)
        clock.forward(seconds=1)
    assert keys(ana.search(filter=filter)) == found.split()


def test_a_filter_can_have_numbers_that_json_lacks(ana: Items):
    ana.put_many({"key": key, "value": value} for key, value in VALUES.items())
    assert set(keys(ana.search(filter={"n": {"$lte": math.inf}}))) == {"one", "two"}
    assert keys(ana.search(filter={"n": math.nan})) == []


def test_a_filter_is_applied_before_the_limit(ana: Items, memory: Memory):
    ana.put_many({"key": f"k{n}", "value": {"n": n, "even": n % 2 == 0, "text": f"heron {n}"}} for n in range(300))
    memory.flush()
    assert [hit.item.value["n"] for hit in ana.search(filter={"n": {"$lt": 3}}, limit=2)] == [2, 1]
    assert [hit.item.value["n"] for hit in ana.search(filter={"n": {"$lt": 3}}, limit=2, offset=2)] == [0]
    found = ana.search("heron", filter={"n": {"$in": [17, 230]}}, limit=5)
    assert {hit.item.value["n"] for hit in found} == {17, 230}
    assert len(ana.search("heron", filter={"even": True}, limit=500)) == 150


def test_a_search_finds_words_at_once_and_meaning_when_the_vectors_are_made(ana: Items, memory: Memory):
    ana.put("boat", {"note": "The ferry leaves from pier nine", "n": 1})
    ana.put("tree", {"note": "An oak tree grows beside the barn"})
    assert keys(ana.search("ferry")) == ["boat"]
    memory.flush()
    hits = ana.search("which ship sails from the harbour?")
    assert keys(hits)[0] == "boat"
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert all(0 < (hit.score or 0) <= 1 for hit in hits)
    assert keys(memory.space("alice").items("users").search("ferry", limit=1)) == ["boat"]
    assert keys(memory.space("alice").items("others").search("ferry")) == []


def test_index_chooses_what_is_searched(ana: Items):
    value = {"title": "herons", "body": "ponds", "list": [{"x": "oaks"}, {"x": "elms"}], "n": 1234}
    ana.put("all", value)
    ana.put("none", value, index=False)
    ana.put("text", value, text="swans")
    ana.put("fields", value, index=["title", "list[1].x", "n"])
    ana.put("star", value, index=["list[*].x"])
    ana.put("whole", value, index=["$"])
    found = {word: set(keys(ana.search(word))) for word in ("herons", "ponds", "oaks", "elms", "swans", "1234")}
    assert found == {
        "herons": {"all", "fields", "whole"},
        "ponds": {"all", "whole"},
        "oaks": {"all", "star", "whole"},
        "elms": {"all", "fields", "star", "whole"},
        "swans": {"text"},
        "1234": {"fields", "whole"},
    }
    ana.put("all", value, index=False)
    assert "all" not in keys(ana.search("herons"))
    assert ana.get("fields").index == ("title", "list[1].x", "n")


def test_items_change_no_recall(memory: Memory):
    space = memory.space("alice")
    chat = space.conversation("c")
    chat.add("user", "The ferry leaves from pier nine")
    chat.pin("The ferry is late")
    memory.flush()
    before = [(hit.id, hit.score) for hit in space.recall("ferry")]
    space.items("a").put_many({"key": f"k{n}", "value": f"The ferry number {n}"} for n in range(50))
    memory.flush()
    assert [(hit.id, hit.score) for hit in space.recall("ferry")] == before
    with pytest.raises(InvalidInput, match="a kind must be one of"):
        space.recall("ferry", kinds=["item"])


def test_a_recall_finds_items_only_if_asked(ana: Items, memory: Memory):
    space = memory.space("alice")
    space.conversation("c").add("user", "The heron stands at the pond")
    item = ana.put("k", {"note": "A grey heron nests in the elm"})
    memory.flush()
    assert {hit.kind for hit in space.recall("heron")} == {"message"}
    hits = space.recall("grey heron elm", items=("users", "ana"))
    assert {hit.kind for hit in hits} == {"message", "item"}
    (found,) = (hit for hit in hits if hit.kind == "item")
    assert (found.item, found.id, found.text) == (item, '["users","ana","k"]', "A grey heron nests in the elm")
    assert 0 < found.score.relevance <= 1
    assert {hit.kind for hit in space.recall("heron", items="others")} == {"message"}
    assert "item" in {hit.kind for hit in memory.recall(["alice"], "heron", items=True)}


def test_an_expired_item_leaves_every_read_at_once_and_is_erased_by_the_job(
    ana: Items, memory: Memory, clock: FakeClock
):
    ana.put("k", {"text": "herons"}, expires="1h")
    ana.put("stays", {"text": "swans"}, expires=timedelta(days=9))
    memory.flush()
    assert ana.touch("k", "2h").expires_at == clock.now + timedelta(hours=2)
    clock.forward(hours=1)
    assert keys(ana.search("herons"))[0] == "k"
    clock.forward(hours=1)
    assert ana.get("k") is None
    assert "k" not in keys(ana.search("herons")) + keys(ana.search()) + keys(ana.search(filter={"text": "herons"}))
    assert (ana.delete("k"), memory.space("alice").items("x").namespaces()) == (False, [])
    for call in (lambda: ana.touch("k", "1h"), lambda: ana.rename("k", "z")):
        with pytest.raises(NotFound):
            call()
    again = ana.put("k", {"text": "herons"}, expires="1h")
    assert again.created_at == clock.now
    assert keys(ana.search("herons"))[0] == "k"
    assert ana.touch("k", "never").expires_at is None
    ana.put("gone", {"text": "Zephyrine keeps ravens"}, expires="1h")
    clock.forward(hours=1)
    memory.flush()
    assert memory.verify_erasure("Zephyrine keeps ravens").clean
    assert set(keys(ana.search())) == {"k", "stays"}
    assert [finding for finding in memory.doctor() if not finding.ok] == []


def test_a_touch_without_an_expiry_starts_the_duration_of_an_item_anew(ana: Items, clock: FakeClock):
    assert ana.put("k", 1, expires=timedelta(hours=2)).lifetime == 7200
    ana.put("day", 1, expires="2026-04-01")
    ana.put("stays", 1)
    clock.forward(hours=1)
    for _ in range(2):
        assert ana.touch("k").expires_at == clock.now + timedelta(hours=2)
    assert ana.touch("day").expires_at == datetime(2026, 4, 1, 23, 59, 59, 999999, UTC)
    assert ana.touch("stays").expires_at is None
    ana.touch("k", "3h")
    clock.forward(hours=2)
    assert ana.touch("k").expires_at == clock.now + timedelta(hours=3)
    ana.touch("k", "never")
    assert ana.touch("k").expires_at is None
    with pytest.raises(NotFound):
        ana.touch("nobody")


def test_a_hold_keeps_items(ana: Items, memory: Memory):
    space = memory.space("alice")
    ana.put("k", 1)
    space.hold("a claim")
    for call in (lambda: ana.put("k", 2), lambda: ana.delete("k"), ana.clear):
        with pytest.raises(OnHold, match="a claim"):
            call()
    assert ana.put("new", 3).value == 3
    assert ana.rename("k", "l").value == 1
    space.release_hold()
    assert ana.put("l", 2).value == 2


def test_items_of_spaces_are_separate(memory: Memory):
    alice, bob = memory.space("alice").items("a"), memory.space("bob").items("a")
    alice.put("k", "herons of alice")
    bob.put("k", "herons of bob")
    memory.flush()
    assert [(hit.item.space, hit.item.value) for hit in bob.search("herons")] == [("bob", "herons of bob")]
    assert (bob.clear(), alice.get("k").value) == (1, "herons of alice")
    assert memory.space("carol").items().search("x") == memory.space("carol").items().search() == []
    assert memory.space("carol").items().get("k") is None
    assert memory.space("carol").items().clear() == 0


def test_secrets_are_masked_if_the_space_stores_masked_text(ana: Items, memory: Memory):
    memory.space("alice").set("mask_stored", True)
    item = ana.put("k", {"note": "card 4111 1111 1111 1111"}, text="card 4111 1111 1111 1111")
    assert "4111" not in f"{item}"
    assert ana.search("4111") == []


def test_changes_name_the_item(ana: Items, memory: Memory):
    ana.put("k", 1)
    ana.put("k", 2)
    ana.delete("k")
    ana.put("l", 1)
    changes = [(one.action, one.record) for one in memory.space("alice").changes(0) if one.kind == "item"]
    assert changes == [("added", None), ("changed", None), ("removed", None), ("added", '["users","ana","l"]')]


def test_the_async_items_have_the_same_methods(path: str):
    async def run() -> list[Item]:
        async with AsyncMemory(path, worker=False, environment={}) as mem:
            items = mem.space("alice").items("a")
            await items.put("k", {"n": 1})
            await items.put_many([{"key": "l", "value": 2}])
            assert await items.rename("l", "m") == await items.get("m")
            assert await items.namespaces() == [("a",)]
            return [hit.item for hit in await items.search(filter={"n": 1})]

    assert [item.key for item in asyncio.run(run())] == ["k"]


def test_ten_thousand_items_are_listed_and_searched(ana: Items, memory: Memory):
    ana.put_many(
        {"key": f"k{n}", "value": {"n": n, "text": f"note {n} of {n % 7}"}, "namespace": f"n{n % 10}"}
        for n in range(10_000)
    )
    assert len(ana.search(limit=20_000)) == 10_000
    assert keys(ana.search(filter={"text": "note 77 of 0"})) == ["k77"]
    assert len(ana.namespaces()) == 10


def test_items_are_exported_and_imported(
    ana: Items, memory: Memory, open_memory: Callable[..., Memory], tmp_path: Path
):
    ana.put("k", VERBATIM, expires="30d")
    ana.put("l", {"note": "herons"}, index=["note"], text="swans")
    ana.put("none", 1, index=False)
    alice = memory.space("alice")
    folder = alice.export(tmp_path / "export")
    other = open_memory(str(tmp_path / "other.db"), clock=memory.now)
    for _ in range(2):  # repeating it changes nothing
        other.import_space(folder)
        assert [hit.item for hit in other.space("alice").items().search()] == [hit.item for hit in ana.search()]
    assert keys(other.space("alice").items().search("herons")) == ["l"]
    assert keys(other.space("alice").items().search("Zoë")) == ["k"]
    assert (
        other.space("alice").export(tmp_path / "again").joinpath("items.json").read_bytes()
        == (folder / "items.json").read_bytes()
    )


def test_items_are_copied(ana: Items, memory: Memory, open_memory: Callable[..., Memory], tmp_path: Path):
    ana.put("k", VERBATIM, expires="30d")
    ana.put("l", {"note": "herons"}, index=["note"], text="swans")
    third = open_memory(str(tmp_path / "third.db"), clock=memory.now)
    assert memory.copy_to(third).spaces == 1
    assert json.dumps(third.space("alice").items(("users", "ana")).get("k").value) == json.dumps(VERBATIM)
    assert [finding for finding in third.doctor() if not finding.ok] == []


def test_a_bad_file_of_items_gets_a_clear_error(ana: Items, memory: Memory, tmp_path: Path):
    ana.put("k", 1)
    folder = memory.space("alice").export(tmp_path / "export")
    (folder / "items.json").write_text('[\n{"namespace": ["a", ""], "key": "k", "value": 1}\n]\n')
    with pytest.raises(InvalidInput, match=r"items\.json.*segment of a namespace is empty"):
        memory.import_space(folder, space="bob")


@pytest.mark.parametrize(
    ("target", "left"),
    [
        ({"items": ("users", "ana"), "key": "raven"}, {"swan", "other"}),
        ({"items": "users"}, {"other"}),
        ({"before": "2026-03-01T12:00:00Z"}, {"swan"}),
        ({"everything": True}, set()),
    ],
)
def test_forgotten_items_leave_no_trace(
    ana: Items, memory: Memory, clock: FakeClock, target: dict[str, Any], left: set[str]
):
    alice = memory.space("alice")
    ana.put("raven", {"note": "Zephyrine keeps ravens"})
    alice.items("x").put("other", {"note": "the other one"})
    clock.forward(days=1)
    ana.put("swan", {"note": "Swans at the lake"})
    memory.flush()
    assert keys(ana.search("Zephyrine"))[0] == "raven"
    preview = alice.forget(**target, dry_run=True)
    erasure = alice.forget(**target)
    assert [(each.kind, each.count) for each in erasure.erased if each.kind == "item"] == [("item", 3 - len(left))]
    assert preview.erased == erasure.erased
    memory.flush()
    assert memory.verify_erasure("Zephyrine keeps ravens").clean
    assert {hit.item.key for hit in alice.items().search()} == left
    assert [finding for finding in memory.doctor() if not finding.ok] == []


def test_what_is_not_there_cannot_be_forgotten(ana: Items, memory: Memory):
    ana.put("k", 1)
    with pytest.raises(NotFound, match="there is no item 'z' in 'users/ana' to forget"):
        memory.space("alice").forget(items=("users", "ana"), key="z")
    with pytest.raises(InvalidInput, match="name its namespace too"):
        memory.space("alice").forget(fact="f", key="z")


def test_a_deleted_item_is_gone_from_the_store_with_the_next_scrub(ana: Items, memory: Memory):
    ana.put("raven", {"note": "Zephyrine keeps ravens"})
    ana.put("swan", {"note": "Swans at the lake"})
    memory.flush()
    ana.put("raven", {"note": "Nothing of it"})
    memory.space("alice").forget(items=("users", "ana"), key="swan")
    memory.flush()
    assert memory.verify_erasure("Zephyrine keeps ravens").clean


def test_a_deleted_space_has_no_items(ana: Items, memory: Memory):
    ana.put("k", "herons")
    memory.flush()
    memory.space("alice").delete()
    assert ana.search() == ana.search("herons") == []
    assert [finding for finding in memory.doctor() if not finding.ok] == []


def test_the_doctor_makes_lost_notes_again(ana: Items, memory: Memory):
    ana.put("k", {"note": "herons"}, index=["note"])
    ana.put("n", 1)
    memory.flush()
    sql(memory, "DELETE FROM notes")
    assert not all(finding.ok for finding in memory.doctor())
    memory.doctor(repair=True)
    memory.flush()
    assert [finding for finding in memory.doctor() if not finding.ok] == []
    assert keys(ana.search("herons")) == ["k"]
