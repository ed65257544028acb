"""Consolidation: shown first, done in one transaction, undone if wrong; nothing is ever deleted."""

from datetime import timedelta

import pytest
from tests.conftest import sql

from aforesaid import InvalidInput, Memory, NotFound


@pytest.fixture
def alice(memory: Memory, clock):
    space = memory.space("alice")
    space.remember("Prefers window seats", kind="preference")
    space.remember("Wants to sail around the world", kind="goal")
    clock.forward(days=60)
    return space


def texts(space, status="active"):
    return {fact.text for fact in space.facts(status=status)}


@pytest.mark.req("B15")
def test_a_dry_run_says_what_would_be_done_and_changes_nothing(alice):
    before = alice.facts(status=None)
    planned = alice.consolidate(dry_run=True)
    assert (planned.id, planned.looked_at, planned.archived, planned.merged) == ("", 2, 2, 0)
    assert [(one.action, one.text, one.strength) for one in planned.records] == [
        ("archived", "Prefers window seats", 0.15),
        ("archived", "Wants to sail around the world", 0.2),
    ]
    assert planned.tokens == sum(fact.tokens for fact in before)
    assert alice.facts(status=None) == before
    assert alice.consolidations() == []


@pytest.mark.req("B15", "B7")
def test_what_is_weak_and_old_is_archived_and_the_rest_stays(alice, clock):
    alice.remember("Allergic to peanuts", kind="constraint")
    done = alice.consolidate()
    assert (done.archived, done.merged) == (2, 0)
    assert texts(alice) == {"Allergic to peanuts"}
    assert texts(alice, "archived") == {"Prefers window seats", "Wants to sail around the world"}
    assert alice.consolidate().records == ()  # nothing is left to do


@pytest.mark.req("B15", "B7")
def test_what_was_asked_for_lately_is_spared(memory, alice):
    (hit,) = alice.recall("window seats", kinds=["fact"])
    memory.flush()
    alice.consolidate()
    assert texts(alice) == {hit.text}


def test_the_cutoff_spares_what_is_younger(alice, clock):
    assert alice.consolidate(days=61, dry_run=True).records == ()
    assert len(alice.consolidate(days=59, dry_run=True).records) == 2


@pytest.mark.req("B15")
def test_the_last_consolidation_is_undone(alice, clock):
    before = alice.facts()
    clock.forward(days=1)
    alice.consolidate()
    clock.forward(days=1)
    back = alice.undo_consolidation()
    assert back.undone_at == clock()
    assert [(f.id, f.status, f.known_until) for f in alice.facts()] == [(f.id, "active", None) for f in before]
    assert alice.consolidations()[0].undone_at == clock()
    with pytest.raises(NotFound, match="no consolidation to undo"):
        alice.undo_consolidation()


def test_what_was_decided_since_is_not_undone(alice):
    seats, world = alice.facts()
    alice.consolidate()
    alice.reject(seats.id)
    alice.undo_consolidation()
    assert (alice.fact(seats.id).status, alice.fact(world.id).status) == ("rejected", "active")


@pytest.mark.req("B15", "X9")
def test_what_says_the_same_is_merged_with_all_its_evidence_and_parts_again(memory, clock):
    space = memory.space("alice")
    one, two = (space.conversation(name).add("user", "I live in Lisbon.") for name in ("a", "b"))
    memory.flush()
    (fact,) = space.facts()
    # A double, as two processes or an older version may have left it.
    copied = space.remember("user lives in Lisbon, near the river", source=two.id)
    _rewrite(memory, copied.id, fact.id)
    assert {e.message_id for e in space.fact(fact.id).evidence} == {one.id, two.id}
    _forget_evidence(memory, fact.id, two.id)

    done = space.consolidate()
    assert [(r.action, r.id, r.into) for r in done.records] == [("merged", copied.id, fact.id)]
    assert {e.message_id for e in space.fact(fact.id).evidence} == {one.id, two.id}
    assert space.fact(copied.id).status == "archived"
    assert [(r.source, r.kind, r.target) for r in space.relations(copied.id)] == [(copied.id, "part_of", fact.id)]

    space.undo_consolidation()
    assert {e.message_id for e in space.fact(fact.id).evidence} == {one.id}
    assert space.fact(copied.id).status == "active"
    assert space.relations(copied.id) == []


