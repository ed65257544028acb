"""Tests that `bench peers` measures stores in processes of their own, and reports a peer that fails with its reason."""

import importlib.util
import json
import shutil
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from tests.bench.test_retrieval import DIALOGUE, invoke

from aforesaid.bench.charts import Caption, grouped_bar_chart
from aforesaid.bench.peer_process import DRIVERS, Peer, PeerFailed, PeerFiles, running_peer
from aforesaid.bench.peers import PEERS, PeerRun, PeersReport, WriteOutcome, default_embedder, selected_peers
from aforesaid.bench.results import write_result
from aforesaid.bench.suite import read_benchmark
from aforesaid.cli.bench import show_peers
from aforesaid.errors import InvalidInput

FTS5 = next(peer for peer in PEERS if peer.name == "fts5")


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "locomo.json"
    path.write_text(json.dumps([DIALOGUE]), "utf-8")
    return path


@pytest.fixture
def files(tmp_path):
    return PeerFiles.create(tmp_path / "peer", ["a red canoe", "an oboe"], default_embedder())


@pytest.fixture(scope="module")
def driver():
    """The program of a peer's process, which is not part of the package's modules."""
    spec = importlib.util.spec_from_file_location("driver_protocol", DRIVERS / "driver_protocol.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
@pytest.mark.req("X14")
def test_the_command_measures_aforesaid_and_the_selected_peers(data, tmp_path):
    done = invoke("peers", data, "--only", "fts5", "--cache", tmp_path / "cache", "--out", tmp_path / "out", "--json")
    assert done.exit_code == 0, done.stderr
    assert str(tmp_path / "cache") in done.stderr.replace("\n", "")
    report = json.loads(done.stdout)
    written = json.loads((tmp_path / "out" / "peers.json").read_text("utf-8"))
    assert written["report"]["questions"] == report["questions"]
    assert (report["messages"], report["questions"]) == (3, 2)
    assert [result["name"] for result in report["results"]] == ["aforesaid", "fts5"]
    for result in report["results"]:
        figures = result["figures"]
        assert figures["recall"] == 1.0
        assert min(figures["add_milliseconds"], figures["search_milliseconds"], figures["disk_bytes"]) > 0
        assert figures["threads"] == {"adds": 400, "errors": 0, "lost": 0, "first_error": ""}
        assert figures["processes"] == {"adds": 200, "errors": 0, "lost": 0, "first_error": ""}
    assert ET.parse(tmp_path / "out" / "peers.svg").getroot().tag.endswith("svg")
    assert not (tmp_path / "cache").exists()


@pytest.mark.req("X14")
def test_a_peer_that_fails_is_in_the_table_with_the_reason(data, tmp_path, capsys):
    broken = [
        Peer("unknown", "no_such_store.py"),
        Peer("uninstallable", "chroma_store.py", (str(tmp_path / "no-such-package.whl"),)),
    ]
    [haystack] = read_benchmark(data).haystacks
    runs = [PeerRun(peer, tmp_path / peer.name, tmp_path / "cache", default_embedder()) for peer in broken]
    for one in runs:
        one.measure(haystack)
    report = PeersReport("LoCoMo", 3, 2, tuple(one.result() for one in runs))
    unknown, uninstallable = report.results
    assert (unknown.figures, uninstallable.figures) == (None, None)
    assert "no_such_store" in unknown.failure
    assert uninstallable.failure.startswith("cannot be installed: ")
    show_peers(report)
    shown = capsys.readouterr().out
    assert shown.count("failed") >= 4
    assert "unknown failed: ended with 2: " in shown
    assert "uninstallable failed: cannot be installed" in shown
    assert json.loads(report.to_json())["results"][0]["failure"] == unknown.failure
    assert [path.suffix for path in write_result(tmp_path / "out", "peers", report)] == [".json", ".svg"]


@pytest.mark.skipif(shutil.which("false") is None, reason="there is no program that fails")
def test_a_process_that_ends_is_reported(files):
    with (
        running_peer(Path(str(shutil.which("false"))), FTS5, files, default_embedder()) as process,
        pytest.raises(PeerFailed, match="ended with 1: no reason given"),
    ):
        process.call("open", now=None)


def test_a_process_answers_with_the_error_of_its_store(files):
    with running_peer(Path(sys.executable), FTS5, files, default_embedder()) as process:
        with pytest.raises(PeerFailed, match="AttributeError"):
            process.call("ids")
        process.call("open", now=None)
        assert process.call("ids") == {"ids": []}


def test_a_driver_asks_for_vectors_that_it_was_not_given(driver, files):
    asked = []

    def ask(texts):
        asked.extend(texts)
        return [[1.0, 2.0] for _ in texts]

    table = driver.VectorTable(str(files.vectors), ask)
    known = default_embedder().embed(["an oboe"])[0].tolist()
    assert table(["an oboe", "a heron"]) == [known, [1.0, 2.0]]
    assert table(["a heron"]) == [[1.0, 2.0]]
    assert asked == ["a heron"]


@pytest.mark.parametrize(
    ("event", "arguments"),
    [("socket.connect", (None, ("93.184.216.34", 443))), ("socket.getaddrinfo", ("example.org", 443))],
)
def test_a_driver_refuses_connections_to_other_hosts(driver, event, arguments):
    with pytest.raises(PermissionError, match="may not connect"):
        driver.refuse_network(event, arguments)
    driver.refuse_network("socket.connect", (None, ("127.0.0.1", 80)))
    driver.refuse_network("open", arguments)


def test_lost_adds_are_counted_apart_from_errors():
    outcome = WriteOutcome(adds=400, errors=2, lost=3, first_error="Locked")
    assert outcome.failed == 5
    assert outcome.remark == "of 400 adds, 2 raised an error and 3 were lost without one; first error: Locked"


def test_a_group_of_bars_can_have_a_scale_of_its_own():
    rows = {"small": {"a": 0.5, "b": 0.25}, "large": {"a": 200.0, "b": 400.0}, "zero": {"a": 0.0}}
    bars = ET.fromstring(grouped_bar_chart(Caption("t", "n"), rows, own_scales=True)).findall("{*}rect")[1:]
    widths = [float(bar.get("width")) for bar in bars]
    assert widths[0] == widths[3] == max(widths)
    assert widths[1] == widths[2] == pytest.approx(widths[0] / 2, abs=0.1)
    assert widths[4] == 1.0


@pytest.mark.parametrize("names", ["", "chroma,other", "Chroma"])
def test_an_unknown_peer_is_rejected(names):
    with pytest.raises(InvalidInput, match="--only takes names of mem0, langgraph, chroma, mempalace, fts5"):
        selected_peers(names)
