"""Tests that the latency benchmark runs and reports its figures; the tests do not check the speed."""

import json
import xml.etree.ElementTree as ET
from contextlib import closing

import pytest
from typer.testing import CliRunner

from aforesaid.bench.charts import Caption, bar_chart
from aforesaid.bench.synthetic_chat import ChatGenerator
from aforesaid.bench.systems import SqliteBaseline, embedder_of
from aforesaid.cli.app import app


@pytest.mark.req("X14")
def test_the_benchmark_writes_json_and_svg_with_all_figures(tmp_path):
    command = ["bench", "latency", "--messages", "1000", "--sizes", "10,20", "--out", str(tmp_path), "--json"]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0, done.stderr
    report = json.loads(done.stdout)
    written = json.loads((tmp_path / "latency.json").read_text("utf-8"))["report"]
    assert [figure["name"] for figure in written["figures"]] == [figure["name"] for figure in report["figures"]]
    assert [figure["unit"] for figure in report["figures"]] == [
        *["ms"] * 5, "bytes", "bytes", *["ms", "ms", "ms", "bytes"] * 2
    ]  # fmt: skip
    assert {(one["messages"], one["call"]) for one in report["stages"]} == {
        (size, call)
        for size in (10, 20)
        for call in ("recall", "plain FTS5 + numpy", "context", "the same, stop words out")
    }
    assert all(one["milliseconds"]["p50"] <= one["milliseconds"]["p99"] for one in report["stages"])
    assert all(figure["value"] > 0 and figure["baseline"] > 0 for figure in report["figures"])
    assert ET.parse(tmp_path / "latency.svg").getroot().tag.endswith("svg")


def test_the_chart_escapes_names():
    picture = bar_chart(Caption("a < b & c", ""), [("<script>", 0.5, 1.0), ("far", 7.0, 2.0), ("plain", 1.0, None)])
    assert "<script>" not in picture
    assert next(text.text for text in ET.fromstring(picture).iter("{http://www.w3.org/2000/svg}text")) == "a < b & c"


@pytest.mark.parametrize("sizes", ["", "ten", "0,100", "10;20"])
def test_invalid_sizes_are_rejected(sizes):
    done = CliRunner().invoke(app, ["bench", "latency", "--sizes", sizes])
    assert (done.exit_code, "--sizes" in done.stderr) == (2, True)


def test_the_sqlite_baseline_finds_messages(open_memory, tmp_path):
    model = embedder_of(open_memory(":memory:"))
    with closing(SqliteBaseline(tmp_path / "hand.db", model)) as hand:
        hand.add(["The heron stands in the lake.", "My sister plays the oboe.", "The canoe is red."])
        assert hand.search("Who plays the oboe?")[0] == "My sister plays the oboe."
        assert len(hand.search("what is it")) == 3


def test_generated_questions_are_distinct_and_deterministic():
    one, two = ChatGenerator(3), ChatGenerator(3)
    asked = [one.question() for _ in range(30)]
    assert len(set(asked)) == len(asked)
    assert [two.question() for _ in range(30)] == asked


def test_generated_messages_are_deterministic():
    assert [ChatGenerator(3).message() for _ in range(2)] == [ChatGenerator(3).message() for _ in range(2)]
    assert ChatGenerator(3).message() != ChatGenerator(4).message()
