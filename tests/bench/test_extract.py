"""Tests the precision of the claim patterns on the data set of the package."""

import json
import xml.etree.ElementTree as ET
from collections import Counter
from importlib.resources import files

import pytest
from typer.testing import CliRunner

from aforesaid.bench.extract import ClaimCounts, RealClaimCounts, evaluate_file, evaluate_utterance, run, utterances
from aforesaid.cli.app import app


@pytest.fixture(scope="module")
def report():
    return run()


@pytest.mark.req("B14")
def test_pattern_precision_is_at_least_90_percent(report):
    assert report.kept
    for part in ("all", "held-out", "fresh"):
        assert report.parts[part].precision >= 0.9, part


def test_text_without_claims_gives_at_most_2_percent_false_claims(report):
    assert report.junk["all"].rate <= 0.02


@pytest.mark.parametrize("language", ["de", "fr", "es", "it", "pt", "nl", "zh", "ja"])
def test_each_language_finds_eight_of_ten_claims(report, language):
    assert report.languages[language].recall >= 0.8
    assert report.languages[language].precision >= 0.97


def test_the_set_is_large_multilingual_and_half_without_claims():
    said = list(utterances())
    assert len(said) >= 200
    assert len({one.id for one in said}) == len({one.text for one in said}) == len(said)
    idle = sum(not one.claims for one in said)
    assert 0.4 < idle / len(said) < 0.6
    assert len(Counter(one.language for one in said)) >= 7
    assert {one.part for one in said} == {"development", "held-out", "fresh", "chat"}


@pytest.mark.req("B14")
def test_eight_of_ten_plain_sentences_are_heard_in_each_slot():
    wanted, heard = Counter(), Counter()
    for one in utterances():
        for claim in one.claims if one.part == "chat" else ():
            slot = (claim.attribute or "").split()[0].rstrip(":")
            wanted[slot] += 1
            heard[slot] += claim.key in evaluate_utterance(one).found
    assert len(wanted) >= 12
    assert all(heard[slot] >= 0.8 * count for slot, count in wanted.items()), heard


def test_the_counts_of_the_parts_add_up_to_the_total(report):
    parts = [report.parts[name] for name in ("development", "held-out", "fresh", "chat")]
    for name in ("wanted", "found", "right"):
        total = getattr(report.parts["all"], name)
        assert total == sum(getattr(part, name) for part in parts)
        assert total == sum(getattr(one, name) for one in report.kinds.values())
        assert total == sum(getattr(one, name) for one in report.languages.values())


def test_claim_counts_give_precision_recall_and_f1():
    tally = ClaimCounts(wanted=4, found=5, right=3)
    assert (tally.precision, tally.recall) == (0.6, 0.75)
    assert tally.f1 == pytest.approx(2 / 3)
    assert ClaimCounts(0, 0, 0).precision is ClaimCounts(0, 0, 0).recall is ClaimCounts(0, 0, 0).f1 is None


@pytest.fixture
def dialogues(tmp_path):
    """A LoCoMo file whose two messages have the ids of labelled ones, with other claims."""
    path = tmp_path / "locomo.json"
    turns = [
        {"speaker": "Ana", "dia_id": "D2:23", "text": "I live in Lisbon."},
        {"speaker": "Bob", "dia_id": "D8:18", "text": "I'm lactose intolerant."},
        {"speaker": "Bob", "dia_id": "D8:19", "text": "I'm lactose intolerant."},
    ]
    said = {"speaker_a": "Ana", "session_1_date_time": "1:56 pm on 8 May, 2023", "session_1": turns}
    path.write_text(json.dumps([{"sample_id": "conv-42", "conversation": said, "qa": []}]), "utf-8")
    return path


def test_claims_of_a_real_file_are_compared_with_the_labels(dialogues):
    counts = evaluate_file(dialogues)
    assert counts == RealClaimCounts(messages=2, found=2, right=1, wrong=0, useful=1, unlabelled=1, lost=2)
    assert (counts.precision, counts.usefulness) == (1.0, 1.0)


def test_the_labels_of_real_files_hold_no_text_and_have_at_least_200_verdicts():
    lines = files("aforesaid.bench").joinpath("data", "real_claims.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    assert len({tuple(row["claim"]) for row in rows}) == len(rows) >= 200
    for row in rows:
        *_, slot, digest = row["claim"]
        assert slot.isalpha()
        assert len(digest) == 12
        assert row["right"] >= row["useful"]


def test_the_command_prints_a_table_and_writes_json_and_svg(dialogues, tmp_path):
    command = ["bench", "extract", "--real", str(dialogues), "--out", str(tmp_path / "out")]
    shown = CliRunner().invoke(app, command)
    assert shown.exit_code == 0, shown.stderr
    assert "held-out" in shown.stdout
    assert "precision at least 0.9: kept" in shown.stdout
    figures = json.loads((tmp_path / "out" / "extract.json").read_text("utf-8"))["report"]
    assert figures["parts"]["all"]["precision"] >= 0.9
    assert figures["real"]["locomo.json"]["right"] == 1
    assert ET.parse(tmp_path / "out" / "extract.svg").getroot().tag.endswith("svg")


def test_the_command_prints_only_json_with_the_json_option():
    done = CliRunner().invoke(app, ["bench", "extract", "--json"])
    assert json.loads(done.stdout)["kept"] is True
