"""Measurements on the user's own machine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli.options import AsJson
from recollect.cli.output import note, output, table

if TYPE_CHECKING:
    from recollect.bench.report import Report
    from recollect.bench.retrieval import Scores

app = typer.Typer(
    help="Measure recollect on this machine.\n\nExample: recollect bench latency --out bench-out",
    no_args_is_help=True,
)


@app.callback()
def bench() -> None:
    """Figures are ratios to a baseline of the same run."""


@app.command()
def latency(
    out: Annotated[Path | None, typer.Option(help="A folder for the figures (JSON) and the picture (SVG).")] = None,
    messages: Annotated[int, typer.Option(min=1000, help="Messages in the large file.")] = 1_000_000,
    as_json: AsJson = False,
) -> None:
    """Adding, finding by words, and the size of the file, against SQLite used by hand.

    A million messages take some minutes to fill in.

    Example: recollect bench latency --messages 100000 --out bench-out
    """
    from recollect.bench.latency import run
    from recollect.cli.progress import progress

    with progress("measuring") as tick:
        report = run(messages, tick)
    for path in report.write(out, "latency") if out else ():
        note(f"written: {path}")
    if as_json:
        typer.echo(report.to_json())
    else:
        show(report)


File = Annotated[Path, typer.Argument(metavar="PATH", help="Your copy of the benchmark's file.", show_default=False)]
Plot = Annotated[Path | None, typer.Option("--plot", metavar="FILE", help="Draw the result into this SVG file.")]


@app.command()
def locomo(path: File, plot: Plot = None, as_json: AsJson = False) -> None:
    """Evidence found in LoCoMo's long dialogues, against plain FTS5, dense search and their rank fusion.

    Example: recollect bench locomo locomo10.json --plot locomo.svg
    """
    from recollect.bench.locomo import run
    from recollect.cli.progress import progress

    with progress("dialogues") as tick:
        scores = run(path, tick)
    show_scores(scores, plot, as_json)


@app.command()
def longmemeval(
    path: File,
    limit: Annotated[
        int | None, typer.Option("--limit", metavar="N", min=1, help="Only the first N questions.")
    ] = None,
    plot: Plot = None,
    as_json: AsJson = False,
) -> None:
    """Evidence found in LongMemEval's haystacks, against plain FTS5, dense search and their rank fusion.

    Example: recollect bench longmemeval longmemeval_s.json --limit 50
    """
    from recollect.bench.longmemeval import run
    from recollect.cli.progress import progress

    with progress("questions") as tick:
        scores = run(path, limit, tick)
    show_scores(scores, plot, as_json)


def show_scores(scores: Scores, plot: Path | None, as_json: bool) -> None:
    if plot is not None:
        note(f"written: {scores.plot(plot)}")
    if as_json:
        typer.echo(scores.to_json())
        return
    for kind, count in scores.questions.items():
        names = list(next(iter(scores.values.values()))[kind])
        rows = [(name, *(f"{kinds[kind][one]:.3f}" for one in names)) for name, kinds in scores.values.items()]
        output().print(table((f"{kind}, {count} questions", *names), rows, right=names))


def show(report: Report) -> None:
    rows = [
        (
            figure.name,
            f"{figure.value:,.3g} {figure.unit}",
            f"{figure.baseline:,.3g} {figure.unit} ({figure.baseline_name})",
            f"{figure.ratio:.2f}",
            "" if figure.most is None else f"≤ {figure.most:g} {'kept' if figure.kept else 'MISSED'}",
        )
        for figure in report.figures
    ]
    output().print(table(("figure", "recollect", "baseline", "ratio", "promise"), rows))
