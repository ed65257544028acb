"""Tests the import of the last open branch of ChatGPT conversations."""

import json
from datetime import UTC, datetime

import pytest
from tests.imports.world import NOON, archive, chatgpt, node, said, texts, trip, written

pytestmark = pytest.mark.req("X8")


def test_a_conversation_keeps_its_ids_times_and_title(store, tmp_path):
    done = store.space("alice").import_chats(written(tmp_path / "conversations.json", [trip()]))
    assert (done.formats, done.conversations, done.messages, done.skipped) == (("chatgpt",), 1, 2, {})
    first, second = said(store, "trip")
    assert (first.id, first.role, first.text) == ("trip-1", "user", "We settled on Lisbon in May.")
    assert (second.id, second.role) == ("trip-2", "assistant")
    assert first.created_at == datetime(2026, 1, 1, 12, 0, 55, tzinfo=UTC)
    assert first.metadata == {"imported": True, "source": "chatgpt"}
    info = store.space("alice").conversation("trip").info()
    assert (info.title, info.created_at, info.updated_at) == (
        "About trip",
        datetime(2026, 1, 1, 12, tzinfo=UTC),
        second.created_at,
    )


def test_the_current_branch_is_imported_and_messages_on_others_are_counted(store, tmp_path):
    tree = chatgpt(
        "c",
        node("r", None),
        node("a", "r", "user", "Which city?"),
        node("b1", "a", "assistant", "Porto"),
        node("b2", "a", "assistant", "Lisbon"),
        node("c1", "b1", "user", "Why Porto?"),
        current="b2",
    )
    done = store.space("alice").import_chats(written(tmp_path / "conversations.json", [tree]))
    assert texts(store, "c") == [("user", "Which city?"), ("assistant", "Lisbon")]
    assert done.skipped == {"on another branch": 2}


@pytest.mark.parametrize("current", [None, "gone", 7])
def test_without_a_current_node_the_branch_of_the_newest_leaf_is_imported(store, tmp_path, current):
    old = node("b1", "a", "assistant", "Porto", create_time=NOON + 5)
    new = node("b2", "a", "assistant", "Lisbon", create_time=NOON + 6)
    tree = chatgpt("c", node("a", None, "user", "Which city?"), new, old) | {"current_node": current}
    store.space("alice").import_chats(written(tmp_path / "conversations.json", [tree]))
    assert texts(store, "c") == [("user", "Which city?"), ("assistant", "Lisbon")]


def test_a_cycle_of_nodes_is_traversed_once(store, tmp_path):
    tree = chatgpt("c", node("a", "b", "user", "one"), node("b", "a", "assistant", "two"))
    tree["mapping"]["x"] = "no node"
    assert store.space("alice").import_chats(written(tmp_path / "conversations.json", [tree])).messages == 2


def test_only_visible_text_is_imported_and_the_rest_is_counted_by_kind(store, tmp_path):
    hidden = {"metadata": {"is_visually_hidden_from_conversation": True}}
    said_ = [
        node("a", None, "system", ""),
        node("b", "a", "user", "What is 2 + 2?"),
        node("c", "b", "assistant", {"content_type": "thoughts", "thoughts": [{"summary": "s", "content": "c"}]}),
        node("d", "c", "assistant", {"content_type": "code", "language": "python", "text": "2+2"}, recipient="python"),
        node("e", "d", "tool", {"content_type": "execution_output", "text": "4"}),
        node("f", "e", "assistant", {"content_type": "model_editable_context", "model_set_context": "x"}),
        node("g", "f", "user", "do not show", **hidden),
        node("h", "g", "assistant", {"content_type": "code", "language": "python", "text": "print(4)"}),
        node("i", "h", "critic", "who?"),
        node("j", "i", "assistant", {"content_type": "something_new", "text": "?"}),
        node("k", "j", "assistant", 7),
    ]
    done = store.space("alice").import_chats(written(tmp_path / "conversations.json", [chatgpt("c", *said_)]))
    assert texts(store, "c") == [("user", "What is 2 + 2?"), ("assistant", "```python\nprint(4)\n```")]
    assert done.skipped == {
        "hidden": 1, "of an unknown type": 4, "of or to a tool": 2, "thoughts": 1, "without text": 1
    }  # fmt: skip


