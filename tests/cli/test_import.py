"""Tests `aforesaid import` of chats from other programs."""

import json

import pytest
from tests.imports.samples import DISCORD, EXPORTS
from tests.imports.world import archive, lines, trip, written

pytestmark = pytest.mark.req("X8")


def test_an_export_is_imported_and_counted(run, data, tmp_path):
    path = str(archive(tmp_path / "export.zip", {"conversations.json": [trip()], "user.json": {}}))
    result = run("import", path, "--space", "alice")
    assert result.exit_code == 0, result.stderr
    assert [line.split() for line in result.stdout.splitlines()[2:4]] == [
        ["conversations", "1"],
        ["new", "messages", "2"],
    ]
    assert "left out: other files of the archive" in result.stdout
    again = data("import", path, "--space", "alice")
    assert again == {
        "formats": ["chatgpt"], "conversations": 1, "messages": 0, "known": 2, "changed": 0, "facts": 0,
        "skipped": {"other files of the archive": 1},
    }  # fmt: skip
    assert len(data("messages", "trip", "--space", "alice")) == 2
    assert set(data("status")["jobs"]) == {"done"}


def test_a_dry_run_stores_nothing(run, data, tmp_path):
    path = str(written(tmp_path / "a.json", [trip()]))
    result = run("import", path, "--dry-run")
    assert (result.exit_code, result.stderr) == (0, "nothing was stored\n")
    assert data("spaces") == []


def test_an_explicit_format_is_accepted_and_an_unknown_one_rejected(run, data, tmp_path):
    path = str(lines(tmp_path / "a.jsonl", {"role": "user", "content": "Hello"}))
    assert data("import", path, "--format", "chat")["messages"] == 1
    wrong = run("import", path, "--format", "icq")
    assert wrong.exit_code == 2
    assert all(name in wrong.stderr for name in ("chatgpt", "claude", "chat", "langchain", "mem0"))


def test_options_of_the_other_kind_of_import_are_rejected(run, tmp_path):
    run("add", "trip", "Hello", "--space", "alice")
    run("export", "alice", str(tmp_path / "out"))
    assert run("import", str(tmp_path / "out"), "--space", "bob").exit_code == 2
    assert run("import", str(written(tmp_path / "a.json", [trip()])), "--as", "bob").exit_code == 2


def test_an_unreadable_file_is_a_one_line_error(run, tmp_path):
    (tmp_path / "a.json").write_text("hello", "utf-8")
    for path in ("a.json", "gone.zip"):
        result = run("import", str(tmp_path / path))
        assert result.exit_code == 2
        assert len(result.stderr.splitlines()) == 1


def test_stdout_has_only_the_result(process, tmp_path):
    done = process("import", str(written(tmp_path / "a.json", [trip()])), "--json")
    assert json.loads(done.stdout)["messages"] == 2
    assert done.stderr == b""


def test_an_import_without_messages_says_so_and_fails(run, tmp_path):
    (tmp_path / "empty.json").write_bytes(b"")
    result = run("import", str(tmp_path / "empty.json"))
    assert result.exit_code == 2
    assert "is empty; give the file" in " ".join(result.stderr.split())
    (tmp_path / "none.json").write_text("[]", "utf-8")
    none = run("import", str(tmp_path / "none.json"))
    assert (none.exit_code, "none.json has no message to store; it is empty" in " ".join(none.stderr.split())) == (
        1,
        True,
    )
    blank = lines(tmp_path / "blank.jsonl", {"role": "user", "content": " "})
    result = run("import", str(blank), "--dry-run", "--json")
    assert (result.exit_code, json.loads(result.stdout)["skipped"]) == (1, {"without text": 1})


def test_a_folder_of_sessions_is_imported(run, data):
    path = str(EXPORTS / "claude-code")
    assert data("import", path, "--dry-run")["messages"] == 13
    assert data("import", path)["formats"] == ["claude-code"]
    result = run("import", path)
    assert (result.exit_code, "already stored" in result.stdout) == (0, True)


def test_the_users_name_in_a_chat_between_people(run, data, tmp_path):
    path = str(written(tmp_path / "general.json", DISCORD))
    assert data("import", path, "--me", "ada.l")["messages"] == 2
    assert [one["role"] for one in data("messages", "discord:70")] == ["assistant", "user"]


def test_an_explicit_format_that_does_not_match_gets_a_clear_error(run, tmp_path):
    path = str(lines(tmp_path / "a.jsonl", {"role": "user", "content": "Hello"}))
    result = run("import", path, "--format", "chatgpt")
    assert result.exit_code == 2
    told = " ".join(result.stderr.split())
    assert "a.jsonl has no records of the format chatgpt; leave out the format to detect it" in told
