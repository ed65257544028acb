"""A short tour that needs nothing and leaves nothing."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli import demo_story as story
from recollect.cli.demo_distilled import distilled, forgotten, pinned
from recollect.cli.demo_page import remark, title
from recollect.cli.doctor import verdict
from recollect.cli.output import output, table
from recollect.cli.recall import hits_table
from recollect.cli.status import status_table
from recollect.cli.text import shortened

if TYPE_CHECKING:
    from rich.console import Console

    from recollect import Memory

HITS = 2
TEXT = 60


def demo(
    store: Annotated[
        str | None,
        typer.Option("--store", metavar="PATH", help="Keep the sample in this file.", show_default=False),
    ] = None,
) -> None:
    """Take a short tour on a store of its own.

    No key, no network, nothing left behind.

    Example: recollect demo
    """
    from recollect import Memory

    console = output()
    with TemporaryDirectory(prefix="recollect-demo-") as folder:
        path = store or str(Path(folder) / "recollect.db")
        with Memory(path, worker=False, environment={}) as memory:
            _add(console, memory)
            _embed(console, memory)
            _recall(console, memory)
            distilled(console, memory)
            pinned(console, memory)
            forgotten(console, memory)
            _look(console, memory)
    _python(console)


def _add(console: Console, memory: Memory) -> None:
    title(console, "Two conversations come in")
    loading = _load()
    rows = list(_added(memory))
    console.print(table(("µs", "conversation", "role", "text"), rows, right=("µs",)))
    usual = median(took for took, *_ in rows)
    remark(console, f"Each message was on disk when add returned: median {usual:,.0f} µs, and no model was asked.")
    remark(console, f"(Once in a process the tokenizer is loaded; that took {loading * 1000:,.0f} ms.)")


def _load() -> float:
    """Loads what the first message of a process loads, so that it is not taken for the time of an add."""
    from recollect import Memory

    begin = time.perf_counter()
    with Memory(worker=False, environment={}) as memory:
        memory.conversation("first").add("user", "Good morning.")
    return time.perf_counter() - begin


def _added(memory: Memory) -> Iterator[tuple[int, str, str, str]]:
    space = memory.space(story.SPACE)
    for number, (conversation, role, text) in enumerate(story.STORY):
        chat = space.conversation(conversation)
        begin = time.perf_counter()
        chat.add(role, text, id=f"demo-{number}")  # with an id of our own, a second tour adds nothing
        took = time.perf_counter() - begin
        yield round(took * 1e6), conversation, role, shortened(text, TEXT)


def _embed(console: Console, memory: Memory) -> None:
    begin = time.perf_counter()
    memory.flush()
    took = time.perf_counter() - begin
    for model in memory.status().models:
        remark(console, f"In the background, {model.name} made {model.embedded} vectors in {took * 1000:,.0f} ms.")


def _recall(console: Console, memory: Memory) -> None:
    space = memory.space(story.SPACE)
    for question, how in story.QUESTIONS:
        begin = time.perf_counter()
        hits = space.recall(question, HITS)
        took = time.perf_counter() - begin
        title(console, f"“{question}”", f"{how} ({took * 1000:.1f} ms)")
        console.print(hits_table(hits))
    weights = {setting.name: setting.value for setting in space.settings()}
    parts = " + ".join(f"{weights[f'weight_{part}']} · {part}" for part in ("dense", "lexical", "identifier"))
    remark(console, f"score = {parts}, and a little for who speaks, and when; the weights are settings.")


def _look(console: Console, memory: Memory) -> None:
    title(console, "What the store holds")
    console.print(status_table(memory.address, memory.status()))
    remark(console, f"The doctor says: {verdict(memory.doctor())}.")


def _python(console: Console) -> None:
    from rich.syntax import Syntax

    title(console, "The same in Python")
    console.print(Syntax(story.PYTHON, "python", theme="ansi_dark", background_color="default"))
    remark(console, "On the command line: recollect add, recollect recall, recollect facts, recollect --help.")
