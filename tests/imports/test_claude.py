"""Tests the import of the newest branch of Claude conversations and of Claude's memories of the user."""

from datetime import UTC, datetime

import pytest
from tests.imports.world import archive, claude, human, packed, said, texts, written

from aforesaid.interop.chat_import.claude import ROOT

pytestmark = pytest.mark.req("X8")

MEMORY = {
    "account_uuid": "nobody",
    "conversations_memory": "**Work**\n\nThe user is a pilot.\nFlies gliders.\n\n- Has two cats\n- Lives in Porto\n",
    "project_memories": {"p1": "# Garden\nThe user grows tomatoes."},
}


def answer(uuid: str, text: str, parent: str | None = None, **more: object) -> dict:
    return human(uuid, text, parent, sender="assistant", **more)


def test_a_conversation_keeps_its_ids_times_and_name(store, tmp_path):
    path = written(
        tmp_path / "conversations.json", [claude("c", human("m1", "Hello?", ROOT), answer("m2", "Yes.", "m1"))]
    )
    done = store.space("alice").import_chats(path)
    assert (done.formats, done.conversations, done.messages, done.skipped) == (("claude",), 1, 2, {})
    first, second = said(store, "c")
    assert (first.id, first.role, second.role) == ("m1", "user", "assistant")
    assert first.created_at == datetime(2026, 2, 3, 10, 0, 0, 123456, tzinfo=UTC)
    assert first.metadata == {"imported": True, "source": "claude"}
    assert store.space("alice").conversation("c").info().title == "On c"


def test_the_newest_branch_is_imported_and_messages_on_others_are_counted(store, tmp_path):
    later = "2026-02-03T12:00:00Z"
    messages = [
        human("a", "First try", ROOT),
        answer("b", "First answer", "a", created_at=later),
        human("c", "Edited", ROOT, created_at="2026-02-03T11:00:00Z"),
        answer("d", "Retried", "c", created_at="2026-02-03T12:30:00Z"),
        answer("e", "Second answer", "c", created_at="2026-02-03T12:00:01Z"),
    ]
    done = store.space("alice").import_chats(written(tmp_path / "conversations.json", [claude("c", *messages)]))
    assert texts(store, "c") == [("user", "Edited"), ("assistant", "Retried")]
    assert done.skipped == {"on another branch": 3}


def test_old_exports_without_parents_and_blocks_keep_their_order(store, tmp_path):
    messages = [human("a", "One"), answer("b", "Two"), human("c", "Three")]
    for message in messages:
        del message["content"]
    store.space("alice").import_chats(written(tmp_path / "conversations.json", [claude("c", *messages)]))
    assert [text for _, text in texts(store, "c")] == ["One", "Two", "Three"]


@pytest.mark.parametrize("parents", [("b", "c", "a"), ("a", "a", "b"), (None, "gone", "b"), (5, [], {})])
def test_invalid_parents_lose_no_message(store, tmp_path, parents):
    messages = [human(uuid, f"text {uuid}") for uuid in "abc"]
    for message, parent in zip(messages, parents, strict=True):
        message["parent_message_uuid"] = parent
    done = store.space("alice").import_chats(written(tmp_path / "conversations.json", [claude("c", *messages)]))
    assert done.messages + done.skipped.get("on another branch", 0) == 3
    assert done.messages == 3


def test_text_is_imported_and_the_rest_is_counted_by_kind(store, tmp_path):
    blocks = [
        {"type": "thinking", "thinking": "hm"},
        {"type": "text", "text": "Let me look."},
        {"type": "tool_use", "id": "t", "name": "search", "input": {}},
        {"type": "tool_result", "content": []},
        {"type": "token_budget"},
        "not a block",
        {"type": "text", "text": "Found it."},
    ]
    attachment = {"file_name": "a.txt", "file_size": 3, "file_type": "txt", "extracted_content": "I live in Oslo."}
    messages = [
        human("a", "See the file", ROOT, attachments=[attachment], files=[{"file_uuid": "f", "file_name": "b.png"}]),
        answer("b", "", "a", content=blocks),
        answer("c", "", "b", content=[]),
        human("d", "whose?", "c", sender="nobody"),
        human("e", "Thanks", "d"),
    ]
    done = store.space("alice").import_chats(written(tmp_path / "conversations.json", [claude("c", *messages)]))
    assert [text for _, text in texts(store, "c")] == ["See the file", "Let me look.\n\nFound it.", "Thanks"]
    assert said(store, "c")[0].metadata["attachments"] == [
        {"file_name": "a.txt", "file_size": 3, "file_type": "txt"},
        {"file_name": "b.png", "file_uuid": "f"},
    ]
    assert done.skipped == {
        "attached files": 2, "of an unknown type": 3, "of or to a tool": 2, "thoughts": 1, "without text": 1
    }  # fmt: skip


EXPORTS = {
    "one archive": {"conversations.json": [claude("c", human("a", "Hello"))], "memories.json": [MEMORY]},
    "archives in one": {
        "conversations-000.zip": packed({"conversations.json": [claude("c", human("a", "Hello"))]}),
        "memories-000.zip": packed({"memories/nobody.json": MEMORY}),
    },
}


@pytest.mark.parametrize("form", EXPORTS)
def test_both_archive_layouts_are_imported(store, tmp_path, form):
    noise = {"users.json": [{"uuid": "nobody"}], "projects.json": []}
    store.space("alice").grant_consent()
    done = store.space("alice").import_chats(archive(tmp_path / "data.zip", EXPORTS[form] | noise))
    assert (done.conversations, done.messages, done.facts) == (2, 3, 4)
    assert done.skipped == {"other files of the archive": 2}


def test_claude_memories_become_pending_facts_with_evidence(store, tmp_path):
    alice = store.space("alice")
    alice.grant_consent()
    path = written(tmp_path / "memories.json", [MEMORY])
    assert alice.import_chats(path).facts == 4
    facts = alice.facts(status="pending")
    assert {fact.text for fact in facts} == {
        "The user is a pilot. Flies gliders.", "Has two cats", "Lives in Porto", "The user grows tomatoes."
    }  # fmt: skip
    assert {(fact.tags, fact.evidence[0].speaker, fact.method) for fact in facts} == {(("claude",), "Claude", "manual")}
    assert alice.facts() == []
    assert alice.import_chats(path).facts == 0
    promoted = alice.promote(facts[0].id)
    assert [fact.id for fact in alice.facts()] == [promoted.id]


def test_memories_are_not_imported_without_consent(store, tmp_path):
    alice = store.space("alice")
    done = alice.import_chats(written(tmp_path / "memories.json", [MEMORY]))
    assert (done.messages, done.facts, done.skipped) == (0, 0, {"a profile without consent": 2})
    assert alice.info() is None
    assert alice.facts(status=None) == []


def test_a_changed_memory_is_imported_in_addition_to_the_old_one(store, tmp_path):
    alice = store.space("alice")
    alice.grant_consent()
    alice.import_chats(written(tmp_path / "memories.json", [MEMORY]))
    newer = MEMORY | {"conversations_memory": MEMORY["conversations_memory"] + "- Has a boat\n"}
    done = alice.import_chats(written(tmp_path / "memories.json", [newer]))
    assert (done.messages, done.known, done.facts) == (1, 1, 1)
