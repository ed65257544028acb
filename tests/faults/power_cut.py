"""Cuts the power: records every change of the disk during some calls, builds the files as a power cut at any moment can
leave them, and opens each with Memory.

    python -m tests.faults.run power_cut --seeds 200
    python -m tests.faults.run power_cut --seed 17

The behaviors are those that SQLite's crash tests and ALICE simulate. Only a sync makes a file's content durable, and
only a sync of the folder its names. Of the rest, a cut leaves nothing, everything, the first changes, or any choice of
512-byte sectors in any order, also filled with junk. Created, linked, renamed and deleted names are lost in order or
out of order. After a sync that failed, the disk may have lost the changes for good, as Linux does. The `-shm` file is
gone or junk.
"""

from __future__ import annotations

import argparse
import logging
import os
import random
import shutil
import sys
import traceback
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import process_time

from tests.faults.expected import Expected, check_health, finish_jobs
from tests.faults.faulty_disk import Change, Fault, FaultyDisk
from tests.faults.io_faults import World, check_backup, prepare

from aforesaid import StoreError
from aforesaid.storage.sqlite import database

SECTOR = 512
FEW_PAGES = 40  # of log between checkpoints, so that short stories have some
LOSSES = ("all", "none", "last", "sectors", "junk")  # how the unsynced changes of a file are lost


@dataclass
class DiskFile:
    """A file: its durable content, and the changes that are not synced."""

    durable: bytearray = field(default_factory=bytearray)
    unsynced: list[Change] = field(default_factory=list)

    def sync(self) -> None:
        for change in self.unsynced:
            apply_change(self.durable, change)
        self.unsynced = []

    def after_cut(self, random_: random.Random) -> bytes:
        """Returns a content that a power cut can leave."""
        content = bytearray(self.durable)
        for change in lose(self.unsynced, self.durable, random_):
            apply_change(content, change)
        return bytes(content)


class SimulatedDisk:
    """The durable state of a folder, as the changes of a record leave it."""

    def __init__(self, folder: Path, random_: random.Random) -> None:
        self._random = random_
        self._folder = folder
        self._durable: dict[str, DiskFile] = {}
        for file in folder.iterdir():  # a folder of temporary files is left out: a power cut may take it
            if file.is_file() and not file.name.endswith("-shm"):
                self._durable[file.name] = DiskFile(bytearray(file.read_bytes()))
        self.names = dict(self._durable)  # as processes see them
        self._renamed: list[dict[str, DiskFile | None]] = []  # unsynced changes of names, in order

    def apply(self, change: Change) -> None:
        name, other = Path(change.name).name, Path(change.other).name
        if change.kind == "sync folder":
            if not change.failed:
                apply_names(self._durable, self._renamed)
                self._renamed = []
        elif change.kind == "sync":
            if not change.failed:
                self.names[name].sync()
            elif self._random.random() < 0.5:  # the system drops what it could not write
                self.names[name].unsynced = []
        elif change.failed:
            return
        elif change.kind == "create":
            self._rename({name: DiskFile()})
        elif change.kind == "delete":
            self._rename({name: None})
        elif change.kind == "link":
            self._rename({other: self.names[name]})
        elif change.kind == "rename":
            self._rename({other: self.names[name], name: None})
        else:
            self.names[name].unsynced.append(change)

    def cut(self, target: Path) -> None:
        """Writes the files that a power cut leaves now."""
        if self._random.random() < 0.5:
            kept = self._renamed[: self._random.randint(0, len(self._renamed))]
        else:
            kept = [change for change in self._renamed if self._random.random() < 0.5]
        names = dict(self._durable)
        apply_names(names, kept)
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir()
        for name, file in names.items():
            (target / name).write_bytes(file.after_cut(self._random))
        if self._random.random() < 0.3:
            (target / "memory.db-shm").write_bytes(self._random.randbytes(32_768))

    def _rename(self, change: dict[str, DiskFile | None]) -> None:
        self._renamed.append(change)
        apply_names(self.names, [change])


