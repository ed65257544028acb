"""Tests that repeating a killed copy completes it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from aforesaid import Memory

MESSAGES = 700  # per space; several transactions
TOTAL = 2 * (MESSAGES + 1)
QUESTIONS = ("pond 17 near Porto", "where does the user live?", "herons", "what moved?")


def fill(store: str) -> None:
    with Memory(store, worker=False, environment={}) as memory:
        for space in ("ann", "ben"):
            chat = memory.space(space).conversation("birds")
            chat.add_many({"role": "user", "content": f"Herons at pond {n} near Porto."} for n in range(MESSAGES))
            chat.add("user", "I live in Porto.")
            chat.pin("Herons fly low.")
        memory.flush(300)


def copying(source: str, target: str, folder: Path) -> subprocess.Popen[str]:
    """Starts a copy whose temporary files are in `folder`, because a killed process leaves them behind."""
    command = [sys.executable, "-m", "aforesaid", "copy", source, target]
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("AFORESAID_", "RAG_"))}
    given = kept | {"TMPDIR": str(folder)}
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=given)


def killed_at(process: subprocess.Popen[str], target: str, messages: int) -> int:
    """Kills the process when the target has that many messages or it has ended; returns the number of messages."""
    with Memory(target, worker=False, embedder="none", environment={}) as looked:
        while looked.status().messages < messages and process.poll() is None:
            time.sleep(0.02)  # polls, because the other process sends no event
        process.kill()
        process.communicate()
        return looked.status().messages


@pytest.mark.slow
@pytest.mark.timeout(600)  # two directions
@pytest.mark.req("X15")
def test_a_killed_copy_is_completed_by_repeating_it(tmp_path: Path, address: str):
    """Copies from a file to the server, and from the server to another file."""
    original, returned = str(tmp_path / "app.db"), str(tmp_path / "returned.db")
    fill(original)
    for source, target in ((original, address), (address, returned)):
        kill_and_repeat(source, target, tmp_path)
        compare(source, target)


def kill_and_repeat(source: str, target: str, folder: Path) -> None:
    for reached in (1, MESSAGES + 500):  # in the first space, then in the second
        assert 0 < killed_at(copying(source, target, folder), target, reached) < TOTAL
    last = copying(source, target, folder)
    output, report = last.communicate(timeout=600)
    assert last.returncode == 0, report
    assert f"ben: copied, {MESSAGES + 1} messages" in report
    assert "the same in both" in output
    again = copying(source, target, folder)
    _, report = again.communicate(timeout=600)
    assert again.returncode == 0, report
    assert "ann: unchanged" in report


def compare(source: str, target: str) -> None:
    """Asserts that both stores have the same messages and return the same hits."""
    with Memory(source, environment={}) as ours, Memory(target, environment={}) as theirs:
        theirs.flush(300)
        assert theirs.status().messages == TOTAL
        for space in ("ann", "ben"):
            pages = [memory.space(space).conversation("birds").messages(10_000) for memory in (ours, theirs)]
            assert pages[0] == pages[1]
            for question in QUESTIONS:
                hits = [
                    [(hit.kind, hit.id) for hit in memory.space(space).recall(question)] for memory in (ours, theirs)
                ]
                assert hits[0] == hits[1] != []
