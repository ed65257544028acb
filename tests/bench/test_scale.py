"""Tests `aforesaid bench load --store`, which measures a server in temporary schemas."""

from __future__ import annotations

import json
import os
import threading
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import psycopg
import pytest
from tests.bench.test_retrieval import DIALOGUE
from tests.postgres_server import Server

from aforesaid import InvalidInput, Memory
from aforesaid.bench import locomo
from aforesaid.bench.cpu_usage import CpuMonitor, CpuUsage, postmaster
from aforesaid.bench.load import BenchClient, running_server
from aforesaid.bench.report import BenchReport
from aforesaid.bench.results import write_result
from aforesaid.bench.retrieval import MESSAGES, RetrievalBenchmark
from aforesaid.bench.scale import (
    SAME,
    PostgresBaseline,
    ScaleOptions,
    adding,
    mean_usage,
    measure_large_table,
    measure_processes,
)
from aforesaid.bench.synthetic_chat import fill_space
from aforesaid.bench.temp_store import replicate_space, temp_store


def schemas(address: str) -> list[str]:
    with psycopg.connect(address) as connection:
        found = connection.execute("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'aforesaid_bench%'")
        return [name for (name,) in found.fetchall()]


def quiet(done: int, total: int) -> None: ...


def test_a_temporary_store_is_empty_and_dropped_afterwards(address: str):
    with temp_store(address) as one, temp_store(address) as other:
        assert len(schemas(address)) == 2
        with Memory(one, worker=False, environment={}) as memory, Memory(other, worker=False, environment={}) as beside:
            memory.conversation("c").add("user", "hello")
            assert (memory.status().messages, beside.status().messages) == (1, 0)
    assert schemas(address) == []
    with Memory(address, worker=False, environment={}) as memory:
        assert memory.status().messages == 0


def test_adding_and_recall_are_measured_against_a_baseline(address: str):
    with temp_store(address) as small, temp_store(address) as large:
        figures = adding(small, 0.06, quiet)
        with Memory(small, worker=False) as memory:
            fill_space(memory, "bench", 40, quiet)
        figures += measure_large_table(small, large, ScaleOptions(40, 120, 0.06, 2), quiet)
    assert [figure.most for figure in figures] == [1.25, None, None, None, 1.5]
    assert all(figure.value > 0 and figure.baseline > 0 for figure in figures)


def test_the_baseline_writes_as_many_rows_as_aforesaid(address: str):
    def rows(prefix: str) -> dict[str, int]:
        with psycopg.connect(small) as connection:
            connection.execute("SET aforesaid.whole = 'on'")
            counted = {name: connection.execute(f"SELECT count(*) FROM {prefix}{name}").fetchone() for name in SAME}
        return {name: count for name, (count,) in counted.items()}

    with (
        temp_store(address) as small,
        Memory(small, worker=False, environment={}) as memory,
        closing(PostgresBaseline(small)) as hand,
    ):
        add, chat = hand.same("s", "c"), memory.space("s").conversation("c")
        chat.add("user", "The first heron"), add("The first heron")
        before, theirs_before = rows(""), rows("same_")
        for n in range(5):
            chat.add("user", f"Heron number {n}"), add(f"Heron number {n}")
        now, theirs = rows(""), rows("same_")
        assert {name: now[name] - before[name] for name in SAME} == {
            name: theirs[name] - theirs_before[name] for name in SAME
        }


def test_a_replicated_space_has_the_same_content(address: str):
    with Memory(address, worker=False) as memory:
        fill_space(memory, "bench", 30, quiet)
        memory.flush(timeout=60)
        replicate_space(address, "bench", 12, quiet)
        stored = memory.status()
        one, other = memory.space("bench"), memory.space("bench 12")
        question = one.conversation("c0").messages()[7].text
        assert stored.messages == 13 * 30
        assert [hit.message.text for hit in other.recall(question)] == [
            hit.message.text for hit in one.recall(question)
        ]
        assert other.conversation("c0").context(question).tokens == one.conversation("c0").context(question).tokens
        assert [finding for finding in memory.doctor() if not finding.ok] == []


