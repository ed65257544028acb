"""Tests that erasure verification finds traces in rows, in the full-text index, and in free bytes of the file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import apsw
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.conftest import sql

from aforesaid import InvalidInput, Memory
from aforesaid.storage import variants
from aforesaid.storage.sqlite import fts_leaves

TEXT = 'She said "Zephyrine\tmoved" to Quetzaltenango — Łódź?'


def places(memory: Memory, text: str, space: str | None = None) -> set[tuple[str, str]]:
    return {(place.where, place.what) for place in memory.verify_erasure(text, space=space).found}


@pytest.mark.req("X3")
def test_a_text_is_found_in_every_record_that_has_it(memory: Memory) -> None:
    chat = memory.space("ann").conversation("c")
    chat.add("user", TEXT)
    chat.pin(f"Remember: {TEXT}")
    chat.rename(TEXT)
    chat.add("assistant", [{"type": "text", "text": TEXT}])
    chat.context(TEXT)
    found = places(memory, TEXT)
    assert {where for where, _ in found} == {
        "messages.text", "messages.parts", "pins.content", "notes.text", "conversations.title", "receipts.body",
    }  # fmt: skip
    assert {what for _, what in found} == {"text"}


@pytest.mark.req("X3")
def test_verification_of_one_space_ignores_rows_of_other_spaces(memory: Memory) -> None:
    memory.space("ann").conversation("c").add("user", TEXT)
    memory.space("bob").conversation("c").add("user", "nothing")
    assert places(memory, TEXT, "bob") == set()
    assert places(memory, TEXT, "ann") == {("messages.text", "text")}
    assert places(memory, TEXT) == {("messages.text", "text")}


@pytest.mark.req("X3")
def test_a_word_in_no_message_is_found_in_derived_records(memory: Memory) -> None:
    chat = memory.space("ann").conversation("c")
    chat.add("user", "hello")
    chat.pin("Quetzaltenango")
    seen = memory.verify_erasure("They fly to quetzaltenango in March")
    assert not any(place.where == "pins.content" for place in seen.found)  # row search is case-sensitive
    assert {place.what for place in seen.found} == {"word"}  # the index of notes ignores case
    seen = memory.verify_erasure("They fly to Quetzaltenango in March")
    assert ("pins.content", "word") in [(place.where, place.what) for place in seen.found]
    assert not seen.clean


@pytest.mark.req("X3")
@pytest.mark.parametrize("memory", ["file", "memory", "postgres"], indirect=True)  # it writes to the tables
def test_terms_left_in_an_index_are_found(memory: Memory) -> None:
    """Verification searches for the stem, so that any form of an indexed word is found, in each space."""
    ann = memory.space("ann")
    ann.conversation("c").add("user", "hello")
    ann.conversation("c").pin("Rotating certificates weekly")
    memory.space("bob").conversation("c").add("user", "hello")
    for table in ("pins", "notes", "changes"):
        sql(memory, f"DELETE FROM {table}")
    assert ("note_terms.terms", "word") in places(memory, "Rotating certificates weekly")
    assert ("note_terms.terms", "word") in places(memory, "Rotating certificates weekly", "ann")
    assert ("note_terms.terms", "word") not in places(memory, "Rotating certificates weekly", "bob")


@pytest.mark.req("X3")
def test_words_of_other_messages_are_not_traces(memory: Memory) -> None:
    chat = memory.space("ann").conversation("c")
    chat.add("user", "We looked at apartments near the station")
    seen = memory.verify_erasure("The apartments near the station were too small for us")
    assert seen.clean
    assert seen.words == 0


@pytest.mark.req("X3")
def test_bytes_left_by_a_deletion_are_found(open_memory: Callable[..., Memory]) -> None:
    memory = open_memory()
    chat = memory.space("ann").conversation("c")
    secret = "My sister Zephyrine moved to Quetzaltenango, " + "of all the places in the world " * 200
    chat.add("user", secret)
    memory.space("ann").conversation("d").add("user", "hello")
    chat.delete()
    wheres = {place.where for place in memory.verify_erasure(secret).found}
    assert any("memory.db" in where for where in wheres)
    with apsw.Connection(memory.address) as connection:
        kept = {
            term
            for (page,) in connection.execute("SELECT block FROM chunk_terms_data")
            for term in fts_leaves.leaf_terms(page)
        }
    assert ("chunk_terms.terms" in wheres) == any(b"quetzaltenango" in term for term in kept)
    other = memory.space("ann").conversation("d").messages()[0]
    memory.space("ann").forget(message=other.id)
    assert memory.verify_erasure(secret).clean


@pytest.mark.req("X3")
def test_verification_reports_the_tables_files_and_bytes_it_searched(
    open_memory: Callable[..., Memory], path: str
) -> None:
    memory = open_memory()
    memory.space("ann").conversation("c").add("user", "hello")
    seen = memory.verify_erasure("Quetzaltenango")
    assert {"messages", "receipts", "chunk_terms_data", "summaries"} <= set(seen.tables)
    assert str(path) in seen.files
    assert seen.bytes > 4096
    assert seen.words == 1


@pytest.mark.req("X3")
@pytest.mark.skipif(not Path("/proc/locks").exists(), reason="this system does not list its locks")
def test_verification_releases_no_file_lock(open_memory: Callable[..., Memory], path: str) -> None:
    """A process that closes any handle of a file loses its locks on the file, so verification reads through SQLite."""
    memory = open_memory()
    memory.space("ann").conversation("c").add("user", TEXT)
    before = locks(path)
    assert before
    memory.verify_erasure("Quetzaltenango is far")
    assert locks(path) == before


def locks(path: str) -> list[str]:
    inodes = {str(file.stat().st_ino) for file in Path(path).parent.glob(Path(path).name + "*")}
    lines = [line.split()[1:] for line in Path("/proc/locks").read_text().splitlines()]
    return sorted(" ".join(line) for line in lines if any(part.rpartition(":")[2] in inodes for part in line))


@pytest.mark.parametrize("text", ["", "  ", "a\0b", "\ud800"])
def test_a_text_that_cannot_be_stored_is_refused(memory: Memory, text: str) -> None:
    with pytest.raises(InvalidInput):
        memory.verify_erasure(text)


@pytest.mark.parametrize("text", ["🦊", "東京に引っ越した", "ما اسمك", "%s' OR 1=1 --", "x" * 100_000, "a"])
def test_any_text_is_found_before_and_not_after_an_erasure(memory: Memory, text: str) -> None:
    ann = memory.space("ann")
    message = ann.conversation("c").add("user", text)
    assert ("messages.text", "text") in places(memory, text)
    ann.forget(message=message.id)
    if len(text) > 1:  # a single letter occurs everywhere
        assert memory.verify_erasure(text).clean


@settings(deadline=None, max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(st.text("abcdeé漢", min_size=1, max_size=300), max_size=30), min_size=1, max_size=40))
def test_the_parsed_index_leaves_have_the_terms_of_fts5(rows: list[list[str]]) -> None:
    connection = apsw.Connection(":memory:")
    connection.execute("CREATE VIRTUAL TABLE t USING fts5(x, content='', contentless_delete=1, detail=none)")
    connection.execute("CREATE VIRTUAL TABLE v USING fts5vocab(t, row)")
    for key, words in enumerate(rows):
        connection.execute("INSERT INTO t (rowid, x) VALUES (?, ?)", (key, " ".join(words)))
    expected = {row[0].encode() for row in connection.execute("SELECT term FROM v")}
    pages = [row[0] for row in connection.execute("SELECT block FROM t_data WHERE id > 10")]
    assert {term[1:] for page in pages for term in fts_leaves.leaf_terms(page)} == expected


@given(st.binary(max_size=300))
def test_the_leaf_parser_accepts_any_bytes(page: bytes) -> None:
    assert len(list(fts_leaves.leaf_terms(page))) <= len(page)


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=300))
def test_search_variants_include_the_text_itself(text: str) -> None:
    found = variants.variants_of(text, lambda _: False, lambda _: False, frozenset())
    assert text.encode() in found.text
    assert all(len(word) > 0 for word in found.words)


@pytest.mark.req("X3")
def test_words_of_the_store_schema_are_not_traces(memory: Memory) -> None:
    chat = memory.space("ann").conversation("c")
    said = chat.add(
        "user", "We settled the question of milliseconds, tokens and importance: pending, rejected, completed"
    )
    memory.flush()
    chat.context("what else?")
    assert not memory.verify_erasure(said.text).clean
    memory.space("ann").forget(message=said.id)
    seen = memory.verify_erasure(said.text)
    assert seen.found == ()