def archived_home(memory, clock):
    """A space that has put away where its user lives, and the conversation that said it."""
    space = memory.space("alice")
    chat = space.conversation("work")
    chat.add("user", "I live in Porto.")
    memory.flush()
    clock.forward(days=200)
    assert space.consolidate().archived == 1
    return space, chat


@pytest.mark.req("B15", "X9")
def test_what_took_the_place_of_a_fact_meanwhile_keeps_it_when_the_fact_is_back(memory, clock):
    space, chat = archived_home(memory, clock)
    chat.add("user", "I live in Rome now.")
    memory.flush()
    moved = clock()
    clock.forward(days=10)
    space.undo_consolidation()
    rome, porto = sorted(space.facts(status=None), key=lambda fact: fact.status)
    assert (rome.value, rome.status, rome.valid_from) == ("Rome", "active", moved)
    assert (porto.value, porto.status, porto.valid_until) == ("Porto", "superseded", moved)
    assert [(r.source, r.kind, r.target) for r in space.relations(porto.id)] == [(rome.id, "supersedes", porto.id)]
    assert [fact.value for fact in space.facts(as_of=moved - timedelta(days=1))] == ["Porto"]
    assert [hit.text for hit in space.recall("where do I live", kinds=["fact"])] == [rome.text]
    space.undo(porto.id)
    assert {fact.value: fact.status for fact in space.facts(status=None)} == {"Porto": "active", "Rome": "pending"}
    assert all(finding.ok for finding in memory.doctor())


def test_two_that_took_its_place_one_after_the_other_keep_it(memory, clock):
    space, chat = archived_home(memory, clock)
    for town in ("Rome", "Milan"):
        chat.add("user", f"I live in {town} now.")
        memory.flush()
        clock.forward(days=10)
    space.undo_consolidation()
    stay = {fact.value: (fact.status, fact.valid_from, fact.valid_until) for fact in space.facts(status=None)}
    assert [stay[town][0] for town in ("Porto", "Rome", "Milan")] == ["superseded", "superseded", "active"]
    assert stay["Porto"][2] == stay["Rome"][1] < stay["Rome"][2] == stay["Milan"][1]


def test_a_fact_that_is_newer_than_what_took_its_place_waits_for_a_decision(memory, clock):
    space, chat = archived_home(memory, clock)
    chat.add("user", "I live in Rome.", at=clock() - timedelta(days=300))
    memory.flush()
    space.undo_consolidation()
    (rome,) = space.facts()
    (porto,) = space.facts(status="pending")
    assert (rome.value, porto.value) == ("Rome", "Porto")
    assert [(r.source, r.kind, r.target) for r in space.relations()] == [(porto.id, "contradicts", rome.id)]
    assert {fact.value for fact in space.review()} == {"Porto", "Rome"}


@pytest.mark.req("X3", "X10")
@pytest.mark.parametrize("by_hand", [False, True])
def test_a_fact_that_lost_its_own_words_is_not_left_without_any(memory, by_hand):
    space = memory.space("alice")
    chat = space.conversation("work")
    first, second = chat.add("user", "I live in Porto."), chat.add("user", "The city again.")
    memory.flush()
    (stays,) = space.facts()
    if by_hand:
        stays = space.edit_fact(stays.id, text="user lives in Porto, by the sea")
    merged = space.remember("Town", subject="town", attribute="home", value="Porto", source=second.id)
    merged = space.edit_fact(merged.id, subject="user")
    assert [(r.id, r.into) for r in space.consolidate().records] == [(merged.id, stays.id)]
    space.forget(message=first.id)
    space.undo_consolidation()
    assert [[e.message_id for e in fact.evidence] for fact in space.facts()] == [[second.id]]
    assert all(finding.ok for finding in memory.doctor())


def test_what_was_merged_into_a_fact_that_was_rejected_since_stays_away(memory):
    space = memory.space("alice")
    space.conversation("work").add("user", "I live in Porto.")
    memory.flush()
    (stays,) = space.facts()
    merged = space.remember("Town", subject="town", attribute="home", value="Porto")
    merged = space.edit_fact(merged.id, subject="user")
    assert space.consolidate().merged == 1
    space.reject(stays.id)
    space.undo_consolidation()
    assert (space.facts(), space.fact(merged.id).status) == ([], "archived")


