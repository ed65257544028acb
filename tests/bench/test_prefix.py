"""Tests the replay that measures the cached prefix and the content of each prompt."""

import json
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from aforesaid import Memory
from aforesaid.bench import prefix
from aforesaid.bench.prefix import BenchPrompt, ConversationState, PromptTokens, common_prefix, compare_prompts, replies
from aforesaid.cli.app import app

TOPICS = ("canoe", "oboe", "heron", "lantern", "saddle", "teapot", "anchor", "violet", "gravel", "marble")


def turns(session, count):
    for at in range(count):
        speaker = "Ana" if at % 2 == 0 else "Ben"
        said = f"{speaker} said a few quiet words about the {TOPICS[at // 2 % 10]}, number {session} {at}."
        yield {"speaker": speaker, "dia_id": f"D{session}:{at + 1}", "text": said}


@pytest.fixture
def path(tmp_path):
    said = {"speaker_a": "Ana", "speaker_b": "Ben"}
    for session in (1, 2):
        said[f"session_{session}_date_time"] = f"1:56 pm on {session} May, 2023"
        said[f"session_{session}"] = list(turns(session, 20))
    asked = [
        {"question": "What was said about the canoe?", "category": 4, "evidence": ["D1:1"]},
        {"question": "What comes later?", "category": 4, "evidence": ["D2:20"]},
    ]
    file = tmp_path / "locomo.json"
    file.write_text(json.dumps([{"sample_id": "made-up", "conversation": said, "qa": asked}]), "utf-8")
    return file


@pytest.mark.req("X14")
def test_a_replay_gives_a_table_a_chart_and_json(path, tmp_path):
    command = ["bench", "prefix", str(path), "--max-tokens", "600"]
    done = CliRunner().invoke(app, [*command, "--out", str(tmp_path), "--json"])
    assert done.exit_code == 0, done.stderr
    report = json.loads(done.stdout)
    assert (report["turns"], report["questions"], report["max_tokens"]) == (19, 2, 600)
    assert list(report["rows"]) == ["aforesaid", "sliding window of 8", "the same, filled up", "full history"]
    for row in report["rows"].values():
        assert 0 < row["prefix"] < 1
        assert row["cost"] == pytest.approx(1 - 0.9 * row["prefix"])
        assert 0 <= row["evidence"] <= 1
    assert ET.parse(tmp_path / "prefix.svg").getroot().tag.endswith("svg")
    shown = CliRunner().invoke(app, [*command, "--turns", "3"]).stdout
    assert "2 turns, 1 questions, 600 tokens" in shown


@pytest.mark.req("X2")
def test_the_aforesaid_prefix_is_more_stable_than_that_of_a_sliding_window(path):
    rows = prefix.run(path, prefix.ReplayLimits(20, 1000), lambda *_: None).rows
    assert rows["aforesaid"].prefix > 2 * rows["sliding window of 8"].prefix
    assert rows["aforesaid"].tokens <= 1000 * 1.5  # counted as JSON lines, which are longer than the request


def test_the_shared_prefix_ends_at_the_first_difference():
    def count(text):
        return len(text)

    before, now = BenchPrompt(("abc", "def"), frozenset()), BenchPrompt(("abc", "dxf", "ghi"), frozenset())
    assert compare_prompts(before, now, count) == PromptTokens(tokens=9, same=4)
    assert compare_prompts(now, now, count) == PromptTokens(9, 9)
    assert PromptTokens(100, 100).paid == pytest.approx(10)


@given(st.text(), st.text(), st.text())
def test_the_common_prefix_is_a_prefix_of_both_texts(start, one, two):
    both = common_prefix(start + one, start + two)
    assert both.startswith(start)
    assert (start + one).startswith(both)
    assert (start + two).startswith(both)


def test_a_reply_follows_a_user_message():
    assert replies([{"role": role} for role in ("assistant", "user", "user", "assistant", "assistant", "user")]) == [3]


def test_every_prompt_contains_exactly_the_messages_it_reports(open_memory):
    memory: Memory = open_memory(":memory:")
    space = memory.space("s")
    said = [
        {"role": "assistant" if at % 2 else "user", "content": f"the {TOPICS[at % 10]} {at}", "id": f"m{at}"}
        for at in range(30)
    ]
    space.conversation("c").add_many(said)
    memory.flush()
    moment = ConversationState(space, space.conversation("c"), said, "where is the canoe?")
    for make in [*prefix.prompt_builders(2000).values(), prefix.truncated_history_prompt(200)]:
        made = make(moment)
        text = "".join(made.lines)
        assert {
            one["id"] for one in said if f'{one["content"]}"' in text or f"{one['content']}\\n" in text
        } <= made.shows
        assert all(one["content"] in text for one in said if one["id"] in made.shows)
    assert len(prefix.truncated_history_prompt(200)(moment).shows) < 30
