"""Weights that suit one's own conversations."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli.opening import reading
from recollect.cli.options import STORE, AsJson, Store
from recollect.cli.output import note, output, print_json, say, table
from recollect.errors import InvalidInput

if TYPE_CHECKING:
    from recollect.bench.labels import Labels
    from recollect.bench.tune import Tuned

COLUMNS = ("nDCG@5", "dense α", "words β", "ident γ")


def tune(
    path: Annotated[
        Path, typer.Argument(metavar="PATH", help="Questions with the messages that answer them.", show_default=False)
    ],
    *,
    write: Annotated[bool, typer.Option("--write", help="Store the weights as preferences of the spaces.")] = False,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Find the weights of recall that rank a labelled set best, and say what they would change.

    PATH has one JSON object a line: {"space": …, "query": …, "relevant": [message ids]}. Or LoCoMo's or LongMemEval's
    file. Nothing is changed without --write.

    Example: recollect tune questions.jsonl --write
    """
    from recollect.bench.labels import read
    from recollect.bench.tune import tune as search
    from recollect.cli.progress import progress

    labels = read(path)
    if write and labels.haystacks:
        raise InvalidInput("--write needs questions about the store itself, not a benchmark's")
    with progress("tuning") as tick:
        found = search(labels, store, tick)
    written = _write(found, labels, store) if write and found.better else []
    if as_json:
        print_json(asdict(found) | {"settings": found.settings, "written": written})
    else:
        _print(found, written)


def _write(found: Tuned, labels: Labels, store: str) -> list[str]:
    with reading(store) as memory:
        for space in labels.spaces:
            for name, value in found.settings.items():
                memory.space(space).set(name, value)
    return labels.spaces


def _print(found: Tuned, written: list[str]) -> None:
    rows = [
        ("now", f"{found.before:.3f}", *_shown(found.now)),
        ("best, by asking", f"{found.after:.3f}", *_shown(found.best)),
        ("best, as searched", f"{found.expected:.3f}", *_shown(found.best)),
    ]
    if found.held_out is not None:
        rows.append((f"held out, {found.folds} folds", f"{found.held_out:.3f}", "", "", ""))
    output().print(table((f"{found.questions} questions", *COLUMNS), rows, right=COLUMNS))
    for warning in _warnings(found):
        note(f"warning: {warning}")
    if written:
        note(f"written to {', '.join(written)}")
    elif found.better:
        for line in _environment(found):
            say(line)


def _warnings(found: Tuned) -> list[str]:
    said = []
    if found.missing:
        said.append(f"{found.missing} relevant messages were not found at all: no weights help them")
    if not found.better:
        said.append("the present weights are as good: nothing to change")
    elif found.held_out is None or found.held_out <= found.before:
        said.append("on questions that it has not seen, tuning gives no more than the present weights")
    return said


def _environment(found: Tuned) -> list[str]:
    from recollect.settings import definition

    return [f"{definition(name).variable}={value:g}" for name, value in found.settings.items()]


def _shown(weights: tuple[float, ...]) -> tuple[str, ...]:
    return tuple(f"{weight:.2f}" for weight in weights)