@pytest.mark.parametrize("days", [800_000, 999_999, 2**40])
def test_days_that_no_calendar_has_are_refused(alice, days):
    with pytest.raises(InvalidInput, match="before the year 1"):
        alice.consolidate(days=days)


def test_a_space_without_memories_has_nothing_to_consolidate(memory):
    done = memory.space("nobody").consolidate()
    assert (done.looked_at, done.records) == (0, ())
    assert memory.space("nobody").info() is None


@pytest.mark.req("B15")
def test_thousands_of_memories_are_read_a_page_at_a_time(memory, clock):
    """No more than a page of them is ever in memory: what is kept of each is a digest."""
    space = memory.space("alice")
    space.remember("the first of many")
    _multiply(memory, 2_000)
    clock.forward(days=365)
    done = space.consolidate()
    assert (done.looked_at, done.archived, len(done.records)) == (2_001, 2_001, 1_000)
    assert space.undo_consolidation().archived == 2_001
    assert len(space.facts(limit=10_000)) == 2_001


def _write(memory: Memory, statement: str, values: dict[str, object]) -> None:
    sql(memory, statement, values)


def _rewrite(memory: Memory, copied: str, original: str) -> None:
    sql = """UPDATE facts SET (subject, subject_key, attribute, attribute_key, value, value_key) =
             (SELECT subject, subject_key, attribute, attribute_key, value, value_key FROM facts WHERE id = :original)
             WHERE id = :copied"""
    _write(memory, sql, {"copied": copied, "original": original})


def _forget_evidence(memory: Memory, fact: str, message: str) -> None:
    sql = """DELETE FROM evidence WHERE fact_key = (SELECT fact_key FROM facts WHERE id = :fact)
             AND message_key = (SELECT message_key FROM messages WHERE id = :message)"""
    _write(memory, sql, {"fact": fact, "message": message})


def _multiply(memory: Memory, count: int) -> None:
    sql = """WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :count)
             INSERT INTO facts (space_key, id, kind, subject, text, status, confidence, importance, tags, method,
                                tokens, known_from, created_at, updated_at, subject_key)
             SELECT space_key, id || n.i, kind, subject, text || n.i, status, confidence, importance, tags, method,
                    tokens, known_from, created_at, updated_at, subject_key FROM facts, n"""
    _write(memory, sql, {"count": count})


@pytest.mark.req("B15", "B8")
def test_overlapping_episodes_become_one_and_part_again(memory):
    chat = memory.space("alice").conversation("work")
    chat.add_many([{"role": "user", "content": f"step {number} of the move"} for number in range(10)])
    large = chat.note_episode("Moved the site", type="task_completed", first=0, last=6, significance=0.8)
    small = chat.note_episode("Moved it", type="task_completed", first=4, last=8, significance=0.5)
    apart = chat.note_episode("Slow disk", type="issue_identified", first=4, last=8, significance=0.5)
    done = memory.space("alice").consolidate()
    assert [(one.record, one.id, one.into) for one in done.records] == [("episode", small.id, large.id)]
    assert [(e.id, e.first_seq, e.last_seq) for e in chat.episodes()] == [(large.id, 0, 8), (apart.id, 4, 8)]
    assert all(finding.ok for finding in memory.doctor())
    memory.space("alice").undo_consolidation()
    assert [(e.id, e.first_seq, e.last_seq) for e in chat.episodes()] == [
        (large.id, 0, 6),
        (small.id, 4, 8),
        (apart.id, 4, 8),
    ]
    assert all(finding.ok for finding in memory.doctor())


@pytest.mark.req("B15")
def test_what_is_archived_is_not_recalled_until_it_is_back(memory, alice):
    assert [hit.text for hit in alice.recall("window seats", kinds=["fact"])] == ["Prefers window seats"]
    alice.consolidate()
    assert list(alice.recall("window seats", kinds=["fact"])) == []
    alice.undo_consolidation()
    assert [hit.text for hit in alice.recall("window seats", kinds=["fact"])] == ["Prefers window seats"]
    assert all(finding.ok for finding in memory.doctor())
