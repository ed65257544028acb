"""Tests `aforesaid cost`."""

import pytest

from aforesaid import Memory
from aforesaid.distill.llm.token_budget import TokenBudget
from aforesaid.ids import Ids

pytestmark = pytest.mark.req("X16")


@pytest.fixture
def spent(path, run):
    run("add", "trip", "We settled on Lisbon.", "--space", "alice")
    with Memory(path, worker=False) as memory:
        token_budget = TokenBudget(memory.engine.store.costs, None, memory.engine.clock, Ids().make)
        token_budget.settle(
            token_budget.reserve("alice", "ollama:qwen3", "summary", (900, 300)), (800, 250), 1500.0, None
        )
        token_budget.reserve("alice", "ollama:qwen3", "facts", (100, 50))


def test_costs_are_shown_with_the_rest_of_the_cap(run, spent, monkeypatch):
    shown = run("cost").stdout
    for part in ("ollama:qwen3", "summary", "facts", "1,050", "1.5", "today (UTC): 1,200 tokens, no cap"):
        assert part in shown
    monkeypatch.setenv("AFORESAID_DAILY_TOKENS", "2000")
    assert "today (UTC): 1,200 of 2,000 tokens, 800 left" in run("cost").stdout


def test_json_has_every_number(data, spent):
    found = data("cost", "--space", "alice")
    facts, summary = found["costs"]
    assert (facts["open"], facts["prompt_tokens"], summary["completion_tokens"]) == (1, 100, 250)
    assert (found["today"]["spent"], found["today"]["cap"], found["today"]["left"]) == (1200, None, None)


def test_zero_cost_and_an_unknown_space_are_distinguished(run, spent):
    nothing = run("cost", "--since", "2999-01-01T00:00:00+00:00")
    assert nothing.exit_code == 0
    assert nothing.stderr == "no language model was called in that time\n"
    assert run("cost", "--space", "bob").exit_code == 3
    assert run("cost", "--since", "yesterday").exit_code == 2
