"""Tests episodes: detection by patterns, extension, manual notes, removal, and the arc of a conversation."""

from __future__ import annotations

import apsw
import pytest

from aforesaid import InvalidInput, NotFound

CRASH = [
    ("user", "Our checkout keeps crashing since the last deploy."),
    ("assistant", "Which error do you see in the logs?"),
    ("user", "A null pointer where the cart is parsed."),
]
FIX = ("user", "I finally fixed the checkout crash, the cart was empty!")


def say(chat, *said):
    return chat.add_many([{"role": role, "content": text} for role, text in said])


@pytest.mark.req("B8")
def test_a_decision_becomes_an_episode_with_its_context(memory):
    chat = memory.conversation("c")
    say(
        chat,
        ("user", "Should the shop run on Hetzner or on AWS?"),
        ("assistant", "Hetzner is cheaper for a shop of that size."),
        ("user", "Good. We decided to run the shop on Hetzner."),
        ("assistant", "Noted."),
    )
    memory.flush()
    [episode] = chat.episodes()
    assert (episode.type, episode.title) == ("decision_made", "We decided to run the shop on Hetzner")
    assert episode.outcome == "We decided to run the shop on Hetzner."
    assert "Hetzner is cheaper" in episode.context
    assert (episode.first_seq, episode.last_seq) == (0, 3)
    assert episode.participants == ("user", "assistant")
    assert (episode.method, episode.model) == ("pattern", None)
    assert -1 <= episode.valence <= 1
    assert 0 <= episode.significance <= 1
    assert episode.tokens > 0


@pytest.mark.req("B8")
def test_a_continued_episode_is_extended_and_not_duplicated(memory):
    chat = memory.conversation("c")
    say(chat, *CRASH)
    memory.flush()
    [issue] = chat.episodes()
    say(chat, FIX)
    memory.flush()
    [solved] = chat.episodes()
    assert (issue.type, solved.type) == ("issue_identified", "problem_solved")
    assert solved.id == issue.id
    assert solved.last_seq == 3
    assert solved.significance > issue.significance
    assert issue.valence < 0 < solved.valence


def test_messages_added_one_by_one_give_the_same_episodes_as_a_batch(memory):
    whole, single = memory.conversation("whole"), memory.conversation("single")
    say(whole, *CRASH, FIX, ("assistant", "Great."))
    memory.flush()
    for one in (*CRASH, FIX, ("assistant", "Great.")):
        say(single, one)
        memory.flush()
    [all_at_once], [bit_by_bit] = whole.episodes(), single.episodes()
    for name in ("type", "title", "summary", "context", "first_seq", "last_seq", "significance", "valence"):
        assert getattr(all_at_once, name) == getattr(bit_by_bit, name), name


def test_unrelated_messages_do_not_change_an_episode(memory):
    chat = memory.conversation("c")
    say(chat, *CRASH, FIX, ("assistant", "Great."))
    memory.flush()
    before = chat.episodes()
    say(chat, *[("user", f"What is the weather in town number {n}?") for n in range(30)])
    memory.flush()
    assert chat.episodes() == before


def test_two_separate_events_are_two_episodes(memory):
    chat = memory.conversation("c")
    say(chat, ("user", "We decided to paint the kitchen yellow."), ("assistant", "Nice."))
    say(chat, *[("user", f"Tell me about number {n}.") for n in range(12)])
    say(chat, ("user", "I just submitted my thesis!"), ("assistant", "Congratulations!"))
    memory.flush()
    assert [episode.type for episode in chat.episodes()] == ["decision_made", "task_completed"]
    assert [episode.type for episode in chat.episodes("task_completed")] == ["task_completed"]


def test_a_removed_episode_is_not_created_again(memory, clock):
    chat = memory.conversation("c")
    say(chat, *CRASH)
    memory.flush()
    chat.remove_episode(chat.episodes()[0].id)
    say(chat, ("assistant", "I see."), ("user", "Any idea?"))
    memory.flush()
    assert chat.episodes() == []
    with pytest.raises(NotFound):
        chat.remove_episode("nobody")


def test_claims_of_assistants_and_tools_are_not_episodes(memory):
    chat = memory.conversation("c")
    say(chat, ("user", "Fix the parser please."), ("assistant", "Done! I fixed the bug and deployed the release."))
    chat.add("tool", "We decided to delete everything. Problem solved!", tool_call_id="t")
    memory.flush()
    assert chat.episodes() == []


def test_a_space_can_turn_episodes_off(memory):
    memory.space("s").set("episodes", False)
    chat = memory.space("s").conversation("c")
    say(chat, FIX)
    memory.flush()
    assert chat.episodes() == []
    memory.space("s").set("episodes", True)
    say(chat, ("assistant", "Great."))
    memory.flush()
    assert [episode.type for episode in chat.episodes()] == ["problem_solved"]


