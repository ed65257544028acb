"""`aforesaid bench load --store postgresql://…`: PostgreSQL and several server processes, as ratios of one run."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from aforesaid import Memory
from aforesaid.bench import Progress
from aforesaid.bench.cpu_usage import CpuMonitor, CpuUsage, postmaster
from aforesaid.bench.latency import QUESTIONS, time_interleaved
from aforesaid.bench.load import BenchCall, over_http, run_clients, running_server
from aforesaid.bench.report import BenchReport, Figure, percentiles
from aforesaid.bench.synthetic_chat import ChatGenerator, embed_all, fill_space
from aforesaid.bench.temp_store import execute_statements, replicate_space, temp_store, vacuum_analyze

if TYPE_CHECKING:
    from psycopg import Connection

TABLES = (
    "CREATE TABLE hand_conversations (id text PRIMARY KEY, next_seq bigint NOT NULL)",
    "CREATE TABLE hand_messages (id uuid PRIMARY KEY, conversation text NOT NULL, seq bigint NOT NULL,"
    " role text NOT NULL, content text NOT NULL, created_at timestamptz NOT NULL, UNIQUE (conversation, seq))",
    "CREATE TABLE hand_terms (id uuid PRIMARY KEY, terms tsvector NOT NULL)",
    "CREATE INDEX ON hand_terms USING gin (terms)",
    "CREATE TABLE hand_jobs (id uuid, kind text, due_at timestamptz NOT NULL, PRIMARY KEY (kind, id))",
)
NEXT = """
INSERT INTO hand_conversations VALUES (%s, 1)
ON CONFLICT (id) DO UPDATE SET next_seq = hand_conversations.next_seq + 1 RETURNING next_seq - 1
"""
MESSAGE = "INSERT INTO hand_messages VALUES (%s, %s, %s, 'user', %s, now())"
TERMS = "INSERT INTO hand_terms VALUES (%s, to_tsvector('english', %s))"
JOBS = "INSERT INTO hand_jobs VALUES (%s, 'embed', now()), (%s, 'distill', now())"
SAME = ("spaces", "conversations", "messages", "chunks", "chunk_terms", "jobs", "changes")  # tables of aforesaid
SAME_SPACE = """
INSERT INTO same_spaces (id, created_at) VALUES (%s, 0)
ON CONFLICT (id) DO UPDATE SET version = same_spaces.version + 1 RETURNING space_key
"""
SAME_CONVERSATION = """
INSERT INTO same_conversations (space_key, id, status, next_seq, messages, turns, created_at, updated_at)
VALUES (%s, %s, 'active', 1, 1, 1, %s, %s)
ON CONFLICT (space_key, id) DO UPDATE SET next_seq = same_conversations.next_seq + 1,
  messages = same_conversations.messages + 1, turns = same_conversations.turns + 1, updated_at = excluded.updated_at
