"""Tests that the pictures and the tables of the documentation are those of the results in docs/pictures.

After a new result, `python -m tests.bench.test_pictures` prints the tables."""

from __future__ import annotations

import re
import shutil
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest
from typer.testing import CliRunner

from aforesaid.bench.charts import STYLE
from aforesaid.bench.results import draw, read_result
from aforesaid.cli.app import app

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "docs" / "pictures"
RESULTS = sorted(PICTURES.glob("*.json"))
BENCHMARKS = "docs/benchmarks.md"
SYSTEMS = ("aforesaid", "plain FTS5 BM25", "dense alone", "rank fusion")
NAMES = ("aforesaid", "FTS5 BM25", "dense", "rank fusion of both")
ALL = "all"
FEWEST = 10  # questions of a kind that is shown alone


@cache
def result(name: str):
    return read_result(PICTURES / f"{name}.json")[0]


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(line)} |".replace("|  |", "| |") for line in (head, *rows)]
    return "\n".join([lines[0], f"|{'---|' * len(head)}", *lines[1:], ""])


def best_in_bold(values: Sequence[float]) -> list[str]:
    texts = [f"{value:.2f}" for value in values]
    return [f"**{text}**" if text == max(texts) else text for text in texts]


def scores(title: str):
    return next(one for one in result("all").scores if one.title == title)


def first_ten(title: str) -> str:
    return next(metric for metric in ("recall@10", "message recall@10") if metric in scores(title).metrics)


def quality_row(label: str, title: str, metric: str) -> list[str]:
    values = scores(title).values(metric)
    return [label, *best_in_bold([values[system] for system in SYSTEMS])]


def readme_table() -> str:
    return table(
        ("measure", *NAMES),
        [
            quality_row("LoCoMo, the evidence among the first ten", "LoCoMo", "recall@10"),
            quality_row("LoCoMo, the evidence in a context of 1,000 tokens", "LoCoMo", "evidence@1000"),
            quality_row("LongMemEval, the evidence among the first ten", "LongMemEval", "message recall@10"),
            quality_row("BEAM, the evidence in a context of 1,000 tokens", "BEAM", "evidence@1000"),
        ],
    )


def quality_table() -> str:
    rows = []
    for one in result("all").scores:
        metrics = {"the first ten": first_ten(one.title)} | {
            f"{tokens:,} tokens": f"evidence@{tokens}" for tokens in (500, 1000, 4000)
        }
        rows += [quality_row(f"{one.name}: {name}", one.title, metric) for name, metric in metrics.items()]
    return table(("the evidence in", *NAMES), rows)


def losses_table() -> str:
    """The measures, and the kinds of questions, for which a baseline is better."""
    rows = []
    for one in result("all").scores:
        for kind, questions in one.questions.items():
            for metric in one.metrics if kind == ALL else (first_ten(one.title), "evidence@1000"):
                values = [one.scores[system][kind][metric] for system in SYSTEMS]
                if questions >= FEWEST and values[0] < max(values[1:]):
                    rows.append(
                        [f"{one.title}, {kind.replace('_', ' ')}, {questions}: {metric}", *best_in_bold(values)]
                    )
    return table(("measure", *NAMES), rows)


def prefix_table() -> str:
    rows = [
        [
            *(name, f"{row.prefix:.2f}", f"{row.tokens:,.0f}", f"{row.paid:,.0f}"),
            *(f"{row.cost:.2f}", f"{row.evidence:.2f}"),
        ]
        for name, row in result("prefix").rows.items()
    ]
    return table(("a turn of", "prefix", "tokens", "paid", "cost", "evidence"), rows)


def foreign_table() -> str:
    rows = [
        [
            *(row.data, f"{row.own:,}", f"{row.foreign:,}", f"{row.context_kept:.2f}", f"{row.context_silent:.2f}"),
            *(f"{row.hook_kept:.2f}", f"{row.hook_silent:.2f}", f"{row.items:.1f}"),
        ]
        for row in result("foreign").rows
    ]
    head = ("data", "own", "foreign", "context: kept", "silent", "hook: kept", "silent", "items")
    return table(head, rows)


