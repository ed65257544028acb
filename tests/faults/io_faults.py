"""Lets every change of the disk fail once, in turn: for each call that writes, each write, sync, truncation, deletion,
creation and renaming of a file, with each kind of error.

    python -m tests.faults.run io_faults             every change of every call, with every error
    python -m tests.faults.run io_faults --most 6    6 of these for each call, chosen by --seed
    python -m tests.faults.run io_faults --only add  one call

As in SQLite's own I/O error tests, an error comes once or lasts until the disk is mended. After each: the call raised a
StoreError or succeeded, the files as a kill would leave them hold every acknowledged message, the next try works, and
the doctor finds nothing.
"""

from __future__ import annotations

import argparse
import errno
import logging
import os
import random
import shutil
import sys
import traceback
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass, replace
from pathlib import Path
from time import process_time

import apsw
from tests.faults.expected import Expected, LengthEmbedder, VirtualClock, check_health, finish_jobs
from tests.faults.faulty_disk import Change, Fault, FaultyDisk

from aforesaid import Memory, StoreError
from aforesaid.storage import migrate
from aforesaid.storage.migrate import Migration
from aforesaid.storage.sqlite.database import SqliteDatabase
from aforesaid.storage.sqlite.schema import SqliteSchema

ERRORS = (
    Fault(0, errno.EIO),
    Fault(0, errno.ENOSPC),
    Fault(0, errno.ENOSPC, half=True),
    Fault(0, errno.EIO, lasting=True),
    Fault(0, errno.ENOSPC, lasting=True),
)
BATCH = 8
IN_BACKUP = ("m-00000x", "m-00001x", "m-00002x", "m-00003x")


class World:
    """A store in a folder of its own, what it must hold, and the calls of the scenarios."""

    def __init__(self, folder: Path, disk: FaultyDisk) -> None:
        self.folder, self.disk = folder, disk
        self.path = folder / "memory.db"
        self.clock = VirtualClock()
        self.expected = Expected()
        self.mem: Memory | None = None
        self.backed_up = False
        self.scrubbed = True  # False while a forget waits for the job that scrubs the files

    def open(self, path: Path | None = None) -> Memory:
        self.mem = Memory(path or self.path, worker=False, embedder=LengthEmbedder(), environment={}, clock=self.clock)
        return self.mem

    @property
    def opened(self) -> Memory:
        return self.mem or self.open()

    def close(self) -> None:
        if self.mem is not None:
            self.mem.close()
        self.mem = None

    def add(self, conversation: str = "a") -> None:
        word = self.expected.word()
        id, text = f"m-{word[2:]}", f"I live in {word.title()}."
        self.expected.adding(conversation, [(id, text)])
        self.opened.conversation(conversation).add("user", text, id=id)
        self.expected.added([id])

    def texts(self) -> list[str]:
        """Returns the texts of all messages."""
        chats = (self.opened.conversation(name) for name in ("a", "b"))
        return [message.text for chat in chats for message in chat.messages(1_000)]

    def add_many(self) -> None:
        words = [self.expected.word() for _ in range(BATCH)]
        texts = {f"m-{word[2:]}": f"Number {word} " + "of a batch " * 5 for word in words}
        self.expected.adding("b", texts.items())
        messages = [{"role": "user", "content": text, "id": id} for id, text in texts.items()]
        self.opened.conversation("b").add_many(messages)
        self.expected.added(texts)

    def edit(self) -> None:
        id, text = self.expected.order["a"][1], f"I moved to {self.expected.word().title()}."
        self.scrubbed = False
        self.expected.editing(id, text)
        self.opened.conversation("a").edit(id, text)
        self.expected.edited(id, text)
        self.scrubbed = self.opened.space("default").erasures(1)[0].complete

    def forget(self) -> None:
        self._forget(["m-00001x"], message="m-00001x")

    def forget_conversation(self) -> None:
        self._forget(self.expected.of("a"), conversation="a")

    def _forget(self, ids: list[str], **target: str) -> None:
        self.scrubbed = False
        self.expected.forgetting(ids)
        self.scrubbed = self.opened.space("default").forget(**target).complete
        self.expected.forgotten(ids)

    def work(self) -> None:
        while self.opened.work():
            pass

    def close_and_open(self) -> None:
        self.close()
        self.open()

    def backup(self) -> None:
        self.opened.backup(self.folder / "copy.db", force=(self.folder / "copy.db").exists())
        self.backed_up = True

    def restore(self) -> None:
        """Replaces the store by the older backup."""
        self.expected.forgetting([id for id in self.expected.texts if id not in IN_BACKUP])
        Memory.restore(self.folder / "backup.db", self.path, force=self.path.exists(), clock=self.clock)
        self.expected.forgotten([id for id in self.expected.texts if id not in IN_BACKUP])
        self.expected.erased.clear()  # a restore scrubs nothing

    def repair(self) -> None:
        failed = [found for found in self.opened.doctor(repair=True) if "cannot be repaired" in found.detail]
        if failed:
            raise StoreError(failed[0].detail)

    def migrate(self) -> None:
        """Applies a migration of the next version, and takes it back, so that the store can be opened."""
        known = migrate.known("sqlite")
        new = Migration(
            migrate.newest(known) + 1, "next", "CREATE TABLE next (a text); ALTER TABLE pins ADD next text;"
        )
        database = SqliteDatabase(str(self.path), synchronous="full")
        try:
            database.write(lambda session: migrate.apply(SqliteSchema(session.connection), (*known, new), 0))
        finally:
            database.close()

    def take_back_migration(self) -> None:
        connection = apsw.Connection(str(self.path))
        version = migrate.newest(migrate.known("sqlite"))
        present = connection.execute("SELECT max(version) FROM migrations").get
        columns = [name for (name,) in connection.execute("SELECT name FROM pragma_table_info('pins')")]
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE name = 'next'")]
        applied = present > version
        assert applied == ("next" in columns) == bool(tables), "a part of a migration is stored"
        if applied:
            connection.execute("ALTER TABLE pins DROP next; DROP TABLE next")
            connection.execute("DELETE FROM migrations WHERE version > ?", (version,))
        connection.close()


