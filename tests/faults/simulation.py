"""A simulation of clients, workers and crashes in one process, replayable by its seed.

    python -m tests.faults.run simulation --seeds 1000
    python -m tests.faults.run simulation --seed 17 --verbose

A few Memory objects on one file stand for as many processes. Each step is a call of one of them, a fault of the disk, a
crash, or the passing of virtual time; the seed chooses. While a worker embeds, other steps happen, or it is killed. The
random numbers and the clocks of Python come from the seed too. A plain model (`expected.py`) says what must hold.
"""

from __future__ import annotations

import argparse
import errno
import hashlib
import logging
import os
import random
import secrets
import shutil
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from copy import deepcopy
from pathlib import Path

from tests.faults.expected import (
    EVERYTHING,
    Expected,
    LengthEmbedder,
    VirtualClock,
    check_health,
    finish_jobs,
    words_of,
)
from tests.faults.faulty_disk import Fault, FaultyDisk
from tests.faults.power_cut import FEW_PAGES, SimulatedDisk, between

from aforesaid import Memory, NotFound, StoreError
from aforesaid.ports import Vectors
from aforesaid.storage.sqlite import database

MOST_PROCESSES = 4
CONVERSATIONS = ("a", "b", "c")
SENTENCES = (
    "I live in {}.",
    "My name is {}.",
    "I work at {}.",
    "The {} build broke on Monday.",
    "We decided to use {}.",
)


class Killed(BaseException):
    """Ends a process in the middle of a call."""


class InterruptedEmbedder(LengthEmbedder):
    """Lets other things happen while a worker embeds."""

    def __init__(self, interrupt: Callable[[], None]) -> None:
        self._interrupt = interrupt

    def embed(self, texts: Sequence[str]) -> Vectors:
        self._interrupt()
        return super().embed(texts)


