"""The background work from a shell: what waits, what failed, and what to do."""

import pytest

from aforesaid import ProviderRefused


class Refusing:
    """An embedder that will not."""

    name = "stubborn:1"
    dimension = 8

    def embed(self, texts):  # noqa: ARG002 (as the port has it)
        raise ProviderRefused("not with me")


@pytest.fixture
def failed(open_memory, clock):
    with open_memory(embedder=Refusing(), clock=clock) as memory:
        memory.conversation("trip").add("user", "We settled on Lisbon.")
        while not memory.jobs("failed"):
            memory.work()
            clock.forward(minutes=10)


def test_failed_work_is_listed_with_its_reason_and_what_to_do(run, data, failed):
    shown = run("jobs", "--state", "failed")
    assert "not with me" in shown.stdout
    assert "aforesaid doctor --repair" in shown.stderr
    found = data("jobs", "--state", "failed")
    assert {job["state"] for job in found} == {"failed"}
    assert found[0]["error"] == "ProviderRefused: not with me"
    assert len(data("jobs", "--limit", "1")) == 1


def test_what_waits_is_listed_and_done_by_a_worker(run, data, open_memory):
    with open_memory() as memory:
        memory.conversation("trip").add("user", "We settled on Lisbon.")
    assert "aforesaid worker" in run("jobs").stderr
    assert {job["state"] for job in data("jobs")} == {"queued"}
    run("worker", "--once")
    assert {job["state"] for job in data("jobs")} == {"done"}
    assert run("jobs").stderr == ""


def test_a_state_that_there_is_not_is_refused(run):
    run("init")
    assert run("jobs", "--state", "lost").exit_code == 2
