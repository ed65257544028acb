"""Tests `bench foreign` on two small spaces whose answers can be counted by hand."""

import json
import xml.etree.ElementTree as ET

import pytest
from tests.bench.test_retrieval import DIALOGUE, invoke

from aforesaid.bench import locomo
from aforesaid.bench.foreign import FEWEST, foreign_questions


def dialogue(name, *said):
    turns = [{"speaker": "Ana", "dia_id": f"D1:{at}", "text": text} for at, (text, _) in enumerate(said, 1)]
    asked = [
        {"question": question, "category": 4, "evidence": [f"D1:{at}"]} for at, (_, question) in enumerate(said, 1)
    ]
    talk = {"speaker_a": "Ana", "speaker_b": "Ben", "session_1_date_time": "1:56 pm on 8 May, 2023", "session_1": turns}
    return {"sample_id": name, "conversation": talk, "qa": [*asked, DIALOGUE["qa"][2]]}


LAKE = dialogue(
    "lake",
    ("I bought a red canoe yesterday.", "Which red canoe did Ana buy yesterday?"),
    ("The heron stands beside the lake.", "Where does the heron stand beside the lake?"),
)
MUSIC = dialogue("music", ("My sister plays the oboe in Ghent.", "Who plays the oboe in Ghent?"))


@pytest.mark.req("X14")
def test_foreign_questions_get_nothing_from_a_hook_and_own_ones_keep_their_evidence(tmp_path):
    path = tmp_path / "data.json"
    path.write_text(json.dumps([LAKE, MUSIC]), "utf-8")
    done = invoke("foreign", path, "--out", tmp_path, "--json")
    assert done.exit_code == 0, done.stderr
    [row] = json.loads(done.stdout)["rows"]
    assert (row["data"], row["own"], row["foreign"]) == ("LoCoMo", 3, 3)
    assert (row["context_kept"], row["hook_kept"]) == (1.0, 1.0)
    assert (row["hook_silent"], row["items"]) == (1.0, 0.0)
    assert row["context_silent"] < 1  # a context of a small space is never judged to be without an answer
    assert ET.parse(tmp_path / "foreign.svg").getroot().tag.endswith("svg")
    assert "LoCoMo" in invoke("foreign", path).stdout


def test_foreign_questions_are_those_of_other_spaces_and_always_the_same():
    spaces = [locomo.haystack({**LAKE, "sample_id": f"lake {number}"}) for number in range(9)]
    asked = foreign_questions(spaces[0], spaces)
    assert len(asked) == FEWEST
    assert asked == foreign_questions(spaces[0], spaces)
    assert not {id(question) for question in asked} & {id(question) for question in spaces[0].questions}
    assert all(question.gold for question in asked)
