"""Results of benchmarks in files: a JSON file, and pictures beside it that can be drawn from it again."""

from __future__ import annotations

import json
import os
import platform
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from pydantic import TypeAdapter, ValidationError

from aforesaid.bench.distill import DistillReport
from aforesaid.bench.episodes import EpisodesReport
from aforesaid.bench.extract import ExtractReport
from aforesaid.bench.foreign import ForeignReport
from aforesaid.bench.load import LoadReport
from aforesaid.bench.peers import PeersReport
from aforesaid.bench.prefix import PrefixReport
from aforesaid.bench.proxy import ProxyReport
from aforesaid.bench.report import BenchReport
from aforesaid.bench.retrieval import RetrievalScores
from aforesaid.bench.suite import SuiteScores
from aforesaid.errors import InvalidInput
from aforesaid.models.json import Json
from aforesaid.settings import SETTING_DEFINITIONS


class Report(Protocol):
    """`pictures` are SVG texts by the end of their name; `source` is written below each."""

    def to_json(self) -> str: ...

    def pictures(self, source: str) -> Mapping[str, str]: ...


REPORTS: Mapping[str, type[Report]] = {
    "all": SuiteScores,
    "own": RetrievalScores,
    "locomo": RetrievalScores,
    "longmemeval": RetrievalScores,
    "beam": RetrievalScores,
    "distill": DistillReport,
    "episodes": EpisodesReport,
    "extract": ExtractReport,
    "foreign": ForeignReport,
    "latency": BenchReport,
    "load": LoadReport,
    "load --store": BenchReport,
    "peers": PeersReport,
    "prefix": PrefixReport,
    "proxy": ProxyReport,
}
DIGITS = 5  # of a number in a file
INNERMOST = re.compile(r"\{[^{}\[\]]*\}|\[[^{}\[\]]*\]")
CPU_MODEL = re.compile(r"^model name\s*: (.+)$", re.MULTILINE)


def write_result(folder: Path, bench: str, report: Report) -> list[Path]:
    """Writes the report of `aforesaid bench BENCH` with the date and the machine, and draws its pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{bench.replace(' --', '-')}.json"
    result = {"bench": bench, "settings": settings(), "made": f"{datetime.now(UTC):%Y-%m-%d}", "machine": machine()}
    path.write_text(_compact(result | {"report": _rounded(json.loads(report.to_json()))}), "utf-8")
    return [path, *draw(path)]


def draw(path: Path) -> list[Path]:
    """Draws the pictures of a result beside it. The same file always gives the same bytes."""
    report, source = read_result(path)
    drawn = {path.with_name(f"{path.stem}{end}.svg"): picture for end, picture in report.pictures(source).items()}
    for file, picture in drawn.items():
        file.write_text(picture, "utf-8", newline="\n")
    return list(drawn)


def read_result(path: Path) -> tuple[Report, str]:
    """The report in a result, and a line with its command, date and machine. Raises InvalidInput."""
    try:
        data = json.loads(path.read_text("utf-8"))
        report = TypeAdapter(REPORTS[data["bench"]]).validate_python(data["report"])
        command = " ".join([*data["settings"], "aforesaid bench", data["bench"]])
        return report, f"{command} · {data['made']} · {data['machine']}"
    except (OSError, ValueError, KeyError, TypeError, ValidationError) as exc:
        raise InvalidInput(f"{path} is not a result of aforesaid bench: {exc}") from exc


def settings() -> list[str]:
    """The settings that the environment changes, such as `AFORESAID_EMBEDDER=minilm`. No addresses."""
    names = [*(definition.variable for definition in SETTING_DEFINITIONS), "AFORESAID_EMBEDDER"]
    return [f"{name}={os.environ[name]}" for name in names if "//" not in os.environ.get(name, "//")]


def machine() -> str:
    """The processor and the number of its cores."""
    try:
        model = CPU_MODEL.search(Path("/proc/cpuinfo").read_text("utf-8"))
    except OSError:
        model = None
    return f"{model[1] if model else platform.machine()}, {os.cpu_count()} cores"


def _rounded(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_rounded(item) for item in value]
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value


def _compact(value: Json) -> str:
    """JSON with one line for each innermost list or object."""
    text = json.dumps(value, indent=1, ensure_ascii=False)
    return INNERMOST.sub(lambda found: re.sub(r"\s*\n\s*", " ", found[0]), text) + "\n"
