"""Measurements on the user's own machine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli.options import AsJson
from recollect.cli.output import note, output, table

if TYPE_CHECKING:
    from recollect.bench.report import Report

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
