"""Tests `aforesaid backup` and `aforesaid restore`."""

import json

import pytest

pytestmark = pytest.mark.req("X19")


def test_a_store_is_backed_up_and_restored(run, data, path, tmp_path):
    run("add", "trip", "We settled on Lisbon.")
    place = str(tmp_path / "monday.db")
    assert data("backup", place) | {"bytes": 0} == {
        "path": place, "bytes": 0, "schema_version": data("status")["schema_version"], "spaces": 1, "conversations": 1,
        "messages": 1, "damaged": 0,
    }  # fmt: skip
    run("add", "trip", "And then on Porto.")
    refused = run("restore", place, path)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "exists already" in refused.stderr
    assert json.loads(run("restore", place, path, "--force", "--json").stdout)["mended"] == []
    assert [message["content"] for message in data("messages", "trip")] == ["We settled on Lisbon."]


def test_the_output_has_the_number_of_messages(run, path, tmp_path):
    run("add", "trip", "hello")
    assert "1 messages" in run("backup", str(tmp_path / "b.db")).stdout
    assert "1 messages of 1 conversations" in run("restore", str(tmp_path / "b.db"), str(tmp_path / "new.db")).stdout


def test_an_invalid_backup_or_restore_is_a_one_line_error(run, path, tmp_path):
    run("add", "trip", "hello")
    (tmp_path / "broken.db").write_text("x" * 10_000)
    run("backup", str(tmp_path / "b.db"))
    for arguments, code in (
        (["backup", str(tmp_path / "b.db")], 2),
        (["backup", path, "--force"], 2),
        (["backup", str(tmp_path / "no" / "folder.db")], 2),
        (["restore", str(tmp_path / "missing.db"), str(tmp_path / "new.db")], 3),
        (["restore", str(tmp_path / "broken.db"), str(tmp_path / "new.db")], 6),
    ):
        result = run(*arguments)
        assert (result.exit_code, result.stdout, len(result.stderr.splitlines())) == (code, "", 1), arguments


def test_restore_does_not_replace_a_store_that_is_open(process, open_memory, path, tmp_path):
    memory = open_memory()
    memory.conversation("c").add("user", "hello")
    assert process("backup", str(tmp_path / "b.db")).returncode == 0
    done = process("restore", str(tmp_path / "b.db"), path, "--force")
    assert (done.returncode, b"has it open" in done.stderr) == (6, True)
    assert memory.conversation("c").add("user", "still mine").seq == 1