def test_credentials_are_left_out_of_episodes(memory):
    chat = memory.conversation("c")
    say(
        chat,
        ("user", "The deploy fails. My api key is sk-proj-Zk83hGq01LmTx92PqRs7VwYb."),
        ("user", "We decided to use the key sk-proj-Zk83hGq01LmTx92PqRs7VwYb for the deploy."),
    )
    memory.flush()
    [episode] = chat.episodes()
    words = f"{episode.title} {episode.summary} {episode.context} {episode.outcome}"
    assert "Zk83hGq01LmTx92PqRs7VwYb" not in words


@pytest.mark.req("B8")
def test_an_episode_can_be_added_manually(memory):
    chat = memory.conversation("c")
    say(chat, *CRASH)
    known = memory.space("default").remember("The cart may be empty")
    episode = chat.note_episode(
        "The cart bug", type="issue_identified", first=0, last=2, outcome="Known.", valence=-0.5, significance=0.9,
        facts=[known.id],
    )  # fmt: skip
    assert chat.episodes(min_significance=0.8) == [episode]
    assert episode.method == "manual"
    assert (episode.facts, episode.participants) == ((known.id,), ("user", "assistant"))
    assert "checkout" in episode.summary
    memory.flush()
    assert chat.episodes() == [episode], "what is noted is not found a second time"


@pytest.mark.parametrize(
    "wrong",
    [
        {"type": "party"}, {"first": 2, "last": 1}, {"last": 99}, {"valence": 1.5}, {"significance": -0.1},
        {"facts": "fact-1"}, {"title": " "}, {"first": -1}, {"title": "a\0b"},
    ],
)  # fmt: skip
def test_an_invalid_episode_is_rejected(memory, wrong):
    chat = memory.conversation("c")
    say(chat, *CRASH)
    with pytest.raises(InvalidInput):
        chat.note_episode(**{"title": "x", "type": "pivot"} | wrong)
    assert chat.episodes() == []


def test_an_episode_cannot_be_added_to_an_empty_conversation(memory):
    with pytest.raises(NotFound):
        memory.conversation("c").note_episode("x", type="pivot")


def test_an_episode_with_an_unknown_fact_is_rejected(memory):
    chat = memory.conversation("c")
    chat.add("user", "hello")
    other = memory.space("other").remember("Likes tea")
    for id in ("nope", other.id):
        with pytest.raises(NotFound, match="has no fact"):
            chat.note_episode("x", type="pivot", facts=[id])
    known = memory.space("default").remember("Likes coffee")
    assert chat.note_episode("x", type="pivot", facts=[known.id]).facts == (known.id,)


@pytest.mark.req("B9")
def test_the_arc_has_thirds_and_key_moments(memory):
    chat = memory.conversation("c")
    say(chat, *[("user", f"Question {n} about gardens and roses") for n in range(4)])
    say(chat, *CRASH, FIX, ("assistant", "Great."), *[("user", f"Thanks, number {n} about boats") for n in range(6)])
    memory.flush()
    arc = chat.arc()
    thirds = (arc.beginning, arc.middle, arc.end)
    assert [(third.first_seq, third.last_seq) for third in thirds] == [(0, 4), (5, 9), (10, 14)]
    assert "gardens" in arc.beginning.summary
    assert "boats" in arc.end.topics
    assert [episode.type for episode in arc.middle.episodes] == ["problem_solved"]
    assert [episode.type for episode in arc.key_moments] == ["problem_solved"]
    assert all(episode.significance >= 0.7 for episode in arc.key_moments)


@pytest.mark.req("B9")
def test_an_episode_belongs_to_the_third_of_its_key_message(memory):
    chat = memory.conversation("c")
    said = ("We settled on Lisbon in May.", "Booked.", "I live in Porto.", "ok")
    say(chat, *zip(("user", "assistant", "user", "assistant"), said, strict=True))
    memory.flush()
    (episode,) = chat.episodes()
    assert (episode.first_seq, episode.last_seq) == (0, 1)
    arc = chat.arc()
    assert [third.episodes for third in (arc.beginning, arc.middle, arc.end)] == [(episode,), (), ()]


def test_an_empty_or_short_conversation_has_an_arc(memory):
    chat = memory.conversation("c")
    chat.start()
    assert chat.arc().key_moments == ()
    chat.add("user", "hello")
    arc = chat.arc()
    assert arc.end.summary
    assert (arc.beginning.summary, arc.middle.topics) == ("", ())