def apply_names(names: dict[str, DiskFile], changes: Iterable[dict[str, DiskFile | None]]) -> None:
    for change in changes:
        for name, file in change.items():
            names.pop(name, None)
            if file is not None:
                names[name] = file


def apply_change(content: bytearray, change: Change) -> None:
    if change.kind == "truncate":
        del content[change.offset :]
        content.extend(bytes(change.offset - len(content)))
    else:
        content.extend(bytes(max(0, change.offset - len(content))))
        content[change.offset : change.offset + len(change.data)] = change.data


def lose(changes: Sequence[Change], durable: bytes, random_: random.Random) -> list[Change]:
    """Returns the unsynced changes of a file that reach the disk.

    No junk replaces a sector that repeats what is durable: SQLite's documentation assumes that a sector is written from
    one end to the other, so that such a write changes nothing."""
    loss = random_.choice(LOSSES)
    if loss == "all":
        return []
    if loss == "none":
        return list(changes)
    if loss == "last":
        return list(changes[: random_.randint(0, len(changes))])
    kept = [part for change in changes for part in sectors(change) if random_.random() < 0.5]
    if loss == "junk":
        new = [part for part in kept if part.data != durable[part.offset : part.offset + len(part.data)]]
        torn = [part for part in new if part.kind == "write" and random_.random() < 0.2]
        junk = {id(part): random_.randbytes(len(part.data)) for part in torn}
        return [Change("write", part.name, part.offset, junk[id(part)]) if id(part) in junk else part for part in kept]
    return kept


def sectors(change: Change) -> list[Change]:
    """Splits a write at the borders of the disk's sectors."""
    if change.kind != "write":
        return [change]
    end, start, parts = change.offset + len(change.data), change.offset, []
    while start < end:
        stop = min(end, start - start % SECTOR + SECTOR)
        data = change.data[start - change.offset : stop - change.offset]
        parts.append(Change("write", change.name, start, data))
        start = stop
    return parts


@dataclass(frozen=True)
class Moment:
    """What is acknowledged after `at` changes."""

    at: int
    expected: Expected
    scrubbed: bool
    backed_up: bool
    store: str  # the name of the file


class Story:
    """A series of calls on a store, its record, and what is acknowledged when."""

    def __init__(self, name: str, calls: Callable[[World], Iterable[None]], world: World) -> None:
        self.name = name
        self.start = world.folder.with_name(f"{name} start")
        shutil.copytree(world.folder, self.start)
        world.disk.record()
        self.moments = [self._moment(world)]
        for _ in calls(world):
            self.moments.append(self._moment(world))
        self.changes = world.disk.recorded()
        world.disk.record(on=False)
        world.close()
        self.clock = world.clock

    def at(self, cut: int) -> Moment:
        """Returns what must hold after a cut. The call that runs at the cut may have happened or not."""
        last = next(moment for moment in reversed(self.moments) if moment.at <= cut)
        following = next((moment for moment in self.moments if moment.at > cut), last)
        return replace(last, expected=between(last.expected, following.expected))

    def _moment(self, world: World) -> Moment:
        return Moment(world.disk.length, deepcopy(world.expected), world.scrubbed, world.backed_up, world.path.name)


def between(before: Expected, after: Expected) -> Expected:
    """Returns what must hold while the calls between two moments run."""
    model = deepcopy(before)
    model.batches, model.conversations = deepcopy(after.batches), dict(after.conversations)
    model.numbers = after.numbers
    for name, ids in before.order.items():
        model.order[name] = [id for id in ids if id in after.order.get(name, ())]
        model.unsure |= set(ids) - set(model.order[name])
    for id, texts in after.texts.items():
        model.texts[id] = model.texts.get(id, set()) | texts
    return model


def chat(world: World) -> Iterable[None]:
    yield world.add()
    yield world.add_many()
    yield world.work()
    yield world.add()
    yield world.edit()
    yield world.work()
    yield world.add("b")
    yield world.forget()
    yield world.add_many()
    yield world.work()
    yield world.close_and_open()
    yield world.add()
    yield world.forget_conversation()
    yield world.add("b")


