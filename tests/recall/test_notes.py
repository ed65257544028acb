"""Tests which notes a recall considers, and how notes and messages are merged."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from aforesaid.ids import microseconds
from aforesaid.models.recall import Hit, Score
from aforesaid.recall.filters import RecallFilter
from aforesaid.recall.merge import merge_hits
from aforesaid.recall.notes import notes_within
from aforesaid.storage.database import row_maker
from aforesaid.storage.repositories import note_index

DAY = timedelta(days=1)
START = datetime(2026, 1, 1, tzinfo=UTC)
DAYS = st.none() | st.integers(0, 9)

ROW = row_maker(
    ("note_key", "kind", "conversation_key", "at", "importance", "type", "valid_from", "valid_until", "known_from",
     "known_until", "closed_at", "current")
)  # fmt: skip


def at(day):
    return None if day is None else microseconds(START + day * DAY)


def directory(*rows):
    """Makes a directory of rows: days (valid from, valid until, known from, known until, closed) and current."""
    found = [
        ROW((key, "fact", None, at(0), 0.5, "fact", *(at(day) for day in days), current))
        for key, (*days, current) in enumerate(rows, 1)
    ]
    return note_index.extend_directory(note_index.EMPTY_DIRECTORY, found)


def found(rows, now=9, **bounds):
    moments = {name: START + day * DAY for name, day in bounds.items()}
    return notes_within(directory(*rows), RecallFilter(**moments), START + now * DAY).tolist()


@given(st.lists(st.tuples(DAYS, DAYS, DAYS, DAYS, DAYS, st.booleans()), min_size=1), st.integers(0, 9), DAYS)
def test_as_of_selects_notes_valid_then_by_the_knowledge_of_known_at(rows, day, known):
    bounds = {"as_of": day} if known is None else {"as_of": day, "known_at": known}
    told = 9 if known is None else known
    for row, inside in zip(rows, found(rows, **bounds), strict=True):
        start, stop, learned, unlearned, closed, _ = row
        over = stop is not None and stop <= day and not (closed is not None and closed > told)
        unknown = (learned is not None and learned > told) or (unlearned is not None and unlearned <= told)
        assert inside == (not over and not unknown and (start is None or start <= day))


def test_without_a_time_superseded_and_expired_notes_are_excluded():
    rows = [(None, None, 0, None, None, True), (None, 5, 0, None, 5, False), (0, 3, 0, None, None, True)]
    assert found(rows) == [True, False, False]
    assert found(rows, now=2) == [True, False, True]


@given(st.lists(st.lists(st.sampled_from("abc"), min_size=1), min_size=1), st.data())
def test_an_extended_directory_equals_one_built_in_one_step(batches, data):
    rows = [
        ROW((key, "pin", None, 0, 0.5, name, None, None, None, None, None, 1))
        for key, name in enumerate((name for batch in batches for name in batch), 1)
    ]
    grown = note_index.EMPTY_DIRECTORY
    for batch in batches:
        grown = note_index.extend_directory(grown, rows[len(grown) : len(grown) + len(batch)])
    whole = note_index.extend_directory(note_index.EMPTY_DIRECTORY, rows)
    for name in note_index.DIRECTORY_COLUMNS:
        assert getattr(grown, name).tolist() == getattr(whole, name).tolist()
    gone = data.draw(st.lists(st.sampled_from(whole.keys.tolist())))
    left = note_index.directory_without(grown, gone)
    assert left.keys.tolist() == [key for key in whole.keys.tolist() if key not in gone]
    places, known = left.places(whole.keys)
    assert left.keys[places[known]].tolist() == left.keys.tolist()


def hit(kind, id, relevance, messages=(), text=None):
    return Hit(kind, id, text or f"{kind} {id}", Score(relevance, relevance=relevance), (), "c", messages=messages)


def test_a_fact_is_attached_to_its_source_message_without_changing_the_order():
    messages = [hit("message", "a", 0.9), hit("message", "b", 0.5)]
    notes = [hit("fact", "f", 0.95, ("b", "x")), hit("fact", "g", 0.7, ("y",)), hit("pin", "p", 0.1, ("a",))]
    hits = merge_hits(messages, notes)
    assert [one.id for one in hits] == ["a", "g", "b", "p"]
    assert [one.notes for one in hits] == [(), (), ("f",), ()]


def test_a_note_with_the_text_of_a_message_is_omitted():
    assert len(merge_hits([hit("message", "a", 0.5, text="Same")], [hit("pin", "p", 0.9, text="Same")])) == 1
