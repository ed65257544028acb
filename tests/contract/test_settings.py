"""Tests settings and their sources: default, environment, and space."""

import pytest

from aforesaid import InvalidInput, Memory
from aforesaid.settings import SETTING_DEFINITIONS, from_environment


@pytest.mark.req("D3")
def test_a_space_setting_overrides_the_environment_and_the_environment_the_default(open_memory):
    memory = open_memory(environment={"AFORESAID_TOKEN_BUDGET": "800"})
    alice = memory.space("alice")
    effective = {s.name: (s.value, s.source) for s in alice.settings()}
    assert effective["token_budget"] == (800, "environment")
    assert effective["summary_frequency"] == (5, "default")
    assert alice.set("token_budget", 1200).value == 1200
    assert (alice.settings()[3].value, alice.settings()[3].source) == (1200, "space")
    assert memory.space("bob").settings()[3].value == 800
    assert alice.unset("token_budget").source == "environment"


@pytest.mark.req("D3")
def test_a_setting_takes_effect_immediately_in_every_process(open_memory):
    one, two = open_memory(), open_memory()
    text = "A sentence about herons. " * 300
    assert len(two.conversation("c").chunks(two.conversation("c").add("user", text).id)) > 1
    one.space("default").set("chunking", False)
    assert len(two.conversation("c").chunks(two.conversation("c").add("user", text).id)) == 1


@pytest.mark.req("D3")
def test_the_older_environment_names_still_work():
    old = {
        "RAG_HYBRID": "false",
        "RAG_CHUNKING": "0",
        "RAG_TOKEN_BUDGET": "900",
        "RAG_SUMMARY_FREQUENCY": "0",
        "RAG_RERANK_ALPHA": "0.5",
        "RAG_RERANK_BETA": "0.4",
        "RAG_RERANK_GAMMA": "0.2",
        "AFORESAID_WEIGHT_DENSE": "0.7",
    }
    assert from_environment(old) == {
        "hybrid": False,
        "chunking": False,
        "token_budget": 900,
        "summary_frequency": 0,
        "weight_dense": 0.7,
        "weight_lexical": 0.4,
        "weight_identifier": 0.2,
    }


@pytest.mark.req("D7")
def test_the_weights_determine_the_order(memory: Memory):
    chat = memory.conversation("c")
    chat.add("user", "A vacation by the sea would be lovely", id="meaning")
    chat.add("user", "The holiday rota is on the fridge in the office kitchen beside the printer", id="word")
    memory.flush()
    space = memory.space("default")
    space.set("weight_dense", 0.0)
    assert space.recall("holiday")[0].message.id == "word"
    space.set("weight_lexical", 0.0)
    space.set("weight_dense", 1.0)
    for cue in ("speaker", "time", "statement"):
        space.set(f"weight_{cue}", 0.0)
    scores = [hit.score for hit in space.recall("holiday")]
    assert [score.total for score in scores] == [score.dense for score in scores]


@pytest.mark.parametrize(
    ("name", "value"),
    [("token_budget", -1), ("token_budget", 1.5), ("token_budget", "many"), ("hybrid", 1), ("weight_dense", True),
     ("weight_dense", float("nan")), ("chunk_tokens", 1), ("no_such", 1)],
)  # fmt: skip
def test_an_invalid_value_is_rejected(memory: Memory, name, value):
    with pytest.raises(InvalidInput, match=name):
        memory.space("alice").set(name, value)
    assert memory.spaces() == []


def test_an_invalid_environment_is_rejected_when_the_store_is_opened(open_memory):
    with pytest.raises(InvalidInput, match="RAG_HYBRID"):
        open_memory(environment={"RAG_HYBRID": "perhaps"})
    with pytest.raises(InvalidInput, match="AFORESAID_CHUNK_TOKENS"):
        open_memory(environment={"AFORESAID_CHUNK_TOKENS": "few"})


def test_instructions_are_a_bounded_text_from_every_source(open_memory):
    text = "Only plants.\nNothing about People."
    memory = open_memory(environment={"AFORESAID_INSTRUCTIONS": f" {text} "})
    alice = memory.space("alice")
    read = {each.name: each.value for each in alice.settings()}
    assert read["instructions"] == text
    assert alice.set("instructions", "x" * 2_000).source == "space"
    for wrong in ("x" * 2_001, "a\0b", "\ud800", 5):
        with pytest.raises(InvalidInput, match="instructions"):
            alice.set("instructions", wrong)


def test_every_setting_has_help():
    assert all(row.help.endswith(".") for row in SETTING_DEFINITIONS)
