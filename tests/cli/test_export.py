"""Tests `aforesaid export` and `aforesaid import` of a space."""

import json

import pytest
from tests.conftest import states


@pytest.fixture
def alice(run):
    for number in range(3):
        run("add", "trip", f"Lisbon, walk {number}", "--space", "alice", "--id", f"m{number}")


@pytest.mark.req("B16")
def test_a_space_is_imported_unchanged_into_another_store(run, data, alice, tmp_path, open_memory):
    folder, other = str(tmp_path / "out"), str(tmp_path / "other.db")
    assert data("export", "alice", folder) == {"space": "alice", "folder": folder}
    assert data("import", folder, "--store", other)["messages"] == 3
    assert data("import", folder, "--store", other)["messages"] == 3
    before = data("messages", "trip", "--space", "alice")
    assert data("messages", "trip", "--space", "alice", "--store", other) == before
    assert set(data("status", "--store", other)["jobs"]) == {"done"}
    assert states(open_memory(other)) == {"done": 3}


def test_a_space_is_imported_under_another_name(run, data, alice, tmp_path):
    run("export", "alice", str(tmp_path / "out"))
    result = run("import", str(tmp_path / "out"), "--as", "copy")
    assert result.stdout == "imported copy: 3 messages\n"
    assert [one["id"] for one in data("spaces")] == ["alice", "copy"]


def test_stdout_has_only_the_result(process, alice, tmp_path):
    done = process("export", "alice", str(tmp_path / "out"), "--json")
    assert json.loads(done.stdout)["space"] == "alice"
    assert done.stderr == b""


def test_an_unknown_space_and_a_non_empty_folder_are_rejected(run, alice, tmp_path):
    assert run("export", "bob", str(tmp_path / "out")).exit_code == 3
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    assert run("export", "alice", str(tmp_path / "full")).exit_code == 2
    assert run("import", str(tmp_path / "full")).exit_code == 2


def test_an_unwritable_path_is_a_one_line_error(run, alice, tmp_path):
    (tmp_path / "file").touch()
    result = run("export", "alice", str(tmp_path / "file" / "out"))
    assert result.exit_code == 1
    assert len(result.stderr.splitlines()) == 1