RETURNING conversation_key, next_seq - 1
"""
SAME_MESSAGE = """
INSERT INTO same_messages (space_key, conversation_key, seq, id, role, text, importance, tokens, created_at)
VALUES (%s, %s, %s, %s, 'user', %s, 0.5, 10, %s) RETURNING message_key
"""
SAME_CHUNK = "INSERT INTO same_chunks VALUES (%s, %s, %s, 0, 'prose', NULL, 0, %s, 10, 10)"
SAME_TERMS = "INSERT INTO same_chunk_terms VALUES (%s, %s, to_tsvector('english', %s))"
SAME_JOBS = """
INSERT INTO same_jobs (space_key, state, kind, target, about, due_at, created_at)
VALUES (%s, 'queued', 'embed', %s, 'message', %s, %s), (%s, 'queued', 'distill', %s, 'conversation', %s, %s)
ON CONFLICT DO NOTHING
"""
SAME_CHANGE = "INSERT INTO same_changes VALUES (%s, %s, 'message', 'added', %s, %s, %s, %s)"
BARE = "INSERT INTO hand_messages VALUES (%s, %s, nextval('hand_seq'), 'user', %s, now())"


class PostgresBaseline:
    """Writes with psycopg, one connection per client. The store has aforesaid's tables already."""

    def __init__(self, store: str) -> None:
        same = (f"CREATE TABLE same_{name} (LIKE {name} INCLUDING ALL)" for name in SAME)
        execute_statements(store, *TABLES, *same, "CREATE SEQUENCE hand_seq START 1000000000")
        self._store = store
        self._connections = ExitStack()

    def adding(self, conversation: str) -> Callable[[str], object]:
        """Adds a message with its seq, its terms and its jobs, in one transaction."""
        connection = self._connect()

        def add(text: str) -> None:
            id = uuid.uuid4()
            with connection.transaction():
                ((seq,),) = connection.execute(NEXT, (conversation,))
                connection.execute(MESSAGE, (id, conversation, seq, text))
                connection.execute(TERMS, (id, text))
                connection.execute(JOBS, (id, id))

        return add

    def same(self, space: str, conversation: str) -> Callable[[str], object]:
        """Adds each row that aforesaid writes to a table of the same columns, checks and indexes, with one statement
        per table."""
        connection = self._connect()

        def add(text: str) -> None:
            at = time.time_ns() // 1000
            with connection.transaction():
                ((space_key,),) = connection.execute(SAME_SPACE, (space,))
                ((chat_key, seq),) = connection.execute(SAME_CONVERSATION, (space_key, conversation, at, at))
                message = space_key, chat_key, seq, str(uuid.uuid4()), text, at
                ((key,),) = connection.execute(SAME_MESSAGE, message)
                connection.execute(SAME_CHUNK, (space_key, key, key, len(text)))
                connection.execute(SAME_TERMS, (space_key, key, text))
                connection.execute(SAME_JOBS, (space_key, key, at, at, space_key, chat_key, at, at))
                connection.execute(SAME_CHANGE, (space_key, key, chat_key, key, seq, at))

        return add

    def bare(self, conversation: str) -> Callable[[str], object]:
        """Adds one row with one statement."""
        connection = self._connect()
        return lambda text: connection.execute(BARE, (uuid.uuid4(), conversation, text))

    def close(self) -> None:
        self._connections.close()

    def _connect(self) -> Connection[Any]:
        import psycopg

        return self._connections.enter_context(psycopg.connect(self._store, autocommit=True))


ROUNDS = 3  # measurements of each case; the cases alternate
CALLERS = 16  # clients that request contexts
MAX_PROCESSES_RATIO = 1 / 1.6  # milliseconds per context of four processes, against one
PROMISED_PROCESSES = 4


def measure_processes(
    store: str, processes: int, seconds: float, progress: Progress, rounds: int = ROUNDS
) -> tuple[list[Figure], list[CpuUsage]]:
    """Contexts over HTTP, alternately from one process and from several, and the CPU usage of each case."""
    taken: dict[int, list[float]] = {1: [], processes: []}
    busy: dict[int, list[CpuUsage]] = {1: [], processes: []}
    database = postmaster(store)
    for done in range(rounds):
        for number, rates in taken.items():
            with running_server(store, "--processes", str(number), "--no-work") as server:
                watch = CpuMonitor(api=server.process, postgres=database)
                with over_http(server.url, "context") as http:
                    throughput = run_clients(http, CALLERS, seconds / rounds, watch.begin)
                label = "one process" if number == 1 else f"{number} processes"
                busy[number].append(watch.end(label, throughput.per_second))
            rates.append(throughput.per_second)
        progress(done + 1, rounds)
    one, several = (1000 * rounds / sum(rates) for rates in taken.values())
    most = MAX_PROCESSES_RATIO if processes >= PROMISED_PROCESSES else None
    name = f"context, {CALLERS} clients of {processes} processes"
    return [Figure(name, "ms", several, one, "one process", most)], [mean_usage(usages) for usages in busy.values()]


def mean_usage(usages: Sequence[CpuUsage]) -> CpuUsage:
    """The mean. A process that is unknown in one of the usages is unknown."""
    first, count = usages[0], len(usages)
    known = [name for name in first.by if all(name in usage.by for usage in usages)]
    by = {name: sum(usage.by[name] for usage in usages) / count for name in known}
    unknown = dict.fromkeys(name for usage in usages for name in (*usage.unknown, *usage.by) if name not in by)
    return replace(first, per_second=sum(usage.per_second for usage in usages) / count, by=by, unknown=tuple(unknown))


