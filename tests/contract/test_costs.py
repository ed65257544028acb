"""Tests the cost ledger of language models and the daily token cap."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta, timezone

import pytest
from tests.conftest import sql

from aforesaid import CapReached, CostTotal, InvalidInput, Memory
from aforesaid.distill.llm.token_budget import TokenBudget, day_start
from aforesaid.ids import Ids

pytestmark = pytest.mark.req("X16")


def token_budget(memory: Memory, clock, cap: int | None = None) -> TokenBudget:
    return TokenBudget(memory.engine.store.costs, cap, clock, Ids().make)


def spend(token_budget: TokenBudget, prompt: int, answer: int, space: str = "alice", operation: str = "facts") -> None:
    cost = token_budget.reserve(space, "m", operation, (prompt, answer))
    token_budget.settle(cost, (prompt, answer), 5.0, None)


@pytest.fixture
def alice(memory):
    memory.space("alice").conversation("c").add("user", "hello")
    memory.space("bob").conversation("c").add("user", "hello")
    return memory


def test_costs_are_summed_by_model_and_operation_per_space_and_time_range(alice, clock):
    ours = token_budget(alice, clock)
    spend(ours, 10, 5)
    clock.forward(hours=1)
    later = clock()
    spend(ours, 1, 2)
    spend(ours, 100, 50, space="bob")
    spend(ours, 7, 7, operation="summary")
    assert alice.costs("alice") == [
        CostTotal("m", "facts", 2, 0, 0, 11, 7, 10.0),
        CostTotal("m", "summary", 1, 0, 0, 7, 7, 5.0),
    ]
    assert alice.costs("alice", since=later)[0].tokens == 3
    assert alice.costs("alice", until=later)[0].tokens == 15
    assert [spent.tokens for spent in alice.costs()] == [168, 14]
    assert alice.costs("nobody") == []


def test_reserved_tokens_count_until_they_are_settled(alice, clock):
    ours = token_budget(alice, clock, 100)
    cost = ours.reserve("alice", "m", "facts", (40, 40))
    assert ours.allowance().left == 20
    assert alice.costs()[0].open == 1
    with pytest.raises(CapReached):
        ours.reserve("alice", "m", "facts", (11, 10))
    ours.settle(cost, (40, 10), 1.0, None)
    assert ours.allowance().left == 50
    ours.reserve("alice", "m", "facts", (40, 10))
    assert ours.allowance().left == 0


def test_a_rejected_call_leaves_no_row(alice, clock):
    with pytest.raises(CapReached):
        token_budget(alice, clock, 0).reserve("alice", "m", "facts", (1, 0))
    assert alice.costs() == []


def test_a_day_begins_at_midnight_utc():
    late = datetime(2026, 3, 1, 23, 30, tzinfo=timezone(timedelta(hours=-5)))
    assert day_start(late) == datetime(2026, 3, 2, tzinfo=UTC)


def test_tokens_of_the_previous_day_do_not_count(alice, clock):
    ours = token_budget(alice, clock, 100)
    spend(ours, 90, 10)
    clock.forward(days=1)
    assert ours.allowance().left == 100
    assert alice.costs()[0].tokens == 100


def test_deleting_a_space_keeps_its_token_counts_and_erases_its_name(open_memory, path, clock):
    memory = open_memory(clock=clock)
    memory.space("alice-the-secret").conversation("c").add("user", "hello")
    ours = token_budget(memory, clock, 100)
    spend(ours, 50, 10, space="alice-the-secret")
    reserved = ours.reserve("alice-the-secret", "m", "facts", (5, 5))
    memory.space("alice-the-secret").delete()
    ours.settle(reserved, (5, 1), 1.0, None)
    assert ours.allowance().left == 34
    assert memory.costs("alice-the-secret") == []
    assert memory.costs()[0].tokens == 66
    assert "alice" not in str(sql(memory, "SELECT * FROM costs"))


def test_concurrent_threads_never_exceed_the_cap(alice, clock):
    ours = token_budget(alice, clock, 1_000)
    gate = threading.Barrier(8)

    def try_(_: int) -> int:
        gate.wait()
        taken = 0
        for _ in range(40):
            try:
                spend(ours, 6, 4)
            except CapReached:
                break
            taken += 10
        return taken

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(try_, range(8))) == 1_000
    assert ours.allowance().spent == 1_000


SPENDER = """
import sys
from aforesaid import CapReached, Memory
from aforesaid.distill.llm.token_budget import TokenBudget
from aforesaid.ids import Ids
memory = Memory(sys.argv[1], worker=False)
token_budget = TokenBudget(memory.engine.store.costs, 500, memory.engine.clock, Ids().make)
print("ready", flush=True)
sys.stdin.readline()
try:
    while True:
        token_budget.reserve("alice", "m", "facts", (6, 4))
except CapReached:
    print("reached", flush=True)
sys.stdin.readline()
"""


def test_processes_share_the_cap_and_reservations_of_a_killed_process_count(open_memory, path):
    memory = open_memory()
    memory.space("alice").conversation("c").add("user", "hello")
    spenders = [
        subprocess.Popen(
            [sys.executable, "-c", SPENDER, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env={**os.environ, "AFORESAID_DAILY_TOKENS": ""},
        )
        for _ in range(3)
    ]  # fmt: skip
    try:
        for spender in spenders:
            assert spender.stdout.readline() == "ready\n"
        for spender in spenders:
            spender.stdin.write("go\n")
            spender.stdin.flush()
        for spender in spenders:
            assert spender.stdout.readline() == "reached\n"
    finally:
        for spender in spenders:
            spender.kill()
            spender.wait()
            spender.stdin.close()
            spender.stdout.close()
    (spent,) = memory.costs()
    assert (spent.tokens, spent.calls, spent.open) == (500, 50, 50)


def test_the_cap_is_set_by_argument_or_environment(open_memory):
    assert open_memory().allowance().cap is None
    assert open_memory(environment={"AFORESAID_DAILY_TOKENS": " 500 "}).allowance().cap == 500
    assert open_memory(daily_tokens=0, environment={"AFORESAID_DAILY_TOKENS": "500"}).allowance().left == 0
    for wrong in ("many", "-1", "1.5", "٣"):
        with pytest.raises(InvalidInput, match="AFORESAID_DAILY_TOKENS"):
            open_memory(environment={"AFORESAID_DAILY_TOKENS": wrong})
    with pytest.raises(InvalidInput, match="daily_tokens"):
        open_memory(daily_tokens=-1)


def test_the_model_is_set_by_argument_or_environment(open_memory):
    assert open_memory(environment={"AFORESAID_MODEL": "ollama:a"}).engine.model_router.models.default == "ollama:a"
    by_hand = open_memory(model="none", environment={"AFORESAID_MODEL": "ollama:a"})
    assert by_hand.engine.model_router.models.default is None
    with pytest.raises(InvalidInput, match="ANTHROPIC_API_KEY"):
        open_memory(model="anthropic:a")
