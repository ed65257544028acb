"""Tests the output of read-only commands, and that they change nothing."""

import json
from pathlib import Path

import pytest
from tests.conftest import states

LOOKING = (
    ["recall", "x"],
    ["context", "trip", "x"],
    ["explain", "--receipt", "x"],
    ["why", "x", "--receipt", "x"],
    ["messages", "trip"],
    ["conversations"],
    ["spaces"],
    ["settings"],
    ["settings", "hybrid", "--unset"],
    ["status"],
    ["metrics"],
    ["export", "alice", "folder"],
    ["doctor"],
    ["worker", "--once"],
)
HOSTILE = "[bold]loud[/bold] \x1b[31mred\x1b[0m \x9b2J ring\x07 \u202eback\r over"


@pytest.fixture
def trip(run):
    for role, text in (("user", "We settled on Lisbon."), ("assistant", "In May?"), ("user", "Yes, 3 May.")):
        assert run("add", "trip", text, "--role", role).exit_code == 0


@pytest.mark.parametrize("arguments", LOOKING, ids=lambda arguments: arguments[0])
def test_read_commands_do_not_create_a_store(run, path, arguments):
    result = run(*arguments)
    assert result.exit_code == 3
    assert result.stderr == f"error: no store at {path}; add a message first\n"
    assert result.stdout == ""
    assert not Path(path).exists()


def test_the_default_store_is_aforesaid_db_in_the_current_folder(process, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert process("add", "trip", "hello", AFORESAID_STORE="").returncode == 0
    assert (tmp_path / "aforesaid.db").is_file()


def test_the_store_option_overrides_the_environment(run, data, tmp_path):
    other = str(tmp_path / "other.db")
    run("add", "trip", "elsewhere", "--store", other)
    assert [one["content"] for one in data("messages", "trip", "--store", other)] == ["elsewhere"]
    assert run("status").exit_code == 3


def test_recall_shows_the_score_its_parts_and_the_source_of_a_hit(run, trip):
    shown = run("recall", "Lisbon", "--limit", "1").stdout
    for word in ("score", "dense", "lexical", "identifier", "user in trip", "We settled on Lisbon."):
        assert word in shown
    assert "In May?" not in shown


def test_recall_is_limited_to_the_given_conversation(run, data, trip):
    run("add", "work", "Lisbon office opens")
    found = data("recall", "Lisbon", "--conversation", "work")["hits"]
    assert {hit["message"]["conversation"] for hit in found} == {"work"}


@pytest.mark.req("D11")
def test_recall_warns_about_a_search_that_was_left_out(run, monkeypatch):
    monkeypatch.setenv("AFORESAID_EMBEDDER", "http://127.0.0.1:9/v1#model")
    run("add", "trip", "hello")
    result = run("recall", "hello", "--json")
    found = json.loads(result.stdout)
    assert (found["degraded"], found["hits"][0]["sources"]) == (["dense"], ["lexical"])
    assert result.stderr.startswith("warning: dense search left out")


def test_no_hits_are_reported_on_stderr(run, trip):
    result = run("recall", "Lisbon", "--conversation", "nowhere")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "nothing found\n")


@pytest.mark.parametrize("command", [["recall", "x"], ["conversations"]])
def test_an_unknown_space_is_an_error(run, trip, command):
    result = run(*command, "--space", "alcie")
    assert result.exit_code == 3
    assert "alcie" in result.stderr


def test_messages_are_paginated_by_seq(data, trip):
    def contents(*options):
        return [one["seq"] for one in data("messages", "trip", *options)]

    assert contents() == [0, 1, 2]
    assert contents("--limit", "2") == [1, 2]
    assert contents("--after", "0", "--limit", "1") == [1]
    assert contents("--before", "2", "--limit", "1") == [1]


def test_messages_of_an_unknown_conversation_are_not_found(run, trip):
    result = run("messages", "tirp")
    assert result.exit_code == 3
    assert "tirp" in result.stderr


@pytest.mark.req("X20")
def test_tool_calls_and_images_of_a_message_are_shown(run):
    call = {"id": "c1", "type": "function", "function": {"name": "weather", "arguments": '{"city":"Lisbon"}'}}
    picture = {"type": "image_url", "image_url": {"url": "data:,"}}
    lines = (
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "user", "content": [{"type": "text", "text": "look"}, picture]},
    )
    run("add", "trip", "--jsonl", "-", input="\n".join(map(json.dumps, lines)))
    shown = run("messages", "trip").stdout
    for words in ("weather", "Lisbon", "look", "<image_url>"):
        assert words in shown


@pytest.mark.parametrize("command", [["messages", "trip"], ["recall", "red"]])
def test_control_characters_and_markup_are_escaped(run, command):
    run("add", "trip", HOSTILE)
    shown = run(*command).stdout
    assert not set(shown) & set("\x1b\x9b\x07\r\u202e")
    for words in ("[bold]loud[/bold]", r"\x1b[31mred", r"\x9b2J", r"\x07", r"\u202eback"):
        assert words in " ".join(shown.split())


def test_json_is_exact_and_has_no_control_characters(run):
    run("add", "trip", HOSTILE)
    printed = run("messages", "trip", "--json").stdout
    assert json.loads(printed)[0]["content"] == HOSTILE
    assert not set(printed) & set("\x1b\x9b\x07\r\u202e")