class Simulation:
    def __init__(self, seed: int, root: Path, *, verbose: bool = False) -> None:
        self.random = random.Random(seed)
        self.clock = VirtualClock()
        self.expected = Expected()
        self.trace: list[str] = []
        self._verbose = verbose
        self._root = root / f"seed {seed}"
        self._root.mkdir()
        self.crashes = 0
        self._processes: list[Memory] = []
        self._dead: list[Memory] = []
        self._faulty = False
        self._working: Memory | None = None
        self._begin(self._root / "0")
        self._steps: dict[Callable[[], None], int] = {  # with how often each happens
            self.add: 30,
            self.add_many: 6,
            self.edit: 4,
            self.forget_message: 4,
            self.forget_conversation: 1,
            self.forget_fact: 1,
            self.recall: 8,
            self.context: 6,
            self.export: 1,
            self.backup: 1,
            self.repair: 1,
            self.work: 30,
            self.wait: 12,
            self.fault: 12,
            self.open: 4,
            self.close: 3,
            self.kill: 3,
            self.kill_all: 2,
            self.cut_power: 3,
            self.fail_sync: 2,
            self.check: 3,
        }

    def run(self, steps: int) -> str:
        """Returns a digest of everything that happened. Fails with an AssertionError."""
        try:
            for _ in range(steps):
                self._step()
            self._finish()
        finally:
            self._disk.mend()
            for mem in self._dead + self._processes:
                mem.close()
            shutil.rmtree(self._root)
        return hashlib.sha256("\n".join(self.trace).encode()).hexdigest()[:16]

    # Clients

    def add(self) -> None:
        name, id, text = self._new_message()
        self.expected.adding(name, [(id, text)])
        if self._call(lambda mem: mem.conversation(name).add("user", text, id=id)):
            self.expected.added([id])

    def add_many(self) -> None:
        name = self._new_message()[0]
        new = {id: text for _, id, text in (self._new_message() for _ in range(self.random.randint(2, 12)))}
        self.expected.adding(name, new.items())
        messages = [{"role": "user", "content": text, "id": id} for id, text in new.items()]
        if self._call(lambda mem: mem.conversation(name).add_many(messages)):
            self.expected.added(new)

    def edit(self) -> None:
        id, (name, _, text) = self._known_message(), self._new_message()
        if id is not None:
            name = self.expected.conversations[id]
            self.expected.editing(id, text)
            if self._call(lambda mem: mem.conversation(name).edit(id, text)):
                self.expected.edited(id, text)

    def forget_message(self) -> None:
        id = self._known_message()
        if id is not None:
            self._forget([id], message=id)

    def forget_conversation(self) -> None:
        name = self.random.choice(CONVERSATIONS)
        if self.expected.order.get(name):
            self._forget(self.expected.of(name), conversation=name)

    def forget_fact(self) -> None:
        facts = self._any().space("default").facts(EVERYTHING)
        if facts:
            self._call(lambda mem: mem.space("default").forget(fact=facts[0].id), NotFound)

    def recall(self) -> None:
        words = sorted(words_of(text for texts in self.expected.texts.values() for text in texts))
        erased = sorted(self.expected.erased)
        query = self.random.choice(words[-20:] + erased[-20:] or ["Lisbon"])

        def work(mem: Memory) -> None:
            hits = mem.space("default").recall(query, 20)
            found = words_of(hit.text for hit in hits)
            assert not found & self.expected.erased, f"recall returns {found & self.expected.erased}"

        self._call(work)

    def context(self) -> None:
        name = self.random.choice(CONVERSATIONS)
        if self.expected.order.get(name):

            def work(mem: Memory) -> None:
                text = str(mem.conversation(name).context("Where do I live?", max_tokens=2_000).to_openai())
                found = {word for word in self.expected.erased if word in text.lower()}
                assert not found, f"a context has {found}"

            self._call(work)

    def export(self) -> None:
        if self.expected.order:
            folder = self._root / "export"
            shutil.rmtree(folder, ignore_errors=True)
            if self._call(lambda mem: mem.space("default").export(folder)):
                self.expected.check_erased(folder)

    def backup(self) -> None:
        self._call(lambda mem: mem.backup(self._folder / "copy.db", force=True))

    def repair(self) -> None:
        self._call(lambda mem: mem.doctor(repair=True))

    # Workers and time

    def work(self) -> None:
        self._working = self._any()
        try:
            self._call(lambda mem: mem.work(), process=self._working)
        except Killed:
            self._tell("killed at work")
        finally:
            self._working = None

    def wait(self) -> None:
        self.clock.advance(seconds=self.random.choice((0.5, 5, 61, 130, 400)))

    def interrupt(self) -> None:
        """Happens while a worker embeds."""
        worker, self._working = self._working, None
        if worker is None or self._faulty:
            return
        for _ in range(self.random.choice((0, 0, 1, 3))):
            step = self.random.choice((self.add, self.edit, self.forget_message, self.wait, self.add_many))
            self._tell(f"meanwhile {step.__name__}")
            step()
        if self.random.random() < 0.1 and len(self._processes) > 1:
            self._bury(worker)
            raise Killed
        self._working = worker

    # Processes and faults

    def open(self) -> None:
        if len(self._processes) < MOST_PROCESSES:
            self._open()

    def close(self) -> None:
        if len(self._processes) > 1:
            self._processes.pop(self.random.randrange(len(self._processes))).close()

    def kill(self) -> None:
        if len(self._processes) > 1:
            self._bury(self._any())

    def kill_all(self) -> None:
        """Kills every process. The files stay as they are."""
        self._disk.mend()
        self._restart(lambda target: shutil.copytree(self._folder, target, ignore=shutil.ignore_patterns("*-shm")))

    def cut_power(self) -> None:
        """Cuts the power in the middle of a call."""
        before, begin = deepcopy(self.expected), self._disk.length
        self.random.choice((self.add, self.add_many, self.edit, self.forget_message, self.work, self.wait))()
        changes = self._disk.recorded()
        cut = self.random.randint(begin, len(changes))
        if cut < len(changes):
            self.expected = between(before, self.expected)
        for change in changes[:cut]:
            self._durable.apply(change)
        self._tell(f"cut after {cut - begin} of {len(changes) - begin}")
        self._restart(self._durable.cut)

    def fault(self) -> None:
        """Lets the disk fail during the next call."""
        kind = self.random.choice(("", "", "sync", "write", "truncate", "delete", "create"))
        at = self.random.choice((1, 2, self.random.randint(1, 500) if kind in ("", "write") else 3))
        error, lasting = self.random.choice((errno.EIO, errno.ENOSPC)), self.random.random() < 0.4
        self._disk.fail(Fault(at, error, half=self.random.random() < 0.3, lasting=lasting, kind=kind))
        self._faulty = True
        calls = (self.add, self.add_many, self.edit, self.forget_message, self.forget_conversation, self.work)
        self.random.choice((*calls, self.backup, self.repair))()
        self._disk.mend()
        self._faulty = False

    def fail_sync(self) -> None:
        """Lets a sync fail while earlier background work is not synced; the next message must survive a power cut."""
        self.work()
        self._disk.fail(Fault(1, kind="sync"))
        self._faulty = True
        self.add()
        self._disk.mend()
        self._faulty = False
        self.add()
        self.cut_power()

    # What must hold

    def check(self) -> None:
        mem = self._any()
        self.expected.check(mem)
        if self.expected.order and all(erasure.complete for erasure in mem.space("default").erasures(EVERYTHING)):
            self.expected.check_erased(self._folder)

    def _finish(self) -> None:
        self.check()
        mem = self._open()
        finish_jobs(mem, self.clock)
        assert not mem.jobs("failed"), f"jobs failed: {mem.jobs('failed')}"
        self.expected.check(mem)
        self.expected.check_erased(self._folder)
        check_health(mem)
        if mem.spaces():
            mem.space("default").export(self._root / "last export")
            self.expected.check_erased(self._root / "last export")

    def _step(self) -> None:
        step = self.random.choices([*self._steps], [*self._steps.values()])[0]
        self._tell(step.__name__)
        step()

    def _forget(self, ids: list[str], **target: str) -> None:
        self.expected.forgetting(ids)
        if self._call(lambda mem: mem.space("default").forget(**target), NotFound):
            self.expected.forgotten(ids)

    def _call(self, work: Callable[[Memory], object], *allowed: type[Exception], process: Memory | None = None) -> bool:
        """Returns True if the call is acknowledged. A call may fail only while the disk does, or if it is the first one
        to sync a file after another process could not."""
        may_fail = self._faulty or self._disk.unreported
        try:
            work(process or self._any())
        except StoreError as exc:
            self._tell(type(exc).__name__)
            if not may_fail:
                raise
            return False
        except allowed as exc:
            self._tell(type(exc).__name__)
            return False
        return True

    def _any(self) -> Memory:
        return self.random.choice(self._processes)

    def _new_message(self) -> tuple[str, str, str]:
        word = self.expected.word()
        text = self.random.choice(SENTENCES).format(word.title())
        return self.random.choice(CONVERSATIONS), f"m-{word[2:]}", text

    def _known_message(self) -> str | None:
        known = [id for ids in self.expected.order.values() for id in ids]
        return self.random.choice(known) if known else None

    def _open(self) -> Memory:
        embedder = InterruptedEmbedder(self.interrupt)
        self._processes.append(
            Memory(self._folder / "memory.db", worker=False, embedder=embedder, environment={}, clock=self.clock)
        )
        return self._processes[-1]

    def _bury(self, process: Memory) -> None:
        """Ends a process: nobody calls it again, and its Memory is not closed before the next crash."""
        self._processes.remove(process)
        self._dead.append(process)

    def _restart(self, make_files: Callable[[Path], object]) -> None:
        """Ends all processes, and starts new ones on the files that the crash leaves."""
        self.crashes += 1
        target = self._root / str(self.crashes)
        self._disk.record(on=False)
        make_files(target)
        for process in self._processes + self._dead:
            process.close()
        self._processes, self._dead = [], []
        self._begin(target)
        self.expected.check(self._any())

    def _begin(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        self._folder = folder
        self._disk = FaultyDisk(folder)
        self._durable = SimulatedDisk(folder, self.random)
        self._disk.mend()
        self._disk.record()
        for _ in range(self.random.randint(1, 3)):
            self._open()

    def _tell(self, event: str) -> None:
        self.trace.append(f"{self.clock.now.isoformat()} {event}")
        if self._verbose:
            print(self.trace[-1], flush=True)


def make_deterministic(seed: int) -> None:
    """Lets Python's random numbers and clocks depend on the seed alone."""
    numbers, ticks = random.Random(seed), iter(range(1 << 40))
    secrets.randbits = numbers.getrandbits
    secrets.token_hex = lambda size=8: numbers.randbytes(size or 8).hex()  # type: ignore[assignment]
    time.perf_counter = time.monotonic = lambda: next(ticks) / 1_000  # type: ignore[assignment]


def main() -> int:
    parser = argparse.ArgumentParser(description="Simulates clients, workers and crashes.")
    parser.add_argument("--seeds", type=int, default=20, help="how many")
    parser.add_argument("--first", type=int, default=0, help="the first one")
    parser.add_argument("--seed", type=int, help="the only one")
    parser.add_argument("--steps", type=int, default=60, help="per seed")
    parser.add_argument("--verbose", action="store_true", help="print every step")
    options = parser.parse_args()
    logging.disable()
    database.CHECKPOINT_PAGES = FEW_PAGES
    root, broken = Path(os.environ["FAULTS_FOLDER"]).resolve(), []
    begin, crashes = time.process_time(), 0
    seeds = range(options.first, options.first + options.seeds) if options.seed is None else [options.seed]
    for done, seed in enumerate(seeds, 1):
        make_deterministic(seed)
        simulation = Simulation(seed, root, verbose=options.verbose)
        try:
            digest = simulation.run(options.steps)
        except Exception:  # noqa: BLE001 (reported, with the seed)
            broken.append(seed)
            print(f"seed {seed} FAILED after {simulation.trace[-6:]}")
            traceback.print_exc(limit=-4, file=sys.stdout)
            print(f"replay: make faults SEED={seed} STEPS={options.steps}", flush=True)
        else:
            crashes += simulation.crashes
            if options.seed is not None or done % 50 == 0 or done == len(seeds):
                print(
                    f"{done} seeds, {crashes} crashes, {len(broken)} failed, digest {digest}, "
                    f"{time.process_time() - begin:.0f} s",
                    flush=True,
                )
    if broken:
        print(f"failed seeds: {broken}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
