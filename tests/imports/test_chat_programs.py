"""Tests the import of chats with assistants: Open WebUI, LibreChat, Gemini, Letta, Zep, ShareGPT, llm, Pydantic AI."""

import json
from datetime import UTC, datetime

import pytest
from tests.imports import samples
from tests.imports.world import archive, lines, said, texts, written

pytestmark = pytest.mark.req("X8")

QUESTION = ("user", "What is the weather in Porto?")


def imported_twice(store, path, **options):
    """Imports the file again, which adds nothing, and returns the first report."""
    alice = store.space("alice")
    done = alice.import_chats(path, **options)
    again = alice.import_chats(path, **options)
    assert (again.messages, again.known, again.changed, again.facts) == (0, done.messages + done.known, 0, 0)
    return done


def test_open_webui_chats_keep_the_open_branch_and_tool_calls(store, tmp_path):
    done = imported_twice(store, written(tmp_path / "chat-export-1.json", [samples.OPENWEBUI]))
    assert (done.formats, done.messages) == (("openwebui",), 4)
    assert done.skipped == {"on another branch": 1, "thoughts": 1}
    assert texts(store, "w1") == [QUESTION, ("assistant", ""), ("tool", "sunny"), ("assistant", "It is sunny.")]
    _, call, result, answer = said(store, "w1")
    assert (call.tool_calls[0]["id"], result.tool_call_id, answer.metadata["model"]) == ("c1", "c1", "m-1")
    assert store.space("alice").conversation("w1").info().title == "Weather in Porto"


def test_an_old_open_webui_chat_with_a_list_of_messages(store, tmp_path):
    listed = [{"role": "user", "content": "one"}, {"role": "assistant", "content": "two"}]
    old = samples.OPENWEBUI | {"chat": {"title": "Old", "messages": listed}}
    assert imported_twice(store, written(tmp_path / "a.json", [old])).messages == 2
    assert texts(store, "w1") == [("user", "one"), ("assistant", "two")]


@pytest.mark.parametrize("form", ["list", "messages", "messagesTree"])
def test_librechat_conversations_keep_the_newest_branch_and_tool_calls(store, tmp_path, form):
    export = dict(samples.LIBRECHAT)
    if form != "list":
        export |= {"recursive": True, form: samples.nested(export.pop("messages"))}
    done = imported_twice(store, written(tmp_path / "weather.json", export))
    assert (done.formats, done.messages) == (("librechat",), 3)
    assert done.skipped == {"on another branch": 1, "thoughts": 1}
    assert texts(store, "l1") == [QUESTION, ("assistant", "It is sunny."), ("tool", "sunny")]
    _, answer, result = said(store, "l1")
    assert (answer.tool_calls[0]["function"]["name"], result.tool_call_id) == ("weather", "c1")


def test_a_gemini_takeout_is_grouped_by_chat_or_day_the_oldest_first(store, tmp_path):
    path = archive(
        tmp_path / "takeout.zip",
        {
            "Takeout/My Activity/Gemini Apps/MyActivity.json": samples.GEMINI,
            "Takeout/My Activity/YouTube/MyActivity.json": [{"header": "YouTube", "title": "Watched a film"}],
        },
    )
    done = imported_twice(store, path)
    assert (done.formats, done.conversations, done.messages) == (("gemini",), 2, 6)
    assert done.skipped == {"notices": 1, "other files of the archive": 1}
    assert texts(store, "gemini:00aa00aa00aa00aa") == [
        ("user", "I live in Porto"),
        ("assistant", "Noted."),
        ("user", "And in winter?"),
        ("assistant", "It is mild & wet."),
    ]
    assert texts(store, "gemini:2026-01-01")[1] == ("assistant", "Hay:\n- dry\n- yellow")


def test_a_gemini_takeout_in_another_language(store, tmp_path):
    one = samples.activity(1, "Я живу в Порту", "<p>Добре.</p>", header="Додатки Gemini") | {"products": ["Gemini"]}
    store.space("alice").import_chats(written(tmp_path / "a.json", [one]))
    assert texts(store, "gemini:2026-01-01") == [("user", "Я живу в Порту"), ("assistant", "Добре.")]


@pytest.mark.parametrize("agent", [samples.LETTA, samples.LETTA_OLD], ids=["agents", "one agent"])
def test_a_letta_agent_file_gives_the_words_of_both_sides_and_a_profile(store, tmp_path, agent):
    alice = store.space("alice")
    done = imported_twice(store, written(tmp_path / "helper.af", agent))
    assert (done.formats, done.messages) == (("letta",), 4)
    assert done.skipped == {"a profile without consent": 1, "of the program, not typed by a person": 2}
    assert texts(store, "letta:helper") == [
        ("user", "I live in Porto."),
        ("assistant", "Porto is lovely."),
        ("tool", '{"status": "OK"}'),
        ("user", "And I ride."),
    ]
    alice.grant_consent()
    assert alice.import_chats(tmp_path / "helper.af").facts == 2
    assert {fact.text for fact in alice.review()} == {"Lives in Porto.", "Rides horses."}


@pytest.mark.parametrize("export", [samples.ZEP_V2, samples.ZEP_V3, samples.ZEP_V4], ids=["v2", "v3", "v4"])
def test_zep_messages_of_every_version(store, tmp_path, export):
    done = imported_twice(store, written(tmp_path / "thread.json", export))
    assert (done.formats, done.messages, done.skipped) == (("zep",), 2, {})
    assert texts(store, "zep:thread:1") == [("user", "I live in Porto."), ("assistant", "Noted.")]
    assert said(store, "zep:thread:1")[0].name == "Ada"


