"""`recollect copy`: a whole store there and back, compared."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from tests.bench.test_retrieval import DIALOGUE
from typer.testing import CliRunner

from recollect import Memory
from recollect.cli.app import app


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    monkeypatch.setenv("RECOLLECT_EMBEDDER", "wordllama:256")
    return lambda *arguments: CliRunner().invoke(app, [*map(str, arguments)])


SAID = ("I live in Lisbon.", "I moved to Porto in May.", "We decided to take the boat.", "Ça va? 日本語 🦆")


@pytest.fixture
def filled(path: str) -> str:
    """A store with two spaces in which everything has happened."""
    with Memory(path, worker=False, environment={}) as memory:
        for name in ("alice", "bob"):
            space = memory.space(name)
            chat = space.conversation("trip")
            for text in SAID:
                chat.add("user", text)
                chat.add("assistant", "Noted.")
            chat.pin("Budget: 900 €")
            space.conversation("other").add("user", "Something else", metadata={"tags": ["x"]})
            space.remember("Prefers window seats", tags=["travel"])
            space.set("token_budget", 900)
            space.grant_consent(by=name)
        memory.flush()
        memory.space("alice").recall("where do I live?")
        memory.flush()
    return path


@pytest.mark.req("X15")
def test_a_store_goes_to_the_server_and_comes_back_the_same(run, filled: str, address: str, tmp_path: Path):
    there = run("copy", filled, address, "--json")
    assert there.exit_code == 0, there.stderr
    assert [(one["space"], one["messages"], one["new"]) for one in json.loads(there.stdout)] == [
        ("alice", 9, True),
        ("bob", 9, True),
    ]
    back = str(tmp_path / "back.db")
    assert run("copy", address, back).exit_code == 0
    with Memory(filled, worker=False, environment={}) as one, Memory(back, worker=False, environment={}) as two:
        for name in ("alice", "bob"):
            first, second = one.space(name), two.space(name)
            assert first.conversation("trip").messages() == second.conversation("trip").messages()
            assert [fact.text for fact in first.facts()] == [fact.text for fact in second.facts()]
            asked = "where do I live, and by boat?"
            assert [hit.text for hit in first.recall(asked)] == [hit.text for hit in second.recall(asked)]


@pytest.mark.req("X15")
def test_what_is_there_already_is_left_alone_and_what_differs_is_said(run, filled: str, address: str):
    assert run("copy", filled, address, "--space", "alice").exit_code == 0
    both = json.loads(run("copy", filled, address, "--json").stdout)
    assert [(one["space"], one["new"]) for one in both] == [("alice", False), ("bob", True)]
    with Memory(filled, worker=False, environment={}) as memory:
        memory.space("bob").conversation("trip").add("user", "One more thing")
    grown = run("copy", filled, address)
    assert (grown.exit_code, "space 'bob' differs" in grown.stderr) == (6, True)
    with Memory(address, worker=False, environment={}) as memory:
        memory.space("bob").delete()
    assert run("copy", filled, address).exit_code == 0


def test_a_store_is_not_copied_into_itself_nor_a_space_that_is_not_there(run, filled: str, address: str):
    assert run("copy", filled, filled).exit_code == 2
    assert run("copy", filled, address, "--space", "carol").exit_code == 2


def test_the_rankings_of_both_stores_are_the_same(run, filled: str, address: str):
    assert run("copy", filled, address).exit_code == 0
    with Memory(filled, worker=False, environment={}) as one, Memory(address, worker=False, environment={}) as two:
        for asked in ("where do I live?", "boat", "日本語", "budget", "what did we decide in May?"):
            first, second = (memory.space("alice").recall(asked, limit=20) for memory in (one, two))
            assert [(hit.kind, hit.text) for hit in first] == [(hit.kind, hit.text) for hit in second]
            assert [hit.score.total for hit in first] == pytest.approx([hit.score.total for hit in second])


@pytest.mark.req("X14")
def test_a_benchmark_finds_the_same_on_both_stores(run, address: str, tmp_path: Path):
    file = tmp_path / "locomo.json"
    file.write_text(json.dumps([DIALOGUE]), "utf-8")
    here, there = (run("bench", "locomo", file, "--json", *store) for store in ((), ("--store", address)))
    assert there.exit_code == 0, there.stderr
    assert json.loads(here.stdout) == json.loads(there.stdout)
    assert json.loads(run("spaces", "--store", address, "--json").stdout) == []
