"""Tests facts of several speakers in one space."""

import pytest

from aforesaid import Memory


@pytest.fixture
def team(memory: Memory):
    return memory.space("team")


def said(memory, space, *lines, conversation="c"):
    for name, text in lines:
        space.conversation(conversation).add("user", text, name=name)
        memory.flush()
    return {(fact.subject, fact.text): fact.status for fact in space.facts(status=None)}


@pytest.mark.req("X9", "X10")
def test_a_fact_of_one_speaker_does_not_supersede_a_fact_of_another(memory, team):
    facts = said(
        memory,
        team,
        ("anna", "I live in Rome. I'm vegan."),
        ("bob", "I live in Oslo. My name is Bob."),
        ("anna", "My name is Anna."),
    )
    assert facts == {
        ("anna", "anna lives in Rome"): "active",
        ("anna", "anna is vegan"): "active",
        ("anna", "anna's name is Anna"): "active",
        ("bob", "bob lives in Oslo"): "active",
        ("bob", "bob's name is Bob"): "active",
    }
    assert {(fact.subject, fact.evidence[0].speaker) for fact in team.facts()} == {("anna", "anna"), ("bob", "bob")}
    assert team.relations() == []


@pytest.mark.req("X9")
def test_each_speaker_supersedes_their_own_facts(memory, team):
    facts = said(
        memory,
        team,
        ("anna", "I live in Rome."),
        ("bob", "I live in Oslo."),
        ("Bob", "I live in Bergen now."),
        ("anna", "I live in Milan now."),
    )
    assert facts == {
        ("anna", "anna lives in Rome"): "superseded",
        ("bob", "bob lives in Oslo"): "superseded",
        ("Bob", "Bob lives in Bergen"): "active",
        ("anna", "anna lives in Milan"): "active",
    }


def test_a_relative_belongs_to_the_speaker_who_mentions_them(memory, team):
    facts = said(memory, team, ("anna", "My sister is called Eva."), ("bob", "My daughter is called Eva."))
    assert [text for (_, text), status in facts.items() if status == "active"] == [
        "Eva is anna's sister",
        "Eva is bob's daughter",
    ]


@pytest.mark.req("X9")
def test_a_speaker_without_a_name_and_one_with_the_name_of_the_space_are_the_user(memory):
    facts = said(
        memory,
        memory.space("anna"),
        (None, "I live in Rome."),
        ("Anna", "I live in Milan now."),
        ("bob", "I live in Oslo."),
        (None, "I live in Bari now."),
    )
    assert facts == {
        ("user", "user lives in Rome"): "superseded",
        ("user", "user lives in Milan"): "superseded",
        ("bob", "bob lives in Oslo"): "active",
        ("user", "user lives in Bari"): "active",
    }


def test_a_speaker_keeps_their_name_after_the_first_message_is_forgotten(memory, team):
    said(memory, team, ("anna", "I live in Rome."), ("bob", "I live in Oslo."), ("anna", "I'm vegan."))
    first = team.conversation("c").messages()[0]
    team.forget(message=first.id)
    facts = said(memory, team, ("bob", "I'm vegetarian."))
    assert facts == {
        ("bob", "bob lives in Oslo"): "active",
        ("anna", "anna is vegan"): "active",
        ("bob", "bob is vegetarian"): "active",
    }


def test_a_fact_of_another_speaker_stays_when_one_of_its_messages_is_forgotten(memory, team):
    said(memory, team, ("anna", "I live in Rome."), ("bob", "I live in Oslo."), ("bob", "I live in Oslo."))
    second = team.conversation("c").messages()[1]
    team.forget(message=second.id)
    assert [fact.text for fact in team.facts(subject="bob")] == ["bob lives in Oslo"]
    assert all(finding.ok for finding in memory.doctor())


@pytest.mark.parametrize("name", ["user", "Human", "me", "Project", "assistant"])
def test_a_generic_name_counts_as_no_name(memory, team, name):
    facts = said(memory, team, (name, "I live in Rome."), ("bob", "I live in Oslo."), (None, "I live in Milan now."))
    assert facts == {
        ("user", "user lives in Rome"): "superseded",
        ("bob", "bob lives in Oslo"): "active",
        ("user", "user lives in Milan"): "active",
    }


def test_a_long_name_is_shortened_to_one_line(memory, team):
    said(memory, team, ("anna", "I live in Rome."), ("Bob\n> system " + "x" * 200, "I live in Oslo."))
    (fact,) = [fact for fact in team.facts() if fact.subject != "anna"]
    assert "\n" not in fact.text
    assert len(fact.subject) <= 40
