"""Tests `bench distill` against numbers counted by hand, and against the store that it measures."""

import json
import xml.etree.ElementTree as ET

import pytest
from typer.testing import CliRunner

from aforesaid import Memory
from aforesaid.bench import distill, own
from aforesaid.bench.dataset import DatasetQuestion, FixedClock, load_haystack
from aforesaid.cli.app import app
from aforesaid.errors import InvalidInput
from aforesaid.ports import Completion

TURNS = (
    ("Ana", "I live in Porto."),
    ("Ben", "Nice. The harbour there is full of herons in spring."),
    ("Ana", "The concert begins at nine, in the old brick theatre beside the station."),
)
QUESTIONS = (
    {"question": "Where does Ana live?", "answer": "In Porto", "category": 4, "evidence": ["D1:1"]},
    {"question": "Which birds are in the harbour?", "answer": "herons", "category": 4, "evidence": ["D1:2"]},
    {"question": "Is there a concert?", "answer": "There is", "category": 4, "evidence": ["D1:3"]},
    {"question": "What is never said?", "answer": "this", "category": 4, "evidence": []},
)


@pytest.fixture
def path(tmp_path):
    turns = [{"speaker": who, "dia_id": f"D1:{at}", "text": text} for at, (who, text) in enumerate(TURNS, 1)]
    said = {"speaker_a": "Ana", "speaker_b": "Ben", "session_1_date_time": "1:56 pm on 8 May, 2023", "session_1": turns}
    file = tmp_path / "small.json"
    file.write_text(json.dumps([{"sample_id": "small", "conversation": said, "qa": QUESTIONS}]), "utf-8")
    return file


def terms(answer, question="What?"):
    return distill.answer_terms(DatasetQuestion(question, "any", frozenset({"1"}), answer))


@pytest.mark.req("X14")
def test_the_figures_are_those_of_a_hand_count(path, tmp_path):
    done = CliRunner().invoke(app, ["bench", "distill", str(path), "--out", str(tmp_path / "out"), "--json"])
    assert done.exit_code == 0, done.stderr
    report = json.loads(done.stdout)
    rows = {row["kind"]: row for row in report["rows"]}

    assert list(rows) == ["fact", "episode", "pin", "summary", "portrait"]
    fact = rows["fact"]
    assert (fact["data"], fact["records"], fact["per_100"]) == ("small", 1, 50)  # of two messages of the user
    # two of three questions with evidence have words in their answer; the fact has one of the two answers
    assert (fact["most"], fact["all"], fact["sourced"]) == (0.5, 0.5, pytest.approx(1 / 3))
    assert [rows[kind]["records"] for kind in ("episode", "pin", "summary")] == [0, 0, 0]
    (effect,) = report["effects"]
    assert (effect["questions"], effect["answers"], effect["summary_tokens"]) == (3, 2, [0, 0])
    assert effect["evidence"]["4000"] == [1, 1]
    assert effect["tokens"]["4000"][1] > 0
    assert {size: one["questions"] for size, one in effect["portraits"].items()} == {"300": 2, "600": 2, "1200": 2}
    assert effect["portraits"]["300"]["portrait"] == 1  # both messages of the user fit
    assert ET.parse(tmp_path / "out" / "distill.svg").getroot().tag.endswith("svg")
    written = json.loads((tmp_path / "out" / "distill.json").read_text("utf-8"))["report"]
    assert [row["records"] for row in written["rows"]] == [row["records"] for row in report["rows"]]


def test_the_figures_of_the_corpus_are_those_of_its_store():
    report = distill.run((), 2, None, lambda *_: None)
    rows = {row.kind: row for row in report.rows}
    counts = dict.fromkeys(rows, 0)
    users = 0
    for haystack in own.load()[:2]:
        users += sum(message["role"] == "user" for message in haystack.messages())
        with Memory(worker=False, clock=FixedClock(haystack.now)) as memory:
            load_haystack(memory, haystack)
            space = memory.space(haystack.space)
            chats = [space.conversation(session.id) for session in haystack.sessions]
            for chat in chats:
                chat.end()
            memory.flush()
            counts["fact"] += len(space.facts(1000))
            counts["episode"] += len(space.episodes(limit=1000))
            counts["pin"] += sum(len(chat.pins()) for chat in chats)
            counts["summary"] += sum(len(chat.summaries(limit=1000)) for chat in chats)
            counts["portrait"] += len(space.about().items)
    assert {kind: row.records for kind, row in rows.items()} == counts
    assert rows["portrait"].per_100 == pytest.approx(100 * counts["portrait"] / users)
    assert rows["portrait"].all <= rows["portrait"].most <= 1


def test_what_a_context_takes_is_counted_by_kind(path):
    (fact, *_) = distill.run([path], None, None, lambda *_: None).rows
    with Memory(worker=False) as memory:
        space = memory.space("small")
        for at, (who, text) in enumerate(TURNS, 1):
            role = "user" if who == "Ana" else "assistant"
            space.conversation("session_1").add(role, text, name=who, id=f"D1:{at}", at=f"2023-05-08T13:5{at}:00Z")
        memory.flush()
        contexts = [space.conversation("new").context(each["question"], max_tokens=1000) for each in QUESTIONS[:3]]
    taken = [[item.tokens for item in each.receipt.items if item.included and item.kind == "fact"] for each in contexts]
    assert fact.contexts[1000] == pytest.approx(sum(map(bool, taken)) / 3)
    assert fact.tokens[1000] == pytest.approx(sum(map(sum, taken)) / 3)


def test_an_answer_is_held_by_its_stems_its_numbers_and_its_names():
    answer = terms("two adopted dogs from Lisbon in 2021, with brown collars")
    assert answer.share("In 2021 Ana adopts two dogs from Lisbon, collars brown") == 1
    assert 0.6 <= answer.share("adopted two dogs, Lisbon, 2021") < 1
    assert answer.share("adopted two dogs with brown collars in 2021") == 0  # no Lisbon
    assert answer.share("adopted two dogs with brown collars in Lisbon") == 0  # no 2021
    assert terms("The dog", question="Which dog is it?").terms == frozenset()
    assert terms("Adoption agencies").exact == frozenset()  # the first word of a sentence is no name


class CountedModel:
    """A model that finds nothing, in 70 + 30 tokens a call."""

    name, local = "test:counted", True
    calls = 0

    def complete(self, _):
        self.calls += 1
        return Completion('{"claims": []}', 70, 30)


def test_the_tokens_of_a_model_are_counted_for_100_messages(path):
    model = CountedModel()
    (effect,) = distill.run([path], None, model, lambda *_: None).effects
    assert model.calls
    assert sum(effect.model_tokens.values()) == pytest.approx(100 * model.calls * 100 / len(TURNS))


def test_a_file_without_evidence_is_refused(path):
    dialogues = json.loads(path.read_text("utf-8"))
    dialogues[0]["qa"] = QUESTIONS[3:]
    path.write_text(json.dumps(dialogues), "utf-8")
    with pytest.raises(InvalidInput, match="use a file with evidence"):
        distill.run([path], None, None, lambda *_: None)
