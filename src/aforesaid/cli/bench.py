"""The `bench` commands, which measure on your machine, and `tune`, which finds the recall weights that rank best."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from aforesaid.cli.options import STORE, AsJson, Store
from aforesaid.cli.output import Table, note, print_json, progress, show
from aforesaid.cli.serve import require_extra
from aforesaid.cli.store import open_existing
from aforesaid.errors import InvalidInput
from aforesaid.settings import definition

if TYPE_CHECKING:
    from aforesaid.bench.distill import DistillEffect, DistillReport
    from aforesaid.bench.episodes import EpisodesReport
    from aforesaid.bench.extract import ExtractReport
    from aforesaid.bench.foreign import ForeignReport
    from aforesaid.bench.labels import LabelSet
    from aforesaid.bench.load import LoadReport
    from aforesaid.bench.peers import PeersReport
    from aforesaid.bench.prefix import PrefixReport
    from aforesaid.bench.proxy import ProxyReport
    from aforesaid.bench.refit import RefitResult
    from aforesaid.bench.report import BenchReport
    from aforesaid.bench.results import Report
    from aforesaid.bench.retrieval import RetrievalScores
    from aforesaid.bench.suite import SuiteScores
    from aforesaid.bench.tune import TuneResult

DEFAULT_SIZES = "1000,10000,100000"
PERCENTILES = ("p50", "p95", "p99")
ROUTE_NAMES = {"direct": "direct", "off": "memory off", "memory": "memory"}
TUNE_COLUMNS = ("nDCG@5", "dense α", "words β", "ident γ")

File = Annotated[Path, typer.Argument(metavar="PATH", help="Your copy of the benchmark's file.", show_default=False)]
Limit = Annotated[
    int | None, typer.Option("--limit", metavar="N", min=1, help="Only the first N dialogues of each benchmark.")
]
Out = Annotated[Path | None, typer.Option(metavar="DIR", help="A folder for the result (JSON) and its pictures (SVG).")]
Trec = Annotated[
    Path | None, typer.Option("--trec", metavar="DIR", help="A folder for the rankings, in the format of trec_eval.")
]
Server = Annotated[
    str, typer.Option("--store", metavar="ADDRESS", help="Measure in schemas of its own in this database.")
]

app = typer.Typer(
    help="Measure aforesaid on this machine.\n\nExample: aforesaid bench latency --out bench-out", no_args_is_help=True
)

R = TypeVar("R", bound="Report")


def _report(bench: str, report: R, out: Path | None, as_json: bool, print_tables: Callable[[R], None]) -> None:
    """Writes the result into the folder `out` if there is one, and prints the report as JSON or as tables."""
    if out is not None:
        from aforesaid.bench.results import write_result

        _name_files(write_result(out, bench, report))
    if as_json:
        typer.echo(report.to_json())
    else:
        print_tables(report)


def _name_files(paths: Sequence[Path]) -> None:
    for path in paths:
        note(f"written: {path}")


@app.callback()
def bench() -> None:
    """Figures are ratios to a baseline of the same run."""


@app.command()
def latency(
    out: Out = None,
    messages: Annotated[int, typer.Option(min=1000, help="Messages in the large file.")] = 1_000_000,
    sizes: Annotated[
        str, typer.Option(metavar="N,N,…", help="Messages in the spaces that are searched.")
    ] = DEFAULT_SIZES,
    as_json: AsJson = False,
) -> None:
    """Adding, searching, contexts, and the size of the file, against SQLite and numpy used by hand.

    A million messages take some minutes to store. `recall` and `context` are measured stage by stage.

    Example: aforesaid bench latency --messages 100000 --out bench-out
    """
    from aforesaid.bench.latency import run

    with progress("measuring") as tick:
        report = run(messages, _sizes(sizes), tick)
    _report("latency", report, out, as_json, show_figures)


def _sizes(text: str) -> list[int]:
    try:
        sizes = [int(size) for size in text.split(",")]
    except ValueError as exc:
        raise InvalidInput(f"--sizes takes numbers such as {DEFAULT_SIZES}, not {text!r}") from exc
    if min(sizes) < 1:
        raise InvalidInput(f"--sizes takes numbers from 1, not {text!r}")
    return sizes


@app.command()
def locomo(path: File, out: Out = None, trec: Trec = None, store: Server = ":memory:", as_json: AsJson = False) -> None:
    """Evidence found in LoCoMo's long dialogues, against plain FTS5, dense search and their rank fusion.

    Example: aforesaid bench locomo locomo10.json --out bench-out
    """
    from aforesaid.bench.locomo import run
    from aforesaid.bench.trec import TrecFiles

    rankings = TrecFiles(trec)
    with progress("dialogues") as tick:
        scores = run(path, tick, store, rankings.record)
    _name_files(rankings.write())
    _report("locomo", scores, out, as_json, show_scores)


@app.command()
def longmemeval(
    path: File,
    limit: Annotated[
        int | None, typer.Option("--limit", metavar="N", min=1, help="Only the first N questions.")
    ] = None,
    out: Out = None,
    trec: Trec = None,
    as_json: AsJson = False,
) -> None:
    """Evidence found in LongMemEval's haystacks, against plain FTS5, dense search and their rank fusion.

    Example: aforesaid bench longmemeval longmemeval_s.json --limit 50
    """
    from aforesaid.bench.longmemeval import run
    from aforesaid.bench.trec import TrecFiles

    rankings = TrecFiles(trec)
    with progress("questions") as tick:
        scores = run(path, limit, tick, rankings.record)
    _name_files(rankings.write())
    _report("longmemeval", scores, out, as_json, show_scores)


@app.command()
def beam(path: File, out: Out = None, trec: Trec = None, store: Server = ":memory:", as_json: AsJson = False) -> None:
    """Evidence found in BEAM's long chats with an assistant, against plain FTS5, dense search and their rank fusion.

    Example: aforesaid bench beam beam_100k.json.gz --out bench-out
    """
    from aforesaid.bench.beam import run
    from aforesaid.bench.trec import TrecFiles

    rankings = TrecFiles(trec)
    with progress("chats") as tick:
        scores = run(path, tick, store, rankings.record)
    _name_files(rankings.write())
    _report("beam", scores, out, as_json, show_scores)


@app.command()
def own(
    limit: Limit = None, out: Out = None, trec: Trec = None, store: Server = ":memory:", as_json: AsJson = False
) -> None:
    """Evidence found in the corpus that is part of aforesaid, against plain FTS5, dense search and their rank fusion.

    Needs no download.

    Example: aforesaid bench own --out bench-out
    """
    from aforesaid.bench.suite import read_benchmark
    from aforesaid.bench.trec import TrecFiles

    data = read_benchmark(None, limit)
    rankings = TrecFiles(trec)
    with progress("dialogues") as tick:
        scores = data.benchmark.run(data.haystacks, data.total, tick, store, rankings.record)
    _name_files(rankings.write())
    _report("own", scores, out, as_json, show_scores)


@app.command("all")
def all_benchmarks(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(metavar="PATH…", help="Your copies of LoCoMo, LongMemEval and BEAM.", show_default=False),
    ] = None,
    limit: Limit = None,
    out: Out = None,
    as_json: AsJson = False,
) -> None:
    """The corpus that is part of aforesaid and the files of other benchmarks in one table, with the same baselines.

    Recognizes the files of LoCoMo, LongMemEval and BEAM.

    Example: aforesaid bench all locomo10.json longmemeval_s.json --out bench-out
    """
    from aforesaid.bench.suite import run

    with progress("dialogues") as tick:
        scores = run(paths or (), limit, tick)
    _report("all", scores, out, as_json, show_suite)


@app.command()
def peers(
    path: Annotated[
        Path | None,
        typer.Argument(metavar="PATH", help="Your copy of LoCoMo, LongMemEval or BEAM.", show_default=False),
    ] = None,
    only: Annotated[
        str | None, typer.Option("--only", metavar="NAME,…", help="Of mem0, langgraph, chroma, mempalace, fts5.")
    ] = None,
    limit: Limit = None,
    *,
    cache: Annotated[
        Path | None, typer.Option("--cache", metavar="DIR", help="The folder of the environments.")
    ] = None,
    out: Out = None,
    as_json: AsJson = False,
) -> None:
    """Other memory stores beside aforesaid: same messages, vectors and questions.

    Without PATH, the corpus that is part of aforesaid. Each peer is installed once, from PyPI, in an environment of
    its own. Shows recall, milliseconds, bytes on disk, and how many adds fail with threads and with processes.

    Example: aforesaid bench peers locomo10.json --only chroma,langgraph --out bench-out
    """
    from aforesaid.bench.peers import run, selected_peers
    from aforesaid.bench.suite import read_benchmark

    selected, folder = selected_peers(only), cache or Path.home() / ".cache" / "aforesaid" / "peers"
    data = read_benchmark(path, limit)
    note(f"environments: {folder}")
    with progress("measuring") as tick:
        report = run(data, selected, folder, tick)
    _report("peers", report, out, as_json, show_peers)


@app.command()
def prefix(
    path: File,
    turns: Annotated[int, typer.Option(metavar="N", min=2, help="At most this many turns of each dialogue.")] = 200,
    max_tokens: Annotated[int, typer.Option("--max-tokens", metavar="N", min=500, help="Tokens of a prompt.")] = 8000,
    out: Out = None,
    as_json: AsJson = False,
) -> None:
    """How much of each prompt stays the same from turn to turn, so that a provider's cache serves it.

    LoCoMo's dialogues, turn by turn, against a sliding window and the full history.

    Example: aforesaid bench prefix locomo10.json --turns 200 --out bench-out
    """
    from aforesaid.bench.prefix import ReplayLimits, run

    with progress("dialogues") as tick:
        report = run(path, ReplayLimits(turns, max_tokens), tick)
    _report("prefix", report, out, as_json, show_prefix)


@app.command()
def load(
    clients: Annotated[str, typer.Option(metavar="N,N,…", help="Numbers of clients; not with --store.")] = "1,8,32",
    messages: Annotated[int, typer.Option(min=32, help="Messages in the space.")] = 10_000,
    seconds: Annotated[float, typer.Option(min=0.1, help="How long each call is measured.")] = 5.0,
    *,
    store: Annotated[
        str | None, typer.Option("--store", metavar="ADDRESS", help="Measure a database: postgresql://…")
    ] = None,
    processes: Annotated[int, typer.Option(min=2, metavar="N", help="With --store: processes against one.")] = 4,
    whole: Annotated[int, typer.Option(min=100, help="With --store: messages in the large table.")] = 1_000_000,
    out: Out = None,
    as_json: AsJson = False,
) -> None:
    """Requests per second and milliseconds of add, recall and context over HTTP, beside the same calls in-process.

    With --store, PostgreSQL and several processes: adding against psycopg by hand, contexts of several processes
    against one, recall in a large table against a small one. It uses schemas of its own, and drops them.

    Example: aforesaid bench load --clients 1,8,32 --out bench-out
    """
    require_extra("server")
    from aforesaid.bench import load as http
    from aforesaid.bench import scale

    with progress("measuring") as tick:
        if store is None:
            report = http.run(_sizes(clients), messages, seconds, tick)
        else:
            figures = scale.run(store, scale.ScaleOptions(messages, whole, seconds, processes), tick)
    if store is None:
        _report("load", report, out, as_json, show_load)
    else:
        _report("load --store", figures, out, as_json, show_figures)


@app.command()
def proxy(
    messages: Annotated[int, typer.Option(min=20, help="Messages in the space.")] = 1_000,
    turns: Annotated[int, typer.Option(min=2, help="Turns in all, streamed and not.")] = 200,
    turns_each: Annotated[
        int, typer.Option("--turns-each", metavar="N", min=1, help="Turns of each conversation.")
    ] = 8,
    seconds: Annotated[
        float, typer.Option(min=1.0, help="The longest time; turns that are left are not sent.")
    ] = 300.0,
    *,
    out: Out = None,
    as_json: AsJson = False,
) -> None:
    """Milliseconds that the proxy adds to a request, without and with memory.

    Starts a scripted model service and a proxy on loopback. Sends each turn of growing conversations directly, through
    the proxy with memory off, and through the proxy with memory, in changing order.

    Example: aforesaid bench proxy --messages 1000 --out bench-out
    """
    require_extra("server")
    from aforesaid.bench.proxy import ProxyBenchOptions, run

    with progress("turns") as tick:
        report = run(ProxyBenchOptions(messages, turns, turns_each, seconds), tick)
    _report("proxy", report, out, as_json, show_proxy)


@app.command()
def extract(
    real: Annotated[
        list[Path] | None,
        typer.Option(metavar="PATH", help="Also compare claims in a file of LoCoMo, LongMemEval or BEAM with labels."),
    ] = None,
    out: Out = None,
    as_json: AsJson = False,
) -> None:
    """Claims that patterns find: precision and recall on a fixed set of utterances, and on real files.

    Half of the utterances claim nothing. The labels of the real files are part of the package, the files are not.

    Example: aforesaid bench extract --real locomo10.json
    """
    from aforesaid.bench.extract import run

    report = run(real or ())
    _report("extract", report, out, as_json, show_extract)


@app.command()
def episodes(
    real: Annotated[
        list[Path] | None,
        typer.Option("--real", metavar="PATH", help="Also judge episodes and pins in LoCoMo, LongMemEval or BEAM."),
    ] = None,
    out: Out = None,
    as_json: AsJson = False,
) -> None:
    """Episodes that patterns find in a fixed set of dialogues: precision and recall.

    Half of the dialogues have none. The patterns were tuned on the development part only.

    Example: aforesaid bench episodes
    """
    from aforesaid.bench.episodes import run

    report = run(real or [])
    _report("episodes", report, out, as_json, show_episodes)


@app.command()
def distill(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(metavar="PATH…", help="Your copies of LoCoMo, LongMemEval and BEAM.", show_default=False),
    ] = None,
    limit: Limit = None,
    model: Annotated[
        str | None, typer.Option("--model", metavar="PROVIDER:MODEL", help="Distil with this language model too.")
    ] = None,
    out: Out = None,
    as_json: AsJson = False,
) -> None:
    """What facts, episodes, automatic pins, summaries and the portrait earn: what they hold, and what they change.

    Without a path, on the corpus that is part of aforesaid. A record has `most` of an answer if it has at least 60 % of
    its words, `all` if it has all: the stemmed content words of the gold answer that are not in the question. Every
    number of them, and every name, must be in it. `source`: the message with the answer is a source of a record.

    Example: aforesaid bench distill locomo10.json longmemeval_s.json --out bench-out
    """
    from aforesaid.bench.distill import run

    with progress("dialogues") as tick:
        report = run(paths or (), limit, model, tick)
    _report("distill", report, out, as_json, show_distill)


@app.command()
def foreign(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(metavar="PATH…", help="Your copies of LoCoMo, LongMemEval and BEAM.", show_default=False),
    ] = None,
    limit: Limit = None,
    out: Out = None,
    as_json: AsJson = False,
) -> None:
    """Questions to the wrong space: how often contexts and hooks add nothing, and what that costs the right ones.

    Without a path, on the corpus that is part of aforesaid. Each space is asked its own questions, and as many of other
    spaces of the file.

    Example: aforesaid bench foreign locomo10.json --out bench-out
    """
    from aforesaid.bench.foreign import run

    with progress("dialogues") as tick:
        report = run(paths or (), limit, tick)
    _report("foreign", report, out, as_json, show_foreign)


@app.command()
def draw(
    path: Annotated[
        Path, typer.Argument(metavar="RESULT", help="A result that --out has written.", show_default=False)
    ],
    as_json: AsJson = False,
) -> None:
    """The pictures of a result, beside it. The same file always gives the same bytes.

    Example: aforesaid bench draw bench-out/all.json
    """
    from aforesaid.bench import results

    pictures = results.draw(path)
    if as_json:
        print_json([str(picture) for picture in pictures])
    else:
        _name_files(pictures)


def _print_table(first: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    show(Table((first, *columns), rows, right=columns))


def _decimals(values: Sequence[float | None], digits: int) -> tuple[str, ...]:
    return tuple("" if value is None else f"{value:.{digits}f}" for value in values)


def show_load(report: LoadReport) -> None:
    columns = ("clients", "a second", "p50 ms", "p95 ms", "p99 ms", "in-process", "p50", "share")
    rows = [
        (
            load.call,
            load.clients,
            f"{load.http.per_second:.0f}",
            *(f"{getattr(load.http.milliseconds, name):.1f}" for name in PERCENTILES),
            f"{load.direct.per_second:.0f}",
            f"{load.direct.milliseconds.p50:.1f}",
            f"{load.ratio:.2f}",
        )
        for load in report.loads
    ]
    _print_table("call", columns, rows)


def show_proxy(report: ProxyReport) -> None:
    show(f"a space of {report.messages:,} messages; milliseconds")
    rows = [
        (
            figure.measure,
            name,
            *(f"{getattr(figure.milliseconds[route], column):.1f}" for column in PERCENTILES[:2]),
            *(
                f"{getattr(figure.added[route], column):.1f}" if route in figure.added else ""
                for column in PERCENTILES[:2]
            ),
            f"≤ {report.limit:g} {'kept' if figure.kept else 'MISSED'}" if route == "memory" else "",
        )
        for figure in report.figures
        for route, name in ROUTE_NAMES.items()
    ]
    columns = ("p50", "p95", "adds p50", "adds p95")
    show(Table(("measure", "route", *columns, "promise"), rows, right=columns))


def show_extract(report: ExtractReport) -> None:
    columns = ("wanted", "found", "right", "precision", "recall", "F1")
    for title, counts in (("set", report.parts), ("kind", report.kinds), ("language", report.languages)):
        rows = [
            (name, row.wanted, row.found, row.right, *_decimals((row.precision, row.recall, row.f1), 3))
            for name, row in counts.items()
        ]
        _print_table(title, columns, rows)
    for name, junk in report.junk.items():
        show(f"{name}: {junk.claims} claims on {junk.messages} utterances that claim nothing")
    if report.real:
        shown = ("messages", "found", "right", "wrong", "useful", "unlabelled", "lost")
        _print_table("file", shown, [(name, *asdict(row).values()) for name, row in report.real.items()])
    show(f"precision at least 0.9: {'kept' if report.kept else 'MISSED'}")


def show_episodes(report: EpisodesReport) -> None:
    columns = ("stretches", "wanted", "found", "right", "junk", "precision", "recall")
    for title, counts in (("set", report.parts), ("language", report.languages)):
        rows = [
            (name, *(getattr(row, column) for column in columns[:5]), *_decimals((row.precision, row.recall), 2))
            for name, row in counts.items()
        ]
        _print_table(title, columns, rows)
    if report.real:
        judged = [
            (name, row.users, row.found, f"{row.per_hundred:.2f}", row.judged, row.right, row.useful)
            for name, row in report.real.items()
        ]
        _print_table("dialogues", ("users", "found", "per 100", "judged", "right", "useful"), judged)
    show(f"precision at least 0.85: {'kept' if report.kept else 'MISSED'}")


def show_distill(report: DistillReport) -> None:
    for effect in report.effects:
        budgets = list(effect.evidence)
        columns = ("a 100", "most", "all", "source", *(name for each in budgets for name in (f"in {each:,}", "tokens")))
        rows = [
            (
                *(row.kind, f"{row.per_100:.1f}", *_decimals((row.most, row.all, row.sourced), 3)),
                *(text for each in budgets for text in (f"{row.contexts[each]:.3f}", f"{row.tokens[each]:.1f}")),
            )
            for row in report.rows
            if row.data == effect.data
        ]
        show(f"{effect.data}, {effect.questions:,} questions")
        _print_table("kind", columns, rows)
        _print_table("contexts", ("with", "without"), list(_distill_effect(effect)))
        portraits = [
            (f"{size:,} tokens", *_decimals((one.portrait, one.recent), 3)) for size, one in effect.portraits.items()
        ]
        _print_table("answers in", ("portrait", "last sentences"), portraits)
        for operation, tokens in effect.model_tokens.items():
            show(f"{operation}: {tokens:,.0f} tokens of the model for 100 messages")


def _distill_effect(effect: DistillEffect) -> Iterator[tuple[str, ...]]:
    for budget, pair in effect.evidence.items():
        yield (f"evidence in {budget:,} tokens", *_decimals(pair, 3))
        yield ("tokens at equal evidence", *_decimals(effect.tokens[budget], 1))
    yield ("tokens of summaries, of their ranges", *(f"{tokens:,}" for tokens in effect.summary_tokens))


def show_foreign(report: ForeignReport) -> None:
    columns = ("own", "foreign", "context kept", "silent", "hook kept", "silent", "items")
    rows = [
        (
            *(row.data, f"{row.own:,}", f"{row.foreign:,}"),
            *_decimals((row.context_kept, row.context_silent, row.hook_kept, row.hook_silent), 3),
            f"{row.items:.1f}",
        )
        for row in report.rows
    ]
    _print_table("data", columns, rows)


def show_prefix(report: PrefixReport) -> None:
    show(f"{report.turns} turns, {report.questions} questions, {report.max_tokens} tokens")
    rows = [
        (name, f"{row.prefix:.3f}", f"{row.tokens:,.0f}", f"{row.paid:,.0f}", *_decimals((row.cost, row.evidence), 3))
        for name, row in report.rows.items()
    ]
    _print_table("a turn of", ("prefix", "tokens", "paid", "cost", "evidence"), rows)


def show_scores(scores: RetrievalScores) -> None:
    systems = list(scores.scores)
    for kind, count in scores.questions.items():
        rows = [
            (metric, *(f"{scores.scores[name][kind][metric]:.3f}" for name in systems)) for metric in scores.metrics
        ]
        show(f"{kind}, {count} questions")
        _print_table("measure", systems, rows)


def show_suite(suite: SuiteScores) -> None:
    systems = list(dict.fromkeys(name for values in suite.rows.values() for name in values))
    rows = [(row, *_decimals([values.get(name) for name in systems], 3)) for row, values in suite.rows.items()]
    _print_table("benchmark", systems, rows)


def show_peers(report: PeersReport) -> None:
    show(f"{report.title}, {report.messages:,} messages, {report.questions:,} questions")
    columns = ("recall@10", "add ms", "search ms", "MB", "8 threads", "4 processes")
    rows: list[tuple[str, ...]] = []
    for result in report.results:
        figures = result.figures
        if figures is None:
            rows.append((result.name, "failed", *[""] * (len(columns) - 1)))
            continue
        milliseconds = _decimals((figures.add_milliseconds, figures.search_milliseconds), 2)
        failed = [f"{outcome.failed} of {outcome.adds}" for outcome in (figures.threads, figures.processes)]
        rows.append((result.name, f"{figures.recall:.3f}", *milliseconds, f"{figures.disk_bytes / 1e6:.2f}", *failed))
    _print_table("store", columns, rows)
    show("milliseconds: the median; threads and processes: adds that failed")
    for remark in report.remarks:
        show(remark)


def show_figures(report: BenchReport) -> None:
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
    show(Table(("figure", "aforesaid", "baseline", "ratio", "promise"), rows))
    for usage in report.busy:
        show(usage.said)
    stages = [
        (f"{row.messages:,}", row.call, row.name, *(f"{getattr(row.milliseconds, name):.2f}" for name in PERCENTILES))
        for row in report.stages
    ]
    if stages:
        columns = ("messages", "call", "stage, ms", *PERCENTILES)
        show(Table(columns, stages, right=("messages", *PERCENTILES)))


def tune(
    path: Annotated[
        Path, typer.Argument(metavar="PATH", help="Questions and the messages that answer them.", show_default=False)
    ],
    *,
    write: Annotated[bool, typer.Option("--write", help="Store the weights as settings of the spaces.")] = False,
    fusion: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Refit the learned fusion instead, and write it to a file.", show_default=False
        ),
    ] = None,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Find the weights of recall, or the learned fusion, that rank a labelled set best, and show the difference.

    PATH has one JSON object per line: {"space": …, "query": …, "relevant": [message ids]}. Or it is the file of LoCoMo,
    LongMemEval or BEAM. Nothing changes without --write or --fusion. AFORESAID_RERANKER=FILE uses the written fusion.

    Example: aforesaid tune questions.jsonl --fusion fusion.json
    """
    from aforesaid.bench.labels import read_labels
    from aforesaid.bench.tune import tune as search

    labels = read_labels(path)
    if fusion is not None:
        if write:
            raise InvalidInput("--write stores weights, and --fusion writes a file; use one of them")
        _refit(labels, store, fusion, as_json=as_json)
        return
    if write and labels.haystacks:
        raise InvalidInput("--write needs questions about the store itself, not a benchmark's")
    with progress("tuning") as tick:
        result = search(labels, store, tick)
    written = labels.spaces if write and result.better else []
    if written:
        with open_existing(store) as memory:
            for space in written:
                for name, value in result.settings.items():
                    memory.space(space).set(name, value)
    if as_json:
        print_json(asdict(result) | {"settings": result.settings, "written": written})
    else:
        _print_tuning(result, written)