def records_table() -> str:
    rows = [
        [
            *(
                f"{row.data}, {row.kind}",
                f"{row.per_100:.1f}",
                f"{row.most:.2f}",
                f"{row.all:.2f}",
                f"{row.sourced:.2f}",
            ),
            *(f"{row.contexts[1000]:.2f}", f"{row.tokens[1000]:.0f}"),
        ]
        for row in result("distill").rows
    ]
    return table(("records", "a 100", "most", "all", "source", "in 1,000", "tokens"), rows)


def effects_table() -> str:
    rows = [
        [
            f"{effect.data}, {effect.questions:,} questions",
            *(f"{with_:.3f} / {without:.3f}" for with_, without in effect.evidence.values()),
            *(f"**{one.portrait:.2f}** / {one.recent:.2f}" for one in effect.portraits.values()),
        ]
        for effect in result("distill").effects
    ]
    budgets = [f"evidence in {tokens:,}" for tokens in result("distill").effects[0].evidence]
    portraits = [f"portrait of {tokens:,}" for tokens in result("distill").effects[0].portraits]
    return table(("data", *budgets, *portraits), rows)


def claims_table() -> str:
    report = result("extract")
    rows = [
        [f"utterances, {name}", f"{one.found}", f"{one.precision:.3f}", f"{one.recall:.3f}", ""]
        for name, one in report.parts.items()
    ]
    rows += [
        [f"{name}, {one.messages:,} messages", f"{one.found}", f"{one.precision:.3f}", "", f"{one.usefulness:.2f}"]
        for name, one in report.real.items()
    ]
    return table(("claims", "found", "precision", "recall", "useful"), rows)


def episodes_table() -> str:
    report = result("episodes")
    rows = [
        [f"dialogues, {name}", f"{one.found}", f"{one.precision:.2f}", f"{one.recall:.2f}", ""]
        for name, one in report.parts.items()
    ]
    rows += [
        [f"{name}, {one.users:,} messages", f"{one.found}", f"{one.right} of {one.judged}", "", f"{one.useful}"]
        for name, one in report.real.items()
    ]
    return table(("episodes and pins", "found", "right", "recall", "useful"), rows)


def latency_table() -> str:
    rows = [
        [figure.name, figure.baseline_name, f"{figure.ratio:.2f}", promise(figure)]
        for figure in result("latency").figures
    ]
    return table(("figure", "against", "ratio", "promise"), rows)


def promise(figure) -> str:
    return "" if figure.most is None else f"{figure.most:g}, {'kept' if figure.kept else '**missed**'}"


def peers_table() -> str:
    rows = []
    for one in result("peers").results:
        figures = one.figures
        name = " ".join([one.name, *(each.partition("==")[2] for each in one.requirements[:1])])
        rows.append(
            [
                name,
                f"{figures.recall:.2f}",
                f"{figures.add_milliseconds / ours().add_milliseconds:.2f}",
                f"{figures.search_milliseconds / ours().search_milliseconds:.2f}",
                f"{figures.disk_bytes / ours().disk_bytes:.2f}",
                f"{figures.threads.failed} of {figures.threads.adds}",
                f"{figures.processes.failed} of {figures.processes.adds}",
            ]
            if figures
            else [name, "failed", "", "", "", "", ""]
        )
    return table(("store", "recall@10", "add", "search", "disk", "8 threads", "4 processes"), rows)


def ours():
    return result("peers").results[0].figures


SINGLE_TABLES = {"README.md": readme_table, "docs/comparison.md": peers_table}


def tables(page: str) -> Iterator[str]:
    if page in SINGLE_TABLES:
        yield SINGLE_TABLES[page]()
        return
    of_result = {
        "all": (quality_table, losses_table), "prefix": (prefix_table,), "foreign": (foreign_table,),
        "distill": (records_table, effects_table), "extract": (claims_table,), "episodes": (episodes_table,),
        "latency": (latency_table,), "peers": (peers_table,),
    }  # fmt: skip
    for path in RESULTS:
        yield from (make() for make in of_result[path.stem])


