"""Tests the filters of recall for messages, pins, and summaries on every store."""

from datetime import UTC, datetime, timedelta

import pytest

from aforesaid import InvalidInput, Memory, Summary

START = datetime(2026, 1, 1, 12, tzinfo=UTC)
DAYS = 10


@pytest.fixture
def alice(memory: Memory):
    """Returns a space with one message per day, with rising importance, a category, and tags."""
    alice = memory.space("alice")
    for day in range(DAYS):
        metadata = {"category": "trip" if day % 2 == 0 else "work", "tags": [f"day{day % 3}", "bird"]}
        alice.conversation(f"c{day % 2}").add(
            "user",
            f"Heron number {day} stood at place {day * 7 + 1000}",
            id=f"m{day}",
            at=START + timedelta(days=day),
            importance=day / 10,
            metadata=metadata if day < 8 else None,
        )
    memory.flush()
    return alice


def ids(hits) -> set[str]:
    return {hit.id for hit in hits}


def days(*numbers: int) -> set[str]:
    return {f"m{number}" for number in numbers}


@pytest.mark.req("B13")
@pytest.mark.parametrize(
    ("bounds", "expected"),
    [
        ({}, days(*range(DAYS))),
        ({"categories": ["trip"]}, days(0, 2, 4, 6)),
        ({"categories": ["trip", "work"]}, days(*range(8))),
        ({"categories": ["none"]}, set()),
        ({"tags": ["day1"]}, days(1, 4, 7)),
        ({"tags": ["day1", "day2"]}, days(1, 2, 4, 5, 7)),
        ({"tags": ["bird"], "categories": ["work"]}, days(1, 3, 5, 7)),
        ({"since": START + timedelta(days=7)}, days(7, 8, 9)),
        ({"until": START + timedelta(days=2)}, days(0, 1, 2)),
        ({"since": "2026-01-04T12:00:00+00:00", "until": "2026-01-05T13:00:00+01:00"}, days(3, 4)),
        ({"min_importance": 0.7}, days(7, 8, 9)),
        ({"min_importance": 0.7, "categories": ["work"], "until": START + timedelta(days=8)}, days(7)),
        ({"kinds": ["message"]}, days(*range(DAYS))),
        ({"kinds": ["pin", "summary"]}, set()),
        ({"include_episodes": True}, days(*range(DAYS))),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else "",
)
def test_a_filter_returns_exactly_the_matching_messages(alice, bounds, expected):
    assert ids(alice.recall("heron number", 20, **bounds)) == expected


@pytest.mark.req("B13")
def test_filters_apply_within_a_conversation_and_to_the_widened_search(alice):
    assert ids(alice.recall("heron", 20, conversation="c0", tags=["day1"])) == days(4)
    chat = alice.conversation("c0")
    assert [hit.id for hit in chat.recall("heron", 20, min_importance=0.85)] == ["m9"]
    assert ids(chat.recall("heron", 20, tags=["day1"])) == days(1, 4, 7)
    assert chat.recall("heron", 20, tags=["day1"])[0].id == "m4"


@pytest.mark.req("B19", "X4")
@pytest.mark.parametrize("name", ["as_of", "known_at"])
@pytest.mark.parametrize("day", [-1, 0, 4, 20])
def test_messages_after_the_given_time_are_not_recalled(alice, name, day):
    moment = START + timedelta(days=day, seconds=1)
    hits = alice.recall("heron number", 20, **{name: moment})
    assert ids(hits) == days(*range(min(day + 1, DAYS)))
    assert all(hit.message.created_at <= moment for hit in hits)


@pytest.mark.req("B19")
@pytest.mark.parametrize("name", ["as_of", "known_at"])
@pytest.mark.parametrize("embedder", ["none", None])
def test_later_messages_do_not_influence_a_query_for_an_earlier_time(open_memory, clock, name, embedder):
    memory = open_memory(embedder=embedder, clock=clock)
    chat = memory.space("alice").conversation("c")
    for id, day, text in (
        ("tea", 0, "Tea is in the cupboard"),
        ("nest", 1, "Its nest is high up"),
        ("it", 2, "A heron!"),
    ):
        chat.add("user", text, id=id, at=START + timedelta(hours=day))
    memory.flush()
    now = memory.space("alice").recall("heron")
    assert "neighbours" in next(hit for hit in now if hit.id == "nest").sources
    then = memory.space("alice").recall("heron", **{name: START + timedelta(hours=1)})
    assert all((hit.sources, hit.score.lexical) == (("dense",), 0.0) for hit in then)
    assert len(then) == 0 or embedder is None


@pytest.mark.req("B19")
def test_the_earliest_of_several_times_applies(alice):
    early, late = START + timedelta(days=1), START + timedelta(days=6)
    for bounds in ({"as_of": early, "known_at": late}, {"as_of": late, "until": early}, {"known_at": early}):
        assert ids(alice.recall("heron number", 20, **bounds)) == days(0, 1)


@pytest.mark.parametrize(
    ("bounds", "reason"),
    [
        ({"colour": "grey"}, "takes no 'colour'; it takes: kinds"),
        ({"kinds": "message"}, r"kinds must be a list, such as \['message'\]"),
        ({"categories": "trip"}, r"categories must be a list"),
        ({"tags": "bird"}, r"tags must be a list"),
        ({"tags": [""]}, "one of tags"),
        ({"tags": [7]}, "one of tags"),
        ({"kinds": ["thought"]}, "a kind"),
        ({"since": "yesterday"}, "since"),
        ({"until": datetime(2026, 1, 1)}, "until"),
        ({"as_of": "2026-01-01T12:00:00"}, "as_of"),
        ({"known_at": 7}, "known_at"),
        ({"min_importance": 1.5}, "min_importance"),
        ({"boost": "  "}, "boost"),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else "",
)
@pytest.mark.req("B13")
def test_an_invalid_filter_is_rejected(alice, bounds, reason):
    for recall in (alice.recall, alice.conversation("c0").recall):
        with pytest.raises(InvalidInput, match=reason):
            recall("heron", **bounds)


@pytest.mark.req("B13")
def test_the_rare_words_of_the_boost_text_change_scores_and_filter_nothing(alice):
    plain = alice.recall("heron number", 20)
    last = plain[-1]
    boosted = alice.recall("heron number", 20, boost=f"I mean place {last.text.split()[-1]}")
    assert [hit.id for hit in boosted].index(last.id) < len(plain) - 1
    assert next(hit for hit in boosted if hit.id == last.id).score.lexical > last.score.lexical
    assert ids(plain) == ids(boosted)


def test_an_explanation_has_the_parsed_query_and_the_candidate_counts(alice):
    asked = alice.recall("heron parse_config on 4 January 2026", 3, explain=True, boost="place 1028")
    explained = asked.explanation
    assert {"wheron", "iparseconfig"} <= set(explained.terms)
    assert explained.identifiers == ("parseconfig",)
    assert explained.when == (datetime(2026, 1, 4, tzinfo=UTC), datetime(2026, 1, 5, tzinfo=UTC))
    assert (explained.messages, explained.candidates, explained.duplicates) == (DAYS, DAYS, 0)
    assert alice.recall("heron", until=START, explain=True).explanation.messages == 1
    assert set(asked.milliseconds) >= {"directory", "lexical", "dense", "fuse", "rerank", "read", "total"}
    assert alice.recall("heron").explanation is None


def summary(text: str, conversation: str, id: str = "s1", at: datetime = START) -> Summary:
    return Summary(
        id, "alice", conversation, "segment", 0, 2, 3, text, (), 0.7, None, "completed", "model", None, 5, 1.0, None,
        at,
    )  # fmt: skip


@pytest.mark.req("A22", "B13")
def test_a_pin_is_found_in_every_conversation_of_its_space_and_in_no_other_space(alice, memory):
    pin = alice.conversation("c1").pin("The ferry leaves from pier nine", importance=0.4)
    for hits in (alice.recall("which pier has the ferry?"), alice.conversation("c1").recall("ferry pier")):
        hit = next(hit for hit in hits if hit.kind == "pin")
        assert (hit.id, hit.text, hit.conversation) == (pin.id, "The ferry leaves from pier nine", "c1")
        assert (hit.message, hit.chunk, hit.sources, hit.score.importance) == (None, None, ("pin",), 0.4)
    assert [hit.id for hit in alice.recall("ferry", kinds=["pin"])] == [pin.id]
    assert len(alice.recall("ferry", kinds=["pin"], conversation="c0")) == 0
    assert len(alice.recall("ferry", kinds=["pin"], min_importance=0.5)) == 0
    assert len(alice.recall("ferry", kinds=["pin"], tags=["bird"])) == 0
    assert len(alice.recall("quantum chromodynamics", kinds=["pin"])) == 0
    memory.space("bob").conversation("c").add("user", "hello")
    assert len(memory.space("bob").recall("ferry", kinds=["pin"])) == 0
    alice.conversation("c1").unpin(pin.id)
    assert len(alice.recall("ferry", kinds=["pin"])) == 0


def test_a_pin_and_its_source_message_are_one_hit(alice):
    chat = alice.conversation("c0")
    chat.pin(chat.message("m2"))
    hits = alice.recall("heron number 2", 20)
    assert [hit.kind for hit in hits if hit.text == chat.message("m2").text] == ["message"]


@pytest.mark.req("D4")
def test_a_summary_is_not_found_outside_its_conversation(alice, memory):
    memory.engine.store.summaries.save(summary("They agreed on the ferry to Nordholm.", "c1"))
    memory.engine.store.summaries.save(summary("Ferry, not yet done", "c1", "s2"))
    memory.flush()
    inside = alice.recall("ferry to Nordholm", conversation="c1")
    assert inside[0].kind == "summary"
    assert (inside[0].id, inside[0].sources, inside[0].conversation) == ("s1", ("summary",), "c1")
    assert "s1" in ids(alice.conversation("c1").recall("ferry to Nordholm"))
    for hits in (
        alice.recall("ferry to Nordholm", 50),
        alice.recall("ferry to Nordholm", 50, conversation="c0"),
        alice.conversation("c0").recall("ferry to Nordholm", 50),
        alice.conversation("new").recall("ferry to Nordholm", 50),
    ):
        assert not any(hit.kind == "summary" for hit in hits)


@pytest.mark.req("B19")
def test_pins_and_summaries_created_later_are_not_recalled(alice, memory, clock):
    before = clock.now
    clock.forward(days=1)
    alice.conversation("c0").pin("The ferry leaves from pier nine")
    memory.engine.store.summaries.save(summary("They agreed on the ferry.", "c0", at=clock.now))
    for name in ("as_of", "known_at", "until"):
        then = alice.recall("ferry", conversation="c0", **{name: before})
        assert {hit.kind for hit in then} <= {"message"}
        now = alice.recall("ferry", conversation="c0", **{name: clock.now})
        assert {hit.kind for hit in now} >= {"pin", "summary"}


@pytest.mark.req("B19", "X4")
def test_a_date_without_a_time_is_the_whole_day_in_utc(alice):
    day = (START + timedelta(days=3)).date().isoformat()
    assert ids(alice.recall("heron", 20, since=day, until=day)) == days(3)
    assert ids(alice.recall("heron", 20, as_of=day)) == days(0, 1, 2, 3)