def _refit(labels: LabelSet, store: str, target: Path, *, as_json: bool) -> None:
    from aforesaid.bench.refit import refit

    if target.exists():
        raise InvalidInput(f"{target} exists; remove it, or name another file")
    with progress("refitting") as tick:
        result = refit(labels, store, tick)
    if result.better:
        target.write_text(json.dumps(result.table, separators=(",", ":")) + "\n", "utf-8")
    if as_json:
        figures = {
            name: getattr(result, name) for name in ("questions", "folds", "before", "after", "held_out", "missing")
        }
        print_json(figures | {"written": str(target) if result.better else None})
        return
    rows = [("now", f"{result.before:.3f}"), ("refitted", f"{result.after:.3f}")]
    if result.held_out is not None:
        rows.append((f"held out, {result.folds} folds", f"{result.held_out:.3f}"))
    show(Table((f"{result.questions} questions", TUNE_COLUMNS[0]), rows, right=TUNE_COLUMNS[:1]))
    for warning in _warnings(result):
        note(f"warning: {warning}")
    if result.better:
        show(f"AFORESAID_RERANKER={target}")


def _print_tuning(result: TuneResult, written: list[str]) -> None:
    rows = [
        ("now", f"{result.before:.3f}", *_format_weights(result.now)),
        ("best, measured", f"{result.after:.3f}", *_format_weights(result.best)),
        ("best, predicted", f"{result.expected:.3f}", *_format_weights(result.best)),
    ]
    if result.held_out is not None:
        rows.append((f"held out, {result.folds} folds", f"{result.held_out:.3f}", "", "", ""))
    show(Table((f"{result.questions} questions", *TUNE_COLUMNS), rows, right=TUNE_COLUMNS))
    for warning in _warnings(result):
        note(f"warning: {warning}")
    if written:
        note(f"written to {', '.join(written)}")
    elif result.better:
        for name, value in result.settings.items():
            show(f"{definition(name).variable}={value}")


def _warnings(result: TuneResult | RefitResult) -> list[str]:
    warnings = []
    if result.missing:
        warnings.append(f"{result.missing} relevant messages were not found; tuning cannot change that")
    if result.after <= result.before:
        warnings.append("the present settings are as good: nothing to change")
    elif result.held_out is None or result.held_out <= result.before:
        warnings.append("on held-out questions, tuning is no better than the present settings")
    return warnings


def _format_weights(weights: tuple[float, ...]) -> tuple[str, ...]:
    return tuple(f"{weight:.2f}" for weight in weights)
