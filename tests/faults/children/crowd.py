"""Runs one task in many processes at the same time: crowd.py TASK PROCESSES ADDRESS [ARGUMENTS]

Prints "ready" when all modules are loaded, and forks after a line on stdin. A second line stops endless tasks.

add COUNT       adds COUNT messages without ids, or endlessly if 0; prints "WHO NUMBER SEQ" for each acknowledged one
begin           starts a rolling summary; prints "begun" or "refused"
hang AHEAD      claims jobs with a clock that is AHEAD minutes ahead, prints "in hand", and never ends
stall           starts a write to a space, prints "in hand", and never ends
watch           prints "listening", and then "heard" when another process has written
"""

import mmap
import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from aforesaid import ConflictError, Memory
from aforesaid.models.summary import Summary
from aforesaid.ports import Vectors
from aforesaid.storage.postgres.session import PostgresSession

what, how_many, address, *arguments = sys.argv[1:]
stopped = mmap.mmap(-1, 1)


def say(*words: object) -> None:
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


def opened(**rest: Any) -> Memory:
    return Memory(address, **{"worker": False, "embedder": "none", "environment": {}, **rest})


def add(who: int) -> None:
    count = int(arguments[0])
    with opened() as mem:
        chat, number = mem.conversation("c"), 0
        while not stopped[0] and (not count or number < count):
            say(who, number, chat.add("user", f"{who}x{number} said something").seq)
            number += 1


def begin(who: int) -> None:
    with opened() as mem:
        made = Summary(
            id=f"summary{who}", space="default", conversation="c", kind="rolling", first_seq=0, last_seq=0,
            message_count=1, text="", topics=(), importance=0.5, base_id=None, status="processing", method=None,
            model=None, tokens=0, milliseconds=None, error=None, created_at=datetime.now(UTC),
        )  # fmt: skip
        try:
            mem.engine.store.summaries.begin(made, None)
        except ConflictError:
            say("refused")
        else:
            say("begun")


class Hanging:
    name = "lengths:2"

    def embed(self, _: Sequence[str]) -> Vectors:
        say("in hand")
        signal.pause()
        raise AssertionError("nothing wakes it")


def hang(_: int) -> None:
    ahead = timedelta(minutes=int(arguments[0]))
    with Memory(
        address, worker=False, embedder=Hanging(), environment={}, clock=lambda: datetime.now(UTC) + ahead
    ) as mem:
        mem.flush()


def stall(_: int) -> None:
    def work(session: PostgresSession) -> None:
        session.raw("SELECT 1")
        say("in hand")
        signal.pause()

    with opened() as mem:
        mem.engine.store.database.write(work, "default")


def watch(_: int) -> None:
    heard = threading.Event()
    with opened() as mem, mem.on_change(heard.set):
        heard.clear()
        say("listening")
        heard.wait()
        say("heard")


def run(task: Callable[[int], None], who: int) -> int:
    child = os.fork()
    if child:
        return child
    try:
        task(who)
    except BaseException as exc:  # noqa: BLE001 (a fork must not continue as its parent)
        sys.stderr.write(f"{type(exc).__name__}: {exc}\n")
        sys.stderr.flush()
        os._exit(1)
    os._exit(0)


with Memory(":memory:", worker=False, embedder="none", environment={}) as first:
    first.conversation("c").add("user", "loads what comes late")
say("ready")
sys.stdin.readline()
tasks = {"add": add, "begin": begin, "hang": hang, "stall": stall, "watch": watch}
children = [run(tasks[what], who) for who in range(int(how_many))]


def stop() -> None:
    if sys.stdin.readline():
        stopped[0] = 1


threading.Thread(target=stop, daemon=True).start()
sys.exit(max(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 0 for child in children))
