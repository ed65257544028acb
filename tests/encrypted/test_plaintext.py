"""Tests that no file contains a word of an encrypted store: the file, its log, temporary files, backups."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.child import Child

pytestmark = [pytest.mark.req("X23"), pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs /proc")]

STORY = Path(__file__).parent / "story.py"
WORDS = ("zqmarmalade", "zqmarmalad", "Zqzephyrine", "zqzephyrin")  # two words, and their terms in the index
ENCODINGS = ("utf-8", "utf-16-le", "utf-16-be")
NEEDLES = [word.encode(encoding) for word in WORDS for encoding in ENCODINGS]


def contents(child: Child, *folders: Path) -> Iterator[tuple[str, bytes]]:
    """The files of the folders, and all files that the process has open, also those without a name."""
    for folder in folders:
        for path in folder.rglob("*"):
            if path.is_file():
                yield str(path), path.read_bytes()
    for link in Path(f"/proc/{child.process.pid}/fd").iterdir():
        if link.is_file() and not os.readlink(link).startswith(("/proc", "/dev/null")):
            yield os.readlink(link), link.read_bytes()


def found(child: Child, *folders: Path) -> set[str]:
    return {name for name, content in contents(child, *folders) if any(needle in content for needle in NEEDLES)}


def run(key: str, folder: Path, temporary: Path) -> tuple[set[str], list[str]]:
    """Stops the child after each step and during the next one, and looks at all files. Kills it in the last step."""
    places: set[str] = set()
    steps: list[str] = []
    child = Child(STORY, folder / "memory.db", key)
    try:
        while (step := child.line()) != "last":
            assert step is not None
            steps.append(step)
            places |= found(child, folder, temporary)
            child.say("next")
            os.kill(child.process.pid, signal.SIGSTOP)  # anywhere in the next step
            places |= found(child, folder, temporary)
            os.kill(child.process.pid, signal.SIGCONT)
        child.say("next")
        child.process.send_signal(signal.SIGKILL)
        child.process.wait()
        return places | {str(path) for path in [*folder.rglob("*"), *temporary.rglob("*")] if has_word(path)}, steps
    finally:
        child.stop()


def has_word(path: Path) -> bool:
    return path.is_file() and any(needle in path.read_bytes() for needle in NEEDLES)


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    store, temporary = tmp_path / "store", tmp_path / "temporary"
    for folder in (store, temporary):
        folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setenv("SQLITE_TMPDIR", str(temporary))
    return store, temporary


def test_no_file_contains_a_word(folders: tuple[Path, Path]) -> None:
    places, steps = run("correct horse", *folders)
    assert len(steps) == 9
    assert places == set()


def test_the_search_finds_the_words_of_a_plain_store(folders: tuple[Path, Path]) -> None:
    places, _ = run("", *folders)
    assert {Path(place).name for place in places} >= {"memory.db", "memory.db-wal", "backup.db"}
