"""Tests the import of coding agents' sessions, written by the real programs: what the person typed is the user's."""

import json
import shutil
from pathlib import Path

import pytest
from tests.imports.samples import EXPORTS
from tests.imports.world import lines, said, texts

pytestmark = pytest.mark.req("X8")

SESSION = "4ef43ff6-b7d8-417a-9a3a-3d8c39089b4b"
CODEX_SESSION = "01a1ecce-0a43-7c41-814d-d52f3aae0abf"


def test_a_folder_of_claude_code_sessions_is_imported_without_subagents_and_the_texts_of_the_program(store):
    done = store.space("alice").import_chats(EXPORTS / "claude-code")
    assert (done.formats, done.conversations, done.messages) == (("claude-code",), 1, 13)
    assert done.skipped == {
        "of a subagent": 3,
        "of the program, not typed by a person": 7,
        "summaries by the program": 1,
        "thoughts": 2,
    }
    typed = [text for role, text in texts(store, SESSION) if role == "user"]
    assert typed == ["My horse is called Zanzibar.", "DELEGATE the search", "LIST the files", "And now?"]
    again = store.space("alice").import_chats(EXPORTS / "claude-code")
    assert (again.messages, again.known, again.changed) == (0, 13, 0)


def test_a_claude_code_session_keeps_tool_calls_results_times_and_project(store):
    store.space("alice").import_chats(EXPORTS / "claude-code")
    messages = said(store, SESSION)
    call = next(message for message in messages if message.tool_calls and message.tool_calls[0]["id"] == "toolu_l1")
    result = next(message for message in messages if message.tool_call_id == "toolu_l1")
    assert json.loads(call.tool_calls[0]["function"]["arguments"])["command"] == "ls"
    assert (call.role, result.role, result.text) == ("assistant", "tool", "CLAUDE.md\nREADME.md")
    assert messages[0].created_at.isoformat() == "2026-02-18T04:23:04.771000+00:00"
    assert messages[0].metadata == {"imported": True, "source": "claude-code"}
    assert store.space("alice").conversation(SESSION).info().metadata["project"] == "/home/ada/stable"


def test_only_what_the_person_typed_becomes_a_fact(store):
    alice = store.space("alice")
    alice.import_chats(EXPORTS / "claude-code")
    while store.work():
        pass
    assert {quote.message_id for fact in alice.facts() for quote in fact.evidence} == {said(store, SESSION)[0].id}


def user_line(uuid: str, content: object, **more: object) -> dict:
    own = {"parentUuid": None, "isSidechain": False, "userType": "external", "sessionId": "s", "type": "user"}
    return (
        own
        | {"uuid": uuid, "message": {"role": "user", "content": content}, "timestamp": "2026-02-01T10:00:00Z"}
        | more
    )


def test_harness_text_beside_typed_words_is_kept_as_a_part_of_its_own(store, tmp_path):
    reminder = "<system-reminder>\nThe date is today. My name is Clippy.\n</system-reminder>"
    path = lines(
        tmp_path / "s.jsonl",
        user_line("a", f"{reminder}\nI live in Porto."),
        user_line("b", [{"type": "text", "text": reminder}]),
        user_line("c", "<command-name>/clear</command-name>\n<command-message>clear</command-message>"),
        user_line("d", "Caveat: hidden", isMeta=True),
        user_line("e", [{"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "boom"}],
                         "is_error": True}, {"type": "text", "text": "Tool loaded."}]),
        {"type": "attachment", "sessionId": "s", "uuid": "f", "isSidechain": False, "attachment": {
            "type": "queued_command", "commandMode": "prompt", "prompt": "And quickly, please."}},
        {"type": "custom-title", "customTitle": "Moving", "sessionId": "s"},
    )  # fmt: skip
    done = store.space("alice").import_chats(path)
    assert texts(store, "s") == [("user", "\nI live in Porto."), ("tool", "boom"), ("user", "And quickly, please.")]
    assert done.skipped == {"of the program, not typed by a person": 4}
    first, result, _ = said(store, "s")
    assert [part["type"] for part in first.content] == ["harness", "text"]
    assert (result.tool_call_id, result.metadata["error"]) == ("t1", True)
    assert store.space("alice").conversation("s").info().title == "Moving"


def test_a_line_that_is_still_being_written_is_left_for_the_next_import(store, tmp_path):
    path = lines(tmp_path / "s.jsonl", user_line("a", "one"), user_line("b", "two"))
    whole = path.read_text("utf-8")
    path.write_text(whole[:-40], "utf-8")
    done = store.space("alice").import_chats(path)
    assert (done.messages, done.skipped) == (1, {"cut off at the end of a file": 1})
    path.write_text(whole, "utf-8")
    assert store.space("alice").import_chats(path).messages == 1


