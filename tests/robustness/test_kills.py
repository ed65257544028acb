"""Tests that killed processes lose no acknowledged message."""

from __future__ import annotations

import os
import random
import signal
import time
from datetime import UTC, datetime, timedelta

import pytest
from tests.conftest import states

from aforesaid import Memory
from aforesaid.jobs.worker import LEASE

KILLS = 200
CHECK_EVERY = 40


def later() -> datetime:
    """Returns a time ten minutes ahead, when every lease of a killed process has expired."""
    return datetime.now(UTC) + timedelta(minutes=10)


def kill_one(victims, who: int, chance: random.Random) -> list[str]:
    """Kills a process after a random time; returns the messages that it had acknowledged."""
    victims.say(str(who))
    lines = []
    pid = int(victims.line())
    acknowledgements = chance.choice([0, 0, 0, 1, 2, 3, 5, 8])
    while len(lines) < acknowledgements:
        lines.append(victims.line())
    deadline = time.monotonic() + chance.uniform(0, 0.04)
    while line := victims.line(within=max(0.0, deadline - time.monotonic())):
        lines.append(line)
    os.kill(pid, signal.SIGKILL)
    while (line := victims.line()) != "gone":
        lines.append(line)
    return [line for line in lines if line != "open"]


def assert_nothing_lost(mem: Memory, acknowledged: list[str], kills: int) -> None:
    messages = mem.conversation("c").messages(1_000_000)
    assert [message.seq for message in messages] == list(range(len(messages)))
    assert [message.text for message in messages] == [f"{message.id} said something" for message in messages]
    stored = {message.id for message in messages}
    assert set(acknowledged) <= stored
    assert len(stored - set(acknowledged)) <= kills  # each kill can interrupt one acknowledgement
    jobs = {job.message_id: job.state for job in mem.jobs(limit=1_000_000) if job.kind == "embed"}
    assert set(jobs) == stored
    assert set(jobs.values()) <= {"queued", "running", "done"}


def assert_found(mem: Memory, words: list[str]) -> None:
    for word in words:
        hit = mem.space("default").recall(word, 1)[0]
        assert hit.message.id == word
        assert "lexical" in hit.sources


@pytest.mark.slow
@pytest.mark.req("A21", "D6", "D11", "X18")
def test_two_hundred_kills_lose_no_acknowledged_message(path, start, healthy, intact):
    chance = random.Random(20261116)
    victims = start("victims.py", path)
    assert victims.line() == "ready"
    acknowledged: list[str] = []
    for who in range(1, KILLS + 1):
        fresh = kill_one(victims, who, chance)
        assert fresh == [f"victim{who}x{n}" for n in range(len(fresh))]
        acknowledged += fresh
        if who % CHECK_EVERY == 0:
            with Memory(path, worker=False) as mem:
                mem.space("default").set("weight_dense", 0.0)
                assert_nothing_lost(mem, acknowledged, who)
                assert_found(mem, fresh)
                healthy(mem)
    assert len(acknowledged) > 2 * KILLS
    victims.finish()

    with Memory(path, worker=False, clock=later) as mem:
        mem.flush(120)
        assert_nothing_lost(mem, acknowledged, KILLS)
        assert_found(mem, acknowledged)
        status = mem.status()
        assert states(mem) == {"done": status.messages}
        assert status.models[0].embedded == status.models[0].expected == status.messages
        healthy(mem)
    intact()


@pytest.mark.req("C9", "D11", "X18")
def test_flush_takes_over_the_summary_of_a_killed_process_when_its_lease_ends(path, start, healthy):
    child = start("summariser.py", path)
    assert child.line() == "asked"
    child.process.kill()
    child.process.wait()
    killed = datetime.now(UTC)
    with Memory(path, worker=False, clock=lambda: killed + LEASE) as mem:
        chat = mem.conversation("c")
        assert [summary.status for summary in chat.summaries("rolling", status=None)] == ["processing"]
        mem.flush()
        assert [summary.status for summary in chat.summaries("rolling")] == ["completed"]
        healthy(mem)
