"""A copy that is killed is completed by repeating it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from aforesaid import Memory

MESSAGES = 700  # several transactions
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
    """Works in `folder`: a killed one leaves there what it had written."""
    command = [sys.executable, "-m", "aforesaid", "copy", source, target]
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("AFORESAID_", "RAG_"))}
    given = kept | {"TMPDIR": str(folder)}
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=given)


def killed_at(process: subprocess.Popen[str], target: str, messages: int) -> int:
    """Kills it as soon as so many messages are there, or it has ended; says how many are there then."""
    with Memory(target, worker=False, embedder="none", environment={}) as looked:
        while looked.status().messages < messages and process.poll() is None:
            time.sleep(0.01)  # until another process has done something: there is nothing else to wait on
        process.kill()
        process.communicate()
        return looked.status().messages


@pytest.mark.slow
@pytest.mark.req("X15")
@pytest.mark.parametrize("way", ["to the server", "back"])
def test_a_killed_copy_is_completed_by_repeating_it(tmp_path: Path, address: str, way: str):
    file = str(tmp_path / "app.db")
    source, target = (file, address) if way == "to the server" else (address, file)
    fill(source)
    total = 2 * (MESSAGES + 1)
    for reached in (1, MESSAGES // 2, MESSAGES + 500):
        assert 0 < killed_at(copying(source, target, tmp_path), target, reached) < total
    done = copying(source, target, tmp_path)
    said, told = done.communicate(timeout=600)
    assert done.returncode == 0, told
    assert f"ben: copied, {MESSAGES + 1} messages" in told
    assert "the same in both" in said
    again = copying(source, target, tmp_path)
    _, told = again.communicate(timeout=600)
    assert again.returncode == 0, told
    assert "ann: unchanged" in told
    with Memory(source, environment={}) as ours, Memory(target, environment={}) as theirs:
        theirs.flush(300)
        assert theirs.status().messages == total
        for space in ("ann", "ben"):
            pages = [memory.space(space).conversation("birds").messages(10_000) for memory in (ours, theirs)]
            assert pages[0] == pages[1]
            for question in QUESTIONS:
                found = [
                    [(hit.kind, hit.id) for hit in memory.space(space).recall(question)] for memory in (ours, theirs)
                ]
                assert found[0] == found[1] != []