def test_a_folder_of_codex_sessions_is_imported_with_tool_calls(store):
    done = store.space("alice").import_chats(EXPORTS / "codex")
    assert (done.formats, done.conversations, done.messages) == (("codex",), 2, 14)
    assert done.skipped == {"of the program, not typed by a person": 4, "thoughts": 7}
    messages = said(store, CODEX_SESSION)
    assert [message.text for message in messages if message.role == "user"] == [
        "hi",
        "My horse is called Zanzibar.",
        "Run ls 2 times and count the files.",
    ]
    call, result = messages[5:7]
    assert (call.tool_calls[0]["function"]["name"], call.tool_calls[0]["id"]) == ("exec_command", result.tool_call_id)
    assert "README.md" in result.text
    assert store.space("alice").import_chats(EXPORTS / "codex").known == 14


def codex_line(kind: str, second: int = 0, **payload: object) -> dict:
    return {"timestamp": f"2026-02-01T10:00:{second:02d}Z", "type": kind, "payload": payload}


def message(role: str, *words: str) -> dict:
    return {"type": "message", "role": role, "content": [{"type": "input_text", "text": text} for text in words]}


CONTEXT = "<environment_context>\n  <cwd>/home/ada</cwd>\n</environment_context>"


def test_codex_sessions_of_older_versions_and_of_subagents(store, tmp_path):
    (tmp_path / "sessions").mkdir()
    lines(
        tmp_path / "sessions" / "rollout-1.jsonl",
        {"id": "old", "timestamp": "2026-02-01T10:00:00Z", "instructions": None, "git": {}},
        {"record_type": "state"},
        message("user", CONTEXT),
        message("user", "I live in Porto."),
        {"type": "local_shell_call", "call_id": "c1", "status": "completed", "action": {"command": ["ls"]}},
        {"type": "function_call_output", "call_id": "c1", "output": {"content": "a.txt", "success": True}},
    )
    lines(
        tmp_path / "sessions" / "rollout-2.jsonl",
        codex_line("session_meta", id="child", source={"subagent": {"thread_spawn": {}}}),
        codex_line("response_item", **message("user", "I live in Rome.")),
    )
    lines(
        tmp_path / "sessions" / "rollout-3.jsonl",
        codex_line("session_meta", id="new", cwd="/home/ada"),
        codex_line("response_item", 1, **message("user", CONTEXT + "\n", "Where is the hay?")),
        codex_line("compacted", 2, message="The user looks for hay.", replacement_history=[]),
        codex_line("response_item", 3, type="custom_tool_call", call_id="c2", name="apply_patch", input="*** patch"),
        codex_line("response_item", 4, type="web_search_call", status="completed", action={}),
    )
    (tmp_path / "auth.json").write_text('{"OPENAI_API_KEY": "secret"}', "utf-8")
    done = store.space("alice").import_chats(tmp_path)
    assert texts(store, "old")[0] == ("user", "I live in Porto.")
    assert said(store, "old")[2].tool_call_id == "c1"
    assert texts(store, "new") == [("user", "Where is the hay?"), ("assistant", "")]
    assert said(store, "new")[1].tool_calls[0]["function"]["arguments"] == "*** patch"
    assert done.skipped == {
        "of a subagent": 1,
        "of or to a tool": 1,
        "of the program, not typed by a person": 1,
        "other files of the archive": 1,
        "summaries by the program": 1,
    }


def test_a_session_longer_than_a_batch_is_imported_once_and_a_longer_one_adds_the_rest(store, tmp_path):
    session = [codex_line("session_meta", id="long")]
    session += [codex_line("response_item", at % 60, **message("user", f"number {at}")) for at in range(1201)]
    path = lines(tmp_path / "rollout-1.jsonl", *session[:1000])
    assert store.space("alice").import_chats(path).messages == 999
    lines(path, *session)
    done = store.space("alice").import_chats(path)
    assert (done.messages, done.known) == (202, 999)
    assert [one.text for one in said(store, "long")] == [f"number {at}" for at in range(1201)]


def test_a_copied_session_file_adds_nothing(store, tmp_path: Path):
    store.space("alice").import_chats(EXPORTS / "claude-code")
    shutil.copy(EXPORTS / "claude-code" / "-home-ada-stable" / f"{SESSION}.jsonl", tmp_path / "copy.jsonl")
    assert store.space("alice").import_chats(tmp_path / "copy.jsonl").messages == 0
