"""Measurements on the user's own machine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli.extras import need
from recollect.cli.options import AsJson
from recollect.cli.output import note, output, table
from recollect.errors import InvalidInput

if TYPE_CHECKING:
    from recollect.bench.episodes import EpisodesReport
    from recollect.bench.extract import ExtractReport
    from recollect.bench.load import LoadReport
    from recollect.bench.prefix import PrefixReport
    from recollect.bench.report import Report
    from recollect.bench.retrieval import Scores
    from recollect.bench.scale import Sizes

SIZES = "1000,10000,100000"

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
    sizes: Annotated[str, typer.Option(metavar="N,N,…", help="Messages in the spaces that are searched.")] = SIZES,
    as_json: AsJson = False,
) -> None:
    """Adding, finding, contexts, and the size of the file, against SQLite and numpy used by hand.

    A million messages take some minutes to fill in. `recall` and `context` are measured stage by stage.

    Example: recollect bench latency --messages 100000 --out bench-out
    """
    from recollect.bench.latency import run
    from recollect.cli.progress import progress

    with progress("measuring") as tick:
        report = run(messages, _sizes(sizes), tick)
    for path in report.write(out, "latency") if out else ():
        note(f"written: {path}")
    if as_json:
        typer.echo(report.to_json())
    else:
        show(report)


def _sizes(text: str) -> list[int]:
    try:
        found = [int(one) for one in text.split(",")]
    except ValueError as exc:
        raise InvalidInput(f"--sizes takes numbers such as {SIZES}, not {text!r}") from exc
    if min(found) < 1:
        raise InvalidInput(f"--sizes takes numbers from 1, not {text!r}")
    return found


File = Annotated[Path, typer.Argument(metavar="PATH", help="Your copy of the benchmark's file.", show_default=False)]
Plot = Annotated[Path | None, typer.Option("--plot", metavar="FILE", help="Draw the result into this SVG file.")]


Server = Annotated[
    str, typer.Option("--store", metavar="ADDRESS", help="Measure in schemas of its own in this database.")
]


@app.command()
def locomo(path: File, plot: Plot = None, store: Server = ":memory:", as_json: AsJson = False) -> None:
    """Evidence found in LoCoMo's long dialogues, against plain FTS5, dense search and their rank fusion.

    Example: recollect bench locomo locomo10.json --plot locomo.svg
    """
    from recollect.bench.locomo import run
    from recollect.cli.progress import progress

    with progress("dialogues") as tick:
        scores = run(path, tick, store)
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


@app.command()
def prefix(
    path: File,
    turns: Annotated[int, typer.Option(metavar="N", min=2, help="Turns of each dialogue at most.")] = 200,
    max_tokens: Annotated[int, typer.Option("--max-tokens", metavar="N", min=500, help="Tokens of a prompt.")] = 8000,
    plot: Plot = None,
    as_json: AsJson = False,
) -> None:
    """How much of each prompt stays the same from turn to turn, so that a provider's cache serves it.

    LoCoMo's dialogues, turn by turn, against a sliding window and the full history.

    Example: recollect bench prefix locomo10.json --turns 200 --plot prefix.svg
    """
    from recollect.bench.prefix import Limits, run
    from recollect.cli.progress import progress

    with progress("dialogues") as tick:
        report = run(path, Limits(turns, max_tokens), tick)
    if plot is not None:
        note(f"written: {report.plot(plot)}")
    if as_json:
        typer.echo(report.to_json())
    else:
        show_prefix(report)


@app.command()
def load(
    clients: Annotated[str, typer.Option(metavar="N,N,…", help="How many ask at once; of a file.")] = "1,8,32",
    messages: Annotated[int, typer.Option(min=32, help="Messages in the space that is asked.")] = 10_000,
    seconds: Annotated[float, typer.Option(min=0.1, help="How long each call is measured.")] = 5.0,
    *,
    store: Annotated[
        str | None, typer.Option("--store", metavar="ADDRESS", help="Measure a server: postgresql://…")
    ] = None,
    processes: Annotated[int, typer.Option(min=2, metavar="N", help="Server processes against one; of a server.")] = 4,
    whole: Annotated[int, typer.Option(min=100, help="Messages in the large table; of a server.")] = 1_000_000,
    out: Annotated[Path | None, typer.Option(help="A folder for the figures (JSON) and the picture (SVG).")] = None,
    as_json: AsJson = False,
) -> None:
    """Requests a second and milliseconds of add, recall and context over HTTP, beside the same calls in-process.

    With --store, what PostgreSQL and several processes give: adding against psycopg by hand, contexts of several
    processes against one, recall in a large table against a small one. In schemas of its own, which are dropped.

    Example: recollect bench load --clients 1,8,32 --out bench-out
    """
    from recollect.cli.progress import progress

    need("server")
    if store is not None:
        from recollect.bench.scale import Sizes

        _load_server(store, Sizes(messages, whole, seconds, processes), out, as_json)
        return
    from recollect.bench.load import run

    with progress("measuring") as tick:
        report = run(_sizes(clients), messages, seconds, tick)
    for path in report.write(out) if out else ():
        note(f"written: {path}")
    if as_json:
        typer.echo(report.to_json())
    else:
        show_load(report)


def _load_server(store: str, sizes: Sizes, out: Path | None, as_json: bool) -> None:
    from recollect.bench.scale import run
    from recollect.cli.progress import progress

    with progress("measuring") as tick:
        report = run(store, sizes, tick)
    for path in report.write(out, "load-postgres") if out else ():
        note(f"written: {path}")
    if as_json:
        typer.echo(report.to_json())
    else:
        show(report)


def show_load(report: LoadReport) -> None:
    columns = ("clients", "a second", "p50 ms", "p95 ms", "p99 ms", "in-process", "p50", "share")
    rows = [
        (
            load.call,
            str(load.clients),
            f"{load.http.per_second:.0f}",
            *(f"{getattr(load.http.milliseconds, name):.1f}" for name in ("p50", "p95", "p99")),
            f"{load.direct.per_second:.0f}",
            f"{load.direct.milliseconds.p50:.1f}",
            f"{load.ratio:.2f}",
        )
        for load in report.loads
    ]
    output().print(table(("call", *columns), rows, right=columns))


@app.command()
def extract(
    locomo: Annotated[
        Path | None, typer.Option("--locomo", metavar="PATH", help="Count claims on LoCoMo's user turns too.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="A folder for the figures (JSON) and the picture (SVG).")] = None,
    as_json: AsJson = False,
) -> None:
    """Claims found by patterns in a fixed set of utterances: how many are right, how many are found.

    Half of the utterances claim nothing. The patterns were tuned on the development half; held-out and fresh tell.

    Example: recollect bench extract --out bench-out
    """
    from recollect.bench.extract import run

    report = run(locomo)
    for path in report.write(out) if out else ():
        note(f"written: {path}")
    if as_json:
        typer.echo(report.to_json())
    else:
        show_extract(report)


def show_extract(report: ExtractReport) -> None:
    columns = ("wanted", "found", "right", "precision", "recall", "F1")
    for title, tallies in (("set", report.parts), ("kind", report.kinds), ("language", report.languages)):
        rows = [
            (
                name,
                *map(str, (tally.wanted, tally.found, tally.right)),
                *("" if value is None else f"{value:.3f}" for value in (tally.precision, tally.recall, tally.f1)),
            )
            for name, tally in tallies.items()
        ]
        output().print(table((title, *columns), rows, right=columns))
    for name, junk in report.junk.items():
        output().print(f"{name}: {junk.claims} claims on {junk.messages} utterances that claim nothing")
    if report.dialogues is not None:
        output().print(f"LoCoMo: {report.dialogues.claims} claims on {report.dialogues.messages} turns of users")
    output().print(f"precision at least 0.9: {'kept' if report.kept else 'MISSED'}")


@app.command()
def episodes(as_json: AsJson = False) -> None:
    """Episodes found by patterns in a fixed set of stretches of talk: how many are right, how many are found.

    Half of the stretches have none. The patterns were tuned on the development part; held-out and fresh tell.

    Example: recollect bench episodes
    """
    from recollect.bench.episodes import run

    report = run()
    if as_json:
        typer.echo(report.to_json())
    else:
        show_episodes(report)


def show_episodes(report: EpisodesReport) -> None:
    columns = ("stretches", "wanted", "found", "right", "junk", "precision", "recall")
    for title, tallies in (("set", report.parts), ("language", report.languages)):
        rows = [
            (
                name,
                *map(str, (tally.stretches, tally.wanted, tally.found, tally.right, tally.junk)),
                *("" if value is None else f"{value:.2f}" for value in (tally.precision, tally.recall)),
            )
            for name, tally in tallies.items()
        ]
        output().print(table((title, *columns), rows, right=columns))
    output().print(f"precision at least 0.85: {'kept' if report.kept else 'MISSED'}")


def show_prefix(report: PrefixReport) -> None:
    output().print(f"{report.turns} turns, {report.questions} questions, {report.max_tokens} tokens")
    columns = ("prefix", "tokens", "paid", "cost", "evidence")
    rows = [
        (
            name,
            f"{row.prefix:.3f}",
            f"{row.tokens:,.0f}",
            f"{row.paid:,.0f}",
            f"{row.cost:.3f}",
            "" if row.evidence is None else f"{row.evidence:.3f}",
        )
        for name, row in report.rows.items()
    ]
    output().print(table(("a turn of", *columns), rows, right=columns))


def show_scores(scores: Scores, plot: Path | None, as_json: bool) -> None:
    if plot is not None:
        note(f"written: {scores.plot(plot)}")
    if as_json:
        typer.echo(scores.to_json())
        return
    systems = list(scores.values)
    for kind, count in scores.questions.items():
        rows = [
            (metric, *(f"{scores.values[name][kind][metric]:.3f}" for name in systems)) for metric in scores.metrics
        ]
        output().print(f"{kind}, {count} questions")
        output().print(table(("measure", *systems), rows, right=systems))


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
    for one in report.busy:
        output().print(one.said)
    columns = ("p50", "p95", "p99")
    stages = [
        (f"{one.messages:,}", one.call, one.name, *(f"{getattr(one.milliseconds, name):.2f}" for name in columns))
        for one in report.stages
    ]
    if stages:
        output().print(table(("messages", "call", "stage, ms", *columns), stages, right=("messages", *columns)))