@dataclass(frozen=True)
class Scenario:
    """A call, and the state that it starts from."""

    name: str
    call: Callable[[World], None]
    is_open: bool = True  # before the call
    prepare: Callable[[World], object] = World.close


def break_index(world: World) -> None:
    connection = apsw.Connection(str(world.path))
    connection.execute("DROP TABLE chunk_postings; DROP TABLE chunk_terms; DELETE FROM vectors")
    connection.close()


def remove_store(world: World) -> None:
    world.path.unlink()
    world.expected = Expected()


def remove_only_file(world: World) -> None:
    world.path.unlink()


def make_backup(world: World) -> None:
    (world.folder / "copy.db").write_bytes((world.folder / "backup.db").read_bytes())


SCENARIOS = (
    Scenario("create", World.open, is_open=False, prepare=remove_store),
    Scenario("open", World.open, is_open=False),
    Scenario("migrate", World.migrate, is_open=False),
    Scenario("add", World.add),
    Scenario("add many", World.add_many),
    Scenario("edit", World.edit),
    Scenario("forget a message", World.forget),
    Scenario("forget a conversation", World.forget_conversation),
    Scenario("work", World.work),
    Scenario("close", World.close_and_open),
    Scenario("backup", World.backup),
    Scenario("backup over a file", World.backup, prepare=make_backup),
    Scenario("restore", World.restore, is_open=False, prepare=remove_only_file),
    Scenario("restore over a store", World.restore, is_open=False),
    Scenario("repair", World.repair, prepare=break_index),
)


def prepare(folder: Path, disk: FaultyDisk) -> World:
    """Makes a store with the conversations "a" and "b", and a backup that has only "a"."""
    folder.mkdir()
    world = World(folder, disk)
    for _ in IN_BACKUP:
        world.add()
    finish_jobs(world.opened, world.clock)
    world.opened.backup(folder / "backup.db")
    for _ in range(3):
        world.add("b")
    world.close()
    return world


