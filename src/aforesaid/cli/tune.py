"""The `tune` command: finds the recall weights that rank a labelled set best."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from aforesaid.cli.options import STORE, AsJson, Store
from aforesaid.cli.output import Table, note, print_json, progress, show
from aforesaid.cli.store import open_existing
from aforesaid.errors import InvalidInput
from aforesaid.settings import definition

if TYPE_CHECKING:
    from aforesaid.bench.tune import TuneResult

COLUMNS = ("nDCG@5", "dense α", "words β", "ident γ")


def tune(
    path: Annotated[
        Path, typer.Argument(metavar="PATH", help="Questions and the messages that answer them.", show_default=False)
    ],
    *,
    write: Annotated[bool, typer.Option("--write", help="Store the weights as settings of the spaces.")] = False,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Find the weights of recall that rank a labelled set best, and show the difference.

    PATH has one JSON object per line: {"space": …, "query": …, "relevant": [message ids]}. Or it is the file of LoCoMo
    or LongMemEval. Nothing changes without --write.

    Example: aforesaid tune questions.jsonl --write
    """
    from aforesaid.bench.labels import read_labels
    from aforesaid.bench.tune import tune as search

    labels = read_labels(path)
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
        _print(result, written)


def _print(result: TuneResult, written: list[str]) -> None:
    rows = [
        ("now", f"{result.before:.3f}", *_format_weights(result.now)),
        ("best, measured", f"{result.after:.3f}", *_format_weights(result.best)),
        ("best, predicted", f"{result.expected:.3f}", *_format_weights(result.best)),
    ]
    if result.held_out is not None:
        rows.append((f"held out, {result.folds} folds", f"{result.held_out:.3f}", "", "", ""))
    show(Table((f"{result.questions} questions", *COLUMNS), rows, right=COLUMNS))
    for warning in _warnings(result):
        note(f"warning: {warning}")
    if written:
        note(f"written to {', '.join(written)}")
    elif result.better:
        for name, value in result.settings.items():
            show(f"{definition(name).variable}={value:g}")


def _warnings(result: TuneResult) -> list[str]:
    warnings = []
    if result.missing:
        warnings.append(f"{result.missing} relevant messages were not found; no weights can change that")
    if not result.better:
        warnings.append("the present weights are as good: nothing to change")
    elif result.held_out is None or result.held_out <= result.before:
        warnings.append("on held-out questions, tuning is no better than the present weights")
    return warnings


def _format_weights(weights: tuple[float, ...]) -> tuple[str, ...]:
    return tuple(f"{weight:.2f}" for weight in weights)
