"""Tests the ids and names of spaces, conversations and messages."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from aforesaid import ConflictError, InvalidInput, Memory, NotFound

NAMES = {
    "long": "n" * 1000,
    "long-emoji": "😀" * 640,
    "quotes": """it's "quoted" `here`""",
    "slashes": "../../etc/passwd\\..\\x",
    "newlines": "line\r\none\n\ttwo",
    "wildcards": "100% of _ * ?",
    "sql": "x'; DROP TABLE messages;--",
    "json": '{"a": [1, "\\u0000"]}',
    "emoji": "👩‍👩‍👧 🇵🇹",
    "right-to-left": "מרחב \u202eשלום\u202c عربى",
    "spaces-around": "  padded  ",
    "accents": "e\u0301",
    "number": "0",
    "null": "NULL",
}


@pytest.mark.req("B16", "D13")
@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES.keys())
def test_every_method_accepts_any_visible_name(mem, tmp_path, name, healthy):
    space, other = mem.space(name), mem.space(f"{name}2"[-640:])
    chat, beside = space.conversation(name, model=name), other.conversation(name)
    beside.add("user", "another space")
    stored = chat.add("user", "a heron by the lake", id=name, name=name)
    pin = chat.pin(stored)
    chat.start(title="not used")
    space.set("chunk_tokens", 100)

    assert (stored.id, stored.space, stored.conversation, stored.name, stored.model) == (name,) * 5
    assert chat.message(name) == stored == chat.messages()[0] == chat.recent(include_newest=True)[0]
    assert [chunk.message_id for chunk in chat.chunks(name)] == [name]
    assert space.recall("heron", conversation=name)[0].message == chat.recall("heron")[0].message == stored
    assert chat.edit_pin(pin.id, importance=0.9).source_message_id == name
    assert [info.id for info in space.conversations()] == [name]
    assert [info.id for info in mem.spaces()] == [other.id, name]
    assert mem.spaces(after=name) == space.conversations(after=name) == []
    assert chat.rename(name).title == chat.end(name).outcome == name
    assert (chat.info().id, space.info().id) == (name, name)
    assert {job.message_id for job in mem.jobs() if job.space == name and job.kind == "embed"} == {name}
    mem.flush()

    space.export(tmp_path / "out")
    with Memory(tmp_path / "copy.db", worker=False) as copy:
        again = copy.import_space(tmp_path / "out")
        assert again.id == name
        assert again.conversation(name).messages() == [stored]
        assert again.conversation(name).pins() == chat.pins()
        assert again.conversation(name).info() == chat.info()
        assert again.settings() == space.settings()
        assert again.recall("heron")[0].message == stored

    chat.unpin(pin.id)
    healthy(mem)
    assert chat.delete()
    assert space.delete()
    assert beside.messages()[0].text == "another space"
    assert space.info() is None


def test_names_are_compared_without_unicode_normalization(mem):
    names = ["é", "e\u0301", "É", "e", " e", "e "]
    for name in names:
        mem.space(name).conversation(name).add("user", name, id=name)
    assert [info.id for info in mem.spaces()] == names
    assert [mem.space(name).conversation(name).message(name).text for name in names] == names


@pytest.mark.parametrize("name", ["n" * 1025, "😀" * 1025, "n" * 1_000_000])
def test_a_name_that_is_too_long_is_refused_with_its_length(mem, name):
    chat = mem.conversation("c")
    verbs = [
        lambda: mem.space(name),
        lambda: mem.conversation(name),
        lambda: mem.conversation("c", model=name),
        lambda: chat.add("user", "words", id=name),
        lambda: chat.add("user", "words", name=name),
        lambda: chat.add("tool", "words", tool_call_id=name),
        lambda: chat.add_many([{"role": "user", "content": "words", "model": name}]),
    ]
    for verb in verbs:
        with pytest.raises(InvalidInput, match=f"{len(name)} characters; 1024"):
            verb()
    assert mem.status().spaces == 0


@pytest.mark.parametrize("name", ["", " ", "\n", "\u3000", None, 5, b"bytes"])
def test_an_empty_or_invisible_name_is_refused(mem, name):
    for verb in (mem.space, mem.conversation, lambda name: mem.conversation("c").add("user", "words", id=name)):
        if name is None and verb not in (mem.space, mem.conversation):
            continue
        with pytest.raises(InvalidInput):
            verb(name)
    assert mem.status().spaces == 0


def test_a_message_id_is_unique_in_a_space(mem):
    mem.conversation("a").add("user", "words", id="m")
    mem.space("other").conversation("a").add("user", "other words", id="m")
    with pytest.raises(ConflictError):
        mem.conversation("b").add("user", "words", id="m")
    with pytest.raises(NotFound):
        mem.conversation("b").message("m")
    assert mem.status().messages == 2


def test_a_page_cursor_at_a_deleted_conversation_does_not_restart_the_list(mem):
    space = mem.space("s")
    for name in "abcd":
        space.conversation(name).add("user", "words")
    page = space.conversations(2)
    space.conversation(page[-1].id).delete()
    try:
        following = [info.id for info in space.conversations(2, after=page[-1].id)]
    except NotFound:
        following = ["c", "d"]
    assert following == ["c", "d"]


@pytest.mark.req("X17")
@pytest.mark.parametrize("quote", ["", '"'])
@pytest.mark.parametrize("place", ["table", "column"])
def test_sql_in_a_name_of_a_file_that_somebody_else_made_is_not_run(tmp_path, quote, place):
    """A backup from elsewhere is opened, restored, checked and searched as data."""
    store, made = str(tmp_path / "a.db"), tmp_path / "made.db"
    with Memory(store, worker=False) as mem:
        mem.space("alice").conversation("a").add("user", "Zephyrine lives in Quimperlé.")
    attack = f"messages{quote} LIMIT 0; ATTACH DATABASE '{made}' AS m; CREATE TABLE m.t (a); --"
    name = '"' + attack.replace('"', '""') + '"'
    with closing(sqlite3.connect(store)) as crafted:
        crafted.execute(f"CREATE TABLE {name} (a TEXT)" if place == "table" else f"CREATE TABLE extra ({name} TEXT)")
        crafted.execute(f"INSERT INTO {name if place == 'table' else 'extra'} VALUES ('Zephyrine lives in Quimperlé.')")
        crafted.commit()
    Memory.restore(store, tmp_path / "b.db")
    with Memory(store, worker=False) as mem:
        mem.doctor(repair=True)
        places = mem.verify_erasure("Zephyrine lives in Quimperlé.").found
        mem.space("alice").conversation("a").add("user", "More.")
    assert any(attack in found.where for found in places)
    assert not made.exists()
