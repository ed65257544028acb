"""Tests `aforesaid jobs`."""

import pytest

from aforesaid import ProviderRefused


class Refusing:
    """An embedder that refuses every request."""

    name = "stubborn:1"
    dimension = 8

    def embed(self, texts):  # noqa: ARG002 (the signature of the interface)
        raise ProviderRefused("not with me")


@pytest.fixture
def failed(open_memory, clock):
    with open_memory(embedder=Refusing(), clock=clock) as memory:
        memory.conversation("trip").add("user", "We settled on Lisbon.")
        while not memory.jobs("failed"):
            memory.work()
            clock.forward(minutes=10)


def test_failed_jobs_are_listed_with_their_reason_and_a_hint(run, data, failed):
    shown = run("jobs", "--state", "failed")
    assert "not with me" in shown.stdout
    assert "aforesaid doctor --repair" in shown.stderr
    found = data("jobs", "--state", "failed")
    assert {job["state"] for job in found} == {"failed"}
    assert found[0]["error"] == "ProviderRefused: not with me"
    assert len(data("jobs", "--limit", "1")) == 1


def test_queued_jobs_are_listed_and_done_by_a_worker(run, data, open_memory):
    with open_memory() as memory:
        memory.conversation("trip").add("user", "We settled on Lisbon.")
    assert "aforesaid worker" in run("jobs").stderr
    assert {job["state"] for job in data("jobs")} == {"queued"}
    run("worker", "--once")
    assert {job["state"] for job in data("jobs")} == {"done"}
    assert run("jobs").stderr == ""


def test_an_unknown_state_is_rejected(run):
    run("init")
    assert run("jobs", "--state", "lost").exit_code == 2
