"""Tests that no file contains a word of an encrypted store: the file, its log, temporary files, backups."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from tests.child import Child

pytestmark = [pytest.mark.req("X23"), pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs /proc")]

STORY = Path(__file__).parent / "story.py"
WORDS = ("zqmarmalade", "zqmarmalad", "Zqzephyrine", "zqzephyrin")  # two words, and their terms in the index
ENCODINGS = ("utf-8", "utf-16-le", "utf-16-be")
IN_MEMORY = "/dev/shm/aforesaid-"  # where the text of a copy is
INTERVAL = 0.25  # seconds between two looks
NEEDLES = [word.encode(encoding) for word in WORDS for encoding in ENCODINGS]


def contents(child: Child, *folders: Path) -> Iterator[tuple[str, bytes]]:
    """The files of the folders, and all files that the process has open, also those without a name."""
    for folder in folders:
        for path in folder.rglob("*"):
            if path.is_file():
                yield str(path), path.read_bytes()
    for link in Path(f"/proc/{child.process.pid}/fd").iterdir():
        with suppress(FileNotFoundError):
            if link.is_file() and not os.readlink(link).startswith(IN_MEMORY):
                yield os.readlink(link), link.read_bytes()


def found(child: Child, *folders: Path) -> set[str]:
    return {name for name, content in contents(child, *folders) if any(needle in content for needle in NEEDLES)}


def run(key: str, *folders: Path) -> tuple[set[str], list[str]]:
    """Stops the child again and again, looks at all files, and kills it in the last step."""
    places: set[str] = set()
    steps: list[str] = []
    child = Child(STORY, folders[0] / "memory.db", key)
    try:
        while steps[-1:] != ["last"]:
            if (step := child.line(INTERVAL)) is not None:
                steps.append(step)
            child.process.send_signal(signal.SIGSTOP)
            places |= found(child, *folders)
            child.process.send_signal(signal.SIGCONT)
            if step is not None:
                child.say("next")
        assert child.line(INTERVAL) is None
        child.process.kill()
        child.process.wait()
        return places | {str(path) for folder in folders for path in folder.rglob("*") if has_word(path)}, steps
    finally:
        child.stop()


def has_word(path: Path) -> bool:
    return path.is_file() and any(needle in path.read_bytes() for needle in NEEDLES)


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, ...]:
    """The folder of the store, and those of temporary files."""
    store, temporary = tmp_path / "store", tmp_path / "temporary"
    for folder in (store, temporary):
        folder.mkdir()
    for name in ("TMPDIR", "TEMP", "TMP"):
        monkeypatch.delenv(name, raising=False)  # then the text of a copy is in memory
    monkeypatch.setenv("SQLITE_TMPDIR", str(temporary))
    return store, temporary, Path(f"/tmp/aforesaid-{os.getuid()}")


def test_no_file_contains_a_word(folders: tuple[Path, ...]) -> None:
    places, steps = run("correct horse", *folders)
    assert len(steps) == 11
    assert places == set()


def test_the_search_finds_the_words_of_a_plain_store(folders: tuple[Path, ...]) -> None:
    places, _ = run("", *folders)
    assert {Path(place).name for place in places} >= {"memory.db", "memory.db-wal", "backup.db"}
