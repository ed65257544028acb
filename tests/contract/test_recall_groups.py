"""Tests recall by sessions and by turns on every store."""

from datetime import UTC, datetime, timedelta

import pytest

from aforesaid import InvalidInput, Memory
from aforesaid.recall.groups import group_score

START = datetime(2026, 1, 1, 12, tzinfo=UTC)


@pytest.fixture
def alice(memory: Memory):
    """Returns a space with three sessions of one conversation, a day apart, and another conversation."""
    alice = memory.space("alice")
    chat = alice.conversation("birds")
    for day, bird in enumerate(("heron", "stork", "owl")):
        at = START + timedelta(days=day)
        chat.add("user", f"Tell me about the {bird}", id=f"{bird}1", at=at)
        chat.add("assistant", f"The {bird} stands there", id=f"{bird}2", at=at + timedelta(minutes=1))
        chat.add("tool", f"weather at the pond of the {bird}: fine", id=f"{bird}3", at=at + timedelta(minutes=2))
        chat.add("user", "Thank you, and goodbye", id=f"{bird}4", at=at + timedelta(minutes=3))
        chat.add("assistant", "You are welcome", id=f"{bird}5", at=at + timedelta(minutes=4))
    alice.conversation("other").add("user", "A heron is on the roof", id="roof", at=START)
    memory.flush()
    return alice


def ids(group) -> list[str]:
    return [message.id for message in group.messages]


@pytest.mark.req("B11")
def test_a_session_is_returned_whole_and_once(alice):
    hits = alice.recall("Where does the stork stand?", 2, group="session")
    first = hits.groups[0]
    assert (first.kind, first.space, first.conversation) == ("session", "alice", "birds")
    assert ids(first) == ["stork1", "stork2", "stork3", "stork4", "stork5"]
    assert {hit.id for hit in first.hits} <= set(ids(first))
    assert len(hits.groups) == 2
    assert [hit.id for hit in hits] == [hit.id for group in hits.groups for hit in group.hits]
    scores = [group.score for group in hits.groups]
    assert scores == sorted(scores, reverse=True)
    assert len({tuple(ids(group)) for group in hits.groups}) == 2


@pytest.mark.req("B11")
def test_a_turn_comes_with_its_neighbours(alice):
    (group,) = alice.recall("Where does the stork stand?", 1, group="turn").groups
    assert ids(group) == ["heron5", "stork1", "stork2", "stork3", "stork4"]
    assert group.hits[0].id in {"stork1", "stork2", "stork3"}
    (alone,) = alice.recall("heron on the roof", 1, group="turn").groups
    assert ids(alone) == ["roof"]


@pytest.mark.req("B11")
def test_groups_obey_filters_and_hold_nothing_later_or_forgotten(alice, memory):
    alice.forget(message="stork3")
    early = alice.recall("stork", 5, group="session", as_of=START + timedelta(days=1, minutes=1))
    assert [ids(group) for group in early.groups if "stork1" in ids(group)] == [["stork1", "stork2"]]
    there = alice.recall("heron", group="turn", conversation="other")
    assert [group.conversation for group in there.groups] == ["other"]
    assert alice.recall("heron", group="session", kinds=["fact"]).groups == ()
    widened = alice.conversation("other").recall("heron", 5, group="session").groups
    assert {group.conversation for group in widened} == {"birds", "other"}
    assert memory.space("nobody").recall("heron", group="session").groups == ()


@pytest.mark.req("B11", "X34")
def test_groups_of_several_spaces_name_their_space(alice, memory):
    memory.space("team").conversation("c").add("user", "The heron costs 900 euros")
    memory.flush()
    groups = memory.recall(["alice", "team"], "What does the heron cost?", 10, group="session").groups
    assert {group.space for group in groups} == {"alice", "team"}
    assert groups[0].space == "team"


def test_an_unknown_group_is_refused_and_a_recall_without_one_has_none(alice):
    assert alice.recall("heron").groups == ()
    with pytest.raises(InvalidInput, match="group"):
        alice.recall("heron", group="day")


def test_further_hits_raise_a_group_less_and_less():
    assert group_score([0.8], 0.1) == 0.8
    assert group_score([0.4, 0.8, 0.2], 0.2) == pytest.approx(0.8 + 0.1)
    assert group_score([0.8, 0.1], 0.1) == 0.8