class Faults:
    """Runs scenarios on copies of one prepared store."""

    def __init__(self, folder: Path, disk: FaultyDisk) -> None:
        self._folder, self._disk = folder, disk
        self._known = prepare(folder / "base", disk)

    def changes_of(self, scenario: Scenario) -> list[Change]:
        """Runs a scenario without a fault."""
        self._disk.record()
        world = self._run(scenario, Fault(0))
        changes = self._disk.recorded()
        self._disk.record(on=False)
        self._check(scenario, world, None)
        return changes

    def attempt(self, scenario: Scenario, fault: Fault) -> None:
        """Fails with an AssertionError if the store does not keep its promises."""
        try:
            self._check(scenario, self._run(scenario, fault), fault)
        finally:
            self._disk.mend()

    def _run(self, scenario: Scenario, fault: Fault) -> World:
        folder = self._folder / "now"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self._known.folder, folder)
        world = World(folder, self._disk)
        world.expected = deepcopy(self._known.expected)
        world.clock.now = self._known.clock.now
        scenario.prepare(world)
        if scenario.is_open:
            world.open()
        self._before = world.texts() if scenario.is_open else []
        self._disk.record(on=not fault.at)
        self._disk.fail(fault)
        try:
            scenario.call(world)
        except StoreError:
            assert fault.at, "a StoreError without a fault"
            self.failed = True
        else:
            self.failed = False
        return world

    def _check(self, scenario: Scenario, world: World, fault: Fault | None) -> None:
        self._disk.mend()
        self._check_killed(scenario, world)
        if scenario.name == "migrate":
            world.take_back_migration()
        if self.failed:
            assert not scenario.is_open or world.texts() == self._before, "a call that failed has changed the messages"
            scenario.call(world)
            if scenario.name == "migrate":
                world.take_back_migration()
        mem = world.opened
        world.add()
        world.expected.check(mem)
        if not world.scrubbed:
            world.clock.advance(minutes=2)
        finish_jobs(mem, world.clock)
        world.expected.check_erased(world.folder)
        check_health(mem)
        world.close()
        world.expected.check(world.open())
        world.close()
        wanted = fault is None or fault.lasting
        left = sorted(file for file in os.listdir(world.folder) if file.endswith(".part"))
        assert wanted or not left or len(left) == 1, f"files are left: {left}"

    def _check_killed(self, scenario: Scenario, world: World) -> None:
        """Opens the files as they are now, as if the process was killed."""
        folder = self._folder / "killed"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(world.folder, folder, ignore=shutil.ignore_patterns("*-shm"))
        killed = World(folder, self._disk)
        if self.failed and scenario.call is World.restore and not killed.path.exists():
            return
        killed.clock.now = world.clock.now
        if scenario.name == "migrate":
            killed.take_back_migration()
        if scenario.call is World.backup and (folder / "copy.db").exists():
            check_backup(folder / "copy.db")
        mem = killed.open()
        try:
            world.expected.check(mem)
            if scenario.name != "repair" or not self.failed:
                killed.clock.advance(minutes=10)
                finish_jobs(mem, killed.clock)
                check_health(mem)
                world.expected.check_erased(folder)
        finally:
            killed.close()


def check_backup(path: Path) -> None:
    """A backup that has its name is complete."""
    with Memory(path, worker=False, embedder=LengthEmbedder(), environment={}) as mem:
        assert len(mem.conversation("a").messages()) >= len(IN_BACKUP)
        assert not [finding for finding in mem.doctor() if not finding.ok and finding.check not in ("late jobs",)]


def faults(changes: list[Change], most: int | None, random_: random.Random) -> Iterator[Fault]:
    """Yields the faults of a call: each change with each error, or a random choice of `most` with one error. The choice
    is among the writes and among the other changes alike."""
    numbered = list(enumerate(changes, 1))
    errors = [(at, error) for at, change in numbered for error in ERRORS if change.kind == "write" or not error.half]
    if most is not None:
        writes = [(at, error) for at, error in errors if changes[at - 1].kind == "write"]
        others = [(at, error) for at, error in errors if changes[at - 1].kind != "write"]
        errors = [random_.choice(kind) for kind in (writes or others, others or writes) * (most // 2)]
    for at, error in errors:
        yield replace(error, at=at)


def main() -> int:
    parser = argparse.ArgumentParser(description="Lets every change of the disk fail once, in turn.")
    parser.add_argument("--most", type=int, help="how many faults of each call; all if not given")
    parser.add_argument("--only", help="the name of one call")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    logging.disable()
    folder = Path(os.environ["FAULTS_FOLDER"]).resolve() / "stores"
    folder.mkdir()
    disk = FaultyDisk(folder)
    sweep, random_ = Faults(folder, disk), random.Random(options.seed)
    broken = 0
    for scenario in SCENARIOS:
        if options.only not in (None, scenario.name):
            continue
        begin, tried, raised = process_time(), 0, 0
        changes = sweep.changes_of(scenario)
        for fault in faults(changes, options.most, random_):
            tried += 1
            try:
                sweep.attempt(scenario, fault)
            except Exception:  # noqa: BLE001 (reported, with the fault)
                broken += 1
                print(f"FAILED {scenario.name!r}: {fault} ({changes[fault.at - 1].kind} {changes[fault.at - 1].name})")
                traceback.print_exc(limit=-4, chain=False, file=sys.stdout)
                if broken >= 10:
                    return 1
            raised += sweep.failed
        seconds = process_time() - begin
        print(f"{scenario.name}: {len(changes)} changes, {tried} faults, {raised} raised, {seconds:.1f} s", flush=True)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
