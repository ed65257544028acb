"""Tests the raw form of messages, edits of metadata, and the removal of messages, on every store."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.conftest import FakeClock

from aforesaid import ConflictError, InvalidInput, Memory, NotFound, OnHold

# As their frameworks write them: with blanks, escapes, the order of keys, and numbers as they stand.
RAW = (
    '{"type":"message","role":"user","content":[{"type":"input_text","text":"Ol\\u00e1"}]}',
    '{ "role" : "assistant",\n  "content": [{"type": "thinking", "thinking": "hm", "signature": "EqQBCg=="}] }',
    '{"parts":[{"part_kind":"tool-call","args":"{\\"a\\": 1.0}","tool_call_id":"c1"}],"usage":{"n":1e400,"z":-0}}',
    '{"b": 1, "a": 2, "b": 3, "nul": "\\u0000", "half": "\\ud83d", "long": 123456789012345678901234567890}',
    ' [1, "two"] ',
)


@pytest.mark.req("X7")
@pytest.mark.parametrize("raw", RAW)
def test_the_raw_form_of_a_message_is_kept_byte_for_byte(memory: Memory, raw: str):
    chat = memory.conversation("c")
    chat.start()  # PostgreSQL appends to an existing conversation by another way
    added = chat.add("user", "hello", id="m1", raw=raw)
    assert added.raw == raw
    assert chat.message("m1").raw == raw
    assert chat.messages()[0] == added
    (many,) = chat.add_many([{"role": "user", "content": "hello", "raw": raw}])
    assert memory.conversation("d").add("user", "hello", raw=raw).raw == many.raw == raw
    assert [finding for finding in memory.doctor() if not finding.ok] == []


@pytest.mark.req("X7")
def test_another_raw_form_under_the_same_id_is_a_conflict(memory: Memory):
    chat = memory.conversation("c")
    first = chat.add("user", "hello", id="m1", raw='{"a": 1}')
    assert chat.add("user", "hello", id="m1", raw='{"a": 1}') == first
    for other in ('{"a":1}', None):
        with pytest.raises(ConflictError, match="'m1'"):
            chat.add("user", "hello", id="m1", raw=other)


@pytest.mark.req("X7")
@pytest.mark.parametrize(
    ("raw", "advice"),
    [
        ("{'a': 1}", "raw is not JSON"),
        ("", "raw is not JSON"),
        ("[NaN]", "NaN is no JSON number"),
        ("[" * 201 + "]" * 201, "more than 200 levels"),
        ("[" * 100_000, "raw is not JSON|more than 200 levels"),
        ('"' + "x" * (1 << 24) + '"', "16777216 are the most"),
        ({"a": 1}, "raw must be text, not dict"),
    ],
)
def test_a_raw_form_that_is_not_json_text_is_refused(open_memory: Callable[..., Memory], raw, advice):
    with pytest.raises(InvalidInput, match=advice):
        open_memory(":memory:").conversation("c").add("user", "hello", raw=raw)


@pytest.mark.req("X7")
def test_the_raw_form_is_neither_searched_nor_quoted(memory: Memory):
    chat = memory.conversation("c")
    chat.add("user", "The ferry was late", raw='{"note": "zephyrine"}')
    memory.flush()
    assert [hit.score for hit in chat.recall("zephyrine") if "zephyrine" in hit.text] == []
    assert "zephyrine" not in json.dumps(chat.context("ferry").to_openai())


@pytest.mark.req("X7", "X12")
def test_secrets_in_the_raw_form_are_masked_where_a_space_stores_masked_text(memory: Memory):
    space = memory.space("ann")
    space.set("mask_stored", True)
    chat = space.conversation("c")
    key = "sk-proj-Ab3dEf6hIj9lMn2pQr5tUv8x"
    plain = '{ "text": "no secret" }'
    assert chat.add("user", "hello", raw=plain).raw == plain
    masked = chat.add("user", "hello", raw=json.dumps({"headers": [{"text": f"use {key}"}]})).raw
    assert json.loads(masked) == {"headers": [{"text": "use [masked: api key]"}]}
    hidden = chat.add("user", "hello", raw=f'{{"text": "{key}", "text": "fine"}}')
    assert key not in hidden.raw
    assert key not in chat.edit(hidden.id, raw=json.dumps([key]), metadata={"was": key}).raw
    assert memory.verify_erasure(key).clean


@pytest.mark.req("X7", "X3")
def test_the_raw_form_is_erased_with_its_message(memory: Memory):
    space = memory.space("ann")
    chat = space.conversation("c")
    chat.add("user", "hello", id="m1", raw='{"text": "Quetzaltenango"}')
    assert not memory.verify_erasure("Quetzaltenango").clean
    space.forget(message="m1")
    assert memory.verify_erasure("Quetzaltenango").clean


@pytest.mark.req("X7", "X1")
def test_the_raw_form_survives_an_export_and_an_import(
    memory: Memory, open_memory: Callable[..., Memory], tmp_path: Path
):
    space = memory.space("ann")
    space.conversation("c").add_many([{"role": "user", "content": "hello", "raw": raw} for raw in RAW])
    space.conversation("c").add("user", "without")
    folder = space.export(tmp_path / "ann")
    records = json.loads((folder / "messages.json").read_text("utf-8"))
    assert [record.get("raw", "none") for record in records] == [*RAW, "none"]
    other = open_memory(":memory:")
    imported = other.import_space(folder).conversation("c").messages()
    assert imported == space.conversation("c").messages()
    copied = open_memory(str(tmp_path / "copy.db"))
    memory.copy_to(copied)
    assert copied.space("ann").conversation("c").messages() == imported


@pytest.mark.req("X7")
def test_an_edit_replaces_metadata_and_the_raw_form_and_derives_nothing_again(memory: Memory):
    space = memory.space("ann")
    chat = space.conversation("c")
    old = chat.add("user", "The ferry was late", metadata={"topic": "ferry", "n": 1}, raw="[1]")
    memory.flush()
    chunks, cursor = chat.chunks(old.id), space.changes().cursor
    edited = chat.edit(old.id, metadata={"topic": "boats"})
    assert edited == chat.message(old.id)
    assert (edited.metadata, edited.raw, edited.content) == ({"topic": "boats"}, "[1]", old.content)
    assert (edited.importance, edited.tokens, edited.created_at) == (old.importance, old.tokens, old.created_at)
    assert [(change.kind, change.action, change.record) for change in space.changes(cursor)] == [
        ("message", "changed", old.id)
    ]
    assert chat.chunks(old.id) == chunks
    assert [job for job in memory.jobs() if job.state == "queued"] == []
    assert len(chat.recall("ferry", filter={"topic": "boats"})) == 1
    assert len(chat.recall("ferry", filter={"topic": "ferry"})) == 0
    assert len(chat.recall("ferry", filter={"n": 1})) == 0
    assert chat.edit(old.id, raw="[2]").metadata == {"topic": "boats"}
    assert chat.edit(old.id, metadata={}).raw == "[2]"
    assert [finding for finding in memory.doctor() if not finding.ok] == []
    assert space.erasures() == []


@pytest.mark.req("X7", "X3")
def test_new_content_removes_the_old_raw_form_and_keeps_the_metadata(memory: Memory):
    chat = memory.conversation("c")
    old = chat.add("user", "Quetzaltenango", metadata={"n": 1}, raw='"Quetzaltenango"')
    edited = chat.edit(old.id, "Lisbon")
    assert (edited.content, edited.metadata, edited.raw) == ("Lisbon", {"n": 1}, None)
    assert memory.verify_erasure("Quetzaltenango").clean
    both = chat.edit(old.id, "Porto", metadata={"n": 2}, raw='"Porto"')
    assert (both.content, both.metadata, both.raw) == ("Porto", {"n": 2}, '"Porto"')
    assert chat.message(old.id) == both
    assert len(memory.space("default").recall("Porto", filter={"n": 2})) == 1


def test_an_edit_needs_something_to_change_and_is_refused_on_hold(memory: Memory):
    space = memory.space("default")
    chat = space.conversation("c")
    id = chat.add("user", "hello").id
    with pytest.raises(InvalidInput, match="content, metadata or raw"):
        chat.edit(id)
    with pytest.raises(InvalidInput, match="raw is not JSON"):
        chat.edit(id, raw="{")
    with pytest.raises(InvalidInput, match="metadata must be a mapping"):
        chat.edit(id, metadata=[1])  # type: ignore[arg-type]
    space.hold("case 7")
    with pytest.raises(OnHold):
        chat.edit(id, metadata={"a": 1})
    assert chat.message(id).metadata == {}


def talk(memory: Memory, count: int = 6):
    chat = memory.space("ann").conversation("c")
    messages = [{"role": ("user", "assistant")[n % 2], "content": f"said {n}", "id": f"m{n}"} for n in range(count)]
    chat.add_many(messages)
    return chat


def texts(chat) -> list[str]:
    return [message.text for message in chat.messages()]


@pytest.mark.req("X7", "X3")
def test_pop_removes_the_newest_message_and_everything_derived_from_it(memory: Memory, clock: FakeClock):
    space = memory.space("ann")
    chat = space.conversation("c")
    chat.add("user", "The ferry was late", at=clock.now)
    popped = chat.add("user", "My sister Zephyrine moved to Quetzaltenango.", at=clock.now, raw='"Zephyrine"')
    memory.flush()
    chat.context("Where did Zephyrine move?")
    memory.flush()
    assert chat.pop() == popped
    assert texts(chat) == ["The ferry was late"]
    assert (chat.info().messages, chat.info().turns) == (1, 1)
    assert [hit for hit in space.recall("Zephyrine") if "Zephyrine" in hit.text] == []
    assert [finding for finding in memory.doctor() if not finding.ok] == []
    (erasure,) = space.erasures()
    assert {portion.kind: portion.count for portion in erasure.erased}["receipt"] == 1
    assert erasure.pending  # the files are scrubbed within an hour
    clock.forward(hours=1)
    memory.flush()
    assert space.erasures()[0].complete
    assert memory.verify_erasure(popped.text).clean
    assert memory.verify_erasure("Zephyrine").clean
    assert chat.add("user", "next").seq == 2


@pytest.mark.req("X7")
def test_pop_of_an_empty_conversation_is_none(memory: Memory):
    chat = memory.space("nobody").conversation("c")
    assert (chat.pop(), chat.clear(), chat.remove(0)) == (None, 0, 0)
    assert memory.spaces() == []
    chat.add("user", "hello")
    assert chat.pop() is not None
    assert (chat.pop(), chat.clear(), chat.info().messages) == (None, 0, 0)


@pytest.mark.req("X7")
def test_a_range_of_messages_is_removed(memory: Memory):
    chat = talk(memory)
    assert chat.remove("m2", 3) == 2
    assert texts(chat) == ["said 0", "said 1", "said 4", "said 5"]
    assert chat.remove(chat.message("m5")) == 1
    assert chat.remove(17) == 0
    with pytest.raises(NotFound, match="'m2'"):
        chat.remove("m2")
    with pytest.raises(InvalidInput, match="before first"):
        chat.remove("m4", "m0")
    assert chat.clear() == 3
    assert (texts(chat), chat.info().messages, chat.info().tokens) == ([], 0, 0)
    assert [finding for finding in memory.doctor() if not finding.ok] == []
    assert chat.add("user", "again", id="m0").seq == 6


@pytest.mark.req("X7")
def test_the_end_of_a_conversation_is_replaced_as_a_whole_or_not_at_all(memory: Memory):
    chat = talk(memory)
    with pytest.raises(ConflictError, match="'m1'"):
        chat.replace("m3", [{"role": "user", "content": "new"}, {"role": "user", "content": "other", "id": "m1"}])
    assert texts(chat) == [f"said {n}" for n in range(6)]
    with pytest.raises(InvalidInput, match="message 0"):
        chat.replace("m3", [{"role": "user", "content": ""}])
    new = chat.replace(
        "m3", [{"role": "user", "content": "new", "id": "m3", "raw": "{}"}, {"role": "tool", "content": "x"}]
    )
    assert [message.seq for message in new] == [6, 7]
    assert chat.messages()[-2:] == new
    assert texts(chat) == ["said 0", "said 1", "said 2", "new", "x"]
    assert chat.replace(2, []) == []
    assert texts(chat) == ["said 0", "said 1"]
    memory.flush()
    assert [hit.text for hit in chat.recall("said")][:2] == ["said 0", "said 1"] or len(chat.recall("said")) == 2
    assert [finding for finding in memory.doctor() if not finding.ok] == []
    assert [m.text for m in memory.space("new").conversation("c").replace(0, [{"role": "user", "content": "hi"}])] == [
        "hi"
    ]


@pytest.mark.req("X7")
def test_nothing_is_removed_from_a_space_on_hold(memory: Memory):
    chat = talk(memory)
    memory.space("ann").hold("case 7")
    for remove in (chat.pop, chat.clear, lambda: chat.remove(2), lambda: chat.replace(2, [])):
        with pytest.raises(OnHold):
            remove()
    assert len(chat.messages()) == 6


@pytest.mark.req("X7")
def test_an_expired_message_is_not_popped(memory: Memory, clock: FakeClock):
    chat = talk(memory, 2)
    chat.add("user", "code 4711", expires="1h")
    clock.forward(hours=2)
    assert chat.pop().text == "said 1"


@pytest.mark.req("X7")
class Words(str):
    """Text of a framework: its own class, as LangChain's `message.text`."""

    __slots__ = ()


def test_text_of_another_class_is_stored_as_text(memory: Memory):
    chat = memory.space("alice").conversation("trip")
    chat.add("user", Words("Is Lisbon warm?"), name=Words("ana"), raw=Words('{"a": 1}'), id=Words("m1"))
    (message,) = chat.messages()
    assert (message.id, message.text, message.name, message.raw) == ("m1", "Is Lisbon warm?", "ana", '{"a": 1}')
    assert [finding for finding in memory.doctor() if not finding.ok] == []


def test_all_messages_are_streamed_in_pages(memory: Memory):
    chat = memory.space("ann").conversation("c")
    assert list(chat) == []
    chat.add_many([{"role": "user", "content": f"said {n}"} for n in range(450)])
    chat.remove(100, 120)
    seqs = [*range(100), *range(121, 450)]
    assert [message.seq for message in chat] == seqs
    assert [message.seq for message in chat.messages(None, after=97, before=124)] == [98, 99, 121, 122, 123]
    streamed = chat.messages(limit=None)
    assert next(streamed).text == "said 0"
    chat.add("user", "said 450")  # while it is read
    assert [message.seq for message in streamed] == [*seqs[1:], 450]
    with pytest.raises(InvalidInput, match="after must be"):
        chat.messages(None, after=-2)
