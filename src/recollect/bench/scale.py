"""`recollect bench load --store postgresql://…`: what a server and several processes give, as ratios of one run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass

from recollect import Memory
from recollect.bench.copies import copy, settle
from recollect.bench.load import Call, hammer
from recollect.bench.report import Figure, Report
from recollect.bench.rooms import room
from recollect.bench.server_by_hand import ServerByHand
from recollect.bench.sharing import sharing
from recollect.bench.speed import interleaved, percentiles
from recollect.bench.talk import Talk

Progress = Callable[[int, int], None]  # done, total

ROUNDS = 3  # of everybody, turn about
CLIENTS = 8  # who add
BATCH = 500
ADDING = 1 / 0.8  # milliseconds an add, against the same by hand: at least 0.8 of its throughput
INSIDE = 1.5  # recall p50 in a large table, against a small one


@dataclass(frozen=True, slots=True)
class Sizes:
    """`messages` in the space that is asked, inside a table of `whole`; `seconds` of each measurement."""

    messages: int
    whole: int
    seconds: float
    processes: int


def run(store: str, sizes: Sizes, progress: Progress) -> Report:
    with room(store) as small, room(store) as large:
        figures = adding(small, sizes.seconds, progress)
        with Memory(small, worker=False, synchronous="normal") as memory:
            fill(memory, "bench", sizes.messages, progress)
            embed(memory)
        shared, busy = sharing(small, sizes.processes, sizes.seconds, progress)
        figures += shared + inside(small, large, sizes, progress)
    return Report("recollect bench load, PostgreSQL", tuple(figures), busy=tuple(busy))


def adding(store: str, seconds: float, progress: Progress) -> list[Figure]:
    """One durable message a transaction, by eight clients: in a space each, and in one space."""
    taken: dict[str, list[float]] = {name: [] for name in ("spaces", "space", "same", "fewer", "bare")}
    with Memory(store, worker=False) as memory, closing(ServerByHand(store)) as hand:
        callers: Mapping[str, Callable[[int], Call]] = {
            "spaces": lambda n: _said(n, _adder(memory, f"add{n}", f"c{n}")),
            "same": lambda n: _said(n, hand.same(f"add{n}", f"c{n}")),
            "fewer": lambda n: _said(n, hand.adding(f"c{n}")),
            "space": lambda n: _said(n, _adder(memory, "add", f"c{n}")),
            "bare": lambda n: _said(n, hand.bare(f"c{n}")),
        }
        for done in range(ROUNDS):
            for name, caller in callers.items():
                taken[name].append(hammer(caller, CLIENTS, seconds / ROUNDS).per_second)
            progress(done + 1, ROUNDS)
    ours, one, same, fewer, bare = (1000 * ROUNDS / sum(rates) for rates in taken.values())
    return [
        Figure("add, 8 clients, a space each", "ms", ours, same, "the same rows in psycopg", ADDING),
        Figure("add, 8 clients in one space", "ms", one, same, "the same rows in psycopg"),
        Figure("add, 8 clients, a space each", "ms", ours, fewer, "fewer rows in psycopg"),
        Figure("add, 8 clients, a space each", "ms", ours, bare, "a bare INSERT in psycopg"),
    ]


def inside(small: str, large: str, sizes: Sizes, progress: Progress) -> list[Figure]:
    """The same space, in a table of its own messages and among its copies."""
    with ExitStack() as entered:
        alone = entered.enter_context(Memory(small, worker=False))
        with Memory(large, worker=False, synchronous="normal") as memory:
            fill(memory, "bench", sizes.messages, progress)
            embed(memory)
        copy(large, "bench", max(1, sizes.whole // sizes.messages) - 1, progress)
        settle(small)
        among = entered.enter_context(Memory(large, worker=False))
        calls = {"alone": alone.space("bench").recall, "among": among.space("bench").recall}
        taken = interleaved(calls, progress)
    name = f"recall, p50, {sizes.messages:,} messages inside {sizes.whole:,}"
    ours, base = (percentiles(taken[one]).p50 for one in ("among", "alone"))
    return [Figure(name, "ms", ours, base, f"a table of those {sizes.messages:,}", INSIDE)]


def fill(memory: Memory, space: str, messages: int, progress: Progress) -> None:
    """Conversations of 500 messages."""
    talk = Talk(1)
    for number, start in enumerate(range(0, messages, BATCH)):
        count = min(BATCH, messages - start)
        memory.space(space).conversation(f"c{number}").add_many(talk.messages(count))
        progress(start + count, messages)


def embed(memory: Memory) -> None:
    while memory.work():
        pass


def _adder(memory: Memory, space: str, conversation: str) -> Callable[[str], object]:
    chat = memory.space(space).conversation(conversation)
    return lambda text: chat.add("user", text)


def _said(number: int, add: Callable[[str], object]) -> Call:
    talk = Talk(number)
    return lambda: add(talk.message())
