"""Tests several processes that share one database: migrations, message numbers, jobs and notifications."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections import Counter

import psycopg
import pytest
from tests.conftest import embeddings
from tests.postgres_server import Server

from aforesaid.storage.migrate import known, newest

CROWD = """
import gc, os, sys
from aforesaid import Memory
import aforesaid.storage.postgres.store
task, processes, address = sys.argv[1], int(sys.argv[2]), sys.argv[3]
rest = {"worker": False, "environment": {}}

def open_store(who):
    Memory(address, embedder="none", **rest).close()

def add(who):
    with Memory(address, embedder="none", **rest) as memory:
        chat = memory.space("alice").conversation("c")
        for n in range(12):
            chat.add("user", f"{who} says {n}", id=f"{who}-{n}")

def work(who):
    with Memory(address, **rest) as memory:
        memory.flush(timeout=120)

with Memory(":memory:", **rest) as memory:  # loads what a process loads late, once for all of them
    memory.conversation("c").add("user", "words")
    memory.flush()
gc.freeze()
children = []
for who in range(processes):
    child = os.fork()
    if child == 0:
        {"open": open_store, "add": add, "work": work}[task](who)
        os._exit(0)  # without freeing what it has inherited, which would copy every page
    children.append(child)
codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
assert codes == [0] * processes, codes
"""


def run_crowd(task: str, processes: int, address: str) -> None:
    """Runs a task in several processes at the same time; fails if one of them fails."""
    command = [sys.executable, "-c", CROWD, task, str(processes), address]
    run = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
    assert run.returncode == 0, run.stderr


@pytest.mark.req("C11")
def test_ten_processes_that_start_concurrently_migrate_once(postgres: Server):
    address = postgres.address(postgres.make_database())
    run_crowd("open", 10, address)
    with psycopg.connect(address) as connection:
        versions = [
            version for (version,) in connection.execute("SELECT version FROM migrations ORDER BY 1").fetchall()
        ]
    assert versions == [newest(known("postgres"))]


@pytest.mark.req("A2", "C7")
@pytest.mark.slow
def test_sixteen_processes_add_to_one_conversation_without_a_gap(address: str, open_memory):
    run_crowd("add", 16, address)
    messages = open_memory(address, embedder="none").space("alice").conversation("c").messages(limit=1000)
    assert [message.seq for message in messages] == list(range(16 * 12))
    added = [message.id.rpartition("-") for message in messages]
    for who in {who for who, _, _ in added}:
        assert [int(number) for other, _, number in added if other == who] == list(range(12))


@pytest.mark.req("C7")
@pytest.mark.slow
def test_each_job_runs_in_only_one_of_several_workers(address: str, open_memory):
    memory = open_memory(address)
    chat = memory.space("alice").conversation("c")
    chat.add_many({"role": "user", "content": f"number {n} is a heron"} for n in range(300))
    run_crowd("work", 3, address)
    memory.flush()
    jobs = embeddings(memory)
    assert Counter(job.state for job in jobs) == {"done": 300}
    assert {job.attempts for job in jobs} == {1}
    model = memory.status().models[0]
    assert model.embedded == model.expected


@pytest.mark.req("C7")
def test_another_process_reads_a_write_immediately(address: str, open_memory):
    """The caches of messages, directories and notes are validated before use."""
    here, there = open_memory(address), open_memory(address)
    for n in range(3):
        here.space("alice").conversation("c").add("user", f"The heron number {n} stands in the harbour")
        here.flush()
        assert len(there.space("alice").conversation("c").messages()) == n + 1
        assert len(there.space("alice").recall("heron harbour", limit=10)) == n + 1
    fact = here.space("alice").remember("Herons eat fish")
    assert there.space("alice").recall("what do herons eat?", kinds=["fact"])[0].id == fact.id
    here.space("alice").conversation("c").messages()
    here.space("alice").forget(message=there.space("alice").conversation("c").messages()[0].id)
    assert len(there.space("alice").recall("heron harbour", limit=10, kinds=["message"])) == 2


@pytest.mark.req("C7")
def test_a_subscriber_is_notified_of_writes_by_another_process(address: str, open_memory):
    here, there = open_memory(address), open_memory(address)
    heard = threading.Event()
    with here.on_change(heard.set):
        heard.clear()
        there.space("alice").conversation("c").add("user", "hello from there")
        assert heard.wait(30)


@pytest.mark.req("C3")
def test_the_database_refuses_a_second_rolling_summary_in_progress(address: str, open_memory):
    memory = open_memory(address)
    memory.space("alice").conversation("c").add("user", "hello")
    with psycopg.connect(address) as connection:
        connection.execute("SET aforesaid.whole = 'on'")
        insert = (
            "INSERT INTO summaries (space_key, conversation_key, id, kind, first_seq, last_seq, message_count, text,"
            " topics, importance, status, tokens, created_at)"
            " SELECT space_key, conversation_key, %s, 'rolling', 0, 0, 1, '', '[]', 0.5, 'processing', 0, 0"
            " FROM conversations"
        )
        connection.execute(insert, ("one",))
        with pytest.raises(psycopg.errors.UniqueViolation):
            connection.execute(insert, ("two",))


def test_a_forked_process_does_not_use_the_connections_of_its_parent(address: str):
    program = """
import os, sys
from aforesaid import ClosedError, Memory
memory = Memory(sys.argv[1], worker=False, embedder="none", environment={})
memory.conversation("c").add("user", "before")
child = os.fork()
if child == 0:
    try:
        memory.conversation("c").add("user", "in the child")
    except ClosedError:
        os._exit(7)
    os._exit(0)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
memory.conversation("c").add("user", "after")
print(len(memory.conversation("c").messages()))
memory.close()
"""
    command = [sys.executable, "-c", program, address]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=120)
    assert done.stdout == "2\n", done.stderr
