"""The benchmark runs, says what it measured against what, and draws it. How fast it was is no test's business."""

import json
import xml.etree.ElementTree as ET

from typer.testing import CliRunner

from recollect.bench.picture import bars
from recollect.bench.talk import Talk
from recollect.cli.app import app


def test_it_gives_figures_a_table_and_a_picture(tmp_path):
    done = CliRunner().invoke(app, ["bench", "latency", "--messages", "1000", "--out", str(tmp_path), "--json"])
    assert done.exit_code == 0, done.stderr
    report = json.loads(done.stdout)
    assert report == json.loads((tmp_path / "latency.json").read_text("utf-8"))
    assert [figure["unit"] for figure in report["figures"]] == ["ms", "ms", "ms", "bytes", "bytes"]
    assert all(figure["value"] > 0 and figure["baseline"] > 0 for figure in report["figures"])
    assert ET.parse(tmp_path / "latency.svg").getroot().tag.endswith("svg")


def test_the_picture_shows_names_as_text():
    picture = bars("a < b & c", [("<script>", 0.5, 1.0), ("far", 7.0, 2.0), ("plain", 1.0, None)])
    assert "<script>" not in picture
    assert next(text.text for text in ET.fromstring(picture).iter("{http://www.w3.org/2000/svg}text")) == "a < b & c"


def test_made_up_talk_is_the_same_every_time():
    assert [Talk(3).message() for _ in range(2)] == [Talk(3).message() for _ in range(2)]
    assert Talk(3).message() != Talk(4).message()
