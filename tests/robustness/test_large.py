"""Tests that very long messages are stored, found, embedded and erased like other messages."""

from __future__ import annotations

import random

import pytest

WORDS = [
    "river",
    "mountain",
    "table",
    "window",
    "orange",
    "quickly",
    "seven",
    "garden",
    "silver",
    "paper",
    "bridge",
    "letter",
    "music",
    "winter",
    "stone",
]


def prose(words: int) -> str:
    choose = random.Random(7)
    return " ".join(choose.choice(WORDS) for _ in range(words))


@pytest.mark.slow
@pytest.mark.req("D9", "D6")
def test_a_message_of_10_megabytes_is_found_by_a_word_near_its_end(mem, healthy):
    chat = mem.conversation("c")
    paragraph = prose(400) + ".\n\n"
    text = paragraph * (10_000_000 // len(paragraph)) + "Then the quokka came. " + prose(200)
    stored = chat.add("user", text)
    chunks = chat.chunks(stored.id)
    assert "".join(chunk.content for chunk in chunks) == text == chat.message(stored.id).text
    assert len(chunks) > 1000
    assert max(chunk.tokens for chunk in chunks) <= 500
    hit = mem.space("default").recall("quokka")[0]
    assert hit.message.id == stored.id
    assert "quokka" in hit.chunk.content
    healthy(mem)


@pytest.mark.slow
@pytest.mark.req("D9", "D13")
def test_ten_thousand_chunks_are_found_embedded_and_erased_without_a_trace(mem, rows, healthy, intact):
    space = mem.space("s")
    chat = space.conversation("c")
    empty = rows()
    space.set("chunk_tokens", 16)
    stored = chat.add("user", prose(90_000) + " and then the quokka came " + prose(90_000))
    chunks = chat.chunks(stored.id)
    assert len(chunks) >= 10_000
    mem.flush(120)
    model = mem.status().models[0]
    assert model.embedded == model.expected == len(chunks) + 1
    hit = space.recall("quokka")[0]
    assert (hit.message.id, hit.sources) == (stored.id, ("dense", "lexical"))
    assert "quokka" in hit.chunk.content
    healthy(mem)

    assert chat.delete()
    assert len(space.recall("quokka")) == 0
    assert space.delete()
    kept = (  # counters, and index pages without content
        "sqlite_sequence", "chunk_terms_data", "chunk_terms_idx", "note_terms_data", "note_terms_idx",
    )  # fmt: skip
    assert {table: n for table, n in rows().items() if table not in kept} == {
        table: n for table, n in empty.items() if table not in kept
    }
    healthy(mem)
    intact()


@pytest.mark.req("D13")
def test_deleting_a_conversation_leaves_only_the_rows_of_other_conversations(mem, rows, healthy, intact):
    kept, gone = mem.conversation("kept"), mem.conversation("gone")
    kept.add("user", "the heron stays")
    mem.flush()
    before = rows()
    gone.add_many({"role": "user", "content": f"{prose(600)} quokka {n}"} for n in range(20))
    gone.add("user", "one that is not embedded yet")
    gone.pin("a pin")
    mem.work()
    gone.add("user", "one more that is not embedded yet")
    assert gone.delete()
    after = rows()
    same = [table for table in before if not table.startswith(("sqlite_", "chunk_terms_", "note_terms_"))]
    went = before | {"changes": before["changes"] + 1}  # one change records the deletion, without the name
    assert {table: after[table] for table in same} == {table: went[table] for table in same}
    assert [hit.message.text for hit in mem.space("default").recall("quokka heron")] == ["the heron stays"]
    healthy(mem)
    intact()


@pytest.mark.req("D13")
def test_deleting_a_space_deletes_its_settings(mem):
    space = mem.space("s")
    usual = space.settings()
    space.set("chunk_tokens", 16)
    assert space.settings() != usual
    space.delete()
    assert space.settings() == usual


@pytest.mark.parametrize(
    "text",
    [
        "a" * 1_000_000,
        "ab " * 100_000,
        "```\n" * 20_000,
        "\n" * 300_000 + "end",
        "é́" * 100_000,
        "👩‍👩‍👧" * 20_000,
        "字" * 300_000,
        "a_b." * 100_000,
    ],
)
def test_repetitive_text_is_stored_and_returned_unchanged(mem, text):
    chat = mem.conversation("c")
    stored = chat.add("user", text)
    assert "".join(chunk.content for chunk in chat.chunks(stored.id)) == text
    mem.flush()


def test_recall_accepts_a_very_long_query(mem):
    stored = mem.conversation("c").add("user", "the heron by the lake")
    assert mem.space("default").recall("heron " + prose(300_000))[0].message == stored


def test_a_thousand_parts_are_one_message(mem):
    chat = mem.conversation("c")
    parts = [{"type": "text", "text": f"part {n}"} for n in range(1000)]
    stored = chat.add("user", parts)
    assert chat.message(stored.id).content == parts
    assert "".join(chunk.content for chunk in chat.chunks(stored.id)) == stored.text
