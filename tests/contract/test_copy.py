"""Tests `memory.copy_to`: a copy has the same records, ids, times, and recall results."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from tests.conftest import FakeClock, sql
from tests.contract.test_export import everything, fill, vars_of

from aforesaid import ConflictError, Conversation, Memory, Space, SpaceCopy

WAYS = [("file", "postgres"), ("postgres", "file"), ("file", "file")]
Pair = tuple[Memory, Memory]
QUESTIONS = ("where in May", "Lisbon", "herons", "猫", "what did we decide about the trip?")


@pytest.fixture(params=WAYS, ids=lambda way: f"{way[0]} to {way[1]}")
def pair(
    request, open_memory: Callable[..., Memory], clock: FakeClock, tmp_path: Path
) -> Iterator[tuple[Memory, Memory]]:
    """Opens a source and a target store of the given kinds."""

    def one(kind: str, name: str) -> Memory:
        store = str(tmp_path / f"{name}.db") if kind == "file" else request.getfixturevalue("address")
        return open_memory(store, clock=clock)

    opened = one(request.param[0], "source"), one(request.param[1], "target")
    yield opened
    for memory in opened:
        memory.close()


to_server = pytest.mark.parametrize("pair", [("file", "postgres")], indirect=True, ids=["file to postgres"])


def fill_all(memory: Memory, clock: FakeClock) -> None:
    """Fills four spaces: all kinds of records, a profile, a revoked consent, and a long conversation."""
    fill(memory, clock)
    sql(memory, "DELETE FROM summaries")  # unlike real summaries, those of `fill` have no lineage
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
    store, names = memory.engine.store, sorted(info.id for info in memory.spaces())
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
def test_a_copy_is_identical_and_copying_again_changes_nothing(pair, clock: FakeClock):
    source, target = pair
    fill_all(source, clock)
    before = whole(source)
    clock.forward(days=30)
    seen: list[tuple[int, int]] = []
    copied = source.copy_to(target, progress=lambda done, total: seen.append((done, total)))
    assert whole(target) == before == whole(source)
    assert (copied.spaces, copied.unchanged, copied.keys) == (4, 0, 2)
    assert copied.records["messages"] == source.status().messages == target.status().messages
    assert seen == sorted(seen)
    assert seen[-1] == (source.status().messages,) * 2
    target.flush(120)
    assert whole(target) == before

    status = target.status()
    clock.forward(days=1)
    reports: list[SpaceCopy] = []
    repeated = source.copy_to(target, tell=reports.append)
    assert (repeated.spaces, repeated.unchanged) == (4, 4)
    assert not any(space.written for space in reports)
    assert (whole(target), target.status()) == (before, status)
    assert answers(target) == answers(source)
    assert all(finding.ok for finding in target.doctor())


@to_server
def test_a_repeated_copy_transfers_changes_and_replace_repairs_the_target(pair, clock: FakeClock):
    source, target = pair
    fill_all(source, clock)
    source.copy_to(target)
    source.space("dora").conversation("long").add("user", "One more word about Faro.")
    source.space("new").conversation("c").add("user", "A new space.")
    source.revoke_key(source.keys()[0].id)
    source.flush()
    reports: list[SpaceCopy] = []
    source.copy_to(target, tell=reports.append)
    assert {space.space for space in reports if space.written} == {"dora", "new"}
    assert whole(target) == whole(source)

    clock.forward(hours=1)
    dora = source.space("dora")
    dora.conversation("long").add("user", "I live in Faro now.")
    dora.conversation("long").end(outcome="moved")
    dora.recall("herons")
    source.flush()
    assert source.copy_to(target).unchanged == 4
    assert whole(target) == whole(source)

    sql(target, "UPDATE facts SET text = 'something else'")
    sql(target, "DELETE FROM pins")
    with pytest.raises(ConflictError, match="its facts, its pins"):
        source.copy_to(target)
    source.copy_to(target, replace=True)
    assert whole(target) == whole(source)


@to_server
def test_a_target_space_with_other_data_is_rejected_and_unchanged(pair, clock: FakeClock):
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
def test_records_added_to_the_target_are_a_conflict(open_memory, clock: FakeClock, tmp_path: Path, kind: str):
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


def small(source: Memory) -> None:
    chat = source.space("ann").conversation("trip")
    chat.add("user", "I live in Berlin")
    chat.add("user", "We decided to use PostgreSQL instead of MySQL.", id="gone")
    chat.pin("Budget 900")
    source.space("ann").remember("Ann likes tea.")
    source.space("ann").remember("Ann likes jazz.")
    source.flush()


def budget(chat: Conversation) -> str:
    return next(pin.id for pin in chat.pins() if pin.content == "Budget 900")


def taste(ann: Space, what: str) -> str:
    return next(fact.id for fact in ann.facts() if what in fact.text)


def removals(source: Memory) -> None:
    ann = source.space("ann")
    ann.conversation("trip").unpin(budget(ann.conversation("trip")))
    ann.conversation("trip").add("user", "one more")
    ann.forget(message="gone")
    ann.archive(taste(ann, "tea"))
    ann.set("chunk_tokens", 200)
    source.flush()


@pytest.mark.req("X15")
def test_a_repeated_copy_deletes_records_that_were_deleted_in_the_source(pair):
    source, target = pair
    small(source)
    source.copy_to(target)
    target.flush()
    removals(source)
    source.copy_to(target)
    assert whole(target) == whole(source)
    assert source.copy_to(target).unchanged == 1


WORK: dict[str, Callable[[Space, Conversation], object]] = {
    "episodes": lambda _, chat: chat.note_episode("We shipped it", type="task_completed", first=0, last=1),
    "pins": lambda _, chat: chat.edit_pin(budget(chat), content="Budget 1500"),
    "facts": lambda ann, _: ann.reject(taste(ann, "tea")),
    "facts, its relations": lambda ann, _: ann.relate(taste(ann, "tea"), "related_to", taste(ann, "jazz")),
    "conversations": lambda _, chat: chat.rename("Japan"),
    "conversations, its status": lambda _, chat: chat.end("booked"),
    "messages": lambda ann, _: ann.forget(message="gone"),
}


@to_server
@pytest.mark.req("X15")
def test_changes_made_in_the_target_are_not_overwritten(pair):
    source, target = pair
    for kind, work in WORK.items():
        small(source)
        source.copy_to(target)
        ann = target.space("ann")
        work(ann, ann.conversation("trip"))
        target.flush()
        before = everything(target, "ann")
        source.space("ann").conversation("trip").add("user", "one more")
        with pytest.raises(ConflictError, match=rf"was used since it was copied.*its {kind.split(',')[0]}"):
            source.copy_to(target)
        assert everything(target, "ann") == before, kind
        source.copy_to(target, spaces=["ann"], replace=True)
        assert whole(target) == whole(source)
        source.space("ann").delete()
        target.space("ann").delete()


@to_server
def test_a_target_space_that_is_not_a_copy_is_a_conflict(pair):
    """Holds even if all its records are in the source, because they can diverge later."""
    source, target = pair
    small(source)
    with TemporaryDirectory() as folder:
        source.space("ann").export(f"{folder}/ann")
        target.import_space(f"{folder}/ann")
    source.space("ann").conversation("trip").add("user", "one more")
    with pytest.raises(ConflictError, match="with other data"):
        source.copy_to(target)
    assert len(target.space("ann").conversation("trip").messages()) == 2


@to_server
def test_a_rejected_space_does_not_stop_the_copy_of_other_spaces(pair):
    source, target = pair
    for name in ("ann", "ben", "carol", "dora"):
        source.space(name).conversation("c").add("user", f"I am {name}")
    for name in ("ann", "carol"):
        target.space(name).conversation("c").add("user", "somebody else")
    with pytest.raises(ConflictError, match=r"(?s)2 were refused.*'ann'.*'carol'") as caught:
        source.copy_to(target)
    assert caught.value.id == "ann"
    assert {info.id for info in target.spaces()} == {"ann", "ben", "carol", "dora"}
    assert target.space("dora").conversation("c").messages()[0].text == "I am dora"


@to_server
def test_background_work_in_the_target_is_no_conflict(pair):
    source, target = pair
    source.space("ann").conversation("c").add("user", "I live in Berlin")
    source.copy_to(target, settle=target.flush)
    assert len(target.space("ann").facts()) == 1
    source.flush()
    source.space("ann").conversation("c").add("user", "I work at Acme")
    source.copy_to(target, settle=target.flush)
    assert len(target.space("ann").conversation("c").messages()) == 2


class Killed(BaseException):
    """Interrupts a copy like a signal."""


@to_server
def test_an_interrupted_repeated_copy_can_be_completed(pair):
    source, target = pair
    small(source)
    source.copy_to(target)
    removals(source)

    def kill(done: int, total: int) -> None:
        raise Killed

    with pytest.raises(Killed):
        source.copy_to(target, progress=kill)
    assert whole(target) != whole(source)
    source.copy_to(target)
    assert whole(target) == whole(source)


def test_a_space_whose_newest_message_was_forgotten_is_copied(pair: Pair) -> None:
    source, target = pair
    chat = source.conversation("trip")
    chat.add("user", "I live in Porto.")
    chat.add("user", "I am allergic to peanuts.", id="gone")
    source.flush()
    source.space("default").forget(message="gone")
    source.flush()
    assert source.copy_to(target).records["messages"] == 1
    assert source.copy_to(target).unchanged == 1
