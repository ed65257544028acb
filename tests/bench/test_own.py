"""The project's own corpus: what it holds, and that it is consistent. BEAM's format, read from a small file."""

from __future__ import annotations

import json

import pytest

from aforesaid.bench import beam, own
from aforesaid.bench.dataset import Haystack


@pytest.fixture(scope="module")
def corpus() -> list[Haystack]:
    return own.load()


@pytest.mark.req("X14")
def test_the_corpus_is_large_enough_to_train_and_measure_on(corpus):
    questions = [question for haystack in corpus for question in haystack.questions]
    assert len(corpus) >= 40
    assert len(questions) >= 1500
    assert {question.kind for question in questions} >= {"single", "multi", "time", "update", "class", "side", "none"}
    assert any(len(question.gold) >= 5 for question in questions)


def test_every_question_names_messages_of_its_dialogue(corpus):
    for haystack in corpus:
        ids = [message["id"] for message in haystack.messages()]
        assert len(ids) == len(set(ids))
        for question in haystack.questions:
            assert question.gold <= set(ids)
            assert bool(question.gold) == (question.kind != "none"), question.text


def test_a_dialogue_has_the_speakers_and_times_of_its_file(corpus):
    haystack = next(each for each in corpus if each.space == "dialogue_allotment")
    first = next(haystack.messages())
    assert (first["role"], first["name"], first["at"]) == ("user", "Gwen", "2023-02-11T10:14:00+00:00")
    assert haystack.now is not None
    assert haystack.now.isoformat() > first["at"]


def test_a_message_keeps_its_further_lines(corpus):
    chats = (haystack for haystack in corpus if haystack.space.startswith("assistant_"))
    texts = [message["content"] for haystack in chats for message in haystack.messages()]
    several = [text for text in texts if "\n" in text]
    assert several
    assert not any(line.startswith("= ") for text in texts for line in text.splitlines()[1:2])


def test_beam_is_read_from_its_file(tmp_path):
    messages = [
        {"id": 1, "role": "user", "content": "My exam is on 12 May.", "time_anchor": "March-15-2024"},
        {"id": 2, "role": "assistant", "content": "Good luck.", "time_anchor": None},
        {"id": 3, "role": "user", "content": " ", "time_anchor": None},
    ]
    questions = [{"category": "information_extraction", "question": "When is my exam?", "evidence": [1, 9]}]
    path = tmp_path / "beam.json"
    path.write_text(json.dumps([{"id": "one", "batches": [messages], "questions": questions}]))

    haystack = beam.haystack(beam.load(path)[0])

    assert [message["id"] for message in haystack.messages()] == ["1", "2"]
    assert {message["at"] for message in haystack.messages()} == {"2024-03-15T00:00:00+00:00"}
    assert haystack.questions[0].gold == {"1"}
