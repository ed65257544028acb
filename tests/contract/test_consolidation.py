"""Tests consolidation: dry runs, archiving, merging, and undo."""

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
def test_a_dry_run_reports_the_plan_and_changes_nothing(alice):
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
def test_weak_old_facts_are_archived_and_others_stay_active(alice, clock):
    alice.remember("Allergic to peanuts", kind="constraint")
    done = alice.consolidate()
    assert (done.archived, done.merged) == (2, 0)
    assert texts(alice) == {"Allergic to peanuts"}
    assert texts(alice, "archived") == {"Prefers window seats", "Wants to sail around the world"}
    assert alice.consolidate().records == ()  # a second run finds nothing


@pytest.mark.req("B15", "B7")
def test_recently_recalled_facts_stay_active(memory, alice):
    (hit,) = alice.recall("window seats", kinds=["fact"])
    memory.flush()
    alice.consolidate()
    assert texts(alice) == {hit.text}


def test_facts_younger_than_the_cutoff_stay_active(alice, clock):
    assert alice.consolidate(days=61, dry_run=True).records == ()
    assert len(alice.consolidate(days=59, dry_run=True).records) == 2


@pytest.mark.req("B15")
def test_the_last_consolidation_can_be_undone(alice, clock):
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


def test_undo_keeps_later_decisions(alice):
    seats, world = alice.facts()
    alice.consolidate()
    alice.reject(seats.id)
    alice.undo_consolidation()
    assert (alice.fact(seats.id).status, alice.fact(world.id).status) == ("rejected", "active")


@pytest.mark.req("B15", "X9")
def test_duplicate_facts_are_merged_with_their_evidence_and_undo_splits_them(memory, clock):
    space = memory.space("alice")
    one, two = (space.conversation(name).add("user", "I live in Lisbon.") for name in ("a", "b"))
    memory.flush()
    (fact,) = space.facts()
    # A duplicate, as concurrent processes or an older version can leave it.
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
    """Returns a space whose home fact is archived, and the conversation that is its source."""
    space = memory.space("alice")
    chat = space.conversation("work")
    chat.add("user", "I live in Porto.")
    memory.flush()
    clock.forward(days=200)
    assert space.consolidate().archived == 1
    return space, chat


@pytest.mark.req("B15", "X9")
def test_undo_keeps_a_newer_fact_active_and_marks_the_restored_fact_as_superseded(memory, clock):
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


def test_undo_keeps_two_successive_newer_facts_in_order(memory, clock):
    space, chat = archived_home(memory, clock)
    for town in ("Rome", "Milan"):
        chat.add("user", f"I live in {town} now.")
        memory.flush()
        clock.forward(days=10)
    space.undo_consolidation()
    stay = {fact.value: (fact.status, fact.valid_from, fact.valid_until) for fact in space.facts(status=None)}
    assert [stay[town][0] for town in ("Porto", "Rome", "Milan")] == ["superseded", "superseded", "active"]
    assert stay["Porto"][2] == stay["Rome"][1] < stay["Rome"][2] == stay["Milan"][1]


def test_a_restored_fact_newer_than_its_replacement_becomes_pending(memory, clock):
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
def test_undo_leaves_no_fact_without_evidence(memory, by_hand):
    space = memory.space("alice")
    chat = space.conversation("work")
    first, second = chat.add("user", "I live in Porto."), chat.add("user", "The city again.")
    memory.flush()
    (stays,) = space.facts()
    if by_hand:
        stays = space.edit_fact(stays.id, text="user lives in Porto, by the sea", value="Porto")
    merged = space.remember("Town", subject="town", attribute="home", value="Porto", source=second.id)
    merged = space.edit_fact(merged.id, subject="user")
    assert [(r.id, r.into) for r in space.consolidate().records] == [(merged.id, stays.id)]
    space.forget(message=first.id)
    space.undo_consolidation()
    assert [[e.message_id for e in fact.evidence] for fact in space.facts()] == [[second.id]]
    assert all(finding.ok for finding in memory.doctor())


def test_a_fact_merged_into_a_rejected_fact_stays_archived(memory):
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
def test_an_age_beyond_the_calendar_is_rejected(alice, days):
    with pytest.raises(InvalidInput, match="before the year 1"):
        alice.consolidate(days=days)


def test_consolidating_an_empty_space_does_nothing(memory):
    done = memory.space("nobody").consolidate()
    assert (done.looked_at, done.records) == (0, ())
    assert memory.space("nobody").info() is None


@pytest.mark.req("B15")
def test_thousands_of_facts_are_consolidated_in_pages(memory, clock):
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
def test_overlapping_episodes_are_merged_and_undo_splits_them(memory):
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
def test_archived_facts_are_not_recalled_until_they_are_restored(memory, alice):
    assert [hit.text for hit in alice.recall("window seats", kinds=["fact"])] == ["Prefers window seats"]
    alice.consolidate()
    assert list(alice.recall("window seats", kinds=["fact"])) == []
    alice.undo_consolidation()
    assert [hit.text for hit in alice.recall("window seats", kinds=["fact"])] == ["Prefers window seats"]
    assert all(finding.ok for finding in memory.doctor())


def test_what_was_merged_into_a_removed_episode_does_not_return(memory, tmp_path):
    space = memory.space("alice")
    chat = space.conversation("c")
    chat.add("user", "I moved to Lisbon.")
    for _ in range(3):
        chat.note_episode("Moved", type="task_completed", first=0, last=0)
    assert space.consolidate().merged == 2
    (episode,) = chat.episodes()
    chat.remove_episode(episode.id)
    space.undo_consolidation()
    assert chat.episodes() == []
    assert memory.import_space(space.export(tmp_path / "alice"), space="copy").conversation("c").episodes() == []


def test_what_was_merged_into_a_forgotten_episode_is_an_episode_again(memory):
    space = memory.space("alice")
    chat = space.conversation("c")
    ids = [chat.add("user", f"step {number} of the move").id for number in range(4)]
    large = chat.note_episode("Moved the site", type="task_completed", first=0, last=2, significance=0.8)
    small = chat.note_episode("Moved it", type="task_completed", first=1, last=2)
    (merged,) = space.consolidate().records
    assert (merged.id, merged.into) == (small.id, large.id)
    space.forget(message=ids[0])
    assert [episode.id for episode in chat.episodes()] == [small.id]
    assert all(finding.ok for finding in memory.doctor())
