"""Tests that the retrieval benchmarks read a data set, query every system, and report the scores."""

import gzip
import json
import xml.etree.ElementTree as ET
from datetime import UTC, datetime

import pytest
from typer.testing import CliRunner

from aforesaid.bench import locomo, longmemeval, systems
from aforesaid.bench.dataset import DatasetQuestion, DatasetSession, Haystack
from aforesaid.bench.retrieval import HaystackIndex, RankedAnswer, evidence
from aforesaid.cli.app import app

DIALOGUE = {
    "sample_id": "made-up",
    "conversation": {
        "speaker_a": "Ana",
        "speaker_b": "Ben",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            {"speaker": "Ana", "dia_id": "D1:1", "text": "I bought a red canoe yesterday."},
            {"speaker": "Ben", "dia_id": "D1:2", "text": "Lovely!", "blip_caption": "a heron beside a lake"},
        ],
        "session_2_date_time": "someday",
        "session_2": [{"speaker": "Ben", "dia_id": "D2:1", "text": "My sister plays the oboe."}],
    },
    "qa": [
        {"question": "Which canoe did Ana buy?", "category": 4, "evidence": ["D1:1"]},
        {"question": "Who plays the oboe and where is the heron?", "category": 1, "evidence": ["D2:1; D:1:2", "D9:9"]},
        {"question": "What is not said?", "category": 5, "evidence": []},
    ],
}
RECORD = {
    "question_id": "q1",
    "question_type": "single-session-user",
    "question": "Which instrument does my sister play?",
    "question_date": "2023/05/30 (Tue) 22:53",
    "haystack_dates": ["2023/05/20 (Sat) 02:21", "no date"],
    "haystack_sessions": [
        [
            {"role": "user", "content": "My sister plays the oboe.", "has_answer": True},
            {"role": "assistant", "content": " "},
        ],
        [{"role": "user", "content": "The canoe is red."}, {"role": "assistant", "content": "Noted."}],
    ],
}
CHAT = {
    "id": 7,
    "batches": [
        [
            {"id": 0, "role": "user", "content": "I bought a red canoe.", "time_anchor": "March-15-2024"},
            {"id": 1, "role": "assistant", "content": "Noted."},
        ],
        [{"id": 2, "role": "user", "content": "My sister plays the oboe.", "time_anchor": None}],
    ],
    "questions": [
        {"question": "Which instrument does my sister play?", "category": "recall", "evidence": [2]},
        {"question": "Where do I live?", "category": "abstention", "evidence": []},
    ],
}
SYSTEMS = ["aforesaid", "plain FTS5 BM25", "dense alone", "rank fusion"]


def invoke(*arguments):
    return CliRunner().invoke(app, ["bench", *map(str, arguments)])


def test_a_dialogue_becomes_a_space_with_dated_sessions_and_captions():
    made = locomo.haystack(DIALOGUE)
    assert [session.id for session in made.sessions] == ["session_1", "session_2"]
    first, second = made.sessions[0].messages
    assert (first["role"], first["name"], first["at"]) == ("user", "Ana", "2023-05-08T13:56:00+00:00")
    assert first["content"] == "I bought a red canoe yesterday."
    assert "heron" in second["content"]
    assert made.now == datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
    assert "at" not in made.sessions[1].messages[0]
    assert [question.gold for question in made.questions] == [{"D1:1"}, {"D2:1", "D1:2"}, frozenset()]


@pytest.mark.req("X14")
def test_locomo_gives_a_table_a_chart_and_json(tmp_path):
    path = tmp_path / "data.json"
    path.write_text(json.dumps([DIALOGUE]), "utf-8")
    done = invoke("locomo", path, "--out", tmp_path, "--json")
    assert done.exit_code == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["questions"] == {"all": 2, "single-hop": 1, "multi-hop": 1}
    assert list(report["scores"]) == SYSTEMS
    ours = report["scores"]["aforesaid"]["all"]
    assert ours["recall@10"] == 1.0
    assert [ours[f"evidence@{tokens}"] for tokens in (500, 1000, 2000, 4000)] == [1.0] * 4
    assert ET.parse(tmp_path / "locomo.svg").getroot().tag.endswith("svg")
    assert "multi-hop, 1 questions" in invoke("locomo", path).stdout


@pytest.mark.req("X14")
def test_the_rankings_are_written_in_the_format_of_trec(tmp_path):
    path = tmp_path / "data.json"
    other = {**DIALOGUE, "sample_id": "other", "qa": DIALOGUE["qa"][:1]}
    path.write_text(json.dumps([DIALOGUE, other]), "utf-8")
    done = invoke("locomo", path, "--trec", tmp_path / "trec", "--json")
    assert done.exit_code == 0, done.stderr
    qrels = [line.split() for line in (tmp_path / "trec" / "qrels.txt").read_text("utf-8").splitlines()]
    assert qrels == [["1", "0", "D1:1", "1"], ["2", "0", "D1:2", "1"], ["2", "0", "D2:1", "1"], ["3", "0", "D1:1", "1"]]
    for system, kinds in json.loads(done.stdout)["scores"].items():
        name = system.replace(" ", "-")
        rows = [line.split() for line in (tmp_path / "trec" / f"{name}.run").read_text("utf-8").splitlines()]
        assert all((row[1], row[5]) == ("Q0", name) for row in rows)
        first = {(row[0], row[2]) for row in rows if int(row[3]) <= 10}
        shares = [
            [(one, message) in first for one, _, message, _ in qrels if one == question] for question in ("1", "2", "3")
        ]
        assert sum(sum(found) / len(found) for found in shares) / 3 == pytest.approx(kinds["all"]["recall@10"])
        ranked = [row for row in rows if row[0] == "2"]
        assert ranked == sorted(ranked, key=lambda row: -float(row[4]))


