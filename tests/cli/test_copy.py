"""Tests `aforesaid copy`."""

from __future__ import annotations

import json
from pathlib import Path

from aforesaid import Memory


def fill(path: Path) -> None:
    with Memory(path, worker=False, environment={}) as memory:
        memory.space("ann").conversation("c").add("user", "We settled on Lisbon.")
        memory.create_key("app")
        memory.flush()


def test_a_store_is_copied_with_its_embedder_and_indexed(run, tmp_path: Path):
    fill(tmp_path / "a.db")
    done = run("copy", str(tmp_path / "a.db"), str(tmp_path / "b.db"), "--json")
    assert json.loads(done.stdout)["records"]["messages"] == 1
    assert "ann: copied, 1 messages" in done.stderr
    with Memory(tmp_path / "b.db", worker=False, environment={}) as memory:
        assert [model.name for model in memory.status().models] == ["static:256"]
        assert memory.status().jobs.get("queued", 0) == 0
        (key,) = memory.keys()
        assert key.name == "app"
    again = run("copy", str(tmp_path / "a.db"), str(tmp_path / "b.db"))
    assert "ann: unchanged" in again.stderr
    assert again.exit_code == 0


def test_a_missing_source_is_not_created(run, tmp_path: Path):
    done = run("copy", str(tmp_path / "no.db"), str(tmp_path / "b.db"))
    assert done.exit_code == 3
    assert list(tmp_path.iterdir()) == []


def test_a_target_with_other_data_is_rejected(run, tmp_path: Path):
    fill(tmp_path / "a.db")
    with Memory(tmp_path / "b.db", worker=False, environment={}) as memory:
        memory.space("ann").conversation("c").add("user", "Something else.")
    done = run("copy", str(tmp_path / "a.db"), str(tmp_path / "b.db"))
    assert done.exit_code == 4
    assert "other data" in done.stderr


def test_one_space_is_copied_alone_and_a_store_cannot_be_copied_onto_itself(run, tmp_path: Path):
    fill(tmp_path / "a.db")
    with Memory(tmp_path / "a.db", worker=False, environment={}) as memory:
        memory.space("ben").conversation("c").add("user", "Another one.")
    a, b = str(tmp_path / "a.db"), str(tmp_path / "b.db")
    assert json.loads(run("copy", a, b, "--space", "ben", "--json").stdout)["spaces"] == 1
    with Memory(b, worker=False, environment={}) as memory:
        assert [info.id for info in memory.spaces()] == ["ben"]
        assert list(memory.keys()) == []
    assert run("copy", a, b, "--space", "carol").exit_code == 3
    assert run("copy", a, a).exit_code == 2


def test_a_rejected_space_does_not_stop_the_others_and_can_be_replaced(run, tmp_path: Path):
    fill(tmp_path / "a.db")
    with Memory(tmp_path / "a.db", worker=False, environment={}) as memory:
        memory.space("ben").conversation("c").add("user", "I live in Berlin")
    with Memory(tmp_path / "b.db", worker=False, environment={}) as memory:
        memory.space("ann").conversation("c").add("user", "Something else.")
    a, b = str(tmp_path / "a.db"), str(tmp_path / "b.db")
    done = run("copy", a, b)
    assert done.exit_code == 4
    assert "ben: copied, 1 messages" in done.stderr
    assert "--space NAME --replace" in " ".join(done.stderr.split())
    assert run("copy", a, b, "--space", "ann", "--replace").exit_code == 0
    with Memory(b, worker=False, environment={}) as memory:
        assert [one.text for one in memory.space("ann").conversation("c").messages()] == ["We settled on Lisbon."]


def test_facts_that_the_copy_extracted_do_not_block_the_next_copy(run, tmp_path: Path):
    a, b = str(tmp_path / "a.db"), str(tmp_path / "b.db")
    for said in ("I live in Berlin", "I work at Acme"):
        with Memory(a, worker=False, environment={}) as memory:
            memory.space("ann").conversation("c").add("user", said)
        assert run("copy", a, b).exit_code == 0
    with Memory(b, worker=False, environment={}) as memory:
        assert len(memory.space("ann").conversation("c").messages()) == 2
