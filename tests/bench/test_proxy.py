"""Tests that the benchmark of the proxy runs and reports its figures; the tests do not check the speed."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from contextlib import closing
from pathlib import Path

import pytest
from tests.serving import serving
from typer.testing import CliRunner

from aforesaid import Memory
from aforesaid.bench.proxy import ChatClient, ProxyBenchOptions, fill_store, measure
from aforesaid.bench.scripted_upstream import scripted_upstream
from aforesaid.cli.app import app
from aforesaid.proxy.upstream import UpstreamOptions
from aforesaid.server.app import AppOptions, make_app


def quiet(done: int, total: int) -> None: ...


@pytest.mark.req("X14")
def test_the_benchmark_writes_json_and_svg_with_all_figures(tmp_path: Path):
    command = ["bench", "proxy", "--messages", "20", "--turns", "2", "--turns-each", "1"]
    done = CliRunner().invoke(app, [*command, "--out", str(tmp_path), "--json"])
    assert done.exit_code == 0, done.stderr
    report = json.loads(done.stdout)
    written = json.loads((tmp_path / "proxy.json").read_text("utf-8"))["report"]
    assert [one["turns"] for one in written["figures"]] == [one["turns"] for one in report["figures"]]
    assert [(one["measure"], one["turns"]) for one in report["figures"]] == [
        ("whole answer", 1), ("stream, first byte", 1), ("stream, whole", 1)
    ]  # fmt: skip
    for figure in report["figures"]:
        assert set(figure["milliseconds"]) == {"direct", "off", "memory"}
        assert set(figure["added"]) == {"off", "memory"}
        assert figure["kept"] == (figure["added"]["memory"]["p50"] <= report["limit"])
    assert ET.parse(tmp_path / "proxy.svg").getroot().tag.endswith("svg")


def test_only_the_route_with_memory_stores_and_recalls(tmp_path: Path):
    fill_store(tmp_path / "proxy.db", 20)
    with scripted_upstream() as upstream, Memory(tmp_path / "proxy.db", worker=False, environment={}) as memory:
        options = AppOptions(upstream=UpstreamOptions(url=upstream, patience=60.0))
        with serving(make_app(memory, options)) as server:
            url, space = f"{server}/v1", {"X-Aforesaid-Space": "bench"}
            with (
                closing(ChatClient(upstream, {})) as direct,
                closing(ChatClient(url, space | {"X-Aforesaid-Memory": "off"})) as off,
                closing(ChatClient(url, space)) as on,
            ):
                clients = {"direct": direct, "off": off, "memory": on}
                measure(clients, ProxyBenchOptions(20, turns=4, turns_each=2), quiet)
        bench = memory.space("bench")
        stored = [len(bench.conversation(chat.id).messages(100)) for chat in bench.conversations()]
        assert sorted(stored) == [4, 4, 4, 4, 20]  # two warm-up conversations, two that count, and the one from before
        assert len([receipt for receipt in bench.receipts() if receipt.items]) == 8


def test_a_benchmark_without_time_sends_nothing():
    assert list(measure({}, ProxyBenchOptions(seconds=-1.0), quiet).figures()) == []