@pytest.mark.req("X14")
def test_longmemeval_measures_sessions_and_messages(tmp_path):
    path = tmp_path / "longmemeval.json.gz"
    path.write_bytes(gzip.compress(json.dumps([RECORD, RECORD | {"question_id": "q2"}]).encode()))
    report = json.loads(invoke("longmemeval", path, "--limit", 1, "--json").stdout)
    assert report["questions"] == {"all": 1, "single-session-user": 1}
    ours = report["scores"]["aforesaid"]["all"]
    assert (ours["session recall_all@5"], ours["evidence@500"]) == (1.0, 1.0)
    assert [session.id for session in longmemeval.haystack(RECORD).sessions] == ["session 0", "session 1"]


@pytest.mark.req("X14")
def test_beam_gives_a_table_a_chart_and_json(tmp_path):
    path = tmp_path / "data.json"
    path.write_text(json.dumps([CHAT]), "utf-8")
    done = invoke("beam", path, "--out", tmp_path, "--json")
    assert done.exit_code == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["questions"] == {"all": 1, "recall": 1}
    assert report["scores"]["aforesaid"]["all"]["recall@10"] == 1.0
    assert ET.parse(tmp_path / "beam.svg").getroot().tag.endswith("svg")


@pytest.mark.req("X14")
def test_the_own_corpus_needs_no_file():
    done = invoke("own", "--limit", 1, "--json")
    assert done.exit_code == 0, done.stderr
    report = json.loads(done.stdout)
    assert list(report["scores"]) == SYSTEMS
    assert report["questions"]["all"] > 10


@pytest.mark.req("X14")
def test_all_benchmarks_are_in_one_table(tmp_path):
    paths = [tmp_path / f"{name}.json" for name in "abc"]
    for path, record in zip(paths, (DIALOGUE, RECORD, CHAT), strict=True):
        path.write_text(json.dumps([record]), "utf-8")
    done = invoke("all", *paths, "--limit", 1, "--out", tmp_path, "--json")
    assert done.exit_code == 0, done.stderr
    reports = json.loads(done.stdout)["scores"]
    assert [report["title"] for report in reports] == ["aforesaid's own corpus", "LoCoMo", "LongMemEval", "BEAM"]
    assert all(list(report["scores"]) == SYSTEMS for report in reports)
    assert ET.parse(tmp_path / "all.svg").getroot().tag.endswith("svg")


def test_a_question_uses_its_own_date():
    assert longmemeval.haystack(RECORD).now == datetime(2023, 5, 30, 22, 53, tzinfo=UTC)
    assert longmemeval.haystack(RECORD | {"question_date": "someday"}).now is None


def test_a_baseline_adds_each_line_that_fits_in_rank_order():
    texts = {"long": "word " * 50, "short": "a canoe", "other": "an oboe"}
    messages = [{"role": "user", "content": text, "id": id, "name": "Ana"} for id, text in texts.items()]
    read = systems.greedy(Haystack("s", [DatasetSession("c", messages)], []))
    assert read("", ["short", "long", "other"], 20).keys() == {"short", "other"}
    assert read("", ["long", "short"], 1000).keys() == {"long", "short"}
    assert read("", ["short"], 2) == {}


def test_without_an_embedder_there_is_no_dense_baseline(monkeypatch, tmp_path):
    monkeypatch.setenv("AFORESAID_EMBEDDER", "none")
    path = tmp_path / "locomo.json"
    path.write_text(json.dumps([DIALOGUE]), "utf-8")
    assert list(json.loads(invoke("locomo", path, "--json").stdout)["scores"]) == SYSTEMS[:2]


@pytest.mark.parametrize("command", ["locomo", "longmemeval", "beam", "prefix", "all"])
@pytest.mark.parametrize("content", ["not json", "{}", "[]", "[1]", '[{"other": 1}]'])
def test_an_invalid_data_set_is_rejected(tmp_path, command, content):
    path = tmp_path / "file.json"
    path.write_text(content, "utf-8")
    done = invoke(command, path)
    assert (done.exit_code, "file" in done.stderr) == (2, True)
    assert invoke(command, tmp_path / "missing.json").exit_code == 2


def test_an_excerpt_in_a_prompt_is_evidence_if_it_answers():
    question = DatasetQuestion("Where does Ada live?", "single", frozenset({"a", "b"}), "In Ghent")
    texts = {"a": "We had rain. Ada moved to Ghent.", "b": "Ghent it is. We had rain."}

    def share(shown: dict[str, str | None]) -> float:
        index = HaystackIndex({}, texts)
        return evidence(500)(RankedAnswer(question, [], lambda _tokens: shown, index))

    assert share({"a": None, "b": None}) == 1
    assert share({"a": "… Ada moved to Ghent.", "b": "… We had rain."}) == 0.5
    assert share({"a": "We had rain. …", "c": None}) == 0