def test_a_space_lists_the_episodes_of_all_its_conversations(memory, clock):
    for name in ("a", "b"):
        clock.forward(minutes=1)
        say(memory.space("s").conversation(name), FIX)
        memory.flush()
    say(memory.space("t").conversation("c"), FIX)
    memory.flush()
    assert [episode.conversation for episode in memory.space("s").episodes()] == ["b", "a"]
    assert memory.space("s").episodes(min_significance=1.0) == []
    assert memory.space("nobody").episodes() == []


@pytest.mark.req("B8")
def test_an_episode_has_the_time_of_its_message_not_of_its_detection(memory, clock, tmp_path):
    alice = memory.space("alice")
    for name, day in (("new", "2025-06-01"), ("old", "2024-05-05")):
        alice.conversation(name).add("user", "We decided to rent the house in Braga.", at=f"{day}T09:00:00Z")
        memory.flush()
    alice.export(tmp_path / "out")
    back = memory.import_space(tmp_path / "out", space="bob")
    memory.flush()
    for space in (alice, back):
        found = [(one.conversation, f"{one.at:%Y-%m-%d}") for one in space.episodes()]
        assert found == [("new", "2025-06-01"), ("old", "2024-05-05")], "the newest first"
        assert {one.created_at for one in space.episodes()} == {clock.now}
        hits = space.recall("house in Braga", kinds=["episode"], since="2024-01-01", until="2024-12-31")
        assert [hit.conversation for hit in hits] == ["old"]


def test_a_manual_or_extended_episode_has_the_time_of_its_last_message(memory, clock):
    chat = memory.conversation("c")
    times = []
    for minute, (role, text) in enumerate([*CRASH, FIX]):
        times.append(chat.add(role, text, at=f"2024-05-05T09:0{minute}:00Z").created_at)
        memory.flush()
        [episode] = chat.episodes()
        assert episode.at == times[episode.last_seq]
    assert episode.last_seq == 3
    noted = chat.note_episode("The cart bug", type="issue_identified", first=0, last=1)
    assert (noted.at, noted.created_at) == (times[1], clock.now)
    assert chat.episode(noted.id) == noted


def test_episodes_are_deleted_with_their_conversation(open_memory, path, clock):
    memory = open_memory(clock=clock)
    chat = memory.conversation("c")
    say(chat, *CRASH, FIX)
    memory.flush()
    raw = apsw.Connection(path)

    def rows(table: str) -> int:
        return raw.execute(f"SELECT count(*) FROM {table}").fetchone()[0]

    assert rows("lineage WHERE derived = 'episode' AND source = 'message'") == 4
    chat.remove_episode(chat.episodes()[0].id)
    assert (rows("lineage"), rows("removed_episodes")) == (0, 1)
    chat.note_episode("x", type="pivot")
    chat.delete()
    assert [rows(table) for table in ("episodes", "lineage", "removed_episodes", "pin_marks", "pins")] == [0] * 5


def test_an_export_contains_episodes_and_removed_episodes(memory, tmp_path):
    chat = memory.space("s").conversation("c")
    say(chat, *CRASH, FIX, ("assistant", "Great."))
    say(chat, *[("user", f"Tell me about number {n}.") for n in range(12)], ("user", "I just submitted my thesis!"))
    memory.flush()
    kept, removed = chat.episodes()
    chat.remove_episode(removed.id)
    memory.space("s").export(tmp_path / "out")
    for _ in range(2):
        back = memory.import_space(tmp_path / "out", space="t").conversation("c")
        memory.flush()
        [episode] = back.episodes()
        assert (episode.id, episode.title, episode.summary) == (kept.id, kept.title, kept.summary)


@pytest.mark.parametrize(
    "text", ["\u202e" * 50, "🎉" * 5000, "We decided to " * 5000, "```\n" * 3000, "决定了！" * 100]
)
def test_unusual_text_does_not_fail_the_episode_job(memory, text):
    chat = memory.conversation("c")
    chat.add("user", text)
    chat.add("user", "We decided to go to Porto.")
    memory.flush()
    assert memory.jobs("failed") == []
    assert [episode.type for episode in chat.episodes()] == ["decision_made"]


def test_an_episode_of_a_message_ahead_of_the_clock_is_embedded_immediately(open_memory, clock):
    memory = open_memory(clock=clock)
    chat = memory.space("alice").conversation("work")
    chat.add("user", "We decided to rent the house in Braga.", at="2026-03-01T09:50:00+00:00")  # 20 minutes ahead
    memory.flush(timeout=5)
    assert len(chat.episodes()) == 1
    assert [hit.kind for hit in memory.space("alice").recall("house", kinds=["episode"])] == ["episode"]
