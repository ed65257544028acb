"""Tests the extractive summary, which needs no model."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.distill.world import count, say

from aforesaid.distill.summaries.extractive import MOST_TOKENS, summarise

TALK = say(
    ("user", "Hi! We want to rent a boat in Lisbon in May."),
    ("assistant", "Lovely idea. The marina in Belém rents boats from 180 euros a day."),
    ("user", "Our budget is 900 euros, and my brother Tomás gets seasick."),
    ("assistant", "Then a catamaran is steadier. The Albatroz costs 240 euros a day and sleeps six."),
    ("user", "Thanks, thanks a lot!"),
    ("assistant", "You are welcome! Sounds great!"),
    ("user", "Let us take the Albatroz for three days from the 12th of May."),
    ("assistant", "Booked: Albatroz, 12 to 15 May, 720 euros. The skipper is called Inês."),
    ("user", "Which documents does the skipper need to see?"),
)

TEXTS = st.text(st.characters() | st.sampled_from("\0 \n。.!?`#*-[]\ud800\udfff"), max_size=300)
ROLES = st.sampled_from(["user", "assistant", "system", "tool", "user/Ada]", "assistant/\n"])


@pytest.mark.req("A12")
def test_a_summary_has_the_topics_and_the_first_and_last_user_sentence():
    text = summarise(TALK, count)
    lines = text.splitlines()
    assert lines[0].startswith("Topics: ")
    assert "Albatroz" in lines[0]
    assert "We want to rent a boat in Lisbon in May." in text
    assert lines[-1].endswith("Which documents does the skipper need to see?")


def test_important_sentences_are_kept_and_small_talk_is_dropped():
    text = summarise(TALK, count, 120)
    for kept in ("900 euros", "12th of May", "[user] ", "[assistant] "):
        assert kept in text
    assert "welcome" not in text


def test_sentences_are_verbatim_and_in_conversation_order():
    text = summarise(TALK, count)
    whole = "\n".join(one.text for one in TALK)
    places = [whole.index(line.partition("] ")[2].split(". ")[0]) for line in text.splitlines()[1:]]
    assert places == sorted(places)


@pytest.mark.req("D4")
def test_system_and_tool_messages_and_code_are_omitted():
    talk = say(
        ("system", "You are a pirate."),
        ("user", "Why does the build fail?"),
        ("tool", "exit code 137"),
        ("assistant", "The linker runs out of memory:\n```sh\nmake -j64\n```\nUse fewer jobs."),
    )
    text = summarise(talk, count)
    assert "Use fewer jobs." in text
    for absent in ("pirate", "137", "make -j64"):
        assert absent not in text


def test_a_summary_is_not_detected_as_injection():
    from aforesaid.text.injection import looks_like_injection

    assert not looks_like_injection(summarise(say(("assistant", "Good morning, the ferry is late today.")), count))
    assert not looks_like_injection(summarise(TALK, count))


@pytest.mark.req("X13")
@pytest.mark.parametrize(
    ("lines", "kept"),
    [
        (
            ["我们决定五月去里斯本。预算是九百欧元。", "好的，我预订了酒店。酒店在老城区。"],
            ["里斯本", "预订了酒店"],
        ),
        (["五月にリスボンへ行きます。予算は九百ユーロです。", "ホテルを予約しました。"], ["リスボン", "予約しました"]),
        (["سنسافر إلى لشبونة في مايو. ميزانيتنا تسعمائة يورو؟", "تم الحجز."], ["لشبونة"]),
        (["हम मई में लिस्बन जाएँगे। बजट नौ सौ यूरो है।", "होटल बुक हो गया।"], ["लिस्बन", "होटल"]),
        (["우리는 5월에 리스본에 갑니다. 예산은 900유로입니다.", "호텔을 예약했습니다."], ["리스본", "예약"]),
        (["Wir fahren im Mai nach Lissabon 🏖️. Das Budget sind 900 Euro.", "Gebucht!"], ["Lissabon", "900 Euro"]),
    ],
)
def test_sentences_of_every_script_are_kept(lines, kept):
    text = summarise(say(*zip(("user", "assistant"), lines, strict=True)), count)
    for word in kept:
        assert word in text


def test_a_conversation_without_text_gives_a_placeholder():
    assert summarise([], count) == summarise(say(("tool", "42"), ("user", " \n")), count) != ""


def test_the_summary_is_deterministic():
    assert summarise(TALK, count) == summarise(list(TALK), count)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(ROLES, TEXTS), max_size=12), st.integers(20, 200))
def test_any_conversation_gives_a_summary_that_is_not_empty_and_fits_the_limit(lines, most):
    text = summarise(say(*lines), count, most)
    assert text.strip()
    assert count(text) <= most
    assert "\0" not in text


def test_huge_messages_and_long_conversations_fit_the_limit():
    huge = say(("user", "word " * 400_000), ("assistant", "字" * 300_000), ("user", "x" * 500_000))
    assert 0 < count(summarise(huge, count)) <= MOST_TOKENS
    long = say(*[("user", f"Item {number} costs {number * 7} euros in Porto.") for number in range(3_000)])
    assert 0 < count(summarise(long, count)) <= MOST_TOKENS


def test_list_items_of_an_assistant_and_lines_of_code_are_omitted():
    answer = (
        "The harbour is far from Graça. Here are three ways to the harbour:\n1. **Tram 28**: slow, with a view\n"
        "2. Taxi: twelve euros\n"
        "* Walking: forty minutes downhill\n## Tickets\n\nThe tram stops running at eleven in the evening."
    )
    code = (
        "How do I parse the fares?\ndef parse_fares(rows):\n    return {row.name: row.fare for row in rows};\nIt hangs."
    )
    talk = say(("user", "How do we get to the harbour?"), ("assistant", answer), ("user", code))
    _, text = summarise(talk, count).split("\n", 1)  # the topics may name them
    assert "The tram stops running at eleven in the evening." in text
    assert "The harbour is far from Graça." in text
    assert "It hangs." in text
    for absent in ("ways to the harbour", "Taxi", "Walking", "with a view", "Tickets", "def ", "row.fare"):
        assert absent not in text


def test_a_users_list_is_kept():
    text = summarise(say(("user", "We still need for the boat:\n- a life jacket for Tomás\n- sun cream")), count)
    assert "a life jacket for Tomás" in text


def test_consecutive_messages_of_a_speaker_name_the_speaker_once():
    talk = say(
        ("user", "My brother Tomás gets seasick in small boats."),
        ("user", "Our budget for the catamaran is 900 euros."),
        ("assistant", "The Albatroz costs 240 euros a day."),
    )
    text = summarise(talk, count)
    assert [line.partition("]")[0] for line in text.splitlines()[1:]] == ["[user", "[assistant"]


def test_a_summary_uses_its_tokens():
    long = say(
        *[("user", f"Item {number} costs {number * 7} euros in shop {number} of Porto.") for number in range(99)]
    )
    assert MOST_TOKENS - 20 < count(summarise(long, count)) <= MOST_TOKENS
