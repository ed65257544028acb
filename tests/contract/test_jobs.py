"""Tests background jobs: retries, leases, failures, and changes of the embedding model."""

from collections.abc import Sequence

import numpy as np
import pytest
from tests.conftest import embeddings, states
from tests.loopback import EmbeddingServer

from aforesaid import NotFinished, ProviderError
from aforesaid.jobs.worker import LEASE


class Letters:
    """A small embedder that counts letters and can be set to fail."""

    def __init__(self, name: str = "letters", size: int = 26) -> None:
        self.name = name
        self.size = size
        self.failure: Exception | None = None
        self.calls: list[int] = []

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        if self.failure:
            raise self.failure
        self.calls.append(len(texts))
        rows = np.zeros((len(texts), self.size), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for letter in text.lower():
                row[ord(letter) % self.size] += 1
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


@pytest.fixture
def server():
    with EmbeddingServer() as server:
        yield server


@pytest.mark.req("D1")
def test_adding_a_message_does_not_wait_for_its_embedding(open_memory, clock):
    letters = Letters()
    memory = open_memory(embedder=letters, clock=clock)
    memory.conversation("c").add("user", "hello")
    assert letters.calls == []
    assert states(memory) == {"queued": 1}
    memory.flush()
    assert states(memory) == {"done": 1}
    assert memory.status().models[0].embedded == 1


def test_embeddings_are_batched(open_memory):
    letters = Letters()
    memory = open_memory(embedder=letters)
    memory.conversation("c").add_many({"role": "user", "content": f"number {n}"} for n in range(50))
    memory.flush()
    assert letters.calls[0] == 50  # later calls embed their summaries


@pytest.mark.req("D11")
def test_an_unavailable_embedder_delays_jobs_and_loses_none(open_memory, clock):
    letters = Letters()
    memory = open_memory(embedder=letters, clock=clock)
    chat = memory.conversation("c")
    letters.failure = ProviderError("connection refused")
    chat.add("user", "The heron stands in the harbour")
    with pytest.raises(NotFinished, match="connection refused") as caught:
        memory.flush(timeout=0)
    while memory.work():
        pass
    assert caught.value.pending == 2  # the embedding and the distillation
    for _ in range(20):  # more attempts than a job with its own error gets
        clock.forward(minutes=6)
        while memory.work():
            pass
    (job,) = embeddings(memory)
    assert (job.state, job.attempts > 15) == ("queued", True)
    assert "connection refused" in (job.error or "")

    hits = memory.space("default").recall("heron")
    assert hits[0].message.content == "The heron stands in the harbour"
    assert hits.degraded == ("dense",)
    assert "connection refused" in hits.warnings[0]

    letters.failure = None
    clock.forward(minutes=6)
    memory.flush()
    assert embeddings(memory)[0].state == "done"
    assert memory.space("default").recall("heron").degraded == ()


@pytest.mark.req("D11")
def test_embeddings_resume_after_an_outage_of_the_service(open_memory, clock, server):
    memory = open_memory(embedder=f"{server.url}#bag", clock=clock)
    chat = memory.conversation("c")
    chat.add("user", "before the outage")
    memory.flush()
    server.stop()
    chat.add("user", "during the outage")
    while memory.work():
        pass
    assert memory.space("default").recall("outage").degraded == ("dense",)
    server.start()
    clock.forward(minutes=6)
    memory.flush()
    hits = memory.space("default").recall("outage")
    assert hits.degraded == ()
    assert {hit.message.content for hit in hits if "dense" in hit.sources} == {"before the outage", "during the outage"}


def test_a_job_that_keeps_failing_is_given_up_with_its_error(open_memory, clock):
    letters = Letters()
    memory = open_memory(embedder=letters, clock=clock)
    letters.failure = RuntimeError("cannot read this text")
    memory.conversation("c").add("user", "hello")
    for _ in range(10):
        while memory.work():
            pass
        clock.forward(minutes=6)
    (job,) = memory.jobs("failed")
    assert (job.attempts, job.error) == (8, "RuntimeError: cannot read this text")
    assert [f.check for f in memory.doctor() if not f.ok] == ["failed jobs"]
    letters.failure = None
    memory.doctor(repair=True)
    memory.flush()
    assert embeddings(memory)[0].state == "done"


def test_the_log_has_the_kind_and_error_of_a_failed_job_and_no_message_text(open_memory, clock, caplog):
    letters = Letters()
    memory = open_memory(embedder=letters, clock=clock)
    memory.conversation("c").add("user", "hello")
    for failure in (RuntimeError("cannot read 'hello'"), ProviderError("letters:1 cannot be reached: ConnectError")):
        letters.failure = failure
        while memory.work():
            pass
        clock.forward(minutes=6)
    assert caplog.messages == [
        "job failed: embed, RuntimeError",
        "job failed: embed, letters:1 cannot be reached: ConnectError",
    ]
    assert "hello" not in str([vars(record) for record in caplog.records])


def test_one_failing_message_does_not_block_others(open_memory, clock):
    class Picky(Letters):
        def embed(self, texts):
            if any("bad" in text for text in texts):
                raise RuntimeError("cannot read this text")
            return super().embed(texts)

    memory = open_memory(embedder=Picky(), clock=clock)
    chat = memory.conversation("c")
    chat.add_many([{"role": "user", "content": text} for text in ("good", "bad", "fine")])
    memory.work()
    assert states(memory) == {"done": 2, "queued": 1}


def test_a_job_of_a_killed_worker_is_taken_over_after_its_lease(open_memory, clock):
    class Killed(BaseException):
        """Simulates a killed worker: no exception handler catches it."""

    letters = Letters()
    dying = open_memory(embedder=letters, clock=clock)
    dying.conversation("c").add("user", "hello")
    letters.failure = Killed()  # type: ignore[assignment]
    with pytest.raises(Killed):
        dying.work()
    other = open_memory(embedder=Letters(), clock=clock)
    while other.work():  # run all other jobs
        pass
    assert states(other) == {"running": 1}
    clock.forward(minutes=3)
    assert [f.check for f in other.doctor() if not f.ok] == ["late jobs"]
    assert other.work() is True
    assert (embeddings(other)[0].state, embeddings(other)[0].attempts) == ("done", 2)


def test_a_result_after_the_lease_expired_is_discarded(open_memory, clock):
    class Slow(Letters):
        """Returns only after another worker has taken over the job."""

        def embed(self, texts):
            self.before()
            return super().embed(texts)

    slow = Slow()
    memory = open_memory(embedder=slow, clock=clock)
    memory.conversation("c").add("user", "hello")
    other = open_memory(embedder=Letters(), clock=clock)

    def take_over():
        clock.forward(minutes=3)
        assert other.work() is True

    slow.before = take_over
    memory.work()
    assert states(memory) == {"done": 1}
    assert memory.status().models[0].embedded == 1


def test_a_job_queued_by_a_clock_that_was_ahead_runs_after_the_clock_is_corrected(open_memory, clock):
    memory = open_memory(embedder=Letters(), clock=clock)
    clock.forward(hours=1)
    memory.conversation("c").add("user", "hello")
    clock.forward(hours=-1)
    assert memory.work() is True
    assert states(memory) == {"done": 1}


def test_a_worker_thread_runs_jobs(open_memory):
    memory = open_memory(worker=True)
    memory.conversation("c").add("user", "hello")
    memory.flush(timeout=30)
    assert memory.status().models[0].embedded == 1


def test_without_an_embedder_lexical_recall_works_and_embedding_jobs_wait(open_memory, path):
    without = open_memory(embedder="none")
    without.conversation("c").add("user", "The heron stands in the harbour")
    without.flush()
    assert without.space("default").recall("heron").degraded == ("dense",)
    without.close()
    later = open_memory()
    later.flush()
    assert later.space("default").recall("heron").degraded == ()
    assert later.status().models[0].embedded == 1


@pytest.fixture
def models():
    """Starts two embedding services and returns their model names."""
    with EmbeddingServer(dimension=24) as old, EmbeddingServer(dimension=32) as new:
        yield f"{old.url}#old", f"{new.url}#new"


def progress(memory):
    return {
        model.name.partition("#")[2]: (model.state, model.embedded, model.dimension) for model in memory.status().models
    }


@pytest.mark.req("D14")
def test_a_new_model_is_built_while_the_old_one_serves(open_memory, models):
    old, new = models
    memory = open_memory(embedder=old)
    memory.conversation("c").add_many(
        {"role": "user", "content": f"message number {n} about herons"} for n in range(600)
    )
    memory.flush()
    memory.close()

    both = open_memory(embedder=new)
    assert progress(both) == {"old": ("serving", 600, 24), "new": ("building", 0, 0)}
    both.work()
    assert progress(both) == {"old": ("serving", 600, 24), "new": ("building", 256, 32)}
    hits = both.space("default").recall("herons")
    assert (hits.degraded, "dense" in hits[0].sources) == ((), True)
    both.conversation("c").add("user", "a latecomer")
    both.flush()
    assert progress(both) == {"old": ("retired", 0, 24), "new": ("serving", 601, 32)}
    assert both.space("default").recall("latecomer").degraded == ()
    assert all(finding.ok for finding in both.doctor())


@pytest.mark.req("D14")
def test_an_interrupted_model_change_is_resumed(open_memory, models):
    old, new = models
    memory = open_memory(embedder=old)
    memory.conversation("c").add_many({"role": "user", "content": f"number {n}"} for n in range(600))
    memory.flush()
    half = open_memory(embedder=new)
    half.work()
    half.close()
    later = open_memory()
    assert progress(later)["new"] == ("building", 256, 32)
    later.flush()
    assert progress(later) == {"old": ("retired", 0, 24), "new": ("serving", 600, 32)}


@pytest.mark.req("D14")
def test_a_message_rechunked_during_a_model_change_is_embedded(open_memory, models):
    old, new = models
    memory = open_memory(embedder=old)
    memory.space("default").set("chunking", False)
    memory.space("default").set("chunk_tokens", 50)
    memory.conversation("c").add_many({"role": "user", "content": f"herons {n}. " * 20} for n in range(300))
    memory.flush()
    both = open_memory(embedder=new)
    both.work()
    both.space("default").set("chunking", True)
    assert both.space("default").rechunk() == 300
    both.flush(120)
    serving = {model.name: model for model in both.status().models}[new]
    assert serving.expected >= 600
    assert (serving.state, serving.embedded) == ("serving", serving.expected)
    assert all(finding.ok for finding in both.doctor())


@pytest.mark.req("D14")
def test_without_a_model_name_the_store_keeps_its_model(open_memory, models):
    open_memory(embedder=models[0]).conversation("c").add("user", "hello")
    assert open_memory().status().models[0].name == models[0]


@pytest.mark.req("D14")
def test_returning_to_the_old_model_stops_the_build(open_memory, models):
    old, new = models
    memory = open_memory(embedder=old)
    memory.conversation("c").add_many({"role": "user", "content": f"number {n}"} for n in range(300))
    memory.flush()
    open_memory(embedder=new).work()
    back = open_memory(embedder=old)
    back.flush()
    assert progress(back) == {"old": ("serving", 300, 24), "new": ("retired", 0, 32)}
    again = open_memory(embedder=new)
    again.flush()
    assert progress(again) == {"old": ("retired", 0, 24), "new": ("serving", 300, 32)}


@pytest.mark.req("D11")
def test_an_embedder_unknown_to_this_process_degrades_recall(open_memory, clock):
    first = open_memory(embedder=Letters("somebody's own"), clock=clock)
    first.conversation("c").add("user", "The heron stands in the harbour")
    memory = open_memory(clock=clock)
    hits = memory.space("default").recall("heron")
    assert hits[0].message.content == "The heron stands in the harbour"
    assert hits.degraded == ("dense",)
    assert "somebody's own" in hits.warnings[0]
    memory.work()
    assert embeddings(memory)[0].state == "queued"
    clock.forward(minutes=6)
    owner = open_memory(embedder=Letters("somebody's own"), clock=clock)
    owner.flush()
    assert owner.space("default").recall("heron").degraded == ()


def test_a_model_with_a_changed_dimension_is_rejected(open_memory, clock):
    letters = Letters()
    memory = open_memory(embedder=letters, clock=clock)
    memory.conversation("c").add("user", "hello")
    memory.flush()
    letters.size = 30
    memory.conversation("c").add("user", "world")
    memory.work()
    assert "another name" in (embeddings(memory)[0].error or "")
    assert memory.space("default").recall("world").degraded == ("dense",)


def test_done_jobs_are_kept_for_thirty_days(open_memory, clock):
    memory = open_memory(clock=clock)
    memory.conversation("c").add("user", "hello")
    memory.flush()
    clock.forward(days=29)
    memory.work()
    assert states(memory) == {"done": 1}
    clock.forward(days=2)
    memory.work()
    assert states(memory) == {}


def test_a_job_that_postpones_work_keeps_its_error_until_the_next_job_is_done(memory, clock):
    memory.conversation("c").add("user", "hello")
    jobs = memory.engine.store.jobs
    for error in ("no such model", None):
        jobs.queue("learn", "default", "c", clock())
        claimed = jobs.claim("me", ["learn"], clock(), clock() + LEASE, 1)
        jobs.finish(claimed, 0, clock(), error)
        jobs.finish(claimed, 5, clock())  # a late call of the worker
        (job,) = [job for job in memory.jobs() if job.kind == "learn"]
        assert (job.state, job.error) == ("done", error)
