"""The `demo` command: a short tour on a temporary store. It needs no key and no network."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from aforesaid import Erasure, Fact, Memory, Verification
from aforesaid.cli.maintenance import verdict
from aforesaid.cli.output import Table, make_console, shorten, show
from aforesaid.cli.recall import hits_table
from aforesaid.cli.status import status_table

TEXT_LENGTH = 60
HITS = 2
SPACE = "demo"
TRIP = "lisbon"
BUG = "import-bug"
BUDGET = "The whole trip must cost less than 900 €."
SECRET = "My sister Zephyrine has moved to Quimperlé."
STORY: tuple[tuple[str, str, str], ...] = (  # conversation, role, text
    (TRIP, "user", "We settled on Lisbon: out on 3 May, home on the 10th."),
    (TRIP, "assistant", "Lovely. Shall I look for a quiet flat in Alfama or in Graça?"),
    (TRIP, "user", "In Graça, please. On flights I sit by the window, never on the aisle. I'm allergic to peanuts."),
    (TRIP, "user", "ホテルは駅の近くで、朝食付きがいいです。"),
    (TRIP, "user", BUDGET),
    (TRIP, "assistant", "Then the train to Sintra beats a rental car: 5 € there and back."),
    (BUG, "user", "The nightly job dies with TimeoutError in fetch_invoices() for our largest customer."),
    (
        BUG,
        "assistant",
        "It asks for all rows at once. Read them page by page:\n\n"
        "```python\n"
        "def fetch_invoices(customer, page_size=250):\n"
        "    for page in pages(customer, page_size):\n"
        "        yield from page\n"
        "```",
    ),
    (BUG, "user", "That was it: 40 seconds instead of a crash. Deployed."),
)
QUESTIONS: tuple[tuple[str, str], ...] = (
    ("how much money can we spend?", "by meaning alone: the answer has none of these words"),
    ("where do I like to sit when I fly?", "by meaning and by one common word"),
    ("fetch_invoices", "by identifier: the problem, and the code that solves it"),
    ("駅の近くのホテル", "in Japanese: a hotel near the station"),
)
PYTHON = f'''\
from aforesaid import Memory

with Memory("app.db") as memory:  # one SQLite file; no key, no server
    chat = memory.space("{SPACE}").conversation("{TRIP}")
    message = chat.add("user", "{BUDGET}")
    chat.pin(message)  # part of every context until unpin
    memory.flush()  # wait for the vectors; words are found at once
    for hit in chat.recall("how much money can we spend?", limit=3):
        print(f"{{hit.score.relevance:.2f}}", hit.text)
'''


def demo(
    store: Annotated[
        str | None, typer.Option("--store", metavar="PATH", help="Keep the sample in this file.", show_default=False)
    ] = None,
) -> None:
    """Take a short tour on a temporary store. It needs no key and no network.

    Example: aforesaid demo
    """
    with TemporaryDirectory(prefix="aforesaid-demo-") as folder:
        path = store or str(Path(folder) / "aforesaid.db")
        with Memory(path, worker=False, environment={}) as memory:
            _show_adding(memory)
            _show_recall(memory)
            _show_distilled(memory)
            _show_pins(memory)
            _show_forgetting(memory)
            _title("The store")
            show(status_table(memory.address, memory.status()))
            _remark(f"Check: {verdict(memory.doctor())}.")
    _show_python()


def _title(title: str, subtitle: str = "") -> None:
    from rich.text import Text

    show("")
    make_console().rule(Text(title, "bold cyan"), align="left", style="cyan")
    if subtitle:
        _remark(subtitle)


def _remark(text: str) -> None:
    make_console().print(text, style="dim")


def _show_adding(memory: Memory) -> None:
    _title("Two conversations are stored")
    loading = _warm_up()
    rows = list(_add_story(memory))
    show(Table(("µs", "conversation", "role", "text"), rows, right=("µs",)))
    usual = median(took for took, *_ in rows)
    _remark(f"Each message is on disk when add returns: median {usual:,.0f} µs. No model was called.")
    _remark(f"(A process loads the tokenizer once; that took {loading * 1000:,.0f} ms.)")
    begin = time.perf_counter()
    memory.flush()
    took = time.perf_counter() - begin
    for model in memory.status().models:
        _remark(f"In the background, {model.name} made {model.embedded} vectors in {took * 1000:,.0f} ms.")


def _warm_up() -> float:
    """Loads the tokenizer, so that the first add does not include it. Returns the seconds."""
    begin = time.perf_counter()
    with Memory(worker=False, environment={}) as memory:
        memory.conversation("first").add("user", "Good morning.")
    return time.perf_counter() - begin


def _add_story(memory: Memory) -> Iterator[tuple[int, str, str, str]]:
    space = memory.space(SPACE)
    for number, (conversation, role, text) in enumerate(STORY):
        chat = space.conversation(conversation)
        begin = time.perf_counter()
        chat.add(role, text, id=f"demo-{number}")  # with fixed ids, a second tour adds nothing
        took = time.perf_counter() - begin
        yield round(took * 1e6), conversation, role, shorten(text, TEXT_LENGTH)


def _show_recall(memory: Memory) -> None:
    space = memory.space(SPACE)
    for question, how in QUESTIONS:
        begin = time.perf_counter()
        hits = space.recall(question, HITS)
        took = time.perf_counter() - begin
        _title(f"“{question}”", f"{how} ({took * 1000:.1f} ms)")
        show(hits_table(hits))
    weights = {setting.name: setting.value for setting in space.settings()}
    parts = " + ".join(f"{weights[f'weight_{part}']} · {part}" for part in ("dense", "lexical", "identifier"))
    _remark(f"score = {parts}, plus a little for the speaker and the time; the weights are settings.")


def _show_distilled(memory: Memory) -> None:
    space = memory.space(SPACE)
    _title("Facts", "each with the quote that supports it")
    facts = ((fact.kind, fact.text, _evidence_quote(fact)) for fact in space.facts())
    show(Table(("kind", "fact", "quote"), facts))
    _title("Episodes", "the most significant first")
    episodes = sorted(space.episodes(), key=lambda episode: -episode.significance)
    rows = ((f"{e.significance:.2f}", e.type, e.conversation, shorten(e.title, TEXT_LENGTH)) for e in episodes)
    show(Table(("weight", "type", "conversation", "episode"), rows, right=("weight",)))
    _title("A summary", "made of the conversation's own sentences")
    chat = space.conversation(BUG)
    make_console().print(chat.summarize(0, chat.messages()[-1].seq).text)
    _remark("Facts and episodes are found in the background, the summary on demand. No model was called.")


def _evidence_quote(fact: Fact) -> str:
    return f"“{fact.evidence[0].quote}”" if fact.evidence else "by hand"


def _show_pins(memory: Memory) -> None:
    _title("A pin is part of every context", "one was made for a decision, one by hand")
    chat = memory.space(SPACE).conversation(TRIP)
    if all(pin.content != BUDGET for pin in chat.pins()):
        chat.pin(next(message for message in chat.messages() if message.text == BUDGET))
    rows = ((f"{pin.importance:.1f}", pin.type, pin.reason or "", pin.content) for pin in chat.pins())
    show(Table(("importance", "type", "reason", "pin"), rows, right=("importance",)))


def _show_forgetting(memory: Memory) -> None:
    space = memory.space(SPACE)
    secret = space.conversation(TRIP).add("user", SECRET, id="demo-secret")
    memory.flush()
    _title("Forgotten data is erased", f"“{SECRET}” is stored, a fact is made of it, and then:")
    erasure = space.forget(message=secret.id)
    rows = ((part.kind, part.count, part.reason) for part in erasure.erased)
    show(Table(("erased", "count", "why"), rows, right=("count",)))
    _remark(_erasure_proof(erasure, memory.verify_erasure(SECRET)))


def _erasure_proof(erasure: Erasure, seen: Verification) -> str:
    scrubbed = "The files are scrubbed" if erasure.complete else "The files are still being scrubbed"
    trace = "no trace of it" if seen.clean else f"its words in {len(seen.found)} places"
    return f"{scrubbed}. Searched {len(seen.tables)} tables and {len(seen.files)} files, {seen.bytes:,} bytes: {trace}."


def _show_python() -> None:
    from rich.syntax import Syntax

    _title("The same in Python")
    make_console().print(Syntax(PYTHON, "python", theme="ansi_dark", background_color="default"))
    _remark("On the command line: aforesaid add, aforesaid recall, aforesaid facts, aforesaid --help.")
