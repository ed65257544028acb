"""What several server processes give on the cores there are, and who keeps those busy."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from recollect.bench.client import served
from recollect.bench.cores import Busy, Watch, postmaster
from recollect.bench.load import hammer, over_http
from recollect.bench.report import Figure

Progress = Callable[[int, int], None]  # done, total

ROUNDS = 3  # of one and of several, turn about
CALLERS = 16  # who ask for contexts
SHARING = 1 / 1.6  # milliseconds a context of four processes, against one
PROMISED = 4  # processes


def sharing(
    store: str, processes: int, seconds: float, progress: Progress, rounds: int = ROUNDS
) -> tuple[list[Figure], list[Busy]]:
    """Contexts over HTTP, of one process and of several, turn about; and what they kept busy."""
    taken: dict[int, list[float]] = {1: [], processes: []}
    busy: dict[int, list[Busy]] = {1: [], processes: []}
    database = postmaster(store)
    for done in range(rounds):
        for number, rates in taken.items():
            with served(store, "--processes", str(number), "--no-work") as server:
                watch = Watch(api=server.process, postgres=database)
                with over_http(server.url, "context") as http:
                    got = hammer(http, CALLERS, seconds / rounds, watch.begin)
                busy[number].append(watch.end(_named(number), got.per_second))
            rates.append(got.per_second)
        progress(done + 1, rounds)
    one, several = (1000 * rounds / sum(rates) for rates in taken.values())
    name = f"context, {CALLERS} clients of {processes} processes"
    figure = Figure(name, "ms", several, one, "one process", SHARING if processes >= PROMISED else None)
    return [figure], [mean(watched) for watched in busy.values()]


def mean(watched: Sequence[Busy]) -> Busy:
    """What was busy on the average. Whoever could not be told once is not told at all."""
    first, count = watched[0], len(watched)
    known = [who for who in first.by if all(who in one.by for one in watched)]
    by = {who: sum(one.by[who] for one in watched) / count for who in known}
    unknown = dict.fromkeys(who for one in watched for who in (*one.unknown, *one.by) if who not in by)
    return Busy(first.name, first.cores, sum(one.per_second for one in watched) / count, by, tuple(unknown))


def _named(processes: int) -> str:
    return "one process" if processes == 1 else f"{processes} processes"
