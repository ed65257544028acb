"""Tests that every command prints only valid JSON on standard output with --json."""

import json
import shutil
from pathlib import Path

import pytest
from tests.cli.test_commands import LEAVES, NAMES, WITHOUT_JSON

from aforesaid import Memory

PICTURES = Path(__file__).parent.parent.parent / "docs" / "pictures"
MODEL = "http://127.0.0.1:9/v1#unused"
ELSEWHERE = {  # slow, or one object per line; tested in other files
    "bench all", "bench beam", "bench foreign", "bench latency", "bench load", "bench locomo", "bench longmemeval",
    "bench own", "bench peers", "bench prefix", "bench proxy", "chat", "rekey",
}  # fmt: skip


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """A store with records of every kind, its export and its backup, and a set of questions."""
    folder = tmp_path_factory.mktemp("told")
    with Memory(folder / "memory.db", worker=False, environment={}) as memory:
        space = memory.space("default")
        chat = space.conversation("trip")
        chat.add_many({"role": "user", "content": f"Platform {n} of the station in Lisbon."} for n in range(20))
        chat.add("user", "I live in Lisbon now.", id="said")
        pin = chat.pin("Budget 900")
        space.conversation("over").add("user", "Bye.")
        space.conversation("over").end()
        space.grant_consent(by="ann")
        fact = space.remember("Prefers window seats", kind="preference")
        old, new = space.remember("Sits on the aisle"), space.remember("Sits at the window")
        space.relate(new.id, "supersedes", old.id)
        space.items("users").put("prefs", {"theme": "dark"})
        receipt = chat.context("where?").receipt.id
        key = memory.create_key("laptop").key.id
        memory.flush()
        space.export(folder / "export")
        memory.backup(folder / "backup.db")
    with Memory(folder / "memory.db", worker=False, environment={}, model=MODEL) as memory:
        memory.space("default").learn({"title": "Task", "type": "object", "properties": {"what": {"type": "string"}}})
    shutil.copy(PICTURES / "foreign.json", folder)
    (folder / "questions.jsonl").write_text(
        "".join(json.dumps({"query": f"platform {n} {n}", "relevant": ["said"]}) + "\n" for n in range(4))
    )
    return folder, {"FACT": fact.id, "REPLACED": old.id, "RECEIPT": receipt, "KEY": key, "PIN": pin.id}


CALLS = {
    "init": "init",
    "add": "add trip hello",
    "recall": "recall Lisbon",
    "search": "search Lisbon",
    "context": "context trip where",
    "explain": "explain --receipt RECEIPT",
    "why": "why said --receipt RECEIPT",
    "messages": "messages trip",
    "edit": "edit trip said Hello.",
    "pins": "pins trip",
    "pin": "pin trip Budget",
    "unpin": "unpin trip PIN",
    "summaries": "summaries trip --now",
    "episodes": "episodes trip",
    "arc": "arc trip",
    "conversations": "conversations",
    "rename": "rename trip Lisbon",
    "pause": "pause trip",
    "resume": "resume over",
    "end": "end trip",
    "expire": "expire trip 30d",
    "hold": "hold lawsuit",
    "mute": "mute trip",
    "unmute": "unmute trip",
    "facts": "facts",
    "feedback": "feedback station said --useless",
    "remember": "remember Trains",
    "promote": "promote FACT",
    "reject": "reject FACT",
    "archive": "archive FACT",
    "undo": "undo REPLACED",
    "spaces": "spaces",
    "profile": "profile show",
    "consent": "consent show",
    "audit": "audit",
    "consolidate": "consolidate --yes",
    "forget": "forget --message said --yes",
    "delete": "delete trip --yes",
    "verify-erasure": "verify-erasure zebra",
    "settings": "settings",
    "status": "status",
    "stats": "stats",
    "jobs": "jobs",
    "metrics": "metrics",
    "cost": "cost",
    "export": "export default FOLDER/out",
    "import": "import FOLDER/export --as copy",
    "copy": "copy FOLDER/memory.db FOLDER/copied.db",
    "backup": "backup FOLDER/again.db",
    "restore": "restore FOLDER/backup.db FOLDER/restored.db",
    "rechunk": "rechunk default",
    "tune": "tune FOLDER/questions.jsonl",
    "doctor": "doctor",
    "install": "install cursor --print",
    "uninstall": "uninstall cursor --print",
    "hook": "hook --status",
    "worker": "worker --once",
    "version": "version",
    "keys create": "keys create phone",
    "keys list": "keys list",
    "keys revoke": "keys revoke KEY",
    "about": "about",
    "fork": "fork trip --at said",
    "branches": "branches trip",
    "remove": "remove trip 3 3",
    "items put": "items put prefs {} --namespace users",
    "items get": "items get prefs --namespace users",
    "items list": "items list",
    "items search": "items search dark",
    "items delete": "items delete prefs --namespace users",
    "items rename": "items rename prefs settings --namespace users",
    "items move": "items move --namespace users --to people",
    "items clear": "items clear --namespace users --yes",
    "items namespaces": "items namespaces",
    "learn": "learn --remove Task",
    "records": "records Task",
    "bench draw": "bench draw FOLDER/foreign.json",
    "bench extract": "bench extract",
    "bench episodes": "bench episodes",
    "bench distill": "bench distill --limit 1",
}


def test_every_command_with_json_output_is_covered():
    assert {*NAMES, *LEAVES} - WITHOUT_JSON - ELSEWHERE == set(CALLS)


@pytest.mark.parametrize("name", CALLS)
def test_stdout_has_only_json(run, path, told, name):
    folder, ids = told
    shutil.copy(folder / "memory.db", path)
    for file in ("out", "again.db", "restored.db", "copied.db"):
        shutil.rmtree(folder / file, ignore_errors=True)
        (folder / file).unlink(missing_ok=True)
    words = [word.replace("FOLDER", str(folder)) for word in CALLS[name].split()]
    result = run(*(ids.get(word, word) for word in words), "--json")
    assert result.exit_code == 0, result.stderr
    assert isinstance(json.loads(result.stdout), dict | list)
