"""Tests message times: storage in UTC, accepted offsets, and ids that sort by time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from aforesaid import InvalidInput, Memory

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize("at", [datetime(2026, 3, 1, 12), "2026-03-01T12:00:00", "2026-03-01"])
def test_a_time_without_a_time_zone_is_refused(mem, at):
    with pytest.raises(InvalidInput, match="time zone"):
        mem.conversation("c").add("user", "words", at=at)
    assert mem.status().spaces == 0


@pytest.mark.parametrize(
    "at", ["noon", "", "2026-13-01T00:00:00Z", "2026-03-01T12:00:00+99:00", 1_700_000_000, NOON.date()]
)
def test_a_value_that_is_not_a_time_is_refused(mem, at):
    with pytest.raises(InvalidInput, match="at"):
        mem.conversation("c").add("user", "words", at=at)
    assert mem.status().spaces == 0


@pytest.mark.parametrize(
    "at",
    [
        "2026-03-01T12:00:00Z",
        "2026-03-01T13:00:00+01:00",
        "2026-03-01T17:45:00+05:45",
        "2026-03-02T02:00:00+14:00",
        datetime(2026, 3, 1, 0, 0, tzinfo=timezone(timedelta(hours=-12))),
    ],
)
def test_any_offset_is_stored_as_utc(mem, at):
    chat = mem.conversation("c")
    stored = chat.add("user", "words", at=at)
    for message in (stored, chat.message(stored.id)):
        assert message.created_at == NOON
        assert message.created_at.utcoffset() == timedelta(0)


def test_microseconds_are_kept(mem):
    at = NOON.replace(microsecond=123_457)
    assert mem.conversation("c").add("user", "words", at=at).created_at == at
    assert mem.conversation("c").messages()[0].created_at == at


@pytest.mark.parametrize("at", [datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)])
def test_the_first_and_the_last_moment_of_the_calendar_are_accepted(mem, at, tmp_path):
    chat = mem.conversation("c")
    stored = chat.add("user", "words", at=at)
    assert chat.message(stored.id).created_at == at
    mem.space("default").export(tmp_path / "out")
    mem.import_space(tmp_path / "out", space="copy")
    assert mem.space("copy").conversation("c").messages()[0].created_at == at


@pytest.mark.parametrize("at", ["0001-01-01T00:00:00+01:00", "9999-12-31T23:59:59-01:00"])
def test_a_moment_outside_the_calendar_in_utc_is_refused(mem, at):
    with pytest.raises(InvalidInput, match="years 1 to 9999"):
        mem.conversation("c").add("user", "words", at=at)


def test_seq_follows_the_order_of_adding_regardless_of_times(mem):
    chat = mem.conversation("c")
    for days in (0, -5, 3, -400):
        chat.add("user", f"{days} days", at=NOON + timedelta(days=days))
    assert [message.text for message in chat.messages()] == ["0 days", "-5 days", "3 days", "-400 days"]


@pytest.mark.req("B17")
def test_ids_sort_in_the_order_of_adding(mem):
    chat = mem.conversation("c")
    ids = [chat.add("user", f"number {n}").id for n in range(100)]
    ids += [one.id for one in chat.add_many({"role": "user", "content": f"more {n}"} for n in range(200))]
    ids += [chat.pin("kept").id, chat.pin("kept too").id]
    assert ids == sorted(ids)
    assert len(set(ids)) == len(ids)


@pytest.mark.req("B17")
def test_ids_sort_by_the_given_time_regardless_of_the_order_of_adding(mem):
    chat = mem.conversation("c")
    steps = [0, 1, 2, 999, 1_000, 1_001, 60_000_000, 86_400_000_000 * 400]  # microseconds
    moments = [NOON - timedelta(microseconds=step) for step in (*steps, *steps[::-1])]
    stored = [chat.add("user", "words", at=at) for at in moments]
    by_id = sorted(stored, key=lambda message: message.id)
    assert [one.created_at for one in by_id] == sorted(moments)


@pytest.mark.req("B17")
def test_ids_sort_by_time_regardless_of_the_utc_offset(mem):
    chat = mem.conversation("c")
    late = chat.add("user", "late", at="2026-03-01T09:00:00-05:00")
    early = chat.add("user", "early", at="2026-03-01T14:30:00+01:00")
    assert early.id < late.id


@pytest.mark.req("B17")
@pytest.mark.parametrize("order", [1, -1])
def test_ids_of_all_years_sort_by_time(mem, order):
    years = [1, 1066, 1899, 1969, 1970, 1999, 2026, 9999][::order]
    chat = mem.conversation("c")
    stored = [chat.add("user", "words", at=datetime(year, 6, 1, tzinfo=UTC)) for year in years]
    by_id = sorted(stored, key=lambda message: message.id)
    assert [one.created_at.year for one in by_id] == sorted(years)


@pytest.mark.req("B17")
def test_ids_of_one_time_keep_the_order_of_adding_with_other_times_in_between(path):
    with Memory(path, worker=False, clock=lambda: NOON) as mem:
        chat = mem.conversation("c")
        ids = []
        for n in range(20):
            ids.append(chat.add("user", f"number {n}").id)
            chat.add("user", "an older letter", at=NOON - timedelta(days=n))
    assert ids == sorted(ids)