def test_cpu_usage_is_reported_by_process(address: str):
    database = postmaster(address)
    assert database is not None
    watch = CpuMonitor(api=os.getpid(), postgres=database, elsewhere=None)
    watch.begin()
    with psycopg.connect(address) as connection:
        connection.execute("SELECT sum(sqrt(n)) FROM generate_series(1, 3000000) n")
        busy = watch.end("one sum", 10.0)
    assert busy.by["postgres"] > 0
    assert busy.unknown == ("elsewhere",)
    assert busy.total <= 1.2 * busy.cores
    assert busy.milliseconds["postgres"] == pytest.approx(100 * busy.by["postgres"])


def test_process_measurements_include_cpu_usage(address: str, tmp_path: Path):
    with temp_store(address) as store:
        with Memory(store, worker=False) as memory:
            fill_space(memory, "bench", 40, quiet)
        figures, busy = measure_processes(store, 2, 0.1, quiet, rounds=1)
    report = BenchReport("test", tuple(figures), busy=tuple(busy))
    assert [one.name for one in busy] == ["one process", "2 processes"]
    assert all(set(one.by) == {"api", "postgres", "clients", "others"} and one.by["api"] > 0 for one in busy)
    assert [path.name for path in write_result(tmp_path, "load --store", report)] == [
        "load-store.json",
        "load-store.svg",
        "load-store-cores.svg",
    ]
    assert "cores were busy" in json.loads((tmp_path / "load-store.json").read_text())["report"]["busy"][0]["said"]


def test_the_cpu_report_states_that_no_core_was_free():
    busy = CpuUsage("one process", 2, 50.0, {"api": 1.1, "postgres": 0.6, "clients": 0.1, "others": 0.1})
    assert busy.said == (
        "one process: 1.9 of 2 cores were busy (api 1.10, postgres 0.60, clients 0.10, others 0.10); no core was free; "
        "50 calls a second, each 36.0 ms of a core (api 22.0, postgres 12.0, clients 2.0): more than 56 a second the "
        "cores cannot give"
    )
    assert "no core was free" not in CpuUsage("one process", 4, 50.0, {"api": 1.1}).said
    assert mean_usage([busy, CpuUsage("one process", 2, 30.0, {"api": 0.9}, ("postgres",))]) == CpuUsage(
        "one process", 2, 40.0, {"api": 1.0}, ("postgres", "clients", "others")
    )


def test_a_retrieval_benchmark_gives_the_same_scores_on_postgres(address: str):
    trial, haystack = RetrievalBenchmark("test", MESSAGES, ("recall@10",)), locomo.haystack(DIALOGUE)
    ours = trial.run([haystack], 1, quiet)
    theirs = trial.run([haystack], 1, quiet, address)
    assert json.loads(ours.to_json())["scores"]["aforesaid"] == json.loads(theirs.to_json())["scores"]["aforesaid"]


def test_a_file_path_is_rejected(tmp_path: Path):
    with pytest.raises(InvalidInput, match="takes postgresql"), temp_store(str(tmp_path / "x.db")):
        pass


def test_a_server_that_logs_a_warning_before_it_listens_is_awaited(postgres: Server):
    postgres.execute("CREATE ROLE plain LOGIN", "CREATE DATABASE plain OWNER plain")
    try:
        with running_server(postgres.address("plain", "plain")) as server:  # a role that cannot install pgvector
            assert server.url.startswith("http://127.0.0.1:")
    finally:
        postgres.execute("DROP DATABASE plain WITH (FORCE)", "DROP ROLE plain")


class ClosesAfterEachAnswer(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(201)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")
        self.close_connection = True

    def log_message(self, *_) -> None:
        pass


def test_a_client_reconnects_after_the_server_closes_an_idle_connection():
    with ThreadingHTTPServer(("127.0.0.1", 0), ClosesAfterEachAnswer) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        client = BenchClient(f"http://127.0.0.1:{server.server_address[1]}")
        answers = [client.post("conversations/c/messages", {"role": "user", "content": "hello"}) for _ in range(3)]
        client.close()
        server.shutdown()
        thread.join()
    assert answers == [b"{}"] * 3