def failed_syncs(world: World) -> Iterable[None]:
    """Background work does not wait for the disk; then a sync fails while a message is added."""
    for at, lasting in ((1, False), (1, True), (2, False), (3, False), (4, False)):
        yield world.add()
        yield world.work()
        world.disk.fail(Fault(at, lasting=lasting, kind="sync"))
        with suppress(StoreError):
            world.add()
            world.add_many()
        world.disk.mend()
        yield None
        yield world.add("b")
        yield world.add_many()
        yield world.work()


def backups(world: World) -> Iterable[None]:
    yield world.backup()
    yield world.add()
    yield world.backup()
    yield world.add()


def restores(world: World) -> Iterable[None]:
    yield world.add("b")
    yield world.close()
    yield world.restore()
    world.open()
    yield None
    yield world.add()
    yield world.add("b")
    yield world.close()
    yield world.restore()


def new_files(world: World) -> Iterable[None]:
    known = world.expected
    world.close()
    world.path, world.expected = world.folder / "new.db", Expected()
    yield None
    world.open()
    yield world.add()
    yield world.work()
    yield world.close_and_open()
    yield world.add()
    world.close()
    world.path, world.expected = world.folder / "restored.db", Expected()
    yield None
    world.expected = known
    yield world.restore()
    yield world.add()


STORIES = (chat, failed_syncs, backups, restores, new_files)


def cut_power(story: Story, seed: int, cuts: int, target: Path, disk: FaultyDisk) -> None:
    """Checks some power cuts. Fails with an AssertionError that names the moment."""
    random_ = random.Random(f"{story.name} {seed}")
    files, done = SimulatedDisk(story.start, random_), 0
    acknowledged = [moment.at for moment in story.moments]
    anywhere = random_.choices(range(len(story.changes) + 1), k=cuts)
    for cut in sorted(random_.choice((cut, random_.choice(acknowledged))) for cut in anywhere):
        for change in story.changes[done:cut]:
            files.apply(change)
        done = cut
        files.cut(target)
        try:
            check_image(target, story, story.at(cut), disk)
        except Exception as exc:
            raise AssertionError(f"{story.name}, seed {seed}, cut after {cut} of {len(story.changes)} changes") from exc


def check_image(folder: Path, story: Story, moment: Moment, disk: FaultyDisk) -> None:
    assert not moment.backed_up or (folder / "copy.db").exists(), "the backup is gone"
    if (folder / "copy.db").exists():
        check_backup(folder / "copy.db")
    if moment.scrubbed:
        moment.expected.check_erased(folder)
    world = World(folder, disk)
    world.clock.now = story.clock.now
    mem = world.open(folder / moment.store)
    try:
        moment.expected.check(mem)
        world.clock.advance(minutes=10)
        finish_jobs(mem, world.clock)
        check_health(mem)
        moment.expected.check_erased(folder)
    finally:
        world.close()


def main() -> int:
    parser = argparse.ArgumentParser(description="Opens the files that a power cut leaves.")
    parser.add_argument("--seeds", type=int, default=100, help="how many")
    parser.add_argument("--seed", type=int, help="the only one")
    parser.add_argument("--cuts", type=int, default=5, help="per story and seed")
    options = parser.parse_args()
    logging.disable()
    database.CHECKPOINT_PAGES = FEW_PAGES
    folder = Path(os.environ["FAULTS_FOLDER"]).resolve() / "stores"
    folder.mkdir()
    disk = FaultyDisk(folder)
    base = prepare(folder / "base", disk)
    broken = 0
    for calls in STORIES:
        shutil.copytree(base.folder, folder / calls.__name__)
        world = World(folder / calls.__name__, disk)
        world.expected, world.clock.now = deepcopy(base.expected), base.clock.now
        world.open()
        story = Story(calls.__name__, calls, world)
        begin = process_time()
        for seed in range(options.seeds) if options.seed is None else [options.seed]:
            try:
                cut_power(story, seed, options.cuts, folder / "cut", disk)
            except AssertionError:
                traceback.print_exc(limit=-3, file=sys.stdout)
                broken += 1
                if broken > 5:
                    return 1
        print(f"{story.name}: {len(story.changes)} changes, {process_time() - begin:.1f} s", flush=True)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