def test_images_become_attachments_and_audio_transcriptions_become_text(store, tmp_path):
    picture = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://file-1", "size_bytes": 9}
    spoken = {"content_type": "audio_transcription", "text": "and this?", "direction": "in"}
    parts = {"content_type": "multimodal_text", "parts": [picture, "What is this?", spoken]}
    tree = chatgpt("c", node("a", None, "user", parts), node("b", "a", "user", {**parts, "parts": [picture]}))
    done = store.space("alice").import_chats(written(tmp_path / "conversations.json", [tree]))
    (message,) = said(store, "c")
    assert message.content == "What is this?\n\nand this?"
    assert message.metadata["attachments"] == [picture]
    assert done.skipped == {"attached files": 1, "without text": 1}


def test_reference_markers_are_removed_and_their_names_are_kept(store, tmp_path):
    answer = (
        'See \ue200entity\ue202["city","Lisbon","in Portugal"]\ue201 \ue200url\ue202the map\ue202turn0\ue201.'
        "\ue200cite\ue202turn0search1\ue201【4:0†guide.pdf】 Done."
    )
    asked = "My font has \ue0a0 and 【this†that】"
    tree = chatgpt("c", node("a", None, "user", asked), node("b", "a", "assistant", answer))
    store.space("alice").import_chats(written(tmp_path / "conversations.json", [tree]))
    assert texts(store, "c") == [("user", asked), ("assistant", "See Lisbon the map. Done.")]


def test_custom_instructions_become_system_messages_that_are_never_sent(store, tmp_path):
    told = {"about_user_message": "I am a pilot.", "about_model_message": "Always answer in verse."}
    more = {"metadata": {"is_user_system_message": True, "user_context_message_data": told}}
    edited = {
        "content_type": "user_editable_context",
        "user_profile": "I am a pilot.",
        "user_instructions": "Be brief.",
    }
    tree = chatgpt(
        "c",
        node("a", None, "system", "", **more),
        node("b", "a", "user", edited),
        node("d", "b", "user", "Hello there"),
    )
    store.space("alice").import_chats(written(tmp_path / "conversations.json", [tree]))
    assert texts(store, "c")[:2] == [
        ("system", "I am a pilot.\n\nAlways answer in verse."),
        ("system", "I am a pilot.\n\nBe brief."),
    ]
    while store.work():
        pass
    assert store.space("alice").facts(status=None) == []
    assert "verse" not in json.dumps(store.space("alice").conversation("c").context().to_openai())


@pytest.mark.parametrize("files", [["conversations.json"], ["conversations-000.json", "x/conversations-001.json"]])
def test_an_archive_with_one_or_many_conversation_files_is_imported(store, tmp_path, files):
    content = {name: [trip(f"t{number}")] for number, name in enumerate(files)}
    noise = {"user.json": {"id": "u"}, "chat.html": b"<html>", "shared_conversations.json": [{"id": 1}]}
    litter = {"__MACOSX/._conversations.json": b"\0\1", "._conversations.json": b"\0"}
    path = archive(tmp_path / "export.zip", content | noise | litter)
    done = store.space("alice").import_chats(path)
    assert (done.conversations, done.messages) == (len(files), 2 * len(files))
    assert done.skipped == {"other files of the archive": 3}


def test_a_branched_conversation_keeps_all_its_messages(store, tmp_path):
    whole = trip()
    branched = json.loads(json.dumps(whole)) | {"id": "again", "conversation_id": "again"}
    path = written(tmp_path / "conversations.json", [whole, branched])
    first = store.space("alice").import_chats(path)
    assert (first.messages, first.known, first.changed) == (4, 0, 0)
    assert texts(store, "again") == texts(store, "trip")
    again = store.space("alice").import_chats(path)
    assert (again.messages, again.known, again.changed) == (0, 4, 0)


def test_invalid_ids_and_times_are_ignored(store, tmp_path):
    odd = chatgpt("", node("a", None, "user", "hello"), node("b", "a", "assistant", "hi"), title=3, create_time="soon")
    odd["mapping"]["a"]["message"] |= {"id": None, "create_time": float("1e300")}
    odd["mapping"]["b"]["message"] |= {"id": "x" * 5000, "create_time": True}
    path = written(tmp_path / "conversations.json", [odd, 5, None, {"mapping": []}])
    done = store.space("alice").import_chats(path)
    assert (done.messages, done.skipped) == (2, {"not recognised": 3})
    (info,) = store.space("alice").conversations()
    assert info.title is None
    assert [one.id for one in said(store, info.id)] == ["a", "b"]
    assert store.space("alice").import_chats(path).known == 2
