"""Tests `aforesaid add` with arguments, standard input and JSONL."""

import json
from pathlib import Path

import pytest
from tests.conftest import states

LINES = ({"role": "user", "content": "Lisbon"}, {"role": "assistant", "content": "Noted", "id": "m2"})


def jsonl(*messages: object) -> str:
    return "".join(json.dumps(message) + "\n" for message in messages)


def test_a_message_is_stored_with_all_its_options(run, data):
    stored = data(
        "add", "trip", "12 °C", "--role", "tool", "--space", "alice", "--id", "m1", "--name", "weather",
        "--model", "ollama:qwen3", "--at", "2026-03-01T09:30:00+01:00", "--tool-call-id", "call-1",
        "--expires", "36500d",
    )  # fmt: skip
    assert stored == {
        "id": "m1", "space": "alice", "conversation": "trip", "seq": 0, "role": "tool", "content": "12 °C",
        "name": "weather", "tool_calls": None, "tool_call_id": "call-1", "model": "ollama:qwen3",
        "importance": stored["importance"], "tokens": stored["tokens"],
        "created_at": "2026-03-01T08:30:00+00:00", "metadata": {}, "expires_at": "2126-02-05T08:30:00+00:00",
        "raw": None,
    }  # fmt: skip
    assert data("messages", "trip", "--space", "alice") == [stored]


def test_the_default_role_is_user(data):
    assert data("add", "trip", "hello")["role"] == "user"


def test_the_output_contains_the_message_id(run, data):
    result = run("add", "trip", "hello")
    assert result.stdout.strip() == f"stored #0 of trip, id {data('messages', 'trip')[0]['id']}"


@pytest.mark.parametrize("text", [[], ["-"]])
def test_piped_text_is_stored_without_its_final_newline(data, text):
    assert data("add", "trip", *text, input="two\nlines\n")["content"] == "two\nlines"
    assert data("add", "trip", *text, input="from Windows\r\n")["content"] == "from Windows"


def test_non_ascii_text_from_a_pipe_is_stored(process):
    done = process("add", "trip", "--json", input="駅の近くのホテル\n".encode())
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["content"] == "駅の近くのホテル"


def test_bytes_that_are_not_utf8_are_rejected(run):
    result = run("add", "trip", input=b"caf\xe9")
    assert result.exit_code == 2
    assert "not UTF-8" in result.stderr


def test_repeating_an_id_stores_once_and_other_content_is_a_conflict(run, data):
    first = data("add", "trip", "hello", "--id", "m1")
    assert data("add", "trip", "hello", "--id", "m1") == first
    result = run("add", "trip", "other words", "--id", "m1")
    assert result.exit_code == 4
    assert "m1" in result.stderr
    assert len(data("messages", "trip")) == 1


@pytest.mark.req("D1")
def test_an_added_message_is_embedded_when_the_command_ends(run, data, open_memory):
    run("add", "trip", "Keep it cheap: the whole trip must cost less than 900 €.")
    hits = data("recall", "how much money can we spend?")["hits"]
    assert hits[0]["sources"] == ["dense"]
    assert set(data("status")["jobs"]) == {"done"}
    assert states(open_memory()) == {"done": 1}


@pytest.mark.parametrize("source", ["file", "-"])
def test_jsonl_messages_are_stored(data, tmp_path: Path, source):
    text = "\n" + jsonl(*LINES)
    file = tmp_path / "chat.jsonl"
    file.write_text(text, "utf-8")
    stored = data("add", "trip", "--jsonl", "-" if source == "-" else str(file), input=text)
    assert [(one["role"], one["content"]) for one in stored] == [("user", "Lisbon"), ("assistant", "Noted")]
    assert data("messages", "trip") == stored


def test_a_file_with_a_byte_order_mark_is_read(data, tmp_path: Path):
    file = tmp_path / "chat.jsonl"
    file.write_text(jsonl(*LINES), "utf-8-sig")
    assert len(data("add", "trip", "--jsonl", str(file))) == 2


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("{", "line 3 of standard input is not JSON"),
        ("[1]", "line 3 of standard input is not an object"),
        (json.dumps({"content": "no role"}), "role"),
        (json.dumps({"role": "user", "content": "  "}), "empty"),
    ],
)
def test_one_invalid_jsonl_line_stores_nothing(run, data, wrong, said):
    run("add", "other", "so that there is a store")
    result = run("add", "trip", "--jsonl", "-", input=jsonl(*LINES) + wrong)
    assert result.exit_code == 2
    assert said in result.stderr
    assert [one["id"] for one in data("conversations")] == ["other"]


def test_a_missing_file_is_rejected_before_a_store_is_created(run, path):
    result = run("add", "trip", "--jsonl", "missing.jsonl")
    assert result.exit_code == 2
    assert "missing.jsonl" in result.stderr
    assert not Path(path).exists()


@pytest.mark.parametrize("more", [["text"], ["--role", "assistant"], ["--id", "m1"]])
def test_options_of_a_single_message_conflict_with_jsonl(run, more):
    result = run("add", "trip", *more, "--jsonl", "-", input=jsonl(*LINES))
    assert result.exit_code == 2
    assert "--jsonl" in result.stderr


def test_a_remote_embedder_is_not_waited_for(run, monkeypatch, open_memory):
    monkeypatch.setenv("AFORESAID_EMBEDDER", "http://127.0.0.1:9/v1#model")
    result = run("add", "trip", "hello")
    assert result.exit_code == 0
    assert "aforesaid worker" in result.stderr
    assert states(open_memory(embedder="none")) == {"queued": 1}


def test_without_an_embedder_no_hint_is_printed(run, monkeypatch):
    monkeypatch.setenv("AFORESAID_EMBEDDER", "none")
    result = run("add", "trip", "hello")
    assert (result.exit_code, result.stderr) == (0, "")


def test_an_error_of_a_single_message_does_not_mention_a_list(run):
    result = run("add", "trip", "")
    assert result.exit_code == 2
    assert "content is empty" in result.stderr
    assert "of the list" not in result.stderr