@pytest.mark.parametrize("form", [lambda edges: {"edges": edges}, lambda edges: {"items": edges}, list])
def test_facts_of_zep_become_pending_facts(store, tmp_path, form):
    done = imported_twice(store, written(tmp_path / "edges.json", form(samples.ZEP_FACTS["edges"])))
    assert (done.messages, done.facts, done.skipped) == (1, 1, {"facts that are no longer true": 1})
    (fact,) = store.space("alice").review()
    assert (fact.text, fact.tags, fact.status) == ("Ada lives in Porto", ("zep",), "pending")


def test_pages_of_a_zep_thread_are_one_conversation(store, tmp_path):
    one, two = ({"items": [message | {"thread_uuid": "t1"}]} for message in samples.ZEP_V3["messages"])
    assert imported_twice(store, lines(tmp_path / "pages.jsonl", one, two)).conversations == 1
    assert len(said(store, "zep:t1")) == 2


def test_sharegpt_conversations_keep_their_roles(store, tmp_path):
    done = imported_twice(store, lines(tmp_path / "set.jsonl", samples.SHAREGPT, samples.SHAREGPT | {"id": "s2"}))
    assert (done.formats, done.conversations) == (("sharegpt",), 2)
    assert texts(store, "sharegpt:set:s1") == [
        ("system", "Be kind."),
        ("user", "I live in Porto."),
        ("assistant", "Noted."),
        ("tool", "sunny"),
    ]


LLM_CHATS = {"0.26": "01m7pd0x85gygf9ysm4cfswtqt", "0.36": "01m7pcywc69t16n5qtypkrtagb"}
LLM_TOOLS = {"0.26": "01m7pd13sbh7kr466e5x8pw4rn", "0.36": "01m7pcyxs98wdafb2wj38nkfaa"}


@pytest.mark.parametrize("version", LLM_CHATS)
@pytest.mark.parametrize("packed", [False, True], ids=["file", "archive"])
def test_logs_of_llm_in_the_tables_of_both_versions(store, tmp_path, version, packed):
    path = samples.logs_db(tmp_path / "logs.db", version)
    if packed:
        path = archive(
            tmp_path / "backup.zip", {"io.datasette.llm/logs.db": path.read_bytes(), "keys.json": {"k": "v"}}
        )
    done = imported_twice(store, path)
    assert (done.formats, done.conversations, done.messages) == (("llm",), 3, 11)
    chat = said(store, LLM_CHATS[version])
    assert [(one.role, one.text) for one in chat] == [
        ("system", "Be kind"),
        ("user", "My dog is called Rex"),
        ("assistant", "You said: My dog is called Rex"),
        ("user", "What is my dog called?"),
        ("assistant", "You said: What is my dog called?"),
    ]
    assert chat[1].created_at.date() == datetime(2026, 2, 18, tzinfo=UTC).date()
    _, call, result, answer = said(store, LLM_TOOLS[version])
    assert json.loads(call.tool_calls[0]["function"]["arguments"]) == {"city": "Porto"}
    assert (result.role, result.text, result.tool_call_id) == ("tool", "sunny in Porto", "c1")
    assert (answer.text, answer.metadata["model"]) == ("It is sunny in Porto", "scripted")


def test_messages_of_pydantic_ai_keep_tool_calls_and_results(store):
    done = imported_twice(store, samples.EXPORTS / "pydantic-ai-2.66.json")
    assert (done.formats, done.messages, done.skipped) == (("pydantic-ai",), 7, {"attached files": 1, "thoughts": 1})
    messages = said(store, "01a1eccf-7d01-74f0-a0df-3f70c0dbc24c")
    assert [one.role for one in messages] == ["system", "user", "assistant", "user", "assistant", "tool", "assistant"]
    assert messages[1].text == "My dog is called Rex."
    assert messages[4].tool_calls[0]["function"]["name"] == "weather"
    assert (json.loads(messages[5].text)["sky"], messages[5].tool_call_id) == ("sunny", "c1")


ANTHROPIC = [
    {"role": "user", "content": "What is the weather in Porto?"},
    {"role": "assistant", "content": [
        {"type": "text", "text": "Let me look."},
        {"type": "tool_use", "id": "c1", "name": "weather", "input": {"city": "Porto"}}]},
    {"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": "c1", "content": [{"type": "text", "text": "sunny"}]},
        {"type": "text", "text": "And in Oslo?"}]},
]  # fmt: skip
RESPONSES = [
    {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "What is the weather in Porto?"}]},
    {"type": "reasoning", "id": "r1", "summary": []},
    {"type": "function_call", "id": "f1", "call_id": "c1", "name": "weather", "arguments": '{"city": "Porto"}'},
    {"type": "function_call_output", "call_id": "c1", "output": "sunny"},
    {"type": "message", "role": "user", "content": "And in Oslo?"},
]


@pytest.mark.parametrize("messages", [ANTHROPIC, RESPONSES], ids=["anthropic", "responses"])
def test_tool_calls_and_results_of_other_apis_keep_their_meaning(store, tmp_path, messages):
    imported_twice(store, lines(tmp_path / "a.jsonl", *messages))
    question, call, result, last = said(store, "chat:a")
    assert (question.role, last.role, last.text) == ("user", "user", "And in Oslo?")
    assert (call.role, call.tool_calls[0]["id"], call.tool_calls[0]["function"]["name"]) == (
        "assistant",
        "c1",
        "weather",
    )
    assert json.loads(call.tool_calls[0]["function"]["arguments"]) == {"city": "Porto"}
    assert (result.role, result.text, result.tool_call_id) == ("tool", "sunny", "c1")