def test_names_are_escaped(run):
    run("add", "\x1b[2Jtrip", "hello", "--space", "\x1b[2Jspace")
    for command in (["conversations", "--space", "\x1b[2Jspace"], ["spaces"]):
        assert r"\x1b[2J" in run(*command).stdout


def test_errors_are_escaped(run, trip):
    result = run("status", "--store", "\x1b[2Jgone.db")
    assert result.stderr == r"error: no store at \x1b[2Jgone.db; add a message first" + "\n"


def test_times_are_local_in_text_and_have_an_offset_in_json(run, data, zone):
    run("add", "trip", "hello", "--at", "2026-03-01T23:30:00+00:00")
    zone("Asia/Tokyo")
    assert "2026-03-02 08:30:00" in run("messages", "trip").stdout
    assert data("messages", "trip")[0]["created_at"] == "2026-03-01T23:30:00+00:00"


def test_conversations_and_spaces_are_paginated(run, data):
    for name in ("a", "b", "c"):
        run("add", name, "hello", "--space", name)
        run("add", name, "hello")
    assert [one["id"] for one in data("conversations", "--limit", "2")] == ["a", "b"]
    assert [one["id"] for one in data("conversations", "--after", "b")] == ["c"]
    assert data("conversations", "--status", "ended") == []
    assert [one["id"] for one in data("spaces", "--limit", "2", "--after", "a")] == ["default", "b"]
    assert "messages" in run("conversations").stdout


def test_status_shows_counts_jobs_and_models(run, data, trip, path, open_memory):
    status = data("status")
    assert (status["store"], status["messages"], set(status["jobs"])) == (path, 3, {"done"})
    memory = open_memory()
    assert (states(memory), states(memory, "times")) == ({"done": 3}, {"done": 2})
    assert status["models"][0]["name"] == "static:256"
    assert "3 messages" in run("status").stdout


def test_recall_applies_filters_and_explains_the_query(run, path):
    run("add", "trip", "We settled on Lisbon in May.")
    run("add", "trip", "The hotel in Lisbon is by the river.")
    shown = run("recall", "Lisbon", "--explain", "--kind", "message")
    assert "wlisbon" in shown.stderr
    assert "2 of 2 messages read" in shown.stderr
    assert "nothing found" in run("recall", "Lisbon", "--until", "2001-01-01").stderr
    assert "nothing found" in run("recall", "Lisbon", "--tag", "none").stderr


@pytest.mark.req("B13")
def test_recall_and_context_take_a_filter_over_metadata(run, data, trip):
    found = data("recall", "Lisbon", "--kind", "message", "--filter", '{"topic": {"$exists": false}}')["hits"]
    assert found
    assert data("recall", "Lisbon", "--filter", '{"topic": "work"}')["hits"] == []
    receipt = data("context", "trip", "Lisbon?", "--filter", '{"topic": "work"}')["receipt"]
    assert receipt["call"]["filter"] == {"topic": "work"}
    for text, reason in (("{", "not valid JSON"), ("[]", "takes a JSON object"), ('{"$x": 1}', "use $and, $or")):
        result = run("recall", "Lisbon", "--filter", text)
        assert result.exit_code == 2
        assert reason in result.stderr


@pytest.mark.req("X34")
def test_recall_searches_other_spaces_too(run, data, trip):
    run("add", "standup", "Lisbon is the topic of the team", "--space", "team")
    found = data("recall", "Lisbon", "--also", "team")["hits"]
    assert {hit["space"] for hit in found} == {"default", "team"}
    assert "user in team: standup" in run("recall", "Lisbon", "--also", "team").stdout
    assert run("recall", "Lisbon", "--also", "nowhere").exit_code == 3
    assert run("recall", "Lisbon", "--also", "team", "--conversation", "trip").exit_code == 2


@pytest.mark.req("X34")
def test_a_context_recalls_from_other_spaces_too(run, trip):
    run("add", "standup", "Lisbon is the topic of the team", "--space", "team")
    assert "# team: standup, " in run("context", "trip", "What is the topic?", "--also", "team").stdout
    assert "standup" not in run("context", "trip", "What is the topic?").stdout
    assert run("context", "trip", "What is the topic?", "--also", "nowhere").exit_code == 3


@pytest.mark.req("B11")
def test_recall_shows_groups(run, data, trip):
    (group,) = data("recall", "Lisbon", "--group", "session", "--limit", "1")["groups"]
    assert group["kind"] == "session"
    assert len(group["messages"]) >= len(group["hits"]) >= 1
    assert "*" in run("recall", "Lisbon", "--group", "turn").stdout


def test_feedback_is_stored_shown_and_reset(run, data, trip):
    id = data("recall", "Lisbon", "--kind", "message", "--limit", "1")["hits"][0]["id"]
    assert data("feedback", "Lisbon?", id, "--useless")[0]["verdict"] == "useless"
    assert "weight_feedback" in run("feedback", "Lisbon?", id, "--useless").stderr
    (rated,) = data("feedback", "Lisbon?")
    assert (rated["message_id"], rated["useless"], round(rated["correction"], 2)) == (id, 1, -0.5)
    assert data("feedback", "an entirely different matter")[0]["correction"] == 0
    assert id in run("feedback").stdout
    assert data("feedback", "--reset") == {"removed": 1}
    assert data("feedback") == []
    for option, why in (("--reset", "takes no question"), ("--useless", "the id of a message")):
        refused = run("feedback", "Lisbon?", option)
        assert (refused.exit_code, why in refused.stderr) == (2, True)