@pytest.mark.req("X32")
@pytest.mark.parametrize("path", RESULTS, ids=lambda path: path.stem)
def test_the_pictures_are_drawn_from_the_result(path, tmp_path):
    drawn = draw(Path(shutil.copy(path, tmp_path)))
    assert drawn
    for picture in drawn:
        assert picture.read_bytes() == (PICTURES / picture.name).read_bytes(), f"aforesaid bench draw {path}"


def test_every_chart_of_the_documentation_is_shown_and_has_a_result(tmp_path):
    drawn = {picture.name for path in RESULTS for picture in draw(Path(shutil.copy(path, tmp_path)))}
    page = (ROOT / BENCHMARKS).read_text("utf-8")
    assert drawn == {path.name for path in PICTURES.glob("*.svg")}
    assert drawn == set(re.findall(r"\(pictures/([^)]+\.svg)\)", page))


@pytest.mark.req("X32")
@pytest.mark.parametrize("page", [*SINGLE_TABLES, BENCHMARKS])
def test_every_table_has_the_figures_of_the_results(page):
    text = (ROOT / page).read_text("utf-8")
    missing = [table for table in tables(page) if table not in text]
    assert not missing, "".join(missing)


def test_no_table_of_the_benchmarks_is_written_by_hand():
    rows = set(re.findall(r"^\|.*\n", (ROOT / BENCHMARKS).read_text("utf-8"), re.MULTILINE))
    assert rows == {line for table in tables(BENCHMARKS) for line in table.splitlines(keepends=True)}


def test_the_readme_states_the_prefix_of_the_result():
    report = result("prefix")
    stated = f"At {report.max_tokens:,} tokens, {100 * report.rows['aforesaid'].prefix:.0f} % of a context repeats"
    assert stated in " ".join((ROOT / "README.md").read_text("utf-8").split())


@pytest.mark.parametrize("path", RESULTS, ids=lambda path: path.stem)
def test_a_picture_names_its_command_its_date_and_its_machine(path):
    _, source = read_result(path)
    assert re.fullmatch(r"(?:AFORESAID_\w+=\S+ )*aforesaid bench .+ · \d{4}-\d\d-\d\d · .+, \d+ cores", source)
    texts = [text.text for text in ET.parse(path.with_suffix(".svg")).getroot().findall("{*}text")]
    assert source in texts


def test_a_picture_needs_nothing_from_elsewhere():
    for path in PICTURES.glob("*.svg"):
        text = path.read_text("utf-8").replace('xmlns="http://www.w3.org/2000/svg"', "")
        assert not re.search(r"https?:|<script|<image|href|@import|url\(", text), path.name


def luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(digit * 2 for digit in colour[1:])
    parts = (int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def colours(style: str) -> dict[str, str]:
    rules = re.findall(r"([\w.,]+)\{([^{}]+)\}", style)
    return {
        name: found[1]
        for names, rule in rules
        for name in names.split(",")
        if (found := re.search(r"(?:fill|stroke):(#\w+)", rule))
    }


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_colours_have_enough_contrast(theme):
    light, dark = STYLE.split("@media (prefers-color-scheme:dark)")
    used = colours(light if theme == "light" else dark)
    paper = luminance(used[".card"])
    for name in ("text", ".note", ".ours", ".other", ".missed", ".mark", ".line0", ".line1", ".line2", ".line3"):
        darker, lighter = sorted((luminance(used[name]), paper))
        assert (lighter + 0.05) / (darker + 0.05) >= (4.5 if name in ("text", ".note") else 3.0), name


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"bench": "all"}', '{"bench": "other", "report": {}}'])
def test_an_invalid_result_is_rejected(tmp_path, content):
    path = tmp_path / "result.json"
    path.write_text(content, "utf-8")
    done = CliRunner().invoke(app, ["bench", "draw", str(path)])
    assert (done.exit_code, "result.json" in done.stderr.replace("\n", "")) == (2, True)


if __name__ == "__main__":
    for page in (*SINGLE_TABLES, BENCHMARKS):
        print(page, *tables(page), sep="\n\n")
