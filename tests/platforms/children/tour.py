"""Uses each part of aforesaid once in the folder that is its argument, and prints the name of each part that works.

It needs no package but aforesaid's own, so it runs on any platform: `python tour.py FOLDER`.
"""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from pathlib import Path

from aforesaid import Memory, StoreError

FOLDER = Path(sys.argv[1])
STORE = str(FOLDER / "app.db")


def library() -> None:
    with Memory(STORE) as mem:
        alice = mem.space("alice")
        chat = alice.conversation("trip")
        chat.add("user", "We settled on Lisbon in May, at most 900 € for the two of us.")
        secret = chat.add("user", "My locker code is 4711-pelican.")
        chat.add("assistant", "Noted.")
        mem.flush(60)
        assert alice.recall("what is our budget for the trip?")[0].text.endswith("for the two of us.")
        assert chat.context("where are we going?", max_tokens=500).tokens <= 500
        print("add, recall, context")
        alice.forget(message=secret.id)
        mem.flush(60)
        assert mem.verify_erasure("4711-pelican").clean
        print("forget")
        assert all(finding.ok for finding in mem.doctor())
        print("doctor")


def files() -> None:
    with Memory(STORE, worker=False) as mem:
        mem.backup(FOLDER / "backup.db")
        mem.backup(FOLDER / "backup.db", force=True)
        print("backup")
        (FOLDER / "export").mkdir()
        mem.space("alice").export(FOLDER / "export")
        mem.import_space(FOLDER / "export", space="bob")
        assert b"\r\n" not in b"".join(file.read_bytes() for file in (FOLDER / "export").iterdir())
        print("export, import")
        with Memory(str(FOLDER / "copy.db"), worker=False) as other:
            mem.copy_to(other)
        print("copy")
        try:
            Memory.restore(FOLDER / "backup.db", STORE, force=True)
        except StoreError:
            print("an open store is not replaced")
    assert Memory.restore(FOLDER / "backup.db", STORE, force=True).messages == 2
    assert Memory.restore(FOLDER / "backup.db", FOLDER / "new.db").messages == 2
    print("restore")


def command_line() -> None:
    def run(*arguments: str) -> str:
        command = [sys.executable, "-m", "aforesaid", *arguments]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=120)
        assert done.returncode == 0, done.stderr.decode(errors="replace")
        return done.stdout.decode("cp1252")

    run("add", "pets", "The cat is called Miezi — 猫.", "--store", STORE)
    assert "Miezi" in run("recall", "what is the cat called?", "--store", STORE, "--json")
    run("recall", "what is the cat called?", "--store", STORE)
    run("worker", "--once", "--store", STORE)
    run("doctor", "--store", STORE)
    run("backup", str(FOLDER / "by-command.db"), "--store", STORE)
    print("command line", flush=True)


def server() -> None:
    command = [sys.executable, "-m", "aforesaid", "serve", "--store", STORE, "--port", "0"]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        try:
            assert process.stderr is not None
            line = process.stderr.readline().decode()
            address = line.partition(" at ")[2].partition(";")[0]
            assert address, line + process.stderr.read().decode(errors="replace")
            with urllib.request.urlopen(f"{address}/api/memory/spaces", timeout=60) as answer:
                assert any(space["id"] == "alice" for space in json.load(answer)["items"])
        finally:
            process.terminate()
    print("server")
    several = [*command, "--processes", "2"]
    done = subprocess.run(several, stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=60)
    assert b"--processes 1" in done.stderr, done.stderr
    print("several processes are refused")


if __name__ == "__main__":
    library()
    files()
    command_line()
    server()
