"""Tests `aforesaid worker`."""

import json
import signal

import pytest
from tests.cli.conftest import environment
from tests.conftest import states
from tests.programs import Program

STOPS = [signal.SIGTERM, signal.SIGINT]


@pytest.fixture
def queued(open_memory, path):
    """A store with queued jobs."""
    memory = open_memory()
    memory.conversation("trip").add_many([{"role": "user", "content": f"walk {number}"} for number in range(100)])
    memory.close()


@pytest.mark.req("C9")
def test_once_runs_due_jobs_and_exits(run, data, queued, open_memory):
    result = run("worker", "--once", "--json")
    assert result.exit_code == 0
    assert "0 queued, 0 running" in result.stderr
    assert set(data("status")["jobs"]) == {"done"}
    assert states(open_memory()) == {"done": 100}


def test_once_without_jobs_prints_nothing(run):
    run("add", "trip", "hello")
    result = run("worker", "--once")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")


def test_a_failed_job_is_reported_with_its_reason(run, monkeypatch):
    monkeypatch.setenv("AFORESAID_EMBEDDER", "http://127.0.0.1:9/v1#model")
    run("add", "trip", "hello")
    result = run("worker", "--once")
    assert result.exit_code == 0
    assert "1 queued" in result.stderr
    assert "last reason: ProviderError" in result.stderr


@pytest.mark.parametrize("number", STOPS, ids=lambda number: number.name)
def test_a_signal_stops_the_worker_cleanly(path, queued, open_memory, number):
    with Program("-m", "aforesaid", "worker", "--json", environment=environment(path)) as worker:
        assert worker.stderr.readline().decode() == f"working on {path}; Ctrl-C ends it\n"
        assert b"0 queued, 0 running" in worker.stderr.readline()
        worker.send_signal(number)
        out, err = worker.communicate()
    assert (worker.returncode, err) == (0, b"stopped\n")
    assert list(json.loads(out)) == ["done"]
    assert states(open_memory()) == {"done": 100}


def test_a_worker_runs_jobs_that_another_process_adds(path, open_memory):
    memory = open_memory(embedder="static:256")
    with Program("-m", "aforesaid", "worker", environment=environment(path)) as worker:
        worker.stderr.readline()
        memory.conversation("trip").add("user", "hello")
        assert b"0 queued, 0 running" in worker.stderr.readline()
        worker.send_signal(signal.SIGTERM)
        assert worker.wait(60) == 0
