"""A whole store moves into another one: the same records, ids and times, and the same answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.conftest import FakeClock, sql
from tests.contract.test_portable import everything, fill, vars_of

from recollect import ConflictError, CopiedSpace, Memory

WAYS = [("file", "postgres"), ("postgres", "file"), ("file", "file")]
Pair = tuple[Memory, Memory]
QUESTIONS = ("where in May", "Lisbon", "herons", "猫", "what did we decide about the trip?")


@pytest.fixture(params=WAYS, ids=lambda way: f"{way[0]} to {way[1]}")
def pair(
    request, open_memory: Callable[..., Memory], clock: FakeClock, tmp_path: Path
) -> Iterator[tuple[Memory, Memory]]:
    """Two stores, of each two kinds."""

    def one(kind: str, name: str) -> Memory:
        store = str(tmp_path / f"{name}.db") if kind == "file" else request.getfixturevalue("address")
        return open_memory(store, clock=clock)

    opened = one(request.param[0], "source"), one(request.param[1], "target")
    yield opened
    for memory in opened:
        memory.close()


to_server = pytest.mark.parametrize("pair", [("file", "postgres")], indirect=True, ids=["file to postgres"])


def fill_all(memory: Memory, clock: FakeClock) -> None:
    """A space with everything in it, one with a profile, one that has revoked its consent, one that is empty."""
    fill(memory, clock)
    sql(memory, "DELETE FROM summaries")  # those of `fill` say not what they were made from; real ones do, as dora's
    ann, ben = memory.space("ann"), memory.space("ben 'b' %s :x")
    ann.grant_consent(by="ann", note="yes")
    ann.set_profile({"city": "Porto"}, text="about")
    clock.forward(days=1)
    ann.set_profile({"city": "Rome", "age": 41})
    ann.remember("Ann has a bicycle.", kind="fact")
    ben.grant_consent(by="ben")
    clock.forward(hours=1)
    ben.revoke_consent(by="ben")
    chat = memory.space("dora").conversation("long")
    chat.add_many({"role": "user", "content": f"Herons were seen at pond {n} near Porto."} for n in range(60))
    chat.add("user", "I live in Porto.")
    chat.add("user", "I live in Rome now.")
    chat.add("user", "This is to be forgotten.", id="gone")
    chat.add("user", "And this stays.")
    memory.space("dora").forget(message="gone")
    memory.create_key("app", access="read", spaces=["ann"])
    memory.revoke_key(memory.create_key("old").key.id)
    memory.flush()


def whole(memory: Memory) -> dict[str, object]:
    store, names = memory._store, sorted(info.id for info in memory.spaces())
    return {
        "spaces": {name: everything(memory, name) for name in names},
        "consents": [vars_of(store.profiles.consent(name)) for name in names],
        "profiles": [store.profiles.history(name) for name in names],
        "audits": [store.audit.list(name, None, None, 1000) for name in names],
        "keys": [store.keys.get(key.id) for key in store.keys.list()],
    }


def answers(memory: Memory) -> list[list[tuple[str, str]]]:
    return [
        [(hit.kind, hit.id) for hit in memory.space(space).recall(question, limit=20)]
        for space in ("alice", "dora")
        for question in QUESTIONS
    ]


@pytest.mark.req("X15")
def test_a_copied_store_is_the_same_and_answers_the_same(pair, clock: FakeClock):
    source, target = pair
    fill_all(source, clock)
    before = whole(source)
    clock.forward(days=30)
    done = source.copy_to(target)
    assert whole(target) == before == whole(source)
    assert (done.spaces, done.unchanged, done.keys) == (4, 0, 2)
    assert done.records["messages"] == source.status().messages == target.status().messages
    target.flush(120)
    assert whole(target) == before
    assert answers(target) == answers(source)
    assert all(finding.ok for finding in target.doctor())


@pytest.mark.req("X15")
def test_copying_twice_changes_nothing(pair, clock: FakeClock):
    source, target = pair
    fill_all(source, clock)
    source.copy_to(target)
    target.flush(120)
    before, status = whole(target), target.status()
    clock.forward(days=1)
    told: list[CopiedSpace] = []
    done = source.copy_to(target, tell=told.append)
    assert (done.spaces, done.unchanged) == (4, 4)
    assert not any(space.written for space in told)
    assert (whole(target), target.status()) == (before, status)


@to_server
def test_what_came_since_is_copied_by_repeating_it(pair, clock: FakeClock):
    source, target = pair
    fill_all(source, clock)
    source.copy_to(target)
    source.space("dora").conversation("long").add("user", "One more word about Faro.")
    source.space("new").conversation("c").add("user", "A new space.")
    source.revoke_key(source.keys()[0].id)
    source.flush()
    told: list[CopiedSpace] = []
    source.copy_to(target, tell=told.append)
    assert {space.space for space in told if space.written} == {"dora", "new"}
    assert whole(target) == whole(source)


@to_server
def test_other_data_under_the_same_name_is_refused_and_left_alone(pair, clock: FakeClock):
    source, target = pair
    fill_all(source, clock)
    target.space("dora").conversation("long").add("user", "somebody else's first words")
    before = everything(target, "dora")
    with pytest.raises(ConflictError, match=r"'dora' with other data \(its messages\)"):
        source.copy_to(target)
    assert everything(target, "dora") == before
    target.space("dora").delete()
    source.copy_to(target)
    assert whole(target) == whole(source)


@pytest.mark.parametrize("kind", ["conversations", "pins", "facts", "settings", "profile"])
def test_whatever_somebody_put_there_himself_is_other_data(open_memory, clock: FakeClock, tmp_path: Path, kind: str):
    source, target = (open_memory(str(tmp_path / name), clock=clock) for name in ("source.db", "target.db"))
    source.space("ann").conversation("c").add("user", "hello")
    source.copy_to(target)
    ann = target.space("ann")
    ann.grant_consent(by="ann")
    {
        "conversations": lambda: ann.conversation("d").start(),
        "pins": lambda: ann.conversation("c").pin("mine"),
        "facts": lambda: ann.remember("Ann has a bicycle.", kind="fact"),
        "settings": lambda: ann.set("chunk_tokens", 200),
        "profile": lambda: ann.set_profile({"city": "Porto"}),
    }[kind]()
    source.space("ann").conversation("c").add("user", "more")
    with pytest.raises(ConflictError, match=rf"its {kind}"):
        source.copy_to(target)
    assert len(ann.conversation("c").messages()) == 1


@to_server
def test_what_changed_since_is_brought_up_to_date(pair, clock: FakeClock):
    source, target = pair
    fill_all(source, clock)
    source.copy_to(target)
    clock.forward(hours=1)
    dora = source.space("dora")
    dora.conversation("long").add("user", "I live in Faro now.")
    dora.conversation("long").end(outcome="moved")
    dora.recall("herons")
    source.flush()
    done = source.copy_to(target)
    assert done.unchanged == 3
    assert whole(target) == whole(source)


@to_server
def test_a_copy_that_lost_something_is_mended(pair, clock: FakeClock):
    source, target = pair
    fill_all(source, clock)
    source.copy_to(target)
    sql(target, "UPDATE facts SET text = 'something else'")
    sql(target, "DELETE FROM pins")
    source.copy_to(target)
    assert whole(target) == whole(source)


@to_server
def test_progress_goes_up_to_all_messages(pair, clock: FakeClock):
    source, target = pair
    fill_all(source, clock)
    seen: list[tuple[int, int]] = []
    source.copy_to(target, progress=lambda done, total: seen.append((done, total)))
    total = source.status().messages
    assert seen == sorted(seen)
    assert seen[-1] == (total, total)