CLIENTS = 8  # clients that add
MAX_ADD_RATIO = 1 / 0.8  # milliseconds per add, against the baseline: at least 0.8 of its throughput
MAX_LARGE_TABLE_RATIO = 1.5  # recall p50 in a large table, against a small one


@dataclass(frozen=True, slots=True)
class ScaleOptions:
    """`messages` in the searched space, inside a table of `whole`; `seconds` of each measurement."""

    messages: int
    whole: int
    seconds: float
    processes: int


def run(store: str, sizes: ScaleOptions, progress: Progress) -> BenchReport:
    with temp_store(store) as small, temp_store(store) as large:
        figures = adding(small, sizes.seconds, progress)
        with Memory(small, worker=False, synchronous="normal") as memory:
            fill_space(memory, "bench", sizes.messages, progress)
            embed_all(memory, progress)
        shared, busy = measure_processes(small, sizes.processes, sizes.seconds, progress)
        figures += shared + measure_large_table(small, large, sizes, progress)
    return BenchReport("aforesaid bench load, PostgreSQL", tuple(figures), busy=tuple(busy))


def adding(store: str, seconds: float, progress: Progress) -> list[Figure]:
    """One durable message per transaction, by eight clients: in a space each, and in one space."""
    taken: dict[str, list[float]] = {name: [] for name in ("spaces", "space", "same", "fewer", "bare")}
    with Memory(store, worker=False) as memory, closing(PostgresBaseline(store)) as hand:
        callers: Mapping[str, Callable[[int], BenchCall]] = {
            "spaces": lambda n: _message_call(n, _adder(memory, f"add{n}", f"c{n}")),
            "same": lambda n: _message_call(n, hand.same(f"add{n}", f"c{n}")),
            "fewer": lambda n: _message_call(n, hand.adding(f"c{n}")),
            "space": lambda n: _message_call(n, _adder(memory, "add", f"c{n}")),
            "bare": lambda n: _message_call(n, hand.bare(f"c{n}")),
        }
        for done in range(ROUNDS):
            for name, caller in callers.items():
                taken[name].append(run_clients(caller, CLIENTS, seconds / ROUNDS).per_second)
            progress(done + 1, ROUNDS)
    ours, one, same, fewer, bare = (1000 * ROUNDS / sum(rates) for rates in taken.values())
    return [
        Figure("add, 8 clients, a space each", "ms", ours, same, "the same rows in psycopg", MAX_ADD_RATIO),
        Figure("add, 8 clients in one space", "ms", one, same, "the same rows in psycopg"),
        Figure("add, 8 clients, a space each", "ms", ours, fewer, "fewer rows in psycopg"),
        Figure("add, 8 clients, a space each", "ms", ours, bare, "a bare INSERT in psycopg"),
    ]


def measure_large_table(small: str, large: str, sizes: ScaleOptions, progress: Progress) -> list[Figure]:
    """The same space, in a table of its own messages and among its copies."""
    with ExitStack() as stack:
        alone = stack.enter_context(Memory(small, worker=False))
        with Memory(large, worker=False, synchronous="normal") as memory:
            fill_space(memory, "bench", sizes.messages, progress)
            embed_all(memory, progress)
        replicate_space(large, "bench", max(1, sizes.whole // sizes.messages) - 1, progress)
        vacuum_analyze(small)
        among = stack.enter_context(Memory(large, worker=False))
        calls = {"alone": alone.space("bench").recall, "among": among.space("bench").recall}
        taken = time_interleaved(calls, progress, min(QUESTIONS, sizes.messages))
    name = f"recall, p50, {sizes.messages:,} messages inside {sizes.whole:,}"
    ours, base = (percentiles(taken[call]).p50 for call in ("among", "alone"))
    return [Figure(name, "ms", ours, base, f"a table of those {sizes.messages:,}", MAX_LARGE_TABLE_RATIO)]


def _adder(memory: Memory, space: str, conversation: str) -> Callable[[str], object]:
    chat = memory.space(space).conversation(conversation)
    return lambda text: chat.add("user", text)


def _message_call(number: int, add: Callable[[str], object]) -> BenchCall:
    talk = ChatGenerator(number)
    return lambda: add(talk.message())
