"""Tests that a directory extended step by step equals one built from all messages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aforesaid import Memory
from aforesaid.models.index import Directory
from aforesaid.models.message import ROLES
from aforesaid.storage.database import Row, row_maker
from aforesaid.storage.repositories.chunks import LENGTH_CODES
from aforesaid.storage.repositories.directories import (
    FEW_MESSAGES,
    SESSION_MESSAGES,
    SESSION_PAUSE,
    SPARSE,
    build_directory,
    extend_directory,
    places_of,
)

COLUMNS = ("messages", "conversations", "seqs", "moments", "importances", "roles", "speakers", "tokens", "lengths",
           "chunks", "firsts", "saliences", "previous", "following")  # fmt: skip
ROW = row_maker(
    ("message_key", "conversation_key", "seq", "created_at", "importance", "role", "name", "tokens", "first_chunk",
     "last_chunk", "salience")
)  # fmt: skip
NAMES = st.sampled_from([None, "Ann", "Bob", "Čeněk"])
SHAPE = st.tuples(
    st.integers(1, 4),  # conversation
    st.sampled_from([0, 1, SESSION_PAUSE, SESSION_PAUSE + 1, -SESSION_PAUSE]),  # time since the previous message
    NAMES,
    st.sampled_from([role for role in ROLES if role != "system"]),
)


def nowhere(keys: np.ndarray) -> np.ndarray:
    return np.full(len(keys), -1, np.int64)


def rows_of(shapes: Sequence[tuple], order: Sequence[int]) -> list[Row]:
    """Returns messages in insertion order; each conversation assigns its seqs in `order`."""
    seqs: dict[int, int] = {}
    numbers = [0] * len(shapes)
    for at in order:
        conversation = shapes[at][0]
        numbers[at] = seqs[conversation] = seqs.get(conversation, -1) + 1
    moment, rows = 10**15, []
    for at, (conversation, since, name, role) in enumerate(shapes):
        moment += since
        chunk = (at + 1) * LENGTH_CODES + 7
        rows.append(ROW((at + 1, conversation, numbers[at], moment, 0.5, role, name, 12, chunk, chunk, 0.25)))
    return rows


def same(one: Directory, other: Directory) -> None:
    for name in COLUMNS:
        assert getattr(one, name).tolist() == getattr(other, name).tolist(), name
        assert getattr(one, name).dtype == getattr(other, name).dtype, name
    assert one.names == other.names
    assert together(one) == together(other)


def together(directory: Directory) -> list[int]:
    """Returns the sessions, numbered by first appearance: only their members matter, not their ids."""
    seen: dict[int, int] = {}
    sessions = [seen.setdefault(session, len(seen)) for session in directory.sessions.tolist()]
    assert set(directory.sessions.tolist()) == set(range(len(seen)))
    return sessions


def expected_sessions(rows: Sequence[Row]) -> dict[int, tuple[int, int]]:
    """Returns the session of each message by definition: one conversation, no long pause, at most 64 messages."""
    sessions = {}
    for conversation in {row.conversation_key for row in rows}:
        number, size, before = 0, 0, None
        for row in sorted((row for row in rows if row.conversation_key == conversation), key=lambda row: row.seq):
            paused = before is not None and row.created_at - before > SESSION_PAUSE
            if paused or size == SESSION_MESSAGES:
                number, size = number + 1, 0
            sessions[row.message_key] = (conversation, number)
            size, before = size + 1, row.created_at
    return sessions


@st.composite
def talks(draw: st.DrawFn) -> tuple[list[Row], int]:
    """Draws rows, mostly in order, and a position to split them."""
    shapes = draw(st.lists(SHAPE, min_size=1, max_size=60))
    order = draw(st.one_of(st.just(range(len(shapes))), st.permutations(range(len(shapes)))))
    return rows_of(shapes, order), draw(st.integers(0, len(shapes)))


@given(talks())
def test_an_extended_directory_equals_one_built_from_all_rows(talk):
    rows, cut = talk
    same(extend_directory(build_directory(rows[:cut], nowhere), rows[cut:], nowhere), build_directory(rows, nowhere))


@given(talks(), st.integers(1, 5))
def test_a_directory_extended_in_small_steps_equals_one_built_from_all_rows(talk, step):
    rows, _ = talk
    carried = build_directory((), nowhere)
    for at in range(0, len(rows), step):
        carried = extend_directory(carried, rows[at : at + step], nowhere)
    same(carried, build_directory(rows, nowhere))


@given(talks())
def test_neighbours_and_sessions_match_the_conversation(talk):
    rows, _ = talk
    directory, size = build_directory(rows, nowhere), len(rows)
    place = {(row.conversation_key, row.seq): at for at, row in enumerate(rows)}
    for at, row in enumerate(rows):
        assert directory.previous[at] == place.get((row.conversation_key, row.seq - 1), size)
        assert directory.following[at] == place.get((row.conversation_key, row.seq + 1), size)
    expected = expected_sessions(rows)
    pairs = {
        (expected[row.message_key], session) for row, session in zip(rows, directory.sessions.tolist(), strict=True)
    }
    assert len(pairs) == len({one for one, _ in pairs}) == len({other for _, other in pairs})


@settings(max_examples=20, deadline=None)
@given(
    st.integers(0, 3 * SESSION_MESSAGES),
    st.sampled_from(
        [1, SESSION_MESSAGES, FEW_MESSAGES - 1, FEW_MESSAGES, FEW_MESSAGES + 1, FEW_MESSAGES + SESSION_MESSAGES]
    ),
    st.lists(st.sampled_from([1, 1, 1, 2]), min_size=5, max_size=5),
    st.booleans(),
)
def test_long_conversations_and_large_batches_are_linked_the_same_way(cut, more, conversations, late):
    shapes = [(conversations[at % 5], 1, None, "user") for at in range(cut + more)]
    rows = rows_of(shapes, range(cut + more))
    if late and cut:
        rows = [*rows[1 : cut + 1], rows[0], *rows[cut + 1 :]]  # the first message of a conversation arrives late
    carried = extend_directory(build_directory(rows[:cut], nowhere), rows[cut:], nowhere)
    same(carried, build_directory(rows, nowhere))
    expected = expected_sessions(rows)
    assert len(set(expected.values())) == int(carried.sessions.max()) + 1


@st.composite
def spans(draw: st.DrawFn) -> np.ndarray:
    """Draws the chunk numbers of messages, with gaps between them."""
    number, found = draw(st.integers(1, 50)), []
    for hole, width in draw(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 4)), min_size=1, max_size=40)):
        number += hole
        found.append((number, number + width - 1))
        number += width
    return np.array(found, np.int64)


@given(spans(), st.lists(st.integers(0, 800), max_size=60), st.integers(0, LENGTH_CODES - 1))
def test_table_lookup_and_binary_search_return_the_same_place_of_a_chunk(ann, numbers, code):
    keys = np.array(numbers, np.int64) * LENGTH_CODES + code
    gone = np.array([[(SPARSE + 1) * 2_000, (SPARSE + 1) * 2_000]], np.int64)
    by_table, by_halving = places_of(ann)(keys), places_of(np.concatenate([ann, gone]))(keys)
    expected = [next((at for at, (a, b) in enumerate(ann.tolist()) if a <= n <= b), -1) for n in numbers]
    assert by_table.tolist() == by_halving.tolist() == expected


def test_an_empty_directory_has_no_places():
    assert places_of(np.empty((0, 2), np.int64))(np.array([64, 128])).tolist() == [-1, -1]


def directory_of(memory: Memory, space: str = "alice") -> Directory:
    found = memory.engine.store.directories.get(space)
    assert found is not None
    return found


@pytest.fixture
def other(open_memory, clock):
    return open_memory(clock=clock, embedder="none")


@pytest.fixture
def fresh(open_memory, clock):
    """Compares the directory of a memory with the directory of a newly opened memory."""

    def compare(memory: Memory, space: str = "alice") -> Directory:
        known = directory_of(memory, space)
        found = directory_of(open_memory(clock=clock, embedder="none"), space)
        in_order = [np.argsort(one.firsts) for one in (known, found)]
        assert all((order == np.arange(len(order))).all() for order in in_order)
        same(known, found)
        assert known.places(found.firsts).tolist() == list(range(len(found)))
        return known

    return compare


@pytest.fixture
def first(open_memory, clock):
    """Opens a memory that has built a directory."""
    memory = open_memory(clock=clock, embedder="none")
    chat = memory.space("alice").conversation("c")
    for number in range(5):
        chat.add("user", f"Heron number {number}", name="Ann" if number % 2 else None)
        clock.forward(minutes=1)
    chat.add("system", "Be kind.")
    chat.add("user", "A long tale of herons. " * 300, id="long")
    chat.add("user", "The end.")
    directory_of(memory)
    return memory


def test_messages_added_by_another_memory_are_in_the_directory_immediately(first, other, fresh, clock):
    for number in range(3):
        other.space("alice").conversation("c").add("assistant", f"Stork {number}", name="Bob")
        clock.forward(hours=5)
        other.space("alice").conversation("d").add("user", f"Crane {number}")
        assert len(fresh(first)) == 7 + 2 * (number + 1)
    assert directory_of(first).names == ("Ann", "Bob")


def test_the_directory_stays_cached_until_its_space_changes(first, other):
    known = directory_of(first)
    assert directory_of(first) is known
    other.space("bob").conversation("c").add("user", "Elsewhere")
    assert directory_of(first) is known


def test_a_deleted_conversation_is_not_in_the_directory(first, other, fresh):
    other.space("alice").conversation("d").add("user", "Crane")
    assert len(fresh(first)) == 8
    other.space("alice").conversation("c").delete()
    assert len(fresh(first)) == 1
    other.space("alice").conversation("c").add("user", "Anew")
    assert len(fresh(first)) == 2


def test_the_directory_of_a_recreated_space_has_only_new_messages(first, other, fresh):
    other.space("alice").delete()
    for number in range(3):
        other.space("alice").conversation("c").add("user", f"Anew {number}")
    known = fresh(first)
    assert (len(known), known.names) == (3, ())
    assert {hit.message.text for hit in first.space("alice").recall("anew herons")} == {"Anew 0", "Anew 1", "Anew 2"}
    other.space("alice").delete()
    assert first.engine.store.directories.get("alice") is None


def test_rechunked_messages_keep_their_neighbours_and_later_messages_follow(first, other, fresh):
    other.space("alice").set("chunk_tokens", 50)
    assert other.space("alice").rechunk() == 1
    assert len(fresh(first)) == 7
    other.space("alice").conversation("c").add("user", "Afterwards")
    known = fresh(first)
    assert len(known) == len(set(known.messages.tolist())) == 8
    assert first.space("alice").recall("afterwards")[0].message.text == "Afterwards"


def test_an_imported_space_has_a_directory(first, other, fresh, tmp_path, open_memory):
    first.space("alice").export(tmp_path / "out")
    there = open_memory(str(tmp_path / "there.db"), embedder="none")
    there.import_space(tmp_path / "out", space="copy")
    other.import_space(tmp_path / "out", space="copy")
    copied = fresh(first, "copy")
    for found in (copied, directory_of(there, "copy")):
        original = directory_of(first)
        same(
            replace(found, **{name: getattr(original, name) for name in ("messages", "conversations", "firsts")}),
            original,
        )


def test_messages_without_text_and_system_messages_are_not_in_the_directory(first, fresh):
    picture = [{"type": "image_url", "image_url": {"url": "https://example.org/x.png"}}]
    first.space("alice").conversation("c").add("user", picture)
    assert len(fresh(first)) == 7
